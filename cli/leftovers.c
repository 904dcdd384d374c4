/* SPDX-License-Identifier: MIT
 *
 * leftovers.c - temporary files, and those of runs that were killed.
 *
 * All files are written beside their place first, as NAME.MACHINE-PROCESS-N.loco-tmp (src/base/temp.h), a new data set as a
 * folder of such a name. A run that is killed leaves them; the next one on the same machine with the same output removes
 * them, unless their process is still there.
 */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, LEVELS = 2 /* a set that is split has a folder for each part */, MOST_DIGITS = 9 };

static const char ending[] = ".loco-tmp";

/* FNV-1a of the machine's name, as in src/base/temp.c. */
static unsigned long machine(void)
{
    char name[256] = "";
    uint32_t hash = 2166136261U;
    (void)gethostname(name, sizeof name - 1);
    for (const char *c = name; *c != 0; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    return hash;
}

void lc_files_temp(char *name, size_t size, const char *path, long process)
{
    snprintf(name, size, "%s.%08lx-%ld-0%s", path, machine(), process, ending);
}

/* "take.mid.9f2c01d4-123-0.loco-tmp" of "take.mid" on this machine, or of any name if base is NULL; gives 123, or 0: it is
 * another file. */
static long process_of(const char *name, const char *base)
{
    char marked[16];
    const char *at = name, *mark = NULL;
    snprintf(marked, sizeof marked, ".%08lx-", machine());
    while ((at = strstr(at, marked)) != NULL) /* the last one */
        mark = at++;
    if (mark == NULL || mark == name ||
        (base != NULL && (strlen(base) != (size_t)(mark - name) || strncmp(name, base, strlen(base)) != 0)))
        return 0;
    const char *digits = mark + strlen(marked);
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || length > MOST_DIGITS || digits[length] != '-')
        return 0;
    const char *attempt = digits + length + 1;
    size_t more = strspn(attempt, "0123456789");
    return more > 0 && strcmp(attempt + more, ending) == 0 ? strtol(digits, NULL, 10) : 0;
}

static bool is_gone(long process)
{
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static DIR *open_folder(int place, const char *name)
{
    int file = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    if (folder == NULL && file >= 0)
        close(file);
    return folder;
}

/* A file, or a folder with up to `levels` more below it. */
static void remove_entry(int place, const char *name, int levels)
{
    if (unlinkat(place, name, 0) == 0)
        return;
    DIR *folder = levels > 0 ? open_folder(place, name) : NULL;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_entry(dirfd(folder), entry->d_name, levels - 1);
    if (folder != NULL)
        closedir(folder);
    (void)unlinkat(place, name, AT_REMOVEDIR);
}

static void remove_from(const char *place, const char *base)
{
    DIR *folder = opendir(place);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        long process = process_of(entry->d_name, base);
        if (process > 0 && is_gone(process))
            remove_entry(dirfd(folder), entry->d_name, LEVELS);
    }
    if (folder != NULL)
        closedir(folder);
}

void lc_files_clean(const char *path)
{
    char place[PATH_BYTES];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof place)
        return;
    memcpy(place, path, length + 1);
    while (length > 1 && place[length - 1] == '/')
        place[--length] = 0;
    remove_from(path, NULL); /* if it is a folder */
    char *slash = strrchr(place, '/');
    if (slash == NULL)
        remove_from(".", place);
    else if (slash[1] != 0) {
        *slash = 0;
        remove_from(slash == place ? "/" : place, slash + 1);
    }
}

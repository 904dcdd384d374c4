/* SPDX-License-Identifier: MIT
 *
 * leftovers.c - temporary files of runs that were killed.
 *
 * All files are written beside their place first, as NAME.PROCESS-N.tmp, a new data set as a folder of such a name. A run that is killed leaves them; the next one with the same output removes them, unless their process is
 * still there.
 */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, LEVELS = 2 }; /* a set that is split has a folder for each part */

/* "take.mid.123-0.tmp" of "take.mid", or of any name if base is NULL; gives 123, or 0: it is another file. */
static long process_of(const char *name, const char *base)
{
    size_t length = strlen(name), end = length - (sizeof ".tmp" - 1);
    if (length < sizeof ".tmp" || strcmp(name + end, ".tmp") != 0)
        return 0;
    size_t at = end;
    while (at > 0 && (strchr("0123456789-", name[at - 1]) != NULL))
        at--;
    size_t digits = strspn(name + at, "0123456789");
    size_t attempt = name[at + digits] == '-' ? strspn(name + at + digits + 1, "0123456789") : 0;
    if (digits == 0 || digits > 9 || at < 2 || name[at - 1] != '.' || attempt == 0 || at + digits + 1 + attempt != end)
        return 0;
    if (base != NULL && (strlen(base) != at - 1 || strncmp(name, base, at - 1) != 0))
        return 0;
    return strtol(name + at, NULL, 10);
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
    if (lc_files_is_folder(path))
        remove_from(path, NULL);
    char *slash = strrchr(place, '/');
    if (slash == NULL)
        remove_from(".", place);
    else if (slash[1] != 0) {
        *slash = 0;
        remove_from(slash == place ? "/" : place, slash + 1);
    }
}

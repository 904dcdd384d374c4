/* SPDX-License-Identifier: MIT
 *
 * folder.c - names of files: their parts, and what a folder holds.
 *   A listing is sorted, for the system gives names in any order, and results must not depend on it. */
#include "base/folder.h"

#include "base/plain_text.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a path a/b.wav: the folder is a/ with its slash, the stem a/b, the ending .wav. All are lengths or places
 * within the path, so that nothing is copied. A name that begins with its only point has no ending. */
size_t lc_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

size_t lc_path_stem(const char *path)
{
    const char *base = path + lc_path_folder(path), *point = strrchr(base, '.');
    return point == NULL || point == base ? strlen(path) : (size_t)(point - path);
}

const char *lc_path_ending(const char *path)
{
    return path + lc_path_stem(path);
}

/* ASCII letters alone, whatever the locale: the Turkish one has its own idea of i. */
static bool same_but_case(const char *a, const char *b)
{
    for (;; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
        if (x != *b)
            return false;
        if (x == '\0')
            return true;
    }
}

bool lc_path_ends(const char *path, const char *const *endings)
{
    const char *ending = lc_path_ending(path);
    for (; *endings != NULL; endings++)
        if (same_but_case(ending, *endings))
            return true;
    return false;
}

/* Which files of a folder are taken for sounds. */
bool lc_path_is_sound(const char *path)
{
    static const char *const endings[] = {".wav", ".flac", ".ogg", ".oga",  ".opus", ".mp3", ".aif", ".aiff", ".aifc",
                                          ".au",  ".snd",  ".caf", ".rf64", ".w64",  ".voc", ".sph", NULL};
    return lc_path_ends(path, endings);
}

bool lc_path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Pipes and devices count as files. */
bool lc_path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) && access(path, R_OK) == 0;
}

/* folder/name; a name that is absolute stays as it is. NULL: out of memory. */
char *lc_path_join(lc_store *store, const char *folder, size_t folder_len, const char *name)
{
    size_t name_len = strlen(name);
    if (folder_len == 0 || name[0] == '/')
        return lc_store_string(store, name, name_len);
    bool slash = folder[folder_len - 1] != '/';
    char *path = lc_store_take(store, folder_len + slash + name_len + 1, 1);
    if (path == NULL)
        return NULL;
    memcpy(path, folder, folder_len);
    path[folder_len] = '/';
    memcpy(path + folder_len + slash, name, name_len + 1);
    return path;
}

/* By bytes and not by the locale: the same order on every machine. */
static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Collects the names; the caller frees the array on every return. */
static loco_status collect(DIR *folder, const char *path, lc_store *store, const char ***names, size_t *len,
                           loco_err *err)
{
    size_t capacity = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        const char **grown = lc_list_grow((void *)*names, &capacity, *len + 1, sizeof *grown);
        const char *copy = grown == NULL ? NULL : lc_store_string(store, entry->d_name, strlen(entry->d_name));
        *names = grown == NULL ? *names : grown;
        if (copy == NULL)
            return lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a folder");
        if (*len == LC_FOLDER_ENTRIES)
            return lc_err_set(err, LOCO_EDATA, "%s: more than %d files", lc_place_show((lc_place){path, 0, NULL}).text,
                              LC_FOLDER_ENTRIES);
        grown[(*len)++] = copy;
    }
    return LOCO_OK;
}

loco_status lc_folder_list(const char *const **names, size_t *names_len, lc_store *store, const char *path,
                           loco_err *err)
{
    DIR *folder = opendir(path);
    if (folder == NULL && errno == ENOMEM)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a folder");
    if (folder == NULL)
        return lc_err_set(err, LOCO_EIO, "%s: the folder cannot be read",
                          lc_place_show((lc_place){path, 0, NULL}).text);
    const char **found = NULL, **kept = NULL;
    size_t len = 0;
    loco_status status = collect(folder, path, store, &found, &len, err);
    closedir(folder);
    if (status == LOCO_OK && (kept = lc_store_take(store, len, sizeof *kept)) == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a folder");
    if (status == LOCO_OK) {
        if (len > 0) {
            memcpy((void *)kept, (const void *)found, len * sizeof *kept);
            qsort((void *)kept, len, sizeof *kept, by_bytes);
        }
        *names = kept;
        *names_len = len;
    }
    free((void *)found);
    return status;
}

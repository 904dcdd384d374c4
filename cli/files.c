/* SPDX-License-Identifier: MIT
 *
 * files.c - the sound files that words of a command line mean.
 */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

bool lc_files_is_folder(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

bool lc_files_rename(char *path, size_t size, const char *folder, const char *file, const char *ending)
{
    const char *name = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    int written = snprintf(path, size, "%s/%.*s.%s", folder, (int)length, name, ending);
    return written > 0 && (size_t)written < size;
}

/* One of the endings, which end with NULL; hidden files have none. */
static bool ends_with(const char *name, const char *const *endings)
{
    const char *dot = strrchr(name, '.');
    for (; dot != NULL && name[0] != '.' && *endings != NULL; endings++)
        if (strcasecmp(dot, *endings) == 0)
            return true;
    return false;
}

static bool is_sound(const char *name)
{
    static const char *const endings[] = {".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3",
                                          ".aif", ".aiff", ".au",  ".caf", NULL};
    return ends_with(name, endings);
}

/* The tables of a data set are none. */
static bool is_series(const char *name)
{
    static const char *const endings[] = {".csv", ".tsv", ".npy", ".raw", ".bin", ".i16", ".hea", NULL};
    return ends_with(name, endings) && strcmp(name, "counts.csv") != 0 && strcmp(name, "events.csv") != 0;
}

/* ---- looking at paths ---- */

bool lc_files_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static loco_status cannot(loco_err *err, loco_status status, const char *verb, const char *path)
{
    return lc_cli_error(err, status, "cannot %s %.150s: %s", verb, path, strerror(errno));
}

loco_status lc_files_check_input(const char *path, loco_err *err)
{
    static const char *const tables[] = {"counts.csv", "events.csv"};
    char table[PATH_BYTES];
    if (access(path, R_OK) != 0)
        return cannot(err, LOCO_EDATA, "read", path);
    for (size_t i = 0; lc_files_is_folder(path) && i < 2; i++) {
        int length = snprintf(table, sizeof table, "%s/%s", path, tables[i]);
        if (length > 0 && length < PATH_BYTES && access(table, F_OK) == 0 && access(table, R_OK) != 0)
            return cannot(err, LOCO_EDATA, "read", table);
    }
    return LOCO_OK;
}

/* ---- models ---- */

loco_status lc_files_model(char **path, const char *name, loco_err *err)
{
    char *found = NULL;
    loco_status status = loco_model_find(&found, name, err);
    if (status == LOCO_OK)
        status = lc_files_check_input(found, err);
    if (status == LOCO_OK)
        *path = found;
    else
        loco_free(found);
    return status;
}

/* "kick, snare, hihat" of a model; "" when it cannot be read. */
static void list_classes(const char *path, char *list, size_t size)
{
    loco_model *model = NULL;
    size_t used = 0;
    list[0] = 0;
    if (loco_model_load(&model, path, NULL) != LOCO_OK)
        return;
    for (size_t k = 0; k < loco_model_classes(model) && used < size; k++) {
        int written = snprintf(list + used, size - used, "%s%s", k > 0 ? ", " : "", loco_model_class(model, k));
        used += written > 0 ? (size_t)written : 0;
    }
    loco_model_free(model);
}

/* `drums`, which comes with LoCo, rather than any other. */
int lc_files_no_model(const lc_usage *usage)
{
    loco_model_name *models = NULL;
    size_t len = 0, best = 0;
    char classes[120] = "";
    if (loco_model_list(&models, &len, NULL) != LOCO_OK)
        len = 0;
    for (size_t i = 0; i < len; i++)
        best = strcmp(models[i].name, "drums") == 0 ? i : best;
    if (len > 0)
        list_classes(models[best].path, classes, sizeof classes);
    int code = classes[0] == 0 ? lc_args_wrong(usage, "say which model: -m MODEL")
                               : lc_args_wrong(usage, "no model given: -m %s finds %s; loco models lists %s",
                                               models[best].name, classes, len > 1 ? "others" : "it");
    loco_free(models);
    return code;
}

loco_status lc_files_check_data(const char *path, loco_err *err)
{
    loco_status status = lc_files_check_input(path, err);
    if (status == LOCO_OK && !lc_files_is_folder(path) && is_sound(path))
        return lc_cli_error(
            err, LOCO_EDATA,
            "%.120s is a sound; a data set is a folder with sounds and counts.csv, or the path of a CSV", path);
    return status;
}

loco_status lc_files_check_output(const char *path, loco_err *err)
{
    char folder[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    int written = snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    errno = EISDIR;
    if (written < 0 || written >= PATH_BYTES || lc_files_is_folder(path))
        return cannot(err, LOCO_EIO, "write", path);
    if (access(length > 0 ? folder : ".", W_OK | X_OK) != 0)
        return cannot(err, LOCO_EIO, "write", path);
    return LOCO_OK;
}

bool lc_files_is_set(const char *folder)
{
    static const char *const endings[] = {".csv", ".txt", ".lab", ".mid", ".midi"};
    bool found = false;
    DIR *directory = opendir(folder);
    for (struct dirent *entry = directory != NULL ? readdir(directory) : NULL; !found && entry != NULL;
         entry = readdir(directory)) {
        const char *dot = strrchr(entry->d_name, '.');
        for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++)
            found |= strcasecmp(dot, endings[i]) == 0;
    }
    if (directory != NULL)
        closedir(directory);
    return found;
}

/* ---- lists of sounds ---- */

/* folder may be NULL: the name alone. */
static bool add(lc_files *files, const char *folder, const char *name)
{
    if (files->len == files->capacity) {
        size_t wanted = files->capacity > 0 ? 2 * files->capacity : 64;
        char **grown = realloc(files->paths, wanted * sizeof *grown);
        if (grown == NULL)
            return false;
        files->paths = grown;
        files->capacity = wanted;
    }
    size_t length = (folder != NULL ? strlen(folder) + 1 : 0) + strlen(name) + 1;
    char *path = malloc(length);
    if (path == NULL)
        return false;
    bool slash = folder != NULL && folder[strlen(folder) - 1] != '/';
    snprintf(path, length, "%s%s%s", folder != NULL ? folder : "", slash ? "/" : "", name);
    files->paths[files->len++] = path;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static loco_status add_those(lc_files *files, const char *folder, bool (*wanted)(const char *name), loco_err *err)
{
    size_t first = files->len;
    bool good = true;
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return cannot(err, LOCO_EDATA, "read", folder);
    for (struct dirent *entry = readdir(directory); good && entry != NULL; entry = readdir(directory))
        if (wanted(entry->d_name))
            good = add(files, folder, entry->d_name);
    closedir(directory);
    if (!good)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the files of %.150s", folder);
    if (files->len > first)
        qsort(files->paths + first, files->len - first, sizeof *files->paths, by_name);
    return LOCO_OK;
}

static loco_status add_folder(lc_files *files, const char *folder, loco_err *err)
{
    size_t first = files->len;
    loco_status status = add_those(files, folder, is_sound, err);
    if (status == LOCO_OK && files->len == first)
        status = add_those(files, folder, is_series, err);
    if (status == LOCO_OK && files->len == first)
        status = lc_cli_error(err, LOCO_EDATA,
                              "%.150s holds no sound files (wav, flac, ogg, mp3, ...) and no series (csv, npy, ...)",
                              folder);
    return status;
}

loco_status lc_files_find(lc_files *files, const char *const *words, size_t words_len, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < words_len; i++) {
        if (lc_files_is_folder(words[i]))
            status = add_folder(files, words[i], err);
        else if (!add(files, NULL, words[i]))
            status = lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu files", words_len);
    }
    return status;
}

void lc_files_free(lc_files *files)
{
    for (size_t i = 0; i < files->len; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (lc_files){0};
}

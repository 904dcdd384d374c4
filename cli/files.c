/* SPDX-License-Identifier: MIT
 *
 * files.c - the files, folders and models that words of a command line mean.
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

enum { PATH_BYTES = 4096, LINE_BYTES = 4096 };

bool lc_files_is_folder(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

bool lc_files_is_regular(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISREG(what.st_mode);
}

bool lc_files_rename(char *path, size_t size, const char *folder, const char *file, const char *ending)
{
    const char *name = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    bool slash = folder[0] != 0 && folder[strlen(folder) - 1] == '/';
    int written = snprintf(path, size, "%s%s%.*s.%s", folder, slash ? "" : "/", (int)length, name, ending);
    return written > 0 && (size_t)written < size;
}

/* One of the endings, whose list ends with NULL; hidden files have none. */
static bool ends_with(const char *path, const char *const *endings)
{
    const char *name = lc_files_base(path), *dot = strrchr(name, '.');
    for (; dot != NULL && name[0] != '.' && *endings != NULL; endings++)
        if (strcasecmp(dot, *endings) == 0)
            return true;
    return false;
}

bool lc_files_is_sound(const char *name)
{
    static const char *const endings[] = {".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3",
                                          ".aif", ".aiff", ".au",  ".caf", NULL};
    return ends_with(name, endings);
}

static bool is_image(const char *name)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".pgm", ".ppm", ".pnm", NULL};
    return ends_with(name, endings);
}

/* The tables of a data set are not series. */
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

/* One level after the other: what is there already is no failure, and what is not a folder fails at the next level. */
loco_status lc_files_make_folder(const char *path, loco_err *err)
{
    char level[PATH_BYTES];
    size_t length = strlen(path);
    for (size_t i = 1; i <= length && length < sizeof level; i++) {
        if (i < length && path[i] != '/')
            continue;
        snprintf(level, sizeof level, "%.*s", (int)i, path);
        if (mkdir(level, 0777) != 0 && errno != EEXIST)
            return cannot(err, LOCO_EIO, "make the folder", level);
    }
    lc_files_clean(path);
    errno = length < sizeof level ? ENOTDIR : ENAMETOOLONG;
    return lc_files_is_folder(path) ? LOCO_OK : cannot(err, LOCO_EIO, "make the folder", path);
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

loco_status lc_files_load_model(loco_model **model, char **path, const char *name, loco_err *err)
{
    *path = NULL;
    loco_status status = lc_files_model(path, name, err);
    return status == LOCO_OK ? loco_model_load(model, *path, err) : status;
}

loco_status lc_files_raw(const char **raw, char text[64], const loco_model *model, loco_err *err)
{
    const char *front = loco_model_text(model, "frontend");
    if (strcmp(loco_model_text(model, "input"), "images") == 0)
        return lc_cli_error(err, LOCO_EARG, "the model reads images, which are files; give their paths in place of -");
    if (*raw != NULL || (front != NULL && strncmp(front, "series ", 7) == 0))
        return LOCO_OK;
    loco_status status = loco_stdin_format(text, err);
    if (status == LOCO_OK)
        *raw = text;
    return status;
}

const char *lc_files_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

enum { LISTED = 4 }; /* classes, where there are more than MANY */
enum { MANY = 6 };

/* "kick, snare, hihat" of a model; "" when it cannot be read. */
static void list_classes(const char *path, char *list, size_t size)
{
    loco_model *model = NULL;
    size_t used = 0;
    list[0] = 0;
    if (loco_model_load(&model, path, NULL) != LOCO_OK)
        return;
    size_t K = loco_model_classes(model), listed = K > MANY ? LISTED : K;
    for (size_t k = 0; k < listed && used < size; k++) {
        int written = snprintf(list + used, size - used, "%s%s", k > 0 ? ", " : "", loco_model_class(model, k));
        used += written > 0 ? (size_t)written : 0;
    }
    if (listed < K && used < size)
        snprintf(list + used, size - used, " and %zu others", K - listed);
    loco_model_free(model);
}

/* Names `drums`, which comes with LoCo, rather than any other. */
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
    int code = classes[0] == 0 ? lc_args_wrong(usage, "give a model: -m MODEL")
                               : lc_args_wrong(usage, "no model given: -m %s finds %s; loco models lists %s",
                                               models[best].name, classes, len > 1 ? "others" : "it");
    loco_free(models);
    return code;
}

loco_status lc_files_check_data(const char *path, loco_err *err)
{
    loco_status status = lc_files_check_input(path, err);
    if (status == LOCO_OK && !lc_files_is_folder(path) && lc_files_is_sound(path))
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
    lc_files_clean(path);
    return LOCO_OK;
}

/* A table of counts or events, by a name in its heading; a series has other columns. */
static bool is_table(const char *path)
{
    char line[LINE_BYTES] = "";
    bool found = false;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    if (fgets(line, sizeof line, file) != NULL)
        for (char *cell = line; !found && *cell != 0;
             cell += strcspn(cell, ",;\t") + (cell[strcspn(cell, ",;\t")] != 0)) {
            size_t length = strcspn(cell, ",;\t\r\n");
            found = (length >= 4 && strncmp(cell + length - 4, "file", 4) == 0) ||
                    (length == 5 && strncmp(cell, "class", 5) == 0);
        }
    fclose(file);
    return found;
}

/* One file of a folder: a table, or a list of events. */
static bool is_part_of_set(const char *folder, const char *name)
{
    static const char *const lists[] = {".txt", ".lab", ".mid", ".midi", NULL}, *const tables[] = {".csv", NULL};
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return ends_with(name, lists) || (ends_with(name, tables) && length < PATH_BYTES && is_table(path));
}

bool lc_files_is_set(const char *path)
{
    static const char *const tables[] = {".csv", NULL};
    bool found = false;
    if (!lc_files_is_folder(path))
        return ends_with(path, tables) && is_table(path);
    DIR *directory = opendir(path);
    for (struct dirent *entry = directory != NULL ? readdir(directory) : NULL; !found && entry != NULL;
         entry = readdir(directory))
        found = is_part_of_set(path, entry->d_name);
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

/* Not a link: it could lead back up, and then there would be no end. */
static bool is_folder_below(const char *folder, const char *name, char path[PATH_BYTES])
{
    struct stat what;
    int length = snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return name[0] != '.' && length > 0 && length < PATH_BYTES && lstat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

/* The order of a directory is by chance; the caller sorts. */
static loco_status add_below(lc_files *files, const char *folder, bool (*wanted)(const char *name), loco_err *err)
{
    char below[PATH_BYTES];
    loco_status status = LOCO_OK;
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return cannot(err, LOCO_EDATA, "read", folder);
    for (struct dirent *entry = readdir(directory); status == LOCO_OK && entry != NULL; entry = readdir(directory))
        if (is_folder_below(folder, entry->d_name, below))
            status = add_below(files, below, wanted, err);
        else if (wanted(entry->d_name) && !add(files, folder, entry->d_name))
            status = lc_cli_error(err, LOCO_ENOMEM, "out of memory for the files of %.150s", folder);
    closedir(directory);
    return status;
}

static loco_status add_those(lc_files *files, const char *folder, bool (*wanted)(const char *name), loco_err *err)
{
    size_t first = files->len;
    loco_status status = add_below(files, folder, wanted, err);
    if (files->len > first)
        qsort(files->paths + first, files->len - first, sizeof *files->paths, by_name);
    files->in_folders += files->len - first;
    return status;
}

static loco_status add_folder(lc_files *files, const char *folder, loco_err *err)
{
    size_t first = files->len;
    loco_status status = add_those(files, folder, lc_files_is_sound, err);
    if (status == LOCO_OK && files->len == first)
        status = add_those(files, folder, is_image, err);
    if (status == LOCO_OK && files->len == first)
        status = add_those(files, folder, is_series, err);
    if (status == LOCO_OK && files->len == first)
        status = lc_cli_error(err, LOCO_EDATA,
                              "%.150s holds no sound files (wav, flac, ogg, mp3, ...), no images (png, jpg, tif, ...) "
                              "and no series (csv, npy, ...)",
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

void lc_files_state_found(const lc_files *files)
{
    if (files->in_folders > 0)
        fprintf(stderr, "%zu %s found\n", files->in_folders, files->in_folders == 1 ? "file" : "files");
}

/* The sentences name the files. */
void lc_files_summary(const loco_err *errs, size_t files_len)
{
    size_t failed = 0;
    for (size_t i = 0; i < files_len; i++)
        failed += errs[i].text[0] != 0;
    if (failed == 0 || files_len == 1)
        return;
    fprintf(stderr, "%zu of %zu files failed:\n", failed, files_len);
    for (size_t i = 0; i < files_len; i++)
        if (errs[i].text[0] != 0)
            lc_cli_say("  %s", errs[i].text);
}

void lc_files_free(lc_files *files)
{
    for (size_t i = 0; i < files->len; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (lc_files){0};
}

/* All other formats are of sound. */
loco_status lc_files_places(bool *places, const loco_model *model, const char *format, loco_err *err)
{
    bool images = strcmp(loco_model_text(model, "input"), "images") == 0;
    bool points = strcmp(format, "roi") == 0 || strcmp(format, "marks") == 0;
    bool any = strcmp(format, "csv") == 0 || strcmp(format, "jsonl") == 0 || strcmp(format, "set") == 0;
    if (images && !any && !points)
        return lc_cli_error(err, LOCO_EARG, "%s holds times, and events of images have x and y; use csv, jsonl or roi",
                            format);
    if (!images && points)
        return lc_cli_error(err, LOCO_EARG, "%s %s, and this model has times; use csv or jsonl", format,
                            strcmp(format, "roi") == 0 ? "holds places in an image" : "are drawn on an image");
    *places = images;
    return LOCO_OK;
}

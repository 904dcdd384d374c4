/* SPDX-License-Identifier: MIT
 * find.c - models by name: `drums` is drums.loco in the first of these folders that has it.
 *
 *   $LOCO_MODELS                   folders with ':' between them
 *   models                         beside the running program,
 *   ../share/loco/models           of an installed tree, wherever it was moved to,
 *   ../../models                   of the source tree, seen from build/release
 *   <prefix>/share/loco/models     where it was first installed: for other programs that use the library
 *
 * The middle three are relative to the program's own file, not to the current folder: a name means the same everywhere.
 * A model in the current folder is named by its path, and a path that exists is never looked up. */
#include "base/folder.h"
#include "base/status.h"
#include "base/text.h"
#include "loco.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".loco";

enum { PATH_BYTES = 4096 };

/* What was found, while it is put together. */
typedef struct model_finder {
    lc_store store;
    lc_names names;
    const char **paths; /* of each name */
    size_t capacity;
} model_finder;

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a list of models");
}

static void finder_free(model_finder *x)
{
    lc_names_free(&x->names);
    lc_store_free(&x->store);
    free((void *)x->paths);
}

/* ---- search ---- */

/* The length of NAME in NAME.loco; 0 for other files. */
static size_t name_length(const char *file)
{
    size_t length = strlen(file), tail = sizeof ending - 1;
    return length > tail && strcmp(file + length - tail, ending) == 0 ? length - tail : 0;
}

/* Of models with the same name the first wins. */
static loco_status add(model_finder *x, const char *folder, size_t folder_len, const char *file, loco_err *err)
{
    size_t length = name_length(file), before = x->names.len;
    const char *path = lc_path_join(&x->store, folder, folder_len, file);
    if (path == NULL)
        return out_of_memory(err);
    if (length == 0 || lc_path_is_folder(path))
        return LOCO_OK;
    const char **grown = lc_list_grow((void *)x->paths, &x->capacity, before + 1, sizeof *grown);
    if (grown == NULL)
        return out_of_memory(err);
    x->paths = grown;
    if (lc_names_add(&x->names, &x->store, file, length) == LC_NAMES_NONE)
        return out_of_memory(err);
    if (x->names.len > before)
        x->paths[before] = path;
    return LOCO_OK;
}

/* A folder that is missing or not readable holds no models: on most machines that is true of most of the places. */
static loco_status look_in(model_finder *x, const char *folder, size_t folder_len, loco_err *err)
{
    const char *const *files;
    size_t files_len = 0;
    const char *path = lc_store_string(&x->store, folder, folder_len);
    if (path == NULL)
        return out_of_memory(err);
    if (folder_len == 0 || !lc_path_is_folder(path) || access(path, R_OK | X_OK) != 0)
        return LOCO_OK;
    loco_status status = lc_folder_list(&files, &files_len, &x->store, path, err);
    for (size_t i = 0; status == LOCO_OK && i < files_len; i++)
        status = add(x, folder, folder_len, files[i], err);
    return status;
}

static loco_status look_beside_program(model_finder *x, loco_err *err)
{
    static const char *const places[] = {"models", "../share/loco/models", "../../models"};
    char program[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    loco_status status = LOCO_OK;
    if (length <= 0 || length >= PATH_BYTES - 1)
        return LOCO_OK;
    program[length] = 0;
    for (size_t i = 0; status == LOCO_OK && i < sizeof places / sizeof places[0]; i++) {
        const char *folder = lc_path_join(&x->store, program, lc_path_folder(program), places[i]);
        if (folder == NULL)
            return out_of_memory(err);
        char *whole = realpath(folder, NULL); /* without the dots, for people to read; NULL: not there */
        if (whole != NULL)
            status = look_in(x, whole, strlen(whole), err);
        free(whole);
    }
    return status;
}

static loco_status look(model_finder *x, loco_err *err)
{
    const char *folders = getenv("LOCO_MODELS");
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && folders != NULL && *folders != 0) {
        size_t length = strcspn(folders, ":");
        status = look_in(x, folders, length, err);
        folders += length + (folders[length] == ':');
    }
    if (status == LOCO_OK)
        status = look_beside_program(x, err);
    if (status == LOCO_OK)
        status = look_in(x, LOCO_MODELS_TEXT, strlen(LOCO_MODELS_TEXT), err);
    return status;
}

/* ---- results ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const loco_model_name *)a)->name, ((const loco_model_name *)b)->name);
}

/* One block: the list, then the strings that it points to. */
static loco_status pack(loco_model_name **models, const model_finder *x, loco_err *err)
{
    size_t len = x->names.len, bytes = (len + 1) * sizeof **models;
    for (size_t i = 0; i < len; i++)
        bytes += strlen(x->names.items[i]) + strlen(x->paths[i]) + 2;
    loco_model_name *list = malloc(bytes);
    if (list == NULL)
        return out_of_memory(err);
    char *at = (char *)(list + len + 1);
    for (size_t i = 0; i < len; i++) {
        size_t name = strlen(x->names.items[i]) + 1, path = strlen(x->paths[i]) + 1;
        list[i] = (loco_model_name){memcpy(at, x->names.items[i], name), memcpy(at + name, x->paths[i], path)};
        at += name + path;
    }
    qsort(list, len, sizeof *list, by_name);
    *models = list;
    return LOCO_OK;
}

loco_status loco_model_list(loco_model_name **models, size_t *models_len, loco_err *err)
{
    model_finder x = {0};
    loco_status status = look(&x, err);
    if (status == LOCO_OK)
        status = pack(models, &x, err);
    if (status == LOCO_OK)
        *models_len = x.names.len;
    finder_free(&x);
    return status;
}

/* "drums, drums-hq", cut where it is long; the caller frees it. */
static lc_text list_names(const model_finder *x)
{
    lc_text list = {0};
    for (size_t i = 0; i < x->names.len && list.length < 80; i++)
        lc_text_format(&list, "%s%.40s", i > 0 ? ", " : "", x->names.items[i]);
    return list;
}

/* The message lists the models that exist and the nearest name. */
static loco_status not_found(const char *name, const model_finder *x, loco_err *err)
{
    size_t stem = name_length(name);
    const char *near = loco_nearest(name, x->names.items, x->names.len);
    if (stem > 0 && lc_names_find(&x->names, name, stem) != LC_NAMES_NONE)
        return lc_err_set(err, LOCO_EDATA, "%.80s: No such file here; the model that LoCo finds by name is \"%.*s\"",
                          name, (int)(stem < 80 ? stem : 80), name);
    if (stem > 0 || strchr(name, '/') != NULL)
        return lc_err_set(err, LOCO_EDATA, "cannot read %.150s: No such file or directory", name);
    if (x->names.len == 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%.60s: No such file, and no model of that name is installed; give the path of a model, or "
                          "set LOCO_MODELS to folders with models",
                          name);
    lc_text list = list_names(x);
    loco_status status = lc_err_set(err, LOCO_EDATA, "there is no model \"%.40s\"%s%.40s; there are: %.120s", name,
                                    near != NULL ? "; the nearest name is " : "", near != NULL ? near : "",
                                    list.bytes != NULL ? list.bytes : "");
    lc_text_free(&list);
    return status;
}

static bool exists(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && !S_ISDIR(what.st_mode);
}

/* The path of a model that was given by name; it lives as long as the finder. */
static loco_status find_named(const char **path, model_finder *x, const char *name, loco_err *err)
{
    loco_status status = look(x, err);
    if (status != LOCO_OK)
        return status;
    size_t found = lc_names_find(&x->names, name, strlen(name));
    if (found != LC_NAMES_NONE) {
        *path = x->paths[found];
        return LOCO_OK;
    }
    if (lc_path_is_folder(name))
        return lc_err_set(err, LOCO_EDATA, "cannot read %.150s: Is a directory, and no model has that name", name);
    return not_found(name, x, err);
}

loco_status loco_model_find(char **path, const char *name, loco_err *err)
{
    model_finder x = {0};
    const char *meant = name;
    loco_status status = exists(name) ? LOCO_OK : find_named(&meant, &x, name, err);
    char *copy = status == LOCO_OK ? strdup(meant) : NULL;
    finder_free(&x);
    if (status == LOCO_OK && copy == NULL)
        return out_of_memory(err);
    if (status == LOCO_OK)
        *path = copy;
    return status;
}

loco_status loco_model_open(loco_model **model, const char *name, loco_err *err)
{
    char *path = NULL;
    if (model == NULL || name == NULL)
        return lc_err_set(err, LOCO_EARG, "model and name must not be NULL");
    loco_status status = loco_model_find(&path, name, err);
    if (status == LOCO_OK)
        status = loco_model_load(model, path, err);
    free(path);
    return status;
}

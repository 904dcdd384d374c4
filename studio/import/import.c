/* SPDX-License-Identifier: MIT
 * import.c - public data sets in their own layout, made into ours: links to the sounds, and one events.csv.
 *
 * Links, not copies: the sounds stay where they are, and nothing of them is copied, except for sums of two.
 * events.csv comes last, so that a set that was begun and not finished is not taken for one; when something fails, what
 * was written is removed again. */
#include "studio/import/import.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/options.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One line for each kind of set. */
static const struct {
    const char *name;
    lc_importer *run;
    bool pitches; /* a choice of classes */
} kinds[] = {
    {"mdb",     lc_import_mdb,     false},
    {"enst",    lc_import_enst,    false},
    {"idmt",    lc_import_idmt,    false},
    {"ecg",     lc_import_ecg,     false},
    {"maps",    lc_import_maps,    true },
    {"maestro", lc_import_maestro, true },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while importing");
}

/* The new name in the new folder; NULL without memory. */
static char *new_path(lc_import *import, const char *name)
{
    return lc_path_join(&import->store, import->to, strlen(import->to), name);
}

/* Absolute, so that the new set can be moved, though not the old one. */
static loco_status link_sound(const char *sound, const char *path, loco_err *err)
{
    char *whole = realpath(sound, NULL);
    loco_status status = LOCO_OK;
    if (whole == NULL)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: %s", sound, strerror(errno));
    else if (symlink(whole, path) != 0)
        status = lc_err_set(err, LOCO_EIO, "%.150s cannot be made: %s", path, strerror(errno));
    free(whole);
    return status;
}

static loco_status link_beside(lc_import *import, const char *beside, loco_err *err)
{
    const char *path = new_path(import, beside + lc_path_folder(beside));
    return path == NULL ? out_of_memory(err) : link_sound(beside, path, err);
}

/* Nothing when it is empty. */
static loco_status write_text(lc_import *import, const char *name, const lc_text *text, loco_err *err)
{
    const char *path = new_path(import, name);
    if (path == NULL || text->failed)
        return out_of_memory(err);
    return text->length > 0 ? lc_file_save(path, text->bytes, text->length, err) : LOCO_OK;
}

static loco_status write_files(lc_import *import, loco_err *err)
{
    for (size_t i = 0; i < import->files_len; i++) {
        const lc_import_file *file = &import->files[i];
        const char *path = new_path(import, file->name);
        loco_status status = path == NULL           ? out_of_memory(err)
                             : file->second == NULL ? link_sound(file->sound, path, err)
                                                    : lc_import_sum(path, file->sound, file->second, err);
        if (status == LOCO_OK && file->beside != NULL)
            status = link_beside(import, file->beside, err);
        if (status != LOCO_OK)
            return status;
    }
    loco_status status = lc_file_flush_set(import->to, err);
    if (status == LOCO_OK)
        status = write_text(import, "series.format", &import->format, err);
    if (status == LOCO_OK)
        status = write_text(import, "counts.csv", &import->counts, err);
    return status == LOCO_OK ? write_text(import, "events.csv", &import->events, err) : status;
}

/* A new folder, or an empty one, which is there with all its files or not at all. */
static loco_status write_set(lc_import *import, loco_err *err)
{
    const char *to = import->to;
    char *temp = NULL;
    loco_status status = lc_file_temp_folder(&temp, to, err);
    if (status != LOCO_OK)
        return status;
    import->to = temp;
    status = write_files(import, err);
    import->to = to;
    return lc_file_place_folder(temp, to, status, err);
}

/* Reads everything before the first byte is written. */
static loco_status run(lc_import *import, lc_importer *importer, loco_err *err)
{
    lc_text_string(&import->events, "file,time,class\n");
    if (!lc_path_is_folder(import->from))
        return lc_err_set(err, LOCO_EDATA, "%.150s is not a folder that can be read", import->from);
    loco_status status = importer(import, err);
    if (status == LOCO_OK && import->files_len == 0)
        status = import->done.skipped > 0
                     ? lc_err_set(err, LOCO_EDATA, "%.100s: none of %zu recordings has an annotation, not even %s",
                                  import->from, import->done.skipped, import->done.first_skipped)
                     : lc_err_set(err, LOCO_EDATA, "%.100s: no recordings where %s has them", import->from,
                                  import->vocabulary->set);
    return status == LOCO_OK ? write_set(import, err) : status;
}

/* Names the choices there are. */
static void refuse_choice(const char *option, const char *choice, const char *const *words, size_t len, loco_err *err)
{
    lc_text all = {0};
    lc_shown shown = lc_show(choice);
    const char *near = loco_nearest(choice, words, len);
    for (size_t i = 0; i < len; i++)
        lc_text_format(&all, "%s%s", i > 0 ? ", " : "", words[i]);
    if (len == 0)
        lc_err_write(err, "this set has no choice of %s", option);
    else if (near != NULL)
        lc_err_write(err, "there is no %s \"%s\" here; is it \"%s\"?", option, shown.text, near);
    else
        lc_err_write(err, "there is no %s \"%s\" here; use one of %s", option, shown.text, all.failed ? "" : all.bytes);
    lc_text_free(&all);
}

loco_status lc_import_choose(size_t *chosen, const char *option, const char *choice, const char *const *words,
                             loco_err *err)
{
    size_t len = 0;
    for (; words[len] != NULL; len++)
        if (choice == NULL || strcmp(choice, words[len]) == 0) {
            *chosen = len;
            return LOCO_OK;
        }
    refuse_choice(option, choice != NULL ? choice : "", words, len, err);
    return LOCO_EARG;
}

static loco_status choose_kind(size_t *kind, const char *name, loco_err *err)
{
    const char *names[KINDS + 1] = {NULL};
    for (size_t i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    return lc_import_choose(kind, "kind", name, names, err);
}

loco_status studio_import(studio_import_result *result, const char *kind, const char *from, const char *to,
                          const studio_import_options *options, loco_err *err)
{
    size_t chosen;
    if (kind == NULL || from == NULL || to == NULL)
        return lc_err_set(err, LOCO_EARG, "an import needs a kind, the folder of the set, and a new folder");
    lc_import import = {.from = from, .to = to};
    loco_status status = lc_options_read(&import.options, sizeof import.options, options, "studio_import_options", err);
    if (status == LOCO_OK)
        status = choose_kind(&chosen, kind, err);
    if (status == LOCO_OK && import.options.classes != NULL && !kinds[chosen].pitches)
        status = lc_err_set(err, LOCO_EARG, "classes are chosen of pianos: maps, maestro; %s takes a map", kind);
    if (status != LOCO_OK)
        return status;
    status = run(&import, kinds[chosen].run, err);
    if (status == LOCO_OK)
        *result = import.done;
    lc_text_free(&import.events);
    lc_text_free(&import.counts);
    lc_text_free(&import.format);
    lc_names_free(&import.stems);
    lc_store_free(&import.store);
    free(import.files);
    return status;
}

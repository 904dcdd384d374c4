/* SPDX-License-Identifier: MIT
 * import.c - public data sets in their own layout, made into ours: links to the sounds, and one events.csv.
 *
 * Links, not copies: the sounds stay where they are, and nothing of them is written anywhere. events.csv comes last, so
 * that a set that was begun and not finished is not taken for one. */
#include "data/import.h"

#include "base/file.h"
#include "base/nearest.h"
#include "base/status.h"
#include "data/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    lc_importer *run;
} kinds[] = {
    {"mdb", lc_import_mdb},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

loco_status lc_import_sound(lc_import *import, const char *path, loco_err *err)
{
    char *whole = realpath(path, NULL);
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    char *link = lc_path_join(&import->store, import->to, strlen(import->to), name);
    loco_status status = LOCO_OK;
    if (whole == NULL || link == NULL)
        status = lc_err_set(err, whole == NULL ? LOCO_EDATA : LOCO_ENOMEM, "%.150s: %s", path, strerror(errno));
    else if (symlink(whole, link) != 0)
        status = lc_err_set(err, LOCO_EIO, "%.150s cannot be made: %s", link, strerror(errno));
    free(whole);
    import->recordings += status == LOCO_OK;
    return status;
}

/* A new folder, or an empty one. */
static loco_status make_folder(const char *path, loco_err *err)
{
    if (mkdir(path, 0777) == 0)
        return LOCO_OK;
    if (errno != EEXIST)
        return lc_err_set(err, LOCO_EIO, "%.150s cannot be made: %s", path, strerror(errno));
    if (rmdir(path) != 0 || mkdir(path, 0777) != 0)
        return lc_err_set(err, LOCO_EIO, "%.150s is there already and not an empty folder; name a new one", path);
    return LOCO_OK;
}

static loco_status run(lc_import *import, lc_importer *importer, loco_err *err)
{
    loco_status status = make_folder(import->to, err);
    lc_text_string(&import->events, "file,time,class\n");
    if (status == LOCO_OK)
        status = importer(import, err);
    char *path = lc_path_join(&import->store, import->to, strlen(import->to), "events.csv");
    if (status == LOCO_OK && (path == NULL || import->events.failed))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", import->from);
    if (status == LOCO_OK)
        status = lc_file_save(path, import->events.bytes, import->events.length, err);
    return status;
}

loco_status loco_import(const char *kind, const char *from, const char *to, size_t *recordings, size_t *events,
                        loco_err *err)
{
    lc_import import = {.from = from, .to = to};
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kind, kinds[i].name) != 0)
            continue;
        loco_status status = run(&import, kinds[i].run, err);
        if (status == LOCO_OK) {
            *recordings = import.recordings;
            *events = import.strokes;
        }
        lc_text_free(&import.events);
        lc_store_free(&import.store);
        return status;
    }
    return lc_err_set(err, LOCO_EARG, "there is no importer for \"%.40s\"; there is: mdb", kind);
}

/* SPDX-License-Identifier: MIT
 * enrich_save.c - enriched events as an events.csv or a data set, and posteriors as a table.
 *   A data set here is two small files. Its sounds stay where they are: names become paths from the new folder, both
 *   ends with links resolved, except the file itself: if it is a link, its own name is kept. */
#include "detect/enrich_save.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory to write a data set");
}

/* ---- events.csv ---- */

/* names: of each list, in place of its own; NULL: its own. */
static loco_status save_events(const char *path, const lc_dataset *set, const loco_events *lists, size_t lists_len,
                               const char *const *names, loco_err *err)
{
    lc_event_file *files = calloc(lists_len + 1, sizeof *files);
    if (files == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < lists_len; i++)
        files[i] = (lc_event_file){names != NULL ? names[i] : lists[i].file, lists[i].events, lists[i].events_len};
    lc_event_list list = {.classes = set->classes, .classes_len = set->classes_len, .files = files};
    list.files_len = lists_len;
    list.places = set->places;
    loco_status status = lc_event_list_save_csv(path, &list, err);
    free(files);
    return status;
}

loco_status lc_enrich_save_events(const char *path, const lc_dataset *set, const loco_events *lists, size_t lists_len,
                                  loco_err *err)
{
    return save_events(path, set, lists, lists_len, NULL, err);
}

/* ---- names seen from another folder ---- */

/* The path of a file with the links of its folder resolved. NULL: it cannot be resolved, or out of memory. */
static char *whole_path(lc_store *store, const char *path)
{
    size_t length = lc_path_folder(path);
    const char *folder = length > 0 ? lc_store_string(store, path, length) : ".";
    char *whole = folder != NULL ? realpath(folder, NULL) : NULL;
    char *joined = whole != NULL ? lc_path_join(store, whole, strlen(whole), path + length) : NULL;
    free(whole);
    return joined;
}

/* "../../b/c.wav" for /a/b/c.wav, seen from /a/x/y. */
static char *path_from(lc_store *store, const char *folder, const char *path)
{
    size_t common = 0, ups = 0, at = 0;
    lc_text text = {0};
    for (; folder[at] != 0 && folder[at] == path[at]; at++)
        if (folder[at] == '/')
            common = at + 1;
    bool below = folder[at] == 0 && path[at] == '/';
    if (below)
        common = at + 1;
    for (size_t i = common; !below && folder[i] != 0; i++)
        ups += i == common || folder[i] == '/';
    for (size_t i = 0; i < ups; i++)
        lc_text_string(&text, "../");
    lc_text_string(&text, path + common);
    char *result = text.failed ? NULL : lc_store_string(store, text.bytes, text.length);
    lc_text_free(&text);
    return result;
}

/* ---- the set ---- */

typedef struct enrich_writer {
    lc_store store;
    const lc_dataset *set;
    const char **names; /* of all recordings, seen from the folder */
} enrich_writer;

static loco_status name_recordings(enrich_writer *w, const char *folder, loco_err *err)
{
    char *whole = realpath(folder, NULL);
    w->names = lc_store_take(&w->store, w->set->recordings_len, sizeof *w->names);
    loco_status status = whole != NULL && w->names != NULL ? LOCO_OK : out_of_memory(err);
    for (size_t i = 0; status == LOCO_OK && i < w->set->recordings_len; i++) {
        const char *path = whole_path(&w->store, w->set->recordings[i].path);
        w->names[i] = path != NULL ? path_from(&w->store, whole, path) : NULL;
        if (w->names[i] == NULL)
            status = out_of_memory(err);
    }
    free(whole);
    return status;
}

static loco_status save_counts(enrich_writer *w, const char *path, loco_err *err)
{
    lc_dataset some = *w->set;
    lc_recording *recordings = lc_store_take(&w->store, some.recordings_len, sizeof *recordings);
    if (recordings == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < some.recordings_len; i++)
        recordings[i] = (lc_recording){.name = w->names[i]};
    some.recordings = recordings;
    return lc_dataset_save_counts(path, &some, err);
}

/* Lists have the order of the set, but may be fewer. */
static const char **names_of_lists(enrich_writer *w, const loco_events *lists, size_t lists_len)
{
    const char **names = lc_store_take(&w->store, lists_len, sizeof *names);
    for (size_t i = 0, r = 0; names != NULL && i < lists_len; i++) {
        while (r + 1 < w->set->recordings_len && strcmp(w->set->recordings[r].name, lists[i].file) != 0)
            r++;
        names[i] = w->names[r];
    }
    return names;
}

static loco_status write_set(enrich_writer *w, const char *folder, const loco_events *lists, size_t lists_len,
                             loco_err *err)
{
    loco_status status = name_recordings(w, folder, err);
    const char *counts = lc_path_join(&w->store, folder, strlen(folder), "counts.csv");
    const char *events = lc_path_join(&w->store, folder, strlen(folder), "events.csv");
    const char **names = status == LOCO_OK ? names_of_lists(w, lists, lists_len) : NULL;
    if (status == LOCO_OK && (counts == NULL || events == NULL || names == NULL))
        status = out_of_memory(err);
    if (status == LOCO_OK)
        status = save_counts(w, counts, err);
    if (status == LOCO_OK)
        status = save_events(events, w->set, lists, lists_len, names, err);
    return status;
}

/* Both files, or neither. Paths are the same from a folder beside the new one. */
loco_status lc_enrich_save_set(const char *folder, const lc_dataset *set, const loco_events *lists, size_t lists_len,
                               loco_err *err)
{
    enrich_writer w = {.set = set};
    char *temp = NULL;
    if (access(folder, F_OK) == 0)
        return lc_err_set(err, LOCO_EIO, "%.150s cannot be made: it is there already; name a new folder", folder);
    loco_status status = lc_file_temp_folder(&temp, folder, err);
    if (status != LOCO_OK)
        return status;
    status = write_set(&w, temp, lists, lists_len, err);
    lc_store_free(&w.store);
    return lc_file_place_folder(temp, folder, status, err);
}

/* ---- posteriors ---- */

void lc_enrich_table_head(lc_text *out, const char *const *classes, size_t K)
{
    lc_text_string(out, "file,time");
    for (size_t k = 0; k < K; k++) {
        lc_text_string(out, ",");
        lc_csv_quote(out, classes[k]);
    }
    lc_text_string(out, "\n");
}

static double value_at(const float *posterior, size_t T, size_t K, size_t k, double frame)
{
    return frame >= 0 && frame < (double)T ? (double)posterior[(size_t)frame * K + k] : 0;
}

void lc_enrich_table_rows(lc_text *out, const char *file, const float *posterior, size_t T, size_t K, double hop,
                          const double *offsets)
{
    for (size_t t = 0; t < T; t++) {
        lc_csv_quote(out, file);
        lc_text_string(out, ",");
        lc_text_fixed(out, (double)t * hop, 6);
        for (size_t k = 0; k < K; k++) {
            lc_text_string(out, ",");
            lc_text_number(out, value_at(posterior, T, K, k, (double)t + round(offsets[k] / hop)), 6);
        }
        lc_text_string(out, "\n");
    }
}

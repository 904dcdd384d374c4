/* SPDX-License-Identifier: MIT
 *
 * dataset.c - loads a data set: counts, recordings that must exist, and their events where they are known.
 *
 *     folder with counts.csv      clips, with the events of events.csv, or else of what lies beside the recordings
 *     folder without              the recordings that events.csv names, or beside which events lie; no clips
 *
 * A recording that events.csv does not name is not timed, though it may have no event: to say so, events.csv has a row
 * with the file alone.
 */
#include "data/dataset.h"

#include "base/folder.h"
#include "base/status.h"
#include "events/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a data set");
}

/* A path for a message, without a line. */
static lc_where whole(const char *path)
{
    return lc_place_show((lc_place){path, 0, NULL});
}

void lc_dataset_free(lc_dataset *set)
{
    if (set == NULL)
        return;
    lc_event_list_free(set->list);
    lc_store_free(&set->owns);
    free(set);
}

/* ---- which entry of a list belongs to which recording ---- */

/* Entries by name, and by name up to the ending; first[stem] is the first entry with that stem. */
typedef struct dataset_finder {
    const lc_event_list *list;
    lc_names names, stems;
    size_t *first;
    lc_store store;
} dataset_finder;

static void finder_free(dataset_finder *x)
{
    lc_names_free(&x->names);
    lc_names_free(&x->stems);
    lc_store_free(&x->store);
}

/* False without memory. */
static bool finder_fill(dataset_finder *x)
{
    const lc_event_list *list = x->list;
    x->first = lc_store_take(&x->store, list->files_len, sizeof *x->first);
    if (x->first == NULL)
        return false;
    for (size_t i = 0; i < list->files_len; i++) {
        const char *name = list->files[i].name;
        size_t before = x->stems.len, stem = lc_names_add(&x->stems, &x->store, name, lc_path_stem(name));
        if (lc_names_add(&x->names, &x->store, name, strlen(name)) == LC_NAMES_NONE || stem == LC_NAMES_NONE)
            return false;
        if (x->stems.len > before)
            x->first[stem] = i;
    }
    return true;
}

/* As lc_event_list_find, which would be slow for many recordings. */
static const lc_event_file *finder_find(const dataset_finder *x, const char *name)
{
    size_t found = lc_names_find(&x->names, name, strlen(name));
    if (found != LC_NAMES_NONE)
        return &x->list->files[found];
    found = lc_names_find(&x->stems, name, lc_path_stem(name));
    return found != LC_NAMES_NONE ? &x->list->files[x->first[found]] : NULL;
}

/* Gives each recording its events; *matched counts those that have an entry. by_path: the list has paths. */
static loco_status match(lc_dataset *set, bool by_path, size_t *matched, loco_err *err)
{
    const lc_event_list *list = set->list;
    lc_recording *timed = lc_store_take(&set->owns, set->recordings_len, sizeof *timed);
    dataset_finder x = {.list = list};
    bool nameless = list->files_len == 1 && list->files[0].name[0] == '\0';
    *matched = 0;
    if (timed == NULL || !finder_fill(&x)) {
        finder_free(&x);
        return out_of_memory(err);
    }
    for (size_t i = 0; i < set->recordings_len; i++) {
        timed[i] = set->recordings[i];
        const lc_event_file *file = nameless ? list->files : finder_find(&x, by_path ? timed[i].path : timed[i].name);
        if (file == NULL)
            continue;
        timed[i].timed = true;
        timed[i].events = file->events;
        timed[i].events_len = file->events_len;
        timed[i].origin = list->origins[file - list->files];
        (*matched)++;
    }
    set->recordings = timed;
    finder_free(&x);
    return LOCO_OK;
}

/* ---- a set with counts ---- */

/* Recordings are numbered by their first clip, so that the clips meet them in order. */
static loco_status check_sounds(const lc_dataset *set, loco_err *err)
{
    size_t next = 0;
    for (size_t i = 0; i < set->clips_len; i++) {
        if (set->clips[i].recording != next)
            continue;
        const lc_recording *r = &set->recordings[next++];
        if (!lc_path_is_file(r->path))
            return lc_err_set(err, LOCO_EDATA, "%s: no file \"%s\" that can be read",
                              lc_place_show((lc_place){set->where, set->clips[i].row, "file"}).text,
                              lc_show(r->name).text);
    }
    return LOCO_OK;
}

/* From events.csv. Files that the counts do not name are passed over, for one list may serve several sets of counts;
 * but when none fits, something is wrong. */
static loco_status attach_table(lc_dataset *set, const char *path, loco_err *err)
{
    size_t matched;
    loco_status status = lc_event_list_load(&set->list, path, set->classes, set->classes_len, err);
    if (status != LOCO_OK)
        return status;
    const lc_event_list *list = set->list;
    set->places = set->places || list->places;
    if (list->files_len == 1 && list->files[0].name[0] == '\0' && set->recordings_len > 1)
        return lc_err_set(err, LOCO_EDATA, "%s: no column \"file\", though there are %zu recordings", whole(path).text,
                          set->recordings_len);
    status = match(set, false, &matched, err);
    if (status == LOCO_OK && matched == 0 && list->files_len > 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no recording of the counts is named here; the first file is \"%s\"",
                          whole(path).text, lc_show(list->files[0].name).text);
    return status;
}

/* From the files beside the recordings. */
static loco_status attach_beside(lc_dataset *set, loco_err *err)
{
    size_t len = set->recordings_len, matched;
    const char **paths = lc_store_take(&set->owns, len, sizeof *paths);
    if (paths == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < len; i++)
        paths[i] = set->recordings[i].path;
    loco_status status = lc_event_list_beside(&set->list, paths, len, set->classes, set->classes_len, err);
    if (status != LOCO_OK)
        return status;
    return match(set, true, &matched, err);
}

/* From events.csv if there is one, or else from files beside the recordings. */
static loco_status attach_events(lc_dataset *set, loco_err *err)
{
    const char *path = lc_path_join(&set->owns, set->where, lc_path_folder(set->where), "events.csv");
    if (path == NULL)
        return out_of_memory(err);
    return lc_path_is_file(path) ? attach_table(set, path, err) : attach_beside(set, err);
}

/* The caller frees *set, after a failure too. */
static loco_status load_counts(lc_dataset **set, const char *path, loco_err *err)
{
    loco_status status = lc_counts_load(set, path, err);
    if (status == LOCO_OK)
        status = check_sounds(*set, err);
    return status == LOCO_OK ? attach_events(*set, err) : status;
}

/* ---- a set of events alone ---- */

/* The only sound of a folder whose events.csv names none. */
static loco_status only_sound(const char **name, lc_store *store, const char *folder, loco_err *err)
{
    const char *const *names;
    size_t names_len, sounds = 0;
    loco_status status = lc_folder_list(&names, &names_len, store, folder, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++)
        if (lc_path_is_sound(names[i]) && ++sounds == 1)
            *name = names[i];
    if (status == LOCO_OK && sounds != 1)
        return lc_err_set(err, LOCO_EDATA, "%s: events.csv has no column \"file\", and there are %zu sound files",
                          whole(folder).text, sounds);
    return status;
}

/* One for each entry of the list; all of them are timed. */
static loco_status add_recordings(lc_dataset *set, loco_err *err)
{
    const lc_event_list *list = set->list;
    lc_recording *recordings = lc_store_take(&set->owns, list->files_len, sizeof *recordings);
    if (recordings == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < list->files_len; i++) {
        const lc_event_file *file = &list->files[i];
        const char *name = file->name;
        loco_status status = *name == '\0' ? only_sound(&name, &set->owns, set->where, err) : LOCO_OK;
        if (status != LOCO_OK)
            return status;
        const char *path = lc_path_join(&set->owns, set->where, strlen(set->where), name);
        if (path == NULL)
            return out_of_memory(err);
        if (!lc_path_is_file(path) || lc_format_is_beside(path))
            return lc_err_set(err, LOCO_EDATA, "%s: no sound file for the events of \"%s\"", whole(set->where).text,
                              lc_show(name).text);
        recordings[i] = (lc_recording){.name = name,
                                       .path = path,
                                       .timed = true,
                                       .events = file->events,
                                       .events_len = file->events_len,
                                       .origin = list->origins[i]};
    }
    set->recordings = recordings;
    set->recordings_len = list->files_len;
    set->classes = list->classes;
    set->classes_len = list->classes_len;
    set->places = list->places;
    return LOCO_OK;
}

/* The caller frees *set, after a failure too. */
static loco_status load_events(lc_dataset **set, const char *folder, const char *const *classes, size_t classes_len,
                               loco_err *err)
{
    *set = calloc(1, sizeof **set);
    if (*set == NULL)
        return out_of_memory(err);
    (*set)->where = lc_store_string(&(*set)->owns, folder, strlen(folder));
    if ((*set)->where == NULL)
        return out_of_memory(err);
    loco_status status = lc_event_list_load(&(*set)->list, folder, classes, classes_len, err);
    if (status != LOCO_OK)
        return status;
    if ((*set)->list->classes_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: there is no event in the whole folder", whole(folder).text);
    return add_recordings(*set, err);
}

/* ---- both ---- */

loco_status lc_dataset_load_for(lc_dataset **set, const char *path, const char *const *classes, size_t classes_len,
                                loco_err *err)
{
    lc_dataset *made = NULL;
    lc_store store = {0};
    loco_status status;
    if (!lc_path_is_folder(path)) {
        status = load_counts(&made, path, err);
    } else {
        const char *counts = lc_path_join(&store, path, strlen(path), "counts.csv");
        if (counts == NULL)
            status = out_of_memory(err);
        else
            status = lc_path_is_file(counts) ? load_counts(&made, counts, err)
                                             : load_events(&made, path, classes, classes_len, err);
    }
    lc_store_free(&store);
    if (status == LOCO_OK)
        *set = made;
    else
        lc_dataset_free(made);
    return status;
}

loco_status lc_dataset_load(lc_dataset **set, const char *path, loco_err *err)
{
    return lc_dataset_load_for(set, path, NULL, 0, err);
}

bool lc_clip_says(const lc_dataset *set, const lc_clip *clip)
{
    for (size_t i = 0; i < set->classes_len + set->sums_len; i++)
        if (clip->labels[i].lo > 0 || clip->labels[i].hi != LOCO_NO_LIMIT)
            return true;
    return false;
}

lc_time_shown lc_time_show(double seconds)
{
    lc_time_shown shown;
    double bounded = seconds >= 0 && seconds < 1e9 ? seconds : 1e9;
    long long millis = llround(1000 * bounded);
    snprintf(shown.text, sizeof shown.text, "%lld.%03lld", millis / 1000, millis % 1000);
    return shown;
}

/* `12.500 s`, or `y = 12.500` of an image. */
static lc_time_shown shown_at(const lc_dataset *set, double seconds)
{
    lc_time_shown at = lc_time_show(seconds), shown;
    snprintf(shown.text, sizeof shown.text, set->places ? "y = %.20s" : "%.20s s", at.text);
    return shown;
}

/* `lasts 12.500 s`, or `has 256 rows`. */
static lc_time_shown shown_length(const lc_dataset *set, double seconds)
{
    lc_time_shown length = lc_time_show(seconds), shown;
    if (set->places)
        snprintf(shown.text, sizeof shown.text, "has %.0f rows", seconds);
    else
        snprintf(shown.text, sizeof shown.text, "lasts %.20s s", length.text);
    return shown;
}

/* Events are in order of time, so that the first that is late is found from the end. */
loco_status lc_dataset_check_events(const lc_dataset *set, size_t recording, double seconds, loco_err *err)
{
    const lc_recording *r = &set->recordings[recording];
    size_t i = r->events_len;
    while (i > 0 && !(r->events[i - 1].time <= seconds + LC_EVENT_LATE)) /* also true for NaN */
        i--;
    if (i == r->events_len)
        return LOCO_OK;
    lc_place place = {r->origin.path != NULL ? r->origin.path : set->where, 0, NULL};
    if (r->origin.path != NULL)
        place.line = r->origin.lines[i];
    return lc_err_set(err, LOCO_EDATA, "%s: an event at %s, but \"%s\" %s", lc_place_show(place).text,
                      shown_at(set, r->events[i].time).text, lc_show(r->name).text, shown_length(set, seconds).text);
}

loco_status lc_dataset_check_lengths(const lc_dataset *set, const double *seconds, loco_err *err)
{
    for (size_t i = 0; i < set->clips_len; i++) {
        const lc_clip *clip = &set->clips[i];
        double length = seconds[clip->recording];
        const char *name = set->recordings[clip->recording].name;
        bool late = !(clip->start < length); /* also true for NaN */
        if (!late && (!isfinite(clip->end) || clip->end <= length + 0.01))
            continue;
        const char *column = clip->right > 0 ? (late ? "y0" : "y1") : late ? "start" : "end";
        return lc_err_set(err, LOCO_EDATA, "%s: the clip %s at %s, but \"%s\" %s",
                          lc_place_show((lc_place){set->where, clip->row, column}).text, late ? "starts" : "ends",
                          shown_at(set, late ? clip->start : clip->end).text, lc_show(name).text,
                          shown_length(set, length).text);
    }
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len; i++)
        status = lc_dataset_check_events(set, i, seconds[i], err);
    return status;
}

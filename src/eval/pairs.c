/* SPDX-License-Identifier: MIT
 * pairs.c - two lists of events, recording by recording. */
#include "eval/pairs.h"

#include "base/folder.h"
#include "base/show.h"
#include "base/status.h"

#include <string.h>

/* ---- classes ---- */

static bool has_class_below(const lc_event_list *list, size_t classes)
{
    for (size_t i = 0; i < list->files_len; i++)
        for (size_t e = 0; e < list->files[i].events_len; e++)
            if (list->files[i].events[e].kind < classes)
                return true;
    return false;
}

/* The number of a note, as MIDI files name their classes. */
static bool is_note(const char *name)
{
    return name[strspn(name, "0123456789")] == '\0';
}

/* Events of other classes are false alarms; but where none is of a class of the reference, one class may just be spelt
 * in two ways, and a score of 0 would hide it. */
static loco_status check_classes(const lc_event_list *truth, const lc_event_list *detected, const char *reference,
                                 const char *estimate, loco_err *err)
{
    size_t known = truth->classes_len;
    if (known == 0 || has_class_below(detected, known))
        return LOCO_OK;
    for (size_t k = known; k < detected->classes_len; k++) {
        const char *name = detected->classes[k], *other = truth->classes[0];
        const char *near = is_note(name) ? NULL : loco_nearest(name, truth->classes, known);
        if (near == NULL && is_note(name) == is_note(other))
            continue;
        return lc_err_set(err, LOCO_EDATA,
                          "%.60s has no class of %.60s: \"%s\" there is \"%s\" here; use the same names", estimate,
                          reference, lc_show(near != NULL ? near : other).text, lc_show(name).text);
    }
    return LOCO_OK;
}

loco_status lc_pairs_load(lc_event_list **reference, lc_event_list **estimate, const char *reference_path,
                          const char *estimate_path, loco_err *err)
{
    lc_event_list *truth = NULL, *detected = NULL;
    loco_status status = lc_event_list_load(&truth, reference_path, NULL, 0, err);
    if (status == LOCO_OK)
        status = lc_event_list_load_more(&detected, estimate_path, truth->classes, truth->classes_len, err);
    if (status == LOCO_OK)
        status = check_classes(truth, detected, reference_path, estimate_path, err);
    if (status != LOCO_OK) {
        lc_event_list_free(truth);
        lc_event_list_free(detected);
        return status;
    }
    *reference = truth;
    *estimate = detected;
    return LOCO_OK;
}

/* ---- recordings ---- */

/* Whether two names mean one recording when neither folders nor endings are looked at. */
static bool same_base(const char *a, const char *b)
{
    size_t a_from = lc_path_folder(a), b_from = lc_path_folder(b);
    size_t a_len = lc_path_stem(a) - a_from, b_len = lc_path_stem(b) - b_from;
    return a_len == b_len && memcmp(a + a_from, b + b_from, a_len) == 0;
}

/* The entry of that name; or else the only one that differs in folder and ending alone, since detections are named by
 * the path that was typed; or else NULL. */
static const lc_event_file *counterpart(const lc_event_list *list, const char *name)
{
    const lc_event_file *found = lc_event_list_find(list, name);
    size_t alike = 0;
    for (size_t i = 0; found == NULL && i < list->files_len; i++)
        alike += same_base(list->files[i].name, name);
    for (size_t i = 0; found == NULL && alike == 1 && i < list->files_len; i++)
        found = same_base(list->files[i].name, name) ? &list->files[i] : NULL;
    return found;
}

/* One to one: the entry of `list` for a file of `others`, when that file is also the entry of `others` for it. */
static const lc_event_file *partner(const lc_event_list *list, const lc_event_list *others, const lc_event_file *file)
{
    const lc_event_file *found = counterpart(list, file->name);
    return found != NULL && counterpart(others, found->name) == file ? found : NULL;
}

static bool has_common(const lc_event_list *reference, const lc_event_list *estimate)
{
    bool common = estimate->files_len == 0 || reference->files_len == 0 ||
                  (estimate->files_len == 1 && reference->files_len == 1);
    for (size_t i = 0; !common && i < reference->files_len; i++)
        common = partner(estimate, reference, &reference->files[i]) != NULL;
    return common;
}

loco_status lc_pairs_each(const lc_event_list *reference, const char *reference_path, const lc_event_list *estimate,
                          const char *estimate_path, lc_pair_take *take, void *context, loco_err *err)
{
    bool alone = reference->files_len == 1 && estimate->files_len == 1;
    if (!has_common(reference, estimate))
        return lc_err_set(err, LOCO_EDATA,
                          "%.60s has no recording of %.60s: the first is \"%.40s\" here and \"%.40s\" there",
                          estimate_path, reference_path, estimate->files[0].name, reference->files[0].name);
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < reference->files_len; i++) {
        const lc_event_file *truth = &reference->files[i];
        const lc_event_file *found = alone ? &estimate->files[0] : partner(estimate, reference, truth);
        status = take(context, truth->name, truth->events, truth->events_len, found != NULL ? found->events : NULL,
                      found != NULL ? found->events_len : 0, err);
    }
    for (size_t i = 0; status == LOCO_OK && !alone && i < estimate->files_len; i++)
        if (partner(reference, estimate, &estimate->files[i]) == NULL)
            status = take(context, estimate->files[i].name, NULL, 0, estimate->files[i].events,
                          estimate->files[i].events_len, err);
    return status;
}

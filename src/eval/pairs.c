/* SPDX-License-Identifier: MIT
 * pairs.c - two lists of events, recording by recording. */
#include "eval/pairs.h"

#include "base/folder.h"
#include "base/status.h"

#include <string.h>

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
        status = take(context, truth->events, truth->events_len, found != NULL ? found->events : NULL,
                      found != NULL ? found->events_len : 0, err);
    }
    for (size_t i = 0; status == LOCO_OK && !alone && i < estimate->files_len; i++)
        if (partner(reference, estimate, &estimate->files[i]) == NULL)
            status = take(context, NULL, 0, estimate->files[i].events, estimate->files[i].events_len, err);
    return status;
}

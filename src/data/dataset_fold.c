/* SPDX-License-Identifier: MIT
 * dataset_fold.c - a data set whose classes are put together: events go to their group or are left out, and the label of a
 * group is the sum of those of its classes. */
#include "base/status.h"
#include "data/dataset.h"

#include <string.h>

typedef struct set_fold {
    lc_dataset *set;
    const lc_fold *fold;
    size_t *groups; /* of each class of the set; SIZE_MAX: left out */
} set_fold;

static loco_status no_memory(const lc_dataset *set, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the classes of %.150s", set->where);
}

static bool fold_events(set_fold *f, lc_recording *r)
{
    loco_event *events = lc_store_take(&f->set->owns, r->events_len + 1, sizeof *events);
    size_t n = 0;
    for (size_t i = 0; events != NULL && i < r->events_len; i++) {
        events[n] = r->events[i];
        events[n].kind = f->groups[r->events[i].kind];
        n += events[n].kind != SIZE_MAX;
    }
    r->events = events;
    r->events_len = n;
    r->origin = (lc_event_origin){0};
    return events != NULL;
}

/* lo + lo, hi + hi; without a bound where one has none. */
static loco_label add_labels(loco_label a, loco_label b)
{
    size_t none = loco_label_at_least(0).hi;
    return (loco_label){a.lo + b.lo, a.hi == none || b.hi == none ? none : a.hi + b.hi};
}

static bool fold_labels(set_fold *f, lc_clip *clip)
{
    loco_label *labels = lc_store_take(&f->set->owns, f->fold->len, sizeof *labels);
    bool given[LC_FOLD_GROUPS] = {false};
    for (size_t k = 0; labels != NULL && k < f->set->classes_len; k++) {
        size_t g = f->groups[k];
        if (g == SIZE_MAX)
            continue;
        labels[g] = given[g] ? add_labels(labels[g], clip->labels[k]) : clip->labels[k];
        given[g] = true;
    }
    for (size_t g = 0; labels != NULL && g < f->fold->len; g++)
        if (!given[g])
            labels[g] = loco_label_exact(0);
    clip->labels = labels;
    return labels != NULL;
}

static bool fold_all(set_fold *f, lc_recording *recordings, lc_clip *clips)
{
    bool good = true;
    if (f->set->recordings_len > 0)
        memcpy(recordings, f->set->recordings, f->set->recordings_len * sizeof *recordings);
    if (f->set->clips_len > 0)
        memcpy(clips, f->set->clips, f->set->clips_len * sizeof *clips);
    for (size_t i = 0; good && i < f->set->recordings_len; i++)
        good = fold_events(f, &recordings[i]);
    for (size_t i = 0; good && i < f->set->clips_len; i++)
        good = fold_labels(f, &clips[i]);
    return good;
}

static bool any_of(const set_fold *f)
{
    for (size_t k = 0; k < f->set->classes_len; k++)
        if (f->groups[k] != SIZE_MAX)
            return true;
    return false;
}

loco_status lc_dataset_fold(lc_dataset *set, const lc_fold *fold, loco_err *err)
{
    set_fold f = {set, fold, lc_store_take(&set->owns, set->classes_len + 1, sizeof *f.groups)};
    lc_recording *recordings = lc_store_take(&set->owns, set->recordings_len + 1, sizeof *recordings);
    lc_clip *clips = lc_store_take(&set->owns, set->clips_len + 1, sizeof *clips);
    if (f.groups == NULL || recordings == NULL || clips == NULL)
        return no_memory(set, err);
    for (size_t k = 0; k < set->classes_len; k++)
        f.groups[k] = lc_fold_of(fold, set->classes[k]);
    if (!any_of(&f))
        return lc_err_set(err, LOCO_EDATA, "%.120s has none of the classes asked for; its first one is \"%.60s\"",
                          set->where, set->classes_len > 0 ? set->classes[0] : "");
    if (!fold_all(&f, recordings, clips))
        return no_memory(set, err);
    set->recordings = recordings;
    set->clips = clips;
    set->classes = fold->names;
    set->classes_len = fold->len;
    set->sums = NULL;
    set->sums_len = 0;
    return LOCO_OK;
}

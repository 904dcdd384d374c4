/* SPDX-License-Identifier: MIT
 * dataset_fold.c - a data set whose classes are put together: events go to their group or are left out, and the label of a
 * group is the sum of those of its classes. */
#include "base/status.h"
#include "data/dataset.h"
#include "model/model.h"

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

/* ---- a model for a data set ---- */

static bool model_has(const loco_model *model, const char *name)
{
    for (size_t k = 0; k < model->net->classes; k++)
        if (strcmp(model->classes[k], name) == 0)
            return true;
    return false;
}

/* The classes of the set as a list, where all are classes of the model or groups of them, and some are groups. */
static bool list_groups(lc_text *list, const lc_dataset *set, const loco_model *model)
{
    bool groups = false, all = true;
    for (size_t k = 0; all && k < set->classes_len; k++) {
        bool own = model_has(model, set->classes[k]);
        all = own || lc_fold_knows(lc_model_groups(model), set->classes[k]);
        groups = groups || !own;
        lc_text_format(list, "%s%s", k > 0 ? "," : "", set->classes[k]);
    }
    return all && groups;
}

loco_status loco_model_fit(loco_model **model, const char *data, loco_err *err)
{
    lc_dataset *set = NULL;
    lc_text list = {0};
    if (model == NULL || *model == NULL || data == NULL)
        return lc_err_set(err, LOCO_EARG, "model and data must not be NULL");
    if (lc_dataset_load(&set, data, NULL) != LOCO_OK)
        return LOCO_OK; /* what reads it next says what is wrong */
    loco_status status = LOCO_OK;
    bool fits = list_groups(&list, set, *model);
    if (list.failed)
        status = no_memory(set, err);
    else if (fits)
        status = loco_model_fold(model, list.bytes, err);
    lc_text_free(&list);
    lc_dataset_free(set);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * dataset_cut.c - cuts timed recordings into clips with exact counts, and chooses recordings for validation.
 *
 * Clips lie side by side. The length of each is drawn evenly from shortest to longest, but no longer than leaves room
 * for a last clip of the shortest length; what is left in the end is a clip of its own if it is short enough. Only when
 * longest < 2 * shortest can there be a rest that no clip covers, and it is shorter than the shortest.
 * Ends are whole microseconds, so that a set that was written and read again has the same clips.
 */
#include "base/plain_text.h"
#include "base/rng.h"
#include "base/status.h"
#include "data/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 0.001 /* seconds of a clip; far from the microseconds that ends are rounded to */

enum { CLIPS_MOST = 1000000 }; /* as many as a counts.csv may have */

typedef struct cutter {
    const lc_dataset *set;
    const lc_cut *cut;
    lc_clip *clips;
    size_t clips_len, capacity;
} cutter;

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while cutting recordings into clips");
}

/* LOCO_EDATA beyond CLIPS_MOST, before memory is used for it. */
static loco_status add_clip(cutter *c, size_t recording, double start, double end, loco_err *err)
{
    if (c->clips_len == CLIPS_MOST)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d clips; cut longer ones",
                          lc_place_show((lc_place){c->set->where, 0, NULL}).text, CLIPS_MOST);
    lc_clip *clips = lc_list_grow(c->clips, &c->capacity, c->clips_len + 1, sizeof *clips);
    if (clips == NULL)
        return out_of_memory(err);
    c->clips = clips;
    clips[c->clips_len++] = (lc_clip){.recording = recording, .start = start, .end = end};
    return LOCO_OK;
}

/* What counts.csv writes, 6 decimals. */
static double whole_micros(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

/* The length of the next clip, when left seconds are left; 0: no more. */
static double draw(const lc_cut *cut, double left, lc_rng *rng)
{
    double u = lc_rng_uniform(rng); /* one number a clip, whichever way is taken */
    if (left < cut->shortest)
        return 0;
    if (left <= cut->longest)
        return left;
    double most = fmin(cut->longest, left - cut->shortest);
    most = fmax(most, cut->shortest);
    return cut->shortest + u * (most - cut->shortest);
}

/* Side by side from margin to margin. */
static loco_status cut_recording(cutter *c, size_t recording, loco_err *err)
{
    const lc_cut *cut = c->cut;
    /* Each recording has its own numbers, so that its clips do not depend on the other recordings. */
    lc_rng rng = lc_rng_seed(cut->seed ^ (recording + 1) * 0xd1b54a32d192ed03u);
    double start = whole_micros(cut->margin), last = floor((cut->seconds[recording] - cut->margin) * 1e6) / 1e6;
    for (;;) {
        double length = draw(cut, last - start, &rng);
        if (!(length > 0))
            return LOCO_OK;
        double end = length < last - start ? fmin(whole_micros(start + length), last) : last;
        loco_status status = add_clip(c, recording, start, end, err);
        if (status != LOCO_OK)
            return status;
        start = end;
    }
}

/* Clips and events are both in order of recording and time, so that one pass counts them all. */
static void count_events(const cutter *c, loco_label *labels)
{
    size_t K = c->set->classes_len, next = 0, recording = SIZE_MAX;
    for (size_t i = 0; i < c->clips_len; i++) {
        lc_clip *clip = &c->clips[i];
        const lc_recording *r = &c->set->recordings[clip->recording];
        loco_label *counts = labels + i * K;
        if (clip->recording != recording)
            next = 0;
        recording = clip->recording;
        for (size_t k = 0; k < K; k++)
            counts[k] = loco_label_exact(0);
        for (; next < r->events_len && r->events[next].time < clip->end; next++)
            if (r->events[next].time >= clip->start)
                counts[r->events[next].kind].lo++;
        for (size_t k = 0; k < K; k++)
            counts[k].hi = counts[k].lo;
        clip->labels = counts;
    }
}

/* NULL without memory. */
static const char *const *copy_classes(lc_store *store, const lc_dataset *set)
{
    const char **classes = lc_store_take(store, set->classes_len, sizeof *classes);
    for (size_t k = 0; classes != NULL && k < set->classes_len; k++) {
        classes[k] = lc_store_string(store, set->classes[k], strlen(set->classes[k]));
        if (classes[k] == NULL)
            return NULL;
    }
    return classes;
}

/* False without memory. */
static bool copy_origin(lc_store *store, lc_recording *copy)
{
    lc_event_origin *origin = &copy->origin;
    if (origin->path == NULL)
        return true;
    uint32_t *lines = lc_store_take(store, copy->events_len, sizeof *lines);
    if (lines != NULL)
        memcpy(lines, origin->lines, copy->events_len * sizeof *lines);
    origin->lines = lines;
    origin->path = lc_store_string(store, origin->path, strlen(origin->path));
    return lines != NULL && origin->path != NULL;
}

/* With their events, so that the new set outlives the old one. NULL without memory. */
static const lc_recording *copy_recordings(lc_store *store, const lc_dataset *set)
{
    lc_recording *copies = lc_store_take(store, set->recordings_len, sizeof *copies);
    for (size_t i = 0; copies != NULL && i < set->recordings_len; i++) {
        const lc_recording *from = &set->recordings[i];
        loco_event *events = lc_store_take(store, from->events_len, sizeof *events);
        const char *name = lc_store_string(store, from->name, strlen(from->name));
        const char *path = lc_store_string(store, from->path, strlen(from->path));
        if (events == NULL || name == NULL || path == NULL)
            return NULL;
        if (from->events_len > 0)
            memcpy(events, from->events, from->events_len * sizeof *events);
        copies[i] = *from;
        copies[i].name = name;
        copies[i].path = path;
        copies[i].events = events;
        if (!copy_origin(store, &copies[i]))
            return NULL;
    }
    return copies;
}

/* made is zero; the caller frees it on failure. */
static loco_status fill(lc_dataset *made, const cutter *c, loco_err *err)
{
    const lc_dataset *set = c->set;
    lc_store *store = &made->owns;
    if (c->clips_len > LC_LABELS_MOST / set->classes_len)
        return lc_err_set(err, LOCO_EDATA, "%zu clips of %zu classes are too many; cut longer ones", c->clips_len,
                          set->classes_len);
    loco_label *labels = lc_store_take(store, c->clips_len * set->classes_len, sizeof *labels);
    lc_clip *clips = lc_store_take(store, c->clips_len, sizeof *clips);
    made->where = lc_store_string(store, set->where, strlen(set->where));
    made->classes = copy_classes(store, set);
    made->classes_len = set->classes_len;
    made->recordings = copy_recordings(store, set);
    made->recordings_len = set->recordings_len;
    if (labels == NULL || clips == NULL || made->where == NULL || made->classes == NULL || made->recordings == NULL)
        return out_of_memory(err);
    count_events(c, labels);
    memcpy(clips, c->clips, c->clips_len * sizeof *clips);
    made->clips = clips;
    made->clips_len = c->clips_len;
    made->places = set->places;
    return LOCO_OK;
}

/* All of the caller's numbers; what the set itself lacks is found while cutting. */
static loco_status check_cut(const lc_dataset *set, const lc_cut *cut, loco_err *err)
{
    if (set->classes_len == 0)
        return lc_err_set(err, LOCO_EARG, "a data set without classes has nothing to count");
    if (!(cut->shortest >= SHORTEST && cut->shortest <= cut->longest && cut->longest < LC_TIME_END))
        return lc_err_set(err, LOCO_EARG, "clips need shortest <= longest, from a millisecond to below %.0f seconds",
                          LC_TIME_END);
    if (!(cut->margin >= 0 && cut->margin < LC_TIME_END))
        return lc_err_set(err, LOCO_EARG, "the margin of recordings must be 0 seconds or more");
    for (size_t i = 0; i < set->recordings_len; i++)
        if (!(cut->seconds[i] >= 0 && cut->seconds[i] < LC_TIME_END))
            return lc_err_set(err, LOCO_EARG, "the length of recording %zu must be from 0 to below %.0f seconds", i,
                              LC_TIME_END);
    return LOCO_OK;
}

/* In order of recordings, on which count_events relies. */
static loco_status cut_all(cutter *c, loco_err *err)
{
    size_t timed = 0;
    for (size_t i = 0; i < c->set->recordings_len; i++) {
        if (!c->set->recordings[i].timed)
            continue;
        timed++;
        loco_status status = cut_recording(c, i, err);
        if (status != LOCO_OK)
            return status;
    }
    lc_where where = lc_place_show((lc_place){c->set->where, 0, NULL});
    if (timed == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: nothing to cut: the events of no recording are known", where.text);
    if (c->clips_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no recording is as long as the shortest clip", where.text);
    return LOCO_OK;
}

loco_status lc_dataset_cut(lc_dataset **out, const lc_dataset *set, const lc_cut *cut, loco_err *err)
{
    loco_status status = check_cut(set, cut, err);
    if (status != LOCO_OK)
        return status;
    cutter c = {.set = set, .cut = cut};
    lc_dataset *made = NULL;
    status = cut_all(&c, err);
    if (status == LOCO_OK) {
        made = calloc(1, sizeof *made);
        status = made != NULL ? fill(made, &c, err) : out_of_memory(err);
    }
    free(c.clips);
    if (status == LOCO_OK)
        *out = made;
    else
        lc_dataset_free(made);
    return status;
}

/* Marks what there is to choose from, and returns how many. */
static size_t mark(const lc_dataset *set, uint8_t *held)
{
    size_t n = 0;
    for (size_t i = 0; i < set->recordings_len; i++)
        held[i] = set->clips_len == 0;
    for (size_t i = 0; i < set->clips_len; i++)
        held[set->clips[i].recording] = 1;
    for (size_t i = 0; i < set->recordings_len; i++)
        n += held[i];
    return n;
}

/* Of n to choose from, each in turn is taken with probability wanted / left: every choice is as likely as any other. */
lc_split lc_dataset_split(const lc_dataset *set, double part, uint64_t seed, uint8_t *held)
{
    size_t left = mark(set, held);
    double share = part > 0 ? fmin(part, 1) * (double)left : 0;
    size_t wanted = share > 0 ? (size_t)fmax(1, round(share)) : 0;
    bool one = left < 2;
    if (wanted >= left)
        wanted = one ? 0 : left - 1;
    lc_rng rng = lc_rng_seed(seed);
    for (size_t i = 0; i < set->recordings_len; i++) {
        if (held[i] == 0)
            continue;
        held[i] = lc_rng_uniform(&rng) * (double)left < (double)wanted;
        wanted -= held[i];
        left--;
    }
    return one ? LC_SPLIT_ONE_RECORDING : LC_SPLIT_BY_RECORDING;
}

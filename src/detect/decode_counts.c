/* SPDX-License-Identifier: MIT
 * decode_counts.c - event times where counts are known: the most likely set of events given the label of each class.
 *   One class at a time through arrays of T, so that memory does not grow with the number of classes. */
#include "detect/decode_counts.h"

#include "base/mem.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

typedef struct counts_job {
    const lc_known_counts *known;
    double *logits, *posterior; /* (T) of one class */
    uint8_t *events;            /* (T) */
    double gap;                 /* in frames */
    lc_event_array *list;
} counts_job;

/* Runs twice, as everywhere: over an empty arena it measures, over the block it hands out. */
static void layout(counts_job *j, lc_arena *arena)
{
    size_t T = j->known->T;
    j->logits = lc_arena_take(arena, T, sizeof *j->logits);
    j->posterior = lc_arena_take(arena, T, sizeof *j->posterior);
    j->events = lc_arena_take(arena, T, sizeof *j->events);
}

/* Events first..last-1 of a class as one, at the mean of their frames weighted by the posterior, which is finer than a
 * frame. Where all posteriors are 0, the plain mean. Times are moved by the class's offset, and never before 0. */
static void give_group(const counts_job *j, size_t first, size_t last, size_t k)
{
    const double *offsets = j->known->offsets;
    double weight = 0, moment = 0, plain = 0, n = 0;
    for (size_t t = first; t < last; t++) {
        if (!j->events[t])
            continue;
        weight += j->posterior[t];
        moment += j->posterior[t] * (double)(t - first);
        plain += (double)(t - first);
        n++;
    }
    double place = (double)first + (weight > 0 ? moment / weight : plain / n),
           time = place * j->known->hop - (offsets != NULL ? offsets[k] : 0);
    loco_event event = {.time = time > 0 ? time : 0, .kind = k, .probability = weight < 1 ? weight : 1};
    lc_event_array_add(j->list, &event);
}

/* A group begins at an event and takes in all that lie within the gap from it, not from one another: a long row of
 * events is cut every gap, and never becomes one. With a gap of 0 each frame is a group of its own. */
static void give_class(const counts_job *j, size_t k)
{
    for (size_t t = 0; t < j->known->T;) {
        size_t first = t++;
        if (!j->events[first])
            continue;
        while (t < j->known->T && (double)(t - first) <= j->gap)
            t++;
        give_group(j, first, t, k);
    }
}

/* Two results for one class: posterior[t] = P(event at t | label), the weight of each frame, and events[t], the most
 * likely set of frames that has the label's count. */
static loco_status run_class(const counts_job *j, loco_count *count, size_t k, loco_err *err)
{
    const lc_known_counts *known = j->known;
    loco_label label = known->labels[k];
    loco_err why;
    double loss;
    for (size_t t = 0; t < known->T; t++)
        j->logits[t] = (double)known->logits[t * known->K + k];
    loco_status status = loco_count_loss(&loss, NULL, j->posterior, count, j->logits, known->T, label, &why);
    if (status == LOCO_OK)
        status = loco_count_best(j->events, count, j->logits, known->T, label, &why);
    return status == LOCO_OK ? status : lc_err_set(err, status, "class %zu: %.230s", k, why.text);
}

static loco_status check(const loco_count *count, const lc_known_counts *known, loco_err *err)
{
    if (count == NULL || known->labels == NULL || (known->logits == NULL && known->T > 0 && known->K > 0))
        return lc_err_set(err, LOCO_EARG, "the handle, logits and labels must not be NULL");
    if (!(known->hop > 0 && known->hop <= 1e6) || !(known->gap >= 0 && known->gap <= 1e6))
        return lc_err_set(err, LOCO_EARG, "hop must be above 0, and gap 0 or more; both at most 1000000 seconds");
    for (size_t k = 0; known->offsets != NULL && k < known->K; k++)
        if (!isfinite(known->offsets[k]))
            return lc_err_set(err, LOCO_EARG, "the time offset of class %zu is not finite", k);
    return LOCO_OK;
}

loco_status lc_decode_counts(lc_event_array *list, loco_count *count, const lc_known_counts *known, loco_err *err)
{
    lc_block block = {0};
    lc_arena arena = {0};
    size_t before = list->len;
    loco_status status = check(count, known, err);
    if (status != LOCO_OK)
        return status;
    counts_job j = {.known = known, .gap = round(known->gap / known->hop), .list = list};
    layout(&j, &arena);
    if (!lc_block_reserve(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu frames", known->T);
    arena = lc_arena_over(&block);
    layout(&j, &arena);
    for (size_t k = 0; status == LOCO_OK && k < known->K; k++) {
        status = run_class(&j, count, k, err);
        if (status == LOCO_OK)
            give_class(&j, k);
    }
    if (status == LOCO_OK && list->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %zu frames", known->T);
    if (status == LOCO_OK)
        lc_event_array_sort(list, before);
    else
        list->len = before;
    lc_block_free(&block);
    return status;
}

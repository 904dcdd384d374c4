/* SPDX-License-Identifier: MIT
 * by_class.c - the events of one recording, sorted by class and then by time.
 *
 * Matching takes one class after another in order of time, so that both lists of a class are two plain arrays of times.
 * One block holds start (classes + 1), time, probability and x (n), and the sorted copy of the events (n). Equal times
 * are ordered by probability, the largest first, so that the order does not depend on the sort. */
#include "eval/by_class.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    const loco_event *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->time < b->time || a->time > b->time)
        return a->time < b->time ? -1 : 1;
    if (a->x < b->x || a->x > b->x)
        return a->x < b->x ? -1 : 1;
    return (a->probability < b->probability) - (a->probability > b->probability);
}

static loco_status check(size_t classes, const loco_event *events, size_t n, const char *what, loco_err *err)
{
    if (events == NULL && n > 0)
        return lc_err_set(err, LOCO_EARG, "%s events must not be NULL", what);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(events[i].time) || !isfinite(events[i].x))
            return lc_err_set(err, LOCO_EDATA, "%s event %zu: its time is not a finite number", what, i);
        if (events[i].kind >= classes)
            return lc_err_set(err, LOCO_EDATA, "%s event %zu: class %zu, but there are only %zu, counted from 0", what,
                              i, events[i].kind, classes);
    }
    return LOCO_OK;
}

/* Runs twice, see mem.h; returns the room for the sorted events. */
static loco_event *layout(lc_by_class *s, lc_arena *arena, size_t classes, size_t n)
{
    s->start = lc_arena_take(arena, classes + 1, sizeof *s->start);
    s->time = lc_arena_take(arena, n, sizeof *s->time);
    s->probability = lc_arena_take(arena, n, sizeof *s->probability);
    s->x = lc_arena_take(arena, n, sizeof *s->x);
    return lc_arena_take(arena, n, sizeof(loco_event));
}

loco_status lc_by_class_set(lc_by_class *slices, size_t classes, const loco_event *events, size_t n, const char *what,
                            loco_err *err)
{
    loco_status status = check(classes, events, n, what, err);
    if (status != LOCO_OK)
        return status;
    lc_arena arena = {0};
    layout(slices, &arena, classes, n);
    if (arena.used == SIZE_MAX || !lc_block_reserve(&slices->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n);
    arena = lc_arena_over(&slices->block);
    loco_event *sorted = layout(slices, &arena, classes, n);
    if (n > 0) {
        memcpy(sorted, events, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, compare);
    }
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        while (k <= sorted[i].kind)
            slices->start[k++] = i;
        slices->time[i] = sorted[i].time;
        slices->probability[i] = sorted[i].probability;
        slices->x[i] = sorted[i].x;
    }
    while (k <= classes)
        slices->start[k++] = n;
    return LOCO_OK;
}

void lc_by_class_free(lc_by_class *slices)
{
    lc_block_free(&slices->block);
    *slices = (lc_by_class){0};
}

size_t lc_by_class_len(const lc_by_class *slices, size_t kind)
{
    return slices->start[kind + 1] - slices->start[kind];
}

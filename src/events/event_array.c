/* SPDX-License-Identifier: MIT
 * event_array.c - events as they come out of a decoder: a list that grows, and the order of time. */
#include "events/event_array.h"

#include "base/mem.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

/* Doubles, so that n events cost O(n) moves; every product is checked. */
static bool grow(lc_event_array *list)
{
    size_t capacity = list->capacity == 0 ? FIRST_CAPACITY : list->capacity, bytes;
    if (list->capacity > 0 && !lc_size_mul(capacity, 2, &capacity))
        return false;
    if (!lc_size_mul(capacity, sizeof *list->events, &bytes))
        return false;
    loco_event *events = realloc(list->events, bytes);
    if (events == NULL)
        return false;
    list->events = events;
    list->capacity = capacity;
    return true;
}

/* Failure is sticky: a decoder gives thousands of events and cannot stop half-way, so that the owner of the list checks
 * once, at the end. */
void lc_event_array_add(lc_event_array *list, const loco_event *event)
{
    if (list->failed)
        return;
    if (list->len == list->capacity && !grow(list)) {
        list->failed = true;
        return;
    }
    list->events[list->len++] = *event;
}

/* lc_event_array_add in the form of an lc_event_take. */
void lc_event_array_take(void *list, const loco_event *event)
{
    lc_event_array_add(list, event);
}

void lc_event_array_free(lc_event_array *list)
{
    free(list->events);
    *list = (lc_event_array){0};
}

/* A total order, so that the result does not depend on how qsort treats equals. */
static int compare(const void *a, const void *b)
{
    const loco_event *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    if (x->x < y->x || x->x > y->x)
        return x->x < y->x ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->probability < y->probability) - (x->probability > y->probability);
}

void lc_events_sort(loco_event *events, size_t events_len)
{
    if (events_len > 1)
        qsort(events, events_len, sizeof *events, compare);
}

void lc_event_array_sort(lc_event_array *list, size_t from)
{
    if (list->len > from)
        lc_events_sort(list->events + from, list->len - from);
}

size_t lc_events_count(const lc_event_array *list, size_t kind, double start, double end)
{
    size_t n = 0;
    for (size_t i = 0; i < list->len; i++) {
        const loco_event *event = &list->events[i];
        n += event->kind == kind && event->time >= start && event->time < end;
    }
    return n;
}

/* SPDX-License-Identifier: MIT
 * enrich_recording.c - the events of a whole recording, from its clips with known counts: class by class, clip by clip.
 *
 * A class whose events are reported `offset` late has those of start <= time < end in the frames from
 * ceil((start + offset) / hop) on, up to that of the end; a clip that starts at 0 has all frames before. Clips are
 * independent but for two things: with a firm gap, the frames within the gap behind the last event of earlier clips are
 * excluded; and an event in two clips that overlap is written once. */
#include "detect/enrich_recording.h"

#include "base/plain_text.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BEFORE_END 1e-6 /* seconds; the last microsecond of a clip, as files have 6 decimals */

/* An event, and what it came from. */
typedef struct item {
    loco_event event;
    double frame_time; /* that of its frame, where its centroid is too near to another one */
    const lc_clip *clip;
    bool dropped;
} item;

typedef struct enrich_job {
    lc_enricher *enricher;
    const lc_enrich_plan *plan;
    const lc_enrich_task *task;
    size_t kind;
    item *items; /* of the class */
    size_t len, capacity;
} enrich_job;

static bool unknown(loco_label label)
{
    return label.lo == 0 && label.hi == LOCO_NO_LIMIT;
}

static loco_status add(enrich_job *j, const item *made, loco_err *err)
{
    item *items = lc_list_grow(j->items, &j->capacity, j->len + 1, sizeof *items);
    if (items == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of a recording");
    j->items = items;
    items[j->len++] = *made;
    return LOCO_OK;
}

/* ---- notices ---- */

/* A row whose count, or gap, could not be kept. */
static void notice_row(const enrich_job *j, const lc_clip *clip, size_t frames)
{
    const lc_enricher *e = j->enricher;
    const lc_enrich_plan *plan = j->plan;
    char text[400];
    lc_where row = lc_place_show((lc_place){j->plan->where, clip->row, j->plan->classes[j->kind]});
    lc_time_shown length = lc_time_show((double)frames * plan->hop);
    if (plan->notice == NULL || (e->spots_len >= e->wanted && e->gap >= plan->how.gap))
        return;
    if (e->spots_len >= e->wanted)
        snprintf(text, sizeof text,
                 "%s: %zu events in %s s lie closer than the default gap; placed at least %s s apart", row.text,
                 e->wanted, length.text, lc_time_show((double)e->gap * plan->hop).text);
    else if (plan->how.firm && e->wanted <= frames)
        snprintf(text, sizeof text, "%s: %zu events do not fit into %s s, %s s apart; %zu are written", row.text,
                 e->wanted, length.text, lc_time_show(plan->gap).text, e->spots_len);
    else
        snprintf(text, sizeof text, "%s: %zu events do not fit into the %zu frames of the clip; %zu are written",
                 row.text, e->wanted, frames, e->spots_len);
    plan->notice(plan->context, text);
}

static void notice_overlap(const enrich_job *j, size_t twice)
{
    char text[400];
    if (twice == 0 || j->plan->notice == NULL)
        return;
    snprintf(text, sizeof text, "%s: %zu %s that two rows with overlapping clips both have, written once",
             lc_place_show((lc_place){j->plan->where, j->items[0].clip->row, j->plan->classes[j->kind]}).text, twice,
             twice == 1 ? "event" : "events");
    j->plan->notice(j->plan->context, text);
}

/* ---- one clip ---- */

static double offset_of(const enrich_job *j)
{
    return j->plan->offsets != NULL ? j->plan->offsets[j->kind] : 0;
}

static size_t first_frame(const enrich_job *j, double seconds)
{
    double frame = seconds > 0 ? ceil((seconds + offset_of(j)) / j->plan->hop) : 0;
    return (size_t)fmin(fmax(frame, 0), (double)j->task->T);
}

/* Into the clip, and so that it stays there when it is rounded to microseconds. */
static double inside(const lc_clip *clip, double time)
{
    return fmax(fmin(time, clip->end - BEFORE_END), fmax(clip->start, 0));
}

/* A class without a count: the events of the decoder within the clip. */
static loco_status add_plain(enrich_job *j, const lc_clip *clip, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && j->task->plain != NULL && i < j->task->plain->len; i++) {
        const loco_event *event = &j->task->plain->events[i];
        if (event->kind == j->kind && event->time >= clip->start && event->time < clip->end)
            status = add(j, &(item){*event, event->time, clip, false}, err);
    }
    return status;
}

/* The first frame that a firm gap leaves to a clip: behind the last event of the clips that end before it. */
static size_t free_frame(const enrich_job *j, const lc_clip *clip, size_t first)
{
    double last = -INFINITY;
    for (size_t i = j->len; j->plan->how.firm && i-- > 0;)
        if (j->items[i].clip->end <= clip->start)
            last = fmax(last, j->items[i].frame_time);
    if (last + j->plan->gap <= clip->start)
        return first;
    size_t at = first_frame(j, last + j->plan->gap - 1e-9);
    return at > first ? at : first;
}

static loco_status add_clip(enrich_job *j, const lc_clip *clip, loco_err *err)
{
    const lc_enrich_task *task = j->task;
    size_t K = j->plan->K, from = first_frame(j, clip->start), to = first_frame(j, clip->end);
    size_t first = free_frame(j, clip, from);
    first = first < to ? first : to;
    loco_status status = lc_enrich_clip(j->enricher, &j->plan->how, task->logits + first * K + j->kind, to - first, K,
                                        clip->labels[j->kind], err);
    for (size_t i = 0; status == LOCO_OK && i < j->enricher->spots_len; i++) {
        const lc_spot *spot = &j->enricher->spots[i];
        double at = (double)(first + spot->frame) * j->plan->hop - offset_of(j);
        double time = ((double)first + spot->place) * j->plan->hop - offset_of(j);
        item made = {
            {inside(clip, time), j->kind, spot->probability, 0},
            inside(clip, at), clip, false
        };
        status = add(j, &made, err);
    }
    if (status != LOCO_OK)
        return status;
    notice_row(j, clip, to - first);
    for (size_t t = from; task->posterior != NULL && t < to; t++)
        task->posterior[t * K + j->kind] = t < first ? 0 : (float)j->enricher->posterior[t - first];
    return LOCO_OK;
}

/* ---- all clips of a class ---- */

static int by_time(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->event.time < y->event.time || x->event.time > y->event.time)
        return x->event.time < y->event.time ? -1 : 1;
    return (x->event.probability < y->event.probability) - (x->event.probability > y->event.probability);
}

static bool overlap(const lc_clip *a, const lc_clip *b)
{
    return a != b && a->start < b->end && b->start < a->end;
}

/* Returns how many events were dropped because a clip that overlaps has them, too. */
static size_t drop_doubles(const enrich_job *j)
{
    double near = j->plan->how.firm ? j->plan->gap : (double)j->plan->how.gap * j->plan->hop;
    size_t twice = 0;
    for (size_t i = 0; i < j->len; i++)
        for (size_t k = i + 1; k < j->len && j->items[k].event.time - j->items[i].event.time < near; k++) {
            item *a = &j->items[i], *b = &j->items[k];
            if (a->dropped || b->dropped || !overlap(a->clip, b->clip))
                continue;
            *(a->event.probability >= b->event.probability ? &b->dropped : &a->dropped) = true;
            twice++;
        }
    return twice;
}

/* Centroids may lie nearer than a firm gap, frames never do: two such events go back to their frames, which may bring
 * the first nearer to the one before it. */
static void keep_gap(const enrich_job *j)
{
    for (size_t i = 1; j->plan->how.firm && i < j->len;) {
        item *a = &j->items[i - 1], *b = &j->items[i];
        bool moved = a->event.time > a->frame_time || a->event.time < a->frame_time || b->event.time > b->frame_time ||
                     b->event.time < b->frame_time;
        if (b->event.time - a->event.time >= j->plan->gap || !moved) {
            i++;
            continue;
        }
        a->event.time = a->frame_time;
        b->event.time = b->frame_time;
        i = i > 1 ? i - 1 : i;
    }
}

static void drop_marked(enrich_job *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->len; i++)
        if (!j->items[i].dropped)
            j->items[kept++] = j->items[i];
    j->len = kept;
}

static loco_status add_class(enrich_job *j, lc_event_array *list, loco_err *err)
{
    const lc_enrich_task *task = j->task;
    loco_status status = LOCO_OK;
    j->len = 0;
    for (size_t i = 0; status == LOCO_OK && i < task->clips_len; i++)
        status = unknown(task->clips[i].labels[j->kind]) ? add_plain(j, &task->clips[i], err)
                                                         : add_clip(j, &task->clips[i], err);
    if (status != LOCO_OK || j->len == 0)
        return status;
    qsort(j->items, j->len, sizeof *j->items, by_time);
    notice_overlap(j, drop_doubles(j));
    drop_marked(j);
    keep_gap(j);
    for (size_t i = 0; i < j->len; i++)
        lc_event_array_add(list, &j->items[i].event);
    return list->failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of a recording") : LOCO_OK;
}

loco_status lc_enrich_recording(lc_enricher *enricher, const lc_enrich_plan *plan, const lc_enrich_task *task,
                                lc_event_array *list, loco_err *err)
{
    enrich_job j = {.enricher = enricher, .plan = plan, .task = task};
    size_t before = list->len;
    loco_status status = LOCO_OK;
    for (j.kind = 0; status == LOCO_OK && j.kind < plan->K; j.kind++)
        status = add_class(&j, list, err);
    free(j.items);
    if (status == LOCO_OK)
        lc_event_array_sort(list, before);
    else
        list->len = before;
    return status;
}

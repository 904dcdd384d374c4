/* SPDX-License-Identifier: MIT
 * enrich_image.c - the events of an image, from its clips with known counts. Definitions are in enrich_image.h. */
#include "detect/enrich_image.h"

#include "base/plain_text.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- messages ---- */

/* A part with fewer places than events. */
static void notice_rows(const lc_enrich_images *plan, const lc_clip *clip, const lc_logits *logits,
                        const lc_plane_box *box)
{
    char text[400];
    for (size_t k = 0; plan->notice != NULL && k < logits->K; k++) {
        lc_places p = lc_detect_places(plan->model, k, box, logits->T / logits->columns, logits->columns);
        lc_place row = {plan->where, clip->row, plan->model->classes[k]};
        if (clip->labels[k].lo <= lc_places_len(&p))
            continue;
        snprintf(text, sizeof text, "%s: %zu events do not fit into the %zu places of the clip; %zu are written",
                 lc_place_show(row).text, clip->labels[k].lo, lc_places_len(&p), lc_places_len(&p));
        plan->notice(plan->context, text);
    }
}

static void notice_overlap(const lc_enrich_images *plan, const lc_clip *clip, size_t twice)
{
    char text[400];
    if (twice == 0 || plan->notice == NULL)
        return;
    snprintf(text, sizeof text, "%s: %zu %s that two rows with overlapping clips both have, written once",
             lc_place_show((lc_place){plan->where, clip->row, NULL}).text, twice, twice == 1 ? "event" : "events");
    plan->notice(plan->context, text);
}

/* ---- clips that overlap ---- */

static bool overlap(const lc_plane_box *a, const lc_plane_box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool near(const loco_event *a, const loco_event *b, double gap)
{
    double right = a->x - b->x, down = a->time - b->time;
    return a->kind == b->kind && right * right + down * down < gap * gap;
}

/* An event of an earlier clip that overlaps, at the same place as the event; SIZE_MAX: none. starts: of each clip's events,
 * behind the last clip their end. */
static size_t find_double(const lc_event_array *list, const size_t *starts, const lc_plane_box *boxes, size_t clip,
                          size_t event, double gap)
{
    for (size_t c = 0; c < clip; c++)
        for (size_t i = starts[c]; overlap(&boxes[c], &boxes[clip]) && i < starts[c + 1]; i++)
            if (list->events[i].probability >= 0 && near(&list->events[i], &list->events[event], gap))
                return i;
    return SIZE_MAX;
}

/* Of two, the less probable one is marked by a probability of -1. */
static size_t mark_doubles(const lc_event_array *list, const size_t *starts, const lc_plane_box *boxes,
                           size_t clips_len, double gap)
{
    size_t twice = 0;
    for (size_t c = 1; c < clips_len; c++)
        for (size_t i = starts[c]; i < starts[c + 1]; i++) {
            size_t other = find_double(list, starts, boxes, c, i, gap);
            if (other == SIZE_MAX)
                continue;
            loco_event *a = &list->events[other], *b = &list->events[i];
            *(a->probability >= b->probability ? &b->probability : &a->probability) = -1;
            twice++;
        }
    return twice;
}

static void drop_marked(lc_event_array *list, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < list->len; i++)
        if (list->events[i].probability >= 0)
            list->events[kept++] = list->events[i];
    list->len = kept;
}

/* ---- an image ---- */

static loco_status add_clips(lc_event_array *list, size_t *starts, lc_plane_box *boxes, const lc_enrich_images *plan,
                             const lc_logits *logits, double height, const lc_clip *clips, size_t clips_len,
                             loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t c = 0; status == LOCO_OK && c < clips_len; c++) {
        boxes[c] = lc_clip_box(&clips[c], height);
        starts[c] = list->len;
        status = lc_detect_known(list, plan->model, plan->decoder, logits, &boxes[c], clips[c].labels, err);
        starts[c + 1] = list->len;
        if (status == LOCO_OK)
            notice_rows(plan, &clips[c], logits, &boxes[c]);
    }
    return status;
}

loco_status lc_enrich_image(lc_event_array *list, const lc_enrich_images *plan, const lc_logits *logits, double height,
                            const lc_clip *clips, size_t clips_len, loco_err *err)
{
    size_t before = list->len, *starts = calloc(clips_len + 1, sizeof *starts);
    lc_plane_box *boxes = calloc(clips_len + 1, sizeof *boxes);
    loco_status status = starts == NULL || boxes == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of an image")
                             : add_clips(list, starts, boxes, plan, logits, height, clips, clips_len, err);
    if (status == LOCO_OK) {
        size_t twice = mark_doubles(list, starts, boxes, clips_len, plan->decoder->how.gap);
        notice_overlap(plan, &clips[0], twice);
        drop_marked(list, before);
        lc_event_array_sort(list, before);
    } else {
        list->len = before;
    }
    free(starts);
    free(boxes);
    return status;
}

/* SPDX-License-Identifier: MIT
 * snap.c - moves events to the moment where the sound of their class begins: one pass over the sound, with a ring of
 * the rises that the next event can still need. */
#include "detect/snap.h"

#include "base/status.h"
#include "signal/onset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384, BANDS = LC_ONSET_BANDS };

struct lc_snapper {
    const double *weights; /* (K, BANDS) */
    double reach, hop;
    lc_onset *onset;
    float *rises; /* what a push of CHUNK samples can give */
    float *ring;  /* (ring_len, BANDS), frame t in row t % ring_len */
    size_t ring_len, frames;
    lc_event_array *list;
    size_t next; /* events before it are settled */
};

static double strength_at(const lc_snapper *s, size_t kind, size_t frame)
{
    const double *weights = s->weights + kind * BANDS;
    const float *rises = s->ring + frame % s->ring_len * BANDS;
    double sum = 0;
    for (size_t b = 0; b < BANDS; b++)
        sum += weights[b] * (double)rises[b];
    return sum;
}

/* Where nothing rises, an event stays. */
static void settle(const lc_snapper *s, loco_event *event)
{
    size_t oldest = s->frames > s->ring_len ? s->frames - s->ring_len : 0;
    double first = fmax(ceil((event->time - s->reach) / s->hop), (double)oldest);
    double last = fmin(floor((event->time + s->reach) / s->hop), (double)s->frames - 1);
    double sum = 0, moment = 0;
    if (first > last) /* behind the end */
        return;
    for (size_t t = (size_t)first; t <= (size_t)last; t++) {
        double strength = strength_at(s, event->kind, t);
        sum += strength * strength;
        moment += strength * strength * (double)t;
    }
    if (sum > 0)
        event->time = s->hop * moment / sum;
}

/* An event is settled with the first frame behind its reach. */
static void take(lc_snapper *s, size_t n)
{
    for (size_t t = 0; t < n; t++) {
        memcpy(s->ring + s->frames % s->ring_len * BANDS, s->rises + t * BANDS, BANDS * sizeof *s->rises);
        s->frames++;
        while (s->next < s->list->len && s->list->events[s->next].time + s->reach < s->hop * (double)(s->frames - 1))
            settle(s, &s->list->events[s->next++]);
    }
}

void lc_snapper_push(void *snapper, const float *samples, size_t n)
{
    lc_snapper *s = snapper;
    for (size_t at = 0; at < n; at += CHUNK)
        take(s, lc_onset_push(s->onset, samples + at, n - at < CHUNK ? n - at : CHUNK, s->rises));
}

void lc_snapper_end(lc_snapper *s)
{
    take(s, lc_onset_finish(s->onset, s->rises));
    while (s->next < s->list->len)
        settle(s, &s->list->events[s->next++]);
}

void lc_snapper_free(lc_snapper *s)
{
    if (s == NULL)
        return;
    free(s->rises);
    free(s->ring);
    lc_onset_free(s->onset);
    free(s);
}

/* The ring holds what is within reach of events that are known as late as that, and the frame behind it. */
static loco_status prepare(lc_snapper *s, const loco_model *model, double late, loco_err *err)
{
    loco_status status = lc_onset_new(&s->onset, model->frontend.rate, err);
    if (status != LOCO_OK)
        return status;
    s->hop = lc_onset_hop(s->onset);
    s->ring_len = 2 * (size_t)ceil(s->reach / s->hop) + 2 + (size_t)ceil(late / s->hop);
    s->rises = calloc(lc_onset_most(s->onset, CHUNK), BANDS * sizeof *s->rises);
    s->ring = calloc(s->ring_len, BANDS * sizeof *s->ring);
    if (s->rises == NULL || s->ring == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to place events");
    return LOCO_OK;
}

loco_status lc_snapper_new(lc_snapper **snapper, const loco_model *model, double reach, double late,
                           lc_event_array *list, loco_err *err)
{
    lc_snapper *s = calloc(1, sizeof *s);
    if (s == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to place events");
    *s = (lc_snapper){.weights = model->bands, .reach = reach, .list = list};
    loco_status status = prepare(s, model, late, err);
    if (status == LOCO_OK)
        *snapper = s;
    else
        lc_snapper_free(s);
    return status;
}

/* Up to the last event. */
static loco_status run(lc_snapper *s, lc_sound *sound, float *samples, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t got = 1; status == LOCO_OK && got > 0 && s->next < s->list->len;) {
        status = lc_sound_read(sound, samples, CHUNK, &got, err);
        if (status == LOCO_OK)
            lc_snapper_push(s, samples, got);
    }
    if (status == LOCO_OK)
        lc_snapper_end(s);
    return status;
}

loco_status lc_snap(const loco_model *model, double reach, lc_sound *sound, loco_event *events, size_t n, loco_err *err)
{
    lc_event_array list = {.events = events, .len = n};
    lc_snapper *s = NULL;
    loco_status status = lc_snapper_new(&s, model, reach, 0, &list, err);
    if (status != LOCO_OK)
        return status;
    float *samples = malloc(CHUNK * sizeof *samples);
    status = samples != NULL ? run(s, sound, samples, err)
                             : lc_err_set(err, LOCO_ENOMEM, "out of memory to place %zu events", n);
    free(samples);
    lc_snapper_free(s);
    return status;
}

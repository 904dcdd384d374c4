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

typedef struct snapper {
    const double *weights; /* (K, BANDS) */
    double reach, hop;
    lc_onset *onset;
    float *samples; /* (CHUNK) */
    float *rises;   /* what a push of CHUNK samples can give */
    float *ring;    /* (ring_len, BANDS), frame t in row t % ring_len */
    size_t ring_len, frames;
    loco_event *events;
    size_t n, next; /* events before next are settled */
} snapper;

static double strength_at(const snapper *s, size_t kind, size_t frame)
{
    const double *weights = s->weights + kind * BANDS;
    const float *rises = s->ring + frame % s->ring_len * BANDS;
    double sum = 0;
    for (size_t b = 0; b < BANDS; b++)
        sum += weights[b] * (double)rises[b];
    return sum;
}

/* Where nothing rises, an event stays. */
static void settle(const snapper *s, loco_event *event)
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
static void take(snapper *s, const float *rises, size_t n)
{
    for (size_t t = 0; t < n; t++) {
        memcpy(s->ring + s->frames % s->ring_len * BANDS, rises + t * BANDS, BANDS * sizeof *rises);
        s->frames++;
        while (s->next < s->n && s->events[s->next].time + s->reach < s->hop * (double)(s->frames - 1))
            settle(s, &s->events[s->next++]);
    }
}

static loco_status run(snapper *s, lc_sound *sound, loco_err *err)
{
    size_t got = 1;
    while (got > 0 && s->next < s->n) {
        loco_status status = lc_sound_read(sound, s->samples, CHUNK, &got, err);
        if (status != LOCO_OK)
            return status;
        take(s, s->rises, lc_onset_push(s->onset, s->samples, got, s->rises));
    }
    take(s, s->rises, lc_onset_finish(s->onset, s->rises));
    while (s->next < s->n)
        settle(s, &s->events[s->next++]);
    return LOCO_OK;
}

loco_status lc_snap(const loco_model *model, double reach, lc_sound *sound, loco_event *events, size_t n, loco_err *err)
{
    snapper s = {.weights = model->bands, .reach = reach, .events = events, .n = n};
    loco_status status = lc_onset_new(&s.onset, model->frontend.rate, err);
    if (status != LOCO_OK)
        return status;
    s.hop = lc_onset_hop(s.onset);
    s.ring_len = 2 * (size_t)ceil(reach / s.hop) + 2; /* those within reach, and the one behind them */
    s.samples = malloc(CHUNK * sizeof *s.samples);
    s.rises = calloc(lc_onset_most(s.onset, CHUNK), BANDS * sizeof *s.rises);
    s.ring = calloc(s.ring_len, BANDS * sizeof *s.ring);
    if (s.samples == NULL || s.rises == NULL || s.ring == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to place %zu events", n);
    else
        status = run(&s, sound, err);
    free(s.samples);
    free(s.rises);
    free(s.ring);
    lc_onset_free(s.onset);
    return status;
}

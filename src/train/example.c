/* SPDX-License-Identifier: MIT
 * example.c - one example: read with context, labelled, changed at random, turned into frames.
 *
 *   context | clip | context    seconds of the recording, read `speed` times as fast
 *             begin..end        the frames whose centre lies in the clip: only these are counted
 *
 * The context keeps events at the edges honest: the network sees what surrounds a clip, as it will in a recording. */
#include "train/example.h"

#include "data/augment.h"
#include "signal/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double lc_draw_swing(lc_rng *rng, double most)
{
    return most * (2 * lc_rng_uniform(rng) - 1);
}

size_t lc_draw_below(lc_rng *rng, size_t n)
{
    return (size_t)(lc_rng_uniform(rng) * (double)n);
}

static double clip_end(const lc_stock *stock, const lc_clip *clip)
{
    return isfinite(clip->end) ? clip->end : lc_sounds_seconds(stock->sounds, clip->recording);
}

double lc_clip_seconds(const lc_stock *stock, const lc_clip *clip)
{
    return clip_end(stock, clip) - clip->start;
}

void lc_draw_clip(const lc_stock *stock, size_t index, lc_draw *d)
{
    const lc_clip *clip = &stock->set->clips[index];
    d->recording = clip->recording;
    d->start = clip->start;
    d->end = clip_end(stock, clip);
    d->labels = clip->labels;
}

/* ---- reading ---- */

/* Frames the clip covers: from the first sample of the clip to the one behind its last, in frames' centres. */
static void set_range(const lc_stock *stock, const lc_draw *d, lc_example *e)
{
    double rate = stock->recipe->frontend.rate, hop = (double)stock->recipe->frontend.hop;
    double before = stock->recipe->context * rate, inside = (d->end - d->start) / d->speed / d->stretch * rate;
    e->begin = (size_t)ceil(before / hop);
    e->end = (size_t)ceil((before + inside) / hop);
    e->end = e->end > e->T ? e->T : e->end;
    e->begin = e->begin >= e->end ? e->end - 1 : e->begin;
}

/* Stretching needs memory of its own; the library that does it allocates anyway. */
static loco_status stretch(const lc_stock *stock, const lc_draw *d, const lc_bench *w, size_t *n, loco_err *err)
{
    float *longer = NULL;
    size_t got = 0;
    loco_status status = lc_stretch(w->samples, *n, stock->recipe->frontend.rate, 1 / d->stretch, &longer, &got, err);
    if (status != LOCO_OK)
        return status;
    *n = got < stock->most_samples ? got : stock->most_samples;
    memcpy(w->samples, longer, *n * sizeof *longer);
    free(longer);
    return LOCO_OK;
}

static loco_status read_sound(const lc_stock *stock, const lc_draw *d, const lc_bench *w, size_t *n, loco_err *err)
{
    const lc_recipe *r = stock->recipe;
    double around = r->context * d->speed * d->stretch, lead = (double)(stock->lead * r->frontend.hop);
    *n = (size_t)ceil((d->end - d->start + 2 * around) / d->speed * r->frontend.rate + lead);
    *n = *n < stock->most_samples ? *n : stock->most_samples;
    double start = d->start - around - lead * d->speed / r->frontend.rate;
    loco_status status = lc_sounds_read(stock->sounds, d->recording, start, d->speed, w->samples, *n, err);
    if (status == LOCO_OK && d->stretch != 1)
        status = stretch(stock, d, w, n, err);
    return status;
}

/* ---- labels ---- */

/* The frame that is nearest to an event, which may lie outside of the clip. */
static double frame_of(const lc_stock *stock, const lc_draw *d, double time)
{
    double rate = stock->recipe->frontend.rate, hop = (double)stock->recipe->frontend.hop;
    return nearbyint(((time - d->start) / d->speed / d->stretch + stock->recipe->context) * rate / hop);
}

/* Events that fall into one frame are one there. */
static void mark(const lc_stock *stock, lc_slot *s, const lc_example *e, double frame, size_t kind)
{
    if (frame >= (double)e->begin && frame < (double)e->end)
        s->events[(size_t)frame * stock->K + kind] = 1;
}

double lc_stock_most(const lc_stock *stock, size_t label, double frames)
{
    return label < stock->K ? frames : frames * (double)stock->set->sums[label - stock->K].members_len;
}

/* Counts and, when asked for, times from the events of a timed recording: every class is known, so that sums say
 * nothing. */
static void label_by_events(const lc_stock *stock, const lc_draw *d, lc_slot *s, const lc_example *e, bool times)
{
    const lc_recording *recording = &stock->set->recordings[d->recording];
    if (times)
        memset(s->events, 0, e->T * stock->K);
    for (size_t k = 0; k < stock->K; k++) {
        size_t counts = 0;
        for (size_t i = 0; i < recording->events_len; i++) {
            const loco_event *event = &recording->events[i];
            if (event->kind != k)
                continue;
            counts += event->time >= d->start && event->time < d->end;
            if (times)
                mark(stock, s, e, frame_of(stock, d, event->time), k);
        }
        s->labels[k] = loco_label_exact(counts < e->end - e->begin ? counts : e->end - e->begin);
    }
    for (size_t i = 0; i < stock->set->sums_len; i++)
        s->labels[stock->K + i] = loco_label_unknown();
}

static loco_label add_labels(loco_label a, loco_label b)
{
    bool open = a.hi == LOCO_NO_LIMIT || b.hi == LOCO_NO_LIMIT;
    return loco_label_range(a.lo + b.lo, open ? LOCO_NO_LIMIT : a.hi + b.hi);
}

/* Both ends rise from 0 and fall to it over `edge` samples: a cut must not sound like an event. */
static void fade(float *samples, size_t n, size_t edge)
{
    for (size_t i = 0; i < edge && i < n; i++) {
        samples[i] *= (float)i / (float)edge;
        samples[n - 1 - i] *= (float)i / (float)edge;
    }
}

/* The events of a clip that was mixed in from sample `begin` on. */
static void mark_mixed(const lc_stock *stock, const lc_draw *other, lc_slot *s, const lc_example *e, size_t begin)
{
    const lc_recording *recording = &stock->set->recordings[other->recording];
    double rate = stock->recipe->frontend.rate, hop = (double)stock->recipe->frontend.hop;
    for (size_t i = 0; i < recording->events_len; i++) {
        double time = recording->events[i].time, at = ((double)begin + (time - other->start) * rate) / hop;
        if (time >= other->start && time < other->end)
            mark(stock, s, e, nearbyint(at), recording->events[i].kind);
    }
}

/* Mixes a second given clip, without its surroundings, somewhere into the first: counts add. Only what fits, in length
 * and in number, is mixed, and where times teach only what has times. */
static loco_status mix(const lc_stock *stock, lc_draw *d, const lc_bench *w, lc_slot *s, const lc_example *e, size_t n,
                       bool times, loco_err *err)
{
    double rate = stock->recipe->frontend.rate;
    lc_draw other = {.speed = 1, .stretch = 1};
    lc_draw_clip(stock, stock->clips[lc_draw_below(&d->rng, stock->clips_len)], &other);
    size_t len = (size_t)((other.end - other.start) * rate), begin = (size_t)(stock->recipe->context * rate);
    size_t room = (size_t)((d->end - d->start) / d->speed / d->stretch * rate);
    if (len > room || begin + room > n || (times && !stock->set->recordings[other.recording].timed))
        return LOCO_OK;
    size_t labels = stock->K + stock->set->sums_len;
    for (size_t k = 0; k < labels; k++)
        if ((double)add_labels(s->labels[k], other.labels[k]).lo > lc_stock_most(stock, k, (double)(e->end - e->begin)))
            return LOCO_OK;
    loco_status status = lc_sounds_read(stock->sounds, other.recording, other.start, 1, w->second, len, err);
    if (status != LOCO_OK)
        return status;
    fade(w->second, len, (size_t)(0.002 * rate));
    begin += lc_draw_below(&d->rng, room - len + 1);
    lc_augment_mix(w->samples + begin, w->second, len, 6, &d->rng);
    for (size_t k = 0; k < labels; k++)
        s->labels[k] = add_labels(s->labels[k], other.labels[k]);
    if (times)
        mark_mixed(stock, &other, s, e, begin);
    return LOCO_OK;
}

/* ---- one example ---- */

/* Noise of any colour, from inaudible (60 dB below) up to what the recipe allows. */
static void change_sound(const lc_stock *stock, lc_draw *d, const lc_bench *w, size_t n)
{
    const lc_recipe *r = stock->recipe;
    double rate = r->frontend.rate;
    if (r->frontend.kind == LC_FRONT_SERIES) {
        lc_augment_change most = {.noise = r->noise, .gain = r->gain, .flip = r->flip};
        most.reach = (size_t)nearbyint(r->shape * rate);
        lc_augment_series(w->samples, n, stock->inputs, &most, &d->rng);
        return;
    }
    if (r->tilt > 0)
        lc_augment_colour(w->samples, n, rate, r->tilt, &d->rng);
    if (r->noise > -120) {
        double slope = lc_draw_swing(&d->rng, 3) - 3, snr = 60 - (60 + r->noise) * lc_rng_uniform(&d->rng);
        lc_augment_noise(w->samples, n, rate, slope, snr, &d->rng, w->second);
    }
    if (r->gain > 0)
        lc_augment_gain(w->samples, n, lc_draw_swing(&d->rng, r->gain));
}

loco_status lc_example_make(const lc_stock *stock, lc_draw *d, const lc_bench *w, lc_slot *s, lc_example *e,
                            loco_err *err)
{
    size_t n = 0;
    bool times = stock->taught[d->recording];
    loco_status status = read_sound(stock, d, w, &n, err);
    if (status != LOCO_OK)
        return status;
    size_t whole = (n + stock->recipe->frontend.hop - 1) / stock->recipe->frontend.hop;
    *e = (lc_example){.frames = s->frames + stock->lead * stock->size, .T = whole - stock->lead};
    set_range(stock, d, e);
    if (d->labels == NULL || times)
        label_by_events(stock, d, s, e, times);
    if (d->labels != NULL)
        memcpy(s->labels, d->labels, (stock->K + stock->set->sums_len) * sizeof *s->labels);
    bool mixes = d->change && d->labels != NULL && lc_rng_uniform(&d->rng) < stock->recipe->mix;
    if (mixes)
        status = mix(stock, d, w, s, e, n, times, err);
    if (status != LOCO_OK)
        return status;
    if (d->change)
        change_sound(stock, d, w, n);
    lc_frontend_rescale(w->front, stock->scales != NULL ? &stock->scales[d->recording] : NULL);
    lc_frontend_reset(w->front);
    size_t T = lc_frontend_push(w->front, w->samples, n, s->frames);
    T += lc_frontend_finish(w->front, s->frames + T * stock->size);
    e->T = T - stock->lead < e->T ? T - stock->lead : e->T;
    e->labels = times ? NULL : s->labels;
    e->events = times ? s->events : NULL;
    e->loss = (lc_loss)stock->recipe->loss;
    e->sums = stock->set->sums;
    e->sums_len = stock->set->sums_len;
    e->room = s->room;
    return LOCO_OK;
}

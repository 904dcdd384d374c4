/* SPDX-License-Identifier: MIT
 * example.c - one example: read with context, labelled, changed at random, turned into frames.
 *
 *   context | clip | context    seconds of the recording, read `speed` times as fast
 *             begin..end        the frames whose centre lies in the clip: only these are counted
 *
 * With the context, the network sees what surrounds a clip, as it will in a recording. */
#include "train/example.h"

#include "base/status.h"
#include "data/augment.h"
#include "data/stretch.h"
#include "train/transposed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One example while it is made. */
typedef struct example_work {
    const lc_example_source *source;
    lc_draw *draw;
    const lc_example_scratch *scratch;
    lc_slot *slot;
    lc_example *example;
    size_t n;   /* samples read */
    bool times; /* event times are learned from */
} example_work;

double lc_draw_swing(lc_rng *rng, double most)
{
    return most * (2 * lc_rng_uniform(rng) - 1);
}

size_t lc_draw_below(lc_rng *rng, size_t n)
{
    return (size_t)(lc_rng_uniform(rng) * (double)n);
}

/* The end of an open clip is that of its recording. */
static double clip_end(const lc_example_source *source, const lc_clip *clip)
{
    return isfinite(clip->end) ? clip->end : lc_sounds_seconds(source->sounds, clip->recording);
}

double lc_clip_seconds(const lc_example_source *source, const lc_clip *clip)
{
    return clip_end(source, clip) - clip->start;
}

void lc_draw_clip(const lc_example_source *source, size_t index, lc_draw *d)
{
    const lc_clip *clip = &source->set->clips[index];
    d->recording = clip->recording;
    d->start = clip->start;
    d->end = clip_end(source, clip);
    d->left = clip->left;
    d->right = clip->right;
    d->labels = clip->labels;
}

/* ---- reading ---- */

/* Frames the clip covers: from the first sample of the clip to the one behind its last, in frames' centres. */
static void set_range(const lc_example_source *source, const lc_draw *d, lc_example *e)
{
    double rate = source->recipe->frontend.rate, hop = (double)source->recipe->frontend.hop;
    double before = source->recipe->clips.context * rate, inside = (d->end - d->start) / d->speed / d->stretch * rate;
    e->begin = (size_t)ceil(before / hop);
    e->end = (size_t)ceil((before + inside) / hop);
    e->end = e->end > e->T ? e->T : e->end;
    e->begin = e->begin >= e->end ? e->end - 1 : e->begin;
}

/* Stretching needs memory of its own; the library that does it allocates anyway. */
static loco_status stretch(const lc_example_source *source, const lc_draw *d, const lc_example_scratch *w, size_t *n,
                           loco_err *err)
{
    float *longer = NULL;
    size_t got = 0;
    loco_status status = lc_stretch(w->samples, *n, source->recipe->frontend.rate, 1 / d->stretch, &longer, &got, err);
    if (status != LOCO_OK)
        return status;
    *n = got < source->most_samples ? got : source->most_samples;
    memcpy(w->samples, longer, *n * sizeof *longer);
    free(longer);
    return LOCO_OK;
}

/* Reads (clip + 2 * context) * rate / speed samples, `lead` frames before and `tail` frames behind them. All of it is
 * stretched along with the clip: it is in seconds of the result. */
static loco_status read_sound(const lc_example_source *source, const lc_draw *d, const lc_example_scratch *w, size_t *n,
                              loco_err *err)
{
    const lc_recipe *r = source->recipe;
    double around = r->clips.context * d->speed * d->stretch,
           lead = (double)(source->lead * r->frontend.hop) * d->stretch;
    double tail = (double)(source->tail * r->frontend.hop) * d->stretch;
    *n = (size_t)ceil((d->end - d->start + 2 * around) / d->speed * r->frontend.rate + lead + tail);
    *n = *n < source->most_samples ? *n : source->most_samples;
    double start = d->start - around - lead * d->speed / r->frontend.rate;
    loco_status status = lc_sounds_read(source->sounds, d->recording, start, d->speed, w->samples, *n, err);
    if (status == LOCO_OK && d->stretch != 1)
        status = stretch(source, d, w, n, err);
    return status;
}

/* ---- labels ---- */

/* The frame that is nearest to an event, which may lie outside of the clip. */
static double frame_of(const lc_example_source *source, const lc_draw *d, double time)
{
    double rate = source->recipe->frontend.rate, hop = (double)source->recipe->frontend.hop;
    return nearbyint(((time - d->start) / d->speed / d->stretch + source->recipe->clips.context) * rate / hop);
}

/* Events that fall into one frame are one there. */
static void mark(const example_work *w, double frame, size_t kind)
{
    if (frame >= (double)w->example->begin && frame < (double)w->example->end)
        w->slot->events[(size_t)frame * w->source->K + kind] = 1;
}

/* Of a rectangle in an image; everything else has no columns. */
static bool is_inside(const lc_draw *d, const loco_event *event)
{
    return !(d->right > 0) || (event->x >= d->left && event->x < d->right);
}

/* The same of an event of an image, and its cells. */
static void mark_place(const example_work *w, const loco_event *event)
{
    const lc_frontend_settings *front = &w->source->recipe->frontend;
    size_t P = w->source->places, channels = front->channels;
    double x = event->x - ceil(w->draw->left), y = event->time - w->draw->start, cell = (double)front->hop;
    if (!is_inside(w->draw, event))
        return;
    lc_augment_turn_place(&x, &y, w->n, w->source->inputs / channels, w->draw->turn);
    if (w->draw->warp.a > 0)
        lc_augment_warp_place(&x, &y, w->n, w->source->inputs / channels, &w->draw->warp);
    double frame = floor(y / cell), place = fmin(floor(fmax(x, 0) / cell), (double)(P - 1));
    if (frame >= (double)w->example->begin && frame < (double)w->example->end)
        w->slot->events[((size_t)frame * P + (size_t)place) * w->source->K + event->kind] = 1;
}

double lc_example_longest(const lc_example_source *source, size_t label, double frames)
{
    double most = frames * (double)source->places;
    return label < source->K ? most : most * (double)source->set->sums[label - source->K].members_len;
}

/* Counts and, when asked for, times from the events of a timed recording: every class is known, so that sums say
 * nothing. */
static void label_by_events(const example_work *w)
{
    const lc_example_source *source = w->source;
    const lc_recording *recording = &source->set->recordings[w->draw->recording];
    size_t most = (w->example->end - w->example->begin) * source->places;
    if (w->times)
        memset(w->slot->events, 0, w->example->T * source->places * source->K);
    for (size_t k = 0; k < source->K; k++) {
        size_t counts = 0;
        for (size_t i = 0; i < recording->events_len; i++) {
            const loco_event *event = &recording->events[i];
            if (event->kind != k)
                continue;
            counts += event->time >= w->draw->start && event->time < w->draw->end && is_inside(w->draw, event);
            if (w->times && source->recipe->frontend.ops->picture)
                mark_place(w, event);
            else if (w->times)
                mark(w, frame_of(source, w->draw, event->time), k);
        }
        w->slot->labels[k] = loco_label_exact(counts < most ? counts : most);
    }
    for (size_t i = 0; i < source->set->sums_len; i++)
        w->slot->labels[source->K + i] = loco_label_unknown();
}

/* The label of two clips together: bounds add, and a sum with an open one is open. */
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
static void mark_mixed(const example_work *w, const lc_draw *other, size_t begin)
{
    const lc_recording *recording = &w->source->set->recordings[other->recording];
    const lc_frontend_settings *front = &w->source->recipe->frontend;
    for (size_t i = 0; i < recording->events_len; i++) {
        double time = recording->events[i].time;
        double at = ((double)begin + (time - other->start) * front->rate) / (double)front->hop;
        if (time >= other->start && time < other->end)
            mark(w, nearbyint(at), recording->events[i].kind);
    }
}

/* Whether the frames can hold the events of both clips, of every class and sum. */
static bool counts_fit(const example_work *w, const lc_draw *other, size_t labels)
{
    double frames = (double)(w->example->end - w->example->begin);
    for (size_t k = 0; k < labels; k++)
        if ((double)add_labels(w->slot->labels[k], other->labels[k]).lo > lc_example_longest(w->source, k, frames))
            return false;
    return true;
}

/* Mixes a second given clip, without its surroundings, somewhere into the first: counts add. Only what fits, in length
 * and in number, is mixed, and where times are learned from only what has times. */
static loco_status mix(const example_work *w, loco_err *err)
{
    const lc_example_source *source = w->source;
    lc_draw *d = w->draw, other = {.speed = 1, .stretch = 1};
    double rate = source->recipe->frontend.rate;
    lc_draw_clip(source, source->clips[lc_draw_below(&d->rng, source->clips_len)], &other);
    size_t len = (size_t)((other.end - other.start) * rate), begin = (size_t)(source->recipe->clips.context * rate);
    size_t room = (size_t)((d->end - d->start) / d->speed / d->stretch * rate);
    size_t labels = source->K + source->set->sums_len;
    if (len > room || source->lead * source->recipe->frontend.hop + begin + room > w->n ||
        (w->times && !source->set->recordings[other.recording].timed) || !counts_fit(w, &other, labels))
        return LOCO_OK;
    float *second = w->scratch->second;
    loco_status status = lc_sounds_read(source->sounds, other.recording, other.start, 1, second, len, err);
    if (status != LOCO_OK)
        return status;
    fade(second, len, (size_t)(0.002 * rate));
    begin += lc_draw_below(&d->rng, room - len + 1);
    lc_augment_mix(w->scratch->samples + source->lead * source->recipe->frontend.hop + begin, second, len, 6, &d->rng);
    for (size_t k = 0; k < labels; k++)
        w->slot->labels[k] = add_labels(w->slot->labels[k], other.labels[k]);
    if (w->times)
        mark_mixed(w, &other, begin);
    return LOCO_OK;
}

/* ---- one example ---- */

/* Noise of any colour, from inaudible (60 dB below) up to what the recipe allows. */
static void change_sound(const example_work *w)
{
    const lc_recipe *r = w->source->recipe;
    const lc_recipe_augmentation *most = &r->augment;
    lc_rng *rng = &w->draw->rng;
    float *samples = w->scratch->samples;
    double rate = r->frontend.rate;
    if (r->frontend.ops->picture) {
        lc_augment_image(samples, w->n * w->source->inputs, most->gain, most->noise, rng);
        return;
    }
    if (!r->frontend.ops->sound) {
        lc_augment_change change = {.noise = most->noise, .gain = most->gain, .flip = most->flip};
        change.reach = (size_t)nearbyint(most->shape * rate);
        lc_augment_series(samples, w->n, w->source->inputs, &change, rng);
        return;
    }
    if (most->tilt > 0)
        lc_augment_colour(samples, w->n, rate, most->tilt, rng);
    if (most->noise > -120) {
        double slope = lc_draw_swing(rng, 3) - 3, snr = 60 - (60 + most->noise) * lc_rng_uniform(rng);
        lc_augment_noise(samples, w->n, rate, slope, snr, rng, w->scratch->second);
    }
    if (most->gain > 0)
        lc_augment_gain(samples, w->n, lc_draw_swing(rng, most->gain));
}

/* The samples as frames, of which those in front of the context and behind it are dropped. */
static void make_frames(const example_work *w)
{
    const lc_example_source *source = w->source;
    lc_frontend *front = w->scratch->front;
    lc_frontend_rescale(front, source->scales != NULL ? &source->scales[w->draw->recording] : NULL);
    lc_frontend_reset(front);
    size_t T = lc_frontend_push(front, w->scratch->samples, w->n, w->slot->frames);
    T += lc_frontend_finish(front, w->slot->frames + T * source->size);
    w->example->T = T - source->lead < w->example->T ? T - source->lead : w->example->T;
}

/* The columns of a rectangle come first; behind them its last one is repeated, as that at the edge of an image is. */
static loco_status crop(const example_work *w, loco_err *err)
{
    const lc_draw *d = w->draw;
    if (!(d->right > 0))
        return LOCO_OK;
    size_t channels = w->source->recipe->frontend.channels, columns = w->source->inputs / channels;
    double left = ceil(d->left), right = fmin(ceil(d->right), (double)columns);
    if (w->source->places == 1 || left < 0 || right <= left)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: columns %g to %g of %.80s cannot be counted alone; correct the rectangle, and use "
                          "the front end image",
                          w->source->set->where, d->left, d->right, w->source->set->recordings[d->recording].name);
    size_t n = (size_t)(right - left) * channels;
    for (size_t y = 0; y < w->n; y++) {
        float *row = w->scratch->samples + y * w->source->inputs;
        memmove(row, row + (size_t)left * channels, n * sizeof *row);
        for (size_t x = n; x < w->source->inputs; x++)
            row[x] = row[x - channels];
    }
    return LOCO_OK;
}

/* Mirrors and warps an image at random, before its events are marked. */
static void turn(const example_work *w)
{
    const lc_recipe *r = w->source->recipe;
    float *pixels = w->scratch->samples, *before = w->scratch->second;
    if (w->source->places == 1 || !w->draw->change)
        return;
    size_t channels = r->frontend.channels, columns = w->source->inputs / channels;
    unsigned most = r->augment.mirror == 1 || w->n != columns ? 4 : 8;
    if (r->augment.mirror > 0) {
        w->draw->turn = (unsigned)lc_draw_below(&w->draw->rng, most);
        lc_augment_turn(pixels, w->n, columns, channels, w->draw->turn);
    }
    if (r->augment.warp > 0) {
        w->draw->warp = lc_warp_draw(r->augment.warp, (double)r->frontend.hop / 2, &w->draw->rng);
        memcpy(before, pixels, w->n * w->source->inputs * sizeof *before);
        lc_augment_warp(pixels, before, w->n, columns, channels, &w->draw->warp);
    }
}

/* The order matters for the random numbers: whether to mix is drawn first, then the clip that is mixed in, then
 * noise and gain, then the transposition; a change of it changes every run. */
loco_status lc_example_make(const lc_example_source *source, lc_draw *d, const lc_example_scratch *scratch, lc_slot *s,
                            lc_example *e, loco_err *err)
{
    example_work w = {source, d, scratch, s, e, 0, source->taught[d->recording]};
    loco_status status = read_sound(source, d, scratch, &w.n, err);
    if (status != LOCO_OK)
        return status;
    size_t whole = (w.n + source->recipe->frontend.hop - 1) / source->recipe->frontend.hop;
    *e = (lc_example){.frames = s->frames + source->lead * source->size, .T = whole - source->lead - source->tail};
    set_range(source, d, e);
    status = crop(&w, err);
    if (status != LOCO_OK)
        return status;
    turn(&w);
    if (d->labels == NULL || w.times)
        label_by_events(&w);
    if (d->labels != NULL)
        memcpy(s->labels, d->labels, (source->K + source->set->sums_len) * sizeof *s->labels);
    bool mixes = d->change && d->labels != NULL && lc_rng_uniform(&d->rng) < source->recipe->augment.mix;
    if (mixes)
        status = mix(&w, err);
    if (status != LOCO_OK)
        return status;
    if (d->change)
        change_sound(&w);
    make_frames(&w);
    if (d->change && source->recipe->augment.transpose > 0)
        lc_transpose_example(source, &d->rng, s, e, w.times);
    e->labels = w.times ? NULL : s->labels;
    e->events = w.times ? s->events : NULL;
    e->loss = (lc_loss)source->recipe->loss;
    e->sharpen = d->sharpen;
    e->sums = source->set->sums;
    e->sums_len = source->set->sums_len;
    e->room = s->room;
    return LOCO_OK;
}

/* SPDX-License-Identifier: MIT
 * feed.c - clips as examples: read with context, changed at random, turned into frames.
 *
 *   context | clip | context    seconds of the recording, read `speed` times as fast
 *             begin..end        the frames whose centre lies in the clip: only these are counted
 *
 * The context keeps events at the edges honest: the network sees what surrounds a clip, as it will in a recording. All
 * items of a batch are made in parallel by the trainer's own threads before its step; at a thousand times real time the
 * front end takes a small part of a step, so that nothing has to run ahead.
 *
 * Given clips are drawn epoch by epoch, each once, in an order of the epoch's own. With `longest` set, clips are cut
 * freshly from timed recordings, anywhere and of any length in shortest..longest, and their counts derived.
 *
 * With `supervised` above 0, that part of the timed recordings is learned from by the times of its events and the rest
 * by counts. Both kinds are cut, changed and mixed alike, from the same random numbers: the runs supervised=0 and
 * supervised=1 hear the same sounds in the same order, and differ in what they are told about them alone. */
#include "train/feed.h"

#include "base/mem.h"
#include "base/status.h"
#include "data/augment.h"
#include "signal/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where one example comes from, and how it is changed. */
typedef struct draw {
    size_t recording;
    double start, end;
    const loco_label *labels; /* NULL: derived from the events */
    double speed, stretch;    /* as factors; 1: unchanged */
    bool change;              /* gain, noise, tilt, mixing */
    lc_rng rng;
} draw;

/* What one example needs while it is made and used. */
typedef struct slot {
    float *samples, *second; /* most_samples */
    float *frames;           /* (most_frames, size) */
    uint8_t *events;         /* (most_frames, K) or NULL */
    loco_label *labels;      /* K */
    loco_status status;
    loco_err err;
} slot;

struct lc_feed {
    const lc_dataset *set;
    const lc_sounds *sounds;
    const lc_recipe *recipe;
    lc_pool *pool;
    size_t *clips, clips_len; /* those that may be drawn */
    size_t *order;            /* of the epoch */
    uint64_t epoch;           /* counted from 1; 0: none yet */
    double *weight, total;    /* seconds of each recording that may be cut, and of all */
    uint8_t *taught;          /* 1 for each recording whose event times teach */
    size_t most_samples, most_frames, size, K;
    size_t inputs;    /* channels that are read: 1 of sound */
    size_t lead;      /* frames of a series in front of the context, dropped when filters have settled */
    lc_scale *scales; /* one a recording, or NULL: the front end's own */
    lc_block block;
    slot *slots;          /* batch */
    lc_example *examples; /* batch */
    draw *draws;          /* batch, of this call */
    lc_frontend **fronts; /* one a thread */
};

/* ---- construction ---- */

static bool cuts(const lc_feed *feed)
{
    return feed->recipe->longest > 0;
}

static double clip_end(const lc_feed *feed, const lc_clip *clip)
{
    return isfinite(clip->end) ? clip->end : lc_sounds_seconds(feed->sounds, clip->recording);
}

/* A clip that says nothing teaches nothing. */
static bool says_something(const lc_clip *clip, size_t K)
{
    for (size_t k = 0; k < K; k++)
        if (clip->labels[k].lo > 0 || clip->labels[k].hi != LOCO_NO_LIMIT)
            return true;
    return false;
}

/* Frames of a clip of so many seconds when it is read at its own speed. */
static double frames_of(const lc_feed *feed, double seconds)
{
    return floor(seconds * feed->recipe->frontend.rate / (double)feed->recipe->frontend.hop);
}

static loco_status check_clip(const lc_feed *feed, const lc_clip *clip, loco_err *err)
{
    double seconds = clip_end(feed, clip) - clip->start, frames = frames_of(feed, seconds);
    const char *where = feed->set->where;
    const lc_recording *recording = &feed->set->recordings[clip->recording];
    /* without times it would be taught that nothing happens */
    if (feed->recipe->supervised >= 1 && !recording->timed)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %.80s has no event times, and supervised=1 learns from these alone",
                          where, clip->row, recording->name);
    if (frames < 1)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: a clip of %.4f s is shorter than a frame", where, clip->row,
                          seconds);
    for (size_t k = 0; k < feed->K; k++)
        if ((double)clip->labels[k].lo > frames)
            return lc_err_set(
                err, LOCO_EDATA,
                "%s:%zu: %zu events of %.60s in %.3f s are more than one in each of its %.0f frames; mend "
                "the count, or set a shorter frontend.hop",
                where, clip->row, clip->labels[k].lo, feed->set->classes[k], seconds, frames);
    return LOCO_OK;
}

/* Regression knows what to do with a number alone. */
static loco_status check_exact(const lc_feed *feed, const lc_clip *clip, loco_err *err)
{
    char label[64];
    for (size_t k = 0; feed->recipe->supervised < 1 && k < feed->K; k++) {
        loco_label_format(label, sizeof label, clip->labels[k]);
        if (!lc_objective_takes((lc_loss)feed->recipe->loss, clip->labels[k]))
            return lc_err_set(err, LOCO_EDATA,
                              "%s:%zu: %s of %.60s is no exact count; only loss=exact learns from ranges",
                              feed->set->where, clip->row, label, feed->set->classes[k]);
    }
    return LOCO_OK;
}

static loco_status list_clips(lc_feed *feed, const uint8_t *use, double *longest, loco_err *err)
{
    for (size_t i = 0; i < feed->set->clips_len; i++) {
        const lc_clip *clip = &feed->set->clips[i];
        if (!use[i] || !says_something(clip, feed->K))
            continue;
        loco_status status = check_clip(feed, clip, err);
        if (status == LOCO_OK)
            status = check_exact(feed, clip, err);
        if (status != LOCO_OK)
            return status;
        feed->clips[feed->clips_len++] = i;
        *longest = fmax(*longest, clip_end(feed, clip) - clip->start);
    }
    if (feed->clips_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%.150s: no clip with a count is left to learn from", feed->set->where);
    return LOCO_OK;
}

static loco_status list_recordings(lc_feed *feed, const uint8_t *use, double *longest, loco_err *err)
{
    for (size_t i = 0; i < feed->set->recordings_len; i++) {
        double seconds = lc_sounds_seconds(feed->sounds, i);
        bool good = use[i] && feed->set->recordings[i].timed && seconds >= feed->recipe->longest;
        feed->weight[i] = good ? seconds : 0;
        feed->total += feed->weight[i];
    }
    *longest = feed->recipe->longest;
    if (feed->total <= 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: no recording with event times is as long as %g s; fresh clips cannot be cut",
                          feed->set->where, feed->recipe->longest);
    return LOCO_OK;
}

/* A random part of the timed recordings that are drawn from, rounded up. */
static void choose_taught(lc_feed *feed)
{
    size_t n = feed->set->recordings_len, left = 0;
    lc_rng rng = lc_rng_seed(feed->recipe->seed + 0x7ea);
    for (size_t i = 0; i < feed->clips_len; i++)
        feed->taught[feed->set->clips[feed->clips[i]].recording] = 1;
    for (size_t i = 0; i < n; i++) {
        feed->taught[i] = (feed->taught[i] || feed->weight[i] > 0) && feed->set->recordings[i].timed;
        left += feed->taught[i];
    }
    /* each in turn is kept with the chance that leaves exactly as many as wanted */
    double wanted = ceil(feed->recipe->supervised * (double)left - 1e-9);
    for (size_t i = 0; i < n; i++) {
        if (!feed->taught[i])
            continue;
        feed->taught[i] = lc_rng_uniform(&rng) * (double)left < wanted;
        wanted -= feed->taught[i];
        left--;
    }
}

static void layout(lc_feed *feed, lc_arena *arena)
{
    size_t batch = (size_t)feed->recipe->batch;
    feed->slots = lc_arena_take(arena, batch, sizeof *feed->slots);
    feed->examples = lc_arena_take(arena, batch, sizeof *feed->examples);
    feed->draws = lc_arena_take(arena, batch, sizeof *feed->draws);
    for (size_t b = 0; b < batch; b++) {
        float *samples = lc_arena_take(arena, feed->most_samples, feed->inputs * sizeof(float));
        float *second = lc_arena_take(arena, feed->most_samples, sizeof(float));
        float *frames = lc_arena_take(arena, feed->most_frames, feed->size * sizeof(float));
        uint8_t *events = lc_arena_take(arena, feed->recipe->supervised > 0 ? feed->most_frames : 0, feed->K);
        loco_label *labels = lc_arena_take(arena, feed->K, sizeof(loco_label));
        if (arena->base != NULL)
            feed->slots[b] = (slot){.samples = samples,
                                    .second = second,
                                    .frames = frames,
                                    .events = feed->recipe->supervised > 0 ? events : NULL,
                                    .labels = labels};
    }
}

static loco_status allocate(lc_feed *feed, double longest, loco_err *err)
{
    const lc_recipe *r = feed->recipe;
    double slowest = (1 - r->speed) * (1 - r->stretch);
    feed->most_samples = (size_t)ceil((longest / slowest + 2 * r->context) * r->frontend.rate) + 2 +
                         feed->lead * r->frontend.hop;
    feed->most_frames = feed->most_samples / r->frontend.hop + 2;
    lc_arena arena = {0};
    layout(feed, &arena);
    if (!lc_block_reserve(&feed->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM,
                          "out of memory: %zu clips of up to %.1f s need %zu MiB; set a smaller batch",
                          (size_t)r->batch, longest, arena.used >> 20);
    arena = lc_arena_over(&feed->block);
    layout(feed, &arena);
    unsigned threads = lc_pool_threads(feed->pool);
    feed->fronts = calloc(threads, sizeof(lc_frontend *));
    if (feed->fronts == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %u front ends", threads);
    loco_status status = LOCO_OK;
    for (unsigned i = 0; status == LOCO_OK && i < threads; i++)
        status = lc_frontend_new(&feed->fronts[i], &r->frontend, err);
    if (status == LOCO_OK && lc_frontend_wants_scale(&r->frontend))
        status = lc_sounds_scales(feed->sounds, feed->fronts[0], &feed->scales, err);
    return status;
}

loco_status lc_feed_new(lc_feed **out, const lc_feed_source *source, const lc_recipe *recipe, lc_pool *pool,
                        loco_err *err)
{
    const lc_dataset *set = source->set;
    double longest = 0;
    lc_feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the clips");
    *feed = (lc_feed){.set = set, .sounds = source->sounds, .recipe = recipe, .pool = pool, .K = set->classes_len};
    feed->size = lc_frontend_bins(&recipe->frontend) * lc_frontend_channels(&recipe->frontend);
    feed->inputs = lc_frontend_inputs(&recipe->frontend);
    feed->lead = (size_t)ceil(lc_frontend_lead(&recipe->frontend) * recipe->frontend.rate /
                              (double)recipe->frontend.hop);
    feed->clips = calloc(set->clips_len + 1, sizeof *feed->clips);
    feed->order = calloc(set->clips_len + 1, sizeof *feed->order);
    feed->weight = calloc(set->recordings_len + 1, sizeof *feed->weight);
    feed->taught = calloc(set->recordings_len + 1, 1);
    loco_status status = LOCO_OK;
    if (feed->clips == NULL || feed->order == NULL || feed->weight == NULL || feed->taught == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu clips", set->clips_len);
    else if (cuts(feed))
        status = list_recordings(feed, source->recordings, &longest, err);
    else
        status = list_clips(feed, source->clips, &longest, err);
    if (status == LOCO_OK) {
        choose_taught(feed);
        status = allocate(feed, longest, err);
    }
    if (status != LOCO_OK) {
        lc_feed_free(feed);
        return status;
    }
    *out = feed;
    return LOCO_OK;
}

void lc_feed_free(lc_feed *feed)
{
    if (feed == NULL)
        return;
    for (unsigned i = 0; feed->fronts != NULL && i < lc_pool_threads(feed->pool); i++)
        lc_frontend_free(feed->fronts[i]);
    free(feed->fronts);
    free(feed->clips);
    free(feed->order);
    free(feed->weight);
    free(feed->taught);
    free(feed->scales);
    lc_block_free(&feed->block);
    free(feed);
}

size_t lc_feed_frames(const lc_feed *feed)
{
    return feed->most_frames;
}

size_t lc_feed_clips(const lc_feed *feed)
{
    return feed->clips_len;
}

/* ---- what to read ---- */

/* Uniform in -most..most. */
static double swing(lc_rng *rng, double most)
{
    return most * (2 * lc_rng_uniform(rng) - 1);
}

static size_t below(lc_rng *rng, size_t n)
{
    return (size_t)(lc_rng_uniform(rng) * (double)n);
}

/* The order of clips in an epoch, from its number alone. */
static void shuffle(lc_feed *feed, uint64_t epoch)
{
    lc_rng rng = lc_rng_seed(feed->recipe->seed ^ (epoch * 0x9e3779b97f4a7c15u));
    for (size_t i = 0; i < feed->clips_len; i++)
        feed->order[i] = feed->clips[i];
    for (size_t i = feed->clips_len; i > 1; i--) {
        size_t j = below(&rng, i), kept = feed->order[i - 1];
        feed->order[i - 1] = feed->order[j];
        feed->order[j] = kept;
    }
    feed->epoch = epoch;
}

static void take_clip(const lc_feed *feed, size_t index, draw *d)
{
    const lc_clip *clip = &feed->set->clips[index];
    d->recording = clip->recording;
    d->start = clip->start;
    d->end = clip_end(feed, clip);
    d->labels = clip->labels;
}

/* Each second of all recordings is as likely as any other. */
static void cut_clip(const lc_feed *feed, draw *d)
{
    double at = lc_rng_uniform(&d->rng) * feed->total;
    size_t i = 0;
    while (i + 1 < feed->set->recordings_len && at >= feed->weight[i])
        at -= feed->weight[i++];
    while (feed->weight[i] <= 0) /* rounding may have gone past the last that counts */
        i--;
    double length = feed->recipe->shortest + lc_rng_uniform(&d->rng) * (feed->recipe->longest - feed->recipe->shortest);
    d->recording = i;
    d->start = lc_rng_uniform(&d->rng) * fmax(0, lc_sounds_seconds(feed->sounds, i) - length);
    d->end = d->start + length;
    d->labels = NULL;
}

static void draw_clip(lc_feed *feed, uint64_t number, draw *d)
{
    const lc_recipe *r = feed->recipe;
    *d = (draw){.rng = lc_rng_seed(r->seed * 0x9e3779b97f4a7c15u + number + 1), .change = true};
    if (cuts(feed)) {
        cut_clip(feed, d);
    } else {
        uint64_t epoch = number / feed->clips_len + 1;
        if (feed->epoch != epoch)
            shuffle(feed, epoch);
        take_clip(feed, feed->order[number % feed->clips_len], d);
    }
    d->speed = 1 + swing(&d->rng, r->speed);
    d->stretch = 1 + swing(&d->rng, r->stretch);
    /* a count that needs every frame leaves no room to hurry */
    double frames = frames_of(feed, (d->end - d->start) / d->speed / d->stretch);
    for (size_t k = 0; d->labels != NULL && k < feed->K; k++)
        if ((double)d->labels[k].lo > frames)
            d->speed = d->stretch = 1;
}

/* ---- reading ---- */

/* Frames the clip covers: from the first sample of the clip to the one behind its last, in frames' centres. */
static void set_range(const lc_feed *feed, const draw *d, lc_example *e)
{
    double rate = feed->recipe->frontend.rate, hop = (double)feed->recipe->frontend.hop;
    double before = feed->recipe->context * rate, inside = (d->end - d->start) / d->speed / d->stretch * rate;
    e->begin = (size_t)ceil(before / hop);
    e->end = (size_t)ceil((before + inside) / hop);
    e->end = e->end > e->T ? e->T : e->end;
    e->begin = e->begin >= e->end ? e->end - 1 : e->begin;
}

/* Stretching needs memory of its own; the library that does it allocates anyway. */
static loco_status stretch(const lc_feed *feed, const draw *d, slot *s, size_t *n, loco_err *err)
{
    float *longer = NULL;
    size_t got = 0;
    loco_status status = lc_stretch(s->samples, *n, feed->recipe->frontend.rate, 1 / d->stretch, &longer, &got, err);
    if (status != LOCO_OK)
        return status;
    *n = got < feed->most_samples ? got : feed->most_samples;
    memcpy(s->samples, longer, *n * sizeof *longer);
    free(longer);
    return LOCO_OK;
}

static loco_status read_sound(const lc_feed *feed, const draw *d, slot *s, size_t *n, loco_err *err)
{
    const lc_recipe *r = feed->recipe;
    double around = r->context * d->speed * d->stretch, lead = (double)(feed->lead * r->frontend.hop);
    *n = (size_t)ceil((d->end - d->start + 2 * around) / d->speed * r->frontend.rate + lead);
    *n = *n < feed->most_samples ? *n : feed->most_samples;
    double start = d->start - around - lead * d->speed / r->frontend.rate;
    loco_status status = lc_sounds_read(feed->sounds, d->recording, start, d->speed, s->samples, *n, err);
    if (status == LOCO_OK && d->stretch != 1)
        status = stretch(feed, d, s, n, err);
    return status;
}

/* ---- labels ---- */

/* The frame that is nearest to an event, which may lie outside of the clip. */
static double frame_of(const lc_feed *feed, const draw *d, double time)
{
    double rate = feed->recipe->frontend.rate, hop = (double)feed->recipe->frontend.hop;
    return nearbyint(((time - d->start) / d->speed / d->stretch + feed->recipe->context) * rate / hop);
}

/* Events that fall into one frame are one there. */
static void mark(const lc_feed *feed, slot *s, const lc_example *e, double frame, size_t kind)
{
    if (frame >= (double)e->begin && frame < (double)e->end)
        s->events[(size_t)frame * feed->K + kind] = 1;
}

/* Counts and, when asked for, times from the events of a timed recording. */
static void label_by_events(const lc_feed *feed, const draw *d, slot *s, const lc_example *e, bool times)
{
    const lc_recording *recording = &feed->set->recordings[d->recording];
    if (times)
        memset(s->events, 0, e->T * feed->K);
    for (size_t k = 0; k < feed->K; k++) {
        size_t counts = 0;
        for (size_t i = 0; i < recording->events_len; i++) {
            const loco_event *event = &recording->events[i];
            if (event->kind != k)
                continue;
            counts += event->time >= d->start && event->time < d->end;
            if (times)
                mark(feed, s, e, frame_of(feed, d, event->time), k);
        }
        s->labels[k] = loco_label_exact(counts < e->end - e->begin ? counts : e->end - e->begin);
    }
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
static void mark_mixed(const lc_feed *feed, const draw *other, slot *s, const lc_example *e, size_t begin)
{
    const lc_recording *recording = &feed->set->recordings[other->recording];
    double rate = feed->recipe->frontend.rate, hop = (double)feed->recipe->frontend.hop;
    for (size_t i = 0; i < recording->events_len; i++) {
        double time = recording->events[i].time, at = ((double)begin + (time - other->start) * rate) / hop;
        if (time >= other->start && time < other->end)
            mark(feed, s, e, nearbyint(at), recording->events[i].kind);
    }
}

/* Mixes a second given clip, without its surroundings, somewhere into the first: counts add. Only what fits, in length
 * and in number, is mixed, and where times teach only what has times. */
static loco_status mix(const lc_feed *feed, draw *d, slot *s, const lc_example *e, size_t n, bool times, loco_err *err)
{
    double rate = feed->recipe->frontend.rate;
    draw other = {.speed = 1, .stretch = 1};
    take_clip(feed, feed->clips[below(&d->rng, feed->clips_len)], &other);
    size_t len = (size_t)((other.end - other.start) * rate), begin = (size_t)(feed->recipe->context * rate);
    size_t room = (size_t)((d->end - d->start) / d->speed / d->stretch * rate);
    if (len > room || begin + room > n || (times && !feed->set->recordings[other.recording].timed))
        return LOCO_OK;
    for (size_t k = 0; k < feed->K; k++)
        if (add_labels(s->labels[k], other.labels[k]).lo > e->end - e->begin)
            return LOCO_OK;
    loco_status status = lc_sounds_read(feed->sounds, other.recording, other.start, 1, s->second, len, err);
    if (status != LOCO_OK)
        return status;
    fade(s->second, len, (size_t)(0.002 * rate));
    begin += below(&d->rng, room - len + 1);
    lc_augment_mix(s->samples + begin, s->second, len, 6, &d->rng);
    for (size_t k = 0; k < feed->K; k++)
        s->labels[k] = add_labels(s->labels[k], other.labels[k]);
    if (times)
        mark_mixed(feed, &other, s, e, begin);
    return LOCO_OK;
}

/* ---- one example ---- */

/* Noise of any colour, from inaudible (60 dB below) up to what the recipe allows. */
static void change_sound(const lc_feed *feed, draw *d, slot *s, size_t n)
{
    const lc_recipe *r = feed->recipe;
    double rate = r->frontend.rate;
    if (r->frontend.kind == LC_FRONT_SERIES) {
        lc_augment_series(s->samples, n, feed->inputs, r->noise, r->gain, &d->rng);
        return;
    }
    if (r->tilt > 0)
        lc_augment_colour(s->samples, n, rate, r->tilt, &d->rng);
    if (r->noise > -120) {
        double slope = swing(&d->rng, 3) - 3, snr = 60 - (60 + r->noise) * lc_rng_uniform(&d->rng);
        lc_augment_noise(s->samples, n, rate, slope, snr, &d->rng, s->second);
    }
    if (r->gain > 0)
        lc_augment_gain(s->samples, n, swing(&d->rng, r->gain));
}

static loco_status make_example(const lc_feed *feed, draw *d, slot *s, lc_example *e, lc_frontend *front, loco_err *err)
{
    size_t n = 0;
    bool times = feed->taught[d->recording];
    loco_status status = read_sound(feed, d, s, &n, err);
    if (status != LOCO_OK)
        return status;
    size_t whole = (n + feed->recipe->frontend.hop - 1) / feed->recipe->frontend.hop;
    *e = (lc_example){.frames = s->frames + feed->lead * feed->size, .T = whole - feed->lead};
    set_range(feed, d, e);
    if (d->labels == NULL || times)
        label_by_events(feed, d, s, e, times);
    if (d->labels != NULL)
        memcpy(s->labels, d->labels, feed->K * sizeof *s->labels);
    bool mixes = d->change && d->labels != NULL && lc_rng_uniform(&d->rng) < feed->recipe->mix;
    if (mixes)
        status = mix(feed, d, s, e, n, times, err);
    if (status != LOCO_OK)
        return status;
    if (d->change)
        change_sound(feed, d, s, n);
    lc_frontend_rescale(front, feed->scales != NULL ? &feed->scales[d->recording] : NULL);
    lc_frontend_reset(front);
    size_t T = lc_frontend_push(front, s->samples, n, s->frames);
    T += lc_frontend_finish(front, s->frames + T * feed->size);
    e->T = T - feed->lead < e->T ? T - feed->lead : e->T;
    e->labels = times ? NULL : s->labels;
    e->events = times ? s->events : NULL;
    e->loss = (lc_loss)feed->recipe->loss;
    return LOCO_OK;
}

static void run_slot(void *context, size_t b, unsigned worker)
{
    lc_feed *feed = context;
    slot *s = &feed->slots[b];
    s->status = make_example(feed, &feed->draws[b], s, &feed->examples[b], feed->fronts[worker], &s->err);
}

/* In the order of the batch: which failure is told does not depend on the threads. */
static loco_status run_slots(lc_feed *feed, size_t n, const lc_example **batch, loco_err *err)
{
    lc_pool_run(feed->pool, n, run_slot, feed);
    for (size_t b = 0; b < n; b++)
        if (feed->slots[b].status != LOCO_OK)
            return lc_err_set(err, feed->slots[b].status, "%s", feed->slots[b].err.text);
    *batch = feed->examples;
    return LOCO_OK;
}

loco_status lc_feed_batch(lc_feed *feed, uint64_t step, const lc_example **batch, loco_err *err)
{
    size_t n = (size_t)feed->recipe->batch;
    for (size_t b = 0; b < n; b++)
        draw_clip(feed, step * n + b, &feed->draws[b]);
    return run_slots(feed, n, batch, err);
}

loco_status lc_feed_plain(lc_feed *feed, size_t first, const lc_example **batch, size_t *n, loco_err *err)
{
    size_t left = first < feed->clips_len ? feed->clips_len - first : 0;
    *n = left < feed->recipe->batch ? left : (size_t)feed->recipe->batch;
    for (size_t b = 0; b < *n; b++) {
        feed->draws[b] = (draw){.speed = 1, .stretch = 1};
        take_clip(feed, feed->clips[first + b], &feed->draws[b]);
    }
    return run_slots(feed, *n, batch, err);
}

/* SPDX-License-Identifier: MIT
 * feed.c - which clips are learned from, in which order, and the memory that a batch of them needs; example.c makes an
 * example of each.
 *
 * All items of a batch are made in parallel by the trainer's own threads before its step; at a thousand times real time
 * the front end takes a small part of a step, so that nothing has to run ahead.
 *
 * Given clips are drawn epoch by epoch, each once, in a new order for each epoch. With `longest` set, clips are cut
 * at random from timed recordings, anywhere and of any length in shortest..longest, and their counts derived.
 *
 * With `supervised` above 0, that part of the timed recordings is learned from by the times of its events and the rest
 * by counts. Both kinds are cut, changed and mixed alike, from the same random numbers: the runs supervised=0 and
 * supervised=1 get the same sounds in the same order, and differ in their labels only. */
#include "train/feed.h"

#include "base/mem.h"
#include "base/status.h"
#include "train/sharpen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Four clips of an hour of sound with 144 bins 100 times a second are 2.1 GB, those of three channels 200 times a second
 * 52 MB. Only what clips really fill is ever touched. */
static const size_t most_bytes = (size_t)4 << 30;

static const size_t plain_cuts = 256; /* unchanged clips that a validation reads, where clips are cut at random */

struct lc_feed {
    lc_example_source source;
    lc_pool *pool;
    size_t *order;         /* of the epoch */
    uint64_t epoch;        /* counted from 1; 0: none yet */
    double *weight, total; /* seconds of each recording that may be cut, and of all */
    size_t most_frames, memory;
    lc_block block;
    lc_slot *slots;                /* batch */
    lc_example *examples;          /* batch */
    lc_draw *draws;                /* batch, of this call */
    lc_example_scratch *scratches; /* one a thread */
    const lc_team *team;           /* NULL: one process makes all */
    size_t lanes;
};

/* ---- construction ---- */

/* Whether clips are cut at random, instead of those that are given. */
static bool cuts(const lc_feed *feed)
{
    return feed->source.recipe->clips.longest > 0;
}

/* Of classes and sums. */
static size_t labels_of(const lc_feed *feed)
{
    return feed->source.K + feed->source.set->sums_len;
}

/* Frames of a clip of so many seconds when it is read at its own speed. */
static double frames_of(const lc_feed *feed, double seconds)
{
    return floor(seconds * feed->source.recipe->frontend.rate / (double)feed->source.recipe->frontend.hop);
}

/* Refuses, with the line of counts.csv, a clip that no network could be trained on: too short, without the times
 * that are asked for, or with more events than frames. */
static loco_status check_clip(const lc_feed *feed, const lc_clip *clip, loco_err *err)
{
    double seconds = lc_clip_seconds(&feed->source, clip), frames = frames_of(feed, seconds);
    const char *where = feed->source.set->where;
    const lc_recording *recording = &feed->source.set->recordings[clip->recording];
    /* without times it would count as a clip without events */
    if (feed->source.recipe->clips.supervised >= 1 && !recording->timed)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %.80s has no event times, and supervised=1 learns from these alone",
                          where, clip->row, recording->name);
    if (frames < 1)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: a clip of %.4f s is shorter than a frame", where, clip->row,
                          seconds);
    for (size_t k = 0; k < labels_of(feed); k++)
        if ((double)clip->labels[k].lo > lc_example_longest(&feed->source, k, frames))
            return lc_err_set(
                err, LOCO_EDATA,
                "%s:%zu: %zu events of %.60s in %.3f %s are more than one in each of its %.0f frames; correct "
                "the count, or set a shorter frontend.%s",
                where, clip->row, clip->labels[k].lo, lc_label_name(feed->source.set, k), seconds,
                feed->source.places > 1 ? "rows" : "s", frames * (double)feed->source.places,
                feed->source.places > 1 ? "cell" : "hop");
    return LOCO_OK;
}

/* Regression needs one number. */
static loco_status check_exact(const lc_feed *feed, const lc_clip *clip, loco_err *err)
{
    char label[64];
    for (size_t k = 0; feed->source.recipe->clips.supervised < 1 && k < labels_of(feed); k++) {
        loco_label_format(label, sizeof label, clip->labels[k]);
        if (!lc_objective_takes((lc_loss)feed->source.recipe->loss, clip->labels[k]))
            return lc_err_set(err, LOCO_EDATA,
                              "%s:%zu: %s of %.60s is not an exact count; only loss=exact learns from ranges",
                              feed->source.set->where, clip->row, label, lc_label_name(feed->source.set, k));
    }
    return LOCO_OK;
}

/* Fills source.clips with the clips that may be drawn; *longest: seconds of the longest. */
static loco_status list_clips(lc_feed *feed, const uint8_t *use, double *longest, loco_err *err)
{
    for (size_t i = 0; i < feed->source.set->clips_len; i++) {
        const lc_clip *clip = &feed->source.set->clips[i];
        if (!use[i] || !lc_clip_says(feed->source.set, clip)) /* nothing is known about its counts */
            continue;
        loco_status status = check_clip(feed, clip, err);
        if (status == LOCO_OK)
            status = check_exact(feed, clip, err);
        if (status != LOCO_OK)
            return status;
        feed->source.clips[feed->source.clips_len++] = i;
        *longest = fmax(*longest, lc_clip_seconds(&feed->source, clip));
    }
    if (feed->source.clips_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%.150s: no clip with a count is left to learn from",
                          feed->source.set->where);
    return LOCO_OK;
}

/* Fills weight with the seconds of each recording that clips may be cut from; recordings shorter than the longest
 * clip are left out. */
static loco_status list_recordings(lc_feed *feed, const uint8_t *use, double *longest, loco_err *err)
{
    for (size_t i = 0; i < feed->source.set->recordings_len; i++) {
        double seconds = lc_sounds_seconds(feed->source.sounds, i);
        bool good = use[i] && feed->source.set->recordings[i].timed && seconds >= feed->source.recipe->clips.longest;
        feed->weight[i] = good ? seconds : 0;
        feed->total += feed->weight[i];
    }
    *longest = feed->source.recipe->clips.longest;
    if (feed->total <= 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: no recording with event times is as long as %g s; fresh clips cannot be cut",
                          feed->source.set->where, feed->source.recipe->clips.longest);
    return LOCO_OK;
}

/* A random part of the timed recordings that are drawn from, rounded up. */
static void choose_taught(lc_feed *feed)
{
    size_t n = feed->source.set->recordings_len, left = 0;
    lc_rng rng = lc_rng_seed(feed->source.recipe->seed + 0x7ea);
    for (size_t i = 0; i < feed->source.clips_len; i++)
        feed->source.taught[feed->source.set->clips[feed->source.clips[i]].recording] = 1;
    for (size_t i = 0; i < n; i++) {
        feed->source.taught[i] = (feed->source.taught[i] || feed->weight[i] > 0) &&
                                 feed->source.set->recordings[i].timed;
        left += feed->source.taught[i];
    }
    /* each in turn is kept with the probability that leaves exactly as many as wanted */
    double wanted = ceil(feed->source.recipe->clips.supervised * (double)left - 1e-9);
    for (size_t i = 0; i < n; i++) {
        if (!feed->source.taught[i])
            continue;
        feed->source.taught[i] = lc_rng_uniform(&rng) * (double)left < wanted;
        wanted -= feed->source.taught[i];
        left--;
    }
}

/* Floats that the objective needs for a sum, for each frame: logits and gradient of the most classes of any. */
static size_t sum_floats(const lc_feed *feed)
{
    size_t most = 0;
    for (size_t s = 0; s < feed->source.set->sums_len; s++)
        most = feed->source.set->sums[s].members_len > most ? feed->source.set->sums[s].members_len : most;
    return 2 * most;
}

/* Samples belong to a thread, frames to an example: so a batch of long clips holds the sound of as many clips as there
 * are threads. */
static void layout(lc_feed *feed, lc_arena *arena)
{
    size_t batch = (size_t)feed->source.recipe->batch, samples = feed->source.most_samples;
    const lc_recipe *r = feed->source.recipe;
    size_t second = r->frontend.ops->sound ? samples : r->augment.warp > 0 ? samples * feed->source.inputs : 0;
    feed->slots = lc_arena_take(arena, batch, sizeof *feed->slots);
    feed->examples = lc_arena_take(arena, batch, sizeof *feed->examples);
    feed->draws = lc_arena_take(arena, batch, sizeof *feed->draws);
    for (size_t b = 0; b < batch; b++) {
        float *frames = lc_arena_take(arena, feed->most_frames, feed->source.size * sizeof(float));
        size_t places = feed->most_frames * feed->source.places;
        uint8_t *events = lc_arena_take(arena, feed->source.recipe->clips.supervised > 0 ? places : 0, feed->source.K);
        loco_label *labels = lc_arena_take(arena, labels_of(feed), sizeof(loco_label));
        float *room = lc_arena_take(arena, places, sum_floats(feed) * sizeof(float));
        if (arena->base != NULL)
            feed->slots[b] = (lc_slot){.frames = frames,
                                       .events = feed->source.recipe->clips.supervised > 0 ? events : NULL,
                                       .labels = labels,
                                       .room = room};
    }
    for (unsigned i = 0; i < lc_pool_threads(feed->pool); i++) {
        feed->scratches[i].samples = lc_arena_take(arena, samples, feed->source.inputs * sizeof(float));
        feed->scratches[i].second = lc_arena_take(arena, second, sizeof(float));
    }
}

/* Measures the memory of a batch first, so that too much of it is refused with the sizes that cause it. */
static loco_status reserve(lc_feed *feed, double longest, loco_err *err)
{
    lc_arena arena = {0};
    size_t batch = (size_t)feed->source.recipe->batch;
    layout(feed, &arena);
    size_t most = feed->memory > 0 ? feed->memory : most_bytes;
    if (arena.used > most)
        return lc_err_set(
            err, LOCO_EDATA,
            "%zu clips of up to %.1f s need %zu MiB as frames, more than the %zu that a batch may take; set "
            "a smaller batch, cut the clips, or allow more memory",
            batch, longest, arena.used >> 20, most >> 20);
    if (!lc_block_reserve(&feed->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM,
                          "out of memory: %zu clips of up to %.1f s need %zu MiB; set a smaller batch", batch, longest,
                          arena.used >> 20);
    arena = lc_arena_over(&feed->block);
    layout(feed, &arena);
    return LOCO_OK;
}

/* The slowest reading gives the most samples: a clip at speed 1 - r is longer by 1 / (1 - r), and so by stretching.
 * Two samples and two frames more cover all rounding. */
static loco_status allocate(lc_feed *feed, double longest, loco_err *err)
{
    const lc_recipe *r = feed->source.recipe;
    double slowest = (1 - r->augment.speed) * (1 - r->augment.stretch);
    unsigned threads = lc_pool_threads(feed->pool);
    feed->source.most_samples = (size_t)ceil((longest / slowest + 2 * r->clips.context) * r->frontend.rate) + 2 +
                                (size_t)ceil((double)((feed->source.lead + feed->source.tail) * r->frontend.hop) *
                                             (1 + r->augment.stretch));
    feed->most_frames = feed->source.most_samples / r->frontend.hop + 2;
    feed->scratches = calloc(threads, sizeof *feed->scratches);
    if (feed->scratches == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %u front ends", threads);
    loco_status status = reserve(feed, longest, err);
    for (unsigned i = 0; status == LOCO_OK && i < threads; i++)
        status = lc_frontend_new(&feed->scratches[i].front, &r->frontend, err);
    if (status == LOCO_OK && lc_frontend_wants_scale(&r->frontend))
        status = lc_sounds_scales(feed->source.sounds, feed->scratches[0].front, &feed->source.scales, err);
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
    *feed = (lc_feed){.pool = pool, .memory = source->memory};
    feed->source = (lc_example_source){.set = set, .sounds = source->sounds, .recipe = recipe, .K = set->classes_len};
    feed->source.places = lc_frontend_places(&recipe->frontend);
    feed->source.size = lc_frontend_bins(&recipe->frontend) * lc_frontend_channels(&recipe->frontend);
    feed->source.inputs = lc_frontend_inputs(&recipe->frontend);
    feed->source.lead = (size_t)ceil(lc_frontend_lead(&recipe->frontend) * recipe->frontend.rate /
                                     (double)recipe->frontend.hop);
    feed->source.tail = (size_t)ceil(lc_frontend_tail(&recipe->frontend) * recipe->frontend.rate /
                                     (double)recipe->frontend.hop);
    feed->source.clips = calloc(set->clips_len + 1, sizeof *feed->source.clips);
    feed->order = calloc(set->clips_len + 1, sizeof *feed->order);
    feed->weight = calloc(set->recordings_len + 1, sizeof *feed->weight);
    feed->source.taught = calloc(set->recordings_len + 1, 1);
    loco_status status = LOCO_OK;
    if (feed->source.clips == NULL || feed->order == NULL || feed->weight == NULL || feed->source.taught == NULL)
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
    for (unsigned i = 0; feed->scratches != NULL && i < lc_pool_threads(feed->pool); i++)
        lc_frontend_free(feed->scratches[i].front);
    free(feed->scratches);
    free(feed->source.clips);
    free(feed->order);
    free(feed->weight);
    free(feed->source.taught);
    free(feed->source.scales);
    lc_block_free(&feed->block);
    free(feed);
}

void lc_feed_share(lc_feed *feed, const lc_team *team, size_t lanes)
{
    feed->team = team;
    feed->lanes = lanes;
}

size_t lc_feed_frames(const lc_feed *feed)
{
    return feed->most_frames;
}

size_t lc_feed_clips(const lc_feed *feed)
{
    return feed->source.clips_len;
}

/* ---- what to read ---- */

/* The order of clips in an epoch, from its number alone. */
static void shuffle(lc_feed *feed, uint64_t epoch)
{
    lc_rng rng = lc_rng_seed(feed->source.recipe->seed ^ (epoch * 0x9e3779b97f4a7c15u));
    for (size_t i = 0; i < feed->source.clips_len; i++)
        feed->order[i] = feed->source.clips[i];
    for (size_t i = feed->source.clips_len; i > 1; i--) {
        size_t j = lc_draw_below(&rng, i), kept = feed->order[i - 1];
        feed->order[i - 1] = feed->order[j];
        feed->order[j] = kept;
    }
    feed->epoch = epoch;
}

/* Each second of all recordings is as likely as any other. */
static void cut_clip(const lc_feed *feed, lc_draw *d)
{
    double at = lc_rng_uniform(&d->rng) * feed->total;
    size_t i = 0;
    while (i + 1 < feed->source.set->recordings_len && at >= feed->weight[i])
        at -= feed->weight[i++];
    while (feed->weight[i] <= 0) /* rounding may have gone past the last that may be cut */
        i--;
    double length = feed->source.recipe->clips.shortest +
                    lc_rng_uniform(&d->rng) *
                        (feed->source.recipe->clips.longest - feed->source.recipe->clips.shortest);
    d->recording = i;
    d->start = lc_rng_uniform(&d->rng) * fmax(0, lc_sounds_seconds(feed->source.sounds, i) - length);
    d->end = d->start + length;
    d->labels = NULL;
}

/* Item `number`, counted over all steps, is drawn from a generator of its own: so it depends on the seed and its
 * number only. */
static void draw_clip(lc_feed *feed, uint64_t number, lc_draw *d)
{
    const lc_recipe *r = feed->source.recipe;
    *d = (lc_draw){.rng = lc_rng_seed(r->seed * 0x9e3779b97f4a7c15u + number + 1), .change = true};
    if (cuts(feed)) {
        cut_clip(feed, d);
    } else {
        uint64_t epoch = number / feed->source.clips_len + 1;
        if (feed->epoch != epoch)
            shuffle(feed, epoch);
        lc_draw_clip(&feed->source, feed->order[number % feed->source.clips_len], d);
    }
    d->speed = 1 + lc_draw_swing(&d->rng, r->augment.speed);
    d->stretch = 1 + lc_draw_swing(&d->rng, r->augment.stretch);
    /* a count that needs every frame cannot be read faster */
    double frames = frames_of(feed, (d->end - d->start) / d->speed / d->stretch);
    for (size_t k = 0; d->labels != NULL && k < labels_of(feed); k++)
        if ((double)d->labels[k].lo > lc_example_longest(&feed->source, k, frames))
            d->speed = d->stretch = 1;
}

/* ---- batches ---- */

/* One task of the pool; its error is kept in the slot, since several may fail at once. */
static void run_slot(void *context, size_t b, unsigned worker)
{
    lc_feed *feed = context;
    lc_slot *s = &feed->slots[b];
    s->status = LOCO_OK;
    feed->examples[b] = (lc_example){.frames = NULL};
    if (!lc_team_has(feed->team, feed->lanes, b))
        return;
    s->status = lc_example_make(&feed->source, &feed->draws[b], &feed->scratches[worker], s, &feed->examples[b],
                                &s->err);
}

/* In the order of the batch: which failure is reported does not depend on the threads. */
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
    size_t n = (size_t)feed->source.recipe->batch;
    const lc_recipe *r = feed->source.recipe;
    for (size_t b = 0; b < n; b++) {
        draw_clip(feed, step * n + b, &feed->draws[b]);
        feed->draws[b].sharpen = r->sharpen * lc_sharpen_ramp(step, r->schedule.steps);
    }
    return run_slots(feed, n, batch, err);
}

/* Where clips are cut at random, these are the same for every run of a seed. */
static void draw_plain(const lc_feed *feed, size_t number, lc_draw *d)
{
    *d = (lc_draw){.rng = lc_rng_seed(feed->source.recipe->seed + number + 1), .speed = 1, .stretch = 1};
    if (cuts(feed))
        cut_clip(feed, d);
    else
        lc_draw_clip(&feed->source, feed->source.clips[number], d);
}

loco_status lc_feed_plain(lc_feed *feed, size_t first, const lc_example **batch, size_t *n, loco_err *err)
{
    size_t all = cuts(feed) ? plain_cuts : feed->source.clips_len, left = first < all ? all - first : 0;
    *n = left < feed->source.recipe->batch ? left : (size_t)feed->source.recipe->batch;
    for (size_t b = 0; b < *n; b++)
        draw_plain(feed, first + b, &feed->draws[b]);
    return run_slots(feed, *n, batch, err);
}

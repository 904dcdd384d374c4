/* SPDX-License-Identifier: MIT
 * feed.c - which clips are learned from, in which order, and the memory that a batch of them needs; how one becomes an
 * example is example.c's.
 *
 * All items of a batch are made in parallel by the trainer's own threads before its step; at a thousand times real time
 * the front end takes a small part of a step, so that nothing has to run ahead.
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

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Four clips of an hour of sound with 144 bins 100 times a second are 2.1 GB, those of three channels 200 times a second
 * 52 MB. Only what clips really fill is ever touched. */
static const size_t most_bytes = (size_t)4 << 30;

struct lc_feed {
    lc_stock stock;
    lc_pool *pool;
    size_t *order;         /* of the epoch */
    uint64_t epoch;        /* counted from 1; 0: none yet */
    double *weight, total; /* seconds of each recording that may be cut, and of all */
    size_t most_frames;
    lc_block block;
    lc_slot *slots;       /* batch */
    lc_example *examples; /* batch */
    lc_draw *draws;       /* batch, of this call */
    lc_bench *benches;    /* one a thread */
};

/* ---- construction ---- */

static bool cuts(const lc_feed *feed)
{
    return feed->stock.recipe->longest > 0;
}

/* Of classes and sums. */
static size_t labels_of(const lc_feed *feed)
{
    return feed->stock.K + feed->stock.set->sums_len;
}

/* Frames of a clip of so many seconds when it is read at its own speed. */
static double frames_of(const lc_feed *feed, double seconds)
{
    return floor(seconds * feed->stock.recipe->frontend.rate / (double)feed->stock.recipe->frontend.hop);
}

static loco_status check_clip(const lc_feed *feed, const lc_clip *clip, loco_err *err)
{
    double seconds = lc_clip_seconds(&feed->stock, clip), frames = frames_of(feed, seconds);
    const char *where = feed->stock.set->where;
    const lc_recording *recording = &feed->stock.set->recordings[clip->recording];
    /* without times it would be taught that nothing happens */
    if (feed->stock.recipe->supervised >= 1 && !recording->timed)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %.80s has no event times, and supervised=1 learns from these alone",
                          where, clip->row, recording->name);
    if (frames < 1)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: a clip of %.4f s is shorter than a frame", where, clip->row,
                          seconds);
    for (size_t k = 0; k < labels_of(feed); k++)
        if ((double)clip->labels[k].lo > lc_stock_most(&feed->stock, k, frames))
            return lc_err_set(
                err, LOCO_EDATA,
                "%s:%zu: %zu events of %.60s in %.3f s are more than one in each of its %.0f frames; mend "
                "the count, or set a shorter frontend.hop",
                where, clip->row, clip->labels[k].lo, lc_label_name(feed->stock.set, k), seconds, frames);
    return LOCO_OK;
}

/* Regression knows what to do with a number alone. */
static loco_status check_exact(const lc_feed *feed, const lc_clip *clip, loco_err *err)
{
    char label[64];
    for (size_t k = 0; feed->stock.recipe->supervised < 1 && k < labels_of(feed); k++) {
        loco_label_format(label, sizeof label, clip->labels[k]);
        if (!lc_objective_takes((lc_loss)feed->stock.recipe->loss, clip->labels[k]))
            return lc_err_set(err, LOCO_EDATA,
                              "%s:%zu: %s of %.60s is no exact count; only loss=exact learns from ranges",
                              feed->stock.set->where, clip->row, label, lc_label_name(feed->stock.set, k));
    }
    return LOCO_OK;
}

static loco_status list_clips(lc_feed *feed, const uint8_t *use, double *longest, loco_err *err)
{
    for (size_t i = 0; i < feed->stock.set->clips_len; i++) {
        const lc_clip *clip = &feed->stock.set->clips[i];
        if (!use[i] || !lc_clip_says(feed->stock.set, clip)) /* a clip that says nothing teaches nothing */
            continue;
        loco_status status = check_clip(feed, clip, err);
        if (status == LOCO_OK)
            status = check_exact(feed, clip, err);
        if (status != LOCO_OK)
            return status;
        feed->stock.clips[feed->stock.clips_len++] = i;
        *longest = fmax(*longest, lc_clip_seconds(&feed->stock, clip));
    }
    if (feed->stock.clips_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%.150s: no clip with a count is left to learn from",
                          feed->stock.set->where);
    return LOCO_OK;
}

static loco_status list_recordings(lc_feed *feed, const uint8_t *use, double *longest, loco_err *err)
{
    for (size_t i = 0; i < feed->stock.set->recordings_len; i++) {
        double seconds = lc_sounds_seconds(feed->stock.sounds, i);
        bool good = use[i] && feed->stock.set->recordings[i].timed && seconds >= feed->stock.recipe->longest;
        feed->weight[i] = good ? seconds : 0;
        feed->total += feed->weight[i];
    }
    *longest = feed->stock.recipe->longest;
    if (feed->total <= 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: no recording with event times is as long as %g s; fresh clips cannot be cut",
                          feed->stock.set->where, feed->stock.recipe->longest);
    return LOCO_OK;
}

/* A random part of the timed recordings that are drawn from, rounded up. */
static void choose_taught(lc_feed *feed)
{
    size_t n = feed->stock.set->recordings_len, left = 0;
    lc_rng rng = lc_rng_seed(feed->stock.recipe->seed + 0x7ea);
    for (size_t i = 0; i < feed->stock.clips_len; i++)
        feed->stock.taught[feed->stock.set->clips[feed->stock.clips[i]].recording] = 1;
    for (size_t i = 0; i < n; i++) {
        feed->stock.taught[i] = (feed->stock.taught[i] || feed->weight[i] > 0) && feed->stock.set->recordings[i].timed;
        left += feed->stock.taught[i];
    }
    /* each in turn is kept with the chance that leaves exactly as many as wanted */
    double wanted = ceil(feed->stock.recipe->supervised * (double)left - 1e-9);
    for (size_t i = 0; i < n; i++) {
        if (!feed->stock.taught[i])
            continue;
        feed->stock.taught[i] = lc_rng_uniform(&rng) * (double)left < wanted;
        wanted -= feed->stock.taught[i];
        left--;
    }
}

/* Floats that the objective needs for a sum, for each frame: logits and gradient of the most classes of any. */
static size_t sum_floats(const lc_feed *feed)
{
    size_t most = 0;
    for (size_t s = 0; s < feed->stock.set->sums_len; s++)
        most = feed->stock.set->sums[s].members_len > most ? feed->stock.set->sums[s].members_len : most;
    return 2 * most;
}

/* Samples are a thread's, frames an example's: a batch of long clips then takes no more sound than there are threads. */
static void layout(lc_feed *feed, lc_arena *arena)
{
    size_t batch = (size_t)feed->stock.recipe->batch, samples = feed->stock.most_samples;
    bool sound = feed->stock.recipe->frontend.kind != LC_FRONT_SERIES;
    feed->slots = lc_arena_take(arena, batch, sizeof *feed->slots);
    feed->examples = lc_arena_take(arena, batch, sizeof *feed->examples);
    feed->draws = lc_arena_take(arena, batch, sizeof *feed->draws);
    for (size_t b = 0; b < batch; b++) {
        float *frames = lc_arena_take(arena, feed->most_frames, feed->stock.size * sizeof(float));
        uint8_t *events = lc_arena_take(arena, feed->stock.recipe->supervised > 0 ? feed->most_frames : 0,
                                        feed->stock.K);
        loco_label *labels = lc_arena_take(arena, labels_of(feed), sizeof(loco_label));
        float *room = lc_arena_take(arena, feed->most_frames, sum_floats(feed) * sizeof(float));
        if (arena->base != NULL)
            feed->slots[b] = (lc_slot){.frames = frames,
                                       .events = feed->stock.recipe->supervised > 0 ? events : NULL,
                                       .labels = labels,
                                       .room = room};
    }
    for (unsigned i = 0; i < lc_pool_threads(feed->pool); i++) {
        feed->benches[i].samples = lc_arena_take(arena, samples, feed->stock.inputs * sizeof(float));
        feed->benches[i].second = lc_arena_take(arena, sound ? samples : 0, sizeof(float));
    }
}

static loco_status reserve(lc_feed *feed, double longest, loco_err *err)
{
    lc_arena arena = {0};
    size_t batch = (size_t)feed->stock.recipe->batch;
    layout(feed, &arena);
    if (arena.used > most_bytes)
        return lc_err_set(
            err, LOCO_EDATA,
            "%zu clips of up to %.1f s need %zu MiB as frames, more than the %zu that a batch may take; set "
            "a smaller batch, or cut the clips",
            batch, longest, arena.used >> 20, most_bytes >> 20);
    if (!lc_block_reserve(&feed->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM,
                          "out of memory: %zu clips of up to %.1f s need %zu MiB; set a smaller batch", batch, longest,
                          arena.used >> 20);
    arena = lc_arena_over(&feed->block);
    layout(feed, &arena);
    return LOCO_OK;
}

static loco_status allocate(lc_feed *feed, double longest, loco_err *err)
{
    const lc_recipe *r = feed->stock.recipe;
    double slowest = (1 - r->speed) * (1 - r->stretch);
    unsigned threads = lc_pool_threads(feed->pool);
    feed->stock.most_samples = (size_t)ceil((longest / slowest + 2 * r->context) * r->frontend.rate) + 2 +
                               feed->stock.lead * r->frontend.hop;
    feed->most_frames = feed->stock.most_samples / r->frontend.hop + 2;
    feed->benches = calloc(threads, sizeof *feed->benches);
    if (feed->benches == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %u front ends", threads);
    loco_status status = reserve(feed, longest, err);
    for (unsigned i = 0; status == LOCO_OK && i < threads; i++)
        status = lc_frontend_new(&feed->benches[i].front, &r->frontend, err);
    if (status == LOCO_OK && lc_frontend_wants_scale(&r->frontend))
        status = lc_sounds_scales(feed->stock.sounds, feed->benches[0].front, &feed->stock.scales, err);
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
    *feed = (lc_feed){.pool = pool};
    feed->stock = (lc_stock){.set = set, .sounds = source->sounds, .recipe = recipe, .K = set->classes_len};
    feed->stock.size = lc_frontend_bins(&recipe->frontend) * lc_frontend_channels(&recipe->frontend);
    feed->stock.inputs = lc_frontend_inputs(&recipe->frontend);
    feed->stock.lead = (size_t)ceil(lc_frontend_lead(&recipe->frontend) * recipe->frontend.rate /
                                    (double)recipe->frontend.hop);
    feed->stock.clips = calloc(set->clips_len + 1, sizeof *feed->stock.clips);
    feed->order = calloc(set->clips_len + 1, sizeof *feed->order);
    feed->weight = calloc(set->recordings_len + 1, sizeof *feed->weight);
    feed->stock.taught = calloc(set->recordings_len + 1, 1);
    loco_status status = LOCO_OK;
    if (feed->stock.clips == NULL || feed->order == NULL || feed->weight == NULL || feed->stock.taught == NULL)
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
    for (unsigned i = 0; feed->benches != NULL && i < lc_pool_threads(feed->pool); i++)
        lc_frontend_free(feed->benches[i].front);
    free(feed->benches);
    free(feed->stock.clips);
    free(feed->order);
    free(feed->weight);
    free(feed->stock.taught);
    free(feed->stock.scales);
    lc_block_free(&feed->block);
    free(feed);
}

size_t lc_feed_frames(const lc_feed *feed)
{
    return feed->most_frames;
}

size_t lc_feed_clips(const lc_feed *feed)
{
    return feed->stock.clips_len;
}

/* ---- what to read ---- */

/* The order of clips in an epoch, from its number alone. */
static void shuffle(lc_feed *feed, uint64_t epoch)
{
    lc_rng rng = lc_rng_seed(feed->stock.recipe->seed ^ (epoch * 0x9e3779b97f4a7c15u));
    for (size_t i = 0; i < feed->stock.clips_len; i++)
        feed->order[i] = feed->stock.clips[i];
    for (size_t i = feed->stock.clips_len; i > 1; i--) {
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
    while (i + 1 < feed->stock.set->recordings_len && at >= feed->weight[i])
        at -= feed->weight[i++];
    while (feed->weight[i] <= 0) /* rounding may have gone past the last that counts */
        i--;
    double length = feed->stock.recipe->shortest +
                    lc_rng_uniform(&d->rng) * (feed->stock.recipe->longest - feed->stock.recipe->shortest);
    d->recording = i;
    d->start = lc_rng_uniform(&d->rng) * fmax(0, lc_sounds_seconds(feed->stock.sounds, i) - length);
    d->end = d->start + length;
    d->labels = NULL;
}

static void draw_clip(lc_feed *feed, uint64_t number, lc_draw *d)
{
    const lc_recipe *r = feed->stock.recipe;
    *d = (lc_draw){.rng = lc_rng_seed(r->seed * 0x9e3779b97f4a7c15u + number + 1), .change = true};
    if (cuts(feed)) {
        cut_clip(feed, d);
    } else {
        uint64_t epoch = number / feed->stock.clips_len + 1;
        if (feed->epoch != epoch)
            shuffle(feed, epoch);
        lc_draw_clip(&feed->stock, feed->order[number % feed->stock.clips_len], d);
    }
    d->speed = 1 + lc_draw_swing(&d->rng, r->speed);
    d->stretch = 1 + lc_draw_swing(&d->rng, r->stretch);
    /* a count that needs every frame leaves no room to hurry */
    double frames = frames_of(feed, (d->end - d->start) / d->speed / d->stretch);
    for (size_t k = 0; d->labels != NULL && k < labels_of(feed); k++)
        if ((double)d->labels[k].lo > lc_stock_most(&feed->stock, k, frames))
            d->speed = d->stretch = 1;
}

/* ---- batches ---- */

static void run_slot(void *context, size_t b, unsigned worker)
{
    lc_feed *feed = context;
    lc_slot *s = &feed->slots[b];
    s->status = lc_example_make(&feed->stock, &feed->draws[b], &feed->benches[worker], s, &feed->examples[b], &s->err);
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
    size_t n = (size_t)feed->stock.recipe->batch;
    for (size_t b = 0; b < n; b++)
        draw_clip(feed, step * n + b, &feed->draws[b]);
    return run_slots(feed, n, batch, err);
}

loco_status lc_feed_plain(lc_feed *feed, size_t first, const lc_example **batch, size_t *n, loco_err *err)
{
    size_t left = first < feed->stock.clips_len ? feed->stock.clips_len - first : 0;
    *n = left < feed->stock.recipe->batch ? left : (size_t)feed->stock.recipe->batch;
    for (size_t b = 0; b < *n; b++) {
        feed->draws[b] = (lc_draw){.speed = 1, .stretch = 1};
        lc_draw_clip(&feed->stock, feed->stock.clips[first + b], &feed->draws[b]);
    }
    return run_slots(feed, *n, batch, err);
}

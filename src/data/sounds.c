/* SPDX-License-Identifier: MIT
 * sounds.c - the sound of all recordings of a data set.
 *
 * Decoding and resampling cost more than the front end, so that each is done once: an hour at 22.05 kHz takes 318 MB as
 * floats. Nothing is kept on disk: the front end itself runs at more than a thousand times real time, and features
 * would have to be made again for every augmentation.
 *
 * A change of speed reads between the samples with a cubic through four neighbours (Catmull-Rom). Its error is far
 * below what the augmentation itself changes, and it needs no filter for each clip's own factor. */
#include "data/sounds.h"

#include "base/checksum.h"
#include "base/mem.h"
#include "base/status.h"
#include "signal/sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    float *samples; /* NULL: too much for the memory, read from the file */
    size_t n;
    double seconds;
    loco_status status;
    loco_err err;
} entry;

struct lc_sounds {
    const lc_dataset *set;
    double rate;
    lc_columns apart; /* channels that are kept; n = 0: mixed to one */
    size_t room;      /* bytes that are left; only used while one thread measures */
    entry *entries;
};

/* Floats of one sample: its channels, or one for all of them mixed. */
static size_t width(const lc_sounds *sounds)
{
    return sounds->apart.n > 0 ? sounds->apart.n : 1;
}

/* ---- loading ---- */

/* One task of the pool: decodes a recording that fits into memory. */
static void load(void *context, size_t recording, unsigned worker)
{
    lc_sounds *sounds = context;
    entry *e = &sounds->entries[recording];
    (void)worker;
    if (e->status == LOCO_OK && e->n > 0)
        e->status = lc_sound_load_channels(sounds->set->recordings[recording].path, 0, INFINITY, sounds->rate,
                                           sounds->apart, &e->samples, &e->n, &e->err);
    if (e->status == LOCO_OK && e->samples != NULL)
        e->seconds = (double)e->n / sounds->rate;
}

/* Which recordings fit, in their order; n > 0 marks them. */
static loco_status measure(lc_sounds *sounds, loco_err *err)
{
    for (size_t i = 0; i < sounds->set->recordings_len; i++) {
        entry *e = &sounds->entries[i];
        double rate;
        loco_status status = lc_sound_length(sounds->set->recordings[i].path, &e->seconds, &rate, err);
        if (status != LOCO_OK)
            return status;
        e->seconds = nearbyint(e->seconds * sounds->rate) / sounds->rate; /* whole samples, as one in memory has */
        double bytes = e->seconds * sounds->rate * (double)(width(sounds) * sizeof(float));
        bool fits = bytes < (double)sounds->room;
        e->n = fits ? 1 : 0;
        sounds->room -= fits ? (size_t)bytes : 0;
    }
    return LOCO_OK;
}

loco_status lc_sounds_new_channels(lc_sounds **out, const lc_dataset *set, double rate, lc_columns columns,
                                   size_t memory, lc_pool *pool, loco_err *err)
{
    lc_sounds *sounds = calloc(1, sizeof *sounds);
    if (sounds == NULL || (sounds->entries = calloc(set->recordings_len, sizeof *sounds->entries)) == NULL) {
        free(sounds);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", set->recordings_len);
    }
    sounds->set = set;
    sounds->rate = rate;
    sounds->apart = columns;
    sounds->room = memory;
    loco_status status = measure(sounds, err);
    if (status == LOCO_OK)
        lc_pool_run(pool, set->recordings_len, load, sounds);
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len; i++)
        if (sounds->entries[i].status != LOCO_OK)
            status = lc_err_set(err, sounds->entries[i].status, "%s", sounds->entries[i].err.text);
    if (status != LOCO_OK) {
        lc_sounds_free(sounds);
        return status;
    }
    *out = sounds;
    return LOCO_OK;
}

void lc_sounds_free(lc_sounds *sounds)
{
    if (sounds == NULL)
        return;
    for (size_t i = 0; i < sounds->set->recordings_len; i++)
        free(sounds->entries[i].samples);
    free(sounds->entries);
    free(sounds);
}

double lc_sounds_seconds(const lc_sounds *sounds, size_t recording)
{
    return sounds->entries[recording].seconds;
}

const char *lc_sounds_path(const lc_sounds *sounds, size_t recording)
{
    return sounds->set->recordings[recording].path;
}

/* ---- have the files changed? ---- */

typedef struct file_sum {
    uint64_t value;
    loco_status status;
    loco_err err;
} file_sum;

typedef struct summing {
    const lc_sounds *sounds;
    file_sum *sums;
} summing;

/* One task of the pool. */
static void sum_file(void *context, size_t recording, unsigned worker)
{
    const summing *s = context;
    file_sum *sum = &s->sums[recording];
    (void)worker;
    sum->status = lc_checksum_file(&sum->value, lc_sounds_path(s->sounds, recording), &sum->err);
}

loco_status lc_sounds_checksum(uint64_t *sum, const lc_sounds *sounds, lc_pool *pool, loco_err *err)
{
    size_t n = sounds->set->recordings_len;
    loco_status status = LOCO_OK;
    lc_checksum all = lc_checksum_begin();
    summing s = {sounds, calloc(n + 1, sizeof *s.sums)};
    if (s.sums == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", n);
    lc_pool_run(pool, n, sum_file, &s);
    for (size_t i = 0; status == LOCO_OK && i < n; i++) {
        char digits[24];
        snprintf(digits, sizeof digits, "%016llx", (unsigned long long)s.sums[i].value);
        lc_checksum_add(&all, digits, 16);
        if (s.sums[i].status != LOCO_OK)
            status = lc_err_set(err, s.sums[i].status, "%s", s.sums[i].err.text);
    }
    free(s.sums);
    if (status == LOCO_OK)
        *sum = lc_checksum_end(&all);
    return status;
}

/* ---- reading ---- */

/* Samples of a recording from `first` on: all of them, or those around a clip. */
typedef struct piece {
    const float *samples;
    double first, total; /* total: of the recording */
} piece;

/* Silence outside of the recording. */
static float sample_at(const piece *p, double index)
{
    return index >= 0 && index < p->total ? p->samples[(size_t)(index - p->first)] : 0;
}

/* The cubic with the slopes of its neighbours, through a and b at 0 and 1. */
static float between(float before, float a, float b, float after, float x)
{
    float c1 = b - before, c2 = 2 * before - 5 * a + 4 * b - after, c3 = 3 * (a - b) + after - before;
    return a + 0.5f * x * (c1 + x * (c2 + x * c3));
}

/* At its own speed: no interpolation, whole samples. */
static void copy(const piece *p, double first, float *samples, size_t n)
{
    size_t skip = first < 0 ? (size_t)fmin(-first, (double)n) : 0;
    double from = fmin(fmax(first, 0), p->total), len = fmin((double)(n - skip), p->total - from);
    memset(samples, 0, n * sizeof *samples);
    if (len > 0)
        memcpy(samples + skip, p->samples + (size_t)(from - p->first), (size_t)len * sizeof *samples);
}

/* Near either end of the recording, where neighbours may be missing. */
static float sample_near(const piece *p, double at)
{
    double whole = floor(at);
    return between(sample_at(p, whole - 1), sample_at(p, whole), sample_at(p, whole + 1), sample_at(p, whole + 2),
                   (float)(at - whole));
}

/* Samples with all four neighbours need no floor, which is a call, and no tests: with both for each it took a tenth of the
 * time of training. */
static void resample(const piece *p, double first, double speed, float *samples, size_t n)
{
    double last = p->total - 3;
    size_t begin = (size_t)p->first;
    for (size_t i = 0; i < n; i++) {
        double at = first + (double)i * speed;
        if (at >= 1 && at <= last) {
            size_t whole = (size_t)at;
            const float *x = p->samples + (whole - begin);
            samples[i] = between(x[-1], x[0], x[1], x[2], (float)(at - (double)whole));
        } else {
            samples[i] = sample_near(p, at);
        }
    }
}

/* first: in samples. */
static void read_piece(const piece *p, double first, double speed, float *samples, size_t n)
{
    if (speed == 1)
        copy(p, nearbyint(first), samples, n);
    else
        resample(p, first, speed, samples, n);
}

/* From the file: the same numbers as from memory, since a clip is read on the samples of the whole recording, with the
 * neighbours that the cubic wants. */
static loco_status read_file(const lc_sounds *sounds, size_t recording, double first, double speed, float *samples,
                             size_t n, loco_err *err)
{
    enum { AROUND = 4 };
    float *part = NULL;
    size_t got = 0;
    double rate = sounds->rate, total = nearbyint(sounds->entries[recording].seconds * rate);
    double from = fmax(0, floor(first) - AROUND), end = fmin(total, ceil(first + (double)n * speed) + AROUND);
    memset(samples, 0, n * sizeof *samples);
    if (end - from < 1)
        return LOCO_OK;
    loco_status status = lc_sound_load(sounds->set->recordings[recording].path, from / rate, end / rate, rate, &part,
                                       &got, err);
    if (status == LOCO_OK)
        read_piece(&(piece){part, from, total}, first, speed, samples, n);
    free(part);
    return status;
}

/* ---- series ---- */

/* The first and the last value are repeated outside of the series. */
static float value_at(const entry *e, size_t channels, size_t c, double index)
{
    double held = fmax(0, fmin(index, (double)e->n - 1));
    return e->samples[(size_t)held * channels + c];
}

/* Channels that stay apart, at any speed; series are short, and need no faster way. */
static void read_apart(const entry *e, size_t channels, double first, double speed, float *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double at = first + (double)i * speed, whole = floor(at);
        for (size_t c = 0; c < channels; c++)
            samples[i * channels + c] = between(value_at(e, channels, c, whole - 1), value_at(e, channels, c, whole),
                                                value_at(e, channels, c, whole + 1),
                                                value_at(e, channels, c, whole + 2), (float)(at - whole));
    }
}

/* One that did not fit into memory is read as a whole for a moment. */
static loco_status read_series(const lc_sounds *sounds, size_t recording, double start, double speed, float *samples,
                               size_t n, loco_err *err)
{
    entry e = sounds->entries[recording];
    loco_status status = LOCO_OK;
    double first = start * sounds->rate;
    if (sounds->entries[recording].samples == NULL)
        status = lc_sound_load_channels(sounds->set->recordings[recording].path, 0, INFINITY, sounds->rate,
                                        sounds->apart, &e.samples, &e.n, err);
    if (status != LOCO_OK)
        return status;
    read_apart(&e, sounds->apart.n, speed == 1 ? nearbyint(first) : first, speed, samples, n);
    if (sounds->entries[recording].samples == NULL)
        free(e.samples);
    return LOCO_OK;
}

loco_status lc_sounds_scale(const lc_sounds *sounds, size_t recording, lc_frontend *front, lc_scale *scale,
                            loco_err *err)
{
    size_t n = (size_t)(sounds->entries[recording].seconds * sounds->rate);
    float *samples = calloc(n + 1, width(sounds) * sizeof *samples);
    loco_status status = samples == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu samples", n)
                                         : lc_sounds_read(sounds, recording, 0, 1, samples, n, err);
    lc_frontend_reset(front);
    if (status == LOCO_OK) {
        lc_frontend_measure(front, samples, n);
        lc_frontend_measured(front, scale);
    }
    free(samples);
    return status;
}

loco_status lc_sounds_scales(const lc_sounds *sounds, lc_frontend *front, lc_scale **scales, loco_err *err)
{
    size_t n = sounds->set->recordings_len;
    loco_status status = LOCO_OK;
    lc_scale *made = calloc(n + 1, sizeof *made);
    if (made == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", n);
    for (size_t i = 0; status == LOCO_OK && i < n; i++)
        status = lc_sounds_scale(sounds, i, front, &made[i], err);
    if (status == LOCO_OK)
        *scales = made;
    else
        free(made);
    return status;
}

/* ---- both ---- */

loco_status lc_sounds_read(const lc_sounds *sounds, size_t recording, double start, double speed, float *samples,
                           size_t n, loco_err *err)
{
    const entry *e = &sounds->entries[recording];
    double first = start * sounds->rate;
    if (sounds->apart.n > 0)
        return read_series(sounds, recording, start, speed, samples, n, err);
    if (e->samples == NULL)
        return read_file(sounds, recording, first, speed, samples, n, err);
    read_piece(&(piece){e->samples, 0, (double)e->n}, first, speed, samples, n);
    return LOCO_OK;
}

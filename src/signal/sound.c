/* SPDX-License-Identifier: MIT
 * sound.c - sound files, series and raw streams as samples at a wanted rate.
 *
 * Resampling between usual rates by resample.c, which is hardly late; between others by soxr at its high quality (20
 * bits, linear phase; it compensates its own delay). Measured on one core, 44.1 to 22.05 kHz, times real time: soxr HQ
 * 5800, libsamplerate "fastest" 210, "medium" 119, "best" 34. Reading then costs about as much as the front end.
 * soxr has channels handed over apart (_S), as one pointer each: given interleaved samples, soxr 0.1.3 reads 8 bytes of
 * the output buffer for nothing, which is beyond it where one float is left.
 * By soxr an impulse spreads over 97 samples of the lower rate to either side (down to 1e-6 of its peak), by resample.c
 * over 48. A clip is read from 256 before its start and after its end. soxr hands out blocks, and lc_sound_delay
 * measures how late they come; its transforms are as short as it allows. At the wanted rate itself nothing is late.
 *
 * Before its first sample a resampler sees zeros. Sound begins near 0; a series may lie anywhere, and the jump would ring
 * for a hundred samples. So from channels that stay apart their first sample is taken away before, and added again
 * behind.
 *
 * Where a clip starts in the middle, the grid of its samples must be that of the whole file: resampling starts at an
 * input frame i whose place i * rate / R among the output samples is whole. Among 4096 neighbours there is one for all
 * usual pairs of rates (48 to 22.05 kHz: every 320th), and one within 1/4096 of a sample for any pair.
 */
#include "signal/sound.h"

#include "base/status.h"
#include "signal/resample.h"
#include "signal/source.h"

#include <math.h>
#include <soxr.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 256, NEIGHBOURS = 4096 };

/* The logarithm of points; what lc_sound_delay measures with: pieces of input, samples of output. */
enum { SHORTEST_DFT = 8, TRIED = 16384, PIECE = 1024, LEAST_GIVEN = 1000 };

#define MOST_SAMPLES ((uint64_t)1 << 31)

static const double ON_GRID = 1e-6; /* a place among 2^31 samples is known to some 2e-7 */

struct lc_sound {
    lc_source source;
    lc_resampler *near; /* one of these, or none where the rates are the same */
    soxr_t resampler;
    double ratio; /* output samples for one of input */
    bool input_over, over;
    size_t channels;                /* that come out */
    size_t have, used;              /* frames of block */
    float *block;                   /* (LC_SOURCE_CHUNK, channels) */
    float *apart;                   /* for soxr: (2, channels, LC_SOURCE_CHUNK), in and out */
    float level[LC_SOUND_CHANNELS]; /* of these, the first sample: see above */
    bool started;
};

void lc_sound_close(lc_sound *sound)
{
    if (sound == NULL)
        return;
    lc_source_close(&sound->source);
    if (sound->resampler != NULL)
        soxr_delete(sound->resampler);
    lc_resampler_free(sound->near);
    free(sound->block);
    free(sound->apart);
    free(sound);
}

static loco_status check_rate(double rate, loco_err *err)
{
    if (!(rate >= 1 && rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EARG, "sound is wanted at %.0f Hz; it must be 1 to %d Hz", rate, LC_SOUND_RATE);
    return LOCO_OK;
}

/* NULL: failed, and why in *failure. */
static soxr_t new_resampler(double from, double to, size_t channels, soxr_error_t *failure)
{
    soxr_io_spec_t samples = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_runtime_spec_t run = soxr_runtime_spec(1); /* threads */
    run.log2_min_dft_size = run.log2_large_dft_size = SHORTEST_DFT;
    *failure = NULL;
    soxr_t resampler = soxr_create(from, to, (unsigned)channels, failure, &samples, &quality, &run);
    if (resampler == NULL && *failure == NULL)
        *failure = "out of memory";
    return resampler;
}

static loco_status prepare_resampler(lc_sound *s, double rate, loco_err *err)
{
    const lc_source *source = &s->source;
    soxr_error_t failure = NULL;
    if (lc_resampler_takes(source->format.rate, rate)) {
        s->near = lc_resampler_new(source->format.rate, rate, s->channels);
        failure = s->near == NULL ? "out of memory" : NULL;
    } else {
        s->apart = malloc(2 * LC_SOURCE_CHUNK * s->channels * sizeof *s->apart);
        failure = s->apart == NULL ? "out of memory" : NULL;
        if (failure == NULL)
            s->resampler = new_resampler(source->format.rate, rate, s->channels, &failure);
    }
    if (failure != NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: cannot be resampled from %.0f to %.0f Hz: %.40s", source->name,
                          source->format.rate, rate, failure);
    return LOCO_OK;
}

/* Buffers and, where the rates differ, a resampler. */
static loco_status prepare(lc_sound *s, double rate, loco_err *err)
{
    const lc_source *source = &s->source;
    s->ratio = rate / source->format.rate;
    s->channels = source->split ? source->format.channels : 1;
    s->block = malloc(LC_SOURCE_CHUNK * s->channels * sizeof *s->block);
    if (s->block == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for sound");
    return rate < source->format.rate || rate > source->format.rate ? prepare_resampler(s, rate, err) : LOCO_OK;
}

/* Takes over the source, also on failure. */
static loco_status begin(lc_sound **sound, lc_source *source, double rate, size_t channels, loco_err *err)
{
    loco_status status = LOCO_OK;
    lc_sound *s = calloc(1, sizeof *s);
    if (channels > 0 && source->format.channels != channels)
        status = lc_err_set(err, LOCO_EDATA, "%s: has %zu channel%s, and %zu %s wanted", source->name,
                            source->format.channels, source->format.channels == 1 ? "" : "s", channels,
                            channels == 1 ? "is" : "are");
    else if (s == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for sound");
    if (status != LOCO_OK || s == NULL) {
        lc_source_close(source);
        free(s);
        return status;
    }
    s->source = *source;
    s->source.split = channels > 0;
    status = prepare(s, rate, err);
    if (status == LOCO_OK)
        *sound = s;
    else
        lc_sound_close(s);
    return status;
}

loco_status lc_sound_open_channels(lc_sound **sound, const char *path, double rate, lc_columns columns, loco_err *err)
{
    lc_source source;
    loco_status status = check_rate(rate, err);
    if (status == LOCO_OK)
        status = lc_source_open_columns(&source, path, columns.names, err);
    return status == LOCO_OK ? begin(sound, &source, rate, columns.n, err) : status;
}

loco_status lc_sound_open(lc_sound **sound, const char *path, double rate, loco_err *err)
{
    return lc_sound_open_channels(sound, path, rate, (lc_columns){0, NULL}, err);
}

loco_status lc_sound_open_raw_channels(lc_sound **sound, FILE *file, const char *name, const lc_raw_format *format,
                                       double rate, size_t channels, loco_err *err)
{
    lc_source source;
    loco_status status = check_rate(rate, err);
    if (status == LOCO_OK)
        status = lc_source_open_raw(&source, file, name, format, err);
    return status == LOCO_OK ? begin(sound, &source, rate, channels, err) : status;
}

loco_status lc_sound_open_rows(lc_sound **sound, FILE *file, const char *name, double rate, lc_columns columns,
                               loco_err *err)
{
    lc_source source;
    loco_status status = check_rate(rate, err);
    if (status == LOCO_OK)
        status = lc_source_open_rows(&source, file, name, columns.names, rate, err);
    return status == LOCO_OK ? begin(sound, &source, rate, columns.n, err) : status;
}

loco_status lc_sound_open_raw(lc_sound **sound, FILE *file, const char *name, const lc_raw_format *format, double rate,
                              loco_err *err)
{
    return lc_sound_open_raw_channels(sound, file, name, format, rate, 0, err);
}

/* ---- reading on ---- */

/* By soxr; channels are handed over apart. */
static soxr_error_t run_soxr(lc_sound *s, bool flush, float *out, size_t most, size_t *taken, size_t *got)
{
    const float *in[LC_SOUND_CHANNELS];
    float *outs[LC_SOUND_CHANNELS];
    size_t C = s->channels, have = s->have - s->used;
    most = most < LC_SOURCE_CHUNK ? most : LC_SOURCE_CHUNK;
    for (size_t c = 0; c < C; c++) {
        float *apart = s->apart + c * LC_SOURCE_CHUNK;
        for (size_t i = 0; i < have; i++)
            apart[i] = s->block[(s->used + i) * C + c];
        in[c] = apart;
        outs[c] = s->apart + (C + c) * LC_SOURCE_CHUNK;
    }
    soxr_error_t failure = soxr_process(s->resampler, flush ? NULL : in, have, taken, outs, most, got);
    for (size_t i = 0; failure == NULL && i < *got; i++)
        for (size_t c = 0; c < C; c++)
            out[i * C + c] = outs[c][i];
    return failure;
}

/* Adds sign times the levels to n frames; see above. Mixed sound has none. */
static void shift_levels(const lc_sound *s, float sign, float *x, size_t n)
{
    for (size_t i = 0; s->source.split && i < n; i++)
        for (size_t c = 0; c < s->channels; c++)
            x[i * s->channels + c] += sign * s->level[c];
}

static soxr_error_t resample(lc_sound *s, bool flush, float *out, size_t most, size_t *taken, size_t *got)
{
    soxr_error_t failure = NULL;
    if (s->near != NULL)
        lc_resampler_run(s->near, flush ? NULL : s->block + s->used * s->channels, s->have - s->used, taken, out, most,
                         got);
    else
        failure = run_soxr(s, flush, out, most, taken, got);
    if (failure == NULL)
        shift_levels(s, 1, out, *got);
    return failure;
}

/* Moves frames from block to out, as they are or resampled; how many were written. */
static loco_status convert(lc_sound *s, float *out, size_t most, size_t *got, loco_err *err)
{
    size_t have = s->have - s->used, taken = 0;
    if (s->near == NULL && s->resampler == NULL) {
        *got = taken = have < most ? have : most;
        memcpy(out, s->block + s->used * s->channels, taken * s->channels * sizeof *out);
        s->over = s->input_over;
    } else {
        bool flush = s->input_over && have == 0;
        soxr_error_t failure = resample(s, flush, out, most, &taken, got);
        if (failure != NULL)
            return lc_err_set(err, LOCO_ENOMEM, "%s: resampling failed: %.60s", s->source.name, failure);
        s->over = flush && *got == 0;
    }
    s->used += taken;
    return LOCO_OK;
}

static loco_status refill(lc_sound *s, loco_err *err)
{
    s->used = s->have = 0;
    loco_status status = lc_source_read(&s->source, s->block, &s->have, err);
    s->input_over = s->have == 0;
    if (s->source.split && !s->started && status == LOCO_OK && s->have > 0) {
        memcpy(s->level, s->block, s->channels * sizeof *s->level);
        s->started = true;
    }
    if (status == LOCO_OK && (s->near != NULL || s->resampler != NULL))
        shift_levels(s, -1, s->block, s->have);
    return status;
}

loco_status lc_sound_read(lc_sound *sound, float *out, size_t most, size_t *got, loco_err *err)
{
    size_t done = 0, piece = 0;
    while (done < most && !sound->over) {
        loco_status status = LOCO_OK;
        if (sound->used == sound->have && !sound->input_over)
            status = refill(sound, err);
        if (status == LOCO_OK)
            status = convert(sound, out + done * sound->channels, most - done, &piece, err);
        if (status != LOCO_OK) {
            sound->over = true;
            return status;
        }
        done += piece;
        /* A live stream gives what it has, and does not wait for more. */
        if (lc_source_is_live(&sound->source) && done > 0 && sound->used == sound->have)
            break;
    }
    *got = done;
    return LOCO_OK;
}

/* ---- lateness ---- */

/* Feeds zeros, a sample of the lower rate at a time. What comes out was late by what had been fed since; how late the
 * latest was. The worst of so many and of 2,000,000 samples differ by less than a sample of the output, which is added. */
static double measure_delay(soxr_t resampler, double from, double to)
{
    float zeros[PIECE] = {0}, out[PIECE];
    const float *in[] = {zeros};
    float *outs[] = {out};
    size_t piece = from < 2 * to ? 1 : from < PIECE * to ? (size_t)(from / to) : PIECE;
    double fed = 0, given = 0, worst = 0;
    for (size_t i = 0; i < TRIED || given < LEAST_GIVEN; i++) {
        size_t taken, got = 0;
        if (soxr_process(resampler, in, piece, &taken, outs, PIECE, &got) != NULL)
            break;
        fed += (double)piece;
        if (got > 0)
            worst = fmax(worst, fed / from - given / to);
        given += (double)got;
    }
    return worst + 1 / to;
}

/* A read waits for a piece of the stream besides. */
static loco_status tell_delay(const lc_raw_format *format, double resampling, double *seconds)
{
    *seconds = resampling + (double)lc_source_raw_chunk(format) / format->rate;
    return LOCO_OK;
}

loco_status lc_sound_delay(const lc_raw_format *format, double rate, double *seconds, loco_err *err)
{
    double blocks = 0;
    loco_status status = check_rate(rate, err);
    if (status != LOCO_OK)
        return status;
    if (rate < format->rate || rate > format->rate) {
        soxr_error_t failure;
        if (lc_resampler_takes(format->rate, rate))
            return tell_delay(format, (double)(lc_resampler_reach(format->rate, rate) + 1) / format->rate, seconds);
        soxr_t resampler = new_resampler(format->rate, rate, 1, &failure);
        if (failure != NULL)
            return lc_err_set(err, LOCO_ENOMEM, "sound cannot be resampled from %.0f to %.0f Hz: %.40s", format->rate,
                              rate, failure);
        blocks = measure_delay(resampler, format->rate, rate);
        soxr_delete(resampler);
    }
    return tell_delay(format, blocks, seconds);
}

/* ---- clips and lengths ---- */

/* The input frame at or before `last` whose place in the output is nearest to a whole sample; 0 is always one. */
static double frame_on_grid(double last, double ratio)
{
    double best = 0, nearest = 1;
    if (last <= 0)
        return 0;
    for (double i = last; i > last - NEIGHBOURS && nearest > ON_GRID; i--) {
        double off = fabs(i * ratio - nearbyint(i * ratio));
        if (off < nearest) {
            best = i;
            nearest = off;
        }
    }
    return best;
}

/* Goes to an input frame far enough before the output sample `first` >= 0; the output sample that lies on it. */
static loco_status seek_sample(lc_sound *s, double first, double *sample, loco_err *err)
{
    double frame = first, margin = ceil(MARGIN * fmax(1, 1 / s->ratio));
    if (s->near != NULL || s->resampler != NULL)
        frame = frame_on_grid(floor(first / s->ratio - margin), s->ratio);
    *sample = nearbyint(frame * s->ratio);
    return lc_source_seek(&s->source, (uint64_t)frame, err);
}

/* Reads n samples, skipping the first `skip`; what is missing at the end stays as it was. */
static loco_status fill(lc_sound *s, size_t skip, float *samples, size_t n, loco_err *err)
{
    float dropped[16 * LC_SOUND_CHANNELS];
    size_t got = 1, most = sizeof dropped / sizeof *dropped / s->channels;
    for (; skip > 0 && got > 0; skip -= got) {
        loco_status status = lc_sound_read(s, dropped, skip < most ? skip : most, &got, err);
        if (status != LOCO_OK)
            return status;
    }
    for (size_t done = 0; done < n && got > 0; done += got) {
        loco_status status = lc_sound_read(s, samples + done * s->channels, n - done, &got, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

/* first and stop, on the grid of the whole file. */
static loco_status load(lc_sound *s, double first, double stop, float **samples, size_t *n, loco_err *err)
{
    double from = fmax(first, 0), sample;
    size_t count = (size_t)(stop - first), zeros = (size_t)(from - first);
    float *x = calloc(count, s->channels * sizeof *x);
    if (x == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory for %zu samples", s->source.name, count);
    loco_status status = LOCO_OK;
    if (zeros < count) {
        status = seek_sample(s, from, &sample, err);
        if (status == LOCO_OK)
            status = fill(s, (size_t)(from - sample), x + zeros * s->channels, count - zeros, err);
    }
    if (status != LOCO_OK) {
        free(x);
        return status;
    }
    *samples = x;
    *n = count;
    return LOCO_OK;
}

loco_status lc_sound_load_channels(const char *path, double start, double end, double rate, lc_columns columns,
                                   float **samples, size_t *n, loco_err *err)
{
    lc_sound *s;
    if (!isfinite(start) || !(end > start))
        return lc_err_set(err, LOCO_EARG, "%.100s: the end of a clip must be later than its start", path);
    loco_status status = lc_sound_open_channels(&s, path, rate, columns, err);
    if (status != LOCO_OK)
        return status;
    status = lc_source_count(&s->source, err);
    double length = (double)s->source.frames, file_rate = s->source.format.rate;
    double first = nearbyint(start * rate), stop = nearbyint((isinf(end) ? length / file_rate : end) * rate);
    if (status == LOCO_OK && !(start * file_rate < length))
        status = lc_err_set(err, LOCO_EDATA, "%s: the clip starts at %.0f ms, and the file ends at %.0f ms",
                            s->source.name, start * 1000, length / file_rate * 1000);
    else if (status == LOCO_OK && !(stop - first >= 1 && stop - first <= (double)MOST_SAMPLES))
        status = lc_err_set(err, LOCO_EDATA, "%s: a clip of %.0f samples; it must have 1 to %llu", s->source.name,
                            stop - first, (unsigned long long)MOST_SAMPLES);
    if (status == LOCO_OK)
        status = load(s, first, stop, samples, n, err);
    lc_sound_close(s);
    return status;
}

loco_status lc_sound_load(const char *path, double start, double end, double rate, float **samples, size_t *n,
                          loco_err *err)
{
    return lc_sound_load_channels(path, start, end, rate, (lc_columns){0, NULL}, samples, n, err);
}

loco_status lc_sound_measure(lc_sound_shape *shape, const char *path, const char *columns, loco_err *err)
{
    lc_source source;
    loco_status status = lc_source_open_columns(&source, path, columns, err);
    if (status != LOCO_OK)
        return status;
    status = lc_source_count(&source, err);
    if (status == LOCO_OK) {
        *shape = (lc_sound_shape){.seconds = (double)source.frames / source.format.rate,
                                  .rate = source.format.rate,
                                  .channels = source.format.channels,
                                  .ignored = source.track.ignored};
        memcpy(shape->names, source.track.columns, sizeof shape->names);
    }
    lc_source_close(&source);
    return status;
}

/* No column is needed for it, and so none is read. */
loco_status lc_sound_length(const char *path, double *seconds, double *rate, loco_err *err)
{
    lc_sound_shape shape;
    loco_status status = lc_sound_measure(&shape, path, "", err);
    if (status == LOCO_OK) {
        *seconds = shape.seconds;
        *rate = shape.rate;
    }
    return status;
}

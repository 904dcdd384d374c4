/* SPDX-License-Identifier: MIT
 * sound.c - sound files, series and raw streams as samples at a wanted rate.
 *
 * Rates are converted by convert.c. A clip is read from 256 samples before its start and after its end, more than either
 * resampler reaches.
 *
 * Where a clip starts in the middle, the grid of its samples must be that of the whole file: resampling starts at an
 * input frame i whose place i * rate / R among the output samples is whole. Among 4096 neighbours there is one for all
 * usual pairs of rates (48 to 22.05 kHz: every 320th), and one within 1/4096 of a sample for any pair.
 */
#include "signal/sound.h"

#include "base/status.h"
#include "signal/convert.h"
#include "signal/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 256, NEIGHBOURS = 4096 };

#define MOST_SAMPLES ((uint64_t)1 << 31)

static const double ON_GRID = 1e-6; /* a place among 2^31 samples is known to some 2e-7 */

struct lc_sound {
    lc_source source;
    lc_converter *converter;
    double ratio; /* output samples for one of input */
    bool input_over, over;
    size_t channels;   /* that come out */
    size_t have, used; /* frames of block */
    float *block;      /* (chunk of the source, channels) */
};

void lc_sound_close(lc_sound *sound)
{
    if (sound == NULL)
        return;
    lc_source_close(&sound->source);
    lc_converter_free(sound->converter);
    free(sound->block);
    free(sound);
}

static loco_status check_rate(double rate, loco_err *err)
{
    if (!(rate >= 1 && rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EARG, "sound is wanted at %.0f Hz; it must be 1 to %d Hz", rate, LC_SOUND_RATE);
    return LOCO_OK;
}

/* Buffers and a converter. */
static loco_status prepare(lc_sound *s, double rate, loco_err *err)
{
    const lc_source *source = &s->source;
    s->ratio = rate / source->rate;
    s->channels = source->split ? source->channels : 1;
    s->block = malloc(source->chunk * s->channels * sizeof *s->block);
    if (s->block == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for sound");
    return lc_converter_new(&s->converter, source->rate, rate, s->channels, source->split, err);
}

/* Takes over the source, also on failure. */
static loco_status begin(lc_sound **sound, lc_source *source, double rate, size_t channels, loco_err *err)
{
    loco_status status = channels == 0 ? lc_source_check_rate(source, rate, err) : LOCO_OK;
    lc_sound *s = calloc(1, sizeof *s);
    if (status == LOCO_OK && channels > 0 && source->channels != channels)
        status = lc_err_set(err, LOCO_EDATA, "%s: has %zu channel%s, and %zu %s wanted", source->name, source->channels,
                            source->channels == 1 ? "" : "s", channels, channels == 1 ? "is" : "are");
    else if (status == LOCO_OK && s == NULL)
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
        status = lc_source_open(&source, path, columns, err);
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

loco_status lc_sound_open_samples(lc_sound **sound, const loco_samples *samples, double rate, lc_columns columns,
                                  loco_err *err)
{
    lc_source source;
    loco_status status = check_rate(rate, err);
    if (status == LOCO_OK)
        status = lc_source_open_samples(&source, samples, err);
    return status == LOCO_OK ? begin(sound, &source, rate, columns.n, err) : status;
}

/* ---- reading on ---- */

/* Moves frames from block to out at the wanted rate; how many were written. */
static loco_status convert(lc_sound *s, float *out, size_t most, size_t *got, loco_err *err)
{
    size_t have = s->have - s->used, taken = 0;
    bool over = s->input_over && have == 0;
    loco_status status = lc_converter_run(s->converter, over ? NULL : s->block + s->used * s->channels, have, &taken,
                                          out, most, got, err);
    if (status == LOCO_OK)
        s->over = over && *got == 0;
    s->used += taken;
    return status;
}

static loco_status refill(lc_sound *s, loco_err *err)
{
    s->used = s->have = 0;
    loco_status status = lc_source_read(&s->source, s->block, &s->have, err);
    s->input_over = s->have == 0;
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

/* A read waits for a piece of the stream besides. */
loco_status lc_sound_delay(const lc_raw_format *format, double rate, double *seconds, loco_err *err)
{
    double conversion;
    loco_status status = check_rate(rate, err);
    if (status == LOCO_OK)
        status = lc_converter_delay(&conversion, format->rate, rate, err);
    if (status == LOCO_OK)
        *seconds = conversion + (double)lc_source_raw_chunk(format) / format->rate;
    return status;
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
    if (s->ratio < 1 || s->ratio > 1)
        frame = frame_on_grid(floor(first / s->ratio - margin), s->ratio);
    *sample = nearbyint(frame * s->ratio);
    return lc_source_seek(&s->source, (uint64_t)frame, err);
}

/* Reads n samples, skipping the first `skip`; what is missing at the end is zeros. */
static loco_status fill(lc_sound *s, size_t skip, float *samples, size_t n, loco_err *err)
{
    size_t got = 1;
    for (; skip > 0 && got > 0; skip -= got) { /* into what is filled right after: there is room for n */
        loco_status status = lc_sound_read(s, samples, skip < n ? skip : n, &got, err);
        if (status != LOCO_OK)
            return status;
    }
    memset(samples, 0, n * s->channels * sizeof *samples);
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

/* Reads on to the end of the file, where some readers say what was wrong with the whole. */
static loco_status read_rest(lc_sound *s, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t got = 1; status == LOCO_OK && got > 0;)
        status = lc_source_read(&s->source, s->block, &got, err);
    return status;
}

loco_status lc_sound_load_channels(const char *path, double start, double end, double rate, lc_columns columns,
                                   float **samples, size_t *n, loco_err *err)
{
    lc_sound *s;
    float *x = NULL;
    size_t count = 0;
    if (!isfinite(start) || !(end > start))
        return lc_err_set(err, LOCO_EARG, "%.100s: the end of a clip must be later than its start", path);
    loco_status status = lc_sound_open_channels(&s, path, rate, columns, err);
    if (status != LOCO_OK)
        return status;
    status = lc_source_count(&s->source, err);
    double length = (double)s->source.frames, file_rate = s->source.rate;
    double first = nearbyint(start * rate), stop = nearbyint((isinf(end) ? length / file_rate : end) * rate);
    if (status == LOCO_OK && !(start * file_rate < length))
        status = lc_err_set(err, LOCO_EDATA, "%s: the clip starts at %.0f ms, and the file ends at %.0f ms",
                            s->source.name, start * 1000, length / file_rate * 1000);
    else if (status == LOCO_OK && !(stop - first >= 1 && stop - first <= (double)MOST_SAMPLES))
        status = lc_err_set(err, LOCO_EDATA, "%s: a clip of %.0f samples; it must have 1 to %llu", s->source.name,
                            stop - first, (unsigned long long)MOST_SAMPLES);
    if (status == LOCO_OK)
        status = load(s, first, stop, &x, &count, err);
    if (status == LOCO_OK && isinf(end))
        status = read_rest(s, err);
    if (status == LOCO_OK) {
        *samples = x;
        *n = count;
    } else {
        free(x);
    }
    lc_sound_close(s);
    return status;
}

loco_status lc_sound_load(const char *path, double start, double end, double rate, float **samples, size_t *n,
                          loco_err *err)
{
    return lc_sound_load_channels(path, start, end, rate, (lc_columns){0, NULL}, samples, n, err);
}

/* The mean of three channels in memory, where its square is more than half of the mean square: gravity, not noise. */
static void find_gravity(lc_sound_shape *shape, const lc_source *source)
{
    double sum[3] = {0}, squares = 0, length = 0, n = (double)source->frames;
    if (source->memory == NULL || source->channels != 3)
        return;
    for (size_t i = 0; i < 3 * (size_t)source->frames; i++) {
        double x = (double)source->memory[i];
        sum[i % 3] += x;
        squares += x * x;
    }
    for (size_t c = 0; c < 3; c++)
        length += sum[c] / n * (sum[c] / n);
    for (size_t c = 0; c < 3 && length > 0.5 * squares / n; c++)
        shape->mean[c] = sum[c] / n;
}

loco_status lc_sound_measure(lc_sound_shape *shape, const char *path, const char *columns, loco_err *err)
{
    lc_source source;
    loco_status status = lc_source_open(&source, path, (lc_columns){0, columns}, err);
    if (status != LOCO_OK)
        return status;
    status = lc_source_count(&source, err);
    if (status == LOCO_OK) {
        *shape = (lc_sound_shape){.seconds = (double)source.frames / source.rate,
                                  .rate = source.rate,
                                  .channels = source.channels,
                                  .ignored = source.ignored};
        snprintf(shape->names, sizeof shape->names, "%s", source.titles != NULL ? source.titles : "");
        find_gravity(shape, &source);
        snprintf(shape->notice, sizeof shape->notice, "%s", source.notice != NULL ? source.notice : "");
    }
    lc_source_close(&source);
    return status;
}

/* It needs no column, and so none is read. */
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

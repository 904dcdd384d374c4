/* SPDX-License-Identifier: MIT
 * front_mel.c - the front end of sound: log-mel spectra.
 *
 *     mel rate=22050 window=1024 hop=220 fft=1024 bands=72 low=27 high=11000 shape=hann emphasis=0 gain=44 floor=-3
 *         shift=1.5 scale=1.35 delta=channel delta_scale=0.35 adapt=0
 *
 * For frame t, with the samples around t * hop, its centre, and zeros before the first and after the last sample:
 *     P[k]      power spectrum of `window` samples times the window's shape, zero-padded to `fft`, scaled so that the
 *               bins of a full-scale sine add up to 1, whatever window and fft are
 *     x[f]      max(log10(sum_k triangle_f[k] P[k]) + gain / 10, floor); triangles between `low` and `high` Hz, evenly
 *               spaced in mel = 2595 log10(1 + Hz / 700), of height 1
 *     value[f]  (x[f] - mean[f] + shift) / scale; mean is 0, or with adapt=S the running mean of the last S seconds
 *     delta[f]  (x[f] - x[f] of the frame before) / delta_scale; 0 in the first frame
 * delta=none: F = bands, C = 1. delta=channel: F = bands, C = 2: value, delta. delta=stacked: F = 2 * bands, C = 1: all
 * values, then all deltas. What a line leaves out is as in the preset "drums", but fft is then the smallest power of two
 * that holds the window, and high at most half the rate.
 *
 * Presets. "drums" is the default; its gain was measured so that drum tracks have a mean of -1.5 and a spread of 1.27
 * before the shift (docs/frontend.md). "drums-paper" and "piano-paper" are as published:
 * 25 ms Hamming windows, 220 samples apart, 20 log10 of the power, the mean of a clip of 1.5 s removed (here the mean
 * of the last 1.5 s), the difference beside it. The piano has the lowest 384 of 550 bands up to 22050 Hz.
 *
 * Frames. Samples are kept in a line, with `centre` zeros before the first one: frame t then begins at sample t * hop of the
 * line and ends `window` samples later. `at` is where the next frame begins, `have` how much is there. Frames go
 * through the transform in groups, as many as a vector has lanes (fft.h); a push ends with a group of what is left.
 * Since a frame's numbers do not depend on its group, it does not matter which samples came together. The last frames
 * need `delay` zeros behind the end: finishing is a push of zeros.
 *
 * A group of one frame, as a live stream makes them, takes as long as a full one: with 1024 points and 72 bands 8.5 us
 * with AVX-512 and 5.7 with AVX2 on a Xeon of 2023, where FFTW, a frame at a time, took 1.2; in full groups a frame
 * takes 0.77 and 0.9. At 100 frames a second the 8.5 are 0.09 % of a core. Vectors that run inside a frame would add
 * in another order, and live frames would no longer be those of the file.
 *
 * The running mean m of adapt=S: m += a (x - m) with a = max(1 / frames so far, 1 - exp(-hop / (rate S))), that is the
 * plain mean at first and then an exponential one; it needs no frame that is still to come.
 */
#include "base/status.h"
#include "signal/fft.h"
#include "signal/frontend.h"
#include "signal/mel.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    ROOM = 8192,          /* samples beyond a group, so that few are moved back */
    GROUP_MOST = 1 << 16, /* samples of a group: with a longer hop it has fewer frames */
};

typedef struct mel_front {
    lc_frontend_settings settings;
    const lc_spectrum_kernels *kernels;
    lc_fft *fft;
    lc_mel mel;
    lc_block block;
    float *line;
    float *power;  /* (bins, lanes) */
    float *sums;   /* (room, lanes) */
    float *levels; /* (1 + lanes, room): of the frame before, and of a group */
    float *mean;   /* (room) */
    size_t room;   /* bands, rounded up to lanes */
    size_t group;  /* frames that a full line has at least: lanes, or fewer with a long hop */
    size_t line_len, have, at;
    float last;          /* the sample before, for the emphasis */
    size_t frames;       /* since the start */
    double slowest_rate; /* of the running mean; 0: there is none */
} mel_front;

/* ---- the line ---- */

#define AT(field) offsetof(lc_frontend_settings, field)

static const char *const shape_words[] = {"hann", "hamming", NULL};
static const char *const delta_words[] = {"none", "channel", "stacked", NULL};

_Static_assert(sizeof(lc_shape) == sizeof(unsigned) && sizeof(lc_delta) == sizeof(unsigned), "words are read so");

/* The defaults are the preset "drums". A default of 0 for fft and high, which no line may state, becomes what fits the
 * window and the rate. */
static const lc_setting keys[] = {
    {"rate",        LC_SETTING_REAL,  AT(rate),        22050,            1,    1e6,         NULL       },
    {"window",      LC_SETTING_WHOLE, AT(window),      1024,             2,    LC_FFT_MOST, NULL       },
    {"hop",         LC_SETTING_WHOLE, AT(hop),         220,              1,    LC_FFT_MOST, NULL       },
    {"fft",         LC_SETTING_WHOLE, AT(fft),         0,                16,   LC_FFT_MOST, NULL       },
    {"bands",       LC_SETTING_WHOLE, AT(bands),       72,               1,    4096,        NULL       },
    {"low",         LC_SETTING_REAL,  AT(low),         27,               0,    5e5,         NULL       },
    {"high",        LC_SETTING_REAL,  AT(high),        0,                1e-6, 5e5,         NULL       },
    {"shape",       LC_SETTING_WORD,  AT(shape),       LC_SHAPE_HANN,    0,    0,           shape_words},
    {"emphasis",    LC_SETTING_REAL,  AT(emphasis),    0,                0,    1,           NULL       },
    {"gain",        LC_SETTING_REAL,  AT(gain),        44,               -200, 200,         NULL       },
    {"floor",       LC_SETTING_REAL,  AT(floor),       -3,               -30,  10,          NULL       },
    {"shift",       LC_SETTING_REAL,  AT(shift),       1.5,              -100, 100,         NULL       },
    {"scale",       LC_SETTING_REAL,  AT(scale),       1.35,             1e-3, 1e3,         NULL       },
    {"delta",       LC_SETTING_WORD,  AT(delta),       LC_DELTA_CHANNEL, 0,    0,           delta_words},
    {"delta_scale", LC_SETTING_REAL,  AT(delta_scale), 0.35,             1e-3, 1e3,         NULL       },
    {"adapt",       LC_SETTING_REAL,  AT(adapt),       0,                0,    1e5,         NULL       },
};

static const double usual_high = 11000; /* Hz */

#define PAPER \
    "shape=hamming emphasis=0.97 gain=0 floor=-15.65 shift=0 scale=0.05 delta=stacked delta_scale=0.05 adapt=1.5"

static const lc_front_preset presets[] = {
    {"drums",       "mel"                                                                            },
    {"drums-paper", "mel rate=44100 window=1102 hop=220 fft=4096 bands=72 low=0 high=22050 " PAPER   },
    {"piano-paper", "mel rate=44100 window=1102 hop=220 fft=8192 bands=384 low=0 high=7270.69 " PAPER},
    {NULL,          NULL                                                                             },
};

/* What the line left open, where a fixed value might not fit. */
static void complete(lc_frontend_settings *s)
{
    if (s->fft == 0)
        for (s->fft = 16; s->fft < s->window; s->fft *= 2)
            continue;
    if (s->high <= 0)
        s->high = fmin(usual_high, s->rate / 2);
}

static loco_status check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->fft < s->window || s->fft % 2 != 0)
        return lc_err_set(err, LOCO_EDATA, "front end: fft=%zu must be an even number, %zu (window) to %d", s->fft,
                          s->window, LC_FFT_MOST);
    if (!(s->low < s->high && s->high <= s->rate / 2))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: low=%.0f must be below high=%.0f, and that at most %.0f (rate/2)", s->low,
                          s->high, s->rate / 2);
    return LOCO_OK;
}

/* Bands above what the recordings hold would only see silence. */
static loco_status fit(lc_frontend_settings *s, const lc_front_data *data, lc_text *notes, loco_err *err)
{
    char pair[64];
    if (data->lowest >= s->rate || s->high <= data->lowest / 2)
        return LOCO_OK;
    lc_text_format(notes, "the lowest sample rate of the recordings is %.0f Hz: the front end reads up to %.0f Hz\n",
                   data->lowest, floor(data->lowest / 2));
    snprintf(pair, sizeof pair, "high=%.0f", floor(data->lowest / 2));
    return lc_frontend_set(s, pair, err);
}

static size_t bins(const lc_frontend_settings *s)
{
    return s->delta == LC_DELTA_STACKED ? 2 * s->bands : s->bands;
}

static size_t channels(const lc_frontend_settings *s)
{
    return s->delta == LC_DELTA_CHANNEL ? 2 : 1;
}

static size_t delay(const lc_frontend_settings *s)
{
    return s->window - 1 - lc_mel_centre(s);
}

/* ---- memory ---- */

/* Runs twice: measures, then hands out. */
static void layout(mel_front *f, lc_arena *arena)
{
    const lc_frontend_settings *s = &f->settings;
    size_t lanes = f->kernels->lanes;
    lc_mel_layout(&f->mel, s, arena);
    f->line = lc_arena_take(arena, f->line_len, sizeof *f->line);
    f->power = lc_arena_take(arena, lc_mel_bins(s) * lanes, sizeof *f->power);
    f->sums = lc_arena_take(arena, f->room * lanes, sizeof *f->sums);
    f->levels = lc_arena_take(arena, (1 + lanes) * f->room, sizeof *f->levels);
    f->mean = lc_arena_take(arena, f->room, sizeof *f->mean);
}

static loco_status reserve(mel_front *f, loco_err *err)
{
    const lc_frontend_settings *s = &f->settings;
    size_t lanes = f->kernels->lanes, most = GROUP_MOST / s->hop + 1;
    lc_arena arena = {0};
    f->room = (s->bands + lanes - 1) / lanes * lanes;
    f->group = lanes < most ? lanes : most;
    f->line_len = s->window + (f->group - 1) * s->hop + ROOM;
    layout(f, &arena);
    if (!lc_block_zeros(&f->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    arena = lc_arena_over(&f->block);
    layout(f, &arena);
    lc_mel_fill(&f->mel, s);
    return lc_fft_new(&f->fft, s->fft, f->mel.window, s->window, lc_mel_bins(s), err);
}

static void close(void *state)
{
    mel_front *f = state;
    lc_fft_free(f->fft);
    lc_block_free(&f->block);
}

static loco_status open(void *state, const lc_frontend_settings *settings, loco_err *err)
{
    mel_front *f = state;
    lc_isa isa;
    loco_status status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    f->settings = *settings;
    f->kernels = lc_spectrum_kernels_of(isa);
    if (settings->adapt > 0)
        f->slowest_rate = -expm1(-(double)settings->hop / (settings->rate * settings->adapt));
    return reserve(f, err);
}

/* The levels need no clearing: the first frame has a delta of 0 whatever they hold. */
static void reset(void *state)
{
    mel_front *f = state;
    size_t zeros = lc_mel_centre(&f->settings);
    memset(f->line, 0, zeros * sizeof *f->line);
    memset(f->mean, 0, f->settings.bands * sizeof *f->mean);
    f->have = zeros;
    f->at = f->frames = 0;
    f->last = 0;
}

/* ---- groups ---- */

/* levels[1..lanes] = max(log10(band power), floor) of the frames that begin at x, x + hop, ... */
static void measure(mel_front *f, const float *x, size_t count)
{
    const lc_frontend_settings *s = &f->settings;
    const lc_spectrum_kernels *k = f->kernels;
    lc_fft_power(f->fft, x, s->hop, count, f->power);
    k->bands(f->power, f->mel.bands, f->mel.weights, f->sums, s->bands);
    k->log10(f->sums, f->sums, s->bands * k->lanes);
    k->scatter(f->sums, (float)s->floor, f->levels + f->room, s->bands, f->room);
}

/* The plain mean until its step has shrunk to that of the exponential one. */
static void update_mean(mel_front *f, const float *level)
{
    double plain = 1.0 / ((double)f->frames + 1);
    float rate = (float)(plain > f->slowest_rate ? plain : f->slowest_rate);
    for (size_t b = 0; b < f->settings.bands; b++)
        f->mean[b] += rate * (level[b] - f->mean[b]);
}

/* (F, C) as the header says: with delta=channel both values of a band are neighbours, with delta=stacked all deltas
 * follow all values. */
static void write_frame(const mel_front *f, const float *level, float *frame)
{
    const lc_frontend_settings *s = &f->settings;
    const float *before = f->frames == 0 ? level : level - f->room;
    const lc_frame_rule rule = {.shift = (float)s->shift,
                                .scale = (float)(1 / s->scale),
                                .delta_scale = (float)(1 / s->delta_scale),
                                .stride = channels(s)};
    float *deltas[] = {[LC_DELTA_NONE] = NULL, [LC_DELTA_CHANNEL] = frame + 1, [LC_DELTA_STACKED] = frame + s->bands};
    f->kernels->frame(&rule, level, f->mean, before, frame, deltas[s->delta], s->bands);
}

/* The frames of a group, one after the other. */
static void write_group(mel_front *f, size_t count, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = bins(s) * channels(s);
    measure(f, f->line + f->at, count);
    for (size_t i = 0; i < count; i++, f->frames++) {
        const float *level = f->levels + (1 + i) * f->room;
        if (f->slowest_rate > 0)
            update_mean(f, level);
        write_frame(f, level, frames + i * size);
    }
    memcpy(f->levels, f->levels + count * f->room, s->bands * sizeof *f->levels);
    f->at += count * s->hop;
}

/* ---- pieces ---- */

/* Appends as many samples as there is room for; how many. */
static size_t append(mel_front *f, const float *samples, size_t n)
{
    size_t room = f->line_len - f->have, count = n < room ? n : room;
    float *line = f->line + f->have, emphasis = (float)f->settings.emphasis;
    if (count == 0)
        return 0;
    memcpy(line, samples, count * sizeof *line);
    if (emphasis > 0) {
        line[0] -= emphasis * f->last;
        for (size_t i = 1; i < count; i++)
            line[i] -= emphasis * samples[i - 1];
    }
    f->last = samples[count - 1];
    f->have += count;
    return count;
}

/* Drops what no frame needs any more. With a hop beyond the window, `at` may lie behind all samples. */
static void move_back(mel_front *f)
{
    size_t drop = f->at < f->have ? f->at : f->have;
    memmove(f->line, f->line + drop, (f->have - drop) * sizeof *f->line);
    f->have -= drop;
    f->at -= drop;
}

/* Frames whose window is complete. */
static size_t complete_frames(const mel_front *f)
{
    const lc_frontend_settings *s = &f->settings;
    return f->at <= f->have && f->have - f->at >= s->window ? (f->have - f->at - s->window) / s->hop + 1 : 0;
}

/* Groups, as long as there are at least so many frames for one; how many frames. */
static size_t write_frames(mel_front *f, size_t least, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = bins(s) * channels(s), lanes = f->kernels->lanes, written = 0;
    for (size_t ready; (ready = complete_frames(f)) >= least;) {
        size_t count = ready < lanes ? ready : lanes;
        write_group(f, count, frames + written * size);
        written += count;
    }
    return written;
}

/* A full line either has a full group, or begins with samples that no frame needs: there is always progress. */
static size_t push(void *state, const float *samples, size_t n, float *frames)
{
    mel_front *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = bins(s) * channels(s), written = 0;
    while (n > 0) {
        size_t taken = append(f, samples, n);
        samples += taken;
        n -= taken;
        written += write_frames(f, n == 0 ? 1 : f->group, frames + written * size);
        if (f->have == f->line_len)
            move_back(f);
    }
    return written;
}

/* With zeros behind the last sample. */
static size_t finish(void *state, float *frames)
{
    static const float zeros[256];
    mel_front *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = bins(s) * channels(s), written = 0;
    for (size_t left = delay(s), n; left > 0; left -= n) {
        n = left < 256 ? left : 256;
        written += push(f, zeros, n, frames + written * size);
    }
    reset(f);
    return written;
}

/* ---- pictures ---- */

/* Bands, from the floor up, 40 dB. */
static lc_front_shades shades(const lc_frontend_settings *s)
{
    return (lc_front_shades){.rows = s->bands, .low = (s->floor + s->shift) / s->scale, .range = 4 / s->scale};
}

const lc_front_ops lc_front_mel = {
    .line = {.name = "mel", .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys},
    .presets = presets,
    .complete = complete,
    .check = check,
    .fit = fit,
    .bins = bins,
    .channels = channels,
    .delay = delay,
    .state = sizeof(mel_front),
    .open = open,
    .close = close,
    .reset = reset,
    .push = push,
    .finish = finish,
    .sound = true,
    .shades = shades,
};

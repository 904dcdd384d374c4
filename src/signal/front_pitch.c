/* SPDX-License-Identifier: MIT
 * front_pitch.c - the front end of pitched sound: log spectra whose bands are even in pitch.
 *
 *     pitch rate=16000 window=8192 window2=4096 window3=1024 hop=256 bands=294 octave=36 low=26.975579 shape=hann
 *         gain=60 floor=-3 shift=1.55 scale=1.4 delta=channel delta_scale=0.5
 *
 * spectra.c has the formulas. Up to three windows stand side by side, each a channel of its own (with delta=channel,
 * two): long ones separate low pitches, short ones say when a note begins. Band f has its peak at low * 2^(f / octave) Hz.
 * With the defaults band 1 + 3 k is MIDI note 21 + k, 27.5 Hz the first: a convolution of 9 bins and stride 3 has its
 * middle there, and its output k is that note.
 *
 * Scale. 30 s of each of 11 recordings of MAPS have a mean of -1.69, -1.70 and -1.30 (by window), a deviation of 1.34,
 * 1.34 and 1.54, and differences of 0.21, 0.41 and 1.05 before shift and scale; a third of the values is at the floor.
 *
 * Tuning. With tuning=record the bands of a recording lie where its notes are: the mean of the peaks of its long spectra,
 * as angles of a semitone, weighted by magnitude, says by how much it is higher or lower than a = 440 Hz. Renders that are 30
 * cents off lose 10 points of F1 without it. A stream, whose end is not known, stays at 440 Hz.
 *
 * Live. All windows are centred on the time of a frame, and the longest one makes the frame wait: 256 ms for 8192
 * samples. With ahead=512 no window reads further than 512 samples (32 ms) behind the time of the frame; long windows lie
 * in the past instead.
 */
#include "base/status.h"
#include "signal/spectra.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(lc_frontend_settings, field)

static const char *const shape_words[] = {"hann", "hamming", NULL};
static const char *const tuning_words[] = {"fixed", "record", NULL};
static const char *const delta_words[] = {"none", "channel", NULL};

/* window2 and window3: 0 for no such window. */
static const lc_setting keys[] = {
    {"rate",        LC_SETTING_REAL,  AT(rate),        16000,            1,    1e6,         NULL        },
    {"window",      LC_SETTING_WHOLE, AT(window),      8192,             2,    LC_FFT_MOST, NULL        },
    {"window2",     LC_SETTING_WHOLE, AT(window2),     4096,             0,    LC_FFT_MOST, NULL        },
    {"window3",     LC_SETTING_WHOLE, AT(window3),     1024,             0,    LC_FFT_MOST, NULL        },
    {"hop",         LC_SETTING_WHOLE, AT(hop),         256,              1,    LC_FFT_MOST, NULL        },
    {"bands",       LC_SETTING_WHOLE, AT(bands),       294,              1,    4096,        NULL        },
    {"octave",      LC_SETTING_WHOLE, AT(octave),      36,               1,    1200,        NULL        },
    {"low",         LC_SETTING_REAL,  AT(low),         26.975579,        1e-3, 5e5,         NULL        },
    {"shape",       LC_SETTING_WORD,  AT(shape),       LC_SHAPE_HANN,    0,    0,           shape_words },
    {"gain",        LC_SETTING_REAL,  AT(gain),        60,               -200, 200,         NULL        },
    {"floor",       LC_SETTING_REAL,  AT(floor),       -3,               -30,  10,          NULL        },
    {"shift",       LC_SETTING_REAL,  AT(shift),       1.55,             -100, 100,         NULL        },
    {"scale",       LC_SETTING_REAL,  AT(scale),       1.4,              1e-3, 1e3,         NULL        },
    {"delta",       LC_SETTING_WORD,  AT(delta),       LC_DELTA_CHANNEL, 0,    0,           delta_words },
    {"delta_scale", LC_SETTING_REAL,  AT(delta_scale), 0.5,              1e-3, 1e3,         NULL        },
    {"ahead",       LC_SETTING_WHOLE, AT(ahead),       0,                0,    LC_FFT_MOST, NULL        },
    {"tuning",      LC_SETTING_WORD,  AT(norm),        LC_NORM_FIXED,    0,    0,           tuning_words},
};

static const lc_front_preset presets[] = {
    {"piano",      "pitch tuning=record"},
    {"piano-live", "pitch ahead=512"    },
    {NULL,         NULL                 },
};

static loco_status check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->window3 > 0 && s->window2 == 0)
        return lc_err_set(err, LOCO_EDATA, "front end: window3=%zu needs window2; write window2=%zu", s->window3,
                          s->window3);
    if (s->window2 == 1 || s->window3 == 1)
        return lc_err_set(err, LOCO_EDATA, "front end: a window has 2 to %d samples; 0 for none", LC_FFT_MOST);
    if (!(lc_spectra_top(s) <= s->rate / 2))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: %zu bands, %zu an octave, from low=%g reach to %.0f Hz, and rate/2 is %.0f; use "
                          "fewer bands or a higher rate",
                          s->bands, s->octave, s->low, lc_spectra_top(s), s->rate / 2);
    return LOCO_OK;
}

/* The bands are what the network was made for: they stay, and the user learns that some are silent. */
static loco_status fit(lc_frontend_settings *s, const lc_front_data *data, lc_text *notes, loco_err *err)
{
    (void)err;
    if (data->lowest < s->rate && data->lowest / 2 < lc_spectra_top(s))
        lc_text_format(notes,
                       "the lowest sample rate of the recordings is %.0f Hz: bands above %.0f Hz are silent there\n",
                       data->lowest, floor(data->lowest / 2));
    return LOCO_OK;
}

/* A clip has what its windows read: half a second of silence at its ends would be most of some. */
static double lead(const lc_frontend_settings *s)
{
    return (double)lc_spectra_before(s) / s->rate;
}

static double tail(const lc_frontend_settings *s)
{
    return (double)lc_spectra_delay(s) / s->rate;
}

/* ---- tuning ---- */

static const double measured_each = 0.5;       /* seconds from one spectrum to the next */
static const double lowest = 100, most = 1500; /* Hz: below, bins are too wide; above, strings are too stiff */
static const double least_power = 1e-4;        /* of a peak, relative to the highest */
static const double least_agreement = 0.2;     /* 0: peaks are anywhere in the semitone, 1: all at one place */

/* The state: spectra first, so that their functions can be those of the front end. */
typedef struct pitched {
    lc_spectra spectra;
    size_t have;    /* samples in the line of the spectra, while a recording is measured */
    size_t skipped; /* of those that are not looked at */
    size_t seen;    /* spectra */
    double re, im, weight;
} pitched;

static bool wants_scale(const lc_frontend_settings *s)
{
    return s->norm == LC_NORM_RECORD;
}

static void reset(void *state)
{
    pitched *p = state;
    lc_spectra_reset(&p->spectra);
    p->have = p->skipped = p->seen = 0;
    p->re = p->im = p->weight = 0;
}

/* Adds a peak at bin k, whose place between the bins is the top of a parabola through three logarithms. */
static void add_peak(pitched *p, const float *power, size_t k, size_t lanes)
{
    const lc_frontend_settings *s = &p->spectra.parts[0].settings;
    double a = log((double)power[(k - 1) * lanes] + 1e-30), b = log((double)power[k * lanes] + 1e-30);
    double c = log((double)power[(k + 1) * lanes] + 1e-30), bend = a - 2 * b + c;
    double bin = (double)k + (bend < 0 ? 0.5 * (a - c) / bend : 0), hz = bin * s->rate / (double)s->fft;
    double angle = 2 * acos(-1) * 12 * log2(hz / 440), weight = sqrt((double)power[k * lanes]);
    p->re += weight * cos(angle);
    p->im += weight * sin(angle);
    p->weight += weight;
}

/* The spectrum of the first samples of the line. */
static void add_spectrum(pitched *p)
{
    lc_spectra *f = &p->spectra;
    const lc_frontend_settings *s = &f->parts[0].settings;
    size_t lanes = f->kernels->lanes, bins = lc_filters_bins(s);
    double per_hz = (double)s->fft / s->rate, top = 0;
    size_t first = (size_t)fmax(1, ceil(lowest * per_hz)), last = (size_t)fmin((double)bins - 2, most * per_hz);
    lc_fft_power(f->parts[0].fft, f->line, s->hop, 1, f->power);
    for (size_t k = first; k <= last; k++) /* not by fmax, of which gcc 12 for arm64 cannot make a vector loop here */
        top = (double)f->power[k * lanes] > top ? (double)f->power[k * lanes] : top;
    for (size_t k = first; k <= last; k++) {
        const float *at = f->power + k * lanes;
        if (*at > *(at - lanes) && *at >= *(at + lanes) && (double)*at > least_power * top)
            add_peak(p, f->power, k, lanes);
    }
    p->seen++;
}

static void measure(void *state, const float *samples, size_t n)
{
    pitched *p = state;
    size_t window = p->spectra.settings.window, pause = (size_t)(measured_each * p->spectra.settings.rate);
    for (size_t i = 0; i < n; i++) {
        p->spectra.line[p->have++] = samples[i];
        if (p->have < window)
            continue;
        if (p->skipped == 0)
            add_spectrum(p);
        p->have = 0;
        p->skipped = p->skipped + window < pause ? p->skipped + window : 0;
    }
}

/* Recordings in which no tuning stands out, and silence, are left as they are. */
static void measured(void *state, lc_scale *scale)
{
    pitched *p = state;
    size_t window = p->spectra.settings.window;
    if (p->seen == 0) {
        memset(p->spectra.line + p->have, 0, (window - p->have) * sizeof *p->spectra.line);
        add_spectrum(p);
    }
    bool clear = hypot(p->re, p->im) > least_agreement * p->weight;
    *scale = (lc_scale){.mean = {clear ? atan2(p->im, p->re) / (2 * acos(-1)) : 0}};
    reset(p);
}

static void rescale(void *state, const lc_scale *scale)
{
    pitched *p = state;
    if (p->spectra.settings.norm == LC_NORM_RECORD)
        lc_spectra_tune(&p->spectra, scale != NULL ? scale->mean[0] : 0);
}

/* ---- transposition ---- */

static void silence(const lc_frontend_settings *s, float *bins, size_t n)
{
    size_t C = lc_spectra_channels(s);
    float silent = (float)((s->floor + s->shift) / s->scale);
    for (size_t i = 0; i < n * C; i++)
        bins[i] = s->delta == LC_DELTA_CHANNEL && i % 2 == 1 ? 0 : silent; /* differences are 0 */
}

static void transpose(const lc_frontend_settings *s, float *frame, long semitones)
{
    size_t C = lc_spectra_channels(s), moved = (size_t)labs(semitones) * (s->octave / 12);
    size_t by = moved < s->bands ? moved : s->bands, kept = s->bands - by;
    bool up = semitones > 0;
    memmove(frame + (up ? by * C : 0), frame + (up ? 0 : by * C), kept * C * sizeof *frame);
    silence(s, frame + (up ? 0 : kept * C), by);
}

const lc_front_ops lc_front_pitch = {
    .line = {.name = "pitch", .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys, .rare = 2},
    .presets = presets,
    .check = check,
    .fit = fit,
    .bins = lc_spectra_bins,
    .channels = lc_spectra_channels,
    .delay = lc_spectra_delay,
    .top = lc_spectra_top,
    .lead = lead,
    .tail = tail,
    .wants_scale = wants_scale,
    .state = sizeof(pitched),
    .open = lc_spectra_open,
    .close = lc_spectra_close,
    .reset = reset,
    .push = lc_spectra_push,
    .finish = lc_spectra_finish,
    .measure = measure,
    .measured = measured,
    .rescale = rescale,
    .sound = true,
    .pitched = true,
    .transpose = transpose,
    .shades = lc_spectra_shades,
};

/* SPDX-License-Identifier: MIT
 * front_mel.c - the front end of sound: log-mel spectra.
 *
 *     mel rate=22050 window=1024 hop=220 fft=1024 bands=72 low=27 high=11000 shape=hann emphasis=0 gain=44 floor=-3
 *         shift=1.5 scale=1.35 delta=channel delta_scale=0.35 adapt=0
 *
 * spectra.c has the formulas; here are the keys. What a line leaves out is as in the preset "drums", but fft is then the
 * smallest power of two that holds the window, and high at most half the rate.
 *
 * Presets. "drums" is the default; its gain was measured so that drum tracks have a mean of -1.5 and a spread of 1.27
 * before the shift (docs/frontend.md). "drums-paper" and "piano-paper" are as published:
 * 25 ms Hamming windows, 220 samples apart, 20 log10 of the power, the mean of a clip of 1.5 s removed (here the mean
 * of the last 1.5 s), the difference beside it. The piano has the lowest 384 of 550 bands up to 22050 Hz. */
#include "base/status.h"
#include "signal/spectra.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

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
        s->fft = lc_spectra_fft(s->window);
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

const lc_front_ops lc_front_mel = {
    .line = {.name = "mel", .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys},
    .presets = presets,
    .complete = complete,
    .check = check,
    .fit = fit,
    .bins = lc_spectra_bins,
    .channels = lc_spectra_channels,
    .delay = lc_spectra_delay,
    .state = sizeof(lc_spectra),
    .open = lc_spectra_open,
    .close = lc_spectra_close,
    .reset = lc_spectra_reset,
    .push = lc_spectra_push,
    .finish = lc_spectra_finish,
    .sound = true,
    .shades = lc_spectra_shades,
};

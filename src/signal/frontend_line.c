/* SPDX-License-Identifier: MIT
 * frontend_line.c - the line that describes a front end: "mel rate=22050 window=1024 ...".
 *   One table of keys drives reading, writing and the sentences about what is wrong (base/settings.h).
 *
 * Presets. "drums" is the default; its gain was measured so that drum tracks have a mean of -1.5 and a spread of 1.27
 * before the shift (docs/frontend.md). "drums-paper" and "piano-paper" are as published:
 * 25 ms Hamming windows, 220 samples apart, 20 log10 of the power, the mean of a clip of 1.5 s removed (here the mean
 * of the last 1.5 s), the difference beside it. The piano has the lowest 384 of 550 bands up to 22050 Hz.
 * "series" is a beginning: training fits rate, channels and hop to the data. "ecg" keeps what QRS complexes are made of; the waves
 * between them, below 5 Hz, made learning from counts slower in single short runs. */
#include "base/settings.h"
#include "base/status.h"
#include "signal/fft.h"
#include "signal/frontend.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(lc_frontend_settings, field)

static const char *const shapes[] = {"hann", "hamming", NULL};
static const char *const deltas[] = {"none", "channel", "stacked", NULL};

static const char *const norms[] = {"fixed", "record", "running", NULL};

_Static_assert(sizeof(lc_norm) == sizeof(unsigned), "words are read so");
_Static_assert(sizeof(lc_shape) == sizeof(unsigned) && sizeof(lc_delta) == sizeof(unsigned), "words are read so");

/* The usual values are the preset "drums". A usual 0 of fft and high, which no line may say, becomes what fits the
 * window and the rate. */
static const lc_setting keys[] = {
    {"rate",        LC_SETTING_REAL,  AT(rate),        22050,            1,    1e6,         NULL  },
    {"window",      LC_SETTING_WHOLE, AT(window),      1024,             2,    LC_FFT_MOST, NULL  },
    {"hop",         LC_SETTING_WHOLE, AT(hop),         220,              1,    LC_FFT_MOST, NULL  },
    {"fft",         LC_SETTING_WHOLE, AT(fft),         0,                16,   LC_FFT_MOST, NULL  },
    {"bands",       LC_SETTING_WHOLE, AT(bands),       72,               1,    4096,        NULL  },
    {"low",         LC_SETTING_REAL,  AT(low),         27,               0,    5e5,         NULL  },
    {"high",        LC_SETTING_REAL,  AT(high),        0,                1e-6, 5e5,         NULL  },
    {"shape",       LC_SETTING_WORD,  AT(shape),       LC_SHAPE_HANN,    0,    0,           shapes},
    {"emphasis",    LC_SETTING_REAL,  AT(emphasis),    0,                0,    1,           NULL  },
    {"gain",        LC_SETTING_REAL,  AT(gain),        44,               -200, 200,         NULL  },
    {"floor",       LC_SETTING_REAL,  AT(floor),       -3,               -30,  10,          NULL  },
    {"shift",       LC_SETTING_REAL,  AT(shift),       1.5,              -100, 100,         NULL  },
    {"scale",       LC_SETTING_REAL,  AT(scale),       1.35,             1e-3, 1e3,         NULL  },
    {"delta",       LC_SETTING_WORD,  AT(delta),       LC_DELTA_CHANNEL, 0,    0,           deltas},
    {"delta_scale", LC_SETTING_REAL,  AT(delta_scale), 0.35,             1e-3, 1e3,         NULL  },
    {"adapt",       LC_SETTING_REAL,  AT(adapt),       0,                0,    1e5,         NULL  },
};

/* A hop of 1 s at any rate would make frames of a million values. */
enum { SERIES_HOP = 4096 };

static const lc_setting series_keys[] = {
    {"rate",        LC_SETTING_REAL,  AT(rate),        100,            1,    1e6,               NULL  },
    {"channels",    LC_SETTING_WHOLE, AT(channels),    1,              1,    LC_SOUND_CHANNELS, NULL  },
    {"hop",         LC_SETTING_WHOLE, AT(hop),         1,              1,    SERIES_HOP,        NULL  },
    {"low",         LC_SETTING_REAL,  AT(low),         0.3,            0,    5e5,               NULL  },
    {"high",        LC_SETTING_REAL,  AT(high),        0,              0,    5e5,               NULL  },
    {"scale",       LC_SETTING_WORD,  AT(norm),        LC_NORM_RECORD, 0,    0,                 norms },
    {"adapt",       LC_SETTING_REAL,  AT(adapt),       10,             0.1,  1e5,               NULL  },
    {"delta",       LC_SETTING_WORD,  AT(delta),       LC_DELTA_NONE,  0,    0,                 deltas},
    {"delta_scale", LC_SETTING_REAL,  AT(delta_scale), 0.35,           1e-3, 1e3,               NULL  },
};

static const lc_settings_kind kinds[] = {
    [LC_FRONT_MEL] = {.name = "mel",    .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys},
    [LC_FRONT_SERIES] = {.name = "series",
                      .title = "front end",
                      .keys = series_keys,
                      .keys_len = sizeof series_keys / sizeof *series_keys                                        },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

enum { LINE_MOST = 1024 };

static const double usual_high = 11000; /* Hz */

#define PAPER \
    "shape=hamming emphasis=0.97 gain=0 floor=-15.65 shift=0 scale=0.05 delta=stacked delta_scale=0.05 adapt=1.5"

static const char *const presets[][2] = {
    {"drums",       "mel"                                                                            },
    {"drums-paper", "mel rate=44100 window=1102 hop=220 fft=4096 bands=72 low=0 high=22050 " PAPER   },
    {"piano-paper", "mel rate=44100 window=1102 hop=220 fft=8192 bands=384 low=0 high=7270.69 " PAPER},
    {"series",      "series"                                                                         },
    {"ecg",         "series rate=120 hop=2 low=5 high=35"                                            },
};

const char *lc_frontend_preset(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strcmp(presets[i][0], name) == 0)
            return presets[i][1];
    return NULL;
}

loco_status lc_frontend_set(lc_frontend_settings *settings, const char *pair, loco_err *err)
{
    return lc_settings_set(settings, &kinds[settings->kind], pair, strlen(pair), err);
}

static loco_status check_series(const lc_frontend_settings *s, loco_err *err)
{
    if (s->delta == LC_DELTA_STACKED)
        return lc_err_set(err, LOCO_EDATA, "front end: delta=stacked is of mel; of series it is none or channel");
    if (s->hop * s->channels > SERIES_HOP)
        return lc_err_set(err, LOCO_EDATA, "front end: hop=%zu times channels=%zu is more than %d values a frame",
                          s->hop, s->channels, SERIES_HOP);
    if (!(s->low < s->rate / 2) || (s->high > 0 && !(s->low < s->high && s->high < s->rate / 2)))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: low=%.2f must be below high=%.2f (0: no limit), and both below %.2f (rate/2)",
                          s->low, s->high, s->rate / 2);
    return LOCO_OK;
}

/* Each for itself, then those that depend on one another. */
loco_status lc_frontend_check(const lc_frontend_settings *s, loco_err *err)
{
    if ((size_t)s->kind >= KINDS)
        return lc_err_set(err, LOCO_EDATA, "front end: there is no kind %d", (int)s->kind);
    if (lc_settings_check(s, &kinds[s->kind], err) != LOCO_OK)
        return LOCO_EDATA;
    if (s->kind == LC_FRONT_SERIES)
        return check_series(s, err);
    if (s->fft < s->window || s->fft % 2 != 0)
        return lc_err_set(err, LOCO_EDATA, "front end: fft=%zu must be an even number, %zu (window) to %d", s->fft,
                          s->window, LC_FFT_MOST);
    if (!(s->low < s->high && s->high <= s->rate / 2))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: low=%.0f must be below high=%.0f, and that at most %.0f (rate/2)", s->low,
                          s->high, s->rate / 2);
    return LOCO_OK;
}

/* What the line left open, where a fixed value might not fit. */
static void complete(lc_frontend_settings *s)
{
    if (s->kind == LC_FRONT_SERIES)
        return;
    if (s->fft == 0)
        for (s->fft = 16; s->fft < s->window; s->fft *= 2)
            continue;
    if (s->high <= 0)
        s->high = fmin(usual_high, s->rate / 2);
}

loco_status lc_frontend_parse(lc_frontend_settings *settings, const char *line, loco_err *err)
{
    lc_frontend_settings parsed = {0};
    size_t which, length = strlen(line);
    if (length > LINE_MOST)
        return lc_err_set(err, LOCO_EDATA, "front end: a line of more than %d bytes", LINE_MOST);
    loco_status status = lc_settings_parse(&parsed, &which, kinds, KINDS, line, length, err);
    if (status != LOCO_OK)
        return status;
    parsed.kind = (lc_front)which;
    complete(&parsed);
    status = lc_frontend_check(&parsed, err);
    if (status == LOCO_OK)
        *settings = parsed;
    return status;
}

void lc_frontend_format(const lc_frontend_settings *settings, lc_text *text)
{
    lc_settings_format(settings, &kinds[settings->kind], text);
}

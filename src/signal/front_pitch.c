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
 * Live. All windows are centred on the time of a frame, and the longest one makes the frame wait: 256 ms for 8192
 * samples. With ahead=512 no window reads further than 512 samples (32 ms) behind the time of the frame; long windows lie
 * in the past instead.
 */
#include "base/status.h"
#include "signal/spectra.h"

#include <math.h>
#include <stddef.h>

#define AT(field) offsetof(lc_frontend_settings, field)

static const char *const shape_words[] = {"hann", "hamming", NULL};
static const char *const delta_words[] = {"none", "channel", NULL};

/* window2 and window3: 0 for no such window. */
static const lc_setting keys[] = {
    {"rate",        LC_SETTING_REAL,  AT(rate),        16000,            1,    1e6,         NULL       },
    {"window",      LC_SETTING_WHOLE, AT(window),      8192,             2,    LC_FFT_MOST, NULL       },
    {"window2",     LC_SETTING_WHOLE, AT(window2),     4096,             0,    LC_FFT_MOST, NULL       },
    {"window3",     LC_SETTING_WHOLE, AT(window3),     1024,             0,    LC_FFT_MOST, NULL       },
    {"hop",         LC_SETTING_WHOLE, AT(hop),         256,              1,    LC_FFT_MOST, NULL       },
    {"bands",       LC_SETTING_WHOLE, AT(bands),       294,              1,    4096,        NULL       },
    {"octave",      LC_SETTING_WHOLE, AT(octave),      36,               1,    1200,        NULL       },
    {"low",         LC_SETTING_REAL,  AT(low),         26.975579,        1e-3, 5e5,         NULL       },
    {"shape",       LC_SETTING_WORD,  AT(shape),       LC_SHAPE_HANN,    0,    0,           shape_words},
    {"gain",        LC_SETTING_REAL,  AT(gain),        60,               -200, 200,         NULL       },
    {"floor",       LC_SETTING_REAL,  AT(floor),       -3,               -30,  10,          NULL       },
    {"shift",       LC_SETTING_REAL,  AT(shift),       1.55,             -100, 100,         NULL       },
    {"scale",       LC_SETTING_REAL,  AT(scale),       1.4,              1e-3, 1e3,         NULL       },
    {"delta",       LC_SETTING_WORD,  AT(delta),       LC_DELTA_CHANNEL, 0,    0,           delta_words},
    {"delta_scale", LC_SETTING_REAL,  AT(delta_scale), 0.5,              1e-3, 1e3,         NULL       },
    {"ahead",       LC_SETTING_WHOLE, AT(ahead),       0,                0,    LC_FFT_MOST, NULL       },
};

static const lc_front_preset presets[] = {
    {"piano",      "pitch"          },
    {"piano-live", "pitch ahead=512"},
    {NULL,         NULL             },
};

/* Hz of the right corner of the last band. */
static double top_of(const lc_frontend_settings *s)
{
    return s->low * exp2((double)s->bands / (double)s->octave);
}

static loco_status check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->window3 > 0 && s->window2 == 0)
        return lc_err_set(err, LOCO_EDATA, "front end: window3=%zu needs window2; write window2=%zu", s->window3,
                          s->window3);
    if (s->window2 == 1 || s->window3 == 1)
        return lc_err_set(err, LOCO_EDATA, "front end: a window has 2 to %d samples; 0 for none", LC_FFT_MOST);
    if (!(top_of(s) <= s->rate / 2))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: %zu bands, %zu an octave, from low=%g reach to %.0f Hz, and rate/2 is %.0f; use "
                          "fewer bands or a higher rate",
                          s->bands, s->octave, s->low, top_of(s), s->rate / 2);
    return LOCO_OK;
}

/* The bands are what the network was made for: they stay, and the user learns that some are silent. */
static loco_status fit(lc_frontend_settings *s, const lc_front_data *data, lc_text *notes, loco_err *err)
{
    (void)err;
    if (data->lowest < s->rate && data->lowest / 2 < top_of(s))
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

const lc_front_ops lc_front_pitch = {
    .line = {.name = "pitch", .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys, .rare = 1},
    .presets = presets,
    .check = check,
    .fit = fit,
    .bins = lc_spectra_bins,
    .channels = lc_spectra_channels,
    .delay = lc_spectra_delay,
    .top = top_of,
    .lead = lead,
    .tail = tail,
    .state = sizeof(lc_spectra),
    .open = lc_spectra_open,
    .close = lc_spectra_close,
    .reset = lc_spectra_reset,
    .push = lc_spectra_push,
    .finish = lc_spectra_finish,
    .sound = true,
    .pitched = true,
    .shades = lc_spectra_shades,
};

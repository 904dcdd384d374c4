/* SPDX-License-Identifier: MIT
 * front_windows.c - the front end of the published network for digits: windows of an image in the order of a Hilbert curve.
 *
 *     windows rate=1 hop=1 size=32 channels=1
 *
 * source_image.c cuts the windows, size x size pixels around cells of size/4 x size/4 (hilbert.h): here each is one sample
 * of size * size * channels values and becomes one frame, whose bins are its pixels. The network reads it by `image 32x32
 * 64 64, pool 2x2, ...`; each pixel goes through the first layers up to 16 times, which is why front_image.c is the one to
 * use. Pixels are 0..1, as they are. */
#include "base/status.h"
#include "signal/frontend.h"

#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(lc_frontend_settings, field)

static const lc_setting keys[] = {
    {"rate",     LC_SETTING_REAL,  AT(rate),     1,  1, 1,  NULL},
    {"hop",      LC_SETTING_WHOLE, AT(hop),      1,  1, 1,  NULL},
    {"size",     LC_SETTING_WHOLE, AT(window),   32, 8, 64, NULL},
    {"channels", LC_SETTING_WHOLE, AT(channels), 1,  1, 3,  NULL},
};

static const lc_front_preset presets[] = {
    {"digits-paper", "windows size=32"},
    {NULL,           NULL             },
};

static size_t bins(const lc_frontend_settings *s)
{
    return s->window * s->window;
}

static size_t channels(const lc_frontend_settings *s)
{
    return s->channels;
}

static size_t cell(const lc_frontend_settings *s)
{
    return s->window / 4;
}

static loco_status check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->window % 8 != 0)
        return lc_err_set(err, LOCO_EDATA, "front end: size=%zu; windows have 8, 16, 24, ... 64 pixels a side",
                          s->window);
    if (s->channels == 2)
        return lc_err_set(err, LOCO_EDATA, "front end: channels=2; a pixel is grey (1), or red, green and blue (3)");
    return LOCO_OK;
}

static lc_columns columns(const lc_frontend_settings *s)
{
    return (lc_columns){bins(s) * s->channels, s->channels == 3 ? "rgb windows" : "grey windows"};
}

typedef struct windows_front {
    size_t values; /* of a frame */
} windows_front;

static loco_status open(void *state, const lc_frontend_settings *settings, loco_err *err)
{
    (void)err;
    ((windows_front *)state)->values = bins(settings) * settings->channels;
    return LOCO_OK;
}

static void reset(void *state)
{
    (void)state;
}

static size_t push(void *state, const float *samples, size_t n, float *frames)
{
    memcpy(frames, samples, n * ((windows_front *)state)->values * sizeof *frames);
    return n;
}

static size_t finish(void *state, float *frames)
{
    (void)state;
    (void)frames;
    return 0;
}

const lc_front_ops lc_front_windows = {
    .line = {.name = "windows", .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys},
    .presets = presets,
    .check = check,
    .bins = bins,
    .channels = channels,
    .cell = cell,
    .columns = columns,
    .state = sizeof(windows_front),
    .open = open,
    .reset = reset,
    .push = push,
    .finish = finish,
    .picture = true,
    .limits = {.batch = 1e5,                 .calibrate = 1e6,                          .trained = 1e5     },
};

/* SPDX-License-Identifier: MIT
 * front_image.c - the front end of images: rows of pixels into frames of cells.
 *
 *     image rate=1 cell=4 width=256 channels=1 scale=fixed views=1
 *
 * A row of pixels is a moment: time is y, and a second is a pixel. A frame is `cell` rows: F = width / cell bins, rounded
 * up, each a square of cell x cell pixels, whose C = cell * cell * channels values lie side by side, (y, x, channel). A
 * convolution over frames and bins is so one over the picture, at one output a cell, and no layer has to change the
 * number of frames. Behind the last row and the last column these are repeated.
 *
 *     value  (pixel - mean) / spread. scale=fixed: those of the training data, which the model keeps; scale=record: those
 *            of the image itself. What an image is measured by as a whole lets a network meet its count without finding
 *            anything: fixed is the default.
 *
 * With views=2, 4 or 8 a trained model also counts in mirrors (image/view.h), and the mean is taken. For what looks the same
 * from all sides, as cells do; never for digits. */
#include "base/status.h"
#include "signal/frontend.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 1 << 20 }; /* of a frame */

/* ---- the line ---- */

#define AT(field) offsetof(lc_frontend_settings, field)

static const char *const norm_words[] = {"fixed", "record", NULL};

static const lc_setting keys[] = {
    {"rate",     LC_SETTING_REAL,  AT(rate),     1,             1, 1,     NULL      },
    {"cell",     LC_SETTING_WHOLE, AT(hop),      4,             1, 64,    NULL      },
    {"width",    LC_SETTING_WHOLE, AT(width),    256,           1, 32768, NULL      },
    {"channels", LC_SETTING_WHOLE, AT(channels), 1,             1, 3,     NULL      },
    {"scale",    LC_SETTING_WORD,  AT(norm),     LC_NORM_FIXED, 0, 0,     norm_words},
    {"views",    LC_SETTING_WHOLE, AT(views),    1,             1, 8,     NULL      },
};

static const lc_front_preset presets[] = {
    {"image", "image cell=4"                     },
    {"spots", "image cell=2 scale=record views=8"},
    {NULL,    NULL                               },
};

static size_t bins(const lc_frontend_settings *s)
{
    size_t cell = s->hop > 0 ? s->hop : 1; /* it is; the analyser cannot see it */
    return (s->width + cell - 1) / cell;
}

static size_t channels(const lc_frontend_settings *s)
{
    return s->hop * s->hop * s->channels;
}

static loco_status check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->channels == 2)
        return lc_err_set(err, LOCO_EDATA, "front end: channels=2; a pixel is grey (1), or red, green and blue (3)");
    if ((s->views & (s->views - 1)) != 0)
        return lc_err_set(err, LOCO_EDATA, "front end: views=%zu; 1, 2, 4 or 8", s->views);
    if (bins(s) * channels(s) > MOST_VALUES)
        return lc_err_set(err, LOCO_EDATA, "front end: width=%zu and cell=%zu are %zu values a frame; at most %d",
                          s->width, s->hop, bins(s) * channels(s), MOST_VALUES);
    return LOCO_OK;
}

/* The width is that of the widest image; detection reads wider ones in strips. */
static loco_status fit(lc_frontend_settings *s, const lc_front_data *data, lc_text *notes, loco_err *err)
{
    (void)err;
    s->width = data->channels;
    lc_text_format(notes, "images up to %zu pixels wide, in cells of %zu x %zu\n", s->width, s->hop, s->hop);
    return LOCO_OK;
}

/* Names as source_image.c reads them. */
static lc_columns columns(const lc_frontend_settings *s)
{
    return (lc_columns){s->width * s->channels, s->channels == 3 ? "rgb" : "grey"};
}

static bool wants_scale(const lc_frontend_settings *s)
{
    return s->norm == LC_NORM_RECORD;
}

/* ---- memory ---- */

typedef struct image_front {
    lc_frontend_settings settings;
    lc_scale scale;
    size_t held; /* rows of the frame that is being filled */
    float *rows; /* (cell, width, channels) */
    double sums[3], squares[3], measured;
} image_front;

static void rescale(void *state, const lc_scale *scale)
{
    image_front *f = state;
    f->scale = scale != NULL ? *scale : f->settings.usual;
    for (size_t c = 0; c < f->settings.channels; c++)
        f->scale.spread[c] = f->scale.spread[c] > 0 ? f->scale.spread[c] : 1;
}

static void reset(void *state)
{
    image_front *f = state;
    f->held = 0;
    f->measured = 0;
    memset(f->sums, 0, sizeof f->sums);
    memset(f->squares, 0, sizeof f->squares);
}

static void close(void *state)
{
    free(((image_front *)state)->rows);
}

static loco_status open(void *state, const lc_frontend_settings *settings, loco_err *err)
{
    image_front *f = state;
    f->settings = *settings;
    f->rows = calloc(settings->hop * settings->width, settings->channels * sizeof *f->rows);
    if (f->rows == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    rescale(f, NULL);
    return LOCO_OK;
}

/* ---- frames ---- */

/* One row, scaled, into its place of the frame. */
static void take(image_front *f, const float *row)
{
    size_t C = f->settings.channels, width = f->settings.width;
    float *to = f->rows + f->held++ * width * C;
    for (size_t c = 0; c < C; c++) {
        float mean = (float)f->scale.mean[c], factor = (float)(1 / f->scale.spread[c]);
        for (size_t x = 0; x < width; x++)
            to[x * C + c] = (row[x * C + c] - mean) * factor;
    }
}

/* Pixels of a row from x on that are in the picture, of a cell's; at least one. */
static size_t inside(const lc_frontend_settings *s, size_t x)
{
    return s->width - x < s->hop ? s->width - x : s->hop;
}

static void emit(image_front *f, float *frame)
{
    const lc_frontend_settings *s = &f->settings;
    size_t C = s->channels, row = s->width * C;
    for (size_t bin = 0; bin < bins(s); bin++)
        for (size_t y = 0; y < s->hop; y++) {
            size_t x = bin * s->hop, n = inside(s, x);
            const float *from = f->rows + y * row + x * C;
            memcpy(frame, from, n * C * sizeof *frame);
            for (size_t i = n; i < s->hop; i++)
                memcpy(frame + i * C, from + (n - 1) * C, C * sizeof *frame);
            frame += s->hop * C;
        }
    f->held = 0;
}

static size_t push(void *state, const float *samples, size_t n, float *frames)
{
    image_front *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = bins(s) * channels(s), written = 0;
    for (size_t i = 0; i < n; i++) {
        take(f, samples + i * s->width * s->channels);
        if (f->held == s->hop)
            emit(f, frames + written++ * size);
    }
    return written;
}

static size_t finish(void *state, float *frames)
{
    image_front *f = state;
    size_t row = f->settings.width * f->settings.channels, written = f->held > 0;
    for (; f->held > 0 && f->held < f->settings.hop; f->held++)
        memcpy(f->rows + f->held * row, f->rows + (f->held - 1) * row, row * sizeof *f->rows);
    if (written > 0)
        emit(f, frames);
    reset(f);
    return written;
}

/* ---- scales ---- */

static void measure(void *state, const float *samples, size_t n)
{
    image_front *f = state;
    size_t C = f->settings.channels, pixels = n * f->settings.width;
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < C; c++) {
            double v = (double)samples[i * C + c];
            f->sums[c] += v;
            f->squares[c] += v * v;
        }
    f->measured += (double)pixels;
}

static void measured(void *state, lc_scale *scale)
{
    image_front *f = state;
    *scale = f->settings.usual;
    for (size_t c = 0; f->measured > 0 && c < f->settings.channels; c++) {
        double mean = f->sums[c] / f->measured, variance = f->squares[c] / f->measured - mean * mean;
        scale->mean[c] = mean;
        scale->spread[c] = variance > 1e-12 ? sqrt(variance) : 1;
    }
    reset(f);
}

/* ---- pictures ---- */

/* The mean of a cell. */
static double value(const lc_frontend_settings *s, const float *frame, size_t row)
{
    double sum = 0;
    size_t C = channels(s);
    for (size_t i = 0; i < C; i++)
        sum += (double)frame[row * C + i];
    return sum / (double)C;
}

/* Limits in rows: those of a thousand images of a thousand rows. */
const lc_front_ops lc_front_image = {
    .line = {.name = "image", .title = "front end", .keys = keys, .keys_len = sizeof keys / sizeof *keys},
    .presets = presets,
    .check = check,
    .fit = fit,
    .bins = bins,
    .channels = channels,
    .places = bins,
    .columns = columns,
    .wants_scale = wants_scale,
    .state = sizeof(image_front),
    .open = open,
    .close = close,
    .reset = reset,
    .push = push,
    .finish = finish,
    .measure = measure,
    .measured = measured,
    .rescale = rescale,
    .picture = true,
    .limits = {.batch = 1e5,               .calibrate = 1e6,                        .trained = 1e5     },
    .lag_step = 0.5,
    .rows = bins,
    .value = value,
};

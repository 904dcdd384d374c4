/* SPDX-License-Identifier: MIT
 * front_series.c - the front end of recordings of sensors: filters, scales, frames of samples side by side.
 *
 *     series rate=120 channels=1 hop=2 low=0.7 high=35 scale=record adapt=10 delta=none delta_scale=0.35 magnitude=0
 *
 *     magnitude=1: sqrt(x[0]^2 + x[1]^2 + ...) takes the place of the channels, before all that follows; it does not change
 *               when a sensor is worn another way round
 *     y[c]      channel c above `low` and below `high` Hz (0: no limit); both filters are causal
 *     value[c]  (y[c] - mean[c]) / spread[c]. scale=fixed: those of the training data, which the model keeps;
 *               scale=record: those of the whole recording, where it is known before (lc_frontend_rescale), else fixed;
 *               scale=running: those of the last `adapt` seconds, beginning with fixed
 *     delta[c]  (value[c] - value[c] of the sample before) / delta_scale
 * A frame is `hop` samples: F = 1, C = hop * channels values and, with delta=channel, as many deltas behind them. Frame t
 * begins with sample t * hop; behind the end the last sample is repeated.
 *
 * Presets. "series" is a beginning: training fits rate, channels and hop to the data. "ecg" keeps what QRS complexes are
 * made of; the waves between them, below 5 Hz, made learning from counts slower in single short runs.
 *
 * Both filters are Butterworth of second order (bilinear, corner at -3 dB), in transposed direct form II:
 *     y = b0 x + s1;  s1 = b1 x - a1 y + s2;  s2 = b2 x - a2 y
 * A filter without phase would need the whole recording, and could not run live. What these delay is small where
 * events are steep: below 0.7 Hz the high-pass turns phases, at 10 Hz it is 2 ms early; the low-pass of 35 Hz is 6 ms
 * late. It is the same for all events, and so part of the offset that calibration finds.
 *
 * Before the first sample it is taken to have been there for ever: the state of the low-pass is that of a constant, and
 * the high-pass gives 0. A series at -9.81 does not begin with a jump.
 *
 * The running scale starts from the fixed one, and follows with a = 1 / (adapt * rate):
 *     mean += a (y - mean);  variance += a ((y - mean)^2 - variance)
 * The spread stays above a hundredth of the fixed one: behind an hour of nothing, noise must not look like events. */
#include "base/status.h"
#include "signal/frontend.h"
#include "signal/series_strength.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 60 };  /* a second, of data without a preset of their own */
enum { SLOWEST = 16 }; /* frames of a period, of these: what is slower is removed */
enum { TURNED = 30 };  /* degrees between the gravity of two recordings; from here on their magnitude is read */

/* ---- the line ---- */

#define AT(field) offsetof(lc_frontend_settings, field)

static const char *const delta_words[] = {"none", "channel", "stacked", NULL};
static const char *const norm_words[] = {"fixed", "record", "running", NULL};

_Static_assert(sizeof(lc_norm) == sizeof(unsigned) && sizeof(lc_delta) == sizeof(unsigned), "words are read so");

/* A hop of 1 s at any rate would make frames of a million values. */
enum { MOST_VALUES = 4096 };

static const lc_setting keys[] = {
    {"rate",        LC_SETTING_REAL,  AT(rate),        100,            1,    1e6,               NULL       },
    {"channels",    LC_SETTING_WHOLE, AT(channels),    1,              1,    LC_SOUND_CHANNELS, NULL       },
    {"hop",         LC_SETTING_WHOLE, AT(hop),         1,              1,    MOST_VALUES,       NULL       },
    {"low",         LC_SETTING_REAL,  AT(low),         0.3,            0,    5e5,               NULL       },
    {"high",        LC_SETTING_REAL,  AT(high),        0,              0,    5e5,               NULL       },
    {"scale",       LC_SETTING_WORD,  AT(norm),        LC_NORM_RECORD, 0,    0,                 norm_words },
    {"adapt",       LC_SETTING_REAL,  AT(adapt),       10,             0.1,  1e5,               NULL       },
    {"delta",       LC_SETTING_WORD,  AT(delta),       LC_DELTA_NONE,  0,    0,                 delta_words},
    {"delta_scale", LC_SETTING_REAL,  AT(delta_scale), 0.35,           1e-3, 1e3,               NULL       },
    {"magnitude",   LC_SETTING_WHOLE, AT(magnitude),   0,              0,    1,                 NULL       },
};

static const lc_front_preset presets[] = {
    {"series", "series"                             },
    {"ecg",    "series rate=120 hop=2 low=5 high=35"},
    {NULL,     NULL                                 },
};

/* Channels behind the magnitude. */
static size_t kept(const lc_frontend_settings *s)
{
    return s->magnitude > 0 ? 1 : s->channels;
}

static loco_status check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->delta == LC_DELTA_STACKED)
        return lc_err_set(err, LOCO_EDATA, "front end: delta=stacked belongs to mel; series take none or channel");
    if (s->hop * s->channels > MOST_VALUES)
        return lc_err_set(err, LOCO_EDATA, "front end: hop=%zu times channels=%zu is more than %d values a frame",
                          s->hop, s->channels, MOST_VALUES);
    if (!(s->low < s->rate / 2) || (s->high > 0 && !(s->low < s->high && s->high < s->rate / 2)))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: low=%.2f must be below high=%.2f (0: no limit), and both below %.2f (rate/2)",
                          s->low, s->high, s->rate / 2);
    return LOCO_OK;
}

/* The rate and the channels are those of the data. What a preset asks of the rate stays, where the data reach it; a
 * preset without a rate of its own takes about FRAMES frames a second, and nothing slower than SLOWEST of them: what is
 * slow, such as gravity or a movement around an event, keeps a network on the plateau of a constant rate. Jumps of 12
 * people in an accelerometer at 50 Hz, one count of 27 to 39 for each file of one to two minutes; F1 within 50 ms on four
 * others: .44 with low=0.3 after 300 steps; with 3.1, .91, .90 and .46 (three seeds) after 200, 1.00 after 1000. Other
 * corners, with every count one too high, 300 steps: .40 with low=0.5, .86 with 1, .96 with 2, .98 with 3. */
static loco_status fit(lc_frontend_settings *s, const lc_front_data *data, lc_text *notes, loco_err *err)
{
    bool open_rate = data->preset == NULL || strcmp(data->preset, "series") == 0;
    (void)err;
    s->channels = data->channels;
    if (open_rate || data->lowest < s->rate)
        s->rate = data->lowest;
    if (open_rate) {
        s->hop = (size_t)fmax(1, floor(data->lowest / FRAMES));
        s->low = data->lowest / (double)s->hop / SLOWEST;
    }
    s->low = fmin(s->low, s->rate / 8);
    s->high = s->high < 0.45 * s->rate ? s->high : 0;
    if (open_rate && data->turn > TURNED) {
        s->magnitude = 1;
        lc_text_format(
            notes,
            "gravity points elsewhere in some recordings, by %.0f degrees: the magnitude of the axes is read; "
            "frontend.magnitude=0 reads each axis\n",
            data->turn);
    }
    lc_text_format(notes, "series of %zu channel%s: the front end reads %.0f samples and gives %.0f frames a second\n",
                   s->channels, s->channels == 1 ? "" : "s", s->rate, s->rate / (double)s->hop);
    if (data->highest > data->lowest)
        lc_text_format(notes, "the files have %.0f to %.0f samples a second; all are read at %.0f\n", data->lowest,
                       data->highest, s->rate);
    return LOCO_OK;
}

/* F is 1. */
static size_t channels(const lc_frontend_settings *s)
{
    return (s->delta == LC_DELTA_CHANNEL ? 2 : 1) * s->hop * kept(s);
}

static lc_columns columns(const lc_frontend_settings *s)
{
    return (lc_columns){s->channels, s->columns[0] != '\0' ? s->columns : NULL};
}

static bool wants_scale(const lc_frontend_settings *s)
{
    return s->norm == LC_NORM_RECORD;
}

/* A Butterworth high-pass of second order has forgotten all but 1 % after a period of its corner. */
static double lead(const lc_frontend_settings *s)
{
    double filter = s->low > 0 ? 1 / s->low : 0;
    return fmin(LC_FRONT_LEAD, fmax(filter, s->norm == LC_NORM_RUNNING ? 2 * s->adapt : 0));
}

/* ---- filters ---- */

typedef struct biquad {
    double b0, b1, b2, a1, a2;
} biquad;

/* What one channel remembers. */
typedef struct channel {
    double high[2], low[2]; /* states of the high-pass and the low-pass */
    double mean, variance;  /* that are subtracted and divided by */
    double least;           /* variance */
    double sum, squares;    /* while a recording is measured, around the first value */
    float before;           /* the value before, for delta */
} channel;

typedef struct series_front {
    lc_frontend_settings settings;
    biquad high, low; /* passes; b0 = 0: none */
    double pace;      /* of the running scale */
    lc_scale scale;
    bool started;
    size_t held;     /* samples of the frame that is being filled */
    size_t measured; /* samples */
    float *frame;    /* what is there of it */
    channel *each;   /* (channels) */
} series_front;

/* Second order, Q = 1/sqrt(2); `top` for the high-pass. */
static biquad design(double corner, double rate, bool top)
{
    const double pi = 3.14159265358979323846;
    double w = 2 * pi * corner / rate, c = cos(w), alpha = sin(w) / sqrt(2), a0 = 1 + alpha;
    double edge = (top ? 1 + c : 1 - c) / 2 / a0;
    return (biquad){edge, top ? -2 * edge : 2 * edge, edge, -2 * c / a0, (1 - alpha) / a0};
}

static double run(const biquad *f, double state[2], double x)
{
    double y = f->b0 * x + state[0];
    state[0] = f->b1 * x - f->a1 * y + state[1];
    state[1] = f->b2 * x - f->a2 * y;
    return y;
}

/* The state after x for ever, of a filter that then gives gain * x. */
static void settle(const biquad *f, double state[2], double x, double gain)
{
    state[1] = f->b2 * x - f->a2 * gain * x;
    state[0] = f->b1 * x - f->a1 * gain * x + state[1];
}

/* The channels of a sample, or at *room their magnitude. */
static const float *reduce(const lc_frontend_settings *s, const float *sample, float *room)
{
    double sum = 0;
    if (s->magnitude == 0)
        return sample;
    for (size_t c = 0; c < s->channels; c++)
        sum += (double)sample[c] * (double)sample[c];
    *room = (float)sqrt(sum);
    return room;
}

static void start(series_front *f, const float *sample)
{
    for (size_t c = 0; c < kept(&f->settings); c++) {
        channel *k = &f->each[c];
        double x = (double)sample[c];
        settle(&f->high, k->high, x, 0);
        settle(&f->low, k->low, f->high.b0 > 0 ? 0 : x, 1);
        k->mean = f->scale.mean[c];
        k->variance = f->scale.spread[c] * f->scale.spread[c];
        k->least = 1e-4 * k->variance;
    }
    f->started = true;
}

static double filter(series_front *f, channel *k, float sample)
{
    double y = (double)sample;
    if (f->high.b0 > 0)
        y = run(&f->high, k->high, y);
    if (f->low.b0 > 0)
        y = run(&f->low, k->low, y);
    return y;
}

/* ---- memory ---- */

static void rescale(void *state, const lc_scale *scale)
{
    series_front *f = state;
    f->scale = scale != NULL ? *scale : f->settings.usual;
    for (size_t c = 0; c < f->settings.channels; c++)
        f->scale.spread[c] = f->scale.spread[c] > 0 ? f->scale.spread[c] : 1;
}

static void reset(void *state)
{
    series_front *f = state;
    f->started = false;
    f->held = f->measured = 0;
    memset(f->each, 0, f->settings.channels * sizeof *f->each);
}

static void close(void *state)
{
    series_front *f = state;
    free(f->frame);
    free(f->each);
}

static loco_status open(void *state, const lc_frontend_settings *settings, loco_err *err)
{
    series_front *f = state;
    f->settings = *settings;
    f->each = calloc(settings->channels, sizeof *f->each);
    f->frame = calloc(channels(settings), sizeof *f->frame);
    if (f->each == NULL || f->frame == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    if (settings->low > 0)
        f->high = design(settings->low, settings->rate, true);
    if (settings->high > 0)
        f->low = design(settings->high, settings->rate, false);
    if (settings->norm == LC_NORM_RUNNING && settings->adapt > 0)
        f->pace = fmin(1, 1 / (settings->adapt * settings->rate));
    rescale(f, NULL);
    return LOCO_OK;
}

/* ---- frames ---- */

/* One sample of all channels into its place of the frame. */
static void take(series_front *f, const float *input)
{
    const lc_frontend_settings *s = &f->settings;
    bool first = !f->started;
    size_t C = kept(s);
    float room, *values = f->frame + f->held * C, *deltas = values + s->hop * C;
    const float *sample = reduce(s, input, &room);
    if (first)
        start(f, sample);
    for (size_t c = 0; c < C; c++) {
        channel *k = &f->each[c];
        double y = filter(f, k, sample[c]), off = y - k->mean;
        values[c] = (float)(off / sqrt(fmax(k->variance, k->least)));
        if (s->delta == LC_DELTA_CHANNEL)
            deltas[c] = first ? 0 : (values[c] - k->before) * (float)(1 / s->delta_scale);
        k->before = values[c];
        k->mean += f->pace * off;
        k->variance += f->pace * ((y - k->mean) * (y - k->mean) - k->variance);
    }
    f->held++;
}

static size_t push(void *state, const float *samples, size_t n, float *frames)
{
    series_front *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = channels(s), written = 0;
    for (size_t i = 0; i < n; i++) {
        take(f, samples + i * s->channels);
        if (f->held < s->hop)
            continue;
        memcpy(frames + written++ * size, f->frame, size * sizeof *frames);
        f->held = 0;
    }
    return written;
}

/* The values that were last are repeated, and do not change any more. */
static size_t finish(void *state, float *frames)
{
    series_front *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = channels(s), C = kept(s), half = s->hop * C, written = f->held > 0;
    for (; f->held > 0 && f->held < s->hop; f->held++)
        for (size_t c = 0; c < C; c++) {
            f->frame[f->held * C + c] = f->each[c].before;
            if (s->delta == LC_DELTA_CHANNEL)
                f->frame[half + f->held * C + c] = 0;
        }
    if (written > 0)
        memcpy(frames, f->frame, size * sizeof *frames);
    reset(f);
    return written;
}

/* ---- scales ---- */

static void measure(void *state, const float *samples, size_t n)
{
    series_front *f = state;
    const lc_frontend_settings *s = &f->settings;
    for (size_t i = 0; i < n; i++) {
        float room;
        const float *sample = reduce(s, samples + i * s->channels, &room);
        if (!f->started)
            start(f, sample);
        for (size_t c = 0; c < kept(s); c++) {
            channel *k = &f->each[c];
            double y = filter(f, k, sample[c]);
            if (f->measured == 0)
                k->before =
                    (float)y; /* sums around a value that is near: squares of a large level would hide the rest */
            y -= (double)k->before;
            k->sum += y;
            k->squares += y * y;
        }
        f->measured++;
    }
}

static void measured(void *state, lc_scale *scale)
{
    series_front *f = state;
    double n = f->measured > 0 ? (double)f->measured : 1;
    *scale = f->settings.usual;
    for (size_t c = kept(&f->settings); c < f->settings.channels; c++)
        scale->spread[c] = 1; /* unused; a model stores a scale for each channel of its input */
    for (size_t c = 0; f->measured > 0 && c < kept(&f->settings); c++) {
        const channel *k = &f->each[c];
        double mean = k->sum / n, variance = k->squares / n - mean * mean;
        scale->mean[c] = (double)k->before + mean;
        scale->spread[c] = variance > 0 ? sqrt(variance) : 1;
    }
    reset(f);
}

/* ---- pictures ---- */

static size_t rows(const lc_frontend_settings *s)
{
    return kept(s);
}

/* The mean of a channel's samples, which lie (hop, channels) in a frame. */
static double value(const lc_frontend_settings *s, const float *frame, size_t row)
{
    double sum = 0;
    for (size_t i = 0; i < s->hop; i++)
        sum += (double)frame[i * kept(s) + row];
    return sum / (double)s->hop;
}

/* The first channel. */
static float curve(const lc_frontend_settings *s, const float *frame, size_t i)
{
    return frame[i * kept(s)];
}

/* A second of series takes a hundredth of the time of one of sound: more of it is read. */
const lc_front_ops lc_front_series = {
    .line = {.name = "series",    .title = "front end",  .keys = keys,     .keys_len = sizeof keys / sizeof *keys, .rare = 1},
    .presets = presets,
    .check = check,
    .fit = fit,
    .channels = channels,
    .columns = columns,
    .lead = lead,
    .wants_scale = wants_scale,
    .state = sizeof(series_front),
    .open = open,
    .close = close,
    .reset = reset,
    .push = push,
    .finish = finish,
    .measure = measure,
    .measured = measured,
    .rescale = rescale,
    .long_frames = true,
    .limits = {.batch = 120,        .calibrate = 36000,    .trained = 36000},
    .strength = lc_series_strength,
    .anchors = {"slope of the series", "peaks of the series", "middle of pulses",                                        "slope of the series",
             "slope of the series"                           },
    .lag_step = 0.005,
    .faint = true,
    .rows = rows,
    .value = value,
    .curve = curve,
};

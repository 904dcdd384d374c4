/* SPDX-License-Identifier: MIT
 * track.c - what all series have in common: limits, missing values, what is stated beside a file, raw samples.
 *
 * Missing values are NaN until lc_track_fill. hold repeats the value before (the first one is repeated backwards),
 * linear draws a straight line across a gap, zero writes 0. A channel without any value at all is refused.
 *
 * The wrong order of bytes makes noise of a smooth series. Roughness is the mean step from sample to sample over the
 * mean distance from the mean: near 1.4 for noise, 0.03 to 0.3 for ECG and other series that are sampled well. Where a
 * file is rough and the same bytes turned around are five times smoother, it is refused, until order= says what is
 * right. */
#include "signal/track.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/status.h"
#include "signal/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float LARGEST = 1e9f;
static const double ROUGH = 0.6, MUCH_SMOOTHER = 0.2;

enum { SHOWN = 96, WORD_MOST = 40, LOOKED_AT = 100000 };

lc_track_name lc_track_show(const char *name)
{
    lc_track_name shown;
    size_t length = strlen(name);
    bool cut = length > SHOWN;
    snprintf(shown.text, sizeof shown.text, "%s%s", cut ? "..." : "", cut ? name + length - SHOWN : name);
    return shown;
}

void lc_track_free(lc_track *track)
{
    free(track->samples);
    *track = (lc_track){0};
}

loco_status lc_track_new(lc_track *track, const char *name, size_t frames, size_t channels, double rate, loco_err *err)
{
    size_t samples;
    const lc_track_name shown = lc_track_show(name);
    if (channels < 1 || channels > LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu channels; there may be 1 to %d", shown.text, channels,
                          LC_SOUND_CHANNELS);
    if (frames < 1)
        return lc_err_set(err, LOCO_EDATA, "%s: holds no samples", shown.text);
    if (!lc_size_mul(frames, channels, &samples) || samples > LC_TRACK_SAMPLES)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu samples of %zu channels; %d numbers is the most", shown.text,
                          frames, channels, LC_TRACK_SAMPLES);
    if (rate <= 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: its rate is not known; write rate=50 (samples a second) into %.60s.format or "
                          "series.format beside it",
                          shown.text, strrchr(shown.text, '/') != NULL ? strrchr(shown.text, '/') + 1 : shown.text);
    if (!(rate >= 1 && rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.4f Hz; it may be 1 to %d Hz", shown.text, rate,
                          LC_SOUND_RATE);
    lc_track made = {.rate = rate, .frames = frames, .channels = channels};
    made.samples = calloc(samples, sizeof *made.samples);
    if (made.samples == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory for %zu samples", shown.text, samples);
    *track = made;
    return LOCO_OK;
}

/* ---- missing values ---- */

/* Fills from .. to-1 of a channel; what lies on either side is a number, or beyond the end. */
static void fill_gap(lc_track *t, size_t channel, size_t from, size_t to, lc_missing missing)
{
    const float *x = t->samples + channel;
    size_t C = t->channels;
    float before = from > 0 ? x[(from - 1) * C] : x[to * C];
    float after = to < t->frames && missing == LC_MISSING_LINEAR ? x[to * C] : before;
    for (size_t i = from; i < to; i++) {
        float part = (float)(i - from + 1) / (float)(to - from + 1);
        t->samples[i * C + channel] = missing == LC_MISSING_ZERO ? 0 : before + part * (after - before);
    }
}

static void fill_channel(lc_track *t, size_t channel, lc_missing missing)
{
    for (size_t i = 0; i < t->frames; i++) {
        size_t end = i;
        while (end < t->frames && isnan(t->samples[end * t->channels + channel]))
            end++;
        if (end > i)
            fill_gap(t, channel, i, end, missing);
        i = end;
    }
}

/* The first sample that is missing or too large, or the number of all. */
static size_t first_bad(const lc_track *t)
{
    size_t i = 0, n = t->frames * t->channels;
    while (i < n && fabsf(t->samples[i]) <= LARGEST)
        i++;
    return i;
}

static bool channel_is_empty(const lc_track *t, size_t channel)
{
    size_t i = 0;
    while (i < t->frames && isnan(t->samples[i * t->channels + channel]))
        i++;
    return i == t->frames;
}

loco_status lc_track_fill(lc_track *t, const char *name, lc_missing missing, const char *unit, loco_err *err)
{
    size_t n = t->frames * t->channels, bad = first_bad(t);
    if (bad == n)
        return LOCO_OK;
    const lc_track_name shown = lc_track_show(name);
    if (missing == LC_MISSING_REFUSE && isnan(t->samples[bad]))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: %s %zu: channel %zu has no value; put one in, or write missing=hold, linear or zero "
                          "into series.format beside it",
                          shown.text, unit, bad / t->channels + 1, bad % t->channels + 1);
    for (size_t c = 0; c < t->channels; c++) {
        if (channel_is_empty(t, c))
            return lc_err_set(err, LOCO_EDATA, "%s: channel %zu has no value at all", shown.text, c + 1);
        fill_channel(t, c, missing);
    }
    bad = first_bad(t);
    if (bad < n)
        return lc_err_set(err, LOCO_EDATA, "%s: %s %zu: channel %zu has a value beyond +-1e9", shown.text, unit,
                          bad / t->channels + 1, bad % t->channels + 1);
    return LOCO_OK;
}

/* ---- what is stated beside a file ---- */

static const char *const keys[] = {"rate", "type", "channels", "order", "missing"};
static const char *const orders[] = {"", "little", "big", NULL};
static const char *const fillings[] = {"refuse", "hold", "linear", "zero", NULL};
enum { KEYS = sizeof keys / sizeof *keys };

static int word_of(const char *value, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], value) == 0 && *value != '\0')
            return i;
    return -1;
}

/* Whether the value is one; sets it. */
static bool take_value(lc_track_format *f, const char *key, const char *value)
{
    double number = 0;
    bool numeric = lc_number_parse(value, strlen(value), &number);
    if (strcmp(key, "rate") == 0) {
        f->rate = number;
        return numeric && number >= 1 && number <= LC_SOUND_RATE;
    }
    if (strcmp(key, "channels") == 0) {
        bool good = numeric && number >= 1 && number <= LC_SOUND_CHANNELS && !(number > floor(number));
        f->channels = good ? (size_t)number : 0;
        return good;
    }
    if (strcmp(key, "type") == 0) {
        f->typed = lc_raw_find(value, strlen(value), &f->type);
        return f->typed;
    }
    int word = strcmp(key, "order") == 0 ? word_of(value, orders) : word_of(value, fillings);
    if (strcmp(key, "order") == 0)
        f->order = word < 0 ? LC_ORDER_UNKNOWN : (lc_order)word;
    else
        f->missing = word < 0 ? LC_MISSING_REFUSE : (lc_missing)word;
    return word >= 0;
}

static const char *right_values(const char *key)
{
    static const char *const values[KEYS] = {"1 to 1000000 samples a second", "u8, s16le, s24le, s32le, f32le or f64le",
                                             "a whole number, 1 to 64", "little or big",
                                             "refuse, hold, linear or zero"};
    size_t i = 0;
    while (i + 1 < KEYS && strcmp(keys[i], key) != 0)
        i++;
    return values[i];
}

/* Copies what can be shown of a word, with a 0 behind it. */
static void copy_word(char word[WORD_MOST + 1], const char *text, size_t length)
{
    size_t n = length < WORD_MOST ? length : WORD_MOST;
    for (size_t i = 0; i < n; i++)
        word[i] = text[i] > ' ' && text[i] <= '~' ? text[i] : '?';
    word[n] = '\0';
}

static loco_status take_word(lc_track_format *f, const char *name, const char *text, size_t length, loco_err *err)
{
    char key[WORD_MOST + 1], value[WORD_MOST + 1];
    const char *equals = memchr(text, '=', length);
    size_t key_len = equals != NULL ? (size_t)(equals - text) : length;
    copy_word(key, text, key_len);
    copy_word(value, text + key_len + (equals != NULL), length - key_len - (equals != NULL));
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(key, keys[i]) != 0)
            continue;
        if (length - key_len <= WORD_MOST && take_value(f, key, value))
            return LOCO_OK;
        return lc_err_set(err, LOCO_EDATA, "%s: %s=%s is wrong; it must be %s", lc_track_show(name).text, key, value,
                          right_values(key));
    }
    const char *near = loco_nearest(key, keys, KEYS);
    return lc_err_set(err, LOCO_EDATA, "%s: there is no key \"%s\"; %s%s", lc_track_show(name).text, key,
                      near != NULL ? "did you mean " : "there are rate, type, channels, order and missing",
                      near != NULL ? near : "");
}

loco_status lc_track_format_parse(lc_track_format *format, const char *name, const char *text, size_t length,
                                  loco_err *err)
{
    lc_track_format made = {0};
    const char *at = text, *end = text + length;
    while (at < end) {
        const char *word = at;
        if (*at == '#') {
            while (at < end && *at != '\n')
                at++;
            continue;
        }
        while (at < end && *at != ' ' && *at != '\t' && *at != '\n' && *at != '\r')
            at++;
        loco_status status = at > word ? take_word(&made, name, word, (size_t)(at - word), err) : LOCO_OK;
        if (status != LOCO_OK)
            return status;
        at += at < end;
    }
    *format = made;
    return LOCO_OK;
}

/* ---- raw samples ---- */

static void turn_around(unsigned char *bytes, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++, bytes += size)
        for (size_t a = 0, b = size - 1; a < b; a++, b--) {
            unsigned char kept = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = kept;
        }
}

/* Of the first channel, between samples that are not missing; INFINITY where samples are not numbers. */
static double roughness(const float *samples, size_t frames, size_t channels)
{
    double mean = 0, spread = 0, steps = 0, before = (double)NAN;
    size_t n = frames < LOOKED_AT ? frames : LOOKED_AT, known = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)samples[i * channels];
        mean += isnan(x) ? 0 : x;
        known += isnan(x) ? 0 : 1;
    }
    mean /= (double)known;
    for (size_t i = 0; i < n; i++) {
        double x = (double)samples[i * channels];
        if (isnan(x))
            continue;
        spread += fabs(x - mean);
        steps += isnan(before) ? 0 : fabs(x - before);
        before = x;
    }
    return isfinite(steps) && spread > 0 ? steps / spread : (double)INFINITY;
}

static bool any_missing(const float *samples, size_t frames, size_t channels)
{
    bool any = false;
    for (size_t i = 0; i < frames; i++)
        any |= isnan(samples[i * channels]);
    return any;
}

/* How rough the same bytes are when they are turned around; NAN without memory. */
static double turned_roughness(const unsigned char *bytes, size_t frames, const lc_track_format *f)
{
    size_t size = lc_raw_size(f->type), n = (frames < LOOKED_AT ? frames : LOOKED_AT);
    unsigned char *turned = malloc(n * f->channels * size);
    float *samples = malloc(n * f->channels * sizeof *samples);
    double rough = (double)NAN;
    if (turned != NULL && samples != NULL) {
        memcpy(turned, bytes, n * f->channels * size);
        turn_around(turned, n * f->channels, size);
        lc_raw_decode(f->type, turned, n * f->channels, samples);
        rough = any_missing(samples, n, f->channels) ? (double)INFINITY : roughness(samples, n, f->channels);
    }
    free(turned);
    free(samples);
    return rough;
}

/* One channel after the other would do with less memory, but a file is read once. */
static loco_status decode_raw(lc_track *t, const unsigned char *bytes, const lc_track_format *f, loco_err *err)
{
    size_t size = lc_raw_size(f->type), n = t->frames * t->channels;
    if (f->order != LC_ORDER_BIG) {
        lc_raw_decode(f->type, bytes, n, t->samples);
        return LOCO_OK;
    }
    unsigned char *turned = malloc(n * size);
    if (turned == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu samples", n);
    memcpy(turned, bytes, n * size);
    turn_around(turned, n, size);
    lc_raw_decode(f->type, turned, n, t->samples);
    free(turned);
    return LOCO_OK;
}

/* What the format leaves open, or the size contradicts. */
static loco_status check_raw(const char *name, size_t length, const lc_track_format *f, loco_err *err)
{
    const lc_track_name shown = lc_track_show(name);
    if (!f->typed || f->channels == 0 || f->rate <= 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: samples without a header; write what they are, such as type=s16le channels=1 rate=360, "
                          "into series.format beside it",
                          shown.text);
    size_t frame = lc_raw_size(f->type) * f->channels;
    if (length % frame != 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: %zu bytes are not a whole number of frames of %zu; is it really %s,%zu?", shown.text,
                          length, frame, lc_raw_name(f->type), f->channels);
    return LOCO_OK;
}

loco_status lc_track_raw_parse(lc_track *track, const char *name, const void *bytes, size_t length,
                               const lc_track_format *format, loco_err *err)
{
    lc_track made = {0};
    loco_status status = check_raw(name, length, format, err);
    if (status != LOCO_OK)
        return status;
    size_t size = lc_raw_size(format->type);
    status = lc_track_new(&made, name, length / size / format->channels, format->channels, format->rate, err);
    if (status == LOCO_OK)
        status = decode_raw(&made, bytes, format, err);
    if (status == LOCO_OK && format->order == LC_ORDER_UNKNOWN && size > 1) {
        double rough = roughness(made.samples, made.frames, made.channels);
        if (rough > ROUGH && turned_roughness(bytes, made.frames, format) < MUCH_SMOOTHER * fmin(rough, 10))
            status = lc_err_set(
                err, LOCO_EDATA,
                "%s: looks like noise, but is smooth with the bytes of each sample turned around; write "
                "order=big (or, if it is right, order=little) into its .format",
                lc_track_show(name).text);
    }
    if (status == LOCO_OK)
        status = lc_track_fill(&made, name, format->missing, "sample", err);
    if (status == LOCO_OK)
        *track = made;
    else
        lc_track_free(&made);
    return status;
}

/* SPDX-License-Identifier: MIT
 * frontend.c - the table of front ends, their lines, and what holds for all of them (frontend.h). */
#include "signal/frontend.h"

#include "base/status.h"
#include "signal/sound_strength.h"
#include "signal/source.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const lc_front_ops *const lc_fronts[] = {
    &lc_front_mel, &lc_front_pitch, &lc_front_series, &lc_front_image, &lc_front_windows, NULL,
};
_Static_assert(sizeof lc_fronts / sizeof lc_fronts[0] <= LC_SETTINGS_MOST + 1, "a line has one of these kinds");

enum { LINE_MOST = 1024, LEAST_SHARE = 8 }; /* by which rates of series and sound differ */

static const lc_front_limits of_sound = {.batch = 120, .calibrate = 3600, .trained = 1200};

struct lc_frontend {
    lc_frontend_settings settings;
    max_align_t state[];
};

/* ---- lines ---- */

const char *lc_frontend_preset(const char *name)
{
    for (const lc_front_ops *const *front = lc_fronts; *front != NULL; front++)
        for (const lc_front_preset *p = (*front)->presets; p != NULL && p->name != NULL; p++)
            if (strcmp(p->name, name) == 0)
                return p->line;
    return NULL;
}

loco_status lc_frontend_set(lc_frontend_settings *settings, const char *pair, loco_err *err)
{
    return lc_settings_set(settings, &settings->ops->line, pair, strlen(pair), err);
}

/* Each for itself, then those that depend on one another. */
loco_status lc_frontend_check(const lc_frontend_settings *settings, loco_err *err)
{
    if (settings->ops == NULL)
        return lc_err_set(err, LOCO_EDATA, "front end: the settings name none; read a line with lc_frontend_parse");
    if (lc_settings_check(settings, &settings->ops->line, err) != LOCO_OK)
        return LOCO_EDATA;
    return settings->ops->check != NULL ? settings->ops->check(settings, err) : LOCO_OK;
}

loco_status lc_frontend_parse(lc_frontend_settings *settings, const char *line, loco_err *err)
{
    lc_frontend_settings parsed = {0};
    lc_settings_kind kinds[LC_SETTINGS_MOST];
    size_t which, n = 0, length = strlen(line);
    if (length > LINE_MOST)
        return lc_err_set(err, LOCO_EDATA, "front end: a line of more than %d bytes", LINE_MOST);
    for (; lc_fronts[n] != NULL; n++)
        kinds[n] = lc_fronts[n]->line;
    loco_status status = lc_settings_parse(&parsed, &which, kinds, n, line, length, err);
    if (status != LOCO_OK)
        return status;
    parsed.ops = lc_fronts[which];
    if (parsed.ops->complete != NULL)
        parsed.ops->complete(&parsed);
    status = lc_frontend_check(&parsed, err);
    if (status == LOCO_OK)
        *settings = parsed;
    return status;
}

void lc_frontend_format(const lc_frontend_settings *settings, lc_text *text)
{
    lc_settings_format(settings, &settings->ops->line, text);
}

loco_status lc_frontend_fit(lc_frontend_settings *settings, const lc_front_data *data, lc_text *notes, loco_err *err)
{
    return settings->ops->fit != NULL ? settings->ops->fit(settings, data, notes, err) : LOCO_OK;
}

/* ---- facts ---- */

size_t lc_frontend_bins(const lc_frontend_settings *s)
{
    return s->ops->bins != NULL ? s->ops->bins(s) : 1;
}

size_t lc_frontend_channels(const lc_frontend_settings *s)
{
    return s->ops->channels != NULL ? s->ops->channels(s) : 1;
}

size_t lc_frontend_cell(const lc_frontend_settings *s)
{
    return s->ops->cell != NULL ? s->ops->cell(s) : s->hop;
}

size_t lc_frontend_places(const lc_frontend_settings *s)
{
    return s->ops->places != NULL ? s->ops->places(s) : 1;
}

lc_columns lc_frontend_columns(const lc_frontend_settings *s)
{
    return s->ops->columns != NULL ? s->ops->columns(s) : (lc_columns){0, NULL};
}

size_t lc_frontend_inputs(const lc_frontend_settings *s)
{
    size_t n = lc_frontend_columns(s).n;
    return n > 0 ? n : 1;
}

loco_status lc_frontend_check_file(const lc_frontend_settings *s, const char *path, loco_err *err)
{
    double seconds, rate = 0;
    bool sound = strcmp(lc_source_recipe(path), lc_source_sound.recipe) == 0;
    bool picture = strcmp(lc_source_recipe(path), lc_source_image.recipe) == 0;
    if (s->ops->picture != picture)
        return lc_err_set(err, LOCO_EDATA, "%.150s: %s, and the model reads %s; use a model that was trained on %s",
                          path, picture ? "an image" : "no image (.png .jpg .tif .pgm .ppm)",
                          s->ops->picture ? "images"
                          : s->ops->sound ? "sound"
                                          : "series",
                          picture ? "images" : "such recordings");
    if (s->ops->sound == sound)
        return LOCO_OK;
    loco_status status = lc_sound_length(path, &seconds, &rate, err);
    if (status == LOCO_OK && sound && rate > s->rate * LEAST_SHARE)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: a sound at %g Hz, and the model reads series of %g samples a second; use a model "
                          "that was trained on sound",
                          path, rate, s->rate);
    if (status == LOCO_OK && !sound && rate * LEAST_SHARE < s->rate)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: a series of %g samples a second, and the model reads sound at %g Hz; use a model "
                          "that was trained on series",
                          path, rate, s->rate);
    return status;
}

bool lc_frontend_has_scale(const lc_frontend_settings *s)
{
    return s->ops->measure != NULL && s->channels > 0;
}

void lc_frontend_transpose(const lc_frontend_settings *s, float *frame, long semitones)
{
    s->ops->transpose(s, frame, semitones);
}

/* A semitone must have a whole number of bands. */
bool lc_frontend_transposes(const lc_frontend_settings *s)
{
    return s->ops->transpose != NULL && s->octave % 12 == 0;
}

double lc_frontend_top(const lc_frontend_settings *settings)
{
    return settings->ops->top != NULL ? settings->ops->top(settings) : 0;
}

bool lc_frontend_wants_scale(const lc_frontend_settings *s)
{
    return s->ops->wants_scale != NULL && s->ops->wants_scale(s);
}

double lc_frontend_lead(const lc_frontend_settings *s)
{
    return s->ops->lead != NULL ? s->ops->lead(s) : 0;
}

double lc_frontend_tail(const lc_frontend_settings *s)
{
    return s->ops->tail != NULL ? s->ops->tail(s) : 0;
}

double lc_frontend_time(const lc_frontend_settings *s, size_t t)
{
    return (double)t * (double)s->hop / s->rate; /* the product is exact below 2^53 samples */
}

size_t lc_frontend_delay(const lc_frontend_settings *s)
{
    return s->ops->delay != NULL ? s->ops->delay(s) : s->hop - 1;
}

const char *lc_frontend_things(const lc_frontend_settings *s)
{
    return s->ops->picture ? "images" : "recordings";
}

lc_front_limits lc_frontend_limits(const lc_frontend_settings *s)
{
    lc_front_limits own = s->ops->limits;
    return (lc_front_limits){.batch = own.batch > 0 ? own.batch : of_sound.batch,
                             .calibrate = own.calibrate > 0 ? own.calibrate : of_sound.calibrate,
                             .trained = own.trained > 0 ? own.trained : of_sound.trained};
}

loco_status lc_frontend_strength(lc_strength *strength, const lc_frontend_settings *s, lc_anchor anchor,
                                 const float *samples, size_t n, loco_err *err)
{
    if (s->ops->strength != NULL)
        return s->ops->strength(strength, s, anchor, samples, n, err);
    return lc_sound_strength(strength, s->rate, anchor, samples, n, err);
}

const char *lc_frontend_anchor(const lc_frontend_settings *s, lc_anchor anchor)
{
    static const char *const of_sounds[LC_ANCHORS] = {"sound", "loudest moments of the sound", "middle of sounds",
                                                      "sound", "beginnings of words"};
    return s->ops->anchors[anchor] != NULL ? s->ops->anchors[anchor] : of_sounds[anchor];
}

size_t lc_frontend_rows(const lc_frontend_settings *s)
{
    return s->ops->rows != NULL ? s->ops->rows(s) : lc_frontend_bins(s);
}

double lc_frontend_value(const lc_frontend_settings *s, const float *frame, size_t row)
{
    return s->ops->value != NULL ? s->ops->value(s, frame, row) : (double)frame[row * lc_frontend_channels(s)];
}

lc_front_shades lc_frontend_shades(const lc_frontend_settings *s)
{
    return s->ops->shades != NULL ? s->ops->shades(s) : (lc_front_shades){.rows = 0};
}

/* ---- frames ---- */

void lc_frontend_free(lc_frontend *frontend)
{
    if (frontend == NULL)
        return;
    if (frontend->settings.ops->close != NULL)
        frontend->settings.ops->close(frontend->state);
    free(frontend);
}

loco_status lc_frontend_new(lc_frontend **frontend, const lc_frontend_settings *settings, loco_err *err)
{
    loco_status status = lc_frontend_check(settings, err);
    if (status != LOCO_OK)
        return status;
    lc_frontend *f = calloc(1, sizeof *f + settings->ops->state);
    if (f == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    f->settings = *settings;
    if (settings->ops->open != NULL)
        status = settings->ops->open(f->state, settings, err);
    if (status != LOCO_OK) {
        lc_frontend_free(f);
        return status;
    }
    lc_frontend_reset(f);
    *frontend = f;
    return LOCO_OK;
}

/* Frames begin every hop; up to `delay` samples may wait from the push before. */
size_t lc_frontend_most(const lc_frontend *frontend, size_t samples)
{
    const lc_frontend_settings *s = &frontend->settings;
    size_t delay = lc_frontend_delay(s), most = samples > SIZE_MAX - delay ? SIZE_MAX : samples + delay;
    return most / s->hop + 1;
}

void lc_frontend_reset(lc_frontend *f)
{
    f->settings.ops->reset(f->state);
}

size_t lc_frontend_push(lc_frontend *f, const float *samples, size_t n, float *frames)
{
    return f->settings.ops->push(f->state, samples, n, frames);
}

size_t lc_frontend_finish(lc_frontend *f, float *frames)
{
    return f->settings.ops->finish(f->state, frames);
}

void lc_frontend_measure(lc_frontend *f, const float *samples, size_t n)
{
    if (f->settings.ops->measure != NULL)
        f->settings.ops->measure(f->state, samples, n);
}

void lc_frontend_measured(lc_frontend *f, lc_scale *scale)
{
    if (f->settings.ops->measured != NULL)
        f->settings.ops->measured(f->state, scale);
}

void lc_frontend_rescale(lc_frontend *f, const lc_scale *scale)
{
    if (f->settings.ops->rescale != NULL)
        f->settings.ops->rescale(f->state, scale);
}

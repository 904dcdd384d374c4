/* SPDX-License-Identifier: MIT
 * tune.c - calibration of a finished model.
 *
 * Offset. With event times: the mean of the matched errors (eval/offset.c). Without: the onset strength of the sound,
 * or of a series its slope or its size (anchor=rise, anchor=peak), averaged around the model's own detections, has its peak where the events really are (eval/lag.c); a peak that is not
 * sharp is not believed, nor one that is far from that of the class with the most detections: delay comes from layers
 * that all classes share. A class without an offset, now and from before, takes the mean of the others'. (Networks of
 * heart beats were 65 ms late for normal beats; few PVCs, or what precedes them, told none, or 112 ms too early.)
 * Threshold. With event times: the one with the best F1 (eval/sweep.c). Without: the one with the best F1 as far as counts
 * tell it (tune_threshold.c).
 * Bands. In which the sounds of each class begin (tune_bands.c), for decodings that snap. */
#include "train/tune.h"

#include "base/status.h"
#include "eval/calibrate.h"
#include "signal/onset.h"
#include "signal/series_front.h"
#include "train/tune_bands.h"
#include "train/tune_counts.h"
#include "train/tune_threshold.h"
#include "train/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between the offsets of two classes, at most. */
static const double far_off = 0.05;

typedef struct state {
    const lc_tuning *t;
    lc_listener *listener;
    lc_decoder *decoder; /* at the lowest threshold, without offsets */
    lc_offset *offset;
    lc_lag *lags; /* K */
    lc_sweep *sweep;
    size_t first;      /* level that is tried */
    lc_levels *levels; /* (K) of clips with an exact count */
    lc_found *events;  /* one a recording; shift_events removes the offsets */
    double *heard;     /* seconds of each */
    lc_text *findings;
} state;

/* ---- listening ---- */

static loco_status find_candidates(state *s, size_t recording, double most, loco_err *err)
{
    lc_series series = {.K = s->t->model->net->classes};
    loco_status status = lc_hear(s->listener, s->t->sounds, recording, s->t->model->frontend.rate, most, lc_series_take,
                                 &series, err);
    if (status == LOCO_OK && series.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    if (status == LOCO_OK)
        status = lc_decoder_run(s->decoder, series.logits, series.T, &s->events[recording], err);
    free(series.logits);
    return status;
}

/* Of sound the onset strength, of series the slope or the size. */
static loco_status strength_of(const state *s, const float *samples, size_t n, float **strength, size_t *len,
                               double *hop, loco_err *err)
{
    const lc_frontend_settings *front = &s->t->model->frontend;
    if (front->kind != LC_FRONT_SERIES)
        return lc_onset_strength(samples, n, front->rate, strength, len, hop, err);
    float *size = calloc(n + 1, sizeof *size);
    if (size == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    loco_status status = LOCO_OK;
    if (s->t->anchor == LC_ANCHOR_PEAK)
        status = lc_series_peak(front, samples, n, size, err);
    else
        lc_series_slope(samples, n, front->channels, size);
    if (status != LOCO_OK) {
        free(size);
        return status;
    }
    *strength = size;
    *len = n;
    *hop = 1 / front->rate;
    return LOCO_OK;
}

/* Onset strength around the detections that are rather sure. */
static loco_status add_lags(state *s, size_t recording, double most, loco_err *err)
{
    double rate = s->t->model->frontend.rate, hop;
    size_t inputs = lc_frontend_inputs(&s->t->model->frontend);
    const lc_found *events = &s->events[recording];
    size_t n = (size_t)(fmin(most, lc_sounds_seconds(s->t->sounds, recording)) * rate), len, used = 0;
    float *samples = calloc(n + 1, inputs * sizeof *samples), *strength = NULL;
    double *times = calloc(events->len + 1, sizeof *times);
    loco_status status = samples == NULL || times == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                             : lc_sounds_read(s->t->sounds, recording, 0, 1, samples, n, err);
    if (status == LOCO_OK)
        status = strength_of(s, samples, n, &strength, &len, &hop, err);
    for (size_t k = 0; status == LOCO_OK && k < s->t->model->net->classes; k++) {
        used = 0;
        for (size_t i = 0; i < events->len; i++)
            if (events->events[i].kind == k && events->events[i].probability >= 0.5)
                times[used++] = events->events[i].time;
        status = lc_lag_add(&s->lags[k], strength, len, 0, hop, times, used, err);
    }
    free(samples);
    free(strength);
    free(times);
    return status;
}

static loco_status add_times(state *s, size_t recording, loco_err *err)
{
    const lc_recording *r = &s->t->set->recordings[recording];
    const lc_found *e = &s->events[recording];
    loco_status status = LOCO_OK;
    lc_found sure = {0};
    for (size_t i = 0; i < e->len; i++)
        if (e->events[i].probability >= 0.3)
            lc_found_add(&sure, &e->events[i]);
    if (sure.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    else
        status = lc_offset_add(s->offset, r->events, r->events_len, sure.events, sure.len, err);
    lc_found_free(&sure);
    return status;
}

static bool uses_times(const state *s, size_t recording)
{
    return !s->t->blind && s->t->set->recordings[recording].timed;
}

static loco_status hear_all(state *s, loco_err *err)
{
    double left = s->t->most_seconds;
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < s->t->set->recordings_len && left > 1; i++) {
        double most = fmin(left, lc_sounds_seconds(s->t->sounds, i));
        if (s->t->recordings != NULL && !s->t->recordings[i])
            continue;
        s->heard[i] = most;
        status = find_candidates(s, i, most, err);
        if (status == LOCO_OK && uses_times(s, i))
            status = add_times(s, i, err);
        if (status == LOCO_OK)
            status = add_lags(s, i, most, err);
        left -= most;
    }
    return status;
}

/* ---- offsets ---- */

/* "+1.2 ms", with a point in every locale. */
static void put_ms(lc_text *out, double seconds, bool sign)
{
    lc_text_string(out, sign && !(1e3 * seconds <= -0.05) ? "+" : "");
    lc_text_fixed(out, 1e3 * seconds, 1);
    lc_text_string(out, " ms");
}

/* Whether the lag of a class tells its offset. */
static bool believed(const lc_lag_row *lag)
{
    return lag->inside && lag->sharpness >= LC_LAG_SHARP;
}

/* That of the class with the most detections. */
static lc_lag_row surest_lag(const state *s)
{
    lc_lag_row surest = lc_lag_read(&s->lags[0]);
    for (size_t k = 1; k < s->t->model->net->classes; k++) {
        lc_lag_row lag = lc_lag_read(&s->lags[k]);
        if (believed(&lag) && (!believed(&surest) || lag.events > surest.events))
            surest = lag;
    }
    return surest;
}

/* What the offset is measured by. */
static const char *heard_in(const state *s)
{
    if (s->t->model->frontend.kind != LC_FRONT_SERIES)
        return "sound";
    return s->t->anchor == LC_ANCHOR_PEAK ? "peaks of the series" : "slope of the series";
}

static loco_status set_offset(state *s, size_t k, bool *known, loco_err *err)
{
    lc_offset_row timed;
    lc_lag_row lag = lc_lag_read(&s->lags[k]), surest = surest_lag(s);
    loco_status status = lc_offset_read(s->offset, k, &timed, err);
    if (status != LOCO_OK)
        return status;
    lc_text_format(s->findings, "%s: ", s->t->model->classes[k]);
    *known = true;
    if (!s->t->blind && timed.pairs >= 3) {
        s->t->model->offsets[k] = timed.offset;
        lc_text_string(s->findings, "offset ");
        put_ms(s->findings, timed.offset, true);
        lc_text_format(s->findings, " from %zu timed events, spread ", timed.pairs);
        put_ms(s->findings, timed.spread, false);
    } else if (believed(&lag) && fabs(lag.offset - surest.offset) <= far_off) {
        s->t->model->offsets[k] = lag.offset;
        lc_text_string(s->findings, "offset ");
        put_ms(s->findings, lag.offset, true);
        lc_text_format(s->findings, " from the %s around %zu detections", heard_in(s), lag.events);
    } else {
        *known = false;
        lc_text_format(s->findings, "offset unknown (%zu detections, no clear onset around them)", lag.events);
    }
    return LOCO_OK;
}

/* Classes whose offset was never measured take the mean of those that are known now. */
static void share_offsets(const state *s, const bool *known, lc_text *lines)
{
    double *offsets = s->t->model->offsets, sum = 0;
    size_t K = s->t->model->net->classes, n = 0;
    for (size_t k = 0; k < K; k++) {
        sum += known[k] ? offsets[k] : 0;
        n += known[k];
    }
    for (size_t k = 0; n > 0 && k < K; k++) {
        if (known[k] || fabs(offsets[k]) > 0)
            continue;
        offsets[k] = sum / (double)n;
        lc_text_string(&lines[k], ", that of the others is taken, ");
        put_ms(&lines[k], offsets[k], true);
    }
}

/* Times of all candidates as the calibrated model will tell them. */
static void shift_events(state *s)
{
    for (size_t i = 0; i < s->t->set->recordings_len; i++)
        for (size_t j = 0; j < s->events[i].len; j++) {
            loco_event *e = &s->events[i].events[j];
            e->time = fmax(0, e->time - s->t->model->offsets[e->kind]);
        }
}

/* ---- thresholds ---- */

static void judge_clips(state *s)
{
    for (size_t i = 0; i < s->t->set->clips_len; i++) {
        const lc_clip *clip = &s->t->set->clips[i];
        bool heard = (s->t->recordings == NULL || s->t->recordings[clip->recording]) &&
                     s->events[clip->recording].events != NULL;
        for (size_t k = 0; heard && k < s->t->model->net->classes; k++) /* a set may have others behind them */
            if (clip->labels[k].lo == clip->labels[k].hi)
                lc_levels_add(&s->levels[k], &s->events[clip->recording], k, clip->start, clip->end,
                              (double)clip->labels[k].lo);
    }
}

static loco_status set_threshold(state *s, size_t k, loco_err *err)
{
    lc_sweep_row row = {0};
    loco_status status = lc_sweep_read(s->sweep, k, &row, err);
    if (status != LOCO_OK)
        return status;
    bool kept = s->t->keep_thresholds, times = !kept && row.f1 > 0, counts = !kept && !times && s->levels[k].clips > 0;
    if (times)
        s->t->model->thresholds[k] = fmin(fmax(row.threshold, lc_level(s->first)), lc_level(LC_LEVELS - 1));
    else if (counts)
        s->t->model->thresholds[k] = lc_levels_best(&s->levels[k], s->first);
    lc_text_string(s->findings, "; threshold ");
    lc_text_fixed(s->findings, s->t->model->thresholds[k], 2);
    if (times) {
        lc_text_string(s->findings, " from times (F1 ");
        lc_text_fixed(s->findings, row.f1, 3);
        lc_text_string(s->findings, ")\n");
    } else if (counts) {
        lc_text_format(s->findings, " from %zu counts\n", s->levels[k].clips);
    } else {
        lc_text_string(s->findings, kept ? " as set\n" : " as before\n");
    }
    return LOCO_OK;
}

static loco_status set_thresholds(state *s, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < s->t->set->recordings_len; i++)
        if (uses_times(s, i) && s->events[i].events != NULL)
            status = lc_sweep_add(s->sweep, s->t->set->recordings[i].events, s->t->set->recordings[i].events_len,
                                  s->events[i].events, s->events[i].len, err);
    judge_clips(s);
    return status;
}

/* ---- all of it ---- */

static loco_status begin(state *s, loco_err *err)
{
    const loco_model *model = s->t->model;
    size_t K = model->net->classes;
    lc_decoding decoding = model->decoding;
    s->first = model->frontend.kind == LC_FRONT_SERIES ? 0 : LC_LEVELS_FAINT;
    decoding.threshold = lc_level(s->first);
    s->lags = calloc(K, sizeof *s->lags);
    s->levels = calloc(K, sizeof *s->levels);
    s->events = calloc(s->t->set->recordings_len, sizeof *s->events);
    s->heard = calloc(s->t->set->recordings_len, sizeof *s->heard);
    if (s->lags == NULL || s->levels == NULL || s->events == NULL || s->heard == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    for (size_t k = 0; k < K && model->frontend.kind == LC_FRONT_SERIES; k++)
        s->lags[k].step = LC_LAG_SERIES;
    loco_status status = lc_listener_new(&s->listener, model, err);
    if (status == LOCO_OK)
        status = lc_decoder_new(&s->decoder, &decoding, K, lc_detect_hop(model), NULL, NULL, err);
    if (status == LOCO_OK)
        status = lc_offset_new(&s->offset, K, err);
    if (status == LOCO_OK)
        status = lc_sweep_new(&s->sweep, K, 0.05, err);
    return status;
}

static void end(state *s)
{
    for (size_t i = 0; s->events != NULL && i < s->t->set->recordings_len; i++)
        lc_found_free(&s->events[i]);
    lc_listener_free(s->listener);
    lc_decoder_free(s->decoder);
    lc_offset_free(s->offset);
    lc_sweep_free(s->sweep);
    free(s->lags);
    free(s->levels);
    free(s->events);
    free(s->heard);
}

/* Two passes over the classes, since thresholds are judged after all offsets are known; each class has one line. */
static loco_status set_all(state *s, loco_err *err)
{
    size_t K = s->t->model->net->classes;
    lc_text *out = s->findings;
    lc_text *lines = calloc(K, sizeof *lines);
    bool *known = calloc(K, sizeof *known);
    loco_status status = lines == NULL || known == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                                        : LOCO_OK;
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        s->findings = &lines[k];
        status = set_offset(s, k, &known[k], err);
    }
    if (status == LOCO_OK)
        share_offsets(s, known, lines);
    shift_events(s);
    if (status == LOCO_OK)
        status = set_thresholds(s, err);
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        s->findings = &lines[k];
        status = set_threshold(s, k, err);
        lc_text_append(out, lines[k].bytes != NULL ? lines[k].bytes : "", lines[k].length);
        out->failed |= lines[k].failed;
    }
    for (size_t k = 0; lines != NULL && k < K; k++)
        lc_text_free(&lines[k]);
    free(lines);
    free(known);
    s->findings = out;
    if (status == LOCO_OK && out->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    return status;
}

loco_status lc_tune(const lc_tuning *tuning, lc_text *findings, loco_err *err)
{
    state s = {.t = tuning, .findings = findings};
    loco_status status = begin(&s, err);
    if (status == LOCO_OK)
        status = hear_all(&s, err);
    if (status == LOCO_OK)
        status = set_all(&s, err);
    if (status == LOCO_OK && tuning->model->frontend.kind != LC_FRONT_SERIES)
        status = lc_tune_bands(tuning, s.events, s.heard, err);
    end(&s);
    return status;
}

/* ---- of a file ---- */

loco_status lc_tune_trained(const char *path, const lc_plan *plan, const loco_training *training, loco_err *err)
{
    lc_text findings = {0};
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, path, err);
    /* twenty minutes of sound take some seconds, and a second of series a hundredth of one of sound */
    double most = plan->recipe.frontend.kind == LC_FRONT_SERIES ? 36000 : 1200;
    lc_tuning tuning = {.model = model,
                        .set = plan->set,
                        .sounds = plan->sounds,
                        .most_seconds = most,
                        .anchor = (lc_anchor)plan->recipe.anchor,
                        .blind = true,
                        .keep_thresholds = strstr(plan->recipe.decoding, "threshold=") != NULL};
    if (status == LOCO_OK)
        status = lc_tune(&tuning, &findings, err);
    tuning.recordings = plan->held_recordings; /* on what was learned from, counts would look surer than they are */
    if (status == LOCO_OK && plan->set->clips_len > 0)
        status = lc_tune_counts(&tuning, &findings, err);
    if (status == LOCO_OK)
        status = lc_setup_save(path, model, NULL, 0, err);
    for (char *line = findings.bytes; status == LOCO_OK && line != NULL && *line != 0;) {
        size_t length = strcspn(line, "\n");
        lc_plan_notice(training, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    lc_text_free(&findings);
    loco_model_free(model);
    return status;
}

/* As training was told; a file that does not say is from before there was a choice, or of sound. */
static lc_anchor anchor_of(const loco_model *model)
{
    const char *recipe = lc_setup_text(model, "recipe");
    return recipe != NULL && strstr(recipe, "anchor=peak\n") != NULL ? LC_ANCHOR_PEAK : LC_ANCHOR_RISE;
}

loco_status loco_calibrate(const char *path, const char *data, bool blind, unsigned threads, char **findings,
                           loco_err *err)
{
    lc_text text = {0};
    loco_model *model = NULL;
    lc_dataset *set = NULL;
    lc_pool *pool = NULL;
    lc_sounds *sounds = NULL;
    loco_status status = loco_model_load(&model, path, err);
    if (status == LOCO_OK)
        status = lc_dataset_load_for(&set, data, model->classes, model->net->classes, err);
    if (status == LOCO_OK)
        status = lc_setup_check_classes(model, set->where, set->classes, set->classes_len, err);
    if (status == LOCO_OK)
        status = lc_pool_new(&pool, threads > 0 ? threads : 2, err);
    if (status == LOCO_OK)
        status = lc_sounds_new_channels(&sounds, set, model->frontend.rate, lc_frontend_apart(&model->frontend),
                                        (size_t)1 << 30, pool, err);
    lc_tuning tuning = {.model = model, .set = set, .sounds = sounds, .most_seconds = 3600, .blind = blind};
    if (status == LOCO_OK && model->frontend.kind == LC_FRONT_SERIES) /* as cheap as in lc_tune_trained */
        tuning.most_seconds = 36000;
    if (status == LOCO_OK)
        tuning.anchor = anchor_of(model);
    if (status == LOCO_OK)
        status = lc_tune(&tuning, &text, err);
    if (status == LOCO_OK)
        status = lc_tune_counts(&tuning, &text, err);
    if (status == LOCO_OK)
        status = lc_setup_save(path, model, NULL, 0, err);
    if (status == LOCO_OK)
        *findings = text.bytes;
    else
        lc_text_free(&text);
    lc_sounds_free(sounds);
    lc_pool_free(pool);
    lc_dataset_free(set);
    loco_model_free(model);
    return status;
}

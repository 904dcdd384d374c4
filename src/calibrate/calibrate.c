/* SPDX-License-Identifier: MIT
 * calibrate.c - calibration of a trained model: offsets and thresholds.
 *
 * Offset. With event times: the mean of the matched errors (measure_offset.c). Without: the onset strength of the
 * sound, or of a series its slope or its size (anchor=rise, anchor=peak), averaged around the model's own detections,
 * has its peak where the events really are (measure_lag.c), within 60 ms or, in sound without a peak there, 300 ms. A peak that is not sharp is not used, nor one that is far
 * from that of the class with the most detections: delay comes from layers that all classes share. A class without an
 * offset, now and from before, takes the mean of the others. (Networks of heart beats were 65 ms late for normal beats;
 * from the few PVCs, or what precedes them, the result was no offset, or 112 ms too early.)
 * Words (anchor=word) have an offset each, of up to 600 ms: the network reports them at any of their sounds. On spoken
 * digits of two voices, F1 within 150 ms of two other voices rose from .56 and .43 to .997 and .979 by it.
 * Threshold. With event times: the one with the best F1 (measure_sweep.c). Without: the one with the best F1 as
 * estimated from counts (measure_count_sweep.c).
 * Many classes, such as the 88 keys of a piano, are one group, with one offset and one threshold (lc_pooling): blind
 * calibration of each key cost 2.6 points of F1, since most have too few events.
 * Bands and counts follow: calibrate_bands.c, calibrate_counts.c. Images: calibrate_image.c. */
#include "calibrate/calibrate.h"

#include "base/options.h"
#include "base/status.h"
#include "calibrate/calibrate_bands.h"
#include "calibrate/calibrate_counts.h"
#include "calibrate/calibrate_image.h"
#include "calibrate/measure.h"
#include "detect/infer.h"
#include "eval/score.h"
#include "events/event_share.h"
#include "events/pitches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of a step where an offset is searched within 300 ms. */
static const double far_step = 0.005, word_step = 0.01; /* of the beginnings of words: within 600 ms */

/* Seconds between the offsets of two classes, at most; of words each has its own. */
static const double far_off = 0.05;

/* A detection matches an event within so many seconds: the tolerance of our scores. */
static const double tolerance = 0.05;

static const size_t sound_bytes = (size_t)1 << 30; /* decoded sound kept in memory; images are read one by one */

/* From this uncertainty of an offset on, the user is asked for a few times. */
static const double unsure_from = 0.01;

typedef struct calibrate_state {
    const lc_calibration *calibration;
    lc_infer *infer;
    lc_decoder *decoder; /* at the lowest threshold, without offsets */
    size_t groups;       /* of classes that share an offset and a threshold: K of one class each, or one of all */
    lc_offset *offset;
    lc_lag *lags; /* groups */
    lc_lag *wide; /* groups, searched five times as far: of sound only */
    bool unsure;  /* an offset is unknown, or not well known */
    lc_sweep *sweep;
    size_t first;                 /* point of count_sweeps that is tried */
    lc_count_sweep *count_sweeps; /* (groups) over clips with an exact count */
    lc_event_array *events;       /* one a recording; shift_events subtracts the offsets */
    double *seconds;              /* of each recording that are read */
    lc_text *findings;
} calibrate_state;

/* ---- groups ---- */

static bool pooled(const lc_calibration *c)
{
    size_t K = c->model->net->classes;
    bool many = K > LC_POOL_CLASSES || lc_net_has_outputs(c->model->net) ||
                (c->model->frontend.ops->sound && lc_pitched(c->model->classes, K));
    return c->pooling == LC_POOL_ALL || (c->pooling == LC_POOL_DEFAULT && many);
}

static size_t group_of(const calibrate_state *s, size_t k)
{
    return s->groups == 1 ? 0 : k;
}

/* Of measurements that have a row for each class, and one for all. */
static size_t kind_of(const calibrate_state *s, size_t group)
{
    return s->groups == 1 ? LC_ALL_KINDS : group;
}

/* Sets a value for all classes of a group. */
static void set_group(const calibrate_state *s, double *values, size_t group, double value)
{
    for (size_t k = 0; k < s->calibration->model->net->classes; k++)
        values[k] = group_of(s, k) == group ? value : values[k];
}

/* ---- reading recordings ---- */

static loco_status find_candidates(calibrate_state *s, size_t recording, double most, loco_err *err)
{
    lc_logits logits = {0};
    loco_status status = lc_infer_recording(&logits, s->infer, s->calibration->sounds, recording, most, err);
    if (status == LOCO_OK)
        status = lc_decoder_run(s->decoder, logits.data, logits.T, &s->events[recording], err);
    free(logits.data);
    return status;
}

/* Adds the onset strength around the surer detections. */
static loco_status add_lags(calibrate_state *s, size_t recording, double most, loco_err *err)
{
    const lc_frontend_settings *front = &s->calibration->model->frontend;
    size_t inputs = lc_frontend_inputs(front);
    lc_strength strength = {0};
    const lc_event_array *events = &s->events[recording];
    size_t n = (size_t)(fmin(most, lc_sounds_seconds(s->calibration->sounds, recording)) * front->rate), used = 0;
    float *samples = calloc(n + 1, inputs * sizeof *samples);
    double *times = calloc(events->len + 1, sizeof *times);
    loco_status status = samples == NULL || times == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                             : lc_sounds_read(s->calibration->sounds, recording, 0, 1, samples, n, err);
    if (status == LOCO_OK)
        status = lc_frontend_strength(&strength, front, s->calibration->anchor, samples, n, err);
    lc_lag_curve curve = {strength.values, strength.len, 0, strength.hop};
    for (size_t k = 0; status == LOCO_OK && k < s->calibration->model->net->classes; k++) {
        used = 0;
        for (size_t i = 0; i < events->len; i++)
            if (events->events[i].kind == k && events->events[i].probability >= LC_CALIBRATION_SURE)
                times[used++] = events->events[i].time;
        status = lc_lag_add(&s->lags[group_of(s, k)], &curve, times, used, err);
        if (status == LOCO_OK && s->wide != NULL)
            status = lc_lag_add(&s->wide[group_of(s, k)], &curve, times, used, err);
    }
    free(samples);
    free(strength.values);
    free(times);
    return status;
}

static loco_status add_times(calibrate_state *s, size_t recording, loco_err *err)
{
    const lc_recording *r = &s->calibration->set->recordings[recording];
    const lc_event_array *e = &s->events[recording];
    loco_status status = LOCO_OK;
    lc_event_array sure = {0};
    for (size_t i = 0; i < e->len; i++)
        if (e->events[i].probability >= LC_CALIBRATION_TIMED)
            lc_event_array_add(&sure, &e->events[i]);
    if (sure.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    else
        status = lc_offset_add(s->offset, r->events, r->events_len, sure.events, sure.len, err);
    lc_event_array_free(&sure);
    return status;
}

static bool uses_times(const calibrate_state *s, size_t recording)
{
    return !s->calibration->blind && s->calibration->set->recordings[recording].timed;
}

/* Detection takes most of the time, so that several processes share it; each then adds all events up. */
static loco_status read_recordings(calibrate_state *s, loco_err *err)
{
    const lc_calibration *c = s->calibration;
    double left = c->most_seconds;
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < c->set->recordings_len && left > 1; i++) {
        if (c->recordings != NULL && !c->recordings[i])
            continue;
        s->seconds[i] = fmin(left, lc_sounds_seconds(c->sounds, i));
        if (lc_events_own(c->team, i))
            status = find_candidates(s, i, s->seconds[i], err);
        left -= s->seconds[i];
    }
    status = lc_events_share(c->team, s->events, c->set->recordings_len, status, err);
    for (size_t i = 0; status == LOCO_OK && i < c->set->recordings_len; i++) {
        if (s->seconds[i] <= 0)
            continue;
        if (uses_times(s, i))
            status = add_times(s, i, err);
        if (status == LOCO_OK)
            status = add_lags(s, i, s->seconds[i], err);
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

/* Whether the lag of a class can be used as its offset. */
static bool usable(const lc_lag_row *lag)
{
    return lag->inside && lag->sharpness >= LC_LAG_SHARP;
}

/* The loudest moment and the middle of a word can be far from its beginning. */
static bool moves_far(lc_anchor anchor)
{
    return anchor == LC_ANCHOR_PEAK || anchor == LC_ANCHOR_CENTRE || anchor == LC_ANCHOR_WORD;
}

/* Within 60 ms if there is a peak: in music, those of other instruments and of other beats are near. */
static lc_lag_row read_lag(const calibrate_state *s, size_t group)
{
    lc_lag_row near = lc_lag_read(&s->lags[group]), far = near;
    if (s->wide != NULL && (!usable(&near) || moves_far(s->calibration->anchor)))
        far = lc_lag_read(&s->wide[group]);
    return usable(&far) ? far : near;
}

/* The usable lag with the most detections. */
static lc_lag_row surest_lag(const calibrate_state *s)
{
    lc_lag_row surest = read_lag(s, 0);
    for (size_t g = 1; g < s->groups; g++) {
        lc_lag_row lag = read_lag(s, g);
        if (usable(&lag) && (!usable(&surest) || lag.events > surest.events))
            surest = lag;
    }
    return surest;
}

static loco_status set_offset(calibrate_state *s, size_t group, bool *known, loco_err *err)
{
    lc_offset_row timed;
    lc_lag_row lag = read_lag(s, group), surest = surest_lag(s);
    size_t K = s->calibration->model->net->classes;
    loco_status status = lc_offset_read(s->offset, kind_of(s, group), &timed, err);
    if (status != LOCO_OK)
        return status;
    if (s->groups < K)
        lc_text_format(s->findings, "all %zu classes: ", K);
    else
        lc_text_format(s->findings, "%s: ", s->calibration->model->classes[group]);
    *known = true;
    if (!s->calibration->blind && timed.pairs >= 3) {
        set_group(s, s->calibration->model->offsets, group, timed.offset);
        lc_text_string(s->findings, "offset ");
        put_ms(s->findings, timed.offset, true);
        lc_text_format(s->findings, " from %zu timed events, spread ", timed.pairs);
        put_ms(s->findings, timed.spread, false);
    } else if (usable(&lag) &&
               (s->calibration->anchor == LC_ANCHOR_WORD || fabs(lag.offset - surest.offset) <= far_off)) {
        set_group(s, s->calibration->model->offsets, group, lag.offset);
        lc_text_string(s->findings, "offset ");
        put_ms(s->findings, lag.offset, true);
        lc_text_format(s->findings, " from the %s around %zu detections",
                       lc_frontend_anchor(&s->calibration->model->frontend, s->calibration->anchor), lag.events);
        lc_text_string(s->findings, ", uncertain by ");
        put_ms(s->findings, lag.uncertainty, false);
        s->unsure = s->unsure || lag.uncertainty > unsure_from;
    } else {
        *known = false;
        s->unsure = s->unsure || lag.events > 0;
        lc_text_format(s->findings, "offset unknown (%zu detections, no clear onset around them)", lag.events);
    }
    return LOCO_OK;
}

/* Classes whose offset was never measured take the mean of those that are known now. */
static void share_offsets(const calibrate_state *s, const bool *known, lc_text *lines)
{
    double *offsets = s->calibration->model->offsets, sum = 0;
    size_t K = s->calibration->model->net->classes, n = 0;
    for (size_t k = 0; s->groups == K && k < K; k++) {
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

/* Times of all candidates as the calibrated model reports them. */
static void shift_events(calibrate_state *s)
{
    for (size_t i = 0; i < s->calibration->set->recordings_len; i++)
        for (size_t j = 0; j < s->events[i].len; j++) {
            loco_event *e = &s->events[i].events[j];
            e->time = fmax(0, e->time - s->calibration->model->offsets[e->kind]);
        }
}

/* ---- thresholds ---- */

static void add_clips(calibrate_state *s)
{
    for (size_t i = 0; i < s->calibration->set->clips_len; i++) {
        const lc_clip *clip = &s->calibration->set->clips[i];
        bool read = (s->calibration->recordings == NULL || s->calibration->recordings[clip->recording]) &&
                    s->events[clip->recording].events != NULL;
        for (size_t k = 0; read && k < s->calibration->model->net->classes; k++) /* a data set may have more classes */
            if (clip->labels[k].lo == clip->labels[k].hi)
                lc_count_sweep_add(&s->count_sweeps[group_of(s, k)], &s->events[clip->recording], k,
                                   (lc_count_clip){clip->start, clip->end}, (double)clip->labels[k].lo);
    }
}

static loco_status set_threshold(calibrate_state *s, size_t group, loco_err *err)
{
    lc_sweep_row row = {0};
    double *thresholds = s->calibration->model->thresholds,
           highest = lc_count_sweep_threshold(LC_COUNT_SWEEP_POINTS - 1);
    loco_status status = lc_sweep_read(s->sweep, kind_of(s, group), &row, err);
    if (status != LOCO_OK)
        return status;
    bool kept = s->calibration->keep_thresholds, times = !kept && row.f1 > 0,
         counts = !kept && !times && s->count_sweeps[group].clips > 0;
    if (times)
        set_group(s, thresholds, group, fmin(fmax(row.threshold, lc_count_sweep_threshold(s->first)), highest));
    else if (counts)
        set_group(s, thresholds, group, lc_count_sweep_best(&s->count_sweeps[group], s->first));
    lc_text_string(s->findings, "; threshold ");
    lc_text_fixed(s->findings, thresholds[group], 2);
    if (times) {
        lc_text_string(s->findings, " from times (F1 ");
        lc_text_fixed(s->findings, row.f1, 3);
        lc_text_string(s->findings, ")\n");
    } else if (counts) {
        lc_text_format(s->findings, " from %zu counts\n", s->count_sweeps[group].clips);
    } else {
        lc_text_string(s->findings, kept ? " as set\n" : " as before\n");
    }
    return LOCO_OK;
}

static loco_status set_thresholds(calibrate_state *s, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < s->calibration->set->recordings_len; i++)
        if (uses_times(s, i) && s->events[i].events != NULL)
            status = lc_sweep_add(s->sweep, s->calibration->set->recordings[i].events,
                                  s->calibration->set->recordings[i].events_len, s->events[i].events, s->events[i].len,
                                  err);
    add_clips(s);
    return status;
}

/* ---- offsets and thresholds ---- */

static loco_status begin(calibrate_state *s, loco_err *err)
{
    const loco_model *model = s->calibration->model;
    size_t K = model->net->classes;
    bool words = s->calibration->anchor == LC_ANCHOR_WORD;
    lc_decoding decoding = model->decoding;
    s->first = model->frontend.ops->faint ? 0 : LC_COUNT_SWEEP_FAINT;
    decoding.threshold = lc_count_sweep_threshold(s->first);
    s->groups = pooled(s->calibration) ? 1 : K;
    s->lags = calloc(s->groups, sizeof *s->lags);
    s->count_sweeps = calloc(s->groups, sizeof *s->count_sweeps);
    s->events = calloc(s->calibration->set->recordings_len, sizeof *s->events);
    s->seconds = calloc(s->calibration->set->recordings_len, sizeof *s->seconds);
    if (s->lags == NULL || s->count_sweeps == NULL || s->events == NULL || s->seconds == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    for (size_t g = 0; g < s->groups; g++)
        s->lags[g].step = model->frontend.ops->lag_step;
    if (model->frontend.ops->sound && (s->wide = calloc(s->groups, sizeof *s->wide)) == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    for (size_t g = 0; s->wide != NULL && g < s->groups; g++)
        s->wide[g] = (lc_lag){.step = words ? word_step : far_step, .open = words};
    loco_status status = lc_infer_new(&s->infer, model, model->frontend.rate, 1, err);
    if (status == LOCO_OK)
        status = lc_decoder_new(&s->decoder, &decoding, K, lc_detect_hop(model), NULL, NULL, err);
    if (status == LOCO_OK)
        status = lc_offset_new(&s->offset, K, err);
    if (status == LOCO_OK)
        status = lc_sweep_new(&s->sweep, K, tolerance, err);
    return status;
}

static void end(calibrate_state *s)
{
    for (size_t i = 0; s->events != NULL && i < s->calibration->set->recordings_len; i++)
        lc_event_array_free(&s->events[i]);
    lc_infer_free(s->infer);
    lc_decoder_free(s->decoder);
    lc_offset_free(s->offset);
    lc_sweep_free(s->sweep);
    free(s->lags);
    free(s->wide);
    free(s->count_sweeps);
    free(s->events);
    free(s->seconds);
}

/* Two passes over the groups, since thresholds are measured after all offsets are known; each group has one line. */
static loco_status set_all(calibrate_state *s, loco_err *err)
{
    size_t G = s->groups;
    lc_text *out = s->findings;
    lc_text *lines = calloc(G, sizeof *lines);
    bool *known = calloc(G, sizeof *known);
    loco_status status = lines == NULL || known == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                                        : LOCO_OK;
    for (size_t g = 0; status == LOCO_OK && g < G; g++) {
        s->findings = &lines[g];
        status = set_offset(s, g, &known[g], err);
    }
    if (status == LOCO_OK)
        share_offsets(s, known, lines);
    shift_events(s);
    if (status == LOCO_OK)
        status = set_thresholds(s, err);
    for (size_t g = 0; status == LOCO_OK && g < G; g++) {
        s->findings = &lines[g];
        status = set_threshold(s, g, err);
        lc_text_append(out, lines[g].bytes != NULL ? lines[g].bytes : "", lines[g].length);
        out->failed |= lines[g].failed;
    }
    for (size_t g = 0; lines != NULL && g < G; g++)
        lc_text_free(&lines[g]);
    free(lines);
    free(known);
    s->findings = out;
    if (s->unsure)
        lc_text_string(out, "times are not certain: note those of the events of five recordings in an events.csv "
                            "(file,time,class), and run loco calibrate -m MODEL DATA with it\n");
    if (status == LOCO_OK && out->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    return status;
}

loco_status lc_calibrate(const lc_calibration *calibration, lc_text *findings, loco_err *err)
{
    calibrate_state s = {.calibration = calibration, .findings = findings};
    if (calibration->model->frontend.ops->picture)
        return lc_calibrate_image(calibration, findings, err);
    loco_status status = begin(&s, err);
    if (status == LOCO_OK)
        status = read_recordings(&s, err);
    if (status == LOCO_OK)
        status = set_all(&s, err);
    if (status == LOCO_OK && calibration->model->frontend.ops->sound)
        status = lc_calibrate_bands(calibration, s.events, s.seconds, err);
    end(&s);
    return status;
}

/* ---- a data set ---- */

/* The anchor that training used; older files have none. */
static lc_anchor anchor_of(const loco_model *model)
{
    const char *recipe = lc_model_text(model, "recipe");
    if (recipe != NULL && strstr(recipe, "anchor=centre\n") != NULL)
        return LC_ANCHOR_CENTRE;
    if (recipe != NULL && strstr(recipe, "anchor=word\n") != NULL)
        return LC_ANCHOR_WORD;
    return recipe != NULL && strstr(recipe, "anchor=peak\n") != NULL ? LC_ANCHOR_PEAK : LC_ANCHOR_RISE;
}

static loco_status read_pooling(lc_pooling *pooling, const char *word, loco_err *err)
{
    *pooling = word == NULL ? LC_POOL_DEFAULT : strcmp(word, "all") == 0 ? LC_POOL_ALL : LC_POOL_NONE;
    if (*pooling == LC_POOL_NONE && strcmp(word, "none") != 0)
        return lc_err_set(err, LOCO_EARG,
                          "pool \"%.60s\": expected all, one offset and threshold for all classes, or none", word);
    return LOCO_OK;
}

static loco_status measure(loco_model *model, const lc_dataset *set, const lc_sounds *sounds,
                           const loco_calibrate_options *asked, lc_text *findings, loco_err *err)
{
    lc_calibration calibration = {.model = model,
                                  .set = set,
                                  .sounds = sounds,
                                  .most_seconds = lc_frontend_limits(&model->frontend).calibrate,
                                  .anchor = anchor_of(model),
                                  .blind = asked->blind};
    loco_status status = read_pooling(&calibration.pooling, asked->pool, err);
    if (status == LOCO_OK && !asked->counts)
        status = lc_calibrate(&calibration, findings, err);
    return status == LOCO_OK ? lc_calibrate_counts(&calibration, findings, err) : status;
}

static loco_status check_recordings(const loco_model *model, const lc_dataset *set, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len; i++)
        status = lc_frontend_check_file(&model->frontend, set->recordings[i].path, err);
    return status;
}

loco_status loco_calibrate(char **findings, loco_model *model, const char *data, const loco_calibrate_options *options,
                           loco_err *err)
{
    lc_text text = {0};
    lc_dataset *set = NULL;
    lc_pool *pool = NULL;
    lc_sounds *sounds = NULL;
    loco_calibrate_options asked;
    if (findings == NULL || model == NULL || data == NULL)
        return lc_err_set(err, LOCO_EARG, "findings, model and data must not be NULL");
    loco_status status = lc_options_read(&asked, sizeof asked, options, "loco_calibrate_options", err);
    if (status == LOCO_OK)
        status = lc_dataset_load_for(&set, data, model->classes, model->net->classes, err);
    if (status == LOCO_OK)
        status = lc_model_check_classes(model, set->where, set->classes, set->classes_len, err);
    if (status == LOCO_OK)
        status = check_recordings(model, set, err);
    if (status == LOCO_OK)
        status = lc_pool_new(&pool, asked.threads > 0 ? asked.threads : 2, err);
    if (status == LOCO_OK)
        status = lc_sounds_new_channels(&sounds, set, model->frontend.rate, lc_frontend_columns(&model->frontend),
                                        model->frontend.ops->picture ? 0 : sound_bytes, pool, err);
    if (status == LOCO_OK)
        status = measure(model, set, sounds, &asked, &text, err);
    lc_text_fold(&text);
    if (status == LOCO_OK && text.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    if (status == LOCO_OK)
        *findings = text.bytes;
    else
        lc_text_free(&text);
    lc_sounds_free(sounds);
    lc_pool_free(pool);
    lc_dataset_free(set);
    return status;
}

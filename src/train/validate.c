/* SPDX-License-Identifier: MIT
 * validate.c - the loss of held-out clips, the one that is trained by, and where times are known, the F1 of held-out
 * events.
 *
 * Times score here, and teach nothing. The offset of a class is almost free in training
 * from counts (a constant delay changes counts at clip edges alone), so that it is removed before scoring, as
 * calibration will remove it. */
#include "train/validate.h"

#include "base/status.h"
#include "eval/calibrate.h"
#include "eval/score.h"
#include "train/aside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerances[] = {0.05, 0.02};
static const double most_seconds = 120; /* of timed recordings that a validation listens to */
enum { MOST_CLIPS = 512 };

struct lc_validation {
    lc_plan *plan;
    loco_model *model;
    lc_listener *listener;
    loco_count *count;
    loco_count_item *items; /* K */
    float *logits;          /* (frames of the longest clip, K) */
    const float *average;   /* of the trainer */
    float *narrow;          /* the same without the classes set aside; NULL where there are none */
};

loco_model *lc_validation_model(lc_validation *v)
{
    return v->model;
}

/* Frames of series may be longer than what drums are decoded with: two on either side, and events that are at least
 * twice that apart. */
static lc_decoding usual_decoding(const lc_frontend_settings *front)
{
    lc_decoding decoding = lc_decoding_usual(LC_DECODE_MASS);
    double hop = (double)front->hop / front->rate;
    if (front->kind == LC_FRONT_SERIES) {
        decoding.window = fmin(10, fmax(decoding.window, 2 * hop));
        decoding.gap = fmin(60, 4 * decoding.window);
    }
    return decoding;
}

loco_status lc_validation_new(lc_validation **out, lc_plan *plan, const float *average, loco_err *err)
{
    size_t K = plan->set->classes_len, frames = plan->held != NULL ? lc_feed_frames(plan->held) : 1;
    lc_decoding decoding = usual_decoding(&plan->recipe.frontend);
    const char *line = plan->recipe.decoding;
    if (*line != 0 && lc_decoding_parse(&decoding, line, strlen(line), err) != LOCO_OK)
        return LOCO_EARG;
    lc_validation *v = calloc(1, sizeof *v);
    if (v == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for validation");
    v->plan = plan;
    v->items = calloc(K, sizeof *v->items);
    v->logits = calloc(frames * K, sizeof *v->logits);
    v->average = average;
    v->narrow = plan->told < K ? calloc(plan->told_net.params, sizeof *v->narrow) : NULL;
    loco_status status = v->items == NULL || v->logits == NULL || (plan->told < K && v->narrow == NULL)
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for validation")
                             : lc_setup_view(&v->model, &plan->told_net, v->narrow != NULL ? v->narrow : average,
                                             plan->set->classes, &plan->recipe.frontend, &decoding, err);
    if (status == LOCO_OK)
        status = lc_listener_new(&v->listener, v->model, err);
    if (status == LOCO_OK)
        status = loco_count_new(&v->count, 1, err);
    if (status != LOCO_OK) {
        lc_validation_free(v);
        return status;
    }
    *out = v;
    return LOCO_OK;
}

void lc_validation_free(lc_validation *v)
{
    if (v == NULL)
        return;
    loco_model_free(v->model);
    lc_listener_free(v->listener);
    loco_count_free(v->count);
    free(v->items);
    free(v->logits);
    free(v->narrow);
    free(v);
}

/* ---- counts ---- */

typedef struct tally {
    double loss;
    size_t clips, exact, hit;
} tally;

static loco_status judge_clip(lc_validation *v, lc_trainer *trainer, const lc_example *e, tally *sum, loco_err *err)
{
    size_t K = v->plan->set->classes_len;
    lc_map out = {.data = v->logits, .row = K}, no_gradient = {.data = NULL};
    lc_cost cost;
    loco_status status = lc_trainer_logits(trainer, e->frames, e->T, v->logits, err);
    if (status == LOCO_OK)
        status = lc_objective_run(v->count, v->items, K, e, out, no_gradient, &cost, err);
    if (status != LOCO_OK)
        return status;
    sum->loss += cost.loss;
    sum->exact += cost.exact;
    sum->hit += cost.hit;
    sum->clips++;
    return LOCO_OK;
}

static loco_status judge_counts(lc_validation *v, lc_trainer *trainer, lc_verdict *verdict, loco_err *err)
{
    tally sum = {0};
    size_t n = 1;
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && v->plan->held != NULL && sum.clips < MOST_CLIPS && n > 0) {
        const lc_example *batch;
        size_t first = sum.clips;
        status = lc_feed_plain(v->plan->held, first, &batch, &n, err);
        for (size_t b = 0; status == LOCO_OK && b < n; b++)
            status = judge_clip(v, trainer, &batch[b], &sum, err);
    }
    verdict->loss = sum.clips > 0 ? sum.loss / (double)sum.clips : (double)NAN;
    verdict->hit = sum.exact > 0 ? (double)sum.hit / (double)sum.exact : (double)NAN;
    return status;
}

/* ---- times ---- */

/* The scale of the recording that is heard next, where the model wants it. */
static loco_status hear_scale(lc_listener *listener, const lc_sounds *sounds, size_t recording, loco_err *err)
{
    lc_scale scale;
    lc_frontend *front = lc_listener_front(listener);
    loco_status status = lc_sounds_scale(sounds, recording, front, &scale, err);
    if (status == LOCO_OK)
        lc_frontend_rescale(front, &scale);
    return status;
}

loco_status lc_hear(lc_listener *listener, const lc_sounds *sounds, size_t recording, double rate, double most,
                    lc_logits_take *take, void *context, loco_err *err)
{
    enum { PIECE = 16384 };
    float *samples = calloc(PIECE * LC_SOUND_CHANNELS, sizeof *samples);
    double total = floor(fmin(lc_sounds_seconds(sounds, recording), most) * rate);
    loco_status status = samples == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to listen") : LOCO_OK;
    if (status == LOCO_OK && lc_listener_wants_scale(listener))
        status = hear_scale(listener, sounds, recording, err);
    for (double at = 0; status == LOCO_OK && at < total; at += PIECE) {
        size_t n = total - at < PIECE ? (size_t)(total - at) : PIECE;
        status = lc_sounds_read(sounds, recording, at / rate, 1, samples, n, err);
        if (status == LOCO_OK)
            lc_listener_push(listener, samples, n, take, context);
    }
    lc_listener_end(listener, take, context);
    free(samples);
    return status;
}

/* The events that the network finds in a recording, up to `most` seconds. */
static loco_status find_events(lc_validation *v, size_t recording, double most, lc_found *list, loco_err *err)
{
    lc_series series = {.K = v->plan->told};
    lc_decoder *decoder = NULL;
    loco_status status = lc_hear(v->listener, v->plan->sounds, recording, v->model->frontend.rate, most, lc_series_take,
                                 &series, err);
    if (status == LOCO_OK && series.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for validation");
    if (status == LOCO_OK)
        status = lc_detect_decoder(&decoder, v->model, NULL, err);
    if (status == LOCO_OK)
        status = lc_decoder_run(decoder, series.logits, series.T, list, err);
    lc_decoder_free(decoder);
    free(series.logits);
    return status;
}

/* Reference events before `most` seconds of the classes that are told: a copy, NULL without memory. */
static loco_event *within(const lc_validation *v, const lc_recording *recording, double most, size_t *n)
{
    loco_event *events = calloc(recording->events_len + 1, sizeof *events);
    *n = 0;
    for (size_t i = 0; events != NULL && i < recording->events_len; i++)
        if (recording->events[i].time < most && recording->events[i].kind < v->plan->told)
            events[(*n)++] = recording->events[i];
    return events;
}

/* Lists of all timed held-out recordings; what is judged is a prefix of most_seconds in all. */
typedef struct heard {
    size_t len;
    lc_found *found;
    loco_event **truth;
    size_t *truth_len;
} heard;

static loco_status hear_all(lc_validation *v, heard *all, loco_err *err)
{
    const lc_dataset *set = v->plan->set;
    double left = most_seconds;
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len && left > 1; i++) {
        if (!v->plan->held_recordings[i] || !set->recordings[i].timed)
            continue;
        double most = fmin(left, lc_sounds_seconds(v->plan->sounds, i));
        status = find_events(v, i, most, &all->found[all->len], err);
        all->truth[all->len] = within(v, &set->recordings[i], most, &all->truth_len[all->len]);
        if (status == LOCO_OK && all->truth[all->len] == NULL)
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory for validation");
        all->len++;
        left -= most;
    }
    return status;
}

/* Subtracts each class's own mean delay. */
static loco_status remove_offsets(const lc_validation *v, const heard *all, loco_err *err)
{
    size_t K = v->plan->told;
    lc_offset *offset = NULL;
    loco_status status = lc_offset_new(&offset, K, err);
    for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
        status = lc_offset_add(offset, all->truth[i], all->truth_len[i], all->found[i].events, all->found[i].len, err);
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        lc_offset_row row;
        status = lc_offset_read(offset, k, &row, err);
        for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
            for (size_t j = 0; j < all->found[i].len; j++)
                if (all->found[i].events[j].kind == k)
                    all->found[i].events[j].time = fmax(0, all->found[i].events[j].time - row.offset);
    }
    lc_offset_free(offset);
    return status;
}

static loco_status score_all(const lc_validation *v, const heard *all, lc_verdict *verdict, loco_err *err)
{
    lc_score *score = NULL;
    loco_status status = remove_offsets(v, all, err);
    if (status == LOCO_OK)
        status = lc_score_new(&score, v->plan->told, tolerances, 2, err);
    for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
        status = lc_score_add(score, all->truth[i], all->truth_len[i], all->found[i].events, all->found[i].len, err);
    if (status == LOCO_OK) {
        verdict->f1_50 = lc_score_read(score, LC_ALL_KINDS, 0, LC_PER_CLASS, LC_EMPTY_ZERO).f1;
        verdict->f1_20 = lc_score_read(score, LC_ALL_KINDS, 1, LC_PER_CLASS, LC_EMPTY_ZERO).f1;
    }
    lc_score_free(score);
    return status;
}

static loco_status judge_times(lc_validation *v, lc_verdict *verdict, loco_err *err)
{
    size_t n = v->plan->set->recordings_len;
    heard all = {.found = calloc(n, sizeof *all.found),
                 .truth = calloc(n, sizeof(loco_event *)),
                 .truth_len = calloc(n, sizeof *all.truth_len)};
    loco_status status = all.found == NULL || all.truth == NULL || all.truth_len == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for validation")
                             : hear_all(v, &all, err);
    if (status == LOCO_OK && all.len > 0)
        status = score_all(v, &all, verdict, err);
    for (size_t i = 0; i < all.len; i++) {
        lc_found_free(&all.found[i]);
        free(all.truth[i]);
    }
    free(all.found);
    free(all.truth);
    free(all.truth_len);
    return status;
}

loco_status lc_validation_run(lc_validation *v, lc_trainer *trainer, lc_verdict *verdict, loco_err *err)
{
    lc_verdict result = {NAN, NAN, NAN, NAN};
    if (v->narrow != NULL)
        lc_aside_narrow(&v->plan->net, v->average, &v->plan->told_net, v->narrow);
    lc_setup_renew(v->model);
    loco_status status = judge_counts(v, trainer, &result, err);
    if (status == LOCO_OK)
        status = judge_times(v, &result, err);
    if (status == LOCO_OK)
        *verdict = result;
    return status;
}

/* SPDX-License-Identifier: MIT
 * validate.c - the loss of held-out clips, by the same function as in training, and where times are known, the F1 of
 * held-out events.
 *
 * Times are scored here and never trained on. The offset of a class is almost free in training from counts (a constant
 * delay changes counts at clip edges only), so that it is removed before scoring, as calibration will remove it. */
#include "train/validate.h"

#include "base/status.h"
#include "calibrate/measure.h"
#include "detect/infer.h"
#include "eval/score.h"
#include "events/event_share.h"
#include "train/auxiliary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_seconds = 120,
                    most_rows = 8000; /* of timed recordings, and of images, that a validation reads */
enum { MOST_CLIPS = 512 };

const double *lc_validation_tolerances(bool images)
{
    static const double seconds[LC_VALIDATION_TOLERANCES] = {0.05, 0.02}, pixels[LC_VALIDATION_TOLERANCES] = {8, 4};
    return images ? pixels : seconds;
}

struct lc_validation {
    lc_plan *plan;
    loco_model *model;
    lc_infer *infer;
    loco_count *count;
    loco_count_item *items; /* K */
    float *logits;          /* (frames of the longest clip, places, K) */
    const float *average;   /* of the trainer */
    float *narrow;          /* the same without auxiliary classes; NULL where there are none */
    lc_team *team;          /* NULL: one process judges all */
    size_t lanes;
    lc_cost *costs, *packed; /* batch, of what several processes judge */
};

loco_model *lc_validation_model(lc_validation *v)
{
    return v->model;
}

/* Frames may be longer than what drums are decoded with: two on either side, and events that are at least
 * twice that apart. */
static lc_decoding default_decoding(const lc_frontend_settings *front)
{
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    double hop = (double)front->hop / front->rate;
    if (front->ops->long_frames) {
        decoding.window = fmin(10, fmax(decoding.window, 2 * hop));
        decoding.gap = fmin(60, 4 * decoding.window);
    }
    return decoding;
}

void lc_validation_share(lc_validation *v, lc_team *team, size_t lanes)
{
    v->team = team;
    v->lanes = lanes;
    if (v->plan->held != NULL)
        lc_feed_share(v->plan->held, team, lanes);
}

loco_status lc_validation_new(lc_validation **out, lc_plan *plan, const float *average, loco_err *err)
{
    size_t K = plan->set->classes_len, frames = plan->held != NULL ? lc_feed_frames(plan->held) : 1;
    lc_decoding decoding = default_decoding(&plan->recipe.frontend);
    const char *line = plan->recipe.decoding;
    if (*line != 0 && lc_decoding_parse(&decoding, line, strlen(line), err) != LOCO_OK)
        return LOCO_EARG;
    lc_validation *v = calloc(1, sizeof *v);
    if (v == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for validation");
    v->plan = plan;
    v->items = calloc(K, sizeof *v->items);
    v->logits = calloc(frames * lc_net_outputs(&plan->net), sizeof *v->logits);
    v->costs = calloc(plan->recipe.batch, sizeof *v->costs);
    v->packed = calloc(plan->recipe.batch, sizeof *v->packed);
    v->average = average;
    v->narrow = plan->reported < K ? calloc(plan->reported_net.params, sizeof *v->narrow) : NULL;
    loco_status status = v->items == NULL || v->logits == NULL || v->costs == NULL || v->packed == NULL ||
                                 (plan->reported < K && v->narrow == NULL)
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for validation")
                             : lc_model_view(&v->model, &plan->reported_net, v->narrow != NULL ? v->narrow : average,
                                             plan->set->classes, &plan->recipe.frontend, &decoding, err);
    if (status == LOCO_OK)
        status = lc_infer_new(&v->infer, v->model, v->model->frontend.rate, 1, err);
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
    lc_infer_free(v->infer);
    loco_count_free(v->count);
    free(v->items);
    free(v->logits);
    free(v->narrow);
    free(v->costs);
    free(v->packed);
    free(v);
}

/* ---- counts ---- */

typedef struct validation_tally {
    lc_cost cost;
    size_t clips;
} validation_tally;

/* The loss of one clip, and whether its counts are met. */
static loco_status judge_clip(lc_validation *v, lc_trainer *trainer, const lc_example *e, lc_cost *cost, loco_err *err)
{
    size_t K = v->plan->set->classes_len;
    lc_objective objective = {
        .count = v->count,
        .items = v->items,
        .classes = K,
        .out = {.data = v->logits, .row = K},
        .places = v->plan->net.places,
    }; /* and no gradient */
    loco_status status = lc_trainer_logits(trainer, e->frames, e->T, v->logits, err);
    return status == LOCO_OK ? lc_objective_run(cost, &objective, e, err) : status;
}

/* A batch of held-out clips, from number `first` on. Each process judges its own; all add the same costs in order. */
static loco_status judge_batch(lc_validation *v, lc_trainer *trainer, size_t first, size_t *n, loco_err *err)
{
    const lc_example *batch;
    loco_status status = lc_feed_plain(v->plan->held, first, &batch, n, err);
    for (size_t b = 0; status == LOCO_OK && b < *n; b++)
        if (lc_team_has(v->team, v->lanes, b))
            status = judge_clip(v, trainer, &batch[b], &v->costs[b], err);
    status = lc_team_settle(v->team, status, err);
    if (status == LOCO_OK)
        lc_team_gather_items(v->team, v->lanes, v->costs, *n, sizeof *v->costs, v->packed);
    return status;
}

/* NaN where there is nothing to divide by. */
static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* Held-out clips without augmentation, batch by batch, up to MOST_CLIPS. */
static loco_status judge_counts(lc_validation *v, lc_trainer *trainer, lc_validation_result *verdict, loco_err *err)
{
    validation_tally sum = {0};
    size_t n = 1;
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && v->plan->held != NULL && sum.clips < MOST_CLIPS && n > 0) {
        status = judge_batch(v, trainer, sum.clips, &n, err);
        for (size_t b = 0; status == LOCO_OK && b < n; b++)
            lc_cost_add(&sum.cost, &v->costs[b]);
        sum.clips += n;
    }
    verdict->loss = ratio(sum.cost.loss, (double)sum.clips);
    verdict->hit = ratio((double)sum.cost.hit, (double)sum.cost.exact);
    verdict->error = ratio(sum.cost.off, sum.cost.counts);
    verdict->mean_count = ratio(sum.cost.counts, (double)sum.cost.exact);
    verdict->sharp = ratio(sum.cost.sharp, sum.cost.mass);
    return status;
}

/* ---- times ---- */

static bool reads_images(const lc_validation *v)
{
    return v->model->frontend.ops->picture;
}

/* The events that the network finds in a recording, up to `most` seconds. */
static loco_status find_events(lc_validation *v, size_t recording, double most, lc_event_array *list, loco_err *err)
{
    lc_logits logits = {0};
    lc_decoder *decoder = NULL;
    loco_status status = lc_infer_recording(&logits, v->infer, v->plan->sounds, recording, most, err);
    if (status == LOCO_OK)
        status = lc_detect_decoder(&decoder, v->model, NULL, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(decoder, logits.data, logits.T, logits.columns, list, err);
    lc_decoder_free(decoder);
    free(logits.data);
    return status;
}

/* Reference events before `most` seconds of the classes that are reported: a copy, NULL without memory. */
static loco_event *within(const lc_validation *v, const lc_recording *recording, double most, size_t *n)
{
    loco_event *events = calloc(recording->events_len + 1, sizeof *events);
    *n = 0;
    for (size_t i = 0; events != NULL && i < recording->events_len; i++)
        if (recording->events[i].time < most && recording->events[i].kind < v->plan->reported)
            events[(*n)++] = recording->events[i];
    return events;
}

/* Detected and reference events of the timed held-out recordings, as far as most_seconds reach in all. */
typedef struct timed_events {
    size_t len;
    lc_event_array *found;
    loco_event **truth;
    size_t *truth_len;
} timed_events;

/* Detected and reference events of each timed held-out recording, until most_seconds are used up. Of several processes,
 * each detects in some recordings. */
static loco_status detect_all(lc_validation *v, timed_events *all, loco_err *err)
{
    const lc_dataset *set = v->plan->set;
    double left = reads_images(v) ? most_rows : most_seconds;
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len && left > 1; i++) {
        if (!v->plan->held_recordings[i] || !set->recordings[i].timed)
            continue;
        double most = fmin(left, lc_sounds_seconds(v->plan->sounds, i));
        if (lc_events_own(v->team, all->len))
            status = find_events(v, i, most, &all->found[all->len], err);
        all->truth[all->len] = within(v, &set->recordings[i], most, &all->truth_len[all->len]);
        if (status == LOCO_OK && all->truth[all->len] == NULL)
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory for validation");
        all->len++;
        left -= most;
    }
    return lc_events_share(v->team, all->found, all->len, status, err);
}

/* Subtracts the mean distance of each class, right and down. */
static loco_status remove_plane_offsets(const lc_validation *v, const timed_events *all, loco_err *err)
{
    size_t K = v->plan->reported;
    lc_plane_offset *offsets = calloc(K + 1, sizeof *offsets);
    lc_plane_pairing *images = calloc(all->len + 1, sizeof *images);
    loco_status status = offsets == NULL || images == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for validation")
                             : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
        images[i] = (lc_plane_pairing){all->truth[i], all->found[i].events, all->truth_len[i], all->found[i].len};
    if (status == LOCO_OK)
        status = lc_plane_offsets(offsets, K, images, all->len, fmax(v->model->decoding.gap, 10), err);
    for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
        for (size_t j = 0; j < all->found[i].len; j++) {
            loco_event *event = &all->found[i].events[j];
            event->x -= offsets[event->kind].x;
            event->time -= offsets[event->kind].y;
        }
    free(offsets);
    free(images);
    return status;
}

/* Subtracts each class's own mean delay, or that of all where they are pitches: most have too few events. */
static loco_status remove_offsets(const lc_validation *v, const timed_events *all, loco_err *err)
{
    size_t K = v->plan->reported;
    lc_offset *offset = NULL;
    loco_status status = lc_offset_new(&offset, K, err);
    for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
        status = lc_offset_add(offset, all->truth[i], all->truth_len[i], all->found[i].events, all->found[i].len, err);
    bool pooled = lc_net_has_outputs(&v->plan->reported_net);
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        lc_offset_row row;
        status = lc_offset_read(offset, pooled ? LC_ALL_KINDS : k, &row, err);
        for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
            for (size_t j = 0; j < all->found[i].len; j++)
                if (all->found[i].events[j].kind == k)
                    all->found[i].events[j].time = fmax(0, all->found[i].events[j].time - row.offset);
    }
    lc_offset_free(offset);
    return status;
}

/* F1 over all recordings at each tolerance: the mean of the classes, or of all events where classes are pitches. */
static loco_status score_all(const lc_validation *v, const timed_events *all, lc_validation_result *verdict,
                             loco_err *err)
{
    lc_score *score = NULL;
    lc_average average = lc_net_has_outputs(&v->plan->reported_net) ? LC_POOLED : LC_PER_CLASS;
    bool images = reads_images(v);
    loco_status status = images ? remove_plane_offsets(v, all, err) : remove_offsets(v, all, err);
    if (status == LOCO_OK)
        status = lc_score_new(&score, v->plan->reported, lc_validation_tolerances(images), LC_VALIDATION_TOLERANCES,
                              err);
    if (status == LOCO_OK && images)
        lc_score_images(score);
    for (size_t i = 0; status == LOCO_OK && i < all->len; i++)
        status = lc_score_add(score, all->truth[i], all->truth_len[i], all->found[i].events, all->found[i].len, err);
    for (size_t i = 0; status == LOCO_OK && i < LC_VALIDATION_TOLERANCES; i++)
        verdict->f1[i] = lc_score_read(score, LC_ALL_KINDS, i, average, LC_EMPTY_ZERO).f1;
    lc_score_free(score);
    return status;
}

/* Leaves the F1 unknown when no held-out recording has times. */
static loco_status judge_times(lc_validation *v, lc_validation_result *verdict, loco_err *err)
{
    size_t n = v->plan->set->recordings_len;
    timed_events all = {.found = calloc(n, sizeof *all.found),
                        .truth = calloc(n, sizeof(loco_event *)),
                        .truth_len = calloc(n, sizeof *all.truth_len)};
    bool room = all.found != NULL && all.truth != NULL && all.truth_len != NULL;
    loco_status status = room ? LOCO_OK : lc_err_set(err, LOCO_ENOMEM, "out of memory for validation");
    status = lc_team_settle(v->team, status, err);
    if (status == LOCO_OK && room)
        status = detect_all(v, &all, err);
    if (status == LOCO_OK && all.len > 0)
        status = score_all(v, &all, verdict, err);
    for (size_t i = 0; i < all.len; i++) {
        lc_event_array_free(&all.found[i]);
        free(all.truth[i]);
    }
    free(all.found);
    free(all.truth);
    free(all.truth_len);
    return status;
}

loco_status lc_validation_run(lc_validation *v, lc_trainer *trainer, lc_validation_result *verdict, loco_err *err)
{
    lc_validation_result result = {.loss = NAN, .hit = NAN, .error = NAN, .mean_count = NAN, .sharp = NAN};
    for (size_t i = 0; i < LC_VALIDATION_TOLERANCES; i++)
        result.f1[i] = NAN;
    if (v->narrow != NULL)
        lc_auxiliary_narrow(&v->plan->net, v->average, &v->plan->reported_net, v->narrow);
    lc_model_renew(v->model);
    loco_status status = judge_counts(v, trainer, &result, err);
    if (status == LOCO_OK)
        status = lc_team_settle(v->team, judge_times(v, &result, err), err);
    if (status == LOCO_OK)
        *verdict = result;
    return status;
}

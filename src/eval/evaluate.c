/* SPDX-License-Identifier: MIT
 * evaluate.c - scores of a model on a data set, or of events against others: in two files, or in memory.
 *
 * Every timed recording of a data set is detected as `loco detect` does it; clips with an exact count are compared with
 * the predicted distribution of the count, from the calibrated probabilities of their frames, and with the interval
 * that `loco count` prints. */
#include "eval/evaluate.h"

#include "base/options.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "detect/detect_image.h"
#include "detect/infer.h"
#include "detect/tally.h"
#include "eval/pairs.h"
#include "eval/scores.h"
#include "signal/sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_tolerances[] = {0.05, 0.02}, default_radius[] = {10};

typedef struct evaluate_job {
    lc_evaluate_settings asked;
    const loco_model *model;
    lc_dataset *set;
    size_t classes_len;
    loco_scores *scores;
    lc_count_score *counts; /* of scores: one a class, and one a sum of the data set behind them; NULL without clips */
    loco_count *count;
    double *logits; /* of a clip and class */
    double *pmf;
    size_t capacity; /* of the two */
    lc_tally tally;
    lc_decoder *decoder;     /* for classes that count by detections */
    lc_event_array detected; /* in a recording, by it */
} evaluate_job;

/* ---- counts of clips ---- */

/* Logits and probabilities of one clip; the arrays grow to the longest and are reused. */
static bool make_room(evaluate_job *j, size_t frames)
{
    if (frames <= j->capacity)
        return true;
    free(j->logits);
    free(j->pmf);
    j->logits = calloc(frames, sizeof *j->logits);
    j->pmf = calloc(frames + 1, sizeof *j->pmf);
    j->capacity = j->logits != NULL && j->pmf != NULL ? frames : 0;
    return frames <= j->capacity;
}

static const double interval_level = 0.9; /* the default of `loco count` */

/* The outputs of a clip: places of an image, in rows and columns; of all else rows are frames, with one column. */
typedef struct clip_part {
    lc_places places;
    size_t columns; /* of the whole image */
    size_t n;       /* outputs */
} clip_part;

static lc_plane_box box_of(const evaluate_job *j, const lc_logits *logits, const lc_clip *clip)
{
    size_t rows = logits->T / logits->columns;
    return lc_clip_box(clip, (double)rows * lc_detect_hop(j->model));
}

static clip_part part_of(const evaluate_job *j, const lc_logits *logits, size_t kind, const lc_clip *clip)
{
    clip_part c = {.columns = 1};
    if (logits->columns > 0) {
        lc_plane_box box = box_of(j, logits, clip);
        c.columns = logits->columns;
        c.places = lc_detect_places(j->model, kind, &box, logits->T / c.columns, c.columns);
    } else {
        lc_frames frames = lc_detect_frames(j->model, kind, clip->start, clip->end, logits->T);
        c.places = (lc_places){frames.first, frames.end, 0, 1};
    }
    c.n = lc_places_len(&c.places);
    return c;
}

/* Adds the calibrated logits of a class in a clip to the tally, and to an array of them where one is wanted. */
static void add_logits(evaluate_job *j, const lc_logits *logits, size_t kind, const clip_part *c, double *keep)
{
    const lc_count_calibration *calibration = &j->model->count_calibration[kind];
    size_t t = 0;
    for (size_t row = c->places.row; row < c->places.row_end; row++)
        for (size_t column = c->places.column; column < c->places.column_end; column++, t++) {
            double logit = (double)logits->data[(row * c->columns + column) * logits->K + kind];
            double calibrated = calibration->scale * logit + calibration->shift;
            if (keep != NULL)
                keep[t] = calibrated;
            lc_tally_add(&j->tally, calibrated);
        }
}

/* Events of a class that were detected in a clip. */
static size_t count_detected(const evaluate_job *j, const lc_logits *logits, size_t kind, const lc_clip *clip)
{
    if (logits->columns == 0)
        return lc_events_count(&j->detected, kind, clip->start, clip->end);
    lc_plane_box box = box_of(j, logits, clip);
    return lc_box_count(&box, &j->detected, kind);
}

/* One class of one clip. */
typedef struct counted {
    size_t kind, detections, truth;
    clip_part part;
} counted;

/* The clip whose calibrated logits are there, as `loco count` prints it; of calibrations that measured errors also the
 * count and its distribution. */
static loco_status score_interval(evaluate_job *j, size_t frames, size_t k, size_t truth, loco_err *err)
{
    const lc_count_calibration *calibration = &j->model->count_calibration[k];
    double tail = lc_count_calibration_tail_at(calibration, interval_level, (double)frames);
    lc_interval interval = lc_tally_interval(&j->tally, tail, lc_tally_dice(&j->tally, k));
    return lc_count_score_add_held(&j->counts[k], interval.low, interval.high, interval.probability, truth, err);
}

/* The distribution up to `most`, which is one bin with all beyond. */
static void take_pmf(evaluate_job *j, size_t most)
{
    for (size_t c = 0; c < most; c++)
        j->pmf[c] = lc_tally_probability(&j->tally, loco_label_exact(c));
    j->pmf[most] = lc_tally_probability(&j->tally, loco_label_at_least(most));
}

/* One class of one clip: the distribution of its count up to 64 above the truth; what lies beyond is one bin. */
static loco_status score_count(evaluate_job *j, const lc_logits *logits, const counted *c, loco_err *err)
{
    const lc_count_calibration *calibration = &j->model->count_calibration[c->kind];
    size_t n = c->part.n, most = c->truth + 64 < n ? c->truth + 64 : n;
    if (!make_room(j, n + 1))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", n);
    lc_tally_clear(&j->tally);
    add_logits(j, logits, c->kind, &c->part, j->logits);
    double count = lc_tally_calibrate(&j->tally, calibration, c->detections);
    if (j->tally.failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", n);
    bool older = !(calibration->frames > 0); /* its distribution was that without noise */
    loco_status status = older ? loco_count_pmf(j->pmf, most, j->count, j->logits, n, err) : LOCO_OK;
    if (!older)
        take_pmf(j, most);
    if (status == LOCO_OK)
        status = lc_count_score_add_count(&j->counts[c->kind], older ? (double)NAN : count, j->pmf, most + 1, c->truth,
                                          err);
    return status == LOCO_OK ? score_interval(j, n, c->kind, c->truth, err) : status;
}

static loco_status score_clip(evaluate_job *j, const lc_logits *logits, const lc_clip *clip, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t k = 0; status == LOCO_OK && k < j->classes_len; k++) {
        counted c = {.kind = k,
                     .detections = count_detected(j, logits, k, clip),
                     .truth = clip->labels[k].lo,
                     .part = part_of(j, logits, k, clip)};
        if (clip->labels[k].lo == clip->labels[k].hi && clip->labels[k].lo <= c.part.n)
            status = score_count(j, logits, &c, err);
    }
    return status;
}

/* A sum of classes: the frames of all of them, each calibrated as its class. The tail is the least of theirs: the
 * interval may hold more often than 90 %, since it was not calibrated with counts of the sum. */
static loco_status score_sum(evaluate_job *j, const lc_logits *logits, const lc_clip *clip, size_t s, loco_err *err)
{
    const lc_sum *sum = &j->set->sums[s];
    size_t K = j->classes_len, n = 0, truth = clip->labels[K + s].lo;
    double tail = 1, variance = 0, count = 0;
    bool moved = false;
    lc_tally_clear(&j->tally);
    for (size_t i = 0; i < sum->members_len; i++) {
        size_t k = sum->members[i];
        const lc_count_calibration *calibration = &j->model->count_calibration[k];
        clip_part part = part_of(j, logits, k, clip);
        double before = j->tally.mean;
        add_logits(j, logits, k, &part, NULL);
        double own = j->tally.mean - before;
        if (calibration->detections)
            own = (double)count_detected(j, logits, k, clip);
        moved = moved || calibration->detections;
        n += part.n;
        count += own;
        variance += lc_tally_noise(calibration, own, (double)part.n);
        tail = fmin(tail, lc_count_calibration_tail_at(calibration, interval_level, (double)part.n));
    }
    size_t most = truth + 64 < n ? truth + 64 : n;
    if (truth > n)
        return LOCO_OK;
    lc_tally_finish(&j->tally, moved ? count : (double)NAN, sqrt(variance));
    if (j->tally.failed || !make_room(j, n + 1))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", n);
    take_pmf(j, most);
    lc_interval interval = lc_tally_interval(&j->tally, tail, lc_tally_dice(&j->tally, K + s));
    loco_status status = lc_count_score_add_count(&j->counts[K + s], moved ? count : (double)NAN, j->pmf, most + 1,
                                                  truth, err);
    if (status == LOCO_OK)
        status = lc_count_score_add_held(&j->counts[K + s], interval.low, interval.high, interval.probability, truth,
                                         err);
    return status;
}

static loco_status score_sums(evaluate_job *j, const lc_logits *logits, const lc_clip *clip, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t s = 0; status == LOCO_OK && s < j->set->sums_len; s++) {
        loco_label label = clip->labels[j->classes_len + s];
        if (label.lo == label.hi)
            status = score_sum(j, logits, clip, s, err);
    }
    return status;
}

/* The network runs once a recording; all of its clips share the logits. */
static loco_status score_clips(evaluate_job *j, size_t recording, loco_err *err)
{
    lc_logits logits = {0};
    const lc_recording *r = &j->set->recordings[recording];
    /* detection gave that of a timed recording */
    lc_input_notice notice = {.notice = j->asked.detect.notice, .context = j->asked.detect.context, .given = r->timed};
    lc_input input = {.path = r->path, .notice = &notice};
    loco_status status = lc_infer_counted(&logits, j->model, &input, err);
    j->detected.len = 0;
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(j->decoder, logits.data, logits.T, logits.columns, &j->detected, err);
    for (size_t i = 0; status == LOCO_OK && i < j->set->clips_len; i++)
        if (j->set->clips[i].recording == recording)
            status = score_clip(j, &logits, &j->set->clips[i], err);
    for (size_t i = 0; status == LOCO_OK && j->set->sums_len > 0 && i < j->set->clips_len; i++)
        if (j->set->clips[i].recording == recording)
            status = score_sums(j, &logits, &j->set->clips[i], err);
    free(logits.data);
    return status;
}

/* ---- a model on a data set ---- */

static loco_status score_recording(evaluate_job *j, size_t i, loco_err *err)
{
    const lc_recording *r = &j->set->recordings[i];
    loco_event *events = NULL;
    size_t events_len = 0;
    loco_status status = LOCO_OK;
    if (r->timed) {
        status = loco_detect(&events, &events_len, j->model, r->path, &j->asked.detect, err);
        if (status == LOCO_OK)
            status = lc_scores_add(j->scores, r->name, r->events, r->events_len, events, events_len, err);
        free(events);
    }
    if (status == LOCO_OK && j->counts != NULL)
        status = score_clips(j, i, err);
    return status;
}

/* Before any detection, which takes long: events beyond the end of a recording are an error, not misses. */
static loco_status check_events(const evaluate_job *j, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < j->set->recordings_len; i++) {
        double seconds, rate;
        if (j->set->recordings[i].events_len == 0)
            continue;
        status = lc_sound_length(j->set->recordings[i].path, &seconds, &rate, err);
        if (status == LOCO_OK)
            status = lc_dataset_check_events(j->set, i, seconds, err);
    }
    return status;
}

/* Images need places, and all else times. */
static loco_status check_kind(const evaluate_job *j, loco_err *err)
{
    const lc_dataset *set = j->set;
    bool images = j->model->frontend.ops->picture, timed = false;
    for (size_t i = 0; i < set->recordings_len; i++)
        timed = timed || set->recordings[i].events_len > 0;
    if (images && timed && !set->places)
        return lc_err_set(err, LOCO_EDATA,
                          "%.120s: events have times, and the model reads images: write x and y instead", set->where);
    if (!images && set->places)
        return lc_err_set(err, LOCO_EDATA,
                          "%.120s is about images, which the model does not read; give it a model of images",
                          set->where);
    return LOCO_OK;
}

/* Scores without any recording yet. */
static loco_status begin_scores(evaluate_job *j, const char *const *classes, size_t classes_len, bool images,
                                loco_err *err)
{
    loco_status status = lc_evaluate_settings_unit(&j->asked, images, err);
    if (status == LOCO_OK)
        status = lc_scores_new(&j->scores, classes, classes_len, j->asked.tolerances, j->asked.tolerances_len, err);
    return status == LOCO_OK && images ? lc_scores_images(j->scores, err) : status;
}

static loco_status begin_model(evaluate_job *j, const char *data, loco_err *err)
{
    const lc_fold *fold = lc_model_fold(j->model);
    loco_status status = fold != NULL
                             ? lc_dataset_load(&j->set, data, err)
                             : lc_dataset_load_for(&j->set, data, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK && fold != NULL)
        status = lc_dataset_fold(j->set, fold, err);
    if (status != LOCO_OK)
        return status;
    j->classes_len = j->model->net->classes;
    status = lc_model_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status == LOCO_OK)
        status = check_kind(j, err);
    if (status == LOCO_OK)
        status = check_events(j, err);
    if (status == LOCO_OK)
        status = begin_scores(j, j->model->classes, j->classes_len, j->model->frontend.ops->picture, err);
    if (status == LOCO_OK && j->set->clips_len > 0)
        status = lc_scores_add_counts(j->scores, j->set->sums, j->set->sums_len, err);
    if (status == LOCO_OK && j->set->clips_len > 0)
        status = loco_count_new(&j->count, 1, err);
    if (status == LOCO_OK && j->set->clips_len > 0)
        status = lc_detect_decoder(&j->decoder, j->model, NULL, err);
    if (status == LOCO_OK)
        j->counts = j->scores->counts;
    return status;
}

/* Gives the scores to the caller, or frees them; frees everything else. */
static loco_status finish(evaluate_job *j, loco_scores **scores, loco_status status)
{
    if (status == LOCO_OK)
        *scores = j->scores;
    else
        loco_scores_free(j->scores);
    loco_count_free(j->count);
    free(j->logits);
    free(j->pmf);
    lc_tally_free(&j->tally);
    lc_decoder_free(j->decoder);
    lc_event_array_free(&j->detected);
    lc_dataset_free(j->set);
    return status;
}

loco_status loco_evaluate(loco_scores **scores, const loco_model *model, const char *data,
                          const loco_evaluate_options *options, loco_err *err)
{
    evaluate_job j = {.model = model};
    if (scores == NULL || model == NULL || data == NULL)
        return lc_err_set(err, LOCO_EARG, "an evaluation needs a model and a data set, and a place for its scores");
    loco_status status = lc_evaluate_settings_read(&j.asked, options, err);
    if (status == LOCO_OK)
        status = begin_model(&j, data, err);
    for (size_t i = 0; status == LOCO_OK && i < j.set->recordings_len; i++)
        status = score_recording(&j, i, err);
    return finish(&j, scores, status);
}

/* ---- two files ---- */

/* Files and classes that only the estimate has are all false alarms. */
static loco_status add_pair(void *context, const char *name, const loco_event *truth, size_t n,
                            const loco_event *detected, size_t m, loco_err *err)
{
    return lc_scores_add(context, name, truth, n, detected, m, err);
}

loco_status loco_evaluate_files(loco_scores **scores, const char *reference, const char *estimate,
                                const loco_evaluate_options *options, loco_err *err)
{
    evaluate_job j = {.model = NULL};
    lc_event_list *truth = NULL, *detected = NULL;
    if (scores == NULL || reference == NULL || estimate == NULL)
        return lc_err_set(err, LOCO_EARG, "an evaluation needs two files of events, and a place for its scores");
    loco_status status = lc_evaluate_settings_read(&j.asked, options, err);
    if (status == LOCO_OK)
        status = lc_pairs_load(&truth, &detected, reference, estimate, err);
    if (status == LOCO_OK && truth->places != detected->places)
        status = lc_err_set(err, LOCO_EDATA, "%.80s has %s, and %.80s has %s; compare lists of one kind", reference,
                            truth->places ? "places" : "times", estimate, detected->places ? "places" : "times");
    if (status == LOCO_OK)
        status = begin_scores(&j, detected->classes, detected->classes_len, truth->places, err);
    if (status == LOCO_OK)
        status = lc_pairs_each(truth, reference, detected, estimate, add_pair, j.scores, err);
    lc_event_list_free(truth);
    lc_event_list_free(detected);
    return finish(&j, scores, status);
}

/* ---- two lists ---- */

/* The recordings of lists in memory: each name once. */
typedef struct named_lists {
    lc_names names;
    lc_store store;
} named_lists;

static const char *name_of(const loco_events *list)
{
    return list->file != NULL ? list->file : "";
}

static loco_status name_lists(named_lists *named, const loco_events *lists, size_t n, const char *what, loco_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *file = name_of(&lists[i]);
        size_t at = lc_names_add(&named->names, &named->store, file, strlen(file));
        if (at == LC_NAMES_NONE)
            return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", n);
        if (at < i)
            return lc_err_set(err, LOCO_EARG, "%s %zu and %zu are both of \"%.150s\"; join them", what, at, i, file);
    }
    return LOCO_OK;
}

/* The list of that name, or an empty one. */
static loco_events list_of(const named_lists *named, const loco_events *lists, const char *file)
{
    const char *name = file != NULL ? file : "";
    size_t at = lc_names_find(&named->names, name, strlen(name));
    return at != LC_NAMES_NONE && lists != NULL ? lists[at] : (loco_events){NULL, NULL, 0};
}

static loco_status score_lists(loco_scores *scores, const loco_events *reference, size_t n, const loco_events *estimate,
                               size_t m, loco_err *err)
{
    named_lists truth = {0}, detected = {0};
    loco_status status = name_lists(&truth, reference, n, "the reference lists", err);
    if (status == LOCO_OK)
        status = name_lists(&detected, estimate, m, "the estimated lists", err);
    for (size_t i = 0; status == LOCO_OK && i < n; i++) {
        loco_events other = list_of(&detected, estimate, reference[i].file);
        status = lc_scores_add(scores, name_of(&reference[i]), reference[i].events, reference[i].events_len,
                               other.events, other.events_len, err);
    }
    for (size_t i = 0; status == LOCO_OK && i < m; i++) {
        const char *file = name_of(&estimate[i]);
        if (lc_names_find(&truth.names, file, strlen(file)) == LC_NAMES_NONE)
            status = lc_scores_add(scores, file, NULL, 0, estimate[i].events, estimate[i].events_len, err);
    }
    lc_names_free(&truth.names);
    lc_names_free(&detected.names);
    lc_store_free(&truth.store);
    lc_store_free(&detected.store);
    return status;
}

loco_status loco_evaluate_events(loco_scores **scores, const loco_events *reference, size_t reference_len,
                                 const loco_events *estimate, size_t estimate_len, const char *const *classes,
                                 size_t classes_len, const loco_evaluate_options *options, loco_err *err)
{
    evaluate_job j = {.model = NULL};
    if (scores == NULL || (reference == NULL && reference_len > 0) || (estimate == NULL && estimate_len > 0) ||
        classes == NULL)
        return lc_err_set(err, LOCO_EARG, "scores, reference, estimate and classes must not be NULL");
    loco_status status = lc_evaluate_settings_read(&j.asked, options, err);
    if (status == LOCO_OK)
        status = begin_scores(&j, classes, classes_len, j.asked.pixels, err);
    if (status == LOCO_OK)
        status = score_lists(j.scores, reference, reference_len, estimate, estimate_len, err);
    return finish(&j, scores, status);
}

/* ---- settings ---- */

loco_status lc_evaluate_settings_read(lc_evaluate_settings *settings, const loco_evaluate_options *options,
                                      loco_err *err)
{
    loco_evaluate_options asked;
    loco_status status = lc_options_read(&asked, sizeof asked, options, "loco_evaluate_options", err);
    if (status == LOCO_OK)
        status = lc_options_read(&settings->detect, sizeof settings->detect, asked.detect, "loco_detect_options", err);
    if (status != LOCO_OK)
        return status;
    bool defaults = asked.tolerances == NULL;
    settings->defaults = defaults;
    settings->pixels = asked.pixels;
    settings->tolerances = defaults ? default_tolerances : asked.tolerances;
    settings->tolerances_len = defaults ? sizeof default_tolerances / sizeof default_tolerances[0]
                                        : asked.tolerances_len;
    if (settings->tolerances_len == 0)
        return lc_err_set(err, LOCO_EARG,
                          "loco_evaluate_options: tolerances_len is 0; give 1 to 8 tolerances, or NULL");
    return LOCO_OK;
}

loco_status lc_evaluate_settings_unit(lc_evaluate_settings *settings, bool images, loco_err *err)
{
    if (settings->defaults && images) {
        settings->tolerances = default_radius;
        settings->tolerances_len = 1;
    } else if (!settings->defaults && settings->pixels != images) {
        return lc_err_set(err, LOCO_EARG, "%s; give tolerances in %s",
                          images ? "events of images are compared by distance" : "there are times, and no images",
                          images ? "pixels, such as 10px" : "seconds, such as 50ms");
    }
    return LOCO_OK;
}

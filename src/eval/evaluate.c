/* SPDX-License-Identifier: MIT
 * evaluate.c - scores of a model on a data set, or of one list of events against another.
 *
 * Every timed recording of a data set is detected as `loco detect` does it; clips with an exact count also judge the
 * predicted distribution of the count, from the calibrated probabilities of their frames, and the interval that
 * `loco detect --count` prints. */
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "eval/pairs.h"
#include "eval/require.h"
#include "eval/table.h"
#include "signal/sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double usual_tolerances[] = {0.05, 0.02};

typedef struct job {
    const loco_evaluation *asked;
    loco_model *model;
    lc_dataset *set;
    const char *const *classes;
    size_t classes_len;
    lc_score *score;
    lc_count_score *counts; /* one a class, and one a sum of the data set behind them; NULL without clips */
    loco_count *count;
    double *logits; /* of a clip and class */
    double *pmf;
    size_t capacity; /* of the two */
    lc_tally tally;
} job;

/* ---- counts of clips ---- */

static bool make_room(job *j, size_t frames)
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

static const double interval_level = 0.9;

/* The interval of the clip whose calibrated logits are there. */
static loco_status judge_interval(job *j, size_t frames, size_t k, size_t truth, loco_err *err)
{
    lc_tally_clear(&j->tally);
    for (size_t t = 0; t < frames; t++)
        lc_tally_add(&j->tally, j->logits[t]);
    lc_tally_end(&j->tally, j->model->counting[k].spread);
    if (j->tally.failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", frames);
    lc_interval found = lc_tally_interval(&j->tally, lc_counting_tail(&j->model->counting[k], interval_level),
                                          lc_tally_dice(&j->tally, k));
    return lc_count_score_add_held(&j->counts[k], found.low, found.high, found.probability, truth, err);
}

/* One class of one clip: the distribution of its count up to a little more than could matter. */
static loco_status judge_count(job *j, const lc_series *series, size_t first, size_t frames, size_t k, size_t truth,
                               loco_err *err)
{
    size_t most = truth + 64 < frames ? truth + 64 : frames;
    if (!make_room(j, frames + 1))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", frames);
    for (size_t t = 0; t < frames; t++)
        j->logits[t] = j->model->counting[k].scale * (double)series->logits[(first + t) * series->K + k] +
                       j->model->counting[k].shift;
    loco_status status = loco_count_pmf(j->count, j->logits, frames, most, j->pmf, err);
    if (status == LOCO_OK)
        status = lc_count_score_add(&j->counts[k], j->pmf, most + 1, truth, err);
    return status == LOCO_OK ? judge_interval(j, frames, k, truth, err) : status;
}

static loco_status judge_clip(job *j, const lc_series *series, const lc_clip *clip, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t k = 0; status == LOCO_OK && k < j->classes_len; k++) {
        lc_frames frames = lc_detect_frames(j->model, k, clip->start, clip->end, series->T);
        size_t length = frames.end - frames.first;
        if (clip->labels[k].lo == clip->labels[k].hi && clip->labels[k].lo <= length)
            status = judge_count(j, series, frames.first, length, k, clip->labels[k].lo, err);
    }
    return status;
}

/* A sum of classes: the frames of all of them, each calibrated as its class. The tail is the least of theirs: the interval may
 * hold more often than 90 %, for no counts of the sum were learned from. */
static loco_status judge_sum(job *j, const lc_series *series, const lc_clip *clip, size_t s, loco_err *err)
{
    const lc_sum *sum = &j->set->sums[s];
    size_t K = j->classes_len, n = 0, truth = clip->labels[K + s].lo;
    double tail = 1, spread = 0, mean = 0;
    lc_tally_clear(&j->tally);
    for (size_t i = 0; i < sum->members_len; i++) {
        size_t k = sum->members[i];
        const lc_counting *counting = &j->model->counting[k];
        lc_frames frames = lc_detect_frames(j->model, k, clip->start, clip->end, series->T);
        for (size_t t = frames.first; t < frames.end; t++)
            lc_tally_add(&j->tally, counting->scale * (double)series->logits[t * K + k] + counting->shift);
        n += frames.end - frames.first;
        spread += counting->spread * counting->spread * (j->tally.mean - mean) * (j->tally.mean - mean);
        mean = j->tally.mean;
        tail = fmin(tail, lc_counting_tail(counting, interval_level));
    }
    size_t most = truth + 64 < n ? truth + 64 : n;
    if (truth > n)
        return LOCO_OK;
    lc_tally_end(&j->tally, mean > 0 ? sqrt(spread) / mean : 0);
    if (j->tally.failed || !make_room(j, n + 1))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", n);
    for (size_t c = 0; c < most; c++)
        j->pmf[c] = lc_tally_probability(&j->tally, loco_label_exact(c));
    j->pmf[most] = lc_tally_probability(&j->tally, loco_label_at_least(most));
    lc_interval found = lc_tally_interval(&j->tally, tail, lc_tally_dice(&j->tally, K + s));
    loco_status status = lc_count_score_add(&j->counts[K + s], j->pmf, most + 1, truth, err);
    if (status == LOCO_OK)
        status = lc_count_score_add_held(&j->counts[K + s], found.low, found.high, found.probability, truth, err);
    return status;
}

static loco_status judge_sums(job *j, const lc_series *series, const lc_clip *clip, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t s = 0; status == LOCO_OK && s < j->set->sums_len; s++) {
        loco_label label = clip->labels[j->classes_len + s];
        if (label.lo == label.hi)
            status = judge_sum(j, series, clip, s, err);
    }
    return status;
}

static loco_status judge_clips(job *j, size_t recording, loco_err *err)
{
    lc_series series = {.K = j->classes_len};
    lc_listener *listener = NULL;
    lc_sound *sound = NULL;
    loco_status status = lc_listener_new(&listener, j->model, err);
    if (status == LOCO_OK)
        status = lc_listener_scale_file(listener, j->set->recordings[recording].path, err);
    if (status == LOCO_OK)
        status = lc_sound_open_channels(&sound, j->set->recordings[recording].path, j->model->frontend.rate,
                                        lc_frontend_apart(&j->model->frontend), err);
    if (status == LOCO_OK)
        status = lc_listen(listener, sound, lc_series_take, &series, err);
    if (status == LOCO_OK && series.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %.150s", j->set->recordings[recording].path);
    for (size_t i = 0; status == LOCO_OK && i < j->set->clips_len; i++)
        if (j->set->clips[i].recording == recording)
            status = judge_clip(j, &series, &j->set->clips[i], err);
    for (size_t i = 0; status == LOCO_OK && j->set->sums_len > 0 && i < j->set->clips_len; i++)
        if (j->set->clips[i].recording == recording)
            status = judge_sums(j, &series, &j->set->clips[i], err);
    free(series.logits);
    lc_sound_close(sound);
    lc_listener_free(listener);
    return status;
}

/* ---- a model on a data set ---- */

static loco_status score_recording(job *j, size_t i, loco_err *err)
{
    const lc_recording *r = &j->set->recordings[i];
    loco_event *events = NULL;
    size_t events_len = 0;
    loco_status status = LOCO_OK;
    if (r->timed) {
        status = loco_detect(j->model, r->path, &j->asked->how, &events, &events_len, err);
        if (status == LOCO_OK)
            status = lc_score_add(j->score, r->events, r->events_len, events, events_len, err);
        free(events);
    }
    if (status == LOCO_OK && j->counts != NULL)
        status = judge_clips(j, i, err);
    return status;
}

/* Before any detection, which takes its time: events beyond the end of a recording are a mistake, and not misses. */
static loco_status check_events(const job *j, loco_err *err)
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

static loco_status score_model(job *j, loco_err *err)
{
    loco_status status = loco_model_load(&j->model, j->asked->model, err);
    if (status == LOCO_OK)
        status = lc_dataset_load_for(&j->set, j->asked->data, j->model->classes, j->model->net->classes, err);
    if (status != LOCO_OK)
        return status;
    j->classes = j->model->classes;
    j->classes_len = j->model->net->classes;
    status = lc_setup_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status == LOCO_OK)
        status = check_events(j, err);
    if (status == LOCO_OK)
        status = lc_score_new(&j->score, j->classes_len, j->asked->tolerances, j->asked->tolerances_len, err);
    if (status == LOCO_OK && j->set->clips_len > 0) {
        j->counts = calloc(j->classes_len + j->set->sums_len, sizeof *j->counts);
        status = j->counts == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for scores")
                                   : loco_count_new(&j->count, 1, err);
    }
    for (size_t i = 0; status == LOCO_OK && i < j->set->recordings_len; i++)
        status = score_recording(j, i, err);
    return status;
}

/* ---- two lists ---- */

/* Files that only the estimate has are all false alarms; the reference decides what is called how. */
static loco_status add_pair(void *context, const loco_event *truth, size_t n, const loco_event *found, size_t m,
                            loco_err *err)
{
    const job *j = context;
    return lc_score_add(j->score, truth, n, found, m, err);
}

static loco_status finish(job *j, char **text, bool *met, loco_err *err);

static loco_status score_lists(job *j, char **text, bool *met, loco_err *err)
{
    lc_event_list *reference = NULL, *estimate = NULL;
    loco_status status = lc_event_list_load(&reference, j->asked->reference, NULL, 0, err);
    if (status == LOCO_OK)
        status = lc_event_list_load(&estimate, j->asked->estimate, reference->classes, reference->classes_len, err);
    if (status == LOCO_OK) {
        j->classes = reference->classes;
        j->classes_len = reference->classes_len;
        status = lc_score_new(&j->score, j->classes_len, j->asked->tolerances, j->asked->tolerances_len, err);
    }
    if (status == LOCO_OK)
        status = lc_pairs_each(reference, j->asked->reference, estimate, j->asked->estimate, add_pair, j, err);
    if (status == LOCO_OK)
        status = finish(j, text, met, err); /* while the names are there */
    lc_event_list_free(reference);
    lc_event_list_free(estimate);
    return status;
}

/* ---- both ---- */

static loco_status check_requirements(const job *j, lc_text *out, bool *met, loco_err *err)
{
    lc_require require;
    lc_count_score all = {0};
    lc_text why = {0};
    *met = true;
    if (j->asked->require == NULL)
        return LOCO_OK;
    for (size_t k = 0; j->counts != NULL && k < j->classes_len; k++)
        lc_count_score_join(&all, &j->counts[k]);
    loco_status status = lc_require_parse(&require, j->asked->require, strlen(j->asked->require), err);
    if (status == LOCO_OK)
        status = lc_require_check(met, &require, j->score, j->counts != NULL ? &all : NULL, LC_EMPTY_ZERO, &why, err);
    if (status == LOCO_OK && !j->asked->json && why.bytes != NULL)
        lc_text_append(out, why.bytes, why.length);
    lc_text_free(&why);
    return status;
}

static loco_status finish(job *j, char **text, bool *met, loco_err *err)
{
    lc_text out = {0};
    bool good;
    size_t sums = j->set != NULL && j->counts != NULL ? j->set->sums_len : 0;
    if (j->asked->json) {
        lc_score_json(&out, j->score, j->classes, j->counts, LC_EMPTY_ZERO);
        if (sums > 0)
            lc_sums_json(&out, j->set->sums, j->counts + j->classes_len, sums);
        lc_text_string(&out, "\n");
    } else {
        lc_score_table(&out, j->score, j->classes, j->counts, LC_EMPTY_ZERO);
        if (sums > 0)
            lc_sums_table(&out, j->set->sums, j->counts + j->classes_len, sums);
    }
    loco_status status = check_requirements(j, &out, &good, err);
    if (status == LOCO_OK && out.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the scores");
    if (status != LOCO_OK) {
        lc_text_free(&out);
        return status;
    }
    *text = out.bytes;
    *met = good;
    return LOCO_OK;
}

loco_status loco_evaluate(const loco_evaluation *evaluation, char **text, bool *met, loco_err *err)
{
    loco_evaluation asked = *evaluation;
    if (asked.tolerances == NULL) {
        asked.tolerances = usual_tolerances;
        asked.tolerances_len = sizeof usual_tolerances / sizeof usual_tolerances[0];
    }
    bool lists = asked.reference != NULL && asked.estimate != NULL;
    if (!lists && (asked.model == NULL || asked.data == NULL))
        return lc_err_set(err, LOCO_EARG, "an evaluation needs a model and a data set, or two lists of events");
    job j = {.asked = &asked};
    loco_status status = lists ? score_lists(&j, text, met, err) : score_model(&j, err);
    if (!lists && status == LOCO_OK)
        status = finish(&j, text, met, err);
    lc_score_free(j.score);
    loco_count_free(j.count);
    free(j.counts);
    free(j.logits);
    free(j.pmf);
    lc_tally_free(&j.tally);
    lc_dataset_free(j.set);
    loco_model_free(j.model);
    return status;
}

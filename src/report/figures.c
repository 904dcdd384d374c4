/* SPDX-License-Identifier: MIT
 *
 * figures.c - pictures of an evaluation: hears each timed recording once, and keeps all that the network thinks
 *   possible; or compares two lists of events, of which one has probabilities.
 *
 * The decoder runs at the lowest threshold that is tried. What it finds at a higher one are those of these events that
 * reach it (decoder.h), so that one pass serves every threshold, the model's own among them. Where versions vote or
 * events snap, or the user has another decoding, in which they may, those that are told are heard once more, as `loco
 * detect` does: errors and reliability are theirs, thresholds those of one version. */
#include "base/file.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "eval/pairs.h"
#include "report/reliability_picture.h"

#include <stdlib.h>
#include <string.h>

static const double lowest = 0.0025, usual_tolerance = 0.05;

typedef struct job {
    const loco_evaluation *asked;
    double tolerance;
    loco_model *model;
    lc_dataset *set;
    lc_decoder *decoder;
    lc_listener *listener;
    lc_sweep *sweep;
    lc_judge judge;     /* of the events that are told */
    double *thresholds; /* (K) of the decoder as the model has it */
    size_t heard;
} job;

/* ---- one recording ---- */

static loco_status hear(job *j, const char *path, lc_found *list, loco_err *err)
{
    lc_series series = {.K = j->model->net->classes};
    lc_sound *sound = NULL;
    loco_status status = lc_listener_scale_file(j->listener, path, err);
    if (status == LOCO_OK)
        status = lc_sound_open_channels(&sound, path, j->model->frontend.rate, lc_frontend_apart(&j->model->frontend),
                                        err);
    if (status == LOCO_OK)
        status = lc_listen(j->listener, sound, lc_series_take, &series, err);
    if (status == LOCO_OK && series.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %.150s", path);
    if (status == LOCO_OK)
        status = lc_decoder_run(j->decoder, series.logits, series.T, list, err);
    lc_sound_close(sound);
    free(series.logits);
    return status;
}

static loco_status add_detected(job *j, const lc_recording *r, loco_err *err)
{
    loco_event *events = NULL;
    size_t n = 0;
    loco_status status = loco_detect(j->model, r->path, &j->asked->how, &events, &n, err);
    if (status == LOCO_OK)
        status = lc_judge_add(&j->judge, r->events, r->events_len, events, n, err);
    loco_free(events);
    return status;
}

/* Of the events, those that the model tells. */
static loco_status add_told(job *j, const lc_recording *r, const lc_found *list, loco_err *err)
{
    if (j->asked->how.decoding != NULL || !lc_decoding_plain(&j->model->decoding))
        return add_detected(j, r, err);
    size_t told = 0;
    loco_event *sure = calloc(list->len + 1, sizeof *sure);
    if (sure == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures");
    for (size_t i = 0; i < list->len; i++)
        if (list->events[i].probability >= j->thresholds[list->events[i].kind])
            sure[told++] = list->events[i];
    loco_status status = lc_judge_add(&j->judge, r->events, r->events_len, sure, told, err);
    free(sure);
    return status;
}

static loco_status add_recording(job *j, const lc_recording *r, loco_err *err)
{
    lc_found list = {0};
    loco_status status = hear(j, r->path, &list, err);
    if (status == LOCO_OK)
        status = lc_sweep_add(j->sweep, r->events, r->events_len, list.events, list.len, err);
    if (status == LOCO_OK)
        status = add_told(j, r, &list, err);
    lc_found_free(&list);
    j->heard++;
    return status;
}

/* ---- all of them ---- */

/* The decoder as asked for, whose thresholds are kept aside and then lowered. */
static loco_status make_decoder(job *j, loco_err *err)
{
    size_t K = j->model->net->classes;
    loco_status status = lc_detect_decoder(&j->decoder, j->model, j->asked->how.decoding, err);
    if (status != LOCO_OK)
        return status;
    if (j->decoder->method == LC_DECODE_COUNT)
        return lc_err_set(err, LOCO_EARG, "decoding by count has no threshold, and so no figures; use mass or peak");
    for (size_t k = 0; k < K; k++) {
        j->thresholds[k] = j->decoder->thresholds[k];
        j->decoder->thresholds[k] = lowest;
    }
    return LOCO_OK;
}

static loco_status begin(job *j, loco_err *err)
{
    loco_status status = loco_model_load(&j->model, j->asked->model, err);
    if (status == LOCO_OK)
        status = lc_dataset_load_for(&j->set, j->asked->data, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK)
        status = lc_setup_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status != LOCO_OK)
        return status;
    j->thresholds = calloc(j->model->net->classes, sizeof *j->thresholds);
    if (j->thresholds == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures");
    status = lc_judge_new(&j->judge, j->model->net->classes, j->tolerance, err);
    if (status == LOCO_OK)
        status = make_decoder(j, err);
    if (status == LOCO_OK)
        status = lc_listener_new(&j->listener, j->model, err);
    if (status == LOCO_OK)
        status = lc_sweep_new(&j->sweep, j->model->net->classes, j->tolerance, err);
    return status;
}

/* Frees the picture. */
static loco_status save(const char *folder, const char *name, lc_text *picture, loco_err *err)
{
    lc_text path = {0};
    lc_text_format(&path, "%s/%s", folder, name);
    loco_status status = path.failed || picture->failed
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures")
                             : lc_file_save(path.bytes, picture->bytes, picture->length, err);
    lc_text_free(&path);
    lc_text_free(picture);
    return status;
}

/* What both kinds of evaluation have. */
static loco_status save_judged(const char *folder, const lc_eval_scene *scene, const lc_judge *judge, loco_err *err)
{
    lc_text picture = {0};
    lc_eval_draw_errors(&picture, scene);
    loco_status status = save(folder, "errors.svg", &picture, err);
    if (status != LOCO_OK)
        return status;
    lc_reliability_draw(&picture, scene->title, scene->classes, judge);
    return save(folder, "reliability.svg", &picture, err);
}

static loco_status draw_all(const job *j, const char *folder, loco_err *err)
{
    const char *slash = strrchr(j->asked->model, '/');
    lc_text title = {0}, picture = {0};
    lc_text_format(&title, "%s, %zu %s", slash != NULL ? slash + 1 : j->asked->model, j->heard,
                   j->heard == 1 ? "recording" : "recordings");
    if (title.failed) {
        lc_text_free(&title);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures");
    }
    lc_eval_scene scene = {.title = title.bytes,
                           .classes = j->model->classes,
                           .classes_len = j->model->net->classes,
                           .tolerance = j->tolerance,
                           .sweep = j->sweep,
                           .thresholds = j->thresholds,
                           .errors = j->judge.errors};
    lc_eval_draw_thresholds(&picture, &scene);
    loco_status status = save(folder, "precision-recall.svg", &picture, err);
    if (status == LOCO_OK)
        status = save_judged(folder, &scene, &j->judge, err);
    lc_text_free(&title);
    return status;
}

/* ---- two lists ---- */

static loco_status add_pair(void *context, const loco_event *truth, size_t n, const loco_event *found, size_t m,
                            loco_err *err)
{
    return lc_judge_add(context, truth, n, found, m, err);
}

static loco_status draw_lists(const char *folder, const loco_evaluation *asked, double tolerance, loco_err *err)
{
    lc_event_list *reference = NULL, *estimate = NULL;
    lc_judge judge = {0};
    const char *slash = strrchr(asked->estimate, '/');
    loco_status status = lc_event_list_load(&reference, asked->reference, NULL, 0, err);
    if (status == LOCO_OK)
        status = lc_event_list_load(&estimate, asked->estimate, reference->classes, reference->classes_len, err);
    if (status == LOCO_OK)
        status = lc_judge_new(&judge, reference->classes_len, tolerance, err);
    if (status == LOCO_OK)
        status = lc_pairs_each(reference, asked->reference, estimate, asked->estimate, add_pair, &judge, err);
    if (status == LOCO_OK) {
        lc_eval_scene scene = {.title = slash != NULL && slash[1] != 0 ? slash + 1 : asked->estimate,
                               .classes = reference->classes,
                               .classes_len = reference->classes_len,
                               .tolerance = tolerance,
                               .errors = judge.errors};
        status = save_judged(folder, &scene, &judge, err);
    }
    lc_judge_free(&judge);
    lc_event_list_free(reference);
    lc_event_list_free(estimate);
    return status;
}

loco_status loco_figures(const char *folder, const loco_evaluation *asked, loco_err *err)
{
    bool lists = asked->reference != NULL && asked->estimate != NULL;
    double first = asked->tolerances != NULL && asked->tolerances_len > 0 ? asked->tolerances[0] : usual_tolerance;
    if (folder == NULL || (!lists && (asked->model == NULL || asked->data == NULL || asked->how.ensemble > 1)))
        return lc_err_set(err, LOCO_EARG,
                          "figures need a folder, and two lists or a model and a data set, and no ensemble");
    if (lists)
        return draw_lists(folder, asked, first, err);
    job j = {.asked = asked, .tolerance = first};
    loco_status status = begin(&j, err);
    for (size_t i = 0; status == LOCO_OK && i < j.set->recordings_len; i++)
        if (j.set->recordings[i].timed)
            status = add_recording(&j, &j.set->recordings[i], err);
    if (status == LOCO_OK && j.heard == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: no event times, and so no figures", j.set->where);
    if (status == LOCO_OK)
        status = draw_all(&j, folder, err);
    lc_listener_free(j.listener);
    lc_decoder_free(j.decoder);
    lc_sweep_free(j.sweep);
    lc_judge_free(&j.judge);
    free(j.thresholds);
    lc_dataset_free(j.set);
    loco_model_free(j.model);
    return status;
}

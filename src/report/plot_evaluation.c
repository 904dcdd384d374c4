/* SPDX-License-Identifier: MIT
 *
 * plot_evaluation.c - pictures of an evaluation: reads each timed recording once, and keeps all candidates of the
 *   network; or compares two lists of events, of which one has probabilities.
 *
 * The decoder runs at the lowest threshold that is tried. Its events at a higher one are those of the lowest that reach
 * it (decoder.h), so that one pass serves every threshold, also the model's own. Where versions vote or events snap, or
 * the user gives another decoding, which may do both, the recording is read once more, as by `loco detect`: errors and
 * reliability are of those events, thresholds of one version. */
#include "base/file.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "detect/infer.h"
#include "eval/evaluate.h"
#include "eval/pairs.h"
#include "report/reliability_picture.h"

#include <stdlib.h>
#include <string.h>

static const double lowest = 0.0025; /* close to the first threshold of lc_sweep */

typedef struct figure_job {
    lc_evaluate_settings asked;
    double tolerance;
    const loco_model *model;
    lc_dataset *set;
    lc_decoder *decoder;
    lc_sweep *sweep;
    lc_matched matched; /* of the events that the model reports */
    double *thresholds; /* (K) of the decoder as the model has it */
    size_t recordings;
} figure_job;

/* ---- one recording ---- */

static loco_status decode(figure_job *j, const char *path, lc_event_array *list, loco_err *err)
{
    lc_logits logits = {0};
    loco_status status = lc_infer_logits(&logits, j->model, &(lc_input){.path = path}, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(j->decoder, logits.data, logits.T, logits.columns, list, err);
    free(logits.data);
    return status;
}

/* As `loco detect` reports them, with votes and snaps. */
static loco_status add_detected(figure_job *j, const lc_recording *r, loco_err *err)
{
    loco_event *events = NULL;
    size_t n = 0;
    loco_status status = loco_detect(&events, &n, j->model, r->path, &j->asked.detect, err);
    if (status == LOCO_OK)
        status = lc_matched_add(&j->matched, r->events, r->events_len, events, n, err);
    loco_free(events);
    return status;
}

/* Of all candidates, those that the model reports. */
static loco_status add_reported(figure_job *j, const lc_recording *r, const lc_event_array *list, loco_err *err)
{
    if (j->asked.detect.decoding != NULL || !lc_decoding_plain(&j->model->decoding))
        return add_detected(j, r, err);
    size_t n = 0;
    loco_event *sure = calloc(list->len + 1, sizeof *sure);
    if (sure == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures");
    for (size_t i = 0; i < list->len; i++)
        if (list->events[i].probability >= j->thresholds[list->events[i].kind])
            sure[n++] = list->events[i];
    loco_status status = lc_matched_add(&j->matched, r->events, r->events_len, sure, n, err);
    free(sure);
    return status;
}

static loco_status add_recording(figure_job *j, const lc_recording *r, loco_err *err)
{
    lc_event_array list = {0};
    loco_status status = decode(j, r->path, &list, err);
    if (status == LOCO_OK)
        status = lc_sweep_add(j->sweep, r->events, r->events_len, list.events, list.len, err);
    if (status == LOCO_OK)
        status = add_reported(j, r, &list, err);
    lc_event_array_free(&list);
    j->recordings++;
    return status;
}

/* ---- all recordings ---- */

/* The decoder with the user's settings; its thresholds are copied and then lowered. */
static loco_status make_decoder(figure_job *j, loco_err *err)
{
    size_t K = j->model->net->classes;
    loco_status status = lc_detect_decoder(&j->decoder, j->model, j->asked.detect.decoding, err);
    if (status != LOCO_OK)
        return status;
    if (j->decoder->method == LC_DECODE_COUNT)
        return lc_err_set(err, LOCO_EARG, "decoding by count has no threshold, and so no pictures; use mass or peak");
    for (size_t k = 0; k < K; k++) {
        j->thresholds[k] = j->decoder->thresholds[k];
        j->decoder->thresholds[k] = lowest;
    }
    return LOCO_OK;
}

static loco_status begin(figure_job *j, const char *data, loco_err *err)
{
    loco_status status = lc_dataset_load_for(&j->set, data, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK)
        status = lc_model_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status != LOCO_OK)
        return status;
    j->thresholds = calloc(j->model->net->classes, sizeof *j->thresholds);
    if (j->thresholds == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures");
    status = lc_matched_new(&j->matched, j->model->net->classes, j->tolerance, err);
    if (status == LOCO_OK)
        status = make_decoder(j, err);
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

/* The pictures of both kinds of evaluation. */
static loco_status save_matched(const char *folder, const lc_eval_scene *scene, const lc_matched *matched,
                                loco_err *err)
{
    lc_text picture = {0};
    lc_eval_draw_errors(&picture, scene);
    loco_status status = save(folder, "errors.svg", &picture, err);
    if (status != LOCO_OK)
        return status;
    lc_reliability_draw(&picture, scene->title, scene->classes, matched);
    return save(folder, "reliability.svg", &picture, err);
}

static loco_status draw_all(const figure_job *j, const char *folder, const char *name, loco_err *err)
{
    lc_text title = {0}, picture = {0};
    lc_text_format(&title, "%s%s%zu %s", name != NULL ? name : "", name != NULL ? ", " : "", j->recordings,
                   j->recordings == 1 ? "recording" : "recordings");
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
                           .errors = j->matched.errors};
    lc_eval_draw_thresholds(&picture, &scene);
    loco_status status = save(folder, "precision-recall.svg", &picture, err);
    if (status == LOCO_OK)
        status = save_matched(folder, &scene, &j->matched, err);
    lc_text_free(&title);
    return status;
}

/* ---- two lists ---- */

/* Its errors and thresholds are those of times. */
static loco_status refuse_images(loco_err *err)
{
    return lc_err_set(err, LOCO_EARG,
                      "pictures of an evaluation are about times, and these are places in images; loco eval prints "
                      "their scores, loco report shows hits and misses");
}

static loco_status add_pair(void *context, const char *name, const loco_event *truth, size_t n,
                            const loco_event *detected, size_t m, loco_err *err)
{
    (void)name;
    return lc_matched_add(context, truth, n, detected, m, err);
}

/* The last part of a path; the whole path where it ends with "/". */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != 0 ? slash + 1 : path;
}

loco_status loco_plot_evaluation_files(const char *folder, const char *reference, const char *estimate,
                                       const loco_evaluate_options *options, const char *title, loco_err *err)
{
    lc_event_list *truth = NULL, *detected = NULL;
    lc_matched matched = {0};
    lc_evaluate_settings asked;
    if (folder == NULL || reference == NULL || estimate == NULL)
        return lc_err_set(err, LOCO_EARG, "pictures of an evaluation need a folder and two files of events");
    loco_status status = lc_evaluate_settings_read(&asked, options, err);
    if (status == LOCO_OK)
        status = lc_pairs_load(&truth, &detected, reference, estimate, err);
    if (status == LOCO_OK && (truth->places || detected->places))
        status = refuse_images(err);
    if (status == LOCO_OK)
        status = lc_matched_new(&matched, detected->classes_len, asked.tolerances[0], err);
    if (status == LOCO_OK)
        status = lc_pairs_each(truth, reference, detected, estimate, add_pair, &matched, err);
    if (status == LOCO_OK) {
        lc_eval_scene scene = {.title = title != NULL ? title : last_part(estimate),
                               .classes = detected->classes,
                               .classes_len = detected->classes_len,
                               .tolerance = asked.tolerances[0],
                               .errors = matched.errors};
        status = save_matched(folder, &scene, &matched, err);
    }
    lc_matched_free(&matched);
    lc_event_list_free(truth);
    lc_event_list_free(detected);
    return status;
}

/* ---- a model on a data set ---- */

static loco_status check(const figure_job *j, const char *folder, const char *data, loco_err *err)
{
    if (folder == NULL || j->model == NULL || data == NULL || j->asked.detect.ensemble > 1)
        return lc_err_set(err, LOCO_EARG,
                          "pictures of an evaluation need a folder, a model and a data set, and no ensemble");
    if (j->model->frontend.ops->picture)
        return refuse_images(err);
    return LOCO_OK;
}

loco_status loco_plot_evaluation(const char *folder, const loco_model *model, const char *data,
                                 const loco_evaluate_options *options, const char *title, loco_err *err)
{
    figure_job j = {.model = model};
    loco_status status = lc_evaluate_settings_read(&j.asked, options, err);
    if (status == LOCO_OK)
        status = check(&j, folder, data, err);
    if (status != LOCO_OK)
        return status;
    j.tolerance = j.asked.tolerances[0];
    status = begin(&j, data, err);
    for (size_t i = 0; status == LOCO_OK && i < j.set->recordings_len; i++)
        if (j.set->recordings[i].timed)
            status = add_recording(&j, &j.set->recordings[i], err);
    if (status == LOCO_OK && j.recordings == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: no event times, and so no pictures", j.set->where);
    if (status == LOCO_OK)
        status = draw_all(&j, folder, title, err);
    lc_decoder_free(j.decoder);
    lc_sweep_free(j.sweep);
    lc_matched_free(&j.matched);
    free(j.thresholds);
    lc_dataset_free(j.set);
    return status;
}

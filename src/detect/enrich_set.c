/* SPDX-License-Identifier: MIT
 * enrich_set.c - loco_enrich: reads each recording of a data set once, and places as many events as its counts say. */
#include "base/file.h"
#include "base/options.h"
#include "base/status.h"
#include "detect/detect.h"
#include "detect/enrich_image.h"
#include "detect/enrich_recording.h"
#include "detect/enrich_save.h"
#include "detect/infer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least gap, unless the user gives one: networks spread one event over two or three frames. Measured as in
 * spaced.h, F1 and calibration error: 2 frames .921 and .024, 3 .925 and .015, 4 .926 and .015, 6 .928 and .016, 8 .925
 * and .024. */
enum { GAP_FRAMES = 4 };

static const double default_tolerance = 0.05, gap_most = 3600;

typedef struct enrich_set_job {
    const loco_model *model;
    const loco_enrich_options *asked;
    lc_dataset *set;
    lc_enrich_plan plan;
    lc_enricher enricher;
    lc_decoder *decoder;    /* NULL: all counts are known */
    lc_clip *clips;         /* by recording and start */
    lc_event_array *placed; /* events of each recording */
    lc_text table;          /* of posteriors */
} enrich_set_job;

static loco_status out_of_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", path);
}

/* ---- preparation ---- */

static loco_status check(const loco_enrich_options *asked, loco_err *err)
{
    if (!(asked->gap >= 0 && asked->gap <= gap_most))
        return lc_err_set(err, LOCO_EARG, "the gap must lie in 0 to %.0f seconds", gap_most);
    if (!(asked->tolerance >= 0 && asked->tolerance <= gap_most))
        return lc_err_set(err, LOCO_EARG, "the tolerance must lie in 0 to %.0f seconds", gap_most);
    return LOCO_OK;
}

/* A gap of the user is rounded up to frames, so that it holds; that of the model is rounded as in its decoder. */
static void make_plan(enrich_set_job *j)
{
    double hop = lc_detect_hop(j->model), gap = j->asked->gap;
    double own = j->model->decoding.method == LC_DECODE_COUNT ? 0 : round(j->model->decoding.gap / hop);
    double tolerance = j->asked->tolerance > 0 ? j->asked->tolerance : default_tolerance;
    j->plan = (lc_enrich_plan){.hop = hop,
                               .gap = gap,
                               .offsets = j->model->offsets,
                               .classes = j->model->classes,
                               .K = j->model->net->classes,
                               .where = j->set->where,
                               .notice = j->asked->notice,
                               .context = j->asked->context};
    j->plan.how.firm = gap > 0;
    j->plan.how.gap = (size_t)(gap > 0 ? fmax(1, ceil(gap / hop - 1e-6)) : fmax(GAP_FRAMES, own));
    j->plan.how.reach = (size_t)(tolerance / hop);
}

static int by_start(const void *a, const void *b)
{
    const lc_clip *x = a, *y = b;
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    if (x->start < y->start || x->start > y->start)
        return x->start < y->start ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool has_unknown_counts(const enrich_set_job *j)
{
    for (size_t i = 0; i < j->set->clips_len; i++)
        for (size_t k = 0; k < j->plan.K; k++)
            if (j->set->clips[i].labels[k].lo == 0 && j->set->clips[i].labels[k].hi == LOCO_NO_LIMIT)
                return true;
    return false;
}

/* Before any detection, which takes long: a clip beyond the end of its recording is an error. */
static loco_status check_lengths(const enrich_set_job *j, loco_err *err)
{
    double *seconds = calloc(j->set->recordings_len + 1, sizeof *seconds), rate;
    loco_status status = seconds != NULL ? LOCO_OK : out_of_memory(j->set->where, err);
    for (size_t i = 0; status == LOCO_OK && i < j->set->recordings_len; i++)
        status = lc_sound_length(j->set->recordings[i].path, &seconds[i], &rate, err);
    if (status == LOCO_OK)
        status = lc_dataset_check_lengths(j->set, seconds, err);
    free(seconds);
    return status;
}

/* Images are placed by the decoder with the user's gap; a table of theirs would have a row for each place. */
static loco_status begin_images(enrich_set_job *j, loco_err *err)
{
    if (j->asked->posterior != NULL || j->asked->tolerance > 0)
        return lc_err_set(err, LOCO_EARG, "the model reads images: a %s is not possible; leave it out",
                          j->asked->posterior != NULL ? "table of probabilities" : "tolerance");
    loco_status status = lc_detect_decoder(&j->decoder, j->model, NULL, err);
    if (status == LOCO_OK && j->asked->gap > 0)
        j->decoder->how.gap = j->asked->gap;
    return status;
}

static loco_status begin(enrich_set_job *j, const char *data, loco_err *err)
{
    loco_status status = lc_dataset_load_for(&j->set, data, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK)
        j->set->places = j->set->places || j->model->frontend.ops->picture;
    if (status == LOCO_OK && j->set->clips_len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: counts.csv is missing, and events are placed by its counts",
                            j->set->where);
    if (status == LOCO_OK)
        status = lc_model_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status == LOCO_OK)
        status = check_lengths(j, err);
    if (status != LOCO_OK)
        return status;
    make_plan(j);
    j->clips = calloc(j->set->clips_len + 1, sizeof *j->clips);
    j->placed = calloc(j->set->recordings_len + 1, sizeof *j->placed);
    if (j->clips == NULL || j->placed == NULL)
        return out_of_memory(j->set->where, err);
    for (size_t i = 0; i < j->set->clips_len; i++)
        j->clips[i] = j->set->clips[i];
    qsort(j->clips, j->set->clips_len, sizeof *j->clips, by_start);
    if (j->model->frontend.ops->picture)
        return begin_images(j, err);
    lc_enrich_table_head(&j->table, j->model->classes, j->plan.K);
    return has_unknown_counts(j) ? lc_detect_decoder(&j->decoder, j->model, NULL, err) : LOCO_OK;
}

/* ---- one recording ---- */

/* The gap is in pixels. */
static loco_status place_in_image(enrich_set_job *j, size_t recording, const lc_logits *logits, const lc_clip *clips,
                                  size_t clips_len, loco_err *err)
{
    lc_enrich_images plan = {j->model, j->decoder, j->set->where, j->asked->notice, j->asked->context};
    double rows, rate;
    loco_status status = lc_sound_length(j->set->recordings[recording].path, &rows, &rate, err);
    return status == LOCO_OK ? lc_enrich_image(&j->placed[recording], &plan, logits, rows, clips, clips_len, err)
                             : status;
}

/* What is known of a frame without any count is its own probability. */
static float *plain_posterior(const lc_logits *logits)
{
    float *posterior = calloc(logits->T + 1, logits->K * sizeof *posterior);
    for (size_t i = 0; posterior != NULL && i < logits->T * logits->K; i++)
        posterior[i] = (float)lc_probability(logits->data[i]);
    return posterior;
}

static loco_status place_events(enrich_set_job *j, size_t recording, const lc_logits *logits, const lc_clip *clips,
                                size_t clips_len, loco_err *err)
{
    const lc_recording *r = &j->set->recordings[recording];
    lc_event_array plain = {0};
    lc_enrich_task task = {
        .logits = logits->data, .T = logits->T, .clips = clips, .clips_len = clips_len, .plain = &plain};
    loco_status status = LOCO_OK;
    if (j->asked->posterior != NULL && (task.posterior = plain_posterior(logits)) == NULL)
        status = out_of_memory(r->path, err);
    if (status == LOCO_OK && j->decoder != NULL)
        status = lc_decoder_run_wide(j->decoder, logits->data, logits->T, logits->columns, &plain, err);
    if (status == LOCO_OK)
        status = lc_enrich_recording(&j->enricher, &j->plan, &task, &j->placed[recording], err);
    if (status == LOCO_OK && task.posterior != NULL)
        lc_enrich_table_rows(&j->table, r->name, task.posterior, logits->T, logits->K, j->plan.hop, j->plan.offsets);
    lc_event_array_free(&plain);
    free(task.posterior);
    return status;
}

/* Clips of one recording stand together. */
static loco_status run_all(enrich_set_job *j, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t first = 0, last = 0; status == LOCO_OK && first < j->set->clips_len; first = last) {
        size_t recording = j->clips[first].recording;
        lc_logits logits = {0};
        while (last < j->set->clips_len && j->clips[last].recording == recording)
            last++;
        status = lc_infer_logits(&logits, j->model, &(lc_input){.path = j->set->recordings[recording].path}, err);
        if (status == LOCO_OK && j->model->frontend.ops->picture)
            status = place_in_image(j, recording, &logits, j->clips + first, last - first, err);
        else if (status == LOCO_OK)
            status = place_events(j, recording, &logits, j->clips + first, last - first, err);
        free(logits.data);
    }
    return status;
}

/* ---- the result ---- */

/* One block: the lists, all events, all names. */
static loco_status pack(const enrich_set_job *j, loco_events **lists, loco_err *err)
{
    const lc_dataset *set = j->set;
    size_t events = 0, names = 0, n = set->recordings_len;
    for (size_t i = 0; i < n; i++) {
        events += j->placed[i].len;
        names += strlen(set->recordings[i].name) + 1;
    }
    loco_events *made = malloc((n + 1) * sizeof *made + events * sizeof(loco_event) + names);
    if (made == NULL)
        return out_of_memory(set->where, err);
    loco_event *event = (loco_event *)(made + n + 1);
    char *name = (char *)(event + events);
    for (size_t i = 0; i < n; i++) {
        size_t bytes = strlen(set->recordings[i].name) + 1;
        memcpy(name, set->recordings[i].name, bytes);
        if (j->placed[i].len > 0)
            memcpy(event, j->placed[i].events, j->placed[i].len * sizeof *event);
        made[i] = (loco_events){name, event, j->placed[i].len};
        name += bytes;
        event += j->placed[i].len;
    }
    *lists = made;
    return LOCO_OK;
}

static loco_status save_all(const enrich_set_job *j, const loco_events *lists, loco_err *err)
{
    const loco_enrich_options *asked = j->asked;
    loco_status status = LOCO_OK;
    if (asked->posterior != NULL)
        status = j->table.failed ? out_of_memory(j->set->where, err)
                                 : lc_file_save(asked->posterior, j->table.bytes, j->table.length, err);
    if (status == LOCO_OK && asked->events != NULL)
        status = lc_enrich_save_events(asked->events, j->set, lists, j->set->recordings_len, err);
    if (status == LOCO_OK && asked->set != NULL)
        status = lc_enrich_save_set(asked->set, j->set, lists, j->set->recordings_len, err);
    return status;
}

loco_status loco_enrich(loco_events **lists, size_t *lists_len, const loco_model *model, const char *data,
                        const loco_enrich_options *options, loco_err *err)
{
    loco_enrich_options asked;
    enrich_set_job j = {.model = model, .asked = &asked};
    loco_events *made = NULL;
    loco_status status = lc_options_read(&asked, sizeof asked, options, "loco_enrich_options", err);
    if (status == LOCO_OK)
        status = check(&asked, err);
    if (status == LOCO_OK)
        status = begin(&j, data, err);
    if (status == LOCO_OK)
        status = run_all(&j, err);
    if (status == LOCO_OK)
        status = pack(&j, &made, err);
    if (status == LOCO_OK)
        status = save_all(&j, made, err);
    if (status == LOCO_OK) {
        *lists = made;
        *lists_len = j.set->recordings_len;
    } else {
        free(made);
    }
    for (size_t i = 0; j.placed != NULL && i < j.set->recordings_len; i++)
        lc_event_array_free(&j.placed[i]);
    free(j.placed);
    free(j.clips);
    lc_text_free(&j.table);
    lc_decoder_free(j.decoder);
    lc_enricher_free(&j.enricher);
    lc_dataset_free(j.set);
    return status;
}

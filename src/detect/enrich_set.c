/* SPDX-License-Identifier: MIT
 * enrich_set.c - loco_enrich: hears each recording of a data set once, and places the events that its counts tell of. */
#include "base/file.h"
#include "base/status.h"
#include "detect/detect.h"
#include "detect/enrich_recording.h"
#include "detect/enrich_save.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least gap, where the user has said none: networks spread one event over two or three frames. Measured as in
 * apart.h, F1 and calibration error: 2 frames .921 and .024, 3 .925 and .015, 4 .926 and .015, 6 .928 and .016, 8 .925 and
 * .024. */
enum { GAP_FRAMES = 4 };

static const double usual_tolerance = 0.05, gap_most = 3600;

typedef struct job {
    loco_model *model;
    const loco_enrichment *asked;
    lc_dataset *set;
    lc_enrich_plan plan;
    lc_enricher enricher;
    lc_decoder *decoder; /* NULL: every label says something */
    lc_clip *clips;      /* by recording and start */
    lc_found *found;     /* of each recording */
    lc_text table;       /* of posteriors */
} job;

static loco_status out_of_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", path);
}

/* ---- preparation ---- */

static loco_status check(const loco_enrichment *asked, loco_err *err)
{
    if (!(asked->gap >= 0 && asked->gap <= gap_most))
        return lc_err_set(err, LOCO_EARG, "the gap must lie in 0 to %.0f seconds", gap_most);
    if (!(asked->tolerance >= 0 && asked->tolerance <= gap_most))
        return lc_err_set(err, LOCO_EARG, "the tolerance must lie in 0 to %.0f seconds", gap_most);
    return LOCO_OK;
}

/* A gap of the user's is rounded up to frames, so that it holds; that of the model is as its decoder has it. */
static void make_plan(job *j)
{
    double hop = lc_detect_hop(j->model), gap = j->asked->gap;
    double own = j->model->decoding.method == LC_DECODE_COUNT ? 0 : round(j->model->decoding.gap / hop);
    double tolerance = j->asked->tolerance > 0 ? j->asked->tolerance : usual_tolerance;
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

static bool says_nothing(const job *j)
{
    for (size_t i = 0; i < j->set->clips_len; i++)
        for (size_t k = 0; k < j->plan.K; k++)
            if (j->set->clips[i].labels[k].lo == 0 && j->set->clips[i].labels[k].hi == LOCO_NO_LIMIT)
                return true;
    return false;
}

/* Before anything is heard, which takes its time: a clip beyond the end of its recording is a mistake. */
static loco_status check_lengths(const job *j, loco_err *err)
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

static loco_status begin(job *j, const char *data, loco_err *err)
{
    loco_status status = lc_dataset_load_for(&j->set, data, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK && j->set->clips_len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: there is no counts.csv, and so nothing to go by", j->set->where);
    if (status == LOCO_OK)
        status = lc_setup_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status == LOCO_OK)
        status = check_lengths(j, err);
    if (status != LOCO_OK)
        return status;
    make_plan(j);
    j->clips = calloc(j->set->clips_len + 1, sizeof *j->clips);
    j->found = calloc(j->set->recordings_len + 1, sizeof *j->found);
    if (j->clips == NULL || j->found == NULL)
        return out_of_memory(j->set->where, err);
    for (size_t i = 0; i < j->set->clips_len; i++)
        j->clips[i] = j->set->clips[i];
    qsort(j->clips, j->set->clips_len, sizeof *j->clips, by_start);
    lc_enrich_table_head(&j->table, j->model->classes, j->plan.K);
    return says_nothing(j) ? lc_detect_decoder(&j->decoder, j->model, NULL, err) : LOCO_OK;
}

/* ---- one recording ---- */

static loco_status hear(const job *j, const char *path, lc_series *series, loco_err *err)
{
    lc_listener *listener = NULL;
    lc_sound *sound = NULL;
    loco_status status = lc_listener_new(&listener, j->model, err);
    if (status == LOCO_OK)
        status = lc_listener_scale_file(listener, path, err);
    if (status == LOCO_OK)
        status = lc_sound_open_channels(&sound, path, j->model->frontend.rate, lc_frontend_apart(&j->model->frontend),
                                        err);
    if (status == LOCO_OK)
        status = lc_listen(listener, sound, lc_series_take, series, err);
    if (status == LOCO_OK && series->failed)
        status = out_of_memory(path, err);
    lc_sound_close(sound);
    lc_listener_free(listener);
    return status;
}

/* What is known of a frame without any count is its own probability. */
static float *plain_posterior(const lc_series *series)
{
    float *posterior = calloc(series->T + 1, series->K * sizeof *posterior);
    for (size_t i = 0; posterior != NULL && i < series->T * series->K; i++)
        posterior[i] = (float)lc_probability(series->logits[i]);
    return posterior;
}

static loco_status place_events(job *j, size_t recording, const lc_series *series, const lc_clip *clips,
                                size_t clips_len, loco_err *err)
{
    const lc_recording *r = &j->set->recordings[recording];
    lc_found plain = {0};
    lc_enrich_task task = {
        .logits = series->logits, .T = series->T, .clips = clips, .clips_len = clips_len, .plain = &plain};
    loco_status status = LOCO_OK;
    if (j->asked->posterior != NULL && (task.posterior = plain_posterior(series)) == NULL)
        status = out_of_memory(r->path, err);
    if (status == LOCO_OK && j->decoder != NULL)
        status = lc_decoder_run(j->decoder, series->logits, series->T, &plain, err);
    if (status == LOCO_OK)
        status = lc_enrich_recording(&j->enricher, &j->plan, &task, &j->found[recording], err);
    if (status == LOCO_OK && task.posterior != NULL)
        lc_enrich_table_rows(&j->table, r->name, task.posterior, series->T, series->K, j->plan.hop, j->plan.offsets);
    lc_found_free(&plain);
    free(task.posterior);
    return status;
}

/* Clips of one recording stand together. */
static loco_status run_all(job *j, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t first = 0, last = 0; status == LOCO_OK && first < j->set->clips_len; first = last) {
        size_t recording = j->clips[first].recording;
        lc_series series = {.K = j->plan.K};
        while (last < j->set->clips_len && j->clips[last].recording == recording)
            last++;
        status = hear(j, j->set->recordings[recording].path, &series, err);
        if (status == LOCO_OK)
            status = place_events(j, recording, &series, j->clips + first, last - first, err);
        free(series.logits);
    }
    return status;
}

/* ---- the result ---- */

/* One block: the lists, all events, all names. */
static loco_status pack(const job *j, loco_events **lists, loco_err *err)
{
    const lc_dataset *set = j->set;
    size_t events = 0, names = 0, n = set->recordings_len;
    for (size_t i = 0; i < n; i++) {
        events += j->found[i].len;
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
        if (j->found[i].len > 0)
            memcpy(event, j->found[i].events, j->found[i].len * sizeof *event);
        made[i] = (loco_events){name, event, j->found[i].len};
        name += bytes;
        event += j->found[i].len;
    }
    *lists = made;
    return LOCO_OK;
}

static loco_status save_all(const job *j, const loco_events *lists, loco_err *err)
{
    const loco_enrichment *asked = j->asked;
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

loco_status loco_enrich(loco_model *model, const char *data, const loco_enrichment *how, loco_events **lists,
                        size_t *lists_len, loco_err *err)
{
    static const loco_enrichment as_the_model_says;
    job j = {.model = model, .asked = how != NULL ? how : &as_the_model_says};
    loco_events *made = NULL;
    loco_status status = check(j.asked, err);
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
    for (size_t i = 0; j.found != NULL && i < j.set->recordings_len; i++)
        lc_found_free(&j.found[i]);
    free(j.found);
    free(j.clips);
    lc_text_free(&j.table);
    lc_decoder_free(j.decoder);
    lc_enricher_free(&j.enricher);
    lc_dataset_free(j.set);
    return status;
}

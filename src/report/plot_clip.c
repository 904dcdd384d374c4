/* SPDX-License-Identifier: MIT
 *
 * plot_clip.c - the picture of one clip of a recording: runs the model, and computes what clip_panels.c draws.
 *
 * What is true comes from the data set in whose folder the sound lies, where it has its event times; else from a clip
 * of its counts.csv with the same ends; else nothing is known.
 */
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "detect/infer.h"
#include "report/clip_panels.h"
#include "report/count_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 4000, MOST_COLUMNS = 220, MOST_BANDS = 40, MOST_COUNT = 40, LEAD = 8 };
static const double darkest = 0.03; /* part of the cells that may be black, so that one click does not pale the rest */

typedef struct clip_job {
    const char *path;
    double start, end;
    const loco_model *model;
    lc_dataset *set;
    const lc_recording *recording; /* NULL: nothing is known about it */
    lc_logits logits;
    double *times; /* of lanes, one after the other */
    lc_clip_scene scene;
} clip_job;

/* ---- what is known ---- */

/* A folder without a data set is not an error. */
static loco_status find_truth(clip_job *j, loco_err *err)
{
    lc_store names = {0};
    size_t folder = lc_path_folder(j->path);
    const char *where = folder > 0 ? lc_path_join(&names, j->path, folder, "") : ".";
    const char *counts = lc_path_join(&names, j->path, folder, "counts.csv");
    const char *events = lc_path_join(&names, j->path, folder, "events.csv");
    loco_status status = LOCO_OK;
    if (where == NULL || counts == NULL || events == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    else if (lc_path_is_file(counts) || lc_path_is_file(events))
        status = lc_dataset_load_for(&j->set, where, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK && j->set != NULL)
        status = lc_model_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    for (size_t i = 0; status == LOCO_OK && j->set != NULL && i < j->set->recordings_len; i++) {
        const char *other = j->set->recordings[i].path;
        if (strcmp(other + lc_path_folder(other), j->path + folder) == 0)
            j->recording = &j->set->recordings[i];
    }
    lc_store_free(&names);
    return status;
}

static loco_label label_of(const clip_job *j, size_t kind, size_t times)
{
    if (j->recording != NULL && j->recording->timed)
        return loco_label_exact(times);
    for (size_t i = 0; j->recording != NULL && i < j->set->clips_len; i++) {
        const lc_clip *clip = &j->set->clips[i];
        if (&j->set->recordings[clip->recording] == j->recording && fabs(clip->start - j->start) < 1e-6 &&
            fabs(clip->end - j->end) < 1e-6)
            return clip->labels[kind];
    }
    return loco_label_range(0, LOCO_NO_LIMIT);
}

/* The reference events of a lane, from number `used` of the times on. */
static void set_truth(clip_job *j, size_t kind, size_t *used)
{
    lc_clip_lane *lane = &j->scene.lanes[kind];
    lane->times = j->times + *used;
    for (size_t i = 0; j->recording != NULL && i < j->recording->events_len; i++) {
        const loco_event *e = &j->recording->events[i];
        if (e->kind == kind && e->time >= j->start && e->time < j->end) {
            j->times[(*used)++] = e->time;
            lane->times_len++;
        }
    }
    lane->label = label_of(j, kind, lane->times_len);
}

/* ---- the model's probabilities and counts ---- */

/* Room for the label and for four standard deviations above the mean, and one more, which holds all larger counts. */
static size_t choose_k_max(const clip_job *j, const lc_clip_lane *lane)
{
    double mean = 0, variance = 0;
    for (size_t t = 0; t < j->scene.frames; t++) {
        mean += lane->p[t];
        variance += lane->p[t] * (1 - lane->p[t]);
    }
    double most = fmax(4, ceil(mean + 4 * sqrt(variance)) + 2);
    if (lane->label.lo == lane->label.hi)
        most = fmax(most, (double)lane->label.lo + 2);
    return (size_t)fmin(most, MOST_COUNT);
}

/* The frames of the clip, moved by the offset of the class. */
static loco_status fill_lane(clip_job *j, size_t kind, loco_err *err)
{
    lc_clip_lane *lane = &j->scene.lanes[kind];
    double hop = lc_detect_hop(j->model), first = ceil((j->start + j->model->offsets[kind]) / hop);
    size_t frames = j->scene.frames;
    lane->p = calloc(frames, sizeof *lane->p);
    if (lane->p == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    for (size_t t = 0; t < frames; t++) {
        double at = first + (double)t;
        if (at >= 0 && at < (double)j->logits.T)
            lane->p[t] = 1 / (1 + exp(-(double)j->logits.data[(size_t)at * j->logits.K + kind]));
    }
    lane->k_max = choose_k_max(j, lane);
    size_t rows = lane->k_max + 1;
    lane->heat = calloc(frames * rows, sizeof *lane->heat);
    double *now = calloc(rows, sizeof *now);
    if (lane->heat == NULL || now == NULL) {
        free(now);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    }
    lc_count_scene counts = {.frames = frames, .columns = frames, .rows = rows, .per_row = 1, .k_max = lane->k_max};
    counts.p = lane->p;
    counts.heat = lane->heat;
    lc_count_scene_fill(&counts, now);
    free(now);
    return LOCO_OK;
}

/* ---- the sound ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Into 0..1, from the median up: what is below is background. */
static loco_status scale_sound(double *cells, size_t n, loco_err *err)
{
    double *sorted = calloc(n + 1, sizeof *sorted);
    if (sorted == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    memcpy(sorted, cells, n * sizeof *cells);
    qsort(sorted, n, sizeof *sorted, by_value);
    double low = sorted[n / 5], high = sorted[n - 1 - (size_t)(darkest * (double)n)];
    for (size_t i = 0; i < n; i++)
        cells[i] = high > low ? (cells[i] - low) / (high - low) : 0;
    free(sorted);
    return LOCO_OK;
}

/* The largest value of the frames and rows that share a cell. */
static loco_status join_frames(clip_job *j, const float *frames, size_t T, loco_err *err)
{
    lc_clip_scene *s = &j->scene;
    const lc_frontend_settings *front = &j->model->frontend;
    size_t F = lc_frontend_rows(front), size = lc_frontend_bins(front) * lc_frontend_channels(front);
    s->columns = T < MOST_COLUMNS ? T : MOST_COLUMNS;
    s->bands = F < MOST_BANDS ? F : MOST_BANDS;
    s->sound = calloc(s->columns * s->bands + 1, sizeof *s->sound);
    if (s->sound == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    for (size_t i = 0; i < s->columns * s->bands; i++)
        s->sound[i] = -1e30;
    for (size_t t = 0; t < T; t++)
        for (size_t f = 0; f < F; f++) {
            double *cell = s->sound + t * s->columns / T * s->bands + f * s->bands / F;
            *cell = fmax(*cell, lc_frontend_value(front, frames + t * size, f));
        }
    return scale_sound(s->sound, s->columns * s->bands, err);
}

/* With some frames before it: a cut looks like an event, and filters of a series settle. */
static loco_status add_sound(clip_job *j, loco_err *err)
{
    const lc_frontend_settings *front = &j->model->frontend;
    float *samples = NULL, *frames = NULL;
    size_t n = 0, T = 0, size = lc_frontend_bins(front) * lc_frontend_channels(front);
    double hop = lc_detect_hop(j->model), lead = fmax(LEAD, ceil(lc_frontend_lead(front) / hop));
    double from = floor(fmax(0, j->start / hop - lead));
    lc_scale scale;
    bool scaled;
    loco_status status = lc_infer_measure(&scale, &scaled, j->model, &(lc_input){.path = j->path}, err);
    if (status == LOCO_OK)
        status = lc_sound_load_channels(j->path, from * hop, j->end, front->rate, lc_frontend_columns(front), &samples,
                                        &n, err);
    if (status == LOCO_OK)
        status = lc_infer_frames(&frames, &T, j->model, scaled ? &scale : NULL, samples, n, err);
    double skip = fmin(ceil(j->start / hop - 1e-9) - from, (double)T);
    if (status == LOCO_OK && (double)T > skip)
        status = join_frames(j, frames + (size_t)skip * size, T - (size_t)skip, err);
    free(samples);
    free(frames);
    return status;
}

/* ---- the picture ---- */

static loco_status fill(clip_job *j, loco_err *err)
{
    size_t used = 0;
    double hop = lc_detect_hop(j->model), frames = ceil((j->end - j->start) / hop);
    if (!(j->start >= 0 && j->end > j->start && frames <= MOST_FRAMES))
        return lc_err_set(err, LOCO_EARG, "a clip from %g to %g s; it must have 1 to %d frames of %g s", j->start,
                          j->end, MOST_FRAMES, hop);
    loco_status status = lc_infer_logits(&j->logits, j->model, &(lc_input){.path = j->path}, err);
    if (status == LOCO_OK && j->start / hop >= (double)j->logits.T)
        status = lc_err_set(err, LOCO_EARG, "%.100s ends before %g s", j->path, j->start);
    if (status == LOCO_OK)
        status = find_truth(j, err);
    j->times = calloc(j->recording != NULL ? j->recording->events_len + 1 : 1, sizeof *j->times);
    if (status == LOCO_OK && j->times == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    j->scene.frames = (size_t)frames;
    for (size_t k = 0; status == LOCO_OK && k < j->model->net->classes && k < LC_CLIP_LANES; k++) {
        j->scene.lanes[k].name = j->model->classes[k];
        j->scene.lanes_len++;
        set_truth(j, k, &used);
        status = fill_lane(j, k, err);
    }
    return status == LOCO_OK ? add_sound(j, err) : status;
}

static loco_status save(clip_job *j, const char *path, const char *title, loco_err *err)
{
    lc_text picture = {0}, name = {0};
    lc_text_format(&name, "%s, ", j->path + lc_path_folder(j->path));
    lc_text_number(&name, j->start, 3);
    lc_text_string(&name, " to ");
    lc_text_number(&name, j->end, 3);
    lc_text_string(&name, " s");
    j->scene.title = title != NULL ? title : name.bytes;
    j->scene.start = j->start;
    j->scene.end = j->end;
    if (!name.failed)
        lc_clip_scene_draw(&picture, &j->scene);
    loco_status status = name.failed || picture.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture")
                                                       : lc_file_save(path, picture.bytes, picture.length, err);
    lc_text_free(&picture);
    lc_text_free(&name);
    return status;
}

loco_status loco_plot_clip(const char *path, const loco_model *model, const char *recording, double start, double end,
                           const char *title, loco_err *err)
{
    clip_job j = {.path = recording, .start = start, .end = end, .model = model};
    if (path == NULL || model == NULL || recording == NULL)
        return lc_err_set(err, LOCO_EARG, "path, model and recording must not be NULL");
    if (model->frontend.ops->picture)
        return lc_err_set(err, LOCO_EARG,
                          "a clip is a part in time, and this model reads images; loco report shows them with marks");
    loco_status status = fill(&j, err);
    if (status == LOCO_OK)
        status = save(&j, path, title, err);
    for (size_t k = 0; k < j.scene.lanes_len; k++) {
        free(j.scene.lanes[k].p);
        free(j.scene.lanes[k].heat);
    }
    free(j.scene.sound);
    free(j.times);
    free(j.logits.data);
    lc_dataset_free(j.set);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * report.c - the page about a model and recordings: detects, compares, and hands all to page.c.
 *
 * Of each recording the first LC_PAGE_MOST_SECONDS are read; all recordings of a data set are scored, some are shown.
 * Where its event times are known, a detection is a hit within 50 ms of a true event of its class. Recordings are
 * read one after another, and what is not shown is freed at once: memory grows with what the page shows.
 */
#include "base/file.h"
#include "base/options.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "detect/infer.h"
#include "detect/notes.h"
#include "eval/match.h"
#include "eval/octaves.h"
#include "eval/score.h"
#include "report/page.h"
#include "report/report_image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 0.05;
enum { DEFAULT_SHOWN = 6, MOST_SCORED = 1000, CARDS = 4, CELL = 24 };

/* One recording as it is shown. */
typedef struct exhibit {
    const char *path, *name;
    bool timed;
    const loco_event *truth; /* those that are shown */
    size_t truth_len;
    float *samples, *spectrogram;
    size_t samples_len, frames;
    lc_logits logits;
    lc_event_array detected;
    lc_page_mark *marks;
    size_t marks_len;
    size_t *counts;
} exhibit;

typedef struct report_job {
    const loco_report_options *asked;
    const loco_model *model;
    lc_dataset *set;
    exhibit *exhibits;
    size_t len, shown; /* all are scored, the first are shown */
    lc_score *score;
    size_t timed; /* exhibits with known times */
    size_t cut;   /* of these, those of which only the beginning is read */
} report_job;

/* ---- reading ---- */

/* Values of the front end into 0..1: from the floor up to what is rarely exceeded. */
static loco_status make_spectrogram(exhibit *e, const lc_frontend_settings *front, const float *frames, loco_err *err)
{
    lc_front_shades shades = lc_frontend_shades(front);
    size_t size = lc_frontend_bins(front) * lc_frontend_channels(front);
    if (shades.rows == 0)
        return LOCO_OK;
    e->spectrogram = calloc(e->frames * shades.rows + 1, sizeof *e->spectrogram);
    if (e->spectrogram == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a spectrogram");
    for (size_t t = 0; t < e->frames; t++)
        for (size_t f = 0; f < shades.rows; f++) {
            double value = lc_frontend_value(front, frames + t * size, f);
            e->spectrogram[t * shades.rows + f] = (float)fmin(1, fmax(0, (value - shades.low) / shades.range));
        }
    return LOCO_OK;
}

/* What the front end draws in place of the samples. */
static void make_curve(exhibit *e, const lc_frontend_settings *front, const float *frames)
{
    size_t size = lc_frontend_bins(front) * lc_frontend_channels(front);
    for (size_t i = 0; i < e->samples_len; i++) {
        size_t t = i / front->hop;
        e->samples[i] = t < e->frames ? front->ops->curve(front, frames + t * size, i % front->hop) : 0;
    }
}

static loco_status draw_frames(const report_job *j, exhibit *e, const lc_scale *scale, loco_err *err)
{
    const lc_frontend_settings *front = &j->model->frontend;
    float *frames = NULL;
    loco_status status = lc_infer_frames(&frames, &e->frames, j->model, scale, e->samples, e->samples_len, err);
    if (status == LOCO_OK)
        status = make_spectrogram(e, front, frames, err);
    if (status == LOCO_OK && front->ops->curve != NULL)
        make_curve(e, front, frames);
    free(frames);
    return status;
}

/* As `loco detect` finds them: by the model's decoder over the logits of the curves or, where versions
 * vote or events snap, by loco_detect. */
static loco_status find_events(const report_job *j, exhibit *e, loco_err *err)
{
    lc_decoder *decoder = NULL;
    loco_status status;
    if (!lc_decoding_plain(&j->model->decoding)) {
        double end = (double)e->logits.T * lc_detect_hop(j->model);
        status = loco_detect(&e->detected.events, &e->detected.len, j->model, e->path, NULL, err);
        while (status == LOCO_OK && e->detected.len > 0 && e->detected.events[e->detected.len - 1].time > end)
            e->detected.len--; /* of a recording that is longer than a page */
        return status;
    }
    status = lc_detect_decoder(&decoder, j->model, NULL, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(decoder, e->logits.data, e->logits.T, e->logits.columns, &e->detected, err);
    lc_decoder_free(decoder);
    return status;
}

/* Samples are kept for the page's player, logits for its curves. */
static loco_status read_exhibit(report_job *j, exhibit *e, loco_err *err)
{
    const lc_frontend_settings *front = &j->model->frontend;
    lc_sound_shape shape = {0};
    lc_scale scale;
    bool scaled = false, cut = false;
    loco_status status = lc_frontend_check_file(front, e->path, err);
    if (status == LOCO_OK)
        status = lc_sound_measure(&shape, e->path, "", err);
    if (status == LOCO_OK && j->asked->notice != NULL && shape.notice[0] != 0)
        j->asked->notice(j->asked->notice_context, shape.notice);
    cut = shape.seconds > LC_PAGE_MOST_SECONDS;
    if (status == LOCO_OK) /* all of a short one, so that a sum over the whole file is compared */
        status = lc_sound_load_channels(e->path, 0, cut ? LC_PAGE_MOST_SECONDS : INFINITY, front->rate,
                                        lc_frontend_columns(front), &e->samples, &e->samples_len, err);
    j->cut += status == LOCO_OK && e->timed && cut;
    loco_samples samples = {e->samples, e->samples_len, lc_frontend_inputs(front), front->rate};
    lc_input input = {.samples = &samples, .whole = e->path};
    if (status == LOCO_OK)
        status = lc_infer_logits(&e->logits, j->model, &input, err);
    if (status == LOCO_OK)
        status = find_events(j, e, err);
    if (status == LOCO_OK)
        status = lc_infer_measure(&scale, &scaled, j->model, &input, err);
    if (status == LOCO_OK)
        status = draw_frames(j, e, scaled ? &scale : NULL, err);
    return status;
}

/* ---- comparing ---- */

/* The times of one class, and where each event stands in the list. */
static size_t times_of(const loco_event *events, size_t n, size_t kind, double *times, size_t *index)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        if (events[i].kind == kind) {
            times[len] = events[i].time;
            index[len++] = i;
        }
    return len;
}

/* Verdicts of one class: marks of detections are there already; misses are added. */
static void match_class(exhibit *e, size_t kind, double *times, size_t *index)
{
    size_t n = e->truth_len, m = e->detected.len;
    double *detected = times + n;
    size_t *detected_at = index + n, *pair = index + n + m;
    size_t n_k = times_of(e->truth, n, kind, times, index);
    size_t m_k = times_of(e->detected.events, m, kind, detected, detected_at);
    lc_match(times, n_k, detected, m_k, tolerance, pair);
    for (size_t i = 0; i < n_k; i++) {
        if (pair[i] != LC_UNMATCHED) {
            lc_page_mark *mark = &e->marks[detected_at[pair[i]]];
            mark->verdict = LC_PAGE_HIT;
            mark->reference = times[i];
        } else {
            e->marks[e->marks_len++] = (lc_page_mark){.time = times[i], .kind = kind, .verdict = LC_PAGE_MISS};
        }
    }
}

/* A mark for each detection, a false alarm until a true event claims it, then one for each miss. Without known times
 * there is no verdict: detections are LC_PAGE_FOUND. */
static loco_status compare(report_job *j, exhibit *e, loco_err *err)
{
    size_t n = e->truth_len, m = e->detected.len, K = j->model->net->classes;
    double *times = calloc(n + m + 1, sizeof *times);
    size_t *index = calloc(2 * n + m + 1, sizeof *index);
    e->marks = calloc(n + m + 1, sizeof *e->marks);
    e->counts = calloc(K, sizeof *e->counts);
    loco_status status = LOCO_OK;
    if (times == NULL || index == NULL || e->marks == NULL || e->counts == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n + m);
    for (size_t i = 0; status == LOCO_OK && i < m; i++)
        e->marks[e->marks_len++] = (lc_page_mark){.time = e->detected.events[i].time,
                                                  .kind = e->detected.events[i].kind,
                                                  .probability = e->detected.events[i].probability,
                                                  .verdict = e->timed ? LC_PAGE_FALSE_ALARM : LC_PAGE_FOUND};
    for (size_t k = 0; status == LOCO_OK && e->timed && k < K; k++)
        match_class(e, k, times, index);
    for (size_t i = 0; status == LOCO_OK && i < n; i++)
        e->counts[e->truth[i].kind]++;
    if (status == LOCO_OK && e->timed) {
        j->timed++;
        status = lc_score_add(j->score, e->truth, n, e->detected.events, m, err);
    }
    free(times);
    free(index);
    return status;
}

/* ---- notes ---- */

static int by_time(const void *a, const void *b)
{
    const lc_page_mark *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static loco_status fill_notes(const report_job *j, exhibit *e, loco_event *events, lc_note *notes, loco_err *err)
{
    lc_sound *sound = NULL;
    const loco_samples samples = {e->samples, e->samples_len, 1, j->model->frontend.rate};
    for (size_t i = 0; i < e->marks_len; i++)
        events[i] = (loco_event){e->marks[i].time, e->marks[i].kind, 1, 0};
    loco_status status = lc_sound_open_samples(&sound, &samples, LC_NOTES_RATE, (lc_columns){0, NULL}, err);
    if (status == LOCO_OK)
        status = lc_notes_of(notes, sound, events, e->marks_len, j->model->classes, j->model->net->classes, err);
    for (size_t i = 0; status == LOCO_OK && i < e->marks_len; i++) {
        e->marks[i].end = notes[i].end;
        e->marks[i].velocity = notes[i].velocity;
    }
    lc_sound_close(sound);
    return status;
}

/* Velocity and end of each mark, those that were missed included; sorts the marks by time. */
static loco_status measure_notes(const report_job *j, exhibit *e, loco_err *err)
{
    loco_event *events = calloc(e->marks_len + 1, sizeof *events);
    lc_note *notes = calloc(e->marks_len + 1, sizeof *notes);
    loco_status status = LOCO_OK;
    if (e->marks_len > 0)
        qsort(e->marks, e->marks_len, sizeof *e->marks, by_time);
    if (events == NULL || notes == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu notes", e->marks_len);
    else
        status = fill_notes(j, e, events, notes, err);
    free(events);
    free(notes);
    return status;
}

/* ---- the page ---- */

/* Views into the exhibit, nothing is copied. */
static lc_page_recording show(const report_job *j, const exhibit *e)
{
    double hop = lc_detect_hop(j->model);
    return (lc_page_recording){
        .name = e->name,
        .samples = e->samples,
        .samples_len = e->samples_len,
        .rate = j->model->frontend.rate,
        .silent = j->model->frontend.ops->curve != NULL,
        .spectrogram = e->spectrogram,
        .spectrogram_len = e->frames,
        .bands = lc_frontend_shades(&j->model->frontend).rows,
        .spectrogram_rate = 1 / hop,
        .logits = e->logits.data,
        .frames = e->logits.T,
        .frame_rate = 1 / hop,
        .marks = e->marks,
        .marks_len = e->marks_len,
        .counts = e->timed ? e->counts : NULL,
    };
}

/* Numbers as text that live as long as the page is written. */
typedef struct cells {
    char text[CARDS * 2][CELL];
    lc_page_card cards[CARDS];
    const char *heads[8];
    size_t rows;
    lc_octave_name octaves[LC_OCTAVES];
    const char **table; /* (rows, 8) */
    char *strings;      /* (rows * 8, CELL) */
} cells;

/* Rates have three decimals, and a point in every locale. */
static void put_rate(char *cell, double rate)
{
    long n = lround(1000 * rate);
    snprintf(cell, CELL, "%ld.%03ld", n / 1000, n % 1000);
}

/* Milliseconds, which are below 50: the tolerance. */
static void put_error(char *cell, double mean, double sd)
{
    unsigned m = (unsigned)lround(1e4 * fabs(mean)) % 10000, s = (unsigned)lround(1e4 * sd) % 10000;
    snprintf(cell, CELL, "%c%u.%u \xc2\xb1 %u.%u ms", mean < 0 && m > 0 ? '-' : '+', m / 10, m % 10, s / 10, s % 10);
}

/* The four numbers that stand first on the page. */
static void fill_cards(const report_job *j, cells *c)
{
    lc_score_row wide = lc_score_read(j->score, LC_ALL_KINDS, 0, LC_POOLED, LC_EMPTY_ZERO);
    lc_score_row narrow = lc_score_read(j->score, LC_ALL_KINDS, 1, LC_POOLED, LC_EMPTY_ZERO);
    double values[CARDS] = {wide.f1, narrow.f1, wide.precision, wide.recall};
    static const char *const labels[CARDS] = {"F1 within 50 ms", "F1 within 20 ms", "Precision", "Recall"};
    for (size_t i = 0; i < CARDS; i++) {
        put_rate(c->text[i], values[i]);
        c->cards[i] = (lc_page_card){.label = labels[i], .value = c->text[i], .share = values[i]};
    }
    snprintf(c->text[CARDS], CELL, "%zu of %zu right", wide.matched, wide.estimated);
    snprintf(c->text[CARDS + 1], CELL, "%zu of %zu found", wide.matched, wide.reference);
    c->cards[2].note = c->text[CARDS];
    c->cards[3].note = c->text[CARDS + 1];
}

/* One row in the order of the headings in fill_table. */
static void put_row(cells *c, const char *name, lc_score_row wide, lc_score_row narrow)
{
    size_t row = c->rows++;
    char(*to)[CELL] = (char(*)[CELL])(void *)(c->strings + row * 8 * CELL);
    snprintf(to[1], CELL, "%zu", wide.reference);
    snprintf(to[2], CELL, "%zu", wide.estimated);
    put_rate(to[3], wide.precision);
    put_rate(to[4], wide.recall);
    put_rate(to[5], wide.f1);
    put_rate(to[6], narrow.f1);
    put_error(to[7], wide.error_mean, wide.error_sd);
    c->table[row * 8] = name;
    for (size_t i = 1; i < 8; i++)
        c->table[row * 8 + i] = to[i];
}

/* A class, or all of them. */
static void fill_row(const report_job *j, cells *c, const char *name, size_t kind)
{
    put_row(c, name, lc_score_read(j->score, kind, 0, LC_POOLED, LC_EMPTY_ZERO),
            lc_score_read(j->score, kind, 1, LC_POOLED, LC_EMPTY_ZERO));
}

/* The octaves of pitches in which something is or was found. */
static void fill_octaves(const report_job *j, cells *c)
{
    for (size_t octave = 0; octave < LC_OCTAVES; octave++) {
        lc_score_row wide = lc_octave_read(j->score, j->model->classes, octave, 0);
        c->octaves[octave] = lc_octave_show(octave);
        if (wide.reference + wide.estimated > 0)
            put_row(c, c->octaves[octave].text, wide, lc_octave_read(j->score, j->model->classes, octave, 1));
    }
}

static loco_status fill_table(const report_job *j, cells *c, loco_err *err)
{
    static const char *const heads[8] = {"class",  "true",     "found",    "precision",
                                         "recall", "F1 50 ms", "F1 20 ms", "time error"};
    bool pitched = loco_model_pitched(j->model);
    size_t K = j->model->net->classes, rows = pitched ? LC_OCTAVES : K;
    memcpy(c->heads, heads, sizeof heads);
    c->heads[0] = pitched ? "octave" : heads[0];
    c->table = calloc((rows + 1) * 8, sizeof *c->table);
    c->strings = calloc((rows + 1) * 8, CELL);
    if (c->table == NULL || c->strings == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a table");
    if (pitched)
        fill_octaves(j, c);
    for (size_t k = 0; !pitched && k < K; k++)
        fill_row(j, c, j->model->classes[k], k);
    fill_row(j, c, "all", LC_ALL_KINDS);
    return LOCO_OK;
}

/* "Scores of the first 30 s of each of 12 recordings" */
static void put_scope(char *scope, size_t size, const report_job *j)
{
    char part[64] = "";
    size_t known = 0;
    for (size_t i = 0; j->set != NULL && i < j->set->recordings_len; i++)
        known += j->set->recordings[i].timed;
    if (j->cut > 0)
        snprintf(part, sizeof part, "the first %d s of ", LC_PAGE_MOST_SECONDS);
    if (j->timed == 1)
        snprintf(scope, size, "Scores of %sone recording", part);
    else
        snprintf(scope, size, "Scores of %s%s%zu recordings", part, j->cut > 0 ? "each of " : "", j->timed);
    if (known > j->timed)
        snprintf(scope + strlen(scope), size - strlen(scope), ", of the %zu with event times", known);
}

static loco_status write_page(const report_job *j, const char *path, loco_err *err)
{
    cells c = {.table = NULL};
    lc_text html = {0};
    lc_page_recording *recordings = calloc(j->shown + 1, sizeof *recordings);
    loco_status status = recordings == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the page")
                                            : fill_table(j, &c, err);
    if (status == LOCO_OK) {
        fill_cards(j, &c);
        for (size_t i = 0; i < j->shown; i++)
            recordings[i] = show(j, &j->exhibits[i]);
        char scope[160];
        put_scope(scope, sizeof scope, j);
        lc_page_table table = {scope, c.heads, 8, c.table, c.rows};
        lc_page page = {
            .title = j->asked->title != NULL ? j->asked->title : "Events",
            .summary = j->asked->words,
            .summary_len = j->asked->words_len,
            .cards = c.cards,
            .cards_len = j->timed > 0 ? CARDS : 0,
            .scope = scope,
            .classes = j->model->classes,
            .classes_len = j->model->net->classes,
            .recordings = recordings,
            .recordings_len = j->shown,
            .tables = &table,
            .tables_len = j->timed > 0,
        };
        status = lc_page_write(&html, &page, err);
    }
    if (status == LOCO_OK)
        status = lc_file_save(path, html.bytes, html.length, err);
    lc_text_free(&html);
    free(recordings);
    free(c.table);
    free(c.strings);
    return status;
}

/* ---- the report ---- */

/* Of files only what is shown is read; of a data set all recordings, for its scores. */
static loco_status list_exhibits(report_job *j, loco_err *err)
{
    size_t n = j->set != NULL ? j->set->recordings_len : j->asked->files_len;
    size_t most = j->asked->most > 0 ? j->asked->most : DEFAULT_SHOWN;
    most = most < LC_PAGE_MOST_RECORDINGS ? most : LC_PAGE_MOST_RECORDINGS;
    size_t shown = n < most ? n : most;
    n = j->set != NULL && n < MOST_SCORED ? n : shown;
    j->exhibits = calloc(n + 1, sizeof *j->exhibits);
    if (j->exhibits == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", n);
    j->len = n;
    j->shown = shown;
    for (size_t i = 0; i < j->len; i++) {
        exhibit *e = &j->exhibits[i];
        if (j->set == NULL) {
            const char *slash = strrchr(j->asked->files[i], '/');
            e->path = j->asked->files[i];
            e->name = slash != NULL ? slash + 1 : e->path;
            continue;
        }
        const lc_recording *r = &j->set->recordings[i];
        *e = (exhibit){.path = r->path, .name = r->name, .timed = r->timed, .truth = r->events};
        while (e->truth_len < r->events_len && r->events[e->truth_len].time < LC_PAGE_MOST_SECONDS)
            e->truth_len++;
    }
    return LOCO_OK;
}

static loco_status load(report_job *j, loco_err *err)
{
    static const double tolerances[] = {0.05, 0.02};
    loco_status status = LOCO_OK;
    if (j->asked->data != NULL)
        status = lc_dataset_load_for(&j->set, j->asked->data, j->model->classes, j->model->net->classes, err);
    if (status == LOCO_OK && j->set != NULL)
        status = lc_model_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status == LOCO_OK)
        status = lc_score_new(&j->score, j->model->net->classes, tolerances, 2, err);
    return status == LOCO_OK ? list_exhibits(j, err) : status;
}

static void free_exhibit(exhibit *e)
{
    free(e->samples);
    free(e->spectrogram);
    free(e->logits.data);
    lc_event_array_free(&e->detected);
    free(e->marks);
    free(e->counts);
    *e = (exhibit){.path = NULL};
}

loco_status loco_report(const char *path, const loco_model *model, const loco_report_options *options, loco_err *err)
{
    loco_report_options asked;
    report_job j = {.asked = &asked, .model = model};
    loco_status status = lc_options_read(&asked, sizeof asked, options, "loco_report_options", err);
    if (status != LOCO_OK)
        return status;
    if (path == NULL || model == NULL || (asked.data == NULL && asked.files_len == 0))
        return lc_err_set(err, LOCO_EARG, "a report needs a path, a model, and a data set or sound files");
    if (asked.tolerance < 0 || asked.tolerance > 10000 || isnan(asked.tolerance))
        return lc_err_set(err, LOCO_EARG, "a tolerance of %g pixels; give up to 10000", asked.tolerance);
    if (model->frontend.ops->picture)
        return lc_report_images(path, model, &asked, err);
    if (asked.tolerance > 0)
        return lc_err_set(err, LOCO_EARG, "a tolerance in pixels is for images, and this model reads sound or series");
    status = load(&j, err);
    for (size_t i = 0; status == LOCO_OK && i < j.len; i++) {
        status = read_exhibit(&j, &j.exhibits[i], err);
        if (status == LOCO_OK)
            status = compare(&j, &j.exhibits[i], err);
        if (status == LOCO_OK && i < j.shown && loco_model_pitched(model))
            status = measure_notes(&j, &j.exhibits[i], err);
        if (i >= j.shown)
            free_exhibit(&j.exhibits[i]);
    }
    if (status == LOCO_OK)
        status = write_page(&j, path, err);
    for (size_t i = 0; i < j.len; i++)
        free_exhibit(&j.exhibits[i]);
    free(j.exhibits);
    lc_score_free(j.score);
    lc_dataset_free(j.set);
    return status;
}

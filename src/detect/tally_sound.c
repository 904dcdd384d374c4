/* SPDX-License-Identifier: MIT
 * tally_sound.c - the counts of sounds: of a whole file, of windows side by side, or of the clips of a data set.
 *
 *   sound -> front end -> network -> logits of a frame -> scale and shift -> tallies of all parts with this frame
 *
 * Parts may overlap. Memory is that of the parts which are open at a time: some kilobytes each, however long the sound.
 * Each class has its own delay, so that a part ends for one a few frames before it ends for another; rows wait until
 * all classes of their part, and of those before it, are there.
 *
 * Where a class counts by detections, the decoder runs as well, and a part stays open until no more events of it can
 * come. An event is given to the parts one frame after it is known: then all parts that hold it are open. */
#include "base/options.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "detect/infer.h"
#include "detect/tally.h"
#include "detect/tally_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally_part {
    double start, end; /* INFINITY: that of the sound */
} tally_part;

/* A part and class whose frames are being counted. */
typedef struct open_part {
    size_t part, kind, end; /* end: the first frame behind it */
    size_t detections;
    lc_tally tally;
} open_part;

typedef struct counter {
    const loco_model *model;
    const loco_tally_options *how;
    const char *file;
    loco_tally_take *take;
    void *context;
    double seconds;          /* of the sound; INFINITY while unknown */
    const tally_part *parts; /* in order of their start; NULL: windows of how->every seconds, or everything */
    size_t parts_len;
    size_t t;            /* frame that comes next */
    size_t *next, *from; /* of each class: the part that opens next, and its first frame */
    open_part *open;     /* elements behind open_len keep their memory for later parts */
    size_t open_len, open_kept, open_capacity;
    loco_tally_row *rows; /* (parts from `reported` on, K) */
    size_t *done;         /* classes of each of these */
    size_t reported, rows_len, rows_capacity;
    lc_decoder *decoder;  /* NULL: no class counts by detections */
    size_t wait;          /* frames behind a part until all of its events are known */
    lc_event_array fresh; /* events of the last frame */
    bool failed;
} counter;

/* ---- parts ---- */

/* Whether there is a part of that number. A rest of less than two frames at the end belongs to the last window. */
static bool find_part(const counter *c, size_t number, tally_part *part)
{
    double every = c->how->every, start = (double)number * every, hop = lc_detect_hop(c->model);
    if (c->parts != NULL) {
        if (number < c->parts_len)
            *part = c->parts[number];
        return number < c->parts_len;
    }
    if (number > 0 && (every <= 0 || start >= c->seconds - 2 * hop))
        return false;
    *part = (tally_part){start, every > 0 ? start + every : (double)INFINITY};
    if (part->end >= c->seconds - 2 * hop)
        part->end = INFINITY;
    return true;
}

static lc_frames part_frames(const counter *c, const tally_part *p, size_t k)
{
    return lc_detect_frames(c->model, k, p->start, p->end, SIZE_MAX >> 12);
}

static void look_ahead(counter *c, size_t k)
{
    tally_part p;
    c->from[k] = find_part(c, c->next[k], &p) ? part_frames(c, &p, k).first : SIZE_MAX;
}

/* Rows for one part more. */
static bool add_rows(counter *c)
{
    size_t K = c->model->net->classes;
    if (c->rows_len == c->rows_capacity) {
        size_t capacity = c->rows_capacity > 0 ? 2 * c->rows_capacity : 16, bytes;
        loco_tally_row *rows = lc_size_mul(capacity, K * sizeof *rows, &bytes) ? realloc(c->rows, bytes) : NULL;
        c->rows = rows != NULL ? rows : c->rows;
        size_t *done = rows != NULL ? realloc(c->done, capacity * sizeof *done) : NULL;
        if (done == NULL)
            return false;
        c->done = done;
        c->rows_capacity = capacity;
    }
    c->done[c->rows_len++] = 0;
    return true;
}

static void open_next(counter *c, size_t k)
{
    tally_part p;
    if (c->open_len == c->open_capacity) {
        size_t capacity = c->open_capacity > 0 ? 2 * c->open_capacity : 16, bytes;
        open_part *grown = lc_size_mul(capacity, sizeof *grown, &bytes) ? realloc(c->open, bytes) : NULL;
        if (grown == NULL) {
            c->failed = true;
            return;
        }
        c->open = grown;
        c->open_capacity = capacity;
    }
    if (!find_part(c, c->next[k], &p))
        return;
    open_part *o = &c->open[c->open_len++];
    if (c->open_len > c->open_kept) {
        c->open_kept = c->open_len;
        o->tally = (lc_tally){0};
    }
    lc_tally_clear(&o->tally);
    o->detections = 0;
    o->part = c->next[k]++;
    o->kind = k;
    o->end = part_frames(c, &p, k).end;
    c->failed |= o->part == c->reported + c->rows_len && !add_rows(c);
    look_ahead(c, k);
}

/* ---- rows ---- */

/* Reports all rows of the first parts that are complete. */
static void report_rows(counter *c)
{
    size_t K = c->model->net->classes, n = 0;
    for (; n < c->rows_len && c->done[n] == K; n++)
        for (size_t k = 0; k < K; k++)
            c->take(c->context, &c->rows[n * K + k]);
    if (n == 0)
        return;
    c->reported += n;
    c->rows_len -= n;
    memmove(c->rows, c->rows + n * K, c->rows_len * K * sizeof *c->rows);
    memmove(c->done, c->done + n, c->rows_len * sizeof *c->done);
}

static void close_part(counter *c, size_t i)
{
    open_part closed = c->open[i];
    size_t number = closed.part - c->reported;
    tally_part p = {0, 0};
    loco_tally_row row = lc_tally_row(&closed.tally, &c->model->count_calibration[closed.kind], closed.kind,
                                      closed.detections, c->how);
    c->failed |= closed.tally.failed || !find_part(c, closed.part, &p);
    if (!c->failed) {
        double length = isfinite(c->seconds) ? c->seconds : (double)c->t * lc_detect_hop(c->model);
        row.file = c->file;
        row.start = p.start;
        row.end = isfinite(p.end) ? p.end : length;
        c->rows[number * c->model->net->classes + closed.kind] = row;
        c->done[number]++;
    }
    /* the memory of the one that closed goes behind the last that is open */
    c->open[i] = c->open[--c->open_len];
    c->open[c->open_len] = closed;
    report_rows(c);
}

/* The events that became known with the frame before. */
static void give_events(counter *c)
{
    for (size_t i = 0; c->fresh.len > 0 && i < c->open_len; i++) {
        open_part *o = &c->open[i];
        tally_part p = {0, 0};
        if (find_part(c, o->part, &p))
            o->detections += lc_events_count(&c->fresh, o->kind, p.start, p.end);
    }
    c->failed |= c->fresh.failed;
    c->fresh.len = 0;
}

static size_t waits(const counter *c, size_t kind)
{
    return c->model->count_calibration[kind].detections ? c->wait : 0;
}

/* One frame, as a lc_logits_take. */
static void count_frame(void *context, const float *logits)
{
    counter *c = context;
    for (size_t k = 0; !c->failed && k < c->model->net->classes; k++)
        while (!c->failed && c->from[k] <= c->t)
            open_next(c, k);
    give_events(c);
    for (size_t i = 0; !c->failed && i < c->open_len;) {
        open_part *o = &c->open[i];
        const lc_count_calibration *calibration = &c->model->count_calibration[o->kind];
        if (o->end <= c->t && c->t - o->end >= waits(c, o->kind)) {
            close_part(c, i);
            continue;
        }
        if (c->t < o->end)
            lc_tally_add(&o->tally, calibration->scale * (double)logits[o->kind] + calibration->shift);
        i++;
    }
    if (c->decoder != NULL)
        lc_decoder_push(c->decoder, logits, lc_event_array_take, &c->fresh);
    c->t++;
}

/* Parts that begin behind the last frame are empty, but reported: for example the first part of an empty sound. */
static void count_end(counter *c)
{
    for (size_t k = 0; !c->failed && k < c->model->net->classes; k++)
        while (!c->failed && (c->parts != NULL || c->next[k] == 0) && c->from[k] != SIZE_MAX)
            open_next(c, k);
    /* a stream has an unknown end: a window may have begun for some classes only */
    for (size_t k = 0; !c->failed && k < c->model->net->classes; k++)
        while (!c->failed && c->next[k] < c->reported + c->rows_len)
            open_next(c, k);
    if (c->decoder != NULL)
        lc_decoder_end(c->decoder, lc_event_array_take, &c->fresh);
    give_events(c);
    while (!c->failed && c->open_len > 0)
        close_part(c, 0);
}

/* ---- one sound ---- */

static loco_status length_of(double *seconds, const lc_input *input, loco_err *err)
{
    double rate;
    *seconds = INFINITY;
    if (input->samples != NULL)
        *seconds = (double)input->samples->frames / input->samples->rate;
    else if (strcmp(input->path, "-") != 0)
        return lc_sound_length(input->path, seconds, &rate, err);
    return LOCO_OK;
}

/* Frames: until an event is certain, from the place of an event to the frame of its peak, and one for give_events. */
static loco_status open_decoder(counter *c, loco_err *err)
{
    bool wanted = false;
    for (size_t k = 0; k < c->model->net->classes; k++)
        wanted = wanted || c->model->count_calibration[k].detections;
    loco_status status = wanted ? lc_detect_decoder(&c->decoder, c->model, NULL, err) : LOCO_OK;
    if (status == LOCO_OK && wanted)
        c->wait = lc_decoder_frames(c->decoder) + c->decoder->reach + 2;
    return status;
}

static loco_status count_sound(counter *c, const lc_input *input, loco_err *err)
{
    size_t K = c->model->net->classes;
    c->next = calloc(K, sizeof *c->next);
    c->from = calloc(K, sizeof *c->from);
    loco_status status = c->next == NULL || c->from == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to count")
                                                            : LOCO_OK;
    if (status == LOCO_OK)
        status = length_of(&c->seconds, input, err);
    if (status == LOCO_OK)
        status = open_decoder(c, err);
    for (size_t k = 0; status == LOCO_OK && k < K; k++)
        look_ahead(c, k);
    if (status == LOCO_OK)
        status = lc_infer_run(c->model, input, count_frame, c, err);
    if (status == LOCO_OK)
        count_end(c);
    if (status == LOCO_OK && c->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to count in %.150s", lc_input_name(input));
    for (size_t i = 0; i < c->open_kept; i++)
        lc_tally_free(&c->open[i].tally);
    lc_decoder_free(c->decoder);
    lc_event_array_free(&c->fresh);
    free(c->open);
    free(c->rows);
    free(c->done);
    free(c->next);
    free(c->from);
    return status;
}

static loco_status check(const loco_tally_options *how, loco_err *err)
{
    double least = lc_tail_levels[0], most = lc_tail_levels[LC_TAILS - 1];
    bool level = how->interval >= least && how->interval <= most;
    if (!level && (how->interval < 0 || how->interval > 0 || isnan(how->interval)))
        return lc_err_set(err, LOCO_EARG, "an interval of %g; it must be from %g to %g", how->interval, least, most);
    if (!(how->every >= 0 && isfinite(how->every)) || (how->every > 0 && how->every < 0.05))
        return lc_err_set(err, LOCO_EARG, "windows of %g s; they must be 0.05 s or longer", how->every);
    if (how->label != NULL && how->label->lo > how->label->hi)
        return lc_err_set(err, LOCO_EARG, "the label %zu..%zu holds no count", how->label->lo, how->label->hi);
    return LOCO_OK;
}

static loco_status tally_input(counter *c, const lc_input *input, loco_err *err)
{
    lc_reader reader;
    loco_status status = check(c->how, err);
    if (status == LOCO_OK && c->model->frontend.ops->picture) {
        lc_tally_image image = {c->model, c->how, c->take, c->context};
        return lc_tally_image_whole(&image, input, err);
    }
    if (status == LOCO_OK && input->samples != NULL) { /* refuses invalid samples before their length is used */
        status = lc_reader_open(&reader, input, &c->model->frontend, err);
        if (status == LOCO_OK)
            lc_reader_close(&reader);
    }
    return status == LOCO_OK ? count_sound(c, input, err) : status;
}

loco_status loco_tally(loco_tally_take *take, void *context, const loco_model *model, const char *path,
                       const loco_tally_options *options, loco_err *err)
{
    loco_tally_options how;
    counter c = {.model = model, .how = &how, .file = path, .take = take, .context = context};
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_tally_options", err);
    lc_input_notice notice = {.notice = how.notice, .context = how.notice_context};
    lc_input input = {.path = path, .raw = how.raw, .notice = &notice};
    return status == LOCO_OK ? tally_input(&c, &input, err) : status;
}

loco_status loco_tally_samples(loco_tally_take *take, void *context, const loco_model *model,
                               const loco_samples *samples, const loco_tally_options *options, loco_err *err)
{
    loco_tally_options how;
    counter c = {.model = model, .how = &how, .take = take, .context = context};
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_tally_options", err);
    if (status == LOCO_OK && (samples == NULL || how.raw != NULL))
        status = lc_err_set(err, LOCO_EARG,
                            "counting in memory needs samples, and no raw format; pass samples, and raw NULL");
    return status == LOCO_OK ? tally_input(&c, &(lc_input){.samples = samples}, err) : status;
}

/* ---- the clips of a data set ---- */

static int by_start(const void *a, const void *b)
{
    const tally_part *x = a, *y = b;
    if (x->start < y->start || x->start > y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static loco_status check_lengths(const lc_dataset *set, loco_err *err)
{
    double *seconds = calloc(set->recordings_len + 1, sizeof *seconds), rate;
    loco_status status = seconds == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to count") : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len; i++)
        status = lc_sound_length(set->recordings[i].path, &seconds[i], &rate, err);
    if (status == LOCO_OK)
        status = lc_dataset_check_lengths(set, seconds, err);
    free(seconds);
    return status;
}

loco_status loco_tally_clips(loco_tally_take *take, void *context, const loco_model *model, const char *data,
                             const loco_tally_options *options, loco_err *err)
{
    lc_dataset *set = NULL;
    tally_part *parts = NULL;
    loco_tally_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_tally_options", err);
    if (status == LOCO_OK)
        status = check(&how, err);
    if (status == LOCO_OK)
        status = lc_dataset_load_for(&set, data, model->classes, model->net->classes, err);
    if (status == LOCO_OK && set->clips_len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s has no counts.csv, which says where clips begin and end", data);
    if (status == LOCO_OK)
        status = check_lengths(set, err);
    if (status == LOCO_OK && model->frontend.ops->picture) {
        lc_tally_image image = {model, &how, take, context};
        status = lc_tally_image_clips(&image, set, err);
        lc_dataset_free(set);
        return status;
    }
    if (status == LOCO_OK && (parts = calloc(set->clips_len, sizeof *parts)) == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu clips", set->clips_len);
    for (size_t r = 0; status == LOCO_OK && r < set->recordings_len; r++) {
        const lc_recording *recording = &set->recordings[r];
        counter c = {.model = model, .how = &how, .file = recording->name, .take = take, .context = context};
        for (size_t i = 0; i < set->clips_len; i++)
            if (set->clips[i].recording == r)
                parts[c.parts_len++] = (tally_part){set->clips[i].start, set->clips[i].end};
        qsort(parts, c.parts_len, sizeof *parts, by_start);
        c.parts = parts;
        lc_input_notice notice = {.notice = how.notice, .context = how.notice_context};
        status = count_sound(&c, &(lc_input){.path = recording->path, .notice = &notice}, err);
    }
    free(parts);
    lc_dataset_free(set);
    return status;
}

/* SPDX-License-Identifier: MIT
 * calibrate_image.c - calibration of a model of images: offsets in the plane, and thresholds.
 *
 * Offset. A count says that a thing is in the picture, not which of its points is its place: a network reports a nine at
 * its loop, a seven at its corner. With known positions: the mean distance, right and down, of detections from the events
 * that they match. Without: that from the centre of what is seen around them, the centroid of |pixel - ground| in a square
 * as wide as the gap of the decoding on each side; the ground is the median of the square's edge. The square is centred
 * anew on the centroid, three times in all. A class with few detections has the offset of all. Measured on canvases of ten
 * digits, 250 images to calibrate and 250 others to test: the mean distance from the centres fell from 4.30 to 2.00 pixels,
 * and to 3.71 with one offset for all classes.
 * Things that look the same from all sides (views=4 or 8) need no picture around them: in the image upside down the network is off
 * to the other side, so that half of the way from its detections there to those in the plain image is the offset. Cells in
 * crowds, where the square above holds others, too: mean distance 1.7 pixels, and F1
 * within 5 pixels .92 to .93, against 3.3 and .86 by the picture around.
 * Threshold. The one with the best F1 as estimated from the counts of clips (measure_count_sweep.c). */
#include "calibrate/calibrate_image.h"

#include "base/status.h"
#include "calibrate/measure.h"
#include "detect/detect_image.h"
#include "detect/infer.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 3, FEWEST = 10, FEWEST_PAIRS = 3 };
enum {
    MOST_TURNED = 2000
}; /* events of an image that are compared with those of the image upside down, from the top */
enum { LEAST_NEAR = 10, LEAST_REACH = 3, MOST_REACH = 48, WIDEST = 2 * MOST_REACH + 1 }; /* pixels */

/* From this uncertainty of an offset on, in pixels, the user is asked for a few positions. */
static const double unsure_from = 1;
static const double farthest = 60; /* as model files have them */

typedef struct image_state {
    const lc_calibration *calibration;
    lc_decoder *decoder;    /* at the lowest threshold, without offsets */
    double reach, near;     /* pixels around a detection that are looked at, and to the event that it matches */
    size_t groups;          /* of classes: K of one class each, or one of all */
    lc_plane_offset *seen;  /* (groups + 1) from the picture, the last for all classes */
    lc_plane_offset *known; /* (groups + 1) from known positions */
    size_t first;           /* point of sweeps that is tried */
    lc_count_sweep *sweeps; /* (groups) */
    lc_event_array *events; /* one a recording */
    lc_event_array *turned; /* the surer ones of the image upside down, as they lie in the plain one */
    float *window;          /* (WIDEST, WIDEST) */
    float *edge;            /* (4 WIDEST) */
} image_state;

static size_t group_of(const image_state *s, size_t kind)
{
    return s->groups == 1 ? 0 : kind;
}

static void add_offset(const image_state *s, lc_plane_offset *means, size_t kind, double x, double y)
{
    lc_plane_offset_add(&means[group_of(s, kind)], x, y);
    lc_plane_offset_add(&means[s->groups], x, y);
}

/* ---- offsets from the picture ---- */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* The median of the pixels at the edge of a window. */
static float ground_of(const image_state *s, size_t rows, size_t columns)
{
    size_t n = 0;
    for (size_t x = 0; x < columns; x++) {
        s->edge[n++] = s->window[x];
        s->edge[n++] = s->window[(rows - 1) * columns + x];
    }
    for (size_t y = 0; y < rows; y++) {
        s->edge[n++] = s->window[y * columns];
        s->edge[n++] = s->window[y * columns + columns - 1];
    }
    qsort(s->edge, n, sizeof *s->edge, by_value);
    return s->edge[n / 2];
}

/* The pixels within reach of a position, in one direction. */
static size_t range_of(double at, double reach, size_t len, size_t *n)
{
    double first = fmin(fmax(ceil(at - reach), 0), (double)len), end = floor(at + reach) + 1;
    *n = (size_t)fmax(fmin(end, (double)len) - first, 0);
    return (size_t)first;
}

/* Moves a position to the centroid of what stands out of the ground around it; false: nothing does. */
static bool find_centre(const image_state *s, const lc_image *image, double *x, double *y)
{
    size_t rows, columns, top = range_of(*y, s->reach, image->height, &rows);
    size_t left = range_of(*x, s->reach, image->width, &columns);
    double sum = 0, across = 0, down = 0;
    if (rows == 0 || columns == 0)
        return false;
    for (size_t r = 0; r < rows; r++)
        lc_image_row(image, top + r, (ptrdiff_t)left, columns, 1, s->window + r * columns);
    float ground = ground_of(s, rows, columns);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            double value = fabs((double)(s->window[r * columns + c] - ground));
            sum += value;
            across += value * (double)c;
            down += value * (double)r;
        }
    if (!(sum > 0))
        return false;
    *x = (double)left + across / sum;
    *y = (double)top + down / sum;
    return true;
}

/* Adds the distances of the surer detections from the centres of what is seen around them. */
static void add_seen(image_state *s, const lc_image *image, const lc_event_array *events)
{
    for (size_t i = 0; i < events->len; i++) {
        const loco_event *event = &events->events[i];
        double x = event->x, y = event->time;
        bool seen = event->probability >= LC_CALIBRATION_SURE;
        for (int round = 0; seen && round < ROUNDS; round++)
            seen = find_centre(s, image, &x, &y);
        if (seen)
            add_offset(s, s->seen, event->kind, event->x - x, event->time - y);
    }
}

/* ---- offsets from known positions ---- */

/* The likelier events of an image that has positions. */
static loco_status add_pairing(lc_plane_pairing *pairing, lc_event_array *sure, const loco_event *truth,
                               size_t truth_len, const lc_event_array *found, loco_err *err)
{
    for (size_t i = 0; i < found->len; i++)
        if (found->events[i].probability >= LC_CALIBRATION_TIMED)
            lc_event_array_add(sure, &found->events[i]);
    if (sure->failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    *pairing = (lc_plane_pairing){truth, sure->events, truth_len, sure->len};
    return LOCO_OK;
}

/* Twice the offset may be more than things are apart. */
static loco_status begin_turned(const image_state *s, lc_plane_offset *offsets, lc_plane_pairing *pairings, size_t n,
                                loco_err *err)
{
    double x = 0, y = 0;
    for (size_t i = 0; i < n; i++) {
        pairings[i].truth_len = pairings[i].truth_len < MOST_TURNED ? pairings[i].truth_len : MOST_TURNED;
        pairings[i].found_len = pairings[i].found_len < MOST_TURNED ? pairings[i].found_len : MOST_TURNED;
    }
    loco_status status = lc_plane_usual_way(&x, &y, pairings, n, 2 * s->near, err);
    for (size_t g = 0; g <= s->groups; g++)
        offsets[g] = (lc_plane_offset){.x = x, .y = y};
    return status;
}

/* How far detections are from known positions, or, with `turned`, from those in the image upside down. */
static loco_status match_all(image_state *s, lc_plane_offset *offsets, bool turned, loco_err *err)
{
    const lc_dataset *set = s->calibration->set;
    size_t n = 0;
    lc_plane_pairing *pairings = calloc(set->recordings_len + 1, sizeof *pairings);
    lc_event_array *sure = calloc(set->recordings_len + 1, sizeof *sure);
    loco_status status = pairings == NULL || sure == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                                          : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < set->recordings_len; i++) {
        const lc_recording *r = &set->recordings[i];
        if (turned)
            status = add_pairing(&pairings[n], &sure[n], s->turned[i].events, s->turned[i].len, &s->events[i], err);
        else if (r->timed)
            status = add_pairing(&pairings[n], &sure[n], r->events, r->events_len, &s->events[i], err);
        n += turned || r->timed;
    }
    if (status == LOCO_OK && turned)
        status = begin_turned(s, offsets, pairings, n, err);
    if (status == LOCO_OK)
        status = lc_plane_offsets(offsets, s->groups, pairings, n, s->near, err);
    for (size_t i = 0; sure != NULL && i < n; i++)
        lc_event_array_free(&sure[i]);
    free(pairings);
    free(sure);
    return status;
}

/* ---- offsets from the image upside down ---- */

static bool from_all_sides(const loco_model *model)
{
    return model->frontend.views >= 4;
}

static void turn_over(lc_image *image)
{
    size_t pixel = image->channels * image->bytes, n = image->height * image->width;
    for (size_t i = 0; i < n / 2; i++)
        for (size_t b = 0; b < pixel; b++) {
            unsigned char *x = image->values + i * pixel + b, *y = image->values + (n - 1 - i) * pixel + b, kept = *x;
            *x = *y;
            *y = kept;
        }
}

/* Turns the image over. */
static loco_status read_turned(image_state *s, size_t recording, lc_image *image, loco_err *err)
{
    lc_logits logits = {0};
    lc_event_array found = {0};
    turn_over(image);
    loco_status status = lc_infer_image(&logits, s->calibration->model, image, (lc_shift){0, 0}, 1, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(s->decoder, logits.data, logits.T, logits.columns, &found, err);
    for (size_t i = found.len; i-- > 0;) { /* from top to bottom again */
        loco_event event = found.events[i];
        event.x = (double)image->width - 1 - event.x;
        event.time = (double)image->height - 1 - event.time;
        if (event.probability >= LC_CALIBRATION_TIMED)
            lc_event_array_add(&s->turned[recording], &event);
    }
    if (status == LOCO_OK && s->turned[recording].failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    lc_event_array_free(&found);
    free(logits.data);
    return status;
}

static loco_status match_turned(image_state *s, loco_err *err)
{
    loco_status status = match_all(s, s->seen, true, err);
    for (size_t g = 0; g <= s->groups; g++) {
        s->seen[g].x /= 2;
        s->seen[g].y /= 2;
        s->seen[g].squares /= 4;
    }
    return status;
}

/* ---- reading images ---- */

static loco_status read_image(image_state *s, size_t recording, loco_err *err)
{
    const loco_model *model = s->calibration->model;
    const char *path = s->calibration->set->recordings[recording].path;
    lc_image image;
    lc_logits logits = {0};
    loco_status status = lc_image_load(&image, path, err);
    if (status != LOCO_OK)
        return status;
    status = lc_infer_logits(&logits, model, &(lc_input){.path = path}, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(s->decoder, logits.data, logits.T, logits.columns, &s->events[recording], err);
    if (status == LOCO_OK && !from_all_sides(model))
        add_seen(s, &image, &s->events[recording]);
    else if (status == LOCO_OK)
        status = read_turned(s, recording, &image, err);
    free(logits.data);
    lc_image_free(&image);
    return status;
}

/* Images up to most_seconds rows in all; *last: behind the last that was read. */
static loco_status read_images(image_state *s, uint8_t *read, loco_err *err)
{
    const lc_calibration *c = s->calibration;
    double left = c->most_seconds;
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < c->set->recordings_len && left > 1; i++) {
        if (c->recordings != NULL && !c->recordings[i])
            continue;
        status = read_image(s, i, err);
        read[i] = 1;
        left -= lc_sounds_seconds(c->sounds, i);
    }
    return status;
}

/* ---- results ---- */

static void set_group(const image_state *s, double *values, size_t group, double value)
{
    for (size_t k = 0; k < s->calibration->model->net->classes; k++)
        values[k] = group_of(s, k) == group ? value : values[k];
}

/* "+1.2 -0.3 pixels", with points in every locale. */
static void put_pixels(lc_text *out, double x, double y)
{
    lc_text_string(out, x <= -0.05 ? "" : "+");
    lc_text_fixed(out, x, 1);
    lc_text_string(out, y <= -0.05 ? " " : " +");
    lc_text_fixed(out, y, 1);
    lc_text_string(out, " pixels");
}

/* Sets the offset of a group from its own detections, or else from those of all. */
static void set_offset(const image_state *s, size_t group, lc_text *findings, bool *unsure)
{
    loco_model *model = s->calibration->model;
    bool timed = s->known[s->groups].n >= FEWEST_PAIRS;
    const lc_plane_offset *means = timed ? s->known : s->seen, *own = &means[group];
    size_t fewest = timed ? FEWEST_PAIRS : FEWEST;
    const lc_plane_offset *used = own->n >= fewest ? own : &means[s->groups];
    if (used->n < fewest) {
        lc_text_format(findings, "offset unknown (%zu detections)", own->n);
        return;
    }
    double x = fmin(fmax(used->x, -farthest), farthest), y = fmin(fmax(used->y, -farthest), farthest);
    set_group(s, model->offsets_x, group, x);
    set_group(s, model->offsets, group, y);
    lc_text_string(findings, "offset ");
    put_pixels(findings, x, y);
    if (used != own)
        lc_text_format(findings, " as for all classes (%zu %s of its own)", own->n, timed ? "events" : "detections");
    else
        lc_text_format(findings, "%s %zu %s",
                       timed                   ? " from"
                       : from_all_sides(model) ? " from the image upside down and"
                                               : " from the picture around",
                       own->n, timed ? "known positions" : "detections");
    lc_text_string(findings, ", uncertain by ");
    lc_text_fixed(findings, lc_plane_offset_uncertainty(used), 1);
    *unsure = *unsure || lc_plane_offset_uncertainty(used) > unsure_from;
}

/* Positions of all candidates as the calibrated model reports them. */
static void shift_events(const image_state *s)
{
    const loco_model *model = s->calibration->model;
    for (size_t i = 0; i < s->calibration->set->recordings_len; i++)
        for (size_t j = 0; j < s->events[i].len; j++) {
            loco_event *event = &s->events[i].events[j];
            event->time = fmax(0, event->time - model->offsets[event->kind]);
            event->x = fmax(0, event->x - model->offsets_x[event->kind]);
        }
}

static loco_status add_clips(const image_state *s, const uint8_t *read, loco_err *err)
{
    const lc_dataset *set = s->calibration->set;
    const lc_count_clip all = {-INFINITY, INFINITY};
    lc_event_array inside = {0};
    for (size_t i = 0; i < set->clips_len; i++) {
        const lc_clip *clip = &set->clips[i];
        const lc_event_array *found = &s->events[clip->recording];
        lc_plane_box box = lc_clip_box(clip, lc_sounds_seconds(s->calibration->sounds, clip->recording));
        inside.len = 0;
        for (size_t e = 0; e < found->len; e++)
            if (lc_box_holds(&box, &found->events[e]))
                lc_event_array_add(&inside, &found->events[e]);
        for (size_t k = 0; read[clip->recording] && k < s->calibration->model->net->classes; k++)
            if (clip->labels[k].lo == clip->labels[k].hi)
                lc_count_sweep_add(&s->sweeps[group_of(s, k)], &inside, k, all, (double)clip->labels[k].lo);
    }
    bool failed = inside.failed;
    lc_event_array_free(&inside);
    return failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate") : LOCO_OK;
}

static void set_threshold(const image_state *s, size_t group, lc_text *findings)
{
    double *thresholds = s->calibration->model->thresholds;
    bool kept = s->calibration->keep_thresholds, counts = !kept && s->sweeps[group].clips > 0;
    if (counts)
        set_group(s, thresholds, group, lc_count_sweep_best(&s->sweeps[group], s->first));
    lc_text_string(findings, "; threshold ");
    lc_text_fixed(findings, thresholds[group], 2);
    if (counts)
        lc_text_format(findings, " from %zu counts\n", s->sweeps[group].clips);
    else
        lc_text_string(findings, kept ? " as set\n" : " as before\n");
}

static loco_status set_all(image_state *s, const uint8_t *read, lc_text *findings, loco_err *err)
{
    const loco_model *model = s->calibration->model;
    lc_text *lines = calloc(s->groups, sizeof *lines);
    bool unsure = false;
    if (lines == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    for (size_t g = 0; g < s->groups; g++)
        set_offset(s, g, &lines[g], &unsure);
    shift_events(s);
    loco_status status = add_clips(s, read, err);
    for (size_t g = 0; g < s->groups; g++) {
        if (s->groups < model->net->classes)
            lc_text_format(findings, "all %zu classes: ", model->net->classes);
        else
            lc_text_format(findings, "%s: ", model->classes[g]);
        set_threshold(s, g, &lines[g]);
        lc_text_append(findings, lines[g].bytes != NULL ? lines[g].bytes : "", lines[g].length);
        findings->failed |= lines[g].failed;
        lc_text_free(&lines[g]);
    }
    free(lines);
    if (unsure)
        lc_text_string(findings, "positions are not certain: note those of the events of five images in an events.csv "
                                 "(file,x,y,class), and run loco calibrate -m MODEL DATA with it\n");
    if (status == LOCO_OK && findings->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    return status;
}

/* ---- all of it ---- */

static bool pooled(const lc_calibration *c)
{
    return c->pooling == LC_POOL_ALL || (c->pooling == LC_POOL_DEFAULT && c->model->net->classes > LC_POOL_CLASSES);
}

static loco_status begin(image_state *s, loco_err *err)
{
    const loco_model *model = s->calibration->model;
    lc_decoding decoding = model->decoding;
    s->reach = fmin(fmax(decoding.gap, LEAST_REACH), MOST_REACH);
    s->near = fmax(decoding.gap, LEAST_NEAR);
    s->first = model->frontend.ops->faint ? 0 : LC_COUNT_SWEEP_FAINT;
    decoding.threshold = lc_count_sweep_threshold(s->first);
    s->groups = pooled(s->calibration) ? 1 : model->net->classes;
    s->seen = calloc(s->groups + 1, sizeof *s->seen);
    s->known = calloc(s->groups + 1, sizeof *s->known);
    s->sweeps = calloc(s->groups, sizeof *s->sweeps);
    s->events = calloc(s->calibration->set->recordings_len, sizeof *s->events);
    s->turned = calloc(s->calibration->set->recordings_len, sizeof *s->turned);
    s->window = malloc((size_t)WIDEST * WIDEST * sizeof *s->window);
    s->edge = malloc((size_t)4 * WIDEST * sizeof *s->edge);
    if (s->seen == NULL || s->known == NULL || s->sweeps == NULL || s->events == NULL || s->turned == NULL ||
        s->window == NULL || s->edge == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    loco_status status = lc_decoder_new(&s->decoder, &decoding, model->net->classes, lc_detect_hop(model), NULL, NULL,
                                        err);
    if (status == LOCO_OK)
        lc_decoder_widen(s->decoder, model->net->places, NULL);
    return status;
}

static void end(image_state *s)
{
    for (size_t i = 0; s->events != NULL && i < s->calibration->set->recordings_len; i++)
        lc_event_array_free(&s->events[i]);
    for (size_t i = 0; s->turned != NULL && i < s->calibration->set->recordings_len; i++)
        lc_event_array_free(&s->turned[i]);
    lc_decoder_free(s->decoder);
    free(s->seen);
    free(s->known);
    free(s->sweeps);
    free(s->events);
    free(s->turned);
    free(s->window);
    free(s->edge);
}

loco_status lc_calibrate_image(const lc_calibration *calibration, lc_text *findings, loco_err *err)
{
    image_state s = {.calibration = calibration};
    uint8_t *read = calloc(calibration->set->recordings_len + 1, 1);
    loco_status status = read == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate") : begin(&s, err);
    if (status == LOCO_OK)
        status = read_images(&s, read, err);
    if (status == LOCO_OK && !calibration->blind)
        status = match_all(&s, s.known, false, err);
    if (status == LOCO_OK && from_all_sides(calibration->model))
        status = match_turned(&s, err);
    if (status == LOCO_OK)
        status = set_all(&s, read, findings, err);
    end(&s);
    free(read);
    return status;
}

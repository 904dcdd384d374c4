/* SPDX-License-Identifier: MIT
 * measure_offset.c - how late a model's events are, from reference times.
 *
 * The differences of all pairs of a reference and an estimated event within 550 ms have a histogram whose highest peak is
 * the offset; spoken words are reported half a second late. Periodic events have a peak for each period, so that of all
 * peaks that reach 0.8 of the highest one the smallest shift is taken. The mean of the errors within 50 ms of it, one for
 * each reference event, is the offset; it is moved there and taken again until it stays. The peak alone would also work,
 * but wastes data.
 *
 * Measured on 800 events with 10 % missed, 5 % invented and 5 ms of scatter, 100 to 300 ms apart and -40 to 40 ms late:
 * the largest error is 0.33 ms (test_measure_offset.c). */
#include "base/mem.h"
#include "base/status.h"
#include "calibrate/measure.h"
#include "eval/by_class.h"
#include "eval/score.h"

#include <math.h>
#include <stdlib.h>

static const double wide = 0.55, narrow = 0.05, alike = 0.8;

/* Bins of the histogram, smoothed by a Gaussian of 3 bins; offsets up to FARTHEST bins. */
enum { BINS = 221, MIDDLE = BINS / 2, FARTHEST = 100, REACH = 9, ROUNDS = 8 };
static const double bin = 0.005, width = 3; /* seconds, bins */

typedef struct pair_error {
    double error;
    size_t reference; /* its number; pairs of one are in a row */
} pair_error;

typedef struct list {
    pair_error *errors;
    size_t len, capacity;
} list;

struct lc_offset {
    size_t classes;
    list *lists; /* (classes + 1), the last for all classes together */
    lc_by_class reference, estimate;
    size_t references; /* events so far */
};

loco_status lc_offset_new(lc_offset **offset, size_t classes, loco_err *err)
{
    if (offset == NULL || classes < 1 || classes > LC_CLASSES_MAX)
        return lc_err_set(err, LOCO_EARG, "offset must not be NULL, and classes from 1 to %d", LC_CLASSES_MAX);
    lc_offset *made = calloc(1, sizeof *made);
    list *lists = calloc(classes + 1, sizeof *lists);
    if (made == NULL || lists == NULL) {
        free(made);
        free(lists);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the offsets of %zu classes", classes);
    }
    made->classes = classes;
    made->lists = lists;
    *offset = made;
    return LOCO_OK;
}

void lc_offset_free(lc_offset *offset)
{
    if (offset == NULL)
        return;
    for (size_t k = 0; k <= offset->classes; k++)
        free(offset->lists[k].errors);
    lc_by_class_free(&offset->reference);
    lc_by_class_free(&offset->estimate);
    free(offset->lists);
    free(offset);
}

/* Room for `more` errors behind those that are there. */
static bool list_reserve(list *l, size_t more)
{
    if (more <= l->capacity - l->len)
        return true;
    size_t capacity = l->capacity < SIZE_MAX / 2 ? 2 * l->capacity : SIZE_MAX, bytes;
    if (more > SIZE_MAX - l->len)
        return false;
    capacity = capacity < l->len + more ? l->len + more : capacity;
    pair_error *errors = lc_size_mul(capacity, sizeof *errors, &bytes) ? realloc(l->errors, bytes) : NULL;
    if (errors == NULL)
        return false;
    l->errors = errors;
    l->capacity = capacity;
    return true;
}

/* Pairs of class k within reach; those of the reference event i are from..to - 1 of its estimates. */
static size_t pairs_of(const lc_offset *offset, size_t k, size_t i, size_t *from, size_t *to)
{
    const lc_by_class *r = &offset->reference, *e = &offset->estimate;
    double time = r->time[i];
    while (*from < e->start[k + 1] && e->time[*from] < time - wide)
        ++*from;
    *to = *to > *from ? *to : *from;
    while (*to < e->start[k + 1] && e->time[*to] <= time + wide)
        ++*to;
    return *to - *from;
}

/* All memory that the recording can need, so that adding it cannot fail half way. */
static bool reserve(lc_offset *offset)
{
    size_t all = 0;
    for (size_t k = 0; k < offset->classes; k++) {
        size_t from = offset->estimate.start[k], to = from, n = 0;
        for (size_t i = offset->reference.start[k]; i < offset->reference.start[k + 1]; i++)
            n += pairs_of(offset, k, i, &from, &to);
        if (!list_reserve(&offset->lists[k], n))
            return false;
        all += n;
    }
    return list_reserve(&offset->lists[offset->classes], all);
}

loco_status lc_offset_add(lc_offset *offset, const loco_event *reference, size_t n, const loco_event *estimate,
                          size_t m, loco_err *err)
{
    if (offset == NULL)
        return lc_err_set(err, LOCO_EARG, "offset must not be NULL");
    loco_status status = lc_by_class_set(&offset->reference, offset->classes, reference, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_by_class_set(&offset->estimate, offset->classes, estimate, m, "estimated", err);
    if (status != LOCO_OK)
        return status;
    if (!reserve(offset))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n);
    list *all = &offset->lists[offset->classes];
    for (size_t k = 0; k < offset->classes; k++) {
        list *l = &offset->lists[k];
        size_t from = offset->estimate.start[k], to = from;
        for (size_t i = offset->reference.start[k]; i < offset->reference.start[k + 1]; i++) {
            pairs_of(offset, k, i, &from, &to);
            for (size_t j = from; j < to; j++)
                l->errors[l->len++] = all->errors[all->len++] = (pair_error){
                    offset->estimate.time[j] - offset->reference.time[i], offset->references + i};
        }
    }
    offset->references += n;
    return LOCO_OK;
}

/* ---- the peak ---- */

static void fill(double smooth[BINS], const list *l)
{
    double raw[BINS] = {0};
    for (size_t i = 0; i < l->len; i++) {
        double place = nearbyint(l->errors[i].error / bin) + MIDDLE;
        if (place >= 0 && place < BINS)
            raw[(size_t)place]++;
    }
    for (int i = 0; i < BINS; i++) {
        smooth[i] = 0;
        for (int d = -REACH; d <= REACH; d++)
            smooth[i] += i + d >= 0 && i + d < BINS ? exp(-0.5 * d * d / (width * width)) * raw[i + d] : 0;
    }
}

/* The highest of its neighbours within `narrow`. */
static bool is_peak(const double smooth[BINS], int i)
{
    int reach = (int)nearbyint(narrow / bin);
    for (int d = -reach; d <= reach; d++)
        if (i + d >= 0 && i + d < BINS && smooth[i + d] > smooth[i])
            return false;
    return true;
}

static double highest(const double smooth[BINS])
{
    double most = 0;
    for (int i = MIDDLE - FARTHEST; i <= MIDDLE + FARTHEST; i++)
        most = fmax(most, smooth[i]);
    return most;
}

/* The peak with the smallest shift among those that are nearly as high as the highest. */
static double find_peak(const list *l)
{
    double smooth[BINS], most;
    fill(smooth, l);
    most = highest(smooth);
    for (int d = 0; d <= FARTHEST; d++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int i = MIDDLE + sign * d;
            if (smooth[i] >= alike * most && is_peak(smooth, i))
                return (i - MIDDLE) * bin;
        }
    return 0;
}

/* Mean and spread of the errors within `narrow` of the centre, of each reference event the nearest one. */
static lc_offset_row mean_around(const list *l, double centre)
{
    lc_offset_row out = {.all = l->len};
    double squares = 0;
    for (size_t i = 0, to; i < l->len; i = to) {
        double best = l->errors[i].error;
        for (to = i + 1; to < l->len && l->errors[to].reference == l->errors[i].reference; to++)
            best = fabs(l->errors[to].error - centre) < fabs(best - centre) ? l->errors[to].error : best;
        if (fabs(best - centre) > narrow)
            continue;
        double error = best - out.offset;
        out.pairs++;
        out.offset += error / (double)out.pairs;
        squares += error * (best - out.offset);
    }
    out.spread = out.pairs > 0 ? sqrt(squares / (double)out.pairs) : 0;
    return out;
}

loco_status lc_offset_read(lc_offset *offset, size_t kind, lc_offset_row *row, loco_err *err)
{
    if (offset == NULL || row == NULL || (kind != LC_ALL_KINDS && kind >= offset->classes))
        return lc_err_set(err, LOCO_EARG, "offset and row must not be NULL, and class %zu must exist", kind);
    list *l = &offset->lists[kind == LC_ALL_KINDS ? offset->classes : kind];
    lc_offset_row out = {.all = l->len};
    double centre = l->len > 0 ? find_peak(l) : 0;
    for (int round = 0; l->len > 0 && round < ROUNDS; round++) {
        out = mean_around(l, centre);
        centre = out.pairs > 0 ? out.offset : centre;
    }
    *row = out;
    return LOCO_OK;
}

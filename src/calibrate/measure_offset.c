/* SPDX-License-Identifier: MIT
 * measure_offset.c - how late a model's events are, from reference times.
 *
 * Events are matched within a wide 150 ms, since the offset is not known yet; the median of the errors finds the
 * largest group, whatever the outliers; and the mean of those within 50 ms of the median is the offset. The median
 * alone would also work, but wastes data: its variance is 1.57 times that of the mean.
 *
 * How dense events may be, measured on 200 events with 10 % missed, 5 % invented and 5 ms of scatter (40 repetitions,
 * offsets of -40 to 40 ms, the largest error): spacing 101 ms 1.9 ms, 132 ms 1.7 ms, 290 ms 1.4 ms. At 78 ms an offset
 * of 40 ms is half a period, and is found a whole period off. */
#include "base/mem.h"
#include "base/status.h"
#include "calibrate/measure.h"
#include "eval/by_class.h"
#include "eval/match.h"
#include "eval/score.h"

#include <math.h>
#include <stdlib.h>

static const double wide = 0.15, narrow = 0.05;

typedef struct list {
    double *errors;
    size_t len, capacity;
} list;

struct lc_offset {
    size_t classes;
    list *lists; /* (classes + 1), the last for all classes together */
    lc_by_class reference, estimate;
    lc_block pairs;
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
    lc_block_free(&offset->pairs);
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
    double *errors = lc_size_mul(capacity, sizeof *errors, &bytes) ? realloc(l->errors, bytes) : NULL;
    if (errors == NULL)
        return false;
    l->errors = errors;
    l->capacity = capacity;
    return true;
}

/* All memory that the recording can need, so that adding it cannot fail half way. */
static bool reserve(lc_offset *offset, size_t n)
{
    bool enough = lc_block_reserve(&offset->pairs, n * sizeof(size_t)) &&
                  list_reserve(&offset->lists[offset->classes], n);
    for (size_t k = 0; k < offset->classes && enough; k++)
        enough = list_reserve(&offset->lists[k], lc_by_class_len(&offset->reference, k));
    return enough;
}

loco_status lc_offset_add(lc_offset *offset, const loco_event *reference, size_t n, const loco_event *estimate,
                          size_t m, loco_err *err)
{
    if (offset == NULL)
        return lc_err_set(err, LOCO_EARG, "offset must not be NULL");
    const lc_by_class *r = &offset->reference, *e = &offset->estimate;
    loco_status status = lc_by_class_set(&offset->reference, offset->classes, reference, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_by_class_set(&offset->estimate, offset->classes, estimate, m, "estimated", err);
    if (status != LOCO_OK)
        return status;
    if (!reserve(offset, n))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n);
    list *all = &offset->lists[offset->classes];
    for (size_t k = 0; k < offset->classes; k++) {
        size_t *pair = offset->pairs.data, len = lc_by_class_len(r, k);
        const double *from = r->time + r->start[k], *to = e->time + e->start[k];
        list *l = &offset->lists[k];
        lc_match(from, len, to, lc_by_class_len(e, k), wide, pair);
        for (size_t i = 0; i < len; i++) {
            if (pair[i] != LC_UNMATCHED)
                l->errors[l->len++] = all->errors[all->len++] = to[pair[i]] - from[i];
        }
    }
    return LOCO_OK;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Sorts the list; it is not empty. */
static double median(list *l)
{
    qsort(l->errors, l->len, sizeof *l->errors, compare);
    return (l->errors[(l->len - 1) / 2] + l->errors[l->len / 2]) / 2;
}

loco_status lc_offset_read(lc_offset *offset, size_t kind, lc_offset_row *row, loco_err *err)
{
    if (offset == NULL || row == NULL || (kind != LC_ALL_KINDS && kind >= offset->classes))
        return lc_err_set(err, LOCO_EARG, "offset and row must not be NULL, and class %zu must exist", kind);
    list *l = &offset->lists[kind == LC_ALL_KINDS ? offset->classes : kind];
    lc_offset_row out = {.all = l->len};
    if (l->len > 0) {
        double centre = median(l), squares = 0;
        for (size_t i = 0; i < l->len; i++) {
            double error = l->errors[i] - out.offset;
            if (fabs(l->errors[i] - centre) > narrow)
                continue;
            out.pairs++;
            out.offset += error / (double)out.pairs;
            squares += error * (l->errors[i] - out.offset);
        }
        out.spread = out.pairs > 0 ? sqrt(squares / (double)out.pairs) : 0;
    }
    *row = out;
    return LOCO_OK;
}

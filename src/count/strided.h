/* SPDX-License-Identifier: MIT
 * strided.h - an array of floats or doubles with a stride, read and written as doubles. */
#ifndef LC_COUNT_STRIDED_H
#define LC_COUNT_STRIDED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lc_strided {
    void *data;    /* NULL: nothing is written */
    size_t stride; /* in elements */
    bool single;   /* float */
} lc_strided;

lc_strided lc_strided_float(const float *data, size_t stride);
lc_strided lc_strided_double(const double *data);

/* n elements from begin on, to and from doubles `step` apart. */
void lc_strided_read(const lc_strided *s, size_t begin, size_t n, double *to, size_t step);
void lc_strided_write(const lc_strided *s, size_t begin, size_t n, const double *from, size_t step);

/* The largest |element| of n, +inf for infinite ones; *nan_at becomes the first NaN, or n. */
double lc_strided_reach(const lc_strided *s, size_t n, size_t *nan_at);

#endif

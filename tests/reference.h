/* SPDX-License-Identifier: MIT
 * reference.h - slow and obvious count mathematics that the tests compare with.
 *   Brute force adds up all subsets of the frames. The recursion runs over all bins in long double, 64 bits of
 *   mantissa and exponents to 1e4932, so that 2000 frames leave an error near 1e-16 and nothing underflows. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "loco.h"

#include <math.h>
#include <stdlib.h>

typedef long double wide;

static inline wide ref_sigmoid(double z)
{
    return 1 / (1 + expl(-(wide)z));
}

static inline int ref_in(loco_label label, size_t k)
{
    return k >= label.lo && k <= label.hi;
}

/* -log P(label) and P(E_t | label), by adding up all 2^T sets of events. */
static inline void ref_brute(const double *z, size_t T, loco_label label, double *loss, double *posterior)
{
    wide total = 0, with[16] = {0};
    for (unsigned set = 0; set < 1u << T; set++) {
        wide p = 1;
        size_t k = 0;
        for (size_t t = 0; t < T; t++) {
            int event = set >> t & 1;
            k += (size_t)event;
            p *= ref_sigmoid(event ? z[t] : -z[t]);
        }
        if (!ref_in(label, k))
            continue;
        total += p;
        for (size_t t = 0; t < T; t++)
            with[t] += set >> t & 1 ? p : 0;
    }
    *loss = (double)-logl(total);
    for (size_t t = 0; t < T; t++)
        posterior[t] = (double)(with[t] / total);
}

/* The same by the full recursion forward and backward. */
static inline void ref_recursion(const double *z, size_t T, loco_label label, double *loss, double *posterior)
{
    size_t bins = T + 2;
    wide *a = calloc((T + 1) * bins, sizeof *a), *b = calloc(bins, sizeof *b), total = 0;
    a[0] = 1;
    for (size_t t = 0; t < T; t++) {
        wide p = ref_sigmoid(z[t]), q = ref_sigmoid(-z[t]);
        for (size_t k = 0; k <= t + 1; k++)
            a[(t + 1) * bins + k] = q * a[t * bins + k] + (k > 0 ? p * a[t * bins + k - 1] : 0);
    }
    for (size_t k = 0; k <= T; k++) {
        b[k] = ref_in(label, k);
        total += b[k] * a[T * bins + k];
    }
    for (size_t t = T; t-- > 0;) {
        wide p = ref_sigmoid(z[t]), q = ref_sigmoid(-z[t]), with = 0;
        for (size_t k = 0; k <= t; k++) {
            with += a[t * bins + k] * p * b[k + 1];
            b[k] = q * b[k] + p * b[k + 1];
        }
        posterior[t] = (double)(with / total);
    }
    *loss = (double)-logl(total);
    free(a);
    free(b);
}

#endif

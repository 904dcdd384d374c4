/* SPDX-License-Identifier: MIT
 * reference.h - slow and obvious count mathematics that the tests compare with.
 *   Brute force adds up all subsets of the frames. The recursion runs over all bins in long double, 64 bits of
 *   mantissa and exponents to 1e4932, so that 2000 frames leave an error near 1e-16 and nothing underflows. Equal
 *   frames have a binomial count, whose logarithm is a closed form at any length. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "loco.h"

#include <math.h>
#include <stdlib.h>

enum { REF_BRUTE_MAX = 16 }; /* frames that brute force can take */

typedef long double wide;

static inline wide ref_sigmoid(double z)
{
    return 1 / (1 + expl(-(wide)z));
}

static inline wide ref_softplus(double z)
{
    return fmaxl(z, 0) + log1pl(expl(-fabsl(z)));
}

static inline int ref_in(loco_label label, size_t k)
{
    return k >= label.lo && k <= label.hi;
}

/* -log P(label) and P(E_t | label), by adding up all 2^T sets of events. */
static inline void ref_brute(const double *z, size_t T, loco_label label, double *loss, double *posterior)
{
    wide total = 0, with[REF_BRUTE_MAX] = {0}, weight[REF_BRUTE_MAX][2];
    for (size_t t = 0; t < T; t++) {
        weight[t][0] = ref_sigmoid(-z[t]);
        weight[t][1] = ref_sigmoid(z[t]);
    }
    for (unsigned set = 0; set < 1u << T; set++) {
        wide p = 1;
        size_t k = 0;
        for (size_t t = 0; t < T; t++) {
            unsigned event = set >> t & 1;
            k += event;
            p *= weight[t][event];
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

/* pmf[0..T], all bins. */
static inline void ref_pmf(const double *z, size_t T, wide *pmf)
{
    pmf[0] = 1;
    for (size_t t = 0; t < T; t++) {
        wide p = ref_sigmoid(z[t]), q = ref_sigmoid(-z[t]);
        pmf[t + 1] = p * pmf[t];
        for (size_t k = t; k > 0; k--)
            pmf[k] = q * pmf[k] + p * pmf[k - 1];
        pmf[0] *= q;
    }
}

/* What ref_brute does, by the full recursion forward and backward. */
static inline void ref_recursion(const double *z, size_t T, loco_label label, double *loss, double *posterior)
{
    size_t bins = T + 2;
    wide *a = calloc((T + 1) * bins, sizeof *a), *b = calloc(bins, sizeof *b), total = 0;
    if (a == NULL || b == NULL)
        abort();
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

/* log n! - log(sqrt(2 pi n) (n / e)^n) */
static inline wide ref_stirling(wide n)
{
    if (n < 30)
        return lgammal(n + 1) - (0.5L * logl(2 * 3.14159265358979323846L * n) + n * logl(n) - n);
    wide r = 1 / n, rr = r * r;
    return r / 12 - r * rr / 360 + r * rr * rr / 1260 - r * rr * rr * rr / 1680;
}

/* log P(Y = k) when all T frames have logit z; Loader's form, in which nothing large cancels: two deviances and
 * Stirling's remainders. */
static inline wide ref_log_binomial(size_t T, size_t k, double z)
{
    wide p = ref_sigmoid(z), q = ref_sigmoid(-z), n = (wide)T, x = (wide)k, y = (wide)(T - k);
    if (k == 0)
        return -n * ref_softplus(z);
    if (k == T)
        return -n * ref_softplus(-z);
    wide deviance = x * logl(x / (n * p)) + n * p - x + y * logl(y / (n * q)) + n * q - y;
    return ref_stirling(n) - ref_stirling(x) - ref_stirling(y) - deviance +
           0.5L * (logl(n) - logl(2 * 3.14159265358979323846L) - logl(x) - logl(y));
}

#endif

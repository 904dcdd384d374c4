/* SPDX-License-Identifier: MIT
 * select.c - the n-th largest of many numbers, by quickselect with Hoare's partition.
 *   The pivot is random, so that no order of the numbers is slow, and never the last element, so that both parts get
 *   smaller. The seed is fixed: the same numbers take the same steps. */
#include "count/select.h"

#include "base/rng.h"

double lc_select_largest(double *x, size_t len, size_t n)
{
    lc_rng rng = lc_rng_seed(1);
    size_t begin = 0, end = len, at = n - 1;
    while (end - begin > 1) {
        double pivot = x[begin + (size_t)(lc_rng_next(&rng) % (end - begin - 1))];
        size_t i = begin, j = end - 1;
        for (;; i++, j--) {
            while (x[i] > pivot)
                i++;
            while (x[j] < pivot)
                j--;
            if (i >= j)
                break;
            double swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
        if (at <= j) /* begin..j are >= pivot, the others <= pivot */
            end = j + 1;
        else
            begin = j + 1;
    }
    return x[at];
}

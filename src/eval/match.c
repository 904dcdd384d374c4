/* SPDX-License-Identifier: MIT
 * match.c - which estimated event belongs to which reference event, in O(n + m) and without memory.
 *
 * How many. The window of estimate j is [e_j - tolerance, e_j + tolerance]. Both ends rise with e_j, also after
 * rounding, so windows never nest, and a sweep that gives each reference the first free estimate in reach finds as many
 * pairs as any matching. (Take a largest matching without crossings and compare it with the sweep at the first
 * difference: the sweep's pair can take its place.) The k-th pair of the sweep is also the earliest k-th pair, in
 * reference and in estimate, of all matchings without crossings.
 *
 * Which. Many matchings have that size, and the time errors depend on the choice:
 *
 *     reference          1.00        1.10       the sweep pairs 1.00 with 0.97; 1.01 is nearer
 *     estimate      0.97  1.01       1.10
 *
 * So, from the last pair to the first, each pair moves to the two nearest events, reference and estimate, between its
 * earliest place and the next pair, and the sum of the errors can only fall. What it gives up against the best choice,
 * found by dynamic programming over all pairs, is measured in test_match.c: 0.2 % for 100 unrelated events a side in
 * 16 s. The order leaves a trace where events crowd and most are false: with 200 unrelated estimates for 100 references
 * the mean error is -4.1 ms in 4 s, -1.5 ms in 8 s, and lost in the noise in 32 s. A pair looks LOOK_AHEAD
 * events ahead, which keeps the time linear where thousands of events fall into one window. */
#include "eval/match.h"

#include <math.h>
#include <stdbool.h>

enum { LOOK_AHEAD = 32 };

typedef struct sides {
    const double *reference, *estimate;
    double tolerance;
} sides;

static bool in_reach(const sides *s, size_t i, size_t j)
{
    return s->reference[i] >= s->estimate[j] - s->tolerance && s->reference[i] <= s->estimate[j] + s->tolerance;
}

/* The largest number of pairs, each as early as can be. */
static size_t sweep(const sides *s, size_t n, size_t m, size_t *pair)
{
    size_t i = 0, j = 0, matched = 0;
    while (i < n && j < m) {
        if (in_reach(s, i, j)) {
            pair[i++] = j++;
            matched++;
        } else if (s->reference[i] < s->estimate[j]) {
            pair[i++] = LC_UNMATCHED;
        } else {
            j++;
        }
    }
    while (i < n)
        pair[i++] = LC_UNMATCHED;
    return matched;
}

/* Moves the pair (*i, *j) to the nearest two of the references *i .. i_end - 1 and the estimates *j .. j_end - 1. Of
 * equal distances the earliest stays. */
static void settle(const sides *s, size_t *i, size_t i_end, size_t *j, size_t j_end)
{
    size_t a = *i, b = *j;
    double best = fabs(s->reference[a] - s->estimate[b]);
    for (int step = 0; step < LOOK_AHEAD; step++) {
        /* The earlier of the two has no nearer partner further on. */
        if (s->reference[a] < s->estimate[b])
            a++;
        else
            b++;
        if (a == i_end || b == j_end)
            return;
        double distance = fabs(s->reference[a] - s->estimate[b]);
        if (distance < best && in_reach(s, a, b)) {
            best = distance;
            *i = a;
            *j = b;
        }
    }
}

size_t lc_match(const double *reference, size_t n, const double *estimate, size_t m, double tolerance,
                size_t *pair_of_reference)
{
    sides s = {reference, estimate, tolerance};
    size_t matched = sweep(&s, n, m, pair_of_reference), i_end = n, j_end = m;
    for (size_t k = n; k-- > 0;) {
        size_t i = k, j = pair_of_reference[k];
        if (j == LC_UNMATCHED)
            continue;
        settle(&s, &i, i_end, &j, j_end);
        pair_of_reference[k] = LC_UNMATCHED;
        pair_of_reference[i] = j;
        i_end = i;
        j_end = j;
    }
    return matched;
}

/* SPDX-License-Identifier: MIT
 * reliability.c - whether events are right as often as their probabilities say.
 *   Interval of a share p of n: (p + z^2/2n -+ z sqrt(p (1-p)/n + z^2/4n^2)) / (1 + z^2/n), z = 1.96, which stays
 *   within 0..1 and does not shrink to a point where all or none are right. */
#include "eval/reliability.h"

#include <math.h>

static const double deviates = 1.959963984540054; /* of a normal distribution: 95 % lie within */

void lc_reliability_add(lc_reliability *reliability, double probability, bool right)
{
    double bin = floor(probability * LC_RELIABILITY_BINS);
    size_t b = (size_t)fmax(0, fmin(LC_RELIABILITY_BINS - 1, bin));
    reliability->events[b]++;
    reliability->right[b] += right;
    reliability->claimed[b] += probability;
}

size_t lc_reliability_events(const lc_reliability *reliability)
{
    size_t events = 0;
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        events += reliability->events[b];
    return events;
}

static double mean(const lc_reliability *reliability, double sum)
{
    size_t events = lc_reliability_events(reliability);
    return events > 0 ? sum / (double)events : 0;
}

double lc_reliability_claimed(const lc_reliability *reliability)
{
    double sum = 0;
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        sum += reliability->claimed[b];
    return mean(reliability, sum);
}

double lc_reliability_right(const lc_reliability *reliability)
{
    size_t right = 0;
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        right += reliability->right[b];
    return mean(reliability, (double)right);
}

double lc_reliability_error(const lc_reliability *reliability)
{
    double sum = 0;
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        sum += fabs((double)reliability->right[b] - reliability->claimed[b]);
    return mean(reliability, sum);
}

void lc_reliability_interval(size_t right, size_t n, double *low, double *high)
{
    double p = (double)right / (double)n, z = deviates * deviates / (double)n;
    double middle = (p + z / 2) / (1 + z), reach = sqrt(z * (p * (1 - p) + z / 4)) / (1 + z);
    *low = fmax(0, middle - reach);
    *high = fmin(1, middle + reach);
}

/* SPDX-License-Identifier: MIT
 * measure_count_errors.c - which count of a class is nearer to the truth, and how its errors grow with the count.
 *
 * Choice. The number of detections is taken unless the expected count has the smaller error |count - truth|, both in
 * clips and in their sums over recordings, beyond doubt: by Student's t of the differences between recordings at 97.5 %,
 * about 2 + 10 / (R - 1)^1.5. Where the two are alike, new data could have it the other way round, and nobody wants a
 * count that is worse than counting the detections.
 *
 * Errors. With truth N, count E, length T and the variance V of the distribution, each clip i of recording g:
 *
 *     var(N_i - E_i) = V_i + excess S_i + spread^2 S_i^2,     the last term being common to all clips of g
 *     S = E + rate T                                          grows with the length, too: events that were all missed
 *     excess = sum over g of [n/(n-1) sum over i of (N_i - E_i - f_g S_i)^2 - V_i] / sum of S_i,
 *                                                             f_g = sum of (N - E) / sum of S
 *
 * The rate is 0, 0.1, 0.3 or 1 times the mean rate of true events, whichever makes the errors of the recordings the most
 * likely. The spread has a posterior on a grid from 0.2 to 200 %, from the sums of the recordings and a half-Cauchy prior
 * of 5 %. A new recording's error is then a mixture of normals, and the result is the one normal with the same 90 %
 * interval: the fewer the recordings, the wider it is, as with Student's t. An expected count was fitted to these R
 * recordings, whose mean error it hides: its spread is wider by the root of (R + 1) / (R - 1). */
#include "calibrate/measure.h"

#include <math.h>

enum { SPREADS = 70 };
static const double least_spread = 0.002, most_spread = 2, usual_spread = 0.05, quantile = 1.6448536269514722;

/* The clips of one recording, in a row. */
static size_t group_end(const lc_count_error *clips, size_t n, size_t from)
{
    size_t to = from + 1;
    while (to < n && clips[to].recording == clips[from].recording)
        to++;
    return to;
}

static lc_count_error sum_up(const lc_count_error *clips, size_t n)
{
    lc_count_error sum = {.recording = clips[0].recording};
    for (size_t i = 0; i < n; i++) {
        sum.truth += clips[i].truth;
        sum.expected += clips[i].expected;
        sum.detected += clips[i].detected;
        sum.variance += clips[i].variance;
        sum.frames += clips[i].frames;
    }
    return sum;
}

static double count_of(const lc_count_error *clip, bool detections)
{
    return detections ? clip->detected : clip->expected;
}

/* ---- the choice ---- */

/* How much farther from the truth the detections are. */
static double farther(const lc_count_error *clip)
{
    return fabs(clip->detected - clip->truth) - fabs(clip->expected - clip->truth);
}

/* The mean of n differences is above 0 beyond doubt. */
static bool is_clear(double sum, double squares, double n)
{
    double t = 2 + 10 / pow(n - 1, 1.5);
    return n > 1 && sum > 0 && sum * sum * (n - 1) / n > t * t * (squares - sum * sum / n);
}

static bool detections_are_nearer(const lc_count_error *clips, size_t n)
{
    double parts = 0, parts_squares = 0, sums = 0, sums_squares = 0, recordings = 0;
    for (size_t from = 0, to; from < n; from = to) {
        double d = 0;
        to = group_end(clips, n, from);
        for (size_t i = from; i < to; i++)
            d += farther(&clips[i]);
        lc_count_error all = sum_up(clips + from, to - from);
        double s = farther(&all);
        parts += d;
        parts_squares += d * d;
        sums += s;
        sums_squares += s * s;
        recordings++;
    }
    return !is_clear(parts, parts_squares, recordings) || !is_clear(sums, sums_squares, recordings);
}

/* ---- errors ---- */

/* How the counts are made, and what their errors are in proportion to. */
typedef struct error_model {
    bool detections;
    double rate, excess;
} error_model;

static double size_of(const error_model *m, const lc_count_error *clip)
{
    return count_of(clip, m->detections) + m->rate * clip->frames;
}

static double error_of(const error_model *m, const lc_count_error *clip)
{
    return clip->truth - count_of(clip, m->detections);
}

static double excess_of(const error_model *m, const lc_count_error *clips, size_t n)
{
    double over = 0, sizes = 0;
    for (size_t from = 0, to; from < n; from = to) {
        to = group_end(clips, n, from);
        lc_count_error all = sum_up(clips + from, to - from);
        double size = size_of(m, &all), common = size > 0 ? error_of(m, &all) / size : 0;
        double wider = to - from > 1 ? (double)(to - from) / (double)(to - from - 1) : 0;
        for (size_t i = from; wider > 0 && i < to; i++) {
            double error = error_of(m, &clips[i]) - common * size_of(m, &clips[i]);
            over += wider * error * error - clips[i].variance;
        }
        sizes += wider > 0 ? size : 0;
    }
    return sizes > 0 ? fmin(fmax(0, over / sizes), 100) : 0;
}

static double spread_at(size_t j)
{
    return least_spread * pow(most_spread / least_spread, (double)j / (SPREADS - 1));
}

/* Posterior weights of the spreads, which sum to 1; returns the logarithm of their sum before that. */
static double weigh(double weights[SPREADS], const error_model *m, const lc_count_error *clips, size_t n)
{
    double most = -INFINITY, sum = 0;
    for (size_t j = 0; j < SPREADS; j++) {
        double r = spread_at(j), part = r / usual_spread;
        weights[j] = log(part / (1 + part * part));
        for (size_t from = 0, to; from < n; from = to) {
            to = group_end(clips, n, from);
            lc_count_error all = sum_up(clips + from, to - from);
            double size = size_of(m, &all), error = error_of(m, &all);
            double variance = 0.1 + all.variance + m->excess * size + r * r * size * size;
            weights[j] -= (log(variance) + error * error / variance) / 2;
        }
        most = fmax(most, weights[j]);
    }
    for (size_t j = 0; j < SPREADS; j++)
        sum += weights[j] = exp(weights[j] - most);
    for (size_t j = 0; j < SPREADS; j++)
        weights[j] /= sum;
    return most + log(sum);
}

/* The normal whose 90 % interval is that of the mixture, by bisection. */
static double widest(const double weights[SPREADS])
{
    double low = least_spread / 10, high = 10 * most_spread;
    for (int round = 0; round < 60; round++) {
        double middle = sqrt(low * high), inside = 0;
        for (size_t j = 0; j < SPREADS; j++)
            inside += weights[j] * erf(quantile * middle / spread_at(j) * M_SQRT1_2);
        if (inside < 0.9)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Excess, rate and spread, with the choice made. */
static void measure_sizes(lc_count_errors *found, const lc_count_error *clips, size_t n)
{
    static const double shares[] = {0, 0.1, 0.3, 1};
    double weights[SPREADS], best = -INFINITY, fitted = fmax(2, (double)found->recordings);
    double wider = found->detections ? 1 : sqrt((fitted + 1) / (fitted - 1));
    lc_count_error all = sum_up(clips, n);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        error_model m = {.detections = found->detections, .rate = shares[i] * all.truth / fmax(1, all.frames)};
        m.excess = excess_of(&m, clips, n);
        double likely = weigh(weights, &m, clips, n);
        if (!(likely > best + 1)) /* a larger share must be clearly better */
            continue;
        best = likely;
        found->rate = m.rate;
        found->excess = m.excess;
        found->spread = fmin(1, widest(weights) * wider);
    }
}

lc_count_errors lc_count_errors_measure(const lc_count_error *clips, size_t n)
{
    lc_count_errors found = {.spread = 0};
    double frames = 0, sums = 0;
    if (n == 0)
        return found;
    for (size_t from = 0, to; from < n; from = to) {
        to = group_end(clips, n, from);
        sums += log(fmax(1, sum_up(clips + from, to - from).frames));
        found.recordings++;
    }
    for (size_t i = 0; i < n; i++)
        frames += log(fmax(1, clips[i].frames));
    found.frames = exp(frames / (double)n);
    found.sum_frames = exp(sums / (double)found.recordings);
    found.detections = detections_are_nearer(clips, n);
    measure_sizes(&found, clips, n);
    return found;
}

/* SPDX-License-Identifier: MIT
 * count_score.c - how good predicted counts are, and whether their distributions can be trusted.
 *
 * The randomised PIT would draw u for every clip. Its mean over all u is known: the clip's weight 1 spread evenly over
 * the interval from F(truth - 1) to F(truth). That is what goes into the histogram, so there is no seed, and no noise
 * beyond that of the data.
 *
 * The central interval of level c is that from the (1-c)/2 quantile to the (1+c)/2 quantile, where the q quantile is
 * the smallest k with F(k) >= q. Sums are rounded, so F(k) may miss q by a little: `slack` allows for that. */
#include "eval/count_score.h"

#include "base/status.h"

#include <math.h>
#include <stdbool.h>

const double lc_levels[LC_LEVELS] = {0.5, 0.8, 0.9};

/* Of a quantile; the least probability that a loss is computed of; of the sum of all probabilities. */
static const double slack = 1e-12, smallest = 1e-300, sum_error = 1e-6;

static loco_status check_pmf(const double *pmf, size_t bins, double *sum, loco_err *err)
{
    *sum = 0;
    if (pmf == NULL || bins == 0)
        return lc_err_set(err, LOCO_EARG, "a count distribution needs at least one probability");
    for (size_t k = 0; k < bins; k++) {
        if (!(pmf[k] >= 0 && pmf[k] <= 1 + sum_error))
            return lc_err_set(err, LOCO_EDATA, "P(count = %zu) = %g is not a probability", k, pmf[k]);
        *sum += pmf[k];
    }
    if (!(fabs(*sum - 1) <= sum_error))
        return lc_err_set(err, LOCO_EDATA, "the probabilities of %zu counts sum to %.9g instead of 1", bins, *sum);
    return LOCO_OK;
}

/* The point estimate of one clip. A count is exact when the mean, rounded half up, is the truth. */
static void add_mean(lc_count_score *score, double mean, size_t truth)
{
    double distance = mean - (double)truth;
    score->clips++;
    score->hits += floor(mean + 0.5) - (double)truth == 0;
    score->distance += fabs(distance);
    score->bias += distance;
}

/* Whether truth lies in the central interval of a level, and the probability of that interval. */
static bool covers(const double *pmf, size_t bins, double sum, double level, size_t truth, double *claimed)
{
    double low = (1 - level) / 2 - slack, high = (1 + level) / 2 - slack, before = 0;
    bool inside = false;
    *claimed = 0;
    for (size_t k = 0; k < bins; k++) {
        double after = before + pmf[k] / sum;
        if (after >= low) { /* k is not below the interval */
            *claimed += pmf[k] / sum;
            inside = inside || k == truth;
        }
        if (after >= high)
            break;
        before = after;
    }
    return inside;
}

/* Spreads weight 1 evenly over low..high, which is a point when the truth had no probability. */
static void add_pit(lc_count_score *score, double low, double high)
{
    for (int b = 0; b < LC_PIT_BINS; b++) {
        double from = (double)b / LC_PIT_BINS, to = (double)(b + 1) / LC_PIT_BINS;
        if (high - low > slack)
            score->pit[b] += fmax(0, fmin(high, to) - fmax(low, from)) / (high - low);
        else
            score->pit[b] += (low >= from && low < to) || (b == LC_PIT_BINS - 1 && low >= to);
    }
}

loco_status lc_count_score_add(lc_count_score *score, const double *pmf, size_t bins, size_t truth, loco_err *err)
{
    return lc_count_score_add_count(score, (double)NAN, pmf, bins, truth, err);
}

loco_status lc_count_score_add_count(lc_count_score *score, double count, const double *pmf, size_t bins, size_t truth,
                                     loco_err *err)
{
    double sum, mean = 0, below = 0;
    if (score == NULL)
        return lc_err_set(err, LOCO_EARG, "score must not be NULL");
    loco_status status = check_pmf(pmf, bins, &sum, err);
    if (status != LOCO_OK)
        return status;
    size_t bin = truth < bins ? truth : bins - 1;
    for (size_t k = 0; k < bins; k++) {
        mean += (double)k * (pmf[k] / sum);
        below += k < bin ? pmf[k] / sum : 0;
    }
    add_mean(score, isnan(count) ? mean : count, truth);
    for (int l = 0; l < LC_LEVELS; l++) {
        double claimed;
        score->covered[l] += covers(pmf, bins, sum, lc_levels[l], bin, &claimed);
        score->claimed[l] += claimed;
    }
    double p = pmf[bin] / sum;
    score->distributions++;
    score->impossible += p < smallest;
    score->log_loss -= log(fmax(p, smallest));
    add_pit(score, below, fmin(1, below + p));
    return LOCO_OK;
}

loco_status lc_count_score_add_interval(lc_count_score *score, double mean, const size_t low[LC_LEVELS],
                                        const size_t high[LC_LEVELS], size_t truth, loco_err *err)
{
    if (score == NULL || low == NULL || high == NULL)
        return lc_err_set(err, LOCO_EARG, "score and the ends of the intervals must not be NULL");
    if (!(mean >= 0 && isfinite(mean)))
        return lc_err_set(err, LOCO_EDATA, "an expected count of %g; it must be 0 or more", mean);
    for (int l = 0; l < LC_LEVELS; l++) {
        if (low[l] > high[l])
            return lc_err_set(err, LOCO_EDATA, "the %g %% interval begins at %zu and ends at %zu", 100 * lc_levels[l],
                              low[l], high[l]);
    }
    add_mean(score, mean, truth);
    for (int l = 0; l < LC_LEVELS; l++) {
        score->covered[l] += truth >= low[l] && truth <= high[l];
        score->claimed[l] += lc_levels[l];
    }
    return LOCO_OK;
}

loco_status lc_count_score_add_held(lc_count_score *score, size_t low, size_t high, double claimed, size_t truth,
                                    loco_err *err)
{
    if (score == NULL)
        return lc_err_set(err, LOCO_EARG, "score must not be NULL");
    if (low > high || !(claimed >= 0 && claimed <= 1))
        return lc_err_set(err, LOCO_EDATA, "an interval from %zu to %zu with probability %g", low, high, claimed);
    score->intervals++;
    score->held += truth >= low && truth <= high;
    score->held_claimed += claimed;
    score->held_width += (double)(high - low) + 1;
    return LOCO_OK;
}

void lc_count_score_join(lc_count_score *score, const lc_count_score *more)
{
    score->clips += more->clips;
    score->hits += more->hits;
    score->distance += more->distance;
    score->bias += more->bias;
    score->distributions += more->distributions;
    score->log_loss += more->log_loss;
    score->impossible += more->impossible;
    score->intervals += more->intervals;
    score->held += more->held;
    score->held_claimed += more->held_claimed;
    score->held_width += more->held_width;
    for (int l = 0; l < LC_LEVELS; l++) {
        score->covered[l] += more->covered[l];
        score->claimed[l] += more->claimed[l];
    }
    for (int b = 0; b < LC_PIT_BINS; b++)
        score->pit[b] += more->pit[b];
}

lc_count_row lc_count_score_read(const lc_count_score *score)
{
    lc_count_row row = {.clips = score->clips, .distributions = score->distributions, .impossible = score->impossible};
    if (score->clips == 0)
        return row;
    double clips = (double)score->clips, distributions = (double)score->distributions;
    row.exact = (double)score->hits / clips;
    row.distance = score->distance / clips;
    row.bias = score->bias / clips;
    for (int l = 0; l < LC_LEVELS; l++) {
        row.coverage[l] = (double)score->covered[l] / clips;
        row.claimed[l] = score->claimed[l] / clips;
    }
    if (score->intervals > 0) {
        row.intervals = score->intervals;
        row.held = (double)score->held / (double)score->intervals;
        row.held_claimed = score->held_claimed / (double)score->intervals;
        row.held_width = score->held_width / (double)score->intervals;
    }
    if (score->distributions == 0)
        return row;
    row.log_loss = score->log_loss / distributions;
    for (int b = 0; b < LC_PIT_BINS; b++) {
        row.pit[b] = score->pit[b] / distributions;
        row.pit_deviation = fmax(row.pit_deviation, fabs(row.pit[b] - 1.0 / LC_PIT_BINS));
    }
    return row;
}

/* SPDX-License-Identifier: MIT
 * test_spaced.c - events that lie apart: against all subsets of short sequences, and against the count's own
 * posterior. */
#include "cases.h"

#include "detect/spaced.h"

enum { T = 11 };

static lc_block scratch;

static loco_status posterior_of(double *q, size_t *n, const double *z, size_t frames, size_t gap, loco_label label)
{
    loco_err err = {""};
    loco_status status = lc_spaced_posterior(q, n, &scratch, &(lc_spaced){z, frames, gap}, label, &err);
    CHECK((status == LOCO_OK) == (err.text[0] == 0));
    return status;
}

static void wrong_arguments_are_refused(void)
{
    double z[T] = {0}, q[T];
    size_t n = 77;
    loco_err err = {""};
    CHECK_STATUS(posterior_of(q, &n, z, T, 0, loco_label_exact(1)), LOCO_EARG);
    CHECK_STATUS(posterior_of(q, &n, z, T, 1, (loco_label){3, 2}), LOCO_EARG);
    CHECK_STATUS(posterior_of(q, &n, z, T, 1, loco_label_exact(T + 1)), LOCO_EDATA);
    CHECK_STATUS(lc_spaced_posterior(q, &n, &scratch, &(lc_spaced){z, T, 5}, loco_label_at_least(4), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "4 events do not fit into 11 frames, 5 apart");
    z[3] = (double)NAN;
    CHECK_STATUS(lc_spaced_posterior(q, &n, &scratch, &(lc_spaced){z, T, 5}, loco_label_exact(1), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "frame 3");
    CHECK_EQ(n, 77);
    /* 2^31 choices of 8 places: refused before anything is reserved or read */
    CHECK_STATUS(lc_spaced_best(NULL, &scratch, &(lc_spaced){NULL, (size_t)1 << 31, 1}, 8, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "cut the clip");
    CHECK_EQ(lc_spaced_most(0, 3), 0);
    CHECK_EQ(lc_spaced_most(7, 3), 3);
    CHECK_EQ(lc_spaced_most(6, 3), 2);
    CHECK_EQ(lc_spaced_most(6, 0), 6);
}

/* Whether frames of the set are gap or more apart; *n: how many. */
static bool lies_apart(unsigned set, size_t frames, size_t gap, size_t *n)
{
    size_t last = SIZE_MAX;
    *n = 0;
    for (size_t t = 0; t < frames; t++) {
        if (!(set >> t & 1))
            continue;
        if (last != SIZE_MAX && t - last < gap)
            return false;
        last = t;
        ++*n;
    }
    return true;
}

static double sum_of(unsigned set, const double *x, size_t frames)
{
    double sum = 0;
    for (size_t t = 0; t < frames; t++)
        sum += set >> t & 1 ? x[t] : 0;
    return sum;
}

/* The posterior by definition; returns the likeliest count. */
static size_t by_definition(double *q, const double *z, size_t frames, size_t gap, loco_label label)
{
    double of_count[T + 1] = {0}, total = 0;
    size_t n, best = label.lo;
    memset(q, 0, frames * sizeof *q);
    for (unsigned set = 0; set < 1u << frames; set++) {
        if (!lies_apart(set, frames, gap, &n) || n < label.lo || n > label.hi)
            continue;
        double weight = exp(sum_of(set, z, frames));
        of_count[n] += weight;
        total += weight;
        for (size_t t = 0; t < frames; t++)
            q[t] += set >> t & 1 ? weight : 0;
    }
    for (size_t t = 0; t < frames; t++)
        q[t] /= total;
    for (n = 0; n <= frames; n++)
        best = of_count[n] > of_count[best] ? n : best;
    return best;
}

static void posteriors_are_those_of_all_sets(void)
{
    lc_rng rng = lc_rng_seed(4);
    double worst = 0;
    for (size_t i = 0; i < 200; i++) {
        size_t frames = 1 + case_below(&rng, T), gap = 1 + case_below(&rng, 5), n = 77, want_n;
        double z[T], q[T], want[T];
        loco_label label = case_label(&rng, lc_spaced_most(frames, gap));
        case_logits(&rng, z, frames, 3, -1);
        want_n = by_definition(want, z, frames, gap, label);
        CHECK_STATUS(posterior_of(q, &n, z, frames, gap, label), LOCO_OK);
        CHECK_EQ(n, want_n);
        for (size_t t = 0; t < frames; t++)
            worst_note(&worst, q[t], want[t], 1);
    }
    CHECK_WORST(worst, 1e-12);
}

static void best_sets_are_found(void)
{
    lc_rng rng = lc_rng_seed(5);
    for (size_t i = 0; i < 300; i++) {
        size_t frames = 1 + case_below(&rng, T), gap = 1 + case_below(&rng, 4), count, places[T] = {0};
        size_t n = case_below(&rng, lc_spaced_most(frames, gap) + 1);
        double x[T], largest = -INFINITY;
        unsigned best = 0, got = 0;
        for (size_t t = 0; t < frames; t++) /* whole numbers, so that there are equals */
            x[t] = (double)case_below(&rng, 4) - 1;
        for (unsigned set = 0; set < 1u << frames; set++) {
            if (!lies_apart(set, frames, gap, &count) || count != n)
                continue;
            double sum = sum_of(set, x, frames);
            /* of equals the earlier: of two sets, the last frame that differs decides, and lower bits are smaller */
            if (sum > largest || (sum >= largest && set < best)) {
                largest = sum;
                best = set;
            }
        }
        CHECK_STATUS(lc_spaced_best(places, &scratch, &(lc_spaced){x, frames, gap}, n, NULL), LOCO_OK);
        for (size_t j = 0; j < n; j++)
            got |= 1u << places[j];
        CHECK_EQ(got, best);
    }
}

/* Certain frames are no trouble, nor are labels that they contradict. */
static void certain_frames(void)
{
    double z[T], q[T];
    size_t n;
    for (size_t t = 0; t < T; t++)
        z[t] = -INFINITY;
    z[2] = z[7] = INFINITY;
    CHECK_STATUS(posterior_of(q, &n, z, T, 2, loco_label_exact(2)), LOCO_OK);
    CHECK_NEAR(q[2] + q[7], 2, 1e-12);
    CHECK_STATUS(posterior_of(q, &n, z, T, 2, loco_label_exact(3)), LOCO_OK);
    double sum = 0;
    for (size_t t = 0; t < T; t++)
        sum += q[t];
    CHECK_NEAR(sum, 3, 1e-9);
    CHECK_STATUS(posterior_of(q, &n, z, T, 2, loco_label_unknown()), LOCO_OK);
    CHECK_EQ(n, 2);
    CHECK_STATUS(posterior_of(q, &n, z, 0, 2, loco_label_unknown()), LOCO_OK);
    CHECK_EQ(n, 0);
}

/* Without a gap it is the posterior of the count alone; a row that is cut into pieces differs only near the cuts. */
static void agrees_with_the_count(size_t frames, loco_label label, double limit)
{
    loco_count *count = case_handle(1);
    lc_rng rng = lc_rng_seed(6);
    double *z = case_array(frames, sizeof *z), *q = case_array(frames, sizeof *q),
           *want = case_array(frames, sizeof *z);
    double loss, worst = 0;
    size_t got, n = label.lo;
    case_clip(&rng, z, frames);
    CHECK_STATUS(loco_count_loss(&loss, NULL, want, count, z, frames, label, NULL), LOCO_OK);
    CHECK_STATUS(posterior_of(q, &got, z, frames, 1, label), LOCO_OK);
    for (size_t t = 0; t < frames; t++)
        worst_note(&worst, q[t], want[t], 1);
    if (label.hi == LOCO_NO_LIMIT) { /* the likeliest of those that the label allows */
        double *pmf = case_array(frames + 1, sizeof *pmf);
        CHECK_STATUS(loco_count_pmf(pmf, frames, count, z, frames, NULL), LOCO_OK);
        for (size_t j = label.lo; j <= frames; j++)
            n = pmf[j] > pmf[n] ? j : n;
        free(pmf);
    }
    CHECK_EQ(got, n);
    CHECK_WORST(worst, limit);
    free(z);
    free(q);
    free(want);
    loco_count_free(count);
}

static void no_gap_is_the_count_alone(void)
{
    agrees_with_the_count(300, loco_label_exact(17), 1e-12);
    agrees_with_the_count(4000, loco_label_at_least(300), 1e-12); /* more than its logits suggest */
    agrees_with_the_count(4000, loco_label_at_least(150), 1e-12);
    agrees_with_the_count(16000, loco_label_exact(800), 0.05);
}

/* Cuts lie between events, so that none is lost or found twice. */
static void pieces_have_all_events(void)
{
    enum { LONG = 60000, APART = 600 };
    double *z = case_array(LONG, sizeof *z), *q = case_array(LONG, sizeof *q), worst = 0;
    size_t n = 0;
    for (size_t t = 0; t < LONG; t++)
        z[t] = t % APART == 7 ? 12 : -14;
    CHECK_STATUS(posterior_of(q, &n, z, LONG, 4, loco_label_range(LONG / APART, LONG)), LOCO_OK);
    CHECK_EQ(n, LONG / APART);
    CHECK_STATUS(posterior_of(q, &n, z, LONG, 4, loco_label_exact(LONG / APART)), LOCO_OK);
    for (size_t t = 0; t < LONG; t++)
        worst_note(&worst, q[t], t % APART == 7, 1);
    CHECK_WORST(worst, 0.01);
    free(z);
    free(q);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(posteriors_are_those_of_all_sets);
    RUN(best_sets_are_found);
    RUN(certain_frames);
    RUN(no_gap_is_the_count_alone);
    RUN(pieces_have_all_events);
    lc_block_free(&scratch);
    return check_done();
}

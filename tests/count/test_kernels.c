/* SPDX-License-Identifier: MIT
 * test_kernels.c - the inner loops: each set that this machine can run against long double, and against `ref` at odd
 *   lengths. Differences are given in units of 2^-52, relative to the number itself. One sigmoid or softplus: 3. A sum
 *   of n positive terms: 4 + n / 64, since the lanes add in different orders. */
#include "cases.h"

#include "count/kernels.h"
#include "count/lanes.h"
#include "reference.h"

#include <float.h>

enum { LENGTHS = 72, LONGEST = 4097 };

static const lc_count_kernels *const ref = &lc_count_kernels_ref;
static const lc_count_kernels *set; /* the one that is being tested */

static const double specials[] = {
    0,      -0.0, 1e-300, -1e-300, 5e-324, 1,    -1,    36.7,  -36.7,  80,      -80,      700,      -700,      707.9,
    -707.9, 745,  -745,   1e4,     -1e4,   1e16, -1e16, 1e300, -1e300, 1.7e308, -1.7e308, INFINITY, -INFINITY,
};

static size_t length_at(size_t i)
{
    return i < 70 ? i + 1 : i == 70 ? 1000 : LONGEST;
}

static double sum_tolerance(size_t n)
{
    return 4 + (double)n / 64;
}

static void logits_into(double *z, size_t n, uint64_t seed, double scale)
{
    lc_rng rng = lc_rng_seed(seed);
    case_logits(&rng, z, n, scale, -1);
}

/* ---- sigmoid and softplus ---- */

/* Below -708 exp is 0, where the truth is below 4e-308. */
static void check_element(double z, double *worst_sigmoid, double *worst_softplus)
{
    double p = 7, softplus = set->sigmoid(&p, &z, 1);
    if (z < -708) {
        CHECK(p == 0 && softplus == 0);
        return;
    }
    wide want_p = ref_sigmoid(z), want_softplus = ref_softplus(z);
    worst_note(worst_sigmoid, p, (double)want_p, (double)want_p * DBL_EPSILON);
    if (isfinite(z))
        worst_note(worst_softplus, softplus, (double)want_softplus, (double)want_softplus * DBL_EPSILON);
    else
        CHECK(softplus == z);
}

static void one_sigmoid_is_exact(void)
{
    double sigmoid_ulps = 0, softplus_ulps = 0;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        check_element(specials[i], &sigmoid_ulps, &softplus_ulps);
    for (int i = -71000; i <= 71000; i++)
        check_element(i * 0.0100001, &sigmoid_ulps, &softplus_ulps);
    for (int i = 0; i < 200; i++) {
        check_element(pow(10, -0.1 * i), &sigmoid_ulps, &softplus_ulps);
        check_element(-pow(10, -0.1 * i), &sigmoid_ulps, &softplus_ulps);
    }
    CHECK_WORST(sigmoid_ulps, 3);
    CHECK_WORST(softplus_ulps, 3);
}

static void sigmoids_agree(void)
{
    static double z[LONGEST], a[LONGEST + 1], b[LONGEST + 1];
    double element_ulps = 0, sum_error = 0;
    for (size_t i = 0; i < LENGTHS; i++) {
        size_t n = length_at(i);
        logits_into(z, n, i, 10);
        a[n] = b[n] = 7;
        double got = set->sigmoid(a, z, n), want = ref->sigmoid(b, z, n);
        worst_note(&sum_error, got, want, want * DBL_EPSILON * sum_tolerance(n));
        for (size_t t = 0; t < n; t++)
            worst_note(&element_ulps, a[t], b[t], b[t] * DBL_EPSILON);
        CHECK(a[n] == 7 && b[n] == 7); /* nothing is written beyond the end */
        set->sigmoid(z, z, n);
        CHECK(case_same(z, a, n * sizeof *z)); /* in place */
    }
    CHECK_WORST(element_ulps, 3);
    CHECK_WORST(sum_error, 1);
}

/* ---- tilted sums ---- */

static const lc_tilt tilts[] = {
    {0,      0   },
    {0,      3.25},
    {0,      -40 },
    {0,      85  },
    {-700,   1.5 },
    {1e300,  2   },
    {-1e300, 0   }
};

static void tilted_sums_agree(void)
{
    static double z[LONGEST];
    double mean_error = 0, variance_error = 0;
    for (size_t i = 0; i < LENGTHS * sizeof tilts / sizeof *tilts; i++) {
        size_t n = length_at(i % LENGTHS);
        lc_tilt tilt = tilts[i / LENGTHS];
        logits_into(z, n, i, 5);
        for (size_t t = 0; t < n; t += 3)
            z[t] -= tilt.base; /* some frames that the base brings back */
        lc_tilt_sums got = set->tilt_sums(z, n, tilt), want = ref->tilt_sums(z, n, tilt);
        wide mean = 0, variance = 0;
        for (size_t t = 0; t < n; t++) {
            double u = (z[t] + tilt.base) + tilt.shift;
            mean += ref_sigmoid(u);
            variance += ref_sigmoid(u) * ref_sigmoid(-u);
        }
        double scale = DBL_EPSILON * sum_tolerance(n);
        worst_note(&mean_error, got.mean, want.mean, scale * want.mean);
        worst_note(&mean_error, got.mean, (double)mean, scale * (double)mean + 1e-300);
        worst_note(&variance_error, got.variance, (double)variance, scale * (double)variance + 1e-300);
    }
    CHECK_WORST(mean_error, 1);
    CHECK_WORST(variance_error, 1);
}

/* The sum of softplus(z) - softplus(tilted z) in long double, as rest; terms may cancel, so errors are relative to the
 * sum of their sizes. */
static wide gap_of(const double *z, size_t n, lc_tilt tilt, double *events, wide *size)
{
    wide rest = 0;
    *events = 0;
    *size = 0;
    for (size_t t = 0; t < n; t++) {
        double v = (z[t] + tilt.base) + tilt.shift;
        int event = z[t] + tilt.base >= 0;
        wide term = event ? ref_softplus(-z[t]) - ref_softplus(-v) : ref_softplus(z[t]) - ref_softplus(v);
        *events += event;
        *size += fabsl(term);
        rest += term;
    }
    return rest;
}

static void gaps_agree(void)
{
    static double z[LONGEST];
    double gap_error = 0;
    for (size_t i = 0; i < LENGTHS * sizeof tilts / sizeof *tilts; i++) {
        size_t n = length_at(i % LENGTHS);
        lc_tilt tilt = tilts[i / LENGTHS];
        double events;
        wide size;
        logits_into(z, n, i, 20);
        for (size_t t = 0; t < n; t += 3)
            z[t] -= tilt.base;
        lc_tilt_gap got = set->tilt_gap(z, n, tilt);
        double want = (double)gap_of(z, n, tilt, &events, &size), scale = DBL_EPSILON * sum_tolerance(n);
        CHECK_NEAR(got.events, events, 0);
        worst_note(&gap_error, got.rest, want,
                   scale * ((double)size + (double)n)); /* log1p terms of size 1 are added */
    }
    CHECK_WORST(gap_error, 1);
}

/* ---- correlation ---- */

static void check_correlation(lc_rng *rng, size_t n_out, size_t n_w, double *worst)
{
    static double x[3 * LONGEST + LC_PAD], w[LONGEST], out[LONGEST + 1];
    size_t span = n_out + n_w - 1, begin = case_below(rng, span + 1), end = begin + case_below(rng, span + 1 - begin);
    memset(x, 0, (span + LC_PAD) * sizeof *x);
    for (size_t i = begin; i < end; i++)
        x[i] = lc_rng_uniform(rng);
    for (size_t j = 0; j < n_w; j++)
        w[j] = lc_rng_uniform(rng);
    out[n_out] = 7;
    lc_padded padded = {x, begin, end};
    set->correlate(out, n_out, w, n_w, &padded);
    CHECK(out[n_out] == 7);
    for (size_t i = 0; i < n_out; i++) {
        wide want = 0;
        for (size_t j = 0; j < n_w; j++)
            want += (wide)w[j] * x[i + j];
        worst_note(worst, out[i], (double)want, (double)want * DBL_EPSILON * sum_tolerance(n_w) + 1e-300);
    }
}

static void correlations_agree(void)
{
    lc_rng rng = lc_rng_seed(11);
    double correlation_error = 0;
    for (size_t n_out = 1; n_out <= 70; n_out++) {
        for (size_t n_w = 1; n_w <= 70; n_w += 1 + n_w / 4)
            check_correlation(&rng, n_out, n_w, &correlation_error);
    }
    check_correlation(&rng, 1000, 333, &correlation_error);
    check_correlation(&rng, LONGEST, 1000, &correlation_error);
    check_correlation(&rng, 1, LONGEST, &correlation_error);
    CHECK_WORST(correlation_error, 1);
}

/* ---- leaves ---- */

static double *leaf_memory(size_t doubles)
{
    double *memory = aligned_alloc(LC_ALIGN, (doubles * sizeof(double) + LC_ALIGN - 1) / LC_ALIGN * LC_ALIGN);
    if (memory == NULL)
        exit(1);
    return memory;
}

/* Distribution and, with adj random, posterior of one leaf, in long double. */
static void leaf_of(const double *u, size_t n, const double *adj, size_t bins, wide *pmf, wide *posterior)
{
    wide prefix[LC_LEAF + 1][LC_LEAF + 2] = {{0}}, b[LC_LEAF + 2] = {0};
    ref_pmf(u, n, pmf);
    for (size_t i = 0; i < n; i++)
        ref_pmf(u, i, prefix[i]);
    for (size_t k = 0; k < bins; k++)
        b[k] = adj[k];
    for (size_t i = n; i-- > 0;) {
        wide p = ref_sigmoid(u[i]), q = ref_sigmoid(-u[i]);
        posterior[i] = 0;
        for (size_t k = 0; k < bins; k++)
            posterior[i] += p * prefix[i][k] * b[k + 1];
        for (size_t k = 0; k < bins; k++)
            b[k] = q * b[k] + p * b[k + 1];
    }
}

/* Up to two leaves, which every set has lanes for. Bins that are left out hold less than 1e-25; errors of posteriors
 * are relative to the largest weight, 1. */
static void check_leaves(size_t n, lc_tilt tilt, uint64_t seed, double *worst_up, double *worst_down)
{
    size_t lanes = set->lanes;
    double *scratch = leaf_memory(LC_LEAF_SCRATCH(lanes)), *coef = leaf_memory((LC_LEAF + 2) * lanes);
    double *adj = leaf_memory((LC_LEAF + 2) * lanes), z[2 * LC_LEAF], u[2 * LC_LEAF], weights[2][LC_LEAF + 2] = {{0}};
    lc_rng rng = lc_rng_seed(seed);
    logits_into(z, n, seed, 3);
    for (size_t t = 0; t < n; t++)
        u[t] = (z[t] + tilt.base) + tilt.shift;
    size_t bins = set->leaf_up(coef, z, n, tilt, scratch);
    CHECK(bins >= 1 && bins <= LC_LEAF + 1);
    for (size_t k = 0; k < bins * lanes; k++)
        adj[k] = 0;
    for (size_t l = 0; l < 2; l++) {
        for (size_t k = 0; k < bins; k++)
            adj[k * lanes + l] = weights[l][k] = lc_rng_uniform(&rng);
    }
    set->leaf_down(z, n, tilt, adj, bins, scratch);
    for (size_t l = 0; l * LC_LEAF < n; l++) {
        size_t frames = n - l * LC_LEAF < LC_LEAF ? n - l * LC_LEAF : LC_LEAF;
        wide pmf[LC_LEAF + 2] = {0}, posterior[LC_LEAF];
        leaf_of(u + l * LC_LEAF, frames, weights[l], bins, pmf, posterior);
        for (size_t k = 0; k < bins; k++)
            worst_note(worst_up, coef[k * lanes + l], (double)pmf[k], (double)pmf[k] * DBL_EPSILON * 64 + 1e-300);
        for (size_t k = bins; k <= LC_LEAF; k++)
            CHECK(pmf[k] < 1e-25);
        for (size_t i = 0; i < frames; i++)
            worst_note(worst_down, z[l * LC_LEAF + i], (double)posterior[i], DBL_EPSILON * 64);
    }
    free(scratch);
    free(coef);
    free(adj);
}

static void leaves_agree(void)
{
    double up_error = 0, down_error = 0;
    for (size_t n = 1; n <= 2 * LC_LEAF; n += n % 64 > 60 || n < 9 ? 1 : 3) {
        check_leaves(n, (lc_tilt){0, 0}, n, &up_error, &down_error);
        check_leaves(n, (lc_tilt){0, -8}, n, &up_error, &down_error);
        check_leaves(n, (lc_tilt){5, 6}, n, &up_error, &down_error);
        check_leaves(n, (lc_tilt){0, 50}, n, &up_error, &down_error);
    }
    CHECK_WORST(up_error, 1);
    CHECK_WORST(down_error, 1);
}

/* ---- lanes ---- */

typedef struct lane_case {
    double z[200], grad[200], posterior[200];
    lc_seq seq;
    bool done;
} lane_case;

/* Runs n cases in one group of lanes. */
static void lanes_of(const lc_count_kernels *kernels, lane_case *cases, size_t n)
{
    lc_lane_slot slots[LC_LANES_MAX] = {0};
    lc_block memory = {0};
    for (size_t l = 0; l < n; l++) {
        cases[l].seq.logits = lc_strided_double(cases[l].z);
        cases[l].seq.grad = lc_strided_double(cases[l].grad);
        cases[l].seq.posterior = lc_strided_double(cases[l].posterior);
        slots[l] = lc_lanes_slot(&cases[l].seq);
    }
    if (!lc_block_reserve(&memory, lc_lanes_local(kernels, slots, n)))
        exit(1);
    lc_lanes_run(kernels, slots, n, &memory);
    for (size_t l = 0; l < n; l++)
        cases[l].done = slots[l].done;
    lc_block_free(&memory);
}

/* Full and partly filled groups against `ref`, which takes them one by one: at most 1e-13. A label that is too far
 * from the expected count is given back by both. */
static void lanes_agree(void)
{
    lc_rng rng = lc_rng_seed(12);
    double loss_error = 0, posterior_error = 0, grad_error = 0;
    size_t done = 0, all = 0;
    for (size_t round = 0; round < 300; round++) {
        static lane_case a[LC_LANES_MAX], b[LC_LANES_MAX];
        size_t n = 1 + round % set->lanes;
        for (size_t l = 0; l < n; l++) {
            size_t T = 1 + case_below(&rng, 200);
            case_logits(&rng, a[l].z, T, round % 2 ? 2 : 8, -2);
            a[l].seq = (lc_seq){.length = T, .label = case_label(&rng, T)};
            b[l] = a[l];
            lanes_of(ref, &b[l], 1);
        }
        lanes_of(set, a, n);
        for (size_t l = 0; l < n; l++) {
            CHECK(a[l].done == b[l].done);
            all++;
            done += a[l].done;
            if (!a[l].done)
                continue;
            worst_note(&loss_error, a[l].seq.loss, b[l].seq.loss, fmax(1, b[l].seq.loss));
            for (size_t t = 0; t < a[l].seq.length; t++) {
                worst_note(&posterior_error, a[l].posterior[t], b[l].posterior[t], 1);
                worst_note(&grad_error, a[l].grad[t], b[l].grad[t], 1);
            }
        }
    }
    CHECK(done > all / 2);
    CHECK_WORST(loss_error, 1e-13);
    CHECK_WORST(posterior_error, 1e-13);
    CHECK_WORST(grad_error, 1e-13);
}

int main(void)
{
    CHECK(lc_count_kernels_of(LC_ISA_REF) == ref);
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        set = lc_count_kernels_of(isa);
        printf("%s, %zu lanes\n", lc_isa_name(isa), set->lanes);
        CHECK(set->lanes <= LC_LANES_MAX && (isa == LC_ISA_REF || set != ref));
        RUN(one_sigmoid_is_exact);
        RUN(sigmoids_agree);
        RUN(tilted_sums_agree);
        RUN(gaps_agree);
        RUN(correlations_agree);
        RUN(leaves_agree);
        RUN(lanes_agree);
    }
    return check_done();
}

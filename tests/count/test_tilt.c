/* SPDX-License-Identifier: MIT
 * test_tilt.c - the shift of all logits: it reaches its label in a few rounds, and its sums are what they say. */
#include "trees.h"

#include "reference.h"

enum { LONGEST = LC_TILT_BLOCK }; /* so that one round is one call of the kernel */

static loco_count *count;
static lc_count_kernels counted;
static size_t rounds;

static lc_tilt_sums count_rounds(const double *z, size_t n, lc_tilt tilt)
{
    rounds++;
    return lc_count_kernels_ref.tilt_sums(z, n, tilt);
}

static size_t most_rounds, all_rounds, all_cases;

/* The mean after the tilt, in long double, is in the label or near the end that came back. */
static void check_tilt(const double *z, size_t T, size_t lo, size_t hi)
{
    lc_tree tree;
    tree_of(&tree, count, z, T);
    rounds = 0;
    size_t end = lc_tilt_find(&tree, lo, hi, tree_reach(z, T));
    wide mean = 0, variance = 0;
    for (size_t t = 0; t < T; t++) {
        double u = (z[t] + tree.tilt.base) + tree.tilt.shift;
        mean += ref_sigmoid(u);
        variance += ref_sigmoid(u) * ref_sigmoid(-u);
    }
    bool inside = mean >= (wide)lo - 1e-9L && mean <= (wide)hi + 1e-9L;
    bool near = fabsl(mean - (wide)end) <= 0.1L + 0.3L * sqrtl(variance) + 1e-9L;
    CHECK((inside || near) && (end == lo || end == hi));
    CHECK(inside || rounds < 100);
    most_rounds = rounds > most_rounds ? rounds : most_rounds;
    all_rounds += rounds;
    all_cases++;
}

/* Labels at both ends, in the middle, and wide ones. */
static void check_labels(const double *z, size_t T)
{
    size_t n[] = {1, 2, T / 3, T / 2, T - 2, T - 1};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        if (n[i] < 1 || n[i] >= T)
            continue;
        check_tilt(z, T, n[i], n[i]);
        check_tilt(z, T, n[i], LOCO_NO_LIMIT);
        check_tilt(z, T, 0, n[i]);
    }
    if (T > 10)
        check_tilt(z, T, T / 4, T / 2);
}

static void check_rounds(size_t most, double average)
{
    printf("    rounds: at most %zu, %.1f on average\n", most_rounds, (double)all_rounds / (double)all_cases);
    CHECK(most_rounds <= most);
    CHECK((double)all_rounds <= average * (double)all_cases);
    most_rounds = all_rounds = all_cases = 0;
}

static void random_logits_are_tilted(void)
{
    static double z[LONGEST];
    lc_rng rng = lc_rng_seed(91);
    for (int i = 0; i < 300; i++) {
        size_t T = 2 + case_below(&rng, i % 10 == 0 ? LONGEST - 1 : 300);
        case_logits(&rng, z, T, pow(10, 4 * lc_rng_uniform(&rng) - 1), i % 3 ? -4 : 20);
        check_labels(z, T);
    }
    check_rounds(20, 4);
}

static void clips_are_tilted(void)
{
    static double z[LONGEST];
    lc_rng rng = lc_rng_seed(92);
    for (int i = 0; i < 50; i++) {
        size_t T = 400 + case_below(&rng, 3000);
        case_clip(&rng, z, T);
        for (size_t n = 1; n <= 60; n += 7)
            check_tilt(z, T, n, n);
    }
    check_rounds(8, 5);
}

/* Logit t of T for one kind of trap. */
static double trap(int kind, size_t t, size_t T)
{
    static const double flat[] = {0, 80, -80, 81, -81, 1e4, -1e4, 1e300, -1e300, 1.7e308, -1.7e308};
    double middle = t < T / 2 ? 1 : -1;
    if (kind < 11)
        return flat[kind];
    switch (kind - 11) {
    case 0: return 40 * middle; /* two clusters */
    case 1: return 80 * middle;
    case 2: return 700 * middle;
    case 3: return 1e300 * middle;
    case 4: return t == 0 ? 1e300 : 0; /* one huge */
    case 5: return t == 0 ? -1e300 : 3;
    case 6: return t == 0 ? 80 : -80;
    case 7: return t + 1 == T ? -80 : 80;
    case 8: return -80 + 160 * (double)t / (double)T; /* a ramp */
    case 9: return -1e4 + 2e4 * (double)t / (double)T;
    case 10: return middle * pow(10, 300.0 * (double)t / (double)T); /* all sizes */
    default: return t % 3 == 0 ? 75 : t % 3 == 1 ? -75 : -20;        /* a staircase */
    }
}

static void traps_are_tilted(void)
{
    static const size_t lengths[] = {2, 3, 5, 64, 65, 1000, LONGEST};
    static double z[LONGEST];
    for (int kind = 0; kind < 23; kind++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            size_t T = lengths[i];
            for (size_t t = 0; t < T; t++)
                z[t] = trap(kind, t, T);
            check_labels(z, T);
        }
    }
    check_rounds(20, 4);
}

/* A label that the logits meet, or nearly meet, is left alone. */
static void what_fits_is_not_tilted(void)
{
    static const double z[] = {30, 30, 30, -300, -300, 0.1};
    lc_tree tree;
    tree_of(&tree, count, z, 6);
    CHECK_EQ(lc_tilt_find(&tree, 3, 4, 300), 3);
    CHECK(tree.tilt.base == 0 && tree.tilt.shift == 0);
    tree_of(&tree, count, z, 5); /* 3 - 3e-13 events are expected */
    CHECK_EQ(lc_tilt_find(&tree, 3, LOCO_NO_LIMIT, 300), 3);
    CHECK(tree.tilt.base == 0 && tree.tilt.shift == 0);
}

/* rest - events * shift is the sum of softplus(z) - softplus(z + shift). */
static void gaps_are_sums(void)
{
    enum { T = 10000 };
    static double z[T];
    lc_tree tree;
    lc_rng rng = lc_rng_seed(93);
    for (int i = 0; i < 10; i++) {
        lc_tilt tilt = {i % 2 ? 100 : 0, -20 + 4.5 * i};
        wide want = 0, size = 0;
        case_logits(&rng, z, T, 10, i % 2 ? -100 : 0);
        tree_of(&tree, count, z, T);
        tree.tilt = tilt;
        lc_tilt_gap gap = lc_tilt_total_gap(&tree);
        for (size_t t = 0; t < T; t++) {
            wide term = ref_softplus(z[t]) - ref_softplus(z[t] + tilt.base + tilt.shift);
            want += term;
            size += fabsl(term);
        }
        CHECK_NEAR(gap.rest - gap.events * (tilt.base + tilt.shift), (double)want,
                   1e-14 * (double)size + 1e-15 * gap.events * fabs(tilt.base + tilt.shift)); /* the two parts cancel */
    }
}

int main(void)
{
    count = case_handle(1);
    counted = lc_count_kernels_ref;
    counted.tilt_sums = count_rounds;
    count->kernels = &counted;
    RUN(random_logits_are_tilted);
    RUN(clips_are_tilted);
    RUN(traps_are_tilted);
    RUN(what_fits_is_not_tilted);
    RUN(gaps_are_sums);
    loco_count_free(count);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_event_sets.c - sets of events given a label: drawn ones have the posterior's frequencies, the best one is the
 * best
 *   of all. Seeds are fixed, and bounds lie five to six standard deviations away. */
#include "cases.h"

#include "reference.h"

static loco_count *count;
static loco_err err;

/* ---- wrong arguments ---- */

static void wrong_arguments_are_refused(void)
{
    static const double z[] = {0, INFINITY, -INFINITY}, bad[] = {0, NAN};
    static const loco_label impossible[] = {
        {0, 0            },
        {3, 3            },
        {3, LOCO_NO_LIMIT}
    };
    uint8_t events[3] = {7, 7, 7};
    loco_label one = loco_label_exact(1);
    CHECK_STATUS(loco_count_sample(events, 1, NULL, z, 3, one, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the handle and events must not be NULL");
    CHECK_STATUS(loco_count_best(events, NULL, z, 3, one, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the handle and events must not be NULL");
    CHECK_STATUS(loco_count_sample(NULL, 1, count, z, 3, one, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_best(NULL, count, z, 3, one, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_sample(events, 1, count, NULL, 3, one, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_best(events, count, NULL, 3, one, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "logits must not be NULL");
    CHECK_STATUS(loco_count_sample(events, 1, count, bad, 2, one, 1, &err), LOCO_EDATA);
    CHECK_STATUS(loco_count_best(events, count, bad, 2, one, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "logit 1 is NaN");
    CHECK_STATUS(loco_count_best(events, count, z, 3, loco_label_range(2, 1), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "empty range");
    CHECK_STATUS(loco_count_sample(events, 1, count, z, 3, loco_label_exact(4), 1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "needs more events");
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(loco_count_sample(events, 1, count, z, 3, impossible[i], 1, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "is impossible: the infinite logits fix");
        CHECK_STATUS(loco_count_best(events, count, z, 3, impossible[i], &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "is impossible: the infinite logits fix");
        CHECK_STATUS(loco_count_best(events, count, z, 3, impossible[i], NULL), LOCO_EDATA);
    }
    CHECK(events[0] == 7 && events[1] == 7 && events[2] == 7);
}

static void nothing_is_drawn_from_nothing(void)
{
    double z = 1;
    uint8_t event = 7;
    CHECK_STATUS(loco_count_sample(&event, 5, count, NULL, 0, loco_label_exact(0), 1, &err), LOCO_OK);
    CHECK_STATUS(loco_count_sample(NULL, 0, count, &z, 1, loco_label_exact(1), 1, &err), LOCO_OK);
    CHECK_STATUS(loco_count_best(&event, count, NULL, 0, loco_label_unknown(), &err), LOCO_OK);
    CHECK_EQ(event, 7);
}

/* ---- drawing ---- */

static uint8_t *draw(const double *z, size_t T, loco_label label, uint64_t seed, size_t samples)
{
    uint8_t *events = case_array(T * samples, 1);
    memset(events, 7, T * samples);
    CHECK_STATUS(loco_count_sample(events, samples, count, z, T, label, seed, &err), LOCO_OK);
    return events;
}

/* Every row is a set whose count lies in the label; frequencies of frames are within bound standard deviations of the
 * posterior. */
static void check_drawn(const uint8_t *events, const double *z, size_t T, loco_label label, size_t samples,
                        double bound)
{
    double loss, *posterior = case_array(T, sizeof *posterior), deviation = 0;
    size_t outside = 0, wrong = 0;
    CHECK_STATUS(loco_count_loss(&loss, NULL, posterior, count, z, T, label, &err), LOCO_OK);
    for (size_t i = 0; i < samples; i++) {
        size_t k = 0;
        for (size_t t = 0; t < T; t++) {
            wrong += events[i * T + t] > 1;
            k += events[i * T + t];
        }
        outside += !ref_in(label, k);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(outside, 0);
    for (size_t t = 0; t < T; t++) {
        double sum = 0, p = posterior[t], n = (double)samples;
        for (size_t i = 0; i < samples; i++)
            sum += events[i * T + t];
        worst_note(&deviation, sum, n * p, sqrt(n * p * (1 - fmin(p, 1))) + 0.1);
    }
    CHECK_NEAR(deviation, 0, bound);
    free(posterior);
}

static void frequencies_are_posteriors(void)
{
    lc_rng rng = lc_rng_seed(61);
    for (uint64_t i = 0; i < 40; i++) {
        double z[100];
        size_t T = 1 + case_below(&rng, i < 30 ? 12 : 100), samples = 5000;
        case_logits(&rng, z, T, i % 3 == 0 ? 30 : 2, 0);
        if (i % 4 == 0)
            z[case_below(&rng, T)] = 1e9;
        loco_label label = case_label(&rng, T);
        uint8_t *events = draw(z, T, label, i, samples);
        check_drawn(events, z, T, label, samples, 5);
        free(events);
    }
}

/* Not only each frame: all sets of four frames, by chi-square. */
static void sets_have_their_probability(void)
{
    static const double z[] = {0.5, -1, 2, 0.1};
    static const loco_label labels[] = {
        {2, 2            },
        {1, 3            },
        {2, LOCO_NO_LIMIT},
        {0, 1            },
        {0, LOCO_NO_LIMIT}
    };
    enum { SAMPLES = 40000 };
    for (uint64_t i = 0; i < 5; i++) {
        uint8_t *events = draw(z, 4, labels[i], i, SAMPLES);
        double loss, posterior[4], chi = 0, seen[16] = {0};
        int sets = 0;
        CHECK_STATUS(loco_count_loss(&loss, NULL, posterior, count, z, 4, labels[i], &err), LOCO_OK);
        for (size_t s = 0; s < SAMPLES; s++) {
            const uint8_t *e = events + 4 * s;
            seen[e[0] | e[1] << 1 | e[2] << 2 | e[3] << 3]++;
        }
        for (unsigned set = 0; set < 16; set++) {
            wide p = expl(loss);
            size_t k = 0;
            for (size_t t = 0; t < 4; t++) {
                int event = set >> t & 1;
                k += (size_t)event;
                p *= ref_sigmoid(event ? z[t] : -z[t]);
            }
            double want = ref_in(labels[i], k) ? SAMPLES * (double)p : 0;
            if (want > 0)
                chi += (seen[set] - want) * (seen[set] - want) / want;
            else
                CHECK(seen[set] == 0);
            sets += want > 0;
        }
        CHECK_NEAR(chi, sets - 1, 5 * sqrt(2.0 * (sets - 1)));
        free(events);
    }
}

/* Labels that leave no choice, or all of it, need no tree. */
static void closed_labels_are_drawn(void)
{
    static const double z[] = {1, -2, 0, INFINITY, -INFINITY, 3};
    static const double all[] = {1, 2, 3};
    uint8_t *events = draw(z, 6, loco_label_exact(1), 1, 100);
    for (size_t i = 0; i < 600; i++)
        CHECK(events[i] == (i % 6 == 3));
    free(events);
    events = draw(z, 6, loco_label_exact(5), 1, 100);
    for (size_t i = 0; i < 600; i++)
        CHECK(events[i] == (i % 6 != 4));
    free(events);
    events = draw(all, 3, loco_label_exact(0), 1, 10);
    for (size_t i = 0; i < 30; i++)
        CHECK(events[i] == 0);
    free(events);
    events = draw(z, 6, loco_label_unknown(), 3, 5000);
    check_drawn(events, z, 6, loco_label_unknown(), 5000, 5);
    free(events);
}

static void certain_frames_are_drawn(void)
{
    static const double z[] = {INFINITY, 0.5, -INFINITY, -1, INFINITY, 2, -0.5};
    static const loco_label labels[] = {
        {3, 3            },
        {4, 5            },
        {3, LOCO_NO_LIMIT},
        {0, 4            }
    };
    for (uint64_t i = 0; i < 4; i++) {
        uint8_t *events = draw(z, 7, labels[i], i, 5000);
        check_drawn(events, z, 7, labels[i], 5000, 5);
        for (size_t s = 0; s < 5000; s++)
            CHECK(events[7 * s] == 1 && events[7 * s + 2] == 0 && events[7 * s + 4] == 1);
        free(events);
    }
}

static void the_seed_decides(void)
{
    enum { T = 300, SAMPLES = 20 };
    double z[T];
    lc_rng rng = lc_rng_seed(62);
    case_logits(&rng, z, T, 2, -1);
    uint8_t *a = draw(z, T, loco_label_exact(70), 9, SAMPLES), *b = draw(z, T, loco_label_exact(70), 9, SAMPLES);
    uint8_t *fewer = draw(z, T, loco_label_exact(70), 9, 5), *other = draw(z, T, loco_label_exact(70), 10, SAMPLES);
    CHECK(memcmp(a, b, T * SAMPLES) == 0);
    CHECK(memcmp(a, fewer, 5 * T) == 0);
    CHECK(memcmp(a, other, T) != 0);
    CHECK(memcmp(a, a + T, T) != 0);
    free(a);
    free(b);
    free(fewer);
    free(other);
}

/* Five levels of the tree, an odd number of leaves, and a label that the frames do not expect. */
static void deep_trees_are_drawn(void)
{
    enum { T = 1090, SAMPLES = 3000 };
    static double z[T];
    static const loco_label labels[] = {
        {90, 90           },
        {20, 30           },
        {70, LOCO_NO_LIMIT}
    };
    lc_rng rng = lc_rng_seed(63);
    case_clip(&rng, z, T);
    for (uint64_t i = 0; i < 3; i++) {
        uint8_t *events = draw(z, T, labels[i], i, SAMPLES);
        check_drawn(events, z, T, labels[i], SAMPLES, 5.5);
        free(events);
    }
}

/* The counts that are drawn have the distribution of the count, cut to the label. */
static void counts_have_their_distribution(void)
{
    enum { T = 1000, SAMPLES = 20000, LO = 45, HI = 60 };
    static double z[T], pmf[T + 1];
    lc_rng rng = lc_rng_seed(64);
    case_clip(&rng, z, T);
    uint8_t *events = draw(z, T, loco_label_range(LO, HI), 5, SAMPLES);
    double seen[T + 1] = {0}, total = 0, chi = 0;
    CHECK_STATUS(loco_count_pmf(pmf, T, count, z, T, &err), LOCO_OK);
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t k = 0;
        for (size_t t = 0; t < T; t++)
            k += events[i * T + t];
        seen[k]++;
    }
    for (size_t k = LO; k <= HI; k++)
        total += pmf[k];
    for (size_t k = LO; k <= HI; k++) {
        double want = SAMPLES * pmf[k] / total;
        chi += (seen[k] - want) * (seen[k] - want) / want;
    }
    CHECK_NEAR(chi, HI - LO, 5 * sqrt(2.0 * (HI - LO)));
    free(events);
}

/* ---- the best set ---- */

/* Whether set a is better than b: larger sum of logits, then fewer events, then an event where they first differ. */
static bool better(double sum_a, size_t k_a, unsigned a, double sum_b, size_t k_b, unsigned b)
{
    if (sum_a > sum_b || sum_a < sum_b)
        return sum_a > sum_b;
    if (k_a != k_b)
        return k_a < k_b;
    unsigned first = (a ^ b) & ~((a ^ b) - 1);
    return (a & first) != 0;
}

/* The best set by trying all; false when none meets the label. Certain frames are given as masks. */
static bool best_by_force(const double *z, size_t T, loco_label label, unsigned *best)
{
    bool found = false;
    double best_sum = 0;
    size_t best_k = 0;
    for (unsigned set = 0; set < 1u << T; set++) {
        double sum = 0;
        size_t k = 0;
        bool possible = true;
        for (size_t t = 0; t < T; t++) {
            int event = set >> t & 1;
            k += (size_t)event;
            if (isfinite(z[t]))
                sum += event ? z[t] : 0;
            else
                possible = possible && event == (z[t] > 0);
        }
        if (!possible || !ref_in(label, k))
            continue;
        if (!found || better(sum, k, set, best_sum, best_k, *best)) {
            found = true;
            best_sum = sum;
            best_k = k;
            *best = set;
        }
    }
    return found;
}

/* Small whole numbers as logits: sums are exact, and ties frequent. */
static void the_best_set_is_the_best_of_all(void)
{
    lc_rng rng = lc_rng_seed(65);
    size_t wrong = 0, impossible = 0;
    for (int i = 0; i < 3000; i++) {
        double z[12];
        uint8_t events[12] = {0};
        size_t T = 1 + case_below(&rng, i % 20 == 0 ? 12 : 7), range = i % 3 == 0 ? 3 : 9;
        double middle = i % 3 == 0 ? 1 : 4;
        for (size_t t = 0; t < T; t++) {
            z[t] = (double)case_below(&rng, range) - middle;
            if (i % 5 == 0 && case_below(&rng, 4) == 0)
                z[t] = case_below(&rng, 2) ? INFINITY : -INFINITY;
        }
        loco_label label = case_label(&rng, T);
        unsigned want = 0, got = 0;
        bool found = best_by_force(z, T, label, &want);
        impossible += !found;
        CHECK_STATUS(loco_count_best(events, count, z, T, label, &err), found ? LOCO_OK : LOCO_EDATA);
        for (size_t t = 0; t < T; t++)
            got |= (unsigned)events[t] << t;
        wrong += found && got != want;
    }
    CHECK_EQ(wrong, 0);
    CHECK(impossible > 20);
}

static void long_best_sets_hold_the_largest(void)
{
    enum { T = 100000, N = 5000 };
    double *z = case_array(T, sizeof *z), least = INFINITY, most = -INFINITY;
    uint8_t *events = case_array(T, 1);
    size_t k = 0;
    lc_rng rng = lc_rng_seed(66);
    case_logits(&rng, z, T, 3, -9);
    CHECK_STATUS(loco_count_best(events, count, z, T, loco_label_exact(N), &err), LOCO_OK);
    for (size_t t = 0; t < T; t++) {
        k += events[t];
        if (events[t])
            least = fmin(least, z[t]);
        else
            most = fmax(most, z[t]);
    }
    CHECK_EQ(k, N);
    CHECK(most <= least);
    free(z);
    free(events);
}

int main(void)
{
    count = case_handle(1);
    RUN(wrong_arguments_are_refused);
    RUN(nothing_is_drawn_from_nothing);
    RUN(frequencies_are_posteriors);
    RUN(sets_have_their_probability);
    RUN(closed_labels_are_drawn);
    RUN(certain_frames_are_drawn);
    RUN(the_seed_decides);
    RUN(deep_trees_are_drawn);
    RUN(counts_have_their_distribution);
    RUN(the_best_set_is_the_best_of_all);
    RUN(long_best_sets_hold_the_largest);
    loco_count_free(count);
    return check_done();
}

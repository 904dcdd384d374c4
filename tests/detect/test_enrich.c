/* SPDX-License-Identifier: MIT
 * test_enrich.c - events of a clip with a known count: how many, where, how sure, and what is done when they do not
 * fit. */
#include "cases.h"

#include "detect/enrich.h"
#include "detect/spaced.h"

enum { T = 60 };

static lc_enricher enricher;
static float z[T * 2]; /* class 1 of two */

static void quiet(void)
{
    for (size_t t = 0; t < T; t++) {
        z[2 * t] = NAN; /* of the other class, which is not looked at */
        z[2 * t + 1] = -8;
    }
}

static void run(lc_enriching how, size_t frames, loco_label label)
{
    loco_err err = {""};
    CHECK_STATUS(lc_enrich_clip(&enricher, &how, z + 1, frames, 2, label, &err), LOCO_OK);
    CHECK_STR(err.text, "");
}

/* Two of three frames of one event are no second event; that is the weaker one further on. */
static void doubles_are_one_event(void)
{
    quiet();
    z[2 * 10 + 1] = 1;
    z[2 * 11 + 1] = 2;
    z[2 * 12 + 1] = 1;
    z[2 * 40 + 1] = -3;
    run((lc_enriching){4, 5, false}, T, loco_label_exact(2));
    CHECK_EQ(enricher.spots_len, 2);
    CHECK_EQ(enricher.spots[0].frame, 11);
    CHECK_EQ(enricher.spots[1].frame, 40);
    CHECK_NEAR(enricher.spots[0].place, 11, 1e-9);
    CHECK(enricher.spots[0].probability > 0.999 && enricher.spots[0].probability <= 1);
    CHECK(enricher.spots[1].probability > 0.6 && enricher.spots[1].probability < 0.8);
    run((lc_enriching){1, 0, false}, T, loco_label_exact(2)); /* without a gap they are two */
    CHECK_EQ(enricher.spots[0].frame, 10);                    /* of equal sets the earlier */
    CHECK_EQ(enricher.spots[1].frame, 11);
}

/* Places are finer than frames. */
static void places_are_centroids(void)
{
    quiet();
    z[2 * 20 + 1] = z[2 * 21 + 1] = 3;
    run((lc_enriching){4, 5, false}, T, loco_label_exact(1));
    CHECK_EQ(enricher.spots_len, 1);
    CHECK_NEAR(enricher.spots[0].place, 20.5, 1e-3);
}

/* The likeliest count of the label. */
static void labels_choose(void)
{
    static const struct {
        size_t lo, hi, want;
    } cases[] = {
        {0, 0,             0},
        {3, 3,             3},
        {1, LOCO_NO_LIMIT, 2},
        {0, 1,             1},
        {3, 5,             3},
        {0, LOCO_NO_LIMIT, 2},
    };
    quiet();
    z[2 * 20 + 1] = z[2 * 45 + 1] = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run((lc_enriching){4, 5, false}, T, (loco_label){cases[i].lo, cases[i].hi});
        CHECK_EQ(enricher.spots_len, cases[i].want);
    }
}

/* The expected number of right events is the largest of all sets, and each probability the mass that is its own. */
static void sets_hold_the_most(void)
{
    lc_rng rng = lc_rng_seed(8);
    double worst = 0;
    for (size_t i = 0; i < 50; i++) {
        size_t half = 1 + case_below(&rng, 3), gap = 2 * half + 1, n = 1 + case_below(&rng, 5);
        double total = 0, other = 0, q[T];
        for (size_t t = 0; t < T; t++)
            z[2 * t + 1] = (float)(-3 + 2 * lc_rng_normal(&rng));
        run((lc_enriching){gap, half, false}, T, loco_label_exact(n));
        memcpy(q, enricher.posterior, sizeof q);
        CHECK_EQ(enricher.spots_len, n);
        for (size_t j = 0; j < n; j++) {
            const lc_spot *spot = &enricher.spots[j];
            double mass = 0;
            for (size_t t = spot->frame >= half ? spot->frame - half : 0; t < T && t <= spot->frame + half; t++)
                mass += q[t];
            worst_note(&worst, spot->probability, mass, 1);
            total += mass;
            CHECK(j == 0 || spot->frame >= enricher.spots[j - 1].frame + gap);
            CHECK(fabs(spot->place - (double)spot->frame) <= (double)half);
        }
        for (size_t t = case_below(&rng, 5), j = 0; j < n && t < T; j++, t += gap + case_below(&rng, 5)) /* any other */
            for (size_t s = t >= half ? t - half : 0; s < T && s <= t + half; s++)
                other += q[s];
        CHECK(total >= other - 0.01);
    }
    CHECK_WORST(worst, 1e-12);
}

static void what_does_not_fit(void)
{
    quiet();
    run((lc_enriching){10, 5, true}, 25, loco_label_exact(5)); /* frames 0, 10, 20 at most */
    CHECK_EQ(enricher.spots_len, 3);
    CHECK_EQ(enricher.wanted, 5);
    CHECK_EQ(enricher.gap, 10);
    run((lc_enriching){10, 5, false}, 25, loco_label_exact(5));
    CHECK_EQ(enricher.spots_len, 5);
    CHECK_EQ(enricher.gap, 6);
    run((lc_enriching){4, 5, false}, 3, loco_label_range(7, 9));
    CHECK_EQ(enricher.spots_len, 3);
    CHECK_EQ(enricher.gap, 1);
    run((lc_enriching){4, 5, false}, 0, loco_label_exact(2));
    CHECK_EQ(enricher.spots_len, 0);
    CHECK_EQ(enricher.wanted, 2);
    run((lc_enriching){4, 5, true}, 1, loco_label_at_least(1));
    CHECK_EQ(enricher.spots_len, 1);
}

static void a_nan_is_refused(void)
{
    loco_err err = {""};
    quiet();
    z[2 * 3 + 1] = NAN;
    CHECK_STATUS(lc_enrich_clip(&enricher, &(lc_enriching){4, 5, false}, z + 1, T, 2, loco_label_exact(1), &err),
                 LOCO_EDATA);
    CHECK_SAYS(err.text, "frame 3");
    CHECK_EQ(enricher.spots_len, 0);
}

int main(void)
{
    RUN(a_nan_is_refused);
    RUN(doubles_are_one_event);
    RUN(places_are_centroids);
    RUN(labels_choose);
    RUN(sets_hold_the_most);
    RUN(what_does_not_fit);
    lc_enricher_free(&enricher);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_measure_sweep.c - thresholds: a known gap is hit in its middle, and no threshold is better than the one that is
 * chosen. */
#include "check.h"

#include "base/rng.h"
#include "calibrate/measure.h"
#include "eval/score.h"

enum { CLASSES = 3, RECORDINGS = 5, MOST = 60 };

static void wrong_arguments_are_refused(void)
{
    lc_sweep *sweep = NULL;
    lc_sweep_row row = {.f1 = 7};
    loco_event wrong = {1, 0, 1.5, 0}, kind = {1, 2, 0.5, 0};
    loco_err err;
    CHECK_STATUS(lc_sweep_new(NULL, 1, 0.05, &err), LOCO_EARG);
    CHECK_STATUS(lc_sweep_new(&sweep, 0, 0.05, &err), LOCO_EARG);
    CHECK_STATUS(lc_sweep_new(&sweep, 1, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_sweep_new(&sweep, 1, NAN, &err), LOCO_EARG);
    CHECK(sweep == NULL);
    CHECK_STATUS(lc_sweep_new(&sweep, 1, 0.05, &err), LOCO_OK);
    CHECK_STATUS(lc_sweep_add(NULL, NULL, 0, NULL, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_sweep_add(sweep, &wrong, 1, &wrong, 1, &err), LOCO_EDATA);
    CHECK_STATUS(lc_sweep_add(sweep, &kind, 1, NULL, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_sweep_read(sweep, 1, &row, &err), LOCO_EARG);
    CHECK_STATUS(lc_sweep_read(sweep, 0, NULL, &err), LOCO_EARG);
    CHECK_NEAR(row.f1, 7, 0);
    CHECK_STATUS(lc_sweep_read(sweep, 0, &row, &err), LOCO_OK);
    CHECK_NEAR(row.f1, 0, 0);
    CHECK_NEAR(row.threshold, 0.5, 1e-12);
    lc_sweep_free(sweep);
    lc_sweep_free(NULL);
}

/* True events have 0.8 and more, false ones 0.2 and less: any threshold between is right. */
static void the_middle_of_the_gap_is_chosen(void)
{
    loco_event r[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {3, 0, 1, 0}
    };
    loco_event c[] = {
        {2.01, 0, 0.8,  0},
        {1.5,  0, 0.2,  0},
        {1.01, 0, 0.9,  0},
        {3.01, 0, 0.99, 0},
        {4,    0, 0.05, 0}
    };
    lc_sweep *sweep;
    lc_sweep_row row;
    CHECK_STATUS(lc_sweep_new(&sweep, 1, 0.05, NULL), LOCO_OK);
    CHECK_STATUS(lc_sweep_add(sweep, r, 3, c, 5, NULL), LOCO_OK);
    CHECK_STATUS(lc_sweep_read(sweep, 0, &row, NULL), LOCO_OK);
    CHECK_NEAR(row.f1, 1, 0);
    CHECK(row.low > 0.2 && row.low < 0.22 && row.high <= 0.8 && row.high > 0.78);
    CHECK_NEAR(row.threshold, 0.5, 0.02);
    lc_sweep_free(sweep);
}

/* Of three reference events the first candidate finds one, and all five find two, three of them false: F1 is 1/2 both
 * times, and less between. The longer run of thresholds wins, whichever comes first. */
static void the_longer_run_is_chosen(void)
{
    static const double probabilities[2][3] = {
        {0.99, 0.98, 0.6 }, /* first, false ones, last */
        {0.99, 0.02, 0.01}
    };
    for (int i = 0; i < 2; i++) {
        const double *p = probabilities[i];
        loco_event r[] = {
            {1, 0, 1, 0},
            {2, 0, 1, 0},
            {3, 0, 1, 0}
        };
        loco_event c[] = {
            {1,   0, p[0], 0},
            {5,   0, p[1], 0},
            {6,   0, p[1], 0},
            {7,   0, p[1], 0},
            {2.0, 0, p[2], 0}
        };
        lc_sweep *sweep;
        lc_sweep_row row;
        CHECK_STATUS(lc_sweep_new(&sweep, 1, 0.05, NULL), LOCO_OK);
        CHECK_STATUS(lc_sweep_add(sweep, r, 3, c, 5, NULL), LOCO_OK);
        CHECK_STATUS(lc_sweep_read(sweep, 0, &row, NULL), LOCO_OK);
        CHECK_NEAR(row.f1, 0.5, 0);
        CHECK_NEAR(row.precision, i == 0 ? 0.4 : 1, 1e-15);
        lc_sweep_free(sweep);
    }
}

typedef struct recording {
    size_t n, m;
    loco_event reference[MOST], candidates[MOST];
} recording;

static void make_recording(lc_rng *rng, recording *r)
{
    r->n = r->m = 0;
    for (size_t i = 0; i < 40; i++) {
        loco_event event = {0.1 * (double)i, lc_rng_next(rng) % CLASSES, 1, 0};
        double p = lc_rng_uniform(rng);
        if (lc_rng_uniform(rng) < 0.6)
            r->reference[r->n++] = event;
        else
            p *= p;
        event.time += 0.04 * lc_rng_normal(rng);
        event.probability = event.kind == 0 ? 0.3 * p : event.kind == 1 ? 1 - 0.1 * (1 - p) : p;
        r->candidates[r->m++] = event;
    }
}

/* F1 of the events that reach a threshold, by the scores of score.h. */
static lc_score_row score_at(const recording *r, double threshold, size_t kind)
{
    lc_score *score;
    CHECK_STATUS(lc_score_new(&score, CLASSES, (double[]){0.05}, 1, NULL), LOCO_OK);
    for (size_t i = 0; i < RECORDINGS; i++) {
        loco_event kept[MOST];
        size_t m = 0;
        for (size_t j = 0; j < r[i].m; j++) {
            if (r[i].candidates[j].probability >= threshold)
                kept[m++] = r[i].candidates[j];
        }
        CHECK_STATUS(lc_score_add(score, r[i].reference, r[i].n, kept, m, NULL), LOCO_OK);
    }
    lc_score_row row = lc_score_read(score, kind, 0, LC_POOLED, LC_EMPTY_ZERO);
    lc_score_free(score);
    return row;
}

static void no_threshold_is_better(void)
{
    static recording r[RECORDINGS];
    lc_rng rng = lc_rng_seed(9);
    for (int trial = 0; trial < 20; trial++) {
        lc_sweep *sweep;
        CHECK_STATUS(lc_sweep_new(&sweep, CLASSES, 0.05, NULL), LOCO_OK);
        for (size_t i = 0; i < RECORDINGS; i++) {
            make_recording(&rng, &r[i]);
            CHECK_STATUS(lc_sweep_add(sweep, r[i].reference, r[i].n, r[i].candidates, r[i].m, NULL), LOCO_OK);
        }
        for (size_t k = 0; k <= CLASSES; k++) {
            size_t kind = k < CLASSES ? k : LC_ALL_KINDS;
            lc_sweep_row row;
            CHECK_STATUS(lc_sweep_read(sweep, kind, &row, NULL), LOCO_OK);
            lc_score_row at = score_at(r, row.threshold, kind);
            CHECK_NEAR(at.f1, row.f1, 1e-12);
            CHECK_NEAR(at.precision, row.precision, 1e-12);
            CHECK_NEAR(at.recall, row.recall, 1e-12);
            CHECK(row.low <= row.threshold && row.threshold <= row.high);
            for (size_t place = 0; place <= 120; place += 5) {
                double t = (double)place - 60;
                lc_score_row other = score_at(r, 1 / (1 + exp(-t / 10.0)), kind);
                lc_sweep_row point = lc_sweep_point(sweep, kind, place);
                CHECK(other.f1 <= row.f1 + 1e-12);
                CHECK_NEAR(point.threshold, 1 / (1 + exp(-t / 10.0)), 1e-12);
                CHECK_NEAR(point.f1, other.f1, 1e-12);
                CHECK_NEAR(point.recall, other.recall, 1e-12);
                CHECK(other.estimated > 0 ? fabs(point.precision - other.precision) < 1e-12 : isnan(point.precision));
            }
        }
        lc_sweep_free(sweep);
    }
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(the_middle_of_the_gap_is_chosen);
    RUN(the_longer_run_is_chosen);
    RUN(no_threshold_is_better);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_measure_offset.c - time offsets from reference times: exact ones, and under missed, invented and scattered
 * events. */
#include "check.h"

#include "base/rng.h"
#include "calibrate/measure.h"
#include "eval/score.h"

enum { MOST = 500 };

static void wrong_arguments_are_refused(void)
{
    lc_offset *offset = NULL;
    lc_offset_row row = {.pairs = 7};
    loco_event wrong = {1, 3, 1, 0};
    loco_err err;
    CHECK_STATUS(lc_offset_new(NULL, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_offset_new(&offset, 0, &err), LOCO_EARG);
    CHECK(offset == NULL);
    CHECK_STATUS(lc_offset_new(&offset, 2, &err), LOCO_OK);
    CHECK_STATUS(lc_offset_add(NULL, NULL, 0, NULL, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_offset_add(offset, &wrong, 1, NULL, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_offset_read(offset, 2, &row, &err), LOCO_EARG);
    CHECK_STATUS(lc_offset_read(offset, 0, NULL, &err), LOCO_EARG);
    CHECK_EQ(row.pairs, 7);
    CHECK_STATUS(lc_offset_read(offset, 0, &row, &err), LOCO_OK);
    CHECK(row.pairs == 0 && row.all == 0 && fabs(row.offset) <= 0);
    lc_offset_free(offset);
    lc_offset_free(NULL);
}

/* Four of class 0 by 30 ms late and one that strays; class 1 early. */
static void strays_do_not_count(void)
{
    loco_event r[] = {
        {1,  0, 1, 0},
        {2,  0, 1, 0},
        {3,  0, 1, 0},
        {4,  0, 1, 0},
        {5,  0, 1, 0},
        {1,  1, 1, 0},
        {20, 1, 1, 0}
    };
    loco_event e[] = {
        {5.03,  0, 1, 0},
        {4.03,  0, 1, 0},
        {2.028, 0, 1, 0},
        {3.032, 0, 1, 0},
        {0.88,  0, 1, 0},
        {0.99,  1, 1, 0},
        {30,    1, 1, 0}
    };
    lc_offset *offset;
    lc_offset_row row;
    CHECK_STATUS(lc_offset_new(&offset, 3, NULL), LOCO_OK);
    CHECK_STATUS(lc_offset_add(offset, r, 7, e, 7, NULL), LOCO_OK);
    CHECK_STATUS(lc_offset_read(offset, 0, &row, NULL), LOCO_OK);
    CHECK(row.pairs == 4 && row.all == 5);
    CHECK_NEAR(row.offset, 0.03, 1e-12);
    CHECK_NEAR(row.spread, sqrt(2 * 0.002 * 0.002 / 4), 1e-12);
    CHECK_STATUS(lc_offset_read(offset, 1, &row, NULL), LOCO_OK);
    CHECK(row.pairs == 1 && row.all == 1);
    CHECK_NEAR(row.offset, -0.01, 1e-12);
    CHECK_STATUS(lc_offset_read(offset, 2, &row, NULL), LOCO_OK);
    CHECK_EQ(row.pairs, 0);
    CHECK_STATUS(lc_offset_read(offset, LC_ALL_KINDS, &row, NULL), LOCO_OK);
    CHECK_EQ(row.all, 6);
    CHECK_NEAR(row.offset, (4 * 0.03 - 0.01) / 5, 1e-12);
    lc_offset_free(offset);
}

/* One recording of regular events: 10 % missed, 5 % invented, 5 ms of scatter. */
static void make(lc_rng *rng, double spacing, double late, loco_event *r, size_t *n, loco_event *e, size_t *m)
{
    double at = 0;
    *n = *m = 0;
    while (*n < 200) {
        at += spacing * (lc_rng_uniform(rng) < 0.2 ? 2 : 1);
        double time = at + 0.003 * lc_rng_normal(rng);
        r[(*n)++] = (loco_event){time, 0, 1, 0};
        if (lc_rng_uniform(rng) > 0.1)
            e[(*m)++] = (loco_event){time + late + 0.005 * lc_rng_normal(rng), 0, 1, 0};
        if (lc_rng_uniform(rng) < 0.05)
            e[(*m)++] = (loco_event){at + spacing * lc_rng_uniform(rng), 0, 1, 0};
    }
}

static void offsets_are_found_in_dense_music(void)
{
    static const double spacings[] = {0.1, 0.15, 0.3}, lates[] = {-0.04, -0.01, 0, 0.03, 0.04};
    static loco_event r[MOST], e[MOST];
    lc_rng rng = lc_rng_seed(11);
    double worst = 0;
    for (size_t s = 0; s < 3; s++) {
        for (size_t l = 0; l < 5; l++) {
            lc_offset *offset;
            lc_offset_row row;
            size_t n, m;
            CHECK_STATUS(lc_offset_new(&offset, 1, NULL), LOCO_OK);
            for (int recording = 0; recording < 4; recording++) {
                make(&rng, spacings[s], lates[l], r, &n, e, &m);
                CHECK_STATUS(lc_offset_add(offset, r, n, e, m, NULL), LOCO_OK);
            }
            CHECK_STATUS(lc_offset_read(offset, 0, &row, NULL), LOCO_OK);
            CHECK_NEAR(row.offset, lates[l], 0.002);
            CHECK(row.pairs > 600 && row.pairs <= row.all);
            worst = fmax(worst, fabs(row.offset - lates[l]));
            lc_offset_free(offset);
        }
    }
    printf("    largest error %.2f ms\n", 1e3 * worst);
}

/* Words: seconds apart, found far from their beginning, and with more scatter. */
static void long_events_are_found_late(void)
{
    static const double lates[] = {-0.48, -0.2, 0.3, 0.48};
    loco_event r[60], e[60];
    lc_rng rng = lc_rng_seed(4);
    for (size_t l = 0; l < 4; l++) {
        lc_offset *offset;
        lc_offset_row row;
        double at = 0;
        for (size_t i = 0; i < 60; i++) {
            at += 0.7 + lc_rng_uniform(&rng);
            r[i] = (loco_event){at, 0, 1, 0};
            e[i] = (loco_event){fmax(0, at + lates[l] + 0.015 * lc_rng_normal(&rng)), 0, 1, 0};
        }
        CHECK_STATUS(lc_offset_new(&offset, 1, NULL), LOCO_OK);
        CHECK_STATUS(lc_offset_add(offset, r, 60, e, 60, NULL), LOCO_OK);
        CHECK_STATUS(lc_offset_read(offset, 0, &row, NULL), LOCO_OK);
        printf("    %+.0f ms late: found as %+.1f ms from %zu pairs\n", 1e3 * lates[l], 1e3 * row.offset, row.pairs);
        CHECK_NEAR(row.offset, lates[l], 0.01);
        CHECK(row.pairs > 50);
        lc_offset_free(offset);
    }
}

/* A metronome: a shift by a whole period, which loses one event only, must not win. */
static void whole_periods_do_not_win(void)
{
    loco_event r[100], e[100];
    lc_rng rng = lc_rng_seed(6);
    for (int sign = -1; sign <= 1; sign += 2) {
        lc_offset *offset;
        lc_offset_row row;
        for (size_t i = 0; i < 100; i++) {
            r[i] = (loco_event){1 + 0.25 * (double)i, 0, 1, 0};
            e[i] = (loco_event){r[i].time + sign * 0.06 + 0.004 * lc_rng_normal(&rng), 0, 1, 0};
        }
        CHECK_STATUS(lc_offset_new(&offset, 1, NULL), LOCO_OK);
        CHECK_STATUS(lc_offset_add(offset, r, 100, e, 100, NULL), LOCO_OK);
        CHECK_STATUS(lc_offset_read(offset, 0, &row, NULL), LOCO_OK);
        CHECK_NEAR(row.offset, sign * 0.06, 0.002);
        CHECK_EQ(row.pairs, 100);
        lc_offset_free(offset);
    }
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(strays_do_not_count);
    RUN(offsets_are_found_in_dense_music);
    RUN(long_events_are_found_late);
    RUN(whole_periods_do_not_win);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_measure_count_sweep.c - the threshold that counts choose is that of the best F1. */
#include "check.h"

#include "calibrate/measure.h"

/* Clips of a second, each with one detection in its middle; counts as given. */
static lc_count_sweep add_clips(const double *probability, const double *count, size_t n)
{
    lc_count_sweep sweep = {0};
    for (size_t i = 0; i < n; i++) {
        loco_event events[] = {
            {.time = (double)i + 0.5, .kind = 1, .probability = probability[i]},
            {.time = (double)i + 0.5, .kind = 0, .probability = 0.99          }, /* another class has no effect */
        };
        lc_event_array detected = {.events = events, .len = 2};
        lc_count_sweep_add(&sweep, &detected, 1, (lc_count_clip){(double)i, (double)i + 1}, count[i]);
    }
    CHECK_EQ(sweep.clips, n);
    return sweep;
}

static void levels_go_up(void)
{
    CHECK_NEAR(lc_count_sweep_threshold(0), 0.01, 1e-12);
    CHECK_NEAR(lc_count_sweep_threshold(LC_COUNT_SWEEP_FAINT), 0.1, 1e-12);
    CHECK_NEAR(lc_count_sweep_threshold(LC_COUNT_SWEEP_POINTS - 1), 0.9, 1e-12);
    for (size_t i = 1; i < LC_COUNT_SWEEP_POINTS; i++)
        CHECK(lc_count_sweep_threshold(i) > lc_count_sweep_threshold(i - 1));
}

/* All that is sure is right and nothing else: anything between is as good, and the middle is taken. */
static void clear_cases_take_the_middle(void)
{
    static const double p[] = {0.81, 0.81, 0.31, 0.31}, count[] = {1, 1, 0, 0};
    lc_count_sweep sweep = add_clips(p, count, 4);
    CHECK_NEAR(lc_count_sweep_best(&sweep, LC_COUNT_SWEEP_FAINT), 0.5625, 1e-9); /* of 0.325 to 0.8 */
}

/* 24 sure ones, all counted, and 24 of probability 0.4, of which 11 are. Leaving these out makes fewer mistakes, 11 and
 * not 13; F1 is better with them, 1 - 13 / (48 + 35) against 1 - 11 / (24 + 35). */
static void f1_decides_and_not_the_number_of_mistakes(void)
{
    double p[48], count[48];
    for (size_t i = 0; i < 48; i++) {
        p[i] = i < 24 ? 0.95 : 0.4;
        count[i] = i < 35;
    }
    lc_count_sweep sweep = add_clips(p, count, 48);
    CHECK_NEAR(lc_count_sweep_best(&sweep, LC_COUNT_SWEEP_FAINT), 0.25, 0.013); /* of 0.1 to 0.4 */
}

static void faint_levels_are_for_those_who_ask(void)
{
    static const double p[] = {0.05, 0.05, 0.02}, count[] = {1, 1, 0};
    lc_count_sweep sweep = add_clips(p, count, 3);
    double faint = lc_count_sweep_best(&sweep, 0);
    CHECK(faint > 0.02 && faint <= 0.05);
    CHECK(lc_count_sweep_best(&sweep, LC_COUNT_SWEEP_FAINT) >= 0.1);
}

/* Ends belong to the next clip; nothing detected where nothing is costs nothing. */
static void clips_end_where_the_next_begins(void)
{
    loco_event event = {.time = 1, .probability = 0.5};
    lc_event_array detected = {.events = &event, .len = 1};
    lc_count_sweep sweep = {0};
    lc_count_sweep_add(&sweep, &detected, 0, (lc_count_clip){0, 1}, 0);
    CHECK_NEAR(sweep.sums[LC_COUNT_SWEEP_FAINT], 0, 0);
    lc_count_sweep_add(&sweep, &detected, 0, (lc_count_clip){1, 2}, 1);
    CHECK_NEAR(sweep.sums[LC_COUNT_SWEEP_FAINT], 2, 0);
    CHECK_NEAR(sweep.differences[LC_COUNT_SWEEP_FAINT], 0, 0);
    CHECK_NEAR(sweep.differences[LC_COUNT_SWEEP_POINTS - 1], 1, 0);
}

int main(void)
{
    RUN(levels_go_up);
    RUN(clear_cases_take_the_middle);
    RUN(f1_decides_and_not_the_number_of_mistakes);
    RUN(faint_levels_are_for_those_who_ask);
    RUN(clips_end_where_the_next_begins);
    return check_done();
}

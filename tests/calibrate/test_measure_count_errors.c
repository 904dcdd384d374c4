/* SPDX-License-Identifier: MIT
 * test_measure_count_errors.c - which count is nearer, and errors of recordings that are found again from few of them. */
#include "check.h"

#include "base/rng.h"
#include "calibrate/measure.h"

enum { CLIPS = 20, MOST = 60 };

/* How counts go wrong: a factor of each recording, noise of each clip, events that detections miss. */
typedef struct fault {
    double spread, excess, missed;
} fault;

/* One recording of CLIPS clips of 10 expected events each. */
static void make(lc_count_error *clips, size_t recording, const fault *f, lc_rng *rng)
{
    double factor = exp(f->spread * lc_rng_normal(rng));
    for (size_t i = 0; i < CLIPS; i++) {
        double expected = 5 + 10 * lc_rng_uniform(rng), deviation = sqrt((0.1 + f->excess) * expected);
        double truth = nearbyint(fmax(0, factor * expected + deviation * lc_rng_normal(rng)));
        clips[i] = (lc_count_error){.truth = truth,
                                    .expected = expected,
                                    .variance = 0.1 * expected,
                                    .detected = nearbyint((1 - f->missed) * truth),
                                    .frames = 100,
                                    .recording = recording};
    }
}

static lc_count_errors measure(size_t recordings, const fault *f, lc_rng *rng)
{
    static lc_count_error clips[MOST * CLIPS];
    for (size_t r = 0; r < recordings; r++)
        make(clips + r * CLIPS, r, f, rng);
    return lc_count_errors_measure(clips, recordings * CLIPS);
}

static void nothing_is_measured_of_nothing(void)
{
    lc_count_errors found = lc_count_errors_measure(NULL, 0);
    CHECK(found.recordings == 0 && !found.detections && found.frames <= 0);
}

static void the_nearer_count_is_chosen(void)
{
    const fault even = {0.1, 0.1, 0}, deaf = {0.05, 0.1, 0.5};
    lc_rng rng = lc_rng_seed(1);
    CHECK(measure(20, &even, &rng).detections); /* exact detections */
    CHECK(!measure(20, &deaf, &rng).detections);
    lc_count_error alike[40];
    for (size_t i = 0; i < 40; i++) /* the two are wrong in turns */
        alike[i] = (lc_count_error){.truth = 5,
                                    .expected = i % 2 > 0 ? 5 : 6,
                                    .detected = i % 2 > 0 ? 6 : 5,
                                    .variance = 1,
                                    .frames = 100,
                                    .recording = i};
    CHECK(lc_count_errors_measure(alike, 40).detections);
}

static void errors_are_found_again(void)
{
    const fault f = {0.1, 0.3, 0.5};
    lc_rng rng = lc_rng_seed(2);
    lc_count_errors found = measure(MOST, &f, &rng);
    printf("    spread %.3f, excess %.3f\n", found.spread, found.excess);
    CHECK_NEAR(found.rate, 0, 1e-9); /* it goes with the count */
    CHECK_NEAR(found.spread, 0.1, 0.02);
    CHECK_NEAR(found.excess, 0.3, 0.05);
    CHECK_EQ(found.recordings, MOST);
    CHECK_NEAR(found.frames, 100, 1e-9);
    CHECK_NEAR(found.sum_frames, 100 * CLIPS, 1e-6);
}

/* How often the normal with the measured spread holds the sum of a new recording in its 90 % interval. */
static double held(size_t recordings, double spread)
{
    enum { ROUNDS = 400 };
    const fault f = {spread, 0.1, 0.5};
    lc_rng rng = lc_rng_seed(recordings);
    double sum = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        lc_count_errors found = measure(recordings, &f, &rng);
        lc_count_error clips[CLIPS];
        double truth = 0, count = 0, frames = 0;
        make(clips, 0, &f, &rng);
        for (size_t i = 0; i < CLIPS; i++) {
            truth += clips[i].truth;
            frames += clips[i].frames;
            count += found.detections ? clips[i].detected : clips[i].expected;
        }
        double size = count + found.rate * frames;
        double variance = 0.1 * count + found.excess * size + found.spread * found.spread * size * size;
        sum += fabs(truth - count) <= 1.645 * sqrt(variance);
    }
    return sum / ROUNDS;
}

static void few_recordings_widen_intervals(void)
{
    const size_t numbers[] = {2, 4, 8, 30};
    const double spreads[] = {0.05, 0.2};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < 4; i++) {
            double share = held(numbers[i], spreads[s]);
            printf("    spread %.2f, %zu recordings: 90 %% intervals hold %.3f of others\n", spreads[s], numbers[i],
                   share);
            CHECK(share >= 0.85 && share <= (numbers[i] > 2 ? 0.96 : 0.99));
        }
}

/* One recording says little: the interval is far wider than from many. */
static void one_recording_is_a_guess(void)
{
    const fault f = {0.02, 0.1, 0.5};
    lc_rng rng = lc_rng_seed(3);
    lc_count_errors one = measure(1, &f, &rng), many = measure(40, &f, &rng);
    printf("    spread %.3f from one recording, %.3f from 40\n", one.spread, many.spread);
    CHECK(one.recordings == 1 && one.spread > 2 * many.spread);
}

int main(void)
{
    RUN(nothing_is_measured_of_nothing);
    RUN(the_nearer_count_is_chosen);
    RUN(errors_are_found_again);
    RUN(few_recordings_widen_intervals);
    RUN(one_recording_is_a_guess);
    return check_done();
}

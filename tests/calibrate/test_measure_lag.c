/* SPDX-License-Identifier: MIT
 * test_measure_lag.c - time offsets from the sound alone: known lags come back, unrelated detections are not sharp. */
#include "check.h"

#include "base/rng.h"
#include "calibrate/measure.h"

#include <stdlib.h>

enum { FRAMES = 12000, EVENTS = 100 };

static const double start = 0.25;

static float strength[FRAMES];
static double detections[EVENTS];

/* Noise, and at each true time, 30 ms before the detection on average, a jump that decays; every event is as sharp as a
 * frame allows. */
static void make_sound(lc_rng *rng, double hop, double late, double scatter, double height)
{
    double seconds = FRAMES * hop - 1;
    for (size_t i = 0; i < FRAMES; i++)
        strength[i] = (float)(lc_rng_uniform(rng) * lc_rng_uniform(rng));
    for (size_t k = 0; k < EVENTS; k++) {
        double time = start + 0.5 + seconds * lc_rng_uniform(rng), place = (time - start) / hop;
        size_t at = (size_t)place;
        double part = place - (double)at;
        strength[at] += (float)(height * (1 - part));
        strength[at + 1] += (float)(height * part);
        detections[k] = time + late + scatter * lc_rng_normal(rng);
    }
}

static void wrong_arguments_are_refused(void)
{
    lc_lag lag = {0};
    loco_err err;
    double times[] = {1, NAN};
    strength[3] = NAN;
    CHECK_STATUS(lc_lag_add(NULL, &(lc_lag_curve){strength, 10, 0, 0.005}, times, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){NULL, 10, 0, 0.005}, times, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 3, 0, 0.005}, NULL, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 3, 0, 0}, times, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 3, 0, 0.1}, times, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 3, NAN, 0.005}, times, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 10, 0, 0.005}, times, 1, &err), LOCO_EDATA);
    CHECK_STR(err.text, "onset strength 3 is not a finite number");
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 3, 0, 0.005}, times, 2, &err), LOCO_EDATA);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 3, 0, 0.005}, times, 1, &err),
                 LOCO_OK); /* too short: left out */
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){NULL, 0, 0, 0.005}, NULL, 0, &err), LOCO_OK);
    lc_lag_row row = lc_lag_read(&lag);
    CHECK(row.events == 0 && row.sharpness <= 0 && !row.inside);
    strength[3] = 0;
}

static void offsets_come_back(void)
{
    static const double lates[] = {-0.045, -0.0123, 0, 0.03, 0.05}, hops[] = {0.00498866, 0.01};
    lc_rng rng = lc_rng_seed(5);
    for (size_t h = 0; h < 2; h++) {
        for (size_t l = 0; l < 5; l++) {
            lc_lag lag = {0};
            for (int recording = 0; recording < 3; recording++) { /* one 40 dB louder than another */
                make_sound(&rng, hops[h], lates[l], 0.004, 3);
                for (size_t i = 0; i < FRAMES; i++)
                    strength[i] *= recording == 1 ? 100.0f : 1.0f;
                CHECK_STATUS(
                    lc_lag_add(&lag, &(lc_lag_curve){strength, FRAMES, start, hops[h]}, detections, EVENTS, NULL),
                    LOCO_OK);
            }
            lc_lag_row row = lc_lag_read(&lag);
            CHECK(row.events > 2 * EVENTS && row.inside);
            CHECK_NEAR(row.offset, lates[l], 0.0012);
            CHECK(row.sharpness > LC_LAG_SHARP);
            CHECK(row.uncertainty > fabs(row.offset - lates[l]) && row.uncertainty < 0.008);
            printf("    hop %.1f ms: offset %.2f ms found as %.2f ms, sharpness %.1f\n", 1e3 * hops[h], 1e3 * lates[l],
                   1e3 * row.offset, row.sharpness);
        }
    }
}

/* Exact where the sums are: one event on a frame, a symmetric peak. */
static void a_clean_peak_is_exact(void)
{
    lc_lag lag = {0};
    memset(strength, 0, sizeof strength);
    strength[1000] = 1;
    double time = 10.02;
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 2000, 0, 0.01}, &time, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 2000, 0, 0.01}, &time, 1, NULL), LOCO_OK);
    lc_lag_row row = lc_lag_read(&lag);
    CHECK_NEAR(row.offset, 0.02, 1e-9);
    CHECK(row.inside && row.events == 2);
    time = 10.0204; /* between two lags */
    lag = (lc_lag){0};
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 2000, 0, 0.01}, &time, 1, NULL), LOCO_OK);
    CHECK_NEAR(lc_lag_read(&lag).offset, 0.0204, 2e-5);
    time = 10.08; /* beyond the search: the edge, and not inside */
    lag = (lc_lag){0};
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 2000, 0, 0.01}, &time, 1, NULL), LOCO_OK);
    CHECK(!lc_lag_read(&lag).inside);
}

/* A step of 5 ms: lags of series, up to 300 ms, from strengths that are 50 ms apart. */
static void wider_steps_look_farther(void)
{
    lc_lag lag = {.step = 0.005};
    memset(strength, 0, sizeof strength);
    strength[200] = 1;
    double time = 9.87;
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 2000, 0, 0.05}, &time, 1, NULL), LOCO_OK);
    lc_lag_row row = lc_lag_read(&lag);
    CHECK_NEAR(row.offset, -0.13, 1e-6);
    CHECK(row.inside && row.events == 1);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, 2000, 0, 0.2}, &time, 1, NULL), LOCO_EARG);
}

/* A detection 0.4 s after the beginning of a recording, whose lags reach 0.9 s back. */
static void open_ends_count_as_silence(void)
{
    lc_lag closed = {.step = 0.01}, open = {.step = 0.01, .open = true};
    lc_lag_curve curve = {strength, 2000, 0, 0.005};
    double time = 0.4;
    memset(strength, 0, sizeof strength);
    strength[20] = 1;
    CHECK_STATUS(lc_lag_add(&closed, &curve, &time, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_lag_add(&open, &curve, &time, 1, NULL), LOCO_OK);
    CHECK_EQ(closed.events, 0);
    CHECK_EQ(open.events, 1);
    CHECK_NEAR(lc_lag_read(&open).offset, 0.3, 1e-6);
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* A wider onset strength, as real ones are: the mean of four frames. */
static void blur(void)
{
    for (size_t i = 0; i + 3 < FRAMES; i++)
        strength[i] = (strength[i] + strength[i + 1] + strength[i + 2] + strength[i + 3]) / 4;
}

static double unrelated_sharpness(lc_rng *rng)
{
    lc_lag lag = {0};
    for (size_t k = 0; k < EVENTS; k++)
        detections[k] = start + 0.5 + 58 * lc_rng_uniform(rng);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, FRAMES, start, 0.005}, detections, EVENTS, NULL), LOCO_OK);
    return lc_lag_read(&lag).sharpness;
}

/* Detections that have nothing to do with the sound, though it has onsets. */
static void unrelated_detections_are_flat(void)
{
    enum { TRIALS = 2000 };
    static double sharpness[TRIALS];
    lc_rng rng = lc_rng_seed(8);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        if (trial % 50 == 0)
            make_sound(&rng, 0.005, 0, 0.004, 3);
        if (trial % 100 == 0)
            blur();
        sharpness[trial] = unrelated_sharpness(&rng);
    }
    qsort(sharpness, TRIALS, sizeof *sharpness, compare);
    printf("    sharpness of unrelated detections: median %.2f, 99 %% %.2f, largest %.2f\n", sharpness[TRIALS / 2],
           sharpness[TRIALS * 99 / 100], sharpness[TRIALS - 1]);
    CHECK(sharpness[TRIALS - 1] < LC_LAG_SHARP);
}

/* The same onsets, and detections that scatter more and more: the uncertainty says so, and covers the error. */
static void uncertainty_grows_with_scatter(void)
{
    const double scatters[] = {0.002, 0.015, 0.03};
    double before = 0;
    lc_rng rng = lc_rng_seed(9);
    for (size_t i = 0; i < 3; i++) {
        lc_lag lag = {0};
        make_sound(&rng, 0.005, 0.01, scatters[i], 3);
        CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, FRAMES, start, 0.005}, detections, EVENTS, NULL),
                     LOCO_OK);
        lc_lag_row row = lc_lag_read(&lag);
        printf("    scatter %.0f ms: offset %.1f ms, uncertain by %.1f ms\n", 1e3 * scatters[i], 1e3 * row.offset,
               1e3 * row.uncertainty);
        CHECK(row.uncertainty > before && fabs(row.offset - 0.01) < 2 * row.uncertainty);
        before = row.uncertainty;
    }
    CHECK(before > 0.004);
}

static void few_events_are_not_trusted(void)
{
    lc_lag lag = {0};
    lc_rng rng = lc_rng_seed(4);
    make_sound(&rng, 0.005, 0.02, 0, 50);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, FRAMES, start, 0.005}, detections, 10, NULL), LOCO_OK);
    CHECK(lc_lag_read(&lag).events > 5 && lc_lag_read(&lag).sharpness <= 0);
    CHECK_STATUS(lc_lag_add(&lag, &(lc_lag_curve){strength, FRAMES, start, 0.005}, detections, EVENTS, NULL), LOCO_OK);
    CHECK(lc_lag_read(&lag).sharpness > LC_LAG_SHARP);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(offsets_come_back);
    RUN(a_clean_peak_is_exact);
    RUN(wider_steps_look_farther);
    RUN(open_ends_count_as_silence);
    RUN(unrelated_detections_are_flat);
    RUN(uncertainty_grows_with_scatter);
    RUN(few_events_are_not_trusted);
    return check_done();
}

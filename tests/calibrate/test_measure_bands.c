/* SPDX-License-Identifier: MIT
 * test_measure_bands.c - bands in which sounds begin: the part of each class is found, also of classes that play
 * together. */
#include "cases.h"

#include "calibrate/measure.h"

enum { FRAMES = 40000, BANDS = 4, EVENTS = 3000 };

static const double hop = 0.005;

/* Class 0 rises in band 0, class 1 in bands 1 and 2, both in band 3, and three in four of its events have one of class
 * 0 with them. */
static size_t make(loco_event *events, float *rises, lc_rng *rng)
{
    size_t n = 0;
    for (size_t i = 0; i < FRAMES * BANDS; i++)
        rises[i] = (float)(0.2 * lc_rng_uniform(rng));
    for (size_t t = 20; t + 20 < FRAMES; t += 30) {
        bool one = lc_rng_uniform(rng) < 0.5, zero = lc_rng_uniform(rng) < (one ? 0.75 : 0.5);
        if (zero)
            events[n++] = (loco_event){.kind = 0, .time = hop * (double)t, .probability = 1};
        if (one)
            events[n++] = (loco_event){.kind = 1, .time = hop * (double)t, .probability = 1};
        rises[t * BANDS] += zero ? 2 : 0;
        rises[t * BANDS + 1] += one ? 1 : 0;
        rises[t * BANDS + 2] += one ? 2 : 0;
        rises[t * BANDS + 3] += (float)((zero ? 1 : 0) + (one ? 1 : 0));
    }
    return n;
}

static void classes_are_kept_apart(void)
{
    lc_bands *bands;
    lc_rng rng = lc_rng_seed(7);
    double w[3 * BANDS];
    loco_event *events = case_array(EVENTS, sizeof *events);
    float *rises = case_array(FRAMES * BANDS, sizeof *rises);
    CHECK_STATUS(lc_bands_new(&bands, 3, BANDS, NULL), LOCO_OK);
    for (int recording = 0; recording < 2; recording++) {
        size_t n = make(events, rises, &rng);
        CHECK(n < EVENTS);
        lc_bands_add(bands, rises, FRAMES, hop, events, n);
    }
    for (size_t i = 0; i < 3 * BANDS; i++)
        w[i] = 0.25;
    CHECK_EQ(lc_bands_read(bands, w), 2);
    CHECK_NEAR(w[0], 1, 0);
    CHECK_NEAR(w[1], 0, 0.02);
    CHECK_NEAR(w[2], 0, 0.02);
    CHECK_NEAR(w[3], 0.5 * 0.25, 0.02); /* half as high, and half of it: squared */
    CHECK_NEAR(w[BANDS], 0, 0.02);      /* a mean around its events would have 1.5 of class 0 here */
    CHECK_NEAR(w[BANDS + 1], 0.5, 0.05);
    CHECK_NEAR(w[BANDS + 2], 1, 0);
    CHECK_NEAR(w[BANDS + 3], 0.5 * 0.25, 0.02);
    for (size_t b = 0; b < BANDS; b++) /* no events: stays */
        CHECK_NEAR(w[2 * BANDS + b], 0.25, 0);
    lc_bands_free(bands);
    free(events);
    free(rises);
}

static void few_events_are_not_enough(void)
{
    lc_bands *bands;
    double w[BANDS] = {0.5, 0.5, 0.5, 0.5};
    float *rises = case_array(FRAMES * BANDS, sizeof *rises);
    loco_event events[LC_LAG_EVENTS - 1];
    for (size_t i = 0; i < LC_LAG_EVENTS - 1; i++) {
        events[i] = (loco_event){.kind = 0, .time = hop * 30 * (double)(i + 1), .probability = 1};
        rises[30 * (i + 1) * BANDS] = 1;
    }
    CHECK_STATUS(lc_bands_new(&bands, 1, BANDS, NULL), LOCO_OK);
    lc_bands_add(bands, rises, FRAMES, hop, events, LC_LAG_EVENTS - 1);
    CHECK_EQ(lc_bands_read(bands, w), 0);
    for (size_t b = 0; b < BANDS; b++)
        CHECK_NEAR(w[b], 0.5, 0);
    lc_bands_free(bands);
    CHECK_STATUS(lc_bands_new(&bands, 1, BANDS, NULL), LOCO_OK); /* nothing at all */
    CHECK_EQ(lc_bands_read(bands, w), 0);
    lc_bands_free(bands);
    free(rises);
}

int main(void)
{
    RUN(classes_are_kept_apart);
    RUN(few_events_are_not_enough);
    return check_done();
}

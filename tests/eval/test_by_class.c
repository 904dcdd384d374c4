/* SPDX-License-Identifier: MIT
 * test_by_class.c - events sorted by class and time, whatever their order was. */
#include "check.h"

#include "base/rng.h"
#include "eval/by_class.h"

static void wrong_events_are_refused(void)
{
    lc_by_class slices = {0};
    loco_err err;
    loco_event events[] = {
        {1,   0, 1, 0},
        {NAN, 0, 1, 0}
    };
    CHECK_STATUS(lc_by_class_set(&slices, 2, NULL, 1, "reference", &err), LOCO_EARG);
    CHECK_STATUS(lc_by_class_set(&slices, 2, events, 2, "reference", &err), LOCO_EDATA);
    CHECK_STR(err.text, "reference event 1: its time is not a finite number");
    events[1] = (loco_event){1, 2, 1, 0};
    CHECK_STATUS(lc_by_class_set(&slices, 2, events, 2, "estimated", &err), LOCO_EDATA);
    CHECK_STR(err.text, "estimated event 1: class 2, but there are only 2, counted from 0");
    CHECK_STATUS(lc_by_class_set(&slices, 2, events, SIZE_MAX / 8, "estimated", &err), LOCO_EDATA);
    lc_by_class_free(&slices);
}

static void classes_stand_in_order(void)
{
    lc_by_class slices = {0};
    lc_rng rng = lc_rng_seed(4);
    for (size_t n = 0; n < 60; n++) {
        loco_event events[60];
        size_t in_class[5] = {0};
        for (size_t i = 0; i < n; i++) {
            events[i] = (loco_event){floor(20 * lc_rng_uniform(&rng)) - 5, lc_rng_next(&rng) % 5, lc_rng_uniform(&rng),
                                     0};
            in_class[events[i].kind]++;
        }
        CHECK_STATUS(lc_by_class_set(&slices, 5, events, n, "reference", NULL), LOCO_OK);
        CHECK(slices.start[0] == 0 && slices.start[5] == n);
        for (size_t k = 0; k < 5; k++) {
            CHECK_EQ(lc_by_class_len(&slices, k), in_class[k]);
            for (size_t i = slices.start[k]; i + 1 < slices.start[k + 1]; i++)
                CHECK(slices.time[i] < slices.time[i + 1] ||
                      (slices.time[i] <= slices.time[i + 1] && slices.probability[i] >= slices.probability[i + 1]));
        }
        for (size_t i = 0; i < n; i++) { /* every event is there, in its class */
            size_t k = events[i].kind, found = 0;
            for (size_t j = slices.start[k]; j < slices.start[k + 1]; j++)
                found += fabs(slices.time[j] - events[i].time) <= 0 &&
                         fabs(slices.probability[j] - events[i].probability) <= 0;
            CHECK_EQ(found, 1);
        }
    }
    lc_by_class_free(&slices);
}

int main(void)
{
    RUN(wrong_events_are_refused);
    RUN(classes_stand_in_order);
    return check_done();
}

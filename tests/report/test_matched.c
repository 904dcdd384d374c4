/* SPDX-License-Identifier: MIT
 * test_matched.c - detected events against true ones: which are right, and by how much they are off. */
#include "cases.h"

#include "report/matched.h"

static void classes_are_apart(void)
{
    static const loco_event truth[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {2, 1, 1, 0}
    };
    static const loco_event found[] = {
        {2.01, 1, 0.95, 0},
        {1.02, 0, 0.85, 0},
        {1.5,  0, 0.15, 0},
        {2.03, 0, 0.35, 0},
        {1,    1, 0.25, 0}
    };
    lc_matched matched = {0};
    lc_matched_free(&matched);
    CHECK_STATUS(lc_matched_new(&matched, 2, 0.05, NULL), LOCO_OK);
    for (size_t i = 0; i < 2; i++) /* two recordings that are the same */
        CHECK_STATUS(lc_matched_add(&matched, truth, 3, found, 5, NULL), LOCO_OK);
    CHECK_EQ(matched.errors[0].pairs, 4);
    CHECK_EQ(matched.errors[1].pairs, 2);
    CHECK_EQ(matched.errors[2].pairs, 6);
    CHECK_NEAR(matched.errors[2].mean, 0.02, 1e-12);
    const lc_reliability *all = &matched.reliability[2];
    static const size_t events[] = {0, 2, 2, 2, 0, 0, 0, 0, 2, 2}, right[] = {0, 0, 0, 2, 0, 0, 0, 0, 2, 2};
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++) {
        CHECK_EQ(all->events[b], events[b]);
        CHECK_EQ(all->right[b], right[b]);
    }
    CHECK_EQ(lc_reliability_events(&matched.reliability[0]), 6);
    CHECK_EQ(lc_reliability_events(&matched.reliability[1]), 4);
    CHECK_STATUS(lc_matched_add(&matched, NULL, 0, NULL, 0, NULL), LOCO_OK);
    CHECK_STATUS(lc_matched_add(&matched, truth, 3, &(loco_event){1, 2, 1, 0}, 1, NULL), LOCO_EDATA);
    lc_matched_free(&matched);
}

int main(void)
{
    RUN(classes_are_apart);
    return check_done();
}

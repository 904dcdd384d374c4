/* SPDX-License-Identifier: MIT
 * test_measure_plane_offset.c - offsets in images: a known shift is found among missed and invented events, for each class
 *   or for all together. */
#include "cases.h"

#include "calibrate/measure.h"

#include "base/rng.h"

enum { IMAGES = 40, EACH = 12 };

static loco_event truth[IMAGES][EACH], found[IMAGES][EACH];
static lc_plane_pairing images[IMAGES];

/* Twelve events in a field of 400 x 300 pixels; one of ten is missed, and one of ten is somewhere else. */
static void make_images(const double right[2], const double down[2], double scatter)
{
    lc_rng rng = lc_rng_seed(5);
    for (size_t i = 0; i < IMAGES; i++) {
        size_t m = 0;
        for (size_t e = 0; e < EACH; e++) {
            loco_event at = {300 * lc_rng_uniform(&rng), e % 2, 1, 400 * lc_rng_uniform(&rng)};
            double chance = lc_rng_uniform(&rng);
            truth[i][e] = at;
            at.x += right[at.kind] + scatter * lc_rng_normal(&rng);
            at.time += down[at.kind] + scatter * lc_rng_normal(&rng);
            at.x = chance > 0.9 ? 400 * lc_rng_uniform(&rng) : at.x;
            if (chance > 0.1)
                found[i][m++] = at;
        }
        images[i] = (lc_plane_pairing){truth[i], found[i], EACH, m};
    }
}

static void shifts_are_found(void)
{
    static const double right[2] = {4, -7}, down[2] = {-3, 5};
    lc_plane_offset offsets[3];
    make_images(right, down, 1.5);
    CHECK_STATUS(lc_plane_offsets(offsets, 2, images, IMAGES, 14, NULL), LOCO_OK);
    for (size_t k = 0; k < 2; k++) {
        CHECK_NEAR(offsets[k].x, right[k], 0.6);
        CHECK_NEAR(offsets[k].y, down[k], 0.6);
        CHECK(offsets[k].n > 180 && offsets[k].n < 240);
        CHECK(lc_plane_offset_uncertainty(&offsets[k]) < 0.3);
    }
    CHECK_EQ(offsets[2].n, offsets[0].n + offsets[1].n);
    CHECK_NEAR(offsets[2].x, -1.5, 1);
    /* one for all */
    CHECK_STATUS(lc_plane_offsets(offsets, 1, images, IMAGES, 14, NULL), LOCO_OK);
    CHECK_EQ(offsets[0].n, offsets[1].n);
    CHECK_NEAR(offsets[0].x, offsets[1].x, 0);
}

static void nothing_is_not_an_error(void)
{
    lc_plane_offset offsets[2] = {
        {1, 1, 1, 1},
        {2, 2, 2, 2}
    };
    CHECK_STATUS(lc_plane_offsets(offsets, 1, NULL, 0, 14, NULL), LOCO_OK);
    CHECK(offsets[0].n == 0 && offsets[1].n == 0);
    CHECK(isinf(lc_plane_offset_uncertainty(&offsets[0])));
}

/* Mean and standard error, against the formulas. */
static void means_have_errors(void)
{
    lc_plane_offset offset = {0};
    static const double x[] = {1, 2, 6}, y[] = {0, -3, 0};
    double squares = 0;
    for (size_t i = 0; i < 3; i++)
        lc_plane_offset_add(&offset, x[i], y[i]);
    for (size_t i = 0; i < 3; i++)
        squares += (x[i] - 3) * (x[i] - 3) + (y[i] + 1) * (y[i] + 1);
    CHECK_NEAR(offset.x, 3, 1e-12);
    CHECK_NEAR(offset.y, -1, 1e-12);
    CHECK_NEAR(lc_plane_offset_uncertainty(&offset), sqrt(squares / 6), 1e-12);
}

int main(void)
{
    RUN(means_have_errors);
    RUN(nothing_is_not_an_error);
    RUN(shifts_are_found);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_augment_image.c - random changes of images move a bright pixel to where they say that its place goes. */
#include "cases.h"

#include "data/augment.h"

enum { ROWS = 24, COLUMNS = 24, WIDE = 40, CHANNELS = 3 };

/* A black picture with one white pixel. */
static float *picture(size_t rows, size_t columns, size_t x, size_t y)
{
    float *pixels = case_array(rows * columns * CHANNELS, sizeof *pixels);
    for (size_t c = 0; c < CHANNELS; c++)
        pixels[(y * columns + x) * CHANNELS + c] = 1;
    return pixels;
}

/* The centroid of its light. */
static void centre(const float *pixels, size_t rows, size_t columns, double *x, double *y)
{
    double sum = 0;
    *x = *y = 0;
    for (size_t i = 0; i < rows * columns * CHANNELS; i++) {
        size_t pixel = i / CHANNELS;
        sum += (double)pixels[i];
        *x += (double)pixels[i] * (double)(pixel % columns);
        *y += (double)pixels[i] * (double)(pixel / columns);
    }
    *x /= sum;
    *y /= sum;
}

static void check_turn(size_t rows, size_t columns, unsigned turn)
{
    float *pixels = picture(rows, columns, 5, 2);
    double x, y, want_x = 5, want_y = 2;
    lc_augment_turn(pixels, rows, columns, CHANNELS, turn);
    lc_augment_turn_place(&want_x, &want_y, rows, columns, turn);
    centre(pixels, rows, columns, &x, &y);
    CHECK_NEAR(x, want_x, 1e-6);
    CHECK_NEAR(y, want_y, 1e-6);
    free(pixels);
}

static void turns_move_places(void)
{
    double x = 5, y = 2;
    for (unsigned turn = 0; turn < 8; turn++) {
        check_turn(ROWS, COLUMNS, turn);
        check_turn(ROWS, WIDE, turn); /* not a square: no diagonal */
    }
    lc_augment_turn_place(&x, &y, ROWS, COLUMNS, LC_TURN_DIAGONAL | LC_TURN_ACROSS);
    CHECK_NEAR(x, COLUMNS - 1 - 2, 0);
    CHECK_NEAR(y, 5, 0);
}

static void warps_move_places(void)
{
    lc_rng rng = lc_rng_seed(3);
    float *to = case_array(ROWS * COLUMNS * CHANNELS, sizeof *to);
    for (int round = 0; round < 50; round++) {
        float *pixels = picture(ROWS, COLUMNS, 14, 10);
        lc_warp warp = lc_warp_draw(0.2, 2, &rng);
        double x, y, want_x = 14, want_y = 10;
        lc_augment_warp(to, pixels, ROWS, COLUMNS, CHANNELS, &warp);
        lc_augment_warp_place(&want_x, &want_y, ROWS, COLUMNS, &warp);
        centre(to, ROWS, COLUMNS, &x, &y);
        CHECK(fabs(want_x - 14) > 1e-6);
        CHECK_NEAR(x, want_x, 0.3); /* between pixels the centroid is not exact */
        CHECK_NEAR(y, want_y, 0.3);
        free(pixels);
    }
    free(to);
}

static void nothing_is_drawn_where_nothing_may_change(void)
{
    lc_rng rng = lc_rng_seed(4), before = rng;
    float *pixels = picture(ROWS, COLUMNS, 1, 1), *same = picture(ROWS, COLUMNS, 1, 1);
    lc_augment_image(pixels, ROWS * COLUMNS * CHANNELS, 0, -120, &rng);
    CHECK(case_same(pixels, same, ROWS * COLUMNS * CHANNELS * sizeof *pixels));
    CHECK(lc_rng_next(&rng) == lc_rng_next(&before));
    lc_augment_image(pixels, ROWS * COLUMNS * CHANNELS, 6, -20, &rng);
    CHECK(!case_same(pixels, same, ROWS * COLUMNS * CHANNELS * sizeof *pixels));
    free(pixels);
    free(same);
}

int main(void)
{
    RUN(turns_move_places);
    RUN(warps_move_places);
    RUN(nothing_is_drawn_where_nothing_may_change);
    return check_done();
}

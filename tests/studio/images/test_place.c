/* SPDX-License-Identifier: MIT
 * test_place.c - boxes lie in the image, apart from each other, and evenly. */
#include "check.h"

#include "studio/images/place.h"

enum { SIDE = 28, MANY = 2000 };

static bool overlap(lc_corner a, lc_corner b)
{
    return a.x < b.x + SIDE && b.x < a.x + SIDE && a.y < b.y + SIDE && b.y < a.y + SIDE;
}

static void room_is_counted(void)
{
    CHECK_EQ(lc_place_most(128, 128, 28, 28), 16);
    CHECK_EQ(lc_place_most(56, 28, 28, 28), 2);
    CHECK_EQ(lc_place_most(55, 28, 28, 28), 1);
    CHECK_EQ(lc_place_most(100, 27, 28, 28), 0);
}

static void full_images_are_noticed(void)
{
    lc_corner corners[5];
    lc_rng rng = lc_rng_seed(1);
    CHECK(lc_place_boxes(corners, 0, 10, 10, SIDE, SIDE, &rng));
    CHECK(!lc_place_boxes(corners, 1, 10, 100, SIDE, SIDE, &rng));
    CHECK(!lc_place_boxes(corners, 1, 100, 27, SIDE, SIDE, &rng));
    CHECK(!lc_place_boxes(corners, 5, 60, 60, SIDE, SIDE, &rng));
    CHECK(lc_place_boxes(corners, 1, SIDE, SIDE, SIDE, SIDE, &rng));
    CHECK(corners[0].x == 0 && corners[0].y == 0);
}

/* Four boxes on 64 x 64 pixels are crowded; on 128 x 100 they are not. */
static void boxes_lie_apart(void)
{
    static const size_t sizes[][2] = {
        {64,  64 },
        {128, 100}
    };
    for (size_t s = 0; s < 2; s++)
        for (size_t round = 0; round < MANY / 10; round++) {
            lc_corner corners[4];
            lc_rng rng = lc_rng_seed(round);
            size_t n = 1 + round % 4;
            bool good = lc_place_boxes(corners, n, sizes[s][0], sizes[s][1], SIDE, SIDE, &rng);
            for (size_t i = 0; i < n; i++) {
                good = good && corners[i].x + SIDE <= sizes[s][0] && corners[i].y + SIDE <= sizes[s][1];
                for (size_t j = 0; j < i; j++)
                    good = good && !overlap(corners[i], corners[j]);
            }
            CHECK(good);
        }
}

/* A box alone has a mean in the middle, the variance of even numbers, and reaches every corner. */
static void single_boxes_lie_evenly(void)
{
    double sum = 0, squares = 0;
    size_t least = SIZE_MAX, most = 0;
    lc_rng rng = lc_rng_seed(3);
    for (size_t round = 0; round < MANY; round++) {
        lc_corner corner;
        CHECK(lc_place_boxes(&corner, 1, 64, 40, SIDE, SIDE, &rng));
        sum += (double)corner.x;
        squares += (double)corner.x * (double)corner.x;
        least = corner.x < least ? corner.x : least;
        most = corner.x > most ? corner.x : most;
    }
    double mean = sum / MANY;
    CHECK_NEAR(mean, 18, 1);
    CHECK_NEAR(squares / MANY - mean * mean, (37.0 * 37 - 1) / 12, 8);
    CHECK(least == 0 && most == 36);
}

int main(void)
{
    RUN(room_is_counted);
    RUN(full_images_are_noticed);
    RUN(boxes_lie_apart);
    RUN(single_boxes_lie_evenly);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_paint.c - digits are copied, or turned, scaled and sheared around their middle. */
#include "check.h"

#include "studio/images/digits.h"

enum { SIDE = 28, STRIDE = 40 };

static unsigned char digit[SIDE * SIDE], box[SIDE * STRIDE];

static void paint(lc_digit_changes changes, uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    memset(box, 7, sizeof box);
    lc_digit_paint(box, STRIDE, digit, SIDE, SIDE, &changes, &rng);
}

/* A bar of width 2 * half + 1 and height 2 * length + 1 around the middle, which lies between pixels. */
static void draw_bar(int half, int length)
{
    memset(digit, 0, sizeof digit);
    for (int y = 14 - length; y < 14 + length; y++)
        for (int x = 14 - half; x < 14 + half; x++)
            digit[y * SIDE + x] = 200;
}

typedef struct moments {
    double mass, x, y, xx, yy, xy;
} moments;

static moments measure(void)
{
    moments m = {0};
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double v = box[y * STRIDE + x], dx = x - 13.5, dy = y - 13.5;
            m.mass += v;
            m.x += v * dx;
            m.y += v * dy;
            m.xx += v * dx * dx;
            m.yy += v * dy * dy;
            m.xy += v * dx * dy;
        }
    m.x /= m.mass;
    m.y /= m.mass;
    m.xx /= m.mass;
    m.yy /= m.mass;
    m.xy /= m.mass;
    return m;
}

static void unchanged_digits_are_copied(void)
{
    for (size_t i = 0; i < sizeof digit; i++)
        digit[i] = (unsigned char)(i * 37);
    paint((lc_digit_changes){0}, 1);
    for (size_t y = 0; y < SIDE; y++) {
        CHECK(memcmp(box + y * STRIDE, digit + y * SIDE, SIDE) == 0);
        for (size_t x = SIDE; x < STRIDE; x++)
            CHECK(box[y * STRIDE + x] == 7);
    }
}

/* The angle of the long axis: it varies within its limit, and mass, middle and shape stay. */
static void digits_turn(void)
{
    double least = 0, most = 0;
    draw_bar(2, 8);
    paint((lc_digit_changes){0}, 1);
    moments upright = measure();
    for (uint64_t seed = 0; seed < 50; seed++) {
        paint((lc_digit_changes){.turn = 20}, seed);
        moments m = measure();
        double angle = 0.5 * atan2(2 * m.xy, m.yy - m.xx) * 57.29577951308232;
        least = fmin(least, angle);
        most = fmax(most, angle);
        CHECK_NEAR(m.mass, upright.mass, 0.02 * upright.mass);
        CHECK_NEAR(m.x, 0, 0.1);
        CHECK_NEAR(m.y, 0, 0.1);
        CHECK_NEAR(m.xx + m.yy, upright.xx + upright.yy, 0.5);
    }
    CHECK(least > -20.5 && least < -14 && most < 20.5 && most > 14);
}

static void digits_grow_and_shrink(void)
{
    double least = 9, most = 0;
    draw_bar(4, 4);
    paint((lc_digit_changes){0}, 1);
    double mass = measure().mass;
    for (uint64_t seed = 0; seed < 50; seed++) {
        paint((lc_digit_changes){.scale = 0.2}, seed);
        double side = sqrt(measure().mass / mass);
        least = fmin(least, side);
        most = fmax(most, side);
        CHECK_NEAR(measure().xy, 0, 0.01);
    }
    CHECK(least > 0.78 && least < 0.86 && most < 1.22 && most > 1.14);
}

static void digits_lean(void)
{
    double least = 9, most = -9;
    draw_bar(2, 8);
    for (uint64_t seed = 0; seed < 50; seed++) {
        paint((lc_digit_changes){.shear = 0.3}, seed);
        double lean = measure().xy / measure().yy;
        least = fmin(least, lean);
        most = fmax(most, lean);
    }
    CHECK(least > -0.31 && least < -0.22 && most < 0.31 && most > 0.22);
}

int main(void)
{
    RUN(unchanged_digits_are_copied);
    RUN(digits_turn);
    RUN(digits_grow_and_shrink);
    RUN(digits_lean);
    return check_done();
}

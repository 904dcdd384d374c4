/* SPDX-License-Identifier: MIT
 *
 * test_picture.c - what is shown of an image: sizes, means of pixels, shades of 16 bits, a limit of bytes.
 */
#include "cases.h"

#include "base/rng.h"
#include "report/picture.h"

static loco_err err;

static lc_image image_of(size_t height, size_t width, size_t channels, size_t bytes)
{
    return (lc_image){height, width, channels, bytes, case_array(height * width * channels, bytes)};
}

static lc_image resized(const lc_image *image, size_t height, size_t width, size_t channels)
{
    lc_image picture = {0};
    CHECK_STATUS(lc_picture_resize(&picture, image, height, width, channels, &err), LOCO_OK);
    CHECK(picture.height == height && picture.width == width && picture.channels == channels && picture.bytes == 1);
    return picture;
}

static void means_of_what_is_covered(void)
{
    static const unsigned char values[2][6] = {
        {0,  30, 60, 90, 120, 150},
        {10, 40, 70, 20, 0,   240}
    };
    lc_image image = image_of(2, 6, 1, 1);
    memcpy(image.values, values, sizeof values);
    lc_image same = resized(&image, 2, 6, 1), half = resized(&image, 1, 3, 1), part = resized(&image, 2, 4, 1);
    CHECK(memcmp(same.values, values, sizeof values) == 0);
    CHECK_EQ(half.values[0], 20);
    CHECK_EQ(half.values[1], 60);
    CHECK_EQ(half.values[2], 128); /* 127.5 */
    CHECK_EQ(part.values[0], 10);  /* 1 of the first, 1/2 of the second, of 3/2 */
    CHECK_EQ(part.values[1], 50);
    CHECK_EQ(part.values[7], 160);
    lc_image_free(&same);
    lc_image_free(&half);
    lc_image_free(&part);
    lc_image_free(&image);
}

static void whole_factors_repeat(void)
{
    lc_image image = image_of(2, 2, 3, 1);
    for (size_t i = 0; i < 12; i++)
        image.values[i] = (unsigned char)(20 * i);
    lc_image large = resized(&image, 6, 6, 3), grey = resized(&image, 2, 2, 1);
    for (size_t y = 0; y < 6; y++)
        for (size_t x = 0; x < 18; x++)
            CHECK_EQ(large.values[y * 18 + x], image.values[y / 3 * 6 + x / 9 * 3 + x % 3]);
    CHECK_EQ(grey.values[0], (size_t)lround(0.587 * 20 + 0.114 * 40));
    lc_image_free(&large);
    lc_image_free(&grey);
    lc_image_free(&image);
}

/* 12 bits of a camera in 16 would be all but black. */
static void sixteen_bits_fill_all_shades(void)
{
    lc_image image = image_of(40, 50, 1, 2);
    for (size_t i = 0; i < 2000; i++) {
        uint16_t value = (uint16_t)(100 + i / 2);
        value = i == 7 ? 65535 : value; /* one pixel that is broken changes nothing */
        memcpy(image.values + 2 * i, &value, sizeof value);
    }
    lc_image picture = resized(&image, 40, 50, 1);
    CHECK(picture.values[0] <= 1 && picture.values[1999] == 255);
    CHECK(abs(picture.values[1000] - 128) <= 2);
    memset(image.values, 0, 4000); /* a single shade */
    lc_image black = resized(&image, 1, 1, 1);
    CHECK_EQ(black.values[0], 0);
    lc_image_free(&picture);
    lc_image_free(&black);
    lc_image_free(&image);
}

static void large_ones_fit(void)
{
    size_t height, width;
    lc_image image = {.height = 3000, .width = 1000, .channels = 1, .bytes = 1};
    lc_picture_fit(&height, &width, &image, 1200);
    CHECK(height == 1200 && width == 400);
    lc_picture_fit(&height, &width, &image, 5000);
    CHECK(height == 3000 && width == 1000);
    image.width = 1;
    lc_picture_fit(&height, &width, &image, 100);
    CHECK(height == 100 && width == 1);
}

/* Noise cannot be packed: it becomes smaller until it fits. */
static void bytes_are_limited(void)
{
    lc_rng rng = lc_rng_seed(1);
    lc_image image = image_of(300, 200, 1, 1);
    for (size_t i = 0; i < 60000; i++)
        image.values[i] = (unsigned char)(256 * lc_rng_uniform(&rng));
    lc_text all = {0}, few = {0};
    CHECK_STATUS(lc_picture_format(&all, &image, 1200, 1 << 20, &err), LOCO_OK);
    CHECK_STATUS(lc_picture_format(&few, &image, 1200, 12000, &err), LOCO_OK);
    CHECK(all.length > 55000 && all.length < 70000);
    CHECK(few.length < 12000 && few.length > 6000);
    lc_text_free(&all);
    lc_text_free(&few);
    lc_image_free(&image);
}

int main(void)
{
    RUN(means_of_what_is_covered);
    RUN(whole_factors_repeat);
    RUN(sixteen_bits_fill_all_shades);
    RUN(large_ones_fit);
    RUN(bytes_are_limited);
    return check_done();
}

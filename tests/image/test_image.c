/* SPDX-License-Identifier: MIT
 * test_image.c - rows of pixels, endings, what is not an image, and PNG as we write it. */
#include "cases.h"

#include "image/image.h"

#include <stdint.h>
#include <unistd.h>

static char path[] = "/tmp/loco-image-XXXXXX";

static void put(const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

/* ---- wrong arguments, wrong files ---- */

static void refuses(const void *bytes, size_t n, const char *hint)
{
    lc_image image = {.height = 77};
    loco_err err = {""};
    put(bytes, n);
    CHECK_STATUS(lc_image_load(&image, path, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, hint);
    CHECK_SAYS(err.text, "loco-image-");
    CHECK_STATUS(lc_image_measure(&image, path, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, hint);
    CHECK(image.height == 77 && image.values == NULL);
}

static void what_is_not_an_image_is_refused(void)
{
    static const char text[] = "file,count\na.png,3\n", gif[] = "GIF89a......", webp[] = "RIFF....WEBPVP8 ";
    refuses("", 0, "is empty");
    refuses("P", 1, "is something else");
    refuses(text, sizeof text - 1, "is something else, not a PNG, JPEG, TIFF, PGM or PPM image; convert it to PNG");
    refuses(gif, sizeof gif - 1, "is a GIF,");
    refuses(webp, sizeof webp - 1, "is a WebP,");
}

static void what_cannot_be_opened_is_refused(void)
{
    lc_image image = {.height = 77};
    loco_err err = {""};
    CHECK_STATUS(lc_image_load(&image, "/nowhere/a.png", &err), LOCO_EIO);
    CHECK_SAYS(err.text, "cannot read /nowhere/a.png: No such file");
    CHECK_STATUS(lc_image_load(&image, "/tmp", &err), LOCO_EIO);
    CHECK_STATUS(lc_image_load(&image, "/dev/null", &err), LOCO_EIO);
    CHECK_EQ(image.height, 77);
}

static void impossible_images_are_not_saved(void)
{
    static unsigned char values[16];
    static const lc_image wrongs[] = {
        {0, 1,     1, 1, values},
        {1, 0,     1, 1, values},
        {1, 1,     2, 1, values},
        {1, 1,     1, 3, values},
        {1, 1,     1, 1, NULL  },
        {1, 40000, 1, 1, values},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        loco_err err = {""};
        CHECK_STATUS(lc_image_save("/nowhere/a.png", &wrongs[i], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "cannot be saved");
    }
    loco_err err = {""};
    CHECK_STATUS(lc_image_save("/nowhere/a.png", &(lc_image){1, 1, 1, 1, values}, &err), LOCO_EIO);
}

static void endings_are_claimed(void)
{
    static const char *const yes[] = {"a.png", "x/b.PNG", "a.pgm", "a.b.ppm", "a.pnm",
                                      "a.jpg", "a.JPEG",  "a.tif", "a.tiff"};
    static const char *const no[] = {"a", "png", "a.png.csv", "a.wav", "a.png/b", ""};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        CHECK(lc_image_claims(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        CHECK(!lc_image_claims(no[i]));
}

/* ---- rows ---- */

static void rows_reach_beyond_the_edge(void)
{
    unsigned char values[] = {0, 51, 102, 153, 204, 255};
    lc_image image = {2, 3, 1, 1, values};
    float row[7], colours[6];
    static const float upper[] = {0, 0, 0, 0.2f, 0.4f, 0.4f, 0.4f};
    lc_image_row(&image, 0, -2, 7, 1, row);
    for (size_t i = 0; i < 7; i++)
        CHECK_NEAR(row[i], upper[i], 1e-7);
    lc_image_row(&image, 9, 1, 2, 3, colours);
    for (size_t i = 0; i < 6; i++)
        CHECK_NEAR(colours[i], i < 3 ? 0.8 : 1, 1e-7);
    lc_image_row(&image, 1, 100, 1, 1, row);
    CHECK_NEAR(row[0], 1, 0);
    lc_image_row(&image, 1, -100, 1, 1, row);
    CHECK_NEAR(row[0], 0.6, 1e-7);
}

static void rows_of_colours_and_of_16_bits(void)
{
    uint16_t values[] = {65535, 0, 0, 0, 65535, 0, 0, 0, 65535, 65535, 65535, 65535};
    lc_image image = {1, 4, 3, 2, (unsigned char *)values};
    static const double grey[] = {0.299, 0.587, 0.114, 1};
    float row[4], colours[12];
    lc_image_row(&image, 0, 0, 4, 1, row);
    lc_image_row(&image, 0, 0, 4, 3, colours);
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(row[i], grey[i], 1e-6);
    for (size_t i = 0; i < 12; i++)
        CHECK_NEAR(colours[i], values[i] / 65535., 0);
}

/* Any columns of wide images, value by value. */
static void check_rows(const lc_image *image, ptrdiff_t x0, size_t n, size_t channels)
{
    float row[3 * 400];
    double worst = 0;
    lc_image_row(image, 1, x0, n, channels, row);
    for (size_t i = 0; i < n * channels; i++) {
        ptrdiff_t x = x0 + (ptrdiff_t)(i / channels), last = (ptrdiff_t)image->width - 1;
        size_t pixel = image->width + (size_t)(x < 0 ? 0 : x > last ? last : x);
        const unsigned char *at = image->values + pixel * image->channels;
        double grey = image->channels == 1 ? at[0] : 0.299 * at[0] + 0.587 * at[1] + 0.114 * at[2];
        worst_note(&worst, row[i], (channels == 3 && image->channels == 3 ? at[i % 3] : grey) / 255, 1);
    }
    CHECK(worst < 1e-6);
}

static void rows_of_any_columns(void)
{
    static const ptrdiff_t starts[] = {-350, -100, -1, 0, 1, 64, 149, 150, 200};
    for (size_t channels = 1; channels <= 3; channels += 2) {
        lc_image image = {2, 150, channels, 1, case_array(300 * channels, 1)};
        for (size_t i = 0; i < 300 * channels; i++)
            image.values[i] = (unsigned char)(i * 37);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            for (size_t n = 0; n < 400; n += 57) {
                check_rows(&image, starts[i], n, 1);
                check_rows(&image, starts[i], n, 3);
            }
        lc_image_free(&image);
    }
}

/* ---- saved and loaded ---- */

static void check_round_trip(size_t height, size_t width, size_t channels, size_t bytes)
{
    lc_rng rng = lc_rng_seed(1);
    size_t n = height * width * channels * bytes;
    lc_image image = {height, width, channels, bytes, case_array(n, 1)}, back = {0}, sizes = {.values = image.values};
    loco_err err = {""};
    for (size_t i = 0; i < n; i++)
        image.values[i] = (unsigned char)case_below(&rng, 256);
    CHECK_STATUS(lc_image_save(path, &image, &err), LOCO_OK);
    CHECK_STATUS(lc_image_load(&back, path, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(back.height == height && back.width == width && back.channels == channels && back.bytes == bytes);
    CHECK(back.values != NULL && case_same(back.values, image.values, n));
    CHECK_STATUS(lc_image_measure(&sizes, path, &err), LOCO_OK);
    CHECK(sizes.height == height && sizes.width == width && sizes.channels == channels && sizes.bytes == bytes);
    CHECK(sizes.values == NULL);
    lc_image_free(&back);
    lc_image_free(&image);
}

static void what_is_saved_is_loaded(void)
{
    check_round_trip(1, 1, 1, 1);
    check_round_trip(5, 7, 1, 1);
    check_round_trip(5, 7, 3, 1);
    check_round_trip(70, 3, 1, 2);
    check_round_trip(3, 70, 3, 2);
}

int main(void)
{
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    RUN(what_is_not_an_image_is_refused);
    RUN(what_cannot_be_opened_is_refused);
    RUN(impossible_images_are_not_saved);
    RUN(endings_are_claimed);
    RUN(rows_reach_beyond_the_edge);
    RUN(rows_of_colours_and_of_16_bits);
    RUN(rows_of_any_columns);
    RUN(what_is_saved_is_loaded);
    unlink(path);
    return check_done();
}

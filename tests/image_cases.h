/* SPDX-License-Identifier: MIT
 * image_cases.h - what tests of images share: images made of bytes in memory, loaded or refused, without a word on
 *   stderr. */
#ifndef TESTS_IMAGE_CASES_H
#define TESTS_IMAGE_CASES_H

#include "cases.h"

#include "base/text.h"
#include "image/reader.h"

#include <unistd.h>

/* Runs lc_image_read on bytes; nothing may be printed, by the libraries neither. */
static inline loco_status image_read(lc_image *image, const void *bytes, size_t n, bool whole, loco_err *err)
{
    unsigned char *copy = case_array(n + 1, 1);
    memcpy(copy, bytes, n);
    FILE *stream = fmemopen(copy, n, "rb"), *said = tmpfile();
    int errors = dup(STDERR_FILENO);
    if (stream == NULL || said == NULL || errors < 0 || dup2(fileno(said), STDERR_FILENO) < 0)
        exit(1);
    loco_status status = lc_image_read(image, stream, "folder/picture", whole, err);
    fflush(stderr);
    dup2(errors, STDERR_FILENO);
    close(errors);
    CHECK_EQ((size_t)lseek(fileno(said), 0, SEEK_END), 0);
    fclose(said);
    fclose(stream);
    free(copy);
    return status;
}

/* The image of bytes, all sizes of which must be these; its header alone must give the same. */
static inline lc_image image_of(const void *bytes, size_t n, size_t height, size_t width, size_t channels, size_t size)
{
    lc_image image = {0}, sizes = {0};
    loco_err err = {""};
    CHECK_STATUS(image_read(&image, bytes, n, true, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(image.height == height && image.width == width && image.channels == channels && image.bytes == size);
    CHECK_STATUS(image_read(&sizes, bytes, n, false, &err), LOCO_OK);
    CHECK(sizes.height == height && sizes.width == width && sizes.channels == channels && sizes.bytes == size);
    CHECK(sizes.values == NULL);
    if (image.values == NULL)
        image = (lc_image){height, width, channels, size, case_array(height * width * channels, size)};
    return image;
}

/* Value i of an image, of either size. */
static inline size_t image_value(const lc_image *image, size_t i)
{
    uint16_t wide;
    memcpy(&wide, image->values + 2 * i * (image->bytes == 2), sizeof wide);
    return image->bytes == 2 ? wide : image->values[i];
}

/* Loading must fail with these words after the name of the file, and leave the image alone. */
static inline void image_refused(const void *bytes, size_t n, const char *hint)
{
    lc_image image = {.height = 77};
    loco_err err = {""};
    CHECK_STATUS(image_read(&image, bytes, n, true, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, hint);
    CHECK(strncmp(err.text, "folder/picture: ", 16) == 0);
    CHECK(image.height == 77 && image.values == NULL);
}

/* Every file that ends too early is refused. */
static inline void image_cut_refused(const void *bytes, size_t n, size_t step)
{
    for (size_t length = 1; length < n; length += step)
        image_refused(bytes, length, ";");
}

#endif

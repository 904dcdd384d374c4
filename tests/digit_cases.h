/* SPDX-License-Identifier: MIT
 * digit_cases.h - small files in the format of MNIST in the scratch folder of data_cases.h. */
#ifndef TESTS_DIGIT_CASES_H
#define TESTS_DIGIT_CASES_H

#include "data_cases.h"

enum { DIGIT_SIDE = 5, DIGITS_SEEN = 30, DIGITS_UNSEEN = 20 };

/* Pixel i of digit `which`: never 0, and each digit has its own. */
static inline unsigned char digit_pixel(size_t which, size_t i, bool unseen)
{
    return (unsigned char)(1 + (which * 7 + i * 11 + (unseen ? 100 : 0)) % 250);
}

/* images: n x side x side bytes; labels: n, i % 10. */
static inline void digit_file(const char *name, size_t n, bool images, bool unseen)
{
    static unsigned char bytes[16 + DIGITS_SEEN * DIGIT_SIDE * DIGIT_SIDE];
    size_t head = images ? 16 : 8, each = images ? (size_t)DIGIT_SIDE * DIGIT_SIDE : 1;
    memset(bytes, 0, sizeof bytes);
    bytes[2] = 8;
    bytes[3] = images ? 3 : 1;
    bytes[7] = (unsigned char)n;
    bytes[11] = bytes[15] = DIGIT_SIDE;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < each; k++)
            bytes[head + i * each + k] = images ? digit_pixel(i, k, unseen) : (unsigned char)(i % 10);
    CHECK_STATUS(lc_file_save(data_path(name), bytes, head + n * each, NULL), LOCO_OK);
}

/* The four files, in a folder called mnist. */
static inline void digit_files(void)
{
    CHECK(mkdir(data_path("mnist"), 0777) == 0);
    digit_file("mnist/train-images-idx3-ubyte", DIGITS_SEEN, true, false);
    digit_file("mnist/train-labels-idx1-ubyte", DIGITS_SEEN, false, false);
    digit_file("mnist/t10k-images-idx3-ubyte", DIGITS_UNSEEN, true, true);
    digit_file("mnist/t10k-labels-idx1-ubyte", DIGITS_UNSEEN, false, true);
}

#endif

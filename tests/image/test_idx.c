/* SPDX-License-Identifier: MIT
 * test_idx.c - files of MNIST's kind made byte by byte, plain and packed by gzip, and what is refused. */
#include "cases.h"

#include "image/idx.h"

#include <unistd.h>
#include <zlib.h>

static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 10, 20, 30, 40, 50, 60};
static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 4, 7, 2, 1, 0};

/* bytes packed by gzip; their number. */
static size_t pack(unsigned char *packed, size_t room, const void *bytes, size_t n)
{
    z_stream z = {.avail_in = (uInt)n, .next_out = packed, .avail_out = (uInt)room};
    unsigned char *copy = case_array(n, 1);
    memcpy(copy, bytes, n);
    z.next_in = copy;
    CHECK(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    CHECK(deflateEnd(&z) == Z_OK);
    free(copy);
    return room - z.avail_out;
}

static void refused(const void *bytes, size_t n, const char *hint)
{
    lc_idx idx = {.n = 77};
    loco_err err = {""};
    CHECK_STATUS(lc_idx_parse(&idx, "digits", bytes, n, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, hint);
    CHECK(strncmp(err.text, "digits: ", 8) == 0);
    CHECK(idx.n == 77 && idx.values == NULL);
}

static void wrong_files_are_refused(void)
{
    static const struct {
        unsigned char head[16];
        const char *hint;
    } wrongs[] = {
        {{0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 1},                         "not a file of MNIST's kind"             },
        {{'P', 'K', 3, 4},                                             "not a file of MNIST's kind"             },
        {{0, 0, 13, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},            "other values than unsigned bytes"       },
        {{0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1},             "no pixels (0 images of 1 x 1)"          },
        {{0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1},             "no pixels (1 images of 1 x 0)"          },
        {{0, 0, 8, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1},             "at most 1 GiB"                          },
        {{0, 0, 8, 3, 255, 255, 255, 255, 0, 0, 128, 0, 0, 0, 128, 0}, "at most 1 GiB"                          },
        {{0, 0, 8, 3, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},             "16 bytes are too few for its 256 images"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        unsigned char packed[128];
        refused(wrongs[i].head, 16, wrongs[i].hint);
        size_t n = pack(packed, sizeof packed, wrongs[i].head, 16);
        refused(packed, n, i + 1 < sizeof wrongs / sizeof *wrongs ? wrongs[i].hint : "a decompression bomb");
    }
    refused("", 0, "not a file of MNIST's kind");
}

static void cut_and_damaged_files_are_refused(void)
{
    unsigned char packed[128];
    size_t n = pack(packed, sizeof packed, images, sizeof images);
    for (size_t length = 0; length < sizeof images; length++)
        refused(images, length, ";");
    for (size_t length = 0; length < n; length++)
        refused(packed, length, ";");
    packed[n - 5] ^= 1;
    refused(packed, n, "a wrong checksum");
    unsigned char longer[sizeof images + 1] = {0};
    memcpy(longer, images, sizeof images);
    refused(longer, sizeof longer, "bytes behind its last value");
    n = pack(packed, sizeof packed, longer, sizeof longer);
    refused(packed, n, "bytes behind its last value");
}

static void check_images(const void *bytes, size_t n)
{
    lc_idx idx = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_idx_parse(&idx, "digits", bytes, n, &err), LOCO_OK);
    CHECK(idx.n == 2 && idx.height == 1 && idx.width == 3);
    for (size_t i = 0; i < 6 && idx.values != NULL; i++)
        CHECK_EQ(idx.values[i], 10 * (i + 1));
    lc_idx_free(&idx);
}

static void images_and_labels_are_read(void)
{
    unsigned char packed[128];
    lc_idx idx = {0};
    check_images(images, sizeof images);
    check_images(packed, pack(packed, sizeof packed, images, sizeof images));
    CHECK_STATUS(lc_idx_parse(&idx, "digits", labels, sizeof labels, NULL), LOCO_OK);
    CHECK(idx.n == 4 && idx.height == 1 && idx.width == 1);
    CHECK(idx.values != NULL && case_same(idx.values, labels + 8, 4));
    lc_idx_free(&idx);
}

/* More than one block of deflate, and more than its window. */
static void large_files_are_read(void)
{
    size_t pixels = (size_t)100 * 28 * 28;
    unsigned char *plain = case_array(16 + pixels, 1), *packed = case_array(2 * pixels, 1);
    static const unsigned char head[] = {0, 0, 8, 3, 0, 0, 0, 100, 0, 0, 0, 28, 0, 0, 0, 28};
    lc_rng rng = lc_rng_seed(1);
    lc_idx idx = {0};
    memcpy(plain, head, sizeof head);
    for (size_t i = 0; i < pixels; i++)
        plain[16 + i] = (unsigned char)(case_below(&rng, 4) == 0 ? case_below(&rng, 256) : 0);
    size_t n = pack(packed, 2 * pixels, plain, 16 + pixels);
    CHECK_STATUS(lc_idx_parse(&idx, "digits", packed, n, NULL), LOCO_OK);
    CHECK(idx.n == 100 && idx.values != NULL && case_same(idx.values, plain + 16, pixels));
    lc_idx_free(&idx);
    free(plain);
    free(packed);
}

static void files_are_loaded(void)
{
    char path[] = "/tmp/loco-idx-XXXXXX";
    lc_idx idx = {.n = 77};
    loco_err err = {""};
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, labels, sizeof labels) == sizeof labels && close(file) == 0);
    CHECK_STATUS(lc_idx_load(&idx, path, &err), LOCO_OK);
    CHECK_EQ(idx.n, 4);
    lc_idx_free(&idx);
    unlink(path);
    CHECK_STATUS(lc_idx_load(&idx, path, &err), LOCO_EIO);
    CHECK_SAYS(err.text, path);
}

int main(void)
{
    RUN(wrong_files_are_refused);
    RUN(cut_and_damaged_files_are_refused);
    RUN(images_and_labels_are_read);
    RUN(large_files_are_read);
    RUN(files_are_loaded);
    return check_done();
}

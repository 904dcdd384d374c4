/* SPDX-License-Identifier: MIT
 * test_checksum.c - the same sum however the bytes are cut, another for every changed bit and length. */
#include "cases.h"

#include "base/checksum.h"

static uint64_t sum_of(const unsigned char *bytes, size_t n, size_t piece)
{
    lc_checksum sum = lc_checksum_begin();
    for (size_t at = 0; at < n; at += piece)
        lc_checksum_add(&sum, bytes + at, n - at < piece ? n - at : piece);
    return lc_checksum_end(&sum);
}

/* Sums that were stored: files that carry them must be read by every later version, on any machine. */
static void sums_stay(void)
{
    unsigned char bytes[100];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(7 * i + 1);
    CHECK(sum_of(bytes, 0, 1) == 0xa513aaee6c48a62b);
    CHECK(sum_of(bytes, 100, 100) == 0x5f1eeef690bdcfd0);
}

static void pieces_change_nothing(void)
{
    unsigned char bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(31 * i);
    for (size_t n = 0; n <= sizeof bytes; n += 13)
        for (size_t piece = 1; piece <= 70; piece++)
            CHECK(sum_of(bytes, n, piece) == sum_of(bytes, n, 1000));
}

static void every_bit_counts(void)
{
    unsigned char bytes[77] = {0};
    uint64_t whole = sum_of(bytes, sizeof bytes, 100);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CHECK(sum_of(bytes, sizeof bytes, 100) != whole);
        bytes[bit / 8] = 0;
    }
    for (size_t n = 0; n < sizeof bytes; n++)
        CHECK(sum_of(bytes, n, 100) != whole);
}

static void files_have_sums(void)
{
    uint64_t sum = 7;
    loco_err err = {""};
    CHECK_STATUS(lc_checksum_file(&sum, "no such file", &err), LOCO_EIO);
    CHECK_SAYS(err.text, "no such file");
    CHECK_STATUS(lc_checksum_file(&sum, "/", &err), LOCO_EIO);
    CHECK(sum == 7);
    FILE *file = fopen("/proc/self/exe", "rb");
    if (file != NULL) {
        unsigned char *bytes = case_array((size_t)1 << 26, 1);
        size_t n = fread(bytes, 1, (size_t)1 << 26, file);
        CHECK_STATUS(lc_checksum_file(&sum, "/proc/self/exe", &err), LOCO_OK);
        CHECK(sum == sum_of(bytes, n, 12345));
        free(bytes);
        fclose(file);
    }
}

int main(void)
{
    RUN(sums_stay);
    RUN(pieces_change_nothing);
    RUN(every_bit_counts);
    RUN(files_have_sums);
    return check_done();
}

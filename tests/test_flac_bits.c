/* SPDX-License-Identifier: MIT
 * test_flac_bits.c - bits come out as they were written, at any place and of any length, and never from beyond the end. */
#include "bits.h"
#include "cases.h"

static written w;

static void numbers_of_any_length(void)
{
    lc_rng rng = lc_rng_seed(1);
    unsigned lengths[2000];
    uint32_t values[2000];
    write_clear(&w);
    for (size_t i = 0; i < 2000; i++) {
        lengths[i] = (unsigned)case_below(&rng, 33);
        values[i] = (uint32_t)lc_rng_next(&rng);
        write_bits(&w, values[i], lengths[i]);
    }
    lc_bits bits = read_written(&w);
    size_t wrong = 0;
    for (size_t i = 0; i < 2000; i++)
        wrong += lc_bits_take(&bits, lengths[i]) != (uint32_t)(values[i] & (((uint64_t)1 << lengths[i]) - 1));
    CHECK_EQ(wrong, 0);
    CHECK(!bits.lost);
}

static void signs(void)
{
    write_clear(&w);
    write_bits(&w, 1, 1);
    write_bits(&w, 6, 3);
    write_bits(&w, 0x7fffffff, 32);
    write_bits(&w, 0x80000000, 32);
    lc_bits bits = read_written(&w);
    CHECK(lc_bits_take_signed(&bits, 1) == -1);
    CHECK(lc_bits_take_signed(&bits, 3) == -2);
    CHECK(lc_bits_take_signed(&bits, 32) == INT32_MAX);
    CHECK(lc_bits_take_signed(&bits, 32) == INT32_MIN);
}

static void unary_numbers(void)
{
    static const size_t zeros[] = {0, 1, 7, 8, 31, 32, 33, 55, 56, 57, 63, 64, 65, 1000, 0, 3};
    write_clear(&w);
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        write_unary(&w, zeros[i]);
    write_bits(&w, 0x2a, 8);
    lc_bits bits = read_written(&w);
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        CHECK_EQ(lc_bits_unary(&bits), zeros[i]);
    CHECK_EQ(lc_bits_take(&bits, 8), 0x2a);
}

static void places(void)
{
    write_clear(&w);
    write_bits(&w, 0, 64);
    write_bits(&w, 0, 64);
    lc_bits bits = read_written(&w);
    for (size_t i = 0; i < 16; i++) {
        CHECK(lc_bits_at(&bits) == w.bytes + i);
        lc_bits_take(&bits, 8);
    }
}

/* The end is told, and nothing behind the margin is read: the sanitizer would say so. */
static void ends(void)
{
    unsigned char *bytes = case_array(3 + LC_FLAC_MARGIN, 1);
    lc_bits bits = lc_bits_of(bytes, 3);
    for (size_t i = 0; i < 100; i++)
        lc_bits_take(&bits, 32);
    CHECK(bits.lost);
    bits = lc_bits_of(bytes, 3);
    lc_bits_unary(&bits); /* zeros without end */
    CHECK(bits.lost);
    free(bytes);
}

int main(void)
{
    RUN(numbers_of_any_length);
    RUN(signs);
    RUN(unary_numbers);
    RUN(places);
    RUN(ends);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_flac_subframe.c - every kind of subframe, written bit by bit; what is none is refused. */
#include "bits.h"
#include "cases.h"

#include "signal/flac_subframe.h"

enum { N = 16, CONSTANT = 0, VERBATIM = 1, FIXED = 8, PREDICTED = 31 };

static written w;
static int32_t samples[64];

static void begin(unsigned kind, bool wasted)
{
    write_clear(&w);
    write_bits(&w, kind << 1 | wasted, 8);
}

static bool read_with(size_t n)
{
    lc_bits bits = read_written(&w);
    return lc_flac_subframe(&bits, lc_flac_kernels_of(LC_ISA_REF), 16, samples, n);
}

static void constant(void)
{
    begin(CONSTANT, false);
    write_bits(&w, (uint16_t)-1234, 16);
    CHECK(read_with(N));
    for (size_t i = 0; i < N; i++)
        CHECK(samples[i] == (-1234));
}

static void verbatim(void)
{
    begin(VERBATIM, false);
    for (int i = 0; i < N; i++)
        write_bits(&w, (uint16_t)(1000 * i - 7000), 16);
    CHECK(read_with(N));
    for (int i = 0; i < N; i++)
        CHECK(samples[i] == (1000 * i - 7000));
}

/* The last two bits are 0 in all samples, and not written. */
static void wasted_bits(void)
{
    begin(VERBATIM, true);
    write_unary(&w, 1);
    for (int i = 0; i < N; i++)
        write_bits(&w, (uint16_t)(i - 5), 14);
    CHECK(read_with(N));
    for (int i = 0; i < N; i++)
        CHECK(samples[i] == (4 * (i - 5)));
    begin(VERBATIM, true);
    write_unary(&w, 15); /* all 16 */
    CHECK(!read_with(N));
}

/* 3 + 5 i + 2 i^2 has differences of the second order that are all 4: parts of 8, the second without code. */
static void fixed_prediction(void)
{
    begin(FIXED + 2, false);
    write_bits(&w, 3, 16);
    write_bits(&w, 10, 16);
    write_bits(&w, 0, 2);
    write_bits(&w, 1, 4);
    write_bits(&w, 2, 4);
    for (int i = 2; i < 8; i++)
        write_rice(&w, 4, 2);
    write_bits(&w, 15, 4); /* escape: 5 bits each */
    write_bits(&w, 5, 5);
    for (int i = 8; i < N; i++)
        write_bits(&w, 4, 5);
    CHECK(read_with(N));
    for (int i = 0; i < N; i++)
        CHECK(samples[i] == (3 + 5 * i + 2 * i * i));
}

/* s[t] = r + (3 s[t-1] >> 2), parameters of 5 bits; a part whose escape has 0 bits is all zeros. */
static void linear_prediction(void)
{
    begin(PREDICTED + 1, false);
    write_bits(&w, 8000, 16);
    write_bits(&w, 3, 4);
    write_bits(&w, 2, 5);
    write_bits(&w, 3, 4);
    write_bits(&w, 1, 2);
    write_bits(&w, 0, 4);
    write_bits(&w, 31, 5);
    write_bits(&w, 0, 5);
    CHECK(read_with(N));
    for (int i = 1; i < N; i++)
        CHECK(samples[i] == (3 * samples[i - 1] >> 2));
    CHECK(samples[0] == (8000));
}

static void wrong_subframes_are_refused(void)
{
    static const unsigned kinds[] = {2, 7, 13, 31};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        begin(kinds[i], false);
        write_bits(&w, 0, 64);
        CHECK(!read_with(N));
    }
    begin(0x40, false); /* the first bit is 0 in all subframes */
    write_bits(&w, 0, 16);
    CHECK(!read_with(N));
    begin(FIXED + 4, false); /* more samples at the start than there are */
    write_bits(&w, 0, 64);
    CHECK(!read_with(3));
    begin(FIXED, false); /* a method of residuals that there is not */
    write_bits(&w, 2, 2);
    CHECK(!read_with(N));
    begin(FIXED, false); /* 32 parts of half a sample */
    write_bits(&w, 5, 6);
    CHECK(!read_with(N));
    begin(PREDICTED + 1, false); /* a shift to the left */
    write_bits(&w, 0, 16);
    write_bits(&w, 3, 4);
    write_bits(&w, 0x1f, 5);
    CHECK(!read_with(N));
    begin(PREDICTED + 1, false); /* coefficients of 16 bits */
    write_bits(&w, 0, 16);
    write_bits(&w, 15, 4);
    CHECK(!read_with(N));
    begin(VERBATIM, false); /* cut off */
    CHECK(!read_with(64));
}

int main(void)
{
    RUN(constant);
    RUN(verbatim);
    RUN(wasted_bits);
    RUN(fixed_prediction);
    RUN(linear_prediction);
    RUN(wrong_subframes_are_refused);
    return check_done();
}

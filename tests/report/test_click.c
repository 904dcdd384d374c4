/* SPDX-License-Identifier: MIT
 *
 * test_click.c - clicks at the right sample, nothing above full scale, and WAV files byte by byte.
 */
#include "check.h"

#include "base/rng.h"
#include "report/click.h"

#include <stdbool.h>
#include <stdlib.h>

static loco_err err;

static float peak_of(const float *x, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(x[i]));
    return peak;
}

static void wrong_arguments(void)
{
    float x[4] = {0};
    loco_event e = {0, 0, 1, 0};
    CHECK_STATUS(lc_click_mix(NULL, 4, 8000, &e, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_click_mix(x, 4, 8000, NULL, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_click_mix(x, 4, 999, &e, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_click_mix(x, 4, NAN, &e, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_click_mix(NULL, 0, 8000, NULL, 0, &err), LOCO_OK);
    lc_text out = {0};
    CHECK_STATUS(lc_wav_format(&out, NULL, 1, 8000, &err), LOCO_EARG);
    CHECK_STATUS(lc_wav_format(&out, x, 1, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_wav_format(&out, x, SIZE_MAX / 8, 8000, &err), LOCO_EARG);
    CHECK_EQ(out.length, 0);
    lc_text_free(&out);
}

static void clicks_start_at_their_events(void)
{
    enum { N = 8000 };
    static float x[N];
    const loco_event events[] = {
        {0.25,   0, 1, 0},
        {0.9999, 1, 1, 0},
        {5,      0, 1, 0},
        {-0.5,   0, 1, 0},
        {NAN,    0, 1, 0}
    };
    CHECK_STATUS(lc_click_mix(x, N, 8000, events, 5, &err), LOCO_OK);
    CHECK(peak_of(x, 2000) <= 0);
    CHECK(peak_of(x + 2000, 20) > 0.1F);
    CHECK(peak_of(x + 2000 + lc_click_length(8000), 7999 - 2000 - lc_click_length(8000)) <= 0);
    CHECK(peak_of(x, N) < 0.9F);
}

/* A click begins and ends near 0, is at most 1 high, and classes differ. */
static void shapes(void)
{
    static float a[40000], b[40000];
    const double rates[] = {1000, 8000, 22050, 44100, 192000};
    for (size_t r = 0; r < 5; r++) {
        size_t n = lc_click_length(rates[r]);
        lc_click_shape(a, rates[r], 0);
        lc_click_shape(b, rates[r], 1);
        CHECK(peak_of(a, n) <= 1 && peak_of(a, n) > 0.3F);
        CHECK(fabsf(a[0]) <= 0 && fabsf(a[n - 1]) < 0.01F);
        CHECK(rates[r] < 8000 || memcmp(a, b, n * sizeof *a) != 0); /* too low a rate has room for one pitch */
    }
}

static void nothing_clips(void)
{
    enum { N = 20000, EVENTS = 300 };
    static float x[N];
    static loco_event events[EVENTS];
    const float levels[] = {0, 0.001F, 0.3F, 1, 40};
    lc_rng rng = lc_rng_seed(1);
    for (size_t l = 0; l < 5; l++) {
        for (size_t i = 0; i < N; i++)
            x[i] = levels[l] * (float)(2 * lc_rng_uniform(&rng) - 1);
        for (size_t e = 0; e < EVENTS; e++) /* up to ten classes at the same moment */
            events[e] = (loco_event){floor((double)e / 10) * 0.01, e % 10, 1, 0};
        CHECK_STATUS(lc_click_mix(x, N, 22050, events, EVENTS, &err), LOCO_OK);
        CHECK(peak_of(x, N) <= 1 && peak_of(x, N) > 0.05F);
    }
    x[3] = NAN;
    x[4] = INFINITY;
    CHECK_STATUS(lc_click_mix(x, N, 22050, events, 1, &err), LOCO_OK);
    CHECK(peak_of(x, N) <= 1 && isfinite(x[3]) && isfinite(x[4]));
}

/* Quiet sound is not drowned, loud sound leaves room. */
static void balance(void)
{
    CHECK_NEAR(lc_click_balance(0).sound, 1, 0);
    CHECK_NEAR(lc_click_balance(0.01F).click, 0.12, 1e-6);
    CHECK_NEAR(lc_click_balance(1).sound, 0.45, 1e-6);
    CHECK(lc_click_balance(1).click + 0.45F < 1.1F);
}

static void wav_bytes(void)
{
    static const char want[] = "RIFF\x2e\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x22\x56\0\0\x44\xac\0\0\2\0\x10\0"
                               "data\x0a\0\0\0\0\0\xff\x7f\x01\x80\0\0\0\x40";
    const float x[] = {0, 2, -1, NAN, 0.5F};
    lc_text out = {0};
    CHECK_STATUS(lc_wav_format(&out, x, 5, 22050, &err), LOCO_OK);
    CHECK_EQ(out.length, sizeof want - 1);
    CHECK(out.length == sizeof want - 1 && memcmp(out.bytes, want, sizeof want - 1) == 0);
    lc_text_free(&out);
    CHECK_STATUS(lc_wav_format(&out, NULL, 0, 22050, &err), LOCO_OK);
    CHECK_EQ(out.length, 44);
    lc_text_free(&out);
}

int main(void)
{
    RUN(wrong_arguments);
    RUN(clicks_start_at_their_events);
    RUN(shapes);
    RUN(nothing_clips);
    RUN(balance);
    RUN(wav_bytes);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_spectra.c - windows have their peak in the middle, bands share out the spectrum. */
#include "cases.h"

#include "signal/spectra.h"

static lc_block block;

static lc_filters mel_of_line(const char *line, lc_frontend_settings *s)
{
    lc_filters mel;
    lc_arena arena = {0};
    CHECK_STATUS(lc_frontend_parse(s, line, NULL), LOCO_OK);
    lc_filters_layout(&mel, s, &arena);
    CHECK(lc_block_reserve(&block, arena.used));
    arena = lc_arena_over(&block);
    lc_filters_layout(&mel, s, &arena);
    lc_filters_fill(&mel, s);
    return mel;
}

static void windows_are_symmetric(void)
{
    static const char *const lines[] = {"mel window=64", "mel window=63", "mel window=1102 shape=hamming",
                                        "mel window=2"};
    for (size_t l = 0; l < 4; l++) {
        lc_frontend_settings s;
        lc_filters mel = mel_of_line(lines[l], &s);
        size_t c = lc_filters_centre(&s);
        CHECK_NEAR(mel.window[c], 1, 1e-7);
        for (size_t i = 1; i <= c && c + i < s.window; i++) {
            CHECK_NEAR(mel.window[c - i], mel.window[c + i], 1e-6);
            CHECK(mel.window[c + i] < mel.window[c + i - 1]);
        }
        CHECK_NEAR(mel.window[0], s.shape == LC_SHAPE_HANN ? 0 : 0.08, s.window == 63 ? 0.001 : 1e-6);
    }
}

/* Weight of every bin, summed over the bands; checks that runs stay inside, and that each band covers something. */
static void sum_weights(const lc_filters *mel, const lc_frontend_settings *s, double *sum)
{
    const float *w = mel->weights;
    for (size_t b = 0; b < s->bands; b++) {
        double weight = 0;
        CHECK(mel->bands[b].length > 0);
        CHECK(mel->bands[b].first + mel->bands[b].length <= lc_filters_bins(s));
        for (size_t i = 0; i < mel->bands[b].length; i++, w++) {
            CHECK(*w >= 0);
            sum[mel->bands[b].first + i] += *w;
            weight += *w;
        }
        CHECK(weight > 0);
    }
}

/* Between the peaks of the first and the last band, the triangles add up to 1. */
static void bands_share_out_the_spectrum(void)
{
    lc_frontend_settings s;
    lc_filters mel = mel_of_line("mel bands=40 fft=4096 window=4096 gain=0", &s);
    double *sum = case_array(s.fft / 2 + 1, sizeof *sum), squares = 0, worst = 0;
    for (size_t i = 0; i < s.window; i++)
        squares += (double)mel.window[i] * mel.window[i];
    sum_weights(&mel, &s, sum);
    for (size_t k = 30; k < 1700; k++) /* 160 to 9150 Hz */
        worst_note(&worst, sum[k] * (double)s.fft * squares / 4, 1, 1);
    CHECK_WORST(worst, 1e-6);
    CHECK_NEAR(sum[s.fft / 2], 0, 0); /* above 11000 Hz */
    CHECK_NEAR(sum[0], 0, 0);
    free(sum);
}

/* Bands that are narrower than a bin, or reach both ends of the spectrum, cover something too. */
static void narrow_bands_are_not_empty(void)
{
    static const char *const lines[] = {"mel bands=500 fft=256 window=256 low=0",
                                        "mel bands=4096 window=16 low=0 high=11025", "mel bands=1 low=0 high=11025",
                                        "mel bands=3 window=16 low=10999 high=11000",
                                        "mel bands=3 window=16 low=0 high=0.000001"};
    for (size_t l = 0; l < 5; l++) {
        lc_frontend_settings s;
        lc_filters mel = mel_of_line(lines[l], &s);
        double *sum = case_array(s.fft / 2 + 1, sizeof *sum);
        sum_weights(&mel, &s, sum);
        CHECK(lc_filters_bins(&s) <= s.fft / 2 + 1); /* nothing behind the spectrum */
        free(sum);
    }
}

/* 440 Hz is 549.64 mel; with bands that are even in mel its band follows. */
static void bands_are_even_in_mel(void)
{
    lc_frontend_settings s;
    lc_filters mel = mel_of_line("mel rate=22050 bands=99 fft=65536 window=1024 low=0 high=8000", &s);
    double step = 2595 * log10(1 + 8000.0 / 700) / 100, peak_band = 549.64 / step - 1, best = -1;
    size_t bin = (size_t)lround(440.0 * 65536 / 22050), found = 0;
    const float *w = mel.weights;
    for (size_t b = 0; b < s.bands; w += mel.bands[b++].length)
        if (bin >= mel.bands[b].first && bin < mel.bands[b].first + mel.bands[b].length &&
            w[bin - mel.bands[b].first] > best) {
            best = w[bin - mel.bands[b].first];
            found = b;
        }
    CHECK_EQ(found, (size_t)lround(peak_band));
}

int main(void)
{
    RUN(windows_are_symmetric);
    RUN(bands_share_out_the_spectrum);
    RUN(narrow_bands_are_not_empty);
    RUN(bands_are_even_in_mel);
    lc_block_free(&block);
    return check_done();
}

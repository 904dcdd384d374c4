/* SPDX-License-Identifier: MIT
 * test_series_peak.c - the size of a series behind the filters of its front end: late by nothing, without level or size. */
#include "cases.h"

#include "signal/series_strength.h"

enum { N = 1000 };

static float x[2 * N], y[N], z[N];

static lc_frontend_settings settings_of(const char *line)
{
    lc_frontend_settings s;
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_parse(&s, line, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return s;
}

static size_t largest(const float *values)
{
    size_t best = 0;
    for (size_t i = 1; i < N; i++)
        best = values[i] > values[best] ? i : best;
    return best;
}

static void sizes_of_a_small_case(void)
{
    lc_frontend_settings s = settings_of("series rate=100 channels=2 low=0 high=0");
    static const float in[] = {100, 5, 100, 5, 104, 5, 96, 5}; /* the second channel does not move */
    static const float want[] = {0, 0, 2, 2};                  /* |x - 100|, mean 2 */
    CHECK_STATUS(lc_series_peak(&s, in, 4, y, NULL), LOCO_OK);
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(y[i], want[i], 1e-6);
}

/* Of either sign, on a level, and leaning: a slope would be largest before or behind the top. */
static void tops_are_where_they_are(void)
{
    static const char *const lines[] = {"series rate=100 low=5 high=35", "series rate=100 low=0.3",
                                        "series rate=100 low=0 high=20"};
    for (size_t l = 0; l < 3; l++)
        for (int sign = -1; sign <= 1; sign += 2) {
            lc_frontend_settings s = settings_of(lines[l]);
            for (int i = 0; i < N; i++)
                x[i] = -9.81f + 3 * (float)sign * expf(-0.08f * (float)((i - 400) * (i - 400)));
            CHECK_STATUS(lc_series_peak(&s, x, N, y, NULL), LOCO_OK);
            CHECK_EQ(largest(y), 400);
            CHECK_NEAR(y[395], y[405], 0.02 * (double)y[400]); /* no phase */
        }
}

static void size_and_level_do_not_matter(void)
{
    lc_frontend_settings one = settings_of("series rate=120 low=5 high=35"), two = one;
    lc_rng rng = lc_rng_seed(1);
    two.channels = 2;
    for (size_t i = 0; i < N; i++)
        z[i] = (float)lc_rng_normal(&rng);
    for (size_t i = 0; i < N; i++)
        x[2 * i] = x[2 * i + 1] = 0.25f * z[i] - 3;
    CHECK_STATUS(lc_series_peak(&one, z, N, y, NULL), LOCO_OK);
    CHECK_STATUS(lc_series_peak(&two, x, N, z, NULL), LOCO_OK);
    for (size_t i = 0; i < N; i++)
        CHECK_NEAR(z[i], 2 * y[i], 1e-3);
}

static void scale_hop_and_delta_do_not_matter(void)
{
    lc_frontend_settings plain = settings_of("series rate=120 low=5 high=35");
    lc_frontend_settings other = settings_of("series rate=120 low=5 high=35 hop=4 scale=running delta=channel");
    lc_rng rng = lc_rng_seed(2);
    other.usual.spread[0] = 7;
    for (size_t i = 0; i < N; i++)
        x[i] = (float)lc_rng_normal(&rng);
    CHECK_STATUS(lc_series_peak(&plain, x, N, y, NULL), LOCO_OK);
    CHECK_STATUS(lc_series_peak(&other, x, N, z, NULL), LOCO_OK);
    CHECK(case_same(y, z, sizeof y));
}

static void short_series_are_no_trouble(void)
{
    lc_frontend_settings s = settings_of("series rate=120 low=5 high=35");
    y[0] = y[1] = 7;
    CHECK_STATUS(lc_series_peak(&s, x, 0, y, NULL), LOCO_OK);
    CHECK_NEAR(y[0], 7, 0);
    CHECK_STATUS(lc_series_peak(&s, (const float[]){3}, 1, y, NULL), LOCO_OK);
    CHECK_NEAR(y[0], 0, 0);
    CHECK_NEAR(y[1], 7, 0);
}

int main(void)
{
    RUN(sizes_of_a_small_case);
    RUN(tops_are_where_they_are);
    RUN(size_and_level_do_not_matter);
    RUN(scale_hop_and_delta_do_not_matter);
    RUN(short_series_are_no_trouble);
    return check_done();
}

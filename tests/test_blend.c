/* SPDX-License-Identifier: MIT
 * test_blend.c - averages of versions on a common grid: the identity, small cases by hand, expected counts. */
#include "cases.h"

#include "detect/blend.h"
#include "detect/decode.h"

static lc_blend *blend_of(size_t T, size_t K, double hop)
{
    lc_blend *blend;
    if (lc_blend_new(&blend, T, K, hop, NULL) != LOCO_OK)
        exit(1);
    return blend;
}

static void add(lc_blend *blend, lc_version version, const float *logits, size_t T, double hop)
{
    loco_err err = {""};
    CHECK_STATUS(lc_blend_add(blend, &version, logits, T, hop, &err), LOCO_OK);
}

static float logit(double p)
{
    return (float)log(p / (1 - p));
}

static void wrong_arguments_are_refused(void)
{
    lc_blend *blend = NULL;
    loco_err err = {""};
    float z = 0;
    lc_version version = lc_version_of(1, 0);
    CHECK_STATUS(lc_blend_new(&blend, 10, 0, 0.01, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "0 classes");
    CHECK_STATUS(lc_blend_new(&blend, 10, 1, (double)NAN, &err), LOCO_EARG);
    CHECK_STATUS(lc_blend_new(&blend, 10, 1, 0, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "seconds from frame to frame");
    CHECK_STATUS(lc_blend_new(&blend, SIZE_MAX / 16, 3, 0.01, &err), LOCO_ENOMEM);
    CHECK_SAYS(err.text, "out of memory");
    CHECK(blend == NULL);
    blend = blend_of(1, 1, 0.01);
    CHECK_STATUS(lc_blend_add(blend, &version, &z, 1, -1, &err), LOCO_EARG);
    version.scale = -1;
    CHECK_STATUS(lc_blend_add(blend, &version, &z, 1, 0.01, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "scale");
    lc_blend_logits(blend, &z);
    CHECK_NEAR((double)z, -30, 0); /* nothing was added */
    lc_blend_free(blend);
    lc_blend_free(NULL);
    blend = blend_of(0, 1, 0.01);
    add(blend, lc_version_of(1, 0), &z, 1, 0.01);
    lc_blend_logits(blend, NULL);
    lc_blend_free(blend);
}

/* One version on the grid itself comes back; several equal ones too. */
static void one_version_is_itself(void)
{
    enum { T = 50, K = 3 };
    lc_rng rng = lc_rng_seed(1);
    lc_blend *blend = blend_of(T, K, 0.01);
    float z[T * K], out[T * K];
    double worst = 0;
    for (size_t i = 0; i < T * K; i++)
        z[i] = (float)(4 * lc_rng_normal(&rng));
    for (size_t n = 0; n < 3; n++) {
        lc_version version = lc_version_of(1, 0);
        version.weight = 1 + (double)n;
        add(blend, version, z, T, 0.01);
        lc_blend_logits(blend, out);
        for (size_t i = 0; i < T * K; i++)
            worst_note(&worst, (double)out[i], (double)z[i], 1);
    }
    CHECK_WORST(worst, 1e-5);
    lc_blend_free(blend);
}

static void certain_frames_stay_finite(void)
{
    lc_blend *blend = blend_of(4, 1, 1);
    float z[] = {INFINITY, -INFINITY, NAN, 0}, out[4];
    add(blend, lc_version_of(1, 0), z, 4, 1);
    lc_blend_logits(blend, out);
    CHECK_NEAR((double)out[0], 30, 0);
    CHECK_NEAR((double)out[1], -30, 0);
    CHECK_NEAR((double)out[2], -30, 0);
    CHECK_NEAR((double)out[3], 0, 1e-6);
    lc_blend_free(blend);
}

/* Two versions, one half a frame late and one that covers only the first half, by hand. */
static void frames_lie_on_lines(void)
{
    lc_blend *blend = blend_of(6, 1, 1);
    float a[] = {logit(0.2), logit(0.4), logit(0.8), logit(0.4), logit(0.2)};
    float b[] = {logit(0.1), logit(0.1), logit(0.1), logit(0.1), logit(0.1), logit(0.1)}, out[6];
    lc_version half = lc_version_of(1, 0);
    half.end = 2;
    half.weight = 3;
    add(blend, lc_version_of(1, 0.5), a, 5, 1); /* its frames are at 0.5 .. 4.5, and reach from 0 to 5 */
    add(blend, half, b, 6, 1);
    lc_blend_logits(blend, out);
    const double want[] = {(0.2 + 0.3) / 4, (0.3 + 0.3) / 4, 0.6, 0.6, 0.3};
    for (size_t t = 0; t < 5; t++)
        CHECK_NEAR(lc_probability(out[t]), want[t], 1e-7);
    CHECK_NEAR((double)out[5], -30, 0);
    lc_blend_free(blend);
}

/* The sum of p does not depend on how fast the frames of a version follow each other. */
static void expected_counts_are_kept(void)
{
    enum { T = 400 };
    static const double scales[] = {0.5, 0.875, 1, 1.125, 2};
    for (size_t i = 0; i < 5; i++) {
        lc_blend *blend = blend_of(T, 1, 0.01);
        size_t frames = (size_t)(T / scales[i]);
        float *z = case_array(frames, sizeof *z), out[T];
        double before = 0, after = 0;
        for (size_t t = 0; t < frames; t++) {
            double x = ((double)t - 0.5 * (double)frames) * scales[i];
            z[t] = logit(1e-9 + 0.4 * exp(-0.01 * x * x));
            before += lc_probability(z[t]);
        }
        add(blend, lc_version_of(scales[i], 0.0037), z, frames, 0.01);
        lc_blend_logits(blend, out);
        for (size_t t = 0; t < T; t++)
            after += lc_probability(out[t]);
        CHECK_NEAR(after / before, 1, 1e-6);
        lc_blend_free(blend);
        free(z);
    }
}

/* Windows that are short against the grid, and ones that lie partly or wholly outside it. */
static void windows_fill_their_part(void)
{
    lc_blend *blend = blend_of(100, 1, 0.01);
    float z[10], out[100];
    for (size_t t = 0; t < 10; t++)
        z[t] = 1;
    add(blend, lc_version_of(1, 0.3), z, 10, 0.01);
    add(blend, lc_version_of(1, 0.95), z, 10, 0.01);
    add(blend, lc_version_of(1, -0.05), z, 10, 0.01);
    add(blend, lc_version_of(1, 5), z, 10, 0.01);
    add(blend, lc_version_of(1, -5), z, 10, 0.01);
    add(blend, lc_version_of(1, 0), z, 0, 0.01);
    lc_blend_logits(blend, out);
    for (size_t t = 0; t < 100; t++)
        CHECK_NEAR((double)out[t], (t >= 30 && t < 40) || t >= 95 || t < 5 ? 1 : -30, 1e-6);
    lc_blend_free(blend);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(one_version_is_itself);
    RUN(certain_frames_stay_finite);
    RUN(frames_lie_on_lines);
    RUN(expected_counts_are_kept);
    RUN(windows_fill_their_part);
    return check_done();
}

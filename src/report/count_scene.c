/* SPDX-License-Identifier: MIT
 *
 * count_scene.c - the distribution of the count so far, as the picture of a clip shows it.
 *
 * It follows y_t(k) = (1 - p_t) y_{t-1}(k) + p_t y_{t-1}(k-1). It is kept only at the end of each column of the
 * picture, and advanced only where it is at least 1e-12, a band around the expected count: a long clip costs O(T *
 * sigma) time and no memory. loco_count_growth would need (T+1) * (k_max+1) numbers, 24 MB for 200 counts in a minute
 * at 250 frames/s and 17 GB for an hour with 3000 events.
 */
#include "report/count_scene.h"

#define NEGLIGIBLE 1e-12 /* a million frames drop at most 2e-6 of the mass, which no eye sees */

size_t lc_count_scene_bin(size_t i, size_t bins, size_t frames)
{
    /* In double: i * frames could wrap, and a million frames are far below 2^53. */
    return (size_t)((double)i * (double)frames / (double)bins);
}

/* One more frame. lo..hi is where the distribution is not negligible. */
static void advance(double *now, size_t k_max, size_t *lo, size_t *hi, double p)
{
    double beyond = now[k_max] * p; /* what would leave the last bin stays in it */
    if (*hi < k_max)
        ++*hi;
    for (size_t k = *hi; k > *lo; k--) /* downwards, in place: now[k - 1] is still that of the last frame */
        now[k] = now[k] * (1 - p) + now[k - 1] * p;
    now[*lo] *= 1 - p;
    now[k_max] += beyond;
    while (*lo < *hi && now[*lo] < NEGLIGIBLE)
        now[(*lo)++] = 0;
    while (*lo < *hi && now[*hi] < NEGLIGIBLE)
        now[(*hi)--] = 0;
}

/* Sums the counts that share a row. Called once a column, so its k_max steps do not matter beside T * sigma. */
static void store_column(const lc_count_scene *s, const double *now, size_t column)
{
    double *rows = s->heat + column * s->rows;
    for (size_t row = 0; row < s->rows; row++)
        rows[row] = 0;
    for (size_t k = 0; k <= s->k_max; k++)
        rows[k / s->per_row] += now[k];
}

/* bin(columns) = frames exactly, so that the last column is stored too. */
void lc_count_scene_fill(const lc_count_scene *scene, double *now)
{
    size_t lo = 0, hi = 0, column = 0;
    for (size_t k = 0; k <= scene->k_max; k++)
        now[k] = k == 0;
    for (size_t t = 0; t < scene->frames; t++) {
        advance(now, scene->k_max, &lo, &hi, scene->p[t]);
        if (t + 1 == lc_count_scene_bin(column + 1, scene->columns, scene->frames))
            store_column(scene, now, column++);
    }
}

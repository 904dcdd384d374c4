/* SPDX-License-Identifier: MIT
 * measure_bands.c - in which bands the sounds of each class begin, from a model's own events and the sound alone.
 *
 * Drums that are played together rise together, so that a mean around the events of one class would include the other
 * classes. So the rise r_b(t) of every band is explained by all classes together, by least squares over all frames:
 *
 *     r_b(t) = c_b + sum over k of a_kb [an event of class k within +-10 ms of t]
 *
 * a below 0 counts as 0. The weight of band b for class k is a_kb times the square of its share in what rises there,
 * a_kb (a_kb / sum over j of a_jb)^2, scaled so that the largest is 1: bands that other classes share get little
 * weight. (Measured by a sketch with rises like these, spread of kicks of unknown kits after a snap: 4.5 ms with all
 * weights 1, 3.9 with a, 3.4 with a times its share, 3.1 with its square.) A class of fewer events than LC_LAG_EVENTS,
 * or with no rise of its own, has no result. */
#include "base/status.h"
#include "calibrate/measure.h"

#include <math.h>
#include <stdlib.h>

static const double near = 0.010; /* seconds */

struct lc_bands {
    size_t K, B;
    size_t *events; /* (K + 1), as all others: the last is the constant */
    double *normal; /* (K + 1, K + 1): frames that two classes share */
    double *rises;  /* (K + 1, B) */
    size_t *active;
    size_t *ahead; /* scratch, where the search for the next frame's events begins */
};

loco_status lc_bands_new(lc_bands **out, size_t classes, size_t n, loco_err *err)
{
    lc_bands *b = calloc(1, sizeof *b);
    if (b != NULL) {
        size_t rows = classes + 1;
        *b = (lc_bands){
            .K = classes,
            .B = n,
            .events = calloc(rows, sizeof *b->events),
            .normal = calloc(rows, rows * sizeof *b->normal),
            .rises = calloc(rows, n * sizeof *b->rises),
            .active = calloc(rows, sizeof *b->active),
            .ahead = calloc(rows, sizeof *b->ahead),
        };
    }
    if (b == NULL || b->events == NULL || b->normal == NULL || b->rises == NULL || b->active == NULL ||
        b->ahead == NULL) {
        lc_bands_free(b);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the bands of %zu classes", classes);
    }
    *out = b;
    return LOCO_OK;
}

void lc_bands_free(lc_bands *b)
{
    if (b == NULL)
        return;
    free(b->events);
    free(b->normal);
    free(b->rises);
    free(b->active);
    free(b->ahead);
    free(b);
}

/* Lists the classes with an event near the time, then the constant, in `active`; returns how many. */
static size_t find_active(lc_bands *b, const loco_event *events, size_t n, double time)
{
    size_t len = 0;
    for (size_t k = 0; k < b->K; k++) {
        size_t *i = &b->ahead[k];
        while (*i < n && (events[*i].kind != k || events[*i].time < time - near))
            ++*i;
        if (*i < n && events[*i].time <= time + near)
            b->active[len++] = k;
    }
    b->active[len++] = b->K;
    return len;
}

void lc_bands_add(lc_bands *b, const float *rises, size_t frames, double hop, const loco_event *events, size_t n)
{
    for (size_t k = 0; k < b->K; k++)
        b->ahead[k] = 0;
    for (size_t i = 0; i < n; i++)
        b->events[events[i].kind]++;
    for (size_t t = 0; t < frames; t++) {
        size_t len = find_active(b, events, n, hop * (double)t);
        for (size_t i = 0; i < len; i++) {
            size_t k = b->active[i];
            for (size_t j = 0; j < len; j++)
                b->normal[k * (b->K + 1) + b->active[j]]++;
            for (size_t band = 0; band < b->B; band++)
                b->rises[k * b->B + band] += (double)rises[t * b->B + band];
        }
    }
}

/* Solves the normal equations by Cholesky's method, in place: the rises become coefficients. One frame is added to
 * every diagonal element, so that classes without events have coefficients of 0 instead of a division by 0. */
static void solve(lc_bands *b)
{
    size_t n = b->K + 1;
    double *L = b->normal;
    for (size_t i = 0; i < n; i++) {
        L[i * n + i] += 1;
        for (size_t j = 0; j <= i; j++) {
            double sum = L[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = i == j ? sqrt(fmax(sum, 1e-9)) : sum / L[j * n + j];
        }
    }
    for (size_t band = 0; band < b->B; band++) {
        double *x = b->rises + band;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < i; k++)
                x[i * b->B] -= L[i * n + k] * x[k * b->B];
            x[i * b->B] /= L[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++)
                x[i * b->B] -= L[k * n + i] * x[k * b->B];
            x[i * b->B] /= L[i * n + i];
        }
    }
}

/* The coefficients of one band become weights, not yet scaled. */
static void share(lc_bands *b, size_t band)
{
    double sum = 0;
    for (size_t k = 0; k < b->K; k++)
        sum += fmax(b->rises[k * b->B + band], 0);
    for (size_t k = 0; k < b->K; k++) {
        double own = fmax(b->rises[k * b->B + band], 0);
        b->rises[k * b->B + band] = sum > 0 ? own * (own / sum) * (own / sum) : 0;
    }
}

size_t lc_bands_read(lc_bands *b, double *weights)
{
    size_t known = 0;
    solve(b);
    for (size_t band = 0; band < b->B; band++)
        share(b, band);
    for (size_t k = 0; k < b->K; k++) {
        const double *own = b->rises + k * b->B;
        double most = 0;
        for (size_t band = 0; band < b->B; band++)
            most = fmax(most, own[band]);
        if (b->events[k] < LC_LAG_EVENTS || !(most > 0))
            continue;
        known++;
        for (size_t band = 0; band < b->B; band++)
            weights[k * b->B + band] = own[band] / most;
    }
    return known;
}

/* SPDX-License-Identifier: MIT
 *
 * page_sound.c - the sound of a recording as the report carries it.
 *
 * 16-bit samples at 22 to 44 kHz: the rate is divided by the whole number that brings it closest above 22050, behind a
 * low-pass filter; 44100 becomes 22050, 48000 becomes 24000. A whole number needs no table of filters and keeps the
 * time of every sample. Half a minute takes 1.8 MB in base64.
 *
 *     y[i] = sum_k h[k] x[i f + k],  h[k] = 2c sinc(2ck) (1 + cos(pi k / L)) / 2,  |k| < L = 24 f,  c = 0.45 / f
 *
 * The click of each class travels alone, 4 kB each, and the page's script mixes them in: a second copy of the sound
 * would double the page.
 */
#include "report/page_data.h"

#include "base/status.h"
#include "report/click.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { LOWEST_RATE = 22050, TAPS = 24 };

static size_t factor_of(double rate)
{
    double factor = floor(rate / LOWEST_RATE + 1e-6);
    return factor < 1 ? 1 : (size_t)factor;
}

/* One side of the filter, (TAPS * factor) values; both sides together sum to 1. */
static void make_filter(double *h, size_t factor)
{
    double cut = 0.45 / (double)factor, sum = 0;
    size_t L = TAPS * factor;
    for (size_t k = 0; k < L; k++) {
        double x = 2 * cut * (double)k;
        double sinc = k == 0 ? 1 : sin(PI * x) / (PI * x);
        h[k] = sinc * (1 + cos(PI * (double)k / (double)L)) / 2;
        sum += k == 0 ? h[k] : 2 * h[k];
    }
    for (size_t k = 0; k < L; k++)
        h[k] /= sum;
}

static float filter_at(const double *h, size_t L, const float *x, size_t n, size_t at)
{
    double sum = h[0] * (double)x[at];
    for (size_t k = 1; k < L; k++) {
        double before = at >= k ? (double)x[at - k] : 0, after = at + k < n ? (double)x[at + k] : 0;
        sum += h[k] * (before + after);
    }
    return (float)sum;
}

/* Samples of the piece at the lower rate, which the caller frees; NULL: out of memory. */
static float *shrink(const lc_page_piece *piece, size_t factor, size_t *length)
{
    const lc_page_recording *r = piece->recording;
    size_t n, from = lc_page_piece_samples(piece, &n);
    *length = n / factor;
    float *y = malloc((*length + 1) * sizeof *y);
    double *h = malloc(TAPS * factor * sizeof *h);
    if (y != NULL && h != NULL) {
        make_filter(h, factor);
        for (size_t i = 0; i < *length; i++)
            y[i] = factor == 1 ? r->samples[from + i]
                               : filter_at(h, TAPS * factor, r->samples, r->samples_len, from + i * factor);
    } else {
        free(y);
        y = NULL;
    }
    free(h);
    return y;
}

/* What a filter adds to a loud sound must not be cut off. */
static void tame(float *samples, size_t n)
{
    float peak = 1;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    for (size_t i = 0; i < n; i++)
        samples[i] /= peak;
}

loco_status lc_page_sound_write(lc_text *out, const lc_page_piece *piece, loco_err *err)
{
    if (piece->recording->samples == NULL || piece->recording->silent)
        return LOCO_OK;
    size_t factor = factor_of(piece->recording->rate), n;
    float *samples = shrink(piece, factor, &n);
    if (samples == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the sound of a recording");
    tame(samples, n);
    lc_text wav = {0};
    loco_status status = lc_wav_format(&wav, samples, n, (unsigned)lround(piece->recording->rate / (double)factor),
                                       err);
    if (status == LOCO_OK)
        lc_base64_append(out, wav.bytes, wav.length);
    lc_text_free(&wav);
    free(samples);
    return status;
}

static void write_click(lc_text *out, float *shape, double rate, size_t kind)
{
    lc_click_shape(shape, rate, kind);
    for (size_t i = 0; i < lc_click_length(rate); i++) {
        int value = (int)lrintf(32767 * shape[i]);
        unsigned char pair[2] = {(unsigned char)(value & 0xff), (unsigned char)(value >> 8 & 0xff)};
        lc_text_append(out, (const char *)pair, 2);
    }
}

loco_status lc_page_clicks_write(lc_text *out, const lc_page_piece *piece, loco_err *err)
{
    if (piece->recording->samples == NULL || piece->recording->silent)
        return LOCO_OK;
    double rate = round(piece->recording->rate / (double)factor_of(piece->recording->rate));
    float *shape = malloc((lc_click_length(rate) + 1) * sizeof *shape);
    lc_text bytes = {0};
    lc_text_string(out, ",\"clicks\":[");
    size_t K = piece->page->classes_len, n = K < LC_PAGE_MOST_LANES ? K : LC_PAGE_MOST_LANES;
    for (size_t i = 0; i < n && shape != NULL; i++) { /* of more classes, the script takes them in turn */
        bytes.length = 0;
        write_click(&bytes, shape, rate, i);
        lc_text_string(out, i > 0 ? ",\"" : "\"");
        lc_base64_append(out, bytes.bytes, bytes.length);
        lc_text_string(out, "\"");
    }
    lc_text_string(out, "]");
    bool failed = shape == NULL || bytes.failed;
    lc_text_free(&bytes);
    free(shape);
    return failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the clicks of a recording") : LOCO_OK;
}

/* SPDX-License-Identifier: MIT
 * frame_norm.c - normalisation of one frame over all its values.
 *   x^ = (x - mean) / sqrt(variance + 1e-5), y = gain x^ + shift
 *   back, with g = gain dy:  dx = (g - mean(g) - x^ mean(g x^)) / sd */
#include "nn/frame_norm.h"

#include <math.h>

/* A frame of silence has variance 0; with this it becomes zeros, not 0 / 0, and its gradient stays finite. */
static const double epsilon = 1e-5;

/* Two passes in double: mean(x^2) - mean^2 cancels where the values are large and alike. */
void lc_frame_norm_forward(const lc_frame_norm *frame, float *x)
{
    double n = (double)frame->size, sum = 0, squares = 0;
    for (size_t i = 0; i < frame->size; i++)
        sum += (double)x[i];
    double mean = sum / n;
    for (size_t i = 0; i < frame->size; i++)
        squares += ((double)x[i] - mean) * ((double)x[i] - mean);
    float inverse = (float)(1 / sqrt(squares / n + epsilon)), centre = (float)mean, *kept = frame->kept;
    for (size_t i = 0; i < frame->size; i += frame->channels) {
        for (size_t c = 0; c < frame->channels; c++) {
            kept[i + c] = (x[i + c] - centre) * inverse;
            x[i + c] = kept[i + c] * frame->gain[c] + frame->shift[c];
        }
    }
    kept[frame->size] = inverse;
}

void lc_frame_norm_backward(const lc_frame_norm *frame, float *d, float *d_gain, float *d_shift)
{
    double n = (double)frame->size, sum = 0, along = 0;
    const float *kept = frame->kept;
    for (size_t i = 0; i < frame->size; i += frame->channels) {
        for (size_t c = 0; c < frame->channels; c++) {
            d_gain[c] += d[i + c] * kept[i + c];
            d_shift[c] += d[i + c];
            d[i + c] *= frame->gain[c];
            sum += (double)d[i + c];
            along += (double)d[i + c] * (double)kept[i + c];
        }
    }
    float mean = (float)(sum / n), slope = (float)(along / n), inverse = kept[frame->size];
    for (size_t i = 0; i < frame->size; i++)
        d[i] = (d[i] - mean - kept[i] * slope) * inverse;
}

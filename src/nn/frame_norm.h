/* SPDX-License-Identifier: MIT
 * frame_norm.h - normalisation of one frame, for norm.c and conv.c. */
#ifndef LC_NN_FRAME_NORM_H
#define LC_NN_FRAME_NORM_H

#include <stddef.h>

typedef struct lc_frame_norm {
    const float *gain, *shift; /* channels */
    float *kept;               /* size + 1: normalised values, then 1 / sd */
    size_t size, channels;
} lc_frame_norm;

/* x becomes gain (x - mean) / sd + shift. */
void lc_frame_norm_forward(const lc_frame_norm *frame, float *x);

/* d, the gradient of the output, becomes that of the input; adds to d_gain and d_shift. */
void lc_frame_norm_backward(const lc_frame_norm *frame, float *d, float *d_gain, float *d_shift);

#endif

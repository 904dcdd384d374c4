/* SPDX-License-Identifier: MIT
 * conv.h - a convolution in two files: conv.c describes it and packs its weights, conv_pass.c runs it. */
#ifndef LC_NN_CONV_H
#define LC_NN_CONV_H

#include "nn/layer.h"

/* Frames from the first to the last tap. */
size_t lc_conv_reach(const lc_layer *layer);

void lc_conv_forward(const lc_layer *layer, const lc_pass *pass);
void lc_conv_backward(const lc_layer *layer, const lc_pass *pass);
size_t lc_conv_step(const lc_layer *layer, const lc_pass *pass);

#endif

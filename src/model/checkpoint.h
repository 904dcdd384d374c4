/* SPDX-License-Identifier: MIT
 * checkpoint.h - a model in training, with all that is needed to continue as if training had never stopped.
 *
 * A model file (model_file.h) of format "loco-checkpoint" with five more tensors, n being the number of parameters. It
 * is loaded as a model like any other; only training (train/) reads the five:
 *
 *   adam.m   F32 [n]   first moments
 *   adam.v   F32 [n]   second moments
 *   average  F32 [n]   averaged parameters
 *   step     U64 []    steps done
 *   random   U64 [4]   state of the random numbers
 *
 * Every bit is restored, so that training continues bit for bit. Settings such as the learning rate are kept by the
 * trainer in the pairs of lc_model_info. To resume, lc_model_file_load gives network, classes and pairs;
 * lc_checkpoint_load then fills the arrays of the trainer. */
#ifndef LC_MODEL_CHECKPOINT_H
#define LC_MODEL_CHECKPOINT_H

#include "base/rng.h"
#include "model/model_file.h"

/* The caller's arrays of net->params floats, and what belongs to them. */
typedef struct lc_progress {
    float *m, *v, *average;
    uint64_t step;
    lc_rng rng;
} lc_progress;

LOCO_MUST_USE loco_status lc_checkpoint_save(const char *path, const lc_net *net, const float *params,
                                             const lc_model_info *info, const lc_progress *progress, loco_err *err);

/* Fills params and what progress points to, and sets its step and rng; nothing is changed on failure. LOCO_EDATA unless
 * the file holds the same network and input. */
LOCO_MUST_USE loco_status lc_checkpoint_load(const char *path, const lc_net *net, float *params, lc_progress *progress,
                                             loco_err *err);

#endif

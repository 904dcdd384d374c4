/* SPDX-License-Identifier: MIT
 * checkpoint.h - a model in training, with all that is needed to go on as if it had never stopped.
 *
 * A model file (model.h) of format "loco-checkpoint" with five more tensors, n being the number of parameters:
 *
 *   adam.m   F32 [n]   first moments
 *   adam.v   F32 [n]   second moments
 *   average  F32 [n]   averaged parameters
 *   step     U64 []    steps done
 *   random   U64 [4]   state of the random numbers
 *
 * Every bit comes back, so that training goes on bit for bit. Settings such as the learning rate are not part of it:
 * whoever trains keeps them in the pairs of lc_model_info. To resume, lc_model_load gives network, classes and pairs;
 * lc_checkpoint_load then fills the arrays of the one who trains. */
#ifndef LC_MODEL_CHECKPOINT_H
#define LC_MODEL_CHECKPOINT_H

#include "base/rng.h"
#include "model/model.h"

/* The caller's arrays of net->params floats, and what belongs to them. */
typedef struct lc_progress {
    float *m, *v, *average;
    uint64_t step;
    lc_rng rng;
} lc_progress;

LOCO_MUST_USE loco_status lc_checkpoint_save(const char *path, const lc_net *net, const float *params,
                                             const lc_model_info *info, const lc_progress *progress, loco_err *err);

/* Fills params and what progress points to, and sets its step and rng; nothing is touched on failure. The file must
 * hold the same network and input. */
LOCO_MUST_USE loco_status lc_checkpoint_load(const char *path, const lc_net *net, float *params, lc_progress *progress,
                                             loco_err *err);

#endif

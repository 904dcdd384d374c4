/* SPDX-License-Identifier: MIT
 * model.h - a model: a network, its parameters, the names of its classes, and whatever else is worth keeping, in one
 * file.
 *
 * The file is a safetensors file (tensors.h). Its metadata:
 *
 *   format   "loco-model", or "loco-checkpoint" for one that also holds the state of training (checkpoint.h)
 *   loco     the description (description.h): version, network line, input, classes
 *   ...      any other pairs of texts: licence, training data, settings
 *
 * Its tensors are those of the layers, all F32, called <index>.<layer>.<tensor> in the order of the network and with
 * the shapes that the layers give: 0.conv.weight, 0.conv.bias, 1.lstm.weight, 1.lstm.recurrent, ... In memory they lie
 * one behind the other: that is the network's one array of parameters. */
#ifndef LC_MODEL_MODEL_H
#define LC_MODEL_MODEL_H

#include "model/tensors.h"
#include "nn/net.h"

/* What the file says besides network and parameters. */
typedef struct lc_model_info {
    const char *const *classes; /* net->classes names, all different */
    size_t classes_len;
    const lc_pair *pairs; /* keys other than format and loco */
    size_t pairs_len;
} lc_model_info;

/* A model that was read; it owns all that it points to. */
typedef struct lc_model {
    lc_net net;
    float *params; /* net.params */
    lc_model_info info;
} lc_model;

/* All parameters must be finite. */
LOCO_MUST_USE loco_status lc_model_save(const char *path, const lc_net *net, const float *params,
                                        const lc_model_info *info, loco_err *err);

/* A checkpoint is read as the model that it holds: its parameters are those that are being trained, not their
 * average. */
LOCO_MUST_USE loco_status lc_model_load(const char *path, lc_model **model, loco_err *err);
LOCO_MUST_USE loco_status lc_model_parse(lc_model **model, const void *data, size_t length, loco_err *err);
void lc_model_free(lc_model *model);

/* ---- for checkpoint.c ---- */

enum { LC_STATE_ARRAYS = 5 };
extern const char *const lc_state_names[LC_STATE_ARRAYS]; /* what a checkpoint holds besides a model */

/* Saves a model, and with it, if any, the arrays of a checkpoint. */
LOCO_MUST_USE loco_status lc_model_save_with(const char *path, const lc_net *net, const float *params,
                                             const lc_model_info *info, const lc_array *state, size_t state_len,
                                             loco_err *err);
LOCO_MUST_USE loco_status lc_model_read(const lc_tensors *file, lc_model **model, loco_err *err);

bool lc_model_is_checkpoint(const lc_tensors *file);

/* Numbers that are not finite have no place in a file; other types than F32 pass. */
LOCO_MUST_USE loco_status lc_array_finite(const lc_array *array, const char *where, loco_err *err);

#endif

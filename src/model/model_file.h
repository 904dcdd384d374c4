/* SPDX-License-Identifier: MIT
 * model_file.h - what a model's safetensors file holds (lc_model_file): a network, its parameters, the names of its
 * classes, and pairs of texts whose meaning only model.h knows.
 *
 * It lies between tensors.h, which knows arrays and texts alone, and model.h, whose loco_model also has the front end,
 * the decoding and the calibration that these pairs describe. Detection uses loco_model; only model/ and train/ use
 * this. The metadata of the file:
 *
 *   format   "loco-model", or "loco-checkpoint" for one that also holds the state of training (checkpoint.h)
 *   checksum of the whole file (tensors.h); files of versions before 0.2 have none
 *   loco     the description (description.h): version, network line, input, classes
 *   ...      any other pairs of texts: licence, training data, settings
 *
 * Its tensors are those of the layers, all F32, called <index>.<layer>.<tensor> in the order of the network and with
 * the shapes that the layers give: 0.conv.weight, 0.conv.bias, 1.lstm.weight, 1.lstm.recurrent, ... In memory they lie
 * one behind the other: that is the network's one array of parameters. */
#ifndef LC_MODEL_MODEL_FILE_H
#define LC_MODEL_MODEL_FILE_H

#include "model/tensors.h"
#include "nn/net.h"

/* What the file holds besides network and parameters. */
typedef struct lc_model_info {
    const char *const *classes; /* net->classes names, all different */
    size_t classes_len;
    const lc_pair *pairs; /* keys other than these three */
    size_t pairs_len;
} lc_model_info;

/* A file that was read; it owns all that it points to. lc_model_file_free frees it. */
typedef struct lc_model_file {
    lc_net net;
    float *params; /* net.params */
    lc_model_info info;
} lc_model_file;

/* LOCO_EDATA unless all parameters are finite. */
LOCO_MUST_USE loco_status lc_model_file_save(const char *path, const lc_net *net, const float *params,
                                             const lc_model_info *info, loco_err *err);

/* A checkpoint is read as the model that it holds: its parameters are those that are being trained, not their
 * average. */
LOCO_MUST_USE loco_status lc_model_file_load(const char *path, lc_model_file **model, loco_err *err);
void lc_model_file_free(lc_model_file *model);

/* ---- for checkpoint.c ---- */

enum { LC_STATE_ARRAYS = 5 };
extern const char *const lc_state_names[LC_STATE_ARRAYS]; /* what a checkpoint holds besides a model */

/* Saves a model, and with it, if any, the arrays of a checkpoint. */
LOCO_MUST_USE loco_status lc_model_file_save_with(const char *path, const lc_net *net, const float *params,
                                                  const lc_model_info *info, const lc_array *state, size_t state_len,
                                                  loco_err *err);
LOCO_MUST_USE loco_status lc_model_file_read(const lc_tensors *file, lc_model_file **model, loco_err *err);

bool lc_model_file_is_checkpoint(const lc_tensors *file);

/* LOCO_EDATA for a number that is not finite; types other than F32 are not checked. */
LOCO_MUST_USE loco_status lc_array_finite(const lc_array *array, const char *where, loco_err *err);

#endif

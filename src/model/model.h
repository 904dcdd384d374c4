/* SPDX-License-Identifier: MIT
 * model.h - loco_model, a model that is ready to use: front end, network, classes, decoding and calibration in one.
 *
 * Four headers, from the bytes up: model_file.h reads and writes the safetensors file as network, parameters, classes
 * and pairs of texts (lc_model_file); description.h is the JSON in it that names network and classes; checkpoint.h adds
 * the state of training. This one turns an lc_model_file into a loco_model: it interprets these pairs of texts:
 *
 *   frontend    mel rate=22050 window=1024 ...        signal/frontend.h
 *   decoding    mass window=0.01 threshold=0.3 ...    model/decoding.h
 *   offsets     -0.0132 -0.0127 -0.0049               seconds by which each class is reported late; subtracted
 *   offsets_x   0.8 0.7 1.1                           images only: the same in pixels to the right; offsets are pixels down
 *   thresholds  0.3 0.28 0.35                         one a class
 *   onset_bands 0.02 0.9 ...                          20 a class: in which bands its sounds begin (snap.h); sound only
 *   count_scales, count_shifts, count_spreads   one a class, see detect/tally.h
 *   count_tails   1e-1 ...                            7 a class: p-values of counts at the edge of intervals
 *   count_errors  1 0.02 40 80 800 0.01               6 a class: counts by detections (1) or not (0), excess, recordings,
 *                                                     frames of clips and of recordings, rate (count_calibration.h)
 *   count_sum_tails                                   as count_tails, of recordings
 *   means       1.25e-2 0                             series only: one a channel, behind the front end's filters
 *   spreads     4.1e-1 5.2e-1                         the same
 *   ...         others are kept as they are: recipe, data, licence */
#ifndef LC_MODEL_MODEL_H
#define LC_MODEL_MODEL_H

#include "base/mem.h"
#include "model/count_calibration.h"
#include "model/decoding.h"
#include "model/fold.h"
#include "model/model_file.h"
#include "signal/frontend.h"

struct loco_model {
    lc_model_file *file; /* that was loaded; NULL: network, parameters and classes belong to the caller */
    const lc_net *net;
    const float *params;
    const char *const *classes;
    lc_frontend_settings frontend;
    lc_decoding decoding;
    double *thresholds, *offsets;            /* one a class */
    double *offsets_x;                       /* the same; zeros but for images */
    double *bands;                           /* (K, LC_ONSET_BANDS); NULL: not measured */
    lc_count_calibration *count_calibration; /* one a class */
    bool count_calibrated;                   /* count_calibration was measured */
    lc_block packed;                         /* the weights in the order that the kernels read */
    struct folding *folding;                 /* of a folded model, which owns the one that it was made of; else NULL */
    struct loco_model *whole;
};

/* A model over a network and parameters that the caller keeps and frees. Thresholds are those of the decoding, offsets
 * 0. */
LOCO_MUST_USE loco_status lc_model_view(loco_model **model, const lc_net *net, const float *params,
                                        const char *const *classes, const lc_frontend_settings *frontend,
                                        const lc_decoding *decoding, loco_err *err);

/* The groups that the model's recipe names, "hihat=closed+open,..." up to the end of the line (fold.h); NULL: none. */
const char *lc_model_groups(const loco_model *model);

/* The groups of a folded model; NULL: it is not folded. */
const lc_fold *lc_model_fold(const loco_model *model);
void lc_model_unfold(loco_model *model); /* of loco_model_free */

/* Packs the weights again; call it after the parameters have changed. */
void lc_model_renew(loco_model *model);

/* Saves the model with the pairs above and `more`, which wins where both have a key. Other pairs of the file that the
 * model was loaded from are kept. */
LOCO_MUST_USE loco_status lc_model_save(const char *path, const loco_model *model, const lc_pair *more, size_t more_len,
                                        loco_err *err);

/* The value of one of the file's pairs; NULL: there is no such key. */
const char *lc_model_text(const loco_model *model, const char *key);

/* LOCO_EDATA unless a data set has the classes of the model, in its order; the message names the first that differs. */
LOCO_MUST_USE loco_status lc_model_check_classes(const loco_model *model, const char *where, const char *const *classes,
                                                 size_t n, loco_err *err);

/* Whether a pair of texts with this key is part of the model, and not what its maker wrote about it. */
bool lc_model_owns(const char *key);

#endif

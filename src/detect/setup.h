/* SPDX-License-Identifier: MIT
 * setup.h - a model that is ready to listen: front end, network, classes, decoding and calibration in one.
 *
 * In the model file these are pairs of texts beside the description of the network:
 *
 *   frontend    mel rate=22050 window=1024 ...        signal/frontend.h
 *   decoding    mass window=0.01 threshold=0.3 ...    detect/decode.h
 *   offsets     -0.0132 -0.0127 -0.0049               seconds by which each class is told late; subtracted
 *   thresholds  0.3 0.28 0.35                         one a class
 *   onset_bands 0.02 0.9 ...                          20 a class: in which bands its sounds begin (snap.h); of sound
 *   count_scales, count_shifts, count_spreads   one a class, see detect/tally.h
 *   count_tails   1e-1 ...                            7 a class: p-values of counts at the edge of intervals
 *   means       1.25e-2 0                             of series: one a channel, behind the front end's filters
 *   spreads     4.1e-1 5.2e-1                         the same
 *   ...         others are kept as they are: recipe, data, licence */
#ifndef LC_DETECT_SETUP_H
#define LC_DETECT_SETUP_H

#include "base/mem.h"
#include "detect/decode.h"
#include "detect/tally.h"
#include "model/model.h"
#include "signal/frontend.h"

struct loco_model {
    lc_model *file; /* NULL: network, parameters and classes are the caller's */
    const lc_net *net;
    const float *params;
    const char *const *classes;
    lc_frontend_settings frontend;
    lc_decoding decoding;
    double *thresholds, *offsets; /* one a class */
    double *bands;                /* (K, LC_ONSET_BANDS); NULL: not measured */
    lc_counting *counting;        /* one a class */
    bool counted;                 /* which was measured */
    lc_block packed;              /* the weights as the kernels want them */
};

/* A model over a network and parameters that stay the caller's. Thresholds are those of the decoding, offsets 0. */
LOCO_MUST_USE loco_status lc_setup_view(loco_model **model, const lc_net *net, const float *params,
                                        const char *const *classes, const lc_frontend_settings *frontend,
                                        const lc_decoding *decoding, loco_err *err);

/* After the parameters have changed. */
void lc_setup_renew(loco_model *model);

/* Saves the model with the pairs above and more: of two pairs with one key, that of more counts; what a file that was
 * loaded held besides stays. */
LOCO_MUST_USE loco_status lc_setup_save(const char *path, const loco_model *model, const lc_pair *more, size_t more_len,
                                        loco_err *err);

/* The value of one of the file's pairs; NULL: it has none of that name. */
const char *lc_setup_text(const loco_model *model, const char *key);

/* Whether a data set has the classes of the model, in its order; the sentence says which one differs. */
LOCO_MUST_USE loco_status lc_setup_check_classes(const loco_model *model, const char *where, const char *const *classes,
                                                 size_t n, loco_err *err);

#endif

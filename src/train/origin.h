/* SPDX-License-Identifier: MIT
 * origin.h - where a model comes from, as pairs of texts for its file.
 *
 *   about        what the user says about it (--about), if given
 *   licence      under which it may be used (--licence), if given
 *   trained_on   the text of sources.txt beside the recordings, or else how many recordings and clips there were
 *   version      loco 0.2.0
 *   from         drums; MIT                 the model that training started from, and its licence
 *   command      loco train drums-set --preset drums --set steps=800 */
#ifndef LC_TRAIN_ORIGIN_H
#define LC_TRAIN_ORIGIN_H

#include "base/text.h"
#include "model/tensors.h"
#include "train/plan.h"

enum { LC_ORIGIN_PAIRS = 6, LC_ORIGIN_LINE = 400, LC_ORIGIN_SOURCES = 65536 /* bytes */ };

typedef struct lc_origin {
    lc_text texts[LC_ORIGIN_PAIRS];
    lc_pair pairs[LC_ORIGIN_PAIRS];
    size_t len;
} lc_origin;

/* LOCO_EARG for an about or a licence that is not a line of UTF-8. */
LOCO_MUST_USE loco_status lc_origin_check(const loco_train_options *training, loco_err *err);

/* Zero-initialised at first, and freed after a failure too. LOCO_EDATA for a sources.txt that is not a text. */
LOCO_MUST_USE loco_status lc_origin_gather(lc_origin *origin, const char *data, const loco_train_options *training,
                                           const lc_plan *plan, loco_err *err);
void lc_origin_free(lc_origin *origin);

#endif

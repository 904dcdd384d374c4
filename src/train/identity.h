/* SPDX-License-Identifier: MIT
 * identity.h - what must not change until a training run is resumed: recipe, front end, data set, and the bytes of its
 *   recordings. Under another instruction set a run may go on, with other last bits: that is said. */
#ifndef LC_TRAIN_IDENTITY_H
#define LC_TRAIN_IDENTITY_H

#include "model/model_file.h"
#include "train/plan.h"

typedef struct lc_identity {
    char content[20];    /* the checksum of all recordings */
    const char *kernels; /* "avx2" */
} lc_identity;

/* Reads all recordings once, in parallel. */
LOCO_MUST_USE loco_status lc_identity_find(lc_identity *identity, const lc_plan *plan, loco_err *err);

/* Classes, and how many recordings, clips, events and counts there are. */
void lc_identity_set(const lc_plan *plan, lc_text *out);

/* A text of a checkpoint, "" for a key that is missing. */
const char *lc_identity_text(const lc_model_file *model, const char *key);

/* LOCO_EARG where the run of a checkpoint cannot go on with this plan; texts that an earlier version did not write are not
 * compared. */
LOCO_MUST_USE loco_status lc_identity_check(const lc_identity *identity, const char *checkpoint,
                                            const lc_model_file *model, const lc_plan *plan,
                                            const loco_train_options *asked, loco_err *err);

#endif

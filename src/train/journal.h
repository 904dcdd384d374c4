/* SPDX-License-Identifier: MIT
 * journal.h - what happened in a training run, for a log that programs read and for its picture.
 *
 * One entry a validation. A run that is resumed loads the log up to the step of its checkpoint and goes on from there,
 * so that a log has no gaps and no step twice. */
#ifndef LC_TRAIN_JOURNAL_H
#define LC_TRAIN_JOURNAL_H

#include "base/text.h"
#include "loco.h"

/* The result of one validation; unknown values are NaN. kept: 1 if its model was saved. The last two are of images in place of
 * f1_50 and f1_20: lc_validation_tolerances. */
typedef struct lc_journal_entry {
    double step, loss, count_hit, held_loss, held_hit, held_error, sharp, f1_50, f1_20, seconds, kept, f1_8px, f1_4px;
} lc_journal_entry;

typedef struct lc_journal {
    lc_journal_entry *entries;
    size_t len, capacity;
} lc_journal;

/* Without memory the entry is lost. */
void lc_journal_add(lc_journal *journal, const lc_journal_entry *entry);
void lc_journal_free(lc_journal *journal);

/* All entries as JSON lines, and back; both replace what was there. A file that is missing is an empty journal. Entries
 * after `step` are left out. */
LOCO_MUST_USE loco_status lc_journal_save(const lc_journal *journal, const char *path, loco_err *err);
LOCO_MUST_USE loco_status lc_journal_load(lc_journal *journal, const char *path, double step, loco_err *err);

#endif

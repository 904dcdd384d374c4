/* SPDX-License-Identifier: MIT
 * fold.h - classes that stand for several others: a model of the whole drum kit, reported as kick, snare and hi-hat.
 *
 *     kick,snare,hihat                   a name alone stands for what the model's recipe says (fold=), or else the table below
 *     kick,snare=snare+side-stick        ... or for what is behind the =
 *
 * A class belongs to the group of its own name, too: true events that are called "hihat" already stay what they are. */
#ifndef LC_MODEL_FOLD_H
#define LC_MODEL_FOLD_H

#include "base/store.h"
#include "loco.h"

#include <stdbool.h>

enum { LC_FOLD_GROUPS = 32 };

/* In MDB Drums, a stick on the rim and a tambourine are neither snare nor hi-hat. The first class of a group is the most
 * frequent one. */
#define LC_FOLD_DRUMS                                                                                     \
    "hihat=closed-hihat+open-hihat+pedal-hihat,tom=low-tom+high-tom+mid-tom,cymbal=ride+crash+ride-bell," \
    "percussion=percussion+tambourine+clap+cowbell"

typedef struct lc_fold {
    const char *names[LC_FOLD_GROUPS];
    const char *members[LC_FOLD_GROUPS]; /* "closed-hihat+open-hihat" */
    size_t len;
    lc_store store;
} lc_fold;

/* Reads a list of groups. known: such a list, up to the end of its line, for names alone; NULL: none. *fold is zero-initialised before, and freed by
 * lc_fold_free in any case. */
LOCO_MUST_USE loco_status lc_fold_parse(lc_fold *fold, const char *text, const char *known, loco_err *err);
void lc_fold_free(lc_fold *fold);

/* Whether a name alone stands for a group, by a list or by the table above. */
bool lc_fold_knows(const char *known, const char *name);

/* The group of a class; SIZE_MAX: none, it is left out. */
size_t lc_fold_of(const lc_fold *fold, const char *name);

#endif

/* SPDX-License-Identifier: MIT
 * lock.h - two programs that would write the same files.
 *
 *     lc_lock *lock;
 *     status = lc_lock_take(&lock, "m.loco", err);      beside it lies m.loco.lock until
 *     lc_lock_drop(lock);
 *
 * Symbolic links are followed first, so that two names of one file have one lock. */
#ifndef LC_BASE_LOCK_H
#define LC_BASE_LOCK_H

#include "loco.h"

typedef struct loco_lock lc_lock;

/* LOCO_EIO when another run, in this program or another, holds it. The system drops it when a program ends, however it
 * does. Where files cannot be locked, nothing is held and that is not an error. */
LOCO_MUST_USE loco_status lc_lock_take(lc_lock **lock, const char *path, loco_err *err);
void lc_lock_drop(lc_lock *lock); /* may be NULL */

/* Removes temporary files that killed programs left beside path (file.c names them). To be called with the lock. */
void lc_lock_clean(const char *path);

#endif

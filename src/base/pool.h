/* SPDX-License-Identifier: MIT
 * pool.h - threads that wait for numbered tasks. */
#ifndef LC_BASE_POOL_H
#define LC_BASE_POOL_H

#include "loco.h"

typedef struct lc_pool lc_pool;

/* Runs task number `task` on worker `worker` (0 is the caller's thread); what it may write depends on these two
 * alone. */
typedef void lc_task(void *context, size_t task, unsigned worker);

/* threads >= 1 counts the caller's own thread. */
loco_status lc_pool_new(lc_pool **pool, unsigned threads, loco_err *err);
void lc_pool_free(lc_pool *pool);
unsigned lc_pool_threads(const lc_pool *pool);

/* Runs tasks 0..tasks-1 and returns when all are done. Threads take the next task as they become free, so a task
 * must not depend on which thread runs it. */
void lc_pool_run(lc_pool *pool, size_t tasks, lc_task *run, void *context);

#endif

/* SPDX-License-Identifier: MIT
 *
 * parallel.h - many items, such as files, on several threads, with results in order.
 *
 * Each worker takes the next item; the caller's thread finishes the items in their order, each as soon as it and all
 * before it are done. So what is printed does not depend on the number of threads.
 */
#ifndef LC_CLI_PARALLEL_H
#define LC_CLI_PARALLEL_H

#include "cli.h"

#include <stdint.h>

enum { LC_MOST_THREADS = 1024 };

typedef struct lc_parallel {
    size_t items;
    uint64_t threads;                           /* 0: one for each core */
    void (*work)(void *context, size_t item);   /* in a worker, several at a time */
    bool (*finish)(void *context, size_t item); /* in the caller's thread, in order; false: no more items */
    void (*interrupted)(void *context);         /* before an interruption ends the program; NULL: nothing to do */
    void *context;
    bool patient;     /* an interruption waits for the workers, whose work ends by itself */
    const char *what; /* the items; NULL: files */
} lc_parallel;

/* Runs all items, with a progress line on a terminal. Ctrl-C and SIGTERM end the program with exit status 130: what was
 * finished stays, what was not is dropped. */
loco_status lc_parallel_run(const lc_parallel *job, loco_err *err);

/* The threads that lc_parallel_run would work with. */
size_t lc_parallel_threads(const lc_parallel *job);

#endif

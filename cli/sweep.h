/* SPDX-License-Identifier: MIT
 *
 * sweep.h - `loco train --sweep rate=0.001,0.003 --seeds 1..6`: every value with every seed, each a run of its own.
 *
 *     lc_train_sweep sweep = {.folder = "rates", .data = "set", .test = "test-set", .training = training, ...};
 *     return lc_sweep_run(&sweep, &usage);
 */
#ifndef LC_CLI_SWEEP_H
#define LC_CLI_SWEEP_H

#include "args.h"
#include "shard.h"

typedef struct lc_train_sweep {
    const char *folder, *data;
    const char *test;            /* what models are scored on; NULL: a fifth of the recordings, set aside */
    lc_list values;              /* "rate=0.001,0.003" */
    const char *seeds;           /* "1..6" or "1,2,5"; NULL: that of the settings */
    loco_train_options training; /* of all runs: preset, sets and so on */
    uint64_t threads;            /* of all runs together; 0: one for each core */
    lc_shard shard;
} lc_train_sweep;

/* Trains and scores all runs that are not done, prints the table, and returns the exit status. */
int lc_sweep_run(const lc_train_sweep *sweep, const lc_usage *usage);

#endif

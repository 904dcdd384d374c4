/* SPDX-License-Identifier: MIT
 *
 * shard.h - one of several processes that share a list of items, such as the files of an archive.
 *
 * An item belongs to a shard by a hash of its name. So it stays there when others are added or removed, and processes
 * that were started at different moments never leave one out. Shards differ in size by chance: of 2000 files, 8 shards
 * have 250 each, give or take 15.
 */
#ifndef LC_CLI_SHARD_H
#define LC_CLI_SHARD_H

#include "cli.h"

#include <stdint.h>

enum { LC_MOST_SHARDS = 100000 };

typedef struct lc_shard {
    unsigned number, of; /* 1 <= number <= of; of = 0: everything is one process's */
    bool launched;       /* by mpirun or srun, rather than by --shard */
} lc_shard;

/* "2/8": the second of eight. False when it is not that. */
bool lc_shard_parse(lc_shard *shard, const char *text);

/* The process's place among those that a launcher (mpirun of OpenMPI or MPICH, srun of Slurm) started; of = 0 when
 * there is no launcher, or one process alone. */
lc_shard lc_shard_launched(void);

bool lc_shard_has(const lc_shard *shard, const char *name);

/* FNV-1a, 64 bits; the first call has LC_HASH_START. */
#define LC_HASH_START 0xcbf29ce484222325u
uint64_t lc_hash(uint64_t hash, const void *bytes, size_t length);

#endif

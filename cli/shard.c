/* SPDX-License-Identifier: MIT
 *
 * shard.c - one of several processes that share a list of items.
 *
 * Of Slurm SLURM_STEP_NUM_TASKS is read, which srun alone sets: SLURM_NTASKS is also there in a batch script, where one
 * process runs, which would then do a part of the work only.
 */
#include "shard.h"

#include <stdlib.h>
#include <string.h>

/* Digits alone, up to LC_MOST_SHARDS; moves *text behind them. */
static bool read_number(unsigned *number, const char **text)
{
    unsigned value = 0;
    const char *first = *text;
    for (; **text >= '0' && **text <= '9' && value <= LC_MOST_SHARDS; ++*text)
        value = 10 * value + (unsigned)(**text - '0');
    *number = value;
    return *text > first && value <= LC_MOST_SHARDS;
}

bool lc_shard_parse(lc_shard *shard, const char *text)
{
    lc_shard read = {0};
    if (!read_number(&read.number, &text) || *text++ != '/' || !read_number(&read.of, &text) || *text != 0)
        return false;
    if (read.number < 1 || read.number > read.of)
        return false;
    *shard = read;
    return true;
}

lc_shard lc_shard_launched(void)
{
    static const char *const names[][2] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"PMI_RANK",             "PMI_SIZE"            },
        {"SLURM_PROCID",         "SLURM_STEP_NUM_TASKS"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *rank = getenv(names[i][0]), *size = getenv(names[i][1]);
        lc_shard s = {.launched = true};
        if (rank != NULL && size != NULL && read_number(&s.number, &rank) && read_number(&s.of, &size) &&
            s.number < s.of && s.of > 1) {
            s.number++;
            return s;
        }
    }
    return (lc_shard){0};
}

uint64_t lc_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}

/* The low bits of FNV-1a alone would follow the last characters; the upper half is mixed in. */
bool lc_shard_has(const lc_shard *shard, const char *name)
{
    uint64_t hash = lc_hash(LC_HASH_START, name, strlen(name));
    return shard->of == 0 || (hash ^ hash >> 32) % shard->of == shard->number - 1;
}

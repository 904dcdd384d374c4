/* SPDX-License-Identifier: MIT
 *
 * shard.c - one of several processes that share a list of items.
 */
#include "shard.h"

#include "launcher.h"

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
    lc_launcher launcher = lc_launcher_find();
    if (launcher.size < 2 || launcher.size > LC_MOST_SHARDS || launcher.rank >= launcher.size)
        return (lc_shard){0};
    return (lc_shard){.number = launcher.rank + 1, .of = launcher.size, .launched = true};
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

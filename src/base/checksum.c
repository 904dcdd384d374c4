/* SPDX-License-Identifier: MIT
 * checksum.c - a sum of 64 bits over bytes.
 *
 * Words of 8 bytes, little-endian on any machine, go to four lanes in turn: lane = (lane ^ word) * odd, then rotated.
 * Each step can be undone, so that a difference in one word always leaves a difference in its lane, and the lanes
 * are joined at the end by steps of the same kind. One lane alone would wait for its own product: four take 0.1 ns a byte. */
#include "base/checksum.h"

#include "base/show.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const uint64_t factor = 0x9e3779b97f4a7c15u; /* odd, as is needed to undo the product */

static uint64_t step(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * factor;
    return lane << 29 | lane >> 35;
}

static uint64_t word_of(const unsigned char *b)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | b[i];
    return word;
}

static void add_block(uint64_t lanes[LC_CHECKSUM_LANES], const unsigned char *block)
{
    for (size_t i = 0; i < LC_CHECKSUM_LANES; i++)
        lanes[i] = step(lanes[i], word_of(block + 8 * i));
}

lc_checksum lc_checksum_begin(void)
{
    return (lc_checksum){
        .lanes = {1, 2, 3, 4}
    };
}

void lc_checksum_add(lc_checksum *sum, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    size_t held = sum->length % LC_CHECKSUM_BLOCK;
    sum->length += n;
    while (n > 0) {
        size_t piece = LC_CHECKSUM_BLOCK - held < n ? LC_CHECKSUM_BLOCK - held : n;
        if (piece == LC_CHECKSUM_BLOCK) {
            add_block(sum->lanes, at);
        } else {
            memcpy(sum->rest + held, at, piece);
            held = (held + piece) % LC_CHECKSUM_BLOCK;
            if (held == 0)
                add_block(sum->lanes, sum->rest);
        }
        at += piece;
        n -= piece;
    }
}

/* The length distinguishes zeros that fill the last block from zeros of the data. */
uint64_t lc_checksum_end(const lc_checksum *sum)
{
    uint64_t lanes[LC_CHECKSUM_LANES], joined = sum->length;
    unsigned char last[LC_CHECKSUM_BLOCK] = {0};
    memcpy(lanes, sum->lanes, sizeof lanes);
    memcpy(last, sum->rest, sum->length % LC_CHECKSUM_BLOCK);
    add_block(lanes, last);
    for (size_t i = 0; i < LC_CHECKSUM_LANES; i++)
        joined = step(joined, lanes[i]);
    return joined ^ joined >> 32;
}

loco_status lc_checksum_file(uint64_t *sum, const char *path, loco_err *err)
{
    unsigned char block[4096];
    lc_checksum all = lc_checksum_begin();
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return lc_err_set(err, LOCO_EIO, "cannot read %s", lc_show(path).text);
    for (size_t got = 1; got > 0;) {
        got = fread(block, 1, sizeof block, file);
        lc_checksum_add(&all, block, got);
    }
    bool good = !ferror(file);
    fclose(file);
    if (!good)
        return lc_err_set(err, LOCO_EIO, "cannot read %s to its end", lc_show(path).text);
    *sum = lc_checksum_end(&all);
    return LOCO_OK;
}

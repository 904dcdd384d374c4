/* SPDX-License-Identifier: MIT
 * flac.c - samples of FLAC files (RFC 9639): the blocks before the sound, frames, their checksums and channels.
 *
 * The next frame lies whole in `bytes` before it is read, with zeros behind: so the reader of bits tests for the end
 * once a refill and needs nobody to call for more. A frame is taken to have at most the bytes of its samples as they
 * are; encoders write verbatim what would become longer. */
#include "signal/flac.h"

#include "signal/flac_subframe.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHANNELS = 8,
    MOST_BITS = 24,
    STREAMINFO = 34, /* bytes */
    HEADER = 64,     /* more bytes than headers and checksums of a frame have */
    READ_AHEAD = 65536,
    SLICES = 8, /* of the checksum: bytes at a time */
};

struct lc_flac {
    const lc_flac_kernels *kernels;
    lc_flac_bytes *get;
    void *context;
    uint64_t at;          /* in the file: the end of what is in bytes */
    unsigned char *bytes; /* (room + LC_FLAC_MARGIN) */
    size_t room, begin, end;
    size_t longest; /* bytes of a frame */
    lc_flac_info info;
    size_t block;      /* most samples of a frame */
    int32_t *channels; /* (channels, block) */
    size_t have, used; /* samples of the frame at hand */
    uint16_t crc[SLICES][256];
};

/* ---- checksums ---- */

/* crc[k][b]: what byte b is worth with k bytes of zeros behind it; polynomial x^16 + x^15 + x^2 + 1. */
static void fill_crc(uint16_t crc[SLICES][256])
{
    for (unsigned b = 0; b < 256; b++) {
        unsigned value = b << 8;
        for (int i = 0; i < 8; i++)
            value = (value << 1 ^ ((value & 0x8000) != 0 ? 0x8005u : 0)) & 0xffff;
        crc[0][b] = (uint16_t)value;
    }
    for (unsigned k = 1; k < SLICES; k++)
        for (unsigned b = 0; b < 256; b++)
            crc[k][b] = (uint16_t)((unsigned)crc[k - 1][b] << 8 ^ crc[0][crc[k - 1][b] >> 8]);
}

/* Eight bytes at a time: their tables are looked up at once, where byte after byte each waits for the one before. */
static unsigned crc16(const lc_flac *flac, const unsigned char *bytes, size_t n)
{
    unsigned value = 0;
    for (; n >= SLICES; n -= SLICES, bytes += SLICES) {
        const uint16_t(*crc)[256] = flac->crc;
        value = crc[7][bytes[0] ^ value >> 8] ^ crc[6][bytes[1] ^ (value & 255)] ^ crc[5][bytes[2]] ^ crc[4][bytes[3]] ^
                crc[3][bytes[4]] ^ crc[2][bytes[5]] ^ crc[1][bytes[6]] ^ crc[0][bytes[7]];
    }
    for (; n > 0; n--, bytes++)
        value = (value << 8 & 0xff00) ^ flac->crc[0][value >> 8 ^ *bytes];
    return value;
}

/* Of a frame's header: polynomial x^8 + x^2 + x + 1. */
static unsigned crc8(const unsigned char *bytes, size_t n)
{
    unsigned value = 0;
    for (; n > 0; n--) {
        value ^= *bytes++;
        for (int i = 0; i < 8; i++)
            value = (value << 1 ^ ((value & 0x80) != 0 ? 7u : 0)) & 0xff;
    }
    return value;
}

/* ---- before the sound ---- */

static bool read_streaminfo(lc_flac *flac, const unsigned char *b)
{
    lc_flac_info *info = &flac->info;
    uint64_t word = lc_big_endian(b + 10); /* rate 20, channels - 1: 3, bits - 1: 5, samples 36 */
    info->rate = (unsigned)(word >> 44);
    info->channels = (unsigned)(word >> 41 & 7) + 1;
    info->bits = (unsigned)(word >> 36 & 31) + 1;
    info->frames = word & 0xfffffffff;
    flac->block = (size_t)b[2] << 8 | b[3];
    return info->rate > 0 && info->bits >= 4 && info->bits <= MOST_BITS && flac->block >= 16;
}

/* Finds STREAMINFO, which comes first, and skips the other blocks. */
static bool read_blocks(lc_flac *flac)
{
    unsigned char b[8 + STREAMINFO];
    if (flac->get(flac->context, 0, b, sizeof b) != sizeof b || memcmp(b, "fLaC", 4) != 0 || (b[4] & 0x7f) != 0)
        return false;
    if (((size_t)b[5] << 16 | (size_t)b[6] << 8 | b[7]) != STREAMINFO || !read_streaminfo(flac, b + 8))
        return false;
    flac->at = sizeof b;
    for (bool last = b[4] >> 7; !last; last = b[0] >> 7) {
        if (flac->get(flac->context, flac->at, b, 4) != 4)
            return false;
        flac->at += 4 + ((uint64_t)b[1] << 16 | (uint64_t)b[2] << 8 | b[3]);
    }
    return true;
}

static bool reserve(lc_flac *flac)
{
    size_t channels = flac->info.channels;
    flac->longest = channels * (flac->block * (flac->info.bits + 1) / 8 + HEADER) + HEADER;
    flac->room = flac->longest + READ_AHEAD;
    flac->bytes = calloc(flac->room + LC_FLAC_MARGIN, 1);
    flac->channels = calloc(channels * flac->block, sizeof *flac->channels);
    return flac->bytes != NULL && flac->channels != NULL;
}

lc_flac *lc_flac_new(lc_flac_bytes *bytes, void *context, lc_flac_info *info)
{
    lc_isa isa;
    lc_flac *flac = calloc(1, sizeof *flac);
    if (flac == NULL)
        return NULL;
    flac->kernels = lc_flac_kernels_of(lc_isa_choose(&isa, NULL) == LOCO_OK ? isa : LC_ISA_REF);
    flac->get = bytes;
    flac->context = context;
    if (!read_blocks(flac) || !reserve(flac)) {
        lc_flac_free(flac);
        return NULL;
    }
    fill_crc(flac->crc);
    *info = flac->info;
    return flac;
}

void lc_flac_free(lc_flac *flac)
{
    if (flac == NULL)
        return;
    free(flac->bytes);
    free(flac->channels);
    free(flac);
}

/* ---- frames ---- */

/* The next frame comes to lie whole in bytes, or all that is left. */
static void refill(lc_flac *flac)
{
    if (flac->end - flac->begin >= flac->longest)
        return;
    memmove(flac->bytes, flac->bytes + flac->begin, flac->end - flac->begin);
    flac->end -= flac->begin;
    flac->begin = 0;
    size_t got = flac->get(flac->context, flac->at, flac->bytes + flac->end, flac->room - flac->end);
    flac->at += got;
    flac->end += got;
    memset(flac->bytes + flac->end, 0, LC_FLAC_MARGIN);
}

/* A number of the frame, in the manner of UTF-8: as many bytes follow as ones lead the first, less one. */
static bool skip_number(lc_bits *bits)
{
    unsigned first = lc_bits_take(bits, 8), more = 0;
    for (unsigned bit = 0x40; (first & 0x80) != 0 && (first & bit) != 0; bit >>= 1)
        more++;
    for (unsigned i = 0; i < more; i++)
        lc_bits_take(bits, 8);
    return first < 0x80 || (more >= 1 && more <= 6);
}

/* Samples of a block by its code; some codes say that the number follows. */
static size_t block_size(lc_bits *bits, unsigned code)
{
    if (code == 6)
        return lc_bits_take(bits, 8) + 1;
    if (code == 7)
        return lc_bits_take(bits, 16) + 1;
    return code == 0 ? 0 : code == 1 ? 192 : code < 6 ? (size_t)576 << (code - 2) : (size_t)256 << (code - 8);
}

/* The samples of a frame and how its channels are joined; n is 0 where the header is none, or not of this file. */
typedef struct frame {
    size_t n;
    unsigned joined; /* 8: left and side, 9: side and right, 10: mid and side; else each for itself */
} frame;

static frame read_header(const lc_flac *flac, lc_bits *bits)
{
    static const unsigned depths[] = {0, 8, 12, 0, 16, 20, 24, 0};
    const frame none = {0};
    if (lc_bits_take(bits, 15) != 0x7ffc) /* and a bit for blocks that vary, which says nothing here */
        return none;
    lc_bits_take(bits, 1);
    unsigned size = lc_bits_take(bits, 4), rate = lc_bits_take(bits, 4), joined = lc_bits_take(bits, 4);
    unsigned depth = lc_bits_take(bits, 3), reserved = lc_bits_take(bits, 1);
    unsigned channels = joined < 8 ? joined + 1 : 2;
    if (joined > 10 || channels != flac->info.channels || reserved != 0 || rate == 15 || !skip_number(bits))
        return none;
    if (depth != 0 && depths[depth] != flac->info.bits)
        return none;
    frame f = {.n = block_size(bits, size), .joined = joined};
    lc_bits_take(bits, rate == 12 ? 8 : rate > 12 ? 16 : 0);
    const unsigned char *begin = flac->bytes + flac->begin;
    unsigned sum = crc8(begin, (size_t)(lc_bits_at(bits) - begin));
    return lc_bits_take(bits, 8) != sum || f.n > flac->block || bits->lost ? none : f;
}

/* Left and right from what was stored in their place. */
static void part(unsigned joined, int32_t *a, int32_t *b, size_t n)
{
    for (size_t i = 0; joined == 8 && i < n; i++)
        b[i] = (int32_t)((uint32_t)a[i] - (uint32_t)b[i]);
    for (size_t i = 0; joined == 9 && i < n; i++)
        a[i] = (int32_t)((uint32_t)a[i] + (uint32_t)b[i]);
    for (size_t i = 0; joined == 10 && i < n; i++) {
        uint32_t side = (uint32_t)b[i], twice = (uint32_t)a[i] << 1 | (side & 1); /* mid has lost its last bit */
        a[i] = (int32_t)(twice + side) >> 1;
        b[i] = (int32_t)(twice - side) >> 1;
    }
}

/* Reads the next frame; false: there is none. */
static bool next_frame(lc_flac *flac)
{
    refill(flac);
    const unsigned char *begin = flac->bytes + flac->begin;
    lc_bits bits = lc_bits_of(begin, flac->end - flac->begin);
    frame f = read_header(flac, &bits);
    for (unsigned c = 0; f.n > 0 && c < flac->info.channels; c++) {
        bool side = (c == 0 && f.joined == 9) || (c == 1 && (f.joined == 8 || f.joined == 10));
        if (!lc_flac_subframe(&bits, flac->kernels, flac->info.bits + side, flac->channels + c * flac->block, f.n))
            return false;
    }
    if (f.n == 0)
        return false;
    lc_bits_take(&bits, bits.have % 8); /* up to a whole byte */
    size_t length = (size_t)(lc_bits_at(&bits) - begin);
    if (lc_bits_take(&bits, 16) != crc16(flac, begin, length) || bits.lost || length + 2 > flac->end - flac->begin)
        return false;
    flac->begin += length + 2;
    if (f.joined >= 8)
        part(f.joined, flac->channels, flac->channels + flac->block, f.n);
    flac->have = f.n;
    flac->used = 0;
    return true;
}

/* ---- samples ---- */

static void interleave(const lc_flac *flac, float *samples, size_t n)
{
    float scale = 1.0f / (float)(1u << (flac->info.bits - 1));
    const int32_t *a = flac->channels + flac->used, *b = a + flac->block;
    size_t channels = flac->info.channels;
    if (channels == 2) { /* in vectors */
        for (size_t i = 0; i < n; i++) {
            samples[2 * i] = (float)a[i] * scale;
            samples[2 * i + 1] = (float)b[i] * scale;
        }
        return;
    }
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < n; i++)
            samples[i * channels + c] = (float)a[c * flac->block + i] * scale;
}

size_t lc_flac_read(lc_flac *flac, float *samples, size_t most)
{
    size_t done = 0;
    while (done < most && (flac->used < flac->have || next_frame(flac))) {
        size_t left = flac->have - flac->used, n = left < most - done ? left : most - done;
        interleave(flac, samples + done * flac->info.channels, n);
        flac->used += n;
        done += n;
    }
    return done;
}

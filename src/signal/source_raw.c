/* SPDX-License-Identifier: MIT
 * source_raw.c - samples without a header: "s16le,1,44100", the bytes themselves, and streams of them; the format of a FLAC
 *   stream as text.
 *   Integers become floats of -1 to below 1: s16le / 2^15, s24le / 2^23, s32le / 2^31, (u8 - 128) / 2^7. Bytes are put
 *   together by shifts, so that the order of the machine does not matter. */
#include "base/status.h"
#include "signal/source.h"
#include "signal/source_flac.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct raw_type {
    const char *name;
    size_t size;
} raw_type;

static const raw_type types[] = {
    [LC_RAW_U8] = {"u8",    1},
      [LC_RAW_S16LE] = {"s16le", 2},
      [LC_RAW_S24LE] = {"s24le", 3},
    [LC_RAW_S32LE] = {"s32le", 4},
      [LC_RAW_F32LE] = {"f32le", 4},
      [LC_RAW_F64LE] = {"f64le", 8},
};
enum { TYPES = sizeof types / sizeof *types, MOST_DIGITS = 15 };

const char *lc_raw_name(lc_raw_type type)
{
    return types[type].name;
}

size_t lc_raw_size(lc_raw_type type)
{
    return types[type].size;
}

#define MOST_FRAMES ((uint64_t)1 << 48)

/* ---- the format as text ---- */

/* A whole number in 1..high, or 0. */
static uint64_t read_number(const char **text, uint64_t high)
{
    uint64_t number = 0;
    size_t digits = 0;
    for (; **text >= '0' && **text <= '9' && digits <= MOST_DIGITS; ++*text, digits++)
        number = 10 * number + (uint64_t)(**text - '0');
    return digits > 0 && number <= high ? number : 0;
}

/* ---- FLAC ---- */

/* Fills in what the 28 bytes say. */
static bool describe(lc_raw_format *format, const unsigned char bytes[LC_RAW_FLAC_BYTES])
{
    const unsigned char *b = bytes + LC_FLAC_BLOCKS;
    lc_raw_format found = {.type = LC_RAW_FLAC, .channels = (size_t)(b[2] >> 1 & 7) + 1};
    unsigned bits = ((b[2] & 1u) << 4 | b[3] >> 4) + 1u, block = (unsigned)bytes[2] << 8 | bytes[3];
    found.rate = (double)((uint32_t)b[0] << 12 | (uint32_t)b[1] << 4 | b[2] >> 4);
    found.frames = (uint64_t)(b[3] & 15) << 32 | (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 |
                   b[7];
    memcpy(found.flac, bytes, sizeof found.flac);
    if (found.rate < 1 || bits < 4 || block < 16)
        return false;
    *format = found;
    return true;
}

bool lc_flac_read_format(lc_raw_format *format, const unsigned char header[LC_FLAC_HEADER])
{
    unsigned char bytes[LC_RAW_FLAC_BYTES];
    const unsigned char *info = header + 8;
    if (memcmp(header, "fLaC", 4) != 0 || (header[4] & 127) != 0 || memcmp(header + 5, "\0\0\x22", 3) != 0)
        return false;
    memcpy(bytes, info, LC_FLAC_BLOCKS);
    memcpy(bytes + LC_FLAC_BLOCKS, info + LC_FLAC_BLOCKS + LC_FLAC_SIZES, sizeof bytes - LC_FLAC_BLOCKS);
    return describe(format, bytes);
}

void lc_flac_write_format(char text[64], const lc_raw_format *format)
{
    int used = snprintf(text, 64, "flac,");
    for (size_t i = 0; i < LC_RAW_FLAC_BYTES; i++)
        used += snprintf(text + used, 64 - (size_t)used, "%02x", format->flac[i]);
}

bool lc_flac_parse_format(lc_raw_format *format, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[LC_RAW_FLAC_BYTES];
    const char *at = text + 5, *high, *low;
    if (strncmp(text, "flac,", 5) != 0 || strlen(at) != 2 * sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++) {
        high = strchr(digits, at[2 * i]);
        low = strchr(digits, at[2 * i + 1]);
        if (high == NULL || low == NULL)
            return false;
        bytes[i] = (unsigned char)((high - digits) << 4 | (low - digits));
    }
    return describe(format, bytes);
}

/* ---- samples ---- */

bool lc_raw_find(const char *text, size_t length, lc_raw_type *type)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (length == strlen(types[i].name) && memcmp(text, types[i].name, length) == 0) {
            *type = (lc_raw_type)i;
            return true;
        }
    }
    return false;
}

loco_status lc_raw_parse(lc_raw_format *format, const char *text, loco_err *err)
{
    lc_raw_type type;
    const char *at = text + strcspn(text, ",");
    if (strncmp(text, "flac,", 5) == 0)
        return lc_flac_parse_format(format, text)
                   ? LOCO_OK
                   : lc_err_set(err, LOCO_EDATA, "raw format \"%.40s\": FLAC needs no format; leave --raw out", text);
    if (!lc_raw_find(text, (size_t)(at - text), &type))
        return lc_err_set(
            err, LOCO_EDATA,
            "raw format \"%.40s\": the type must be u8, s16le, s24le, s32le, f32le or f64le, as in s16le,1,44100",
            text);
    at += *at == ',';
    size_t channels = (size_t)read_number(&at, LC_SOUND_CHANNELS);
    if (channels == 0 || *at != ',')
        return lc_err_set(err, LOCO_EDATA,
                          "raw format \"%.40s\": behind the type must stand channels, 1 to %d, as in s16le,1,44100",
                          text, LC_SOUND_CHANNELS);
    at++;
    uint64_t rate = read_number(&at, LC_SOUND_RATE), frames = 0;
    if (rate == 0 || (*at != '\0' && *at != ','))
        return lc_err_set(err, LOCO_EDATA,
                          "raw format \"%.40s\": last must stand the rate, 1 to %d Hz, as in s16le,1,44100", text,
                          LC_SOUND_RATE);
    if (*at == ',' && (++at, (frames = read_number(&at, MOST_FRAMES)) == 0 || *at != '\0'))
        return lc_err_set(err, LOCO_EDATA,
                          "raw format \"%.40s\": behind the rate may stand the number of frames, as in "
                          "s16le,1,44100,88200",
                          text);
    *format = (lc_raw_format){.type = type, .channels = channels, .rate = (double)rate, .frames = frames};
    return LOCO_OK;
}

/* ---- the bytes ---- */

/* `size` bytes as the upper bytes of a signed 32-bit number: the sign then needs no care. */
static int32_t upper_bytes(const unsigned char *bytes, size_t size)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint32_t)bytes[i] << (8 * (4 - size + i));
    int32_t number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static float float_of(const unsigned char *bytes)
{
    int32_t bits = upper_bytes(bytes, 4);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Beyond a float's range: infinite, which every reader refuses. */
static float double_of(const unsigned char *bytes)
{
    uint64_t bits = 0;
    double number;
    for (size_t i = 0; i < 8; i++)
        bits |= (uint64_t)bytes[i] << (8 * i);
    memcpy(&number, &bits, sizeof number);
    return fabs(number) < 1e30 ? (float)number : isnan(number) ? NAN : INFINITY;
}

void lc_raw_decode(lc_raw_type type, const unsigned char *bytes, size_t n, float *samples)
{
    size_t size = types[type].size;
    switch (type) {
    case LC_RAW_U8:
        for (size_t i = 0; i < n; i++)
            samples[i] = ((float)bytes[i] - 128) / 128;
        return;
    case LC_RAW_F32LE:
        for (size_t i = 0; i < n; i++)
            samples[i] = float_of(bytes + 4 * i);
        return;
    case LC_RAW_F64LE:
        for (size_t i = 0; i < n; i++)
            samples[i] = double_of(bytes + 8 * i);
        return;
    default:
        for (size_t i = 0; i < n; i++)
            samples[i] = (float)upper_bytes(bytes + size * i, size) * 0x1p-31f;
    }
}

/* ---- streams ---- */

typedef struct raw_stream {
    FILE *file;
    lc_raw_type type;
    size_t rest;           /* bytes of a frame that the end cut off */
    unsigned char bytes[]; /* of a chunk */
} raw_stream;

size_t lc_source_raw_chunk(const lc_raw_format *format)
{
    if (format->type == LC_RAW_FLAC)
        return (size_t)format->flac[2] << 8 | format->flac[3];
    size_t chunk = (size_t)(format->rate / 1000);
    return chunk < 16 ? 16 : chunk > LC_SOURCE_CHUNK ? LC_SOURCE_CHUNK : chunk;
}

/* Of a frame that the end cuts off, the whole ones before it are given first. */
static loco_status refuse_rest(const lc_source *source, const raw_stream *r, size_t size, loco_err *err)
{
    char what[128];
    snprintf(what, sizeof what, "the stream ends after %zu of %zu bytes of a frame; is it really %s,%zu?", r->rest,
             size, lc_raw_name(r->type), source->channels);
    return lc_source_refuse_at(source, source->at, what, err);
}

/* Bytes behind the last frame, where their number is known, are not samples. */
static size_t wanted_frames(const lc_source *source, const raw_stream *r)
{
    uint64_t left = source->frames - source->at; /* all, where the number is not known */
    return r->rest > 0 ? 0 : left < source->chunk ? (size_t)left : source->chunk;
}

static loco_status read_stream(lc_source *source, size_t *got, loco_err *err)
{
    raw_stream *r = source->state;
    size_t size = source->channels * lc_raw_size(r->type), wanted = wanted_frames(source, r) * size;
    size_t bytes = fread(r->bytes, 1, wanted, r->file);
    if (bytes < wanted && ferror(r->file))
        return lc_err_set(err, LOCO_EIO, "%s: cannot be read on", source->name);
    *got = bytes / size;
    if (*got == 0 && bytes + r->rest > 0) {
        r->rest += bytes;
        return refuse_rest(source, r, size, err);
    }
    r->rest = bytes % size;
    lc_raw_decode(r->type, r->bytes, *got * source->channels, source->block);
    return *got == 0 ? lc_source_check_end(source, err) : LOCO_OK;
}

static void close_stream(lc_source *source)
{
    free(source->state);
}

const lc_source_ops lc_source_raw = {.name = "raw", .live = true, .read = read_stream, .close = close_stream};

loco_status lc_source_open_raw(lc_source *source, FILE *file, const char *name, const lc_raw_format *format,
                               loco_err *err)
{
    if (format->type == LC_RAW_FLAC)
        return lc_source_open_flac(source, fileno(file), name, format, err);
    *source = lc_source_begin(&lc_source_raw, name, lc_source_raw_chunk(format));
    source->channels = format->channels;
    source->rate = format->rate;
    source->frames = format->frames > 0 ? format->frames : LC_SOURCE_UNKNOWN;
    raw_stream *r = calloc(1, sizeof *r + source->chunk * format->channels * lc_raw_size(format->type));
    if (r == NULL)
        return lc_source_ready(source, lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name), err);
    r->file = file;
    r->type = format->type;
    source->state = r;
    return lc_source_ready(source, LOCO_OK, err);
}

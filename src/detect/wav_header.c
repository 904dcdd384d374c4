/* SPDX-License-Identifier: MIT
 * wav_header.c - the header of a WAV stream, or the first block of a FLAC stream (source_flac.h).
 *
 *     "RIFF" length "WAVE"   then chunks: name (4 bytes), length (4), content, a byte of padding where that is odd
 *     "fmt "                 code (2), channels (2), rate (4), bytes a second (4), bytes a frame (2), bits (2); with code
 *                            0xfffe then: size (2), valid bits (2), speakers (4), and the code proper (2) of 16 bytes
 *     "data"                 the samples
 *
 * Other chunks before the samples are skipped. The size of a sample is that of its place in a frame: 20 bits come in 3
 * bytes. Lengths that programs write while they do not know the end, seen: 0 (Python), 0x7ffff024 (sox), 0x7fffffff
 * and 0x80000000 (arecord), 0xffffffff (ffmpeg). */
#include "detect/wav_header.h"

#include "base/status.h"
#include "signal/source_flac.h"

#include <string.h>

enum {
    BEGINNING = 12,
    FORMAT_LEAST = 16,
    FORMAT_READ = 26, /* up to the code behind 0xfffe */
    PCM = 1,
    FLOATS = 3,
    EXTENSIBLE = 0xfffe,
    STREAMED = 0x7ff00000, /* lengths from here on are written by programs that stream */
    MOST_SKIPPED = 64 << 20
};

typedef struct wav_reader {
    const char *name;
    lc_wav_read *read;
    void *context;
    size_t skipped; /* bytes of other chunks */
} wav_reader;

static uint32_t number(const unsigned char *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

static loco_status need(wav_reader *r, unsigned char *bytes, size_t n, loco_err *err)
{
    if (r->read(r->context, bytes, n) == n)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%s: the WAV header ends too soon; is the sound cut short?", r->name);
}

static loco_status skip(wav_reader *r, size_t n, loco_err *err)
{
    unsigned char block[512];
    loco_status status = LOCO_OK;
    if (n > MOST_SKIPPED - r->skipped)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d MB before the samples of this WAV; save it anew", r->name,
                          MOST_SKIPPED >> 20);
    r->skipped += n;
    for (size_t piece; status == LOCO_OK && n > 0; n -= piece) {
        piece = n < sizeof block ? n : sizeof block;
        status = need(r, block, piece, err);
    }
    return status;
}

/* The type of samples of that code and size in bytes; false when there is none. */
static bool find_type(lc_raw_type *type, unsigned code, size_t size)
{
    static const lc_raw_type whole[] = {LC_RAW_U8, LC_RAW_S16LE, LC_RAW_S24LE, LC_RAW_S32LE};
    if (code == PCM && size >= 1 && size <= sizeof whole / sizeof *whole)
        *type = whole[size - 1];
    else if (code == FLOATS && (size == 4 || size == 8))
        *type = size == 4 ? LC_RAW_F32LE : LC_RAW_F64LE;
    else
        return false;
    return true;
}

static loco_status read_format(wav_reader *r, lc_raw_format *format, size_t length, loco_err *err)
{
    unsigned char b[FORMAT_READ] = {0};
    size_t kept = length < FORMAT_READ ? length : FORMAT_READ;
    if (length < FORMAT_LEAST)
        return lc_err_set(err, LOCO_EDATA, "%s: a WAV format of %zu bytes; it has at least %d", r->name, length,
                          FORMAT_LEAST);
    loco_status status = need(r, b, kept, err);
    if (status == LOCO_OK)
        status = skip(r, length - kept + length % 2, err);
    if (status != LOCO_OK)
        return status;
    unsigned code = number(b, 2), frame = number(b + 12, 2), bits = number(b + 14, 2);
    *format = (lc_raw_format){.channels = number(b + 2, 2), .rate = number(b + 4, 4)};
    if (format->channels < 1 || format->channels > LC_SOUND_CHANNELS || format->rate < 1 ||
        format->rate > LC_SOUND_RATE)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu channels at %.0f Hz; there may be 1 to %d, at 1 to %d Hz", r->name,
                          format->channels, format->rate, LC_SOUND_CHANNELS, LC_SOUND_RATE);
    code = code == EXTENSIBLE ? number(b + 24, 2) : code;
    size_t size = frame / format->channels;
    if (size * format->channels != frame || bits > 8 * size || !find_type(&format->type, code, size))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: WAV of code %u, %u bits in frames of %u bytes; use 16, 24 or 32 bits, or float", r->name,
                          code, bits, frame);
    return LOCO_OK;
}

static loco_status read_flac(wav_reader *r, lc_raw_format *format, const unsigned char beginning[BEGINNING],
                             loco_err *err)
{
    unsigned char header[LC_FLAC_HEADER];
    size_t rest = sizeof header - BEGINNING;
    memcpy(header, beginning, BEGINNING);
    if (r->read(r->context, header + BEGINNING, rest) == rest && lc_flac_read_format(format, header))
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%s: the FLAC header is damaged or cut short", r->name);
}

/* "RF64" has its lengths elsewhere, and 0xffffffff here. With FLAC, format is all that there is to know. */
static loco_status begin(wav_reader *r, lc_raw_format *format, loco_err *err)
{
    unsigned char b[BEGINNING] = {0};
    size_t got = r->read(r->context, b, sizeof b);
    if (got == sizeof b && memcmp(b, "fLaC", 4) == 0)
        return read_flac(r, format, b, err);
    bool known = memcmp(b, "RIFF", 4) == 0 || memcmp(b, "RF64", 4) == 0;
    if (got == sizeof b && known && memcmp(b + 8, "WAVE", 4) == 0)
        return LOCO_OK;
    return lc_err_set(
        err, LOCO_EARG,
        "%s needs its format, since it is neither WAV nor FLAC: --raw s16le,1,44100 (type, channels, rate)", r->name);
}

loco_status lc_wav_header(lc_raw_format *format, const char *name, lc_wav_read *read, void *context, loco_err *err)
{
    wav_reader r = {.name = name, .read = read, .context = context};
    lc_raw_format found = {0};
    unsigned char head[8];
    loco_status status = begin(&r, &found, err);
    if (status == LOCO_OK && found.type == LC_RAW_FLAC) {
        *format = found;
        return LOCO_OK;
    }
    while (status == LOCO_OK && (status = need(&r, head, sizeof head, err)) == LOCO_OK) {
        size_t length = number(head + 4, 4);
        if (memcmp(head, "data", 4) == 0) {
            if (found.channels == 0)
                return lc_err_set(err, LOCO_EDATA, "%s: WAV samples before their format; save it anew", name);
            found.frames = length >= STREAMED ? 0 : length / (found.channels * lc_raw_size(found.type));
            *format = found;
            return LOCO_OK;
        }
        if (memcmp(head, "fmt ", 4) == 0)
            status = read_format(&r, &found, length, err);
        else
            status = skip(&r, length + length % 2, err);
    }
    return status;
}

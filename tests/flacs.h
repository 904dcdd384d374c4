/* SPDX-License-Identifier: MIT
 * flacs.h - what tests of FLAC share: files of any encoding, made by libFLAC, and where their blocks lie. */
#ifndef TESTS_FLACS_H
#define TESTS_FLACS_H

#include "sounds.h"

#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

enum { FLAC_FRAMES = 20000, FLAC_CHANNELS = 8, FLAC_BYTES = 1 << 22, FLAC_BLOCKS = 2000 };

typedef struct flac_kind {
    unsigned bits, channels, level, block; /* block 0: the encoder's choice */
    bool ogg;
} flac_kind;

/* Noise under a tone, silence, a constant, noise whose last bits are 0, a full square, clicks: a part each. */
static inline float flac_wave(size_t i, lc_rng *rng)
{
    size_t part = i * 6 / FLAC_FRAMES;
    float noise = (float)lc_rng_uniform(rng) - 0.5f;
    switch (part) {
    case 0: return 0.3f * sinf(0.05f * (float)i) + 0.01f * noise;
    case 1: return 0;
    case 2: return 0.25f;
    case 3: return floorf(noise * 16) / 16;
    case 4: return i / 50 % 2 == 0 ? 1.0f : -1.0f;
    default: return i % 1000 == 0 ? 1.9f * noise : 0.001f * noise;
    }
}

/* (FLAC_FRAMES, channels) samples; the caller frees. The second channel is like the first, for joint stereo. */
static inline int32_t *flac_samples(unsigned bits, size_t channels)
{
    int32_t *x = case_array(channels * FLAC_FRAMES, sizeof *x);
    double full = ldexp(1, (int)bits - 1);
    lc_rng rng = lc_rng_seed(3);
    for (size_t i = 0; i < FLAC_FRAMES; i++)
        for (size_t c = 0; c < channels; c++) {
            double value = c == 1 ? (double)x[i * channels] * 0.9 : (double)flac_wave(i, &rng) * full;
            x[i * channels + c] = (int32_t)fmax(-full, fmin(full - 1, floor(value)));
        }
    return x;
}

/* Writes a file; returns its samples as floats, which the caller frees. */
static inline float *flac_write(const char *path, flac_kind kind)
{
    size_t n = (size_t)kind.channels * FLAC_FRAMES;
    int32_t *x = flac_samples(kind.bits, kind.channels);
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
    bool good = FLAC__stream_encoder_set_streamable_subset(encoder, false) &&
                FLAC__stream_encoder_set_channels(encoder, kind.channels) &&
                FLAC__stream_encoder_set_bits_per_sample(encoder, kind.bits) &&
                FLAC__stream_encoder_set_sample_rate(encoder, 44100) &&
                FLAC__stream_encoder_set_compression_level(encoder, kind.level) &&
                FLAC__stream_encoder_set_blocksize(encoder, kind.block) &&
                (kind.ogg ? FLAC__stream_encoder_init_ogg_file(encoder, path, NULL, NULL)
                          : FLAC__stream_encoder_init_file(encoder, path, NULL, NULL)) == 0 &&
                FLAC__stream_encoder_process_interleaved(encoder, x, FLAC_FRAMES) &&
                FLAC__stream_encoder_finish(encoder);
    FLAC__stream_encoder_delete(encoder);
    CHECK(good);
    float *want = case_array(n, sizeof *want), scale = ldexpf(1, 1 - (int)kind.bits);
    for (size_t i = 0; i < n; i++)
        want[i] = (float)x[i] * scale;
    free(x);
    return want;
}

/* ---- a file in memory, and its blocks ---- */

typedef struct flac_file {
    unsigned char *bytes;
    size_t n;
    size_t blocks, starts[FLAC_BLOCKS + 1]; /* where each begins; at last, the end */
} flac_file;

static inline FLAC__StreamDecoderWriteStatus flac_note(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                                       const FLAC__int32 *const channels[], void *context)
{
    flac_file *file = context;
    FLAC__uint64 at = 0;
    (void)frame;
    (void)channels;
    CHECK(FLAC__stream_decoder_get_decode_position(decoder, &at) && file->blocks < FLAC_BLOCKS);
    file->starts[++file->blocks] = (size_t)at;
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static inline void flac_ignore(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *context)
{
    (void)decoder;
    (void)status;
    (void)context;
}

static inline void flac_find_blocks(const char *path, flac_file *file)
{
    FLAC__uint64 at = 0;
    FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();
    CHECK(FLAC__stream_decoder_init_file(decoder, path, flac_note, NULL, flac_ignore, file) == 0);
    CHECK(FLAC__stream_decoder_process_until_end_of_metadata(decoder));
    CHECK(FLAC__stream_decoder_get_decode_position(decoder, &at));
    file->starts[0] = (size_t)at;
    CHECK(FLAC__stream_decoder_process_until_end_of_stream(decoder));
    FLAC__stream_decoder_delete(decoder);
}

/* All bytes of a file; the caller frees them. */
static inline flac_file *flac_load(const char *path)
{
    flac_file *file = case_array(1, sizeof *file);
    file->bytes = case_array(FLAC_BYTES, 1);
    FILE *stream = fopen(path, "rb");
    file->n = stream != NULL ? fread(file->bytes, 1, FLAC_BYTES, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    CHECK(file->n > 0 && file->n < FLAC_BYTES);
    return file;
}

static inline void flac_free(flac_file *file)
{
    free(file->bytes);
    free(file);
}

/* ---- damage ---- */

typedef enum flac_damage { DROPPED, REPEATED, SWAPPED, CUT, FLIPPED, DAMAGES } flac_damage;

static const char *const flac_damages[DAMAGES] = {"dropped", "repeated", "swapped", "cut", "flipped"};

/* Writes a file whose block b (and b + 1, where two are swapped) is damaged. Of 1 to blocks - 3. */
static inline void flac_spoil(const flac_file *file, const char *path, flac_damage damage, size_t b)
{
    const size_t *starts = file->starts, length = starts[b + 1] - starts[b], next = starts[b + 2] - starts[b + 1];
    unsigned char *bytes = case_array(file->n + length, 1), *at = bytes + starts[b];
    size_t n = file->n;
    memcpy(bytes, file->bytes, n);
    if (damage == DROPPED) {
        memcpy(at, file->bytes + starts[b + 1], file->n - starts[b + 1]);
        n -= length;
    } else if (damage == REPEATED) {
        memcpy(at + length, file->bytes + starts[b], file->n - starts[b]);
        n += length;
    } else if (damage == SWAPPED) {
        memcpy(at, file->bytes + starts[b + 1], next);
        memcpy(at + next, file->bytes + starts[b], length);
    } else if (damage == CUT) {
        n = starts[b] + length / 2;
    } else {
        at[length - 1] ^= 0x10; /* of its checksum */
    }
    sound_bytes(path, bytes, n);
    free(bytes);
}

#endif

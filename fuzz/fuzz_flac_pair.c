/* SPDX-License-Identifier: MIT
 *
 * fuzz_flac_pair.c - our reader of FLAC beside libFLAC's encoder and its plain decoder, on streams that are whole or whose
 *   blocks were dropped, repeated, swapped or cut off.
 *   Of a whole one, all three have the same samples. Of any other, what is read, from a file or as a stream, is what was
 *   encoded up to some place, and where that is not the end there is a problem: nothing is ever moved. */
#include "signal/source_flac.h"

#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 8, MOST = 4096, CHANNELS = 2, BYTES = 1 << 17, BLOCKS = 512, STEP = 700 };

static void need(bool good)
{
    if (!good)
        abort();
}

/* ---- encoding, into memory ---- */

typedef struct stream {
    unsigned char bytes[BYTES];
    size_t n, at, blocks, starts[BLOCKS + 1]; /* where each block begins; at last, the end */
} stream;

static FLAC__StreamEncoderWriteStatus put(const FLAC__StreamEncoder *encoder, const FLAC__byte *bytes, size_t n,
                                          uint32_t samples, uint32_t frame, void *context)
{
    stream *s = context;
    (void)encoder, (void)frame;
    need(s->at + n <= BYTES && s->blocks < BLOCKS);
    memcpy(s->bytes + s->at, bytes, n);
    if (samples > 0)
        s->starts[s->blocks++] = s->at;
    s->at += n;
    s->n = s->at > s->n ? s->at : s->n;
    s->starts[s->blocks] = s->n;
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

static FLAC__StreamEncoderSeekStatus go(const FLAC__StreamEncoder *encoder, FLAC__uint64 at, void *context)
{
    (void)encoder;
    ((stream *)context)->at = (size_t)at;
    return FLAC__STREAM_ENCODER_SEEK_STATUS_OK;
}

static FLAC__StreamEncoderTellStatus where(const FLAC__StreamEncoder *encoder, FLAC__uint64 *at, void *context)
{
    (void)encoder;
    *at = ((stream *)context)->at;
    return FLAC__STREAM_ENCODER_TELL_STATUS_OK;
}

/* head: how; false: libFLAC does not want it so. */
static bool encode(stream *s, const uint8_t *head, unsigned bits, unsigned channels, const int32_t *x, size_t frames)
{
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
    need(encoder != NULL);
    bool good = FLAC__stream_encoder_set_streamable_subset(encoder, false) &&
                FLAC__stream_encoder_set_channels(encoder, channels) &&
                FLAC__stream_encoder_set_bits_per_sample(encoder, bits) &&
                FLAC__stream_encoder_set_sample_rate(encoder, 8000) &&
                FLAC__stream_encoder_set_compression_level(encoder, head[2] % 9) &&
                FLAC__stream_encoder_set_blocksize(encoder, 16 + head[3] % 200) &&
                FLAC__stream_encoder_init_stream(encoder, put, go, where, NULL, s) == 0 &&
                FLAC__stream_encoder_process_interleaved(encoder, x, (uint32_t)frames) &&
                FLAC__stream_encoder_finish(encoder);
    FLAC__stream_encoder_delete(encoder);
    return good;
}

/* ---- damage ---- */

/* Appends block b. */
static void add_block(stream *to, const stream *from, size_t b)
{
    size_t n = from->starts[b + 1] - from->starts[b];
    need(to->n + n <= BYTES);
    memcpy(to->bytes + to->n, from->bytes + from->starts[b], n);
    to->n += n;
}

/* The stream with its blocks as `how` wants them: 0 to 3 nothing; whether it was changed. */
static bool spoil(stream *to, const stream *from, uint8_t how, uint8_t place)
{
    size_t b = from->blocks > 0 ? place % from->blocks : 0;
    bool swap = how % 8 == 6 && b + 1 < from->blocks;
    if (from->blocks == 0 || how % 8 < 4 || (how % 8 == 6 && !swap)) {
        *to = *from;
        return false;
    }
    to->n = from->starts[0];
    memcpy(to->bytes, from->bytes, to->n);
    for (size_t i = 0; i < from->blocks; i++) {
        if (how % 8 == 4 && i == b)
            continue;
        add_block(to, from, swap && i == b ? b + 1 : swap && i == b + 1 ? b : i);
        if (how % 8 == 5 && i == b)
            add_block(to, from, b);
    }
    if (how % 8 == 7)
        to->n = from->starts[b] + (from->starts[b + 1] - from->starts[b]) * (how / 8) / 32;
    return true;
}

/* ---- reading ---- */

/* The frames that match what was encoded, which must be all that come. */
typedef struct match {
    const int32_t *want;
    size_t channels, frames, got;
    float scale;
} match;

static void compare(match *m, const float *samples, size_t n)
{
    need(m->got + n <= m->frames);
    for (size_t i = 0; i < n * m->channels; i++)
        need(fabsf(samples[i] - (float)m->want[m->got * m->channels + i] * m->scale) <= 0);
    m->got += n;
}

/* A source mixes its channels. */
static void compare_mixed(match *m, const float *samples, size_t n)
{
    need(m->got + n <= m->frames);
    for (size_t i = 0; i < n; i++, m->got++) {
        float sum = 0;
        for (size_t c = 0; c < m->channels; c++)
            sum += (float)m->want[m->got * m->channels + c] * m->scale;
        need(fabsf(samples[i] - sum / (float)m->channels) <= 1e-6f);
    }
}

/* A file that is gone when it is closed. */
static int file_of(const stream *s, size_t from)
{
    FILE *file = tmpfile();
    need(file != NULL && fwrite(s->bytes + from, 1, s->n - from, file) == s->n - from && fflush(file) == 0);
    int descriptor = dup(fileno(file));
    fclose(file);
    need(descriptor >= 0 && lseek(descriptor, 0, SEEK_SET) == 0);
    return descriptor;
}

/* true: read to the end that the header states, without a problem. */
static bool read_file(const stream *s, match *m)
{
    static float samples[STEP * CHANNELS];
    const char *problem = NULL;
    lc_flac *flac = lc_flac_open(file_of(s, 0), &problem);
    if (flac == NULL)
        return false;
    for (size_t got = 1; got > 0;) {
        got = lc_flac_read(flac, samples, STEP);
        compare(m, samples, got);
    }
    bool whole = lc_flac_problem(flac) == NULL && m->got == lc_flac_view(flac)->frames;
    lc_flac_close(flac);
    return whole;
}

static bool read_stream(const stream *s, match *m)
{
    static float samples[LC_SOURCE_CHUNK];
    lc_raw_format format;
    lc_source source;
    size_t got = 1;
    if (s->n < LC_FLAC_HEADER || !lc_flac_read_format(&format, s->bytes))
        return false;
    int descriptor = file_of(s, LC_FLAC_HEADER);
    loco_status status = lc_source_open_flac(&source, descriptor, "a stream", &format, NULL);
    bool opened = status == LOCO_OK;
    while (status == LOCO_OK && got > 0) {
        status = lc_source_read(&source, samples, &got, NULL);
        if (status == LOCO_OK)
            compare_mixed(m, samples, got);
    }
    if (opened)
        lc_source_close(&source);
    close(descriptor);
    return status == LOCO_OK;
}

/* ---- libFLAC's decoder, plainly ---- */

typedef struct plain {
    stream *from;
    match *to;
} plain;

static FLAC__StreamDecoderReadStatus feed(const FLAC__StreamDecoder *decoder, FLAC__byte *bytes, size_t *n,
                                          void *context)
{
    stream *s = ((plain *)context)->from;
    (void)decoder;
    *n = *n < s->n - s->at ? *n : s->n - s->at;
    memcpy(bytes, s->bytes + s->at, *n);
    s->at += *n;
    return *n > 0 ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
}

static FLAC__StreamDecoderWriteStatus take(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                           const FLAC__int32 *const channels[], void *context)
{
    match *m = ((plain *)context)->to;
    (void)decoder;
    for (size_t i = 0; i < frame->header.blocksize; i++, m->got++)
        for (size_t c = 0; c < m->channels; c++)
            need(m->got < m->frames && channels[c][i] == m->want[m->got * m->channels + c]);
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void fail(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *context)
{
    (void)decoder, (void)status, (void)context;
    abort(); /* the stream is whole */
}

static void read_plainly(stream *s, match *m)
{
    plain p = {s, m};
    FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();
    need(decoder != NULL);
    s->at = 0;
    need(FLAC__stream_decoder_init_stream(decoder, feed, NULL, NULL, NULL, NULL, take, NULL, fail, &p) == 0);
    need(FLAC__stream_decoder_process_until_end_of_stream(decoder));
    FLAC__stream_decoder_delete(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned depths[] = {8, 12, 15, 16, 20, 24};
    static stream whole, spoilt;
    static int32_t x[MOST];
    if (size < HEAD + 2 || size > HEAD + MOST)
        return 0;
    unsigned bits = depths[data[0] % 6], channels = 1 + data[1] % CHANNELS;
    size_t frames = (size - HEAD) / channels;
    int32_t value = 0, full = (int32_t)1 << (bits - 1);
    for (size_t i = 0; i < frames * channels; i++) { /* steps, so that prediction has something to do */
        value += ((int32_t)data[HEAD + i] - 128) * (data[6] % 2 == 0 ? 1 : full / 128);
        value = value < -full || value >= full ? 0 : value;
        x[i] = value;
    }
    whole.n = whole.at = whole.blocks = 0;
    if (!encode(&whole, data, bits, channels, x, frames))
        return 0;
    match start = {x, channels, frames, 0, ldexpf(1, 1 - (int)bits)}, m = start;
    bool changed = spoil(&spoilt, &whole, data[4], data[5]);
    bool good = read_file(&spoilt, &m);
    need(m.got == frames || !good);
    need(changed || good);
    m = start;
    good = read_stream(&spoilt, &m);
    need(m.got == frames || !good);
    need(changed || good);
    m = start;
    read_plainly(&whole, &m);
    need(m.got == frames);
    return 0;
}

/* SPDX-License-Identifier: MIT
 * source_flac.c - samples of a FLAC file, read with libFLAC.
 *
 * libFLAC hands over one block at a time, which waits here, interleaved, until it is read. It checks the sums of each
 * block, then goes on behind the damage; here, reading stops there. Each block carries its place in the file, which
 * must be the end of the block before: so events behind a missing, repeated or moved block keep their times.
 *
 * The MD5 sum of all samples is not checked: it takes three quarters of the time of decoding, a quarter of a
 * detection, and finds nothing more than the sums of the blocks, their places and the length, but for damage whose sum
 * is right at random, once in 65536.
 *
 * Memory: one block, at most 8 channels of 65535 samples, here and twice in libFLAC; and libFLAC's table for seeking,
 * at most 22 MB. The lengths that a header claims reserve nothing. */
#include "signal/source_flac.h"

#include "base/status.h"
#include "signal/source.h"

#include <FLAC/stream_decoder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char too_long[] = "the file goes on, where its header says that it ends";

struct lc_flac {
    FLAC__StreamDecoder *decoder;
    int descriptor; /* of the decoder's file, which closes it */
    lc_flac_info info;
    float *block;      /* (info.block, channels) */
    size_t have, used; /* frames of the block at hand */
    uint64_t at;       /* frame behind the block at hand */
    const char *problem;
};

/* ---- what kind of file ---- */

/* Bytes of an ID3v2 tag at the start, 0 where there is none. */
static off_t tag_length(int descriptor)
{
    unsigned char b[10];
    if (pread(descriptor, b, sizeof b, 0) != sizeof b || memcmp(b, "ID3", 3) != 0)
        return 0;
    return 10 + ((off_t)(b[6] & 127) << 21 | (off_t)(b[7] & 127) << 14 | (off_t)(b[8] & 127) << 7 | (b[9] & 127));
}

/* FLAC in Ogg names itself in the first packet, behind a page header of 28 bytes. */
static bool is_ogg(int descriptor)
{
    unsigned char b[33];
    return pread(descriptor, b, sizeof b, 0) == sizeof b && memcmp(b, "OggS", 4) == 0 &&
           memcmp(b + 28,
                  "\x7f"
                  "FLAC",
                  5) == 0;
}

bool lc_flac_is(int descriptor)
{
    unsigned char b[4];
    if (is_ogg(descriptor))
        return FLAC_API_SUPPORTS_OGG_FLAC;
    return pread(descriptor, b, sizeof b, tag_length(descriptor)) == sizeof b && memcmp(b, "fLaC", 4) == 0;
}

/* ---- what libFLAC calls ---- */

/* The first problem is the one that is reported. */
static void stop(lc_flac *flac, const char *problem)
{
    if (flac->problem == NULL)
        flac->problem = problem;
}

static void take_header(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *metadata, void *context)
{
    lc_flac *flac = context;
    const FLAC__StreamMetadata_StreamInfo *info = &metadata->data.stream_info;
    (void)decoder;
    if (metadata->type != FLAC__METADATA_TYPE_STREAMINFO || flac->block != NULL) /* Ogg may bring another later */
        return;
    flac->info = (lc_flac_info){.rate = info->sample_rate,
                                .channels = info->channels,
                                .bits = info->bits_per_sample,
                                .block = info->max_blocksize,
                                .frames = info->total_samples};
}

/* Channels side by side become one row of samples; two channels are a loop of their own, which runs in vectors. */
static void interleave(const FLAC__int32 *const channels[], size_t count, size_t n, float scale, float *samples)
{
    if (count == 2) {
        const FLAC__int32 *left = channels[0], *right = channels[1];
        for (size_t i = 0; i < n; i++) {
            samples[2 * i] = (float)left[i] * scale;
            samples[2 * i + 1] = (float)right[i] * scale;
        }
        return;
    }
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < n; i++)
            samples[i * count + c] = (float)channels[c][i] * scale;
}

/* What is wrong with a block beside its sums, or NULL. Where up to 5 s are missing, libFLAC puts in blocks of zeros on
 * its own, without a call to take_error: then several blocks come at once. */
static const char *check_block(const lc_flac *flac, const FLAC__FrameHeader *header)
{
    const lc_flac_info *info = &flac->info;
    uint64_t start = header->number.sample_number; /* libFLAC turns numbers of blocks into numbers of samples */
    if (header->channels != info->channels || header->sample_rate != info->rate ||
        header->bits_per_sample != info->bits || header->blocksize > info->block)
        return "the file is damaged: its channels, rate, bits or block size change";
    if (flac->have > 0 || start != flac->at)
        return flac->have > 0 || start > flac->at
                   ? "the file is damaged: a block of samples is missing"
                   : "the file is damaged: a block of samples is there twice or out of order";
    if (info->frames > 0 && start + header->blocksize > info->frames)
        return too_long;
    return NULL;
}

static FLAC__StreamDecoderWriteStatus take_block(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                                 const FLAC__int32 *const channels[], void *context)
{
    lc_flac *flac = context;
    const char *problem = check_block(flac, &frame->header);
    (void)decoder;
    if (problem != NULL)
        stop(flac, problem);
    if (flac->problem != NULL || flac->block == NULL)
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    flac->have = frame->header.blocksize;
    flac->used = 0;
    flac->at = frame->header.number.sample_number + flac->have;
    interleave(channels, flac->info.channels, flac->have, 1.0f / (float)(1u << (flac->info.bits - 1)), flac->block);
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void take_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *context)
{
    (void)decoder;
    stop(context, status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH
                      ? "the file is damaged: the checksum of a block is wrong"
                      : "the file is damaged or cut short: a block of samples cannot be decoded");
}

/* ---- opening ---- */

static bool init(lc_flac *flac, FILE *file)
{
    FLAC__StreamDecoderInitStatus status =
        is_ogg(flac->descriptor)
            ? FLAC__stream_decoder_init_ogg_FILE(flac->decoder, file, take_block, take_header, take_error, flac)
            : FLAC__stream_decoder_init_FILE(flac->decoder, file, take_block, take_header, take_error, flac);
    return status == FLAC__STREAM_DECODER_INIT_STATUS_OK;
}

/* The blocks before the sound, of which only the first counts. */
static bool read_header(lc_flac *flac, const char **problem)
{
    const lc_flac_info *info = &flac->info;
    if (!FLAC__stream_decoder_process_until_end_of_metadata(flac->decoder) || flac->problem != NULL ||
        info->channels == 0 || info->rate == 0 || info->bits < 4 || info->bits > 32 || info->block < 16) {
        *problem = "its FLAC header is damaged or cut short";
        return false;
    }
    flac->block = malloc((size_t)info->block * info->channels * sizeof *flac->block);
    return flac->block != NULL;
}

lc_flac *lc_flac_open(int descriptor, const char **problem)
{
    *problem = NULL;
    FILE *file = fdopen(descriptor, "rb");
    if (file == NULL) {
        close(descriptor);
        return NULL;
    }
    lc_flac *flac = calloc(1, sizeof *flac);
    if (flac != NULL) {
        flac->descriptor = descriptor;
        flac->decoder = FLAC__stream_decoder_new();
    }
    if (flac == NULL || flac->decoder == NULL || !init(flac, file)) {
        fclose(file);
        lc_flac_close(flac);
        return NULL;
    }
    if (!read_header(flac, problem)) {
        lc_flac_close(flac);
        return NULL;
    }
    return flac;
}

void lc_flac_close(lc_flac *flac)
{
    if (flac == NULL)
        return;
    if (flac->decoder != NULL)
        FLAC__stream_decoder_delete(flac->decoder); /* closes its file */
    free(flac->block);
    free(flac);
}

const lc_flac_info *lc_flac_view(const lc_flac *flac)
{
    return &flac->info;
}

const char *lc_flac_problem(const lc_flac *flac)
{
    return flac->problem;
}

/* ---- reading ---- */

/* Whether a block begins where the header says that the file ends. Anything else there may be a tag. */
static bool goes_on(const lc_flac *flac)
{
    FLAC__uint64 end;
    unsigned char b[2];
    return FLAC__stream_decoder_get_decode_position(flac->decoder, &end) &&
           pread(flac->descriptor, b, sizeof b, (off_t)end) == sizeof b && b[0] == 0xff && (b[1] & 0xfe) == 0xf8;
}

/* Reads the next block; false: there is none, or a problem. */
static bool next_block(lc_flac *flac)
{
    flac->have = flac->used = 0;
    if (flac->info.frames > 0 && flac->at >= flac->info.frames) {
        if (goes_on(flac))
            stop(flac, too_long);
        return false;
    }
    while (flac->have == 0 && flac->problem == NULL) {
        bool good = FLAC__stream_decoder_process_single(flac->decoder);
        bool end = FLAC__stream_decoder_get_state(flac->decoder) == FLAC__STREAM_DECODER_END_OF_STREAM;
        if (!good)
            stop(flac, end ? "the file is cut short, in the middle of a block" : "the file cannot be read on");
        if (end && flac->have == 0)
            return false;
    }
    return flac->problem == NULL;
}

size_t lc_flac_read(lc_flac *flac, float *samples, size_t most)
{
    size_t done = 0, channels = flac->info.channels;
    while (done < most && flac->problem == NULL && (flac->used < flac->have || next_block(flac))) {
        size_t left = flac->have - flac->used, n = left < most - done ? left : most - done;
        memcpy(samples + done * channels, flac->block + flac->used * channels, n * channels * sizeof *samples);
        flac->used += n;
        done += n;
    }
    return done;
}

/* libFLAC refuses to seek to the end; so it goes to the frame before. */
bool lc_flac_seek(lc_flac *flac, uint64_t frame)
{
    uint64_t before = frame > 0 ? frame - 1 : 0;
    flac->problem = NULL;
    flac->have = flac->used = 0;
    flac->at = before;
    if (!FLAC__stream_decoder_flush(flac->decoder) || !FLAC__stream_decoder_seek_absolute(flac->decoder, before) ||
        flac->have == 0)
        stop(flac, "the file is damaged or cut short, and cannot be read from the middle on");
    else
        flac->used = (size_t)(frame - before);
    return flac->problem == NULL;
}

/* ---- as a source ---- */

static loco_status open_file(lc_source *source, int descriptor, loco_err *err)
{
    const char *problem;
    lc_flac *flac = source->state = lc_flac_open(descriptor, &problem);
    if (flac == NULL)
        return problem == NULL ? lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name)
                               : lc_err_set(err, LOCO_EDATA, "%s: %s", source->name, problem);
    source->channels = flac->info.channels;
    source->rate = flac->info.rate;
    source->frames = flac->info.frames > 0 ? flac->info.frames : LC_SOURCE_UNKNOWN;
    return LOCO_OK;
}

static void close_file(lc_source *source)
{
    lc_flac_close(source->state);
}

static loco_status read_file(lc_source *source, size_t *got, loco_err *err)
{
    *got = lc_flac_read(source->state, source->block, source->chunk);
    const char *problem = lc_flac_problem(source->state);
    if (*got > 0)
        return LOCO_OK;
    return problem != NULL ? lc_source_refuse_at(source, source->at, problem, err) : lc_source_check_end(source, err);
}

static loco_status seek_file(lc_source *source, uint64_t frame, loco_err *err)
{
    if (frame > source->frames)
        return lc_source_refuse_at(source, frame, "the file has ended", err);
    if (frame != source->at && !lc_flac_seek(source->state, frame))
        return lc_source_refuse_at(source, frame, lc_flac_problem(source->state), err);
    source->at = frame;
    return LOCO_OK;
}

const lc_source_ops lc_source_flac = {
    .name = "flac",
    .recipe = "sound",
    .knows = lc_flac_is,
    .open_file = open_file,
    .read = read_file,
    .seek = seek_file,
    .close = close_file,
};

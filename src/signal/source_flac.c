/* SPDX-License-Identifier: MIT
 * source_flac.c - samples of a FLAC file, read with libFLAC.
 *
 * libFLAC hands over one block at a time, which waits here, interleaved, until it is read. It checks the sums of each
 * block, then goes on behind the damage; here, reading stops there. Each block carries its place in the file, which
 * must be the end of the block before: so events behind a missing, repeated or moved block keep their times.
 *
 * The MD5 sum of all samples in the header is checked where a file is read from its start to its end. It finds what the
 * sums of the blocks cannot: blocks of another file in their place, and damage whose sum is right at random, once in
 * 65536. It takes as long as decoding: a quarter of a detection by a small model.
 *
 * A stream is read as its bytes arrive, and cannot be moved in.
 *
 * Memory: one block, at most 8 channels of 65535 samples, here and twice in libFLAC; and libFLAC's table for seeking,
 * at most 22 MB. The lengths that a header claims reserve nothing. */
#include "signal/source_flac.h"

#include "base/status.h"

#include <FLAC/stream_decoder.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char too_long[] = "the file goes on, where its header says that it ends";

struct lc_flac {
    FLAC__StreamDecoder *decoder;
    int descriptor;
    bool ogg, stream;                        /* a stream has no place to go to */
    unsigned char first[LC_FLAC_HEADER + 1]; /* of a stream: what is read before the descriptor */
    size_t first_len;
    bool begun;          /* the header is read */
    bool ended, unsound; /* the descriptor has no more bytes; it cannot be read */
    bool behind;         /* all frames of the header are there; what follows must not be sound */
    bool finished;       /* the decoder has compared the MD5 sum, and must be opened again before it goes on */
    lc_flac_info info;
    float *block;      /* (info.block, channels) */
    size_t have, used; /* frames of the block at hand */
    uint64_t at;       /* frame behind the block at hand */
    uint64_t taken;    /* byte up to which libFLAC has read */
    FLAC__uint64 end;  /* byte behind the block at hand */
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
    const char *problem = flac->behind ? too_long : check_block(flac, &frame->header);
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
    if (((const lc_flac *)context)->behind) /* a tag */
        return;
    stop(context, status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH
                      ? "the file is damaged: the checksum of a block is wrong"
                      : "the file is damaged or cut short: a block of samples cannot be decoded");
}

/* ---- the bytes, as libFLAC asks for them ---- */

static ssize_t read_some(int descriptor, unsigned char *bytes, size_t n)
{
    ssize_t got;
    do {
        got = read(descriptor, bytes, n);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* The header of a stream that was read before; libFLAC asks for more bytes at once than it has. */
static size_t take_first(lc_flac *flac, unsigned char *bytes, size_t n)
{
    size_t len = flac->first_len < n ? flac->first_len : n;
    memcpy(bytes, flac->first, len);
    flac->first_len -= len;
    memmove(flac->first, flac->first + len, flac->first_len);
    return len;
}

static FLAC__StreamDecoderReadStatus read_bytes(const FLAC__StreamDecoder *decoder, FLAC__byte bytes[], size_t *n,
                                                void *context)
{
    lc_flac *flac = context;
    ssize_t got = (ssize_t)take_first(flac, bytes, *n);
    (void)decoder;
    if (got == 0)
        got = read_some(flac->descriptor, bytes, *n);
    flac->ended = got == 0;
    flac->unsound = got < 0;
    *n = got > 0 ? (size_t)got : 0;
    flac->taken += *n;
    return got > 0    ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
           : got == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
                      : FLAC__STREAM_DECODER_READ_STATUS_ABORT;
}

static FLAC__StreamDecoderSeekStatus seek_bytes(const FLAC__StreamDecoder *decoder, FLAC__uint64 place, void *context)
{
    lc_flac *flac = context;
    (void)decoder;
    if (flac->stream)
        return FLAC__STREAM_DECODER_SEEK_STATUS_UNSUPPORTED;
    if (lseek(flac->descriptor, (off_t)place, SEEK_SET) == (off_t)-1)
        return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR;
    flac->taken = place;
    flac->ended = false;
    return FLAC__STREAM_DECODER_SEEK_STATUS_OK;
}

static FLAC__StreamDecoderTellStatus tell_bytes(const FLAC__StreamDecoder *decoder, FLAC__uint64 *place, void *context)
{
    (void)decoder;
    *place = ((const lc_flac *)context)->taken;
    return FLAC__STREAM_DECODER_TELL_STATUS_OK;
}

static FLAC__StreamDecoderLengthStatus measure_bytes(const FLAC__StreamDecoder *decoder, FLAC__uint64 *length,
                                                     void *context)
{
    const lc_flac *flac = context;
    struct stat info;
    (void)decoder;
    if (flac->stream || fstat(flac->descriptor, &info) != 0)
        return FLAC__STREAM_DECODER_LENGTH_STATUS_UNSUPPORTED;
    *length = (FLAC__uint64)info.st_size;
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK;
}

static FLAC__bool at_end(const FLAC__StreamDecoder *decoder, void *context)
{
    (void)decoder;
    return ((const lc_flac *)context)->ended;
}

/* ---- opening ---- */

static bool init(lc_flac *flac, bool sum)
{
    FLAC__StreamDecoder *d = flac->decoder;
    FLAC__stream_decoder_set_md5_checking(d, sum);
    flac->finished = false;
    return (flac->ogg ? FLAC__stream_decoder_init_ogg_stream(d, read_bytes, seek_bytes, tell_bytes, measure_bytes,
                                                             at_end, take_block, take_header, take_error, flac)
                      : FLAC__stream_decoder_init_stream(d, read_bytes, seek_bytes, tell_bytes, measure_bytes, at_end,
                                                         take_block, take_header, take_error, flac)) ==
           FLAC__STREAM_DECODER_INIT_STATUS_OK;
}

static void note_end(lc_flac *flac)
{
    if (!FLAC__stream_decoder_get_decode_position(flac->decoder, &flac->end))
        flac->end = flac->taken;
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
    note_end(flac);
    flac->block = malloc((size_t)info->block * info->channels * sizeof *flac->block);
    return flac->block != NULL;
}

static lc_flac *new_flac(int descriptor, bool stream)
{
    lc_flac *flac = calloc(1, sizeof *flac);
    if (flac == NULL) {
        close(descriptor);
        return NULL;
    }
    *flac = (lc_flac){.descriptor = descriptor, .stream = stream, .ogg = !stream && is_ogg(descriptor)};
    flac->decoder = FLAC__stream_decoder_new();
    if (flac->decoder == NULL || !init(flac, true)) {
        lc_flac_close(flac);
        return NULL;
    }
    return flac;
}

lc_flac *lc_flac_open(int descriptor, const char **problem)
{
    *problem = NULL;
    lc_flac *flac = new_flac(descriptor, false);
    if (flac != NULL && !read_header(flac, problem)) {
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
        FLAC__stream_decoder_delete(flac->decoder);
    close(flac->descriptor);
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

/* Whether another block begins behind the last one. Anything else there may be a tag. The bytes of a stream are gone. */
static bool goes_on(const lc_flac *flac)
{
    unsigned char b[2];
    if (flac->stream)
        return flac->ended && flac->info.frames == 0 && flac->taken > flac->end;
    return pread(flac->descriptor, b, sizeof b, (off_t)flac->end) == sizeof b && b[0] == 0xff && (b[1] & 0xfe) == 0xf8;
}

/* Behind the last frame of the header: libFLAC passes over anything but blocks, such as a tag. A block is one too many,
 * or of a second file that was joined to this one. A stream is read to its end, as a file is. */
static void refuse_more(lc_flac *flac)
{
    bool good = true;
    flac->behind = true;
    while (good && flac->problem == NULL &&
           FLAC__stream_decoder_get_state(flac->decoder) != FLAC__STREAM_DECODER_END_OF_STREAM)
        good = FLAC__stream_decoder_process_single(flac->decoder);
    if (flac->unsound)
        stop(flac, "the file cannot be read on");
    flac->behind = false;
}

/* At the end of all samples: their sum is that of the header, or the header has none, or there was a seek. */
static void check_sum(lc_flac *flac)
{
    flac->finished = true;
    if (!FLAC__stream_decoder_finish(flac->decoder))
        stop(flac, "the samples are not those of the MD5 sum in its header; save it again from the original sound");
}

/* Decodes up to the next block. At the end, a block that is there in part may have been passed over. */
static bool decode(lc_flac *flac)
{
    while (flac->have == 0 && flac->problem == NULL) {
        bool good = FLAC__stream_decoder_process_single(flac->decoder);
        bool over = FLAC__stream_decoder_get_state(flac->decoder) == FLAC__STREAM_DECODER_END_OF_STREAM;
        if (flac->have > 0)
            note_end(flac);
        else if (over && !flac->unsound && (!good || goes_on(flac)))
            stop(flac, "the file is cut short, in the middle of a block");
        else if (!good)
            stop(flac, "the file cannot be read on");
        else if (over)
            return false;
    }
    return flac->problem == NULL;
}

/* Reads the next block; false: there is none, or a problem. */
static bool next_block(lc_flac *flac)
{
    uint64_t frames = flac->info.frames;
    flac->have = flac->used = 0;
    if (flac->finished)
        return false;
    if (frames > 0 && flac->at >= frames)
        refuse_more(flac);
    else if (decode(flac))
        return true;
    if (flac->problem == NULL && flac->at >= frames && flac->at > 0)
        check_sum(flac);
    return false;
}

size_t lc_flac_read(lc_flac *flac, float *samples, size_t most)
{
    size_t done = 0, channels = flac->info.channels;
    while (done < most && flac->problem == NULL &&
           (flac->used < flac->have || ((done == 0 || !flac->stream) && next_block(flac)))) {
        size_t left = flac->have - flac->used, n = left < most - done ? left : most - done;
        memcpy(samples + done * channels, flac->block + flac->used * channels, n * channels * sizeof *samples);
        flac->used += n;
        done += n;
    }
    return done;
}

/* After the MD5 sum: from the start, without the sum. */
static bool open_again(lc_flac *flac)
{
    flac->taken = 0;
    flac->ended = false;
    return lseek(flac->descriptor, 0, SEEK_SET) == 0 && init(flac, false) &&
           FLAC__stream_decoder_process_until_end_of_metadata(flac->decoder);
}

/* libFLAC refuses to seek to the end; so it goes to the frame before. */
bool lc_flac_seek(lc_flac *flac, uint64_t frame)
{
    uint64_t before = frame > 0 ? frame - 1 : 0;
    flac->problem = NULL;
    flac->have = flac->used = 0;
    flac->at = before;
    if ((flac->finished && !open_again(flac)) || !FLAC__stream_decoder_flush(flac->decoder) ||
        !FLAC__stream_decoder_seek_absolute(flac->decoder, before) || flac->have == 0)
        stop(flac, "the file is damaged or cut short, and cannot be read from the middle on");
    else
        flac->used = (size_t)(frame - before);
    note_end(flac);
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

/* ---- a stream ---- */

/* libFLAC needs the header, which has been read: it is made again. The next byte shows whether STREAMINFO was the last
 * block before the sound, which begins with ff; f begins a whole stream with a header of its own. */
static void make_header(lc_flac *flac, const unsigned char *bytes)
{
    static const unsigned char begins[8] = {'f', 'L', 'a', 'C', 0, 0, 0, 0x22};
    unsigned char next = 0, *h = flac->first;
    size_t got = read_some(flac->descriptor, &next, 1) == 1;
    if (got == 0 || next != 'f') {
        memcpy(h, begins, sizeof begins);
        h[4] = got == 0 || next == 0xff ? 0x80 : 0;
        memcpy(h + 8, bytes, LC_FLAC_BLOCKS);
        memset(h + 8 + LC_FLAC_BLOCKS, 0, LC_FLAC_SIZES);
        memcpy(h + 8 + LC_FLAC_BLOCKS + LC_FLAC_SIZES, bytes + LC_FLAC_BLOCKS, LC_RAW_FLAC_BYTES - LC_FLAC_BLOCKS);
        flac->first_len = LC_FLAC_HEADER;
    }
    flac->first[flac->first_len] = next;
    flac->first_len += got;
}

typedef struct flac_stream {
    lc_flac *flac;
    unsigned char bytes[LC_RAW_FLAC_BYTES];
} flac_stream;

/* Opening waits for nothing: the header is read with the first samples. */
static loco_status read_first(lc_source *source, flac_stream *stream, loco_err *err)
{
    lc_flac *flac = stream->flac;
    const char *problem = NULL;
    flac->begun = true;
    make_header(flac, stream->bytes);
    if (!read_header(flac, &problem))
        return problem == NULL ? lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name)
                               : lc_err_set(err, LOCO_EDATA, "%s: %s", source->name, problem);
    if (flac->info.channels != source->channels || flac->info.rate != (unsigned)source->rate)
        return lc_err_set(err, LOCO_EDATA, "%s: is not the FLAC stream that --raw describes; leave it out",
                          source->name);
    return LOCO_OK;
}

static loco_status read_stream(lc_source *source, size_t *got, loco_err *err)
{
    flac_stream *stream = source->state;
    loco_status status = stream->flac->begun ? LOCO_OK : read_first(source, stream, err);
    if (status != LOCO_OK)
        return status;
    *got = stream->flac->block != NULL ? lc_flac_read(stream->flac, source->block, source->chunk) : 0;
    if (*got > 0)
        return LOCO_OK;
    const char *problem = lc_flac_problem(stream->flac);
    return problem != NULL ? lc_source_refuse_at(source, source->at, problem, err) : lc_source_check_end(source, err);
}

static void close_stream(lc_source *source)
{
    lc_flac_close(((flac_stream *)source->state)->flac);
    free(source->state);
}

const lc_source_ops lc_source_flac_stream = {
    .name = "flac stream", .live = true, .read = read_stream, .close = close_stream};

loco_status lc_source_open_flac(lc_source *source, int descriptor, const char *name, const lc_raw_format *format,
                                loco_err *err)
{
    flac_stream *stream = calloc(1, sizeof *stream);
    int own = dup(descriptor);
    *source = lc_source_begin(&lc_source_flac_stream, name, LC_SOURCE_CHUNK);
    source->channels = format->channels;
    source->rate = format->rate;
    source->frames = format->frames > 0 ? format->frames : LC_SOURCE_UNKNOWN;
    if (own >= 0 && stream != NULL) {
        memcpy(stream->bytes, format->flac, sizeof stream->bytes);
        stream->flac = new_flac(own, true);
    } else if (own >= 0) {
        close(own);
    }
    if (stream == NULL || stream->flac == NULL) {
        free(stream);
        return lc_source_ready(source, lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name), err);
    }
    source->state = stream;
    return lc_source_ready(source, LOCO_OK, err);
}

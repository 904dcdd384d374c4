/* SPDX-License-Identifier: MIT
 * source.c - a sound file, series or raw stream as it is: samples at its own rate.
 *
 * What libsndfile leaves to its user, seen with version 1.2.0:
 *   - A file is opened here and handed over, so that the system's own words tell why it cannot be read, and so that its
 *     content alone decides what it is; libsndfile would also trust the ending of the name.
 *   - Of a wav or aiff file that was cut short it reads what is there and says nothing: the length at the start of
 *     the file is compared with the file. flac and mp3 end early: then fewer frames come than were promised. An mp3
 *     without a Xing header is promised by a guess, 0.5 % too long at a constant bit rate; so a tenth may be missing
 *     there. At a variable bit rate without such a header the guess may be far too short, and the rest is out of reach.
 *   - A cut ogg file has no known length, and just ends.
 *   - In Ogg Vorbis a seek into the last page ends up somewhere else in that page. So a seek into the last minute
 *     reads up to the place instead.
 *   - libmpg123, through which it reads mp3, may print a line to stderr about a file that is cut, or after a seek. The
 *     samples are right.
 * FLAC files are read by flac.c while they are read from the start on; libsndfile takes over where someone seeks, and
 * where flac.c stops before the end. So it alone judges damaged files.
 * Samples beyond +-1e9 are refused with NaN and infinity: no sound has them, and their squares would overflow.
 */
#include "signal/source.h"

#include "base/mem.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const float LARGEST = 1e9f;

enum { LAST_PAGE = 60, STREAMED = 0x7ff00000 }; /* seconds; lengths from here on are written by programs that stream */

/* The end of a long name says more than its beginning. */
static void set_name(lc_source *source, const char *name)
{
    size_t length = strlen(name);
    bool cut = length > LC_SOURCE_NAME;
    snprintf(source->name, sizeof source->name, "%s%s", cut ? "..." : "", cut ? name + length - LC_SOURCE_NAME : name);
}

static unsigned long long milliseconds(const lc_source *source, uint64_t frame)
{
    return (unsigned long long)((double)frame * 1000 / source->format.rate);
}

/* A sentence about a place in the sound; `what` follows the time. */
static loco_status refuse_at(const lc_source *source, uint64_t frame, const char *what, loco_err *err)
{
    unsigned long long ms = milliseconds(source, frame);
    return lc_err_set(err, LOCO_EDATA, "%s: at %llu.%03llu s %s", source->name, ms / 1000, ms % 1000, what);
}

static loco_status check_format(const lc_source *source, loco_err *err)
{
    const lc_raw_format *format = &source->format;
    if (format->channels < 1 || format->channels > LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu channels; there may be 1 to %d", source->name, format->channels,
                          LC_SOUND_CHANNELS);
    if (!(format->rate >= 1 && format->rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.0f Hz; it may be 1 to %d Hz", source->name, format->rate,
                          LC_SOUND_RATE);
    return LOCO_OK;
}

static loco_status reserve(lc_source *source, loco_err *err)
{
    size_t samples = source->chunk * source->format.channels;
    source->block = malloc(samples * sizeof *source->block);
    if (source->raw != NULL)
        source->bytes = malloc(samples * lc_raw_size(source->format.type));
    if (source->block == NULL || (source->raw != NULL && source->bytes == NULL))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
    return LOCO_OK;
}

void lc_source_close(lc_source *source)
{
    if (source->file != NULL)
        sf_close(source->file);
    lc_flac_free(source->flac);
    free(source->block);
    free(source->bytes);
    lc_track_free(&source->track);
    lc_live_rows_free(source->rows);
    *source = (lc_source){0};
}

/* ---- files ---- */

/* The length that the first bytes claim for a wav or aiff file; 0: they claim none. */
static uint64_t claimed_length(int descriptor)
{
    unsigned char b[8];
    if (pread(descriptor, b, sizeof b, 0) != sizeof b)
        return 0;
    uint64_t length = 0;
    if (memcmp(b, "RIFF", 4) == 0)
        length = (uint64_t)b[4] | (uint64_t)b[5] << 8 | (uint64_t)b[6] << 16 | (uint64_t)b[7] << 24;
    else if (memcmp(b, "FORM", 4) == 0)
        length = (uint64_t)b[7] | (uint64_t)b[6] << 8 | (uint64_t)b[5] << 16 | (uint64_t)b[4] << 24;
    return length == 0 || length >= STREAMED ? 0 : length + sizeof b;
}

/* What can be said before libsndfile looks at it. */
static loco_status check_file(const lc_source *source, int descriptor, loco_err *err)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return lc_err_set(err, LOCO_EIO, "%s: cannot be examined", source->name);
    if (S_ISDIR(info.st_mode))
        return lc_err_set(err, LOCO_EIO, "%s: is a folder, not a sound file", source->name);
    if (!S_ISREG(info.st_mode))
        return LOCO_OK;
    if (info.st_size == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: is empty, 0 bytes; a sound file was expected", source->name);
    uint64_t claimed = claimed_length(descriptor), size = (uint64_t)info.st_size;
    if (claimed > size + 1) /* one byte of padding is often forgotten */
        return lc_err_set(err, LOCO_EDATA, "%s: is cut short: it has %llu bytes of %llu", source->name,
                          (unsigned long long)size, (unsigned long long)claimed);
    return LOCO_OK;
}

/* The context is the descriptor, which libsndfile holds open; pread leaves its place in the file alone. */
static size_t flac_bytes(void *context, uint64_t at, unsigned char *bytes, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread((int)(intptr_t)context, bytes + done, n - done, (off_t)(at + done));
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

/* The way around libsndfile, for a FLAC file that is as both say. */
static void open_flac(lc_source *source, int descriptor)
{
    lc_flac_info info;
    if ((source->kind & SF_FORMAT_TYPEMASK) != SF_FORMAT_FLAC)
        return;
    source->flac = lc_flac_new(flac_bytes, (void *)(intptr_t)descriptor, &info);
    if (source->flac == NULL)
        return;
    if (info.channels != source->format.channels || info.frames != source->frames) {
        lc_flac_free(source->flac);
        source->flac = NULL;
    }
}

static loco_status open_sound(lc_source *source, int descriptor, loco_err *err)
{
    SF_INFO info = {0};
    loco_status status = check_file(source, descriptor, err);
    if (status != LOCO_OK) {
        close(descriptor);
        return status;
    }
    source->file = sf_open_fd(descriptor, SFM_READ, &info, SF_TRUE); /* closes the descriptor, even when it fails */
    if (source->file == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: no sound that can be read (%.60s); wav, flac, ogg, mp3 and aiff can",
                          source->name, sf_strerror(NULL));
    source->format.channels = info.channels > 0 ? (size_t)info.channels : 0;
    source->format.rate = info.samplerate;
    source->kind = info.format;
    bool known = info.frames >= 0 && info.frames < SF_COUNT_MAX;
    source->frames = known ? (uint64_t)info.frames : LC_SOURCE_UNKNOWN;
    if (source->frames == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: holds no sound, 0 samples", source->name);
    open_flac(source, descriptor);
    return check_format(source, err);
}

/* All of it is in memory. */
static loco_status open_series(lc_source *source, const char *path, const char *columns, loco_err *err)
{
    loco_status status = lc_track_load(&source->track, path, columns, err);
    source->format.channels = source->track.channels;
    source->format.rate = source->track.rate;
    source->frames = source->track.frames;
    return status;
}

static loco_status open_file(lc_source *source, const char *path, loco_err *err)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        char reason[80] = "unknown cause";
        if (strerror_r(errno, reason, sizeof reason) != 0)
            snprintf(reason, sizeof reason, "error %d", errno);
        return lc_err_set(err, LOCO_EIO, "cannot open %s: %s", source->name, reason);
    }
    return open_sound(source, descriptor, err);
}

loco_status lc_source_open(lc_source *source, const char *path, loco_err *err)
{
    return lc_source_open_columns(source, path, NULL, err);
}

loco_status lc_source_open_columns(lc_source *source, const char *path, const char *columns, loco_err *err)
{
    *source = (lc_source){.chunk = LC_SOURCE_CHUNK};
    set_name(source, path);
    loco_status status = lc_track_is(path) ? open_series(source, path, columns, err) : open_file(source, path, err);
    if (status == LOCO_OK)
        status = reserve(source, err);
    if (status != LOCO_OK)
        lc_source_close(source);
    return status;
}

/* Whether the end came too early. */
static loco_status check_end(const lc_source *source, loco_err *err)
{
    if (source->at == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: holds no sound, 0 samples", source->name);
    if (source->frames == LC_SOURCE_UNKNOWN || source->at >= source->frames)
        return LOCO_OK;
    bool guessed = (source->kind & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG;
    if (guessed && source->at >= source->frames - source->frames / 10)
        return LOCO_OK;
    unsigned long long ms = milliseconds(source, source->frames);
    char what[64];
    snprintf(what, sizeof what, "the file ends; it is cut short of %llu.%03llu s", ms / 1000, ms % 1000);
    return refuse_at(source, source->at, what, err);
}

/* From here on libsndfile reads. */
static loco_status leave_flac(lc_source *source, loco_err *err)
{
    lc_flac_free(source->flac);
    source->flac = NULL;
    if (sf_seek(source->file, (sf_count_t)source->at, SEEK_SET) != (sf_count_t)source->at)
        return refuse_at(source, source->at, "the file is damaged or cut short, and cannot be read on", err);
    return LOCO_OK;
}

static loco_status read_file(lc_source *source, size_t *got, loco_err *err)
{
    if (source->flac != NULL) {
        *got = lc_flac_read(source->flac, source->block, source->chunk);
        if (*got > 0 || source->at >= source->frames)
            return LOCO_OK;
        loco_status status = leave_flac(source, err);
        if (status != LOCO_OK)
            return status;
    }
    sf_count_t frames = sf_readf_float(source->file, source->block, (sf_count_t)source->chunk);
    if (frames <= 0 && sf_error(source->file) != SF_ERR_NO_ERROR) {
        char what[100];
        snprintf(what, sizeof what, "the file is damaged or cut short: %.50s", sf_strerror(source->file));
        return refuse_at(source, source->at, what, err);
    }
    *got = frames > 0 ? (size_t)frames : 0;
    return *got == 0 ? check_end(source, err) : LOCO_OK;
}

/* ---- raw streams ---- */

size_t lc_source_raw_chunk(const lc_raw_format *format)
{
    size_t chunk = (size_t)(format->rate / 1000);
    return chunk < 16 ? 16 : chunk > LC_SOURCE_CHUNK ? LC_SOURCE_CHUNK : chunk;
}

loco_status lc_source_open_raw(lc_source *source, FILE *file, const char *name, const lc_raw_format *format,
                               loco_err *err)
{
    size_t chunk = lc_source_raw_chunk(format);
    *source = (lc_source){.raw = file, .format = *format, .frames = LC_SOURCE_UNKNOWN, .chunk = chunk};
    set_name(source, name);
    loco_status status = check_format(source, err);
    if (status == LOCO_OK)
        status = reserve(source, err);
    if (status != LOCO_OK)
        lc_source_close(source);
    return status;
}

/* Of a frame that the end cuts off, the whole ones before it are given first. */
static loco_status refuse_rest(const lc_source *source, size_t size, loco_err *err)
{
    char what[100];
    snprintf(what, sizeof what, "the stream ends after %zu of %zu bytes of a frame; is it really %s,%zu?", source->rest,
             size, lc_raw_name(source->format.type), source->format.channels);
    return refuse_at(source, source->at, what, err);
}

static loco_status read_raw(lc_source *source, size_t *got, loco_err *err)
{
    const lc_raw_format *format = &source->format;
    size_t size = format->channels * lc_raw_size(format->type);
    size_t bytes = source->rest > 0 ? 0 : fread(source->bytes, 1, source->chunk * size, source->raw);
    if (bytes < source->chunk * size && ferror(source->raw))
        return lc_err_set(err, LOCO_EIO, "%s: cannot be read on", source->name);
    *got = bytes / size;
    if (*got == 0 && bytes + source->rest > 0) {
        source->rest += bytes;
        return refuse_rest(source, size, err);
    }
    source->rest = bytes % size;
    lc_raw_decode(format->type, source->bytes, *got * format->channels, source->block);
    return *got == 0 ? check_end(source, err) : LOCO_OK;
}

/* ---- series ---- */

static void read_track(lc_source *source, size_t *got)
{
    size_t channels = source->format.channels, left = source->track.frames - (size_t)source->at;
    *got = left < source->chunk ? left : source->chunk;
    memcpy(source->block, source->track.samples + source->at * channels, *got * channels * sizeof *source->block);
}

loco_status lc_source_open_rows(lc_source *source, FILE *file, const char *name, const char *columns, double usual,
                                loco_err *err)
{
    *source = (lc_source){.frames = LC_SOURCE_UNKNOWN, .chunk = 1};
    set_name(source, name);
    loco_status status = lc_live_rows_open(&source->rows, file, source->name, columns, usual, err);
    if (status == LOCO_OK) {
        source->format.rate = lc_live_rows_rate(source->rows);
        source->format.channels = lc_live_rows_channels(source->rows);
        status = check_format(source, err);
    }
    if (status == LOCO_OK)
        status = reserve(source, err);
    if (status != LOCO_OK)
        lc_source_close(source);
    return status;
}

static loco_status read_rows(lc_source *source, size_t *got, loco_err *err)
{
    loco_status status = lc_live_rows_read(source->rows, source->block, got, err);
    return status == LOCO_OK && *got == 0 ? check_end(source, err) : status;
}

bool lc_source_is_live(const lc_source *source)
{
    return source->raw != NULL || source->rows != NULL;
}

/* ---- all ---- */

/* Whether all are numbers, and none absurdly large; without an early end, so that it runs in vectors. */
static bool all_good(const float *samples, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        bad |= !(fabsf(samples[i]) <= LARGEST); /* also when it is no number */
    return bad == 0;
}

/* The first frame with a sample that is none. */
static size_t first_bad(const float *block, size_t frames, size_t channels)
{
    size_t i = 0;
    while (i < frames && all_good(block + i * channels, channels))
        i++;
    return i;
}

/* Means over the channels. One and two are cases of their own: the loop for any number took 7 % of a detection from
 * stereo, and 2 % from mono. */
static void mix(const float *block, size_t frames, size_t channels, float *mono)
{
    if (channels == 1)
        memcpy(mono, block, frames * sizeof *mono);
    for (size_t i = 0; channels == 2 && i < frames; i++)
        mono[i] = (block[2 * i] + block[2 * i + 1]) * 0.5f;
    for (size_t i = 0; channels > 2 && i < frames; i++) {
        float sum = block[i * channels];
        for (size_t c = 1; c < channels; c++)
            sum += block[i * channels + c];
        mono[i] = sum / (float)channels;
    }
}

loco_status lc_source_read(lc_source *source, float *samples, size_t *got, loco_err *err)
{
    size_t frames = 0;
    loco_status status = LOCO_OK;
    if (source->track.samples != NULL)
        read_track(source, &frames);
    else
        status = source->file != NULL   ? read_file(source, &frames, err)
                 : source->rows != NULL ? read_rows(source, &frames, err)
                                        : read_raw(source, &frames, err);
    if (status != LOCO_OK)
        return status;
    size_t channels = source->format.channels;
    if (!all_good(source->block, frames * channels))
        return refuse_at(source, source->at + first_bad(source->block, frames, channels),
                         "a sample is no number of -1e9 to 1e9", err);
    if (source->split)
        memcpy(samples, source->block, frames * channels * sizeof *samples);
    else
        mix(source->block, frames, channels, samples);
    source->at += frames;
    *got = frames;
    return LOCO_OK;
}

/* Reads on to a frame; the last block may be read in part. */
static loco_status read_up_to(lc_source *source, uint64_t frame, loco_err *err)
{
    while (source->at < frame) {
        uint64_t left = frame - source->at;
        sf_count_t most = left < source->chunk ? (sf_count_t)left : (sf_count_t)source->chunk;
        sf_count_t frames = sf_readf_float(source->file, source->block, most);
        if (frames <= 0)
            return check_end(source, err);
        source->at += (uint64_t)frames;
    }
    return LOCO_OK;
}

loco_status lc_source_seek(lc_source *source, uint64_t frame, loco_err *err)
{
    uint64_t place = frame;
    if (source->track.samples != NULL) {
        source->at = frame < source->frames ? frame : source->frames;
        return LOCO_OK;
    }
    if (source->flac != NULL) {
        loco_status status = frame == source->at ? LOCO_OK : leave_flac(source, err);
        if (status != LOCO_OK || frame == source->at)
            return status;
    }
    if ((source->kind & SF_FORMAT_SUBMASK) == SF_FORMAT_VORBIS) {
        uint64_t page = (uint64_t)(LAST_PAGE * source->format.rate);
        uint64_t last = source->frames == LC_SOURCE_UNKNOWN || source->frames < page ? 0 : source->frames - page;
        place = frame < last ? frame : last;
    }
    if (place != source->at) {
        if (sf_seek(source->file, (sf_count_t)place, SEEK_SET) != (sf_count_t)place)
            return refuse_at(source, place, "the file cannot be read from the middle on", err);
        source->at = place;
    }
    return read_up_to(source, frame, err);
}

loco_status lc_source_count(lc_source *source, loco_err *err)
{
    float mono[LC_SOURCE_CHUNK];
    size_t got = 1;
    if (source->frames != LC_SOURCE_UNKNOWN)
        return LOCO_OK;
    while (got > 0) {
        loco_status status = lc_source_read(source, mono, &got, err);
        if (status != LOCO_OK)
            return status;
    }
    source->frames = source->at;
    return lc_source_seek(source, 0, err);
}

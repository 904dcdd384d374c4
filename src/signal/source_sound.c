/* SPDX-License-Identifier: MIT
 * source_sound.c - sound files through libsndfile: wav, ogg, mp3, aiff and more.
 *
 * What libsndfile leaves to its user, seen with version 1.2.0:
 *   - It gets a descriptor, so that the content alone decides what a file is; it would also trust the ending of the name.
 *   - Of a wav or aiff file that was cut short it reads what is there and says nothing: the length at the start of
 *     the file is compared with the file. An mp3 ends early: then fewer frames come than were promised. An mp3
 *     without a Xing header is promised by a guess, 0.5 % too long at a constant bit rate; so a tenth may be missing
 *     there. At a variable bit rate without such a header the guess may be far too short, and the rest is out of reach.
 *   - A cut ogg file has no known length, and just ends.
 *   - In Ogg Vorbis a seek into the last page ends up somewhere else in that page. So a seek into the last minute
 *     reads up to the place instead.
 *   - libmpg123, through which it reads mp3, may print a line to stderr about a file that is cut, or after a seek. The
 *     samples are right.
 *   - A FLAC file that lacks a part reads on behind it, at the wrong time. So source_flac.c reads FLAC files. */
#include "base/status.h"
#include "signal/source.h"

#include <sndfile.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_PAGE = 60, STREAMED = 0x7ff00000 }; /* seconds; lengths from here on are written by programs that stream */

/* SF_FORMAT_... of the file. */
static int format_of(const lc_source *source)
{
    SF_INFO info = {0};
    sf_command(source->state, SFC_GET_CURRENT_SF_INFO, &info, sizeof info);
    return info.format;
}

/* ---- opening ---- */

static bool knows(int descriptor)
{
    (void)descriptor;
    return true;
}

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

static loco_status check_length(const lc_source *source, int descriptor, loco_err *err)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return LOCO_OK;
    uint64_t claimed = claimed_length(descriptor), size = (uint64_t)info.st_size;
    if (claimed > size + 1) /* one byte of padding is often forgotten */
        return lc_err_set(err, LOCO_EDATA, "%s: is cut short: it has %llu bytes of %llu", source->name,
                          (unsigned long long)size, (unsigned long long)claimed);
    return LOCO_OK;
}

/* Its own words are "Internal malloc () failed."; it has no public number for that. */
static bool lacks_memory(SNDFILE *file)
{
    return strstr(sf_strerror(file), "malloc") != NULL;
}

static loco_status open_file(lc_source *source, int descriptor, loco_err *err)
{
    SF_INFO info = {0};
    loco_status status = check_length(source, descriptor, err);
    if (status != LOCO_OK) {
        close(descriptor);
        return status;
    }
    source->state = sf_open_fd(descriptor, SFM_READ, &info, SF_TRUE); /* closes the descriptor, even when it fails */
    if (source->state == NULL && lacks_memory(NULL))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
    if (source->state == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: no sound that can be read (%.60s); wav, flac, ogg, mp3 and aiff can",
                          source->name, sf_strerror(NULL));
    source->channels = info.channels > 0 ? (size_t)info.channels : 0;
    source->rate = info.samplerate;
    if (info.frames >= 0 && info.frames < SF_COUNT_MAX)
        source->frames = (uint64_t)info.frames;
    if (source->frames == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: holds no sound, 0 samples", source->name);
    return LOCO_OK;
}

static void close_file(lc_source *source)
{
    sf_close(source->state);
}

/* ---- reading ---- */

/* The length of an mp3 is a guess: up to a tenth may be missing. */
static loco_status check_end(const lc_source *source, loco_err *err)
{
    bool near = source->at > 0 && source->at >= source->frames - source->frames / 10;
    if (near && (format_of(source) & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG)
        return LOCO_OK;
    return lc_source_check_end(source, err);
}

static loco_status read_file(lc_source *source, size_t *got, loco_err *err)
{
    sf_count_t frames = sf_readf_float(source->state, source->block, (sf_count_t)source->chunk);
    if (frames <= 0 && sf_error(source->state) != SF_ERR_NO_ERROR) {
        char what[100];
        if (lacks_memory(source->state))
            return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
        snprintf(what, sizeof what, "the file is damaged or cut short: %.50s", sf_strerror(source->state));
        return lc_source_refuse_at(source, source->at, what, err);
    }
    *got = frames > 0 ? (size_t)frames : 0;
    return *got == 0 ? check_end(source, err) : LOCO_OK;
}

/* Reads on to a frame; the last block may be read in part. */
static loco_status read_up_to(lc_source *source, uint64_t frame, loco_err *err)
{
    while (source->at < frame) {
        uint64_t left = frame - source->at;
        sf_count_t most = left < source->chunk ? (sf_count_t)left : (sf_count_t)source->chunk;
        sf_count_t frames = sf_readf_float(source->state, source->block, most);
        if (frames <= 0)
            return check_end(source, err);
        source->at += (uint64_t)frames;
    }
    return LOCO_OK;
}

static loco_status seek_file(lc_source *source, uint64_t frame, loco_err *err)
{
    uint64_t place = frame;
    if ((format_of(source) & SF_FORMAT_SUBMASK) == SF_FORMAT_VORBIS) {
        uint64_t page = (uint64_t)(LAST_PAGE * source->rate);
        uint64_t last = source->frames == LC_SOURCE_UNKNOWN || source->frames < page ? 0 : source->frames - page;
        place = frame < last ? frame : last;
    }
    if (place != source->at) {
        if (sf_seek(source->state, (sf_count_t)place, SEEK_SET) != (sf_count_t)place)
            return lc_source_refuse_at(source, place, "the file cannot be read from the middle on", err);
        source->at = place;
    }
    return read_up_to(source, frame, err);
}

const lc_source_ops lc_source_sound = {
    .name = "sound",
    .recipe = "sound",
    .knows = knows,
    .open_file = open_file,
    .read = read_file,
    .seek = seek_file,
    .close = close_file,
};

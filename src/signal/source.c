/* SPDX-License-Identifier: MIT
 * source.c - the table of readers, and what holds for all sources (source.h); samples in memory.
 *
 * A file is opened here and handed over, so that a message gives the system's own reason where it cannot be read.
 * Samples beyond +-1e9 are refused with NaN and infinity: no sound has them, and their squares would overflow. */
#include "signal/source.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What opens a path. libsndfile comes last: it takes any content, and says itself what it cannot read. */
const lc_source_ops *const lc_sources[] = {
    &lc_source_track, &lc_source_image, &lc_source_flac, &lc_source_sound, NULL,
};

static const float LARGEST = 1e9f;
static const double LEAST_RATE = 100, MOST_TIMES = 16; /* of sound: Hz; samples that may be made of one */

#define MOST_SPOOLED ((uint64_t)1 << 32)

/* ---- for readers ---- */

/* The end of a long name says more than its beginning. */
lc_source lc_source_begin(const lc_source_ops *ops, const char *name, size_t chunk)
{
    lc_source source = {.ops = ops, .frames = LC_SOURCE_UNKNOWN, .chunk = chunk};
    size_t length = strlen(name);
    bool cut = length > LC_SOURCE_NAME;
    snprintf(source.name, sizeof source.name, "%s%s", cut ? "..." : "", cut ? name + length - LC_SOURCE_NAME : name);
    return source;
}

static loco_status check_format(const lc_source *source, loco_err *err)
{
    size_t widest = source->ops->widest > 0 ? source->ops->widest : LC_SOUND_CHANNELS;
    if (source->channels < 1 || source->channels > widest)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu channels; there may be 1 to %zu", source->name, source->channels,
                          widest);
    if (!(source->rate >= 1 && source->rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.0f Hz; it may be 1 to %d Hz", source->name, source->rate,
                          LC_SOUND_RATE);
    return LOCO_OK;
}

loco_status lc_source_ready(lc_source *source, loco_status status, loco_err *err)
{
    if (status == LOCO_OK)
        status = check_format(source, err);
    if (status == LOCO_OK) {
        source->block = malloc(source->chunk * source->channels * sizeof *source->block);
        if (source->block == NULL)
            status = lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
    }
    if (status != LOCO_OK)
        lc_source_close(source);
    return status;
}

static bool is_sound(const lc_source *source)
{
    const lc_source_ops *ops = source->ops;
    return ops == &lc_source_sound || ops == &lc_source_flac || ops == &lc_source_raw || ops == &lc_source_flac_stream;
}

loco_status lc_source_check_rate(const lc_source *source, double wanted, loco_err *err)
{
    double least = fmin(LEAST_RATE, wanted / MOST_TIMES);
    if (!is_sound(source) || source->rate >= least)
        return LOCO_OK;
    return lc_err_set(
        err, LOCO_EDATA,
        "%s: has %g samples a second, and is read as sound at %g Hz, for which at least %.0f are expected; "
        "correct the rate in its header",
        source->name, source->rate, wanted, ceil(least));
}

static unsigned long long milliseconds(const lc_source *source, uint64_t frame)
{
    return (unsigned long long)((double)frame * 1000 / source->rate);
}

loco_status lc_source_refuse_at(const lc_source *source, uint64_t frame, const char *what, loco_err *err)
{
    unsigned long long ms = milliseconds(source, frame);
    return lc_err_set(err, LOCO_EDATA, "%s: at %llu.%03llu s %s", source->name, ms / 1000, ms % 1000, what);
}

loco_status lc_source_check_end(const lc_source *source, loco_err *err)
{
    if (source->at == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: holds no sound, 0 samples", source->name);
    if (source->frames == LC_SOURCE_UNKNOWN || source->at >= source->frames)
        return LOCO_OK;
    unsigned long long ms = milliseconds(source, source->frames);
    char what[64];
    snprintf(what, sizeof what, "the file ends; it is cut short of %llu.%03llu s", ms / 1000, ms % 1000);
    return lc_source_refuse_at(source, source->at, what, err);
}

/* ---- files ---- */

/* The reader that claims a path by its name, or NULL. */
static const lc_source_ops *by_name(const char *path)
{
    for (const lc_source_ops *const *reader = lc_sources; *reader != NULL; reader++)
        if ((*reader)->claims != NULL && (*reader)->claims(path))
            return *reader;
    return NULL;
}

/* The first that knows the content, or else libsndfile, which explains what is wrong with it. */
static const lc_source_ops *by_content(int descriptor)
{
    for (const lc_source_ops *const *reader = lc_sources; *reader != NULL; reader++)
        if ((*reader)->knows != NULL && (*reader)->knows(descriptor))
            return *reader;
    return &lc_source_sound;
}

const char *lc_source_recipe(const char *path)
{
    const lc_source_ops *reader = by_name(path);
    return reader != NULL ? reader->recipe : lc_source_sound.recipe;
}

/* Replaces a pipe by a file of its bytes that has no name, and ends with its descriptor: decoders look at the beginning
 * first, and most go back. */
static loco_status spool(const lc_source *source, int *descriptor, loco_err *err)
{
    char bytes[4096];
    uint64_t total = 0;
    ssize_t got = 1;
    FILE *file = tmpfile();
    bool good = file != NULL;
    while (good && got != 0) {
        got = read(*descriptor, bytes, sizeof bytes);
        total += got > 0 ? (uint64_t)got : 0;
        good = (got >= 0 || errno == EINTR) && total <= MOST_SPOOLED;
        good = good && (got <= 0 || fwrite(bytes, 1, (size_t)got, file) == (size_t)got);
    }
    good = good && fflush(file) == 0 && dup2(fileno(file), *descriptor) >= 0 && lseek(*descriptor, 0, SEEK_SET) == 0;
    if (file != NULL)
        fclose(file);
    if (!good)
        return lc_err_set(err, LOCO_EIO,
                          "%s: is not a file, and cannot be copied to one (at most 4 GiB); save it first",
                          source->name);
    return total > 0 ? LOCO_OK
                     : lc_err_set(err, LOCO_EDATA, "%s: is empty, 0 bytes; a sound was expected", source->name);
}

/* What holds for any file that is known by its content. */
static loco_status check_file(const lc_source *source, int *descriptor, loco_err *err)
{
    struct stat info;
    if (fstat(*descriptor, &info) != 0)
        return lc_err_set(err, LOCO_EIO, "%s: cannot be examined", source->name);
    if (S_ISDIR(info.st_mode))
        return lc_err_set(err, LOCO_EIO, "%s: is a folder, not a sound file", source->name);
    if (S_ISREG(info.st_mode) && info.st_size == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: is empty, 0 bytes; a sound file was expected", source->name);
    return S_ISREG(info.st_mode) ? LOCO_OK : spool(source, descriptor, err);
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
    loco_status status = check_file(source, &descriptor, err);
    if (status != LOCO_OK) {
        close(descriptor);
        return status;
    }
    source->ops = by_content(descriptor);
    return source->ops->open_file(source, descriptor, err);
}

loco_status lc_source_open(lc_source *source, const char *path, lc_columns columns, loco_err *err)
{
    *source = lc_source_begin(by_name(path), path, LC_SOURCE_CHUNK);
    loco_status status = source->ops != NULL ? source->ops->open(source, path, columns, err)
                                             : open_file(source, path, err);
    return lc_source_ready(source, status, err);
}

void lc_source_close(lc_source *source)
{
    if (source->state != NULL)
        source->ops->close(source);
    free(source->block);
    *source = (lc_source){0};
}

/* ---- samples in memory ---- */

loco_status lc_source_read_memory(lc_source *source, size_t *got, loco_err *err)
{
    size_t left = (size_t)(source->frames - source->at);
    (void)err;
    *got = left < source->chunk ? left : source->chunk;
    memcpy(source->block, source->memory + source->at * source->channels,
           *got * source->channels * sizeof *source->block);
    return LOCO_OK;
}

loco_status lc_source_seek_memory(lc_source *source, uint64_t frame, loco_err *err)
{
    (void)err;
    source->at = frame < source->frames ? frame : source->frames;
    return LOCO_OK;
}

static const lc_source_ops memory_ops = {
    .name = "memory", .read = lc_source_read_memory, .seek = lc_source_seek_memory};

static loco_status check_samples(const loco_samples *s, loco_err *err)
{
    if (s == NULL || s->data == NULL)
        return lc_err_set(err, LOCO_EARG, "there are no samples: data is a null pointer");
    if (!(s->rate >= 1 && s->rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EARG, "samples at %g Hz; the rate must be 1 to %d Hz", s->rate, LC_SOUND_RATE);
    if (s->channels < 1 || s->channels > LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EARG, "samples of %zu channels; there must be 1 to %d", s->channels,
                          LC_SOUND_CHANNELS);
    return LOCO_OK;
}

loco_status lc_source_open_samples(lc_source *source, const loco_samples *samples, loco_err *err)
{
    loco_status status = check_samples(samples, err);
    if (status != LOCO_OK)
        return status;
    *source = lc_source_begin(&memory_ops, "the samples", LC_SOURCE_CHUNK);
    source->memory = samples->data;
    source->frames = samples->frames;
    source->channels = samples->channels;
    source->rate = samples->rate;
    return lc_source_ready(source, LOCO_OK, err);
}

/* ---- reading ---- */

bool lc_source_is_live(const lc_source *source)
{
    return source->ops->live;
}

/* Whether all are numbers, and none absurdly large; without an early end, so that it runs in vectors. */
static bool all_good(const float *samples, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        bad |= !(fabsf(samples[i]) <= LARGEST); /* also when it is NaN */
    return bad == 0;
}

/* The first frame with a sample that is out of range. */
static size_t first_bad(const float *block, size_t frames, size_t channels)
{
    size_t i = 0;
    while (i < frames && all_good(block + i * channels, channels))
        i++;
    return i;
}

/* Means over the channels. One and two are cases of their own: the loop for any number took 7 % of a detection from
 * stereo, and 2 % from mono. */
void lc_mix(float *mono, const float *block, size_t frames, size_t channels)
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
    size_t frames = 0, channels = source->channels;
    loco_status status = source->ops->read(source, &frames, err);
    if (status != LOCO_OK)
        return status;
    if (!all_good(source->block, frames * channels))
        return lc_source_refuse_at(source, source->at + first_bad(source->block, frames, channels),
                                   "a sample is not a number from -1e9 to 1e9", err);
    if (source->split)
        memcpy(samples, source->block, frames * channels * sizeof *samples);
    else
        lc_mix(samples, source->block, frames, channels);
    source->at += frames;
    *got = frames;
    return LOCO_OK;
}

loco_status lc_source_seek(lc_source *source, uint64_t frame, loco_err *err)
{
    if (source->ops->seek == NULL)
        return lc_err_set(err, LOCO_EARG, "%s: a stream is read from its start on; it has no other place to go to",
                          source->name);
    return source->ops->seek(source, frame, err);
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

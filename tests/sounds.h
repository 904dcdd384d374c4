/* SPDX-License-Identifier: MIT
 * sounds.h - what tests of sound share: a scratch folder, sound files made on the spot, noise and clicks. */
#ifndef TESTS_SOUNDS_H
#define TESTS_SOUNDS_H

#include "cases.h"

#include <dirent.h>
#include <sndfile.h>
#include <unistd.h>

static char sound_folder[] = "/tmp/loco-sound-XXXXXX";

static inline void sound_begin(void)
{
    if (mkdtemp(sound_folder) == NULL) {
        perror(sound_folder);
        exit(1);
    }
}

/* The path of a file in the scratch folder; good until the call after the next. */
static inline const char *sound_path(const char *name)
{
    static char paths[2][512];
    static int turn;
    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", sound_folder, name);
    return paths[turn];
}

/* Removes the scratch folder with all its files. */
static inline void sound_end(void)
{
    DIR *folder = opendir(sound_folder);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        unlink(sound_path(entry->d_name));
    if (folder != NULL)
        closedir(folder);
    CHECK(rmdir(sound_folder) == 0);
}

/* Writes frames of interleaved samples; format as in SF_FORMAT_WAV | SF_FORMAT_FLOAT. */
static inline void sound_write(const char *path, int format, int rate, int channels, const float *samples,
                               size_t frames)
{
    SF_INFO info = {.samplerate = rate, .channels = channels, .format = format};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (file == NULL || sf_writef_float(file, samples, (sf_count_t)frames) != (sf_count_t)frames) {
        fprintf(stderr, "cannot write %s: %s\n", path, sf_strerror(file));
        exit(1);
    }
    sf_close(file);
}

/* Whether libsndfile can write such files: builds without other libraries lack Ogg, MP3 and FLAC. Says so if not. */
static inline bool sound_has(int format)
{
    SF_INFO info = {.samplerate = 48000, .channels = 1, .format = format};
    SNDFILE *file = sf_open(sound_path("probe"), SFM_WRITE, &info);
    int type = format & SF_FORMAT_TYPEMASK;
    if (file != NULL)
        sf_close(file);
    else
        printf("    left out: %s, which libsndfile lacks here\n", type == SF_FORMAT_OGG    ? "Ogg"
                                                                  : type == SF_FORMAT_MPEG ? "MP3"
                                                                  : type == SF_FORMAT_FLAC ? "FLAC"
                                                                                           : "a format");
    return file != NULL;
}

static inline void sound_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* Copies a part of a file's bytes. */
static inline void sound_cut(const char *from, const char *to, double part)
{
    static char bytes[1 << 22];
    FILE *file = fopen(from, "rb");
    size_t n = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    CHECK(n > 0 && n < sizeof bytes);
    if (file != NULL)
        fclose(file);
    sound_bytes(to, bytes, (size_t)((double)n * part));
}

static inline float *sound_noise(size_t n, float level, uint64_t seed)
{
    float *x = case_array(n, sizeof *x);
    lc_rng rng = lc_rng_seed(seed);
    for (size_t i = 0; i < n; i++)
        x[i] = level * (float)(2 * lc_rng_uniform(&rng) - 1);
    return x;
}

/* Where the largest value is. */
static inline size_t sound_peak(const float *x, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabsf(x[i]) > fabsf(x[best]))
            best = i;
    return best;
}

#endif

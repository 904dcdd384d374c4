/* SPDX-License-Identifier: MIT
 *
 * fuzz_flac.c - any bytes as a FLAC file: read in pieces, and again after seeks.
 *   The checksums hide most of libFLAC from wrong bytes; what is looked at is the code around it. Samples are numbers of
 *   -1..1 and never more than the header says. */
#include "signal/source_flac.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16, MOST_FRAMES = 1 << 16, BLOCK = 1000, CHANNELS = 8 };

static void need(bool good)
{
    if (!good)
        abort();
}

/* A file that is gone when it is closed. */
static int file_of(const uint8_t *data, size_t size)
{
    FILE *file = tmpfile();
    if (file == NULL)
        return -1;
    int descriptor = fwrite(data, 1, size, file) == size && fflush(file) == 0 ? dup(fileno(file)) : -1;
    fclose(file);
    if (descriptor >= 0)
        lseek(descriptor, 0, SEEK_SET);
    return descriptor;
}

/* Reads up to MOST_FRAMES; how many there were. */
static size_t read_all(lc_flac *flac, float *samples)
{
    const lc_flac_info *info = lc_flac_view(flac);
    size_t n = 0, got = 1;
    while (got > 0 && n + BLOCK <= MOST_FRAMES) {
        got = lc_flac_read(flac, samples + n * info->channels, BLOCK);
        n += got;
    }
    for (size_t i = 0; i < n * info->channels; i++)
        need(fabsf(samples[i]) <= 1);
    need(info->frames == 0 || n <= info->frames);
    return n;
}

/* What comes then need not be what came before: the numbers of the blocks of a hostile file may be ambiguous. */
static void seek(lc_flac *flac, uint64_t frame, float *samples)
{
    if (lc_flac_seek(flac, frame))
        read_all(flac, samples);
    else
        need(lc_flac_problem(flac) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float samples[MOST_FRAMES * CHANNELS];
    const char *problem;
    if (size < 2 || size > MOST_BYTES)
        return 0;
    int descriptor = file_of(data, size);
    need(descriptor >= 0);
    if (!lc_flac_is(descriptor)) {
        close(descriptor);
        return 0;
    }
    lc_flac *flac = lc_flac_open(descriptor, &problem);
    if (flac == NULL)
        return 0;
    size_t n = read_all(flac, samples);
    seek(flac, data[size - 1] * (uint64_t)data[size - 2], samples);
    seek(flac, n / 2, samples);
    seek(flac, 0, samples);
    lc_flac_close(flac);
    return 0;
}

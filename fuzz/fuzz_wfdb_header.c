/* SPDX-License-Identifier: MIT
 *
 * fuzz_wfdb_header.c - a WFDB header up to the first 0 byte, and any bytes behind it as its samples.
 *   The file that it names lies beside it; samples that are accepted are finite. */
#include "signal/wfdb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_samples(const lc_wfdb_header *header, const uint8_t *bytes, size_t size)
{
    lc_track track = {.frames = 77};
    loco_err err = {""};
    loco_status status = lc_wfdb_samples(&track, "input.dat", header, bytes, size, LC_MISSING_HOLD, &err);
    if (status != LOCO_OK) {
        require(status == LOCO_EDATA && track.frames == 77 && strncmp(err.text, "input.dat", 9) == 0);
        return;
    }
    require(track.frames * track.channels <= size && track.channels == header->channels);
    for (size_t i = 0; i < track.frames * track.channels; i++)
        require(isfinite(track.samples[i]));
    lc_track_free(&track);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - data) : size;
    lc_wfdb_header header = {.channels = 77};
    loco_err err = {""};
    char *text = malloc(length + 1);
    if (text == NULL)
        return 0;
    if (length > 0)
        memcpy(text, data, length);
    loco_status status = lc_wfdb_header_parse(&header, "input.hea", text, length, &err);
    if (status == LOCO_OK) {
        require(header.channels >= 1 && header.channels <= LC_SOUND_CHANNELS && header.rate >= 1);
        require(strlen(header.file) > 0 && strchr(header.file, '/') == NULL && header.file[0] != '.');
        check_samples(&header, data + length, size - length);
    } else {
        require(status == LOCO_EDATA && header.channels == 77 && strncmp(err.text, "input.hea", 9) == 0);
    }
    free(text);
    return 0;
}

/* SPDX-License-Identifier: MIT
 *
 * fuzz_npy.c - any bytes as a NumPy file.
 *   What is accepted has as many finite samples as its shape says, and no more than the file has bytes; what is refused
 *   leaves the result untouched and names the file. */
#include "signal/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_track track = {.frames = 77};
    loco_err err = {""};
    lc_track_format format = {.rate = 50, .missing = size % 2 == 0 ? LC_MISSING_REFUSE : LC_MISSING_LINEAR};
    loco_status status = lc_npy_parse(&track, "input.npy", data, size, &format, &err);
    if (status == LOCO_OK) {
        require(track.frames > 0 && track.channels > 0 && track.frames * track.channels <= size);
        for (size_t i = 0; i < track.frames * track.channels; i++)
            require(isfinite(track.samples[i]));
        lc_track_free(&track);
    } else {
        require(status == LOCO_EDATA && track.frames == 77 && track.samples == NULL);
        require(strncmp(err.text, "input.npy", 9) == 0);
    }
    return 0;
}

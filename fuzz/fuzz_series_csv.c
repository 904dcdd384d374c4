/* SPDX-License-Identifier: MIT
 *
 * fuzz_series_csv.c - any bytes as a table of sensor channels; the first byte chooses what becomes of missing values,
 *   and which columns are wanted.
 *   What is accepted has finite samples and a rate; what is refused leaves the result untouched and names the file. */
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
    if (size == 0)
        return 0;
    lc_track track = {.frames = 77};
    loco_err err = {""};
    static const char *const wanted[] = {NULL, NULL, "x", "y,x", "", "a b,y", NULL, NULL};
    lc_track_format format = {
        .columns = wanted[data[0] / 16 % 8], .rate = data[0] % 8 > 3 ? 50 : 0, .missing = (lc_missing)(data[0] % 4)};
    char *text = malloc(size); /* of its own, so that a read beyond the end is seen */
    if (text == NULL)
        return 0;
    memcpy(text, data + 1, size - 1);
    loco_status status = lc_series_csv_parse(&track, "input.csv", text, size - 1, &format, &err);
    if (status == LOCO_OK) {
        require(track.frames > 0 && track.channels > 0 && track.channels <= size);
        require(track.frames <= 10 * size + 1000); /* uneven rows are resampled, and gaps are filled */
        require(track.rate >= 1 && track.rate <= LC_SOUND_RATE);
        for (size_t i = 0; i < track.frames * track.channels; i++)
            require(isfinite(track.samples[i]));
        require(strlen(track.notice) < sizeof track.notice);
        lc_track_free(&track);
    } else {
        require(status == LOCO_EDATA && track.frames == 77 && track.samples == NULL);
        require(strncmp(err.text, "input.csv", 9) == 0);
    }
    free(text);
    return 0;
}

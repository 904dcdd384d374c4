/* SPDX-License-Identifier: MIT
 *
 * fuzz_series_live.c - any bytes as rows of sensor channels that come one by one; the first byte chooses the columns.
 *   What is accepted has a rate and finite values; what is refused names the stream. */
#include "signal/source_rows.h"

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
    static const char *const wanted[] = {NULL, "x", "y,x", ""};
    float values[LC_SOUND_CHANNELS];
    loco_err err = {""};
    lc_live_rows *rows = NULL;
    if (size < 2)
        return 0;
    FILE *file = fmemopen((void *)(data + 1), size - 1, "rb");
    if (file == NULL)
        return 0;
    loco_status status = lc_live_rows_open(&rows, file, "pipe", wanted[data[0] % 4], 50, &err);
    if (status == LOCO_OK) {
        size_t got = 1, channels = lc_live_rows_channels(rows);
        require(channels <= LC_SOUND_CHANNELS && lc_live_rows_rate(rows) > 0);
        while (status == LOCO_OK && got > 0) {
            status = lc_live_rows_read(rows, values, &got, &err);
            for (size_t c = 0; status == LOCO_OK && got > 0 && c < channels; c++)
                require(isfinite(values[c]));
        }
    } else {
        require(rows == NULL);
    }
    require(status == LOCO_OK || (status == LOCO_EDATA && strncmp(err.text, "pipe", 4) == 0));
    lc_live_rows_free(rows);
    fclose(file);
    return 0;
}

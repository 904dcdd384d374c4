/* SPDX-License-Identifier: MIT
 *
 * fuzz_raw.c - a raw format up to the first line end, and any bytes behind it as its sound.
 *   Every sample that comes is a number; a stream ends or fails, and stays so. */
#include "signal/sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 1 << 16, MOST = 200000 };

static void require(int holds)
{
    if (!holds)
        abort();
}

static void read_all(lc_sound *sound)
{
    float samples[1000];
    size_t got = 1, total = 0;
    loco_err err = {""};
    while (got > 0 && total < MOST) {
        if (lc_sound_read(sound, samples, 1000, &got, &err) != LOCO_OK) {
            require(err.text[0] != '\0');
            require(lc_sound_read(sound, samples, 1000, &got, &err) == LOCO_OK && got == 0);
            return;
        }
        require(got <= 1000);
        for (size_t i = 0; i < got; i++)
            require(isfinite(samples[i]));
        total += got;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[64];
    lc_raw_format format;
    lc_sound *sound;
    loco_err err = {""};
    const uint8_t *end = memchr(data, '\n', size);
    size_t length = end != NULL ? (size_t)(end - data) : size;
    if (size > LONGEST || length >= sizeof text || size == length)
        return 0;
    memcpy(text, data, length);
    text[length] = '\0';
    if (lc_raw_parse(&format, text, &err) != LOCO_OK) {
        require(err.text[0] != '\0');
        return 0;
    }
    require(format.channels >= 1 && format.channels <= LC_SOUND_CHANNELS && format.rate >= 1);
    FILE *file = tmpfile();
    require(file != NULL);
    require(fwrite(end + 1, 1, size - length - 1, file) == size - length - 1);
    rewind(file);
    require(lc_sound_open_raw_channels(&sound, file, "fuzz", &format, 22050, 0, &err) == LOCO_OK);
    read_all(sound);
    lc_sound_close(sound);
    fclose(file);
    return 0;
}

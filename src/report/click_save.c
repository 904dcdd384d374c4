/* SPDX-License-Identifier: MIT
 * click_save.c - a sound with a click at each event, as a WAV file. */
#include "base/file.h"
#include "report/click.h"
#include "signal/sound.h"

#include <math.h>
#include <stdlib.h>

/* At the rate of the sound itself, so that nothing is resampled for listening. */
loco_status loco_click_save(const char *path, const char *sound, const loco_event *events, size_t events_len,
                            loco_err *err)
{
    float *samples = NULL;
    double seconds, rate;
    size_t n = 0;
    lc_text wav = {0};
    loco_status status = lc_sound_length(sound, &seconds, &rate, err);
    if (status == LOCO_OK)
        status = lc_sound_load(sound, 0, INFINITY, rate, &samples, &n, err);
    if (status == LOCO_OK)
        status = lc_click_mix(samples, n, rate, events, events_len, err);
    if (status == LOCO_OK)
        status = lc_wav_format(&wav, samples, n, (unsigned)rate, err);
    if (status == LOCO_OK)
        status = lc_file_save(path, wav.bytes, wav.length, err);
    lc_text_free(&wav);
    free(samples);
    return status;
}

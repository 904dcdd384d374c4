/* SPDX-License-Identifier: MIT
 *
 * fuzz_frontend.c - any text at all as the line of a front end.
 *   A line that is accepted must come back unchanged when it is written, read and written again; whatever is refused
 *   must leave the settings untouched and say why. Accepted ones also make frames, so that the sanitizers see all
 *   memory. */
#include "signal/frontend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 1100, SAMPLES = 6000, MOST_VALUES = 1 << 24 };

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_again(const lc_frontend_settings *settings)
{
    lc_text first = {0}, second = {0};
    lc_frontend_settings again;
    lc_frontend_format(settings, &first);
    require(!first.failed && lc_frontend_parse(&again, first.bytes, NULL) == LOCO_OK);
    lc_frontend_format(&again, &second);
    require(strcmp(first.bytes, second.bytes) == 0);
    lc_text_free(&first);
    lc_text_free(&second);
}

/* A scale that is measured, and the largest that may be. */
static void check_scale(lc_frontend *frontend, const float *samples, size_t n, float *frames)
{
    lc_scale scale = {{0}, {0}};
    lc_frontend_measure(frontend, samples, n);
    lc_frontend_measured(frontend, &scale);
    for (int i = -1; i <= 1; i++) {
        lc_frontend_rescale(frontend, &scale);
        lc_frontend_push(frontend, samples, n, frames);
        lc_frontend_reset(frontend);
        scale = (lc_scale){.mean = {0.5 * i}, .spread = {1}};
    }
}

static void run(const lc_frontend_settings *settings)
{
    static float samples[SAMPLES * LC_SOUND_CHANNELS];
    lc_frontend *frontend;
    loco_err err;
    size_t size = lc_frontend_bins(settings) * lc_frontend_channels(settings);
    size_t n = SAMPLES * LC_SOUND_CHANNELS /
               (lc_frontend_inputs(settings) + LC_SOUND_CHANNELS); /* rows of an image are wide */
    if (settings->bands > 500 || settings->window / settings->hop > 50 || n * size > MOST_VALUES)
        return; /* slow, and nothing new */
    require(lc_frontend_new(&frontend, settings, &err) == LOCO_OK);
    for (size_t i = 0; i < SAMPLES * LC_SOUND_CHANNELS; i++)
        samples[i] = (float)(i * 7919 % 1000) / 1000 - 0.5f;
    float *frames = malloc(lc_frontend_most(frontend, n) * size * sizeof *frames);
    require(frames != NULL);
    size_t count = lc_frontend_push(frontend, samples, n, frames);
    count += lc_frontend_finish(frontend, frames + count * size);
    require(count == (n + settings->hop - 1) / settings->hop);
    for (size_t i = 0; i < count * size; i++)
        require(isfinite(frames[i]));
    check_scale(frontend, samples, n, frames);
    free(frames);
    lc_frontend_free(frontend);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_frontend_settings settings, untouched;
    loco_err err = {""};
    char line[LONGEST + 1];
    if (size > LONGEST)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    memset(&untouched, 0x5a, sizeof untouched);
    memcpy(&settings, &untouched, sizeof settings);
    if (lc_frontend_parse(&settings, line, &err) == LOCO_OK) {
        check_again(&settings);
        run(&settings);
    } else {
        const void *now = &settings, *before = &untouched;
        require(memcmp(now, before, sizeof settings) == 0);
        require(err.text[0] != '\0' && memchr(err.text, 0, sizeof err.text) != NULL);
    }
    return 0;
}

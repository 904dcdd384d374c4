/* SPDX-License-Identifier: MIT
 * kit_cases.h - small drum kits in the scratch folder of data_cases.h, for tests of sampled drums. */
#ifndef TESTS_KIT_CASES_H
#define TESTS_KIT_CASES_H

#include "data_cases.h"

#include <sndfile.h>

enum { KIT_RATE = 22050, KIT_SAMPLES = 8000, KIT_SILENCE = 441 };

/* A decaying tone that begins, after 20 ms of silence, with its full amplitude. */
static inline void kit_sound(const char *name, double frequency, double amplitude)
{
    static float samples[KIT_SAMPLES];
    SF_INFO info = {.samplerate = KIT_RATE, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open(data_path(name), SFM_WRITE, &info);
    for (int i = 0; i < KIT_SAMPLES; i++) {
        double t = (double)(i - KIT_SILENCE) / KIT_RATE;
        samples[i] = t < 0 ? 0 : (float)(amplitude * cos(6.283185307179586 * frequency * t) * exp(-t / 0.04));
    }
    CHECK(file != NULL && sf_write_float(file, samples, KIT_SAMPLES) == KIT_SAMPLES);
    CHECK(sf_close(file) == 0);
}

/* The kit `name` with a kick of two layers, a snare, a hi-hat and a ride; a name of no held-out kit is up to the
 * caller. */
static inline void kit_make(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s", name);
    CHECK(mkdir(data_path(path), 0777) == 0);
    static const struct {
        const char *file;
        double frequency, amplitude;
    } sounds[] = {
        {"soft.wav",  60,   0.2},
        {"hard.wav",  70,   0.8},
        {"snare.wav", 900,  0.5},
        {"hat.wav",   8000, 0.3},
        {"ride.wav",  5000, 0.3}
    };
    for (size_t i = 0; i < sizeof sounds / sizeof *sounds; i++) {
        snprintf(path, sizeof path, "%s/%s", name, sounds[i].file);
        kit_sound(path, sounds[i].frequency, sounds[i].amplitude);
    }
    snprintf(path, sizeof path, "%s/drumkit.xml", name);
    data_write(path, "<drumkit_info><name>Test</name><author>Nobody</author><license>CC0</license><instrumentList>"
                     "<instrument><name>Kick</name>"
                     "<layer><filename>soft.wav</filename><min>0</min><max>0.5</max></layer>"
                     "<layer><filename>hard.wav</filename><min>0.5</min><max>1</max></layer></instrument>"
                     "<instrument><name>Snare</name><filename>snare.wav</filename></instrument>"
                     "<instrument><name>Hat Closed</name><filename>hat.wav</filename></instrument>"
                     "<instrument><name>Hat Pedal</name><filename>lost.wav</filename></instrument>"
                     "<instrument><name>Ride</name><filename>ride.wav</filename></instrument>"
                     "</instrumentList></drumkit_info>");
}

#endif

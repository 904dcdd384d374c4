/* SPDX-License-Identifier: MIT
 * piano_cases.h - a small sampled piano and MIDI files in the scratch folder of data_cases.h. */
#ifndef TESTS_PIANO_CASES_H
#define TESTS_PIANO_CASES_H

#include "data_cases.h"

#include "base/text.h"
#include "events/midi_write.h"

#include <sndfile.h>

enum { PIANO_RATE = 8000, PIANO_SILENCE = 160, PIANO_SAMPLES = 8000 };

/* A decaying tone of a pitch of MIDI that begins, after 20 ms of silence, with its full amplitude. */
static inline void piano_sound(const char *name, double pitch, double amplitude)
{
    static float samples[PIANO_SAMPLES];
    SF_INFO info = {.samplerate = PIANO_RATE, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open(data_path(name), SFM_WRITE, &info);
    double frequency = 440 * pow(2, (pitch - 69) / 12);
    for (int i = 0; i < PIANO_SAMPLES; i++) {
        double t = (double)(i - PIANO_SILENCE) / PIANO_RATE;
        samples[i] = t < 0 ? 0 : (float)(amplitude * cos(6.283185307179586 * frequency * t) * exp(-t));
    }
    CHECK(file != NULL && sf_write_float(file, samples, PIANO_SAMPLES) == PIANO_SAMPLES);
    CHECK(sf_close(file) == 0);
}

/* Two keys, the lower one with two layers, called tiny/tiny.sfz. */
static inline void piano_make(void)
{
    CHECK(mkdir(data_path("tiny"), 0777) == 0);
    piano_sound("tiny/soft.wav", 60, 0.1);
    piano_sound("tiny/hard.wav", 60, 0.4);
    piano_sound("tiny/high.wav", 72, 0.2);
    data_write("tiny/tiny.sfz", "// Tiny, by nobody, CC0\n<group> hikey=65\n"
                                "<region> sample=soft.wav pitch_keycenter=60 lovel=1 hivel=63\n"
                                "<region> sample=hard.wav pitch_keycenter=60 lovel=64 hivel=127\n"
                                "<group>\n<region> sample=high.wav pitch_keycenter=72 lokey=66\n");
}

/* A MIDI file of notes a second apart, from pitch 50 on, in a folder of the scratch folder. */
static inline void piano_midi(const char *name, size_t notes)
{
    lc_midi_out midi = {0};
    lc_text text = {0};
    for (size_t i = 0; i < notes; i++)
        lc_midi_note_on(&midi, (double)i, 0.5, 0, 50 + (unsigned)(i % 30), 80);
    lc_midi_format(&midi, (double)notes, &text);
    CHECK_STATUS(lc_file_save(data_path(name), text.bytes, text.length, NULL), LOCO_OK);
    lc_text_free(&text);
    lc_midi_out_free(&midi);
}

#endif

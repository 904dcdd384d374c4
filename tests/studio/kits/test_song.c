/* SPDX-License-Identifier: MIT
 * test_song.c - songs: whole bars, no drums, excerpts that know where their beats are. */
#include "check.h"

#include "studio/kits/song.h"

#include <stdlib.h>

static void songs_have_whole_bars_and_no_drums(void)
{
    size_t notes = 0, low = 0;
    double slowest = 0, fastest = 9;
    for (uint64_t seed = 0; seed < 100; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_midi_out midi = {0};
        double beat = 0, length = lc_song_write(&midi, 10, 40, &rng, &beat);
        CHECK(length > 20 && length <= 40 && !midi.failed);
        CHECK_NEAR(length / (16 * beat), round(length / (16 * beat)), 1e-9);
        slowest = fmax(slowest, beat);
        fastest = fmin(fastest, beat);
        for (size_t i = 0; i < midi.len; i++) {
            const lc_midi_message *m = &midi.items[i];
            double time = m->tick / 1e4;
            CHECK((m->bytes[0] & 15) < 5 && time > 9.9 && time < 10 + length + 1.4);
            CHECK((m->bytes[0] & 0xf0) != 0xc0 || (m->bytes[1] < 112 && m->bytes[1] != 47));
            CHECK((m->bytes[0] & 0xf0) != 0x90 || (m->bytes[1] >= 20 && m->bytes[1] <= 108 && m->bytes[2] > 0));
            notes += (m->bytes[0] & 0xf0) == 0x90;
            low += (m->bytes[0] & 0xf0) == 0x90 && m->bytes[1] < 48;
        }
        lc_midi_out_free(&midi);
    }
    CHECK(notes > 10000 && low > 1000);
    CHECK(slowest > 0.8 && slowest < 0.86 && fastest < 0.36 && fastest > 0.34);
}

/* A song of 8 bars whose samples say their place. */
static void excerpts_know_their_bars(void)
{
    enum { N = 16000, RATE = 1000 };
    static int16_t samples[N];
    static float out[3 * N];
    lc_song song = {.samples = samples, .n = N, .beat = 0.5};
    lc_songs songs = {.items = &song, .len = 1};
    for (int i = 0; i < N; i++)
        samples[i] = (int16_t)i;
    for (uint64_t seed = 0; seed < 100; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_metre metre = lc_songs_draw(&songs, &rng, RATE, out, 3 * N);
        long place = lround(out[0] * 32768.0);
        CHECK_NEAR(metre.beat, 0.5, 0);
        CHECK(metre.first <= 0 && metre.first > -2);
        CHECK_NEAR(fmod((double)place / RATE + metre.first + 1e-9, 2), 0, 1e-6);
        CHECK_NEAR((double)out[N], (double)out[0], 0);
        CHECK_NEAR((double)out[2 * N + 77], (double)out[77], 0);
    }
}

static void fonts_without_instruments_are_refused(void)
{
    lc_songs songs = {.len = 7};
    lc_font_preset drums = {.name = "Drums", .bank = 128};
    lc_font font = {.path = "a.sf2", .presets = &drums, .len = 1};
    loco_err err = {""};
    CHECK_STATUS(lc_songs_load(&songs, NULL, 0, 22050, 1, NULL, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "General MIDI") != NULL);
    CHECK_STATUS(lc_songs_load(&songs, &font, 1, 22050, 1, NULL, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "those given") != NULL && songs.len == 7);
}

int main(void)
{
    RUN(fonts_without_instruments_are_refused);
    RUN(songs_have_whole_bars_and_no_drums);
    RUN(excerpts_know_their_bars);
    return check_done();
}

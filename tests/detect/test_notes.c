/* SPDX-License-Identifier: MIT
 * test_notes.c - velocities and ends of notes: tones with partials whose level, decay and end are known; and what is
 * saved of them. */
#include "sounds.h"

#include "base/file.h"
#include "detect/notes.h"
#include "events/midi_read.h"

enum { RATE = 22050, SECONDS = 14, N = RATE * SECONDS };

static loco_err err;
static unsigned pitches[128];

/* A string: partials that are weaker the higher they are, a hammer of noise; from `end` on a damper stops it. */
static void strike(float *x, unsigned pitch, double time, double end, double level)
{
    lc_rng rng = lc_rng_seed(pitch);
    double f0 = 440 * exp2((pitch - 69.0) / 12);
    for (size_t i = (size_t)(time * RATE); i < N; i++) {
        double t = (double)i / RATE - time, over = fmax(0, (double)i / RATE - end), sum = 0;
        for (int h = 1; h <= 6 && h * f0 < 8000; h++)
            sum += sin(2 * acos(-1) * h * f0 * t) / h;
        sum += 0.5 * exp(-t / 0.01) * (2 * lc_rng_uniform(&rng) - 1);
        x[i] += (float)(level * sum * exp(-t / 1.5 - over / 0.03));
    }
}

static lc_sound *open_sound(const float *x, size_t n)
{
    static loco_samples samples;
    lc_sound *sound = NULL;
    samples = (loco_samples){x, n, 1, RATE};
    CHECK_STATUS(lc_sound_open_samples(&sound, &samples, LC_NOTES_RATE, (lc_columns){0, NULL}, &err), LOCO_OK);
    return sound;
}

static void measure(lc_note *notes, const float *x, size_t n, const loco_event *events, size_t len)
{
    lc_sound *sound = open_sound(x, n);
    CHECK_STATUS(lc_notes_measure(notes, sound, events, len, pitches, &err), LOCO_OK);
    lc_sound_close(sound);
}

/* Pairs of notes at once: each is judged by its own partials. */
static void louder_and_longer(void)
{
    enum { LEVELS = 5, LEN = 2 * LEVELS };
    float *x = sound_noise(N, 1e-5f, 1);
    loco_event events[LEN];
    lc_note notes[LEN], again[LEN];
    double ends[LEN];
    for (size_t i = 0; i < LEVELS; i++) {
        events[2 * i] = (loco_event){0.5 + 2 * (double)i, 52, 1, 0};
        events[2 * i + 1] = (loco_event){0.5 + 2 * (double)i, 70, 1, 0};
        ends[2 * i] = events[2 * i].time + 0.3 + 0.3 * (double)i;
        ends[2 * i + 1] = events[2 * i].time + 1.5 - 0.3 * (double)i;
        strike(x, 52, events[2 * i].time, ends[2 * i], 0.01 * pow(1.8, (double)i));
        strike(x, 70, events[2 * i].time, ends[2 * i + 1], 0.01 * pow(1.8, (double)i));
    }
    measure(notes, x, N, events, LEN);
    for (size_t i = 0; i < LEN; i++) {
        CHECK_NEAR(notes[i].end, ends[i], 0.05);
        CHECK(i < 2 || notes[i].velocity > notes[i - 2].velocity);
    }
    CHECK(notes[LEN - 1].velocity > notes[1].velocity + 15);
    for (size_t i = 0; i < N; i++)
        x[i] *= 0.1f;
    measure(again, x, N, events, LEN); /* the gain of a recording says nothing */
    for (size_t i = 0; i < LEN; i++)
        CHECK_NEAR(again[i].velocity, notes[i].velocity, 1);
    free(x);
}

/* The next of its pitch, the longest note, the end of the sound and what is behind it. */
static void other_ends(void)
{
    float *x = sound_noise(N, 1e-5f, 1);
    const loco_event events[] = {
        {0.2, 60, 1, 0},
        {0.7, 60, 1, 0},
        {1,   34, 1, 0},
        {12,  64, 1, 0},
        {20,  65, 1, 0},
    };
    lc_note notes[5];
    strike(x, 60, 0.2, 99, 0.1);
    strike(x, 60, 0.7, 1.2, 0.3);
    for (size_t i = RATE; i < N; i++) /* an organ never ends */
        x[i] += (float)(0.1 * sin(2 * acos(-1) * 58.270 * (double)i / RATE));
    strike(x, 64, 12, 99, 0.1);
    measure(notes, x, N, events, 5);
    CHECK_NEAR(notes[0].end, 0.7, 1e-9);
    CHECK_NEAR(notes[1].end, 1.2, 0.06);
    CHECK_NEAR(notes[2].end, 9, 0.02);
    CHECK_NEAR(notes[3].end, SECONDS, 0.1);
    CHECK_NEAR(notes[4].end, 20, 1e-9);
    for (size_t i = 0; i < 5; i++)
        CHECK(notes[i].velocity >= 1 && notes[i].velocity <= 127);
    free(x);
}

/* Few samples, all of silence; no events. */
static void little(void)
{
    const float silence[100] = {0};
    const loco_event events[] = {
        {0,     60, 1, 0},
        {0.004, 60, 1, 0},
        {0.005, 61, 1, 0},
    };
    lc_note notes[3];
    measure(notes, silence, 100, events, 3);
    for (size_t i = 0; i < 3; i++)
        CHECK(notes[i].velocity >= 1 && notes[i].end >= events[i].time && notes[i].end < 0.5);
    measure(notes, silence, 100, NULL, 0);
}

static void saved_notes(void)
{
    static const char *const names[] = {"60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71"};
    static const char *const birds[] = {"robin"}, *const drums[] = {"kick"};
    loco_event events[] = {
        {1,   4, 0.5, 0},
        {0.5, 0, 0.9, 0},
    };
    loco_events list = {NULL, events, 2};
    float *x = sound_noise(N, 1e-5f, 1);
    char sound[512], path[512], *bytes;
    size_t length, n;
    lc_midi_note *read;
    strike(x, 60, 0.5, 0.9, 0.1);
    strike(x, 64, 1, 1.6, 0.5);
    snprintf(sound, sizeof sound, "%s", sound_path("s.wav"));
    snprintf(path, sizeof path, "%s", sound_path("s.mid"));
    sound_write(sound, SF_FORMAT_WAV | SF_FORMAT_FLOAT, RATE, 1, x, N);
    list.file = sound;
    CHECK_STATUS(loco_notes_save(path, NULL, &list, 1, names, 12, &err), LOCO_OK);
    CHECK_STATUS(lc_file_load(path, 1 << 20, &bytes, &length, &err), LOCO_OK);
    CHECK(bytes[9] == 0 && bytes[11] == 1); /* format 0, one track */
    CHECK_STATUS(lc_midi_parse(&read, &n, path, bytes, length, &err), LOCO_OK);
    CHECK_EQ(n, 2);
    CHECK(read[0].note == 60 && read[1].note == 64 && read[0].velocity < read[1].velocity);
    CHECK_NEAR(read[1].time, 1, 1e-3);
    free(read);
    free(bytes);
    snprintf(path, sizeof path, "%s", sound_path("s.csv"));
    CHECK_STATUS(loco_notes_save(path, NULL, &list, 1, names, 12, &err), LOCO_OK);
    CHECK_STATUS(lc_file_load(path, 1 << 20, &bytes, &length, &err), LOCO_OK);
    CHECK(strncmp(bytes, "file,time,class,probability,end,velocity\n", 41) == 0);
    const char *row = strstr(bytes, ",0.500000,60,0.9000,0.");
    CHECK(row != NULL);
    free(bytes);
    CHECK_STATUS(loco_notes_save(path, NULL, &list, 1, drums, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "is of class 4");
    CHECK_STATUS(loco_notes_save(path, NULL, &list, 1, birds, 1, &err), LOCO_EARG);
    CHECK(strstr(err.text, "notes need classes that are pitches") != NULL);
    list.file = "/nowhere.wav";
    CHECK(loco_notes_save(path, NULL, &list, 1, names, 12, &err) != LOCO_OK);
    free(x);
}

int main(void)
{
    for (unsigned p = 0; p < 128; p++)
        pitches[p] = p;
    sound_begin();
    RUN(louder_and_longer);
    RUN(other_ends);
    RUN(little);
    RUN(saved_notes);
    sound_end();
    return check_done();
}

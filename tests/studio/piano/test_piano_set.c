/* SPDX-License-Identifier: MIT
 * test_piano_set.c - whole data sets of a piano: arguments, files, threads, seeds. */
#include "piano_cases.h"
#include "studio/studio.h"

#include "data/dataset.h"

static const studio_synth_options small = {.size = sizeof small, .recordings = 5, .seconds = 4, .seed = 2};
static char tiny[256], midi[256];

static studio_piano_options defaults(void)
{
    return (studio_piano_options){
        .size = sizeof(studio_piano_options), .samples = tiny, .midi = midi, .rate = PIANO_RATE, .threads = 1};
}

static void refuse(studio_piano_options piano, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(studio_synth_piano(data_path("refused"), &small, &piano, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(data_path("refused"), F_OK) != 0);
}

static void wrong_arguments_are_refused(void)
{
    studio_piano_options piano = defaults();
    piano.tuning = -1;
    refuse(piano, LOCO_EARG, "a piano tuned to -1 Hz; expected 380 to 480");
    piano.tuning = 0.001;
    refuse(piano, LOCO_EARG, "expected 380 to 480");
    piano = defaults();
    piano.threads = 2000;
    refuse(piano, LOCO_EARG, "2000 threads");
    piano = defaults();
    piano.classes = "21-200";
    refuse(piano, LOCO_EARG, "21-200");
    piano = defaults();
    piano.rate = 10;
    refuse(piano, LOCO_EARG, "10");
    piano = defaults();
    piano.samples = "/nonexistent";
    refuse(piano, LOCO_EIO, "/nonexistent");
    piano = defaults();
    piano.midi = tiny;
    refuse(piano, LOCO_EDATA, "holds no MIDI file");
    piano = defaults();
    piano.soundfonts = tiny;
    refuse(piano, LOCO_EDATA, "tiny is not a SoundFont");
    data_write("empty.sf2", "RIFF\x08\0\0\0sfbk");
    char font[256];
    snprintf(font, sizeof font, "%s", data_path("empty.sf2"));
    piano.soundfonts = font;
    refuse(piano, LOCO_EDATA, "empty.sf2");
    piano = (studio_piano_options){0};
    refuse(piano, LOCO_EARG, "sizeof(studio_piano_options)");
    piano = defaults();
    piano.held_out = "/nonexistent";
    refuse(piano, LOCO_EIO, "/nonexistent");
}

static void make(const char *folder, studio_piano_options piano, studio_synth_options how)
{
    loco_err err = {""};
    CHECK_STATUS(studio_synth_piano(data_path(folder), &how, &piano, &err), LOCO_OK);
    CHECK_STR(err.text, "");
}

static void sets_hold_every_note(void)
{
    lc_dataset *set = NULL;
    size_t length, notes = 0, counted = 0;
    make("set", defaults(), small);
    CHECK_STATUS(lc_dataset_load(&set, data_path("set"), NULL), LOCO_OK);
    CHECK_EQ(set->classes_len, 88);
    CHECK_STR(set->classes[39], "60");
    CHECK_EQ(set->recordings_len, 5);
    for (size_t i = 0; i < set->recordings_len; i++)
        for (size_t k = 0; k < set->recordings[i].events_len; k++)
            notes += set->recordings[i].events[k].time < 3.5;
    for (size_t i = 0; i < set->clips_len; i++)
        for (size_t k = 0; k < 88; k++)
            counted += set->clips[i].labels[k].lo;
    CHECK(notes > 10 && counted >= notes);
    lc_dataset_free(set);
    char *events = data_read("set", "events.csv", &length);
    CHECK_SAYS(events, "file,time,class,velocity\nrec_000.wav,");
    free(events);
    char *sources = data_read("set", "sources.txt", &length);
    CHECK_SAYS(sources, "piano\ttiny\tTiny, by nobody, CC0\t3 sounds\nmidi\t");
    free(sources);
}

static void sets_depend_on_their_seed_alone(void)
{
    static const char *const files[] = {"rec_000.wav", "rec_004.wav", "events.csv", "counts.csv", "sources.txt"};
    studio_piano_options piano = defaults();
    studio_synth_options how = small;
    piano.threads = 3;
    make("threads", piano, small);
    for (size_t i = 0; i < 5; i++)
        CHECK(data_same("set", "threads", files[i]));
    how.seed = 3;
    make("seed", piano, how);
    CHECK(!data_same("set", "seed", files[0]) && !data_same("set", "seed", files[2]));
    how = small;
    how.unseen = true;
    make("unseen", piano, how);
    CHECK(!data_same("set", "unseen", files[2]));
    piano.tuning = 415;
    make("low", piano, small);
    CHECK(!data_same("set", "low", files[0]) && data_same("set", "low", files[2]));
}

/* Other keys play on and have no column. */
static void classes_are_chosen(void)
{
    studio_piano_options piano = defaults();
    size_t length;
    piano.classes = "60,62-63";
    piano.midi = NULL;
    make("few", piano, small);
    char *counts = data_read("few", "counts.csv", &length);
    CHECK(strncmp(counts, "file,start,end,60,62,63\n", 24) == 0);
    free(counts);
}

int main(void)
{
    char name[32];
    if (!data_begin())
        return 1;
    piano_make();
    snprintf(tiny, sizeof tiny, "%s", data_path("tiny"));
    CHECK(mkdir(data_path("midi"), 0777) == 0);
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "midi/%d.mid", i);
        piano_midi(name, 40);
    }
    snprintf(midi, sizeof midi, "%s", data_path("midi"));
    RUN(wrong_arguments_are_refused);
    RUN(sets_hold_every_note);
    RUN(sets_depend_on_their_seed_alone);
    RUN(classes_are_chosen);
    return data_done();
}

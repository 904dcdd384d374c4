/* SPDX-License-Identifier: MIT
 * test_maestro.c - a tiny MAESTRO, with each kind of table, and what is refused. */
#include "import_cases.h"

static const import_how maestro = {.kind = "maestro", .classes = "60-61", .clip = 1};

/* Note 60 after half a second: 1 tick of 500000 us / 1 a quarter. */
static const char midi[] = "MThd\0\0\0\6\0\0\0\1\0\1MTrk\0\0\0\4\1\x90\x3c\x40";
static const char mute[] = "MThd\0\0\0\6\0\0\0\1\0\1MTrk\0\0\0\4\0\xff\x2f\0";

static const char table[] = "canonical_title,split,midi_filename,audio_filename\n"
                            "\"Nocturne, No. 1\",train,2018/a.midi,2018/a.wav\nx,test,2018/b.midi,2018/b.wav\n"
                            "y,test,2018/c.midi,2018/c.wav\n";

static const char events[] = "train_a.wav,0.500000,60\ntest_b.wav,0.500000,60\n";

static void make_set(void)
{
    import_folder("m/2018");
    import_sound("m/2018/a.wav", 1.5, 0.1f);
    import_sound("m/2018/b.wav", 1, 0.1f);
    import_bytes("m/2018/a.midi", midi, sizeof midi - 1);
    import_bytes("m/2018/b.midi", midi, sizeof midi - 1);
    import_bytes("m/2018/c.midi", midi, sizeof midi - 1);
}

static void every_table_is_read(void)
{
    size_t length;
    run_write("m/maestro-v3.0.0.csv", table);
    run_write("m/maestro-v3.0.0.json", "wrong, and not read");
    studio_import_result done = import_good(maestro, "m", "csv-set", events);
    CHECK_EQ(done.recordings, 2);
    CHECK_STR(done.first_skipped, "test_c.wav"); /* its sound was not downloaded */
    char *counts = run_read("csv-set/counts.csv", &length);
    CHECK_STR(counts, "file,start,end,60,61\ntrain_a.wav,0,1,1,0\ntrain_a.wav,1,1.5,0,0\ntest_b.wav,0,1,1,0\n");
    free(counts);
    CHECK(unlink(run_path("m/maestro-v3.0.0.csv")) == 0);
    run_write(
        "m/maestro-v3.0.0.json",
        "{\"split\":{\"0\":\"train\",\"1\":\"test\"},\"midi_filename\":{\"0\":\"2018/a.midi\",\"1\":\"2018/b.midi\"},"
        "\"audio_filename\":{\"0\":\"2018/a.wav\",\"1\":\"2018/b.wav\"},\"year\":{\"0\":2018}}");
    import_good(maestro, "m", "object-set", events);
    run_write("m/maestro-v3.0.0.json",
              "[{\"split\":\"train\",\"midi_filename\":\"2018/a.midi\",\"audio_filename\":\"2018/a.wav\"},"
              "{\"split\":\"test\",\"midi_filename\":\"2018/b.midi\",\"audio_filename\":\"2018/b.wav\"}]");
    import_good(maestro, "m", "list-set", events);
}

static void wrong_sets_are_refused(void)
{
    run_write("m/maestro-v3.0.0.json", "[{\"split\":\"train\",\"audio_filename\":\"2018/a.wav\"}]");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.json", "no \"midi_filename\"");
    run_write("m/maestro-v3.0.0.json", "{\"a\":1}");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.json", "no \"audio_filename\"");
    run_write("m/maestro-v3.0.0.json", "3");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.json", "no \"audio_filename\"");
    run_write("m/maestro-v3.0.0.json", "{");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.json", "");
    run_write("m/maestro-v3.0.0.csv", "split,midi,audio_filename\ntrain,a,b\n");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.csv", "midi_filename");
    run_write("m/maestro-v3.0.0.csv", "split,midi_filename,audio_filename\ntrain,../a.midi,a.wav\n");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.csv:2", "\"../a.midi\" is not a name");
    run_write("m/maestro-v3.0.0.csv", "split,midi_filename,audio_filename\na/b,a.midi,a.wav\n");
    import_refused(maestro, "m", LOCO_EDATA, "maestro-v3.0.0.csv:2", "not a split");
    run_write("m/maestro-v3.0.0.csv", table);
    import_bytes("m/2018/b.midi", mute, sizeof mute - 1);
    import_refused(maestro, "m", LOCO_EDATA, "b.midi", "a MIDI file without notes");
    import_bytes("m/2018/b.midi", "RIFF", 4);
    import_refused(maestro, "m", LOCO_EDATA, "b.midi", "not a MIDI file");
    import_folder("other");
    import_refused(maestro, "other", LOCO_EDATA, "other", "no table maestro-*.csv");
}

int main(void)
{
    run_begin();
    make_set();
    RUN(every_table_is_read);
    RUN(wrong_sets_are_refused);
    return run_done();
}

/* SPDX-License-Identifier: MIT
 * test_import_oom.c - imports with every allocation failing in turn: an error, nothing written, nothing lost. */
#include "oom.h"

#include "import_cases.h"

typedef loco_status work(loco_err *err);

static char folders[6][256]; /* mdb, enst, idmt, the new one, maps, maestro */

static loco_status import(const char *kind, const char *from, const char *mix, const char *map, loco_err *err)
{
    studio_import_result done;
    studio_import_options options = {.size = sizeof options, .mix = mix, .map = map};
    return studio_import(&done, kind, from, folders[3], &options, err);
}

static loco_status import_mdb(loco_err *err)
{
    return import("mdb", folders[0], NULL, "KD=kick,SD=snare", err);
}

static loco_status import_enst(loco_err *err)
{
    return import("enst", folders[1], "full", NULL, err);
}

static loco_status import_idmt(loco_err *err)
{
    return import("idmt", folders[2], NULL, NULL, err);
}

static loco_status import_maps(loco_err *err)
{
    return import("maps", folders[4], NULL, NULL, err);
}

static loco_status import_maestro(loco_err *err)
{
    return import("maestro", folders[5], NULL, NULL, err);
}

static void fail_each(work *run, size_t fewest)
{
    struct stat info;
    for (size_t n = 1; n < 10000; n++) {
        loco_err err = {""};
        oom_begin(n);
        loco_status status = run(&err);
        bool last = oom_end() < n;
        if (last) {
            CHECK_STATUS(status, LOCO_OK);
            CHECK(n > fewest);
            run_remove(folders[3]);
            return;
        }
        CHECK_STATUS(status, LOCO_ENOMEM);
        CHECK_SAYS(err.text, "out of memory");
        CHECK(lstat(folders[3], &info) != 0);
    }
    CHECK(0);
}

static void every_failing_allocation_is_reported(void)
{
    fail_each(import_mdb, 10);
    fail_each(import_enst, 10);
    fail_each(import_idmt, 10);
    fail_each(import_maps, 10);
    fail_each(import_maestro, 10);
}

static void make_sets(void)
{
    import_folder("mdb/audio");
    import_folder("mdb/class");
    import_sound("mdb/audio/A_Drum.wav", 1, 0.1f);
    run_write("mdb/class/A_class.txt", "0.1 KD\n0.2 SD\n0.3 HH\n");
    import_folder("enst/drummer_1/audio/wet_mix");
    CHECK(mkdir(run_path("enst/drummer_1/audio/accompaniment"), 0700) == 0);
    CHECK(mkdir(run_path("enst/drummer_1/annotation"), 0700) == 0);
    import_sound("enst/drummer_1/audio/wet_mix/a.wav", 1, 0.1f);
    import_sound("enst/drummer_1/audio/accompaniment/a.wav", 1, 0.1f);
    run_write("enst/drummer_1/annotation/a.txt", "0.1 bd\n");
    import_folder("idmt/audio");
    import_folder("idmt/annotation_xml");
    import_sound("idmt/audio/a#MIX.wav", 1, 0.1f);
    run_write("idmt/annotation_xml/a#MIX.xml",
              "<instrumentRecording><transcription><event><onsetSec>0.1</onsetSec><instrument>KD</instrument></event>"
              "</transcription></instrumentRecording>");
    import_folder("maps/flac");
    import_folder("maps/tsv");
    import_sound("maps/flac/a.wav", 1, 0.1f);
    run_write("maps/tsv/a.tsv", "0.1 0.2 60\n");
    import_folder("maestro");
    import_sound("maestro/a.wav", 1, 0.1f);
    import_bytes("maestro/a.midi", "MThd\0\0\0\6\0\0\0\1\0\1MTrk\0\0\0\4\0\x90\x3c\x40", 26);
    run_write("maestro/maestro.json",
              "[{\"split\":\"test\",\"midi_filename\":\"a.midi\",\"audio_filename\":\"a.wav\"}]");
}

int main(void)
{
    static const char *const names[] = {"mdb", "enst", "idmt", "new", "maps", "maestro"};
    run_begin();
    make_sets();
    for (size_t i = 0; i < 6; i++)
        snprintf(folders[i], sizeof folders[i], "%s", run_path(names[i]));
    RUN(every_failing_allocation_is_reported);
    return run_done();
}

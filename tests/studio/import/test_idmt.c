/* SPDX-License-Identifier: MIT
 * test_idmt.c - IDMT-SMT-Drums: mixes alone, events from XML, or else from layers, and what is refused. */
#include "import_cases.h"

static const import_how idmt = {.kind = "idmt"};

#define EVENT(time, instrument) "<event><onsetSec>" time "</onsetSec><instrument>" instrument "</instrument></event>\n"
#define EVENTS(inner) \
    "<?xml version=\"1.0\"?>\n<instrumentRecording><transcription>\n" inner "</transcription></instrumentRecording>\n"
#define LAYER(rate, inner)                                                                        \
    "<?xml version=\"1.0\"?>\n<!DOCTYPE sonic-visualiser>\n<sv><data>\n<model sampleRate=\"" rate \
    "\"/><dataset>\n" inner "</dataset></data></sv>\n"

static void make_set(void)
{
    import_folder("idmt/audio");
    (void)mkdir(run_path("idmt/annotation_xml"), 0700);
    (void)mkdir(run_path("idmt/annotation_svl"), 0700);
    import_sound("idmt/audio/RealDrum01_00#MIX.wav", 2, 0.1f);
    import_sound("idmt/audio/RealDrum01_00#HH.wav", 2, 0.1f);
    import_sound("idmt/audio/RealDrum01_00#KD#train.wav", 2, 0.1f);
    import_sound("idmt/audio/WaveDrum02_60#MIX.wav", 2, 0.1f);
    run_write("idmt/annotation_xml/RealDrum01_00#MIX.xml", EVENTS(EVENT("1.5", "SD") EVENT("0.5", "KD")));
    run_write("idmt/annotation_svl/RealDrum01_00#KD.svl", "not looked at");
    run_write("idmt/annotation_svl/WaveDrum02_60#KD.svl", LAYER("8000", "<point frame=\"4000\" label=\"\"/>"));
    run_write("idmt/annotation_svl/WaveDrum02_60#SD.svl", LAYER("8000", ""));
    run_write("idmt/annotation_svl/WaveDrum02_60#HH.svl", LAYER("8000", "<point frame=\"2000\"/>\n"));
}

static void mixes_are_imported(void)
{
    studio_import_result done = import_good(
        idmt, "idmt", "good",
        "RealDrum01_00#MIX.wav,0.500000,kick\nRealDrum01_00#MIX.wav,1.500000,snare\n"
        "WaveDrum02_60#MIX.wav,0.250000,hihat\nWaveDrum02_60#MIX.wav,0.500000,kick\n");
    CHECK_EQ(done.recordings, 2);
    CHECK_EQ(done.skipped, 0);
}

/* With two of three layers, the strokes are not known. */
static void half_an_annotation_is_none(void)
{
    CHECK(unlink(run_path("idmt/annotation_svl/WaveDrum02_60#SD.svl")) == 0);
    studio_import_result done = import_good(
        idmt, "idmt", "half", "RealDrum01_00#MIX.wav,0.500000,kick\nRealDrum01_00#MIX.wav,1.500000,snare\n");
    CHECK_EQ(done.skipped, 1);
    CHECK_STR(done.first_skipped, "WaveDrum02_60#MIX.wav");
    run_write("idmt/annotation_svl/WaveDrum02_60#SD.svl", LAYER("8000", ""));
}

static void wrong_layers_are_refused(void)
{
    const char *name = "idmt/annotation_svl/WaveDrum02_60#SD.svl";
    run_write(name, LAYER("44100", ""));
    import_refused(idmt, "idmt", LOCO_EDATA, "WaveDrum02_60#SD.svl:4", "\"44100\" is not that of the sound, 8000 Hz");
    run_write(name, LAYER("8000", "<point frame=\"0\"/>\n<point frame=\"17000\"/>\n"));
    import_refused(idmt, "idmt", LOCO_EDATA, "WaveDrum02_60#SD.svl:6", "2.125 s");
    run_write(name, LAYER("8000", "<point frame=\"-1\"/>\n"));
    import_refused(idmt, "idmt", LOCO_EDATA, "WaveDrum02_60#SD.svl:5", "times go from 0");
    import_bytes(name, "\x1f\x8b\x08\0\0", 5);
    import_refused(idmt, "idmt", LOCO_EDATA, "WaveDrum02_60#SD.svl:1", "gzip");
    run_write(name, "0.5 SD\n");
    import_refused(idmt, "idmt", LOCO_EDATA, "WaveDrum02_60#SD.svl:1", "not XML");
    run_write(name, LAYER("8000", ""));
}

static void wrong_events_are_refused(void)
{
    const char *name = "idmt/annotation_xml/RealDrum01_00#MIX.xml";
    run_write(name, EVENTS(EVENT("0.5", "KD") EVENT("2.5", "KD")));
    import_refused(idmt, "idmt", LOCO_EDATA, "RealDrum01_00#MIX.xml:4", "2.500 s");
    run_write(name, EVENTS(EVENT("0.5", "TT")));
    import_refused(idmt, "idmt", LOCO_EDATA, "RealDrum01_00#MIX.xml:3", "KD, SD, HH");
    run_write(name, LAYER("8000", ""));
    import_refused(idmt, "idmt", LOCO_EDATA, "RealDrum01_00#MIX.xml:3", "<instrumentRecording> is expected");
    run_write(name, "<?xml version=\"1.0\"?>\n<instrumentRecording><transcription>\n<event><onse");
    import_refused(idmt, "idmt", LOCO_EDATA, "RealDrum01_00#MIX.xml:3", "not XML");
    run_write(name, "<instrumentRecording>\n<artist>Andr\xe9</artist></instrumentRecording>");
    import_refused(idmt, "idmt", LOCO_EDATA, "RealDrum01_00#MIX.xml:2", "not XML");
    run_write(name, EVENTS(EVENT("1.5", "SD") EVENT("0.5", "KD")));
}

static void wrong_folders_are_refused(void)
{
    import_sound("idmt/audio/RealDrum01_00#MIX.aiff", 2, 0.1f);
    import_refused(idmt, "idmt", LOCO_EDATA, "RealDrum01_00#MIX", "another ending");
    import_folder("bare/audio");
    import_refused(idmt, "bare", LOCO_EDATA, "no folder annotation_xml or annotation_svl", "this folder holds audio");
    (void)mkdir(run_path("bare/annotation_xml"), 0700);
    import_sound("bare/audio/x#HH.wav", 1, 0.1f);
    import_refused(idmt, "bare", LOCO_EDATA, "bare", "no recordings where IDMT-SMT-Drums has them");
}

int main(void)
{
    run_begin();
    make_set();
    RUN(mixes_are_imported);
    RUN(half_an_annotation_is_none);
    RUN(wrong_layers_are_refused);
    RUN(wrong_events_are_refused);
    RUN(wrong_folders_are_refused);
    return run_done();
}

/* SPDX-License-Identifier: MIT
 * test_readers_oom.c - lets the n-th allocation of ours fail, for every n, in each reader of recordings, and where calibration
 *   looks for something in them. */
#include "oom_cases.h"
#include "sounds.h"

#include "signal/series_strength.h"
#include "signal/sound.h"
#include "signal/sound_strength.h"
#include "signal/track.h"

static float *noise;
static const char *path; /* of the recording that is loaded */
static double rate;
static lc_anchor anchor;
static const char *line;

static loco_status load(loco_err *err)
{
    float *samples = NULL;
    size_t n;
    loco_status status = lc_sound_load(path, 0, 0.04, rate, &samples, &n, err);
    CHECK((samples != NULL) == (status == LOCO_OK));
    free(samples);
    return status;
}

static loco_status load_track(loco_err *err)
{
    lc_track track = {0};
    loco_status status = lc_track_load(&track, path, NULL, err);
    CHECK((track.samples != NULL) == (status == LOCO_OK));
    lc_track_free(&track);
    return status;
}

static loco_status read_stream(loco_err *err)
{
    lc_sound *sound = NULL;
    float samples[64];
    size_t got = 0;
    lc_raw_format format = {.type = LC_RAW_FLAC, .channels = 1, .rate = 44100};
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    loco_status status = lc_sound_open_raw_channels(&sound, file, "here", &format, rate, 0, err);
    if (status == LOCO_OK)
        status = lc_sound_read(sound, samples, 64, &got, err);
    CHECK((got > 0) == (status == LOCO_OK));
    lc_sound_close(sound);
    fclose(file);
    return status;
}

static void check_strength(lc_strength *strength, loco_status status)
{
    CHECK((strength->values != NULL) == (status == LOCO_OK));
    free(strength->values);
}

static loco_status sound_strength(loco_err *err)
{
    lc_strength strength = {0};
    loco_status status = lc_sound_strength(&strength, 22050, anchor, noise, 20000, err);
    check_strength(&strength, status);
    return status;
}

static loco_status series_strength(loco_err *err)
{
    lc_frontend_settings settings;
    lc_strength strength = {0};
    CHECK_STATUS(lc_frontend_parse(&settings, line, NULL), LOCO_OK);
    loco_status status = lc_series_strength(&strength, &settings, anchor, noise, 3000, err);
    check_strength(&strength, status);
    return status;
}

static loco_status make_frontend(loco_err *err)
{
    lc_frontend_settings settings;
    lc_frontend *front = NULL;
    CHECK_STATUS(lc_frontend_parse(&settings, line, NULL), LOCO_OK);
    loco_status status = lc_frontend_new(&front, &settings, err);
    CHECK((front != NULL) == (status == LOCO_OK));
    lc_frontend_free(front);
    return status;
}

static void sounds_of_each_kind(void)
{
    static const double rates[] = {22050, 44100, 31234.5};
    for (size_t i = 0; i < 3; i++) {
        rate = rates[i];
        path = sound_path("noise.flac");
        CHECK(oom_fail_each(load) > 3);
        CHECK(oom_fail_each(read_stream) > 3);
        path = sound_path("noise.wav");
        CHECK(oom_fail_each(load) > 3);
    }
}

static void series_of_each_kind(void)
{
    static const char *const files[] = {"a.npy", "a.raw", "a.csv", "r.hea"};
    static unsigned char npy[128 + 48] = "\x93NUMPY\1\0v\0{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }";
    sound_bytes(sound_path("a.npy"), npy, sizeof npy);
    sound_bytes(sound_path("a.npy.format"), "rate=50", 7);
    sound_bytes(sound_path("a.raw"), "abcdefgh", 8);
    sound_bytes(sound_path("a.raw.format"), "rate=50 type=s16le channels=2 order=big", 39);
    sound_bytes(sound_path("a.csv"), "time,x,y\n0,1,2\n0.02,1,2\n0.04,2,\n0.07,1,2\n", 41);
    sound_bytes(sound_path("a.csv.format"), "missing=linear", 14);
    sound_bytes(sound_path("r.hea"), "r 2 250 2\nr.dat 80 1\nr.dat 80 1\n", 32);
    sound_bytes(sound_path("r.dat"), "abcd", 4);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        path = sound_path(files[i]);
        CHECK(oom_fail_each(load_track) > 2);
    }
    rate = 50;
    path = sound_path("a.raw");
    CHECK(oom_fail_each(load) > 4);
}

static void strengths_of_each_anchor(void)
{
    static const lc_anchor anchors[] = {LC_ANCHOR_RISE, LC_ANCHOR_PEAK, LC_ANCHOR_CENTRE, LC_ANCHOR_WORD};
    static const char *const lines[] = {"series rate=50 channels=3", "series rate=50 channels=3 magnitude=1"};
    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
        anchor = anchors[i];
        CHECK(oom_fail_each(sound_strength) > 0);
        for (size_t k = 0; k < 2; k++) {
            line = lines[k];
            CHECK(oom_fail_each(series_strength) > 0);
        }
    }
    CHECK(oom_fail_each(make_frontend) > 2);
}

int main(void)
{
    sound_begin();
    noise = sound_noise(20000, 0.5f, 1);
    sound_write(sound_path("noise.wav"), SF_FORMAT_WAV | SF_FORMAT_FLOAT, 44100, 1, noise, 20000);
    sound_write(sound_path("noise.flac"), SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 44100, 1, noise, 20000);
    RUN(sounds_of_each_kind);
    RUN(series_of_each_kind);
    RUN(strengths_of_each_anchor);
    free(noise);
    sound_end();
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_source.c - what is wrong with a sound file or stream is said in a sentence; what is right comes unchanged. */
#include "sounds.h"

#include "signal/source.h"

#include <sys/stat.h>

enum { WAV = SF_FORMAT_WAV | SF_FORMAT_FLOAT, FRAMES = 50000 };

/* Opens a file and reads all of it; want: how that ends, hint: part of the message. */
static void check_file(const char *path, loco_status want, const char *hint)
{
    lc_source source;
    loco_err err = {""};
    loco_status status = lc_source_open(&source, path, (lc_columns){0}, &err);
    float *mono = case_array(LC_SOURCE_CHUNK, sizeof *mono);
    size_t got = 1;
    while (status == LOCO_OK && got > 0)
        status = lc_source_read(&source, mono, &got, &err);
    CHECK_STATUS(status, want);
    if (want != LOCO_OK) {
        CHECK_SAYS(err.text, hint);
        CHECK_SAYS(err.text, path);
    }
    lc_source_close(&source);
    free(mono);
}

static void wrong_files_are_refused(void)
{
    static const char text[] = "It is not a sound at all, and quite long enough to be looked at from all sides.\n";
    check_file(sound_path("none.wav"), LOCO_EIO, "No such file");
    check_file(sound_folder, LOCO_EIO, "is a folder");
    sound_bytes(sound_path("empty.wav"), text, 0);
    check_file(sound_path("empty.wav"), LOCO_EDATA, "0 bytes");
    sound_bytes(sound_path("text.wav"), text, sizeof text - 1);
    check_file(sound_path("text.wav"), LOCO_EDATA, "wav, flac, ogg, mp3");
    float none = 0;
    sound_write(sound_path("zero.wav"), WAV, 44100, 1, &none, 0);
    check_file(sound_path("zero.wav"), LOCO_EDATA, "0 samples");
    float *many = case_array(65 * 10, sizeof *many);
    sound_write(sound_path("many.wav"), WAV, 44100, 65, many, 10);
    check_file(sound_path("many.wav"), LOCO_EDATA, "65 channels; there may be 1 to 64");
    sound_write(sound_path("fast.wav"), WAV, 2000000, 1, many, 10);
    check_file(sound_path("fast.wav"), LOCO_EDATA, "2000000 Hz; it may be 1 to 1000000");
    free(many);
}

static void forbidden_files_are_refused(void)
{
    if (geteuid() == 0) {
        printf("    left out: root may read everything\n");
        return;
    }
    float one = 1;
    sound_write(sound_path("locked.wav"), WAV, 44100, 1, &one, 1);
    CHECK(chmod(sound_path("locked.wav"), 0) == 0);
    check_file(sound_path("locked.wav"), LOCO_EIO, "Permission denied");
}

static void samples_that_are_not_numbers_are_refused(void)
{
    static const float wrongs[] = {NAN, INFINITY, -INFINITY, 2e9f};
    float *x = case_array(2 * FRAMES, sizeof *x);
    for (size_t i = 0; i < 4; i++) {
        x[2 * 12345 + 1] = wrongs[i];
        sound_write(sound_path("nan.wav"), WAV, 10000, 2, x, FRAMES);
        check_file(sound_path("nan.wav"), LOCO_EDATA, "at 1.234 s a sample is not a number");
    }
    free(x);
}

/* Every format whose length is known says so when it is cut. */
static void cut_files_are_refused(void)
{
    static const struct {
        const char *name;
        int format;
    } kinds[] = {
        {"a.wav",  SF_FORMAT_WAV | SF_FORMAT_PCM_16         },
        {"a.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_24        },
        {"a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16        },
        {"a.mp3",  SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III},
    };
    float *x = sound_noise(2 * FRAMES, 0.5f, 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char cut[64];
        if (!sound_has(kinds[i].format))
            continue;
        snprintf(cut, sizeof cut, "cut%s", kinds[i].name + 1);
        sound_write(sound_path(kinds[i].name), kinds[i].format, 44100, 1, x, 2 * FRAMES);
        sound_cut(sound_path(kinds[i].name), sound_path(cut), 0.6);
        check_file(sound_path(cut), LOCO_EDATA, "cut short");
        check_file(sound_path(kinds[i].name), LOCO_OK, "");
    }
    free(x);
}

static void long_names_keep_their_end(void)
{
    char path[400];
    memset(path, 'x', sizeof path);
    memcpy(path + 380, "/the-end.wav", 13);
    lc_source source;
    loco_err err = {""};
    CHECK_STATUS(lc_source_open(&source, path, (lc_columns){0}, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "...xxx");
    CHECK_SAYS(err.text, "/the-end.wav: ");
}

/* Reads all of a source; the number of samples. */
static size_t read_all(lc_source *source, float *mono, size_t most)
{
    size_t n = 0, got = 1;
    while (got > 0 && n + LC_SOURCE_CHUNK <= most) {
        CHECK_STATUS(lc_source_read(source, mono + n, &got, NULL), LOCO_OK);
        n += got;
    }
    return n;
}

static void channels_become_their_mean(void)
{
    enum { N = 10000, C = 3 };
    float *x = sound_noise(N * C, 0.9f, 2), *mono = case_array(3 * N, sizeof *mono);
    double worst = 0;
    lc_source source;
    sound_write(sound_path("three.wav"), WAV, 32000, C, x, N);
    CHECK_STATUS(lc_source_open(&source, sound_path("three.wav"), (lc_columns){0}, NULL), LOCO_OK);
    CHECK_EQ(source.frames, N);
    CHECK_NEAR(source.rate, 32000, 0);
    CHECK_EQ(read_all(&source, mono, 3 * N), N);
    for (size_t i = 0; i < N; i++)
        worst_note(&worst, mono[i], ((double)x[3 * i] + x[3 * i + 1] + x[3 * i + 2]) / 3, 1);
    CHECK_WORST(worst, 1e-7);
    lc_source_close(&source);
    free(x);
    free(mono);
}

/* After a seek comes what a reader from the start sees there, in every format, also at the very end. */
static void seeks_are_exact(void)
{
    static const int formats[] = {WAV, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS,
                                  SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III};
    enum { N = 70 * 8000 };
    float *x = sound_noise(N, 0.5f, 3), *all = case_array(N + 8192, sizeof *all), part[LC_SOURCE_CHUNK];
    for (size_t f = 0; f < 4; f++) {
        lc_source source;
        double worst = 0;
        if (!sound_has(formats[f]))
            continue;
        sound_write(sound_path("seek"), formats[f], 8000, 1, x, N);
        CHECK_STATUS(lc_source_open(&source, sound_path("seek"), (lc_columns){0}, NULL), LOCO_OK);
        size_t n = read_all(&source, all, N + 8192);
        CHECK_EQ(n, N);
        lc_source_close(&source);
        CHECK_STATUS(lc_source_open(&source, sound_path("seek"), (lc_columns){0}, NULL), LOCO_OK);
        static const size_t places[] = {N - 100, 5, 77777, 81000, 40000, N - 5000, 0};
        for (size_t i = 0; i < 7; i++) {
            size_t got = 0;
            CHECK_STATUS(lc_source_seek(&source, places[i], NULL), LOCO_OK);
            CHECK_STATUS(lc_source_read(&source, part, &got, NULL), LOCO_OK);
            CHECK(got >= 100);
            for (size_t k = 0; k < got; k++)
                worst_note(&worst, part[k], all[places[i] + k], 1);
        }
        CHECK_WORST(worst, 1e-6);
        lc_source_close(&source);
    }
    free(x);
    free(all);
}

/* A cut ogg file has no length; counting finds one, and goes back to the start. */
static void unknown_lengths_are_counted(void)
{
    if (!sound_has(SF_FORMAT_OGG | SF_FORMAT_VORBIS))
        return;
    float *x = sound_noise(4 * FRAMES, 0.5f, 4), mono[LC_SOURCE_CHUNK];
    lc_source source;
    size_t got = 0;
    sound_write(sound_path("whole.ogg"), SF_FORMAT_OGG | SF_FORMAT_VORBIS, 44100, 1, x, 4 * FRAMES);
    sound_cut(sound_path("whole.ogg"), sound_path("part.ogg"), 0.7);
    CHECK_STATUS(lc_source_open(&source, sound_path("part.ogg"), (lc_columns){0}, NULL), LOCO_OK);
    CHECK(source.frames == LC_SOURCE_UNKNOWN);
    CHECK_STATUS(lc_source_count(&source, NULL), LOCO_OK);
    CHECK(source.frames > FRAMES && source.frames < 4 * FRAMES);
    CHECK_STATUS(lc_source_read(&source, mono, &got, NULL), LOCO_OK);
    CHECK(got > 0 && source.at == got);
    lc_source_close(&source);
    free(x);
}

static void raw_streams_end_with_whole_frames(void)
{
    static const unsigned char bytes[1001] = {1, 2, 3};
    lc_raw_format format = {.type = LC_RAW_S16LE, .channels = 1, .rate = 8000};
    loco_err err = {""};
    float mono[LC_SOURCE_CHUNK];
    size_t total = 0, got = 1;
    lc_source source;
    sound_bytes(sound_path("raw"), bytes, sizeof bytes);
    FILE *file = fopen(sound_path("raw"), "rb");
    CHECK_STATUS(lc_source_open_raw(&source, file, "here", &format, NULL), LOCO_OK);
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && got > 0) {
        status = lc_source_read(&source, mono, &got, &err);
        total += status == LOCO_OK ? got : 0;
    }
    CHECK_STATUS(status, LOCO_EDATA);
    CHECK_EQ(total, 500);
    CHECK_SAYS(err.text, "here: at 0.062 s the stream ends after 1 of 2 bytes of a frame; is it really s16le,1?");
    lc_source_close(&source);
    CHECK_STATUS(lc_source_open_raw(&source, file, "here", &format, NULL), LOCO_OK);
    CHECK_STATUS(lc_source_read(&source, mono, &got, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "here: holds no sound");
    lc_source_close(&source);
    fclose(file);
    format.channels = 65;
    CHECK_STATUS(lc_source_open_raw(&source, NULL, "here", &format, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "65 channels");
}

/* Claimed by the name, or known by the content; the last knows any. */
static void every_reader_is_whole(void)
{
    size_t n = 0;
    for (; lc_sources[n] != NULL; n++) {
        const lc_source_ops *r = lc_sources[n];
        CHECK(r->name != NULL && r->recipe != NULL && r->read != NULL && r->seek != NULL && r->close != NULL);
        CHECK((r->claims != NULL) == (r->open != NULL) && (r->knows != NULL) == (r->open_file != NULL));
        CHECK(r->claims != NULL || r->knows != NULL);
        CHECK(!r->live);
    }
    CHECK(n > 0 && lc_sources[n - 1] == &lc_source_sound);
    CHECK_STR(lc_source_recipe("a.flac"), "sound");
    CHECK_STR(lc_source_recipe("a.csv"), "series");
}

int main(void)
{
    sound_begin();
    RUN(every_reader_is_whole);
    RUN(wrong_files_are_refused);
    RUN(forbidden_files_are_refused);
    RUN(samples_that_are_not_numbers_are_refused);
    RUN(cut_files_are_refused);
    RUN(long_names_keep_their_end);
    RUN(channels_become_their_mean);
    RUN(seeks_are_exact);
    RUN(unknown_lengths_are_counted);
    RUN(raw_streams_end_with_whole_frames);
    sound_end();
    return check_done();
}

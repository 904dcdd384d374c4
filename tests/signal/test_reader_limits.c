/* SPDX-License-Identifier: MIT
 * test_reader_limits.c - the first value on the wrong side of each limit of the readers: refused with one sentence, and the result
 *   is not touched; and what front ends make of recordings with a low sample rate. */
#include "sounds.h"

#include "signal/frontend.h"
#include "signal/source.h"
#include "signal/track.h"
#include "signal/wfdb.h"

/* ---- series ---- */

typedef loco_status reader(lc_track *track, const char *name, const void *bytes, size_t length,
                           const lc_track_format *format, loco_err *err);

static void check_refused(reader *read, const void *bytes, size_t length, const lc_track_format *format,
                          const char *says)
{
    lc_track track = {.frames = 77};
    loco_err err = {""};
    CHECK_STATUS(read(&track, "a", bytes, length, format, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(track.frames, 77);
}

static void refuse_table(const char *text, const char *says)
{
    check_refused(lc_series_csv_parse, text, strlen(text), &(lc_track_format){0}, says);
}

static void tables(void)
{
    static const char *const days[] = {"0000-01-01", "2024-00-01", "2024-13-01",
                                       "2024-01-00", "2024-01-32", "2024-01/"};
    static const char *const endless[] = {"inf", "-inf", "infinity", "-infinity"};
    char text[200];
    refuse_table("time,x\n0,1\n", "1 row; at least 3 are needed to find the rate");
    refuse_table("time,x\n0,1\n1,1\n", "2 rows; at least 3 are needed");
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        snprintf(text, sizeof text, "time,x\n%s 00:00:00,1\n%s 00:00:01,2\n%s 00:00:02,2\n", days[i], days[i], days[i]);
        refuse_table(text, days[i]);
    }
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        snprintf(text, sizeof text, "time,x\n0,1\n1,%s\n2,2\n", endless[i]);
        refuse_table(text, endless[i]);
    }
}

static void arrays(void)
{
    static const char *const shapes[] = {"(999999999999999999, 64)", "(4294967296, 2)"};
    unsigned char bytes[128 + 8];
    for (size_t i = 0; i < 2; i++) {
        memset(bytes, ' ', sizeof bytes);
        memcpy(bytes, "\x93NUMPY\1\0v\0", 10);
        snprintf((char *)bytes + 10, 118, "{'descr':\t'<f8',\n'fortran_order': False, 'shape': %s, }", shapes[i]);
        check_refused(lc_npy_parse, bytes, sizeof bytes, &(lc_track_format){.rate = 50}, "a");
    }
}

static void formats(void)
{
    static const char *const wrongs[] = {"rate=0.5",
                                         "rate=1000001",
                                         "rate=x",
                                         "channels=0",
                                         "channels=65",
                                         "channels=1.5",
                                         "channels=many",
                                         "type=s17",
                                         "order=small",
                                         "missing=guess",
                                         "rate=0000000000000000000000000000000000000001"};
    lc_track_format format = {0};
    loco_err err = {""};
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        CHECK_STATUS(lc_track_format_parse(&format, "a.format", wrongs[i], strlen(wrongs[i]), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "a.format: ");
        CHECK_SAYS(err.text, " is wrong; it must be ");
    }
    CHECK_STATUS(lc_track_format_parse(&format, "a.format", "r\303\244te=5", 8, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "there is no key \"r??te\"");
}

static void raw_samples(void)
{
    /* NaN, 1, 2: missing values make a file not rough */
    static const unsigned char nan_first[] = {0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    static const unsigned char endless[] = {0, 0, 0x80, 0x7f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    lc_track_format f = {.typed = true, .type = LC_RAW_F32LE, .channels = 1, .rate = 50};
    lc_track track = {0};
    check_refused(lc_track_raw_parse, "abcd", 4, &(lc_track_format){.channels = 1, .rate = 50}, "without a header");
    check_refused(lc_track_raw_parse, "abcd", 4, &(lc_track_format){.typed = true, .rate = 50}, "without a header");
    check_refused(lc_track_raw_parse, "abcd", 4, &(lc_track_format){.typed = true, .channels = 1}, "without a header");
    check_refused(lc_track_raw_parse, "", 0, &f, "holds no samples");
    check_refused(lc_track_raw_parse, nan_first, sizeof nan_first, &f, "sample 1");
    f.missing = LC_MISSING_ZERO;
    CHECK_STATUS(lc_track_raw_parse(&track, "a", nan_first, sizeof nan_first, &f, NULL), LOCO_OK);
    CHECK(track.samples != NULL && !(track.samples[0] > 0) && track.frames == 3);
    lc_track_free(&track);
    f.missing = LC_MISSING_REFUSE;
    check_refused(lc_track_raw_parse, endless, sizeof endless, &f, "a");
    f.rate = 2e6;
    check_refused(lc_track_raw_parse, "abcd", 4, &f, "a rate of 2000000.0000 Hz; it may be 1 to 1000000 Hz");
}

static void sizes(void)
{
    lc_track track = {.frames = 77};
    loco_err err = {""};
    char name[300] = "/";
    memset(name + 1, 'x', sizeof name - 2);
    CHECK_STATUS(lc_track_new(&track, "a", SIZE_MAX / 2, 3, 50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "numbers is the most");
    CHECK_STATUS(lc_track_new(&track, "a", LC_TRACK_SAMPLES, 2, 50, &err), LOCO_EDATA);
    CHECK_STATUS(lc_track_new(&track, "a", 1, 1, 0.5, &err), LOCO_EDATA);
    CHECK_STATUS(lc_track_new(&track, name, 1, 1, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "...xxx");
    CHECK_STATUS(lc_track_new(&track, "folder/b.npy", 1, 1, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "into b.npy.format or series.format beside it");
    CHECK_EQ(track.frames, 77);
}

static void heart_records(void)
{
    static const char *const wrongs[] = {
        "r 1 250 2\nr.dat 16+1.5\n",
        "r 1 250 2\nr.dat 16+1e12\n",
        "r 1 250 2\nr.dat 16+-2\n",
        "r 1 250 2\nr.dat 16-2\n",
        "r 1 250 2\nr.dat 16 -200\n",
        "r 1 250 2\nr.dat 16 1e10\n",
        "r 1 250 2\nr.dat 16 200(12\n",
        "r 1 250 2\nr.dat 16 200(x)/mV\n",
        "r 1 250 2\nr.dat 16 200]mV\n",
        "r 1 250 2\n.dat 16\n",
        "r 1 250 2\n~ 16\n",
        "r 1 250 2.5\nr.dat 16\n",
        "r 2 250 2\nr.dat 16\nother.dat 16\n",
        "r 2 250 2\nr.dat 16\nr.dat 80\n",
        "r 1 250 2\na/b.dat 16\n",
    };
    lc_wfdb_header header = {.channels = 77};
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        loco_err err = {""};
        CHECK_STATUS(lc_wfdb_header_parse(&header, "r.hea", wrongs[i], strlen(wrongs[i]), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "r.hea");
        CHECK_EQ(header.channels, 77);
    }
}

/* ---- sound ---- */

/* A folder can be opened like a file, and then not read. */
static void streams_that_fail(void)
{
    lc_sound *sound = NULL;
    lc_source source;
    loco_err err = {""};
    float samples[16];
    size_t got = 7;
    lc_raw_format format = {.type = LC_RAW_S16LE, .channels = 1, .rate = 22050};
    FILE *folder = fopen(sound_folder, "rb");
    CHECK(folder != NULL);
    CHECK_STATUS(lc_sound_open_raw_channels(&sound, folder, "here", &format, 22050, 0, &err), LOCO_OK);
    CHECK_STATUS(lc_sound_read(sound, samples, 16, &got, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "here: cannot be read on");
    lc_sound_close(sound);
    clearerr(folder);
    CHECK_STATUS(lc_sound_open_rows(&sound, folder, "here", 50, (lc_columns){1, NULL}, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "here: cannot be read on");
    clearerr(folder);
    CHECK_STATUS(lc_source_open_raw(&source, folder, "here", &format, &err), LOCO_OK);
    CHECK_STATUS(lc_source_seek(&source, 5, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "a stream is read from its start on");
    lc_source_close(&source);
    fclose(folder);
}

static void rates_and_channels(void)
{
    lc_sound *sound = NULL;
    double seconds = 0;
    loco_err err = {""};
    float samples[64] = {0};
    lc_raw_format format = {.type = LC_RAW_S16LE, .channels = 1, .rate = 44100};
    loco_samples memory = {.data = samples, .frames = 32, .channels = 2, .rate = 44100};
    CHECK_STATUS(lc_sound_open_raw_channels(&sound, stdin, "here", &format, 0, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_open_rows(&sound, stdin, "here", -1, (lc_columns){1, NULL}, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_open_samples(&sound, &memory, 0, (lc_columns){0, NULL}, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_delay(&format, 0, &seconds, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_open_samples(&sound, &memory, 22050, (lc_columns){1, NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "has 2 channels, and 1 is wanted");
    memory.channels = 1;
    CHECK_STATUS(lc_sound_open_samples(&sound, &memory, 22050, (lc_columns){3, NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "has 1 channel, and 3 are wanted");
    memory.rate = 2e6;
    CHECK_STATUS(lc_sound_open_samples(&sound, &memory, 22050, (lc_columns){0, NULL}, &err), LOCO_EARG);
    CHECK(sound == NULL);
    CHECK_STATUS(lc_sound_delay(&format, 31234.5, &seconds, &err), LOCO_OK);
    CHECK(seconds > 0 && seconds < 1);
    format.rate = 1000000;
    CHECK_STATUS(lc_sound_delay(&format, 333.5, &seconds, &err), LOCO_OK);
    CHECK(seconds > 0 && seconds < 60);
}

/* ---- front ends ---- */

static void fit(const char *line, lc_front_data data, const char *says)
{
    lc_frontend_settings settings;
    lc_text notes = {0};
    CHECK_STATUS(lc_frontend_parse(&settings, line, NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_fit(&settings, &data, &notes, NULL), LOCO_OK);
    lc_text_string(&notes, "");
    if (says != NULL)
        CHECK_SAYS(notes.bytes, says);
    else
        CHECK_STR(notes.bytes, "");
    lc_text_free(&notes);
}

static void front_ends_fit_low_rates(void)
{
    lc_front_data low = {.lowest = 8000, .highest = 8000, .channels = 1},
                  high = {.lowest = 48000, .highest = 48000, .channels = 1};
    lc_front_data slow = {.lowest = 50, .highest = 100, .channels = 3, .turn = 60, .preset = "series"}, ecg = slow;
    fit("mel", low, "the lowest sample rate of the recordings is 8000 Hz: the front end reads up to 4000 Hz");
    fit("mel", high, NULL);
    fit("mel high=3000", low, NULL);
    fit("pitch", low, "8000");
    fit("pitch", high, NULL);
    fit("series rate=50 channels=3", slow, "the files have 50 to 100 samples a second; all are read at 50");
    ecg.preset = "ecg";
    fit("series rate=250 channels=1 high=40", ecg, "series of 3 channels: the front end reads 50 samples");
    ecg.lowest = ecg.highest = 360;
    ecg.channels = 1;
    fit("series rate=250 channels=1 high=40", ecg, "series of 1 channel: the front end reads 250 samples");
}

int main(void)
{
    sound_begin();
    RUN(tables);
    RUN(arrays);
    RUN(formats);
    RUN(raw_samples);
    RUN(sizes);
    RUN(heart_records);
    RUN(streams_that_fail);
    RUN(rates_and_channels);
    RUN(front_ends_fit_low_rates);
    sound_end();
    return check_done();
}

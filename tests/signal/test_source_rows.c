/* SPDX-License-Identifier: MIT
 * test_source_rows.c - rows as they come: the same numbers as from a file, each as soon as its line ends, and the
 *   sentence for each thing that is wrong. */
#include "cases.h"

#include "signal/sound.h"
#include "signal/source_rows.h"

#include <unistd.h>

enum { USUAL = 50 };

static FILE *stream_of(const char *text, size_t length)
{
    FILE *file = tmpfile();
    CHECK(file != NULL && fwrite(text, 1, length, file) == length);
    rewind(file);
    return file;
}

/* Reads all rows; how many, or what failed. */
static loco_status read_all(const char *text, const char *columns, float *values, size_t most, size_t *rows,
                            double *rate, loco_err *err)
{
    lc_live_rows *live = NULL;
    FILE *file = stream_of(text, strlen(text));
    size_t got = 1;
    *rows = 0;
    char name[] = "pipe"; /* is not needed any more once it is open */
    loco_status status = lc_live_rows_open(&live, file, name, columns, USUAL, err);
    memset(name, '?', sizeof name - 1);
    if (status == LOCO_OK)
        *rate = lc_live_rows_rate(live);
    while (status == LOCO_OK && got > 0 && *rows < most) {
        status = lc_live_rows_read(live, values + *rows * lc_live_rows_channels(live), &got, err);
        *rows += status == LOCO_OK ? got : 0;
    }
    lc_live_rows_free(live);
    fclose(file);
    return status;
}

static void wrong_streams_are_refused(void)
{
    static const struct {
        const char *text, *columns, *hint;
        size_t rows; /* that come before */
    } wrongs[] = {
        {"",                                                                         NULL, "pipe: is empty; the first row names",     0},
        {"\n# nothing\n\n",                                                          NULL, "pipe: is empty; the first row names",     0},
        {"x,y\n1,2\n",                                                               NULL, "no column is named time, and no rate",    0},
        {"# rate: 1e99\nt,x\n0,1\n1,1\n",                                            NULL, "it may be 1 to 1000000 Hz",               0},
        {"# rate: fast\nx\n1\n",                                                     NULL, "has no number; write # rate: 50",         0},
        {"# rate: 50\nx,y\n1,2\n\n1\n",                                              NULL, "pipe:5: 1 cell, where the header has 2",  1},
        {"# rate: 50\nx,y\n1,2\n1,high\n",                                           NULL, "pipe:4: column \"y\": \"high\" is not a", 1},
        {"# rate: 50\nx,y\n1,2\n1,\n",                                               NULL, "pipe:4: column \"y\" has no value; live", 1},
        {"# rate: 50\nx,y\n1,2\n",                                                   "z",  "pipe:2: there is no column \"z\"",        0},
        {"t,x\n0,1\n0.02,1\n",                                                       NULL, "2 rows; at least 3",                      0},
        {"t_s,x\n0,1\n20,1\n40,2\n60,2\n",                                           NULL, "not a rate from 1 to 1000000 Hz",         0},
        {"t,x\n5,1\n4,1\n3,2\n2,2\n",                                                NULL, "times must rise, and a name",             0},
        {"# rate: 50\nt,x\n9,1\n9.02,1\n7.9,1\n",                                    NULL, "pipe:5: the clock goes back by 1.120000", 2},
        {"# rate: 50\nt,x\n0,1\n0.02,1\n0.3,1\n",                                    NULL, "pipe:5: a gap of 0.280000 s to the row",  2},
        {"t,x\n0,1\n.02,1\n.04,1\n.06,1\n.44,1\n.46,1\n.48,1\n.5,1\n.52,1\n.54,1\n", NULL,
         "pipe:6: a gap of 0.380000 s",                                                                                               4},
        {"# rate: 50\nt,x\n0,1\n1,1\n",                                              NULL, "a gap of 1.000000 s",                     1},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        float values[64];
        double rate;
        size_t rows = 0;
        loco_err err = {""};
        CHECK_STATUS(read_all(wrongs[i].text, wrongs[i].columns, values, 16, &rows, &rate, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_EQ(rows, wrongs[i].rows);
    }
}

static void rows_are_those_of_the_table(void)
{
    static const float want[] = {1, 2, 3.5f, -4, 5, 6e-3f};
    static const char *const texts[] = {
        "# rate: 50\nx,y\n1,2\n3.5,-4\n5,6e-3\n",
        "\xef\xbb\xbf#rate=50 Hz\r\n\r\n x ; y\r\n1;2\r\n\r\n 3.5;-4 \r\n5;6e-3",
        "t\ty\tx\n9.00\t2\t1\n9.02\t-4\t3.5\n# a pause\n9.04\t6e-3\t5\n",
        "x,note,t,y\n1,a,1780000000.00,2\n3.5,,1780000000.02,-4\n5,b,1780000000.04,6e-3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        float values[20] = {0};
        double rate = 0;
        size_t rows = 0;
        loco_err err = {""};
        CHECK_STATUS(read_all(texts[i], "x,y", values, 8, &rows, &rate, &err), LOCO_OK);
        CHECK_STR(err.text, "");
        CHECK_EQ(rows, 3);
        CHECK_NEAR(rate, 50, 0);
        for (size_t k = 0; k < 6; k++)
            CHECK_NEAR(values[k], want[k], 0);
    }
}

/* Clocks of sensors are not exact; what is far from the usual rate is itself. */
static void times_tell_the_rate(void)
{
    static const struct {
        double step, rate;
    } cases[] = {
        {0.02,   50 },
        {0.0201, 50 },
        {0.0199, 50 },
        {0.0185, 54 },
        {0.0304, 33 },
        {0.01,   100},
        {0.4,    2.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[8000];
        float values[200];
        double rate = 0;
        size_t rows = 0, at = (size_t)snprintf(text, sizeof text, "t,x\n");
        for (int k = 0; k < 100; k++) {
            long micro = lround(k * cases[i].step * 1e6);
            at += (size_t)snprintf(text + at, sizeof text - at, "%ld.%06ld,%d\n", micro / 1000000, micro % 1000000, k);
        }
        CHECK_STATUS(read_all(text, NULL, values, 200, &rows, &rate, NULL), LOCO_OK);
        CHECK_EQ(rows, 100);
        CHECK_NEAR(rate, cases[i].rate, 1e-4);
        for (int k = 0; k < 100; k++)
            CHECK_NEAR(values[k], k, 0);
    }
}

/* One in three rows is 9 ms late, one is there twice, one comes late, three are lost; values are their time. */
static void uneven_rows_become_even(void)
{
    static char text[16000];
    static const struct {
        const char *name;
        double unit;
    } clocks[] = {
        {"t",      1   },
        {"time",   1e-3},
        {"t (ns)", 1e-9},
    };
    for (size_t k = 0; k < 3; k++) {
        float values[400];
        double rate = 0;
        size_t rows = 0, at = (size_t)snprintf(text, sizeof text, "%s,x\n", clocks[k].name);
        for (int i = 0; i < 300; i++) {
            int row = i == 200 ? 198 : i == 100 ? 99 : i, ms = 20 * row + (row % 3 == 1) * 9;
            if (row >= 50 && row < 53)
                continue;
            at += (size_t)snprintf(text + at, sizeof text - at, "%.*f,%d\n", k == 0 ? 3 : 0, 1e-3 * ms / clocks[k].unit,
                                   ms);
        }
        CHECK_STATUS(read_all(text, NULL, values, 400, &rows, &rate, NULL), LOCO_OK);
        CHECK_NEAR(rate, 50, 0);
        CHECK_EQ(rows, 300);
        for (size_t i = 0; i < rows; i++)
            CHECK_NEAR(values[i], 20 * (double)i, 1e-3);
    }
}

/* The first 32 rows are even; so rows are samples, and what is lost later is filled. */
static void lost_rows_are_filled(void)
{
    static char text[4000];
    float values[100];
    double rate = 0;
    size_t rows = 0, at = (size_t)snprintf(text, sizeof text, "when;time;x\n");
    for (int i = 0; i < 60; i++)
        if (i < 40 || i > 44)
            at += (size_t)snprintf(text + at, sizeof text - at, "day;2026-11-18 23:59:%02d,%03d;%d,5\n", 50 + i / 50,
                                   i % 50 * 20, i);
    CHECK_STATUS(read_all(text, "x", values, 100, &rows, &rate, NULL), LOCO_OK);
    CHECK_NEAR(rate, 50, 0);
    CHECK_EQ(rows, 60);
    for (size_t i = 0; i < rows; i++)
        CHECK_NEAR(values[i], (double)i + 0.5, 1e-4);
}

/* Through a pipe: a row is there when its line ends, and not before. */
static void a_row_comes_with_its_line(void)
{
    int ends[2];
    float value = 0;
    size_t got = 0;
    lc_live_rows *live = NULL;
    CHECK(pipe(ends) == 0);
    FILE *in = fdopen(ends[0], "rb"), *out = fdopen(ends[1], "wb");
    CHECK(in != NULL && out != NULL);
    fputs("# rate: 50\nx\n", out);
    fflush(out);
    CHECK_STATUS(lc_live_rows_open(&live, in, "pipe", NULL, USUAL, NULL), LOCO_OK);
    for (int i = 0; i < 5; i++) {
        fprintf(out, "%d\n%s", i, i < 4 ? "" : "9");
        fflush(out);
        CHECK_STATUS(lc_live_rows_read(live, &value, &got, NULL), LOCO_OK);
        CHECK_EQ(got, 1);
        CHECK_NEAR(value, i, 0);
    }
    fclose(out);
    CHECK_STATUS(lc_live_rows_read(live, &value, &got, NULL), LOCO_OK); /* the last line needs no end */
    CHECK_NEAR(value, 9, 0);
    CHECK_STATUS(lc_live_rows_read(live, &value, &got, NULL), LOCO_OK);
    CHECK_EQ(got, 0);
    lc_live_rows_free(live);
    fclose(in);
}

static void lines_have_a_limit(void)
{
    char *text = malloc(LC_LIVE_LINE + 100);
    lc_live_rows *live = NULL;
    loco_err err = {""};
    CHECK(text != NULL);
    if (text == NULL)
        return;
    memset(text, 'x', LC_LIVE_LINE + 100);
    FILE *file = stream_of(text, LC_LIVE_LINE + 100);
    CHECK_STATUS(lc_live_rows_open(&live, file, "pipe", NULL, USUAL, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "pipe:1: a line of more than 65536 bytes");
    fclose(file);
    free(text);
}

/* As sound: the rows of another rate are resampled, and channels must be as many as are wanted. */
static void rows_are_sound(void)
{
    lc_sound *sound = NULL;
    static char text[20000] = "# rate: 100\nx,y\n";
    float samples[1000];
    size_t got = 1, all = 0;
    loco_err err = {""};
    for (int i = 0; i < 400; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,5\n", i % 7);
    FILE *file = stream_of(text, strlen(text));
    CHECK_STATUS(lc_sound_open_rows(&sound, file, "pipe", 50, (lc_columns){2, "y,x"}, &err), LOCO_OK);
    while (got > 0) {
        CHECK_STATUS(lc_sound_read(sound, samples + 2 * all, 500 - all, &got, &err), LOCO_OK);
        all += got;
    }
    CHECK_EQ(all, 200);
    CHECK_NEAR(samples[200], 5, 1e-4);
    lc_sound_close(sound);
    rewind(file);
    sound = NULL;
    CHECK_STATUS(lc_sound_open_rows(&sound, file, "pipe", 50, (lc_columns){3, NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "has 2 channels, and 3 are wanted");
    CHECK(sound == NULL);
    fclose(file);
}

int main(void)
{
    RUN(wrong_streams_are_refused);
    RUN(rows_are_those_of_the_table);
    RUN(times_tell_the_rate);
    RUN(uneven_rows_become_even);
    RUN(lost_rows_are_filled);
    RUN(a_row_comes_with_its_line);
    RUN(lines_have_a_limit);
    RUN(rows_are_sound);
    return check_done();
}

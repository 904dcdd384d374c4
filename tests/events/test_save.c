/* SPDX-License-Identifier: MIT
 * test_save.c - events into files by the public ways: formats by name and by ending, single lines, clicks in the
 *   sound. */
#include "train_cases.h"

static const char *const classes[] = {"kick", "sn,are"};
static loco_event some[] = {
    {0.5,      0, 0.75, 0},
    {1.234567, 1, 1,    0}
};
static const loco_events lists[] = {
    {"a.wav", some, 2},
    {"b.wav", some, 1}
};

static void check_file(const char *name, const char *format, size_t lists_len, const char *want)
{
    loco_err err = {""};
    size_t length = 0;
    CHECK_STATUS(loco_events_save(run_path(name), format, lists, lists_len, classes, 2, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    char *text = run_read(name, &length);
    CHECK_STR(text, want);
    free(text);
}

static void refuse(const char *name, const char *format, const loco_events *from, size_t from_len, loco_status want,
                   const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(loco_events_save(run_path(name), format, from, from_len, classes, 2, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(run_path(name), F_OK) != 0);
}

static void mistakes_are_reported(void)
{
    loco_event late = {NAN, 0, 1, 0}, strange = {1, 2, 1, 0}, sure = {1, 0, 1.5, 0};
    refuse("x.xyz", NULL, lists, 1, LOCO_EARG, "csv (.csv)");
    refuse("x.csv", "cvs", lists, 1, LOCO_EARG, "\"cvs\" is not a format");
    refuse("x.mid", NULL, lists, 2, LOCO_EARG, "one recording");
    refuse("x.wav", NULL, lists, 1, LOCO_EARG, "sound");
    refuse("x.csv", NULL, &(loco_events){"a", &late, 1}, 1, LOCO_EDATA, "times must be within");
    refuse("x.csv", NULL, &(loco_events){"a", &strange, 1}, 1, LOCO_EDATA, "class 2");
    refuse("x.csv", NULL, &(loco_events){"a", &sure, 1}, 1, LOCO_EDATA, "probability 1.5");
    refuse("x.mid", "midi tempo=", lists, 1, LOCO_EARG, "the tempo is not a number");
    refuse("x.mid", "midi tempo=9", lists, 1, LOCO_EARG, "a tempo of 9 quarters a minute");
    refuse("no/x.csv", NULL, lists, 1, LOCO_EIO, "no/x.csv");
}

static void files_are_as_promised(void)
{
    static const char csv[] =
        "file,time,class,probability\na.wav,0.500000,kick,0.7500\na.wav,1.234567,\"sn,are\",1.0000\n";
    check_file("e.csv", NULL, 1, csv);
    check_file("e.CSV", NULL, 1, csv);
    check_file("e.txt", "csv", 1, csv);
    check_file(
        "two.csv", NULL, 2,
        "file,time,class,probability\na.wav,0.500000,kick,0.7500\na.wav,1.234567,\"sn,are\",1.0000\nb.wav,0.500000,kick,0.7500\n");
    check_file("none.csv", NULL, 0, "file,time,class,probability\n");
    check_file("e.jsonl", NULL, 1,
               "{\"file\":\"a.wav\",\"time\":0.500000,\"class\":\"kick\",\"probability\":0.7500}\n"
               "{\"file\":\"a.wav\",\"time\":1.234567,\"class\":\"sn,are\",\"probability\":1.0000}\n");
    size_t length = 0;
    CHECK_STATUS(loco_events_save(run_path("e.mid"), NULL, lists, 1, classes, 2, NULL), LOCO_OK);
    char *bytes = run_read("e.mid", &length);
    CHECK(length > 14 && case_same(bytes, "MThd", 4));
    free(bytes);
    CHECK_STATUS(loco_events_save(run_path("e.97"), "midi tempo=97", lists, 1, classes, 2, NULL), LOCO_OK);
    bytes = run_read("e.97", &length);
    CHECK(length > 14 && case_same(bytes + 12, "\x07\x80", 2)); /* 1920 ticks a quarter */
    free(bytes);
    CHECK_STATUS(loco_events_save(run_path("e.labels"), NULL, lists, 1, classes, 2, NULL), LOCO_OK);
    bytes = run_read("e.labels", &length);
    CHECK_SAYS(bytes, "kick\n");
    free(bytes);
}

/* Lines one by one make the same file. */
static void lines_are_those_of_the_file(void)
{
    char text[128];
    lc_text all = {0};
    size_t length = 0;
    CHECK_EQ(loco_event_format(text, sizeof text, "csv", NULL, NULL, NULL), strlen("file,time,class,probability\n"));
    lc_text_string(&all, text);
    for (size_t i = 0; i < 2; i++) {
        length = loco_event_format(text, sizeof text, "csv", "a.wav", classes[some[i].kind], &some[i]);
        CHECK_EQ(length, strlen(text));
        lc_text_string(&all, text);
    }
    char *file = run_read("e.csv", &length);
    CHECK_STR(all.bytes, file);
    lc_text_free(&all);
    free(file);
    CHECK_EQ(loco_event_format(text, sizeof text, "jsonl", NULL, NULL, NULL), 0);
    CHECK_STR(text, "");
    CHECK(loco_event_format(text, sizeof text, "jsonl", "a.wav", "kick", &some[0]) > 0);
    CHECK_STR(text, "{\"file\":\"a.wav\",\"time\":0.500000,\"class\":\"kick\",\"probability\":0.7500}\n");
    CHECK_EQ(loco_event_format(text, sizeof text, "nothing", "a.wav", "kick", &some[0]), 0);
    CHECK_STR(text, "");
    CHECK_EQ(loco_event_format(text, sizeof text, "midi", "a.wav", "kick", &some[0]), 0);
    /* cut, but never beyond its memory */
    memset(text, 'x', sizeof text);
    CHECK_EQ(loco_event_format(text, 6, "csv", "a.wav", "kick", &some[0]), strlen("a.wav,0.500000,kick,0.7500\n"));
    CHECK_STR(text, "a.wav");
    CHECK(text[6] == 'x');
    CHECK_EQ(loco_event_format(text, 1, "csv", "a.wav", "kick", &some[0]), strlen("a.wav,0.500000,kick,0.7500\n"));
    CHECK_STR(text, "");
    CHECK_EQ(loco_event_format(NULL, 0, "csv", "a.wav", "kick", &some[0]), strlen("a.wav,0.500000,kick,0.7500\n"));
}

static void clicks_lie_on_events(void)
{
    enum { RATE = 8000, N = 16000 };
    static float x[N], y[N];
    SF_INFO info = {0};
    loco_err err = {""};
    for (size_t i = 0; i < N; i++)
        x[i] = 0.1f * (float)sin((double)i / 20);
    run_wav("sound.wav", RATE, x, N);
    CHECK_STATUS(loco_click_save(run_path("click.wav"), run_path("no.wav"), some, 2, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "no.wav");
    CHECK_STATUS(loco_click_save(run_path("no/click.wav"), run_path("sound.wav"), some, 2, &err), LOCO_EIO);
    CHECK_STATUS(loco_click_save(run_path("click.wav"), run_path("sound.wav"), some, 2, &err), LOCO_OK);
    SNDFILE *file = sf_open(run_path("click.wav"), SFM_READ, &info);
    CHECK(file != NULL && info.samplerate == RATE && info.frames == N);
    CHECK(sf_readf_float(file, y, N) == N);
    sf_close(file);
    double quiet = 0, loud = 0;
    for (size_t i = 0; i < N; i++) {
        double difference = fabs((double)(x[i] - y[i])), seconds = (double)i / RATE;
        if (seconds < 0.49 || (seconds > 0.7 && seconds < 1.22) || seconds > 1.45)
            quiet = fmax(quiet, difference);
        else
            loud = fmax(loud, difference);
    }
    printf("    changed by %.4f beside the events, %.4f at them\n", quiet, loud);
    CHECK(loud > 0.1);
    CHECK(quiet < 1e-3);
}

int main(void)
{
    run_begin();
    RUN(mistakes_are_reported);
    RUN(files_are_as_promised);
    RUN(lines_are_those_of_the_file);
    RUN(clicks_lie_on_events);
    return run_done();
}

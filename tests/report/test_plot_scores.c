/* SPDX-License-Identifier: MIT
 * test_plot_scores.c - the F1 of several methods as dots: what is refused, rows and colours, means and reaches. */
#include "train_cases.h"

#define AT(f1)                                                                                                   \
    "{\"tolerance\": 0.15, \"matched\": 1, \"precision\": 1, \"recall\": 1, \"f1\": " f1 ", \"error_mean\": 0, " \
    "\"error_sd\": 0, \"recording_mean\": {\"precision\": 1, \"recall\": 1, \"f1\": 1}"
#define SCORES(a, b, all)                                                                                           \
    "{\"recordings\": 1, \"empty\": \"zero\", \"classes\": [{\"name\": \"a\", \"reference\": 1, \"estimated\": 1, " \
    "\"at\": [" AT(a) "}]}, {\"name\": \"b\", \"reference\": 1, \"estimated\": 1, \"at\": [" AT(                    \
        b) "}]}], \"all\": {\"reference\": 2, \"estimated\": 2, \"at\": [" AT(all) ", \"class_mean\": {\"precision\": 1, \"recall\": 1, \"f1\": 1}}]}}\n"

static void refuse(const loco_run *runs, size_t n, const char *kind, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(loco_plot_scores(run_path("no.svg"), runs, n, kind, NULL, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(run_path("no.svg"), F_OK) != 0);
}

static void mistakes_are_reported(void)
{
    enum { MANY = 41 };
    char names[MANY][8];
    char path[512]; /* run_path is good for eight calls */
    loco_run runs[MANY];
    snprintf(path, sizeof path, "%s", run_path("a.json"));
    run_write("a.json", SCORES("0.5", "0.75", "0.6"));
    run_write("bad.json", "{}\n");
    refuse(NULL, 0, NULL, LOCO_EARG, "at least one run");
    refuse(&(loco_run){"x", run_path("missing.json")}, 1, NULL, LOCO_EIO, "missing.json");
    refuse(&(loco_run){"x", run_path("bad.json")}, 1, NULL, LOCO_EDATA, "bad.json");
    refuse(&(loco_run){"x", run_path("a.json")}, 1, "c", LOCO_EARG, "called \"c\"");
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "%zu", i);
        runs[i] = (loco_run){names[i], path};
    }
    refuse(runs, MANY, NULL, LOCO_EARG, "40 rows");
    for (size_t i = 0; i < 7; i++)
        snprintf(names[i], sizeof names[i], "r / %zu", i);
    refuse(runs, 7, NULL, LOCO_EARG, "6 colours");
}

/* One row of two colours, the first of two runs: 95 and 97. The scale of 560 units begins at 90. */
static void rows_colours_and_reaches(void)
{
    size_t length = 0;
    loco_err err = {""};
    run_write("1.json", SCORES("0.95", "0.5", "0.9"));
    run_write("2.json", SCORES("0.97", "0.5", "0.9"));
    run_write("3.json", SCORES("0.92", "0.5", "0.9"));
    const loco_run runs[] = {
        {"<row> / seen",   run_path("1.json")},
        {"<row> / unseen", run_path("3.json")},
        {"<row> / seen",   run_path("2.json")}
    };
    CHECK_STATUS(loco_plot_scores(run_path("s.svg"), runs, 3, "a", "A & B", &err), LOCO_OK);
    CHECK_STR(err.text, "");
    char *text = run_read("s.svg", &length);
    CHECK_SAYS(text, "A &amp; B");
    CHECK_SAYS(text, "F1 of a in per cent, within 150 ms");
    CHECK_SAYS(text, "&lt;row&gt;");
    CHECK_SAYS(text, ">unseen<");
    CHECK_SAYS(text, ">96.0<");
    CHECK_SAYS(text, ">92.0<");
    CHECK_SAYS(text, "cx='666'"); /* 330 + 0.6 * 560 */
    CHECK_SAYS(text, "cx='442'");
    CHECK_SAYS(text, "x1='610'"); /* from 95 */
    CHECK_SAYS(text, "x2='722'"); /* to 97 */
    free(text);
}

/* Without a slash a name is a row; without a class it is of all events; a low value moves the scale. */
static void all_events(void)
{
    size_t length = 0;
    loco_err err = {""};
    run_write("low.json", SCORES("0.95", "0.5", "0.4"));
    CHECK_STATUS(loco_plot_scores(run_path("l.svg"), &(loco_run){"only", run_path("low.json")}, 1, NULL, NULL, &err),
                 LOCO_OK);
    char *text = run_read("l.svg", &length);
    CHECK_SAYS(text, "F1 of all events");
    CHECK_SAYS(text, ">40.0<");
    CHECK_SAYS(text, "cx='330'");
    CHECK_SAYS(text, "only");
    free(text);
}

int main(void)
{
    run_begin();
    RUN(mistakes_are_reported);
    RUN(rows_colours_and_reaches);
    RUN(all_events);
    return run_done();
}

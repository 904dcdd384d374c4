/* SPDX-License-Identifier: MIT
 * test_runs_table.c - methods side by side: the whole of a small table, plain and in Markdown. */
#include "cases.h"

#include "eval/runs.h"

#define RATES(p, r, f) "\"precision\": " p ", \"recall\": " r ", \"f1\": " f
#define AT(f)                                                                                                          \
    "\"at\": [{\"tolerance\": 0.05, " RATES(                                                                           \
        "0.9", "0.8", f) ", \"error_mean\": -0.00125, \"error_sd\": null, "                                            \
                         "\"recording_mean\": {" RATES("0.6", "0.5", "0.4") "}, \"class_mean\": {" RATES("0.3", "0.2", \
                                                                                                         "0.1") "}}]"
#define ONE(f, counts) "{\"classes\": [{\"name\": \"a|b\", " AT(f) "}], \"all\": {" AT("0.7") counts "}}\n"

static lc_runs runs;

static void add(const char *method, const char *text)
{
    loco_err err = {""};
    CHECK_STATUS(lc_runs_add(&runs, method, "x.json", text, strlen(text), &err), LOCO_OK);
    CHECK_STR(err.text, "");
}

/* clang-format off */
static const char plain[] =
    "within 50 ms, per cent: F1 of each class; precision, recall and F1 as means over classes, then of all events\n"
    "method  runs         a|b         Pre         Rec          F1     all Pre     all Rec      all F1\n"
    "first      2  51.0 \302\261 1.4  30.0 \302\261 0.0  20.0 \302\261 0.0  10.0 \302\261 0.0  90.0 \302\261 0.0  80.0 \302\261 0.0  70.0 \302\261 0.0\n"
    "zw\303\266lf      1       100.0        30.0        20.0        10.0        90.0        80.0        70.0\n"
    "\n"
    "within 50 ms, per cent: the same as means over recordings\n";
static const char counts[] =
    "\ncounts of clips\n"
    "method  runs  exact %  error    bias  log loss\n"
    "first      2     90.0  0.100  -0.050         -\n"
    "zw\303\266lf      1        -      -       -         -\n";
/* clang-format on */

static void tables_read_well(void)
{
    lc_text text = {0};
    add("first", ONE("0.5", ", \"counts\": {\"exact\": 0.9, \"absolute_error\": 0.1, \"bias\": -0.05}"));
    add("first", ONE("0.52", ""));
    add("zw\303\266lf", ONE("1", ""));
    lc_runs_table(&text, &runs, false);
    CHECK(!text.failed);
    printf("%s", text.bytes);
    CHECK(strncmp(text.bytes, plain, strlen(plain)) == 0);
    CHECK_SAYS(text.bytes, counts);
    CHECK_SAYS(text.bytes, "-1.25 \302\261 0.00");
    CHECK_SAYS(text.bytes, "standard deviation over the runs");
    lc_text_free(&text);
    lc_runs_table(&text, &runs, true);
    printf("%s", text.bytes);
    CHECK_SAYS(text.bytes, "**within 50 ms**, per cent");
    CHECK_SAYS(text.bytes, "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n| first  |    2 |");
    CHECK(strstr(text.bytes, "a|b") == NULL && strstr(text.bytes, "a/b") != NULL);
    lc_text_free(&text);
    lc_runs_free(&runs);
}

/* One run has no spread; unknown values are dashes. */
static void a_single_run(void)
{
    lc_text text = {0};
    add("only", ONE("0.5", ""));
    lc_runs_table(&text, &runs, false);
    CHECK(strstr(text.bytes, "\302\261") == NULL);
    CHECK_SAYS(text.bytes, "sd a|b");
    CHECK(strstr(text.bytes, "counts of clips") == NULL);
    lc_text_free(&text);
    lc_runs_free(&runs);
}

static void files_that_are_missing(void)
{
    char *text = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_table(&text, NULL, 0, false, &err), LOCO_EARG);
    CHECK_STATUS(loco_table(&text, &(loco_run){"a", "/no/such.json"}, 1, false, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "/no/such.json");
    CHECK(text == NULL);
}

/* Of images: distances in pixels. */
static void images_have_pixels(void)
{
    lc_text text = {0};
    static const char image[] = "{\"classes\": [{\"name\": \"cell\", \"at\": [{\"tolerance\": 14, \"f1\": 0.5, "
                                "\"error_mean\": 2.25}]}], \"all\": {\"at\": [{\"tolerance\": 14, \"f1\": 0.5, "
                                "\"error_mean\": 2.25}]}, \"unit\": \"px\"}\n";
    lc_runs_free(&runs);
    add("first", image);
    lc_runs_table(&text, &runs, false);
    CHECK_SAYS(text.bytes, "within 14 px, per cent");
    CHECK_SAYS(text.bytes, "within 14 px, pixels: distance of matched events");
    CHECK_SAYS(text.bytes, "2.25");
    CHECK(strstr(text.bytes, "ms") == NULL && strstr(text.bytes, "2250") == NULL);
    lc_text_free(&text);
    lc_runs_free(&runs);
}

int main(void)
{
    RUN(files_that_are_missing);
    RUN(tables_read_well);
    RUN(a_single_run);
    RUN(images_have_pixels);
    return check_done();
}

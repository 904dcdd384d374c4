/* SPDX-License-Identifier: MIT
 * test_options.c - options that can grow: older and newer structs are read, a size that is not set is refused, by every
 *   public function that takes options. */
#include "burst_model.h"

#include "base/options.h"

/* A struct as it was, as it is, and as it will be. */
typedef struct old_options {
    size_t size;
    double a;
} old_options;

typedef struct our_options {
    size_t size;
    double a;
    const char *b;
} our_options;

typedef struct new_options {
    size_t size;
    double a;
    const char *b;
    double c, d;
} new_options;

static loco_status read_into(our_options *to, const void *from, loco_err *err)
{
    memset(to, 0x55, sizeof *to);
    return lc_options_read(to, sizeof *to, from, "our_options", err);
}

static bool untouched(const our_options *to)
{
    our_options as_before;
    memset(&as_before, 0x55, sizeof as_before);
    return case_same(to, &as_before, sizeof as_before);
}

static void sizes_that_are_not_set_are_refused(void)
{
    our_options to;
    loco_err err = {""};
    for (size_t size = 0; size < sizeof size; size++) {
        char want[80];
        snprintf(want, sizeof want, "our_options: size is %zu; set it to sizeof(our_options)", size);
        CHECK_STATUS(read_into(&to, &(our_options){.size = size, .a = 1}, &err), LOCO_EARG);
        CHECK_STR(err.text, want);
        CHECK(untouched(&to));
    }
    CHECK_STATUS(read_into(&to, &(our_options){.size = 0}, NULL), LOCO_EARG);
}

static void missing_options_are_zeros(void)
{
    our_options to;
    loco_err err = {""};
    CHECK_STATUS(read_into(&to, NULL, &err), LOCO_OK);
    CHECK(to.size == sizeof to && to.b == NULL);
    CHECK_NEAR(to.a, 0, 0);
    CHECK_STR(err.text, "");
}

static void ours_are_copied(void)
{
    our_options to;
    const our_options from = {.size = sizeof from, .a = 2.5, .b = "text"};
    CHECK_STATUS(read_into(&to, &from, NULL), LOCO_OK);
    CHECK(to.size == sizeof to && to.b == from.b);
    CHECK_NEAR(to.a, 2.5, 0);
}

/* What an older program does not know is 0; its size alone is enough. */
static void older_ones_are_filled_up(void)
{
    our_options to;
    const old_options from = {.size = sizeof from, .a = 2.5};
    const size_t least = sizeof least;
    CHECK_STATUS(read_into(&to, &from, NULL), LOCO_OK);
    CHECK(to.size == sizeof to && to.b == NULL);
    CHECK_NEAR(to.a, 2.5, 0);
    CHECK_STATUS(read_into(&to, &least, NULL), LOCO_OK);
    CHECK(to.size == sizeof to && to.b == NULL);
    CHECK_NEAR(to.a, 0, 0);
}

/* A newer program is served as long as it asks for nothing that is new. */
static void newer_ones_must_be_zero_behind(void)
{
    our_options to;
    loco_err err = {""};
    new_options from = {.size = sizeof from, .a = 2.5, .b = "text"};
    CHECK_STATUS(read_into(&to, &from, &err), LOCO_OK);
    CHECK(to.size == sizeof to && to.b == from.b);
    from.d = 1;
    CHECK_STATUS(read_into(&to, &from, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "our_options of ");
    CHECK_SAYS(err.text, "was made for a newer LoCo");
    CHECK_SAYS(err.text, loco_version());
    CHECK(untouched(&to));
}

/* ---- the public functions ---- */

static burst_case made;
static loco_model *model;

static void take_nothing(void *context, const loco_event *event)
{
    (void)context;
    (void)event;
}

static void take_no_row(void *context, const loco_tally_row *row)
{
    (void)context;
    (void)row;
}

static void refused(loco_status status, const loco_err *err, const char *name)
{
    char want[100];
    snprintf(want, sizeof want, "%s: size is 0; set it to sizeof(%s)", name, name);
    CHECK_STATUS(status, LOCO_EARG);
    CHECK_STR(err->text, want);
}

static void detection_and_counting_refuse(void)
{
    const loco_detect_options how = {.decoding = NULL};
    const loco_tally_options tally = {.every = 0};
    const loco_enrich_options enrich = {.gap = 0};
    loco_err err = {""};
    loco_event *events = NULL;
    loco_events *lists = NULL;
    size_t n = 0;
    double seconds = -1;
    const char *sound = run_path("set/r.wav");
    refused(loco_detect(&events, &n, model, sound, &how, &err), &err, "loco_detect_options");
    refused(loco_detect_each(take_nothing, NULL, model, sound, &how, &err), &err, "loco_detect_options");
    refused(loco_detect_latency(&seconds, model, &how, &err), &err, "loco_detect_options");
    refused(loco_tally(take_no_row, NULL, model, sound, &tally, &err), &err, "loco_tally_options");
    refused(loco_tally_clips(take_no_row, NULL, model, made.data, &tally, &err), &err, "loco_tally_options");
    refused(loco_enrich(&lists, &n, model, made.data, &enrich, &err), &err, "loco_enrich_options");
    CHECK(events == NULL && lists == NULL && n == 0 && seconds < 0);
}

static void evaluation_refuses(void)
{
    const loco_detect_options detect = {.decoding = NULL};
    const loco_evaluate_options how = {.tolerances = NULL};
    const loco_evaluate_options inner = {.size = sizeof inner, .detect = &detect};
    const char *names[] = {"burst"};
    loco_scores *scores = NULL;
    loco_err err = {""};
    char events[256];
    const char *e = "loco_evaluate_options";
    snprintf(events, sizeof events, "%s", run_path("set/events.csv"));
    refused(loco_evaluate(&scores, model, made.data, &how, &err), &err, e);
    refused(loco_evaluate(&scores, model, made.data, &inner, &err), &err, "loco_detect_options");
    refused(loco_evaluate_files(&scores, events, events, &how, &err), &err, e);
    refused(loco_evaluate_events(&scores, NULL, 0, NULL, 0, names, 1, &how, &err), &err, e);
    refused(loco_plot_evaluation(run_path(""), model, made.data, &how, NULL, &err), &err, e);
    refused(loco_plot_evaluation_files(run_path(""), events, events, &how, NULL, &err), &err, e);
    CHECK(scores == NULL);
}

static void the_others_refuse(void)
{
    loco_err err = {""};
    bool finished = true;
    char *findings = NULL;
    size_t recordings[LOCO_SPLIT_PARTS] = {7};
    refused(loco_train(&finished, run_path("t.loco"), made.data, &(loco_train_options){.threads = 1}, &err), &err,
            "loco_train_options");
    refused(loco_calibrate(&findings, model, made.data, &(loco_calibrate_options){.threads = 1}, &err), &err,
            "loco_calibrate_options");
    refused(loco_split(recordings, run_path("parts"), made.data, &(loco_split_options){.test = 0.5}, &err), &err,
            "loco_split_options");
    refused(loco_report(run_path("p.html"), model, &(loco_report_options){.data = made.data}, &err), &err,
            "loco_report_options");
    CHECK(finished && findings == NULL && recordings[0] == 7);
}

int main(void)
{
    RUN(sizes_that_are_not_set_are_refused);
    RUN(missing_options_are_zeros);
    RUN(ours_are_copied);
    RUN(older_ones_are_filled_up);
    RUN(newer_ones_must_be_zero_behind);
    burst_begin(&made, 4);
    if (loco_model_load(&model, made.model, NULL) != LOCO_OK)
        return 1;
    RUN(detection_and_counting_refuse);
    RUN(evaluation_refuses);
    RUN(the_others_refuse);
    loco_model_free(model);
    return run_done();
}

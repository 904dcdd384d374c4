/* SPDX-License-Identifier: MIT
 * test_train_oom.c - lets the n-th allocation of ours fail, for every n, in whole runs: training, detection, evaluation,
 *   report. The caller gets an error, nothing leaks, and no result is touched. Allocations inside the libraries for sound are
 *   theirs, and do not fail here. */
#include "burst_model.h"
#include "oom.h"

typedef loco_status work(loco_err *err);

static char set[256], model_path[256], trained[256], page[256], sound[256], folder[256], scores[256], steps[256];

static loco_status train_with(bool resume, loco_err *err)
{
    static const char *const sets[] = {"network=gru 2", "frontend.bands=24", "steps=2", "check=2", "batch=2"};
    bool finished = false;
    loco_train_options training = {
        .size = sizeof training, .sets = sets, .sets_len = 5, .threads = 1, .resume = resume};
    loco_status status = loco_train(&finished, trained, set, &training, err);
    CHECK(finished == (status == LOCO_OK));
    return status;
}

static loco_status train(loco_err *err)
{
    return train_with(false, err);
}

static loco_status resume(loco_err *err)
{
    return train_with(true, err);
}

static loco_status detect_how(const loco_detect_options *how, loco_err *err)
{
    loco_model *model = NULL;
    loco_event *events = NULL;
    size_t n = 0;
    loco_status status = loco_model_load(&model, model_path, err);
    CHECK((model != NULL) == (status == LOCO_OK));
    if (status == LOCO_OK)
        status = loco_detect(&events, &n, model, sound, how, err);
    CHECK((n > 0) == (status == LOCO_OK) && (events != NULL) == (status == LOCO_OK));
    loco_free(events);
    loco_model_free(model);
    return status;
}

static loco_status detect(loco_err *err)
{
    return detect_how(NULL, err);
}

static loco_status detect_by_vote(loco_err *err)
{
    return detect_how(&(loco_detect_options){.size = sizeof(loco_detect_options), .ensemble = 2}, err);
}

static loco_status detect_counted(loco_err *err)
{
    loco_label label = loco_label_exact(3);
    return detect_how(&(loco_detect_options){.size = sizeof(loco_detect_options), .counts = &label}, err);
}

static loco_status describe(loco_err *err)
{
    loco_model *model = NULL;
    char *text = NULL;
    loco_status status = loco_model_load(&model, model_path, err);
    if (status == LOCO_OK)
        status = loco_model_describe(&text, model, err);
    CHECK((text != NULL) == (status == LOCO_OK));
    loco_free(text);
    loco_model_free(model);
    return status;
}

static loco_status evaluate(loco_err *err)
{
    char *text = NULL, *why = NULL;
    bool met = false;
    loco_model *model = NULL;
    loco_scores *found = NULL;
    loco_status status = loco_model_load(&model, model_path, err);
    if (status == LOCO_OK)
        status = loco_evaluate(&found, model, set, NULL, err);
    CHECK((found != NULL) == (status == LOCO_OK));
    if (status == LOCO_OK)
        status = loco_scores_format(&text, found, "table", err);
    if (status == LOCO_OK)
        status = loco_scores_require(&met, &why, found, "f1=0", err);
    CHECK((why != NULL) == (status == LOCO_OK) && met == (status == LOCO_OK));
    loco_free(text);
    loco_free(why);
    loco_scores_free(found);
    loco_model_free(model);
    return status;
}

static loco_status evaluate_events(loco_err *err)
{
    static loco_event events[] = {
        {1, 0, 1, 0},
        {2, 1, 1, 0}
    };
    static const loco_events truth[] = {
        {"a", events, 2},
        {"b", events, 1}
    };
    static const char *const classes[] = {"x", "y"};
    loco_scores *found = NULL;
    loco_status status = loco_evaluate_events(&found, truth, 2, truth, 1, classes, 2, NULL, err);
    CHECK((found != NULL) == (status == LOCO_OK));
    loco_scores_free(found);
    return status;
}

static loco_status report(loco_err *err)
{
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, model_path, err);
    if (status == LOCO_OK)
        status = loco_report(page, model, &(loco_report_options){.size = sizeof(loco_report_options), .data = set},
                             err);
    loco_model_free(model);
    return status;
}

static loco_status figures(loco_err *err)
{
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, model_path, err);
    if (status == LOCO_OK)
        status = loco_plot_evaluation(folder, model, set, NULL, "title", err);
    loco_model_free(model);
    return status;
}

static loco_status clip_figure(loco_err *err)
{
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, model_path, err);
    if (status == LOCO_OK)
        status = loco_plot_clip(page, model, sound, 1, 2, NULL, err);
    loco_model_free(model);
    return status;
}

static loco_status open_model(loco_err *err)
{
    loco_model *model = NULL;
    loco_status status = loco_model_open(&model, model_path, err);
    CHECK((model != NULL) == (status == LOCO_OK));
    if (status == LOCO_OK)
        status = loco_model_save(page, model, err);
    loco_model_free(model);
    return status;
}

/* Two methods, of which one has two runs. */
static loco_status table(loco_err *err)
{
    char *text = NULL;
    const loco_run runs[] = {
        {"a", scores},
        {"b", scores},
        {"a", scores}
    };
    loco_status status = loco_table(&text, runs, 3, true, err);
    CHECK((text != NULL) == (status == LOCO_OK));
    loco_free(text);
    return status;
}

static loco_status curves(loco_err *err)
{
    const loco_run runs[] = {
        {"a", steps},
        {"b", steps},
        {"a", steps}
    };
    return loco_plot_runs(page, runs, 3, NULL, err);
}

/* harmless: how many failures may pass unnoticed, since nothing that matters was lost. */
static void fail_each(const char *name, work *run, size_t harmless)
{
    size_t n = 0, passed = 0;
    for (bool failed = true; failed;) {
        loco_err err = {""};
        oom_begin(++n);
        loco_status status = run(&err);
        failed = oom_end() >= n;
        if (failed && status == LOCO_OK) {
            passed++;
            continue;
        }
        CHECK_STATUS(status, failed ? LOCO_ENOMEM : LOCO_OK);
        if (failed)
            CHECK_SAYS(err.text, "out of memory");
    }
    printf("    %s: %zu allocations, %zu of them may fail\n", name, n - 1, passed);
    CHECK(n > 10);
    CHECK(passed <= harmless);
}

static void every_failing_allocation_is_reported(void)
{
    fail_each("detect", detect, 0);
    fail_each("detect by vote", detect_by_vote, 0);
    fail_each("detect with counts", detect_counted, 0);
    fail_each("describe", describe, 2);
    fail_each("evaluate", evaluate, 0);
    fail_each("evaluate events", evaluate_events, 0);
    fail_each("open", open_model, 0);
    fail_each("report", report, 0);
    fail_each("figures", figures, 0);
    fail_each("figure of a clip", clip_figure, 0);
    fail_each("table", table, 0);
    fail_each("curves", curves, 3); /* a line of each log */
    fail_each("train", train, 5);   /* a line of the log; leftovers of three files stay */
    fail_each("resume", resume, 5);
}

int main(void)
{
    double times[64];
    run_begin();
    burst_set("set", 3, 1, times, 64);
    burst_model("m.loco", 2, 1);
    snprintf(set, sizeof set, "%s", run_path("set"));
    snprintf(model_path, sizeof model_path, "%s", run_path("m.loco"));
    snprintf(trained, sizeof trained, "%s", run_path("trained.loco"));
    snprintf(page, sizeof page, "%s", run_path("page.html"));
    snprintf(sound, sizeof sound, "%s", run_path("set/r.wav"));
    snprintf(folder, sizeof folder, "%s", run_path(""));
    snprintf(scores, sizeof scores, "%s", run_path("scores.json"));
    snprintf(steps, sizeof steps, "%s", run_path("steps.jsonl"));
    run_write("scores.json", "{\"classes\": [{\"name\": \"a\", \"at\": [{\"tolerance\": 0.05, \"f1\": 0.5}]}], "
                             "\"all\": {\"at\": [{\"tolerance\": 0.05, \"f1\": 0.5}]}}\n");
    run_write("steps.jsonl", "{\"step\": 1, \"f1_50\": 0.5}\n{\"step\": 2, \"f1_50\": 0.5}\n");
    RUN(every_failing_allocation_is_reported);
    return run_done();
}

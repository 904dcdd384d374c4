/* SPDX-License-Identifier: MIT
 * test_plot_evaluation.c - pictures of an evaluation from a model that detects bursts: the same numbers as its
 * scores. */
#include "burst_model.h"

#include "base/json.h"

static char data_path[256], folder[256];

static loco_model *model;

static void refuse(const char *data, loco_detect_options detect, loco_status want, const char *says)
{
    loco_err err = {""};
    detect.size = sizeof detect;
    const loco_evaluate_options how = {.size = sizeof how, .detect = &detect};
    CHECK_STATUS(loco_plot_evaluation(folder, model, data, &how, NULL, &err), want);
    CHECK_SAYS(err.text, says);
}

static void mistakes_are_reported(void)
{
    loco_err err = {""};
    refuse(NULL, (loco_detect_options){0}, LOCO_EARG, "a model and a data set");
    refuse(data_path, (loco_detect_options){.ensemble = 3}, LOCO_EARG, "no ensemble");
    refuse(data_path, (loco_detect_options){.decoding = "count"}, LOCO_EARG, "no threshold");
    refuse(data_path, (loco_detect_options){.decoding = "peka"}, LOCO_EARG, "peak");
    refuse("/no/set", (loco_detect_options){0}, LOCO_EIO, "/no/set");
    CHECK_STATUS(loco_plot_evaluation(folder, NULL, data_path, NULL, NULL, &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_evaluation_files(folder, data_path, NULL, NULL, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "two files");
    CHECK(rename(run_path("set/events.csv"), run_path("events.csv")) == 0);
    refuse(data_path, (loco_detect_options){0}, LOCO_EDATA, "no event times");
    CHECK(rename(run_path("events.csv"), run_path("set/events.csv")) == 0);
    CHECK(access(run_path("pictures/errors.svg"), F_OK) != 0);
}

static double number(const char *text, const char *key)
{
    cJSON *root = NULL;
    if (lc_json_parse(&root, "scores", text, strlen(text), NULL) != LOCO_OK)
        exit(1);
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(root, "all");
    const cJSON *at = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(all, "at"), 0);
    double value = cJSON_GetObjectItemCaseSensitive(at, key)->valuedouble;
    cJSON_Delete(root);
    return value;
}

/* Matched pairs, mean and spread are those of the scores. */
static void check_figures(const char *decoding)
{
    const double tolerance = 0.04;
    const loco_detect_options detect = {.size = sizeof detect, .decoding = decoding};
    const loco_evaluate_options how = {
        .size = sizeof how, .tolerances = &tolerance, .tolerances_len = 1, .detect = &detect};
    loco_err err = {""};
    loco_scores *scores = NULL;
    char *text = NULL;
    size_t length;
    lc_text want = {0};
    CHECK_STATUS(loco_evaluate(&scores, model, data_path, &how, &err), LOCO_OK);
    CHECK_STATUS(loco_scores_format(&text, scores, "json", &err), LOCO_OK);
    loco_scores_free(scores);
    CHECK_STATUS(loco_plot_evaluation(folder, model, data_path, &how, "m.loco", &err), LOCO_OK);
    CHECK_STR(err.text, "");
    char *errors = run_read("pictures/errors.svg", &length),
         *curve = run_read("pictures/precision-recall.svg", &length);
    lc_text_format(&want, ">%zu pairs<", (size_t)number(text, "matched"));
    CHECK(number(text, "matched") > 20);
    CHECK_SAYS(errors, want.bytes);
    lc_text_free(&want);
    lc_text_string(&want, ">mean ");
    lc_text_fixed(&want, 1e3 * number(text, "error_mean"), 1);
    CHECK_SAYS(errors, want.bytes);
    lc_text_free(&want);
    lc_text_string(&want, ">spread ");
    lc_text_fixed(&want, 1e3 * number(text, "error_sd"), 1);
    CHECK_SAYS(errors, want.bytes);
    CHECK_SAYS(errors, "within 40 ms");
    CHECK_SAYS(curve, "F1 ");
    CHECK_SAYS(curve, "m.loco, 1 recording<");
    lc_text_free(&want);
    free(errors);
    free(curve);
    loco_free(text);
}

static void figures_agree_with_scores(void)
{
    check_figures(NULL);
    check_figures("peak threshold=0.3 gap=0.03 versions=3"); /* times of a vote are not those of the decoder */
}

/* Of a model the number of recordings is left, of files the name of the estimate. */
static void titles_may_be_missing(void)
{
    size_t length;
    char events[256];
    snprintf(events, sizeof events, "%s", run_path("set/events.csv"));
    CHECK_STATUS(loco_plot_evaluation(folder, model, data_path, NULL, NULL, NULL), LOCO_OK);
    char *picture = run_read("pictures/errors.svg", &length);
    CHECK_SAYS(picture, ">1 recording<");
    free(picture);
    CHECK_STATUS(loco_plot_evaluation_files(folder, events, events, NULL, NULL, NULL), LOCO_OK);
    picture = run_read("pictures/errors.svg", &length);
    CHECK_SAYS(picture, ">events.csv<");
    free(picture);
    CHECK_STATUS(loco_plot_evaluation_files(folder, events, events, NULL, "both", NULL), LOCO_OK);
    picture = run_read("pictures/errors.svg", &length);
    CHECK_SAYS(picture, ">both<");
    free(picture);
}

int main(void)
{
    double times[256];
    run_begin();
    burst_model("m.loco", 2, 1);
    burst_set("set", 20, 1, times, 256);
    CHECK(mkdir(run_path("pictures"), 0777) == 0);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    snprintf(data_path, sizeof data_path, "%s", run_path("set"));
    snprintf(folder, sizeof folder, "%s", run_path("pictures"));
    RUN(mistakes_are_reported);
    RUN(figures_agree_with_scores);
    RUN(titles_may_be_missing);
    loco_model_free(model);
    return run_done();
}

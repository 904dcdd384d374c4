/* SPDX-License-Identifier: MIT
 * test_figures.c - pictures of an evaluation from a model that hears bursts: the same numbers as its scores. */
#include "burst_model.h"

#include "model/json.h"

static char model_path[256], data_path[256], folder[256];

static void refuse(loco_evaluation asked, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(loco_figures(folder, &asked, &err), want);
    CHECK_SAYS(err.text, says);
}

static void mistakes_are_told(void)
{
    refuse((loco_evaluation){.model = model_path}, LOCO_EARG, "a model and a data set");
    refuse((loco_evaluation){.model = model_path, .data = data_path, .how = {.ensemble = 3}}, LOCO_EARG, "no ensemble");
    refuse((loco_evaluation){.model = model_path, .data = data_path, .how = {.decoding = "count"}}, LOCO_EARG,
           "no threshold");
    refuse((loco_evaluation){.model = model_path, .data = data_path, .how = {.decoding = "peka"}}, LOCO_EARG, "peak");
    refuse((loco_evaluation){.model = model_path, .data = "/no/set"}, LOCO_EIO, "/no/set");
    CHECK(rename(run_path("set/events.csv"), run_path("events.csv")) == 0);
    refuse((loco_evaluation){.model = model_path, .data = data_path}, LOCO_EDATA, "no event times");
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
    loco_evaluation asked = {.model = model_path,
                             .data = data_path,
                             .tolerances = &tolerance,
                             .tolerances_len = 1,
                             .how = {.decoding = decoding},
                             .json = true};
    loco_err err = {""};
    char *text = NULL;
    bool met;
    size_t length;
    lc_text want = {0};
    CHECK_STATUS(loco_evaluate(&asked, &text, &met, &err), LOCO_OK);
    CHECK_STATUS(loco_figures(folder, &asked, &err), LOCO_OK);
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

int main(void)
{
    double times[256];
    run_begin();
    burst_model("m.loco", 2, 1);
    burst_set("set", 20, 1, times, 256);
    CHECK(mkdir(run_path("pictures"), 0777) == 0);
    snprintf(model_path, sizeof model_path, "%s", run_path("m.loco"));
    snprintf(data_path, sizeof data_path, "%s", run_path("set"));
    snprintf(folder, sizeof folder, "%s", run_path("pictures"));
    RUN(mistakes_are_told);
    RUN(figures_agree_with_scores);
    return run_done();
}

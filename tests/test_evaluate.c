/* SPDX-License-Identifier: MIT
 * test_evaluate.c - scores by the public way: of a model on a data set, and of two lists of events. */
#include "burst_model.h"

#include "model/json.h"

static burst_case made;

static char *evaluate(const loco_evaluation *asked, bool *met)
{
    char *text = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_evaluate(asked, &text, met, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    if (text == NULL)
        exit(1);
    return text;
}

static void refuse(loco_evaluation asked, loco_status want, const char *says)
{
    char *text = NULL;
    bool met = true;
    loco_err err = {""};
    CHECK_STATUS(loco_evaluate(&asked, &text, &met, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(text == NULL && met);
}

/* A number of the JSON: all.at[tolerance].key */
static double at(const char *text, int tolerance, const char *key)
{
    cJSON *root = NULL;
    if (lc_json_parse(&root, "scores", text, strlen(text), NULL) != LOCO_OK)
        exit(1);
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(root, "all");
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(all, "at"), tolerance);
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, key);
    double number = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
    cJSON_Delete(root);
    return number;
}

static void mistakes_are_told(void)
{
    refuse((loco_evaluation){.model = NULL}, LOCO_EARG, "a model and a data set, or two lists");
    refuse((loco_evaluation){.model = made.model}, LOCO_EARG, "a model and a data set");
    refuse((loco_evaluation){.reference = made.data}, LOCO_EARG, "two lists");
    refuse((loco_evaluation){.model = "/no.loco", .data = made.data}, LOCO_EIO, "/no.loco");
    refuse((loco_evaluation){.model = made.model, .data = "/no/set"}, LOCO_EIO, "/no/set");
    refuse((loco_evaluation){.model = made.model, .data = made.data, .require = "f2=0.9"}, LOCO_EARG, "f2");
    refuse((loco_evaluation){.model = made.model, .data = made.data, .how = {.decoding = "maas"}}, LOCO_EARG, "mass");
    refuse((loco_evaluation){.reference = "/no.csv", .estimate = "/no.csv"}, LOCO_EIO, "/no.csv");
    refuse(
        (loco_evaluation){
            .model = made.model, .data = made.data, .tolerances = (const double[]){-1}, .tolerances_len = 1},
        LOCO_EARG, "tolerance 0");
    burst_model("two.loco", 2, 2);
    refuse((loco_evaluation){.model = run_path("two.loco"), .data = made.data}, LOCO_EDATA, "no class \"ghost\"");
}

static void models_are_scored(void)
{
    bool met = false;
    loco_evaluation asked = {.model = made.model, .data = made.data, .json = true, .require = "f1=0.99,count=0"};
    char *text = evaluate(&asked, &met);
    CHECK(met);
    CHECK_NEAR(at(text, 0, "f1"), 1, 0);
    CHECK_NEAR(at(text, 0, "tolerance"), 0.05, 1e-9);
    CHECK_NEAR(at(text, 0, "matched"), (double)made.times_len, 0);
    CHECK_NEAR(at(text, 1, "f1"), 1, 0);
    CHECK(fabs(at(text, 0, "error_mean")) < 0.002 && at(text, 0, "error_sd") < 0.006);
    CHECK_SAYS(text, "\"counts\"");
    loco_free(text);
    /* the same for people; a requirement that is not met is told */
    asked.json = false;
    asked.require = "f1=0.99,f1@20=0.5";
    text = evaluate(&asked, &met);
    CHECK_SAYS(text, "burst");
    CHECK_SAYS(text, "within 50 ms");
    CHECK(met);
    loco_free(text);
    asked.how.decoding = "threshold=0.999999";
    text = evaluate(&asked, &met);
    CHECK(!met);
    CHECK_SAYS(text, "f1");
    loco_free(text);
    /* other tolerances: nothing is found within 10 us */
    asked = (loco_evaluation){.model = made.model,
                              .data = made.data,
                              .json = true,
                              .tolerances = (const double[]){0.00001},
                              .tolerances_len = 1};
    text = evaluate(&asked, &met);
    CHECK(met && at(text, 0, "f1") < 0.1 && isnan(at(text, 1, "f1")));
    loco_free(text);
}

/* The mean |expected - given| count of the clips. */
static double count_error(const char *model)
{
    bool met = false;
    char *text = evaluate(&(loco_evaluation){.model = run_path(model), .data = run_path("edges"), .json = true}, &met);
    cJSON *root = NULL;
    if (lc_json_parse(&root, "scores", text, strlen(text), NULL) != LOCO_OK)
        exit(1);
    const cJSON *counts = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "all"), "counts");
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(counts, "absolute_error");
    double number = cJSON_IsNumber(error) ? error->valuedouble : (double)NAN;
    cJSON_Delete(root);
    loco_free(text);
    return number;
}

/* The same of a model that was calibrated. */
static double calibrated_error(size_t tap)
{
    char *findings = NULL;
    burst_model("calibrated.loco", tap, 1);
    CHECK_STATUS(loco_calibrate(run_path("calibrated.loco"), run_path("edges"), false, 2, &findings, NULL), LOCO_OK);
    loco_free(findings);
    return count_error("calibrated.loco");
}

/* Bursts 5 ms behind the start of every other clip: a model that is 30 ms early counts them in the clip before, until it
 * knows that it is early. Then it counts like one that is late. */
static void offsets_move_the_clips(void)
{
    double at_start[] = {2.005, 4.005, 6.005, 8.005};
    CHECK(mkdir(run_path("edges"), 0777) == 0);
    run_bursts("edges/r.wav", 22050, 10, at_start, 4);
    run_write("edges/events.csv", "file,time,class\nr.wav,2.005,burst\nr.wav,4.005,burst\nr.wav,6.005,burst\n"
                                  "r.wav,8.005,burst\n");
    run_write("edges/counts.csv", "file,start,end,burst\nr.wav,1,2,0\nr.wav,2,3,1\nr.wav,3,4,0\nr.wav,4,5,1\n"
                                  "r.wav,5,6,0\nr.wav,6,7,1\nr.wav,7,8,0\nr.wav,8,,1\n");
    burst_model("early.loco", 4, 1);
    double before = count_error("early.loco");
    double early = calibrated_error(4), late = calibrated_error(0);
    printf("    counts are off by %.3f, calibrated by %.3f, of a late model by %.3f\n", before, early, late);
    CHECK(before > 0.9);
    CHECK(early < before - 0.5);
    CHECK_NEAR(early, late, 0.01);
}

static void lists_are_compared(void)
{
    char reference[256], estimate[256];
    bool met = false;
    run_write("a.csv", "file,time,class\nx.wav,1,kick\nx.wav,2,kick\nx.wav,3,snare\ny.wav,1,snare\n");
    run_write("b.csv", "file,time,class\nx.wav,1.03,kick\nx.wav,2.01,kick\nz.wav,1,snare\n");
    snprintf(reference, sizeof reference, "%s", run_path("a.csv"));
    snprintf(estimate, sizeof estimate, "%s", run_path("b.csv"));
    char *text = evaluate(&(loco_evaluation){.reference = reference, .estimate = reference, .json = true}, &met);
    CHECK(met);
    CHECK_NEAR(at(text, 0, "f1"), 1, 0);
    loco_free(text);
    text = evaluate(&(loco_evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "matched"), 2, 0);
    CHECK_NEAR(at(text, 0, "recall"), 0.5, 1e-12);       /* of 4 */
    CHECK_NEAR(at(text, 0, "precision"), 2.0 / 3, 1e-6); /* of 3: that in z.wav is a false alarm */
    CHECK_NEAR(at(text, 1, "matched"), 1, 0);
    loco_free(text);
    /* one file against one: whatever they are called */
    run_write("a.csv", "file,time,class\nx.wav,1,kick\n");
    run_write("b.csv", "file,time,class\nz.wav,1,kick\n");
    text = evaluate(&(loco_evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "f1"), 1, 0);
    loco_free(text);
    run_write("b.csv", "file,time,class\nz.wav,1,kcik\n");
    refuse((loco_evaluation){.reference = reference, .estimate = estimate}, LOCO_EDATA, "kcik");
}

int main(void)
{
    burst_begin(&made, 12);
    RUN(mistakes_are_told);
    RUN(models_are_scored);
    RUN(offsets_move_the_clips);
    RUN(lists_are_compared);
    return run_done();
}

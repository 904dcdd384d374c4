/* SPDX-License-Identifier: MIT
 * test_evaluate.c - scores by the public way: of a model on a data set, and of two lists of events. */
#include "burst_model.h"

#include "base/json.h"

static burst_case made;

/* One evaluation: of a model on a data set, or of two files; and what is then made of its scores. */
typedef struct evaluation {
    const char *model, *data, *reference, *estimate, *require, *decoding;
    const double *tolerances;
    size_t tolerances_len;
    bool json;
} evaluation;

static loco_status score(const evaluation *asked, loco_scores **scores, loco_err *err)
{
    const loco_detect_options detect = {.size = sizeof detect, .decoding = asked->decoding};
    const loco_evaluate_options how = {.size = sizeof how,
                                       .tolerances = asked->tolerances,
                                       .tolerances_len = asked->tolerances_len,
                                       .detect = &detect};
    loco_model *model = NULL;
    if (asked->reference != NULL || asked->estimate != NULL)
        return loco_evaluate_files(scores, asked->reference, asked->estimate, &how, err);
    loco_status status = asked->model != NULL ? loco_model_load(&model, asked->model, err) : LOCO_OK;
    if (status == LOCO_OK)
        status = loco_evaluate(scores, model, asked->data, &how, err);
    loco_model_free(model);
    return status;
}

/* The scores outlive the model and the data set. The lines of what is not met follow the table. */
static loco_status write_scores(const evaluation *asked, lc_text *text, bool *met, loco_err *err)
{
    loco_scores *scores = NULL;
    char *shown = NULL, *why = NULL;
    loco_status status = score(asked, &scores, err);
    CHECK((scores != NULL) == (status == LOCO_OK));
    if (status == LOCO_OK)
        status = loco_scores_format(&shown, scores, asked->json ? "json" : "table", err);
    if (status == LOCO_OK && asked->require != NULL)
        status = loco_scores_require(met, &why, scores, asked->require, err);
    if (status == LOCO_OK)
        lc_text_format(text, "%s%s", shown, why != NULL && !asked->json ? why : "");
    loco_free(shown);
    loco_free(why);
    loco_scores_free(scores);
    return status;
}

static char *evaluate(const evaluation *asked, bool *met)
{
    lc_text text = {0};
    loco_err err = {""};
    *met = true;
    CHECK_STATUS(write_scores(asked, &text, met, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    if (text.bytes == NULL)
        exit(1);
    return text.bytes;
}

static void refuse(evaluation asked, loco_status want, const char *says)
{
    lc_text text = {0};
    bool met = true;
    loco_err err = {""};
    CHECK_STATUS(write_scores(&asked, &text, &met, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(text.bytes == NULL && met);
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

static void mistakes_are_reported(void)
{
    refuse((evaluation){.model = NULL}, LOCO_EARG, "a model and a data set");
    refuse((evaluation){.model = made.model}, LOCO_EARG, "a model and a data set");
    refuse((evaluation){.reference = made.data}, LOCO_EARG, "two files");
    refuse((evaluation){.estimate = made.data}, LOCO_EARG, "two files");
    refuse((evaluation){.model = "/no.loco", .data = made.data}, LOCO_EIO, "/no.loco");
    refuse((evaluation){.model = made.model, .data = "/no/set"}, LOCO_EIO, "/no/set");
    refuse((evaluation){.model = made.model, .data = made.data, .require = "f2=0.9"}, LOCO_EARG, "f2");
    refuse((evaluation){.model = made.model, .data = made.data, .decoding = "maas"}, LOCO_EARG, "mass");
    refuse((evaluation){.reference = "/no.csv", .estimate = "/no.csv"}, LOCO_EIO, "/no.csv");
    refuse(
        (evaluation){.model = made.model, .data = made.data, .tolerances = (const double[]){-1}, .tolerances_len = 1},
        LOCO_EARG, "tolerance 0");
    burst_model("two.loco", 2, 2);
    refuse((evaluation){.model = run_path("two.loco"), .data = made.data}, LOCO_EDATA, "no class \"ghost\"");
}

static void models_are_scored(void)
{
    bool met = false;
    evaluation asked = {.model = made.model, .data = made.data, .json = true, .require = "f1=0.99,count=0"};
    char *text = evaluate(&asked, &met);
    CHECK(met);
    CHECK_NEAR(at(text, 0, "f1"), 1, 0);
    CHECK_NEAR(at(text, 0, "tolerance"), 0.05, 1e-9);
    CHECK_NEAR(at(text, 0, "matched"), (double)made.times_len, 0);
    CHECK_NEAR(at(text, 1, "f1"), 1, 0);
    CHECK(fabs(at(text, 0, "error_mean")) < 0.002 && at(text, 0, "error_sd") < 0.006);
    CHECK_SAYS(text, "\"counts\"");
    loco_free(text);
    /* the same for people; a requirement that is not met is reported */
    asked.json = false;
    asked.require = "f1=0.99,f1@20=0.5";
    text = evaluate(&asked, &met);
    CHECK_SAYS(text, "burst");
    CHECK_SAYS(text, "within 50 ms");
    CHECK(met);
    loco_free(text);
    asked.decoding = "threshold=0.999999";
    text = evaluate(&asked, &met);
    CHECK(!met);
    CHECK_SAYS(text, "f1");
    loco_free(text);
    /* other tolerances: nothing is found within 10 us */
    asked = (evaluation){.model = made.model,
                         .data = made.data,
                         .json = true,
                         .tolerances = (const double[]){0.00001},
                         .tolerances_len = 1};
    text = evaluate(&asked, &met);
    CHECK(met && at(text, 0, "f1") < 0.1 && isnan(at(text, 1, "f1")));
    loco_free(text);
}

/* A number of the JSON: all.counts.key */
static double count_at(const char *text, const char *key)
{
    cJSON *root = NULL;
    if (lc_json_parse(&root, "scores", text, strlen(text), NULL) != LOCO_OK)
        exit(1);
    const cJSON *counts = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "all"), "counts");
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(counts, key);
    double number = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
    cJSON_Delete(root);
    return number;
}

/* The mean |expected - given| count of the clips. */
static double count_error(const char *model)
{
    bool met = false;
    char *text = evaluate(&(evaluation){.model = run_path(model), .data = run_path("edges"), .json = true}, &met);
    double number = count_at(text, "absolute_error");
    loco_free(text);
    return number;
}

/* The same of a model that was calibrated. */
static double calibrated_error(size_t tap)
{
    char *findings = NULL;
    burst_model("calibrated.loco", tap, 1);
    CHECK_STATUS(burst_calibrate(&findings, run_path("calibrated.loco"), run_path("edges"), false, NULL), LOCO_OK);
    loco_free(findings);
    return count_error("calibrated.loco");
}

/* Bursts 5 ms behind the start of every other clip: a model that is 30 ms early counts them in the clip before, until
 * it knows that it is early. Then it counts like one that is late. */
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
    char *text = evaluate(&(evaluation){.reference = reference, .estimate = reference, .json = true}, &met);
    CHECK(met);
    CHECK_NEAR(at(text, 0, "f1"), 1, 0);
    loco_free(text);
    text = evaluate(&(evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "matched"), 2, 0);
    CHECK_NEAR(at(text, 0, "recall"), 0.5, 1e-12);       /* of 4 */
    CHECK_NEAR(at(text, 0, "precision"), 2.0 / 3, 1e-6); /* of 3: that in z.wav is a false alarm */
    CHECK_NEAR(at(text, 1, "matched"), 1, 0);
    loco_free(text);
    /* one file against one: whatever they are called */
    run_write("a.csv", "file,time,class\nx.wav,1,kick\n");
    run_write("b.csv", "file,time,class\nz.wav,1,kick\n");
    text = evaluate(&(evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "f1"), 1, 0);
    loco_free(text);
}

/* Each recording has its own row, in JSON and as a table. */
static void recordings_have_scores(void)
{
    char reference[256], estimate[256];
    loco_scores *scores = NULL;
    char *text = NULL;
    run_write("a.csv", "file,time,class\nx.wav,1,kick\nx.wav,2,kick\ny.wav,1,snare\n");
    run_write("b.csv", "file,time,class\nx.wav,1.03,kick\nx.wav,2.01,kick\nx.wav,3,kick\nz.wav,1,snare\n");
    snprintf(reference, sizeof reference, "%s", run_path("a.csv"));
    snprintf(estimate, sizeof estimate, "%s", run_path("b.csv"));
    if (score(&(evaluation){.reference = reference, .estimate = estimate}, &scores, NULL) != LOCO_OK)
        exit(1);
    CHECK_STATUS(loco_scores_format(&text, scores, "json", NULL), LOCO_OK);
    CHECK_SAYS(text, "\"per_recording\": [{\"file\": \"x.wav\", \"reference\": 2, \"estimated\": 3, \"at\": "
                     "[{\"tolerance\": 0.05, \"matched\": 2, \"precision\": 0.666666667, \"recall\": 1, \"f1\": 0.8,");
    CHECK_NEAR(at(text, 0, "matched"), 2, 0); /* still JSON */
    loco_free(text);
    text = NULL;
    CHECK_STATUS(loco_scores_format(&text, scores, "recordings", NULL), LOCO_OK);
    CHECK_SAYS(
        text,
        "\nx.wav          2      3        2  0.667  1.000  0.800        1  0.333  0.500  0.400     20.00     10.00\n");
    loco_free(text);
    loco_scores_free(scores);
}

/* Classes that the reference lacks are false alarms; a class that is only spelt in another way is an error. */
static void other_classes_are_false_alarms(void)
{
    char reference[256], estimate[256];
    bool met = false;
    run_write("a.csv", "file,time,class\nx.wav,1,kick\n");
    run_write("b.csv", "file,time,class\nz.wav,1,kick\nz.wav,1,tom\nz.wav,3,tom\nz.wav,2,bell\n");
    snprintf(reference, sizeof reference, "%s", run_path("a.csv"));
    snprintf(estimate, sizeof estimate, "%s", run_path("b.csv"));
    char *text = evaluate(&(evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "matched"), 1, 0);
    CHECK_NEAR(at(text, 0, "precision"), 0.25, 0);
    CHECK_NEAR(at(text, 0, "recall"), 1, 0);
    CHECK_SAYS(text, "{\"name\": \"tom\", \"reference\": 0, \"estimated\": 2");
    loco_free(text);
    run_write("b.csv", "file,time,class\nz.wav,1,bell\n");
    text = evaluate(&(evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "f1"), 0, 0);
    loco_free(text);
    /* notes of a MIDI file that are no drum of the reference, too */
    static loco_event strokes[] = {
        {1, 0, 1, 0},
        {2, 1, 1, 0}
    };
    const loco_events drums = {"x", strokes, 2};
    const char *const names[] = {"kick", "snare"};
    CHECK_STATUS(loco_events_save(run_path("b.mid"), NULL, &drums, 1, names, 2, NULL), LOCO_OK);
    snprintf(estimate, sizeof estimate, "%s", run_path("b.mid"));
    text = evaluate(&(evaluation){.reference = reference, .estimate = estimate, .json = true}, &met);
    CHECK_NEAR(at(text, 0, "precision"), 0.5, 0);
    CHECK_SAYS(text, "{\"name\": \"38\", \"reference\": 0, \"estimated\": 1");
    loco_free(text);
    snprintf(estimate, sizeof estimate, "%s", run_path("b.csv"));
    run_write("b.csv", "file,time,class\nz.wav,1,kcik\n");
    refuse((evaluation){.reference = reference, .estimate = estimate}, LOCO_EDATA, "\"kick\" there is \"kcik\" here");
    run_write("b.csv", "file,time,class\nz.wav,1,36\n");
    refuse((evaluation){.reference = reference, .estimate = estimate}, LOCO_EDATA, "use the same names");
}

/* The numbers of a row; the test ends where there is none. */
static loco_score row(const loco_scores *scores, size_t kind, size_t tolerance)
{
    loco_score score = {0};
    loco_err err = {""};
    if (loco_scores_read(&score, scores, kind, tolerance, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return score;
}

/* As lists_are_compared, in memory and as numbers: of two recordings, one in each list alone. */
static void lists_in_memory_are_compared(void)
{
    static const char *const classes[] = {"kick", "snare"};
    loco_event x[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {3, 1, 1, 0}
    };
    loco_event y[] = {
        {1, 1, 1, 0}
    };
    loco_event found[] = {
        {1.03, 0, 0.9, 0},
        {2.01, 0, 0.8, 0}
    };
    const loco_events truth[] = {
        {"x", x, 3},
        {"y", y, 1}
    };
    const loco_events guess[] = {
        {"z", y,     1},
        {"x", found, 2}
    };
    loco_scores *scores = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_evaluate_events(&scores, truth, 2, guess, 2, classes, 2, NULL, &err), LOCO_OK);
    loco_score all = row(scores, LOCO_SCORE_POOLED, 0), kick = row(scores, 0, 0);
    CHECK(all.reference == 4 && all.estimated == 3 && all.matched == 2);
    CHECK_NEAR(all.recall, 0.5, 1e-12);
    CHECK_NEAR(all.precision, 2.0 / 3, 1e-12);
    CHECK_NEAR(all.error_mean, 0.02, 1e-12);
    CHECK_NEAR(all.error_sd, 0.01, 1e-12);
    CHECK_EQ(row(scores, LOCO_SCORE_POOLED, 1).matched, 1);
    CHECK_NEAR(kick.f1, 1, 0);
    CHECK_NEAR(row(scores, 1, 0).f1, 0, 0);
    CHECK_NEAR(row(scores, LOCO_SCORE_CLASSES, 0).f1, 0.5, 1e-12);
    CHECK_NEAR(row(scores, LOCO_SCORE_RECORDINGS, 0).f1, 0.8 / 3, 1e-12); /* x: P 1, R 2/3; y and z: 0 */
    loco_count_quality counts = {.clips = 1};
    CHECK_STATUS(loco_scores_counts(&counts, scores, LOCO_SCORE_POOLED, &err), LOCO_OK);
    CHECK_EQ(counts.clips, 0);
    loco_scores_free(scores);
    scores = NULL;
    CHECK_STATUS(loco_evaluate_events(&scores, truth, 2, truth, 2, classes, 1, NULL, &err), LOCO_EDATA);
    const loco_events twice[] = {truth[0], truth[0]};
    CHECK_STATUS(loco_evaluate_events(&scores, truth, 2, twice, 2, classes, 2, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the estimated lists 0 and 1 are both of \"x\"");
    CHECK_STATUS(loco_evaluate_events(&scores, NULL, 2, twice, 2, classes, 2, NULL, &err), LOCO_EARG);
    CHECK(scores == NULL);
}

/* The numbers are those of the text, and rows that are not there are refused. */
static void scores_are_numbers(void)
{
    loco_scores *scores = NULL;
    loco_err err = {""};
    char *text = NULL, *why = NULL;
    bool met = true;
    loco_score all;
    loco_count_quality counts = {.exact = -1};
    CHECK_STATUS(score(&(evaluation){.model = made.model, .data = made.data}, &scores, &err), LOCO_OK);
    CHECK_STATUS(loco_scores_format(&text, scores, "json", &err), LOCO_OK);
    all = row(scores, LOCO_SCORE_POOLED, 1);
    CHECK_NEAR(all.f1, at(text, 1, "f1"), 1e-8);
    CHECK_NEAR(all.error_mean, at(text, 1, "error_mean"), 1e-8);
    CHECK_NEAR(all.error_sd, at(text, 1, "error_sd"), 1e-8);
    CHECK_NEAR((double)all.matched, at(text, 1, "matched"), 0);
    CHECK_STATUS(loco_scores_counts(&counts, scores, 0, &err), LOCO_OK);
    CHECK_EQ(counts.clips, 12);
    CHECK_NEAR(counts.exact, count_at(text, "exact"), 1e-8);
    CHECK_NEAR(counts.distance, count_at(text, "absolute_error"), 1e-8);
    CHECK_NEAR(counts.bias, count_at(text, "bias"), 1e-8);
    CHECK_NEAR(counts.held, count_at(text, "interval_held"), 1e-8);
    CHECK_NEAR(counts.claimed, count_at(text, "interval_claimed"), 1e-8);
    loco_free(text);
    all.f1 = -1;
    CHECK_STATUS(loco_scores_read(&all, scores, 1, 0, &err), LOCO_EARG);
    CHECK_STATUS(loco_scores_read(&all, scores, LOCO_SCORE_POOLED, 2, &err), LOCO_EARG);
    CHECK_STATUS(loco_scores_counts(&counts, scores, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_scores_counts(&counts, scores, LOCO_SCORE_CLASSES, &err), LOCO_EARG);
    CHECK(all.f1 < 0);
    text = NULL;
    CHECK_STATUS(loco_scores_format(&text, scores, "xml", &err), LOCO_EARG);
    CHECK_SAYS(err.text, "not \"xml\"");
    met = true;
    CHECK_STATUS(loco_scores_require(&met, &why, scores, "f1=1,f1@7=1", &err), LOCO_EARG);
    CHECK(met && text == NULL && why == NULL);
    CHECK_STATUS(loco_scores_require(&met, &why, scores, "f1=0", &err), LOCO_OK);
    CHECK_STR(why, "");
    loco_free(why);
    loco_scores_free(scores);
    loco_scores_free(NULL);
}

int main(void)
{
    burst_begin(&made, 12);
    RUN(mistakes_are_reported);
    RUN(models_are_scored);
    RUN(offsets_move_the_clips);
    RUN(lists_are_compared);
    RUN(other_classes_are_false_alarms);
    RUN(recordings_have_scores);
    RUN(lists_in_memory_are_compared);
    RUN(scores_are_numbers);
    return run_done();
}

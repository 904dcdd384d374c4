/* SPDX-License-Identifier: MIT
 * test_runs.c - scores of runs read back from JSON: every number where it belongs, and what is refused. */
#include "cases.h"

#include "eval/runs.h"
#include "eval/score_text.h"

#include <math.h>

static const char *const names[] = {"kick", "Gl\303\266ckchen"};

static lc_score *score_of(double late)
{
    loco_event r[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {3, 1, 1, 0}
    };
    loco_event e[] = {
        {1 + late, 0, 1, 0},
        {2,        0, 1, 0},
        {2.5,      1, 1, 0}
    };
    lc_score *score = NULL;
    CHECK_STATUS(lc_score_new(&score, 2, (double[]){0.05, 0.02}, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, r, 3, e, 3, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, r, 1, e, 1, NULL), LOCO_OK);
    return score;
}

/* What is written comes back. */
static void every_number_comes_back(void)
{
    lc_score *score = score_of(0.03);
    lc_count_score counts[2] = {{0}};
    lc_text text = {0};
    lc_runs runs = {0};
    CHECK_STATUS(lc_count_score_add(&counts[0], (double[]){0.25, 0.75}, 2, 1, NULL), LOCO_OK);
    lc_score_json(&text, score, names, counts, LC_EMPTY_ZERO);
    lc_text_string(&text, "\r\n\n");
    CHECK_STATUS(lc_runs_add(&runs, "exact", "a.json", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_EQ(runs.len, 1);
    CHECK_EQ(runs.classes_len, 2);
    CHECK_EQ(runs.tolerances_len, 2);
    CHECK_STR(runs.classes[1], names[1]);
    CHECK_STR(runs.methods[0], "exact");
    for (size_t t = 0; t < 2; t++) {
        for (size_t k = 0; k <= 2; k++) {
            size_t kind = k < 2 ? k : LC_ALL_KINDS;
            lc_score_row pooled = lc_score_read(score, kind, t, LC_POOLED, LC_EMPTY_ZERO);
            lc_score_row mean = lc_score_read(score, kind, t, LC_PER_RECORDING, LC_EMPTY_ZERO);
            CHECK_NEAR(lc_runs_value(&runs, 0, kind, t, LC_RUN_PRECISION), pooled.precision, 1e-8);
            CHECK_NEAR(lc_runs_value(&runs, 0, kind, t, LC_RUN_RECALL), pooled.recall, 1e-8);
            CHECK_NEAR(lc_runs_value(&runs, 0, kind, t, LC_RUN_F1), pooled.f1, 1e-8);
            CHECK_NEAR(lc_runs_value(&runs, 0, kind, t, LC_RUN_RECORDING_PRECISION), mean.precision, 1e-8);
            CHECK_NEAR(lc_runs_value(&runs, 0, kind, t, LC_RUN_RECORDING_F1), mean.f1, 1e-8);
            double error = lc_runs_value(&runs, 0, kind, t, LC_RUN_ERROR_MEAN);
            CHECK(kind == 1 ? isnan(error) : fabs(error - pooled.error_mean) < 1e-8);
            if (kind != 1)
                CHECK_NEAR(lc_runs_value(&runs, 0, kind, t, LC_RUN_ERROR_SD), pooled.error_sd, 1e-8);
            CHECK(isnan(lc_runs_value(&runs, 0, kind, t, LC_RUN_CLASS_F1)) == (k < 2));
        }
        lc_score_row mean = lc_score_read(score, LC_ALL_KINDS, t, LC_PER_CLASS, LC_EMPTY_ZERO);
        CHECK_NEAR(lc_runs_value(&runs, 0, LC_ALL_KINDS, t, LC_RUN_CLASS_RECALL), mean.recall, 1e-8);
    }
    CHECK_NEAR(lc_runs_count(&runs, 0, LC_RUN_COUNT_EXACT), 1, 1e-8);
    CHECK_NEAR(lc_runs_count(&runs, 0, LC_RUN_COUNT_ERROR), 0.25, 1e-8);
    CHECK_NEAR(lc_runs_count(&runs, 0, LC_RUN_COUNT_BIAS), -0.25, 1e-8);
    CHECK_NEAR(lc_runs_count(&runs, 0, LC_RUN_COUNT_LOSS), -log(0.75), 1e-8);
    lc_runs_free(&runs);
    lc_text_free(&text);
    lc_score_free(score);
}

/* Several lines in a text, several texts of a method, several methods. */
static void runs_are_grouped(void)
{
    lc_text text = {0};
    lc_runs runs = {0};
    for (int i = 0; i < 2; i++) {
        lc_score *score = score_of(0.01 * i);
        lc_score_json(&text, score, names, NULL, LC_EMPTY_ZERO);
        lc_text_string(&text, i == 0 ? "\n" : "");
        lc_score_free(score);
    }
    CHECK_STATUS(lc_runs_add(&runs, "b", "1", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_STATUS(lc_runs_add(&runs, "a", "2", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_STATUS(lc_runs_add(&runs, "b", "3", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_EQ(runs.len, 6);
    CHECK_EQ(runs.methods_len, 2);
    CHECK_STR(runs.methods[0], "b");
    static const size_t want[] = {0, 0, 1, 1, 0, 0};
    for (size_t i = 0; i < 6; i++) {
        CHECK_EQ(runs.method[i], want[i]);
        CHECK_NEAR(lc_runs_value(&runs, i, 0, 0, LC_RUN_ERROR_MEAN), i % 2 == 0 ? 0 : 0.02 / 3, 1e-8);
    }
    CHECK(isnan(lc_runs_count(&runs, 0, LC_RUN_COUNT_EXACT)));
    lc_runs_free(&runs);
    lc_text_free(&text);
}

#define AT(tolerance) "[{\"tolerance\": " tolerance ", \"f1\": 0.5}]"
#define RUN_OF(name, tolerance) \
    "{\"classes\": [{\"name\": \"" name "\", \"at\": " AT(tolerance) "}], \"all\": {\"at\": " AT(tolerance) "}}"

static void refuse(lc_runs *runs, const char *text, const char *says)
{
    loco_err err = {""};
    size_t before = runs->len;
    CHECK_STATUS(lc_runs_add(runs, "x", "file.json", text, strlen(text), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "file.json");
    CHECK_SAYS(err.text, says);
    CHECK_EQ(runs->len, before);
}

static void other_files_are_refused(void)
{
    lc_runs runs = {0};
    refuse(&runs, "", "holds no scores");
    refuse(&runs, " \n\r\n", "holds no scores");
    refuse(&runs, "step 1\n", "byte 0");
    refuse(&runs, "[1]", "no classes");
    refuse(&runs, "\n{}", "file.json:2: no classes");
    refuse(&runs, "{\"classes\": []}", "no classes");
    refuse(&runs, "{\"classes\": [{}]}", "no scores");
    refuse(&runs, "{\"classes\": [{}], \"all\": {\"at\": [{}]}}", "a tolerance that is not a number above 0");
    refuse(&runs, "{\"classes\": [{}], \"all\": {\"at\": " AT("0.05") "}}", "without a name");
    refuse(&runs, "{\"classes\": [{\"name\": \"a\"}], \"all\": {\"at\": " AT("0.05") "}}", "other tolerances");
    static const char good[] = RUN_OF("a", "0.05");
    CHECK_STATUS(lc_runs_add(&runs, "x", "file.json", good, strlen(good), NULL), LOCO_OK);
    refuse(&runs, RUN_OF("b", "0.05"), "other classes");
    refuse(&runs, RUN_OF("a", "0.02"), "other tolerances");
    CHECK_NEAR(lc_runs_value(&runs, 0, 0, 0, LC_RUN_F1), 0.5, 0);
    CHECK(isnan(lc_runs_value(&runs, 0, 0, 0, LC_RUN_PRECISION)));
    lc_runs_free(&runs);
}

int main(void)
{
    RUN(other_files_are_refused);
    RUN(every_number_comes_back);
    RUN(runs_are_grouped);
    return check_done();
}

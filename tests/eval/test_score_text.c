/* SPDX-License-Identifier: MIT
 * test_score_text.c - scores as text: the whole table, its alignment, and JSON that a reader of JSON accepts. */
#include "check.h"

#include "base/json.h"
#include "eval/score_text.h"

enum { CLASSES = 3 };

static const char *const names[CLASSES] = {"kick", "Gl\303\266ckchen \"klein\"", "\033[2J"};

/* Two recordings; the third class has estimates only. */
static lc_score *example(void)
{
    loco_event r[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {3, 1, 1, 0}
    };
    loco_event e[] = {
        {1.01, 0, 1, 0},
        {2.03, 0, 1, 0},
        {2.5,  1, 1, 0},
        {3,    2, 1, 0}
    };
    lc_score *score = NULL;
    CHECK_STATUS(lc_score_new(&score, CLASSES, (double[]){0.05, 0.02}, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, r, 3, e, 4, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, r, 1, e, 1, NULL), LOCO_OK);
    return score;
}

static void count_example(lc_count_score counts[CLASSES])
{
    memset(counts, 0, CLASSES * sizeof *counts);
    CHECK_STATUS(lc_count_score_add(&counts[0], (double[]){0.25, 0.75}, 2, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_count_score_add_interval(&counts[1], 2, (size_t[]){1, 1, 0}, (size_t[]){2, 3, 4}, 4, NULL),
                 LOCO_OK);
}

/* clang-format off */
static const char want_table[] =
    "                                                      within 50 ms                  within 20 ms  error within 50 ms\n"
    "class                     ref    est  matched      P      R     F1  matched      P      R     F1   mean ms     sd ms\n"
    "kick                        3      3        3  1.000  1.000  1.000        2  0.667  0.667  0.667     16.67      9.43\n"
    "Gl\303\266ckchen \"klein\"           1      1        0  0.000  0.000  0.000        0  0.000  0.000  0.000         -         -\n"
    "?[2J                        0      1        0  0.000  0.000  0.000        0  0.000  0.000  0.000         -         -\n"
    "all, pooled                 4      5        3  0.600  0.750  0.667        2  0.400  0.500  0.444     16.67      9.43\n"
    "mean over 2 recordings                         0.750  0.833  0.786           0.625  0.667  0.643\n"
    "mean over 3 classes                            0.333  0.333  0.333           0.222  0.222  0.222\n"
    "Without reference or without estimates, P, R and F1 are 0.\n"
    "\n"
    "counts                  clips    exact    error     bias  in 50 %  claim  in 80 %  claim  in 90 %  claim  log loss  PIT off\n"
    "kick                        1    1.000    0.250   -0.250    1.000  1.000    1.000  1.000    1.000  1.000     0.288    0.100\n"
    "Gl\303\266ckchen \"klein\"           1    0.000    2.000   -2.000    0.000  0.500    0.000  0.800    1.000  0.900         -        -\n"
    "?[2J                        0\n"
    "all, pooled                 2    0.500    1.125   -1.125    0.500  0.750    0.500  0.900    1.000  0.950     0.288    0.100\n";
/* clang-format on */

static void the_table_reads_well(void)
{
    lc_score *score = example();
    lc_count_score counts[CLASSES];
    lc_text text = {0};
    count_example(counts);
    lc_score_table(&text, score, names, counts, LC_EMPTY_ZERO);
    CHECK(!text.failed);
    CHECK_STR(text.bytes, want_table);
    lc_text_free(&text);
    lc_score_free(score);
}

/* No recording has times: no table of zeros, and no scores in the JSON. */
static void counts_alone(void)
{
    lc_score *score = NULL;
    lc_count_score counts[CLASSES];
    lc_text text = {0};
    CHECK_STATUS(lc_score_new(&score, CLASSES, (double[]){0.05, 0.02}, 2, NULL), LOCO_OK);
    count_example(counts);
    lc_score_table(&text, score, names, counts, LC_EMPTY_ZERO);
    CHECK(strncmp(text.bytes, "No times are given: counts only.\n\ncounts ", 41) == 0);
    CHECK(strstr(text.bytes, "within") == NULL);
    lc_text_free(&text);
    lc_score_json(&text, score, names, counts, LC_EMPTY_ZERO);
    CHECK(strstr(text.bytes, "precision") == NULL && strstr(text.bytes, "\"at\": [], \"counts\"") != NULL);
    lc_text_free(&text);
    lc_score_table(&text, score, names, NULL, LC_EMPTY_ZERO); /* two empty lists are compared */
    CHECK(strstr(text.bytes, "within 50 ms") != NULL);
    lc_text_free(&text);
    lc_score_free(score);
}

static double at(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    CHECK(cJSON_IsNumber(item));
    return item != NULL ? item->valuedouble : NAN;
}

static const cJSON *in(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    CHECK(item != NULL);
    return item;
}

static void check_rates(const cJSON *object, lc_score_row row)
{
    CHECK_NEAR(at(object, "precision"), row.precision, 1e-9);
    CHECK_NEAR(at(object, "recall"), row.recall, 1e-9);
    CHECK_NEAR(at(object, "f1"), row.f1, 1e-9);
}

static void check_object(const cJSON *object, const lc_score *score, size_t kind, lc_empty empty)
{
    for (int t = 0; t < 2; t++) {
        const cJSON *item = cJSON_GetArrayItem(in(object, "at"), t);
        lc_score_row row = lc_score_read(score, kind, (size_t)t, LC_POOLED, empty);
        CHECK_NEAR(at(object, "reference"), (double)row.reference, 0);
        CHECK_NEAR(at(object, "estimated"), (double)row.estimated, 0);
        CHECK_NEAR(at(item, "matched"), (double)row.matched, 0);
        CHECK_NEAR(at(item, "tolerance"), t == 0 ? 0.05 : 0.02, 0);
        check_rates(item, row);
        check_rates(in(item, "recording_mean"), lc_score_read(score, kind, (size_t)t, LC_PER_RECORDING, empty));
        if (kind == LC_ALL_KINDS)
            check_rates(in(item, "class_mean"), lc_score_read(score, kind, (size_t)t, LC_PER_CLASS, empty));
        CHECK((row.matched == 0) == cJSON_IsNull(in(item, "error_mean")));
        if (row.matched > 0) {
            CHECK_NEAR(at(item, "error_mean"), row.error_mean, 1e-9);
            CHECK_NEAR(at(item, "error_sd"), row.error_sd, 1e-9);
        }
    }
}

static void json_holds_every_number(void)
{
    lc_score *score = example();
    lc_count_score counts[CLASSES];
    count_example(counts);
    for (int empty = 0; empty < 2; empty++) {
        lc_text text = {0};
        cJSON *root = NULL;
        loco_err err = {""};
        lc_score_json(&text, score, names, counts, (lc_empty)empty);
        CHECK_STATUS(lc_json_parse(&root, "scores", text.bytes, text.length, &err), LOCO_OK);
        CHECK_STR(err.text, "");
        CHECK(strchr(text.bytes, '\n') == NULL);
        CHECK_STR(in(root, "empty")->valuestring, empty == 0 ? "zero" : "one");
        CHECK_NEAR(at(root, "recordings"), 2, 0);
        const cJSON *classes = in(root, "classes");
        CHECK_EQ((size_t)cJSON_GetArraySize(classes), CLASSES);
        for (int k = 0; k < CLASSES; k++) {
            const cJSON *object = cJSON_GetArrayItem(classes, k);
            CHECK_STR(in(object, "name")->valuestring, names[k]);
            check_object(object, score, (size_t)k, (lc_empty)empty);
            CHECK_NEAR(at(in(object, "counts"), "clips"), k < 2 ? 1 : 0, 0);
        }
        check_object(in(root, "all"), score, LC_ALL_KINDS, (lc_empty)empty);
        const cJSON *all = in(in(root, "all"), "counts");
        CHECK_NEAR(at(all, "clips"), 2, 0);
        CHECK_NEAR(at(all, "exact"), 0.5, 0);
        CHECK_NEAR(at(all, "absolute_error"), (0.25 + 2) / 2, 1e-9);
        CHECK_NEAR(at(all, "log_loss"), -log(0.75), 1e-9);
        CHECK_EQ((size_t)cJSON_GetArraySize(in(all, "pit")), LC_PIT_BINS);
        cJSON_Delete(root);
        lc_text_free(&text);
    }
    lc_score_free(score);
}

static void bad_names_stay_text(void)
{
    static const char *const bad[CLASSES] = {"\xff", "", "ok"};
    lc_score *score = example();
    lc_text text = {0};
    cJSON *root = NULL;
    lc_score_json(&text, score, bad, NULL, LC_EMPTY_ZERO);
    CHECK_STATUS(lc_json_parse(&root, "scores", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_STR(in(cJSON_GetArrayItem(in(root, "classes"), 0), "name")->valuestring, "?");
    CHECK(cJSON_GetObjectItemCaseSensitive(in(root, "all"), "counts") == NULL);
    cJSON_Delete(root);
    lc_text_free(&text);
    lc_score_free(score);
}

int main(void)
{
    RUN(the_table_reads_well);
    RUN(counts_alone);
    RUN(json_holds_every_number);
    RUN(bad_names_stay_text);
    return check_done();
}

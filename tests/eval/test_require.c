/* SPDX-License-Identifier: MIT
 * test_require.c - required scores: what is read, what is refused, and what is said when one is not met. */
#include "check.h"

#include "eval/require.h"

#include <locale.h>

static loco_status parse(lc_require *require, const char *text, loco_err *err)
{
    return lc_require_parse(require, text, strlen(text), err);
}

static void wrong_text_is_refused(void)
{
    static const char *const wrong[] = {
        "",        "f1",       "f1=",      "f1=x",     "=0.9",         "f2=0.9",         "F1=0.9",
        "f1=1.01", "f1=-0.5",  "f1=0,9",   "f1=0.9,",  ",f1=0.9",      "f1=0.9,,f1=0.8", "f1=0.9 0.8",
        "f1@=0.9", "f1@0=0.9", "f1@x=0.9", "f1@20",    "f1@99999=0.9", "count@20=0.9",   "f1=1e1",
        "f1=.",    "f1=0.1.2", "f1=0=0.9", "f1@2@3=1", "f1=-1e-9",     "f1=inf",         "f1=nan",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_require require = {.len = 77};
        loco_err err = {""};
        CHECK_STATUS(parse(&require, wrong[i], &err), LOCO_EARG);
        CHECK(require.len == 77 && err.text[0] != 0);
    }
    lc_require require;
    loco_err err;
    CHECK_STATUS(lc_require_parse(NULL, "f1=1", 4, &err), LOCO_EARG);
    CHECK_STATUS(lc_require_parse(&require, NULL, 4, &err), LOCO_EARG);
    CHECK_STATUS(lc_require_parse(&require, "f1=1\0", 5, &err), LOCO_EARG);
    CHECK_STATUS(parse(&require, "precison=0.9", &err), LOCO_EARG);
    CHECK_STR(err.text, "required \"precison=0.9\": the name must be f1, precision, recall or count");
    CHECK_STATUS(parse(&require, "f1=\x1b[2J", &err), LOCO_EARG);
    CHECK(strchr(err.text, 0x1b) == NULL);
    static const char many[] = "f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1,f1=1";
    CHECK_STATUS(lc_require_parse(&require, many, sizeof many - 1 - strlen(",f1=1"), &err), LOCO_OK);
    CHECK_EQ(require.len, LC_REQUIRE_MAX);
    CHECK_STATUS(parse(&require, many, &err), LOCO_EARG);
}

static void lists_are_read(void)
{
    lc_require r;
    CHECK_STATUS(parse(&r, " f1=0.9, f1@20 = .8,precision=1 ,recall@12.5=0,count=0.95 ", NULL), LOCO_OK);
    CHECK_EQ(r.len, 5);
    CHECK(r.item[0].metric == LC_METRIC_F1 && r.item[1].metric == LC_METRIC_F1);
    CHECK(r.item[2].metric == LC_METRIC_PRECISION && r.item[3].metric == LC_METRIC_RECALL);
    CHECK(r.item[4].metric == LC_METRIC_COUNT);
    CHECK_NEAR(r.item[0].least, 0.9, 0);
    CHECK_NEAR(r.item[0].tolerance, 0, 0);
    CHECK_NEAR(r.item[1].least, 0.8, 0);
    CHECK_NEAR(r.item[1].tolerance, 0.02, 0);
    CHECK_NEAR(r.item[3].tolerance, 0.0125, 0);
    CHECK_NEAR(r.item[4].least, 0.95, 0);
}

/* 4 reference events, 5 estimated; 4 within 50 ms, 3 within 20 ms: F1 8/9 and 6/9. */
static lc_score *example(void)
{
    loco_event r[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {3, 0, 1, 0},
        {4, 0, 1, 0}
    };
    loco_event e[] = {
        {1.01, 0, 1, 0},
        {2.01, 0, 1, 0},
        {3.01, 0, 1, 0},
        {4.04, 0, 1, 0},
        {9,    0, 1, 0}
    };
    lc_score *score = NULL;
    CHECK_STATUS(lc_score_new(&score, 1, (double[]){0.05, 0.02}, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, r, 4, e, 5, NULL), LOCO_OK);
    return score;
}

/* Whether all are met, and why not. */
static bool met(const lc_score *score, const lc_count_score *counts, const char *text, const char *why)
{
    lc_require require;
    lc_text said = {0};
    bool all = false;
    CHECK_STATUS(parse(&require, text, NULL), LOCO_OK);
    CHECK_STATUS(lc_require_check(&all, &require, score, counts, LC_EMPTY_ZERO, &said, NULL), LOCO_OK);
    CHECK_STR(said.bytes != NULL ? said.bytes : "", why);
    lc_text_free(&said);
    return all;
}

static void demands_are_compared(void)
{
    lc_score *score = example();
    lc_count_score counts = {0};
    CHECK_STATUS(lc_count_score_add(&counts, (double[]){0, 1}, 2, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_count_score_add(&counts, (double[]){0, 1}, 2, 0, NULL), LOCO_OK);
    CHECK(met(score, NULL, "f1=0.88,precision=0.8,recall=1,f1@20=0.66,recall@20=0.75,f1@50=0.88", ""));
    CHECK(met(score, &counts, "count=0.5", ""));
    CHECK(!met(score, &counts, "count=0.51", "count is 0.5, 0.01 below the required 0.51\n"));
    CHECK(!met(score, NULL, "f1=0.9,recall=1,f1@20=0.8",
               "f1 is 0.8889, 0.0111 below the required 0.9\nf1@20 is 0.6667, 0.1333 below the required 0.8\n"));
    CHECK(!met(score, NULL, "precision=0.800001", "precision is 0.8, 0.000001 below the required 0.800001\n"));
    lc_score_free(score);
}

static void what_was_not_measured_is_refused(void)
{
    lc_score *score = example();
    lc_require require;
    bool all = true;
    loco_err err;
    CHECK_STATUS(parse(&require, "f1@25=0.1", NULL), LOCO_OK);
    CHECK_STATUS(lc_require_check(&all, &require, score, NULL, LC_EMPTY_ZERO, NULL, &err), LOCO_EARG);
    CHECK_STR(err.text, "f1@25 is required, but no score has a tolerance of 25 ms");
    CHECK_STATUS(parse(&require, "count=0.1", NULL), LOCO_OK);
    CHECK_STATUS(lc_require_check(&all, &require, score, NULL, LC_EMPTY_ZERO, NULL, &err), LOCO_EARG);
    CHECK_STATUS(lc_require_check(NULL, &require, score, NULL, LC_EMPTY_ZERO, NULL, &err), LOCO_EARG);
    CHECK(all);
    lc_score_free(score);
}

int main(void)
{
    RUN(wrong_text_is_refused);
    RUN(lists_are_read);
    RUN(demands_are_compared);
    RUN(what_was_not_measured_is_refused);
    if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL) { /* where it is installed, a comma must not get in */
        RUN(lists_are_read);
        RUN(demands_are_compared);
    }
    return check_done();
}

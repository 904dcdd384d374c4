/* SPDX-License-Identifier: MIT
 * test_eval_oom.c - every allocation of the scores fails once: a message, unchanged scores, no leak. */
#include "check.h"
#include "oom.h"

#include "calibrate/measure.h"
#include "eval/require.h"
#include "eval/score_text.h"
#include "eval/scores.h"

static const char *const names[] = {"kick", "snare"};

static const loco_event reference[] = {
    {1, 0, 1, 0},
    {2, 1, 1, 0},
    {3, 0, 1, 0}
};
static const loco_event estimate[] = {
    {3.01, 0, 0.9, 0},
    {2.01, 1, 0.8, 0},
    {1.01, 0, 0.7, 0},
    {9,    1, 0.1, 0}
};

static bool use_score(loco_err *err)
{
    lc_score *score = NULL;
    lc_text text = {0}, why = {0};
    lc_require require;
    bool met, good = lc_score_new(&score, 2, (double[]){0.05, 0.02}, 2, err) == LOCO_OK;
    CHECK(good == (score != NULL));
    if (good && lc_score_add(score, reference, 3, estimate, 4, err) != LOCO_OK) {
        good = false;
        CHECK_EQ(lc_score_recordings(score), 0);
        CHECK_EQ(lc_score_read(score, LC_ALL_KINDS, 0, LC_POOLED, LC_EMPTY_ZERO).reference, 0);
        CHECK_STATUS(lc_score_add(score, reference, 3, estimate, 4, err), LOCO_OK); /* memory is back */
        CHECK_EQ(lc_score_read(score, LC_ALL_KINDS, 0, LC_POOLED, LC_EMPTY_ZERO).matched, 3);
    } else if (good) {
        lc_score_table(&text, score, names, NULL, LC_EMPTY_ZERO);
        lc_score_json(&text, score, names, NULL, LC_EMPTY_ZERO);
        good = lc_require_parse(&require, "f1=0.99,recall@20=1", 19, err) == LOCO_OK &&
               lc_require_check(&met, &require, score, NULL, LC_EMPTY_ZERO, &why, err) == LOCO_OK && !text.failed;
        if (text.failed)
            snprintf(err->text, sizeof err->text, "out of memory for the text");
    }
    lc_text_free(&text);
    lc_text_free(&why);
    lc_score_free(score);
    return good;
}

/* Of images: the scores of an image that failed are not read. */
static bool use_images(loco_err *err)
{
    loco_scores *scores = NULL;
    char *text = NULL;
    bool good = lc_scores_new(&scores, names, 2, (double[]){10}, 1, err) == LOCO_OK &&
                lc_scores_images(scores, err) == LOCO_OK &&
                lc_scores_add(scores, "a.png", reference, 3, estimate, 4, err) == LOCO_OK &&
                loco_scores_format(&text, scores, "table", err) == LOCO_OK;
    loco_free(text);
    text = NULL;
    good = good && loco_scores_format(&text, scores, "json", err) == LOCO_OK;
    loco_free(text);
    loco_scores_free(scores);
    return good;
}

static bool use_offset(loco_err *err)
{
    lc_offset *offset = NULL;
    lc_offset_row row;
    bool good = lc_offset_new(&offset, 2, err) == LOCO_OK;
    if (good && lc_offset_add(offset, reference, 3, estimate, 4, err) != LOCO_OK) {
        good = false;
        CHECK_STATUS(lc_offset_read(offset, LC_ALL_KINDS, &row, NULL), LOCO_OK);
        CHECK_EQ(row.all, 0);
        CHECK_STATUS(lc_offset_add(offset, reference, 3, estimate, 4, NULL), LOCO_OK);
        CHECK_STATUS(lc_offset_read(offset, LC_ALL_KINDS, &row, NULL), LOCO_OK);
        CHECK_EQ(row.all, 3);
    }
    lc_offset_free(offset);
    return good;
}

static bool use_sweep(loco_err *err)
{
    lc_sweep *sweep = NULL;
    lc_sweep_row row;
    bool good = lc_sweep_new(&sweep, 2, 0.05, err) == LOCO_OK;
    if (good && lc_sweep_add(sweep, reference, 3, estimate, 4, err) != LOCO_OK) {
        good = false;
        CHECK_STATUS(lc_sweep_read(sweep, LC_ALL_KINDS, &row, NULL), LOCO_OK);
        CHECK_NEAR(row.f1, 0, 0);
    }
    lc_sweep_free(sweep);
    return good;
}

static bool use_bands(loco_err *err)
{
    lc_bands *bands = NULL;
    bool good = lc_bands_new(&bands, 2, 20, err) == LOCO_OK;
    lc_bands_free(bands);
    return good;
}

static void fail_each(bool (*use)(loco_err *err))
{
    loco_err err;
    oom_begin(0);
    CHECK(use(&err));
    size_t allocations = oom_end();
    CHECK(allocations > 3);
    for (size_t n = 1; n <= allocations; n++) {
        err.text[0] = 0;
        oom_begin(n);
        bool good = use(&err);
        oom_end();
        CHECK(!good);
        CHECK(strncmp(err.text, "out of memory", 13) == 0);
    }
}

static void every_failing_allocation_is_reported(void)
{
    fail_each(use_score);
    fail_each(use_images);
    fail_each(use_offset);
    fail_each(use_sweep);
    fail_each(use_bands);
}

/* The C library keeps freed memory for a while: after some rounds the sum must stand still. */
static void nothing_leaks(void)
{
    enum { ROUNDS = 12, REST = 3 };
    size_t bytes[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        every_failing_allocation_is_reported();
        bytes[i] = oom_bytes();
    }
    for (int i = ROUNDS - REST; i < ROUNDS; i++)
        CHECK_EQ(bytes[i], bytes[i - 1]);
}

int main(void)
{
    RUN(every_failing_allocation_is_reported);
    RUN(nothing_leaks);
    return check_done();
}

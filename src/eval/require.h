/* SPDX-License-Identifier: MIT
 * require.h - scores that a user demands, such as "f1=0.9,f1@20=0.8,count=0.95". */
#ifndef LC_EVAL_REQUIRE_H
#define LC_EVAL_REQUIRE_H

#include "base/text.h"
#include "eval/count_score.h"
#include "eval/score.h"

#include <stdbool.h>

enum { LC_REQUIRE_MAX = 16 };

typedef enum lc_metric { LC_METRIC_F1, LC_METRIC_PRECISION, LC_METRIC_RECALL, LC_METRIC_COUNT } lc_metric;

/* All are to be met. */
typedef struct lc_require {
    size_t len;
    struct {
        lc_metric metric;
        double tolerance; /* seconds; 0: the first of the score */
        double least;     /* 0 to 1 */
    } item[LC_REQUIRE_MAX];
} lc_require;

/* Reads a list of NAME=LEAST with commas between; NAME is f1, precision, recall or count (share of clips whose count
 * is exact), and the first three may have @MILLISECONDS, of images @PIXELS. LEAST is 0 to 1, with a point. Spaces are allowed between the
 * parts. LOCO_EARG says which part is wrong. */
LOCO_MUST_USE loco_status lc_require_parse(lc_require *require, const char *text, size_t length, loco_err *err);

/* Compares with the pooled row of all classes, and counts of all clips (NULL: none were counted). *met says whether all
 * are met; each that is not appends a line to why, which may be NULL: "f1@20 is 0.7812, 0.0188 below the required 0.8".
 * LOCO_EARG for a demand that was not measured. */
LOCO_MUST_USE loco_status lc_require_check(bool *met, const lc_require *require, const lc_score *score,
                                           const lc_count_score *counts, lc_empty empty, lc_text *why, loco_err *err);

#endif

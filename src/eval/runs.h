/* SPDX-License-Identifier: MIT
 * runs.h - the scores of several runs, as `loco eval --json` wrote them, side by side.
 *
 *     lc_runs runs = {0};
 *     for each file: lc_runs_add(&runs, "exact", path, text, length, err);
 *     lc_runs_table(&out, &runs, false);
 *     lc_runs_free(&runs);
 *
 * Runs of one name are one method: the table has their mean and, from two on, their standard deviation. */
#ifndef LC_EVAL_RUNS_H
#define LC_EVAL_RUNS_H

#include "base/text.h"
#include "eval/score.h"

enum { LC_RUNS_MAX = 1024, LC_RUNS_CLASSES_MAX = 128 };

/* What is known about a class, or all, at one tolerance; what is not known is NaN. */
typedef enum lc_run_field {
    LC_RUN_PRECISION, /* three pooled over recordings */
    LC_RUN_RECALL,
    LC_RUN_F1,
    LC_RUN_RECORDING_PRECISION, /* three as a mean over recordings */
    LC_RUN_RECORDING_RECALL,
    LC_RUN_RECORDING_F1,
    LC_RUN_CLASS_PRECISION, /* three as a mean over classes, of all alone */
    LC_RUN_CLASS_RECALL,
    LC_RUN_CLASS_F1,
    LC_RUN_ERROR_MEAN, /* seconds, or pixels of images */
    LC_RUN_ERROR_SD,
    LC_RUN_FIELDS
} lc_run_field;

/* Of all clips and classes. */
typedef enum lc_run_count {
    LC_RUN_COUNT_EXACT,
    LC_RUN_COUNT_ERROR,
    LC_RUN_COUNT_BIAS,
    LC_RUN_COUNT_LOSS,
    LC_RUN_COUNTS
} lc_run_count;

/* {0} is empty. The first run says which classes and tolerances there are. */
typedef struct lc_runs {
    char **classes, **methods; /* methods in the order of their first runs */
    size_t classes_len, methods_len;
    double tolerances[LC_TOLERANCES_MAX];
    size_t tolerances_len;
    bool images;     /* tolerances and errors are in pixels */
    size_t *method;  /* (len) of each run */
    double **values; /* (len) each (classes + 1, tolerances, LC_RUN_FIELDS), then LC_RUN_COUNTS */
    size_t len;
} lc_runs;

/* Adds what stands in a text: a JSON object a line, each a run. text[length] must be readable. Messages begin with
 * where. On failure the runs of the lines before the wrong one stay added. */
LOCO_MUST_USE loco_status lc_runs_add(lc_runs *runs, const char *method, const char *where, const char *text,
                                      size_t length, loco_err *err);
/* The same from a file. */
LOCO_MUST_USE loco_status lc_runs_load(lc_runs *runs, const loco_run *run, loco_err *err);
void lc_runs_free(lc_runs *runs);

/* kind: a class or LC_ALL_KINDS. */
double lc_runs_value(const lc_runs *runs, size_t run, size_t kind, size_t tolerance, lc_run_field field);
double lc_runs_count(const lc_runs *runs, size_t run, lc_run_count field);

/* Appends tables with a row for each method, plain or in Markdown: at each tolerance F1 of each class, then precision,
 * recall and F1 of all, pooled and as means; signed errors; and counts where there are any. */
void lc_runs_table(lc_text *out, const lc_runs *runs, bool markdown);

#endif

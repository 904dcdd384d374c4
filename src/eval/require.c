/* SPDX-License-Identifier: MIT
 * require.c - scores that a user demands.
 *
 *     list   = demand *("," demand)
 *     demand = name ["@" number] "=" number
 *     number = as base/number.h reads it, such as 0.9
 *
 * A score that is computed as 0.8999999999999999 meets 0.9: `slack` allows for rounding, not more. */
#include "eval/require.h"

#include "base/number.h"
#include "base/show.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"f1", "precision", "recall", "count"};

enum { NAMES = sizeof names / sizeof names[0] };

static const double slack = 1e-12, longest_ms = 10000;

/* ---- reading ---- */

typedef struct require_part {
    const char *at, *end;
} require_part;

static require_part trimmed(require_part p)
{
    while (p.at < p.end && *p.at == ' ')
        p.at++;
    while (p.at < p.end && p.end[-1] == ' ')
        p.end--;
    return p;
}

/* Cuts p at the first `sign`; the part behind it goes to rest. False without a sign, and nothing is changed. */
static bool cut(require_part *p, char sign, require_part *rest)
{
    const char *found = p->at < p->end ? memchr(p->at, sign, (size_t)(p->end - p->at)) : NULL;
    if (found == NULL)
        return false;
    *rest = trimmed((require_part){found + 1, p->end});
    *p = trimmed((require_part){p->at, found});
    return true;
}

static bool read_number(require_part p, double *number)
{
    return lc_number_parse(p.at, (size_t)(p.end - p.at), number);
}

static bool read_name(require_part p, lc_metric *metric)
{
    for (size_t i = 0; i < NAMES; i++) {
        if ((size_t)(p.end - p.at) == strlen(names[i]) && memcmp(p.at, names[i], strlen(names[i])) == 0) {
            *metric = (lc_metric)i;
            return true;
        }
    }
    return false;
}

/* A message about one demand; its bytes come from outside, so they are made printable. */
static loco_status refuse(require_part p, const char *wanted, loco_err *err)
{
    return lc_err_set(err, LOCO_EARG, "required \"%s\": %s", lc_show_bytes(p.at, (size_t)(p.end - p.at)).text, wanted);
}

/* "f1@20=0.8" into metric f1, tolerance 0.02 s, least 0.8; without @ the tolerance is 0, the first of the scores. */
static loco_status read_demand(require_part whole, lc_metric *metric, double *tolerance, double *least, loco_err *err)
{
    require_part name = whole, value, milliseconds;
    *tolerance = 0;
    if (!cut(&name, '=', &value))
        return refuse(whole, "expected a name, = and the least value, such as f1=0.9", err);
    bool timed = cut(&name, '@', &milliseconds);
    if (!read_name(name, metric))
        return refuse(whole, "the name must be f1, precision, recall or count", err);
    if (!read_number(value, least) || !(*least >= 0 && *least <= 1))
        return refuse(whole, "the least value must be a number from 0 to 1, such as 0.9", err);
    if (!timed)
        return LOCO_OK;
    if (*metric == LC_METRIC_COUNT)
        return refuse(whole, "a count has no tolerance in time; write count=", err);
    if (!read_number(milliseconds, tolerance) || !(*tolerance > 0 && *tolerance <= longest_ms))
        return refuse(whole, "expected a tolerance in milliseconds after @, such as f1@20", err);
    *tolerance /= 1000;
    return LOCO_OK;
}

loco_status lc_require_parse(lc_require *require, const char *text, size_t length, loco_err *err)
{
    lc_require made = {0};
    if (require == NULL || text == NULL)
        return lc_err_set(err, LOCO_EARG, "require and text must not be NULL");
    require_part rest = trimmed((require_part){text, text + length});
    for (bool more = true; more;) {
        require_part demand = rest;
        more = cut(&demand, ',', &rest);
        if (made.len == LC_REQUIRE_MAX)
            return lc_err_set(err, LOCO_EARG, "more than %d required scores", LC_REQUIRE_MAX);
        size_t i = made.len++;
        loco_status status = read_demand(demand, &made.item[i].metric, &made.item[i].tolerance, &made.item[i].least,
                                         err);
        if (status != LOCO_OK)
            return status;
    }
    *require = made;
    return LOCO_OK;
}

/* ---- checking ---- */

/* The number of a tolerance; 0 stands for the first. */
static bool find_tolerance(const lc_score *score, double tolerance, size_t *number)
{
    size_t len;
    const double *tolerances = lc_score_tolerances(score, &len);
    for (*number = 0; *number < len; ++*number) {
        if (tolerance <= 0 || fabs(tolerances[*number] - tolerance) <= 1e-9)
            return true;
    }
    return false;
}

/* Tolerances are read as milliseconds; of images they are pixels. */
static double in_unit(const lc_score *score, double tolerance)
{
    return lc_score_of_images(score) ? 1000 * tolerance : tolerance;
}

/* The name as the user wrote it. */
static void put_metric(lc_text *out, lc_metric metric, double tolerance)
{
    lc_text_string(out, names[metric]);
    if (tolerance > 0) {
        lc_text_string(out, "@");
        lc_text_number(out, 1000 * tolerance, 6);
    }
}

/* A gap too small for four decimals is shown with nine. */
static void explain(lc_text *why, lc_metric metric, double tolerance, double value, double least)
{
    if (why == NULL)
        return;
    put_metric(why, metric, tolerance);
    lc_text_string(why, " is ");
    lc_text_number(why, value, 4);
    lc_text_string(why, ", ");
    lc_text_number(why, least - value, least - value >= 0.00005 ? 4 : 9);
    lc_text_string(why, " below the required ");
    lc_text_number(why, least, 9);
    lc_text_string(why, "\n");
}

static double value_of(const lc_score *score, const lc_count_score *counts, lc_metric metric, size_t tolerance,
                       lc_empty empty)
{
    lc_score_row row = lc_score_read(score, LC_ALL_KINDS, tolerance, LC_POOLED, empty);
    switch (metric) {
    case LC_METRIC_F1: return row.f1;
    case LC_METRIC_PRECISION: return row.precision;
    case LC_METRIC_RECALL: return row.recall;
    case LC_METRIC_COUNT: return lc_count_score_read(counts).exact;
    }
    return 0;
}

loco_status lc_require_check(bool *met, const lc_require *require, const lc_score *score, const lc_count_score *counts,
                             lc_empty empty, lc_text *why, loco_err *err)
{
    if (met == NULL || require == NULL || score == NULL)
        return lc_err_set(err, LOCO_EARG, "met, require and score must not be NULL");
    bool all = true;
    for (size_t i = 0; i < require->len; i++) {
        lc_metric metric = require->item[i].metric;
        double tolerance = require->item[i].tolerance, least = require->item[i].least;
        size_t number;
        if (metric == LC_METRIC_COUNT && counts == NULL)
            return lc_err_set(err, LOCO_EARG, "count=%.4g is required, but no counts were compared", least);
        if (!find_tolerance(score, in_unit(score, tolerance), &number))
            return lc_err_set(err, LOCO_EARG, "%s@%.6g is required, but no score has a tolerance of %.6g %s",
                              names[metric], 1000 * tolerance, 1000 * tolerance,
                              lc_score_of_images(score) ? "px" : "ms");
        double value = value_of(score, counts, metric, number, empty);
        if (value >= least - slack)
            continue;
        all = false;
        explain(why, metric, tolerance, value, least);
    }
    if (why != NULL && why->failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the required scores");
    *met = all;
    return LOCO_OK;
}

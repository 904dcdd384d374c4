/* SPDX-License-Identifier: MIT
 * runs_table.c - methods side by side, in the form in which papers on transcription show them.
 *
 *     within 50 ms, per cent: F1 of each class; precision, recall and F1 as means over classes, then of all events
 *     method   runs        kick       snare       hihat         Pre         Rec          F1     all Pre ...
 *     exact       2  96.0 ± 0.3  90.4 ± 1.0  97.1 ± 0.2  ...
 *
 * A cell is the mean over the runs of a method, and from two runs on their standard deviation, which divides by one
 * less than their number. A value that a run does not know is left out; none at all is a dash. */
#include "eval/runs.h"

#include "base/json.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column: what it takes of a run, and how it is written. counts: field is an lc_run_count. */
typedef struct column {
    const char *before, *name; /* the heading */
    size_t kind;
    int field;
    bool counts;
    double scale;
    unsigned decimals;
} column;

typedef struct table {
    lc_text *out;
    const lc_runs *runs;
    bool markdown;
    size_t tolerance;
    column columns[2 * LC_RUNS_CLASSES_MAX + 8];
    size_t columns_len;
} table;

/* ---- cells ---- */

static double value_of(const table *t, const column *c, size_t run)
{
    return c->scale * (c->counts ? lc_runs_count(t->runs, run, (lc_run_count)c->field)
                                 : lc_runs_value(t->runs, run, c->kind, t->tolerance, (lc_run_field)c->field));
}

/* Mean and standard deviation in one pass (Welford), which also holds for small deviations of large values. */
static void write_cell(lc_text *out, const table *t, const column *c, size_t method)
{
    double n = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < t->runs->len; i++) {
        double value = value_of(t, c, i);
        if (t->runs->method[i] != method || !isfinite(value))
            continue;
        double before = value - mean;
        n++;
        mean += before / n;
        squares += before * (value - mean);
    }
    if (n < 1) {
        lc_text_string(out, "-");
        return;
    }
    lc_text_fixed(out, mean, c->decimals);
    if (n > 1) {
        lc_text_string(out, " \xc2\xb1 ");
        lc_text_fixed(out, sqrt(squares / (n - 1)), c->decimals);
    }
}

static size_t runs_of(const lc_runs *runs, size_t method)
{
    size_t n = 0;
    for (size_t i = 0; i < runs->len; i++)
        n += runs->method[i] == method;
    return n;
}

/* Row 0 is the heading; column 0 the method, 1 the number of runs. */
static void write_any(lc_text *out, const table *t, size_t row, size_t at)
{
    const column *c = &t->columns[at >= 2 ? at - 2 : 0];
    if (at == 1 && row > 0)
        lc_text_format(out, "%zu", runs_of(t->runs, row - 1));
    else if (at >= 2 && row > 0)
        write_cell(out, t, c, row - 1);
    else {
        char cell[LC_SHOWN_MAX * 2];
        const char *name = row > 0 ? t->runs->methods[row - 1] : at == 0 ? "method" : at == 1 ? "runs" : c->name;
        lc_show_markdown(cell, sizeof cell, lc_show(name).text);
        lc_text_format(out, "%s%s", row == 0 && at >= 2 ? c->before : "", t->markdown ? cell : lc_show(name).text);
    }
}

/* ---- a table ---- */

/* Characters, not bytes. */
static size_t width_of(const table *t, size_t row, size_t at)
{
    lc_text text = {0};
    size_t n = 0;
    write_any(&text, t, row, at);
    for (size_t i = 0; i < text.length; i++)
        n += ((unsigned char)text.bytes[i] & 0xc0) != 0x80;
    t->out->failed |= text.failed;
    lc_text_free(&text);
    return n;
}

static void pad(lc_text *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        lc_text_append(out, " ", 1);
}

static void write_row(const table *t, size_t row, const size_t *widths)
{
    lc_text_string(t->out, t->markdown ? "| " : "");
    for (size_t at = 0; at < t->columns_len + 2; at++) {
        size_t width = width_of(t, row, at), space = width < widths[at] ? widths[at] - width : 0;
        if (at > 0)
            lc_text_string(t->out, t->markdown ? " | " : "  ");
        pad(t->out, at > 0 ? space : 0);
        write_any(t->out, t, row, at);
        pad(t->out, at > 0 ? 0 : space);
    }
    lc_text_string(t->out, t->markdown ? " |\n" : "\n");
}

static void write_table(const table *t)
{
    size_t widths[2 * LC_RUNS_CLASSES_MAX + 10], columns = t->columns_len + 2, rows = t->runs->methods_len + 1;
    for (size_t at = 0; at < columns; at++) {
        widths[at] = 0;
        for (size_t row = 0; row < rows; row++) {
            size_t width = width_of(t, row, at);
            widths[at] = width > widths[at] ? width : widths[at];
        }
    }
    for (size_t row = 0; row < rows; row++) {
        write_row(t, row, widths);
        for (size_t at = 0; row == 0 && t->markdown && at < columns; at++)
            lc_text_string(t->out, at == 0 ? "|---" : "|---:");
        lc_text_string(t->out, row == 0 && t->markdown ? "|\n" : "");
    }
}

/* ---- which tables ---- */

static void add_column(table *t, const char *before, const char *name, size_t kind, lc_run_field field)
{
    bool time = field == LC_RUN_ERROR_MEAN || field == LC_RUN_ERROR_SD;
    double scale = !time ? 100 : t->runs->images ? 1 : 1e3;
    t->columns[t->columns_len++] = (column){before, name, kind, (int)field, false, scale, time ? 2 : 1};
}

static void add_rates(table *t, const char *before, lc_run_field first)
{
    static const char *const names[] = {"Pre", "Rec", "F1"};
    for (int i = 0; i < 3; i++)
        add_column(t, before, names[i], LC_ALL_KINDS, (lc_run_field)((int)first + i));
}

static void write_title(const table *t, const char *what)
{
    lc_text_string(t->out, t->out->length > 0 ? "\n" : "");
    lc_text_string(t->out, t->markdown ? "**within " : "within ");
    lc_text_number(t->out, (t->runs->images ? 1 : 1e3) * t->runs->tolerances[t->tolerance], 3);
    lc_text_format(t->out, " %s%s, %s%s\n", t->runs->images ? "px" : "ms", t->markdown ? "**" : "", what,
                   t->markdown ? "\n" : "");
}

static void write_tolerance(table *t)
{
    const lc_runs *runs = t->runs;
    write_title(t, "per cent: F1 of each class; precision, recall and F1 as means over classes, then of all events");
    for (size_t k = 0; k < runs->classes_len; k++)
        add_column(t, "", runs->classes[k], k, LC_RUN_F1);
    add_rates(t, "", LC_RUN_CLASS_PRECISION);
    add_rates(t, "all ", LC_RUN_PRECISION);
    write_table(t);
    t->columns_len = 0;
    write_title(t, "per cent: the same as means over recordings");
    for (size_t k = 0; k < runs->classes_len; k++)
        add_column(t, "", runs->classes[k], k, LC_RUN_RECORDING_F1);
    add_rates(t, "all ", LC_RUN_RECORDING_PRECISION);
    write_table(t);
    t->columns_len = 0;
    write_title(t, runs->images
                       ? "pixels: distance of matched events from the true ones, mean and spread (sd)"
                       : "milliseconds: signed time error of matched events (detected - true), mean and spread (sd)");
    for (size_t k = 0; k <= runs->classes_len; k++) {
        bool all = k == runs->classes_len;
        add_column(t, "", all ? "all" : runs->classes[k], all ? LC_ALL_KINDS : k, LC_RUN_ERROR_MEAN);
        add_column(t, "sd ", all ? "all" : runs->classes[k], all ? LC_ALL_KINDS : k, LC_RUN_ERROR_SD);
    }
    write_table(t);
    t->columns_len = 0;
}

static void write_counts(table *t)
{
    static const column columns[LC_RUN_COUNTS] = {
        {"", "exact %",  0, LC_RUN_COUNT_EXACT, true, 100, 1},
        {"", "error",    0, LC_RUN_COUNT_ERROR, true, 1,   3},
        {"", "bias",     0, LC_RUN_COUNT_BIAS,  true, 1,   3},
        {"", "log loss", 0, LC_RUN_COUNT_LOSS,  true, 1,   3},
    };
    bool any = false;
    for (size_t i = 0; i < t->runs->len; i++)
        any |= isfinite(lc_runs_count(t->runs, i, LC_RUN_COUNT_EXACT)) != 0;
    if (!any)
        return;
    lc_text_string(t->out, t->out->length > 0 ? "\n" : "");
    lc_text_string(t->out, t->markdown ? "**counts of clips**\n\n" : "counts of clips\n");
    memcpy(t->columns, columns, sizeof columns);
    t->columns_len = LC_RUN_COUNTS;
    write_table(t);
}

void lc_runs_table(lc_text *out, const lc_runs *runs, bool markdown)
{
    lc_text own = {0};
    table t = {.out = &own, .runs = runs, .markdown = markdown};
    for (t.tolerance = 0; t.tolerance < runs->tolerances_len; t.tolerance++)
        write_tolerance(&t);
    write_counts(&t);
    bool spread = false;
    for (size_t m = 0; m < runs->methods_len; m++)
        spread |= runs_of(runs, m) > 1;
    if (spread)
        lc_text_string(&own, "\n\xc2\xb1: standard deviation over the runs of a method.\n");
    lc_text_append(out, own.bytes != NULL ? own.bytes : "", own.length);
    out->failed |= own.failed;
    lc_text_free(&own);
}

/* ---- of files ---- */

loco_status loco_table(char **text, const loco_run *files, size_t files_len, bool markdown, loco_err *err)
{
    lc_runs runs = {0};
    lc_text out = {0};
    loco_status status = files_len == 0 ? lc_err_set(err, LOCO_EARG, "a table needs at least one run") : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < files_len; i++)
        status = lc_runs_load(&runs, &files[i], err);
    if (status == LOCO_OK)
        lc_runs_table(&out, &runs, markdown);
    if (status == LOCO_OK && out.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a table");
    if (status == LOCO_OK)
        *text = out.bytes;
    else
        lc_text_free(&out);
    lc_runs_free(&runs);
    return status;
}

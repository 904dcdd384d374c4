/* SPDX-License-Identifier: MIT
 * score_text.c - scores as a table for people and as JSON for programs.
 *
 *                                              within 50 ms                  within 20 ms  error within 50 ms
 *     class            ref    est  matched      P      R     F1  matched      P      R     F1   mean ms     sd ms
 *     kick             248    250      240  0.960  0.968  0.964      211  0.844  0.851  0.847      1.24      4.35
 *
 *     {"recordings": 7, "empty": "zero", "classes": [{"name": "kick", "reference": 248, "estimated": 250,
 *      "at": [{"tolerance": 0.05, "matched": 240, "precision": 0.96, "recall": ..., "f1": ..., "error_mean": 0.00124,
 *      "error_sd": 0.00435, "recording_mean": {"precision": ..., "recall": ..., "f1": ...}}, ...],
 *      "counts": {...}}, ...], "all": {... the same ..., with "class_mean" beside "recording_mean"}}
 *
 * Of images, distances in px stand in place of time errors in ms, and "tolerance" and "error_mean" are in pixels.
 *
 * Without any recording with times, "at" is empty, and the table has counts alone.
 *
 * Widths are counted in characters, not bytes, so that names with accents stay aligned. */
#include "eval/score_text.h"

#include "base/json.h"
#include "eval/octaves.h"
#include "events/pitches.h"

#include <stdio.h>
#include <string.h>

enum { COUNT_WIDTH = 7, MATCHED_WIDTH = 9, RATE_WIDTH = 7, ERROR_WIDTH = 10, COLUMN_WIDTH = 9 };
enum { GROUP_WIDTH = MATCHED_WIDTH + 3 * RATE_WIDTH };

static const char pooled_label[] = "all, pooled";

/* ---- the table ---- */

/* Bytes that are not the continuation of a UTF-8 character. */
size_t lc_cell_width(const char *string)
{
    size_t n = 0;
    for (; *string != 0; string++)
        n += ((unsigned char)*string & 0xc0) != 0x80;
    return n;
}

void lc_cell_left(lc_text *out, size_t width, const char *string)
{
    lc_text_string(out, string);
    for (size_t n = lc_cell_width(string); n < width; n++)
        lc_text_append(out, " ", 1);
}

void lc_cell_right(lc_text *out, size_t width, const char *string)
{
    for (size_t n = lc_cell_width(string); n < width; n++)
        lc_text_append(out, " ", 1);
    lc_text_string(out, string);
}

static void put_number(lc_text *out, size_t width, double value, unsigned decimals)
{
    lc_text cell = {0};
    lc_text_fixed(&cell, value, decimals);
    if (cell.failed)
        out->failed = true;
    else
        lc_cell_right(out, width, cell.bytes);
    lc_text_free(&cell);
}

static void put_count(lc_text *out, int width, size_t count)
{
    lc_text_format(out, "%*zu", width, count);
}

/* In which tolerances and errors are shown. */
typedef struct shown_unit {
    const char *name, *mean, *sd; /* and the titles of two columns */
    const char *error;            /* what the errors are */
    const char *recordings;       /* what is averaged over */
    double scale;
} shown_unit;

static shown_unit unit_of(const lc_score *score)
{
    if (lc_score_of_images(score))
        return (shown_unit){" px", "mean px", "sd px", "apart within ", "images", 1};
    return (shown_unit){" ms", "mean ms", "sd ms", "error within ", "recordings", 1e3};
}

/* "within 50 ms", at the right end of so many columns. */
static void put_tolerance(lc_text *out, size_t width, const char *before, double tolerance, shown_unit unit)
{
    lc_text cell = {0};
    lc_text_string(&cell, before);
    lc_text_number(&cell, unit.scale * tolerance, 3);
    lc_text_string(&cell, unit.name);
    if (cell.failed)
        out->failed = true;
    else
        lc_cell_right(out, width, cell.bytes);
    lc_text_free(&cell);
}

static void put_rates(lc_text *out, lc_score_row row)
{
    put_number(out, RATE_WIDTH, row.precision, 3);
    put_number(out, RATE_WIDTH, row.recall, 3);
    put_number(out, RATE_WIDTH, row.f1, 3);
}

/* Without a pair there is no error. */
static void put_errors(lc_text *out, lc_score_row row, shown_unit unit)
{
    if (row.matched > 0) {
        put_number(out, ERROR_WIDTH, unit.scale * row.error_mean, 2);
        put_number(out, ERROR_WIDTH, unit.scale * row.error_sd, 2);
    } else {
        lc_cell_right(out, ERROR_WIDTH, "-");
        lc_cell_right(out, ERROR_WIDTH, "-");
    }
}

static void head(lc_text *out, const lc_score *score, const char *title, size_t width)
{
    size_t len;
    const double *tolerances = lc_score_tolerances(score, &len);
    shown_unit unit = unit_of(score);
    lc_cell_left(out, width + 2 * (size_t)COUNT_WIDTH, "");
    for (size_t t = 0; t < len; t++)
        put_tolerance(out, GROUP_WIDTH, "within ", tolerances[t], unit);
    put_tolerance(out, 2 * (size_t)ERROR_WIDTH, unit.error, tolerances[0], unit);
    lc_text_string(out, "\n");
    lc_cell_left(out, width, title);
    lc_text_format(out, "%*s%*s", COUNT_WIDTH, "ref", COUNT_WIDTH, "est");
    for (size_t t = 0; t < len; t++)
        lc_text_format(out, "%*s%*s%*s%*s", MATCHED_WIDTH, "matched", RATE_WIDTH, "P", RATE_WIDTH, "R", RATE_WIDTH,
                       "F1");
    lc_text_format(out, "%*s%*s\n", ERROR_WIDTH, unit.mean, ERROR_WIDTH, unit.sd);
}

/* A row with everything, from one row a tolerance. */
static void put_rows(lc_text *out, const lc_score_row *rows, size_t len, shown_unit unit)
{
    put_count(out, COUNT_WIDTH, rows[0].reference);
    put_count(out, COUNT_WIDTH, rows[0].estimated);
    for (size_t t = 0; t < len; t++) {
        put_count(out, MATCHED_WIDTH, rows[t].matched);
        put_rates(out, rows[t]);
    }
    put_errors(out, rows[0], unit);
    lc_text_string(out, "\n");
}

/* Pooled events of a class, or of all. */
static void full_row(lc_text *out, const lc_score *score, size_t kind, lc_empty empty)
{
    size_t len;
    lc_score_row rows[LC_TOLERANCES_MAX];
    lc_score_tolerances(score, &len);
    for (size_t t = 0; t < len; t++)
        rows[t] = lc_score_read(score, kind, t, LC_POOLED, empty);
    put_rows(out, rows, len, unit_of(score));
}

/* "mean over 7 recordings" */
typedef struct text_label {
    char text[48];
} text_label;

static text_label mean_label(size_t n, const char *of)
{
    text_label l;
    snprintf(l.text, sizeof l.text, "mean over %zu %s", n, of);
    return l;
}

/* The first column: the longest name, and no less than its own words. */
static size_t label_width(const lc_score *score, const char *const *names)
{
    size_t width = lc_cell_width(mean_label(lc_score_recordings(score), unit_of(score).recordings).text);
    for (size_t k = 0; k < lc_score_classes(score); k++) {
        size_t n = lc_cell_width(lc_show(names[k]).text);
        width = n > width ? n : width;
    }
    return width;
}

/* A mean of precision, recall and F1; it has no counts and errors of its own. */
static void mean_row(lc_text *out, const lc_score *score, lc_average average, lc_empty empty)
{
    size_t len;
    lc_score_tolerances(score, &len);
    lc_text_format(out, "%*s", 2 * COUNT_WIDTH, "");
    for (size_t t = 0; t < len; t++) {
        lc_text_format(out, "%*s", MATCHED_WIDTH, "");
        put_rates(out, lc_score_read(score, LC_ALL_KINDS, t, average, empty));
    }
    lc_text_string(out, "\n");
}

/* A class without clips has a 0 and nothing else. */
static void count_row(lc_text *out, const lc_count_score *counts)
{
    lc_count_row row = lc_count_score_read(counts);
    put_count(out, COUNT_WIDTH, row.clips);
    if (row.clips == 0) {
        lc_text_string(out, "\n");
        return;
    }
    put_number(out, COLUMN_WIDTH, row.exact, 3);
    put_number(out, COLUMN_WIDTH, row.distance, 3);
    put_number(out, COLUMN_WIDTH, row.bias, 3);
    for (int l = 0; l < LC_LEVELS; l++) {
        put_number(out, COLUMN_WIDTH, row.coverage[l], 3);
        put_number(out, RATE_WIDTH, row.claimed[l], 3);
    }
    if (row.distributions > 0) {
        put_number(out, COLUMN_WIDTH + 1, row.log_loss, 3);
        put_number(out, COLUMN_WIDTH, row.pit_deviation, 3);
    } else {
        lc_text_format(out, "%*s%*s", COLUMN_WIDTH + 1, "-", COLUMN_WIDTH, "-");
    }
    if (row.intervals > 0) {
        put_number(out, COLUMN_WIDTH + 1, row.held, 3);
        put_number(out, RATE_WIDTH, row.held_claimed, 3);
        put_number(out, RATE_WIDTH, row.held_width, 2);
    }
    lc_text_string(out, "\n");
}

/* Sums of clips, so a class with many clips weighs more. */
static lc_count_score joined(const lc_count_score *counts, size_t classes)
{
    lc_count_score all = {0};
    for (size_t k = 0; k < classes; k++)
        lc_count_score_join(&all, &counts[k]);
    return all;
}

/* intervals: whether any clip has the interval of a model, which needs three more columns. */
static void count_head(lc_text *out, const char *what, size_t width, bool intervals)
{
    lc_text_string(out, "\n");
    lc_cell_left(out, width, what);
    lc_text_format(out, "%*s%*s%*s%*s", COUNT_WIDTH, "clips", COLUMN_WIDTH, "exact", COLUMN_WIDTH, "error",
                   COLUMN_WIDTH, "bias");
    for (int l = 0; l < LC_LEVELS; l++)
        lc_text_format(out, "%*s%d %%%*s", COLUMN_WIDTH - 4, "in ", (int)(100 * lc_levels[l] + 0.5), RATE_WIDTH,
                       "claim");
    lc_text_format(out, "%*s%*s", COLUMN_WIDTH + 1, "log loss", COLUMN_WIDTH, "PIT off");
    if (intervals)
        lc_text_format(out, "%*s%*s%*s", COLUMN_WIDTH + 1, "interval", RATE_WIDTH, "claim", RATE_WIDTH, "width");
    lc_text_string(out, "\n");
}

/* rows: classes that have one, before all of them pooled. */
static void count_table(lc_text *out, size_t classes, size_t rows, const char *const *names,
                        const lc_count_score *counts, size_t width)
{
    lc_count_score all = joined(counts, classes);
    count_head(out, "counts", width, all.intervals > 0);
    for (size_t k = 0; k < rows; k++) {
        lc_cell_left(out, width, lc_show(names[k]).text);
        count_row(out, &counts[k]);
    }
    lc_cell_left(out, width, pooled_label);
    count_row(out, &all);
}

void lc_sums_table(lc_text *out, const lc_sum *sums, const lc_count_score *counts, size_t n)
{
    size_t width = lc_cell_width(pooled_label);
    for (size_t s = 0; s < n; s++) {
        size_t own = lc_cell_width(lc_show(sums[s].name).text);
        width = own > width ? own : width;
    }
    count_head(out, "sums", width, true);
    for (size_t s = 0; s < n; s++) {
        lc_cell_left(out, width, lc_show(sums[s].name).text);
        count_row(out, &counts[s]);
    }
}

/* There are clips with counts, but no recording with times, and so no scores of events. */
static bool counts_only(const lc_score *score, const lc_count_score *counts)
{
    return counts != NULL && lc_score_recordings(score) == 0;
}

/* All events, and the means over recordings and classes. */
static void all_rows(lc_text *out, const lc_score *score, size_t width, lc_empty empty)
{
    size_t classes = empty == LC_EMPTY_ZERO ? lc_score_present(score) : lc_score_classes(score);
    lc_cell_left(out, width, pooled_label);
    full_row(out, score, LC_ALL_KINDS, empty);
    lc_cell_left(out, width, mean_label(lc_score_recordings(score), unit_of(score).recordings).text);
    mean_row(out, score, LC_PER_RECORDING, empty);
    lc_cell_left(out, width, mean_label(classes, "classes").text);
    mean_row(out, score, LC_PER_CLASS, empty);
}

static void explain(lc_text *out, const lc_score *score, lc_empty empty)
{
    lc_text_string(out, empty == LC_EMPTY_ZERO ? "Without reference or without estimates, P, R and F1 are 0.\n"
                                               : "Without estimates P is 1, without reference R is 1.\n");
    size_t absent = lc_score_classes(score) - lc_score_present(score);
    if (empty == LC_EMPTY_ZERO && absent > 0)
        lc_text_format(out, "Classes with neither, %zu, are not in the mean over classes.\n", absent);
}

static void event_table(lc_text *out, const lc_score *score, const char *const *names, size_t width, lc_empty empty)
{
    head(out, score, "class", width);
    for (size_t k = 0; k < lc_score_classes(score); k++) {
        lc_cell_left(out, width, lc_show(names[k]).text);
        full_row(out, score, k, empty);
    }
    all_rows(out, score, width, empty);
    explain(out, score, empty);
}

static void octave_rows(lc_text *out, const lc_score *score, const char *const *names, size_t width)
{
    size_t len = 0;
    lc_score_row rows[LC_TOLERANCES_MAX] = {{0}};
    lc_score_tolerances(score, &len);
    for (size_t octave = 0; octave < LC_OCTAVES; octave++) {
        for (size_t t = 0; t < len; t++)
            rows[t] = lc_octave_read(score, names, octave, t);
        if (rows[0].reference + rows[0].estimated == 0)
            continue;
        lc_cell_left(out, width, lc_octave_show(octave).text);
        put_rows(out, rows, len, unit_of(score));
    }
}

void lc_score_table(lc_text *out, const lc_score *score, const char *const *names, const lc_count_score *counts,
                    lc_empty empty)
{
    size_t classes = lc_score_classes(score), width = label_width(score, names);
    if (counts_only(score, counts))
        lc_text_string(out, lc_score_of_images(score) ? "No places are given: counts only.\n"
                                                      : "No times are given: counts only.\n");
    else
        event_table(out, score, names, width, empty);
    if (counts != NULL)
        count_table(out, classes, classes, names, counts, width);
}

void lc_score_brief(lc_text *out, const lc_score *score, const char *const *names, const lc_count_score *counts,
                    lc_empty empty)
{
    size_t classes = lc_score_classes(score), width = label_width(score, names);
    if (counts_only(score, counts)) {
        lc_text_string(out, "No times are given: counts only.\n");
    } else {
        head(out, score, "events", width);
        all_rows(out, score, width, empty);
        if (lc_pitched(names, classes))
            octave_rows(out, score, names, width);
        explain(out, score, empty);
    }
    if (counts != NULL)
        count_table(out, classes, 0, names, counts, width);
    lc_text_format(out, "loco eval --all has a row for each of %zu classes.\n", classes);
}

void lc_recordings_table(lc_text *out, const lc_score *score, const lc_recording_score *recordings, size_t n)
{
    size_t len, width = lc_cell_width("recording");
    lc_score_tolerances(score, &len);
    for (size_t i = 0; i < n; i++) {
        size_t own = lc_cell_width(lc_show(recordings[i].name).text);
        width = own > width ? own : width;
    }
    head(out, score, "recording", width);
    for (size_t i = 0; i < n; i++) {
        lc_cell_left(out, width, lc_show(recordings[i].name).text);
        put_rows(out, recordings[i].rows, len, unit_of(score));
    }
}

/* ---- JSON ---- */

static void field(lc_text *out, const char *before, const char *key, double value)
{
    lc_text_format(out, "%s\"%s\": ", before, key);
    lc_text_number(out, value, 9);
}

static void rate_fields(lc_text *out, const char *before, lc_score_row row)
{
    field(out, before, "precision", row.precision);
    field(out, ", ", "recall", row.recall);
    field(out, ", ", "f1", row.f1);
}

static void mean_object(lc_text *out, const char *key, lc_score_row row)
{
    lc_text_format(out, ", \"%s\": ", key);
    rate_fields(out, "{", row);
    lc_text_string(out, "}");
}

/* One tolerance of anything, without the end of the object. */
static void row_fields(lc_text *out, double tolerance, lc_score_row row)
{
    field(out, "{", "tolerance", tolerance);
    lc_text_format(out, ", \"matched\": %zu", row.matched);
    rate_fields(out, ", ", row);
    if (row.matched > 0) {
        field(out, ", ", "error_mean", row.error_mean);
        field(out, ", ", "error_sd", row.error_sd);
    } else {
        lc_text_string(out, ", \"error_mean\": null, \"error_sd\": null");
    }
}

/* Of a class, or of all, which alone has a mean over classes. */
static void at_object(lc_text *out, const lc_score *score, size_t kind, size_t t, lc_empty empty)
{
    size_t len;
    row_fields(out, lc_score_tolerances(score, &len)[t], lc_score_read(score, kind, t, LC_POOLED, empty));
    mean_object(out, "recording_mean", lc_score_read(score, kind, t, LC_PER_RECORDING, empty));
    if (kind == LC_ALL_KINDS)
        mean_object(out, "class_mean", lc_score_read(score, kind, t, LC_PER_CLASS, empty));
    lc_text_string(out, "}");
}

static void array(lc_text *out, const char *key, const double *values, size_t n)
{
    lc_text_format(out, ", \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        lc_text_string(out, i > 0 ? ", " : "");
        lc_text_number(out, values[i], 9);
    }
    lc_text_string(out, "]");
}

static void counts_object(lc_text *out, const lc_count_score *counts)
{
    lc_count_row row = lc_count_score_read(counts);
    lc_text_format(out, ", \"counts\": {\"clips\": %zu", row.clips);
    field(out, ", ", "exact", row.exact);
    field(out, ", ", "absolute_error", row.distance);
    field(out, ", ", "bias", row.bias);
    array(out, "levels", lc_levels, LC_LEVELS);
    array(out, "coverage", row.coverage, LC_LEVELS);
    array(out, "claimed", row.claimed, LC_LEVELS);
    if (row.distributions > 0) {
        lc_text_format(out, ", \"distributions\": %zu, \"impossible\": %zu", row.distributions, row.impossible);
        field(out, ", ", "log_loss", row.log_loss);
        array(out, "pit", row.pit, LC_PIT_BINS);
        field(out, ", ", "pit_deviation", row.pit_deviation);
    }
    if (row.intervals > 0) {
        field(out, ", ", "interval_held", row.held);
        field(out, ", ", "interval_claimed", row.held_claimed);
        field(out, ", ", "interval_width", row.held_width);
    }
    lc_text_string(out, "}");
}

/* The members of a class or of all, after what stands before. */
static void members(lc_text *out, const lc_score *score, size_t kind, const lc_count_score *counts, lc_empty empty)
{
    size_t len;
    lc_score_row row = lc_score_read(score, kind, 0, LC_POOLED, empty);
    lc_score_tolerances(score, &len);
    lc_text_format(out, "\"reference\": %zu, \"estimated\": %zu, \"at\": [", row.reference, row.estimated);
    for (size_t t = 0; t < (counts_only(score, counts) ? 0 : len); t++) {
        lc_text_string(out, t > 0 ? ", " : "");
        at_object(out, score, kind, t, empty);
    }
    lc_text_string(out, "]");
    if (counts != NULL)
        counts_object(out, counts);
    lc_text_string(out, "}");
}

/* JSON must be UTF-8, and a file may have brought any bytes. */
static void put_name(lc_text *out, const char *name)
{
    lc_shown shown = lc_show(name);
    lc_json_append(out, lc_utf8_valid(name, strlen(name)) ? name : shown.text);
}

void lc_score_json(lc_text *out, const lc_score *score, const char *const *names, const lc_count_score *counts,
                   lc_empty empty)
{
    size_t classes = lc_score_classes(score);
    lc_text_format(out, "{\"recordings\": %zu, \"empty\": \"%s\", \"classes\": [", lc_score_recordings(score),
                   empty == LC_EMPTY_ZERO ? "zero" : "one");
    for (size_t k = 0; k < classes; k++) {
        lc_text_string(out, k > 0 ? ", {\"name\": " : "{\"name\": ");
        put_name(out, names[k]);
        lc_text_string(out, ", ");
        members(out, score, k, counts != NULL ? &counts[k] : NULL, empty);
    }
    lc_text_string(out, "], \"all\": {");
    lc_count_score all = counts != NULL ? joined(counts, classes) : (lc_count_score){0};
    members(out, score, LC_ALL_KINDS, counts != NULL ? &all : NULL, empty);
    lc_text_string(out, "}");
}

/* Goes back into the object that was closed; false without memory. */
static bool reopen(lc_text *out)
{
    bool there = !out->failed && out->length > 0;
    out->length -= there;
    return there;
}

void lc_recordings_json(lc_text *out, const lc_score *score, const lc_recording_score *recordings, size_t n)
{
    size_t len;
    const double *tolerances = lc_score_tolerances(score, &len);
    if (!reopen(out))
        return;
    lc_text_string(out, ", \"per_recording\": [");
    for (size_t i = 0; i < n; i++) {
        const lc_score_row *rows = recordings[i].rows;
        lc_text_string(out, i > 0 ? ", {\"file\": " : "{\"file\": ");
        put_name(out, recordings[i].name);
        lc_text_format(out, ", \"reference\": %zu, \"estimated\": %zu, \"at\": [", rows[0].reference,
                       rows[0].estimated);
        for (size_t t = 0; t < len; t++) {
            lc_text_string(out, t > 0 ? ", " : "");
            row_fields(out, tolerances[t], rows[t]);
            lc_text_string(out, "}");
        }
        lc_text_string(out, "]}");
    }
    lc_text_string(out, "]}");
}

void lc_sums_json(lc_text *out, const lc_sum *sums, const lc_count_score *counts, size_t n)
{
    if (!reopen(out))
        return;
    lc_text_string(out, ", \"sums\": [");
    for (size_t s = 0; s < n; s++) {
        lc_text_string(out, s > 0 ? ", {\"name\": " : "{\"name\": ");
        put_name(out, sums[s].name);
        counts_object(out, &counts[s]);
        lc_text_string(out, "}");
    }
    lc_text_string(out, "]}");
}

/* SPDX-License-Identifier: MIT
 * series_rows.c - lines, cells, names and numbers of a table of sensor channels.
 *
 *     # rate: 50                 or a column of times, by its name: series_clock.c
 *     time,x,y,z
 *     0.00,0.1,-9.8,0.3
 *     0.02,0.1,,0.3              a cell that is empty, nan or NA is missing: see lc_track_fill
 *
 * Cells are separated by commas; by semicolons, or else tabs, when the header has no comma, and then numbers may have a
 * decimal comma. Unlike base/csv.h nothing but numbers is kept: an hour of three channels at 1 kHz is 3.6 million rows.
 *
 * Columns are chosen by their names, in any order of the file. What is not wanted is not looked at: it may be text. Where
 * no names are wanted all columns are read but the times, other times, numbers of rows (a first column without a name,
 * as pandas writes) and text, such as the name of an activity. */
#include "signal/series_rows.h"

#include "base/number.h"
#include "base/show.h"
#include "base/status.h"
#include "signal/series_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LARGEST = 1e9; /* as in track.c */

lc_row_shown lc_text_cell_show(lc_text_cell c)
{
    lc_row_shown s;
    size_t n = c.length < LC_ROW_SHOWN ? c.length : LC_ROW_SHOWN;
    for (size_t i = 0; i < n; i++)
        s.text[i] = c.at[i] >= ' ' && c.at[i] <= '~' ? c.at[i] : '?';
    s.text[n] = '\0';
    return s;
}

/* Decimal numbers in a sentence have a point in every locale. */
lc_row_shown lc_seconds_show(double seconds)
{
    lc_row_shown s;
    double micro = fabs(seconds) < 9e9 ? nearbyint(fabs(seconds) * 1e6) : 9e15;
    snprintf(s.text, sizeof s.text, "%s%.0f.%06.0f", seconds < 0 ? "-" : "", floor(micro / 1e6), fmod(micro, 1e6));
    return s;
}

static bool is(lc_text_cell c, const char *word)
{
    size_t n = strlen(word), i = 0;
    while (i < n && i < c.length && (c.at[i] | 0x20) == (word[i] | 0x20))
        i++;
    return i == n && c.length == n;
}

static bool same(lc_text_cell a, lc_text_cell b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

/* ---- lines and cells ---- */

static lc_text_cell strip(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (end - at >= 2 && *at == '"' && end[-1] == '"') {
        at++;
        end--;
    }
    return (lc_text_cell){at, (size_t)(end - at)};
}

static const char *line_end(const lc_row_reader *r)
{
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return end != NULL ? end : r->end;
}

/* "# rate: 50", "#rate=50 Hz": 50; anything else: 0. */
static double rate_of_comment(const char *at, const char *end)
{
    double rate = 0;
    at++;
    while (at < end && *at == ' ')
        at++;
    if (end - at < 5 || memcmp(at, "rate", 4) != 0)
        return 0;
    at += 4;
    while (at < end && (*at == ' ' || *at == ':' || *at == '='))
        at++;
    lc_text_cell number = strip(at, end);
    if (number.length > 2 && is((lc_text_cell){number.at + number.length - 2, 2}, "hz"))
        number = strip(number.at, number.at + number.length - 2);
    return lc_number_parse(number.at, number.length, &rate) && rate >= 0 ? rate : -1;
}

/* Goes to the next line with something in it; false at the end. */
bool lc_rows_next(lc_row_reader *r, const char **end)
{
    while (r->at < r->end) {
        *end = line_end(r);
        r->line++;
        if (*r->at != '#' && strip(r->at, *end).length > 0)
            return true;
        double rate = *r->at == '#' ? rate_of_comment(r->at, *end) : 0;
        r->stated = rate > 0 || rate < 0 ? rate : r->stated;
        r->at = *end + (*end < r->end);
    }
    return false;
}

/* Cells of the line at r->at, up to LC_ROW_COLUMNS + 1 of them; goes behind it. */
static size_t split(lc_row_reader *r, const char *end)
{
    size_t n = 0;
    const char *at = r->at;
    while (n <= LC_ROW_COLUMNS) {
        const char *stop = r->separator != '\0' ? memchr(at, r->separator, (size_t)(end - at)) : NULL;
        r->cells[n++] = strip(at, stop != NULL ? stop : end);
        if (stop == NULL)
            break;
        at = stop + 1;
    }
    r->at = end + (end < r->end);
    return n;
}

/* ---- the header ---- */

static loco_status check_name(const lc_row_reader *r, size_t column, loco_err *err)
{
    lc_text_cell name = r->names[column];
    double number;
    if (lc_number_parse(name.at, name.length, &number))
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: \"%s\" where a name should stand; the first row names the columns",
                          lc_track_show(r->name).text, r->line, lc_text_cell_show(name).text);
    for (size_t i = 0; i < column; i++)
        if (name.length > 0 && same(name, r->names[i]))
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\" is there twice", lc_track_show(r->name).text,
                              r->line, lc_text_cell_show(name).text);
    return LOCO_OK;
}

/* Whether a column is among the names that are wanted. */
static bool is_wanted(const char *wanted, lc_text_cell column)
{
    for (const char *at = wanted; *at != '\0';) {
        const char *stop = at + strcspn(at, ",");
        if (same(strip(at, stop), column))
            return true;
        at = stop + (*stop == ',');
    }
    return false;
}

/* Says which columns there are, or the one that may be meant: not the time, and none that is wanted itself. */
static loco_status no_column(const lc_row_reader *r, const char *wanted, lc_text_cell name, loco_err *err)
{
    char texts[LC_ROW_COLUMNS][LC_ROW_SHOWN + 1], list[100] = "";
    const char *names[LC_ROW_COLUMNS];
    size_t used = 0, free_ones = 0;
    if (r->time < LC_ROW_COLUMNS && same(r->names[r->time], name))
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\" holds the times, and is not a channel",
                          lc_track_show(r->name).text, r->line, lc_text_cell_show(name).text);
    for (size_t i = 0; i < r->columns; i++) {
        memcpy(texts[i], lc_text_cell_show(r->names[i]).text, sizeof texts[i]);
        if (i != r->time && !is_wanted(wanted, r->names[i]))
            names[free_ones++] = texts[i];
        int n = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", texts[i]);
        used = n > 0 && used + (size_t)n < sizeof list ? used + (size_t)n : sizeof list - 1;
    }
    const char *near = loco_nearest(lc_text_cell_show(name).text, names, free_ones);
    return lc_err_set(err, LOCO_EDATA, "%s:%zu: there is no column \"%s\"; %s%s%s", lc_track_show(r->name).text,
                      r->line, lc_text_cell_show(name).text, near != NULL ? "is it \"" : "there are ",
                      near != NULL ? near : list, near != NULL ? "\"?" : "");
}

/* All columns but the time and what is aside become channels. */
static void choose_all(lc_row_reader *r)
{
    r->channels = 0;
    for (size_t i = 0; i < r->columns; i++) {
        bool is_channel = i != r->time && !r->aside[i];
        r->channel[i] = is_channel ? r->channels : LC_ROW_COLUMNS;
        if (is_channel)
            r->titles[r->channels++] = r->names[i];
    }
}

/* Columns that are neither read nor the time nor aside. */
static void count_ignored(lc_row_reader *r)
{
    r->ignored = 0;
    for (size_t i = 0; i < r->columns; i++)
        r->ignored += r->channel[i] == LC_ROW_COLUMNS && i != r->time && !r->aside[i];
}

/* The first column of times is the time; more of them are aside, as is a first column without a name. */
static void find_times(lc_row_reader *r)
{
    double unit;
    r->time = LC_ROW_COLUMNS;
    r->aside[0] = r->columns > 1 && r->names[0].length == 0;
    for (size_t i = 0; i < r->columns; i++) {
        if (!lc_clock_name(r->names[i].at, r->names[i].length, &unit))
            continue;
        r->aside[i] = r->time < LC_ROW_COLUMNS;
        if (!r->aside[i]) {
            r->time = i;
            r->unit = unit;
        }
    }
}

/* One name after the other; a column may be wanted once. */
static loco_status choose(lc_row_reader *r, const char *wanted, loco_err *err)
{
    for (size_t i = 0; i < r->columns; i++)
        r->channel[i] = LC_ROW_COLUMNS;
    for (const char *at = wanted; *at != '\0';) {
        const char *stop = at + strcspn(at, ",");
        lc_text_cell name = strip(at, stop);
        size_t i = 0;
        while (i < r->columns && !(same(r->names[i], name) && i != r->time))
            i++;
        if (i == r->columns)
            return no_column(r, wanted, name, err);
        if (r->channel[i] < LC_ROW_COLUMNS)
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\" is wanted twice", lc_track_show(r->name).text,
                              r->line, lc_text_cell_show(name).text);
        r->channel[i] = r->channels;
        r->titles[r->channels++] = r->names[i];
        at = stop + (*stop == ',');
    }
    count_ignored(r);
    return LOCO_OK;
}

static char separator_of(const char *row, size_t length)
{
    static const char separators[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (memchr(row, separators[i], length) != NULL)
            return separators[i];
    return '\0';
}

loco_status lc_rows_header(lc_row_reader *r, const char *wanted, loco_err *err)
{
    const char *end;
    const lc_track_name name = lc_track_show(r->name);
    if (!lc_rows_next(r, &end))
        return lc_err_set(err, LOCO_EDATA, "%s: is empty; the first row names the columns", name.text);
    r->separator = separator_of(r->at, (size_t)(end - r->at));
    r->columns = split(r, end);
    if (r->columns > LC_ROW_COLUMNS)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: more than %d columns", name.text, r->line, LC_ROW_COLUMNS);
    memcpy(r->names, r->cells, sizeof r->names);
    for (size_t i = 0; i < r->columns; i++) {
        loco_status status = check_name(r, i, err);
        if (status != LOCO_OK)
            return status;
    }
    find_times(r);
    if (wanted != NULL)
        return choose(r, wanted, err);
    choose_all(r);
    r->all = true;
    if (r->channels == 0 || r->channels > LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %zu columns beside the time; 1 to %d are read", name.text, r->line,
                          r->channels, LC_SOUND_CHANNELS);
    return LOCO_OK;
}

static bool good_name(lc_text_cell c)
{
    bool good = c.length > 0 && memchr(c.at, '"', c.length) == NULL && lc_utf8_valid(c.at, c.length);
    for (size_t k = 0; good && k < c.length; k++)
        good = (unsigned char)c.at[k] >= ' ';
    return good;
}

/* Names may hold any bytes, but no comma: where a header has one, that is what separates. */
void lc_rows_titles(const lc_row_reader *r, char titles[LC_COLUMNS_BYTES])
{
    size_t used = 0;
    titles[0] = '\0';
    for (size_t i = 0; i < r->channels; i++) {
        lc_text_cell c = r->titles[i];
        if (!good_name(c) || used + c.length + 2 > LC_COLUMNS_BYTES) {
            titles[0] = '\0';
            return;
        }
        if (i > 0)
            titles[used++] = ',';
        memcpy(titles + used, c.at, c.length);
        used += c.length;
        titles[used] = '\0';
    }
}

/* ---- rows ---- */

/* What is wrong with a row that has too few or too many cells. */
static loco_status refuse_row(const lc_row_reader *r, const char *row, const char *end, size_t found, loco_err *err)
{
    char others[] = {',', ';', '\t', '\0'};
    const char *hint = "";
    for (const char *other = others; *other != '\0' && found == 1; other++)
        if (*other != r->separator && memchr(row, *other, (size_t)(end - row)) != NULL)
            hint = "; does this row have another separator than the header?";
    if (r->separator == ',' && found > r->columns)
        hint = "; are there decimal commas? write points";
    if (found > LC_ROW_COLUMNS)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: more than %d cells, where the header has %zu%s",
                          lc_track_show(r->name).text, r->line, LC_ROW_COLUMNS, r->columns, hint);
    return lc_err_set(err, LOCO_EDATA, "%s:%zu: %zu cell%s, where the header has %zu%s", lc_track_show(r->name).text,
                      r->line, found, found == 1 ? "" : "s", r->columns, hint);
}

static loco_status refuse_cell(const lc_row_reader *r, size_t column, loco_err *err)
{
    lc_text_cell c = r->cells[column];
    const char *hint = "";
    if (c.length == 0 && column == r->time)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\": a time is missing", lc_track_show(r->name).text,
                          r->line, lc_text_cell_show(r->names[column]).text);
    if (memchr(c.at, ',', c.length) != NULL)
        hint = "; write a decimal point, not a comma";
    else if (column == r->time)
        hint = "; times are numbers or dates, such as 12.5 or 2026-11-18T03:31:46.5Z";
    else if (r->all && r->channels > 1)
        hint = "; correct it, or train without this column: --set columns=...";
    return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\": \"%s\" is not a number%s", lc_track_show(r->name).text,
                      r->line, lc_text_cell_show(r->names[column]).text, lc_text_cell_show(c).text, hint);
}

static bool is_missing(lc_text_cell c)
{
    return c.length == 0 || is(c, "nan") || is(c, "na") || is(c, "null");
}

loco_status lc_rows_no_value(const lc_row_reader *r, size_t line, size_t channel, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA,
                      "%s:%zu: column \"%s\" has no value; put one in, or write missing=hold, linear or zero into "
                      "series.format beside it",
                      lc_track_show(r->name).text, line, lc_text_cell_show(r->titles[channel]).text);
}

/* Where commas do not separate, one may be a decimal point. */
static bool read_number(const lc_row_reader *r, lc_text_cell c, double *number)
{
    bool commas = r->separator == ';' || r->separator == '\t';
    return commas ? lc_number_parse_comma(c.at, c.length, number) : lc_number_parse(c.at, c.length, number);
}

/* All times of a table are numbers, or all are dates. */
static bool read_time(lc_row_reader *r, lc_text_cell c, double *time)
{
    if (!r->dated && read_number(r, c, time))
        r->numbered = true;
    else if (!r->numbered && lc_clock_date(c.at, c.length, time))
        r->dated = true;
    else
        return false;
    return true;
}

static bool is_infinite(lc_text_cell c)
{
    return is(c, "inf") || is(c, "-inf") || is(c, "infinity") || is(c, "-infinity");
}

/* By the first cell of each column that is not missing. */
void lc_rows_set_text_aside(lc_row_reader *r)
{
    lc_row_reader ahead = *r; /* of its own, so that r reads these rows again */
    bool known[LC_ROW_COLUMNS] = {false};
    size_t left = r->columns;
    const char *end;
    while (left > 0 && lc_rows_next(&ahead, &end) && split(&ahead, end) == r->columns)
        for (size_t i = 0; i < r->columns; i++) {
            double number;
            lc_text_cell c = ahead.cells[i];
            if (known[i] || (is_missing(c) && i != r->time))
                continue;
            known[i] = true;
            left--;
            ahead.aside[i] |= i != r->time && !read_number(r, c, &number) && !is_infinite(c);
        }
    if (r->all) {
        choose_all(&ahead);
        if (ahead.channels == 0) /* reading says what is wrong with the first cell */
            return;
    }
    memcpy(r->aside, ahead.aside, sizeof r->aside);
    if (r->all)
        choose_all(r);
    else
        count_ignored(r);
}

loco_status lc_rows_read(lc_row_reader *r, const char *end, float *values, double *time, loco_err *err)
{
    const char *row = r->at;
    size_t found = split(r, end);
    if (found != r->columns)
        return refuse_row(r, row, end, found, err);
    for (size_t c = 0; c < r->columns; c++) {
        double number = (double)NAN;
        bool is_channel = r->channel[c] < LC_ROW_COLUMNS, missing = is_channel && is_missing(r->cells[c]);
        if (!is_channel && c != r->time)
            continue;
        if (c == r->time ? !read_time(r, r->cells[c], &number) : !missing && !read_number(r, r->cells[c], &number))
            return refuse_cell(r, c, err);
        if (is_channel && fabs(number) > LARGEST)
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\": %s is beyond +-1e9", lc_track_show(r->name).text,
                              r->line, lc_text_cell_show(r->names[c]).text, lc_text_cell_show(r->cells[c]).text);
        if (is_channel)
            values[r->channel[c]] = (float)number;
        else
            *time = number;
    }
    return LOCO_OK;
}

/* ---- names that a person or a model says ---- */

loco_status lc_columns_parse(char names[LC_COLUMNS_BYTES], size_t *n, const char *text, loco_err *err)
{
    lc_text_cell cells[LC_SOUND_CHANNELS];
    char made[LC_COLUMNS_BYTES];
    size_t len = 0, used = 0;
    for (const char *at = text, *stop; at != NULL; at = *stop == ',' ? stop + 1 : NULL) {
        stop = at + strcspn(at, ",");
        lc_text_cell c = strip(at, stop);
        if (!good_name(c) || len == LC_SOUND_CHANNELS || used + c.length + 2 > LC_COLUMNS_BYTES)
            return lc_err_set(err, LOCO_EDATA,
                              "columns=%.60s: names with commas between them, up to %d, such as ax,ay,az", text,
                              LC_SOUND_CHANNELS);
        for (size_t i = 0; i < len; i++)
            if (same(cells[i], c))
                return lc_err_set(err, LOCO_EDATA, "columns=%.60s: \"%s\" is there twice", text,
                                  lc_text_cell_show(c).text);
        cells[len++] = c;
        if (len > 1)
            made[used++] = ',';
        memcpy(made + used, c.at, c.length);
        used += c.length;
    }
    made[used] = '\0';
    memcpy(names, made, used + 1);
    *n = len;
    return LOCO_OK;
}

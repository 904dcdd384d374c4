/* SPDX-License-Identifier: MIT
 *
 * table.c - a strict reader of CSV with a header row.
 *
 * Memory: a cell and the 0 behind it never take more than the cell and its separator took in the text, so that `bytes`
 * has the size of the text plus one, and a cell is the 32-bit offset of its first byte. The worst text, 64 MiB of
 * commas, takes 64 MiB for the bytes and 4 bytes for each of 2^26 cells.
 *
 * The text is checked for UTF-8 first, so that cells are C strings: it holds no 0.
 *
 * Grammar, with what RFC 4180 leaves open decided:
 *     text  := mark? line*          the first line that is no comment and not blank is the header
 *     line  := cell (separator cell)* end
 *     cell  := blanks plain blanks | blanks " (any but " | "")* " blanks
 *     end   := LF | CR LF | end of the text; a CR alone is refused, for nobody can tell what was meant
 * Blanks are spaces, and tabs where these do not separate. A file whose name begins with # is written in quotes.
 *
 * A million rows of six cells, 37 MB, become a data set in 0.5 s of one core.
 */
#include "data/table.h"

#include "base/file.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/status.h"
#include "data/store.h"

#include <stdlib.h>
#include <string.h>

/* at is the next byte to read; out the next byte of table->bytes to write. */
typedef struct reader {
    lc_table *table;
    const char *at, *end;
    char *out;
    size_t line, row_line; /* here, and where this row began */
    char separator;
    size_t cells_len, cells_capacity, lines_capacity;
    size_t row_start; /* index of this row's first cell */
} reader;

static loco_status out_of_memory(const reader *r, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){r->table->path, 0, NULL}).text);
}

/* Something is wrong in the cell that is being read. Behind the header it has a name. */
static loco_status refuse(const reader *r, const char *problem, loco_err *err)
{
    const lc_table *t = r->table;
    size_t column = r->cells_len - r->row_start;
    bool named = t->columns > 0 && column < t->columns;
    lc_where where = lc_place_show((lc_place){t->path, r->row_line, named ? lc_table_column(t, column) : NULL});
    return named ? lc_err_set(err, LOCO_EDATA, "%s: %s", where.text, problem)
                 : lc_err_set(err, LOCO_EDATA, "%s: cell %zu: %s", where.text, column + 1, problem);
}

static bool is_blank(const reader *r, char c)
{
    return c == ' ' || (c == '\t' && r->separator != '\t');
}

/* At the end of the text, at LF or at CR LF. */
static bool at_line_end(const reader *r)
{
    return r->at == r->end || *r->at == '\n' || (*r->at == '\r' && r->end - r->at > 1 && r->at[1] == '\n');
}

/* Counts the line; at the end of the text there is none. */
static void skip_line_end(reader *r)
{
    if (r->at < r->end && *r->at == '\r')
        r->at++;
    if (r->at < r->end) {
        r->at++;
        r->line++;
    }
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && is_blank(r, *r->at))
        r->at++;
}

/* From the opening quote to the closing one, and to the separator behind it. */
static loco_status read_quoted(reader *r, loco_err *err)
{
    const char *first = r->out;
    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"') {
            if (r->end - r->at < 2 || r->at[1] != '"')
                break;
            r->at++;
        }
        r->line += *r->at == '\n';
        if (r->out - first == LC_TABLE_CELL)
            return refuse(r, "more than 4096 bytes; is a closing quote missing?", err);
        *r->out++ = *r->at;
    }
    if (r->at == r->end)
        return refuse(r, "the closing quote is missing", err);
    r->at++;
    skip_blanks(r);
    if (!at_line_end(r) && *r->at != r->separator)
        return refuse(r, "text behind the closing quote; write quotes within a cell twice", err);
    return LOCO_OK;
}

/* To the separator or the end of the line; r->at is behind the blanks in front. */
static loco_status read_plain(reader *r, loco_err *err)
{
    const char *first = r->at;
    for (; !at_line_end(r) && *r->at != r->separator; r->at++) {
        if (*r->at == '"')
            return refuse(r, "a quote within the cell; put the cell into quotes, and write those within it twice", err);
        if (*r->at == '\r')
            return refuse(r, "a carriage return without a line feed; end lines with LF or CRLF", err);
        if (r->at - first == LC_TABLE_CELL)
            return refuse(r, "more than 4096 bytes", err);
    }
    const char *last = r->at;
    while (last > first && is_blank(r, last[-1]))
        last--;
    memcpy(r->out, first, (size_t)(last - first));
    r->out += last - first;
    return LOCO_OK;
}

/* One cell of either kind; its separator is left for the caller. */
static loco_status read_cell(reader *r, loco_err *err)
{
    if (r->cells_len - r->row_start == LC_TABLE_COLUMNS)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d columns",
                          lc_place_show((lc_place){r->table->path, r->row_line, NULL}).text, LC_TABLE_COLUMNS);
    uint32_t *cells = lc_list_grow(r->table->cells, &r->cells_capacity, r->cells_len + 1, sizeof *cells);
    if (cells == NULL)
        return out_of_memory(r, err);
    r->table->cells = cells;
    uint32_t where = (uint32_t)(r->out - r->table->bytes);
    skip_blanks(r);
    loco_status status = r->at < r->end && *r->at == '"' ? read_quoted(r, err) : read_plain(r, err);
    if (status != LOCO_OK)
        return status;
    *r->out++ = '\0';
    cells[r->cells_len++] = where;
    return LOCO_OK;
}

/* All cells of a row, and the line end behind them. */
static loco_status read_cells(reader *r, loco_err *err)
{
    r->row_line = r->line;
    r->row_start = r->cells_len;
    for (;;) {
        loco_status status = read_cell(r, err);
        if (status != LOCO_OK)
            return status;
        if (at_line_end(r))
            break;
        r->at++;
    }
    skip_line_end(r);
    return LOCO_OK;
}

/* A row must have as many cells as the header: a missing comma would move all later counts by one class. */
static loco_status read_row(reader *r, loco_err *err)
{
    lc_table *t = r->table;
    loco_status status = read_cells(r, err);
    if (status != LOCO_OK)
        return status;
    lc_place place = {t->path, r->row_line, NULL};
    size_t found = r->cells_len - r->row_start;
    if (found != t->columns)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu cell%s, where the header has %zu", lc_place_show(place).text, found,
                          found == 1 ? "" : "s", t->columns);
    if (t->rows == LC_TABLE_ROWS)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d rows", lc_place_show(place).text, LC_TABLE_ROWS);
    uint32_t *lines = lc_list_grow(t->lines, &r->lines_capacity, t->rows + 1, sizeof *lines);
    if (lines == NULL)
        return out_of_memory(r, err);
    t->lines = lines;
    lines[t->rows++] = (uint32_t)r->row_line;
    return LOCO_OK;
}

/* A comma anywhere outside quotes, or else a semicolon, or else a tab. */
static char find_separator(const reader *r)
{
    bool quoted = false, semicolon = false, tab = false;
    for (const char *c = r->at; c < r->end && (quoted || *c != '\n'); c++) {
        if (*c == '"')
            quoted = !quoted;
        if (!quoted && *c == ',')
            return ',';
        semicolon |= !quoted && *c == ';';
        tab |= !quoted && *c == '\t';
    }
    return semicolon ? ';' : tab ? '\t' : ',';
}

/* No name twice. Names may be missing: some programs write the number of the row in a column without one. */
static loco_status check_header(const reader *r, loco_err *err)
{
    const lc_table *t = r->table;
    lc_names names = {0};
    lc_store store = {0};
    loco_status status = LOCO_OK;
    for (size_t c = 0; c < t->columns && status == LOCO_OK; c++) {
        const char *name = lc_table_column(t, c);
        size_t before = names.len;
        if (*name == '\0')
            continue;
        if (lc_names_add(&names, &store, name, strlen(name)) == LC_NAMES_NONE)
            status = out_of_memory(r, err);
        else if (names.len == before)
            status = lc_err_set(err, LOCO_EDATA, "%s is there twice",
                                lc_place_show((lc_place){t->path, r->row_line, name}).text);
    }
    lc_names_free(&names);
    lc_store_free(&store);
    return status;
}

/* From here on the separator is known, and cells have names in sentences. */
static loco_status read_header(reader *r, loco_err *err)
{
    r->separator = find_separator(r);
    loco_status status = read_cells(r, err);
    if (status != LOCO_OK)
        return status;
    r->table->columns = r->cells_len;
    return check_header(r, err);
}

/* Skips a blank line or a comment; false when there is a row here. A line of tabs is a row where tabs separate. */
static bool skip_line(reader *r)
{
    const char *start = r->at;
    if (*r->at == '#')
        while (!at_line_end(r))
            r->at++;
    skip_blanks(r);
    if (!at_line_end(r)) {
        r->at = start;
        return false;
    }
    skip_line_end(r);
    return true;
}

static loco_status read_all(reader *r, loco_err *err)
{
    while (r->at < r->end) {
        if (skip_line(r))
            continue;
        loco_status status = r->table->columns == 0 ? read_header(r, err) : read_row(r, err);
        if (status != LOCO_OK)
            return status;
    }
    if (r->table->columns == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no header row; the first line names the columns",
                          lc_place_show((lc_place){r->table->path, 0, NULL}).text);
    return LOCO_OK;
}

/* Makes the table and fills it; on failure the caller frees it. */
static loco_status fill(lc_table *table, const char *path, const char *text, size_t length, loco_err *err)
{
    reader r = {.table = table, .line = 1, .separator = ','};
    size_t path_size = strlen(path) + 1;
    char *copy = malloc(path_size);
    table->bytes = malloc(length + 1);
    table->path = copy;
    if (copy == NULL || table->bytes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){path, 0, NULL}).text);
    memcpy(copy, path, path_size);
    r.out = table->bytes;
    r.at = text + lc_field_mark(text, length);
    r.end = text + length;
    return read_all(&r, err);
}

loco_status lc_table_parse(lc_table **table, const char *path, const char *text, size_t length, loco_err *err)
{
    if (length > LC_TABLE_BYTES)
        return lc_err_set(err, LOCO_EDATA, "%s: larger than %d MiB", lc_place_show((lc_place){path, 0, NULL}).text,
                          LC_TABLE_BYTES >> 20);
    loco_status status = lc_field_check(path, text, length, err);
    if (status != LOCO_OK)
        return status;
    lc_table *made = calloc(1, sizeof *made);
    if (made == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){path, 0, NULL}).text);
    status = fill(made, path, length > 0 ? text : "", length, err);
    if (status == LOCO_OK)
        *table = made;
    else
        lc_table_free(made);
    return status;
}

loco_status lc_table_load(lc_table **table, const char *path, loco_err *err)
{
    char *text;
    size_t length;
    loco_status status = lc_file_load(path, LC_TABLE_BYTES, &text, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_table_parse(table, path, text, length, err);
    free(text);
    return status;
}

void lc_table_free(lc_table *table)
{
    if (table == NULL)
        return;
    free((char *)(uintptr_t)table->path);
    free(table->bytes);
    free(table->cells);
    free(table->lines);
    free(table);
}

const char *lc_table_column(const lc_table *table, size_t column)
{
    return table->bytes + table->cells[column];
}

const char *lc_table_cell(const lc_table *table, size_t row, size_t column)
{
    return table->bytes + table->cells[(1 + row) * table->columns + column];
}

lc_place lc_table_place(const lc_table *table, size_t row, size_t column)
{
    return (lc_place){table->path, table->lines[row], lc_table_column(table, column)};
}

size_t lc_table_find(const lc_table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(lc_table_column(table, c), name) == 0)
            return c;
    return LC_TABLE_NONE;
}

/* The name of a column that may have been meant; NULL when there is none. */
static const char *meant(const lc_table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++) {
        const char *there = lc_table_column(table, c);
        if (lc_nearest(name, &there, 1) != NULL)
            return there;
    }
    return NULL;
}

loco_status lc_table_need(size_t *column, const lc_table *table, const char *name, loco_err *err)
{
    size_t found = lc_table_find(table, name);
    if (found == LC_TABLE_NONE) {
        const char *near = meant(table, name);
        lc_where where = lc_place_show((lc_place){table->path, 0, NULL});
        if (near == NULL)
            return lc_err_set(err, LOCO_EDATA, "%s: no column \"%s\" in the header", where.text, name);
        return lc_err_set(err, LOCO_EDATA, "%s: no column \"%s\" in the header; is it \"%s\"?", where.text, name,
                          lc_field_show(near, strlen(near)).text);
    }
    *column = found;
    return LOCO_OK;
}

loco_status lc_table_seconds(double *seconds, const lc_table *table, size_t row, size_t column, loco_err *err)
{
    const char *cell = lc_table_cell(table, row, column);
    double value;
    lc_place place = lc_table_place(table, row, column);
    if (!lc_number_parse(cell, strlen(cell), &value))
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a number; write seconds with a point, such as 12.5",
                          lc_place_show(place).text, lc_field_show(cell, strlen(cell)).text);
    if (!(value >= 0 && value < LC_TIME_END))
        return lc_err_set(err, LOCO_EDATA, "%s: %s is no time; seconds go from 0 to below %.0f",
                          lc_place_show(place).text, lc_field_show(cell, strlen(cell)).text, LC_TIME_END);
    *seconds = value;
    return LOCO_OK;
}

void lc_table_quote(lc_text *text, const char *cell)
{
    size_t length = strlen(cell);
    /* What the reader would take for a comment, a separator or stray spaces. */
    bool spaces = length > 0 && (cell[0] == ' ' || cell[length - 1] == ' ');
    if (!spaces && cell[0] != '#' && strpbrk(cell, ",;\t\"\r\n") == NULL) {
        lc_text_append(text, cell, length);
        return;
    }
    lc_text_append(text, "\"", 1);
    for (const char *quote; (quote = strchr(cell, '"')) != NULL; cell = quote + 1) {
        lc_text_append(text, cell, (size_t)(quote - cell) + 1);
        lc_text_append(text, "\"", 1);
    }
    lc_text_string(text, cell);
    lc_text_append(text, "\"", 1);
}

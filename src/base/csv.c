/* SPDX-License-Identifier: MIT
 * csv.c - a strict reader of CSV with a header row.
 *
 * Memory: a cell and the 0 behind it never take more than the cell and its separator took in the text, so that `bytes`
 * has the size of the text plus one, and a cell is the 32-bit offset of its first byte. The worst text, 1 GiB of
 * commas, takes 1 GiB for the bytes and 4 bytes for each of 2^30 cells.
 *
 * The text is checked for UTF-8 first, so that cells are C strings: it holds no 0.
 *
 * Grammar, with what RFC 4180 leaves open decided:
 *     text  := mark? line*          the first line that is neither blank nor a comment is the header
 *     line  := cell (separator cell)* end
 *     cell  := blanks plain blanks | blanks " (any but " | "")* " blanks
 *     end   := LF | CR LF | end of the text; a CR alone is refused: old Mac text, or a broken CR LF
 * Blanks are spaces, and tabs where these do not separate. A file whose name begins with # is written in quotes.
 *
 * A million rows of six cells, 30 MB, become a data set in 0.5 s of one core (bench/counts). */
#include "base/csv.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "base/store.h"

#include <stdlib.h>
#include <string.h>

/* at is the next byte to read; out the next byte of csv->bytes to write. */
typedef struct csv_reader {
    lc_csv *csv;
    const char *at, *end;
    char *out;
    size_t line, row_line; /* here, and where this row began */
    char separator;
    size_t cells_len, cells_capacity, lines_capacity;
    size_t row_start; /* index of this row's first cell */
} csv_reader;

static loco_status out_of_memory(const csv_reader *r, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){r->csv->path, 0, NULL}).text);
}

/* A message about the cell being read, by the name of its column once the header is known. */
static loco_status refuse(const csv_reader *r, const char *problem, loco_err *err)
{
    const lc_csv *t = r->csv;
    size_t column = r->cells_len - r->row_start;
    bool named = t->columns > 0 && column < t->columns;
    lc_where where = lc_place_show((lc_place){t->path, r->row_line, named ? lc_csv_column(t, column) : NULL});
    return named ? lc_err_set(err, LOCO_EDATA, "%s: %s", where.text, problem)
                 : lc_err_set(err, LOCO_EDATA, "%s: cell %zu: %s", where.text, column + 1, problem);
}

static bool is_blank(const csv_reader *r, char c)
{
    return c == ' ' || (c == '\t' && r->separator != '\t');
}

/* At the end of the text, at LF or at CR LF. */
static bool at_line_end(const csv_reader *r)
{
    return r->at == r->end || *r->at == '\n' || (*r->at == '\r' && r->end - r->at > 1 && r->at[1] == '\n');
}

/* Counts the line; the end of the text is not a line end. */
static void skip_line_end(csv_reader *r)
{
    if (r->at < r->end && *r->at == '\r')
        r->at++;
    if (r->at < r->end) {
        r->at++;
        r->line++;
    }
}

static void skip_blanks(csv_reader *r)
{
    while (r->at < r->end && is_blank(r, *r->at))
        r->at++;
}

/* From the opening quote to the closing one, and to the separator behind it. */
static loco_status read_quoted(csv_reader *r, loco_err *err)
{
    const char *first = r->out;
    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"') {
            if (r->end - r->at < 2 || r->at[1] != '"')
                break;
            r->at++;
        }
        r->line += *r->at == '\n';
        if (r->out - first == LC_CSV_CELL)
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
static loco_status read_plain(csv_reader *r, loco_err *err)
{
    const char *first = r->at;
    for (; !at_line_end(r) && *r->at != r->separator; r->at++) {
        if (*r->at == '"')
            return refuse(r, "a quote within the cell; put the cell into quotes, and write those within it twice", err);
        if (*r->at == '\r')
            return refuse(r, "a carriage return without a line feed; end lines with LF or CRLF", err);
        if (r->at - first == LC_CSV_CELL)
            return refuse(r, "more than 4096 bytes", err);
    }
    const char *last = r->at;
    while (last > first && is_blank(r, last[-1]))
        last--;
    memcpy(r->out, first, (size_t)(last - first));
    r->out += last - first;
    return LOCO_OK;
}

/* Whether a spreadsheet would compute a cell in place of showing it. Some skip blanks and line ends in front; and of
 * apostrophes in front the reader has to remove exactly the one that lc_csv_quote added, so that none counts here. */
static bool is_formula(const char *cell)
{
    cell += strspn(cell, "' \t\r\n");
    return *cell == '=' || *cell == '@' ||
           ((*cell == '+' || *cell == '-') && cell[1] != '\0'); /* - is standard input */
}

/* One cell of either kind; its separator is left for the caller. */
static loco_status read_cell(csv_reader *r, loco_err *err)
{
    if (r->cells_len - r->row_start == LC_CSV_COLUMNS)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d columns",
                          lc_place_show((lc_place){r->csv->path, r->row_line, NULL}).text, LC_CSV_COLUMNS);
    uint32_t *cells = lc_list_grow(r->csv->cells, &r->cells_capacity, r->cells_len + 1, sizeof *cells);
    if (cells == NULL)
        return out_of_memory(r, err);
    r->csv->cells = cells;
    uint32_t where = (uint32_t)(r->out - r->csv->bytes);
    skip_blanks(r);
    loco_status status = r->at < r->end && *r->at == '"' ? read_quoted(r, err) : read_plain(r, err);
    if (status != LOCO_OK)
        return status;
    *r->out++ = '\0';
    const char *cell = r->csv->bytes + where;
    cells[r->cells_len++] = where + (*cell == '\'' && is_formula(cell)); /* as lc_csv_quote wrote it */
    return LOCO_OK;
}

/* All cells of a row, and the line end behind them. */
static loco_status read_cells(csv_reader *r, loco_err *err)
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
static loco_status read_row(csv_reader *r, loco_err *err)
{
    lc_csv *t = r->csv;
    loco_status status = read_cells(r, err);
    if (status != LOCO_OK)
        return status;
    lc_place place = {t->path, r->row_line, NULL};
    size_t found = r->cells_len - r->row_start;
    if (found != t->columns)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu cell%s, where the header has %zu", lc_place_show(place).text, found,
                          found == 1 ? "" : "s", t->columns);
    if (t->rows == LC_CSV_ROWS)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d rows", lc_place_show(place).text, LC_CSV_ROWS);
    uint32_t *lines = lc_list_grow(t->lines, &r->lines_capacity, t->rows + 1, sizeof *lines);
    if (lines == NULL)
        return out_of_memory(r, err);
    t->lines = lines;
    lines[t->rows++] = (uint32_t)r->row_line;
    return LOCO_OK;
}

/* A comma anywhere outside quotes, or else a semicolon, or else a tab. */
static char find_separator(const csv_reader *r)
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
static loco_status check_header(const csv_reader *r, loco_err *err)
{
    const lc_csv *t = r->csv;
    lc_names names = {0};
    lc_store store = {0};
    loco_status status = LOCO_OK;
    for (size_t c = 0; c < t->columns && status == LOCO_OK; c++) {
        const char *name = lc_csv_column(t, c);
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

/* From here on the separator is known, and messages name columns. */
static loco_status read_header(csv_reader *r, loco_err *err)
{
    r->separator = find_separator(r);
    loco_status status = read_cells(r, err);
    if (status != LOCO_OK)
        return status;
    r->csv->columns = r->cells_len;
    return check_header(r, err);
}

/* Skips a blank line or a comment; false when there is a row here. A line of tabs is a row where tabs separate. */
static bool skip_line(csv_reader *r)
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

static loco_status read_all(csv_reader *r, loco_err *err)
{
    while (r->at < r->end) {
        if (skip_line(r))
            continue;
        loco_status status = r->csv->columns == 0 ? read_header(r, err) : read_row(r, err);
        if (status != LOCO_OK)
            return status;
    }
    if (r->csv->columns == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no header row; the first line names the columns",
                          lc_place_show((lc_place){r->csv->path, 0, NULL}).text);
    return LOCO_OK;
}

/* Allocates what csv holds and fills it; on failure the caller frees it. */
static loco_status fill(lc_csv *csv, const char *path, const char *text, size_t length, loco_err *err)
{
    csv_reader r = {.csv = csv, .line = 1, .separator = ','};
    size_t path_size = strlen(path) + 1;
    char *copy = malloc(path_size);
    csv->bytes = malloc(length + 1);
    csv->path = copy;
    if (copy == NULL || csv->bytes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){path, 0, NULL}).text);
    memcpy(copy, path, path_size);
    r.out = csv->bytes;
    r.at = text + lc_plain_text_mark(text, length);
    r.end = text + length;
    return read_all(&r, err);
}

loco_status lc_csv_parse(lc_csv **csv, const char *path, const char *text, size_t length, loco_err *err)
{
    if (length > LC_CSV_BYTES)
        return lc_err_set(err, LOCO_EDATA, "%s: larger than %d MiB", lc_place_show((lc_place){path, 0, NULL}).text,
                          LC_CSV_BYTES >> 20);
    loco_status status = lc_plain_text_check(path, text, length, err);
    if (status != LOCO_OK)
        return status;
    lc_csv *made = calloc(1, sizeof *made);
    if (made == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){path, 0, NULL}).text);
    status = fill(made, path, length > 0 ? text : "", length, err);
    if (status == LOCO_OK)
        *csv = made;
    else
        lc_csv_free(made);
    return status;
}

/* At most LC_CSV_BYTES of a file are read; its text is freed after parsing. */
loco_status lc_csv_load(lc_csv **csv, const char *path, loco_err *err)
{
    char *text;
    size_t length;
    loco_status status = lc_file_load(path, LC_CSV_BYTES, &text, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_csv_parse(csv, path, text, length, err);
    free(text);
    return status;
}

void lc_csv_free(lc_csv *csv)
{
    if (csv == NULL)
        return;
    free((char *)(uintptr_t)csv->path);
    free(csv->bytes);
    free(csv->cells);
    free(csv->lines);
    free(csv);
}

/* cells: (1 + rows, columns), the header first, so that a name is a cell of row 0. */
const char *lc_csv_column(const lc_csv *csv, size_t column)
{
    return csv->bytes + csv->cells[column];
}

const char *lc_csv_cell(const lc_csv *csv, size_t row, size_t column)
{
    return csv->bytes + csv->cells[(1 + row) * csv->columns + column];
}

lc_place lc_csv_place(const lc_csv *csv, size_t row, size_t column)
{
    return (lc_place){csv->path, csv->lines[row], lc_csv_column(csv, column)};
}

size_t lc_csv_find(const lc_csv *csv, const char *name)
{
    for (size_t c = 0; c < csv->columns; c++)
        if (strcmp(lc_csv_column(csv, c), name) == 0)
            return c;
    return LC_CSV_NONE;
}

/* The column whose name is most like this one; NULL when none is. */
static const char *meant(const lc_csv *csv, const char *name)
{
    for (size_t c = 0; c < csv->columns; c++) {
        const char *there = lc_csv_column(csv, c);
        if (loco_nearest(name, &there, 1) != NULL)
            return there;
    }
    return NULL;
}

loco_status lc_csv_need(size_t *column, const lc_csv *csv, const char *name, loco_err *err)
{
    size_t found = lc_csv_find(csv, name);
    if (found == LC_CSV_NONE) {
        const char *near = meant(csv, name);
        lc_where where = lc_place_show((lc_place){csv->path, 0, NULL});
        if (near == NULL)
            return lc_err_set(err, LOCO_EDATA, "%s: no column \"%s\" in the header", where.text, name);
        return lc_err_set(err, LOCO_EDATA, "%s: no column \"%s\" in the header; is it \"%s\"?", where.text, name,
                          lc_show(near).text);
    }
    *column = found;
    return LOCO_OK;
}

/* unit and what: words for messages. */
static loco_status read_measure(double *measure, const lc_csv *csv, size_t row, size_t column, const char *unit,
                                const char *what, loco_err *err)
{
    const char *cell = lc_csv_cell(csv, row, column);
    double value;
    lc_place place = lc_csv_place(csv, row, column);
    if (!lc_number_parse_comma(cell, strlen(cell), &value)) /* a comma within a cell does not separate */
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a number; write %s with a point, such as 12.5",
                          lc_place_show(place).text, lc_show(cell).text, unit);
    if (!(value >= 0 && value < LC_TIME_END))
        return lc_err_set(err, LOCO_EDATA, "%s: %s is not a %s in %s; expected 0 to below %.0f",
                          lc_place_show(place).text, lc_show(cell).text, what, unit, LC_TIME_END);
    *measure = value;
    return LOCO_OK;
}

loco_status lc_csv_seconds(double *seconds, const lc_csv *csv, size_t row, size_t column, loco_err *err)
{
    return read_measure(seconds, csv, row, column, "seconds", "time", err);
}

loco_status lc_csv_pixels(double *pixels, const lc_csv *csv, size_t row, size_t column, loco_err *err)
{
    return read_measure(pixels, csv, row, column, "pixels", "position", err);
}

/* A cell that would be read back differently is put into quotes, and quotes within it are doubled. */
static void quote_clean(lc_text *text, const char *cell)
{
    size_t length = strlen(cell);
    const char *before = is_formula(cell) ? "'" : "";
    /* without quotes the reader would see a comment, a separator or spaces to drop */
    bool spaces = length > 0 && (cell[0] == ' ' || cell[length - 1] == ' ');
    if (!spaces && cell[0] != '#' && strpbrk(cell, ",;\t\"\r\n") == NULL) {
        lc_text_string(text, before);
        lc_text_append(text, cell, length);
        return;
    }
    lc_text_append(text, "\"", 1);
    lc_text_string(text, before);
    for (const char *quote; (quote = strchr(cell, '"')) != NULL; cell = quote + 1) {
        lc_text_append(text, cell, (size_t)(quote - cell) + 1);
        lc_text_append(text, "\"", 1);
    }
    lc_text_string(text, cell);
    lc_text_append(text, "\"", 1);
}

/* Names of files and classes may come from anywhere. What the reader refuses becomes ?; what it reads, in quotes, stays: a
 * program that prints lines on a terminal replaces line feeds itself. */
void lc_csv_quote(lc_text *text, const char *cell)
{
    size_t size = strlen(cell) + 1;
    char *copy = lc_show_passes(cell) ? NULL : malloc(size);
    if (copy == NULL) {
        text->failed |= !lc_show_passes(cell);
        quote_clean(text, cell);
        return;
    }
    memcpy(copy, cell, size);
    lc_show_clean_lines(copy);
    quote_clean(text, copy);
    free(copy);
}

/* SPDX-License-Identifier: MIT
 * csv.h - a strict reader of CSV (RFC 4180) with a header row, and quoting for a writer.
 *
 *     # comment                         lines that begin with # and blank lines are skipped
 *     file, start, end, kick            spaces around a cell do not belong to it
 *     "a, b.wav",0,2.5,3                a cell in quotes may hold commas, line ends, and quotes, doubled
 *
 * Cells are separated by commas; by semicolons, or else tabs, when the header row has no comma. Lines end in LF or
 * CRLF. The text is UTF-8, with or without a mark at its start. Every row has as many cells as the header, and no name
 * of a column appears twice, except for empty ones.
 *
 *     lc_csv_load(&csv, path, err);  lc_csv_need(&kick, csv, "kick", err);  lc_csv_cell(csv, row, kick);  ... */
#ifndef LC_BASE_CSV_H
#define LC_BASE_CSV_H

#include "base/plain_text.h"
#include "base/text.h"

enum {
    LC_CSV_BYTES = 1 << 30,
    LC_CSV_ROWS = 20000000,
    LC_CSV_COLUMNS = 4096,
    LC_CSV_CELL = 4096, /* bytes */
};

typedef struct lc_csv {
    const char *path; /* for messages */
    size_t columns, rows;
    char *bytes;     /* all cells, each with a 0 behind it */
    uint32_t *cells; /* where each begins: (1 + rows, columns), the header first */
    uint32_t *lines; /* of each row, from 1 */
} lc_csv;

/* Reads length bytes; path only names them in messages. The caller frees the result with lc_csv_free. */
LOCO_MUST_USE loco_status lc_csv_parse(lc_csv **csv, const char *path, const char *text, size_t length, loco_err *err);
LOCO_MUST_USE loco_status lc_csv_load(lc_csv **csv, const char *path, loco_err *err);
void lc_csv_free(lc_csv *csv);

const char *lc_csv_column(const lc_csv *csv, size_t column); /* its name */
const char *lc_csv_cell(const lc_csv *csv, size_t row, size_t column);
lc_place lc_csv_place(const lc_csv *csv, size_t row, size_t column);

/* The column of that name, or LC_CSV_NONE. */
#define LC_CSV_NONE SIZE_MAX
size_t lc_csv_find(const lc_csv *csv, const char *name);

/* The same; a missing one is LOCO_EDATA, and the message suggests the nearest name. */
LOCO_MUST_USE loco_status lc_csv_need(size_t *column, const lc_csv *csv, const char *name, loco_err *err);

/* The cell as a time in seconds, from 0 to below LC_TIME_END. */
LOCO_MUST_USE loco_status lc_csv_seconds(double *seconds, const lc_csv *csv, size_t row, size_t column, loco_err *err);

/* The cell as a position in an image, in pixels, within the same limits. */
LOCO_MUST_USE loco_status lc_csv_pixels(double *pixels, const lc_csv *csv, size_t row, size_t column, loco_err *err);

/* Appends a cell to a line of CSV, in quotes where the reader needs them. Control characters become ?; a cell that begins
 * with =, +, - or @ gets an apostrophe in front, which the reader removes: a spreadsheet would compute it. */
void lc_csv_quote(lc_text *text, const char *cell);

#endif

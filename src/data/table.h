/* SPDX-License-Identifier: MIT
 *
 * table.h - a strict reader of CSV (RFC 4180) with a header row.
 *
 *     # comment                         lines that begin with # and blank lines are skipped
 *     file, start, end, kick            spaces around a cell do not belong to it
 *     "a, b.wav",0,2.5,3                a cell in quotes may hold commas, line ends, and quotes, doubled
 *
 * Cells are separated by commas; by semicolons, or else tabs, when the header row has no comma. Lines end in LF or
 * CRLF. The text is UTF-8, with or without a mark at its start. Every row has as many cells as the header, and no name
 * of a column is there twice, but for empty ones.
 */
#ifndef LC_DATA_TABLE_H
#define LC_DATA_TABLE_H

#include "base/text.h"
#include "data/field.h"

enum {
    LC_TABLE_BYTES = 64 << 20,
    LC_TABLE_ROWS = 1000000,
    LC_TABLE_COLUMNS = 4096,
    LC_TABLE_CELL = 4096, /* bytes */
};

typedef struct lc_table {
    const char *path; /* for sentences */
    size_t columns, rows;
    char *bytes;     /* all cells, each with a 0 behind it */
    uint32_t *cells; /* where each begins: (1 + rows, columns), the header first */
    uint32_t *lines; /* of each row, from 1 */
} lc_table;

/* Reads length bytes; path stands in sentences alone. */
LOCO_MUST_USE loco_status lc_table_parse(lc_table **table, const char *path, const char *text, size_t length,
                                         loco_err *err);
LOCO_MUST_USE loco_status lc_table_load(lc_table **table, const char *path, loco_err *err);
void lc_table_free(lc_table *table);

const char *lc_table_column(const lc_table *table, size_t column); /* its name */
const char *lc_table_cell(const lc_table *table, size_t row, size_t column);
lc_place lc_table_place(const lc_table *table, size_t row, size_t column);

/* The column of that name, or LC_TABLE_NONE. */
#define LC_TABLE_NONE SIZE_MAX
size_t lc_table_find(const lc_table *table, const char *name);

/* The same; a missing one is LOCO_EDATA, with the nearest name that is there. */
LOCO_MUST_USE loco_status lc_table_need(size_t *column, const lc_table *table, const char *name, loco_err *err);

/* The cell as a time in seconds, from 0 to below LC_TIME_END. */
LOCO_MUST_USE loco_status lc_table_seconds(double *seconds, const lc_table *table, size_t row, size_t column,
                                           loco_err *err);

/* Appends a cell to a line of CSV, in quotes where the reader needs them. */
void lc_table_quote(lc_text *text, const char *cell);

#endif

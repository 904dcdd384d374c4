/* SPDX-License-Identifier: MIT
 * series_rows.h - the rows of a table of sensor channels, one after another: for whole files (series_csv.c), and for
 * rows as they come (series_live.c). */
#ifndef LC_SIGNAL_SERIES_ROWS_H
#define LC_SIGNAL_SERIES_ROWS_H

#include "signal/track.h"

enum { LC_ROW_COLUMNS = LC_SOUND_CHANNELS + 1, LC_ROW_SHOWN = 32 };

/* Part of a text. */
typedef struct lc_text_cell {
    const char *at;
    size_t length;
} lc_text_cell;

typedef struct lc_row_reader {
    const char *name;
    const char *at, *end; /* what is still to be read */
    size_t line;          /* of what was read last, from 1 */
    char separator;
    lc_text_cell names[LC_ROW_COLUMNS], cells[LC_ROW_COLUMNS + 1];
    size_t columns;
    size_t time;                         /* its column, or LC_ROW_COLUMNS */
    double unit;                         /* of the times, in seconds, as their name states; 0: it does not */
    bool dated, numbered;                /* times are dates, are numbers; neither before the first row */
    bool aside[LC_ROW_COLUMNS];          /* more times, numbers of rows, text: no channels, unless wanted by name */
    size_t channel[LC_ROW_COLUMNS];      /* what each column is, or LC_ROW_COLUMNS: not read */
    bool all;                            /* columns are read */
    size_t channels, ignored;            /* columns that are read, and that are not; time and aside are neither */
    lc_text_cell titles[LC_ROW_COLUMNS]; /* of the channels */
    double stated;                       /* rate; 0: none, -1: one that is not a number */
} lc_row_reader;

/* Goes to the next line with something in it, and reads comments on the way; false at the end. */
bool lc_rows_next(lc_row_reader *rows, const char **end);

/* The row of names. wanted: "ax,az" in this order; NULL: all but the time; "": none. */
LOCO_MUST_USE loco_status lc_rows_header(lc_row_reader *rows, const char *wanted, loco_err *err);

/* Columns whose first cell is text become aside, from the rows that follow, which are read again later; not where there
 * would be no channel left. */
void lc_rows_set_text_aside(lc_row_reader *rows);

/* One row of numbers that ends at `end`: NaN where a value is missing. *time stays where there is none; a
 * number in its unit, or a date in seconds. */
LOCO_MUST_USE loco_status lc_rows_read(lc_row_reader *rows, const char *end, float *values, double *time,
                                       loco_err *err);

/* The titles of the channels with commas between them, or "" where that would be no text to be read back. */
void lc_rows_titles(const lc_row_reader *rows, char titles[LC_COLUMNS_BYTES]);

/* Sentences that are shared. */
typedef struct lc_row_shown {
    char text[LC_ROW_SHOWN + 1];
} lc_row_shown;

lc_row_shown lc_text_cell_show(lc_text_cell cell);
lc_row_shown lc_seconds_show(double seconds); /* with a point in every locale */
LOCO_MUST_USE loco_status lc_rows_no_value(const lc_row_reader *rows, size_t line, size_t channel, loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 * source_rows.h - rows of a table of sensor channels as they come, such as from a sensor's program over a pipe. */
#ifndef LC_SIGNAL_SOURCE_ROWS_H
#define LC_SIGNAL_SOURCE_ROWS_H

#include "signal/track.h"

#include <stdio.h>

enum { LC_LIVE_LINE = 65536 }; /* most bytes of a line */

typedef struct lc_live_rows lc_live_rows;

/* Waits for the row of names, and where the rate is found from times, for LC_LIVE_FIRST rows. columns: as in lc_columns. A rate of
 * the times within a hundredth of `usual` is taken for that. file stays the caller's. */
enum { LC_LIVE_FIRST = 32 };
LOCO_MUST_USE loco_status lc_live_rows_open(lc_live_rows **rows, FILE *file, const char *name, const char *columns,
                                            double usual, loco_err *err);
void lc_live_rows_free(lc_live_rows *rows);

double lc_live_rows_rate(const lc_live_rows *rows);
size_t lc_live_rows_channels(const lc_live_rows *rows);
const char *lc_live_rows_notice(const lc_live_rows *rows); /* what the user should know; "": nothing */

/* Waits for the next row: its values; got is 1, or 0 at the end. A value that is missing is refused: what comes next is
 * not known. */
LOCO_MUST_USE loco_status lc_live_rows_read(lc_live_rows *rows, float *values, size_t *got, loco_err *err);

#endif

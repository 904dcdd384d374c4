/* SPDX-License-Identifier: MIT
 * series_clock.h - the times of a table as people have them: which column holds them, and in which unit.
 *
 *     time, t, timestamp, seconds_elapsed, time_ms, timestamp (ns), timeMillis      names of columns of times
 *     2026-11-18T03:31:46.123Z   2026-11-18 04:31:46,123 +0100   03:31:46.1         dates and times of the day */
#ifndef LC_SIGNAL_SERIES_CLOCK_H
#define LC_SIGNAL_SERIES_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a column of this name holds times. *unit: seconds of the unit that the name states, 1e-3 for ms; 0: none. */
bool lc_clock_name(const char *name, size_t length, double *unit);

/* Reads a date with a time, in seconds since 1970, UTC where it has no offset; or a time of the day, in seconds. */
bool lc_clock_date(const char *text, size_t length, double *seconds);

/* 0.001 where a number or a date has three decimals; 0 where it has an exponent, which leaves that open. */
double lc_clock_quantum(const char *text, size_t length);

/* The unit of numbers, in seconds, where no name states it: the one in which `step`, from row to row, agrees with a
 * stated rate (0: none) but for a factor of 3; else the one in which `first` is a date of this century; else seconds for steps up to 1,
 * milliseconds up to 1000, and so on: 1 to 1000 rows a second. */
double lc_clock_unit(double first, double step, double stated);

/* "milliseconds" for 1e-3 */
const char *lc_clock_unit_name(double unit);

#endif

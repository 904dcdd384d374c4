/* SPDX-License-Identifier: MIT
 *
 * times.h - times on the command line: a number with its unit, such as 50ms, 0.05s, 2min or 1h.
 *
 * A number without a unit is refused: --tolerance 0.15 could mean seconds or milliseconds.
 */
#ifndef LC_CLI_TIMES_H
#define LC_CLI_TIMES_H

#include <loco.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads length bytes of text as a time, 0 or above, into *seconds. LOCO_EARG: err says what to write. */
LOCO_MUST_USE loco_status lc_time_parse(double *seconds, const char *text, size_t length, loco_err *err);

/* Reads 1 to `most` times with commas between them: "50ms,20ms". Each must be above 0 and at most `longest` seconds. */
LOCO_MUST_USE loco_status lc_times_parse(double *seconds, size_t *len, size_t most, double longest, const char *text,
                                         loco_err *err);

/* The same of tolerances: times up to 60s, or all of them distances in an image, "14px", up to 10000px; *pixels says
 * which. */
LOCO_MUST_USE loco_status lc_tolerances_parse(double *tolerances, size_t *len, bool *pixels, size_t most,
                                              const char *text, loco_err *err);

#endif

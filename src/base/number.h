/* SPDX-License-Identifier: MIT
 * number.h - decimal numbers as people and files write them, the same in every locale. */
#ifndef LC_BASE_NUMBER_H
#define LC_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Reads all of length bytes, such as 3, -0.25, .5 or 1e-3, correctly rounded. False for anything else: spaces, inf,
 * nan, hexadecimal, more than 63 characters, or a value beyond a double. */
bool lc_number_parse(const char *text, size_t length, double *number);

/* The same, or with a comma in place of the point: for cells that commas do not separate. */
bool lc_number_parse_comma(const char *text, size_t length, double *number);

#endif

/* SPDX-License-Identifier: MIT
 * status.h - status codes with one sentence about what went wrong. */
#ifndef LC_BASE_STATUS_H
#define LC_BASE_STATUS_H

#include "loco.h"

#if defined(__GNUC__)
#define LC_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define LC_PRINTF(text, values)
#endif

/* Formats the sentence into err, which may be NULL. */
void lc_err_write(loco_err *err, const char *format, ...) LC_PRINTF(2, 3);

/* The same, and gives status, so that a failure is one line. A macro, so that compiler and analyser see which
 * status. */
#define lc_err_set(err, status, ...) (lc_err_write((err), __VA_ARGS__), (loco_status)(status))

#endif

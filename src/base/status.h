/* SPDX-License-Identifier: MIT
 * status.h - status codes with one sentence about what went wrong. */
#ifndef LC_BASE_STATUS_H
#define LC_BASE_STATUS_H

#include "loco.h"

/* Formats the sentence into err, which may be NULL, and returns status, so that a failure is one line. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
loco_status lc_err_set(loco_err *err, loco_status status, const char *format, ...);

#endif

/* SPDX-License-Identifier: MIT
 *
 * tally.h - `loco detect --count`: how many events, instead of when.
 */
#ifndef LC_CLI_TALLY_H
#define LC_CLI_TALLY_H

#include "files.h"

/* As typed. */
typedef struct lc_tally_request {
    bool count, clips;
    const char *label;
    double interval, every; /* 0: the usual ones */
    const char *model, *format, *raw;
} lc_tally_request;

/* What is wrong with the request, before anything is loaded. */
int lc_tally_check(const lc_usage *usage, const lc_tally_request *asked, char **files, size_t files_len);

/* Counts in files, or with `clips` in data sets, and prints. */
int lc_tally_run(const lc_tally_request *asked, char **files, size_t files_len);

#endif

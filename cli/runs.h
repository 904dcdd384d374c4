/* SPDX-License-Identifier: MIT
 *
 * runs.h - words NAME=FILE of a command line: runs of a method.
 */
#ifndef LC_CLI_RUNS_H
#define LC_CLI_RUNS_H

#include "cli.h"

/* Cuts each word at its first =, in place, and checks that its file can be read. The caller frees *runs, which points
 * into the words. */
loco_status lc_runs_split(loco_run **runs, char **words, size_t words_len, loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 *
 * progress.h - how a long run is shown: one line that renews itself on a terminal; elsewhere training prints plain
 *   lines, and work on many files nothing.
 */
#ifndef LC_CLI_PROGRESS_H
#define LC_CLI_PROGRESS_H

#include "cli.h"

#include <signal.h>

typedef struct lc_progress_line {
    bool terminal, drawn;                           /* a line stands on the terminal that is not ended yet */
    double shown;                                   /* seconds of the run when it was drawn */
    size_t warnings;                                /* notices that began with "warning: " */
    struct sigaction interrupt, terminate, hang_up; /* as they were before */
} lc_progress_line;

/* Between these two, Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP, unless it is ignored) end the run after its current step instead of the program. */
void lc_progress_begin(lc_progress_line *line);
void lc_progress_end(lc_progress_line *line);
bool lc_progress_interrupted(void);

/* Shows how many files, or what they are, are done, `seconds` after the start. */
void lc_progress_files(lc_progress_line *line, const char *what, size_t done, size_t all, double seconds);

/* Removes the line, so that results can be printed; the next drawing brings it back. */
void lc_progress_clear(lc_progress_line *line);

/* For loco_train_options: context is an lc_progress_line. */
bool lc_progress_step(void *context, const loco_train_state *state);
void lc_progress_notice(void *context, const char *sentence);

#endif

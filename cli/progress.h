/* SPDX-License-Identifier: MIT
 *
 * progress.h - how a training run is shown: one line that renews itself on a terminal, plain lines elsewhere.
 */
#ifndef LC_CLI_PROGRESS_H
#define LC_CLI_PROGRESS_H

#include "cli.h"

#include <signal.h>

typedef struct lc_progress_line {
    bool terminal, drawn;                  /* a line stands on the terminal that is not ended yet */
    double shown;                          /* seconds of the run when it was drawn */
    struct sigaction interrupt, terminate; /* as they were before */
} lc_progress_line;

/* Between these two, Ctrl-C and SIGTERM end the run after its current step instead of the program. */
void lc_progress_begin(lc_progress_line *line);
void lc_progress_end(lc_progress_line *line);

/* For loco_training: context is an lc_progress_line. */
bool lc_progress_step(void *context, const loco_train_state *state);
void lc_progress_notice(void *context, const char *sentence);

#endif

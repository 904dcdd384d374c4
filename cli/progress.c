/* SPDX-License-Identifier: MIT
 *
 * progress.c - how a training run is shown, and how it is interrupted.
 */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double every = 0.25; /* seconds between two drawings */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* A second Ctrl-C ends the program at once: SA_RESETHAND. */
void lc_progress_begin(lc_progress_line *line)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    *line = (lc_progress_line){.terminal = isatty(2) == 1, .shown = -1};
    interrupted = 0;
    sigaction(SIGINT, &action, &line->interrupt);
    sigaction(SIGTERM, &action, &line->terminate);
}

static void end_line(lc_progress_line *line)
{
    if (line->drawn)
        fputc('\n', stderr);
    line->drawn = false;
}

void lc_progress_end(lc_progress_line *line)
{
    end_line(line);
    sigaction(SIGINT, &line->interrupt, NULL);
    sigaction(SIGTERM, &line->terminate, NULL);
}

void lc_progress_notice(void *context, const char *sentence)
{
    end_line(context);
    fprintf(stderr, "%s\n", sentence);
}

static void draw(const loco_train_state *s)
{
    double left = s->clips_a_second > 0 && s->step > 0 ? s->seconds * (double)(s->steps - s->step) / (double)s->step
                                                       : 0;
    fprintf(stderr, "step %llu/%llu  loss %.3f  counts met %.0f %%", (unsigned long long)s->step,
            (unsigned long long)s->steps, s->loss, 100 * s->count_hit);
    if (s->held_loss >= 0)
        fprintf(stderr, "  held out: %.3f, %.0f %%", s->held_loss, 100 * s->held_hit);
    if (s->held_f1_50 >= 0)
        fprintf(stderr, "  F1 %.3f at 50 ms, %.3f at 20 ms", s->held_f1_50, s->held_f1_20);
    fprintf(stderr, "  %.0f clips/s  %d:%02d left", s->clips_a_second, (int)(left / 60), (int)left % 60);
}

bool lc_progress_step(void *context, const loco_train_state *state)
{
    lc_progress_line *line = context;
    bool due = line->terminal && (state->seconds - line->shown > every || state->validated);
    if (due) {
        fputs(line->drawn ? "\r\033[K" : "", stderr);
        draw(state);
        fflush(stderr);
        line->shown = state->seconds;
        line->drawn = true;
    } else if (!line->terminal && state->validated) {
        draw(state);
        fputc('\n', stderr);
    }
    return !interrupted;
}

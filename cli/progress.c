/* SPDX-License-Identifier: MIT
 *
 * progress.c - how a long run is shown, and how it is interrupted.
 */
#include "progress.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double every = 0.25; /* seconds between two drawings */

enum { PARTS = 6, PART_BYTES = 80, USUAL_COLUMNS = 80 };

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* A terminal that cannot clear a line gets plain lines, as a file does. */
static bool is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(2) == 1 && kind != NULL && strcmp(kind, "dumb") != 0;
}

static size_t terminal_columns(void)
{
    struct winsize size = {0};
    return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

/* A second Ctrl-C ends the program at once: SA_RESETHAND. */
void lc_progress_begin(lc_progress_line *line)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    *line = (lc_progress_line){.terminal = is_terminal(), .shown = -1};
    interrupted = 0;
    sigaction(SIGINT, &action, &line->interrupt);
    sigaction(SIGTERM, &action, &line->terminate);
    sigaction(SIGHUP, NULL, &line->hang_up);
    if (line->hang_up.sa_handler != SIG_IGN) /* nohup wants the run to go on */
        sigaction(SIGHUP, &action, NULL);
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
    sigaction(SIGHUP, &line->hang_up, NULL);
}

bool lc_progress_interrupted(void)
{
    return interrupted != 0;
}

void lc_progress_clear(lc_progress_line *line)
{
    if (line->drawn)
        fputs("\r\033[K", stderr);
    fflush(stderr); /* before what stdout says next on the same terminal */
    line->drawn = false;
}

void lc_progress_notice(void *context, const char *sentence)
{
    lc_progress_line *line = context;
    end_line(line);
    line->warnings += strncmp(sentence, "warning: ", 9) == 0;
    lc_cli_say("%s", sentence);
}

/* What fits into `columns`, the most important first: a line that wraps could not be renewed. */
static void print_parts(char parts[][PART_BYTES], size_t parts_len, size_t columns)
{
    size_t used = 0;
    for (size_t i = 0; i < parts_len && used + strlen(parts[i]) < columns; i++) {
        fputs(parts[i], stderr);
        used += strlen(parts[i]);
    }
}

static void print_left(char part[PART_BYTES], double left)
{
    snprintf(part, PART_BYTES, "  %d:%02d left", (int)(left / 60), (int)left % 60);
}

static void draw(const loco_train_state *s, size_t columns)
{
    char parts[PARTS][PART_BYTES] = {""};
    double left = s->step > 0 ? s->seconds * (double)(s->steps - s->step) / (double)s->step : 0;
    snprintf(parts[0], PART_BYTES, "step %llu/%llu", (unsigned long long)s->step, (unsigned long long)s->steps);
    print_left(parts[1], left);
    if (s->count_error >= 0)
        snprintf(parts[2], PART_BYTES, "  loss %.3f, counts off by %.1f %%", s->loss, 100 * s->count_error);
    else
        snprintf(parts[2], PART_BYTES, "  loss %.3f, counts met %.0f %%", s->loss, 100 * s->count_hit);
    if (s->held_loss >= 0 && s->held_error >= 0)
        snprintf(parts[3], PART_BYTES, "  held out %.3f, off by %.1f %%", s->held_loss, 100 * s->held_error);
    else if (s->held_loss >= 0)
        snprintf(parts[3], PART_BYTES, "  held out %.3f, %.0f %%", s->held_loss, 100 * s->held_hit);
    if (s->held_f1[0] >= 0 && s->held_tolerance[0] >= 1)
        snprintf(parts[4], PART_BYTES, "  F1 %.3f at %.0f px, %.3f at %.0f px", s->held_f1[0], s->held_tolerance[0],
                 s->held_f1[1], s->held_tolerance[1]);
    else if (s->held_f1[0] >= 0)
        snprintf(parts[4], PART_BYTES, "  F1 %.3f at %.0f ms, %.3f at %.0f ms", s->held_f1[0],
                 1000 * s->held_tolerance[0], s->held_f1[1], 1000 * s->held_tolerance[1]);
    snprintf(parts[5], PART_BYTES, "  %.0f clips/s", s->clips_a_second);
    print_parts(parts, PARTS, columns);
}

void lc_progress_files(lc_progress_line *line, const char *what, size_t done, size_t all, double seconds)
{
    char parts[3][PART_BYTES] = {""};
    if (!line->terminal || seconds - line->shown <= every)
        return;
    snprintf(parts[0], PART_BYTES, "%zu of %zu %s", done, all, what);
    if (done > 0) {
        print_left(parts[1], seconds * (double)(all - done) / (double)done);
        snprintf(parts[2], PART_BYTES, "  %.3g %s/s", (double)done / seconds, what);
    }
    lc_progress_clear(line);
    print_parts(parts, 3, terminal_columns());
    fflush(stderr);
    line->shown = seconds;
    line->drawn = true;
}

bool lc_progress_step(void *context, const loco_train_state *state)
{
    lc_progress_line *line = context;
    bool due = line->terminal && (state->seconds - line->shown > every || state->validated);
    if (due) {
        fputs(line->drawn ? "\r\033[K" : "", stderr);
        draw(state, terminal_columns());
        fflush(stderr);
        line->shown = state->seconds;
        line->drawn = true;
    } else if (!line->terminal && state->validated) {
        draw(state, SIZE_MAX);
        fputc('\n', stderr);
    }
    return !interrupted;
}

/* SPDX-License-Identifier: MIT
 * plugin.c - a team of processes by MPI: the plug-in loco_mpi_NAME.so, built once for each implementation of MPI.
 *
 * This file alone, with any MPI-3:   mpicc -O2 -fPIC -shared -I src src/mpi/plugin.c -o loco_mpi_NAME.so
 *
 * Only the thread that trains calls MPI. Collective calls are started and then asked for: a process that waits yields its
 * core after a moment, since blocking calls would keep it busy, and with more processes than cores the one that is waited
 * for needs it. An error of MPI ends all processes, by MPI's default; so does a process that exits before its time. */
#include "base/team_ops.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 2000, NAP_NS = 50000, PATIENCE_S = 20 };

static int ranks;
static bool inside;      /* between begin and end */
static bool was_handled; /* SIGTERM had a handler once */
static int *numbers;     /* counts and places of both directions, ranks each */

/* All processes end. */
static void give_up(const char *sentence)
{
    fprintf(stderr, "loco: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, 4);
    abort();
}

/* MPI cannot be started a second time, so that it lives as long as the program. */
static void at_exit(void)
{
    if (inside)
        MPI_Abort(MPI_COMM_WORLD, 4); /* the others would wait for ever */
    else
        MPI_Finalize();
}

static void begin(void *context, unsigned *rank, unsigned *size)
{
    int started, own, level;
    (void)context;
    MPI_Initialized(&started);
    if (!started) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        atexit(at_exit);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (numbers == NULL)
        numbers = calloc((size_t)ranks, 4 * sizeof *numbers);
    if (numbers == NULL)
        give_up("out of memory for a team of processes");
    inside = true;
    *rank = (unsigned)own;
    *size = (unsigned)ranks;
}

/* Whether SIGTERM has a handler: that of the command is gone once it has run. */
static bool handles_end(void)
{
    struct sigaction now;
    return sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

/* A launcher that has lost a process asks the others to end, and these wait for it here. Asked to stop together, all come
 * after their step; when one does not, it is lost. */
static void lose_patience(double *asked, bool handled)
{
    static const char sentence[] =
        "loco: another process of this run has ended; the last checkpoint is whole: continue with --resume\n";
    if (*asked <= 0 && handled && !handles_end())
        *asked = MPI_Wtime();
    if (*asked <= 0 || MPI_Wtime() - *asked < PATIENCE_S)
        return;
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0)
        _exit(5);
    _exit(4); /* MPI_Abort would wait for the launcher, which waits for this process */
}

static void wait_for(MPI_Request *request)
{
    static const struct timespec nap = {0, NAP_NS};
    double asked = 0;
    int done = 0;
    bool handled = handles_end();
    for (unsigned long tries = 0; !done; tries++) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && tries > SPINS && nanosleep(&nap, NULL) != 0 && asked <= 0)
            asked = MPI_Wtime();
        else if (!done && tries % 16 == 15)
            sched_yield();
        if (!done && tries % 1024 == 1023)
            lose_patience(&asked, handled || was_handled);
    }
    was_handled = was_handled || handled;
}

/* MPI counts in int. */
static void count(const size_t *borders, int *counts, int *places)
{
    if (borders[ranks] > INT_MAX)
        give_up("more than 2 GiB to exchange at a time; train a smaller network, or fewer lanes");
    for (int r = 0; r < ranks; r++) {
        places[r] = (int)borders[r];
        counts[r] = (int)(borders[r + 1] - borders[r]);
    }
}

static void gather(void *context, void *all, const size_t *borders)
{
    MPI_Request request;
    (void)context;
    count(borders, numbers, numbers + ranks);
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, numbers, numbers + ranks, MPI_BYTE, MPI_COMM_WORLD,
                    &request);
    wait_for(&request);
}

static void deal(void *context, const void *out, const size_t *out_borders, void *in, const size_t *in_borders)
{
    MPI_Request request;
    int *to = numbers, *from = numbers + 2 * (size_t)ranks;
    (void)context;
    count(out_borders, to, to + ranks);
    count(in_borders, from, from + ranks);
    MPI_Ialltoallv(out, to, to + ranks, MPI_BYTE, in, from, from + ranks, MPI_BYTE, MPI_COMM_WORLD, &request);
    wait_for(&request);
}

static void end(void *context)
{
    MPI_Request request;
    (void)context;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(&request);
    inside = false;
}

extern const lc_team_ops loco_team_plugin;
const lc_team_ops loco_team_plugin = {LC_TEAM_VERSION, begin, gather, deal, end};

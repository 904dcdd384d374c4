/* SPDX-License-Identifier: MIT
 * teams.h - a team whose processes are threads of the test: what MPI does, without MPI.
 *
 *     static void work(lc_team *team, void *context) { ... lc_team_gather(team, ...) ... }
 *     team_run(3, work, &something);       three threads, one team */
#ifndef TESTS_TEAMS_H
#define TESTS_TEAMS_H

#include "check.h"

#include "base/team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TEAM_MOST = 16 };

typedef struct team_hall {
    unsigned size;
    pthread_mutex_t turn; /* one member works at a time, the others wait for it: checks are counted without a race */
    pthread_cond_t met;
    unsigned waiting, meetings;
    void *buffers[TEAM_MOST];
    const size_t *borders[TEAM_MOST];
    void (*work)(lc_team *team, void *context);
    void *context;
} team_hall;

typedef struct team_member {
    team_hall *hall;
    unsigned rank;
    pthread_t thread;
} team_member;

static inline void team_begin(void *context, unsigned *rank, unsigned *size)
{
    const team_member *m = context;
    *rank = m->rank;
    *size = m->hall->size;
}

/* Waits until all members are here. */
static inline void team_meet(team_hall *hall)
{
    unsigned meeting = hall->meetings;
    if (++hall->waiting == hall->size) {
        hall->waiting = 0;
        hall->meetings++;
        pthread_cond_broadcast(&hall->met);
    }
    while (hall->meetings == meeting)
        pthread_cond_wait(&hall->met, &hall->turn);
}

static inline void team_publish(const team_member *m, void *bytes, const size_t *borders)
{
    m->hall->buffers[m->rank] = bytes;
    m->hall->borders[m->rank] = borders;
    team_meet(m->hall);
}

/* Each reads what the others write at their own places. */
static inline void team_gather(void *context, void *all, const size_t *borders)
{
    const team_member *m = context;
    team_publish(m, all, borders);
    for (unsigned r = 0; r < m->hall->size; r++) {
        CHECK_EQ(m->hall->borders[r][m->hall->size], borders[m->hall->size]);
        if (r != m->rank && borders[r + 1] > borders[r])
            memcpy((char *)all + borders[r], (char *)m->hall->buffers[r] + borders[r], borders[r + 1] - borders[r]);
    }
    team_meet(m->hall);
}

static inline void team_deal(void *context, const void *out, const size_t *out_borders, void *in,
                             const size_t *in_borders)
{
    const team_member *m = context;
    team_publish(m, (void *)(uintptr_t)out, out_borders);
    for (unsigned r = 0; r < m->hall->size; r++) {
        const size_t *theirs = m->hall->borders[r];
        size_t n = theirs[m->rank + 1] - theirs[m->rank];
        CHECK_EQ(n, in_borders[r + 1] - in_borders[r]);
        if (n > 0)
            memcpy((char *)in + in_borders[r], (char *)m->hall->buffers[r] + theirs[m->rank], n);
    }
    team_meet(m->hall);
}

static inline void team_end(void *context)
{
    const team_member *m = context;
    team_meet(m->hall);
}

static const lc_team_ops team_ops = {LC_TEAM_VERSION, team_begin, team_gather, team_deal, team_end};

static inline void *team_live(void *context)
{
    team_member *m = context;
    lc_team *team = NULL;
    pthread_mutex_lock(&m->hall->turn);
    CHECK_STATUS(lc_team_new(&team, &team_ops, m, NULL), LOCO_OK);
    m->hall->work(team, m->hall->context);
    lc_team_leave(team);
    pthread_mutex_unlock(&m->hall->turn);
    return NULL;
}

/* Runs work in `size` threads, each a member of one team. */
static inline void team_run(unsigned size, void (*work)(lc_team *team, void *context), void *context)
{
    team_hall hall = {.size = size, .work = work, .context = context};
    team_member members[TEAM_MOST];
    pthread_mutex_init(&hall.turn, NULL);
    pthread_cond_init(&hall.met, NULL);
    for (unsigned r = 0; r < size; r++) {
        members[r] = (team_member){.hall = &hall, .rank = r};
        if (pthread_create(&members[r].thread, NULL, team_live, &members[r]) != 0)
            abort();
    }
    for (unsigned r = 0; r < size; r++)
        pthread_join(members[r].thread, NULL);
    pthread_cond_destroy(&hall.met);
    pthread_mutex_destroy(&hall.turn);
}

#endif

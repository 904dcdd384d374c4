/* SPDX-License-Identifier: MIT
 * test_team.c - processes that work together, here threads of the test: parts are exchanged, a failure of one is one of
 *   all, plug-ins that are not there are named. */
#include "cases.h"
#include "teams.h"

#include <string.h>

enum { ITEMS = 23, LANES = 8, MOST = 8 };

static void one_process_needs_no_team(void)
{
    loco_err err = {"as before"};
    int items[3] = {1, 2, 3};
    size_t borders[2] = {0, sizeof items};
    unsigned other;
    CHECK_EQ(lc_team_rank(NULL), 0);
    CHECK_EQ(lc_team_size(NULL), 1);
    CHECK(lc_team_has(NULL, 8, 5));
    CHECK_EQ(lc_team_border(NULL, 7, 1), 7);
    CHECK_STATUS(lc_team_settle(NULL, LOCO_EIO, &err), LOCO_EIO);
    CHECK_STR(err.text, "as before");
    CHECK(lc_team_agree(NULL, 5, &other));
    lc_team_gather(NULL, items, borders);
    lc_team_gather_items(NULL, 8, items, 3, sizeof *items, NULL);
    lc_team_spread(NULL, items, sizeof items);
    CHECK(items[0] == 1 && items[2] == 3);
    lc_team_leave(NULL);
}

static void exchange(lc_team *team, void *context)
{
    size_t all[ITEMS], room[ITEMS], rank = lc_team_rank(team), size = lc_team_size(team), own = 0;
    bool go = rank == 0;
    (void)context;
    for (size_t i = 0; i < ITEMS; i++) {
        all[i] = lc_team_has(team, LANES, i) ? 100 * rank + i : 0;
        own += lc_team_has(team, LANES, i);
    }
    CHECK(own >= ITEMS / LANES * (LANES / size));
    lc_team_gather_items(team, LANES, all, ITEMS, sizeof *all, room);
    for (size_t i = 0; i < ITEMS; i++) {
        CHECK_EQ(all[i] % 100, i);
        size_t r = all[i] / 100;
        CHECK(lc_team_border(team, LANES, (unsigned)r) <= i % LANES);
        CHECK(i % LANES < lc_team_border(team, LANES, (unsigned)r + 1));
    }
    lc_team_spread(team, &go, sizeof go);
    CHECK(go);
}

/* Process 1 and those behind it fail, each with its own sentence. */
static void fail(lc_team *team, void *context)
{
    loco_err err = {"fine"};
    unsigned rank = lc_team_rank(team), size = lc_team_size(team), other = 99;
    (void)context;
    CHECK_STATUS(lc_team_settle(team, LOCO_OK, &err), LOCO_OK);
    CHECK_STR(err.text, "fine");
    if (rank > 0)
        snprintf(err.text, sizeof err.text, "disk %u is full", rank);
    loco_status status = lc_team_settle(team, rank > 0 ? LOCO_EIO : LOCO_OK, &err);
    char wanted[80];
    snprintf(wanted, sizeof wanted, "process 1 of %u: disk 1 is full", size);
    CHECK_STATUS(status, size > 1 ? LOCO_EIO : LOCO_OK);
    CHECK_STR(err.text, size > 1 ? wanted : "fine");
    snprintf(err.text, sizeof err.text, "no data");
    CHECK_STATUS(lc_team_settle(team, LOCO_EDATA, rank == 0 ? &err : NULL), LOCO_EDATA);
    CHECK_STR(err.text, "no data");
    CHECK(lc_team_agree(team, 7, &other));
    CHECK(lc_team_agree(team, rank == 2 ? 8 : 7, &other) == (size < 3));
    CHECK_EQ(other, size < 3 ? 99 : 2);
}

static void several_exchange_their_parts(void)
{
    for (unsigned size = 1; size <= MOST; size++) {
        team_run(size, exchange, NULL);
        team_run(size, fail, NULL);
    }
}

static void hashes_differ(void)
{
    CHECK(lc_team_hash(0, "ab", 2) != lc_team_hash(0, "ba", 2));
    CHECK(lc_team_hash(0, "ab", 2) == lc_team_hash(lc_team_hash(0, "a", 1), "b", 1));
}

static void missing_plugins_are_named(void)
{
    lc_team *team = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_team_join(&team, "nothing", 2, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "loco_mpi_nothing.so");
    CHECK_SAYS(err.text, "LOCO_MPI");
    CHECK_STATUS(lc_team_join(&team, "/dev/null/x.so", 2, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "/dev/null/x.so");
    CHECK(team == NULL);
}

int main(void)
{
    RUN(one_process_needs_no_team);
    RUN(several_exchange_their_parts);
    RUN(hashes_differ);
    RUN(missing_plugins_are_named);
    return check_done();
}

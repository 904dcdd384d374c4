/* SPDX-License-Identifier: MIT
 * team.h - processes that work on one task together, each with its own memory: on one machine or on many.
 *
 * All that is exchanged between them goes through two functions of a table, lc_team_ops: `gather` and `deal`. The table
 * is a plug-in's (src/mpi/, one for each implementation of MPI), loaded by lc_team_join; the library depends on none.
 *
 *     lc_team *team = NULL;                                             NULL is a team of one: every call returns at once
 *     status = lc_team_join(&team, "openmpi", 4, err);
 *     status = lc_team_settle(team, own_part(...), err);                what failed in one has failed in all
 *     lc_team_gather(team, parts, borders);                             every process has all parts
 *     lc_team_leave(team);
 *
 * Every process must make the same calls in the same order. A process that is lost ends the others through the launcher.
 */
#ifndef LC_BASE_TEAM_H
#define LC_BASE_TEAM_H

#include "base/team_ops.h"
#include "loco.h"

typedef struct lc_team lc_team;

/* plugin: a name, such as "openmpi", or the path of a file; processes: how many the launcher has started. */
LOCO_MUST_USE loco_status lc_team_join(lc_team **team, const char *plugin, unsigned processes, loco_err *err);

/* The same from a table that is there already; it must outlive the team. */
LOCO_MUST_USE loco_status lc_team_new(lc_team **team, const lc_team_ops *ops, void *context, loco_err *err);
void lc_team_leave(lc_team *team);

unsigned lc_team_rank(const lc_team *team); /* 0..size-1; process 0 writes all files */
unsigned lc_team_size(const lc_team *team);

/* Part r of n things: from lc_team_border(team, n, r) to lc_team_border(team, n, r + 1). */
size_t lc_team_border(const lc_team *team, size_t n, unsigned rank);

/* Items that are shared out: item i belongs to lane i mod lanes, and a process has its part of the lanes. What is added
 * lane by lane is then the same for any number of processes. */
bool lc_team_has(const lc_team *team, size_t lanes, size_t item);

/* Every process has its own items of n, of `bytes` each; afterwards all have all. room: as large as items. */
void lc_team_gather_items(lc_team *team, size_t lanes, void *items, size_t n, size_t bytes, void *room);

/* Bytes borders[r]..borders[r + 1] of `all` are those of process r; afterwards every process has all. */
void lc_team_gather(lc_team *team, void *all, const size_t *borders);

/* Bytes out_borders[r].. of `out` go to process r; in_borders[r].. of `in` come from process r. */
void lc_team_deal(lc_team *team, const void *out, const size_t *out_borders, void *in, const size_t *in_borders);

/* What process 0 has, to all. */
void lc_team_spread(lc_team *team, void *bytes, size_t n);

/* The failure of the first process that has one, with its sentence; LOCO_OK if none has. */
LOCO_MUST_USE loco_status lc_team_settle(lc_team *team, loco_status status, loco_err *err);

/* Whether all processes have the same hash; else the first that differs from process 0. lc_team_hash adds bytes to one;
 * it begins with 0. */
LOCO_MUST_USE bool lc_team_agree(lc_team *team, uint64_t hash, unsigned *other);
uint64_t lc_team_hash(uint64_t hash, const void *bytes, size_t n);

#endif

/* SPDX-License-Identifier: MIT
 * event_share.h - lists of events that several processes have found, each some of them. */
#ifndef LC_EVENTS_EVENT_SHARE_H
#define LC_EVENTS_EVENT_SHARE_H

#include "base/team.h"
#include "events/event_array.h"

/* Whether list i of several is this process's to fill. */
bool lc_events_own(const lc_team *team, size_t i);

/* Afterwards every process has all lists; those of others were empty. status: what became of the own lists. The same
 * result in every process: a failure of one is one of all. */
LOCO_MUST_USE loco_status lc_events_share(lc_team *team, lc_event_array *lists, size_t lists_len, loco_status status,
                                          loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 * event_share.c - lists of events that several processes have found: first their lengths, then all events in one row,
 * process by process. */
#include "events/event_share.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct event_row {
    size_t *lens, *packed; /* lists */
    size_t *borders;       /* bytes; processes + 1 */
    loco_event *events;    /* of all lists */
} event_row;

bool lc_events_own(const lc_team *team, size_t i)
{
    return lc_team_has(team, lc_team_size(team), i);
}

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of other processes");
}

static loco_status begin(event_row *row, const lc_team *team, const lc_event_array *lists, size_t n, loco_err *err)
{
    row->lens = calloc(n + 1, sizeof *row->lens);
    row->packed = calloc(n + 1, sizeof *row->packed);
    row->borders = calloc(lc_team_size(team) + 1, sizeof *row->borders);
    if (row->lens == NULL || row->packed == NULL || row->borders == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < n; i++)
        row->lens[i] = lists[i].len;
    return LOCO_OK;
}

/* Makes the row, with the own events in it. */
static loco_status fill(event_row *row, const lc_team *team, const lc_event_array *lists, size_t n, loco_err *err)
{
    size_t at = 0, size = lc_team_size(team);
    for (size_t r = 0; r < size; r++) {
        for (size_t i = r; i < n; i += size)
            at += row->lens[i];
        row->borders[r + 1] = at * sizeof *row->events;
    }
    row->events = calloc(at + 1, sizeof *row->events);
    if (row->events == NULL)
        return out_of_memory(err);
    loco_event *to = row->events + row->borders[lc_team_rank(team)] / sizeof *to;
    for (size_t i = lc_team_rank(team); i < n; i += size)
        for (size_t j = 0; j < lists[i].len; j++)
            *to++ = lists[i].events[j];
    return LOCO_OK;
}

/* Fills the lists of the others. */
static loco_status take(const event_row *row, const lc_team *team, lc_event_array *lists, size_t n, loco_err *err)
{
    const loco_event *from = row->events;
    bool failed = false;
    for (size_t r = 0; r < lc_team_size(team); r++)
        for (size_t i = r; i < n; i += lc_team_size(team)) {
            for (size_t j = 0; j < row->lens[i] && r != lc_team_rank(team); j++)
                lc_event_array_add(&lists[i], &from[j]);
            from += row->lens[i];
            failed = failed || lists[i].failed;
        }
    return failed ? out_of_memory(err) : LOCO_OK;
}

loco_status lc_events_share(lc_team *team, lc_event_array *lists, size_t n, loco_status status, loco_err *err)
{
    event_row row = {.lens = NULL};
    if (team == NULL)
        return status;
    if (status == LOCO_OK)
        status = begin(&row, team, lists, n, err);
    status = lc_team_settle(team, status, err);
    if (status == LOCO_OK && row.lens != NULL && row.packed != NULL && row.borders != NULL) {
        lc_team_gather_items(team, lc_team_size(team), row.lens, n, sizeof *row.lens, row.packed);
        status = lc_team_settle(team, fill(&row, team, lists, n, err), err);
    }
    if (status == LOCO_OK && row.events != NULL) {
        lc_team_gather(team, row.events, row.borders);
        status = lc_team_settle(team, take(&row, team, lists, n, err), err);
    }
    free(row.lens);
    free(row.packed);
    free(row.borders);
    free(row.events);
    return status;
}

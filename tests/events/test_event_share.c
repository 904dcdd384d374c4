/* SPDX-License-Identifier: MIT
 * test_event_share.c - lists of events that several processes have found: afterwards all have all. */
#include "teams.h"

#include "events/event_share.h"

enum { LISTS = 7 };

static loco_event event_of(size_t list, size_t i)
{
    return (loco_event){.time = (double)(10 * list + i), .kind = i, .probability = 0.5, .x = (double)list};
}

static void fill(lc_event_array *list, size_t i)
{
    for (size_t j = 0; j < i * i % 5; j++)
        lc_event_array_add(list, (loco_event[]){event_of(i, j)});
}

static void share(lc_team *team, void *context)
{
    lc_event_array lists[LISTS] = {{0}};
    (void)context;
    for (size_t i = 0; i < LISTS; i++)
        if (lc_events_own(team, i))
            fill(&lists[i], i);
    CHECK_STATUS(lc_events_share(team, lists, LISTS, LOCO_OK, NULL), LOCO_OK);
    for (size_t i = 0; i < LISTS; i++) {
        CHECK_EQ(lists[i].len, i * i % 5);
        for (size_t j = 0; j < lists[i].len; j++)
            CHECK(lists[i].events[j].time == event_of(i, j).time && lists[i].events[j].kind == j);
        lc_event_array_free(&lists[i]);
    }
    CHECK_STATUS(lc_events_share(team, lists, 0, LOCO_OK, NULL), LOCO_OK);
    CHECK_STATUS(lc_events_share(team, lists, LISTS, lc_team_rank(team) == 0 ? LOCO_EIO : LOCO_OK, NULL), LOCO_EIO);
}

static void all_have_all(void)
{
    lc_event_array one = {0};
    CHECK(lc_events_own(NULL, 5));
    CHECK_STATUS(lc_events_share(NULL, &one, 1, LOCO_EDATA, NULL), LOCO_EDATA);
    for (unsigned size = 1; size <= 9; size++)
        team_run(size, share, NULL);
}

int main(void)
{
    RUN(all_have_all);
    return check_done();
}

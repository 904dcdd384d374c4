/* SPDX-License-Identifier: MIT
 * test_event_array.c - the list of events: growth, failure, order. */
#include "cases.h"

#include "events/event_array.h"

static void a_list_keeps_all(void)
{
    lc_event_array list = {0};
    for (size_t i = 0; i < 1000; i++)
        lc_event_array_take(&list, &(loco_event){.time = (double)i, .kind = i % 7, .probability = 0.5});
    CHECK(!list.failed && list.capacity >= 1000);
    CHECK_EQ(list.len, 1000);
    for (size_t i = 0; i < list.len; i++)
        CHECK(list.events[i].kind == i % 7 && fabs(list.events[i].time - (double)i) < 0.5);
    lc_event_array_free(&list);
    CHECK(list.events == NULL && list.len == 0);
}

static void a_failed_list_takes_no_more(void)
{
    lc_event_array list = {0};
    lc_event_array_add(&list, &(loco_event){.time = 1});
    list.failed = true;
    lc_event_array_add(&list, &(loco_event){.time = 2});
    CHECK_EQ(list.len, 1);
    lc_event_array_free(&list);
}

static bool in_order(const loco_event *a, const loco_event *b)
{
    if (a->time < b->time || a->time > b->time)
        return a->time < b->time;
    if (a->x < b->x || a->x > b->x)
        return a->x < b->x;
    return a->kind != b->kind ? a->kind < b->kind : a->probability >= b->probability;
}

/* Few values, so that there are many ties; the sum shows that the same events are there. */
static void events_are_sorted(void)
{
    lc_rng rng = lc_rng_seed(1);
    for (size_t n = 0; n < 60; n++) {
        loco_event events[60];
        double sum = 0, sorted = 0;
        for (size_t i = 0; i < n; i++) {
            events[i] = (loco_event){(double)case_below(&rng, 5), case_below(&rng, 3), (double)case_below(&rng, 4),
                                     n % 2 == 0 ? 0 : (double)case_below(&rng, 2)};
            sum += events[i].time + 10 * (double)events[i].kind + 100 * events[i].probability;
        }
        lc_events_sort(events, n);
        for (size_t i = 0; i < n; i++) {
            sorted += events[i].time + 10 * (double)events[i].kind + 100 * events[i].probability;
            CHECK(i == 0 || in_order(&events[i - 1], &events[i]));
        }
        CHECK_NEAR(sum, sorted, 0);
    }
    lc_events_sort(NULL, 0);
}

int main(void)
{
    RUN(a_list_keeps_all);
    RUN(a_failed_list_takes_no_more);
    RUN(events_are_sorted);
    return check_done();
}

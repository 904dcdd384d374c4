/* SPDX-License-Identifier: MIT
 * test_gather.c - events gathered in any order become one sorted list. */
#include "data_cases.h"

#include "base/rng.h"
#include "events/gather.h"

static const lc_place here = {"here", 1, NULL};

static void wrong_classes_are_refused(void)
{
    lc_gather gather = {0};
    loco_err err = {""};
    size_t kind = 77;
    CHECK_STATUS(lc_gather_begin(&gather, (const char *const[]){"a", "b", "a"}, 3, &err), LOCO_EARG);
    CHECK_STR(err.text, "the class \"a\" is there twice");
    lc_gather_free(&gather);
    CHECK_STATUS(lc_gather_begin(&gather, NULL, 3, &err), LOCO_OK);
    CHECK_STATUS(lc_gather_class(&kind, &gather, here, "", 0, &err), LOCO_EDATA);
    CHECK_EQ(kind, 77);
    lc_gather_free(&gather);
}

static void wrong_times_are_refused(void)
{
    static const double wrong[] = {-1e-9, 1e7, INFINITY, -INFINITY, NAN};
    lc_gather gather = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_gather_begin(&gather, NULL, 0, &err), LOCO_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_STATUS(lc_gather_event(&gather, here, 0, (loco_event){wrong[i], 0, 1, 0}, &err), LOCO_EDATA);
    CHECK_STR(err.text, "here:1: times go from 0 to below 10000000 seconds");
    CHECK_STATUS(lc_gather_event(&gather, here, 0, (loco_event){-0.0, 0, 1, 0}, &err), LOCO_OK);
    CHECK_EQ(gather.len, 1);
    lc_gather_free(&gather);
}

static bool in_order(const loco_event *a, const loco_event *b)
{
    if (a->time < b->time || a->time > b->time)
        return a->time < b->time;
    return a->kind != b->kind ? a->kind < b->kind : a->probability <= b->probability;
}

/* Files without events stay in the list. Times are few, so that many are equal. */
static void events_are_sorted(void)
{
    static const char *const files[] = {"c", "empty", "a", "b", "last"};
    lc_rng rng = lc_rng_seed(6);
    lc_gather gather = {0};
    lc_event_list *list = NULL;
    size_t counts[5] = {0}, file, kind;
    CHECK_STATUS(lc_gather_begin(&gather, (const char *const[]){"x", "y"}, 2, NULL), LOCO_OK);
    for (size_t i = 0; i < 5; i++) {
        CHECK_STATUS(lc_gather_file(&file, &gather, files[i], NULL), LOCO_OK);
        CHECK_EQ(file, i);
    }
    for (int i = 0; i < 1000; i++) {
        loco_event event = {(double)(lc_rng_next(&rng) % 50), 0, (double)(lc_rng_next(&rng) % 3) / 2, 0};
        file = 2 * (lc_rng_next(&rng) % 3);
        CHECK_STATUS(lc_gather_class(&kind, &gather, here, lc_rng_next(&rng) % 2 ? "x" : "y", 1, NULL), LOCO_OK);
        event.kind = kind;
        CHECK_STATUS(lc_gather_event(&gather, here, file, event, NULL), LOCO_OK);
        counts[file]++;
    }
    CHECK_STATUS(lc_gather_end(&list, &gather, NULL), LOCO_OK);
    lc_gather_free(&gather);
    CHECK_EQ(list->files_len, 5);
    CHECK_EQ(list->classes_len, 2);
    for (size_t f = 0; f < 5; f++) {
        CHECK_STR(list->files[f].name, files[f]);
        CHECK_EQ(list->files[f].events_len, counts[f]);
        for (size_t e = 1; e < list->files[f].events_len; e++)
            CHECK(in_order(&list->files[f].events[e - 1], &list->files[f].events[e]));
    }
    lc_event_list_free(list);
    lc_event_list_free(NULL);
}

int main(void)
{
    RUN(wrong_classes_are_refused);
    RUN(wrong_times_are_refused);
    RUN(events_are_sorted);
    return check_done();
}

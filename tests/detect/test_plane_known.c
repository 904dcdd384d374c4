/* SPDX-License-Identifier: MIT
 * test_plane_known.c - events of images whose counts are known. */
#include "cases.h"

#include "base/rng.h"
#include "detect/plane.h"

enum { ROWS = 24, COLUMNS = 30, K = 2 };

static float logits[ROWS * COLUMNS * K];
static const lc_plane plane = {ROWS, COLUMNS, K, 4, logits};
static const lc_decoding decoding = {.method = LC_DECODE_MASS, .window = 8, .threshold = 0.3, .gap = 10};

static void clear(void)
{
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS * K; i++)
        logits[i] = -12;
}

static void set(size_t row, size_t column, size_t kind, double p)
{
    logits[(row * COLUMNS + column) * K + kind] = (float)log(p / (1 - p));
}

static lc_event_array known(loco_label first, loco_label second, const lc_plane_box *box)
{
    lc_event_array list = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_plane_known(&list, &plane, box, &decoding, NULL, (loco_label[]){first, second}, &err), LOCO_OK);
    return list;
}

static void check_event(const loco_event *event, size_t row, size_t column, size_t kind)
{
    CHECK(event->kind == kind);
    CHECK_NEAR(event->time, 4 * (double)row + 1.5, 0.2);
    CHECK_NEAR(event->x, 4 * (double)column + 1.5, 0.2);
}

/* A count of 2 finds two events of low probability, and the class without a count has what is detected. */
static void faint(void)
{
    clear();
    set(5, 7, 0, 0.02);
    set(15, 20, 0, 0.04);
    set(15, 4, 0, 0.001);
    set(8, 8, 1, 0.9);
    set(20, 8, 1, 0.2);
    lc_event_array list = known(loco_label_exact(2), loco_label_unknown(), NULL);
    CHECK(list.len == 3);
    check_event(&list.events[0], 5, 7, 0);
    check_event(&list.events[1], 8, 8, 1);
    check_event(&list.events[2], 15, 20, 0);
    CHECK(list.events[0].probability > 0.7 && list.events[2].probability > 0.8);
    CHECK_NEAR(list.events[1].probability, 0.9, 0.01);
    lc_event_array_free(&list);
    list = known(loco_label_exact(0), loco_label_exact(2), NULL);
    CHECK(list.len == 2 && list.events[0].kind == 1);
    check_event(&list.events[1], 20, 8, 1);
    lc_event_array_free(&list);
    list = known(loco_label_range(1, 2), loco_label_at_most(1), NULL); /* 0.06 expected: 1 is the likeliest */
    CHECK(list.len == 2);
    check_event(&list.events[1], 15, 20, 0);
    lc_event_array_free(&list);
}

/* Two events that the network does not separate: both halves of one blob, and not a speck of noise elsewhere. */
static void merged(void)
{
    clear();
    for (size_t c = 6; c < 11; c++)
        set(10, c, 0, 0.35);
    set(20, 25, 0, 0.01);
    lc_event_array list = known(loco_label_exact(2), loco_label_exact(0), NULL);
    CHECK(list.len == 2);
    for (size_t i = 0; i < list.len; i++) {
        CHECK_NEAR(list.events[i].time, 41.5, 0.1);
        CHECK(list.events[i].x > 4 * 6 && list.events[i].x < 4 * 11);
    }
    CHECK(list.len == 2 && fabs(list.events[1].x - list.events[0].x) >= 8);
    lc_event_array_free(&list);
}

/* What lies around one event is not a second one, though more of it is there than elsewhere. */
static void around(void)
{
    clear();
    set(10, 7, 0, 0.95);
    set(10, 9, 0, 0.02);
    set(10, 10, 0, 0.02);
    set(20, 25, 0, 0.023);
    lc_event_array list = known(loco_label_exact(2), loco_label_exact(0), NULL);
    CHECK(list.len == 2);
    check_event(&list.events[1], 20, 25, 0);
    lc_event_array_free(&list);
}

/* All places hold an event at last, though the gap forbids it: as many as the label, or as there are places. */
static void crowded(void)
{
    clear();
    lc_plane_box box = {8, 8, 24, 20};
    lc_event_array list = known(loco_label_exact(12), loco_label_at_least(50), &box);
    size_t counts[K] = {0};
    for (size_t i = 0; i < list.len; i++) {
        const loco_event *event = &list.events[i];
        counts[event->kind]++;
        CHECK(event->x >= 8 && event->x < 24 && event->time >= 8 && event->time < 20);
    }
    CHECK(counts[0] == 12 && counts[1] == 12);
    lc_event_array_free(&list);
    list = known(loco_label_exact(1), loco_label_exact(1), &(lc_plane_box){8, 8, 8.2, 9}); /* holds no centre */
    CHECK(list.len == 0);
    lc_event_array_free(&list);
}

/* A count of a part says nothing about the rest. */
static void boxes(void)
{
    clear();
    set(5, 7, 0, 0.02);
    set(15, 20, 0, 0.5);
    set(8, 8, 1, 0.9);
    set(20, 20, 1, 0.9);
    lc_event_array list = known(loco_label_exact(1), loco_label_unknown(), &(lc_plane_box){0, 0, 48, 40});
    CHECK(list.len == 2);
    check_event(&list.events[0], 5, 7, 0);
    check_event(&list.events[1], 8, 8, 1);
    lc_event_array_free(&list);
    list = known(loco_label_exact(1), loco_label_exact(1), &(lc_plane_box){40, 48, (double)INFINITY, (double)INFINITY});
    CHECK(list.len == 2);
    check_event(&list.events[0], 15, 20, 0);
    check_event(&list.events[1], 20, 20, 1);
    lc_event_array_free(&list);
}

/* As many as asked for, apart by the gap, and where the posterior is: of 40 specks of equal probability each is found. */
static void many(void)
{
    clear();
    size_t n = 0;
    for (size_t r = 2; r < ROWS; r += 4)
        for (size_t c = 2; c < COLUMNS && n < 40; c += 4, n++)
            set(r, c, 0, 0.1);
    logits[5] = NAN;
    logits[6] = -INFINITY;
    lc_event_array list = known(loco_label_exact(40), loco_label_exact(0), NULL);
    CHECK(list.len == 40);
    for (size_t i = 0; i < list.len; i++) {
        CHECK_NEAR(fmod(list.events[i].x - 1.5, 16), 8, 0.1);
        CHECK_NEAR(fmod(list.events[i].time - 1.5, 16), 8, 0.1);
    }
    lc_event_array_free(&list);
}

static void refused(void)
{
    lc_event_array list = {0};
    loco_err err = {""};
    lc_decoding wrong = lc_decoding_default(LC_DECODE_COUNT);
    loco_label labels[K] = {
        loco_label_exact(1), {2, 1}
    };
    CHECK_STATUS(lc_plane_known(&list, &plane, NULL, &wrong, NULL, labels, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "use mass or peak");
    CHECK_STATUS(lc_plane_known(&list, &plane, NULL, &decoding, NULL, labels, &err), LOCO_EDATA);
    CHECK(list.len == 0);
    lc_event_array_free(&list);
}

int main(void)
{
    RUN(refused);
    RUN(faint);
    RUN(merged);
    RUN(around);
    RUN(crowded);
    RUN(boxes);
    RUN(many);
    return check_done();
}

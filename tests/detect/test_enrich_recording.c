/* SPDX-License-Identifier: MIT
 * test_enrich_recording.c - clips of a recording: borders, offsets, overlaps, gaps from clip to clip, and notices. */
#include "cases.h"

#include "base/text.h"
#include "detect/enrich_recording.h"

enum { T = 200, K = 2, MOST = 8 };

static const char *const classes[K] = {"kick", "snare"};
static double offsets[K];
static float z[T * K];
static lc_enricher enricher;
static lc_text notices;
static loco_label labels[MOST][K];
static lc_clip clips[MOST];

static void note(void *context, const char *message)
{
    (void)context;
    lc_text_format(&notices, "%s\n", message);
}

static lc_enrich_plan plan_of(double gap)
{
    lc_enrich_plan plan = {
        {4, 5, false},
        0.01, gap, offsets, classes, K, "set/counts.csv", note, NULL
    };
    if (gap > 0)
        plan.how = (lc_enriching){(size_t)ceil(gap / 0.01 - 1e-6), 5, true};
    return plan;
}

/* Quiet, with peaks of class 0. */
static void peaks(const size_t *at, size_t n)
{
    for (size_t i = 0; i < T * K; i++)
        z[i] = -9;
    for (size_t i = 0; i < n; i++)
        z[at[i] * K] = 3;
    lc_text_free(&notices);
    lc_text_string(&notices, "");
    offsets[0] = offsets[1] = 0;
}

static void clip(size_t i, double start, double end, loco_label kick)
{
    labels[i][0] = kick;
    labels[i][1] = loco_label_exact(0);
    clips[i] = (lc_clip){0, start, end, labels[i], i + 2, 0, 0};
}

static lc_event_array run_with(const lc_enrich_plan *plan, size_t n, const lc_event_array *plain, float *posterior)
{
    lc_event_array list = {0};
    loco_err err = {""};
    lc_enrich_task task = {z, T, clips, n, plain, posterior};
    CHECK_STATUS(lc_enrich_recording(&enricher, plan, &task, &list, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    for (size_t i = 1; i < list.len; i++)
        CHECK(list.events[i - 1].time <= list.events[i].time);
    return list;
}

static lc_event_array run(double gap, size_t n)
{
    lc_enrich_plan plan = plan_of(gap);
    return run_with(&plan, n, NULL, NULL);
}

/* ---- tests ---- */

static void a_nan_leaves_the_list(void)
{
    lc_event_array list = {0};
    loco_err err = {""};
    lc_enrich_plan plan = plan_of(0);
    lc_enrich_task task = {z, T, clips, 1, NULL, NULL};
    peaks(NULL, 0);
    clip(0, 0, 1, loco_label_exact(1));
    labels[0][1] = loco_label_exact(1);
    z[30 * K + 1] = NAN;
    lc_event_array_add(&list, &(loco_event){.time = 7});
    CHECK_STATUS(lc_enrich_recording(&enricher, &plan, &task, &list, &err), LOCO_EDATA);
    CHECK_EQ(list.len, 1);
    lc_event_array_free(&list);
}

static void events_stay_in_their_rows(void)
{
    static const size_t at[] = {20, 99, 150};
    peaks(at, 3);
    z[100 * K] = 3; /* half of the event at 99 lies in the next clip, whose count excludes it */
    clip(0, 0, 1, loco_label_exact(2));
    clip(1, 1, INFINITY, loco_label_exact(1));
    lc_event_array list = run(0, 2);
    CHECK_EQ(list.len, 3);
    CHECK_NEAR(list.events[0].time, 0.2, 1e-6);
    CHECK_NEAR(list.events[1].time, 0.99, 1e-6);
    CHECK(list.events[2].time > 0.99 && list.events[2].time < 1.6);
    CHECK_STR(notices.bytes, "");
    lc_event_array_free(&list);
}

/* Frames are late by the offset, and the last frame of a row is the one before its end. */
static void offsets_are_taken_out(void)
{
    static const size_t at[] = {20, 102};
    peaks(at, 2);
    offsets[0] = 0.03;
    clip(0, 0, 1, loco_label_exact(2));
    lc_event_array list = run(0, 1);
    CHECK_EQ(list.len, 2);
    CHECK_NEAR(list.events[0].time, 0.17, 1e-6);
    CHECK_NEAR(list.events[1].time, 0.99, 1e-6);
    lc_event_array_free(&list);
    peaks(at, 2);
    offsets[0] = 0.02; /* frame 102 is at 1.00, which is the next row's */
    list = run(0, 1);
    CHECK_EQ(list.len, 2);
    CHECK(list.events[1].time < 1);
    CHECK(fmin(list.events[0].probability, list.events[1].probability) < 0.2);
    lc_event_array_free(&list);
    peaks((size_t[]){1, 60}, 2); /* before the recording begins: moved to its beginning */
    offsets[0] = 0.03;
    list = run(0, 1);
    CHECK_EQ(list.len, 2);
    CHECK_NEAR(list.events[0].time, 0, 0);
    CHECK(list.events[0].probability > 0.9);
    lc_event_array_free(&list);
}

static void unknown_counts_are_detected(void)
{
    static const size_t at[] = {20, 50};
    lc_event_array plain = {0};
    lc_enrich_plan plan = plan_of(0);
    float posterior[T * K] = {0};
    peaks(at, 2);
    lc_event_array_add(&plain, &(loco_event){0.205, 0, 0.4, 0});
    lc_event_array_add(&plain, &(loco_event){0.3, 1, 0.5, 0}); /* of the other class, which has none */
    lc_event_array_add(&plain, &(loco_event){1.2, 0, 0.6, 0}); /* in the other row */
    clip(0, 0, 1, loco_label_unknown());
    clip(1, 1, 2, loco_label_exact(0));
    lc_event_array list = run_with(&plan, 2, &plain, posterior);
    CHECK_EQ(list.len, 1);
    CHECK_NEAR(list.events[0].time, 0.205, 0);
    CHECK_NEAR(list.events[0].probability, 0.4, 0);
    CHECK(posterior[20 * K] <= 0); /* as it was: nothing is known there */
    lc_event_array_free(&list);
    labels[0][0] = loco_label_exact(1);
    list = run_with(&plan, 2, &plain, posterior);
    CHECK_EQ(list.len, 1);
    CHECK_NEAR((double)(posterior[20 * K] + posterior[50 * K]), 1, 1e-3);
    lc_event_array_free(&list);
    lc_event_array_free(&plain);
}

static void overlapping_rows_give_an_event_once(void)
{
    static const size_t at[] = {20, 70, 150};
    peaks(at, 3);
    clip(0, 0, 1, loco_label_exact(2));
    clip(1, 0.5, 2, loco_label_exact(2));
    lc_event_array list = run(0, 2);
    CHECK_EQ(list.len, 3);
    CHECK_NEAR(list.events[1].time, 0.7, 1e-6);
    CHECK_SAYS(notices.bytes, "1 event that two rows with overlapping clips both have");
    lc_event_array_free(&list);
    clip(1, 1, 2, loco_label_exact(1)); /* side by side: no notice */
    peaks(at, 3);
    list = run(0, 2);
    CHECK_EQ(list.len, 3);
    CHECK_STR(notices.bytes, "");
    lc_event_array_free(&list);
    peaks((size_t[]){98, 101}, 2); /* near, but in two rows that both count one */
    clip(0, 0, 1, loco_label_exact(1));
    list = run(0, 2);
    CHECK_EQ(list.len, 2);
    lc_event_array_free(&list);
}

/* Two events at the gap, of which the first is late: both are put on their frames. */
static void centroids_give_way(void)
{
    peaks((size_t[]){20, 30}, 2);
    z[21 * K] = 2.9F;
    clip(0, 0, 1, loco_label_exact(2));
    lc_event_array list = run(0, 1);
    CHECK_EQ(list.len, 2);
    CHECK(list.events[0].time > 0.203 && list.events[0].time < 0.207);
    lc_event_array_free(&list);
    list = run(0.1, 1);
    CHECK_EQ(list.len, 2);
    CHECK_NEAR(list.events[0].time, 0.2, 1e-9);
    CHECK_NEAR(list.events[1].time, 0.3, 1e-9);
    lc_event_array_free(&list);
}

/* Also from row to row, and after times became finer than frames. */
static void a_firm_gap_holds(void)
{
    static const size_t at[] = {10, 24, 40, 55, 95, 102, 130};
    for (size_t step = 0; step < 12; step++) {
        double gap = 0.035 + 0.0237 * (double)step;
        peaks(at, 7);
        for (size_t i = 0; i < 7; i++)
            z[(at[i] + 1) * K] = step % 2 == 0 ? (float)i - 1 : 5 - (float)i; /* centroids between frames */
        clip(0, 0, 1, loco_label_exact(5));
        clip(1, 1, 2, loco_label_exact(2));
        lc_event_array list = run(gap, 2);
        CHECK(list.len >= 5);
        for (size_t i = 1; i < list.len; i++)
            CHECK(list.events[i].time - list.events[i - 1].time >= gap - 1e-9);
        lc_event_array_free(&list);
    }
}

static void rows_that_cannot_be_met_are_reported(void)
{
    peaks(NULL, 0);
    clip(0, 0, 0.5, loco_label_exact(7));
    lc_event_array list = run(0.2, 1);
    CHECK_EQ(list.len, 3);
    CHECK_SAYS(notices.bytes,
               "set/counts.csv:2: column \"kick\": 7 events do not fit into 0.500 s, 0.200 s apart; 3 are");
    lc_event_array_free(&list);
    peaks(NULL, 0);
    clip(0, 0, 0.2, loco_label_exact(10));
    list = run(0, 1);
    CHECK_EQ(list.len, 10);
    CHECK_SAYS(notices.bytes, "10 events in 0.200 s lie closer than the default gap; placed at least 0.020 s apart");
    lc_event_array_free(&list);
    peaks(NULL, 0);
    clip(0, 0, 0.05, loco_label_exact(10));
    list = run(0, 1);
    CHECK_EQ(list.len, 5);
    CHECK_SAYS(notices.bytes, "10 events do not fit into the 5 frames of the clip; 5 are written");
    lc_event_array_free(&list);
    peaks(NULL, 0);
    lc_enrich_plan plan = plan_of(0);
    plan.notice = NULL; /* no callback */
    list = run_with(&plan, 1, NULL, NULL);
    CHECK_EQ(list.len, 5);
    lc_event_array_free(&list);
}

int main(void)
{
    RUN(a_nan_leaves_the_list);
    RUN(events_stay_in_their_rows);
    RUN(offsets_are_taken_out);
    RUN(unknown_counts_are_detected);
    RUN(overlapping_rows_give_an_event_once);
    RUN(centroids_give_way);
    RUN(a_firm_gap_holds);
    RUN(rows_that_cannot_be_met_are_reported);
    lc_enricher_free(&enricher);
    lc_text_free(&notices);
    return check_done();
}

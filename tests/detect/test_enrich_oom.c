/* SPDX-License-Identifier: MIT
 * test_enrich_oom.c - lets the n-th allocation fail, for every n, where events are placed and written. */
#include "train_cases.h"

#include "oom.h"

#include "data/dataset.h"
#include "detect/enrich_recording.h"
#include "detect/enrich_save.h"
#include "detect/spaced.h"
#include "report/matched.h"

enum { T = 400, K = 2 };

static float logits[T * K];
static lc_dataset *set;
static unsigned folders;

/* Runs an attempt with each allocation failing in turn until none does. */
static void check_all(loco_status (*attempt)(loco_err *err), size_t least)
{
    size_t n = 0;
    for (bool failed = true; failed;) {
        loco_err err = {""};
        oom_begin(++n);
        loco_status status = attempt(&err);
        failed = oom_end() >= n;
        CHECK_STATUS(status, failed ? LOCO_ENOMEM : LOCO_OK);
        if (failed)
            CHECK_SAYS(err.text, "out of memory");
    }
    CHECK(n > least);
}

static loco_status place(loco_err *err)
{
    static const double offsets[K];
    static const char *const classes[K] = {"kick", "snare"};
    lc_enrich_plan plan = {
        {4, 5, false},
        0.01, 0, offsets, classes, K, "counts.csv", NULL, NULL
    };
    lc_enrich_task task = {logits, T, set->clips, 2, NULL, NULL};
    lc_enricher enricher = {0};
    lc_event_array list = {0};
    loco_status status = lc_enrich_recording(&enricher, &plan, &task, &list, err);
    if (status == LOCO_OK ? list.len != 85 : list.len != 0)
        status = LOCO_EDATA;
    lc_event_array_free(&list);
    lc_enricher_free(&enricher);
    return status;
}

/* A row that is cut into pieces. */
static loco_status place_long(loco_err *err)
{
    enum { LONG = 60000 };
    static double z[LONG], q[LONG];
    lc_block scratch = {0};
    size_t n;
    for (size_t t = 0; t < LONG; t++)
        z[t] = t % 600 == 7 ? 5 : -9;
    loco_status status = lc_spaced_posterior(q, &n, &scratch, &(lc_spaced){z, LONG, 4}, loco_label_range(100, 101),
                                             err);
    lc_block_free(&scratch);
    return status;
}

/* Each attempt has a folder of its own: one that failed may have made it. */
static loco_status save(loco_err *err)
{
    static loco_event event = {0.5, 0, 0.5, 0};
    loco_events lists[] = {
        {"r.wav", &event, 1}
    };
    char name[32];
    snprintf(name, sizeof name, "out%u", folders++);
    return lc_enrich_save_set(run_path(name), set, lists, 1, err);
}

static loco_status match_events(loco_err *err)
{
    static const loco_event event = {0.5, 0, 0.5, 0};
    lc_matched made = {0};
    loco_status status = lc_matched_new(&made, 1, 0.05, err);
    if (status == LOCO_OK)
        status = lc_matched_add(&made, &event, 1, &event, 1, err);
    lc_matched_free(&made);
    return status;
}

static void allocations_may_fail(void)
{
    check_all(place, 3);
    check_all(place_long, 4);
    check_all(match_events, 4);
}

/* What goes through other layers may fail with their own message; it must not crash, leak or be half written. */
static void sets_are_whole_or_not(void)
{
    size_t n = 0;
    for (bool failed = true; failed;) {
        loco_err err = {""};
        oom_begin(++n);
        loco_status status = save(&err);
        failed = oom_end() >= n;
        CHECK(failed || status == LOCO_OK);
        CHECK(status == LOCO_OK || err.text[0] != 0);
    }
    CHECK(n > 8);
}

int main(void)
{
    static float silence[400];
    lc_rng rng = lc_rng_seed(1);
    run_begin();
    for (size_t i = 0; i < T * K; i++)
        logits[i] = (float)(3 * lc_rng_normal(&rng));
    CHECK(mkdir(run_path("set"), 0777) == 0);
    run_wav("set/r.wav", 100, silence, 400);
    run_write("set/counts.csv", "file,start,end,kick,snare\nr.wav,0,2,45,0\nr.wav,2,4,0,40\n");
    if (lc_dataset_load(&set, run_path("set"), NULL) != LOCO_OK)
        return 1;
    RUN(allocations_may_fail);
    RUN(sets_are_whole_or_not);
    lc_dataset_free(set);
    return run_done();
}

/* SPDX-License-Identifier: MIT
 * test_enrich_set.c - loco_enrich on a set of bursts: counts are kept to, times are right, and better than without. */
#include "burst_model.h"

#include "detect/detect.h"
#include "eval/score.h"

enum { MOST = 256 };

static double times[MOST];
static size_t times_len;
static loco_model *model;
static char data[256];

static void refuse(const char *set, const loco_enrich_options *how, loco_status want, const char *says)
{
    loco_events *lists = NULL;
    size_t n = 77;
    loco_err err = {""};
    CHECK_STATUS(loco_enrich(&lists, &n, model, set, how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(lists == NULL && n == 77);
}

static void mistakes_are_reported(void)
{
    refuse(data, &(loco_enrich_options){.size = sizeof(loco_enrich_options), .gap = -1}, LOCO_EARG, "the gap");
    refuse(data, &(loco_enrich_options){.size = sizeof(loco_enrich_options), .gap = (double)NAN}, LOCO_EARG, "the gap");
    refuse(data, &(loco_enrich_options){.size = sizeof(loco_enrich_options), .tolerance = 1e9}, LOCO_EARG,
           "the tolerance");
    refuse("/no/set", NULL, LOCO_EIO, "/no/set");
    refuse(data, &(loco_enrich_options){.size = sizeof(loco_enrich_options), .set = data}, LOCO_EIO, "already");
    refuse(data, &(loco_enrich_options){.size = sizeof(loco_enrich_options), .posterior = "/no/where.csv"}, LOCO_EIO,
           "where.csv");
    CHECK(mkdir(run_path("alone"), 0777) == 0);
    run_bursts("alone/r.wav", 22050, 1, times, 2);
    run_write("alone/events.csv", "file,time,class\nr.wav,0.3,burst\n");
    refuse(run_path("alone"), NULL, LOCO_EDATA, "counts.csv is missing");
    run_write("alone/counts.csv", "file,start,end,bang\nr.wav,0,1,2\n");
    CHECK(unlink(run_path("alone/events.csv")) == 0);
    refuse(run_path("alone"), NULL, LOCO_EDATA, "bang");
    run_write("alone/counts.csv", "file,start,end,burst\nr.wav,0,7,2\n");
    refuse(run_path("alone"), NULL, LOCO_EDATA, "lasts 1.000 s");
}

static double f1_of(const loco_event *events, size_t n, double *spread)
{
    loco_event truth[MOST];
    lc_score *score = NULL;
    double tolerance = 0.05;
    for (size_t i = 0; i < times_len; i++)
        truth[i] = (loco_event){times[i], 0, 1, 0};
    if (lc_score_new(&score, 1, &tolerance, 1, NULL) != LOCO_OK ||
        lc_score_add(score, truth, times_len, events, n, NULL) != LOCO_OK)
        exit(1);
    lc_score_row row = lc_score_read(score, 0, 0, LC_POOLED, LC_EMPTY_ZERO);
    lc_score_free(score);
    *spread = row.error_sd;
    return row.f1;
}

/* The set again as soft.wav, with bursts of any loudness, down to 1 % of that of the set. */
static void soften(void)
{
    size_t length;
    char *rows = run_read("set/counts.csv", &length);
    lc_rng rng = lc_rng_seed(9);
    SF_INFO info = {0};
    SNDFILE *file = sf_open(run_path("set/r.wav"), SFM_READ, &info);
    float *x = case_array((size_t)info.frames, sizeof *x);
    CHECK(file != NULL && sf_readf_float(file, x, info.frames) == info.frames);
    sf_close(file);
    for (size_t i = 0; i < times_len; i++) {
        float loudness = (float)pow(10, -2 * lc_rng_uniform(&rng));
        for (size_t n = (size_t)(times[i] * info.samplerate); n < (size_t)((times[i] + 0.1) * info.samplerate); n++)
            x[n] *= loudness;
    }
    CHECK(mkdir(run_path("soft"), 0777) == 0);
    run_wav("soft/r.wav", info.samplerate, x, (size_t)info.frames);
    run_write("soft/counts.csv", rows);
    free(rows);
    free(x);
}

/* A threshold that is wrong for some events does no harm where counts are known. */
static void counts_beat_thresholds(void)
{
    loco_events *lists = NULL;
    loco_event *plain = NULL;
    size_t n = 0, plain_len = 0;
    double spread, without, with;
    loco_err err = {""};
    soften();
    CHECK_STATUS(loco_detect(&plain, &plain_len, model, run_path("soft/r.wav"), NULL, &err), LOCO_OK);
    without = f1_of(plain, plain_len, &spread);
    CHECK_STATUS(loco_enrich(&lists, &n, model, run_path("soft"), NULL, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_EQ(n, 1);
    CHECK_STR(lists[0].file, "r.wav");
    with = f1_of(lists[0].events, lists[0].events_len, &spread);
    printf("    F1 %.3f with counts, %.3f without, spread %.1f ms\n", with, without, 1e3 * spread);
    CHECK(with > 0.99 && with > without);
    CHECK(spread < 0.01);
    CHECK_EQ(lists[0].events_len, times_len);
    for (size_t i = 0; i < lists[0].events_len; i++)
        CHECK(lists[0].events[i].probability > 0 && lists[0].events[i].probability <= 1);
    loco_free(lists);
    loco_free(plain);
}

/* Nothing known is as detected, row by row. */
static void unknown_is_as_detected(void)
{
    loco_events *lists = NULL;
    loco_event *plain = NULL;
    size_t n = 0, plain_len = 0;
    run_write("set/unknown.csv", "file,start,end,burst\nr.wav,0,6,?\nr.wav,6,,?\n");
    CHECK_STATUS(loco_detect(&plain, &plain_len, model, run_path("set/r.wav"), NULL, NULL), LOCO_OK);
    CHECK_STATUS(loco_enrich(&lists, &n, model, run_path("set/unknown.csv"), NULL, NULL), LOCO_OK);
    CHECK_EQ(lists[0].events_len, plain_len);
    CHECK(plain_len > 10 && case_same(lists[0].events, plain, plain_len * sizeof *plain));
    loco_free(lists);
    loco_free(plain);
}

static void all_is_written(void)
{
    char events[256], set[256], table[256];
    lc_text notices = {0};
    loco_events *lists = NULL;
    size_t n = 0, length;
    loco_err err = {""};
    snprintf(events, sizeof events, "%s", run_path("e.csv"));
    snprintf(set, sizeof set, "%s", run_path("timed"));
    snprintf(table, sizeof table, "%s", run_path("p.csv"));
    run_write("set/rows.csv", "file,start,end,burst\nr.wav,0,0.5,5\nr.wav,2,3,>=1\n");
    loco_enrich_options how = {
        .size = sizeof how, .gap = 0.2, .events = events, .set = set, .posterior = table, .notice = run_note};
    how.context = &notices;
    CHECK_STATUS(loco_enrich(&lists, &n, model, run_path("set/rows.csv"), &how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_SAYS(notices.bytes, "rows.csv:2: column \"burst\": 5 events do not fit into");
    char *text = run_read("p.csv", &length);
    CHECK_SAYS(text, "file,time,burst\nr.wav,0.000000,");
    free(text);
    text = run_read("timed/counts.csv", &length);
    CHECK_SAYS(text, "../set/r.wav,2.000000,3.000000,>=1");
    free(text);
    text = run_read("e.csv", &length);
    CHECK_SAYS(text, "r.wav,");
    free(text);
    loco_free(lists);
    lc_text_free(&notices);
}

int main(void)
{
    char *findings = NULL;
    run_begin();
    times_len = burst_set("set", 12, 1, times, MOST);
    snprintf(data, sizeof data, "%s", run_path("set"));
    burst_model("m.loco", 1, 1);
    CHECK_STATUS(burst_calibrate(&findings, run_path("m.loco"), data, false, NULL), LOCO_OK);
    loco_free(findings);
    if (loco_model_load(&model, run_path("m.loco"), NULL) != LOCO_OK)
        return 1;
    RUN(mistakes_are_reported);
    RUN(counts_beat_thresholds);
    RUN(unknown_is_as_detected);
    RUN(all_is_written);
    loco_model_free(model);
    return run_done();
}

/* SPDX-License-Identifier: MIT
 * test_calibrate.c - calibration finds the delay that was built into a model, from times and from the sound alone. */
#include "burst_model.h"

#include "calibrate/calibrate.h"
#include "signal/onset.h"

static double times[256];
static size_t times_len;

/* Calibrates a fresh model with this delay; its offset and threshold of bursts. */
static void calibrate(size_t tap, bool blind, const char *data, double *offset, double *threshold, char **findings)
{
    loco_model *model = NULL;
    loco_err err = {""};
    burst_model("m.loco", tap, 1);
    CHECK_STATUS(burst_calibrate(findings, run_path("m.loco"), run_path(data), blind, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    if (loco_model_load(&model, run_path("m.loco"), &err) != LOCO_OK)
        exit(1);
    *offset = model->offsets[0];
    *threshold = model->thresholds[0];
    loco_model_free(model);
}

static void mistakes_are_reported(void)
{
    char *findings = NULL;
    loco_err err = {""};
    burst_model("two.loco", 2, 2);
    CHECK_STATUS(burst_calibrate(&findings, run_path("no.loco"), run_path("set"), false, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "no.loco");
    CHECK_STATUS(burst_calibrate(&findings, run_path("two.loco"), run_path("nothing"), false, &err), LOCO_EIO);
    CHECK_STATUS(burst_calibrate(&findings, run_path("two.loco"), run_path("set"), false, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "no class \"ghost\"");
    CHECK(findings == NULL);
}

/* A tap later is a frame (9.98 ms) less late; both ways see it, and agree. */
static void delays_are_found(void)
{
    double timed[BURST_TAPS], blind[BURST_TAPS], threshold, hop = 220.0 / 22050;
    for (size_t tap = 0; tap < BURST_TAPS; tap++) {
        char *findings = NULL;
        calibrate(tap, false, "set", &timed[tap], &threshold, &findings);
        CHECK_SAYS(findings, "burst: offset ");
        CHECK_SAYS(findings, "timed events, spread");
        CHECK_SAYS(findings, "from times (F1 ");
        CHECK(threshold >= 0.1 && threshold <= 0.9);
        loco_free(findings);
        calibrate(tap, true, "set", &blind[tap], &threshold, &findings);
        CHECK_SAYS(findings, "from the sound around");
        CHECK_SAYS(findings, "detections, uncertain by ");
        CHECK_SAYS(findings, "counts");
        CHECK_NEAR(threshold, 0.5, 1e-9); /* the events are so sure that all from 0.1 to 0.9 do; the middle is taken */
        loco_free(findings);
        printf("    tap %zu: %+.1f ms from times, %+.1f ms from sound, threshold %.2f\n", tap, 1e3 * timed[tap],
               1e3 * blind[tap], threshold);
        CHECK_NEAR(timed[tap], blind[tap], 0.004);
        CHECK_NEAR(timed[tap], timed[0] - (double)tap * hop, 1e-5); /* as many digits as the file keeps */
        CHECK_NEAR(blind[tap], blind[0] - (double)tap * hop, 0.003);
    }
    CHECK(fabs(timed[2]) < 0.025); /* a window of 46 ms holds an attack before its centre does */
}

/* A model with this delay for which the least sure burst of edges/r.wav has probability 0.6. */
static loco_model *unsure_model(size_t tap)
{
    loco_model *model = NULL;
    loco_event *events = NULL;
    size_t n = 0;
    double least = 1;
    burst_model("m.loco", tap, 1);
    if (loco_model_load(&model, run_path("m.loco"), NULL) != LOCO_OK ||
        loco_detect(&events, &n, model, run_path("edges/r.wav"), NULL, NULL) != LOCO_OK)
        exit(1);
    for (size_t i = 0; i < n; i++)
        least = fmin(least, events[i].probability);
    CHECK_EQ(n, 24);
    loco_free(events);
    model->file->params[BURST_PARAMS(1) - 1] -= (float)(log(least / (1 - least)) - log(0.6 / 0.4));
    return model;
}

static double unsure_threshold(size_t tap)
{
    char *findings = NULL;
    loco_model *model = unsure_model(tap);
    CHECK_STATUS(lc_model_save(run_path("m.loco"), model, NULL, 0, NULL), LOCO_OK);
    loco_model_free(model);
    CHECK_STATUS(burst_calibrate(&findings, run_path("m.loco"), run_path("edges"), true, NULL), LOCO_OK);
    CHECK_SAYS(findings, "from the sound around 24 detections");
    loco_free(findings);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    double threshold = model->thresholds[0];
    loco_model_free(model);
    return threshold;
}

/* Bursts 15 ms behind the start of every other clip, so that a model that is 30 ms early has them in the clip before:
 * thresholds are measured with the times of events after the delay is known. Any up to 0.6 is right, and the middle is
 * taken. */
static void thresholds_know_the_delay(void)
{
    double starts[24], early, late;
    lc_text counts = {0};
    CHECK(mkdir(run_path("edges"), 0777) == 0);
    lc_text_string(&counts, "file,start,end,burst\n");
    for (unsigned i = 0; i < 24; i++) {
        starts[i] = i + 0.515;
        lc_text_format(&counts, "r.wav,%u,%u.5,0\nr.wav,%u.5,%u,1\n", i, i, i, i + 1);
    }
    run_bursts("edges/r.wav", 22050, 24, starts, 24);
    run_write("edges/counts.csv", counts.bytes);
    lc_text_free(&counts);
    early = unsure_threshold(4);
    late = unsure_threshold(0);
    printf("    threshold %.3f of an early model, %.3f of a late one\n", early, late);
    CHECK_NEAR(early, 0.35, 0.02);
    CHECK_NEAR(late, 0.35, 0.02);
}

/* Detections after calibration are at the true times. */
static void calibrated_models_are_on_time(void)
{
    for (int blind = 0; blind < 2; blind++) {
        double offset, threshold, worst = 0;
        char *findings = NULL;
        loco_model *model = NULL;
        loco_event *events = NULL;
        size_t n = 0;
        calibrate(0, blind, "set", &offset, &threshold, &findings);
        loco_free(findings);
        CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
        CHECK_STATUS(loco_detect(&events, &n, model, run_path("set/r.wav"), NULL, NULL), LOCO_OK);
        CHECK_EQ(n, times_len);
        for (size_t i = 0; i < n && i < times_len; i++)
            worst_note(&worst, events[i].time, times[i], 1);
        CHECK_WORST(worst, 0.011);
        loco_free(events);
        loco_model_free(model);
    }
}

/* Blind means blind: wrong times change nothing. */
static void blind_looks_at_no_times(void)
{
    double offset, threshold, other, other_threshold;
    char *findings = NULL, *again = NULL;
    calibrate(1, true, "set", &offset, &threshold, &findings);
    CHECK(rename(run_path("set/events.csv"), run_path("kept.csv")) == 0);
    run_write("set/events.csv", "file,time,class\nr.wav,0.01,burst\nr.wav,0.02,burst\nr.wav,0.03,burst\n");
    calibrate(1, true, "set", &other, &other_threshold, &again);
    CHECK_STR(findings, again);
    CHECK_NEAR(offset, other, 0);
    CHECK_NEAR(threshold, other_threshold, 0);
    loco_free(findings);
    loco_free(again);
    CHECK(rename(run_path("kept.csv"), run_path("set/events.csv")) == 0);
}

/* Too few events to be sure: what was there stays. */
static void few_events_leave_all_as_it_was(void)
{
    double offset, threshold;
    char *findings = NULL;
    CHECK(mkdir(run_path("few"), 0777) == 0);
    run_bursts("few/r.wav", 22050, 3, (const double[]){1.1}, 1);
    run_write("few/counts.csv", "file,start,end,burst\nr.wav,0,3,>=1\n");
    calibrate(2, true, "few", &offset, &threshold, &findings);
    CHECK_SAYS(findings, "offset unknown");
    CHECK_SAYS(findings, "note those of the events of five recordings");
    CHECK_SAYS(findings, "as before");
    CHECK_NEAR(offset, 0, 0);
    CHECK_NEAR(threshold, 0.3, 0);
    loco_free(findings);
}

/* Class "ghost" is never detected and never counted: it gets the offset of the other, and its line. One that has an
 * offset from before keeps it. */
static void a_class_without_events_takes_the_offset_of_the_others(void)
{
    static double unused[256];
    char *findings = NULL;
    loco_model *model = NULL;
    loco_err err = {""};
    burst_set("ghosts", 12, 2, unused, 256);
    burst_model("two.loco", 0, 2);
    CHECK_STATUS(burst_calibrate(&findings, run_path("two.loco"), run_path("ghosts"), true, &err), LOCO_OK);
    CHECK_SAYS(findings, "burst: offset +");
    CHECK_SAYS(findings, "ghost: offset unknown (0 detections");
    CHECK_STATUS(loco_model_load(&model, run_path("two.loco"), NULL), LOCO_OK);
    CHECK(model->offsets[0] > 0);
    CHECK_NEAR(model->offsets[1], model->offsets[0], 0);
    CHECK_SAYS(findings, "that of the others is taken, +");
    model->offsets[1] = -0.02;
    CHECK_STATUS(lc_model_save(run_path("two.loco"), model, NULL, 0, NULL), LOCO_OK);
    loco_model_free(model);
    loco_free(findings);
    CHECK_STATUS(burst_calibrate(&findings, run_path("two.loco"), run_path("ghosts"), true, &err), LOCO_OK);
    CHECK_STATUS(loco_model_load(&model, run_path("two.loco"), NULL), LOCO_OK);
    CHECK_NEAR(model->offsets[1], -0.02, 1e-9);
    loco_model_free(model);
    loco_free(findings);
}

/* The largest is 1. Of too few events none are made, and those that are there stay. */
static void bands_are_measured(void)
{
    double offset, threshold, least = 1, most = 0;
    char *findings = NULL;
    loco_model *model = NULL, *again = NULL;
    calibrate(2, true, "few", &offset, &threshold, &findings);
    loco_free(findings);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK(model->bands == NULL);
    loco_model_free(model);
    calibrate(2, true, "set", &offset, &threshold, &findings);
    loco_free(findings);
    if (loco_model_load(&model, run_path("m.loco"), NULL) != LOCO_OK || model->bands == NULL)
        exit(1);
    for (size_t b = 0; b < LC_ONSET_BANDS; b++) {
        least = fmin(least, model->bands[b]);
        most = fmax(most, model->bands[b]);
    }
    CHECK_NEAR(most, 1, 0);
    CHECK(least >= 0 && least < 1);
    CHECK_STATUS(burst_calibrate(&findings, run_path("m.loco"), run_path("few"), true, NULL), LOCO_OK);
    loco_free(findings);
    if (loco_model_load(&again, run_path("m.loco"), NULL) != LOCO_OK || again->bands == NULL)
        exit(1);
    CHECK(case_same(again->bands, model->bands, LC_ONSET_BANDS * sizeof(double)));
    loco_model_free(model);
    loco_model_free(again);
}

/* ---- many classes ---- */

enum { MANY = 26, MANY_BURSTS = 12 };

/* All classes report every burst, two frames late. */
static loco_model *many_model(const char *const *names)
{
    static float params[BURST_PARAMS(MANY)];
    static lc_net net;
    float *dense = params + BURST_TAPS * 2 + 1;
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_PEAK);
    loco_model *model = NULL;
    char line[64];
    snprintf(line, sizeof line, "%s, dense %d", burst_network, MANY);
    params[1] = 1;
    for (size_t k = 0; k < MANY; k++) {
        for (size_t f = 0; f < BURST_BANDS; f++)
            dense[f * MANY + k] = 4.0f / BURST_BANDS;
        dense[(size_t)BURST_BANDS * MANY + k] = -6;
    }
    CHECK_STATUS(lc_frontend_parse(&front, "mel bands=24", NULL), LOCO_OK);
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), BURST_BANDS, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_model_view(&model, &net, params, names, &front, &decoding, NULL), LOCO_OK);
    return model;
}

/* A burst is one event of each class. */
static void many_set(const char *const *names)
{
    double at[MANY_BURSTS];
    lc_text counts = {0}, events = {0};
    CHECK(mkdir(run_path("many"), 0777) == 0);
    lc_text_string(&counts, "file");
    lc_text_string(&events, "file,time,class\n");
    for (size_t k = 0; k < MANY; k++)
        lc_text_format(&counts, ",%s", names[k]);
    lc_text_string(&counts, "\nr.wav");
    for (size_t k = 0; k < MANY; k++)
        lc_text_format(&counts, ",%d", MANY_BURSTS);
    lc_text_string(&counts, "\n");
    for (size_t i = 0; i < MANY_BURSTS; i++) {
        at[i] = 0.3 + 0.37 * (double)i + 0.05 * (double)(i * i % 5);
        for (size_t k = 0; k < MANY; k++) {
            lc_text_string(&events, "r.wav,");
            lc_text_number(&events, at[i], 6);
            lc_text_format(&events, ",%s\n", names[k]);
        }
    }
    run_bursts("many/r.wav", 22050, 6, at, MANY_BURSTS);
    run_write("many/counts.csv", counts.bytes);
    run_write("many/events.csv", events.bytes);
    lc_text_free(&counts);
    lc_text_free(&events);
}

static void calibrate_many(loco_model *model, bool blind, const char *pool, const char *says)
{
    const loco_calibrate_options how = {.size = sizeof how, .blind = blind, .pool = pool};
    char *findings = NULL;
    CHECK_STATUS(loco_calibrate(&findings, model, run_path("many"), &how, NULL), LOCO_OK);
    CHECK_SAYS(findings, says);
    loco_free(findings);
}

/* Twelve detections of a class are too few for an offset; those of all classes together are not. */
static void many_classes_share(void)
{
    static char texts[MANY][8];
    const char *names[MANY];
    loco_err err = {""};
    for (size_t k = 0; k < MANY; k++) {
        snprintf(texts[k], sizeof texts[k], "%zu", 40 + k);
        names[k] = texts[k];
    }
    many_set(names);
    loco_model *model = many_model(names);
    CHECK(loco_model_pitched(model));
    calibrate_many(model, true, "none", "40 ... 65 (26 in all): offset unknown (12 detections");
    CHECK_NEAR(model->offsets[3], 0, 1e-12);
    calibrate_many(model, true, NULL, "all 26 classes: offset +");
    double blind = model->offsets[0];
    calibrate_many(model, false, NULL, "from 312 timed events, spread");
    for (size_t k = 0; k < MANY; k++) {
        CHECK_NEAR(model->offsets[k], model->offsets[0], 1e-12);
        CHECK_NEAR(model->thresholds[k], model->thresholds[0], 1e-12);
    }
    CHECK_NEAR(model->offsets[0], blind, 0.004);
    CHECK(blind > 0.005);
    calibrate_many(model, false, NULL, "counts of 0 of 26 classes are calibrated; the others have less than");
    char *findings = NULL;
    const loco_calibrate_options wrong = {.size = sizeof wrong, .pool = "some"};
    CHECK_STATUS(loco_calibrate(&findings, model, run_path("many"), &wrong, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "pool \"some\": expected all");
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    times_len = burst_set("set", 20, 1, times, 256);
    RUN(mistakes_are_reported);
    RUN(delays_are_found);
    RUN(thresholds_know_the_delay);
    RUN(calibrated_models_are_on_time);
    RUN(blind_looks_at_no_times);
    RUN(few_events_leave_all_as_it_was);
    RUN(bands_are_measured);
    RUN(many_classes_share);
    RUN(a_class_without_events_takes_the_offset_of_the_others);
    return run_done();
}

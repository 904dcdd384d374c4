/* SPDX-License-Identifier: MIT
 * burst_model.h - a model with chosen weights that detects bursts: it fires where the sound of all bands rises, a
 * chosen number
 *   of frames late. For tests that need events without training. */
#ifndef TESTS_BURST_MODEL_H
#define TESTS_BURST_MODEL_H

#include "train_cases.h"

#include "model/model.h"

enum { BURST_BANDS = 24, BURST_TAPS = 5 };

#define BURST_PARAMS(classes) (BURST_TAPS * 2 + 1 + (BURST_BANDS + 1) * (classes))

static const char burst_network[] = "conv 5x1 1 linear";

/* The parameters of "conv 5x1 1 linear", of which one of five frames passes, its delta alone, and of "dense K", the
 * mean over the bands. Tap 2 is the frame itself, 0 two frames before it: the output is then two frames late. Class 1,
 * if any, never fires. */
static inline void burst_params(float *params, size_t tap, size_t classes)
{
    float *dense = params + BURST_TAPS * 2 + 1; /* behind the taps of two channels and a bias */
    memset(params, 0, BURST_PARAMS(classes) * sizeof *params);
    params[tap * 2 + 1] = 1;
    for (size_t f = 0; f < BURST_BANDS; f++)
        dense[f * classes] = 4.0f / BURST_BANDS;
    for (size_t k = 0; k < classes; k++)
        dense[BURST_BANDS * classes + k] = k == 0 ? -6.0f : -12.0f;
}

static inline loco_status burst_save(const char *path, size_t tap, size_t classes, loco_err *err)
{
    static const char *const names[] = {"burst", "ghost"};
    char line[64];
    lc_net net;
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_PEAK);
    loco_model *model = NULL;
    snprintf(line, sizeof line, "%s, dense %zu", burst_network, classes);
    loco_status status = lc_frontend_parse(&front, "mel bands=24", err);
    if (status == LOCO_OK)
        status = lc_net_parse(&net, line, strlen(line), BURST_BANDS, 2, err);
    if (status != LOCO_OK)
        return status;
    CHECK_EQ(net.params, BURST_PARAMS(classes));
    float *params = case_array(BURST_PARAMS(classes), sizeof *params);
    burst_params(params, tap, classes);
    status = lc_model_view(&model, &net, params, names, &front, &decoding, err);
    if (status == LOCO_OK)
        status = lc_model_save(path, model, NULL, 0, err);
    loco_model_free(model);
    free(params);
    return status;
}

static inline void burst_model(const char *name, size_t tap, size_t classes)
{
    loco_err err = {""};
    if (burst_save(run_path(name), tap, classes, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

/* A folder with r.wav, counts of 1 s clips and the events. Returns how many events there are. */
static inline size_t burst_set(const char *folder, double seconds, size_t classes, double *times, size_t most)
{
    char name[128];
    lc_text counts = {0}, events = {0};
    lc_rng rng = lc_rng_seed(21);
    size_t n = 0;
    CHECK(mkdir(run_path(folder), 0777) == 0);
    double time = 0.2;
    while (n < most && time < seconds - 0.2) {
        times[n++] = nearbyint(time * 1e6) / 1e6;
        time += 0.15 + 0.3 * lc_rng_uniform(&rng);
    }
    lc_text_string(&events, "file,time,class\n");
    for (size_t i = 0; i < n; i++) {
        lc_text_string(&events, "r.wav,");
        lc_text_number(&events, times[i], 6);
        lc_text_string(&events, ",burst\n");
    }
    lc_text_format(&counts, "file,start,end,burst%s\n", classes > 1 ? ",ghost" : "");
    for (size_t s = 0; s + 1 <= (size_t)seconds; s++) {
        size_t inside = 0;
        for (size_t i = 0; i < n; i++)
            inside += times[i] >= (double)s && times[i] < (double)s + 1;
        lc_text_format(&counts, "r.wav,%zu,%zu,%zu%s\n", s, s + 1, inside, classes > 1 ? ",0" : "");
    }
    snprintf(name, sizeof name, "%s/r.wav", folder);
    run_bursts(name, 22050, seconds, times, n);
    snprintf(name, sizeof name, "%s/events.csv", folder);
    run_write(name, events.bytes);
    snprintf(name, sizeof name, "%s/counts.csv", folder);
    run_write(name, counts.bytes);
    lc_text_free(&counts);
    lc_text_free(&events);
    return n;
}

/* Calibrates the model of a file, and saves it there. */
static inline loco_status burst_calibrate(char **findings, const char *path, const char *data, bool blind,
                                          loco_err *err)
{
    const loco_calibrate_options how = {.size = sizeof how, .blind = blind, .threads = 2};
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, path, err);
    if (status == LOCO_OK)
        status = loco_calibrate(findings, model, data, &how, err);
    if (status == LOCO_OK)
        status = loco_model_save(path, model, err);
    loco_model_free(model);
    return status;
}

/* A test's folder with a data set of so many seconds, and a model that was calibrated on it. Paths stay valid. */
typedef struct burst_case {
    double times[256];
    size_t times_len;
    char model[256], data[256];
} burst_case;

static inline void burst_begin(burst_case *made, double seconds)
{
    char *findings = NULL;
    run_begin();
    made->times_len = burst_set("set", seconds, 1, made->times, 256);
    burst_model("m.loco", 1, 1);
    snprintf(made->model, sizeof made->model, "%s", run_path("m.loco"));
    snprintf(made->data, sizeof made->data, "%s", run_path("set"));
    CHECK_STATUS(burst_calibrate(&findings, made->model, made->data, false, NULL), LOCO_OK);
    loco_free(findings);
}

#endif

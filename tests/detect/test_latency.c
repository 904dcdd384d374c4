/* SPDX-License-Identifier: MIT
 * test_latency.c - the latency that is stated: sound is fed sample by sample, and no event needs more of it; with less
 *   stated, some event would. Raw streams through a pipe are in test_cli_live.sh. */
#include "cases.h"

#include "detect/detect.h"
#include "detect/infer.h"

enum { RATE = 1000, SAMPLES = 40000, K = 2 };

static const char *const names[K] = {"a", "b"};

/* A model with random weights over a front end of 4 bands, 10 ms apart. */
static loco_model *make(lc_net *net, float **params, const char *line, const char *decoding)
{
    lc_frontend_settings front;
    lc_decoding decode;
    loco_model *model = NULL;
    loco_err err = {""};
    if (lc_frontend_parse(&front, "mel rate=1000 window=32 hop=10 fft=32 bands=4 low=20 high=480", &err) != LOCO_OK ||
        lc_net_parse(net, line, strlen(line), lc_frontend_bins(&front), lc_frontend_channels(&front), &err) !=
            LOCO_OK ||
        lc_decoding_parse(&decode, decoding, strlen(decoding), &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    lc_rng rng = lc_rng_seed(7);
    *params = case_array(net->params, sizeof **params);
    for (size_t i = 0; i < net->params; i++)
        (*params)[i] = (float)lc_rng_normal(&rng);
    CHECK_STATUS(lc_model_view(&model, net, *params, names, &front, &decode, &err), LOCO_OK);
    return model;
}

/* ---- sample by sample ---- */

typedef struct latency_probe {
    lc_decoder *decoder;
    size_t samples, events;
    double worst; /* seconds of sound behind an event when it was reported */
} latency_probe;

static void note(void *context, const loco_event *event)
{
    latency_probe *h = context;
    double behind = (double)h->samples / RATE - event->time;
    h->events++;
    h->worst = event->time > 0 && behind > h->worst ? behind : h->worst;
}

static void decode(void *context, const float *logits)
{
    latency_probe *h = context;
    lc_decoder_push(h->decoder, logits, note, h);
}

static void check_latency(const char *line, const char *decoding, double offset, double slack)
{
    lc_net net = {.classes = 0};
    float *params;
    loco_model *model = make(&net, &params, line, decoding);
    lc_infer *infer = NULL;
    latency_probe h = {.worst = 0};
    lc_rng rng = lc_rng_seed(3);
    model->offsets[1] = offset;
    double stated = loco_model_latency(model);
    CHECK_STATUS(lc_infer_new(&infer, model, RATE, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_detect_decoder(&h.decoder, model, NULL, NULL), LOCO_OK);
    for (; h.samples < SAMPLES;) {
        double loud = h.samples % 700 < 30 ? 1 : 1e-3;
        float sample = (float)(loud * lc_rng_normal(&rng));
        h.samples++;
        CHECK_STATUS(lc_infer_push(infer, &sample, 1, decode, &h, NULL), LOCO_OK);
    }
    CHECK(h.events > 20);
    CHECK(h.worst <= stated + 1e-9);
    CHECK(h.worst > stated - slack);
    lc_decoder_free(h.decoder);
    lc_infer_free(infer);
    loco_model_free(model);
    free(params);
}

static void no_event_needs_more(void)
{
    static const char *const nets[] = {"dense 2", "conv 3x2 3, dense 2", "conv 3x2 3 causal, gru 3, dense 2"};
    for (size_t i = 0; i < 3; i++) {
        check_latency(nets[i], "mass window=0.02 threshold=0.1 gap=0.05", 0, 0.03);
        check_latency(nets[i], "peak threshold=0.01 gap=0.03", 0, 0.011);
        check_latency(nets[i], "peak threshold=0.01 gap=0.03", 0.2, 0.011);
        check_latency(nets[i], "count", 0, 0.011);
    }
    check_latency("gru 3 both, dense 2", "peak threshold=0.01 gap=0.03", 0, 1);
}

/* ---- what is asked for ---- */

static void requests_change_it(void)
{
    lc_net net = {.classes = 0};
    float *params;
    loco_model *model = make(&net, &params, "dense 2", "peak threshold=0.3 gap=0.03");
    loco_label labels[K] = {loco_label_exact(1), loco_label_unknown()};
    double own = loco_model_latency(model), seconds = -1;
    loco_err err = {""};
    CHECK_STATUS(loco_detect_latency(&seconds, model,
                                     &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "zzz"},
                                     &err),
                 LOCO_EARG);
    CHECK_STATUS(loco_detect_latency(&seconds, model,
                                     &(loco_detect_options){.size = sizeof(loco_detect_options), .raw = "s16,1"}, &err),
                 LOCO_EARG);
    CHECK(seconds < 0);
    CHECK_STATUS(loco_detect_latency(&seconds, model, NULL, &err), LOCO_OK);
    CHECK_NEAR(seconds, own, 0);
    CHECK_STATUS(
        loco_detect_latency(&seconds, model,
                            &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "gap=0.05"}, &err),
        LOCO_OK);
    CHECK_NEAR(seconds, own + 0.02, 1e-12);
    /* 16 samples are a piece of a stream; another rate needs a resampler, too */
    CHECK_STATUS(loco_detect_latency(&seconds, model,
                                     &(loco_detect_options){.size = sizeof(loco_detect_options), .raw = "s16le,1,1000"},
                                     &err),
                 LOCO_OK);
    CHECK_NEAR(seconds, own + 0.016, 1e-12);
    CHECK_STATUS(
        loco_detect_latency(&seconds, model,
                            &(loco_detect_options){.size = sizeof(loco_detect_options), .raw = "s16le,1,44100"}, &err),
        LOCO_OK);
    CHECK(seconds > own + 0.6378 && seconds < own + 0.645);
    CHECK_STATUS(loco_detect_latency(&seconds, model,
                                     &(loco_detect_options){.size = sizeof(loco_detect_options), .ensemble = 3}, &err),
                 LOCO_OK);
    CHECK(isinf(seconds));
    CHECK_STATUS(loco_detect_latency(&seconds, model,
                                     &(loco_detect_options){.size = sizeof(loco_detect_options), .counts = labels},
                                     &err),
                 LOCO_OK);
    CHECK(isinf(seconds));
    model->offsets[0] = model->offsets[1] = -9; /* reported before they happen: latency is 0, never negative */
    CHECK_NEAR(loco_model_latency(model), 0, 0);
    loco_model_free(model);
    free(params);
}

int main(void)
{
    RUN(requests_change_it);
    RUN(no_event_needs_more);
    return check_done();
}

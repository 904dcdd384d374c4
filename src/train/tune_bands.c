/* SPDX-License-Identifier: MIT
 * tune_bands.c - calibration: in which bands the sounds of each class begin, around the model's own sure events
 * (eval/bands.c). */
#include "train/tune_bands.h"

#include "base/status.h"
#include "eval/calibrate.h"
#include "signal/onset.h"

#include <stdlib.h>

static const double sure = 0.5; /* probability */

/* The rises of a whole recording, (*frames, LC_ONSET_BANDS), are the caller's to free(). */
static loco_status rises_of(const lc_tuning *t, size_t recording, double seconds, float **rises, size_t *frames,
                            double *hop, loco_err *err)
{
    double rate = t->model->frontend.rate;
    size_t n = (size_t)(seconds * rate);
    lc_onset *onset = NULL;
    float *samples = calloc(n + 1, sizeof *samples), *out = NULL;
    loco_status status = samples == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                         : lc_sounds_read(t->sounds, recording, 0, 1, samples, n, err);
    if (status == LOCO_OK)
        status = lc_onset_new(&onset, rate, err);
    if (status == LOCO_OK) {
        out = calloc(lc_onset_most(onset, n) + lc_onset_most(onset, 0), LC_ONSET_BANDS * sizeof *out);
        if (out == NULL)
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    }
    if (status == LOCO_OK) {
        *frames = lc_onset_push(onset, samples, n, out);
        *frames += lc_onset_finish(onset, out + *frames * LC_ONSET_BANDS);
        *hop = lc_onset_hop(onset);
        *rises = out;
    }
    lc_onset_free(onset);
    free(samples);
    return status;
}

static loco_status add(lc_bands *bands, const lc_tuning *t, size_t recording, const lc_found *events, double seconds,
                       loco_err *err)
{
    float *rises = NULL;
    size_t frames = 0;
    double hop = 0;
    lc_found chosen = {0};
    for (size_t i = 0; i < events->len; i++)
        if (events->events[i].probability >= sure)
            lc_found_add(&chosen, &events->events[i]);
    loco_status status = chosen.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                       : rises_of(t, recording, seconds, &rises, &frames, &hop, err);
    if (status == LOCO_OK)
        lc_bands_add(bands, rises, frames, hop, chosen.events, chosen.len);
    lc_found_free(&chosen);
    free(rises);
    return status;
}

/* What is not known, now and from before, begins anywhere. */
loco_status lc_tune_bands(const lc_tuning *t, const lc_found *events, const double *heard, loco_err *err)
{
    size_t K = t->model->net->classes;
    lc_bands *bands = NULL;
    double *weights = calloc(K * LC_ONSET_BANDS, sizeof *weights);
    loco_status status = weights == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                         : lc_bands_new(&bands, K, LC_ONSET_BANDS, err);
    for (size_t i = 0; status == LOCO_OK && i < K * LC_ONSET_BANDS; i++)
        weights[i] = t->model->bands != NULL ? t->model->bands[i] : 1;
    for (size_t i = 0; status == LOCO_OK && i < t->set->recordings_len; i++)
        if (heard[i] > 0)
            status = add(bands, t, i, &events[i], heard[i], err);
    if (status == LOCO_OK && lc_bands_read(bands, weights) > 0) {
        free(t->model->bands);
        t->model->bands = weights;
        weights = NULL;
    }
    lc_bands_free(bands);
    free(weights);
    return status;
}

/* SPDX-License-Identifier: MIT
 * calibrate_bands.c - reads the recordings, measures in which bands the sounds of each class begin around the model's
 * own events (measure_bands.c), and stores the weights in the model. */
#include "calibrate/calibrate_bands.h"

#include "base/status.h"
#include "calibrate/measure.h"
#include "signal/onset.h"

#include <stdlib.h>

/* The rises of a recording. The caller frees values. */
typedef struct rises {
    float *values; /* (frames, LC_ONSET_BANDS) */
    size_t frames;
    double hop;
} rises;

static loco_status read_rises(rises *result, const lc_calibration *c, size_t recording, double seconds, loco_err *err)
{
    double rate = c->model->frontend.rate;
    size_t n = (size_t)(seconds * rate);
    lc_onset *onset = NULL;
    float *samples = calloc(n + 1, sizeof *samples), *out = NULL;
    loco_status status = samples == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                         : lc_sounds_read(c->sounds, recording, 0, 1, samples, n, err);
    if (status == LOCO_OK)
        status = lc_onset_new(&onset, rate, err);
    if (status == LOCO_OK) {
        out = calloc(lc_onset_most(onset, n) + lc_onset_most(onset, 0), LC_ONSET_BANDS * sizeof *out);
        if (out == NULL)
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    }
    if (status == LOCO_OK) {
        size_t frames = lc_onset_push(onset, samples, n, out);
        frames += lc_onset_finish(onset, out + frames * LC_ONSET_BANDS);
        *result = (rises){out, frames, lc_onset_hop(onset)};
    }
    lc_onset_free(onset);
    free(samples);
    return status;
}

static loco_status add(lc_bands *bands, const lc_calibration *c, size_t recording, const lc_event_array *events,
                       double seconds, loco_err *err)
{
    rises r = {0};
    lc_event_array chosen = {0};
    for (size_t i = 0; i < events->len; i++)
        if (events->events[i].probability >= LC_CALIBRATION_SURE)
            lc_event_array_add(&chosen, &events->events[i]);
    loco_status status = chosen.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                       : read_rises(&r, c, recording, seconds, err);
    if (status == LOCO_OK)
        lc_bands_add(bands, r.values, r.frames, r.hop, chosen.events, chosen.len);
    lc_event_array_free(&chosen);
    free(r.values);
    return status;
}

/* A class without a result keeps its weights, or else has weight 1 in all bands. */
loco_status lc_calibrate_bands(const lc_calibration *c, const lc_event_array *events, const double *seconds,
                               loco_err *err)
{
    size_t K = c->model->net->classes;
    lc_bands *bands = NULL;
    double *weights = calloc(K * LC_ONSET_BANDS, sizeof *weights);
    loco_status status = weights == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate")
                                         : lc_bands_new(&bands, K, LC_ONSET_BANDS, err);
    for (size_t i = 0; status == LOCO_OK && i < K * LC_ONSET_BANDS; i++)
        weights[i] = c->model->bands != NULL ? c->model->bands[i] : 1;
    for (size_t i = 0; status == LOCO_OK && i < c->set->recordings_len; i++)
        if (seconds[i] > 0)
            status = add(bands, c, i, &events[i], seconds[i], err);
    if (status == LOCO_OK && lc_bands_read(bands, weights) > 0) {
        free(c->model->bands);
        c->model->bands = weights;
        weights = NULL;
    }
    lc_bands_free(bands);
    free(weights);
    return status;
}

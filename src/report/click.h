/* SPDX-License-Identifier: MIT
 *
 * click.h - events made audible: a click at each, and sound as a WAV file in memory.
 */
#ifndef LC_REPORT_CLICK_H
#define LC_REPORT_CLICK_H

#include "base/text.h"
#include "loco.h"

/* The click of a class, at most 1 in height; how many samples it has is lc_click_length(rate). */
size_t lc_click_length(double rate);
void lc_click_shape(float *shape, double rate, size_t kind);

/* How loud the sound and the clicks are when both are mixed: the sound peaks below one half, clicks as high as the
 * sound but not painful over a quiet one. peak: the largest |sample|. */
typedef struct lc_click_levels {
    float sound, click;
} lc_click_levels;
lc_click_levels lc_click_balance(float peak);

/* Mixes a click at each event into n samples, in place; events outside are left out. No sample exceeds 1 afterwards.
 * rate: 1000 to 1e6 samples a second. */
LOCO_MUST_USE loco_status lc_click_mix(float *samples, size_t n, double rate, const loco_event *events,
                                       size_t events_len, loco_err *err);

/* Appends n samples as a WAV file: one channel of 16 bits. Samples beyond +-1 are cut, a NaN is silent. LOCO_EARG for
 * more than 4 GiB, which the format cannot hold. */
LOCO_MUST_USE loco_status lc_wav_format(lc_text *out, const float *samples, size_t n, unsigned rate, loco_err *err);

#endif

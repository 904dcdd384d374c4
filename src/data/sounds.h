/* SPDX-License-Identifier: MIT
 * sounds.h - the sound of all recordings of a data set, at one rate, ready to be cut into clips by many threads.
 *
 *     lc_sounds *sounds;
 *     status = lc_sounds_new(&sounds, set, 22050, (size_t)4 << 30, pool, err);       decodes, up to 4 GiB
 *     status = lc_sounds_read(sounds, recording, 1.5, 1, samples, n, err);           n samples from 1.5 s on
 *     lc_sounds_free(sounds); */
#ifndef LC_DATA_SOUNDS_H
#define LC_DATA_SOUNDS_H

#include "base/pool.h"
#include "data/dataset.h"
#include "signal/frontend.h"

typedef struct lc_sounds lc_sounds;

/* Decodes every recording, in parallel. Those that do not fit into `memory` bytes stay on disk and are decoded clip by
 * clip. Channels stay apart or are mixed, as in signal/sound.h; set and the names of columns must outlive the sounds. */
LOCO_MUST_USE loco_status lc_sounds_new_channels(lc_sounds **sounds, const lc_dataset *set, double rate,
                                                 lc_columns columns, size_t memory, lc_pool *pool, loco_err *err);
void lc_sounds_free(lc_sounds *sounds);

double lc_sounds_seconds(const lc_sounds *sounds, size_t recording);
const char *lc_sounds_path(const lc_sounds *sounds, size_t recording); /* of its file */

/* A sum over the bytes of all files, in their order: another one when any of them has changed. */
LOCO_MUST_USE loco_status lc_sounds_checksum(uint64_t *sum, const lc_sounds *sounds, lc_pool *pool, loco_err *err);

/* n samples from `start` seconds on, read `speed` times as fast: sample i is the sound at start + i * speed / rate.
 * Outside the recording there is silence; where channels stay apart, samples are (n, channels), and the first and the
 * last one are repeated there. Safe from several threads. */
LOCO_MUST_USE loco_status lc_sounds_read(const lc_sounds *sounds, size_t recording, double start, double speed,
                                         float *samples, size_t n, loco_err *err);

/* The scale of a whole series, by a front end that is left as new. */
LOCO_MUST_USE loco_status lc_sounds_scale(const lc_sounds *sounds, size_t recording, lc_frontend *front,
                                          lc_scale *scale, loco_err *err);

/* Those of all recordings, to free(). */
LOCO_MUST_USE loco_status lc_sounds_scales(const lc_sounds *sounds, lc_frontend *front, lc_scale **scales,
                                           loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 * recipe.h - everything that decides how a model is trained, as `key=value` pairs that a person can read and set.
 *
 *     steps=800 batch=32 rate=0.003 ... network=conv 3x5 16 stride 2 norm, ..., join d
 *
 * The front end and the network are lines of their own (signal/frontend.h, nn/net.h); the network's last layer, one
 * value a class, is added when the classes are known. */
#ifndef LC_TRAIN_RECIPE_H
#define LC_TRAIN_RECIPE_H

#include "base/text.h"
#include "signal/frontend.h"

#include <stdint.h>

enum { LC_NETWORK_BYTES = 1024, LC_DECODING_BYTES = 128, LC_ASIDE_BYTES = 256 };

/* Where the events of a series are, when their times are not known: at the steepest place, or at the top of a pulse. */
typedef enum lc_anchor { LC_ANCHOR_RISE, LC_ANCHOR_PEAK } lc_anchor;

typedef struct lc_recipe {
    uint64_t steps, warm_up, batch, seed, check; /* check: steps from one validation to the next */
    double rate, clip, decay, average, start;    /* of lc_schedule */
    double held;                                 /* part of the recordings that validates */
    double context;                              /* seconds of sound read on either side of a clip, never counted */
    double shortest, longest; /* seconds: fresh clips cut from timed recordings; 0: the clips as they are given */
    double gain, noise, tilt; /* augmentation, the most: dB up or down, dB of noise to signal, dB of slope */
    double speed, stretch;    /* the most relative change: of the sample rate, of the time alone */
    double mix;               /* part of the clips that a second one is mixed into */
    double flip, shape;       /* of series: part of the clips upside down; seconds that a random filter reaches, up to
                               * LC_AUGMENT_REACH samples */
    double supervised;        /* part of the recordings that is learned from by event times, the rest by counts */
    uint64_t loss;            /* of the counts: lc_loss */
    uint64_t anchor;          /* of series: lc_anchor */
    char network[LC_NETWORK_BYTES];
    char decoding
        [LC_DECODING_BYTES]; /* of the model; empty: as usual. A threshold that it names is kept, else counts choose */
    char aside[LC_ASIDE_BYTES]; /* classes that are learned from and not told, see aside.h; empty: none */
    lc_frontend_settings frontend;
} lc_recipe;

/* Sets all from a preset: "sound", "drums", "drums-live", "drums-hq", "drums-paper"; LOCO_EARG lists them when there
 * is none of that name. */
loco_status lc_recipe_preset(lc_recipe *recipe, const char *name, loco_err *err);

/* "steps=2000", "network=...", or with a key of the front end: "frontend.bands=64". */
loco_status lc_recipe_set(lc_recipe *recipe, const char *pair, loco_err *err);

/* One pair a line, as lc_recipe_set reads them. */
void lc_recipe_format(const lc_recipe *recipe, lc_text *text);
loco_status lc_recipe_parse(lc_recipe *recipe, const char *text, loco_err *err);

#endif

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
#include "train/optimiser.h"

#include <stdint.h>

enum { LC_NETWORK_BYTES = 1024, LC_DECODING_BYTES = 128, LC_AUXILIARY_BYTES = 256 };

/* Which parts of the recordings are clips, and what is learned from them. */
typedef struct lc_recipe_clips {
    double held;              /* part of the recordings that validates */
    double context;           /* seconds read on either side of a clip, never counted */
    double shortest, longest; /* seconds: fresh clips cut from timed recordings; 0: the clips as they are given */
    double supervised;        /* part of the recordings that is learned from by event times, the rest by counts */
} lc_recipe_clips;

/* Random changes of clips: the most of each. */
typedef struct lc_recipe_augmentation {
    double gain, noise, tilt; /* dB up or down, dB of noise to signal, dB of slope */
    double speed, stretch;    /* relative change of the sample rate, of the time alone */
    double mix;               /* part of the clips that a second one is mixed into */
    uint64_t transpose;       /* semitones, of models of pitches */
    double flip, shape;       /* of series: part of the clips upside down; seconds that a random filter reaches, up to
                               * LC_AUGMENT_REACH samples */
    double warp;              /* of images: turned (radians), stretched and sheared by up to this */
    uint64_t mirror;          /* of images: 1: left-right and up-down, 2: also along the diagonal; 0: as they are */
} lc_recipe_augmentation;

typedef struct lc_recipe {
    uint64_t batch;       /* clips a step */
    uint64_t lanes;       /* of gradients: the most processes that can share a step, see trainer.h */
    uint64_t seed;        /* of everything that is random */
    uint64_t check;       /* steps from one validation to the next */
    lc_schedule schedule; /* of the optimiser */
    lc_recipe_clips clips;
    lc_recipe_augmentation augment;
    uint64_t loss;   /* of the counts: lc_loss */
    double sharpen;  /* of clips with many events: 1 - the lowest temperature of the loss, see sharpen.h */
    uint64_t anchor; /* lc_anchor */
    char network[LC_NETWORK_BYTES];
    char decoding[LC_DECODING_BYTES];   /* empty: the default. A threshold here is kept; else counts choose one */
    char auxiliary[LC_AUXILIARY_BYTES]; /* classes that are trained and not reported, see auxiliary.h; empty: none */
    char fold[LC_AUXILIARY_BYTES];      /* groups of classes by name, see model/fold.h; empty: none */
    lc_frontend_settings frontend;
} lc_recipe;

/* Sets all from a preset: "sound", "voice", "drums", "drums-live", "piano", ...; LOCO_EARG lists them for an
 * unknown name. */
loco_status lc_recipe_preset(lc_recipe *recipe, const char *name, loco_err *err);

/* "steps=2000", "network=...", or with a key of the front end: "frontend.bands=64". */
loco_status lc_recipe_set(lc_recipe *recipe, const char *pair, loco_err *err);

/* One pair a line, as lc_recipe_set reads them. */
void lc_recipe_format(const lc_recipe *recipe, lc_text *text);

#endif

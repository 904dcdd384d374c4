/* SPDX-License-Identifier: MIT
 * example.h - one clip, or any part of a recording, becomes one example: read with context, changed at random, turned
 * into frames. The feed chooses which one (feed.h). */
#ifndef LC_TRAIN_EXAMPLE_H
#define LC_TRAIN_EXAMPLE_H

#include "data/augment.h"
#include "data/sounds.h"
#include "train/recipe.h"
#include "train/trainer.h"

/* What all examples are made from; read only. */
typedef struct lc_example_source {
    const lc_dataset *set;
    const lc_sounds *sounds;
    const lc_recipe *recipe;
    size_t *clips, clips_len; /* those that may be drawn */
    uint8_t *taught;          /* 1 for each recording that is learned from by its event times */
    lc_scale *scales;         /* one a recording, or NULL: the front end's own */
    size_t size, K;           /* floats of a frame, classes */
    size_t places;            /* of a frame */
    size_t inputs;            /* channels that are read: 1 of sound */
    size_t lead;              /* frames in front of the context, dropped: filters settle, long windows read them */
    size_t tail;              /* frames behind the context that long windows read, dropped */
    size_t most_samples;
} lc_example_source;

/* Where one example comes from, and how it is changed. */
typedef struct lc_draw {
    size_t recording;
    double start, end;
    double left, right;       /* of a rectangle in an image; both 0: the whole width */
    const loco_label *labels; /* NULL: derived from the events */
    double speed, stretch;    /* as factors; 1: unchanged */
    bool change;              /* gain, noise, tilt, mixing */
    unsigned turn;            /* of an image: LC_TURN_..., together; then the warp */
    lc_warp warp;             /* all 0: none */
    double sharpen;           /* see lc_example */
    lc_rng rng;
} lc_draw;

/* What one example needs as long as it is used. */
typedef struct lc_slot {
    float *frames;      /* (most_frames, size) */
    uint8_t *events;    /* (most_frames, places, K) or NULL */
    loco_label *labels; /* K, and one a sum */
    float *room;        /* for sums, see lc_example */
    loco_status status;
    loco_err err;
} lc_slot;

/* The memory of a thread that makes one example after the other. */
typedef struct lc_example_scratch {
    float *samples; /* (most_samples, inputs) */
    float *second; /* most_samples of sound: noise, or a clip that is mixed in; of an image: all of it, before a warp */
    lc_frontend *front;
} lc_example_scratch;

/* Uniform in -most..most, and in 0..n-1. */
double lc_draw_swing(lc_rng *rng, double most);
size_t lc_draw_below(lc_rng *rng, size_t n);

double lc_clip_seconds(const lc_example_source *source, const lc_clip *clip);

/* The most events that the frames can hold, of a class or, from K on, a sum. */
double lc_example_longest(const lc_example_source *source, size_t label, double frames);

/* A given clip: its place and its labels. */
void lc_draw_clip(const lc_example_source *source, size_t index, lc_draw *draw);

LOCO_MUST_USE loco_status lc_example_make(const lc_example_source *source, lc_draw *draw,
                                          const lc_example_scratch *scratch, lc_slot *slot, lc_example *example,
                                          loco_err *err);

#endif

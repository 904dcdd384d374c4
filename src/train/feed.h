/* SPDX-License-Identifier: MIT
 * feed.h - clips of a data set as examples for the trainer: cut, changed at random, turned into frames.
 *
 * Item i of step s depends on (seed, s, i) only: not on the threads, nor on where a run was interrupted.
 *
 * From an item to an example:   (seed, step, i) -> lc_draw -> samples -> frames -> lc_example
 *   lc_draw      which recording, from where to where, how fast; random, made by one thread in order
 *   the rest     made by all threads of the pool, each with memory of its own (lc_example_scratch)
 *   lc_slot      holds frames and labels of one item until the next call */
#ifndef LC_TRAIN_FEED_H
#define LC_TRAIN_FEED_H

#include "train/example.h"

typedef struct lc_feed lc_feed;

/* Which parts of the data set may be drawn from; whatever is passed must outlive the feed. */
typedef struct lc_feed_source {
    const lc_dataset *set;
    const lc_sounds *sounds;
    const uint8_t *clips;      /* 1 for each clip that may be drawn, */
    const uint8_t *recordings; /* and for each recording that fresh clips may be cut from */
    size_t memory;             /* bytes that a batch may take; 0: 4 GiB */
} lc_feed_source;

LOCO_MUST_USE loco_status lc_feed_new(lc_feed **feed, const lc_feed_source *source, const lc_recipe *recipe,
                                      lc_pool *pool, loco_err *err);
void lc_feed_free(lc_feed *feed);

/* Of several processes, each makes its own examples of a batch alone (lc_team_has); the others are empty. */
void lc_feed_share(lc_feed *feed, const lc_team *team, size_t lanes);

size_t lc_feed_frames(const lc_feed *feed); /* of the longest example */
size_t lc_feed_clips(const lc_feed *feed);  /* 0 when clips are cut at random */

/* The examples of a step, recipe->batch of them; they stay until the next call. */
LOCO_MUST_USE loco_status lc_feed_batch(lc_feed *feed, uint64_t step, const lc_example **batch, loco_err *err);

/* Clips as they are, unchanged, from number `first` of those that may be drawn on; *n: a batch of them, or what is
 * left. Where clips are cut at random there are 256, always the same. */
LOCO_MUST_USE loco_status lc_feed_plain(lc_feed *feed, size_t first, const lc_example **batch, size_t *n,
                                        loco_err *err);

#endif

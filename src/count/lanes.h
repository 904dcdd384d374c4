/* SPDX-License-Identifier: MIT
 * lanes.h - many short sequences at once, see lanes.c. */
#ifndef LC_COUNT_LANES_H
#define LC_COUNT_LANES_H

#include "count/count.h"

/* Whether the lanes can take this sequence; it may still come back undone. */
bool lc_lanes_fit(const lc_seq *seq);

/* One sequence in the order in which lanes are filled. */
typedef struct lc_lane_slot {
    uint64_t key;
    lc_seq *seq;
    bool done; /* false: the lanes gave it back, and wrote nothing */
} lc_lane_slot;

lc_lane_slot lc_lanes_slot(lc_seq *seq);

/* Puts sequences of like length and label next to each other. */
void lc_lanes_sort(lc_lane_slot *slots, size_t n);

/* Bytes of local memory for slots[0..n), n <= lanes. */
size_t lc_lanes_local(const lc_count_kernels *kernels, const lc_lane_slot *slots, size_t n);

/* The most that it can be for groups of sequences of one length, whatever their labels, up to so many frames. */
size_t lc_lanes_local_most(const lc_count_kernels *kernels, size_t frames);

/* Loss, gradient and posterior of slots[0..n), n <= lanes, in memory of lc_lanes_local bytes. */
void lc_lanes_run(const lc_count_kernels *kernels, lc_lane_slot *slots, size_t n, const lc_block *memory);

#endif

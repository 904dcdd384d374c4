/* SPDX-License-Identifier: MIT
 * kernels.h - the inner loops of the count mathematics, one table per instruction set.
 *
 * One body (vector_body.h, lane_body.h, tree_body.h) is compiled once per set by kernels_ref.c, kernels_avx2.c and
 * kernels_avx512.c, each with its own flags. A vector holds `lanes` doubles, the width of a register:
 * wider vector types made gcc 12 spill, 12 to 18 times slower. */
#ifndef LC_COUNT_KERNELS_H
#define LC_COUNT_KERNELS_H

#include "base/cpu.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    LC_LANES_MAX = 8,
    /* Frames in a leaf of the product tree: 64 rows of up to 65 bins in a scratch that fits the second-level cache. */
    LC_LEAF = 64,
    /* Zeros behind the last state of a row of the lanes: the two frames within a step look two states ahead. */
    LC_ROW_ZEROS = 2,
};

/* Up to `lanes` sequences side by side: element t of lane l is at [t * lanes + l]. */
typedef struct lc_lane_job {
    size_t steps;      /* of three frames, for the longest lane; even */
    size_t states;     /* 1 + the largest top */
    double *odds;      /* (3*steps, lanes)  in: logits, LC_LANE_PADDING past the end of a lane; out: gradient */
    double *posterior; /* (3*steps, lanes)  out */
    double *rows;      /* (steps + 1, states + LC_ROW_ZEROS, lanes) */
    double *beta;      /* (states, lanes) */
    const float
        *from[LC_LANES_MAX]; /* logits and gradients of the first `direct` frames, which are read and written here */
    float *to[LC_LANES_MAX];
    size_t direct; /* a multiple of lanes */
    size_t length[LC_LANES_MAX];
    size_t lo[LC_LANES_MAX], top[LC_LANES_MAX]; /* the label lo..top; top = lo for "at least lo" */
    bool at_least[LC_LANES_MAX];
    double loss[LC_LANES_MAX]; /* out */
    bool done[LC_LANES_MAX];   /* out: false when the lane left the range of a double and needs the tree */
} lc_lane_job;

#define LC_PADDING (-INFINITY)   /* a logit whose probability is exactly 0, whatever tilt is added to it */
#define LC_LANE_PADDING (-200.0) /* the same for the lanes: lost in any sum, and in the range of their exp */

/* All logits are used as (z + base) + shift. base is 0, or minus one of the logits when they are huge. */
typedef struct lc_tilt {
    double base, shift;
} lc_tilt;

typedef struct lc_tilt_sums {
    double mean, variance;
} lc_tilt_sums;

/* Sum of softplus(z) - softplus(tilted z) = rest - events * (base + shift); the second part apart, since it may be
 * 1e300. */
typedef struct lc_tilt_gap {
    double events; /* frames with z >= -base */
    double rest;
} lc_tilt_gap;

/* An array that is 0 outside begin..end, and readable from 0 to LC_PAD past end. */
typedef struct lc_padded {
    const double *data;
    size_t begin, end;
} lc_padded;

/* correlate_block reads 8 vectors from x[i + j] on, with i + j < end: less than 8 * lanes past end. */
#define LC_PAD (8 * LC_LANES_MAX)

typedef struct lc_count_kernels {
    size_t lanes;

    void (*lanes_run)(lc_lane_job *job);

    /* The largest |x|, or NaN when one of them is. */
    float (*reach)(const float *x, size_t n);

    /* p[i] = sigmoid(z[i]); returns the sum of softplus(z[i]). p may be z. */
    double (*sigmoid)(double *p, const double *z, size_t n);

    /* Sums of p and p(1-p) over n frames with tilted logits. */
    lc_tilt_sums (*tilt_sums)(const double *z, size_t n, lc_tilt tilt);

    lc_tilt_gap (*tilt_gap)(const double *z, size_t n, lc_tilt tilt);

    /* Count distributions of up to `lanes` leaves that lie one after another in z (n frames in all): bins are
     * written to coef (bins, lanes), and their number is returned. Bins that are left out hold less than 1e-25. */
    size_t (*leaf_up)(double *coef, const double *z, size_t n, lc_tilt tilt, double *scratch);

    /* z becomes the posterior of its frames, given d log Z / d coef in adj (bins + 1, lanes), which is destroyed. */
    void (*leaf_down)(double *z, size_t n, lc_tilt tilt, double *adj, size_t bins, double *scratch);

    /* out[i] = sum_j w[j] * x[i + j] for i < n_out. */
    void (*correlate)(double *out, size_t n_out, const double *w, size_t n_w, const lc_padded *x);
} lc_count_kernels;

extern const lc_count_kernels lc_count_kernels_ref;
#ifdef LC_X86
extern const lc_count_kernels lc_count_kernels_avx2;
extern const lc_count_kernels lc_count_kernels_avx512;
#endif

const lc_count_kernels *lc_count_kernels_of(lc_isa isa);

/* Doubles of scratch that leaf_up and leaf_down need.
 * p and q, LC_LEAF each, and LC_LEAF rows of up to LC_LEAF + 1 bins, times lanes; the little that is left is spare. */
#define LC_LEAF_SCRATCH(lanes) ((LC_LEAF * (LC_LEAF + 2) + 3 * LC_LEAF) * (lanes))

#endif

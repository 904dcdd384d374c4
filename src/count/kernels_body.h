/* SPDX-License-Identifier: MIT
 * kernels_body.h - everything that is compiled once per instruction set. Needs LANES and TABLE. */
#include "count/kernels.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "count/vector_body.h"

#include "count/lane_body.h"

#include "count/tree_body.h"

const lc_count_kernels TABLE = {
    .lanes = LANES,
    .lanes_run = lanes_run,
    .reach = reach,
    .sigmoid = sigmoid,
    .tilt_sums = tilt_sums,
    .tilt_gap = tilt_gap,
    .leaf_up = leaf_up,
    .leaf_down = leaf_down,
    .correlate = correlate,
};

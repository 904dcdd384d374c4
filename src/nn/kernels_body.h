/* SPDX-License-Identifier: MIT
 * kernels_body.h - everything of the layers that is compiled once per instruction set. Needs LANES and TABLE. */
#include "nn/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Without these options gcc orders instructions only after it has assigned the registers. With them the transforms of
 * eight numbers, which hardly fit into 16 registers, take a sixth less, a whole step 1 to 3 %. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif

#include "nn/vector_body.h"

#include "nn/product_body.h"

#include "nn/pointwise_body.h"

#include "nn/norm_body.h"

#include "nn/points_body.h"

#include "nn/winograd_body.h"

#include "nn/first_body.h"

#include "nn/tiles_body.h"

#include "nn/table_body.h"

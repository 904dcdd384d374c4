/* SPDX-License-Identifier: MIT
 * rng.h - random numbers whose state is an argument: the same seed gives the same numbers everywhere. */
#ifndef LC_BASE_RNG_H
#define LC_BASE_RNG_H

#include <stdint.h>

typedef struct lc_rng {
    uint64_t s[4];
} lc_rng;

lc_rng lc_rng_seed(uint64_t seed);
uint64_t lc_rng_next(lc_rng *rng);
double lc_rng_uniform(lc_rng *rng); /* in [0, 1), 53 bits */
double lc_rng_normal(lc_rng *rng);  /* mean 0, variance 1 */

#endif

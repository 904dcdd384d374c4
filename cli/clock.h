/* SPDX-License-Identifier: MIT
 *
 * clock.h - a clock that nobody sets, to measure how long something takes.
 */
#ifndef LC_CLI_CLOCK_H
#define LC_CLI_CLOCK_H

#include <time.h>

/* Seconds since some moment of the past. */
static inline double lc_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

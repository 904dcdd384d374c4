/* SPDX-License-Identifier: MIT
 * gravity.h - how far a sensor of acceleration is turned from recording to recording.
 *
 *     lc_gravity gravity = {.len = 0};
 *     for each recording: lc_gravity_add(&gravity, &shape);
 *     ... gravity.turn ...
 */
#ifndef LC_DATA_GRAVITY_H
#define LC_DATA_GRAVITY_H

#include "signal/sound.h"

enum { LC_GRAVITY_MOST = 64 }; /* directions that later ones are compared with */

typedef struct lc_gravity {
    double turn; /* degrees, the largest angle between two recordings; 0: fewer than two have gravity */
    double directions[LC_GRAVITY_MOST][3];
    size_t len;
} lc_gravity;

/* Takes a recording with three columns whose names differ in x, y and z alone (ax,ay,az), and whose mean is most of it:
 * gyroscopes, and acceleration without gravity, have a mean near 0. Others change nothing. */
void lc_gravity_add(lc_gravity *gravity, const lc_sound_shape *shape);

#endif

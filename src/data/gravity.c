/* SPDX-License-Identifier: MIT
 * gravity.c - how far a sensor of acceleration is turned from recording to recording.
 *   The mean of the axes points along gravity. A phone in another pocket, or a strap the other way round, exchanges the
 *   axes, and a network that learned one of them is lost; the magnitude stays. */
#include "data/gravity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* x, y and z, in any order, small or capital. */
static bool are_xyz(const char letters[3])
{
    int seen = 0;
    for (size_t i = 0; i < 3; i++) {
        int letter = letters[i] | 0x20;
        seen |= letter >= 'x' && letter <= 'z' ? 1 << (letter - 'x') : 8;
    }
    return seen == 7;
}

/* Three names of one length with commas between them, which differ in one place. */
static bool are_axes(const char *names)
{
    size_t length = strcspn(names, ","), different = 0;
    const char *second = names + length + 1, *third = second + length + 1;
    if (strlen(names) != 3 * length + 2 || strcspn(second, ",") != length || strcspn(third, ",") != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char letters[3] = {names[i], second[i], third[i]};
        if (letters[0] == letters[1] && letters[1] == letters[2])
            continue;
        if (++different > 1 || !are_xyz(letters))
            return false;
    }
    return different == 1;
}

static double angle(const double *a, const double *b)
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; /* both have the length 1 */
    return acos(fmax(-1, fmin(1, dot))) * 180 / 3.14159265358979323846;
}

void lc_gravity_add(lc_gravity *g, const lc_sound_shape *shape)
{
    const double *mean = shape->mean;
    double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    if (shape->channels != 3 || !(length > 0) || !are_axes(shape->names))
        return;
    double direction[3] = {mean[0] / length, mean[1] / length, mean[2] / length};
    for (size_t i = 0; i < g->len; i++)
        g->turn = fmax(g->turn, angle(g->directions[i], direction));
    if (g->len < LC_GRAVITY_MOST)
        memcpy(g->directions[g->len++], direction, sizeof direction);
}

/* SPDX-License-Identifier: MIT
 * pitches.c - classes that are pitches. */
#include "events/pitches.h"

#include <stdlib.h>
#include <string.h>

bool lc_pitch_of(unsigned *pitch, const char *name)
{
    size_t length = strspn(name, "0123456789");
    if (length == 0 || length > 3 || name[length] != 0)
        return false;
    *pitch = (unsigned)strtoul(name, NULL, 10);
    return *pitch < LC_PITCHES;
}

bool lc_pitched(const char *const *classes, size_t classes_len)
{
    unsigned pitch = 0;
    for (size_t k = 0; k < classes_len; k++)
        if (!lc_pitch_of(&pitch, classes[k]) || pitch < LC_PITCH_LEAST)
            return false;
    return classes_len >= LC_PITCH_CLASSES;
}

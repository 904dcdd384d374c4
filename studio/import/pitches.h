/* SPDX-License-Identifier: MIT
 * pitches.h - lists of pitches of MIDI, such as "21-108" or "40,45,50-60". */
#ifndef LC_STUDIO_IMPORT_PITCHES_H
#define LC_STUDIO_IMPORT_PITCHES_H

#include "loco.h"

#include <stdbool.h>

enum { LC_PITCHES = 128 };

/* Whether each pitch is in the list; NULL: the 88 keys of a piano. LOCO_EARG for what is not such a list. */
LOCO_MUST_USE loco_status lc_pitches_parse(bool chosen[LC_PITCHES], const char *list, loco_err *err);

#endif

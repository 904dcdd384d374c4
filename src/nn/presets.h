/* SPDX-License-Identifier: MIT
 * presets.h - networks by name. */
#ifndef LC_NN_PRESETS_H
#define LC_NN_PRESETS_H

#include <stddef.h>

typedef struct lc_preset {
    const char *name, *line;
    size_t F, C; /* a frame of its input */
} lc_preset;

/* All presets, ended by one without a name. */
extern const lc_preset lc_presets[];

/* NULL when there is none of this name. */
const lc_preset *lc_preset_find(const char *name);

#endif

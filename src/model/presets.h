/* SPDX-License-Identifier: MIT
 * presets.h - networks by name. */
#ifndef LC_MODEL_PRESETS_H
#define LC_MODEL_PRESETS_H

#include <stddef.h>

typedef struct lc_preset {
    const char *name;  /* always means this network: "drums-paper" */
    const char *alias; /* the recommended network for a task, which may change: "drums"; or NULL */
    const char *line;
    size_t F, C; /* a frame of its input */
} lc_preset;

/* All presets, ended by one without a name. */
extern const lc_preset lc_presets[];

/* By name or alias; NULL: unknown. */
const lc_preset *lc_preset_find(const char *name);

#endif

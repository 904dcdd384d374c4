/* SPDX-License-Identifier: MIT
 * presets.h - networks by name. */
#ifndef LC_NN_PRESETS_H
#define LC_NN_PRESETS_H

#include <stddef.h>

typedef struct lc_preset {
    const char *name;  /* says for good which network it is: "drums-paper" */
    const char *alias; /* what to use for the task, today: "drums"; or NULL */
    const char *line;
    size_t F, C; /* a frame of its input */
} lc_preset;

/* All presets, ended by one without a name. */
extern const lc_preset lc_presets[];

/* By name or alias; NULL when there is none. */
const lc_preset *lc_preset_find(const char *name);

#endif

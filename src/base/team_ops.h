/* SPDX-License-Identifier: MIT
 * team_ops.h - what a plug-in gives, and all that it needs to know of the library: it exports one such table, called
 * loco_team_plugin. None of these functions can fail: a plug-in that cannot go on ends all processes with a sentence. */
#ifndef LC_BASE_TEAM_OPS_H
#define LC_BASE_TEAM_OPS_H

#include <stddef.h>

#define LC_TEAM_SYMBOL "loco_team_plugin"

enum { LC_TEAM_VERSION = 1 };

/* borders: size + 1 of them, in bytes; part r is from borders[r] to borders[r + 1]. Parts have less than 2 GiB. */
typedef struct lc_team_ops {
    unsigned version; /* LC_TEAM_VERSION */
    void (*begin)(void *context, unsigned *rank, unsigned *size);
    void (*gather)(void *context, void *all, const size_t *borders);
    void (*deal)(void *context, const void *out, const size_t *out_borders, void *in, const size_t *in_borders);
    void (*end)(void *context);
} lc_team_ops;

#endif

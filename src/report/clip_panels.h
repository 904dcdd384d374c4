/* SPDX-License-Identifier: MIT
 *
 * clip_panels.h - how the loss of one clip comes about: sound, event processes, counts, loss.
 */
#ifndef LC_REPORT_CLIP_PANELS_H
#define LC_REPORT_CLIP_PANELS_H

#include "base/text.h"
#include "loco.h"

enum { LC_CLIP_LANES = 4 };

/* One class. heat: (frames, k_max + 1), P(count = k after frame t), the last of which holds all larger counts too. */
typedef struct lc_clip_lane {
    const char *name;
    double *p; /* (frames) */
    double *heat;
    size_t k_max;
    loco_label label;    /* of the whole clip */
    const double *times; /* of reference events inside */
    size_t times_len;
} lc_clip_lane;

typedef struct lc_clip_scene {
    const char *title;
    double start, end; /* seconds */
    size_t frames;
    double *sound; /* (columns, bands) in 0..1, or NULL */
    size_t columns, bands;
    lc_clip_lane lanes[LC_CLIP_LANES];
    size_t lanes_len;
} lc_clip_scene;

void lc_clip_scene_draw(lc_text *out, const lc_clip_scene *scene);

#endif

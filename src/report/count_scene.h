/* SPDX-License-Identifier: MIT
 *
 * count_scene.h - what the picture of one clip shows, as numbers.
 */
#ifndef LC_REPORT_COUNT_SCENE_H
#define LC_REPORT_COUNT_SCENE_H

#include "loco.h"

/* Frames t, counts 0..k_max. The heat map has a row for every per_row counts and a column for one or more frames:
 * heat[column * rows + row] = P(count in row after the last frame of the column). The last row also holds all
 * counts above k_max. */
typedef struct lc_count_scene {
    const char *title;
    double frames_per_second; /* 0: the time axis counts frames */
    loco_label label;
    size_t frames, columns, rows, per_row, k_max;
    double mean, sd, loss;
    double *p;         /* (frames) */
    double *posterior; /* (frames) given the label */
    uint8_t *events;   /* (frames) the most likely set given the label */
    double *heat;      /* (columns, rows) */
} lc_count_scene;

/* The first frame of bin i when frames are cut into bins as equal as possible, bins <= frames. */
size_t lc_count_scene_bin(size_t i, size_t bins, size_t frames);

/* Fills heat from p. now: k_max + 1 values of working memory; afterwards the distribution of the final count. */
void lc_count_scene_fill(const lc_count_scene *scene, double *now);

#endif

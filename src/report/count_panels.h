/* SPDX-License-Identifier: MIT
 *
 * count_panels.h - draws what the picture of one clip shows.
 */
#ifndef LC_REPORT_COUNT_PANELS_H
#define LC_REPORT_COUNT_PANELS_H

#include "base/text.h"
#include "report/count_scene.h"

/* Appends the whole SVG document. */
void lc_count_scene_draw(lc_text *out, const lc_count_scene *scene);

#endif

/* SPDX-License-Identifier: MIT
 * synth_images.h - `loco synth digits|spots`: images instead of sounds. */
#ifndef LC_CLI_SYNTH_IMAGES_H
#define LC_CLI_SYNTH_IMAGES_H

#include "args.h"
#include "studio/studio.h"

typedef struct lc_image_wishes {
    const char *from, *size, *digits, *spots, *radius;
    double turn, scale, shear;
    bool each;
} lc_image_wishes;

/* An option that was given and is for another kind than this one: its name, and in *kind the right one; NULL: none. */
const char *lc_image_misplaced(const lc_image_wishes *w, bool digits, bool spots, const char **kind);

/* Sizes, numbers and radii in options and spots; LC_ARGS_GO, or the exit status after a message. */
int lc_image_check(const lc_usage *usage, const lc_image_wishes *w, bool digits, studio_image_options *options,
                   studio_spots_options *spots);

#endif

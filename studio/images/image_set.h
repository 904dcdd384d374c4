/* SPDX-License-Identifier: MIT
 * image_set.h - writes drawn images as a data set, on several threads; the set is the same for any number of them.
 *
 *     000000.png ..    grey, 8 bits
 *     events.csv       file,x,y,class        000000.png,41.5,77.5,3     centres; that of the first pixel is 0,0
 *     sources.txt      what the images were made of
 *     counts.csv       file,0,1,...          000000.png,0,2,...         last: a folder that has it is complete
 */
#ifndef LC_STUDIO_IMAGES_IMAGE_SET_H
#define LC_STUDIO_IMAGES_IMAGE_SET_H

#include "base/rng.h"
#include "loco.h"
#include "studio/studio.h"

/* One image; a maker fills it. */
typedef struct lc_drawn {
    unsigned char *pixels; /* (height, width), 0 at first */
    size_t height, width;
    loco_event *events; /* room for the job's `most`; x, and y as time */
    size_t events_len;
} lc_drawn;

/* Draws image `index` of a set; called by several threads at once. */
typedef loco_status lc_image_maker(const void *context, size_t index, lc_drawn *drawn, loco_err *err);

typedef struct lc_image_job {
    const studio_image_options *options; /* as lc_image_options_read leaves them */
    const char *const *names;            /* of the classes */
    size_t classes;
    lc_image_maker *make;
    const void *context; /* of make */
    const char *sources; /* text for sources.txt */
} lc_image_job;

/* Options as the caller's version of the struct has them, with defaults in the place of zeros: 24 images of 128 x 128,
 * `least` to `most` objects, 2 threads. LOCO_EARG: one is out of range. */
LOCO_MUST_USE loco_status lc_image_options_read(studio_image_options *own, const studio_image_options *given,
                                                size_t least, size_t most, loco_err *err);

/* The random numbers of image `index`. salt: keeps kinds of sets apart. */
lc_rng lc_image_rng(const studio_image_options *options, uint64_t salt, size_t index);

/* least .. most of the options. */
size_t lc_image_draw_number(const studio_image_options *options, lc_rng *rng);

/* The folder is made if missing; one that holds a counts.csv is refused. Stopped by progress: LOCO_EIO, and no
 * counts.csv. */
LOCO_MUST_USE loco_status lc_image_set_write(const char *folder, const lc_image_job *job, loco_err *err);

#endif

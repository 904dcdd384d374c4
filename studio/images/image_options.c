/* SPDX-License-Identifier: MIT
 * image_options.c - the options that all sets of drawn images have. */
#include "base/options.h"
#include "base/status.h"
#include "signal/filter.h"
#include "studio/images/image_set.h"

enum { IMAGES = 24, MOST_IMAGES = 1000000, SIZE = 128, LEAST_SIZE = 8, MOST_SIZE = 16384, MOST_OBJECTS = 100000 };
enum { THREADS = 2, MOST_THREADS = 1024 };

static loco_status check(const studio_image_options *o, loco_err *err)
{
    if (o->images > MOST_IMAGES)
        return lc_err_set(err, LOCO_EARG, "%zu images; there can be 1 to %d", o->images, MOST_IMAGES);
    if (o->width < LEAST_SIZE || o->width > MOST_SIZE || o->height < LEAST_SIZE || o->height > MOST_SIZE)
        return lc_err_set(err, LOCO_EARG, "images of %zu x %zu pixels; a side has %d to %d", o->width, o->height,
                          LEAST_SIZE, MOST_SIZE);
    if (o->least > o->most || o->most > MOST_OBJECTS)
        return lc_err_set(err, LOCO_EARG, "%zu to %zu objects in an image; expected two numbers in order, up to %d",
                          o->least, o->most, MOST_OBJECTS);
    if (o->threads > MOST_THREADS)
        return lc_err_set(err, LOCO_EARG, "%u threads; there can be 1 to %d", o->threads, MOST_THREADS);
    return LOCO_OK;
}

loco_status lc_image_options_read(studio_image_options *own, const studio_image_options *given, size_t least,
                                  size_t most, loco_err *err)
{
    loco_status status = lc_options_read(own, sizeof *own, given, "studio_image_options", err);
    if (status != LOCO_OK)
        return status;
    own->images = own->images > 0 ? own->images : IMAGES;
    own->width = own->width > 0 ? own->width : SIZE;
    own->height = own->height > 0 ? own->height : own->width;
    own->threads = own->threads > 0 ? own->threads : THREADS;
    if (own->most == 0 && own->least == 0) {
        own->least = least;
        own->most = most;
    }
    return check(own, err);
}

/* The factors keep neighbours apart: lc_rng_seed steps through seeds by another constant. */
lc_rng lc_image_rng(const studio_image_options *options, uint64_t salt, size_t index)
{
    lc_rng set = lc_rng_seed(options->seed ^ (options->unseen ? 0x5bf03635d1f7a2c9u : 0) ^ salt);
    return lc_rng_seed(lc_rng_next(&set) ^ (((uint64_t)index + 1) * 0xd6e8feb86659fd93u));
}

size_t lc_image_draw_number(const studio_image_options *options, lc_rng *rng)
{
    return options->least + lc_draw_index(rng, options->most - options->least + 1);
}

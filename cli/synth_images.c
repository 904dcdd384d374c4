/* SPDX-License-Identifier: MIT
 * synth_images.c - `loco synth digits|spots`: the options of images. */
#include "synth_images.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *lc_image_misplaced(const lc_image_wishes *w, bool digits, bool spots, const char **kind)
{
    *kind = "digits";
    if (!digits && (w->from != NULL || w->digits != NULL || w->turn > 0 || w->scale > 0 || w->shear > 0 || w->each))
        return w->from != NULL     ? "--from"
               : w->digits != NULL ? "--digits"
               : w->turn > 0       ? "--turn"
               : w->scale > 0      ? "--scale"
               : w->shear > 0      ? "--shear"
                                   : "--each";
    *kind = "spots";
    if (!spots && (w->spots != NULL || w->radius != NULL))
        return w->spots != NULL ? "--spots" : "--radius";
    *kind = "images";
    return !digits && !spots && w->size != NULL ? "--size" : NULL;
}

static bool read_number(const char *text, const char **end, double *value)
{
    char *after;
    errno = 0;
    *value = strtod(text, &after);
    *end = after;
    return text[0] >= '0' && text[0] <= '9' && after != text && errno == 0 && isfinite(*value);
}

/* "3", or two numbers with `between` in the middle. strtod would take the first point of 3..7: two points are looked
 * for first. */
static bool read_pair(const char *text, const char *between, double *first, double *second)
{
    char head[32];
    const char *middle = strstr(text, between), *end;
    size_t length = middle != NULL ? (size_t)(middle - text) : strlen(text);
    if (length >= sizeof head)
        return false;
    memcpy(head, text, length);
    head[length] = 0;
    if (!read_number(head, &end, first) || *end != 0)
        return false;
    *second = *first;
    return middle == NULL || (read_number(middle + strlen(between), &end, second) && *end == 0);
}

static bool whole(double value)
{
    return value >= 0 && value <= 1e9 && !(value < floor(value)) && !(value > floor(value));
}

static int check_number(const lc_usage *usage, const char *option, const char *text, studio_image_options *options)
{
    double least, most;
    if (text == NULL)
        return LC_ARGS_GO;
    if (!read_pair(text, "..", &least, &most) || !whole(least) || !whole(most) || most < 1 || least > most)
        return lc_args_wrong(usage, "--%s takes a number from 1 on, or two, such as 1..4, not \"%s\"", option, text);
    options->least = (size_t)least;
    options->most = (size_t)most;
    return LC_ARGS_GO;
}

static int check_size(const lc_usage *usage, const char *text, studio_image_options *options)
{
    double width, height;
    if (text == NULL)
        return LC_ARGS_GO;
    if (!read_pair(text, "x", &width, &height) || !whole(width) || !whole(height) || width < 1 || height < 1)
        return lc_args_wrong(usage, "--size takes pixels, such as 128, or a width and a height, 256x192, not \"%s\"",
                             text);
    options->width = (size_t)width;
    options->height = (size_t)height;
    return LC_ARGS_GO;
}

static int check_radius(const lc_usage *usage, const char *text, studio_spots_options *spots)
{
    if (text != NULL &&
        (!read_pair(text, "..", &spots->radius_least, &spots->radius_most) || !(spots->radius_least > 0)))
        return lc_args_wrong(usage, "--radius takes pixels, such as 4.5, or a range, 3..7, not \"%s\"", text);
    return LC_ARGS_GO;
}

int lc_image_check(const lc_usage *usage, const lc_image_wishes *w, bool digits, studio_image_options *options,
                   studio_spots_options *spots)
{
    if (digits && w->from == NULL)
        return lc_args_wrong(usage, "say where the digits are: --from FOLDER, with the files of MNIST");
    int done = check_size(usage, w->size, options);
    if (done == LC_ARGS_GO)
        done = check_number(usage, digits ? "digits" : "spots", digits ? w->digits : w->spots, options);
    return done == LC_ARGS_GO ? check_radius(usage, w->radius, spots) : done;
}

/* SPDX-License-Identifier: MIT
 *
 * marks.c - events drawn on an image.
 *
 * A line is as opaque in a pixel as it covers it, by the distance d of the pixel's centre from the middle of the line:
 * width / 2 + 1/2 - d, within 0..1. Each mark is drawn twice: dark and wider, then in its colour, so that it is seen on any
 * ground. Small images are shown larger by a whole factor, or a circle would hide what it marks.
 */
#include "report/marks.h"

#include "base/status.h"
#include "report/picture.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_SIDE = 256, SAMPLES = 400, DARK = 0x10151b };

/* Apart for colour-blind eyes as far as ten can be; of two neighbours in the list one is lighter. */
static const uint32_t colours[LC_MARK_COLOURS] = {0x4fbaff, 0xffb000, 0x2fd08c, 0xff6f61, 0xc79bff,
                                                  0xffe95c, 0x38d6e0, 0xff8fd0, 0xa9d63f, 0xd9b38c};

uint32_t lc_mark_colour(size_t kind)
{
    return colours[kind % LC_MARK_COLOURS];
}

/* ---- size ---- */

static double nearest(const loco_event *events, size_t n, size_t at)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++)
        if (i != at)
            least = fmin(least, hypot(events[i].x - events[at].x, events[i].time - events[at].time));
    return least;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* By the median over some of the events: most marks are then apart. */
double lc_marks_radius(const loco_event *events, size_t events_len, size_t height, size_t width)
{
    double distances[SAMPLES], most = fmax(2, (double)(height < width ? height : width) / 30);
    size_t step = events_len / SAMPLES + 1, n = 0;
    for (size_t i = 0; i < events_len && n < SAMPLES; i += step)
        distances[n++] = nearest(events, events_len, i);
    if (n == 0)
        return most;
    qsort(distances, n, sizeof *distances, by_size);
    return fmin(most, fmax(1, 0.4 * distances[n / 2]));
}

/* ---- drawing ---- */

/* A circle with a cross in it, in pixels of the picture. */
typedef struct mark {
    double x, y, radius, arm, width;
    uint32_t colour;
} mark;

static double distance_to(const mark *m, double x, double y)
{
    double dx = fabs(x - m->x), dy = fabs(y - m->y), ring = fabs(hypot(dx, dy) - m->radius);
    double bar = hypot(fmax(0, dx - m->arm), dy), post = hypot(dx, fmax(0, dy - m->arm));
    return fmin(ring, fmin(bar, post));
}

static void blend(unsigned char *pixel, uint32_t colour, double opaque)
{
    for (int c = 0; c < 3; c++) {
        double target = (double)(colour >> (16 - 8 * c) & 0xff);
        pixel[c] = (unsigned char)lround(pixel[c] + opaque * (target - pixel[c]));
    }
}

/* The pixels first..end-1 of n that lie within reach of a place. */
static void span(size_t *first, size_t *end, double place, double reach, size_t n)
{
    double low = ceil(place - reach), high = floor(place + reach) + 1;
    *first = low <= 0 ? 0 : low >= (double)n ? n : (size_t)low;
    *end = high <= 0 ? 0 : high >= (double)n ? n : (size_t)high;
}

static void draw_mark(lc_image *picture, const mark *m)
{
    size_t x0, x1, y0, y1;
    double reach = m->radius + m->width / 2 + 1;
    span(&x0, &x1, m->x, reach, picture->width);
    span(&y0, &y1, m->y, reach, picture->height);
    for (size_t y = y0; y < y1; y++)
        for (size_t x = x0; x < x1; x++) {
            double opaque = m->width / 2 + 0.5 - distance_to(m, (double)x, (double)y);
            if (opaque > 0)
                blend(picture->values + 3 * (y * picture->width + x), m->colour, fmin(1, opaque));
        }
}

void lc_marks_draw(lc_image *picture, const loco_event *events, size_t events_len, double factor, double radius)
{
    double width = fmax(1, radius / 6);
    for (int dark = 1; dark >= 0; dark--)
        for (size_t i = 0; i < events_len; i++)
            draw_mark(picture, &(mark){.x = (events[i].x + 0.5) * factor - 0.5,
                                       .y = (events[i].time + 0.5) * factor - 0.5,
                                       .radius = radius,
                                       .arm = radius / 3,
                                       .width = dark > 0 ? width + 1.5 : width,
                                       .colour = dark > 0 ? DARK : lc_mark_colour(events[i].kind)});
}

/* ---- files ---- */

static loco_status draw_image(const char *path, const lc_image *image, const loco_event *events, size_t events_len,
                              loco_err *err)
{
    size_t side = image->height < image->width ? image->height : image->width;
    size_t factor = side < LEAST_SIDE ? (LEAST_SIDE + side - 1) / side : 1;
    lc_image picture = {0};
    while (factor > 1 && (factor * image->height > LC_IMAGE_MOST || factor * image->width > LC_IMAGE_MOST))
        factor--;
    loco_status status = lc_picture_resize(&picture, image, factor * image->height, factor * image->width, 3, err);
    if (status != LOCO_OK)
        return status;
    double radius = (double)factor * lc_marks_radius(events, events_len, image->height, image->width);
    lc_marks_draw(&picture, events, events_len, (double)factor, fmax(3, radius));
    status = lc_image_save(path, &picture, err);
    lc_image_free(&picture);
    return status;
}

loco_status loco_marks_save(const char *path, const char *image, const loco_event *events, size_t events_len,
                            loco_err *err)
{
    lc_image loaded = {0};
    if (path == NULL || image == NULL || (events == NULL && events_len > 0))
        return lc_err_set(err, LOCO_EARG, "loco_marks_save: %s is NULL",
                          path == NULL    ? "path"
                          : image == NULL ? "image"
                                          : "events");
    for (size_t i = 0; i < events_len; i++)
        if (!(fabs(events[i].time) < 1e6) || !(fabs(events[i].x) < 1e6))
            return lc_err_set(err, LOCO_EDATA, "%s: event %zu is at x = %g, y = %g", image, i, events[i].x,
                              events[i].time);
    loco_status status = lc_image_load(&loaded, image, err);
    if (status == LOCO_OK)
        status = draw_image(path, &loaded, events, events_len, err);
    lc_image_free(&loaded);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * spots.c - one image of bright spots.
 *
 * A spot is an ellipse with a soft edge: at distance d outside the edge it has brightness * erfc(d / (sqrt(2) s)) / 2, what
 * remains of a disc after a blur of width s. The fluorescent cells of the VGG set are met by a radius of 4.5 and s = 2
 * pixels: at 0, 2, 4, 6 and 8 pixels from the middle they have 1, .91, .62, .22 and .03 of their brightness, and the formula
 * .99, .89, .60, .23, .04. Ranges are wider than that set.
 *
 *     pixel = lamp(x, y) * (background + sum of spots) + noise,    noise^2 = read^2 + shot^2 * signal
 */
#include "studio/images/spots.h"

#include "base/status.h"
#include "signal/filter.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 3, TRIES = 50 };

#define SQRT2 1.4142135623730951

/* What the spots of an image have in common. */
typedef struct look {
    double radius, spread;             /* mean, and relative deviation of single spots */
    double softness;                   /* width of the edge, in radii */
    double longest;                    /* ratio of the axes, at most */
    double brightness, varied;         /* of spots, 0..1; relative deviation */
    double crowded;                    /* probability that a spot lies close to another */
    double apart;                      /* least distance of middles, in radii */
    double background, uneven;         /* level, 0..1; deviation of its nodes */
    double dark;                       /* loss of light in the corners */
    double read, shot;                 /* noise */
    bool screens;                      /* overlapping spots never exceed their brightness; else they add */
    float nodes[NODES + 1][NODES + 1]; /* of the background */
} look;

static look draw_look(const lc_spots_settings *s, lc_rng *rng)
{
    look l = {.radius = s->radius_least * pow(s->radius_most / s->radius_least, lc_rng_uniform(rng)),
              .spread = lc_draw_even(rng, 0.02, 0.2),
              .softness = lc_draw_even(rng, 0.15, 0.6),
              .longest = lc_draw_even(rng, 1, lc_draw_chance(rng, 0.2) ? 2 : 1.3),
              .brightness = lc_draw_even(rng, 0.3, 0.95),
              .varied = lc_draw_even(rng, 0.02, 0.25),
              .crowded = lc_draw_chance(rng, 0.5) ? lc_draw_even(rng, 0, 0.7) : 0,
              .apart = lc_draw_even(rng, 0.6, 1.6),
              .background = lc_draw_even(rng, 0, 0.25),
              .uneven = lc_draw_even(rng, 0, 0.08),
              .dark = lc_draw_even(rng, 0, 0.5),
              .read = lc_draw_even(rng, 0.002, 0.03),
              .shot = lc_draw_even(rng, 0, 0.04),
              .screens = lc_draw_chance(rng, 0.4)};
    for (size_t i = 0; i <= NODES; i++)
        for (size_t j = 0; j <= NODES; j++)
            l.nodes[i][j] = (float)fmax(0, l.background + l.uneven * lc_rng_normal(rng));
    return l;
}

/* ---- places ---- */

static bool is_free(const lc_drawn *drawn, double x, double y, double apart)
{
    for (size_t i = 0; i < drawn->events_len; i++) {
        double dx = drawn->events[i].x - x, dy = drawn->events[i].time - y;
        if (dx * dx + dy * dy < apart * apart)
            return false;
    }
    return true;
}

/* Evenly, or one to two radii from a spot that is there. */
static void draw_place(const look *l, const lc_drawn *drawn, double *x, double *y, lc_rng *rng)
{
    double right = (double)drawn->width - 1, bottom = (double)drawn->height - 1;
    bool near = drawn->events_len > 0 && lc_draw_chance(rng, l->crowded);
    if (!near) {
        *x = right * lc_rng_uniform(rng);
        *y = bottom * lc_rng_uniform(rng);
        return;
    }
    const loco_event *other = &drawn->events[lc_draw_index(rng, drawn->events_len)];
    double angle = lc_draw_even(rng, 0, 2 * LC_PI), away = l->radius * lc_draw_even(rng, 1, 2);
    *x = fmin(right, fmax(0, other->x + away * cos(angle)));
    *y = fmin(bottom, fmax(0, other->time + away * sin(angle)));
}

/* In a full image a spot may lie closer than `apart` to others, in the end anywhere. */
static void place(const look *l, lc_drawn *drawn, lc_rng *rng)
{
    double x = 0, y = 0, apart = l->apart * l->radius;
    for (size_t tries = 0; tries < TRIES; tries++) {
        draw_place(l, drawn, &x, &y, rng);
        if (is_free(drawn, x, y, apart))
            break;
        apart *= 0.95;
    }
    drawn->events[drawn->events_len++] = (loco_event){.x = x, .time = y, .probability = 1};
}

/* ---- light ---- */

static void add_light(float *pixel, float light, bool screens)
{
    *pixel = screens ? *pixel + light * fmaxf(0, 1 - *pixel) : *pixel + light;
}

/* The signed distance from the edge is taken along the ray from the middle, times the mean axis: exact for discs. */
static void light_spot(const look *l, const loco_event *event, float *light, size_t height, size_t width, lc_rng *rng)
{
    double radius = l->radius * fmax(0.5, 1 + l->spread * lc_rng_normal(rng));
    double ratio = sqrt(lc_draw_even(rng, 1, l->longest)), angle = lc_draw_even(rng, 0, LC_PI);
    double soft = fmax(0.4, l->softness * radius * lc_draw_even(rng, 0.8, 1.2));
    double bright = l->brightness * fmax(0.4, 1 + l->varied * lc_rng_normal(rng));
    double c = cos(angle) / ratio, s = sin(angle) / ratio, c2 = cos(angle) * ratio, s2 = sin(angle) * ratio;
    double reach = radius * ratio + 3 * soft;
    long top = lround(event->time - reach), left = lround(event->x - reach), side = 2 * (lround(reach) + 1);
    for (long i = top > 0 ? top : 0; i <= top + side && i < (long)height; i++)
        for (long j = left > 0 ? left : 0; j <= left + side && j < (long)width; j++) {
            double x = (double)j - event->x, y = (double)i - event->time;
            double outside = hypot(c * x + s * y, c2 * y - s2 * x) - radius;
            add_light(&light[(size_t)i * width + (size_t)j], (float)(bright * 0.5 * erfc(outside / (SQRT2 * soft))),
                      l->screens);
        }
}

/* Between the nodes, without corners. */
static float background(const look *l, double x, double y)
{
    double u = x * NODES, v = y * NODES;
    size_t j = u < NODES ? (size_t)u : NODES - 1, i = v < NODES ? (size_t)v : NODES - 1;
    double a = u - (double)j, b = v - (double)i;
    a = a * a * (3 - 2 * a);
    b = b * b * (3 - 2 * b);
    double upper = (1 - a) * (double)l->nodes[i][j] + a * (double)l->nodes[i][j + 1];
    double lower = (1 - a) * (double)l->nodes[i + 1][j] + a * (double)l->nodes[i + 1][j + 1];
    return (float)((1 - b) * upper + b * lower);
}

/* The sum of three even numbers has variance 1, and looks like a normal one. */
static float noise(uint32_t *state)
{
    float a = lc_white(state), b = lc_white(state), c = lc_white(state);
    return a + b + c;
}

static void take_picture(const look *l, const float *light, lc_drawn *drawn, lc_rng *rng)
{
    uint32_t state = (uint32_t)lc_rng_next(rng);
    float read = (float)(l->read * l->read), shot = (float)(l->shot * l->shot);
    for (size_t i = 0; i < drawn->height; i++)
        for (size_t j = 0; j < drawn->width; j++) {
            double x = ((double)j + 0.5) / (double)drawn->width, y = ((double)i + 0.5) / (double)drawn->height;
            double corner = 2 * ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5));
            float signal = (float)(1 - l->dark * corner) * (background(l, x, y) + light[i * drawn->width + j]);
            float seen = 255 * (signal + noise(&state) * sqrtf(read + shot * signal));
            drawn->pixels[i * drawn->width + j] = (unsigned char)lrintf(fminf(255, fmaxf(0, seen)));
        }
}

loco_status lc_spots_make(const void *context, size_t index, lc_drawn *drawn, loco_err *err)
{
    const lc_spots_settings *s = context;
    lc_rng rng = lc_image_rng(s->options, 0x8d1ce3b6f5407a29u, index);
    float *light = calloc(drawn->height * drawn->width, sizeof *light);
    if (light == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for an image of %zu x %zu", drawn->width, drawn->height);
    size_t n = lc_image_draw_number(s->options, &rng);
    look l = draw_look(s, &rng);
    for (size_t i = 0; i < n; i++)
        place(&l, drawn, &rng);
    for (size_t i = 0; i < n; i++)
        light_spot(&l, &drawn->events[i], light, drawn->height, drawn->width, &rng);
    take_picture(&l, light, drawn, &rng);
    free(light);
    return LOCO_OK;
}

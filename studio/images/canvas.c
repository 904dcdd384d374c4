/* SPDX-License-Identifier: MIT
 * canvas.c - one canvas of digits. */
#include "base/status.h"
#include "signal/filter.h"
#include "studio/images/digits.h"
#include "studio/images/place.h"

#include <stdlib.h>

/* Which digit is the i-th of a canvas. */
static size_t choose(const lc_canvas_settings *s, size_t index, size_t i, lc_rng *rng)
{
    return s->each ? (index * s->options->most + i) % s->digits->n : lc_draw_index(rng, s->digits->n);
}

static void put(const lc_canvas_settings *s, lc_drawn *drawn, size_t which, lc_corner corner, lc_rng *rng)
{
    const lc_digits *digits = s->digits;
    lc_digit_paint(drawn->pixels + corner.y * drawn->width + corner.x, drawn->width,
                   digits->pixels + which * digits->height * digits->width, digits->height, digits->width, &s->changes,
                   rng);
    drawn->events[drawn->events_len++] = (loco_event){.time = (double)corner.y + ((double)digits->height - 1) / 2,
                                                      .x = (double)corner.x + ((double)digits->width - 1) / 2,
                                                      .kind = digits->labels[which],
                                                      .probability = 1};
}

loco_status lc_canvas_make(const void *context, size_t index, lc_drawn *drawn, loco_err *err)
{
    const lc_canvas_settings *s = context;
    const lc_digits *digits = s->digits;
    lc_rng rng = lc_image_rng(s->options, 0x2f7b9c41d05ea683u, index);
    size_t n = lc_image_draw_number(s->options, &rng);
    lc_corner *corners = malloc((n + 1) * sizeof *corners);
    if (corners == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a canvas of %zu digits", n);
    bool placed = lc_place_boxes(corners, n, drawn->width, drawn->height, digits->width, digits->height, &rng);
    for (size_t i = 0; placed && i < n; i++)
        put(s, drawn, choose(s, index, i, &rng), corners[i], &rng);
    free(corners);
    if (!placed)
        return lc_err_set(
            err, LOCO_EARG,
            "%zu digits of %zu x %zu found no place side by side on %zu x %zu pixels; give fewer digits or "
            "a larger size",
            n, digits->width, digits->height, drawn->width, drawn->height);
    return LOCO_OK;
}

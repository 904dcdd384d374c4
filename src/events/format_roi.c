/* SPDX-License-Identifier: MIT
 *
 * format_roi.c - the events of one image as a multi-point selection of ImageJ and Fiji, a .roi file.
 *
 * Numbers are big-endian; n points, of which the class is the counter (0 to 99) of the multi-point tool:
 *
 *     0   "Iout"                       16  n, or 0 beyond 65535        64            x - left of each (16 bits)
 *     4   version 227                  18  n, if it is 0 there         64 + 2n       y - top
 *     6   type 10: points              50  options 128: with floats    64 + 4n       x (float)
 *     8   top, left, bottom, right     60  where the second header is  64 + 8n       y (float)
 *                                                                      64 + 12n      64 bytes: the second header,
 *                                                                                    at 48 where the counters are
 *                                                                      128 + 12n     counters (32 bits)
 *
 * ImageJ's points have the centre of pixel (0, 0) at (0, 0), as ours have. Whole pixels are within 0..65535; the floats
 * hold what lies beyond.
 */
#include "events/formats.h"

#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HEADER = 64, VERSION = 227, POINTS = 10, SUB_PIXEL = 128, SHORT_MOST = 65535, COUNTERS = 100 };

static void put16(lc_text *out, size_t value)
{
    const char bytes[] = {(char)(value >> 8 & 255), (char)(value & 255)};
    lc_text_append(out, bytes, sizeof bytes);
}

static void put32(lc_text *out, size_t value)
{
    put16(out, value >> 16 & SHORT_MOST);
    put16(out, value & SHORT_MOST);
}

static void put_zeros(lc_text *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        lc_text_append(out, "", 1);
}

static void put_float(lc_text *out, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put32(out, bits);
}

/* The pixel that holds a position. */
static size_t pixel(double at)
{
    return (size_t)fmin(fmax(floor(at + 0.5), 0), SHORT_MOST - 1);
}

typedef struct frame {
    size_t top, left, bottom, right; /* the last two are one behind the last pixel */
} frame;

static frame frame_of(const lc_events_view *view)
{
    frame all = {SHORT_MOST, SHORT_MOST, 0, 0};
    for (size_t i = 0; i < view->events_len; i++) {
        size_t x = pixel(view->events[i].x), y = pixel(view->events[i].time);
        all.left = x < all.left ? x : all.left;
        all.top = y < all.top ? y : all.top;
        all.right = x + 1 > all.right ? x + 1 : all.right;
        all.bottom = y + 1 > all.bottom ? y + 1 : all.bottom;
    }
    return view->events_len > 0 ? all : (frame){0};
}

static void put_header(lc_text *out, size_t n, frame all)
{
    lc_text_append(out, "Iout", 4);
    put16(out, VERSION);
    put16(out, (size_t)POINTS << 8); /* one byte, and one that is not used */
    put16(out, all.top);
    put16(out, all.left);
    put16(out, all.bottom);
    put16(out, all.right);
    put16(out, n <= SHORT_MOST ? n : 0);
    put32(out, n <= SHORT_MOST ? 0 : n);
    put_zeros(out, 28); /* 22 to 49: lines, strokes, colours, subtype */
    put16(out, SUB_PIXEL);
    put_zeros(out, 8); /* 52 to 59: kind and size of the marks, position in a stack */
    put32(out, HEADER + 12 * n);
}

static void put_points(lc_text *out, const lc_events_view *view, frame all)
{
    for (size_t i = 0; i < view->events_len; i++)
        put16(out, pixel(view->events[i].x) - all.left);
    for (size_t i = 0; i < view->events_len; i++)
        put16(out, pixel(view->events[i].time) - all.top);
    for (size_t i = 0; i < view->events_len; i++)
        put_float(out, view->events[i].x);
    for (size_t i = 0; i < view->events_len; i++)
        put_float(out, view->events[i].time);
}

static void put_counters(lc_text *out, const lc_events_view *view)
{
    put_zeros(out, 48);
    put32(out, 2 * HEADER + 12 * view->events_len);
    put_zeros(out, 12);
    for (size_t i = 0; i < view->events_len; i++)
        put32(out, view->events[i].kind < COUNTERS ? view->events[i].kind : COUNTERS - 1);
}

static loco_status write_points(lc_text *out, const lc_events_view *view, loco_err *err)
{
    frame all = frame_of(view);
    put_header(out, view->events_len, all);
    put_points(out, view, all);
    put_counters(out, view);
    return out->failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the points of an image") : LOCO_OK;
}

const lc_format lc_format_roi = {
    .name = "roi",
    .endings = {{".roi", LC_ENDING_WRITES}},
    .one_file = true,
    .places = LC_PLACES_ONLY,
    .write = write_points,
};

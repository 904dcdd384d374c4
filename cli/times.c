/* SPDX-License-Identifier: MIT
 *
 * times.c - times on the command line: a number with its unit.
 */
#include "times.h"

#include "cli.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TIME = 40, MOST_TOLERANCE = 60, MOST_PIXELS = 10000 };

static const struct unit {
    const char *name;
    double seconds;
} units[] = {
    {"us",  1e-6},
    {"ms",  1e-3},
    {"s",   1   },
    {"min", 60  },
    {"h",   3600},
};

/* Divided where the unit is a part of a second: 50ms is then the double nearest to 0.05; 50 * 1e-3 need not be. */
static double in_seconds(double number, double unit)
{
    return unit < 1 ? number / round(1 / unit) : number * unit;
}

static const struct unit *find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

/* Both readings of a number without a unit. Below 1 it was probably meant in seconds. */
static loco_status no_unit(double number, loco_err *err)
{
    return lc_cli_error(err, LOCO_EARG, "write the unit: %gms or %gs", number < 1 ? 1000 * number : number, number);
}

/* The first character is a digit or a point, so strtod reads no sign, inf or nan; 0x would be hexadecimal. */
loco_status lc_time_parse(double *seconds, const char *text, size_t length, loco_err *err)
{
    char copy[LONGEST_TIME + 1] = "", *end = copy;
    bool begins = length > 0 && length <= LONGEST_TIME && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
    if (begins)
        memcpy(copy, text, length);
    bool hexadecimal = copy[0] == '0' && (copy[1] == 'x' || copy[1] == 'X');
    double number = begins && !hexadecimal ? strtod(copy, &end) : -1;
    if (end == copy || !isfinite(number))
        return lc_cli_error(err, LOCO_EARG, "not a time; write such as 50ms, 0.5s or 2min");
    if (*end == 0)
        return no_unit(number, err);
    const struct unit *unit = find_unit(end);
    if (unit == NULL)
        return lc_cli_error(err, LOCO_EARG, "\"%s\" is not a unit of time; use us, ms, s, min or h", end);
    *seconds = in_seconds(number, unit->seconds);
    return LOCO_OK;
}

/* "14px", or false. */
static bool read_pixels(double *pixels, const char *text, size_t length)
{
    char copy[LONGEST_TIME + 1] = "", *end = copy;
    if (length < 3 || length > LONGEST_TIME || !((text[0] >= '0' && text[0] <= '9') || text[0] == '.'))
        return false;
    memcpy(copy, text, length);
    *pixels = strtod(copy, &end);
    return strcmp(end, "px") == 0 && isfinite(*pixels);
}

/* A list of times, or where pixels is not NULL also one of pixels. */
static loco_status read_list(double *numbers, size_t *len, bool *pixels, size_t most, double longest, const char *text,
                             loco_err *err)
{
    size_t found = 0, in_pixels = 0;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (found == most)
            return lc_cli_error(err, LOCO_EARG, "more than %zu times", most);
        bool distance = pixels != NULL && read_pixels(&numbers[found], text, length);
        loco_status status = distance ? LOCO_OK : lc_time_parse(&numbers[found], text, length, err);
        if (status != LOCO_OK)
            return status;
        if (distance && !(numbers[found] > 0 && numbers[found] <= MOST_PIXELS))
            return lc_cli_error(err, LOCO_EARG, "takes distances above 0, up to %dpx", MOST_PIXELS);
        if (!distance && !(numbers[found] > 0 && numbers[found] <= longest))
            return lc_cli_error(err, LOCO_EARG, "takes times above 0, up to %gs", longest);
        in_pixels += distance;
        found++;
        text += length;
        if (*text == 0)
            break;
    }
    if (in_pixels > 0 && in_pixels < found)
        return lc_cli_error(err, LOCO_EARG, "write all of them in px, for images, or all as times");
    if (pixels != NULL)
        *pixels = in_pixels > 0;
    *len = found;
    return LOCO_OK;
}

loco_status lc_times_parse(double *seconds, size_t *len, size_t most, double longest, const char *text, loco_err *err)
{
    return read_list(seconds, len, NULL, most, longest, text, err);
}

loco_status lc_tolerances_parse(double *tolerances, size_t *len, bool *pixels, size_t most, const char *text,
                                loco_err *err)
{
    return read_list(tolerances, len, pixels, most, MOST_TOLERANCE, text, err);
}

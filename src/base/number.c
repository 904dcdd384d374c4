/* SPDX-License-Identifier: MIT
 * number.c - decimal numbers, the same in every locale.
 *   strtod rounds correctly but expects the decimal point of the user's language, and takes more than we want; so the
 *   form is checked first, and the point exchanged. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 63 }; /* bytes of a number; a double needs at most 17 digits */

static size_t digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* Whether it is [sign] digits [. digits] [e [sign] digits]; *point: where the point is, or length. */
static bool well_formed(const char *text, size_t length, size_t *point)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+'), whole = digits(text + at, length - at), part = 0;
    at += whole;
    *point = length;
    if (at < length && text[at] == '.') {
        *point = at++;
        part = digits(text + at, length - at);
        at += part;
    }
    if (whole + part == 0)
        return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '-' || text[at] == '+');
        size_t power = digits(text + at, length - at);
        at += power;
        if (power == 0)
            return false;
    }
    return at == length;
}

/* copy: the text with the point of the locale, which may be several bytes, in place of `.`. */
bool lc_number_parse(const char *text, size_t length, double *number)
{
    char copy[2 * MOST + 2];
    size_t point;
    if (length > MOST || !well_formed(text, length, &point))
        return false;
    const char *mark = localeconv()->decimal_point;
    size_t mark_length = strlen(mark), rest = point < length ? length - point - 1 : 0;
    if (mark_length > MOST)
        return false;
    memcpy(copy, text, point);
    memcpy(copy + point, mark, point < length ? mark_length : 0);
    size_t after = point + (point < length ? mark_length : 0);
    memcpy(copy + after, text + (point < length ? point + 1 : point), rest);
    copy[after + rest] = 0;
    double value = strtod(copy, NULL);
    if (!isfinite(value))
        return false;
    *number = value;
    return true;
}

bool lc_number_parse_comma(const char *text, size_t length, double *number)
{
    char copy[MOST];
    const char *comma = length <= MOST ? memchr(text, ',', length) : NULL;
    if (comma == NULL)
        return lc_number_parse(text, length, number);
    memcpy(copy, text, length);
    copy[comma - text] = '.';
    return lc_number_parse(copy, length, number); /* a second comma or a point is refused there */
}

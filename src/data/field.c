/* SPDX-License-Identifier: MIT
 *
 * field.c - pieces of text that came from outside: read as numbers, checked, and shown in sentences.
 *
 * Numbers are not left to strtod, which reads 0.5 as 0 where the user's language has a comma. Up to 19 digits are
 * gathered in an integer m, and m * 10^e is formed by one multiplication or division: with m < 2^53 and |e| <= 22 both
 * sides are exact doubles, so that the result is the nearest one. Times with 6 decimals below 1e9 are such.
 */
#include "data/field.h"

#include "base/show.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NUMBER = 63, MOST_DIGITS = 19, MOST_EXPONENT = 400, EXACT_POWER = 22, SHOWN_PATH = 56 };

/* m * 10^e, by steps of at most 10^22. */
static double scale(uint64_t m, int e)
{
    static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value = (double)m;
    for (int left = e < 0 ? -e : e; left > 0; left -= EXACT_POWER) {
        double power = powers[left < EXACT_POWER ? left : EXACT_POWER];
        value = e < 0 ? value / power : value * power;
    }
    return value;
}

/* Digits with at most one point; *e counts what the integer misses. False without a digit. */
static bool take_digits(const char **at, const char *end, uint64_t *m, int *e)
{
    bool point = false, any = false;
    int used = 0;
    for (; *at < end; (*at)++) {
        char c = **at;
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        any = true;
        if (used < MOST_DIGITS) {
            *m = 10 * *m + (uint64_t)(c - '0');
            used += *m > 0; /* zeros in front do not count */
            *e -= point;
        } else {
            *e += !point;
        }
    }
    return any;
}

/* e, a sign, digits; held to +-MOST_EXPONENT, beyond which all is 0 or infinite. */
static bool take_exponent(const char **at, const char *end, int *e)
{
    int value = 0;
    (*at)++;
    bool minus = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+'))
        (*at)++;
    const char *first = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        value = value > MOST_EXPONENT ? value : 10 * value + (**at - '0');
    value = value > MOST_EXPONENT ? MOST_EXPONENT : value;
    *e += minus ? -value : value;
    return *at > first;
}

bool lc_field_number(const char *text, size_t length, double *number)
{
    if (length == 0 || length > LONGEST_NUMBER)
        return false;
    const char *at = text, *end = text + length;
    bool minus = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    uint64_t m = 0;
    int e = 0;
    if (!take_digits(&at, end, &m, &e))
        return false;
    if (at < end && (*at == 'e' || *at == 'E') && !take_exponent(&at, end, &e))
        return false;
    double value = m == 0 ? 0 : scale(m, e); /* 0e999 is 0, and not 0 * infinity */
    if (at < end || !isfinite(value))
        return false;
    *number = minus ? -value : value;
    return true;
}

/* Of ASCII; those of Latin-1 are seen to where text is shown. */
static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

loco_status lc_field_check(const char *path, const char *text, size_t length, loco_err *err)
{
    const unsigned char *at = (const unsigned char *)text, *end = length > 0 ? at + length : at;
    size_t line = 1;
    while (at < end) {
        size_t step = lc_utf8_length(at, end);
        if (step == 0)
            return lc_err_set(err, LOCO_EDATA, "%s: the byte 0x%02x is not UTF-8; save the file as UTF-8",
                              lc_place_show((lc_place){path, line, NULL}).text, *at);
        if (is_control(*at) && *at != '\t' && *at != '\n' && *at != '\r')
            return lc_err_set(err, LOCO_EDATA, "%s: the byte 0x%02x is a control character; is this a text file?",
                              lc_place_show((lc_place){path, line, NULL}).text, *at);
        line += *at == '\n';
        at += step;
    }
    return LOCO_OK;
}

size_t lc_field_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

lc_field_shown lc_field_show(const char *text, size_t length)
{
    lc_field_shown shown = {""};
    lc_show_into(shown.text, sizeof shown.text, text, length);
    return shown;
}

/* The last SHOWN_PATH bytes of a path; bytes of a character that was cut in two show as ?. */
static void show_path(char out[SHOWN_PATH + 8], const char *path)
{
    size_t length = strlen(path), cut = length > SHOWN_PATH ? length - SHOWN_PATH : 0;
    size_t points = cut > 0 ? 3 : 0;
    memset(out, '.', points);
    lc_show_into(out + points, SHOWN_PATH + 4, path + cut, length - cut);
}

lc_where lc_place_show(lc_place place)
{
    lc_where where;
    char path[SHOWN_PATH + 8];
    show_path(path, place.path);
    int used = snprintf(where.text, sizeof where.text, "%s", path);
    if (place.line > 0)
        used += snprintf(where.text + used, sizeof where.text - (size_t)used, ":%zu", place.line);
    if (place.column != NULL) {
        char column[32];
        lc_show_into(column, sizeof column, place.column, strlen(place.column));
        snprintf(where.text + used, sizeof where.text - (size_t)used, ": column \"%s\"", column);
    }
    return where;
}

lc_where lc_place_byte(const char *path, size_t byte)
{
    lc_where where;
    char shown[SHOWN_PATH + 8];
    show_path(shown, path);
    snprintf(where.text, sizeof where.text, "%s, byte %zu", shown, byte);
    return where;
}

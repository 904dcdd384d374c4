/* SPDX-License-Identifier: MIT
 * plain_text.c - text files that people write: the check of their bytes, and places in them for messages.
 *
 * A message has 256 bytes for the place, the value (at most 59, see show.h) and the advice. So a place takes 128 at
 * most, of which the path has SHOWN_PATH: its end, since file names differ more than the folders above them. */
#include "base/plain_text.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_PATH = 56 };

/* ASCII only: lc_show replaces those of Latin-1, which are harmless in a file. */
static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/* Character by character, counting lines for the message. */
loco_status lc_plain_text_check(const char *path, const char *text, size_t length, loco_err *err)
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

size_t lc_plain_text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* The last SHOWN_PATH bytes of a path; bytes of a character that was cut in two become ?. */
static void show_path(char out[SHOWN_PATH + 8], const char *path)
{
    size_t length = strlen(path), cut = length > SHOWN_PATH ? length - SHOWN_PATH : 0;
    size_t points = cut > 0 ? 3 : 0;
    memset(out, '.', points);
    lc_show_into(out + points, SHOWN_PATH + 4, path + cut, length - cut);
}

/* At most 62 bytes of path, 21 of line and 31 of column, with the words between: less than 128. */
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

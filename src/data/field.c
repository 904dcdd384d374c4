/* SPDX-License-Identifier: MIT
 *
 * field.c - pieces of text that came from outside: checked, and shown in sentences.
 *
 * A sentence has 256 bytes for the place, the value and what would be right. So a place takes 128 at most, of which the
 * path has SHOWN_PATH: its end, for folders tell files apart less than names do.
 */
#include "data/field.h"

#include "base/show.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_PATH = 56 };

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

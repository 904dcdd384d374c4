/* SPDX-License-Identifier: MIT
 *
 * text.h - a byte string that grows: append and append, ask once at the end whether memory sufficed.
 *
 *     lc_text text = {0};
 *     lc_text_format(&text, "frame %zu\n", t);
 *     if (text.failed) ...out of memory...
 *     lc_text_free(&text);
 *
 * bytes[length] is 0 as soon as something was appended, so that the content is also a C string. After a failure all
 * appends do nothing, and bytes hold what was there before it.
 */
#ifndef LC_BASE_TEXT_H
#define LC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lc_text {
    char *bytes;
    size_t length;
    size_t capacity;
    bool failed;
} lc_text;

void lc_text_append(lc_text *text, const char *bytes, size_t length);
void lc_text_string(lc_text *text, const char *string);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void lc_text_format(lc_text *text, const char *format, ...);

/* Appends value rounded to at most 9 decimals, without trailing zeros: 12.50 becomes 12.5, -0.001 with two decimals
 * becomes 0. Unlike printf it writes a point in every locale. Values beyond +-1e9 are written as +-1e9, a NaN as 0. */
void lc_text_number(lc_text *text, double value, unsigned decimals);

/* The same with all decimals kept: 12.50 stays 12.50. */
void lc_text_fixed(lc_text *text, double value, unsigned decimals);

/* Of lines "NAME: words" in a row that say the same of different names, four or more become one: "21 ... 108 (88 in all): words".
 * Without memory for it the text stays as it is, and has failed. */
void lc_text_fold(lc_text *lines);

void lc_text_free(lc_text *text);

#endif

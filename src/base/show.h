/* SPDX-License-Identifier: MIT
 * show.h - text from outside: is it UTF-8, and how a sentence shows it. */
#ifndef LC_BASE_SHOW_H
#define LC_BASE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 character at `at`, which lies before end, or 0 when it is none: longer forms than needed,
 * surrogates and values above 10FFFF are none. */
size_t lc_utf8_length(const unsigned char *at, const unsigned char *end);

bool lc_utf8_valid(const char *string, size_t length);

/* Copies length bytes as a sentence can show them: what is no text becomes ?, one for each character or stray byte, and
 * a long text is cut between two characters. out has size bytes, at least 4, and ends with a 0. */
void lc_show_into(char *out, size_t size, const char *text, size_t length);

/* The same with room for LC_SHOWN_MAX bytes, as a value, for use within the arguments of a sentence. */
enum { LC_SHOWN_MAX = 56 };
typedef struct lc_shown {
    char text[LC_SHOWN_MAX + 4];
} lc_shown;

lc_shown lc_show(const char *string);
lc_shown lc_show_bytes(const char *text, size_t length);

#endif

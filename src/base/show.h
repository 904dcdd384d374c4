/* SPDX-License-Identifier: MIT
 * show.h - the one place that makes text from outside safe for a message: no control character, escape sequence or new
 *   line reaches a terminal or a log. A message quotes a file, a name or an argument by lc_show, which also cuts it:
 *
 *     lc_err_set(err, LOCO_EDATA, "no class \"%s\"", lc_show(name).text);
 *
 *   and every error message as a whole passes lc_show_clean (status.c). */
#ifndef LC_BASE_SHOW_H
#define LC_BASE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 character at `at`, which lies before end; 0 where the bytes are not UTF-8: overlong forms,
 * surrogates and values above 10FFFF are refused. */
size_t lc_utf8_length(const unsigned char *at, const unsigned char *end);

/* The same; *plain: whether the character may be shown. No control character may, nor what ends a line or reorders it. */
size_t lc_shown_length(const unsigned char *at, const unsigned char *end, bool *plain);

bool lc_utf8_valid(const char *string, size_t length);

/* Copies length bytes: each character that may not be shown and each byte that is not UTF-8 becomes ?, and a long text is cut between
 * two characters and ends in "...". out has size bytes, at least 4, and ends with a 0. */
void lc_show_into(char *out, size_t size, const char *text, size_t length);

/* The same with room for LC_SHOWN_MAX bytes, returned by value for use as the argument of a message. */
enum { LC_SHOWN_MAX = 56 };
typedef struct lc_shown {
    char text[LC_SHOWN_MAX + 4];
} lc_shown;

lc_shown lc_show(const char *string);
lc_shown lc_show_bytes(const char *text, size_t length);

/* A word of a line whose valid words are ASCII: every other byte becomes ?, so that a look-alike letter is visible; cut
 * to LC_SHOWN_WORD bytes, without dots. */
enum { LC_SHOWN_WORD = 32 };
lc_shown lc_show_word(const char *text, size_t length);

/* The replacement of lc_show_into in place, without a cut: the string may become shorter. */
void lc_show_clean(char *string);

/* The same for a text of several lines: line feeds and tabs stay, carriage returns before them go. */
void lc_show_clean_lines(char *string);

/* Whether a name can be shown as it is: UTF-8 without such characters. */
bool lc_show_passes(const char *name);

/* Copies a text into a cell of a Markdown table: what would be HTML, a link, emphasis or the end of the cell is not. out
 * has size bytes, at least 8; a long text is cut. */
void lc_show_markdown(char *out, size_t size, const char *text);

#endif

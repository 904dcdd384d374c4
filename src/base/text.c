/* SPDX-License-Identifier: MIT
 *
 * text.c - a byte string that grows.
 *
 * Layout: bytes[0 .. length-1] content, bytes[length] = 0, capacity bytes in all. The capacity doubles, so that n
 * appends cost O(n); every sum that could wrap is checked before it is formed. Failure is sticky: a writer of a
 * thousand small pieces looks at `failed` once, at the end.
 */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, MOST_DECIMALS = 9 };

/* Makes room for `more` bytes and the final 0; false, and failed set, when that is impossible. */
static bool reserve(lc_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more < text->capacity - text->length) /* an empty text has 0 - 0, and more < 0 is false */
        return true;
    if (more >= SIZE_MAX - text->length) {
        text->failed = true;
        return false;
    }
    size_t need = text->length + more + 1;
    size_t capacity = text->capacity > SIZE_MAX / 2 ? need : 2 * text->capacity;
    if (capacity < need)
        capacity = need;
    if (capacity < FIRST_CAPACITY)
        capacity = FIRST_CAPACITY;
    char *bytes = realloc(text->bytes, capacity);
    if (bytes == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void lc_text_append(lc_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length > 0)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void lc_text_string(lc_text *text, const char *string)
{
    lc_text_append(text, string, strlen(string));
}

/* Formats twice: the first time measures. A guess at the length would save that where it fits, but nothing here is
 * in an inner loop. */
void lc_text_format(lc_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        text->failed = true;
    else if (reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

/* Writes round(value * 10^decimals) as digits with a point; the length comes back. By integers: printf would take
 * the decimal sign from the locale. 1e9 * 10^9 is below the largest long long, 9.2e18, and -0.001 with two decimals
 * has a scaled value of 0, hence no sign. */
static size_t format_fixed(char digits[32], double value, unsigned decimals)
{
    if (decimals > MOST_DECIMALS)
        decimals = MOST_DECIMALS;
    long long scale = 1;
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    double bounded = isnan(value) ? 0 : fmax(-1e9, fmin(1e9, value));
    long long scaled = llround(bounded * (double)scale);
    long long whole = llabs(scaled) / scale, part = llabs(scaled) % scale;
    const char *sign = scaled < 0 ? "-" : "";
    int length = decimals ? snprintf(digits, 32, "%s%lld.%0*lld", sign, whole, (int)decimals, part)
                          : snprintf(digits, 32, "%s%lld", sign, whole);
    return (size_t)length;
}

void lc_text_fixed(lc_text *text, double value, unsigned decimals)
{
    char digits[32];
    size_t length = format_fixed(digits, value, decimals);
    lc_text_append(text, digits, length);
}

/* Zeros at the end go, and a point that nothing follows; without a point zeros belong to the number. */
void lc_text_number(lc_text *text, double value, unsigned decimals)
{
    char digits[32];
    size_t length = format_fixed(digits, value, decimals);
    if (memchr(digits, '.', length) != NULL) {
        while (digits[length - 1] == '0')
            length--;
        if (digits[length - 1] == '.')
            length--;
    }
    lc_text_append(text, digits, length);
}

/* A line, from the start of its name to behind its newline, and where its words begin: at the first ": ", or at its start
 * where there is none. */
typedef struct folded_line {
    const char *begin, *words, *end;
} folded_line;

static folded_line line_at(const char *at)
{
    size_t length = strcspn(at, "\n");
    const char *words = strstr(at, ": ");
    return (folded_line){at, words != NULL && words < at + length ? words : at, at + length + (at[length] == '\n')};
}

static bool same_words(folded_line a, folded_line b)
{
    size_t length = (size_t)(a.end - a.words);
    return a.words > a.begin && b.words > b.begin && (size_t)(b.end - b.words) == length &&
           memcmp(a.words, b.words, length) == 0;
}

void lc_text_fold(lc_text *lines)
{
    enum { LEAST = 4 };
    lc_text out = {0};
    for (const char *at = lines->bytes; !lines->failed && at != NULL && *at != 0;) {
        folded_line first = line_at(at), last = first;
        size_t n = 1;
        for (folded_line next; *last.end != 0 && (next = line_at(last.end), same_words(first, next)); n++)
            last = next;
        if (n < LEAST) {
            last = first;
            lc_text_append(&out, first.begin, (size_t)(first.end - first.begin));
        } else {
            lc_text_format(&out, "%.*s ... %.*s (%zu in all)", (int)(first.words - first.begin), first.begin,
                           (int)(last.words - last.begin), last.begin, n);
            lc_text_append(&out, first.words, (size_t)(first.end - first.words));
        }
        at = last.end;
    }
    lines->failed |= out.failed;
    if (out.failed || out.bytes == NULL) {
        lc_text_free(&out);
        return;
    }
    lc_text_free(lines);
    *lines = out;
}

void lc_text_free(lc_text *text)
{
    free(text->bytes);
    *text = (lc_text){0};
}

/* SPDX-License-Identifier: MIT
 *
 * numbers.c - reads a list of numbers from text.
 *
 * The text is cut into words, and each word must be a number as a whole: 1.5x, 0x10 and 1e999 are refused, not half
 * read. Nor may a comma stand without a number before it on its line, as in `1,,2` and `,1`: a missing value, silently
 * skipped, would move all later frames. A comma at the end of a line is fine, as lists are often wrapped: `1,2,` and
 * `3` on the next line are three numbers.
 *
 * The locale does not matter, since the command never sets one: the decimal sign is a point.
 */
#include "numbers.h"

#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 10 million frames are a day at 115 frames/s; 256 MB leave 26 bytes for each, 17 digits with sign, exponent and more.
 * No program writes numbers of more than 63 bytes. */
enum { MOST_BYTES = 256 * 1024 * 1024, LONGEST_WORD = 63, LONGEST_SHOWN = 30, FIRST_READ = 65536 };

/* The state of the reader. */
typedef struct number_reader {
    const char *name, *at, *end;
    size_t line;
    bool number_before; /* on this line, since the last comma */
    lc_numbers found;
    size_t capacity;
} number_reader;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* A word may end at a comment without a space: `7#8` is 7. */
static bool ends_word(char c)
{
    return is_space(c) || c == '\n' || c == ',' || c == '#';
}

static loco_status add(number_reader *r, double value, loco_err *err)
{
    lc_numbers *found = &r->found;
    if (found->len == LC_NUMBERS_MOST)
        return lc_cli_error(err, LOCO_EDATA, "%.100s:%zu: more than %d numbers; cut the recording into shorter clips",
                            r->name, r->line, LC_NUMBERS_MOST);
    if (found->len == r->capacity) {
        size_t capacity = r->capacity == 0 ? 1024 : 2 * r->capacity; /* far from SIZE_MAX: bounded by LC_NUMBERS_MOST */
        double *values = realloc(found->values, capacity * sizeof *values);
        if (values == NULL)
            return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu numbers", capacity);
        found->values = values;
        r->capacity = capacity;
    }
    found->values[found->len++] = value;
    return LOCO_OK;
}

/* Messages go to a terminal, and input may be anything: no byte of it may reach the terminal as a control code.
 * A word that can be shown: control bytes and what is not ASCII as '?', the end cut off. */
static const char *shown(char out[LONGEST_SHOWN + 4], const char *word, size_t length)
{
    size_t n = length < LONGEST_SHOWN ? length : LONGEST_SHOWN;
    for (size_t i = 0; i < n; i++)
        out[i] = word[i] >= 0x20 && word[i] < 0x7f ? word[i] : '?';
    memcpy(out + n, length > n ? "..." : "", length > n ? 4 : 1);
    return out;
}

/* The whole word as a number; false when it is not one. Letters are only those of e, inf and infinity: not 0x10,
 * not nan(...). */
static bool read_word(const char *word, size_t length, double *value)
{
    char copy[LONGEST_WORD + 1];
    if (length > LONGEST_WORD || memchr(word, 'x', length) != NULL || memchr(word, 'X', length) != NULL)
        return false;
    memcpy(copy, word, length);
    copy[length] = 0;
    char *end;
    *value = strtod(copy, &end);
    return end == copy + length;
}

static loco_status take_word(number_reader *r, loco_err *err)
{
    const char *word = r->at;
    while (r->at < r->end && !ends_word(*r->at))
        r->at++;
    size_t length = (size_t)(r->at - word);
    char text[LONGEST_SHOWN + 4];
    double value;
    if (!read_word(word, length, &value))
        return lc_cli_error(err, LOCO_EDATA, "%.100s:%zu: \"%s\" is not a number; write one such as -2.5, inf or -inf",
                            r->name, r->line, shown(text, word, length));
    if (isnan(value))
        return lc_cli_error(err, LOCO_EDATA, "%.100s:%zu: \"%s\" is not a logit; write a number, inf or -inf", r->name,
                            r->line, shown(text, word, length));
    /* Infinite without an n, so not written as inf: strtod overflowed. */
    if (isinf(value) && memchr(word, 'n', length) == NULL && memchr(word, 'N', length) == NULL)
        return lc_cli_error(err, LOCO_EDATA, "%.100s:%zu: \"%s\" is too large; write inf or -inf for a certain frame",
                            r->name, r->line, shown(text, word, length));
    r->number_before = true;
    return add(r, value, err);
}

/* A comma ends a value, it does not begin one; so it is enough to look back. */
static loco_status take_comma(number_reader *r, loco_err *err)
{
    if (!r->number_before)
        return lc_cli_error(err, LOCO_EDATA, "%.100s:%zu: a number is missing before a comma", r->name, r->line);
    r->number_before = false;
    r->at++;
    return LOCO_OK;
}

/* One word, separator or comment. A comment stops before its line end, which then counts the line. */
static loco_status take_next(number_reader *r, loco_err *err)
{
    char c = *r->at;
    if (c == '\n') {
        r->line++;
        r->number_before = false;
        r->at++;
    } else if (c == '#') {
        const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
        r->at = newline != NULL ? newline : r->end;
    } else if (c == ',')
        return take_comma(r, err);
    else if (is_space(c))
        r->at++;
    else
        return take_word(r, err);
    return LOCO_OK;
}

loco_status lc_numbers_parse(lc_numbers *numbers, const char *name, const char *text, size_t length, loco_err *err)
{
    number_reader r = {.name = name, .at = text, .end = length > 0 ? text + length : text, .line = 1};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* the mark that some editors begin a file with */
        r.at += 3;
    while (r.at < r.end) {
        loco_status status = take_next(&r, err);
        if (status != LOCO_OK) {
            lc_numbers_free(&r.found);
            return status;
        }
    }
    if (r.found.len == 0)
        return lc_cli_error(err, LOCO_EDATA, "%.100s: no numbers; write one logit for each frame", name);
    *numbers = r.found;
    return LOCO_OK;
}

/* Reads all of the stream, whose size is not asked for: a pipe has none. Its end shows only when a read comes back
 * short, so a file of exactly MOST_BYTES is refused as well. The caller frees the text, also on failure. */
static loco_status read_stream(FILE *stream, const char *name, char **text, size_t *length, loco_err *err)
{
    size_t capacity = 0;
    *text = NULL;
    for (*length = 0; !feof(stream);) {
        if (*length == capacity) {
            if (capacity == MOST_BYTES)
                return lc_cli_error(err, LOCO_EDATA, "%.100s is larger than %d MB", name, MOST_BYTES / 1024 / 1024);
            capacity = capacity == 0 ? FIRST_READ : 2 * capacity;
            char *larger = realloc(*text, capacity);
            if (larger == NULL)
                return lc_cli_error(err, LOCO_ENOMEM, "out of memory while reading %.100s", name);
            *text = larger;
        }
        *length += fread(*text + *length, 1, capacity - *length, stream);
        if (ferror(stream))
            return lc_cli_error(err, LOCO_EIO, "cannot read %.150s: %s", name, strerror(errno));
    }
    return LOCO_OK;
}

/* Standard input stays open: it is not ours to close, and a second - reads nothing and says so. */
loco_status lc_numbers_load(lc_numbers *numbers, const char *path, loco_err *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL)
        return lc_cli_error(err, LOCO_EIO, "cannot read %.150s: %s", path, strerror(errno));
    char *text;
    size_t length;
    loco_status status = read_stream(stream, name, &text, &length, err);
    if (!standard)
        fclose(stream);
    if (status == LOCO_OK)
        status = lc_numbers_parse(numbers, name, text, length, err);
    free(text);
    return status;
}

void lc_numbers_free(lc_numbers *numbers)
{
    free(numbers->values);
    *numbers = (lc_numbers){0};
}

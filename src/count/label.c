/* SPDX-License-Identifier: MIT
 * label.c - what is known about a count: `3`, `2..5`, `>=1`, `<=4`, `?`.
 *   label := number | number ".." number | ">=" number | "<=" number | "?"   with spaces anywhere between the parts. */
#include "base/status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A label is a range lo..hi of counts; LOCO_NO_LIMIT, the largest size_t, stands for no upper limit. */

enum { SHOWN_MAX = 40 }; /* bytes of a wrong label that an error repeats */

loco_label loco_label_exact(size_t n)
{
    return (loco_label){n, n};
}

loco_label loco_label_range(size_t lo, size_t hi)
{
    return (loco_label){lo, hi};
}

loco_label loco_label_at_least(size_t n)
{
    return (loco_label){n, LOCO_NO_LIMIT};
}

loco_label loco_label_at_most(size_t n)
{
    return (loco_label){0, n};
}

loco_label loco_label_unknown(void)
{
    return (loco_label){0, LOCO_NO_LIMIT};
}

/* ---- reading ---- */

/* What is left of the text, which need not end with a 0. */
typedef struct label_cursor {
    const char *at, *end;
} label_cursor;

static void skip_spaces(label_cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

/* Takes the word off, with the spaces before it; false, and only spaces gone, when something else is there. */
static bool take(label_cursor *c, const char *word)
{
    size_t n = strlen(word);
    skip_spaces(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

/* A whole number below LOCO_NO_LIMIT. */
static bool take_number(label_cursor *c, size_t *number)
{
    size_t n = 0;
    skip_spaces(c);
    if (c->at == c->end || *c->at < '0' || *c->at > '9')
        return false;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        size_t digit = (size_t)(*c->at - '0');
        if (n > (LOCO_NO_LIMIT - 1 - digit) / 10)
            return false;
        n = 10 * n + digit;
    }
    *number = n;
    return true;
}

/* The caller refuses text behind the label. An open end keeps the limit of an unknown count: 0 below, none
 * above. */
static bool take_label(label_cursor *c, loco_label *label)
{
    *label = loco_label_unknown();
    if (take(c, "?"))
        return true;
    if (take(c, ">="))
        return take_number(c, &label->lo);
    if (take(c, "<="))
        return take_number(c, &label->hi);
    if (!take_number(c, &label->lo))
        return false;
    label->hi = label->lo;
    return take(c, "..") ? take_number(c, &label->hi) : true;
}

loco_status loco_label_parse(loco_label *label, const char *text, size_t length, loco_err *err)
{
    if (label == NULL || text == NULL)
        return lc_err_set(err, LOCO_EARG, "label and text must not be NULL");
    label_cursor c = {text, text + length};
    loco_label result;
    bool good = take_label(&c, &result);
    skip_spaces(&c);
    int shown = length < SHOWN_MAX ? (int)length : SHOWN_MAX;
    if (!good || c.at != c.end)
        return lc_err_set(err, LOCO_EDATA, "\"%.*s\" is not a count; write 3, 2..5, >=1, <=4 or ?", shown, text);
    if (result.lo > result.hi)
        return lc_err_set(err, LOCO_EDATA, "the range \"%.*s\" is empty; write the smaller count first: %zu..%zu",
                          shown, text, result.hi, result.lo);
    *label = result;
    return LOCO_OK;
}

/* The shortest form that reads back as the same label: 0..4 is written <=4. Like snprintf, and so the length that would
 * be needed comes back even where size is less. */
size_t loco_label_format(char *text, size_t size, loco_label label)
{
    int n;
    if (label.lo == label.hi)
        n = snprintf(text, size, "%zu", label.lo);
    else if (label.hi != LOCO_NO_LIMIT)
        n = label.lo == 0 ? snprintf(text, size, "<=%zu", label.hi)
                          : snprintf(text, size, "%zu..%zu", label.lo, label.hi);
    else
        n = label.lo == 0 ? snprintf(text, size, "?") : snprintf(text, size, ">=%zu", label.lo);
    return (size_t)n;
}

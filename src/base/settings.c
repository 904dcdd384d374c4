/* SPDX-License-Identifier: MIT
 * settings.c - settings as one readable line: a kind, then key=value pairs in any order.
 *   Inside, every value is a double, whatever its form in the caller's struct: load and store are the only two
 *   functions that know the forms.
 *   Numbers are rounded to the 9 decimals that formatting writes: a line that is read, written and read again gives the
 *   same bits. From 2^23 on doubles are more than 1e-9 apart, so that 9 decimals name each of them as it is. */
#include "base/settings.h"

#include "base/number.h"
#include "base/show.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

enum { DECIMALS = 9 };

static const double unit = 1e9; /* 10^DECIMALS */

typedef struct word {
    const char *at;
    size_t length;
} word;

static lc_shown show(word w)
{
    return lc_show_word(w.at, w.length);
}

static bool is_word(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Takes the next word off the line; its length is 0 at the end. */
static word next_word(word *line)
{
    while (line->length > 0 && is_space(*line->at)) {
        line->at++;
        line->length--;
    }
    word w = {line->at, 0};
    while (line->length > 0 && !is_space(*line->at)) {
        line->at++;
        line->length--;
        w.length++;
    }
    return w;
}

static const char *title_of(const lc_settings_kind *kind)
{
    return kind->title != NULL ? kind->title : kind->name;
}

/* ---- what is wrong ---- */

/* "hann or hamming": all names, with `last` before the last. */
static void list(lc_text *text, const char *const *names, size_t names_len, const char *last)
{
    for (size_t i = 0; i < names_len; i++)
        lc_text_format(text, "%s%s", i == 0 ? "" : i + 1 < names_len ? ", " : last, names[i]);
}

/* Names are keys or kinds: the nearest, else all that exist. */
static loco_status refuse_name(const char *title, word w, const char *what, const char *const *names, size_t names_len,
                               loco_err *err)
{
    lc_text text = {0};
    const char *near = loco_nearest(show(w).text, names, names_len);
    if (near != NULL) {
        lc_text_format(&text, "did you mean %s?", near);
    } else {
        lc_text_string(&text, "it is one of ");
        list(&text, names, names_len, " and ");
    }
    lc_err_write(err, "%s%s\"%s\" is not a %s; %s", title, *title != 0 ? ": " : "", show(w).text, what,
                 text.failed ? "see the manual" : text.bytes);
    lc_text_free(&text);
    return LOCO_EDATA;
}

/* `peak: "window" is not a setting; it is one of threshold, gap, versions and snap` */
static loco_status refuse_key(const lc_settings_kind *kind, word key, loco_err *err)
{
    const char *names[LC_SETTINGS_MOST];
    for (size_t i = 0; i < kind->keys_len; i++)
        names[i] = kind->keys[i].key;
    return refuse_name(title_of(kind), key, "setting", names, kind->keys_len, err);
}

/* Where there is but one kind, the line is meant for it. */
static loco_status refuse_kind(const lc_settings_kind *kinds, size_t kinds_len, word name, loco_err *err)
{
    const char *names[LC_SETTINGS_MOST];
    if (kinds_len == 1)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" stands where the line must begin with the word %s",
                          title_of(kinds), show(name).text, kinds->name);
    for (size_t i = 0; i < kinds_len; i++)
        names[i] = kinds[i].name;
    return refuse_name("", name, "kind of settings", names, kinds_len, err);
}

static size_t words_of(const lc_setting *s)
{
    size_t n = 0;
    while (s->words[n] != NULL)
        n++;
    return n;
}

/* `box: width=9 is out of range; write a number from 0.25 to 8` */
static loco_status refuse_value(const lc_settings_kind *kind, const lc_setting *s, const char *value, const char *wrong,
                                loco_err *err)
{
    lc_text right = {0};
    if (s->form == LC_SETTING_WORD) {
        list(&right, s->words, words_of(s), " or ");
    } else {
        lc_text_format(&right, "a %snumber from ", s->form == LC_SETTING_WHOLE ? "whole " : "");
        lc_text_number(&right, s->low, DECIMALS);
        lc_text_string(&right, " to ");
        lc_text_number(&right, s->high, DECIMALS);
    }
    lc_err_write(err, "%s: %s=%s %s; write %s", title_of(kind), s->key, value, wrong,
                 right.failed ? "what fits" : right.bytes);
    lc_text_free(&right);
    return LOCO_EDATA;
}

/* ---- values ---- */

/* The value of a setting in the caller's struct, by memcpy: `at` is an offset of any type. */
static double load(const void *values, const lc_setting *s)
{
    const unsigned char *at = (const unsigned char *)values + s->at;
    double real = 0;
    size_t whole = 0;
    unsigned index = 0;
    switch (s->form) {
    case LC_SETTING_REAL: memcpy(&real, at, sizeof real); return real;
    case LC_SETTING_WHOLE: memcpy(&whole, at, sizeof whole); return (double)whole;
    case LC_SETTING_WORD: memcpy(&index, at, sizeof index); return index;
    }
    return real;
}

/* The value lies in its range, which a size_t or an unsigned holds. */
static void store(void *values, const lc_setting *s, double value)
{
    unsigned char *at = (unsigned char *)values + s->at;
    size_t whole = s->form == LC_SETTING_WHOLE ? (size_t)value : 0;
    unsigned index = s->form == LC_SETTING_WORD ? (unsigned)value : 0;
    switch (s->form) {
    case LC_SETTING_REAL: memcpy(at, &value, sizeof value); break;
    case LC_SETTING_WHOLE: memcpy(at, &whole, sizeof whole); break;
    case LC_SETTING_WORD: memcpy(at, &index, sizeof index); break;
    }
}

/* Adding 0 makes a -0 a 0, as which it would come back. */
static bool read_number(word w, double *number)
{
    double value;
    if (!lc_number_parse(w.at, w.length, &value))
        return false;
    *number = fabs(value) < 0x1p23 ? round(value * unit) / unit + 0 : value;
    return true;
}

/* The index of a word in the list of the setting. */
static bool read_word(word w, const lc_setting *s, double *number)
{
    for (size_t i = 0; s->words[i] != NULL; i++) {
        if (is_word(w, s->words[i])) {
            *number = (double)i;
            return true;
        }
    }
    return false;
}

/* What is wrong with a number, or NULL. */
static const char *wrong_number(const lc_setting *s, double value)
{
    if (s->form == LC_SETTING_WORD)
        return value < (double)words_of(s) ? NULL : "is unknown";
    if (!(value >= s->low && value <= s->high))
        return "is out of range";
    return s->form == LC_SETTING_WHOLE && value > floor(value) ? "is not whole" : NULL;
}

static loco_status read_value(void *values, const lc_settings_kind *kind, const lc_setting *s, word text, loco_err *err)
{
    double value = 0;
    const char *wrong = "is unknown";
    if (s->form != LC_SETTING_WORD)
        wrong = read_number(text, &value) ? wrong_number(s, value) : "is not a decimal number";
    else if (read_word(text, s, &value))
        wrong = NULL;
    if (wrong != NULL)
        return refuse_value(kind, s, show(text).text, wrong, err);
    store(values, s, value);
    return LOCO_OK;
}

/* ---- one setting ---- */

/* Reads key=value, and says which key it was. */
static loco_status set_word(void *values, const lc_settings_kind *kind, word w, size_t *index, loco_err *err)
{
    const char *equals = w.length > 0 ? memchr(w.at, '=', w.length) : NULL;
    word key = {w.at, equals != NULL ? (size_t)(equals - w.at) : w.length};
    for (size_t i = 0; i < kind->keys_len; i++) {
        const lc_setting *s = &kind->keys[i];
        if (!is_word(key, s->key))
            continue;
        *index = i;
        if (equals == NULL)
            return lc_err_set(err, LOCO_EDATA, "%s: %s has no value; write %s=...", title_of(kind), s->key, s->key);
        return read_value(values, kind, s, (word){equals + 1, w.length - key.length - 1}, err);
    }
    if (equals == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a setting; write key=value, such as %s=...",
                          title_of(kind), show(w).text, kind->keys[0].key);
    return refuse_key(kind, key, err);
}

loco_status lc_settings_set(void *values, const lc_settings_kind *kind, const char *text, size_t length, loco_err *err)
{
    word line = {text, length}, w = next_word(&line);
    size_t index;
    if (next_word(&line).length > 0)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is followed by more; write one key=value", title_of(kind),
                          show(w).text);
    return set_word(values, kind, w, &index, err);
}

/* ---- the whole line ---- */

static const lc_settings_kind *find_kind(const lc_settings_kind *kinds, size_t kinds_len, word name)
{
    for (size_t i = 0; i < kinds_len; i++)
        if (is_word(name, kinds[i].name))
            return &kinds[i];
    return NULL;
}

/* Defaults first, then each pair of the line; a key may stand there once. */
loco_status lc_settings_parse(void *values, size_t *kind, const lc_settings_kind *kinds, size_t kinds_len,
                              const char *text, size_t length, loco_err *err)
{
    word line = {text, length}, name = next_word(&line);
    const lc_settings_kind *found = find_kind(kinds, kinds_len, name);
    bool seen[LC_SETTINGS_MOST] = {false};
    if (found == NULL)
        return refuse_kind(kinds, kinds_len, name, err);
    lc_settings_usual(values, found);
    for (word w = next_word(&line); w.length > 0; w = next_word(&line)) {
        size_t index;
        loco_status status = set_word(values, found, w, &index, err);
        if (status != LOCO_OK)
            return status;
        if (seen[index])
            return lc_err_set(err, LOCO_EDATA, "%s: %s is set twice; write it once", title_of(found),
                              found->keys[index].key);
        seen[index] = true;
    }
    *kind = (size_t)(found - kinds);
    return LOCO_OK;
}

/* For values that a program set: the same range, and LOCO_EARG. */
loco_status lc_settings_check(const void *values, const lc_settings_kind *kind, loco_err *err)
{
    for (size_t i = 0; i < kind->keys_len; i++) {
        const lc_setting *s = &kind->keys[i];
        double value = load(values, s);
        const char *wrong = wrong_number(s, value);
        lc_text text = {0};
        if (wrong == NULL)
            continue;
        lc_text_number(&text, value, DECIMALS);
        (void)refuse_value(kind, s, isnan(value) || text.failed ? "?" : text.bytes, wrong, err);
        lc_text_free(&text);
        return LOCO_EARG;
    }
    return LOCO_OK;
}

void lc_settings_usual(void *values, const lc_settings_kind *kind)
{
    for (size_t i = 0; i < kind->keys_len; i++)
        store(values, &kind->keys[i], kind->keys[i].usual);
}

/* In the order of the table; rare keys only where they differ from the default. */
void lc_settings_format(const void *values, const lc_settings_kind *kind, lc_text *text)
{
    lc_text_string(text, kind->name);
    for (size_t i = 0; i < kind->keys_len; i++) {
        const lc_setting *s = &kind->keys[i];
        double value = load(values, s);
        if (i + kind->rare >= kind->keys_len && value == s->usual)
            continue;
        lc_text_format(text, " %s=", s->key);
        if (s->form == LC_SETTING_WORD)
            lc_text_string(text, wrong_number(s, value) == NULL ? s->words[(size_t)value] : "?");
        else
            lc_text_number(text, value, DECIMALS);
    }
}

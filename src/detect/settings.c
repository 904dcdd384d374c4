/* SPDX-License-Identifier: MIT
 * settings.c - settings as one readable line: a kind, then key=value pairs in any order.
 *   A number is digits with at most one point. strtod would read 0.1 as 0 where the user's language has a comma there.
 *   Rounded to 9 decimals, which is what formatting writes: a line that is read, written and read again gives the same
 *   bits, as both readings divide the same two whole numbers. */
#include "detect/settings.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { DECIMALS = 9, DIGITS_MAX = 24, SHOWN_MAX = 32, KEY_MAX = 16 };

static const double unit = 1e9; /* 10^DECIMALS */

typedef struct word {
    const char *at;
    size_t length;
} word;

/* What a sentence quotes: the beginning, with bytes that are no text as question marks. */
typedef struct shown {
    char text[SHOWN_MAX + 1];
} shown;

static shown show(word w)
{
    shown s = {""};
    for (size_t i = 0; i < w.length && i < SHOWN_MAX; i++)
        s.text[i] = w.at[i] > ' ' && w.at[i] <= '~' ? w.at[i] : '?';
    return s;
}

static bool is_word(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
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

/* ---- the nearest word ---- */

/* Letters to insert, delete or replace; both words have at most KEY_MAX. */
static size_t distance(word a, const char *b)
{
    size_t row[KEY_MAX + 1], b_len = strlen(b);
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.length; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t best = corner + (a.at[i - 1] != b[j - 1]);
            corner = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[b_len];
}

/* Keeps name in *best if it is nearer to w; what differs in half its letters is no typing mistake. */
static void note_near(word w, const char *name, const char **best, size_t *best_distance)
{
    size_t length = strlen(name);
    if (w.length > KEY_MAX || length > KEY_MAX)
        return;
    size_t apart = distance(w, name);
    if (2 * apart <= length && (*best == NULL || apart < *best_distance)) {
        *best = name;
        *best_distance = apart;
    }
}

/* "did you mean gap?" where a word is near, else all that exist. */
static void advise(lc_text *text, const char *near, const char *const *names, size_t names_len)
{
    if (near != NULL)
        lc_text_format(text, "did you mean %s?", near);
    else
        for (size_t i = 0; i < names_len; i++)
            lc_text_format(text, "%s%s", i == 0 ? "it is one of " : i + 1 < names_len ? ", " : " and ", names[i]);
}

/* Names are keys or kinds. */
static loco_status refuse_name(const char *prefix, word w, const char *what, const char *const *names, size_t names_len,
                               loco_err *err)
{
    lc_text text = {0};
    const char *near = NULL;
    size_t best = 0;
    for (size_t i = 0; i < names_len; i++)
        note_near(w, names[i], &near, &best);
    advise(&text, near, names, names_len);
    lc_err_write(err, "%s\"%s\" is no %s; %s", prefix, show(w).text, what, text.failed ? "see the manual" : text.bytes);
    lc_text_free(&text);
    return LOCO_EDATA;
}

static loco_status refuse_key(const lc_settings_kind *kind, word key, loco_err *err)
{
    const char *names[KEY_MAX];
    for (size_t i = 0; i < kind->keys_len && i < KEY_MAX; i++)
        names[i] = kind->keys[i].key;
    char prefix[SHOWN_MAX] = "";
    strncat(prefix, kind->name, KEY_MAX);
    strncat(prefix, ": ", 3);
    return refuse_name(prefix, key, "setting", names, kind->keys_len, err);
}

static loco_status refuse_kind(const lc_settings_kind *kinds, size_t kinds_len, word name, loco_err *err)
{
    const char *names[KEY_MAX];
    size_t n = kinds_len < KEY_MAX ? kinds_len : KEY_MAX;
    for (size_t i = 0; i < n; i++)
        names[i] = kinds[i].name;
    return refuse_name("", name, "kind of settings", names, n, err);
}

/* ---- numbers ---- */

static bool read_number(word w, double *number)
{
    double digits = 0, scale = 0; /* 0: no point yet */
    bool any = false;
    if (w.length > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < w.length; i++) {
        char c = w.at[i];
        if (c == '.' && scale < 1) {
            scale = 1;
        } else if (c >= '0' && c <= '9') {
            digits = 10 * digits + (c - '0');
            scale *= 10;
            any = true;
        } else {
            return false;
        }
    }
    double value = digits / (scale < 1 ? 1 : scale);
    *number = value < unit ? round(value * unit) / unit : value;
    return any;
}

static loco_status refuse_value(const lc_settings_kind *kind, const lc_setting *s, const char *value, const char *wrong,
                                loco_err *err)
{
    lc_text range = {0};
    lc_text_number(&range, s->low, DECIMALS);
    lc_text_string(&range, " to ");
    lc_text_number(&range, s->high, DECIMALS);
    lc_err_write(err, "%s: %s=%s %s; write a number from %s", kind->name, s->key, value, wrong,
                 range.failed ? "its range" : range.bytes);
    lc_text_free(&range);
    return LOCO_EDATA;
}

/* The double of a setting within the caller's struct. */
static double value_of(const void *values, const lc_setting *s)
{
    double value;
    memcpy(&value, (const unsigned char *)values + s->at, sizeof value);
    return value;
}

static void put_value(void *values, const lc_setting *s, double value)
{
    memcpy((unsigned char *)values + s->at, &value, sizeof value);
}

/* ---- one setting ---- */

/* The same, and says which key it was. */
static loco_status set_word(void *values, const lc_settings_kind *kind, word w, size_t *index, loco_err *err)
{
    const char *equals = w.length > 0 ? memchr(w.at, '=', w.length) : NULL;
    if (equals == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is no setting; write key=value, such as %s=%s", kind->name,
                          show(w).text, kind->keys[0].key, "0.05");
    word key = {w.at, (size_t)(equals - w.at)}, text = {equals + 1, w.length - key.length - 1};
    for (size_t i = 0; i < kind->keys_len; i++) {
        const lc_setting *s = &kind->keys[i];
        double value;
        if (!is_word(key, s->key))
            continue;
        if (!read_number(text, &value))
            return refuse_value(kind, s, show(text).text, "is not a decimal number", err);
        if (!(value >= s->low && value <= s->high))
            return refuse_value(kind, s, show(text).text, "is out of range", err);
        put_value(values, s, value);
        *index = i;
        return LOCO_OK;
    }
    return refuse_key(kind, key, err);
}

loco_status lc_settings_set(void *values, const lc_settings_kind *kind, const char *text, size_t length, loco_err *err)
{
    word line = {text, length}, w = next_word(&line);
    size_t index;
    if (next_word(&line).length > 0)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is followed by more; write one key=value", kind->name,
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

loco_status lc_settings_parse(void *values, size_t *kind, const lc_settings_kind *kinds, size_t kinds_len,
                              const char *text, size_t length, loco_err *err)
{
    word line = {text, length}, name = next_word(&line);
    const lc_settings_kind *found = find_kind(kinds, kinds_len, name);
    bool seen[KEY_MAX] = {false};
    if (found == NULL)
        return refuse_kind(kinds, kinds_len, name, err);
    lc_settings_usual(values, found);
    for (word w = next_word(&line); w.length > 0; w = next_word(&line)) {
        size_t index;
        loco_status status = set_word(values, found, w, &index, err);
        if (status != LOCO_OK)
            return status;
        if (seen[index])
            return lc_err_set(err, LOCO_EDATA, "%s: %s is set twice; write it once", found->name,
                              found->keys[index].key);
        seen[index] = true;
    }
    *kind = (size_t)(found - kinds);
    return LOCO_OK;
}

loco_status lc_settings_check(const void *values, const lc_settings_kind *kind, loco_err *err)
{
    for (size_t i = 0; i < kind->keys_len; i++) {
        const lc_setting *s = &kind->keys[i];
        double value = value_of(values, s);
        lc_text text = {0};
        if (value >= s->low && value <= s->high)
            continue;
        lc_text_number(&text, value, DECIMALS);
        loco_status status = refuse_value(kind, s, isnan(value) || text.failed ? "?" : text.bytes, "is out of range",
                                          err);
        lc_text_free(&text);
        return status == LOCO_EDATA ? LOCO_EARG : status;
    }
    return LOCO_OK;
}

void lc_settings_usual(void *values, const lc_settings_kind *kind)
{
    for (size_t i = 0; i < kind->keys_len; i++)
        put_value(values, &kind->keys[i], kind->keys[i].usual);
}

void lc_settings_format(const void *values, const lc_settings_kind *kind, lc_text *text)
{
    lc_text_string(text, kind->name);
    for (size_t i = 0; i < kind->keys_len; i++) {
        lc_text_format(text, " %s=", kind->keys[i].key);
        lc_text_number(text, value_of(values, &kind->keys[i]), DECIMALS);
    }
}

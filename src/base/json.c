/* SPDX-License-Identifier: MIT
 * json.c - JSON as model files hold it: a checker by recursive descent, one function for each rule of RFC 8259, before
 * cJSON. */
#include "base/json.h"

#include "base/show.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the checker ---- */

/* Nothing is read at or behind end; values and depth are held to the limits of json.h, so that time and stack are
 * bounded before cJSON allocates anything. */
typedef struct scan {
    const unsigned char *start, *at, *end;
    size_t values, depth;
    const char *problem;
} scan;

static bool scan_value(scan *s);

/* The problem is at s->at. */
static bool refuse(scan *s, const char *problem)
{
    s->problem = problem;
    return false;
}

static bool sees(const scan *s, char c)
{
    return s->at < s->end && *s->at == (unsigned char)c;
}

static bool take(scan *s, char c)
{
    if (!sees(s, c))
        return false;
    s->at++;
    return true;
}

static void skip_spaces(scan *s)
{
    while (sees(s, ' ') || sees(s, '\n') || sees(s, '\r') || sees(s, '\t'))
        s->at++;
}

static bool scan_word(scan *s, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return refuse(s, "a value is an object, an array, a string, a number, true, false or null");
    s->at += length;
    return true;
}

/* At least one digit. */
static bool scan_digits(scan *s)
{
    const unsigned char *from = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > from || refuse(s, "a digit is missing");
}

/* The length is limited because cJSON cuts a longer number and then stumbles over its rest, which lc_json_parse would
 * take for a lack of memory. */
static bool scan_number(scan *s)
{
    const unsigned char *from = s->at;
    take(s, '-');
    if (!take(s, '0') && !scan_digits(s))
        return false;
    if (take(s, '.') && !scan_digits(s))
        return false;
    if (take(s, 'e') || take(s, 'E')) {
        if (!take(s, '+'))
            take(s, '-');
        if (!scan_digits(s))
            return false;
    }
    return s->at - from <= LC_JSON_DIGITS || refuse(s, "a number may have 40 characters");
}

/* The four hexadecimal digits of \uXXXX. */
static bool scan_hex(scan *s, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
        /* strchr finds the 0 at the end of its string too, so a 0 in the text is kept from it; scan_escape too. */
        const char *digit = s->at < s->end && *s->at != 0 ? strchr(digits, *s->at) : NULL;
        if (digit == NULL)
            return refuse(s, "\\u needs four hexadecimal digits");
        *code = 16 * *code + (unsigned)(digit - digits) / 2;
        s->at++;
    }
    return true;
}

/* What follows a backslash. Code 0 would end a string of C. */
static bool scan_escape(scan *s)
{
    unsigned code, low;
    if (!take(s, 'u')) {
        if (s->at == s->end || *s->at == 0 || strchr("\"\\/bfnrt", *s->at) == NULL)
            return refuse(s, "a backslash is followed by one of \" \\ / b f n r t u");
        s->at++;
        return true;
    }
    if (!scan_hex(s, &code))
        return false;
    if (code == 0)
        return refuse(s, "\\u0000 is not allowed in a string");
    if (code < 0xd800 || code > 0xdfff)
        return true;
    bool pair = code < 0xdc00 && take(s, '\\') && take(s, 'u');
    if (pair && !scan_hex(s, &low))
        return false;
    return (pair && low >= 0xdc00 && low <= 0xdfff) || refuse(s, "half of a pair of \\u surrogates");
}

static bool scan_string(scan *s)
{
    if (!take(s, '"'))
        return refuse(s, "a string in quotation marks is missing");
    while (!take(s, '"')) {
        if (s->at == s->end)
            return refuse(s, "the string has no end");
        if (*s->at < 0x20)
            return refuse(s, "a control character in a string must be written as \\u00XX");
        size_t length = lc_utf8_length(s->at, s->end);
        if (length == 0)
            return refuse(s, "the string is not UTF-8");
        bool escape = *s->at == '\\';
        s->at += length;
        if (escape && !scan_escape(s))
            return false;
    }
    return true;
}

static bool scan_member(scan *s)
{
    if (!scan_string(s))
        return false;
    skip_spaces(s);
    return take(s, ':') ? scan_value(s) : refuse(s, "a colon is missing");
}

/* Behind { or [.
 * The only recursion, with scan_value: without the limit a header of 16 MiB of [ would run through the stack. A model
 * needs a depth of 3. */
static bool scan_items(scan *s, bool object)
{
    char close = object ? '}' : ']';
    if (++s->depth > LC_JSON_DEPTH)
        return refuse(s, "nested more than 16 deep");
    skip_spaces(s);
    if (!sees(s, close)) {
        do {
            skip_spaces(s);
            if (object ? !scan_member(s) : !scan_value(s))
                return false;
            skip_spaces(s);
        } while (take(s, ','));
    }
    s->depth--;
    return take(s, close) || refuse(s, object ? "a comma or } is missing" : "a comma or ] is missing");
}

static bool scan_value(scan *s)
{
    skip_spaces(s);
    if (++s->values > LC_JSON_VALUES)
        return refuse(s, "more than 131072 values");
    if (take(s, '{'))
        return scan_items(s, true);
    if (take(s, '['))
        return scan_items(s, false);
    if (sees(s, '"'))
        return scan_string(s);
    if (sees(s, 't'))
        return scan_word(s, "true");
    if (sees(s, 'f'))
        return scan_word(s, "false");
    if (sees(s, '-') || (s->at < s->end && *s->at >= '0' && *s->at <= '9'))
        return scan_number(s);
    return scan_word(s, "null");
}

static bool scan_text(scan *s)
{
    if (!scan_value(s))
        return false;
    skip_spaces(s);
    return s->at == s->end || refuse(s, "something follows the end of the value");
}

/* ---- keys ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *lc_names_repeated(const char **names, size_t n)
{
    if (n > 0)
        qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(names[i - 1], names[i]) == 0)
            return names[i];
    }
    return NULL;
}

/* A key that some object has twice, or NULL. keys has room for all values.
 * One buffer serves all objects: its keys are not needed any more when the children are looked at. Twice the same key
 * is how a file shows one tensor to a reader that takes the first, and another to one that takes the last. */
static const char *repeated_key(const cJSON *value, const char **keys)
{
    size_t n = 0;
    const cJSON *item;
    for (item = value->child; item != NULL && cJSON_IsObject(value); item = item->next)
        keys[n++] = item->string;
    const char *key = lc_names_repeated(keys, n);
    for (item = value->child; item != NULL && key == NULL; item = item->next)
        key = repeated_key(item, keys);
    return key;
}

static loco_status check_keys(const cJSON *root, size_t values, const char *where, loco_err *err)
{
    const char **keys = malloc(values * sizeof *keys);
    if (keys == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    const char *key = repeated_key(root, keys);
    free(keys);
    return key == NULL ? LOCO_OK
                       : lc_err_set(err, LOCO_EDATA, "%s: the key \"%s\" is there twice", where, lc_show(key).text);
}

loco_status lc_json_parse(cJSON **root, const char *where, const char *text, size_t length, loco_err *err)
{
    const unsigned char *start = (const unsigned char *)text;
    scan s = {.start = start, .at = start, .end = start + length};
    if (!scan_text(&s))
        return lc_err_set(err, LOCO_EDATA, "%s, byte %zu: %s", where, (size_t)(s.at - s.start), s.problem);
    cJSON *tree = cJSON_ParseWithLength(text, length); /* the text is right, so that only memory can lack */
    if (tree == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    loco_status status = check_keys(tree, s.values, where, err);
    if (status == LOCO_OK)
        *root = tree;
    else
        cJSON_Delete(tree);
    return status;
}

bool lc_json_size(const cJSON *item, size_t *size)
{
    /* The range is checked before the cast, which is undefined outside it (1e999 is read as infinity). Half of SIZE_MAX
     * matters on 32 bits only, where it keeps sizes within a ptrdiff_t. */
    double most = fmin(0x1p53, (double)(SIZE_MAX / 2));
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= most))
        return false;
    size_t whole = (size_t)item->valuedouble;
    if ((double)whole < item->valuedouble)
        return false;
    *size = whole;
    return true;
}

/* ---- writing ---- */

/* What messages do not show is escaped here: the same text, and harmless where JSON is printed. Its characters have at
 * most three bytes. */
static void append_escape(lc_text *text, const unsigned char *at, size_t n)
{
    static const unsigned first[] = {0, 0x7f, 0x1f, 0x0f}; /* the bits of the first byte; the others hold six */
    unsigned code = at[0] & first[n];
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (at[i] & 0x3fu);
    lc_text_format(text, "\\u%04x", code);
}

void lc_json_append(lc_text *text, const char *string)
{
    const unsigned char *at = (const unsigned char *)string, *end = at + strlen(string);
    lc_text_append(text, "\"", 1);
    while (at < end) {
        bool plain;
        size_t n = lc_shown_length(at, end, &plain);
        if (*at == '"' || *at == '\\')
            lc_text_append(text, "\\", 1);
        if (n == 0)
            lc_text_string(text, "\\ufffd");
        else if (plain)
            lc_text_append(text, (const char *)at, n);
        else
            append_escape(text, at, n);
        at += n > 0 ? n : 1;
    }
    lc_text_append(text, "\"", 1);
}

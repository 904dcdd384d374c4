/* SPDX-License-Identifier: MIT
 * npy.c - NumPy arrays as they are saved: a magic number, a dictionary in Python's notation, the numbers.
 *
 *     \x93NUMPY  major minor  length of the header (2 bytes, from version 2 on 4)  header  numbers
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (108000, 2), }
 *
 * Shapes are (T) and (T, C); in Fortran order all samples of a channel come first. Numbers are u1 u2 u4 i1 i2 i4 i8 f4 f8
 * in either order of bytes. They stay as they are: what they mean is seen to by the front end's scale. */
#include "base/mem.h"
#include "base/status.h"
#include "signal/track.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC = 6, HEADER_MOST = 65536, DIMENSIONS = 2, SHOWN_HEADER = 60 };

typedef struct array {
    char kind; /* u, i or f */
    size_t size;
    bool big, fortran;
    size_t shape[DIMENSIONS], dimensions;
    bool has_type, has_order, has_shape;
} array;

/* The dictionary while it is read. */
typedef struct text {
    const char *at, *end;
    const char *name;
} text;

static loco_status refuse(const text *t, const char *what, loco_err *err)
{
    char shown[SHOWN_HEADER + 1];
    size_t n = (size_t)(t->end - t->at) < SHOWN_HEADER ? (size_t)(t->end - t->at) : SHOWN_HEADER;
    for (size_t i = 0; i < n; i++)
        shown[i] = t->at[i] >= ' ' && t->at[i] <= '~' ? t->at[i] : '?';
    shown[n] = '\0';
    return lc_err_set(err, LOCO_EDATA, "%s: its header %s, at: %s", lc_track_show(t->name).text, what, shown);
}

static void skip_blanks(text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t'))
        t->at++;
}

/* Takes the mark if it comes next, behind blanks. */
static bool take(text *t, char mark)
{
    skip_blanks(t);
    if (t->at == t->end || *t->at != mark)
        return false;
    t->at++;
    return true;
}

/* 'word' or "word"; false when there is none, or it is longer than a name may be. */
static bool take_string(text *t, char word[24])
{
    skip_blanks(t);
    if (t->at == t->end || (*t->at != '\'' && *t->at != '"'))
        return false;
    const char *close = memchr(t->at + 1, *t->at, (size_t)(t->end - t->at - 1));
    if (close == NULL || close - t->at - 1 > 23)
        return false;
    size_t n = (size_t)(close - t->at - 1);
    memcpy(word, t->at + 1, n);
    word[n] = '\0';
    t->at = close + 1;
    return memchr(word, '\0', n) == NULL;
}

static bool take_word(text *t, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(t);
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

static bool take_size(text *t, size_t *size)
{
    size_t value = 0, digits = 0;
    skip_blanks(t);
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9' && digits < 18; t->at++, digits++)
        value = 10 * value + (size_t)(*t->at - '0');
    *size = value;
    return digits > 0 && (t->at == t->end || *t->at < '0' || *t->at > '9');
}

/* ---- the dictionary ---- */

static loco_status take_type(text *t, array *a, loco_err *err)
{
    static const char *const known[] = {"u1", "u2", "u4", "i1", "i2", "i4", "i8", "f4", "f8"};
    char word[24];
    const text before = *t;
    if (!take_string(t, word))
        return refuse(&before, "has a descr that is not a simple type; save one array of plain numbers", err);
    const char *order = strchr("<>|=", word[0]), *type = word + (word[0] != '\0' && order != NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(type, known[i]) != 0)
            continue;
        a->kind = type[0];
        a->size = (size_t)(type[1] - '0');
        a->big = word[0] == '>';
        a->has_type = true;
        return LOCO_OK;
    }
    return refuse(&before, "has a type that is not read (u1 u2 u4 i1 i2 i4 i8 f4 f8 are); save x.astype('f4')", err);
}

static loco_status take_shape(text *t, array *a, loco_err *err)
{
    const text before = *t;
    bool good = take(t, '(');
    a->dimensions = 0;
    while (good && !take(t, ')')) {
        size_t size;
        good = take_size(t, &size) && a->dimensions < DIMENSIONS;
        if (good)
            a->shape[a->dimensions++] = size;
        take_word(t, "L"); /* of Python 2 */
        bool comma = take(t, ',');
        good = good && (comma || (t->at < t->end && *t->at == ')'));
    }
    a->has_shape = good && a->dimensions > 0;
    return a->has_shape ? LOCO_OK : refuse(&before, "has a shape that is neither (T,) nor (T, C)", err);
}

static loco_status take_entry(text *t, array *a, loco_err *err)
{
    char key[24];
    const text before = *t;
    if (!take_string(t, key) || !take(t, ':'))
        return refuse(&before, "is not a dictionary of 'name': value", err);
    if (strcmp(key, "descr") == 0 && !a->has_type)
        return take_type(t, a, err);
    if (strcmp(key, "shape") == 0 && !a->has_shape)
        return take_shape(t, a, err);
    if (strcmp(key, "fortran_order") != 0 || a->has_order)
        return refuse(&before, "has a name that should not be there", err);
    a->has_order = true;
    a->fortran = take_word(t, "True");
    return a->fortran || take_word(t, "False") ? LOCO_OK : refuse(&before, "has neither True nor False", err);
}

static loco_status take_header(text *t, array *a, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (!take(t, '{'))
        return refuse(t, "does not begin with {", err);
    while (status == LOCO_OK && !take(t, '}')) {
        status = take_entry(t, a, err);
        skip_blanks(t);
        if (status == LOCO_OK && !take(t, ',') && (t->at == t->end || *t->at != '}'))
            status = refuse(t, "lacks a comma or }", err);
    }
    if (status == LOCO_OK && !(a->has_type && a->has_order && a->has_shape))
        status = refuse(t, "lacks one of descr, fortran_order and shape", err);
    return status;
}

/* ---- the numbers ---- */

/* Any type as a double; i8 beyond 2^53 is rounded, and refused later for its size anyway. */
static double number_at(const unsigned char *bytes, const array *a)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < a->size; i++)
        bits |= (uint64_t)bytes[a->big ? a->size - 1 - i : i] << (8 * i);
    if (a->kind == 'f' && a->size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (a->kind == 'f') {
        float value;
        uint32_t half = (uint32_t)bits;
        memcpy(&value, &half, sizeof value);
        return value;
    }
    uint64_t sign = (uint64_t)1 << (8 * a->size - 1);
    if (a->kind == 'i' && (bits & sign) != 0)
        return -(double)((~bits & (sign - 1)) + 1);
    return (double)bits;
}

static void fill(lc_track *t, const unsigned char *bytes, const array *a)
{
    for (size_t i = 0; i < t->frames; i++)
        for (size_t c = 0; c < t->channels; c++) {
            size_t at = a->fortran ? c * t->frames + i : i * t->channels + c;
            double value = number_at(bytes + at * a->size, a);
            /* beyond a float's range: refused by its size, not by a conversion that C leaves open */
            t->samples[i * t->channels + c] = isnan(value) ? NAN : (float)fmax(-1e30, fmin(1e30, value));
        }
}

/* The part behind the magic number; *data: where the numbers begin. */
static loco_status read_header(array *a, const char *name, const unsigned char *bytes, size_t length, size_t *data,
                               loco_err *err)
{
    const lc_track_name shown = lc_track_show(name);
    if (length < 10 || memcmp(bytes, "\x93NUMPY", MAGIC) != 0)
        return lc_err_set(err, LOCO_EDATA, "%s: does not begin as a NumPy file does; save it by numpy.save",
                          shown.text);
    unsigned version = bytes[MAGIC];
    if (version < 1 || version > 3)
        return lc_err_set(err, LOCO_EDATA, "%s: version %u of the format; 1 to 3 are read", shown.text, version);
    size_t at = version == 1 ? 10 : 12, size = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (version > 1 && length >= 12)
        size |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (size > HEADER_MOST || length < at || size > length - at)
        return lc_err_set(err, LOCO_EDATA, "%s: a header of %zu bytes; the file is cut short or damaged", shown.text,
                          size);
    text t = {(const char *)bytes + at, (const char *)bytes + at + size, name};
    *data = at + size;
    return take_header(&t, a, err);
}

loco_status lc_npy_parse(lc_track *track, const char *name, const void *bytes, size_t length,
                         const lc_track_format *format, loco_err *err)
{
    array a = {.kind = 'u', .size = 1};
    lc_track made = {0};
    size_t data = 0, samples, wanted;
    loco_status status = read_header(&a, name, bytes, length, &data, err);
    if (status != LOCO_OK)
        return status;
    size_t channels = a.dimensions == 2 ? a.shape[1] : 1;
    if (channels > LC_SOUND_CHANNELS && a.shape[0] <= LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EDATA, "%s: its shape (%zu, %zu) has the channels first; save x.T, so that time is",
                          lc_track_show(name).text, a.shape[0], channels);
    if (!lc_size_mul(a.shape[0], channels, &samples) || !lc_size_mul(samples, a.size, &wanted) ||
        wanted > length - data)
        return lc_err_set(err, LOCO_EDATA, "%s: is cut short: %zu bytes of numbers for a shape of (%zu, %zu)",
                          lc_track_show(name).text, length - data, a.shape[0], channels);
    status = lc_track_new(&made, name, a.shape[0], channels, format->rate, err);
    if (status == LOCO_OK) {
        fill(&made, (const unsigned char *)bytes + data, &a);
        status = lc_track_fill(&made, name, format->missing, "row", err);
    }
    if (status == LOCO_OK)
        *track = made;
    else
        lc_track_free(&made);
    return status;
}

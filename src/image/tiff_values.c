/* SPDX-License-Identifier: MIT
 * tiff_values.c - numbers of a TIFF file as values of an image. */
#include "image/tiff_values.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

/* A kind of number in one value, for `switch`. */
#define KIND(format, bits) ((unsigned)(format) << 16 | (bits))

enum {
    U8 = KIND(SAMPLEFORMAT_UINT, 8),
    U16 = KIND(SAMPLEFORMAT_UINT, 16),
    U32 = KIND(SAMPLEFORMAT_UINT, 32),
    I8 = KIND(SAMPLEFORMAT_INT, 8),
    I16 = KIND(SAMPLEFORMAT_INT, 16),
    I32 = KIND(SAMPLEFORMAT_INT, 32),
    F32 = KIND(SAMPLEFORMAT_IEEEFP, 32),
    F64 = KIND(SAMPLEFORMAT_IEEEFP, 64),
};

bool lc_tiff_values_known(const lc_tiff_values *v)
{
    switch (KIND(v->format, v->bits)) {
    case U8:
    case U16: return true;
    case U32:
    case I8:
    case I16:
    case I32:
    case F32:
    case F64: return !v->coloured;
    default: return false;
    }
}

bool lc_tiff_values_scaled(const lc_tiff_values *v)
{
    return v->format != SAMPLEFORMAT_UINT || v->bits > 16;
}

static double number_at(const lc_tiff_values *v, const unsigned char *at)
{
    union {
        uint32_t u32;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        float f32;
        double f64;
    } number;
    memcpy(&number, at, v->bits / 8);
    switch (KIND(v->format, v->bits)) {
    case U32: return number.u32;
    case I8: return number.i8;
    case I16: return number.i16;
    case I32: return number.i32;
    case F32: return (double)number.f32;
    default: return number.f64;
    }
}

void lc_tiff_values_note(lc_tiff_values *v, const lc_tiff_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        double value = number_at(v, row->from + i * row->step);
        if (isfinite(value)) {
            v->least = fmin(v->least, value);
            v->largest = fmax(v->largest, value);
        }
    }
}

/* A NaN counts as the least value. Halves, since the range of doubles may be more than a double. */
static uint16_t scaled(const lc_tiff_values *v, double value)
{
    double part = v->largest > v->least ? (value / 2 - v->least / 2) / (v->largest / 2 - v->least / 2) : 0;
    return (uint16_t)(part > 0 ? fmin(part, 1) * UINT16_MAX + 0.5 : 0);
}

static void put_scaled(const lc_tiff_values *v, const lc_tiff_row *row, const lc_image *image)
{
    for (size_t i = 0; i < row->count; i++) {
        uint16_t value = scaled(v, number_at(v, row->from + i * row->step));
        value = v->turned ? (uint16_t)(UINT16_MAX - value) : value;
        memcpy(image->values + 2 * (row->to + i * image->channels), &value, sizeof value);
    }
}

static void put_8(const lc_tiff_values *v, const lc_tiff_row *row, const lc_image *image)
{
    unsigned char *to = image->values + row->to, turn = v->turned ? UINT8_MAX : 0;
    for (size_t i = 0; i < row->count; i++)
        to[i * image->channels] = row->from[i * row->step] ^ turn;
}

static void put_16(const lc_tiff_values *v, const lc_tiff_row *row, const lc_image *image)
{
    uint16_t value, turn = v->turned ? UINT16_MAX : 0;
    for (size_t i = 0; i < row->count; i++) {
        memcpy(&value, row->from + i * row->step, sizeof value);
        value ^= turn;
        memcpy(image->values + 2 * (row->to + i * image->channels), &value, sizeof value);
    }
}

static void put_colours(const lc_tiff_values *v, const lc_tiff_row *row, const lc_image *image)
{
    for (size_t i = 0; i < row->count; i++)
        for (size_t c = 0; c < 3; c++)
            image->values[row->to + 3 * i + c] = v->palette[c][row->from[i * row->step]];
}

void lc_tiff_values_put(const lc_tiff_values *v, const lc_tiff_row *row, const lc_image *image)
{
    if (v->coloured)
        put_colours(v, row, image);
    else if (lc_tiff_values_scaled(v))
        put_scaled(v, row, image);
    else if (v->bits == 8)
        put_8(v, row, image);
    else
        put_16(v, row, image);
}

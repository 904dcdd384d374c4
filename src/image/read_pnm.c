/* SPDX-License-Identifier: MIT
 * read_pnm.c - PGM and PPM, the plainest images:
 *
 *     P5 640 480 255 <one white space> 640 * 480 bytes      grey; P6: red, green, blue for each pixel
 *     P2 640 480 255 and 640 * 480 numbers in text          grey; P3: colours
 *
 * Numbers of the header are separated by white space, among which there may be comments (# to the end of the line). Values above 255 take two
 * bytes, the higher one first. Where the largest value is neither 255 nor 65535, values are stretched to that: a camera
 * of 12 bits writes 4095. */
#include "base/status.h"
#include "image/reader.h"
#include "signal/track.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS = 9, VALUE_MOST = 65535 };

typedef struct header {
    size_t width, height, most;
    bool text, colour;
} header;

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next character that is neither blank nor in a comment. */
static int skip_blanks(FILE *stream)
{
    bool comment = false;
    int c = getc(stream);
    for (; c != EOF && (comment || is_blank(c) || c == '#'); c = getc(stream))
        comment = c != '\n' && c != '\r' && (comment || c == '#');
    return c;
}

/* The next number, and the blank that ends it; false when there is none. */
static bool take_number(FILE *stream, size_t *number)
{
    size_t value = 0, digits = 0;
    int c = skip_blanks(stream);
    for (; c >= '0' && c <= '9' && digits <= DIGITS; c = getc(stream), digits++)
        value = 10 * value + (size_t)(c - '0');
    *number = value;
    return digits > 0 && digits <= DIGITS && (c == EOF || is_blank(c));
}

static loco_status take_header(header *h, const lc_image_file *file, loco_err *err)
{
    getc(file->stream);
    int kind = getc(file->stream);
    *h = (header){.text = kind == '2' || kind == '3', .colour = kind == '3' || kind == '6'};
    if (!take_number(file->stream, &h->width) || !take_number(file->stream, &h->height) ||
        !take_number(file->stream, &h->most))
        return lc_image_refuse(file, "its header lacks width, height or largest value; save it again as PGM or PPM",
                               err);
    if (h->most < 1 || h->most > VALUE_MOST)
        return lc_err_set(err, LOCO_EDATA, "%s: its header has a largest value of %zu; expected 1..65535",
                          lc_track_show(file->path).text, h->most);
    return LOCO_OK;
}

/* Least number of bytes that the pixels take; a number in text takes a digit and a blank, but for the last. */
static size_t least_bytes(const header *h, const lc_image *image)
{
    size_t values = image->height * image->width * image->channels;
    return h->text ? 2 * values - 1 : values * image->bytes;
}

static void put_value(const lc_image *image, size_t i, size_t value)
{
    uint16_t wide = (uint16_t)value;
    if (image->bytes == 1)
        image->values[i] = (unsigned char)value;
    else
        memcpy(image->values + 2 * i, &wide, sizeof wide);
}

static size_t stretched(size_t value, size_t most, size_t bytes)
{
    size_t largest = bytes == 1 ? 255 : VALUE_MOST;
    return value >= most ? largest : (value * largest + most / 2) / most;
}

static bool take_text(const header *h, const lc_image *image, FILE *stream)
{
    for (size_t i = 0; i < image->height * image->width * image->channels; i++) {
        size_t value;
        if (!take_number(stream, &value))
            return false;
        put_value(image, i, stretched(value, h->most, image->bytes));
    }
    return true;
}

static bool take_bytes(const header *h, const lc_image *image, FILE *stream)
{
    size_t n = image->height * image->width * image->channels;
    if (fread(image->values, image->bytes, n, stream) != n)
        return false;
    for (size_t i = 0; i < n && (image->bytes == 2 || h->most != 255); i++) {
        const unsigned char *at = image->values + i * image->bytes;
        size_t value = image->bytes == 1 ? at[0] : (size_t)at[0] << 8 | at[1];
        put_value(image, i, stretched(value, h->most, image->bytes));
    }
    return true;
}

static loco_status read_pnm(lc_image *image, const lc_image_file *file, bool whole, loco_err *err)
{
    header h;
    loco_status status = take_header(&h, file, err);
    if (status != LOCO_OK)
        return status;
    *image = (lc_image){
        .height = h.height, .width = h.width, .channels = h.colour ? 3 : 1, .bytes = h.most > 255 ? 2 : 1};
    status = lc_image_begin(image, file, 0, 1, false, err);
    if (status != LOCO_OK)
        return status;
    if (least_bytes(&h, image) > file->size - (size_t)ftello(file->stream))
        return lc_image_refuse(file, "is cut short: fewer bytes than its header claims; get the file again", err);
    status = lc_image_begin(image, file, 0, 1, whole, err);
    if (status != LOCO_OK || !whole)
        return status;
    if (!(h.text ? take_text : take_bytes)(&h, image, file->stream))
        return lc_image_refuse(file, "is cut short or damaged: not all of its values can be read; get the file again",
                               err);
    return LOCO_OK;
}

static bool knows(const unsigned char *head, size_t length)
{
    return length > 2 && head[0] == 'P' && strchr("2356", head[1]) != NULL && head[1] != 0 &&
           (is_blank(head[2]) || head[2] == '#');
}

const lc_image_reader lc_image_pnm = {
    .name = "PGM or PPM",
    .endings = {".pgm", ".ppm", ".pnm"},
    .knows = knows,
    .read = read_pnm,
};

/* SPDX-License-Identifier: MIT
 * image.c - images of any kind: the table of readers, the checks that they share, and rows of pixels as numbers. */
#include "image/image.h"

#include "base/mem.h"
#include "base/status.h"
#include "image/reader.h"
#include "signal/track.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const lc_image_reader *const readers[] = {&lc_image_png, &lc_image_jpeg, &lc_image_tiff, &lc_image_pnm, NULL};

/* ---- what the readers share ---- */

loco_status lc_image_refuse(const lc_image_file *file, const char *what, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA, "%s: %s", lc_track_show(file->path).text, what);
}

loco_status lc_image_begin(lc_image *image, const lc_image_file *file, size_t packed, size_t ratio, bool whole,
                           loco_err *err)
{
    const lc_track_name name = lc_track_show(file->path);
    size_t height = image->height, width = image->width;
    if (height == 0 || width == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: has no pixels (%zu x %zu); save the image again", name.text, width,
                          height);
    size_t value = image->channels * image->bytes;
    if (height > LC_IMAGE_MOST || width > LC_IMAGE_MOST || value > LC_IMAGE_BYTES / (height * width))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: claims %zu x %zu pixels; at most %d x %d, and 1 GiB in all, are read: cut it into parts",
                          name.text, width, height, LC_IMAGE_MOST, LC_IMAGE_MOST);
    if (packed / ratio > file->size)
        return lc_err_set(
            err, LOCO_EDATA,
            "%s: %zu bytes are too few for its %zu x %zu pixels: cut short, or a decompression bomb; get the file again",
            name.text, file->size, width, height);
    if (!whole)
        return LOCO_OK;
    image->values = calloc(height * width, value);
    return image->values != NULL ? LOCO_OK : lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", name.text);
}

/* ---- files ---- */

/* What is not read, but often met. */
static const struct {
    const char *name, *magic;
    size_t offset;
} strangers[] = {
    {"a GIF",       "GIF8",     0},
    {"a BMP",       "BM",       0},
    {"a WebP",      "WEBP",     8},
    {"a HEIF",      "ftyp",     4},
    {"a JPEG 2000", "jP  \r\n", 4},
    {"a PDF",       "%PDF",     0},
    {"a MAT file",  "MATLAB",   0},
};

static loco_status refuse_stranger(const lc_image_file *file, const unsigned char *head, size_t length, loco_err *err)
{
    const char *kind = NULL;
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers && kind == NULL; i++) {
        size_t n = strlen(strangers[i].magic);
        if (strangers[i].offset + n <= length && memcmp(head + strangers[i].offset, strangers[i].magic, n) == 0)
            kind = strangers[i].name;
    }
    return lc_err_set(err, LOCO_EDATA, "%s: is %s, not a PNG, JPEG, TIFF, PGM or PPM image; convert it to PNG",
                      lc_track_show(file->path).text,
                      length == 0    ? "empty"
                      : kind != NULL ? kind
                                     : "something else");
}

loco_status lc_image_read(lc_image *image, FILE *stream, const char *path, bool whole, loco_err *err)
{
    unsigned char head[LC_IMAGE_HEAD];
    lc_image_file file = {.path = path, .stream = stream};
    lc_image made = {0};
    if (fseeko(stream, 0, SEEK_END) != 0 || (file.size = (size_t)ftello(stream)) > SIZE_MAX / 2)
        return lc_err_set(err, LOCO_EIO, "cannot read %s: not a regular file", lc_track_show(path).text);
    rewind(stream);
    size_t length = fread(head, 1, sizeof head, stream), i = 0;
    rewind(stream);
    while (readers[i] != NULL && !readers[i]->knows(head, length))
        i++;
    loco_status status = readers[i] != NULL ? readers[i]->read(&made, &file, whole, err)
                                            : refuse_stranger(&file, head, length, err);
    if (status == LOCO_OK)
        *image = made;
    else
        lc_image_free(&made);
    return status;
}

static loco_status open_and_read(lc_image *image, const char *path, bool whole, loco_err *err)
{
    struct stat info;
    FILE *stream = NULL;
    int cause = stat(path, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : S_ISREG(info.st_mode) ? 0 : ESPIPE;
    if (cause == 0 && (stream = fopen(path, "rbe")) == NULL)
        cause = errno;
    if (stream == NULL) {
        char reason[80] = "unknown cause";
        if (strerror_r(cause, reason, sizeof reason) != 0)
            snprintf(reason, sizeof reason, "error %d", cause);
        return lc_err_set(err, LOCO_EIO, "cannot read %s: %s", lc_track_show(path).text, reason);
    }
    loco_status status = lc_image_read(image, stream, path, whole, err);
    fclose(stream);
    return status;
}

loco_status lc_image_load(lc_image *image, const char *path, loco_err *err)
{
    return open_and_read(image, path, true, err);
}

loco_status lc_image_measure(lc_image *image, const char *path, loco_err *err)
{
    return open_and_read(image, path, false, err);
}

bool lc_image_claims(const char *path)
{
    const char *point = strrchr(path, '.');
    for (size_t i = 0; point != NULL && readers[i] != NULL; i++)
        for (size_t k = 0; k < LC_IMAGE_ENDINGS && readers[i]->endings[k] != NULL; k++)
            if (strcasecmp(point, readers[i]->endings[k]) == 0)
                return true;
    return false;
}

void lc_image_free(lc_image *image)
{
    free(image->values);
    image->values = NULL;
}

/* ---- rows ---- */

enum { AT_ONCE = 64 }; /* pixels */

/* n values from the first-th on, as 0..1. */
static void values_at(const lc_image *image, size_t first, size_t n, float *values)
{
    const unsigned char *from = image->values + first * image->bytes;
    uint16_t wide[AT_ONCE * 3];
    if (image->bytes == 1) {
        for (size_t i = 0; i < n; i++)
            values[i] = (float)from[i] / 255;
        return;
    }
    memcpy(wide, from, n * sizeof *wide);
    for (size_t i = 0; i < n; i++)
        values[i] = (float)wide[i] / 65535;
}

/* At most AT_ONCE pixels from the first-th on; luminance as in ITU-R BT.601, like decoders of JPEG and video. */
static void pixels_at(const lc_image *image, size_t first, size_t n, size_t channels, float *pixels)
{
    float values[AT_ONCE * 3] = {0}; /* the analyser does not see that all are set */
    values_at(image, first * image->channels, n * image->channels, values);
    if (image->channels == channels)
        memcpy(pixels, values, n * channels * sizeof *pixels);
    else if (image->channels == 3)
        for (size_t i = 0; i < n; i++)
            pixels[i] = 0.299f * values[3 * i] + 0.587f * values[3 * i + 1] + 0.114f * values[3 * i + 2];
    else
        for (size_t i = 0; i < n; i++)
            pixels[3 * i] = pixels[3 * i + 1] = pixels[3 * i + 2] = values[i];
}

/* The same pixel n times. */
static void repeat_pixel(const lc_image *image, size_t at, size_t n, size_t channels, float *pixels)
{
    float pixel[3];
    if (n == 0)
        return;
    pixels_at(image, at, 1, channels, pixel);
    for (size_t i = 0; i < n; i++)
        memcpy(pixels + i * channels, pixel, channels * sizeof *pixel);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void lc_image_row(const lc_image *image, size_t y, ptrdiff_t x0, size_t n, size_t channels, float *row)
{
    size_t start = smaller(y, image->height - 1) * image->width;
    size_t left = x0 < 0 ? smaller(n, (size_t)0 - (size_t)x0) : 0; /* columns before the first one */
    size_t x = x0 < 0 ? 0 : (size_t)x0;
    size_t inside = x < image->width ? smaller(n - left, image->width - x) : 0;
    repeat_pixel(image, start, left, channels, row);
    for (size_t done = 0; done < inside; done += AT_ONCE)
        pixels_at(image, start + x + done, smaller(AT_ONCE, inside - done), channels, row + (left + done) * channels);
    repeat_pixel(image, start + image->width - 1, n - left - inside, channels, row + (left + inside) * channels);
}

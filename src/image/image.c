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

static const lc_image_reader *const readers[] = {&lc_image_png, &lc_image_jpeg, &lc_image_tiff, &lc_image_pnm};

enum { READERS = sizeof readers / sizeof *readers };

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
    while (i < READERS && !readers[i]->knows(head, length))
        i++;
    loco_status status = i < READERS ? readers[i]->read(&made, &file, whole, err)
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
    for (size_t i = 0; point != NULL && i < READERS; i++)
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

static float value_at(const lc_image *image, size_t i)
{
    if (image->bytes == 1)
        return (float)image->values[i] / 255;
    uint16_t value;
    memcpy(&value, image->values + 2 * i, sizeof value);
    return (float)value / 65535;
}

/* Pixel i of the image; luminance as in ITU-R BT.601, which is what decoders of JPEG and video use. */
static void pixel_at(const lc_image *image, size_t i, size_t channels, float *pixel)
{
    if (image->channels == 1) {
        float value = value_at(image, i);
        for (size_t c = 0; c < channels; c++)
            pixel[c] = value;
        return;
    }
    float red = value_at(image, 3 * i), green = value_at(image, 3 * i + 1), blue = value_at(image, 3 * i + 2);
    if (channels == 1) {
        pixel[0] = 0.299f * red + 0.587f * green + 0.114f * blue;
        return;
    }
    pixel[0] = red, pixel[1] = green, pixel[2] = blue;
}

void lc_image_row(const lc_image *image, size_t y, ptrdiff_t x0, size_t n, size_t channels, float *row)
{
    size_t first = (y < image->height ? y : image->height - 1) * image->width;
    ptrdiff_t last = (ptrdiff_t)image->width - 1;
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t x = x0 + (ptrdiff_t)i;
        pixel_at(image, first + (size_t)(x < 0 ? 0 : x > last ? last : x), channels, row + i * channels);
    }
}

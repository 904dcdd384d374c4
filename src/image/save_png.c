/* SPDX-License-Identifier: MIT
 * save_png.c - an image as a PNG file: into memory by libpng, then to the disk at once. */
#include "base/file.h"
#include "base/status.h"
#include "image/image.h"
#include "image/png_guard.h"

typedef struct encoder {
    lc_png base;
    const lc_image *image;
    lc_text text;
} encoder;

static void write_bytes(png_structp png, png_bytep bytes, size_t n)
{
    lc_text *text = png_get_io_ptr(png);
    lc_text_append(text, (const char *)bytes, n);
    if (text->failed)
        png_error(png, "out of memory");
}

static void flush(png_structp png)
{
    (void)png;
}

static void encode(void *context)
{
    encoder *e = context;
    const lc_image *image = e->image;
    lc_png_new(&e->base, true);
    png_structp png = e->base.png;
    png_set_write_fn(png, &e->text, write_bytes, flush);
    png_set_IHDR(png, e->base.info, (png_uint_32)image->width, (png_uint_32)image->height, (int)image->bytes * 8,
                 image->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, e->base.info);
    if (image->bytes == 2)
        lc_png_set_order(&e->base);
    for (size_t y = 0; y < image->height; y++)
        png_write_row(png, image->values + y * image->width * image->channels * image->bytes);
    png_write_end(png, e->base.info);
}

static bool is_valid(const lc_image *image)
{
    return image->values != NULL && image->height >= 1 && image->width >= 1 && image->height <= LC_IMAGE_MOST &&
           image->width <= LC_IMAGE_MOST && (image->channels == 1 || image->channels == 3) &&
           (image->bytes == 1 || image->bytes == 2);
}

loco_status lc_image_format(lc_text *bytes, const lc_image *image, loco_err *err)
{
    encoder e = {.image = image};
    loco_status status = LOCO_OK;
    if (!is_valid(image))
        return lc_err_set(err, LOCO_EARG, "an image of %zu x %zu pixels, %zu channels of %zu bytes cannot be saved",
                          image->width, image->height, image->channels, image->bytes);
    if (lc_png_guard(&e.base, encode, &e))
        *bytes = e.text;
    else if (e.base.no_memory || e.text.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory while saving an image");
    else
        status = lc_err_set(err, LOCO_EDATA, "an image cannot be written as PNG: %s", e.base.problem);
    lc_png_free(&e.base, true);
    if (status != LOCO_OK)
        lc_text_free(&e.text);
    return status;
}

loco_status lc_image_save(const char *path, const lc_image *image, loco_err *err)
{
    lc_text bytes = {0};
    loco_status status = lc_image_format(&bytes, image, err);
    if (status == LOCO_OK)
        status = lc_file_save(path, bytes.bytes, bytes.length, err);
    lc_text_free(&bytes);
    return status;
}

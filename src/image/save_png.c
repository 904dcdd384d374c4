/* SPDX-License-Identifier: MIT
 * save_png.c - an image as a PNG file, by libpng: into memory first, then to the disk at once. */
#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "image/image.h"
#include "signal/track.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct encoder {
    png_structp png;
    png_infop info;
    const lc_image *image;
    lc_text text;
    char problem[64];
    bool no_memory;
    jmp_buf jump;
} encoder;

static PNG_NORETURN void on_error(png_structp png, png_const_charp text)
{
    encoder *e = png_get_error_ptr(png);
    snprintf(e->problem, sizeof e->problem, "%s", text);
    longjmp(e->jump, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static png_voidp take_memory(png_structp png, png_alloc_size_t size)
{
    encoder *e = png_get_mem_ptr(png);
    void *memory = malloc(size);
    e->no_memory = e->no_memory || memory == NULL;
    return memory;
}

static void free_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t n)
{
    encoder *e = png_get_io_ptr(png);
    lc_text_append(&e->text, (const char *)bytes, n);
    if (e->text.failed)
        png_error(png, "out of memory");
}

static void flush(png_structp png)
{
    (void)png;
}

static void encode(encoder *e)
{
    const lc_image *image = e->image;
    static const unsigned short one = 1;
    e->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, e, on_error, on_warning, e, take_memory, free_memory);
    if (e->png != NULL)
        e->info = png_create_info_struct(e->png);
    if (e->info == NULL)
        longjmp(e->jump, 1);
    png_set_write_fn(e->png, e, write_bytes, flush);
    png_set_IHDR(e->png, e->info, (png_uint_32)image->width, (png_uint_32)image->height, (int)image->bytes * 8,
                 image->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(e->png, e->info);
    if (image->bytes == 2 && *(const unsigned char *)&one == 1)
        png_set_swap(e->png);
    for (size_t y = 0; y < image->height; y++)
        png_write_row(e->png, image->values + y * image->width * image->channels * image->bytes);
    png_write_end(e->png, e->info);
}

static bool guard(encoder *e)
{
    if (setjmp(e->jump) != 0)
        return false;
    encode(e);
    return true;
}

static bool is_valid(const lc_image *image)
{
    return image->values != NULL && image->height >= 1 && image->width >= 1 && image->height <= LC_IMAGE_MOST &&
           image->width <= LC_IMAGE_MOST && (image->channels == 1 || image->channels == 3) &&
           (image->bytes == 1 || image->bytes == 2);
}

loco_status lc_image_save(const char *path, const lc_image *image, loco_err *err)
{
    encoder e = {.image = image};
    if (!is_valid(image))
        return lc_err_set(err, LOCO_EARG, "an image of %zu x %zu pixels, %zu channels of %zu bytes cannot be saved",
                          image->width, image->height, image->channels, image->bytes);
    loco_status status = LOCO_OK;
    if (guard(&e))
        status = lc_file_save(path, e.text.bytes, e.text.length, err);
    else if (e.no_memory || e.text.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory while saving an image");
    else
        status = lc_err_set(err, LOCO_EDATA, "%s: cannot be written as PNG: %s", lc_track_show(path).text, e.problem);
    if (e.png != NULL)
        png_destroy_write_struct(&e.png, &e.info);
    lc_text_free(&e.text);
    return status;
}

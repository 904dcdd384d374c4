/* SPDX-License-Identifier: MIT
 * read_png.c - PNG by libpng: any depth, palettes, interlaced ones; of an animated one the first picture.
 *   1, 2 and 4 bits and palettes become 8 bits, 16 bits stay; alpha and colour profiles are ignored. */
#include "base/status.h"
#include "image/png_guard.h"
#include "image/reader.h"
#include "signal/track.h"

#include <string.h>

/* DEFLATE_MOST: the most that deflate makes of a byte. */
enum { DEFLATE_MOST = 1032, SIGNATURE = 8, HEADER = 24, LARGEST_SIZE = 0x7fffffff };

typedef struct png_decoder {
    lc_png base;
    FILE *stream;
    lc_image *image;
    size_t packed; /* bytes of the pixels before compression */
} png_decoder;

static void read_bytes(png_structp png, png_bytep bytes, size_t n)
{
    if (fread(bytes, 1, n, png_get_io_ptr(png)) != n)
        png_error(png, "cut short");
}

/* Chunks that may be large when unpacked, and that nobody reads. */
static void skip_extras(png_structp png)
{
    static const png_byte extras[] = "iCCP\0zTXt\0iTXt\0tEXt\0eXIf\0sPLT\0hIST";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, extras, sizeof extras / 5);
}

static void read_header(void *context)
{
    png_decoder *d = context;
    lc_png_new(&d->base, false);
    png_structp png = d->base.png;
    png_infop info = d->base.info;
    png_set_read_fn(png, d->stream, read_bytes);
    png_set_user_limits(png, LARGEST_SIZE, LARGEST_SIZE); /* ours have a better sentence */
    skip_extras(png);
    png_read_info(png, info);
    bool colour = (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) != 0;
    *d->image = (lc_image){.height = png_get_image_height(png, info),
                           .width = png_get_image_width(png, info),
                           .channels = colour ? 3 : 1,
                           .bytes = png_get_bit_depth(png, info) == 16 ? 2 : 1};
    d->packed = png_get_rowbytes(png, info) * d->image->height;
}

static void read_rows(void *context)
{
    png_decoder *d = context;
    png_structp png = d->base.png;
    size_t row = d->image->width * d->image->channels * d->image->bytes;
    png_set_palette_to_rgb(png); /* does nothing where there is no palette */
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_alpha(png);
    lc_png_set_order(&d->base);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, d->base.info);
    if (png_get_rowbytes(png, d->base.info) != row)
        png_error(png, "rows of an unexpected size");
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < d->image->height; y++)
            png_read_row(png, d->image->values + y * row, NULL);
}

static loco_status fail(const png_decoder *d, const lc_image_file *file, loco_err *err)
{
    const lc_track_name name = lc_track_show(file->path);
    if (d->base.no_memory)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", name.text);
    return lc_err_set(err, LOCO_EDATA, "%s: is a damaged PNG (%s); get or save the file again", name.text,
                      d->base.problem);
}

static size_t number_at(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Whether width and height in the header are 1 or more; libpng has one message for all that may be wrong there. */
static bool has_pixels(FILE *stream)
{
    unsigned char head[HEADER];
    bool known = fread(head, 1, sizeof head, stream) == sizeof head;
    rewind(stream);
    return !known || (number_at(head + 16) > 0 && number_at(head + 20) > 0);
}

static loco_status read_png(lc_image *image, const lc_image_file *file, bool whole, loco_err *err)
{
    png_decoder d = {.stream = file->stream, .image = image};
    if (!has_pixels(file->stream))
        return lc_image_begin(image, file, 0, 1, false, err); /* refuses */
    loco_status status = lc_png_guard(&d.base, read_header, &d) ? LOCO_OK : fail(&d, file, err);
    if (status == LOCO_OK)
        status = lc_image_begin(image, file, d.packed, DEFLATE_MOST, whole, err);
    if (status == LOCO_OK && whole && !lc_png_guard(&d.base, read_rows, &d))
        status = fail(&d, file, err);
    lc_png_free(&d.base, false);
    return status;
}

static bool knows(const unsigned char *head, size_t length)
{
    return length >= SIGNATURE && memcmp(head, "\x89PNG\r\n\x1a\n", SIGNATURE) == 0;
}

const lc_image_reader lc_image_png = {.name = "PNG", .endings = {".png"}, .knows = knows, .read = read_png};

/* SPDX-License-Identifier: MIT
 * read_png.c - PNG by libpng: any depth, palettes, interlaced ones; of an animated one the first picture.
 *
 * 1, 2 and 4 bits and palettes become 8 bits, 16 bits stay; alpha and colour profiles are ignored. libpng reports errors by
 * a function that must not return, so that each of its calls lies below `guard`. It takes memory by our functions, so
 * that a lack of it is not reported as a damaged file. */
#include "base/status.h"
#include "image/reader.h"
#include "signal/track.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { DEFLATE_MOST = 1032, SIGNATURE = 8, HEADER = 24, LARGEST_SIZE = 0x7fffffff };

typedef struct decoder {
    png_structp png;
    png_infop info;
    FILE *stream;
    lc_image *image;
    size_t packed; /* bytes of the pixels before compression */
    bool no_memory;
    char problem[64];
    jmp_buf jump;
} decoder;

/* ---- what libpng calls ---- */

static PNG_NORETURN void on_error(png_structp png, png_const_charp text)
{
    decoder *d = png_get_error_ptr(png);
    snprintf(d->problem, sizeof d->problem, "%s", text);
    longjmp(d->jump, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static png_voidp take_memory(png_structp png, png_alloc_size_t size)
{
    decoder *d = png_get_mem_ptr(png);
    void *memory = malloc(size);
    d->no_memory = d->no_memory || memory == NULL;
    return memory;
}

static void free_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void read_bytes(png_structp png, png_bytep bytes, size_t n)
{
    decoder *d = png_get_io_ptr(png);
    if (fread(bytes, 1, n, d->stream) != n)
        png_error(png, "cut short");
}

/* Runs work; false when libpng reported an error. */
static bool guard(decoder *d, void (*work)(decoder *))
{
    if (setjmp(d->jump) != 0)
        return false;
    work(d);
    return true;
}

/* ---- work ---- */

/* Chunks that may be large when unpacked, and that nobody reads. */
static void skip_extras(decoder *d)
{
    static const png_byte extras[] = "iCCP\0zTXt\0iTXt\0tEXt\0eXIf\0sPLT\0hIST";
    png_set_keep_unknown_chunks(d->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(d->png, PNG_HANDLE_CHUNK_NEVER, extras, sizeof extras / 5);
}

static void read_header(decoder *d)
{
    d->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, d, on_error, on_warning, d, take_memory, free_memory);
    if (d->png != NULL)
        d->info = png_create_info_struct(d->png);
    if (d->info == NULL)
        longjmp(d->jump, 1);
    png_set_read_fn(d->png, d, read_bytes);
    png_set_user_limits(d->png, LARGEST_SIZE, LARGEST_SIZE);
    skip_extras(d);
    png_read_info(d->png, d->info);
    bool colour = (png_get_color_type(d->png, d->info) & PNG_COLOR_MASK_COLOR) != 0;
    *d->image = (lc_image){.height = png_get_image_height(d->png, d->info),
                           .width = png_get_image_width(d->png, d->info),
                           .channels = colour ? 3 : 1,
                           .bytes = png_get_bit_depth(d->png, d->info) == 16 ? 2 : 1};
    d->packed = png_get_rowbytes(d->png, d->info) * d->image->height;
}

static void read_rows(decoder *d)
{
    static const unsigned short one = 1;
    png_set_palette_to_rgb(d->png); /* does nothing where there is no palette */
    png_set_expand_gray_1_2_4_to_8(d->png);
    png_set_strip_alpha(d->png);
    if (*(const unsigned char *)&one == 1)
        png_set_swap(d->png);
    int passes = png_set_interlace_handling(d->png);
    png_read_update_info(d->png, d->info);
    size_t row = d->image->width * d->image->channels * d->image->bytes;
    if (png_get_rowbytes(d->png, d->info) != row)
        png_error(d->png, "unexpected row");
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < d->image->height; y++)
            png_read_row(d->png, d->image->values + y * row, NULL);
}

static loco_status fail(const decoder *d, const lc_image_file *file, loco_err *err)
{
    const lc_track_name name = lc_track_show(file->path);
    if (d->no_memory)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", name.text);
    return lc_err_set(err, LOCO_EDATA, "%s: is a damaged PNG (%s); get or save the file again", name.text, d->problem);
}

static size_t number_at(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Whether the header has pixels; libpng has one message for all that may be wrong with it. */
static bool has_pixels(const lc_image_file *file)
{
    unsigned char head[HEADER] = {0};
    bool known = fread(head, 1, sizeof head, file->stream) == sizeof head;
    rewind(file->stream);
    return !known || (number_at(head + 16) > 0 && number_at(head + 20) > 0);
}

static loco_status read_png(lc_image *image, const lc_image_file *file, bool whole, loco_err *err)
{
    decoder d = {.stream = file->stream, .image = image};
    if (!has_pixels(file))
        return lc_image_begin(image, file, 0, 1, false, err); /* refuses */
    loco_status status = guard(&d, read_header) ? LOCO_OK : fail(&d, file, err);
    if (status == LOCO_OK)
        status = lc_image_begin(image, file, d.packed, DEFLATE_MOST, whole, err);
    if (status == LOCO_OK && whole && !guard(&d, read_rows))
        status = fail(&d, file, err);
    if (d.png != NULL)
        png_destroy_read_struct(&d.png, &d.info, NULL);
    return status;
}

static bool knows(const unsigned char *head, size_t length)
{
    return length >= SIGNATURE && memcmp(head, "\x89PNG\r\n\x1a\n", SIGNATURE) == 0;
}

const lc_image_reader lc_image_png = {.name = "PNG", .endings = {".png"}, .knows = knows, .read = read_png};

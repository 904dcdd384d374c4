/* SPDX-License-Identifier: MIT
 * read_tiff.c - TIFF, as microscopes write it, by libtiff: the first page, in strips or tiles, its channels together or one
 *   after the other. Values: tiff_values.h. Of samples beside grey or colours (alpha) nothing is read.
 *
 * Strips are read row by row: some programs write an image as one strip, and it need not lie in memory twice. Files are
 * read, not mapped; messages stay with the handle. */
#include "base/status.h"
#include "image/reader.h"
#include "image/tiff_values.h"
#include "signal/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

enum { TILE_MOST = 1 << 28 }; /* bytes */

typedef struct tiff_decoder {
    TIFF *tiff;
    const lc_image_file *file;
    lc_image *image;
    lc_tiff_values values;
    uint16_t samples, photometric, compression;
    bool planes;                      /* channels one after the other, not pixel by pixel */
    bool tiled;                       /* not in strips */
    uint32_t block_width, block_rows; /* a block is a tile, or a row of the image */
    unsigned char *block;
    char problem[96]; /* the first error that libtiff reported */
} tiff_decoder;

/* ---- what libtiff calls ---- */

static int on_error(TIFF *tiff, void *context, const char *module, const char *format, va_list values)
{
    tiff_decoder *d = context;
    (void)tiff;
    (void)module;
    if (d->problem[0] == 0)
        vsnprintf(d->problem, sizeof d->problem, format, values);
    return 1;
}

static int on_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list values)
{
    (void)tiff;
    (void)context;
    (void)module;
    (void)format;
    (void)values;
    return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *bytes, tmsize_t n)
{
    tiff_decoder *d = handle;
    return n > 0 ? (tmsize_t)fread(bytes, 1, (size_t)n, d->file->stream) : 0;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t n)
{
    (void)handle;
    (void)bytes;
    (void)n;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence)
{
    tiff_decoder *d = handle;
    if (offset > INT64_MAX || fseeko(d->file->stream, (off_t)offset, whence) != 0)
        return (toff_t)-1;
    return (toff_t)ftello(d->file->stream);
}

static int close_file(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle)
{
    tiff_decoder *d = handle;
    return d->file->size;
}

/* ---- the directory ---- */

static loco_status fail(const tiff_decoder *d, loco_err *err)
{
    const lc_track_name name = lc_track_show(d->file->path);
    if (strstr(d->problem, "ut of memory") != NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", name.text);
    return lc_err_set(err, LOCO_EDATA, "%s: is a damaged TIFF (%.80s); get or save the file again", name.text,
                      d->problem[0] != 0 ? d->problem : "unknown cause");
}

static loco_status open_tiff(tiff_decoder *d, loco_err *err)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(d->file->path).text);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, d);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, d);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, LC_IMAGE_BYTES);
    d->tiff = TIFFClientOpenExt(d->file->path, "rm", d, read_bytes, write_bytes, seek, close_file, size_of, NULL, NULL,
                                options);
    TIFFOpenOptionsFree(options);
    return d->tiff != NULL ? LOCO_OK : fail(d, err);
}

/* Compressions that are read, and how many bytes each makes of one at most, or so. */
static const struct {
    uint16_t id;
    size_t ratio;
} compressions[] = {
    {COMPRESSION_NONE,          1   },
    {COMPRESSION_PACKBITS,      64  },
    {COMPRESSION_ADOBE_DEFLATE, 1032},
    {COMPRESSION_DEFLATE,       1032},
    {COMPRESSION_LZW,           2731},
    {COMPRESSION_JPEG,          4096},
    {COMPRESSION_ZSTD,          4096},
};

static size_t ratio_of(uint16_t compression)
{
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++)
        if (compressions[i].id == compression)
            return compressions[i].ratio;
    return 0;
}

static bool has_known_colours(const tiff_decoder *d)
{
    switch (d->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_RGB: return true;
    case PHOTOMETRIC_PALETTE: return d->samples == 1 && d->values.bits == 8;
    case PHOTOMETRIC_YCBCR: return d->samples == 3 && d->compression == COMPRESSION_JPEG;
    default: return false;
    }
}

static loco_status check_kind(const tiff_decoder *d, loco_err *err)
{
    const lc_track_name name = lc_track_show(d->file->path);
    if (ratio_of(d->compression) == 0 || !TIFFIsCODECConfigured(d->compression))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: is a TIFF with compression %u, which is not read; save it with LZW or without",
                          name.text, d->compression);
    if (!lc_tiff_values_known(&d->values))
        return lc_err_set(err, LOCO_EDATA, "%s: is a TIFF with %u bits a value; save it with 8 or 16", name.text,
                          d->values.bits);
    if (d->samples < 1 || d->samples > 4)
        return lc_err_set(err, LOCO_EDATA, "%s: is a TIFF with %u channels; save it with 1 or 3", name.text,
                          d->samples);
    if (!has_known_colours(d))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: is a TIFF whose colours (kind %u) are not read; convert it to RGB or grey", name.text,
                          d->photometric);
    return LOCO_OK;
}

static void read_tags(tiff_decoder *d)
{
    uint16_t planes = 0;
    d->photometric = PHOTOMETRIC_MINISBLACK; /* where the tag is missing */
    TIFFGetField(d->tiff, TIFFTAG_PHOTOMETRIC, &d->photometric);
    TIFFGetFieldDefaulted(d->tiff, TIFFTAG_BITSPERSAMPLE, &d->values.bits);
    TIFFGetFieldDefaulted(d->tiff, TIFFTAG_SAMPLESPERPIXEL, &d->samples);
    TIFFGetFieldDefaulted(d->tiff, TIFFTAG_SAMPLEFORMAT, &d->values.format);
    TIFFGetFieldDefaulted(d->tiff, TIFFTAG_COMPRESSION, &d->compression);
    TIFFGetFieldDefaulted(d->tiff, TIFFTAG_PLANARCONFIG, &planes);
    d->planes = planes == PLANARCONFIG_SEPARATE && d->samples > 1;
    d->values.turned = d->photometric == PHOTOMETRIC_MINISWHITE;
    d->values.coloured = d->photometric == PHOTOMETRIC_PALETTE;
    if (d->values.format == SAMPLEFORMAT_VOID)
        d->values.format = SAMPLEFORMAT_UINT;
}

static bool read_palette(tiff_decoder *d)
{
    uint16_t *map[3] = {0};
    bool wide = false; /* 16 bits, as it should be; some programs write 8 */
    if (TIFFGetField(d->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]) != 1)
        return false;
    for (size_t i = 0; i < (size_t)3 * 256; i++)
        wide = wide || map[i / 256][i % 256] > 255;
    for (size_t i = 0; i < (size_t)3 * 256; i++)
        d->values.palette[i / 256][i % 256] = (unsigned char)(map[i / 256][i % 256] >> (wide ? 8 : 0));
    return true;
}

static void read_sizes(tiff_decoder *d)
{
    uint32_t width = 0, height = 0;
    TIFFGetField(d->tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(d->tiff, TIFFTAG_IMAGELENGTH, &height);
    *d->image = (lc_image){.height = height,
                           .width = width,
                           .channels = d->samples > 2 || d->values.coloured ? 3 : 1,
                           .bytes = d->values.bits == 8 && !lc_tiff_values_scaled(&d->values) ? 1 : 2};
    d->tiled = TIFFIsTiled(d->tiff) != 0;
    d->block_width = width;
    d->block_rows = 1;
    if (d->tiled) {
        TIFFGetField(d->tiff, TIFFTAG_TILEWIDTH, &d->block_width);
        TIFFGetField(d->tiff, TIFFTAG_TILELENGTH, &d->block_rows);
    }
}

static loco_status read_directory(tiff_decoder *d, loco_err *err)
{
    read_tags(d);
    loco_status status = check_kind(d, err);
    if (status != LOCO_OK)
        return status;
    if (d->values.coloured && !read_palette(d))
        return lc_image_refuse(d->file, "is a TIFF with a palette without colours; save the file again", err);
    if (d->photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(d->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    read_sizes(d);
    return LOCO_OK;
}

/* ---- blocks ---- */

static size_t block_size(const tiff_decoder *d)
{
    return (size_t)d->block_width * d->block_rows * (d->values.bits / 8) * (d->planes ? 1 : d->samples);
}

/* Unpacks the block with pixel (x, y) of a plane; false when it is damaged. */
static bool read_block(tiff_decoder *d, uint32_t x, uint32_t y, uint16_t plane)
{
    tmsize_t size = (tmsize_t)block_size(d);
    if (d->tiled)
        return TIFFReadEncodedTile(d->tiff, TIFFComputeTile(d->tiff, x, y, 0, plane), d->block, size) == size;
    return TIFFReadScanline(d->tiff, d->block, y, plane) == 1;
}

/* Notes or puts the values of the block at (x, y). */
static void use_block(tiff_decoder *d, uint32_t x, uint32_t y, size_t plane, bool note)
{
    const lc_image *image = d->image;
    size_t size = d->values.bits / 8, samples = d->planes ? 1 : d->samples;
    size_t channels = d->planes || d->values.coloured ? 1 : image->channels;
    size_t rows = image->height - y < d->block_rows ? image->height - y : d->block_rows;
    lc_tiff_row row = {.step = samples * size,
                       .count = image->width - x < d->block_width ? image->width - x : d->block_width};
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < channels; c++) {
            row.from = d->block + (i * d->block_width * samples + c) * size;
            row.to = ((y + i) * image->width + x) * image->channels + plane + c;
            if (note)
                lc_tiff_values_note(&d->values, &row);
            else
                lc_tiff_values_put(&d->values, &row, image);
        }
}

static bool read_blocks(tiff_decoder *d, bool note)
{
    size_t planes = d->planes ? d->image->channels : 1;
    for (size_t plane = 0; plane < planes; plane++)
        for (uint32_t y = 0; y < d->image->height; y += d->block_rows)
            for (uint32_t x = 0; x < d->image->width; x += d->block_width) {
                if (!read_block(d, x, y, (uint16_t)plane))
                    return false;
                use_block(d, x, y, plane, note);
            }
    return true;
}

/* Bytes of all blocks; 0 where their size is invalid, or not what libtiff makes of it. */
static size_t packed_size(const tiff_decoder *d)
{
    size_t across = d->block_width, down = d->block_rows;
    if (across == 0 || down == 0 || across > LC_IMAGE_MOST || down > LC_IMAGE_MOST || block_size(d) > TILE_MOST)
        return 0;
    if ((uint64_t)block_size(d) != (d->tiled ? TIFFTileSize64(d->tiff) : TIFFScanlineSize64(d->tiff)))
        return 0;
    size_t blocks = ((d->image->width + across - 1) / across) * ((d->image->height + down - 1) / down);
    return block_size(d) * blocks * (d->planes ? d->samples : 1);
}

static loco_status read_pixels(tiff_decoder *d, bool whole, loco_err *err)
{
    loco_status status = lc_image_begin(d->image, d->file, 0, 1, false, err);
    if (status != LOCO_OK)
        return status;
    size_t packed = packed_size(d);
    if (packed == 0)
        return lc_image_refuse(d->file, "is a TIFF with tiles of an invalid size, or too large; save the file again",
                               err);
    status = lc_image_begin(d->image, d->file, packed, ratio_of(d->compression), whole, err);
    if (status != LOCO_OK || !whole)
        return status;
    d->block = calloc(1, block_size(d));
    if (d->block == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(d->file->path).text);
    d->values.least = INFINITY;
    d->values.largest = -INFINITY;
    bool good = (!lc_tiff_values_scaled(&d->values) || read_blocks(d, true)) && read_blocks(d, false);
    return good ? LOCO_OK : fail(d, err);
}

static loco_status read_tiff(lc_image *image, const lc_image_file *file, bool whole, loco_err *err)
{
    tiff_decoder d = {.file = file, .image = image};
    loco_status status = open_tiff(&d, err);
    if (status == LOCO_OK)
        status = read_directory(&d, err);
    if (status == LOCO_OK)
        status = read_pixels(&d, whole, err);
    if (d.tiff != NULL)
        TIFFClose(d.tiff);
    free(d.block);
    return status;
}

static bool knows(const unsigned char *head, size_t length)
{
    return length >= 4 && (memcmp(head, "II*\0", 4) == 0 || memcmp(head, "MM\0*", 4) == 0 ||
                           memcmp(head, "II+\0", 4) == 0 || memcmp(head, "MM\0+", 4) == 0);
}

const lc_image_reader lc_image_tiff = {
    .name = "TIFF", .endings = {".tif", ".tiff"},
         .knows = knows, .read = read_tiff
};

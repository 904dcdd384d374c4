/* SPDX-License-Identifier: MIT
 * read_jpeg.c - JPEG by libjpeg-turbo: grey or colours, baseline or progressive.
 *
 * libjpeg reports an error by a function that must not return, so that each of its calls lies below `guard`. It goes on
 * after what it calls warnings; those that mean lost pixels are errors here. The rotation that some cameras note beside
 * the picture is not applied: coordinates are those of the pixels in the file. */
#include "base/status.h"
#include "image/reader.h"
#include "signal/track.h"

#include <setjmp.h>

#include <jpeglib.h>

#include <jerror.h>

/* RATIO: values for each byte of a file: in a uniform image a block of 64 takes a bit, and of colours most are left out,
 * which makes 1024; arithmetic coding makes more. SCANS: a progressive image has about ten. */
enum { RATIO = 4096, SCANS = 100 };

typedef struct jpeg_decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    lc_image *image;
    FILE *stream;
    bool no_memory;
    char problem[JMSG_LENGTH_MAX];
    jmp_buf jump;
} jpeg_decoder;

/* ---- what libjpeg calls ---- */

static _Noreturn void on_error(j_common_ptr jpeg)
{
    jpeg_decoder *d = jpeg->client_data;
    d->no_memory = jpeg->err->msg_code == JERR_OUT_OF_MEMORY;
    jpeg->err->format_message(jpeg, d->problem);
    longjmp(d->jump, 1);
}

/* level: -1 for a warning, 0 and more for remarks. */
static void on_message(j_common_ptr jpeg, int level)
{
    switch (level < 0 ? jpeg->err->msg_code : 0) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC: on_error(jpeg);
    default: break;
    }
}

static void on_text(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void on_progress(j_common_ptr jpeg)
{
    jpeg_decoder *d = jpeg->client_data;
    if (d->jpeg.input_scan_number > SCANS) {
        snprintf(d->problem, sizeof d->problem, "more than %d scans", SCANS);
        longjmp(d->jump, 1);
    }
}

static bool guard(jpeg_decoder *d, void (*work)(jpeg_decoder *))
{
    if (setjmp(d->jump) != 0)
        return false;
    work(d);
    return true;
}

/* ---- work ---- */

static void read_header(jpeg_decoder *d)
{
    jpeg_create_decompress(&d->jpeg);
    d->jpeg.client_data = d;
    d->jpeg.progress = &d->progress;
    jpeg_stdio_src(&d->jpeg, d->stream);
    jpeg_read_header(&d->jpeg, TRUE);
    bool grey = d->jpeg.jpeg_color_space == JCS_GRAYSCALE;
    *d->image = (lc_image){
        .height = d->jpeg.image_height, .width = d->jpeg.image_width, .channels = grey ? 1 : 3, .bytes = 1};
}

static void read_rows(jpeg_decoder *d)
{
    d->jpeg.out_color_space = d->image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&d->jpeg);
    while (d->jpeg.output_scanline < d->jpeg.output_height) {
        JSAMPROW row = d->image->values + d->jpeg.output_scanline * d->image->width * d->image->channels;
        jpeg_read_scanlines(&d->jpeg, &row, 1);
    }
    jpeg_finish_decompress(&d->jpeg);
}

static loco_status fail(const jpeg_decoder *d, const lc_image_file *file, loco_err *err)
{
    const lc_track_name name = lc_track_show(file->path);
    if (d->no_memory)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", name.text);
    return lc_err_set(err, LOCO_EDATA, "%s: is a damaged JPEG (%.90s); get or save the file again", name.text,
                      d->problem);
}

static loco_status check_colours(const jpeg_decoder *d, const lc_image_file *file, loco_err *err)
{
    switch (d->jpeg.jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_YCbCr:
    case JCS_RGB: return LOCO_OK;
    case JCS_CMYK:
    case JCS_YCCK: return lc_image_refuse(file, "is a JPEG in CMYK, the colours of print; convert it to RGB", err);
    default: return lc_image_refuse(file, "is a JPEG of unknown colours; convert it to RGB or grey", err);
    }
}

static loco_status read_jpeg(lc_image *image, const lc_image_file *file, bool whole, loco_err *err)
{
    jpeg_decoder d = {.image = image, .stream = file->stream};
    d.jpeg.err = jpeg_std_error(&d.errors);
    d.jpeg.client_data = &d;
    d.errors.error_exit = on_error;
    d.errors.emit_message = on_message;
    d.errors.output_message = on_text;
    d.progress.progress_monitor = on_progress;
    loco_status status = guard(&d, read_header) ? check_colours(&d, file, err) : fail(&d, file, err);
    if (status == LOCO_OK)
        status = lc_image_begin(image, file, image->height * image->width * image->channels, RATIO, whole, err);
    if (status == LOCO_OK && whole && !guard(&d, read_rows))
        status = fail(&d, file, err);
    jpeg_destroy_decompress(&d.jpeg);
    return status;
}

static bool knows(const unsigned char *head, size_t length)
{
    return length >= 3 && head[0] == 0xff && head[1] == 0xd8 && head[2] == 0xff;
}

const lc_image_reader lc_image_jpeg = {
    .name = "JPEG", .endings = {".jpg", ".jpeg"},
         .knows = knows, .read = read_jpeg
};

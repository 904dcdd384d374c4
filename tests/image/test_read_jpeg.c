/* SPDX-License-Identifier: MIT
 * test_read_jpeg.c - JPEG files, written by libjpeg here: grey, colours, progressive; and what is refused. */
#include "image_cases.h"

#include <jpeglib.h>

enum { HEIGHT = 40, WIDTH = 56 };

typedef struct file {
    unsigned char *bytes;
    unsigned long n;
} file;

/* A smooth picture, so that little is lost. */
static unsigned char value_of(size_t y, size_t x, size_t c)
{
    return (unsigned char)(c == 0 ? 4 * x : c == 1 ? 5 * y : 200 - 3 * x);
}

static file make(J_COLOR_SPACE space, int components, bool progressive)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    file f = {NULL, 0};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &f.bytes, &f.n);
    jpeg.image_width = WIDTH, jpeg.image_height = HEIGHT;
    jpeg.input_components = components;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    if (progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (size_t y = 0; y < HEIGHT; y++) {
        JSAMPLE row[WIDTH * 4], *rows = row;
        for (size_t i = 0; i < (size_t)WIDTH * (size_t)components; i++)
            row[i] = value_of(y, i / (size_t)components, i % (size_t)components);
        jpeg_write_scanlines(&jpeg, &rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return f;
}

static void check_kind(J_COLOR_SPACE space, size_t channels, bool progressive)
{
    file f = make(space, (int)channels, progressive);
    lc_image image = image_of(f.bytes, f.n, HEIGHT, WIDTH, channels, 1);
    double worst = 0;
    for (size_t i = 0; i < (size_t)HEIGHT * WIDTH * channels; i++) {
        size_t pixel = i / channels;
        worst_note(&worst, image.values[i], value_of(pixel / WIDTH, pixel % WIDTH, i % channels), 1);
    }
    CHECK_WORST(worst, channels == 1 ? 2 : 12); /* colours have half the resolution */
    lc_image_free(&image);
    free(f.bytes);
}

static void all_kinds_are_read(void)
{
    check_kind(JCS_GRAYSCALE, 1, false);
    check_kind(JCS_GRAYSCALE, 1, true);
    check_kind(JCS_RGB, 3, false);
    check_kind(JCS_RGB, 3, true);
}

static void colours_of_print_are_refused(void)
{
    file f = make(JCS_CMYK, 4, false);
    image_refused(f.bytes, f.n, "is a JPEG in CMYK, the colours of print; convert it to RGB");
    free(f.bytes);
    f = make(JCS_UNKNOWN, 2, false);
    image_refused(f.bytes, f.n, "is a JPEG of unknown colours; convert it to RGB or grey");
    free(f.bytes);
}

static void damaged_files_are_refused(void)
{
    file f = make(JCS_RGB, 3, false);
    image_refused(f.bytes, f.n / 2, "is a damaged JPEG (Premature end of JPEG file); get or save the file again");
    image_cut_refused(f.bytes, f.n - 2, 7); /* but for the mark of the end */
    memcpy(f.bytes + f.n - 40, "\xff\xd9", 2);
    image_refused(f.bytes, f.n, "is a damaged JPEG (Corrupt JPEG data");
    free(f.bytes);
    f = make(JCS_GRAYSCALE, 1, true);
    image_cut_refused(f.bytes, f.n - 2, 7);
    free(f.bytes);
    image_refused("\xff\xd8\xff and text", 12, "is a damaged JPEG");
}

/* Where the marker is. */
static size_t find(const file *f, unsigned char marker)
{
    size_t i = 2;
    while (i + 4 < f->n && (f->bytes[i] != 0xff || f->bytes[i + 1] != marker))
        i++;
    return i;
}

static void impossible_claims_are_refused(void)
{
    static const struct {
        unsigned height, width;
        const char *hint;
    } claims[] = {
        {0,     9,     "is a damaged JPEG (Empty JPEG image"            },
        {9,     0,     "is a damaged JPEG (Empty JPEG image"            },
        {30000, 30000, "too few for its 30000 x 30000 pixels"           },
        {40000, 1,     "claims 1 x 40000 pixels; at most 32768 x 32768" },
        {400,   56,    "is a damaged JPEG (Corrupt JPEG data: premature"},
    };
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        file f = make(JCS_GRAYSCALE, 1, false);
        unsigned char *at = f.bytes + find(&f, 0xc0) + 5;
        at[0] = (unsigned char)(claims[i].height >> 8), at[1] = (unsigned char)claims[i].height;
        at[2] = (unsigned char)(claims[i].width >> 8), at[3] = (unsigned char)claims[i].width;
        image_refused(f.bytes, f.n, claims[i].hint);
        free(f.bytes);
    }
}

/* A short file whose scans keep a reader busy: the first scan again and again. */
static void endless_scans_are_refused(void)
{
    enum { TIMES = 200 };
    file f = make(JCS_GRAYSCALE, 1, true);
    size_t from = find(&f, 0xda), to = from + 2, n = 0;
    while (f.bytes[to] != 0xff || f.bytes[to + 1] == 0)
        to++;
    unsigned char *all = case_array(f.n + TIMES * (to - from), 1);
    memcpy(all, f.bytes, n = from);
    for (size_t i = 0; i < TIMES; i++, n += to - from)
        memcpy(all + n, f.bytes + from, to - from);
    memcpy(all + n, f.bytes + to, f.n - to);
    image_refused(all, n + f.n - to, "is a damaged JPEG (more than 100 scans)");
    free(all);
    free(f.bytes);
}

int main(void)
{
    RUN(all_kinds_are_read);
    RUN(colours_of_print_are_refused);
    RUN(damaged_files_are_refused);
    RUN(impossible_claims_are_refused);
    RUN(endless_scans_are_refused);
    return check_done();
}

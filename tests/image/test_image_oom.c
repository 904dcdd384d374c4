/* SPDX-License-Identifier: MIT
 * test_image_oom.c - lets the n-th allocation of ours fail, for every n, while images are loaded and saved: the caller gets
 *   a status, no result is touched, no file is left half written. */
#include "oom_cases.h"

#include "image/idx.h"
#include "image/image.h"

#include <jpeglib.h>
#include <tiffio.h>
#include <unistd.h>
#include <zlib.h>

static char path[] = "/tmp/loco-image-oom-XXXXXX";

static loco_status load(loco_err *err)
{
    lc_image image = {0};
    loco_status status = lc_image_load(&image, path, err);
    CHECK((image.values != NULL) == (status == LOCO_OK));
    lc_image_free(&image);
    return status;
}

static loco_status save(loco_err *err)
{
    static unsigned char values[64 * 64 * 3];
    return lc_image_save(path, &(lc_image){64, 64, 3, 1, values}, err);
}

static loco_status load_idx(loco_err *err)
{
    lc_idx idx = {0};
    loco_status status = lc_idx_load(&idx, path, err);
    CHECK((idx.values != NULL) == (status == LOCO_OK));
    lc_idx_free(&idx);
    return status;
}

static void put(const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static void png(void)
{
    CHECK(oom_fail_each(save) > 4);
    CHECK(oom_fail_each(load) > 4); /* the last one was saved */
}

static void pnm(void)
{
    put("P5 2 2 255 abcd", 15);
    CHECK_EQ(oom_fail_each(load), 1);
}

static void jpeg(void)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL, row[16] = {0}, *rows = row;
    unsigned long n = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &n);
    jpeg.image_width = 16, jpeg.image_height = 1;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    jpeg_write_scanlines(&jpeg, &rows, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    put(bytes, n);
    free(bytes);
    CHECK_EQ(oom_fail_each(load), 1); /* libjpeg's own are not ours */
}

static void tiff(void)
{
    unsigned char row[16] = {0};
    TIFF *tiff = TIFFOpen(path, "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 16);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    CHECK(TIFFWriteScanline(tiff, row, 0, 0) == 1);
    TIFFClose(tiff);
    CHECK_EQ(oom_fail_each(load), 2);
}

static void idx(void)
{
    static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 4, 7, 2, 1, 0};
    put(labels, sizeof labels);
    CHECK_EQ(oom_fail_each(load_idx), 2);
    gzFile packed = gzopen(path, "wb");
    CHECK(gzwrite(packed, labels, sizeof labels) == sizeof labels && gzclose(packed) == Z_OK);
    CHECK(oom_fail_each(load_idx) >= 3);
}

int main(void)
{
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    RUN(png);
    RUN(pnm);
    RUN(jpeg);
    RUN(tiff);
    RUN(idx);
    unlink(path);
    return check_done();
}

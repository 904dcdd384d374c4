/* SPDX-License-Identifier: MIT
 * reader.h - what a reader of one kind of image file is: one file read_NAME.c and one line in the table of image.c. */
#ifndef LC_IMAGE_READER_H
#define LC_IMAGE_READER_H

#include "image/image.h"

#include <stdio.h>

/* A file that is being read. */
typedef struct lc_image_file {
    const char *path; /* for messages */
    FILE *stream;     /* can be positioned; at its beginning */
    size_t size;      /* in bytes */
} lc_image_file;

enum { LC_IMAGE_HEAD = 16, LC_IMAGE_ENDINGS = 4 };

typedef struct lc_image_reader {
    const char *name;                      /* as in messages */
    const char *endings[LC_IMAGE_ENDINGS]; /* with the point, in small letters */

    /* Whether the first bytes of a file, LC_IMAGE_HEAD of them or all there are, begin one of this kind. */
    bool (*knows)(const unsigned char *head, size_t length);

    /* Fills image, which is all 0: its sizes, and when whole, the values. On failure the caller frees what there is. */
    loco_status (*read)(lc_image *image, const lc_image_file *file, bool whole, loco_err *err);
} lc_image_reader;

extern const lc_image_reader lc_image_jpeg, lc_image_png, lc_image_pnm, lc_image_tiff;

/* "FILE: <what>", as LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_image_refuse(const lc_image_file *file, const char *what, loco_err *err);

/* Checks the sizes in image; then, when whole, takes memory for its values. packed: bytes of pixels, before compression,
 * that the file claims to hold; more than ratio times the file's size is refused. */
LOCO_MUST_USE loco_status lc_image_begin(lc_image *image, const lc_image_file *file, size_t packed, size_t ratio,
                                         bool whole, loco_err *err);

/* Reads the first image of a stream that can be positioned; path: for messages. As lc_image_load and lc_image_measure. */
LOCO_MUST_USE loco_status lc_image_read(lc_image *image, FILE *stream, const char *path, bool whole, loco_err *err);

#endif

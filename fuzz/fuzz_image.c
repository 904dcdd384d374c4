/* SPDX-License-Identifier: MIT
 *
 * fuzz_image.c - any bytes as an image file: PNG, JPEG, TIFF, PGM, PPM.
 *   What is looked at is the code around the libraries. The header alone and the whole file give the same sizes, within the
 *   limits; what is refused leaves the result untouched and names the file. */
#include "image/reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* MOST_VALUES: larger ones only take time. */
enum { MOST_BYTES = 1 << 14, MOST_VALUES = 1 << 20 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool read_bytes(lc_image *image, unsigned char *bytes, size_t size, bool whole)
{
    loco_err err = {""};
    FILE *stream = fmemopen(bytes, size, "rb");
    require(stream != NULL);
    loco_status status = lc_image_read(image, stream, "input.png", whole, &err);
    fclose(stream);
    if (status != LOCO_OK) {
        require(status == LOCO_EDATA && image->height == 77 && image->values == NULL);
        require(strncmp(err.text, "input.png: ", 11) == 0);
    }
    return status == LOCO_OK;
}

static void check_row(const lc_image *image)
{
    float row[12];
    lc_image_row(image, image->height, (ptrdiff_t)image->width - 2, 4, 3, row);
    for (size_t i = 0; i < 12; i++)
        require(row[i] >= 0 && row[i] <= 1);
}

static void load(unsigned char *bytes, size_t size)
{
    lc_image sizes = {.height = 77}, image = {.height = 77};
    if (!read_bytes(&sizes, bytes, size, false))
        return;
    require(sizes.height > 0 && sizes.height <= LC_IMAGE_MOST && sizes.width > 0 && sizes.width <= LC_IMAGE_MOST);
    require((sizes.channels == 1 || sizes.channels == 3) && (sizes.bytes == 1 || sizes.bytes == 2));
    if (sizes.height * sizes.width * sizes.channels > MOST_VALUES || !read_bytes(&image, bytes, size, true))
        return;
    require(image.height == sizes.height && image.width == sizes.width);
    require(image.channels == sizes.channels && image.bytes == sizes.bytes);
    check_row(&image);
    lc_image_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > MOST_BYTES)
        return 0;
    unsigned char *bytes = malloc(size);
    if (bytes == NULL)
        return 0;
    memcpy(bytes, data, size);
    load(bytes, size);
    free(bytes);
    return 0;
}

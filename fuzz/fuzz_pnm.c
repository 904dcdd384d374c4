/* SPDX-License-Identifier: MIT
 *
 * fuzz_pnm.c - any bytes behind the P of a PGM or PPM file.
 *   What is accepted has no more values than the file has bytes; what is refused names the file. */
#include "image/reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 14 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void load(unsigned char *bytes, size_t size)
{
    loco_err err = {""};
    lc_image image = {.height = 77};
    FILE *stream = fmemopen(bytes, size, "rb");
    require(stream != NULL);
    loco_status status = lc_image_read(&image, stream, "input.pgm", true, &err);
    fclose(stream);
    if (status == LOCO_OK) {
        require(image.height * image.width * image.channels <= size && image.values != NULL);
        lc_image_free(&image);
    } else {
        require(status == LOCO_EDATA && image.height == 77 && image.values == NULL);
        require(strncmp(err.text, "input.pgm: ", 11) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES)
        return 0;
    unsigned char *bytes = malloc(size + 1);
    if (bytes == NULL)
        return 0;
    bytes[0] = 'P';
    memcpy(bytes + 1, data, size);
    load(bytes, size + 1);
    free(bytes);
    return 0;
}

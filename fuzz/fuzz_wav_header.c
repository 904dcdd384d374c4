/* SPDX-License-Identifier: MIT
 *
 * fuzz_wav_header.c - any bytes as the header of a WAV stream.
 *   What is accepted can be opened as samples without a header, but for rates above the highest, which FLAC can state; what
 *   is not gives a sentence and changes nothing. */
#include "detect/wav_header.h"
#include "signal/source.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct bytes {
    const uint8_t *data;
    size_t left;
} bytes;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static size_t read_bytes(void *context, unsigned char *to, size_t n)
{
    bytes *b = context;
    size_t got = n < b->left ? n : b->left;
    if (got > 0)
        memcpy(to, b->data, got);
    b->data += got;
    b->left -= got;
    return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size};
    lc_raw_format format = {.channels = 77};
    lc_source source;
    loco_err err = {""};
    loco_status status = lc_wav_header(&format, "input", read_bytes, &b, &err);
    if (status != LOCO_OK) {
        require((status == LOCO_EDATA || status == LOCO_EARG) && format.channels == 77);
        require(strncmp(err.text, "input", 5) == 0);
        return 0;
    }
    require(format.channels >= 1 && format.channels <= LC_SOUND_CHANNELS && format.rate >= 1);
    status = lc_source_open_raw(&source, stdin, "input", &format, &err);
    require(format.rate <= LC_SOUND_RATE ? status == LOCO_OK
                                         : status == LOCO_EDATA && strncmp(err.text, "input", 5) == 0);
    if (status == LOCO_OK)
        lc_source_close(&source);
    return 0;
}

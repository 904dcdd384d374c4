/* SPDX-License-Identifier: MIT
 *
 * fuzz_decode.c - any bytes at all as a decoding line, and as one setting.
 *   What is accepted has numbers in range and comes back unchanged, bit for bit, when it is written and read again;
 *   what is refused leaves the settings untouched and says why. */
#include "detect/ensemble.h"
#include "model/decoding.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

/* Bit for bit. */
static int same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static void check_refusal(const loco_err *err, const void *now, const void *before, size_t size)
{
    require(same(now, before, size));
    require(err->text[0] != '\0' && memchr(err->text, 0, sizeof err->text) != NULL);
}

static void check_decoding(const lc_decoding *decoding)
{
    lc_text text = {0};
    lc_decoding again;
    require(lc_decoding_check(decoding, NULL) == LOCO_OK);
    lc_decoding_format(decoding, &text);
    require(!text.failed && lc_decoding_parse(&again, text.bytes, text.length, NULL) == LOCO_OK);
    double x[] = {decoding->threshold, decoding->window, decoding->gap, decoding->reset, decoding->quiet};
    double y[] = {again.threshold, again.window, again.gap, again.reset, again.quiet};
    require(again.method == decoding->method && same(x, y, sizeof x));
    lc_text_free(&text);
}

static void read_decoding(const char *line, size_t size)
{
    loco_err err = {""};
    lc_decoding decoding, before;
    memset(&before, 0x5a, sizeof before);
    memcpy(&decoding, &before, sizeof decoding);
    if (lc_decoding_parse(&decoding, line, size, &err) == LOCO_OK)
        check_decoding(&decoding);
    else
        check_refusal(&err, &decoding, &before, sizeof before);
    for (lc_decode_method m = LC_DECODE_MASS; m <= LC_DECODE_COUNT; m++) {
        decoding = before = lc_decoding_default(m);
        if (lc_decoding_set(&decoding, line, size, &err) == LOCO_OK)
            require(lc_decoding_check(&decoding, NULL) == LOCO_OK);
        else
            check_refusal(&err, &decoding, &before, sizeof before);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_decoding((const char *)data, size);
    return 0;
}

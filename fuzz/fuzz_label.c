/* SPDX-License-Identifier: MIT
 *
 * fuzz_label.c - any bytes at all into loco_label_parse.
 *   A label that is accepted must be a possible one (lo <= hi), and must come back unchanged when it is written and
 *   read again; whatever is refused must leave the label untouched and say why. */
#include <loco.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static int same(loco_label a, loco_label b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

static void check_accepted(loco_label label)
{
    char text[64];
    loco_label again = {77, 7};
    loco_err err;
    size_t length = loco_label_format(text, sizeof text, label);

    require(label.lo <= label.hi);
    require(length > 0 && length < sizeof text && strlen(text) == length);
    require(loco_label_parse(&again, text, length, &err) == LOCO_OK);
    require(same(again, label));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const loco_label untouched = {77, 7};
    loco_label label = untouched;
    loco_err err = {""};
    loco_status status = loco_label_parse(&label, (const char *)data, size, &err);

    if (status == LOCO_OK) {
        check_accepted(label);
    } else {
        require(same(label, untouched));
        require(err.text[0] != '\0' && memchr(err.text, 0, sizeof err.text) != NULL);
    }
    return 0;
}

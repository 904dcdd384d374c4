/* SPDX-License-Identifier: MIT
 *
 * fuzz_drumkit.c - any bytes at all as drumkit.xml.
 *   What is accepted has layers of known parts, within the kit's folder, with velocities of 0 to 1, in order of their
 *   instruments; whatever is refused leaves the result untouched and names the file. */
#include "studio/kits/drumkit.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const lc_drumkit *kit)
{
    require(kit->instruments > 0 && kit->instruments <= LC_DRUMKIT_INSTRUMENTS);
    require(kit->layers_len <= LC_DRUMKIT_LAYERS && kit->name != NULL && kit->licence != NULL && kit->author != NULL);
    for (size_t i = 0; i < kit->layers_len; i++) {
        const lc_drumkit_layer *layer = &kit->layers[i];
        require(layer->part < LC_PARTS && layer->instrument < kit->instruments);
        require(layer->min >= 0 && layer->min <= 1 && layer->max >= 0 && layer->max <= 1);
        require(layer->file[0] != 0 && layer->file[0] != '/' && strstr(layer->file, "../") != layer->file);
        require(i == 0 || layer[-1].instrument <= layer->instrument);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_store store = {0};
    lc_drumkit kit = {.instruments = 7777};
    loco_err err = {""};
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    loco_status status = lc_drumkit_parse(&kit, &store, "drumkit.xml", bytes, size, &err);
    if (status == LOCO_OK)
        check(&kit);
    else
        require(status == LOCO_EDATA && kit.instruments == 7777 && strstr(err.text, "drumkit.xml") != NULL);
    lc_store_free(&store);
    free(bytes);
    return 0;
}

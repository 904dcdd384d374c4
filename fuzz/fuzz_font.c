/* SPDX-License-Identifier: MIT
 *
 * fuzz_font.c - any bytes at all as the lists of a SoundFont.
 *   Presets that are accepted have names, banks and programs of MIDI; the kits chosen among them exist; whatever is
 *   refused leaves the result untouched and names the file. */
#include "studio/kits/font.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const lc_font *font)
{
    size_t kits[LC_FONT_KITS], n = lc_font_kits(font, kits);
    require(font->len < LC_FONT_PRESETS && n <= LC_FONT_KITS && n <= font->len);
    require(font->name != NULL && font->author != NULL && font->licence != NULL && font->comment != NULL);
    for (size_t i = 0; i < font->len; i++) {
        const lc_font_preset *preset = &font->presets[i];
        require(strlen(preset->name) <= 20 && preset->bank < 16384 && preset->program < 128);
    }
    for (size_t i = 0; i < n; i++)
        require(kits[i] < font->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_store store = {0};
    lc_font font = {.len = 99999};
    loco_err err = {""};
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    loco_status status = lc_font_parse(&font, &store, "a.sf2", bytes, size, &err);
    if (status == LOCO_OK)
        check(&font);
    else
        require(status == LOCO_EDATA && font.len == 99999 && strncmp(err.text, "a.sf2", 5) == 0);
    lc_store_free(&store);
    free(bytes);
    return 0;
}

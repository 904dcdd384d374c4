/* SPDX-License-Identifier: MIT
 *
 * font.c - reads what presets a SoundFont has.
 *
 * Numbers are little-endian; a chunk is 4 letters, a length of 4 bytes, and content padded to an even length.
 */
#include "studio/kits/font.h"

#include "base/folder.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEADER = 8, RECORD = 38, NAME = 20, FEW = 4, ALL_GENERAL = 100 };

/* A little-endian number of n bytes. */
static uint32_t little(const char *bytes, size_t length)
{
    uint32_t value = 0;
    for (size_t i = length; i-- > 0;)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

static loco_status no_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the SoundFont %.150s", path);
}

/* Printable text, up to its end or the first 0; a copy, or NULL without memory. */
static char *text_of(lc_store *store, const char *bytes, size_t length)
{
    size_t end = 0;
    while (end < length && bytes[end] != 0)
        end++;
    char *copy = lc_store_string(store, bytes, end);
    for (size_t i = 0; copy != NULL && i < end; i++)
        if ((unsigned char)copy[i] < ' ' || (unsigned char)copy[i] > '~')
            copy[i] = ' ';
    return copy;
}

/* The last record only marks the end. */
static loco_status parse_presets(lc_font *font, lc_store *store, const char *bytes, size_t length, loco_err *err)
{
    size_t n = length / RECORD;
    if (length % RECORD != 0 || n < 1 || n > LC_FONT_PRESETS)
        return lc_err_set(err, LOCO_EDATA, "%.120s: its table of presets has %zu bytes; expected 1 to %d times %d",
                          font->path, length, LC_FONT_PRESETS, RECORD);
    lc_font_preset *presets = lc_store_take(store, n, sizeof *presets);
    if (presets == NULL)
        return no_memory(font->path, err);
    for (size_t i = 0; i + 1 < n; i++) {
        const char *record = bytes + i * RECORD;
        presets[i] = (lc_font_preset){.name = text_of(store, record, NAME),
                                      .program = little(record + NAME, 2) & 127,
                                      .bank = little(record + NAME + 2, 2) & 16383};
        if (presets[i].name == NULL)
            return no_memory(font->path, err);
    }
    font->presets = presets;
    font->len = n - 1;
    return LOCO_OK;
}

/* Texts of INFO, and the presets of pdta; all other chunks are passed over. */
static loco_status parse_chunk(lc_font *font, lc_store *store, const char *id, const char *bytes, size_t length,
                               loco_err *err)
{
    const char **place = memcmp(id, "INAM", 4) == 0   ? &font->name
                         : memcmp(id, "IENG", 4) == 0 ? &font->author
                         : memcmp(id, "ICOP", 4) == 0 ? &font->licence
                         : memcmp(id, "ICMT", 4) == 0 ? &font->comment
                                                      : NULL;
    if (memcmp(id, "phdr", 4) == 0)
        return parse_presets(font, store, bytes, length, err);
    if (place != NULL && (*place = text_of(store, bytes, length)) == NULL)
        return no_memory(font->path, err);
    return LOCO_OK;
}

loco_status lc_font_parse(lc_font *font, lc_store *store, const char *path, const char *bytes, size_t length,
                          loco_err *err)
{
    lc_font read = {.path = path, .name = "", .author = "", .licence = "", .comment = ""};
    size_t at = 0;
    while (length - at >= HEADER) {
        size_t size = little(bytes + at + 4, 4);
        if (size > length - at - HEADER)
            return lc_err_set(err, LOCO_EDATA, "%.150s: a chunk is longer than its list", path);
        loco_status status = parse_chunk(&read, store, bytes + at, bytes + at + HEADER, size, err);
        if (status != LOCO_OK)
            return status;
        at += HEADER + size;
        at += at < length && size % 2 == 1;
    }
    if (read.presets == NULL)
        return lc_err_set(err, LOCO_EDATA, "%.150s has no table of presets; it is not a SoundFont", path);
    *font = read;
    return LOCO_OK;
}

/* ---- the file ----------------------------------------------------------------------------------------------- */

/* Appends the next list of the file if it is one that matters, else skips it. False at the end of the file. */
static bool next_list(FILE *file, lc_text *lists, bool *broken)
{
    char head[12];
    if (fread(head, 1, sizeof head, file) != sizeof head)
        return false;
    size_t size = little(head + 4, 4);
    *broken = memcmp(head, "LIST", 4) != 0 || size < 4;
    if (*broken)
        return false;
    size -= 4;
    if (memcmp(head + 8, "INFO", 4) != 0 && memcmp(head + 8, "pdta", 4) != 0)
        return fseeko(file, (off_t)(size + size % 2), SEEK_CUR) == 0;
    *broken = size > LC_FONT_BYTES || lists->length + size > LC_FONT_BYTES;
    char *bytes = *broken ? NULL : malloc(size + 2);
    size_t got = bytes != NULL ? fread(bytes, 1, size + size % 2, file) : 0;
    if (bytes != NULL && got >= size)
        lc_text_append(lists, bytes, size);
    free(bytes);
    return got >= size;
}

loco_status lc_font_load(lc_font *font, lc_store *store, const char *path, loco_err *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return lc_err_set(err, LOCO_EIO, "cannot open the SoundFont %.150s", path);
    char head[12] = {0};
    lc_text lists = {0};
    bool broken = fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "RIFF", 4) != 0 ||
                  memcmp(head + 8, "sfbk", 4) != 0;
    while (!broken && next_list(file, &lists, &broken))
        ;
    (void)fclose(file);
    loco_status status = LOCO_OK;
    if (broken)
        status = lc_err_set(err, LOCO_EDATA, "%.150s is not a SoundFont, which is a RIFF file of lists", path);
    else if (lists.failed)
        status = no_memory(path, err);
    else
        status = lc_font_parse(font, store, path, lists.bytes != NULL ? lists.bytes : "", lists.length, err);
    lc_text_free(&lists);
    return status;
}

/* ---- which presets ------------------------------------------------------------------------------------------ */

bool lc_font_is_general(const lc_font *font)
{
    size_t n = 0;
    for (size_t i = 0; i < font->len; i++)
        n += font->presets[i].bank == 0;
    return n >= ALL_GENERAL;
}

static bool has(const char *name, const char *word)
{
    return strstr(name, word) != NULL;
}

/* Sets of other things than a drum kit. */
static bool foreign(const lc_font_preset *preset)
{
    return preset->program == 48 || preset->program == 56 || has(preset->name, "Orchestra") ||
           has(preset->name, "arching") || has(preset->name, "Metronome") || has(preset->name, "SFX");
}

/* The programs that GS gives to kinds of kits come first, their variations after. */
static bool is_common(unsigned program)
{
    return program % 8 == 0 || program == 25;
}

size_t lc_font_kits(const lc_font *font, size_t kits[LC_FONT_KITS])
{
    size_t n = 0;
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < font->len && n < LC_FONT_KITS; i++) {
            const lc_font_preset *preset = &font->presets[i];
            if (preset->bank == 128 && !foreign(preset) && is_common(preset->program) == (round == 0))
                kits[n++] = i;
        }
    if (n > 0 || font->len > FEW)
        return n;
    for (size_t i = 0; i < font->len; i++)
        kits[n++] = i;
    return n;
}

/* ---- which fonts -------------------------------------------------------------------------------------------- */

static loco_status add_font(lc_fonts *fonts, lc_store *store, const char *path, lc_kit_side side, loco_err *err)
{
    size_t folder = lc_path_folder(path), stem = lc_path_stem(path);
    const char *name = lc_store_string(store, path + folder, stem > folder ? stem - folder : 0);
    if (name == NULL)
        return no_memory(path, err);
    if (!lc_kit_side_has(side, name))
        return LOCO_OK;
    lc_font *grown = lc_list_grow(fonts->items, &fonts->capacity, fonts->len + 1, sizeof *grown);
    if (grown == NULL)
        return no_memory(path, err);
    fonts->items = grown;
    loco_status status = lc_font_load(&grown[fonts->len], store, path, err);
    if (status == LOCO_OK)
        grown[fonts->len++].name = name;
    return status;
}

/* Links stand for fonts that are there under their own names. */
static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

loco_status lc_font_find(lc_fonts *fonts, lc_store *store, const char *path, lc_kit_side side, loco_err *err)
{
    static const char *const endings[] = {".sf2", NULL};
    const char *const *names;
    size_t names_len, found = 0;
    const char *root = lc_store_string(store, path, strlen(path));
    if (root == NULL)
        return no_memory(path, err);
    if (!lc_path_is_folder(root))
        return add_font(fonts, store, root, side, err);
    loco_status status = lc_folder_list(&names, &names_len, store, root, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++) {
        const char *file = lc_path_join(store, root, strlen(root), names[i]);
        if (file == NULL)
            return no_memory(path, err);
        if (!lc_path_ends(file, endings) || is_link(file))
            continue;
        found++;
        status = add_font(fonts, store, file, side, err);
    }
    if (status == LOCO_OK && found == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no .sf2 file", path);
    return status;
}

/* SPDX-License-Identifier: MIT
 * test_font.c - tables of presets, wrong files, which presets are drums, which fonts a folder has. */
#include "data_cases.h"

#include "studio/kits/bank.h"
#include "studio/kits/font.h"

#include <stdlib.h>

static lc_store store;

static void put(lc_text *text, size_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, value >>= 8)
        lc_text_append(text, (const char[]){(char)(value & 255)}, 1);
}

static void put_chunk(lc_text *text, const char *id, const char *bytes, size_t length)
{
    lc_text_string(text, id);
    put(text, length, 4);
    lc_text_append(text, bytes, length);
    if (length % 2 == 1)
        put(text, 0, 1);
}

static void put_preset(lc_text *table, const char *name, unsigned bank, unsigned program)
{
    char padded[20] = {0};
    snprintf(padded, sizeof padded, "%s", name);
    lc_text_append(table, padded, 20);
    put(table, program, 2);
    put(table, bank, 2);
    put(table, 0, 14);
}

/* A table with `drums` sets of bank 128 and `others` of bank 0. */
static void put_table(lc_text *text, unsigned drums, unsigned others)
{
    lc_text table = {0};
    for (unsigned i = 0; i < others; i++)
        put_preset(&table, "Piano", 0, i);
    for (unsigned i = 0; i < drums; i++)
        put_preset(&table, i == 48 ? "Orchestra" : "Drums", 128, i);
    put_preset(&table, "EOP", 0, 0);
    put_chunk(text, "phdr", table.bytes, table.length);
    lc_text_free(&table);
}

static lc_font parse(unsigned drums, unsigned others)
{
    lc_font font = {0};
    lc_text text = {0};
    put_chunk(&text, "INAM", "A font", 7);
    put_chunk(&text, "ICOP", "CC0\x01", 5);
    put_table(&text, drums, others);
    CHECK_STATUS(lc_font_parse(&font, &store, "a.sf2", text.bytes, text.length, NULL), LOCO_OK);
    lc_text_free(&text);
    return font;
}

static void refuse(const char *bytes, size_t length, const char *says)
{
    lc_font font = {.len = 77};
    loco_err err = {""};
    CHECK_STATUS(lc_font_parse(&font, &store, "a.sf2", bytes, length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(font.len, 77);
}

static void wrong_tables_are_refused(void)
{
    refuse("", 0, "no table of presets");
    refuse("phdr\0\0\0\0", 8, "0 bytes");
    refuse("phdr\1\0\0\0x", 9, "1 bytes");
    refuse("phdr\x26\0\0\0x", 9, "longer than its list");
    refuse("phdr\x09\0\0\0x", 9, "longer than its list");
    refuse("phdr\xff\xff\xff\xff", 8, "longer than its list");
}

static void presets_and_texts(void)
{
    lc_font font = parse(3, 2);
    CHECK_STR(font.name, "A font");
    CHECK_STR(font.licence, "CC0 ");
    CHECK_STR(font.author, "");
    CHECK_EQ(font.len, 5);
    CHECK(font.presets[4].bank == 128 && font.presets[4].program == 2);
    CHECK_STR(font.presets[0].name, "Piano");
}

static void drums_are_chosen(void)
{
    size_t kits[LC_FONT_KITS];
    lc_font few = parse(0, 2), piano = parse(0, 100), gm = parse(50, 128), one = parse(1, 128);
    CHECK_EQ(lc_font_kits(&few, kits), 2); /* a drum set of its own */
    CHECK_EQ(lc_font_kits(&piano, kits), 0);
    CHECK_EQ(lc_font_kits(&one, kits), 1);
    CHECK_EQ(kits[0], 128);
    CHECK_EQ(lc_font_kits(&gm, kits), LC_FONT_KITS);
    static const unsigned programs[LC_FONT_KITS] = {0, 8, 16, 24, 25, 32, 40, 1}; /* usual ones first, no orchestra */
    for (size_t i = 0; i < LC_FONT_KITS; i++)
        CHECK_EQ(gm.presets[kits[i]].program, programs[i]);
    CHECK(!lc_font_is_general(&few) && lc_font_is_general(&piano) && lc_font_is_general(&gm));
}

static void write_font(const char *name, bool whole)
{
    lc_text lists = {0}, file = {0}, info = {0};
    lc_text_string(&info, "INFO");
    put_chunk(&info, "IENG", "Someone", 8);
    put_chunk(&lists, "LIST", info.bytes, info.length);
    put_chunk(&lists, "LIST", "sdta-sounds", 11);
    lc_text table = {0};
    lc_text_string(&table, "pdta");
    put_table(&table, 1, 0);
    put_chunk(&lists, "LIST", table.bytes, table.length);
    lc_text_string(&file, "RIFF");
    put(&file, lists.length + 4, 4);
    lc_text_string(&file, "sfbk");
    lc_text_append(&file, lists.bytes, whole ? lists.length : lists.length - 20);
    CHECK_STATUS(lc_file_save(data_path(name), file.bytes, file.length, NULL), LOCO_OK);
    lc_text_free(&lists);
    lc_text_free(&file);
    lc_text_free(&info);
    lc_text_free(&table);
}

static void files(void)
{
    lc_font font = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_font_load(&font, &store, data_path("none.sf2"), &err), LOCO_EIO);
    data_write("text.sf2", "this is no font at all");
    CHECK_STATUS(lc_font_load(&font, &store, data_path("text.sf2"), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "text.sf2 is not a SoundFont");
    write_font("cut.sf2", false);
    CHECK_STATUS(lc_font_load(&font, &store, data_path("cut.sf2"), &err), LOCO_EDATA);
    write_font("good.sf2", true);
    CHECK_STATUS(lc_font_load(&font, &store, data_path("good.sf2"), &err), LOCO_OK);
    CHECK_STR(font.author, "Someone");
    CHECK_EQ(font.len, 1);
    data_clear();
}

/* Of a folder the files that are no links, each for one kind of set. */
static void folders(void)
{
    lc_fonts fonts = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_font_find(&fonts, &store, data_path(""), (lc_kit_side){0}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "holds no .sf2 file");
    for (int i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d.sf2", i);
        write_font(name, true);
    }
    CHECK(symlink("f0.sf2", data_path("link.sf2")) == 0);
    CHECK_STATUS(lc_font_find(&fonts, &store, data_path(""), (lc_kit_side){0}, &err), LOCO_OK);
    size_t seen = fonts.len;
    CHECK_STATUS(lc_font_find(&fonts, &store, data_path(""), (lc_kit_side){.held_out = true}, &err), LOCO_OK);
    CHECK(fonts.len == 12 && seen > 0 && seen < 12);
    for (size_t i = 0; i < fonts.len; i++)
        CHECK(lc_held_out_has(NULL, fonts.items[i].name) == (i >= seen));
    free(fonts.items);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_tables_are_refused);
    RUN(presets_and_texts);
    RUN(drums_are_chosen);
    RUN(files);
    RUN(folders);
    lc_store_free(&store);
    return data_done();
}

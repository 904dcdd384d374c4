/* SPDX-License-Identifier: MIT
 * test_piano_font.c - pianos of SoundFonts: fonts without one, and a real one where it is installed. */
#include "data_cases.h"

#include "base/text.h"
#include "studio/kits/fluid.h"
#include "studio/piano/piano.h"

static lc_pool *pool;

/* A font of one preset without sounds: LIST INFO empty, LIST pdta with phdr. */
static void make_font(const char *name, const char *preset, unsigned program)
{
    char bytes[116] = "RIFF\x6c\0\0\0sfbkLIST\x58\0\0\0pdtaphdr\x4c\0\0\0";
    memcpy(bytes + 32, preset, strlen(preset));
    bytes[32 + 20] = (char)program;
    memcpy(bytes + 70, "EOP", 3);
    CHECK_STATUS(lc_file_save(data_path(name), bytes, 108, NULL), LOCO_OK);
}

static void fonts_without_a_piano_are_refused(void)
{
    lc_pianos pianos = {0};
    loco_err err = {""};
    make_font("organ.sf2", "Church organ", 0);
    CHECK_STATUS(lc_pianos_add_font(&pianos, data_path("organ.sf2"), 8000, pool, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "organ.sf2 has no piano");
    CHECK_STATUS(lc_pianos_add_font(&pianos, data_path("lost.sf2"), 8000, pool, &err), LOCO_EIO);
    CHECK_EQ(pianos.len, 0);
    lc_pianos_free(&pianos);
}

static void a_real_font_has_a_piano(void)
{
    lc_pianos pianos = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_pianos_add_font(&pianos, "/usr/share/sounds/sf2/TimGM6mb.sf2", 8000, pool, &err), LOCO_OK);
    CHECK_EQ(pianos.len, 1);
    const lc_piano *piano = &pianos.items[0];
    CHECK_STR(piano->name, "TimGM6mb");
    CHECK_EQ(piano->len, 150);
    for (unsigned pitch = 21; pitch <= 108; pitch++) {
        const lc_zone *soft = lc_piano_zone(piano, pitch, 20), *hard = lc_piano_zone(piano, pitch, 120);
        CHECK(soft != hard && soft->loud < hard->loud && fabs(soft->centre - pitch) <= 1);
        CHECK(hard->n > 800);
    }
    lc_pianos_free(&pianos);
}

int main(void)
{
    char word[] = "fluidsynth", ask[] = "--version";
    if (!data_begin() || lc_pool_new(&pool, 2, NULL) != LOCO_OK)
        return 1;
    RUN(fonts_without_a_piano_are_refused);
    if (access("/usr/share/sounds/sf2/TimGM6mb.sf2", R_OK) == 0 &&
        lc_command_run((char *[]){word, ask, NULL}, "fluidsynth", NULL) == LOCO_OK)
        RUN(a_real_font_has_a_piano);
    lc_pool_free(pool);
    return data_done();
}

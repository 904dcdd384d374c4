/* SPDX-License-Identifier: MIT
 * test_font_play.c - the drums of a real font, where fluidsynth and a small font are installed; else skipped. */
#include "check.h"

#include "studio/kits/fluid.h"
#include "studio/kits/font.h"
#include "studio/kits/song.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const path = "/usr/share/sounds/sf2/TimGM6mb.sf2";
static lc_pool *pool;
static lc_store store;
static lc_font font;

static void kits_have_drums(void)
{
    lc_bank bank = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_font_add_kits(&bank, &font, 1, 22050, pool, &err), LOCO_OK);
    CHECK(bank.len >= 7 && bank.len <= LC_FONT_KITS);
    for (size_t k = 0; k < bank.len; k++) {
        const lc_bank_kit *kit = &bank.kits[k];
        CHECK(lc_bank_kit_count(kit, LC_VOICE_KICK) == 2 && lc_bank_kit_count(kit, LC_VOICE_SNARE) == 2);
        CHECK(lc_bank_kit_count(kit, LC_VOICE_HAT_CLOSED) == 1 && lc_bank_kit_count(kit, LC_VOICE_TAMBOURINE) == 1);
        const lc_instrument *snare = lc_bank_kit_find(kit, LC_VOICE_SNARE, 0);
        CHECK(snare != NULL && snare->layers_len == 4 && snare->layers[0].min == 0 && snare->layers[3].max == 1);
        CHECK(snare != NULL && snare->layers[0].max == snare->layers[1].min);
        const lc_sample *sample = lc_instrument_sample(snare, 0.9);
        CHECK(sample->n > 1000 && sample->level > 0.01); /* begins at once: full of sound in its first 50 ms */
    }
    lc_bank_free(&bank);
}

static void songs_sound(void)
{
    lc_songs songs = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_songs_load(&songs, &font, 1, 8000, 1, pool, &err), LOCO_OK);
    CHECK_EQ(songs.len, LC_SONGS_A_FONT);
    for (size_t i = 0; i < songs.len; i++) {
        double sum = 0;
        for (size_t k = 0; k < songs.items[i].n; k++)
            sum += fabs((double)songs.items[i].samples[k]);
        CHECK(sum / (double)songs.items[i].n > 100);
    }
    lc_songs_free(&songs);
}

static void missing_fonts_are_reported(void)
{
    lc_bank bank = {0};
    lc_font none = font;
    loco_err err = {""};
    none.path = "/nonexistent/a.sf2";
    CHECK(lc_font_add_kits(&bank, &none, 1, 22050, pool, &err) != LOCO_OK || bank.len == 0);
    CHECK_STATUS(lc_font_add_kits(&bank, &none, 65, 22050, pool, &err), LOCO_EARG);
    lc_bank_free(&bank);
}

int main(void)
{
    char word[] = "fluidsynth", ask[] = "--version";
    if (access(path, R_OK) != 0 || lc_command_run((char *[]){word, ask, NULL}, "fluidsynth", NULL) != LOCO_OK)
        return 77;
    if (lc_pool_new(&pool, 2, NULL) != LOCO_OK || lc_font_load(&font, &store, path, NULL) != LOCO_OK)
        return 1;
    RUN(kits_have_drums);
    RUN(songs_sound);
    RUN(missing_fonts_are_reported);
    lc_store_free(&store);
    lc_pool_free(pool);
    return check_done();
}

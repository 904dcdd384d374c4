/* SPDX-License-Identifier: MIT
 * test_bank.c - folders of kits on either side of the split, layers by velocity. */
#include "kit_cases.h"

#include "studio/kits/bank.h"
#include "studio/kits/part.h"

static lc_pool *pool;

/* 60 Hz: a kick or a tom, whatever a kit calls it. */
static void names_that_lie(void)
{
    enum { LENGTH = 4000 };
    static float low[LENGTH], high[LENGTH];
    lc_sample boom, hiss, none = {0};
    for (int i = 0; i < LENGTH; i++) {
        low[i] = (float)cos(i * 60 * 6.2831853 / KIT_RATE);
        high[i] = (float)cos(i * 3000 * 6.2831853 / KIT_RATE);
    }
    CHECK(lc_sample_cut(&boom, low, LENGTH, KIT_RATE) && lc_sample_cut(&hiss, high, LENGTH, KIT_RATE));
    CHECK(lc_bank_takes(LC_VOICE_KICK, &boom, KIT_RATE) && lc_bank_takes(LC_VOICE_TOM_LOW, &boom, KIT_RATE));
    CHECK(!lc_bank_takes(LC_VOICE_HAT_CLOSED, &boom, KIT_RATE) && !lc_bank_takes(LC_VOICE_HAT_PEDAL, &boom, KIT_RATE));
    CHECK(lc_bank_takes(LC_VOICE_SNARE, &hiss, KIT_RATE) && lc_bank_takes(LC_VOICE_HAT_OPEN, &hiss, KIT_RATE));
    CHECK(!lc_bank_takes(LC_VOICE_KICK, &none, KIT_RATE));
    lc_sample_free(&boom);
    lc_sample_free(&hiss);
}

static void wrong_folders_are_refused(void)
{
    lc_bank bank = {0};
    loco_err err = {""};
    CHECK(lc_bank_add_kits(&bank, data_path("none"), (lc_kit_side){0}, KIT_RATE, pool, &err) != LOCO_OK);
    CHECK_STATUS(lc_bank_add_kits(&bank, data_path(""), (lc_kit_side){0}, KIT_RATE, pool, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "drumkit.xml") != NULL);
    CHECK(mkdir(data_path("broken"), 0777) == 0);
    data_write("broken/drumkit.xml", "<drumkit_info>");
    CHECK_STATUS(lc_bank_add_kits(&bank, data_path("broken"),
                                  (lc_kit_side){.held_out = lc_held_out_has(NULL, "broken")}, KIT_RATE, pool, &err),
                 LOCO_EDATA);
    data_write("broken/drumkit.xml", "<d><instrument><name>Kick</name><filename>no.wav</filename></instrument></d>");
    CHECK_STATUS(lc_bank_add_kits(&bank, data_path("broken"),
                                  (lc_kit_side){.held_out = lc_held_out_has(NULL, "broken")}, KIT_RATE, pool, &err),
                 LOCO_EDATA);
    CHECK(strstr(err.text, "none of the 1 sounds") != NULL);
    lc_bank_free(&bank);
    data_clear();
}

static void check_kit(const lc_bank_kit *kit)
{
    CHECK_STR(kit->author, "Nobody");
    CHECK_STR(kit->licence, "CC0");
    CHECK_EQ(kit->missing, 1);
    CHECK_EQ(kit->instruments_len, 4);
    CHECK_EQ(lc_bank_kit_count(kit, LC_VOICE_KICK), 1);
    CHECK_EQ(lc_bank_kit_count(kit, LC_VOICE_HAT_PEDAL), 0);
    CHECK(lc_bank_kit_find(kit, LC_VOICE_HAT_PEDAL, 0) == NULL);
    CHECK(lc_bank_kit_find(kit, LC_VOICE_KICK, 1) == NULL);
    const lc_instrument *kick = lc_bank_kit_find(kit, LC_VOICE_KICK, 0);
    CHECK(kick != NULL && kick->layers_len == 2);
    if (kick == NULL)
        return;
    CHECK(lc_instrument_sample(kick, 0) == &kick->layers[0].sample);
    CHECK(lc_instrument_sample(kick, 0.49) == &kick->layers[0].sample);
    CHECK(lc_instrument_sample(kick, 0.51) == &kick->layers[1].sample);
    CHECK(lc_instrument_sample(kick, 1) == &kick->layers[1].sample);
    for (size_t i = 0; i < kit->instruments_len; i++)
        CHECK(kit->instruments[i].layers[0].sample.values[0] == 32767);
}

/* 64 kits in a folder: each is either in one bank or in the other. */
static void kits_are_seen_or_unseen(void)
{
    lc_bank seen = {0}, unseen = {0};
    char name[16];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "kit%d", i);
        kit_make(name);
    }
    CHECK_STATUS(lc_bank_add_kits(&seen, data_path(""), (lc_kit_side){0}, KIT_RATE, pool, NULL), LOCO_OK);
    CHECK_STATUS(lc_bank_add_kits(&unseen, data_path(""), (lc_kit_side){.held_out = true}, KIT_RATE, pool, NULL),
                 LOCO_OK);
    CHECK_EQ(seen.len + unseen.len, 12);
    CHECK(seen.len > 0 && unseen.len > 0);
    for (size_t i = 0; i < seen.len; i++) {
        CHECK(!lc_held_out_has(NULL, seen.kits[i].name));
        check_kit(&seen.kits[i]);
    }
    for (size_t i = 0; i < unseen.len; i++)
        CHECK(lc_held_out_has(NULL, unseen.kits[i].name));
    lc_text text = {0};
    lc_bank_list(&unseen, &text);
    CHECK(strstr(text.bytes, "\tNobody\tCC0\t4 instruments, 1 sounds missing\n") != NULL);
    lc_text_free(&text);
    snprintf(name, sizeof name, "%s/", seen.kits[0].name); /* the kit itself, with a slash behind it */
    lc_bank one = {0};
    CHECK_STATUS(lc_bank_add_kits(&one, data_path(name), (lc_kit_side){0}, KIT_RATE, pool, NULL), LOCO_OK);
    CHECK(one.len == 1 && strcmp(one.kits[0].name, seen.kits[0].name) == 0);
    lc_bank_free(&one);
    lc_bank_free(&seen);
    lc_bank_free(&unseen);
    data_clear();
}

int main(void)
{
    if (mkdtemp(data_folder) == NULL || lc_pool_new(&pool, 2, NULL) != LOCO_OK)
        return 1;
    RUN(names_that_lie);
    RUN(wrong_folders_are_refused);
    RUN(kits_are_seen_or_unseen);
    lc_pool_free(pool);
    rmdir(data_folder);
    return check_done();
}

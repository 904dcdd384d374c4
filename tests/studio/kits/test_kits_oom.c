/* SPDX-License-Identifier: MIT
 * test_kits_oom.c - lets the n-th allocation fail, for every n, while kits are read and drums rendered: the caller gets
 *   an error, nothing leaks, no result is touched. */
#include "kit_cases.h"
#include "oom_cases.h"
#include "studio/studio.h"

#include "events/midi_write.h"
#include "studio/kits/font.h"
#include "studio/kits/render.h"

static lc_pool *pool;
static lc_bank bank;
static lc_performances performances;
static char kit_path[512];

static loco_status read_kit(loco_err *err)
{
    lc_bank own = {0};
    loco_status status = lc_bank_add_kits(&own, kit_path, (lc_kit_side){0}, KIT_RATE, pool, err);
    CHECK(status != LOCO_OK || (own.len == 1 && own.kits[0].missing == 1));
    lc_bank_free(&own);
    return status;
}

static loco_status read_performances(loco_err *err)
{
    lc_performances own = {.len = 77};
    loco_status status = lc_performances_load(&own, data_path("midi"), (lc_kit_side){0}, err);
    CHECK_EQ(own.len, status == LOCO_OK ? performances.len : 77);
    if (status == LOCO_OK)
        lc_performances_free(&own);
    return status;
}

static loco_status render(loco_err *err)
{
    lc_render_settings settings = {
        .synth = {.rate = 8000, .seconds = 2, .seed = 4},
        .synthesised = 0.5,
        .bank = &bank,
        .performances = &performances
    };
    float *samples = NULL;
    loco_event *events = NULL;
    size_t n = 1, events_len = 2;
    loco_status status = lc_render(&settings, 3, &samples, &n, &events, &events_len, err);
    CHECK((samples != NULL && events != NULL) == (status == LOCO_OK));
    CHECK(status == LOCO_OK || (n == 1 && events_len == 2));
    free(samples);
    free(events);
    return status;
}

static loco_status read_font(loco_err *err)
{
    static const char table[] = "ICOP\4\0\0\0mine"
                                "phdr\x4c\0\0\0"
                                "Drums\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                "EOP\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    lc_store store = {0};
    lc_font font = {.len = 77};
    loco_status status = lc_font_parse(&font, &store, "a.sf2", table, 12 + 8 + 76, err);
    CHECK(font.len == (status == LOCO_OK ? 1 : 77));
    lc_store_free(&store);
    return status;
}

static loco_status make_set(loco_err *err)
{
    studio_synth_options synthesis = {.size = sizeof synthesis, .recordings = 2, .seconds = 1, .seed = 1};
    studio_kit_options how = {.size = sizeof how, .kits = kit_path, .synth = 0.3, .threads = 1, .rate = 8000};
    data_clear_in(data_path("set"));
    loco_status status = studio_synth_kits(data_path("set"), &synthesis, &how, err);
    CHECK((access(data_path("set/counts.csv"), F_OK) == 0) == (status == LOCO_OK));
    return status;
}

static void every_failing_allocation_is_reported(void)
{
    CHECK(oom_fail_each(read_font) >= 1);
    CHECK(oom_fail_each(read_kit) > 10);
    CHECK(oom_fail_each(read_performances) > 10);
    CHECK(oom_fail_each(render) > 4);
    CHECK(oom_fail_each(make_set) > 20);
}

static void write_midi(void)
{
    CHECK(mkdir(data_path("midi"), 0777) == 0);
    for (int i = 0; i < 6; i++) {
        char name[16];
        lc_midi_out midi = {0};
        lc_text text = {0};
        for (int k = 0; k < 16; k++)
            lc_midi_note_on(&midi, 0.25 * k, 0.1, 9, 36 + (unsigned)(k % 4) * 2, 90);
        lc_midi_format(&midi, 5, &text);
        snprintf(name, sizeof name, "midi/%c.mid", 'a' + i);
        CHECK_STATUS(lc_file_save(data_path(name), text.bytes, text.length, NULL), LOCO_OK);
        lc_text_free(&text);
        lc_midi_out_free(&midi);
    }
}

int main(void)
{
    if (!data_begin() || lc_pool_new(&pool, 1, NULL) != LOCO_OK)
        return 1;
    write_midi();
    kit_make("kit0");
    snprintf(kit_path, sizeof kit_path, "%s", data_path("kit0"));
    CHECK_STATUS(lc_bank_add_kits(&bank, kit_path, (lc_kit_side){0}, 8000, pool, NULL), LOCO_OK);
    CHECK_STATUS(lc_performances_load(&performances, data_path("midi"), (lc_kit_side){0}, NULL), LOCO_OK);
    RUN(every_failing_allocation_is_reported);
    lc_bank_free(&bank);
    lc_performances_free(&performances);
    lc_pool_free(pool);
    return data_done();
}

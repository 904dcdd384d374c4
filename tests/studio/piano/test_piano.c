/* SPDX-License-Identifier: MIT
 * test_piano.c - sets of samples: cut at their attack, the zone for a key and a velocity, and what is refused. */
#include "piano_cases.h"

#include "studio/piano/piano.h"

static lc_pool *pool;

static void refuses(const char *path, loco_status want, const char *says)
{
    lc_pianos pianos = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_pianos_add_samples(&pianos, path, PIANO_RATE, pool, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(pianos.len, 0);
    lc_pianos_free(&pianos);
}

static void wrong_sets_are_refused(void)
{
    CHECK(mkdir(data_path("wrong"), 0777) == 0);
    refuses(data_path("wrong"), LOCO_EDATA, "wrong holds no .sfz file");
    refuses(data_path("nowhere.sfz"), LOCO_EIO, "nowhere.sfz");
    data_write("wrong/a.sfz", "<region> sample=lost.wav");
    refuses(data_path("wrong"), LOCO_EDATA, "a.sfz: its sample lost.wav is missing");
    data_write("wrong/lost.wav", "no sound");
    refuses(data_path("wrong"), LOCO_EDATA, "lost.wav");
    piano_sound("wrong/lost.wav", 60, 0);
    refuses(data_path("wrong"), LOCO_EDATA, "lost.wav: a sample of a piano that is silent");
}

static void zones_are_found(void)
{
    lc_pianos pianos = {0};
    loco_err err = {""};
    lc_text list = {0};
    CHECK_STATUS(lc_pianos_add_samples(&pianos, data_path("tiny"), PIANO_RATE, pool, &err), LOCO_OK);
    CHECK_EQ(pianos.len, 1);
    const lc_piano *piano = &pianos.items[0];
    CHECK_EQ(piano->len, 3);
    CHECK(lc_piano_zone(piano, 60, 30) == &piano->zones[0] && lc_piano_zone(piano, 65, 64) == &piano->zones[1]);
    CHECK(lc_piano_zone(piano, 66, 1) == &piano->zones[2] && lc_piano_zone(piano, 127, 127) == &piano->zones[2]);
    CHECK(lc_piano_zone(piano, 21, 0) == &piano->zones[0]); /* the nearest */
    for (size_t i = 0; i < 3; i++) {
        CHECK(abs(piano->zones[i].values[0]) > 32000); /* begins at its attack */
        CHECK_NEAR((double)piano->zones[i].level, 0.64, 0.03);
    }
    CHECK_NEAR((double)(piano->zones[1].loud / piano->zones[0].loud), 4, 0.01);
    CHECK_NEAR((double)piano->loudest[40], 1, 1e-6);
    CHECK_NEAR((double)piano->loudest[100], 0.5, 0.01);
    lc_pianos_list(&pianos, &list);
    CHECK_STR(list.bytes, "piano\ttiny\tTiny, by nobody, CC0\t3 sounds\n");
    lc_text_free(&list);
    lc_pianos_free(&pianos);
}

int main(void)
{
    if (!data_begin() || lc_pool_new(&pool, 2, NULL) != LOCO_OK)
        return 1;
    piano_make();
    RUN(wrong_sets_are_refused);
    RUN(zones_are_found);
    lc_pool_free(pool);
    return data_done();
}

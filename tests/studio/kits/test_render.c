/* SPDX-License-Identifier: MIT
 * test_render.c - recordings: alike for one index, of all classes, with sound at their events, within full scale. */
#include "kit_cases.h"

#include "data/augment.h"
#include "studio/kits/render.h"

#include <stdlib.h>

static lc_bank bank;
static lc_songs songs;

typedef struct take {
    float *samples;
    loco_event *events;
    size_t n, events_len;
} take;

static take render(lc_render_settings settings, size_t index)
{
    take t = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_render(&settings, index, &t.samples, &t.n, &t.events, &t.events_len, &err), LOCO_OK);
    return t;
}

static void drop(take *t)
{
    free(t->samples);
    free(t->events);
}

static lc_render_settings defaults(void)
{
    return (lc_render_settings){
        .synth = {.rate = KIT_RATE, .seconds = 6, .seed = 11},
          .synthesised = 0.2, .bank = &bank
    };
}

static void wrong_settings_are_refused(void)
{
    lc_render_settings settings = defaults();
    take t = {.n = 7};
    loco_err err = {""};
    settings.synth.rate = 100;
    CHECK_STATUS(lc_render(&settings, 0, &t.samples, &t.n, &t.events, &t.events_len, &err), LOCO_EARG);
    CHECK(t.n == 7 && t.samples == NULL);
}

static void index_and_seed_say_it_all(void)
{
    lc_render_settings other = defaults();
    other.synth.seed = 12;
    take a = render(defaults(), 3), b = render(defaults(), 3), c = render(defaults(), 4), d = render(other, 3);
    CHECK(a.n == b.n && memcmp(a.samples, b.samples, a.n * sizeof *a.samples) == 0);
    CHECK(a.events_len == b.events_len);
    CHECK(memcmp(a.samples, c.samples, a.n * sizeof *a.samples) != 0);
    CHECK(memcmp(a.samples, d.samples, a.n * sizeof *a.samples) != 0);
    drop(&a);
    drop(&b);
    drop(&c);
    drop(&d);
}

static void recordings_are_sound(void)
{
    size_t kinds[3] = {0};
    for (size_t index = 0; index < 30; index++) {
        take t = render(defaults(), index);
        double peak = 0, before = 0;
        CHECK_EQ(t.n, 6 * KIT_RATE);
        for (size_t i = 0; i < t.n; i++)
            peak = fmax(peak, fabs((double)t.samples[i]));
        CHECK(peak < 0.96 && (t.events_len == 0 || peak > 0.15));
        for (size_t i = 0; i < t.events_len; i++) {
            CHECK(t.events[i].time >= before && t.events[i].time < 5.96 && t.events[i].kind < 3);
            before = t.events[i].time;
            kinds[t.events[i].kind]++;
        }
        drop(&t);
    }
    CHECK(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100);
}

/* What no class counts makes other events, and no other sound; kinds are those of lc_part_group. */
static void others_may_count(void)
{
    lc_render_settings settings = defaults();
    size_t kinds[LC_GROUPS] = {0}, counted = 0;
    settings.synth.distractors = true;
    settings.synthesised = 1; /* the kit has neither toms nor cymbals */
    for (size_t index = 0; index < 20; index++) {
        size_t same = 0;
        settings.others = false;
        take a = render(settings, index);
        settings.others = true;
        take b = render(settings, index);
        CHECK(a.n == b.n && memcmp(a.samples, b.samples, a.n * sizeof *a.samples) == 0);
        for (size_t i = 0; i < b.events_len; i++) {
            CHECK(b.events[i].kind < LC_GROUPS && (i == 0 || b.events[i].time >= b.events[i - 1].time));
            kinds[b.events[i].kind]++;
            if (b.events[i].kind < 3 && same < a.events_len) {
                CHECK(a.events[same].kind == b.events[i].kind && !(fabs(a.events[same].time - b.events[i].time) > 0));
                same++;
            }
        }
        CHECK_EQ(same, a.events_len);
        counted += a.events_len;
        drop(&a);
        drop(&b);
    }
    CHECK_EQ(kinds[0] + kinds[1] + kinds[2], counted);
    CHECK(kinds[LC_GROUP_TOM] > 10 && kinds[LC_GROUP_CYMBAL] > 10);
}

/* Every drum is an event of its own kind, with a velocity. */
static void the_whole_kit_counts(void)
{
    lc_render_settings settings = defaults();
    size_t kinds[LC_DRUMS] = {0};
    settings.synth.distractors = settings.whole_kit = true;
    settings.synthesised = 1;
    settings.ordinary = 0.5;
    for (size_t index = 0; index < 40; index++) {
        take t = render(settings, index);
        for (size_t i = 0; i < t.events_len; i++) {
            CHECK(t.events[i].kind < LC_DRUMS && t.events[i].probability > 0 && t.events[i].probability <= 1);
            kinds[t.events[i].kind]++;
        }
        drop(&t);
    }
    for (lc_voice_kind part = 0; part < LC_VOICES; part++)
        CHECK(kinds[lc_part_drum(part)] > 0);
}

/* After an event there is more sound than before it: on average over many, by far. */
static void sound_rises_at_events(void)
{
    double after = 0, before = 0;
    for (size_t index = 0; index < 20; index++) {
        take t = render(defaults(), index);
        for (size_t i = 0; i < t.events_len; i++) {
            size_t at = (size_t)lround(t.events[i].time * KIT_RATE);
            if (t.events[i].kind != 0 || at < 110 || at + 110 > t.n)
                continue;
            after += lc_augment_level(t.samples + at, 110);
            before += lc_augment_level(t.samples + at - 110, 110);
        }
        drop(&t);
    }
    CHECK(after > 3 * before);
}

/* Ordinary recordings are others than varied ones, which are the usual ones. */
static void ranges_matter(void)
{
    lc_render_settings ordinary = defaults(), varied = defaults();
    ordinary.ordinary = 1;
    varied.ordinary = 0;
    take a = render(defaults(), 5), b = render(varied, 5), c = render(ordinary, 5);
    CHECK(a.n == b.n && memcmp(a.samples, b.samples, a.n * sizeof *a.samples) == 0);
    CHECK(memcmp(a.samples, c.samples, a.n * sizeof *a.samples) != 0);
    CHECK(c.events_len > 0);
    drop(&a);
    drop(&b);
    drop(&c);
}

/* With music: tones instead of a font. Louder music leaves fewer events. */
static void music_masks(void)
{
    enum { SONG = 2 * KIT_RATE };
    static int16_t tones[SONG];
    lc_song song = {.samples = tones, .n = SONG, .beat = 0.5};
    songs = (lc_songs){.items = &song, .len = 1};
    for (int i = 0; i < SONG; i++)
        tones[i] = (int16_t)(6000 * sin(0.02 * i) + 6000 * sin(0.3 * i) + 6000 * sin(2.5 * i));
    lc_render_settings with = defaults();
    with.songs = &songs;
    with.background = 1;
    size_t events = 0, shown = 0;
    for (size_t index = 0; index < 12; index++) {
        take t = render(with, index);
        events += t.events_len;
        shown += lc_augment_level(t.samples, 200) > 0.003; /* sound from the first sample on */
        drop(&t);
    }
    CHECK(shown == 12);
    CHECK(events > 50);
}

int main(void)
{
    lc_pool *pool;
    if (!data_begin() || lc_pool_new(&pool, 1, NULL) != LOCO_OK)
        return 1;
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "kit%d", i);
        kit_make(name);
    }
    CHECK_STATUS(lc_bank_add_kits(&bank, data_path(""), (lc_kit_side){0}, KIT_RATE, pool, NULL), LOCO_OK);
    RUN(wrong_settings_are_refused);
    RUN(index_and_seed_say_it_all);
    RUN(recordings_are_sound);
    RUN(others_may_count);
    RUN(the_whole_kit_counts);
    RUN(sound_rises_at_events);
    RUN(ranges_matter);
    RUN(music_masks);
    lc_bank_free(&bank);
    lc_pool_free(pool);
    return data_done();
}

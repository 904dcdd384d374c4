/* SPDX-License-Identifier: MIT
 * test_performance.c - MIDI files in folders, held-out ones, excerpts at a pace. */
#include "data_cases.h"

#include "events/midi_write.h"
#include "studio/kits/bank.h"
#include "studio/kits/part.h"
#include "studio/kits/pattern.h"

/* Bars of a kick on every beat of half a second and a snare between; as drums, or on another channel. */
static void write_beats(const char *name, unsigned channel, int beats)
{
    lc_midi_out midi = {0};
    lc_text text = {0};
    for (int i = 0; i < beats; i++) {
        lc_midi_note_on(&midi, 0.5 * i, 0.1, channel, 36, 127);
        lc_midi_note_on(&midi, 0.5 * i + 0.25, 0.1, channel, 38, 64);
        lc_midi_note_on(&midi, 0.5 * i + 0.25, 0.1, channel, 3, 64); /* no drum */
    }
    lc_midi_format(&midi, 0.5 * beats, &text);
    CHECK_STATUS(lc_file_save(data_path(name), text.bytes, text.length, NULL), LOCO_OK);
    lc_text_free(&text);
    lc_midi_out_free(&midi);
}

static void wrong_folders_are_refused(void)
{
    lc_performances list = {.len = 7};
    loco_err err = {""};
    CHECK(lc_performances_load(&list, data_path("none"), (lc_kit_side){0}, &err) != LOCO_OK);
    CHECK_STATUS(lc_performances_load(&list, data_path(""), (lc_kit_side){0}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "holds no MIDI file of drums");
    data_write("bad.mid", "MThd");
    loco_status one = lc_performances_load(&list, data_path(""),
                                           (lc_kit_side){.held_out = lc_held_out_has(NULL, "bad.mid")}, &err);
    CHECK_STATUS(one, LOCO_EDATA);
    CHECK_SAYS(err.text, "bad.mid");
    CHECK_STATUS(
        lc_performances_load(&list, data_path(""), (lc_kit_side){.held_out = !lc_held_out_has(NULL, "bad.mid")}, &err),
        LOCO_EDATA);
    CHECK_SAYS(err.text, "for this kind of set");
    CHECK_EQ(list.len, 7);
    data_clear();
}

static void files_are_seen_or_unseen(void)
{
    lc_performances seen = {0}, unseen = {0};
    CHECK(mkdir(data_path("deep"), 0777) == 0);
    for (int i = 0; i < 20; i++) {
        char name[32];
        snprintf(name, sizeof name, "%stake_%d.mid", i % 2 == 0 ? "deep/" : "", i);
        write_beats(name, i % 3 == 0 ? 0 : 9, 32);
    }
    data_write("readme.txt", "no music");
    CHECK_STATUS(lc_performances_load(&seen, data_path(""), (lc_kit_side){0}, NULL), LOCO_OK);
    CHECK_STATUS(lc_performances_load(&unseen, data_path(""), (lc_kit_side){.held_out = true}, NULL), LOCO_OK);
    CHECK_EQ(seen.len + unseen.len, 20);
    CHECK(seen.len > 8 && unseen.len > 0 && seen.held_out == unseen.len);
    for (size_t i = 0; i < seen.len; i++) {
        CHECK_EQ(seen.items[i].len, 64);
        CHECK_NEAR(seen.items[i].beat, 0.5, 1e-3);
        CHECK_NEAR(seen.items[i].hits[0].velocity, 1, 0);
        CHECK_NEAR(seen.items[i].hits[1].velocity, 64.0 / 127, 1e-12);
    }
    lc_performances_free(&seen);
    lc_performances_free(&unseen);
}

/* The interval between kicks, as the median of all. */
static double draw_interval(const lc_performances *list, uint64_t seed, lc_metre metre, double *first)
{
    lc_pattern p = {0};
    lc_rng rng = lc_rng_seed(seed);
    double before = -1, shortest = 1e9, longest = 0;
    lc_performances_draw(list, &p, &rng, 12, metre);
    CHECK_STATUS(lc_kit_pattern_finish(&p, 12, NULL), LOCO_OK);
    *first = -1;
    for (size_t i = 0; i < p.length; i++) {
        if (p.hits[i].voice != LC_VOICE_KICK)
            continue;
        if (before >= 0) {
            shortest = fmin(shortest, p.hits[i].time - before);
            longest = fmax(longest, p.hits[i].time - before);
        } else {
            *first = p.hits[i].time;
        }
        before = p.hits[i].time;
    }
    CHECK(p.length > 20);
    CHECK(longest < 1e9 && (!(metre.beat > 0) || longest - shortest < 1e-6));
    lc_pattern_free(&p);
    return shortest;
}

static void excerpts_have_the_pace(void)
{
    lc_performances list = {0};
    double first, lowest = 9, highest = 0;
    CHECK_STATUS(lc_performances_load(&list, data_path(""), (lc_kit_side){0}, NULL), LOCO_OK);
    for (uint64_t seed = 0; seed < 50; seed++) {
        double interval = draw_interval(&list, seed, (lc_metre){0}, &first);
        lowest = fmin(lowest, interval);
        highest = fmax(highest, interval);
        CHECK_NEAR(draw_interval(&list, seed, (lc_metre){.beat = 0.55, .first = -0.15}, &first), 0.55, 1e-6);
        CHECK_NEAR(first, 0.4, 1e-6);
        CHECK_NEAR(draw_interval(&list, seed, (lc_metre){.beat = 1.1, .first = -0.15}, &first), 0.55, 1e-6);
    }
    CHECK(lowest >= 0.4 && lowest < 0.43 && highest > 0.55 && highest < 0.6001);
    lc_performances_free(&list);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_folders_are_refused);
    RUN(files_are_seen_or_unseen);
    RUN(excerpts_have_the_pace);
    return data_done();
}

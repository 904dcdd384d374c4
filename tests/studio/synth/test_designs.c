/* SPDX-License-Identifier: MIT
 * test_designs.c - walks the table of designs: every range is one, and no voice is mute. */
#include "check.h"

#include "studio/synth/designs.h"

static void check_span(lc_design_range span, double lo, double hi)
{
    CHECK(span.lo >= lo && span.hi <= hi);
    CHECK(span.lo <= span.hi);
}

static void check_tone(const lc_tone_spans *tone, int first)
{
    check_span(tone->level, 0, 2);
    check_span(tone->frequency, first ? 20 : 0.1, first ? 6000 : 20);
    check_span(tone->drop, 0, 10);
    check_span(tone->drop_time, 0, 0.2);
    check_span(tone->attack, 0, 0.002);
    check_span(tone->decay, 0.005, 3);
    check_span(tone->fm_index, 0, 5);
    CHECK(tone->drop.hi <= 0 || tone->drop_time.lo > 0);
    CHECK((tone->fm_index.hi > 0) == (tone->fm_ratio.lo > 0));
}

static void check_noise(const lc_noise_spans *noise)
{
    check_span(noise->level, 0, 10);
    check_span(noise->low, 20, 10000);
    check_span(noise->high, 60, 20000);
    check_span(noise->attack, 0, 0.005);
    check_span(noise->decay, 0.002, 3);
    check_span(noise->tail, 0, 1);
    check_span(noise->resonance, 0, 6);
    check_span(noise->bursts, 0, 6);
    CHECK(noise->high.hi > noise->low.lo);
    CHECK(noise->tail.hi <= 0 || noise->tail_decay.lo > 0);
    CHECK(noise->bursts.hi <= 1 || noise->spacing.lo > 0);
}

static void check_metal(const lc_metal_spans *metal)
{
    check_span(metal->level, 0, 2);
    check_span(metal->base, 100, 8000);
    check_span(metal->partials, 2, LC_PARTIALS + 0.9);
    check_span(metal->low, 200, 10000);
    check_span(metal->high, 1000, 20000);
    check_span(metal->decay, 0.01, 3);
    CHECK((metal->shape == LC_METAL_FM) == (metal->index.lo > 0));
}

/* A layer is left out whole or has a level. */
static size_t check_design(const lc_design *design)
{
    size_t layers = 0;
    for (size_t i = 0; i < LC_TONES; i++)
        if (design->tones[i].frequency.hi > 0) {
            check_tone(&design->tones[i], i == 0);
            layers += design->tones[i].level.lo > 0;
        }
    for (size_t i = 0; i < LC_NOISES; i++)
        if (design->noises[i].high.hi > 0) {
            check_noise(&design->noises[i]);
            layers += design->noises[i].level.lo > 0;
        }
    if (design->metal.base.hi > 0) {
        check_metal(&design->metal);
        layers += design->metal.level.lo > 0;
    }
    check_span(design->drive, 0, 5);
    return layers;
}

static void every_design_is_sound(void)
{
    for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
        lc_design_list list = lc_designs_of(kind);
        CHECK(list.designs != NULL && list.seen >= 1 && list.seen < list.all);
        for (size_t i = 0; i < list.all; i++) {
            size_t layers = check_design(&list.designs[i]);
            CHECK(layers >= 1);
        }
    }
}

static void hats_share_their_designs(void)
{
    CHECK(lc_designs_of(LC_VOICE_HAT_OPEN).designs == lc_designs_of(LC_VOICE_HAT_CLOSED).designs);
    CHECK(lc_designs_of(LC_VOICE_HAT_PEDAL).designs == lc_designs_of(LC_VOICE_HAT_CLOSED).designs);
    CHECK(lc_designs_of(LC_VOICE_KICK).designs != lc_designs_of(LC_VOICE_SNARE).designs);
}

int main(void)
{
    RUN(every_design_is_sound);
    RUN(hats_share_their_designs);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_voice.c - strokes: they begin at once, reach the asked level, get brighter with force, die away. */
#include "check.h"

#include "studio/synth/kit.h"

#include <stdbool.h>
#include <stdlib.h>

enum { KITS = 24, ROOM = 3 * 44100 };

static const double rate = 22050;
static float samples[ROOM], again[ROOM];

static lc_kit kit_of(uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    lc_kit kit;
    lc_kit_draw(&kit, &rng, seed % 2 == 1);
    return kit;
}

/* A stroke into samples; its length. */
static size_t strike(const lc_voice *voice, double velocity, uint64_t seed, double at_rate)
{
    lc_rng rng = lc_rng_seed(seed);
    lc_voice stroke = lc_voice_stroke(voice, velocity, &rng);
    size_t n = lc_voice_length(&stroke, at_rate);
    if (n > ROOM)
        n = ROOM;
    lc_voice_render(&stroke, velocity, at_rate, (uint32_t)seed, samples, n);
    return n;
}

static double peak_of(const float *x, size_t n)
{
    double peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmax(peak, fabs((double)x[i]));
    return peak;
}

/* Mean frequency of the energy: that of the slope over that of the samples. */
static double brightness(const float *x, size_t n)
{
    double slopes = 0, squares = 1e-30;
    for (size_t i = 1; i < n; i++) {
        double slope = (double)(x[i] - x[i - 1]);
        slopes += slope * slope;
        squares += (double)(x[i] * x[i]);
    }
    return sqrt(slopes / squares);
}

static void voices_have_classes_and_names(void)
{
    CHECK_EQ(lc_voice_class(LC_VOICE_KICK), 0);
    CHECK_EQ(lc_voice_class(LC_VOICE_SNARE), 1);
    for (lc_voice_kind kind = LC_VOICE_HAT_CLOSED; kind <= LC_VOICE_HAT_PEDAL; kind++)
        CHECK_EQ(lc_voice_class(kind), 2);
    for (lc_voice_kind kind = LC_VOICE_TOM_HIGH; kind < LC_VOICES; kind++)
        CHECK_EQ(lc_voice_class(kind), 3);
    for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++)
        CHECK(lc_voice_name(kind) != NULL);
}

/* The first sample above a hundredth of the peak comes within 1.5 ms, at every velocity. */
static void strokes_begin_at_once(void)
{
    for (uint64_t seed = 0; seed < KITS; seed++) {
        lc_kit kit = kit_of(seed);
        for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
            double velocity = 0.1 + 0.3 * (double)(seed % 4);
            size_t n = strike(&kit.voices[kind], velocity, seed, rate), first = 0;
            double peak = peak_of(samples, n);
            while (first < n && fabs((double)samples[first]) < 0.01 * peak)
                first++;
            if ((double)first > 0.0015 * rate)
                fprintf(stderr, "%s, kit %d: ", lc_voice_name(kind), (int)seed);
            CHECK((double)first <= 0.0015 * rate);
        }
    }
}

/* Counted voices have a tenth of their energy's first 50 ms within 10 ms: a stroke, not a swell. */
static void attacks_are_sharp(void)
{
    for (uint64_t seed = 0; seed < KITS; seed++) {
        lc_kit kit = kit_of(seed);
        for (lc_voice_kind kind = 0; kind <= LC_VOICE_HAT_PEDAL; kind++) {
            size_t n = strike(&kit.voices[kind], 1, seed, rate), early = (size_t)(0.01 * rate);
            double first = 0, all = 0;
            for (size_t i = 0; i < n && (double)i < 0.05 * rate; i++) {
                all += (double)(samples[i] * samples[i]);
                first += i < early ? (double)(samples[i] * samples[i]) : 0;
            }
            CHECK(first > 0.1 * all);
        }
    }
}

/* About velocity: saturation lifts soft strokes, dullness and variation change them a little. */
static void velocity_sets_the_level(void)
{
    for (uint64_t seed = 0; seed < KITS; seed++) {
        lc_kit kit = kit_of(seed);
        for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
            double loud = peak_of(samples, strike(&kit.voices[kind], 1, seed, rate));
            double soft = peak_of(samples, strike(&kit.voices[kind], 0.2, seed, rate));
            CHECK(loud > 0.35 && loud < 2.2);
            CHECK(soft < 0.85 * loud && soft > 0.05 * loud);
        }
    }
}

static void force_brings_brightness(void)
{
    size_t brighter = 0, all = 0;
    for (uint64_t seed = 0; seed < KITS; seed++) {
        lc_kit kit = kit_of(seed);
        for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
            double loud = brightness(samples, strike(&kit.voices[kind], 1, seed, rate));
            double soft = brightness(samples, strike(&kit.voices[kind], 0.1, seed, rate));
            brighter += loud > soft;
            all++;
        }
    }
    CHECK(brighter > all * 85 / 100);
}

static void strokes_die_away(void)
{
    for (uint64_t seed = 0; seed < KITS; seed++) {
        lc_kit kit = kit_of(seed);
        for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
            size_t n = strike(&kit.voices[kind], 1, seed, rate), last = n / 50 + 1;
            bool finite = true;
            for (size_t i = 0; i < n; i++)
                finite = finite && isfinite(samples[i]);
            CHECK(finite && n < ROOM);
            CHECK(peak_of(samples + n - last, last) < 0.03 * peak_of(samples, n));
        }
    }
}

static void same_seed_same_sound(void)
{
    lc_kit kit = kit_of(5);
    size_t n = strike(&kit.voices[LC_VOICE_SNARE], 0.7, 9, rate);
    memcpy(again, samples, n * sizeof *again);
    CHECK_EQ(strike(&kit.voices[LC_VOICE_SNARE], 0.7, 9, rate), n);
    CHECK(memcmp(again, samples, n * sizeof *again) == 0);
    strike(&kit.voices[LC_VOICE_SNARE], 0.7, 10, rate);
    CHECK(memcmp(again, samples, n / 2 * sizeof *again) != 0);
}

/* A tone ends at its frequency: crossings of zero are counted, late, at two rates. */
static void tone_has_its_pitch(void)
{
    lc_voice voice = {.tones = {{.level = 1, .frequency = 200, .drop = 2, .drop_time = 0.01, .decay = 5}}, .gain = 1};
    const double rates[] = {22050, 44100};
    for (size_t r = 0; r < 2; r++) {
        size_t crossings = 0, n = (size_t)rates[r], from = n / 2;
        lc_voice_render(&voice, 1, rates[r], 1, samples, n);
        for (size_t i = from + 1; i < n; i++)
            crossings += (samples[i] > 0) != (samples[i - 1] > 0);
        CHECK_NEAR((double)crossings, 200, 1);
    }
}

/* 60 dB in the given time: the envelope of a steady tone after half of it is 30 dB down. */
static void decay_is_sixty_decibels(void)
{
    lc_voice voice = {.tones = {{.level = 1, .frequency = 1000, .decay = 1}}, .gain = 1};
    lc_voice_render(&voice, 1, rate, 1, samples, 22050);
    CHECK_NEAR(20 * log10(peak_of(samples + 11025, 110) / peak_of(samples, 110)), -30, 0.5);
}

static void bursts_strike_again(void)
{
    lc_noise hands = {
        .level = 1, .decay = 0.005, .low = 100, .high = 5000, .resonance = 0.7, .bursts = 3, .spacing = 0.02};
    lc_voice voice = {.noises = {hands}, .gain = 1};
    lc_voice_render(&voice, 1, rate, 1, samples, 2205);
    for (size_t burst = 0; burst < 3; burst++) {
        size_t at = (size_t)(0.02 * rate) * burst;
        CHECK(peak_of(samples + at, 60) > 10 * peak_of(samples + at + 300, 100));
    }
    CHECK(peak_of(samples + 3 * 441, 441) < 0.01);
}

int main(void)
{
    RUN(voices_have_classes_and_names);
    RUN(strokes_begin_at_once);
    RUN(attacks_are_sharp);
    RUN(velocity_sets_the_level);
    RUN(force_brings_brightness);
    RUN(strokes_die_away);
    RUN(same_seed_same_sound);
    RUN(tone_has_its_pitch);
    RUN(decay_is_sixty_decibels);
    RUN(bursts_strike_again);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 *
 * designs.c - the table of designs: what kicks, snares, cymbals and the rest are made of.
 *
 * Ranges come from the physics (a skin's modes lie at 1, 1.59, 2.14, 2.30 of the lowest; the classic electronic hi-hat
 * adds six squares at 205 .. 800 Hz) and were widened until measured spectra of acoustic kits lay inside. In the
 * first 70 ms of an isolated stroke of seven acoustic drum tracks, dB of the whole by octave band:
 *
 *              <100   100   200   400   800  1600  3200  6400+   -20 dB after
 *     kick       -1    -9   -20   -20   -26   -25   -31   -36      80 ms
 *     snare     -17    -5    -5    -9   -14   -15   -19   -22     120 ms
 *     hi-hat    -14   -14   -14   -15   -16   -14    -8    -4     160 ms (below 1600 Hz mostly other drums)
 *     ride      -26   -18   -14   -12   -14    -8    -4    -7
 *
 * So an acoustic snare is mostly skin, with its wires 10 dB below, and an electronic one mostly noise: both are here.
 * The first design of each list is the acoustic one, and drawn more often; the last ones are kept for unseen kits.
 */
#include "studio/synth/designs.h"

/* One number a line, as the formatter would have it, hides the designs. */
/* clang-format off */

/* A beater or stick: a few milliseconds of noise. */
#define CLICK(lo, hi) {.level = {lo, hi}, .low = {600, 3000}, .high = {2500, 12000}, .decay = {0.004, 0.02}}

/* The same on a cymbal: lower and longer than the cymbal's own sound. */
#define STICK {.level = {0, 1}, .low = {300, 1500}, .high = {2500, 8000}, .decay = {0.01, 0.08}}

/* The lowest modes of a cymbal: between 300 and 900 Hz, strong in some. */
#define CUP {.level = {0, 0.5}, .frequency = {300, 900}, .decay = {0.03, 0.2}}, \
            {.level = {0, 0.3}, .frequency = {1.3, 2.4}, .decay = {0.03, 0.2}}

/* The wires of the snare drum, which rattle along with other drums. */
#define RATTLE {.level = {0, 0.12}, .low = {900, 2500}, .high = {4500, 10000}, .attack = {0.001, 0.004}, \
                .decay = {0.1, 0.35}}

static const lc_design kicks[] = {
    /* acoustic, open */
    {.tones = {{.level = {1, 1.01}, .frequency = {42, 75}, .drop = {0.3, 2}, .drop_time = {0.005, 0.025},
                .attack = {0, 0.0015}, .decay = {0.18, 0.6}},
               {.level = {0.1, 0.6}, .frequency = {1.5, 2.8}, .drop = {0, 0.5}, .drop_time = {0.01, 0.03},
                .decay = {0.08, 0.3}},
               {.level = {0, 0.2}, .frequency = {4, 9}, .decay = {0.03, 0.1}}},
     .noises = {CLICK(0.15, 1), {.level = {0.1, 0.6}, .low = {80, 250}, .high = {400, 1800}, .decay = {0.03, 0.15}},
                RATTLE},
     .drive = {0, 0.6}},
    /* analogue, long */
    {.tones = {{.level = {1, 1.01}, .frequency = {38, 62}, .drop = {0.5, 4}, .drop_time = {0.004, 0.03},
                .decay = {0.4, 1.4}}},
     .noises = {CLICK(0, 0.25)},
     .drive = {0, 1}},
    /* punchy, with a wide fall of pitch */
    {.tones = {{.level = {1, 1.01}, .frequency = {43, 68}, .drop = {2.5, 9}, .drop_time = {0.008, 0.04},
                .decay = {0.2, 0.6}},
               {.level = {0, 0.3}, .frequency = {1.9, 2.1}, .drop = {1, 4}, .drop_time = {0.008, 0.03},
                .decay = {0.1, 0.3}}},
     .noises = {CLICK(0, 0.6)},
     .drive = {0.3, 4}},
    /* damped, close microphone: skin slap and click */
    {.tones = {{.level = {1, 1.01}, .frequency = {52, 100}, .drop = {0.05, 0.7}, .drop_time = {0.005, 0.03},
                .attack = {0, 0.001}, .decay = {0.1, 0.28}},
               {.level = {0.3, 0.8}, .frequency = {1.4, 1.9}, .decay = {0.07, 0.2}},
               {.level = {0.1, 0.5}, .frequency = {2.2, 3.4}, .decay = {0.04, 0.12}},
               {.level = {0, 0.4}, .frequency = {6, 14}, .decay = {0.02, 0.06}}},
     .noises = {CLICK(0.3, 1.3), {.level = {0.1, 0.5}, .low = {100, 300}, .high = {500, 2000}, .decay = {0.02, 0.1}},
                RATTLE},
     .drive = {0, 0.8}},
    /* unseen: frequency modulation */
    {.tones = {{.level = {1, 1.01}, .frequency = {40, 72}, .drop = {0.8, 4}, .drop_time = {0.008, 0.03},
                .decay = {0.2, 0.6}, .fm_ratio = {0.7, 2.3}, .fm_index = {0.8, 3}}},
     .noises = {CLICK(0, 0.3)},
     .drive = {0, 1.5}},
    /* unseen: a thud of low noise around a short tone */
    {.tones = {{.level = {0.4, 0.8}, .frequency = {50, 85}, .drop = {0.2, 1}, .drop_time = {0.01, 0.03},
                .decay = {0.08, 0.2}}},
     .noises = {{.level = {4, 7}, .low = {30, 45}, .high = {75, 150}, .resonance = {1.5, 4}, .decay = {0.15, 0.4}},
                CLICK(0.1, 0.5)},
     .drive = {0, 1}},
};

static const lc_design snares[] = {
    /* acoustic */
    {.tones = {{.level = {1, 1.01}, .frequency = {150, 250}, .drop = {0, 0.25}, .drop_time = {0.005, 0.03},
                .decay = {0.1, 0.4}},
               {.level = {0.3, 1}, .frequency = {1.5, 1.9}, .drop = {0, 0.1}, .drop_time = {0.005, 0.02},
                .decay = {0.08, 0.3}},
               {.level = {0.2, 1}, .frequency = {2.1, 2.9}, .decay = {0.06, 0.25}},
               {.level = {0.1, 0.8}, .frequency = {3.1, 4.6}, .decay = {0.04, 0.2}}},
     .noises = {{.level = {0.2, 1.2}, .low = {800, 3000}, .high = {4500, 11000}, .attack = {0, 0.002},
                 .decay = {0.08, 0.25}, .tail = {0, 0.5}, .tail_decay = {0.2, 0.5}},
                {.level = {0.3, 2}, .low = {200, 900}, .high = {2500, 8000}, .decay = {0.006, 0.03}},
                {.level = {0.5, 3}, .low = {120, 350}, .high = {700, 2500}, .decay = {0.06, 0.25}}},
     .drive = {0, 0.8}},
    /* acoustic, struck with the rim: loud upper modes, little wire */
    {.tones = {{.level = {0.5, 1}, .frequency = {165, 270}, .drop = {0, 0.1}, .drop_time = {0.005, 0.03},
                .decay = {0.1, 0.4}},
               {.level = {0.5, 1}, .frequency = {1.45, 1.8}, .decay = {0.1, 0.35}},
               {.level = {0.3, 1}, .frequency = {2, 2.7}, .decay = {0.08, 0.3}},
               {.level = {0.2, 1}, .frequency = {2.8, 4}, .decay = {0.06, 0.25}}},
     .noises = {{.level = {0.1, 0.7}, .low = {700, 2500}, .high = {4000, 10000}, .attack = {0, 0.002},
                 .decay = {0.08, 0.3}},
                {.level = {0.3, 2}, .low = {400, 1200}, .high = {2500, 8000}, .decay = {0.006, 0.03}},
                {.level = {0.5, 3}, .low = {200, 500}, .high = {900, 2500}, .decay = {0.06, 0.25}}},
     .drive = {0, 0.6}},
    /* analogue: two tones and a hiss */
    {.tones = {{.level = {1, 1.01}, .frequency = {155, 220}, .drop = {0, 0.2}, .drop_time = {0.005, 0.02},
                .decay = {0.08, 0.3}},
               {.level = {0.2, 0.9}, .frequency = {1.6, 2.1}, .decay = {0.05, 0.2}}},
     .noises = {{.level = {0.6, 3}, .low = {700, 2500}, .high = {5000, 13000}, .decay = {0.1, 0.45}}},
     .drive = {0, 0.6}},
    /* punchy: the pitch falls, wide noise */
    {.tones = {{.level = {1, 1.01}, .frequency = {140, 230}, .drop = {0.4, 2}, .drop_time = {0.006, 0.03},
                .decay = {0.1, 0.3}},
               {.level = {0, 0.7}, .frequency = {1.4, 2.4}, .drop = {0.2, 1}, .drop_time = {0.006, 0.02},
                .decay = {0.06, 0.2}}},
     .noises = {{.level = {0.8, 3}, .low = {300, 1500}, .high = {4000, 12000}, .decay = {0.12, 0.4}},
                {.level = {0.5, 2}, .low = {1000, 3000}, .high = {6000, 13000}, .decay = {0.008, 0.04}}},
     .drive = {0.2, 2.5}},
    /* deep and damped */
    {.tones = {{.level = {1, 1.01}, .frequency = {105, 165}, .drop = {0, 0.4}, .drop_time = {0.008, 0.04},
                .decay = {0.08, 0.25}},
               {.level = {0.2, 0.9}, .frequency = {1.5, 2.3}, .decay = {0.06, 0.2}},
               {.level = {0, 0.5}, .frequency = {2.3, 3.6}, .decay = {0.04, 0.12}}},
     .noises = {{.level = {0.6, 2.5}, .low = {500, 1800}, .high = {2800, 7000}, .decay = {0.08, 0.3}},
                {.level = {0.2, 1.5}, .low = {300, 1000}, .high = {2000, 6000}, .decay = {0.005, 0.025}}},
     .drive = {0, 1.2}},
    /* mostly noise: electro, brushes, old drum machines */
    {.tones = {{.level = {0.1, 0.5}, .frequency = {160, 300}, .drop = {0, 0.5}, .drop_time = {0.005, 0.02},
                .decay = {0.05, 0.2}}},
     .noises = {{.level = {1.5, 3}, .low = {250, 2000}, .high = {3500, 12000}, .attack = {0, 0.0015},
                 .decay = {0.06, 0.3}, .resonance = {0.7, 2}},
                {.level = {0.2, 1}, .low = {150, 400}, .high = {800, 2500}, .decay = {0.04, 0.15}}},
     .drive = {0, 2}},
    /* unseen: modes by frequency modulation */
    {.tones = {{.level = {1, 1.01}, .frequency = {150, 260}, .drop = {0.1, 0.8}, .drop_time = {0.005, 0.03},
                .decay = {0.1, 0.3}, .fm_ratio = {1.3, 1.75}, .fm_index = {0.6, 2.5}}},
     .noises = {{.level = {0.7, 2.5}, .low = {900, 2500}, .high = {5000, 12000}, .decay = {0.1, 0.35}}},
     .drive = {0, 1}},
    /* unseen: small and high, ringing, with resonant wires */
    {.tones = {{.level = {0.7, 1}, .frequency = {260, 390}, .decay = {0.15, 0.5}},
               {.level = {0.4, 1}, .frequency = {1.55, 1.65}, .decay = {0.1, 0.4}},
               {.level = {0.3, 0.8}, .frequency = {2.1, 2.35}, .decay = {0.08, 0.3}},
               {.level = {0.1, 0.5}, .frequency = {2.6, 3.2}, .decay = {0.05, 0.2}}},
     .noises =
         {{.level = {0.8, 2}, .low = {1500, 3500}, .high = {5000, 9000}, .resonance = {2, 5}, .decay = {0.08, 0.3}},
          {.level = {0.5, 2}, .low = {500, 1500}, .high = {4000, 9000}, .decay = {0.005, 0.02}}},
     .drive = {0, 0.8}},
};

/* Decays are those of a closed hi-hat; the others follow from it. */
static const lc_design hats[] = {
    /* mostly noise, as recorded cymbals look */
    {.tones = {CUP},
     .noises = {{.level = {1, 1.5}, .low = {3000, 8000}, .high = {7000, 15000}, .attack = {0, 0.001},
                 .decay = {0.03, 0.25}, .resonance = {0.6, 3}, .tail = {0, 0.3}, .tail_decay = {0.1, 0.3}},
                {.level = {0, 1}, .low = {1500, 5000}, .high = {6000, 14000}, .decay = {0.004, 0.02}},
                STICK},
     .metal = {.shape = LC_METAL_SINE, .set = LC_SET_RANDOM, .level = {0, 0.6}, .base = {2500, 5000},
               .partials = {8, 12.5}, .low = {1500, 4000}, .high = {9000, 16000}, .decay = {0.05, 0.3}},
     .drive = {0, 0.6}},
    /* the classic six squares */
    {.noises = {{.level = {0.1, 1}, .low = {4000, 8000}, .high = {8500, 16000}, .decay = {0.03, 0.2}},
                {.level = {0, 0.8}, .low = {2500, 6000}, .high = {7000, 14000}, .decay = {0.004, 0.02}},
                STICK},
     .metal = {.shape = LC_METAL_SQUARE, .set = LC_SET_CLASSIC, .level = {1, 1.5}, .base = {180, 420},
               .partials = {6, 6.5}, .low = {3500, 8000}, .high = {8000, 16000}, .decay = {0.04, 0.25}},
     .drive = {0, 1}},
    /* many squares at random */
    {.tones = {CUP},
     .noises = {{.level = {0.2, 1.2}, .low = {2500, 7000}, .high = {7000, 15000}, .decay = {0.03, 0.25}}, STICK},
     .metal = {.shape = LC_METAL_SQUARE, .set = LC_SET_RANDOM, .level = {0.5, 1.2}, .base = {300, 900},
               .partials = {8, 12.5}, .low = {2500, 7000}, .high = {7000, 16000}, .decay = {0.04, 0.25}},
     .drive = {0, 1}},
    /* modes of a plate */
    {.tones = {CUP},
     .noises = {{.level = {0.3, 1.2}, .low = {3500, 8000}, .high = {8000, 16000}, .decay = {0.02, 0.2}},
                {.level = {0, 0.8}, .low = {1500, 5000}, .high = {6000, 14000}, .decay = {0.004, 0.015}},
                STICK},
     .metal = {.shape = LC_METAL_SINE, .set = LC_SET_PLATE, .level = {0.5, 1.2}, .base = {900, 2500},
               .partials = {10, 12.5}, .low = {1500, 4500}, .high = {9000, 16000}, .decay = {0.05, 0.3}},
     .drive = {0, 0.8}},
    /* unseen: pairs by frequency modulation */
    {.noises = {{.level = {0, 0.6}, .low = {4000, 8000}, .high = {8000, 15000}, .decay = {0.03, 0.2}}, STICK},
     .metal = {.shape = LC_METAL_FM, .set = LC_SET_BELL, .level = {1, 1.4}, .base = {700, 2000},
               .partials = {8, 12.5}, .low = {2500, 6500}, .high = {8000, 16000}, .decay = {0.04, 0.25},
               .index = {1.5, 5}},
     .drive = {0, 1}},
    /* unseen: ring-modulated pairs */
    {.noises = {{.level = {0.2, 1}, .low = {3500, 7500}, .high = {8000, 15000}, .decay = {0.03, 0.2}}, STICK},
     .metal = {.shape = LC_METAL_RING, .set = LC_SET_PRIMES, .level = {0.8, 1.3}, .base = {250, 700},
               .partials = {8, 10.5}, .low = {3000, 7000}, .high = {8000, 16000}, .decay = {0.04, 0.25}},
     .drive = {0, 1}},
};

static const lc_design toms[] = {
    {.tones = {{.level = {1, 1.01}, .frequency = {75, 200}, .drop = {0.1, 0.8}, .drop_time = {0.02, 0.08},
                .decay = {0.25, 0.9}},
               {.level = {0.1, 0.6}, .frequency = {1.45, 1.75}, .drop = {0, 0.4}, .drop_time = {0.02, 0.06},
                .decay = {0.15, 0.5}},
               {.level = {0, 0.4}, .frequency = {2, 2.6}, .decay = {0.08, 0.3}}},
     .noises = {CLICK(0.1, 1), {.level = {0, 0.3}, .low = {100, 300}, .high = {500, 2000}, .decay = {0.05, 0.2}},
                RATTLE},
     .drive = {0, 0.8}},
    {.tones = {{.level = {1, 1.01}, .frequency = {80, 220}, .drop = {0.5, 2.5}, .drop_time = {0.02, 0.1},
                .decay = {0.2, 0.7}}},
     .noises = {CLICK(0, 0.5)},
     .drive = {0, 1.5}},
    {.tones = {{.level = {1, 1.01}, .frequency = {80, 210}, .drop = {0.2, 1}, .drop_time = {0.02, 0.08},
                .decay = {0.25, 0.8}, .fm_ratio = {1.4, 1.6}, .fm_index = {0.4, 1.5}}},
     .noises = {CLICK(0, 0.6)},
     .drive = {0, 1}},
};

static const lc_design claps[] = {
    {.noises = {{.level = {1, 1.01}, .low = {500, 1100}, .high = {1500, 5000}, .resonance = {0.7, 2},
                 .decay = {0.012, 0.04}, .tail = {0.2, 0.6}, .tail_decay = {0.1, 0.4}, .bursts = {3, 5},
                 .spacing = {0.007, 0.014}},
                {.level = {0, 0.5}, .low = {1500, 4000}, .high = {6000, 12000}, .decay = {0.03, 0.15}}},
     .drive = {0, 1.5}},
    {.noises = {{.level = {1, 1.01}, .low = {900, 1600}, .high = {2500, 7000}, .resonance = {0.7, 1.5},
                 .decay = {0.02, 0.08}, .tail = {0, 0.3}, .tail_decay = {0.1, 0.3}, .bursts = {1, 3},
                 .spacing = {0.004, 0.02}}},
     .drive = {0, 1}},
};

static const lc_design crashes[] = {
    {.noises = {{.level = {1, 1.3}, .low = {1200, 4500}, .high = {7000, 15000}, .attack = {0, 0.003},
                 .decay = {0.3, 1}, .tail = {0.2, 0.6}, .tail_decay = {0.8, 2.2}}},
     .metal = {.shape = LC_METAL_SQUARE, .set = LC_SET_RANDOM, .level = {0.1, 0.6}, .base = {250, 700},
               .partials = {6, 8.5}, .low = {1000, 4500}, .high = {7000, 15000}, .decay = {0.6, 1.8}},
     .drive = {0, 0.6}},
    {.noises =
         {{.level = {0.8, 1.2}, .low = {700, 3500}, .high = {6000, 14000}, .attack = {0, 0.004}, .decay = {0.4, 1.4}}},
     .metal = {.shape = LC_METAL_SINE, .set = LC_SET_PLATE, .level = {0.2, 0.8}, .base = {400, 1200},
               .partials = {8, 10.5}, .low = {500, 2500}, .high = {8000, 15000}, .decay = {0.6, 1.8}},
     .drive = {0, 0.6}},
    {.noises = {{.level = {0.2, 0.7}, .low = {1500, 4500}, .high = {7000, 15000}, .decay = {0.4, 1.2}}},
     .metal = {.shape = LC_METAL_FM, .set = LC_SET_BELL, .level = {0.8, 1.2}, .base = {350, 1100},
               .partials = {6, 8.5}, .low = {900, 3500}, .high = {7000, 15000}, .decay = {0.6, 1.6}, .index = {2, 6}},
     .drive = {0, 0.6}},
};

static const lc_design rides[] = {
    {.tones = {{.level = {0.1, 0.6}, .frequency = {2200, 4800}, .decay = {0.1, 0.5}},
               {.level = {0, 0.4}, .frequency = {1.2, 1.7}, .decay = {0.1, 0.5}},
               {.level = {0, 0.3}, .frequency = {0.12, 0.3}, .decay = {0.2, 0.8}}},
     .noises = {{.level = {0.4, 1.2}, .low = {1500, 5000}, .high = {6000, 13000}, .decay = {0.04, 0.3},
                 .tail = {0.05, 0.4}, .tail_decay = {0.5, 1.4}}},
     .metal = {.shape = LC_METAL_SINE, .set = LC_SET_PLATE, .level = {0.2, 0.8}, .base = {500, 1500},
               .partials = {8, 10.5}, .low = {400, 2500}, .high = {7000, 14000}, .decay = {0.3, 1.3}},
     .drive = {0, 0.4}},
    {.noises = {{.level = {0.2, 0.8}, .low = {3000, 7000}, .high = {7000, 14000}, .decay = {0.02, 0.15}}},
     .metal = {.shape = LC_METAL_SQUARE, .set = LC_SET_CLASSIC, .level = {0.5, 1}, .base = {250, 600},
               .partials = {6, 6.5}, .low = {1800, 5500}, .high = {7000, 14000}, .decay = {0.3, 1.2}},
     .drive = {0, 0.6}},
    {.noises = {{.level = {0.2, 0.8}, .low = {2500, 6000}, .high = {7000, 14000}, .decay = {0.05, 0.4}}},
     .metal = {.shape = LC_METAL_RING, .set = LC_SET_PRIMES, .level = {0.5, 1}, .base = {300, 800},
               .partials = {6, 8.5}, .low = {1200, 4500}, .high = {7000, 14000}, .decay = {0.3, 1.2}},
     .drive = {0, 0.6}},
};

static const lc_design tambourines[] = {
    {.noises = {{.level = {0.6, 1.2}, .low = {4500, 8000}, .high = {8000, 15000}, .decay = {0.02, 0.08},
                 .tail = {0, 0.4}, .tail_decay = {0.1, 0.4}, .bursts = {1, 4}, .spacing = {0.012, 0.035}}},
     .metal = {.shape = LC_METAL_SINE, .set = LC_SET_RANDOM, .level = {0.2, 0.9}, .base = {3500, 6000},
               .partials = {4, 8.5}, .low = {3000, 5000}, .high = {9000, 15000}, .decay = {0.1, 0.5}},
     .drive = {0, 0.5}},
    { .tones = {{.level = {0.1, 0.5}, .frequency = {250, 600}, .decay = {0.03, 0.12}}},
     .noises = {{.level = {0.8, 1.2}, .low = {3500, 6000}, .high = {8000, 15000}, .attack = {0.001, 0.004},
                 .decay = {0.04, 0.2}, .bursts = {1, 3}, .spacing = {0.02, 0.05}}},
     .metal = {.shape = LC_METAL_FM, .set = LC_SET_BELL, .level = {0.1, 0.6}, .base = {2500, 4500},
               .partials = {4, 6.5}, .low = {3000, 5000}, .high = {9000, 15000}, .decay = {0.1, 0.4},
               .index = {1, 3}},
     .drive = {0, 0.5}},
};

static const lc_design rims[] = {
    /* a stick laid across, knocked on the rim */
    {.tones = {{.level = {1, 1.01}, .frequency = {350, 900}, .decay = {0.03, 0.12}},
               {.level = {0.3, 1}, .frequency = {1.8, 3.2}, .decay = {0.02, 0.08}},
               {.level = {0, 0.5}, .frequency = {3.5, 6}, .decay = {0.01, 0.05}}},
     .noises = {CLICK(0.2, 1.5)},
     .drive = {0, 1}},
    /* wood or bell: two tones */
    {.tones = {{.level = {1, 1.01}, .frequency = {500, 1600}, .decay = {0.04, 0.3}},
               {.level = {0.4, 1}, .frequency = {1.4, 1.55}, .decay = {0.03, 0.3}}},
     .noises = {CLICK(0, 0.5)},
     .drive = {0, 3}},
    /* unseen: struck tube by frequency modulation */
    {.tones = {{.level = {1, 1.01}, .frequency = {400, 1300}, .decay = {0.03, 0.2}, .fm_ratio = {1.2, 2.8},
                .fm_index = {0.5, 2.5}}},
     .noises = {CLICK(0, 0.6)},
     .drive = {0, 1}},
};

#define LIST(list, unseen) {(list), sizeof(list) / sizeof *(list) - (unseen), sizeof(list) / sizeof *(list)}

/* clang-format on */

lc_design_list lc_designs_of(lc_voice_kind kind)
{
    static const lc_design_list lists[LC_VOICES] = {
        [LC_VOICE_KICK] = LIST(kicks, 2),
        [LC_VOICE_SNARE] = LIST(snares, 2),
        [LC_VOICE_HAT_CLOSED] = LIST(hats, 2),
        [LC_VOICE_HAT_OPEN] = LIST(hats, 2),
        [LC_VOICE_HAT_PEDAL] = LIST(hats, 2),
        [LC_VOICE_TOM_HIGH] = LIST(toms, 1),
        [LC_VOICE_TOM_LOW] = LIST(toms, 1),
        [LC_VOICE_CLAP] = LIST(claps, 1),
        [LC_VOICE_CRASH] = LIST(crashes, 1),
        [LC_VOICE_RIDE] = LIST(rides, 1),
        [LC_VOICE_TAMBOURINE] = LIST(tambourines, 1),
        [LC_VOICE_RIM] = LIST(rims, 1),
    };
    return lists[kind];
}

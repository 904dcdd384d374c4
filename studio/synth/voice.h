/* SPDX-License-Identifier: MIT
 *
 * voice.h - one drum as a handful of numbers, and one stroke on it as sound.
 *
 * A voice is a sum of layers: tones (a partial whose pitch falls to its end: skins, shells), noises (filtered, with a
 * fast and a slow decay: beater, stick, wires, air), and metal (many inharmonic partials: cymbals). The sum is driven
 * into soft saturation. All layers begin at the first sample.
 *
 *     lc_voice stroke = lc_voice_stroke(&kit.voices[LC_VOICE_SNARE], 0.7, &rng);
 *     size_t n = lc_voice_length(&stroke, rate);
 *     lc_voice_render(&stroke, 0.7, rate, noise, samples, n);
 *
 * A voice is numbers only and can be copied; rendering needs no memory and cannot fail. */
#ifndef LC_STUDIO_SYNTH_VOICE_H
#define LC_STUDIO_SYNTH_VOICE_H

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

typedef enum lc_voice_kind {
    LC_VOICE_KICK,
    LC_VOICE_SNARE,
    LC_VOICE_HAT_CLOSED,
    LC_VOICE_HAT_OPEN,
    LC_VOICE_HAT_PEDAL,
    LC_VOICE_TOM_HIGH, /* from here on: sounds that no class counts */
    LC_VOICE_TOM_LOW,
    LC_VOICE_CLAP,
    LC_VOICE_CRASH,
    LC_VOICE_RIDE,
    LC_VOICE_TAMBOURINE,
    LC_VOICE_RIM,
    LC_VOICES, /* of the synthesiser; from here on sampled kits alone have them */
    LC_VOICE_TOM_MID = LC_VOICES,
    LC_VOICE_RIDE_BELL,
    LC_VOICE_SHAKER,
    LC_VOICE_COWBELL, /* and other small metal */
    LC_VOICE_CONGA,   /* and other hand drums */
    LC_VOICE_WOOD,
    LC_PARTS
} lc_voice_kind;

enum { LC_TONES = 4, LC_NOISES = 3, LC_PARTIALS = 12 };

/* Times in seconds, frequencies in Hz, a decay is the time to -60 dB. A layer of level 0 is silent. */
typedef struct lc_tone {
    double level, frequency; /* where the pitch ends; it begins at frequency * (1 + drop) */
    double drop, drop_time;  /* and comes within 1/e of the way in drop_time */
    double attack, decay;
    double fm_ratio, fm_index; /* a modulator at fm_ratio * pitch shifts the phase by up to fm_index radians */
} lc_tone;

typedef struct lc_noise {
    double level, attack, decay;
    double tail, tail_decay; /* a share of the level that decays by itself */
    double low, high;        /* high-pass and low-pass corners */
    double resonance;        /* of the low-pass; 0.7 is flat */
    double bursts, spacing;  /* how many attacks, and their distance: one for most, several for hands */
} lc_noise;

typedef enum lc_metal_shape { LC_METAL_SQUARE, LC_METAL_SINE, LC_METAL_FM, LC_METAL_RING } lc_metal_shape;

typedef struct lc_metal {
    lc_metal_shape shape;
    size_t partials;
    double frequency[LC_PARTIALS];
    double level, attack, decay, low, high;
    double index; /* of FM: every second partial modulates the one before it, in radians */
} lc_metal;

typedef struct lc_voice {
    size_t family; /* the design it was drawn from */
    lc_tone tones[LC_TONES];
    lc_noise noises[LC_NOISES];
    lc_metal metal;
    double drive; /* 0: none */
    double gain;  /* makes the loudest stroke peak at about 1 */
} lc_voice;

/* The class that counts this voice: 0 kick, 1 snare, 2 hi-hat; 3 for none. */
size_t lc_voice_class(lc_voice_kind kind);
const char *lc_voice_name(lc_voice_kind kind);

/* Sets gain from the peak of a full stroke. */
void lc_voice_normalise(lc_voice *voice);

/* The voice as one stroke of velocity 0..1 sounds it: a softer stroke is duller, and no two are quite the same. */
lc_voice lc_voice_stroke(const lc_voice *voice, double velocity, lc_rng *rng);

/* Samples until every layer has decayed by 60 dB. */
size_t lc_voice_length(const lc_voice *voice, double rate);

/* Writes the first n samples at peak about velocity. */
void lc_voice_render(const lc_voice *voice, double velocity, double rate, uint32_t noise, float *samples, size_t n);

#endif

/* SPDX-License-Identifier: MIT
 *
 * voice.c - renders one stroke on one drum.
 *
 *   tone    sin(phase + index sin(ratio phase)) * ramp * exp(-t),   pitch(t) = f (1 + drop exp(-t / drop_time))
 *   noise   white -> low-pass -> high-pass, * ramp * (exp(-t/d) + tail exp(-t/d'))
 *   metal   squares, sines, modulated pairs or ring-modulated pairs -> high-pass -> low-pass, * ramp * exp(-t)
 *   drive   y = x (1 + drive) / (1 + drive |x|), which keeps a peak of 1 and lifts what is below
 *
 * Exponentials are products, phases are 32-bit integers that wrap by themselves, and a sine is a parabola: no call of
 * the mathematics library in any loop over samples. The ramp begins at its first step above 0, so that sample 0 already
 * sounds wherever the source does. Squares are not band-limited: their aliases are as inharmonic as the rest.
 */
#include "studio/synth/voice.h"

#include "signal/filter.h"

#include <string.h>

enum { PIECE = 256 };

#define SILENCE_LOG 6.907755278982137 /* ln(1000): 60 dB */

size_t lc_voice_class(lc_voice_kind kind)
{
    if (kind == LC_VOICE_KICK)
        return 0;
    if (kind == LC_VOICE_SNARE)
        return 1;
    return kind == LC_VOICE_HAT_CLOSED || kind == LC_VOICE_HAT_OPEN || kind == LC_VOICE_HAT_PEDAL ? 2 : 3;
}

const char *lc_voice_name(lc_voice_kind kind)
{
    static const char *const names[LC_VOICES] = {
        [LC_VOICE_KICK] = "kick",
        [LC_VOICE_SNARE] = "snare",
        [LC_VOICE_HAT_CLOSED] = "closed hi-hat",
        [LC_VOICE_HAT_OPEN] = "open hi-hat",
        [LC_VOICE_HAT_PEDAL] = "pedal hi-hat",
        [LC_VOICE_TOM_HIGH] = "high tom",
        [LC_VOICE_TOM_LOW] = "low tom",
        [LC_VOICE_CLAP] = "clap",
        [LC_VOICE_CRASH] = "crash",
        [LC_VOICE_RIDE] = "ride",
        [LC_VOICE_TAMBOURINE] = "tambourine",
        [LC_VOICE_RIM] = "rim",
    };
    return names[kind];
}

/* ---- envelopes ------------------------------------------------------------------------------------------- */

typedef struct envelope {
    float ramp, ramp_step; /* up to 1 */
    float fall, fall_by;
} envelope;

/* The factor of each sample that loses 60 dB in that time. */
static float falling_by(double decay, double rate)
{
    return (float)exp(-SILENCE_LOG / (fmax(decay, 1e-3) * rate));
}

static envelope envelope_of(double attack, double decay, double rate)
{
    float step = (float)(1 / fmax(1, attack * rate));
    return (envelope){.ramp = step, .ramp_step = step, .fall = 1, .fall_by = falling_by(decay, rate)};
}

static float envelope_next(envelope *e)
{
    float value = e->ramp * e->fall;
    e->ramp = fminf(1, e->ramp + e->ramp_step);
    e->fall *= e->fall_by;
    return value;
}

/* Samples of a layer until it is silent, at most n. */
static size_t lasting(double seconds, double rate, size_t n)
{
    double samples = ceil(seconds * rate);
    return samples < (double)n ? (size_t)samples : n;
}

/* ---- tones ----------------------------------------------------------------------------------------------- */

/* Phases start at 0: a skin starts from rest, so the first sample is small and the slope is steepest there. */
static void tone_add(const lc_tone *tone, double rate, float *samples, size_t n)
{
    n = lasting(tone->attack + tone->decay, rate, n);
    envelope e = envelope_of(tone->attack, tone->decay, rate);
    float level = (float)tone->level, step = (float)(tone->frequency / rate * 4294967296.0);
    float bend = step * (float)tone->drop, bend_by = (float)exp(-1 / (fmax(tone->drop_time, 1e-4) * rate));
    float ratio = (float)tone->fm_ratio, index = (float)(tone->fm_index * 2147483648.0 / LC_PI);
    uint32_t phase = 0, modulator = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t now = (int64_t)(step + bend);
        phase += (uint32_t)now;
        uint32_t shift = 0;
        if (index > 0) {
            modulator += (uint32_t)(int64_t)((float)now * ratio);
            shift = (uint32_t)(int64_t)(index * e.fall * lc_sine(modulator));
        }
        samples[i] += level * lc_sine(phase + shift) * envelope_next(&e);
        bend *= bend_by;
    }
}

/* ---- noises ---------------------------------------------------------------------------------------------- */

/* The attacks before the last are cut short by the next: the fast part starts again, `spacing` apart. */
static void noise_add(const lc_noise *noise, double rate, uint32_t white, float *samples, size_t n)
{
    lc_two_pole low = lc_two_pole_at(noise->low, 0.7, rate), high = lc_two_pole_at(noise->high, noise->resonance, rate);
    envelope fast = envelope_of(noise->attack, noise->decay, rate);
    float tail = (float)noise->tail, tail_by = falling_by(noise->tail_decay, rate), level = (float)noise->level;
    size_t bursts = (size_t)noise->bursts, spacing = (size_t)fmax(1, noise->spacing * rate), next = spacing;
    double last = noise->bursts > 1 ? noise->bursts * noise->spacing : 0;
    n = lasting(last + noise->attack + fmax(noise->decay, tail > 0 ? noise->tail_decay : 0), rate, n);
    for (size_t i = 0; i < n; i++) {
        if (i == next && bursts > 1) {
            fast.fall = 1;
            next += spacing;
            bursts--;
        }
        float passed, unused;
        lc_two_pole_run(&low, lc_two_pole_run(&high, lc_white(&white), &unused), &passed);
        samples[i] += level * passed * (envelope_next(&fast) + tail * fast.ramp);
        tail *= tail_by;
    }
}

/* ---- metal ----------------------------------------------------------------------------------------------- */

typedef struct metal_bank {
    lc_metal_shape shape;
    size_t partials;
    uint32_t phase[LC_PARTIALS], step[LC_PARTIALS];
    float scale, index;
} metal_bank;

/* Phases differ from stroke to stroke, as a cymbal is struck while it still moves. An odd partial out is dropped. */
static metal_bank bank_of(const lc_metal *metal, double rate, uint32_t seed)
{
    metal_bank bank = {.shape = metal->shape, .index = (float)(metal->index * 2147483648.0 / LC_PI)};
    for (size_t p = 0; p < metal->partials; p++) {
        if (metal->frequency[p] > 0.49 * rate && metal->shape == LC_METAL_SINE)
            continue; /* a sine would only come back as an alias */
        bank.phase[bank.partials] = seed * (uint32_t)(2 * p + 1);
        bank.step[bank.partials++] = lc_phase_step(metal->frequency[p], rate);
    }
    bank.partials &= ~(size_t)1; /* pairs */
    bank.scale = (float)(1 / sqrt((double)bank.partials + 1));
    return bank;
}

/* Partial by partial over a piece, so that phase and step stay in registers. */
static void add_squares(metal_bank *bank, size_t p, float *samples, size_t n)
{
    uint32_t phase = bank->phase[p], step = bank->step[p];
    for (size_t i = 0; i < n; i++) {
        samples[i] += (phase += step) >> 31 ? -1.0f : 1.0f;
    }
    bank->phase[p] = phase;
}

static void add_sines(metal_bank *bank, size_t p, float *samples, size_t n)
{
    uint32_t phase = bank->phase[p], step = bank->step[p];
    for (size_t i = 0; i < n; i++)
        samples[i] += lc_sine(phase += step);
    bank->phase[p] = phase;
}

/* Partials p and p + 1 as carrier and modulator, or as the two factors of a product. */
static void add_pair(metal_bank *bank, size_t p, float *samples, size_t n)
{
    uint32_t a = bank->phase[p], b = bank->phase[p + 1], a_step = bank->step[p], b_step = bank->step[p + 1];
    bool ring = bank->shape == LC_METAL_RING;
    for (size_t i = 0; i < n; i++) {
        a += a_step;
        float other = lc_sine(b += b_step);
        if (ring)
            samples[i] += 1.4f * other * (a >> 31 ? -1.0f : 1.0f);
        else
            samples[i] += lc_sine(a + (uint32_t)(int64_t)(bank->index * other));
    }
    bank->phase[p] = a;
    bank->phase[p + 1] = b;
}

static void bank_fill(metal_bank *bank, float *samples, size_t n)
{
    memset(samples, 0, n * sizeof *samples);
    bool pairs = bank->shape == LC_METAL_FM || bank->shape == LC_METAL_RING;
    for (size_t p = 0; p < bank->partials; p += pairs ? 2 : 1) {
        if (pairs)
            add_pair(bank, p, samples, n);
        else if (bank->shape == LC_METAL_SQUARE)
            add_squares(bank, p, samples, n);
        else
            add_sines(bank, p, samples, n);
    }
}

static void metal_add(const lc_metal *metal, double rate, uint32_t seed, float *samples, size_t n)
{
    metal_bank bank = bank_of(metal, rate, seed);
    lc_two_pole low = lc_two_pole_at(metal->low, 0.7, rate), high = lc_two_pole_at(metal->high, 0.7, rate);
    envelope e = envelope_of(metal->attack, metal->decay, rate);
    float level = (float)metal->level * bank.scale, piece[PIECE];
    n = lasting(metal->attack + metal->decay, rate, n);
    for (size_t done = 0; done < n; done += PIECE) {
        size_t length = n - done < PIECE ? n - done : PIECE;
        bank_fill(&bank, piece, length);
        for (size_t i = 0; i < length; i++) {
            float passed, unused;
            lc_two_pole_run(&low, piece[i], &passed);
            samples[done + i] += level * lc_two_pole_run(&high, passed, &unused) * envelope_next(&e);
        }
    }
}

/* ---- voices ---------------------------------------------------------------------------------------------- */

size_t lc_voice_length(const lc_voice *voice, double rate)
{
    double longest = 0.01;
    for (size_t i = 0; i < LC_TONES; i++)
        if (voice->tones[i].level > 0)
            longest = fmax(longest, voice->tones[i].attack + voice->tones[i].decay);
    for (size_t i = 0; i < LC_NOISES; i++) {
        const lc_noise *noise = &voice->noises[i];
        if (noise->level > 0)
            longest = fmax(longest, noise->bursts * noise->spacing + noise->attack +
                                        fmax(noise->decay, noise->tail > 0 ? noise->tail_decay : 0));
    }
    if (voice->metal.level > 0)
        longest = fmax(longest, voice->metal.attack + voice->metal.decay);
    return (size_t)(longest * rate) + 1;
}

void lc_voice_render(const lc_voice *voice, double velocity, double rate, uint32_t noise, float *samples, size_t n)
{
    memset(samples, 0, n * sizeof *samples);
    for (size_t i = 0; i < LC_TONES; i++)
        if (voice->tones[i].level > 0)
            tone_add(&voice->tones[i], rate, samples, n);
    for (size_t i = 0; i < LC_NOISES; i++)
        if (voice->noises[i].level > 0)
            noise_add(&voice->noises[i], rate, noise + 77777u * (uint32_t)i, samples, n);
    if (voice->metal.level > 0)
        metal_add(&voice->metal, rate, noise, samples, n);
    float gain = (float)(voice->gain * velocity), drive = (float)voice->drive;
    for (size_t i = 0; i < n; i++) {
        float x = gain * samples[i];
        samples[i] = x * (1 + drive) / (1 + drive * fabsf(x));
    }
}

/* Measured at one rate whatever the rendering's, so that a kit does not depend on it. */
void lc_voice_normalise(lc_voice *voice)
{
    enum { LENGTH = 1600 };
    const double rate = 32000;
    float samples[LENGTH], peak = 1e-6f;
    double drive = voice->drive;
    voice->gain = 1;
    voice->drive = 0;
    lc_voice_render(voice, 1, rate, 1, samples, LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    voice->gain = 1 / (double)peak;
    voice->drive = drive;
}

/* About 1, with standard deviation `spread`, never beyond three of them. */
static double near_one(lc_rng *rng, double spread)
{
    double x = lc_rng_normal(rng);
    return 1 + spread * fmin(3, fmax(-3, x));
}

/* Force is the square root of velocity: of a stroke 20 dB softer the noise still reaches 0.62 times as high. */
static void vary_tone(lc_tone *tone, double force, lc_rng *rng)
{
    tone->level *= near_one(rng, 0.06);
    tone->frequency *= near_one(rng, 0.004);
    tone->drop *= (0.4 + 0.6 * force) * near_one(rng, 0.08);
    tone->decay *= (0.8 + 0.2 * force) * near_one(rng, 0.05);
    tone->fm_index *= force;
}

/* A softer stroke has less noise, and duller; all else varies by some per cent from stroke to stroke. */
static void vary_noise(lc_noise *noise, double force, lc_rng *rng)
{
    noise->level *= (0.6 + 0.4 * force) * near_one(rng, 0.08);
    noise->high *= (0.45 + 0.55 * force) * near_one(rng, 0.04);
    noise->high = fmax(noise->high, 1.2 * noise->low);
    noise->low *= near_one(rng, 0.03);
    noise->decay *= (0.8 + 0.2 * force) * near_one(rng, 0.06);
    noise->tail_decay *= near_one(rng, 0.06);
    noise->spacing *= near_one(rng, 0.06);
}

lc_voice lc_voice_stroke(const lc_voice *voice, double velocity, lc_rng *rng)
{
    lc_voice stroke = *voice;
    double force = sqrt(velocity);
    for (size_t i = 0; i < LC_TONES; i++)
        vary_tone(&stroke.tones[i], force, rng);
    for (size_t i = 0; i < LC_NOISES; i++)
        vary_noise(&stroke.noises[i], force, rng);
    lc_metal *metal = &stroke.metal;
    metal->level *= near_one(rng, 0.06);
    metal->decay *= (0.8 + 0.2 * force) * near_one(rng, 0.06);
    metal->high *= (0.6 + 0.4 * force) * near_one(rng, 0.04);
    metal->high = fmax(metal->high, 1.2 * metal->low);
    double pitch = near_one(rng, 0.002);
    for (size_t p = 0; p < metal->partials; p++)
        metal->frequency[p] *= pitch;
    return stroke;
}

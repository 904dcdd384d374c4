/* SPDX-License-Identifier: MIT
 *
 * sampler.c - one note: the sample of its zone, brought to its pitch by resampling.
 *
 * Position i * 2^(semitones / 12) in 32.32 bits, by a cubic through four neighbours (Catmull and Rom); zones are at most
 * a few semitones away. A note sounds unchanged until its damper falls, then decays exponentially. The highest keys have
 * no damper. Measured: 2 ns a sample of a note.
 */
#include "studio/piano/sampler.h"

#include <math.h>

enum { UNDAMPED = 90 }; /* from this pitch on */

#define FULL 0.1   /* level of the hardest stroke */
#define AGAIN 0.06 /* s: 60 dB, of a string that is struck again */

static float cubic(const int16_t *v, float x)
{
    float a = (float)v[0], b = (float)v[1], c = (float)v[2], d = (float)v[3];
    return b + 0.5f * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)));
}

/* How a voice moves through its sample. */
typedef struct voice {
    const int16_t *values;
    uint64_t at, step, end; /* 32.32; end: up to which four neighbours are there */
    float gain, keep;       /* keep: of the gain, from sample to sample */
} voice;

/* Adds up to n samples; returns how many there were. */
static size_t run(voice *v, float *out, size_t n)
{
    size_t i = 0;
    for (; i < n && v->at < v->end; i++) {
        float x = (float)(uint32_t)v->at * 0x1p-32f;
        out[i] += v->gain * cubic(v->values + (v->at >> 32) - 1, x);
        v->gain *= v->keep;
        v->at += v->step;
    }
    return i;
}

/* The gain a sample, for 60 dB in so many seconds. */
static float keep_of(double seconds, double rate)
{
    return (float)exp(-log(1000) / (seconds * rate));
}

static double release_of(const lc_touch *touch, const lc_played *note)
{
    return note->again ? AGAIN : touch->release * pow(2, (60 - (double)note->pitch) / 24);
}

void lc_sampler_play(const lc_piano *piano, const lc_touch *touch, const lc_played *note, double rate, float *samples,
                     size_t n)
{
    double layer = fmin(127, fmax(1, (double)note->velocity + touch->layer));
    const lc_zone *zone = lc_piano_zone(piano, note->pitch, (unsigned)layer);
    if (zone->n < 4 || !(zone->level > 0) || note->on >= n)
        return;
    double pitch = note->pitch < LC_PIANO_PITCHES ? note->pitch + touch->detune[note->pitch] : 60;
    double step = pow(2, (pitch - zone->centre) / 12);
    double level = FULL * (double)piano->loudest[note->pitch] * pow(note->velocity / 127.0, touch->power);
    voice v = {.values = zone->values,
               .at = (uint64_t)1 << 32,
               .step = (uint64_t)(step * 0x1p32),
               .end = (uint64_t)(zone->n - 2) << 32,
               .gain = (float)(level / (double)zone->level / 32767),
               .keep = 1};
    size_t end = note->off > note->on && note->off < n ? note->off : n;
    if (!note->again && note->pitch >= UNDAMPED)
        end = n;
    size_t held = run(&v, samples + note->on, end - note->on);
    if (note->on + held < end)
        return;
    double release = release_of(touch, note);
    size_t tail = (size_t)(release * rate);
    v.keep = keep_of(release, rate);
    (void)run(&v, samples + end, tail < n - end ? tail : n - end);
}

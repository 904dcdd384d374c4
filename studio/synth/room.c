/* SPDX-License-Identifier: MIT
 *
 * room.c - room, ringing kit, second microphone, compressor, hum.
 *
 * Room: 3 to 6 early reflections of a delay line, then four feedback combs with a low-pass in the loop, in parallel,
 * and two all-passes in series. The feedback of a comb of delay d seconds is 10^(-3 d / T), so that it
 * loses 60 dB in T seconds.
 */
#include "studio/synth/room.h"

#include "base/mem.h"
#include "base/status.h"
#include "signal/filter.h"

enum { COMBS = 4, ALLPASSES = 2, MOST_TAPS = 6, STRIDE = 16, RINGS = 4 };

#define LONGEST_DELAY 0.06

/* A circle of samples: what was put in `length` steps ago comes out. */
typedef struct circle {
    float *samples;
    size_t length, at;
} circle;

typedef struct comb {
    circle line;
    float feedback, damping, low;
} comb;

typedef struct room {
    circle early;
    size_t taps, tap[MOST_TAPS];
    float tap_gain[MOST_TAPS];
    comb combs[COMBS];
    circle allpass[ALLPASSES];
    float wet;
} room;

static circle circle_of(lc_arena *arena, double seconds, double rate)
{
    size_t length = (size_t)(seconds * rate) + 1;
    return (circle){.samples = lc_arena_take(arena, length, sizeof(float)), .length = length};
}

static void step(circle *line)
{
    line->at = line->at + 1 < line->length ? line->at + 1 : 0;
}

/* What kind of room: delays grow with its size; 60 dB are lost in shortest to shortest * more seconds. */
typedef struct extent {
    double smallest, largest;
    double shortest, more;
    double softest, loudest; /* dB of what the room adds */
} extent;

static const extent small_room = {0.4, 1, 0.1, 10, -30, -10}, large_hall = {1, 2.2, 0.8, 4, -28, -9};

/* Drawn twice from the same random state: the first time only to measure. */
static void draw_room(room *r, const extent *of, lc_arena *arena, double rate, lc_rng rng)
{
    double size = lc_draw_even(&rng, of->smallest, of->largest),
           decay = of->shortest * pow(of->more, lc_rng_uniform(&rng));
    double damping = lc_draw_even(&rng, 0.1, 0.7);
    r->early = circle_of(arena, LONGEST_DELAY * fmax(1, size), rate);
    r->taps = 3 + lc_draw_index(&rng, MOST_TAPS - 2);
    for (size_t i = 0; i < r->taps; i++) {
        double delay = size * lc_draw_even(&rng, 0.002, 0.05);
        r->tap[i] = (size_t)(delay * rate) + 1;
        r->tap_gain[i] = (float)(lc_draw_even(&rng, 0.2, 0.7) * (lc_draw_chance(&rng, 0.5) ? 1 : -1));
    }
    for (size_t i = 0; i < COMBS; i++) {
        double delay = size * (0.029 + 0.005 * (double)i + lc_draw_even(&rng, 0, 0.004));
        r->combs[i] = (comb){.line = circle_of(arena, delay, rate),
                             .feedback = (float)pow(10, -3 * delay / decay),
                             .damping = (float)damping};
    }
    for (size_t i = 0; i < ALLPASSES; i++)
        r->allpass[i] = circle_of(arena, 0.0017 + 0.0033 * (double)i, rate);
    r->wet = (float)lc_gain_of(lc_draw_even(&rng, of->softest, of->loudest));
}

/* Sum of the reflections of what came in `tap` samples ago. */
static float early(room *r, float x)
{
    circle *line = &r->early;
    float sum = 0;
    line->samples[line->at] = x;
    for (size_t i = 0; i < r->taps; i++) {
        size_t back = line->at + line->length - r->tap[i];
        sum += r->tap_gain[i] * line->samples[back < line->length ? back : back - line->length];
    }
    step(line);
    return sum;
}

/* The low-pass in the loop lets high frequencies die first, as air and walls do. */
static float comb_run(comb *c, float x)
{
    float out = c->line.samples[c->line.at];
    c->low = out + c->damping * (c->low - out);
    c->line.samples[c->line.at] = x + c->feedback * c->low;
    step(&c->line);
    return out;
}

/* Spreads each echo into many without colouring them. */
static float allpass_run(circle *line, float x)
{
    float back = line->samples[line->at], in = x + 0.5f * back;
    line->samples[line->at] = in;
    step(line);
    return back - 0.5f * in;
}

/* Reflections feed the combs along with the dry sound; the all-passes follow the sum of the combs. */
static void run_room(room *r, float *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float x = samples[i] + 1e-20f; /* keeps the loops out of the denormal numbers */
        float reflected = early(r, x), late = 0;
        for (size_t c = 0; c < COMBS; c++)
            late += comb_run(&r->combs[c], x + reflected);
        for (size_t a = 0; a < ALLPASSES; a++)
            late = allpass_run(&r->allpass[a], late);
        samples[i] += r->wet * (reflected + late);
    }
}

/* The memory of a room depends on its random delays, hence the two draws from one state. */
static loco_status apply(const extent *of, float *samples, size_t n, double rate, lc_rng *rng, loco_err *err)
{
    lc_rng own = lc_rng_seed(lc_rng_next(rng));
    room r = {0};
    lc_arena arena = {0};
    lc_block block = {0};
    draw_room(&r, of, &arena, rate, own);
    if (!lc_block_zeros(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the delays of a room");
    arena = lc_arena_over(&block);
    draw_room(&r, of, &arena, rate, own);
    run_room(&r, samples, n);
    lc_block_free(&block);
    return LOCO_OK;
}

loco_status lc_room_apply(float *samples, size_t n, double rate, lc_rng *rng, loco_err *err)
{
    return apply(&small_room, samples, n, rate, rng, err);
}

loco_status lc_room_hall(float *samples, size_t n, double rate, lc_rng *rng, loco_err *err)
{
    return apply(&large_hall, samples, n, rate, rng, err);
}

/* Narrow resonances in parallel. The band output of a filter of resonance Q decays by 60 dB in 2.2 Q / f seconds; its
 * peak gain at f is Q, which the level takes out. */
void lc_room_ring(float *samples, size_t n, double rate, lc_rng *rng)
{
    lc_two_pole modes[RINGS];
    float level[RINGS];
    size_t rings = 2 + lc_draw_index(rng, RINGS - 1);
    for (size_t k = 0; k < rings; k++) {
        double frequency = 70 * pow(10, lc_rng_uniform(rng)), q = frequency * lc_draw_even(rng, 0.1, 0.4);
        modes[k] = lc_two_pole_at(frequency, q, rate);
        level[k] = (float)(lc_gain_of(lc_draw_even(rng, -24, -2)) / sqrt(q));
    }
    for (size_t i = 0; i < n; i++) {
        float x = samples[i] + 1e-20f, sum = 0;
        for (size_t k = 0; k < rings; k++)
            sum += level[k] * lc_two_pole_band(&modes[k], x);
        samples[i] += sum;
    }
}

loco_status lc_room_bleed(float *samples, size_t n, double rate, lc_rng *rng, loco_err *err)
{
    lc_arena arena = {0};
    lc_block block = {0};
    double delay = lc_draw_even(rng, 0.002, 0.02);
    lc_two_pole filter = lc_two_pole_at(lc_draw_even(rng, 300, 2500), 0.7, rate);
    float level = (float)lc_gain_of(lc_draw_even(rng, -26, -10));
    circle line = circle_of(&arena, delay, rate);
    if (!lc_block_zeros(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the delay of a second microphone");
    arena = lc_arena_over(&block);
    line = circle_of(&arena, delay, rate);
    for (size_t i = 0; i < n; i++) {
        float unused, dull = lc_two_pole_run(&filter, samples[i], &unused);
        float late = line.samples[line.at];
        line.samples[line.at] = dull;
        step(&line);
        samples[i] += level * late;
    }
    lc_block_free(&block);
    return LOCO_OK;
}

/* Gain for an envelope: 1 up to the threshold, then (threshold / envelope)^(1 - 1/ratio). Its power is taken once in
 * STRIDE samples and reached in a straight line. */
void lc_room_compress(float *samples, size_t n, double rate, double peak, lc_rng *rng)
{
    double threshold = peak * lc_gain_of(lc_draw_even(rng, -24, -6)), strength = 1 - 1 / lc_draw_even(rng, 1.3, 4);
    float rise = (float)(1 - exp(-1 / (lc_draw_even(rng, 0.001, 0.02) * rate)));
    float fall = (float)(1 - exp(-1 / (lc_draw_even(rng, 0.04, 0.25) * rate)));
    float drive = (float)(lc_draw_chance(rng, 0.5) ? lc_draw_even(rng, 0, 1.2) : 0) / (float)peak;
    float envelope = 0, gain = 1, slope = 0;
    for (size_t i = 0; i < n; i++) {
        float size = fabsf(samples[i]);
        envelope += (size > envelope ? rise : fall) * (size - envelope);
        if (i % STRIDE == 0) {
            double over = (double)envelope / threshold;
            slope = ((float)(over > 1 ? pow(over, -strength) : 1) - gain) / STRIDE;
        }
        gain += slope;
        float x = gain * samples[i];
        samples[i] = x / (1 + drive * fabsf(x));
    }
}

void lc_room_hum(float *samples, size_t n, double rate, double amplitude, lc_rng *rng)
{
    double mains = lc_draw_chance(rng, 0.5) ? 50 : 60;
    for (size_t h = 1; h <= 5; h++) {
        float level = (float)(amplitude * lc_draw_even(rng, 0.2, 1) / (double)h);
        uint32_t phase = (uint32_t)(lc_rng_next(rng) >> 32), by = lc_phase_step(mains * (double)h, rate);
        for (size_t i = 0; i < n; i++)
            samples[i] += level * lc_sine(phase += by);
    }
}

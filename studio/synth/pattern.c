/* SPDX-License-Identifier: MIT
 *
 * pattern.c - draws the hits of a recording, section by section.
 *
 * A style is a bar of steps; for kick and snare a digit a step, the probability of a hit in ninths. A section draws its
 * bar from the pattern_style once, and each bar repeats it with changes. Every hit is then moved off the grid: by a constant
 * of its voice (drummers push or drag), by a normal error of 5 to 10 ms, and the moved time is the true one.
 *
 * At the end: sort, leave out what falls too close to its own class (nobody could count it), and let each stroke on
 * the hi-hat end the ringing of the one before.
 */
#include "studio/synth/pattern.h"

#include "base/status.h"
#include "signal/filter.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 24 };

typedef struct pattern_style {
    size_t steps, beat; /* steps of a bar, and of a beat */
    const char *kick, *snare;
} pattern_style;

static const pattern_style styles[] = {
    {16, 4, "9010002080300020",         "0000900000009001"        }, /* rock */
    {16, 4, "9003001092100030",         "0000900200029000"        }, /* funk */
    {16, 4, "9000900090009000",         "0000700000007000"        }, /* four on the floor */
    {16, 4, "9020001200503010",         "0000000090000001"        }, /* half time */
    {16, 4, "5222322252223222",         "2122512221225122"        }, /* anything goes */
    {16, 4, "9000005000900050",         "0009000090009090"        }, /* three against four */
    {12, 3, "900001800002",             "000900000900"            }, /* shuffle in triplets */
    {12, 4, "910010200010",             "000060003000"            }, /* waltz */
    {12, 6, "910001300200",             "000000900001"            }, /* six eight */
    {24, 6, "900000002000800000200000", "000000900000000000900010"}, /* triplets at half the pace */
};

typedef struct pattern_player {
    lc_pattern *pattern;
    lc_rng *rng;
    bool distractors;
    double seconds;
    double until;           /* s, the end of the section */
    double beat;            /* s */
    double error;           /* s, standard deviation of a hit's time */
    double push[LC_VOICES]; /* s */
} pattern_player;

typedef struct bar {
    const pattern_style *style;
    double kick[MOST_STEPS], snare[MOST_STEPS], cymbal[MOST_STEPS]; /* velocities, 0 for none */
    lc_voice_kind ride;                                             /* what plays the cymbal line */
    double swing, opening, ghosts;
    size_t every; /* steps between the strokes of the cymbal line */
    bool pedal;   /* the foot plays the off-beats */
} bar;

/* ---- hits ------------------------------------------------------------------------------------------------ */

void lc_pattern_push(lc_pattern *pattern, lc_hit hit)
{
    if (pattern->failed)
        return;
    if (pattern->length == pattern->capacity) {
        size_t capacity = 2 * pattern->capacity + 64;
        lc_hit *hits = realloc(pattern->hits, capacity * sizeof *hits);
        if (hits == NULL) {
            pattern->failed = true;
            return;
        }
        pattern->hits = hits;
        pattern->capacity = capacity;
    }
    pattern->hits[pattern->length++] = hit;
}

/* A hit as a person plays it. */
static void play(pattern_player *p, lc_voice_kind voice, double time, double velocity)
{
    double error = p->error * fmin(2.5, fmax(-2.5, lc_rng_normal(p->rng)));
    double force = velocity * exp(0.12 * lc_rng_normal(p->rng));
    time += p->push[voice] + error;
    if (time >= 0 && time <= p->seconds - LC_HIT_MARGIN && time < p->until && force > 0 &&
        (p->distractors || lc_voice_class(voice) < 3))
        lc_pattern_push(p->pattern, (lc_hit){.time = time, .velocity = fmin(1, force), .voice = voice});
}

static lc_voice_kind any_hat(lc_rng *rng)
{
    double x = lc_rng_uniform(rng);
    return x < 0.7 ? LC_VOICE_HAT_CLOSED : x < 0.87 ? LC_VOICE_HAT_OPEN : LC_VOICE_HAT_PEDAL;
}

/* Kick, snare and hi-hat with equal probability, now and then something else. */
static lc_voice_kind any_voice(pattern_player *p, double others)
{
    if (p->distractors && lc_draw_chance(p->rng, others))
        return LC_VOICE_TOM_HIGH + (lc_voice_kind)lc_draw_index(p->rng, LC_VOICES - LC_VOICE_TOM_HIGH);
    size_t kind = lc_draw_index(p->rng, 3);
    return kind == 0 ? LC_VOICE_KICK : kind == 1 ? LC_VOICE_SNARE : any_hat(p->rng);
}

/* 0 to -18 dB, more often loud: the product of two even numbers crowds near 0. */
static double any_velocity(lc_rng *rng)
{
    return lc_gain_of(-18 * lc_rng_uniform(rng) * lc_rng_uniform(rng));
}

/* ---- grooves --------------------------------------------------------------------------------------------- */

static double stroke(lc_rng *rng, char ninths)
{
    return 9 * lc_rng_uniform(rng) < ninths - '0' ? lc_draw_even(rng, 0.6, 1) : 0;
}

/* A stroke of the cymbal line: loudest on the beat. */
static double cymbal_stroke(const bar *b, size_t step, lc_rng *rng)
{
    if (b->every == 0 || step % b->every != 0 || lc_draw_chance(rng, 0.04))
        return 0;
    double accent = step % b->style->beat == 0 ? 1 : step % 2 == 0 ? 0.75 : 0.55;
    return accent * lc_draw_even(rng, 0.7, 1);
}

/* Ghost notes, 10 to 23 dB below an accent, only where no full stroke is. */
static void draw_step(bar *b, size_t step, lc_rng *rng)
{
    b->kick[step] = stroke(rng, b->style->kick[step]);
    b->snare[step] = stroke(rng, b->style->snare[step]);
    if (b->snare[step] <= 0 && lc_draw_chance(rng, b->ghosts))
        b->snare[step] = lc_draw_even(rng, 0.07, 0.3);
    b->cymbal[step] = cymbal_stroke(b, step, rng);
}

/* The cymbal line: the hi-hat, or with distractors sometimes a ride, a tambourine or a crash; slower where hands
 * could not follow. */
static void draw_cymbals(bar *b, const pattern_player *p)
{
    static const lc_voice_kind others[] = {LC_VOICE_RIDE, LC_VOICE_RIDE, LC_VOICE_TAMBOURINE, LC_VOICE_CRASH};
    static const size_t paces[] = {1, 1, 2, 2, 2, 4};
    lc_rng *rng = p->rng;
    b->ride = p->distractors && lc_draw_chance(rng, 0.22) ? others[lc_draw_index(rng, 4)] : LC_VOICE_HAT_CLOSED;
    b->every = lc_draw_chance(rng, 0.08) ? 0 : paces[lc_draw_index(rng, sizeof paces / sizeof *paces)];
    double step = p->beat / (double)b->style->beat;
    while (b->every > 0 && step * (double)b->every < 0.085) /* faster than hands */
        b->every *= 2;
    b->opening = lc_draw_chance(rng, 0.5) ? lc_draw_even(rng, 0, 0.25) : 0;
    b->pedal = lc_draw_chance(rng, b->ride == LC_VOICE_HAT_CLOSED ? 0.08 : 0.5);
}

/* A bar of a random style; the section then repeats it with changes. */
static bar draw_bar(const pattern_player *p)
{
    lc_rng *rng = p->rng;
    bar b = {.style = &styles[lc_draw_index(rng, sizeof styles / sizeof *styles)]};
    b.swing = b.style->steps == 16 && lc_draw_chance(rng, 0.3) ? lc_draw_even(rng, 0, 0.33) : 0;
    b.ghosts = lc_draw_chance(rng, 0.45) ? lc_draw_even(rng, 0.03, 0.25) : 0;
    draw_cymbals(&b, p);
    for (size_t step = 0; step < b.style->steps; step++)
        draw_step(&b, step, rng);
    return b;
}

/* Seconds from the start of the bar; swing delays every second step by up to a third of a step. */
static double step_time(const bar *b, const pattern_player *p, size_t step)
{
    double late = step % 2 == 1 ? b->swing : 0;
    return ((double)step + late) * p->beat / (double)b->style->beat;
}

/* One stroke of the cymbal line, now and then open; the foot fills in on the second and fourth beat. */
static void play_cymbal(pattern_player *p, const bar *b, size_t step, double time)
{
    lc_voice_kind voice = b->ride;
    if (voice == LC_VOICE_HAT_CLOSED && lc_draw_chance(p->rng, b->opening))
        voice = LC_VOICE_HAT_OPEN;
    if (b->cymbal[step] > 0)
        play(p, voice, time, b->cymbal[step]);
    else if (b->pedal && step % (2 * b->style->beat) == b->style->beat)
        play(p, LC_VOICE_HAT_PEDAL, time, lc_draw_even(p->rng, 0.5, 0.9));
}

/* The first `to` steps of a bar that begins at time. */
static void play_steps(pattern_player *p, const bar *b, double time, size_t to)
{
    for (size_t step = 0; step < to; step++) {
        double at = time + step_time(b, p, step);
        if (b->kick[step] > 0)
            play(p, LC_VOICE_KICK, at, b->kick[step]);
        if (b->snare[step] > 0)
            play(p, LC_VOICE_SNARE, at, b->snare[step]);
        play_cymbal(p, b, step, at);
    }
}

/* The rest of a bar on snare and toms, getting louder; then a crash with the kick. */
static void play_fill(pattern_player *p, const bar *b, double time, size_t from)
{
    static const lc_voice_kind drums[] = {LC_VOICE_SNARE, LC_VOICE_SNARE, LC_VOICE_TOM_HIGH, LC_VOICE_TOM_LOW,
                                          LC_VOICE_KICK};
    lc_voice_kind drum = LC_VOICE_SNARE;
    for (size_t step = from; step < b->style->steps; step++) {
        if (lc_draw_chance(p->rng, 0.4))
            drum = drums[lc_draw_index(p->rng, sizeof drums / sizeof *drums)];
        double louder = 0.5 + 0.5 * (double)(step - from) / (double)(b->style->steps - from);
        if (lc_draw_chance(p->rng, 0.85))
            play(p, drum, time + step_time(b, p, step), louder * lc_draw_even(p->rng, 0.6, 1));
    }
    if (lc_draw_chance(p->rng, 0.6))
        play(p, LC_VOICE_CRASH, time + step_time(b, p, b->style->steps), lc_draw_even(p->rng, 0.6, 1));
}

/* Bars until `to`. After each bar an eighth of its steps is drawn again, so that the groove wanders. */
static void play_groove(pattern_player *p, double from, double to)
{
    bar b = draw_bar(p);
    double length = step_time(&b, p, b.style->steps);
    double doubling = p->distractors && lc_draw_chance(p->rng, 0.12) ? 1 : 0; /* a clap or rim with every snare */
    lc_voice_kind doubled = lc_draw_chance(p->rng, 0.5) ? LC_VOICE_CLAP : LC_VOICE_RIM;
    double time = from;
    while (time < to) {
        bool fill = lc_draw_chance(p->rng, 0.2);
        size_t steps = fill ? b.style->steps - b.style->beat * (1 + lc_draw_index(p->rng, 2)) : b.style->steps;
        play_steps(p, &b, time, steps);
        if (fill)
            play_fill(p, &b, time, steps);
        for (size_t step = 0; step < steps; step++) {
            if (doubling > 0 && b.snare[step] > 0.4)
                play(p, doubled, time + step_time(&b, p, step), b.snare[step]);
            if (lc_draw_chance(p->rng, 0.12))
                draw_step(&b, step, p->rng);
        }
        time += length;
    }
}

/* ---- without metre ----------------------------------------------------------------------------------------- */

/* rate hits a second, the next never sooner than 60 ms. */
static void play_random(pattern_player *p, double from, double to, double rate, double others)
{
    double time = from;
    while (time < to) {
        lc_voice_kind voice = any_voice(p, others);
        play(p, voice, time, any_velocity(p->rng));
        if (lc_draw_chance(p->rng, 0.3)) { /* two at once, or nearly */
            lc_voice_kind second = any_voice(p, others);
            play(p, second, time + lc_draw_even(p->rng, -0.02, 0.02), any_velocity(p->rng));
        }
        time += 0.06 - log(1 - lc_rng_uniform(p->rng)) / rate;
    }
}

/* One voice alone, at an even pace or not. */
static void play_single(pattern_player *p, double from, double to)
{
    lc_voice_kind voice = any_voice(p, 0.25);
    double pace = lc_draw_even(p->rng, 0.09, 0.6), unrest = lc_draw_chance(p->rng, 0.5) ? 0.8 : 0;
    double time = from;
    while (time < to) {
        play(p, voice, time, any_velocity(p->rng));
        time += fmax(0.06, pace * (1 + unrest * lc_draw_even(p->rng, -1, 1)));
    }
}

/* A roll on a snare, a hi-hat, a kick pair or a tom, swelling or fading. */
static void play_roll(pattern_player *p, double from, double to)
{
    static const lc_voice_kind drums[] = {LC_VOICE_SNARE, LC_VOICE_SNARE, LC_VOICE_HAT_CLOSED, LC_VOICE_KICK,
                                          LC_VOICE_TOM_LOW};
    lc_voice_kind voice = drums[lc_draw_index(p->rng, sizeof drums / sizeof *drums)];
    double pace = lc_draw_even(p->rng, 0.055, 0.12), first = lc_draw_even(p->rng, 0.2, 1);
    double last = lc_draw_even(p->rng, 0.2, 1), error = p->error;
    to = fmin(to, from + lc_draw_even(p->rng, 0.4, 1.5));
    p->error = fmin(error, 0.1 * pace);
    double strokes = ceil((to - from) / pace);
    for (size_t i = 0; (double)i < strokes; i++)
        play(p, voice, from + pace * (double)i, first + (last - first) * (double)i / strokes);
    p->error = error;
}

/* ---- sections ---------------------------------------------------------------------------------------------- */

/* About half the time is metre; see the top of pattern.h for why not more. */
static void play_section(pattern_player *p, double from, double to)
{
    double x = lc_rng_uniform(p->rng);
    p->until = to;
    if (x < 0.52) {
        play_groove(p, from, to);
        if (lc_draw_chance(p->rng, 0.4))
            play_random(p, from + 0.3, to, lc_draw_even(p->rng, 0.2, 1), 0.4);
    } else if (x < 0.77) {
        play_random(p, from, to, lc_draw_even(p->rng, 1, 9), lc_draw_even(p->rng, 0, 0.4));
    } else if (x < 0.89) {
        play_single(p, from, to);
    } else if (x < 0.96) {
        play_roll(p, from, to);
    } /* else silence */
}

/* Tempo, looseness, and for each voice how far it leads or lags. */
static void draw_player(pattern_player *p)
{
    p->beat = 60 / lc_draw_even(p->rng, 70, 180);
    p->error = lc_draw_even(p->rng, 0.005, 0.01);
    for (size_t v = 0; v < LC_VOICES; v++)
        p->push[v] = 0.003 * lc_rng_normal(p->rng);
}

static int by_time(const void *a, const void *b)
{
    const lc_hit *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time > y->time ? 1 : -1;
    return (x->voice > y->voice) - (x->voice < y->voice);
}

/* The class, or for a voice that no class counts one of its own. */
static size_t group_of(lc_voice_kind voice)
{
    size_t class = lc_voice_class(voice);
    return class < 3 ? class : (size_t)voice;
}

/* Of two hits that are too close the earlier stays, whichever is louder: the two would sound as one. */
static void leave_out_close(lc_pattern *pattern)
{
    double last[LC_VOICES];
    size_t kept = 0;
    for (size_t v = 0; v < LC_VOICES; v++)
        last[v] = -1;
    for (size_t i = 0; i < pattern->length; i++) {
        lc_hit hit = pattern->hits[i];
        size_t group = group_of(hit.voice);
        if (hit.time - last[group] < LC_HIT_DISTANCE)
            continue;
        last[group] = hit.time;
        pattern->hits[kept++] = hit;
    }
    pattern->length = kept;
}

/* From the last hit back: `next` is when the hi-hat is struck again. */
static void choke(lc_pattern *pattern, double seconds)
{
    double next = seconds + 60;
    for (size_t i = pattern->length; i-- > 0;) {
        lc_hit *hit = &pattern->hits[i];
        hit->stop = seconds + 60;
        if (lc_voice_class(hit->voice) == 2) {
            hit->stop = next;
            next = hit->time;
        }
    }
}

void lc_pattern_free(lc_pattern *pattern)
{
    free(pattern->hits);
    *pattern = (lc_pattern){0};
}

loco_status lc_pattern_draw(lc_pattern *pattern, lc_rng *rng, double seconds, bool distractors, loco_err *err)
{
    lc_pattern drawn = {0};
    pattern_player p = {.pattern = &drawn, .rng = rng, .distractors = distractors, .seconds = seconds};
    draw_player(&p);
    for (double time = lc_draw_even(rng, 0, 0.4); time < seconds;) {
        double to = time + lc_draw_even(rng, 1, 6);
        if (lc_draw_chance(rng, 0.3))
            draw_player(&p);
        play_section(&p, time, fmin(to, seconds));
        time = to + (lc_draw_chance(rng, 0.1) ? lc_draw_even(rng, 0.3, 1.5) : 0);
    }
    if (drawn.failed) {
        free(drawn.hits);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while drawing a drum pattern");
    }
    if (drawn.length > 0)
        qsort(drawn.hits, drawn.length, sizeof *drawn.hits, by_time);
    leave_out_close(&drawn);
    choke(&drawn, seconds);
    *pattern = drawn;
    return LOCO_OK;
}

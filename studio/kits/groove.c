/* SPDX-License-Identifier: MIT
 *
 * groove.c - grooves in many styles, from tables.
 *
 * A style is a bar of steps and some lines. A line is a part, and for each step a digit: the probability of a stroke in
 * ninths; its strength is how hard strokes are on a beat. A section draws its bar once and repeats it with changes; a
 * recording is one section, or a few, at one tempo. Some strokes are played by a machine: exactly on the grid.
 */
#include "signal/filter.h"
#include "studio/kits/part.h"
#include "studio/kits/pattern.h"

enum { LINES = 5, STEPS = 16 };

typedef struct line {
    lc_voice_kind part;
    const char *steps; /* NULL: no line */
    double strength;
} line;

typedef struct groove_style {
    size_t steps, beat;      /* steps of a bar, and of a beat */
    double slowest, fastest; /* beats a minute */
    double ghosts;           /* probability of soft strokes on the snare, at most */
    line lines[LINES];
} groove_style;

#define K LC_VOICE_KICK
#define S LC_VOICE_SNARE
#define R LC_VOICE_RIM
#define H LC_VOICE_HAT_CLOSED
#define O LC_VOICE_HAT_OPEN
#define P LC_VOICE_HAT_PEDAL
#define T LC_VOICE_RIDE
#define C LC_VOICE_CRASH
#define B LC_VOICE_TAMBOURINE
#define A LC_VOICE_SHAKER
#define W LC_VOICE_COWBELL
#define G LC_VOICE_CONGA
#define L LC_VOICE_TOM_LOW

static const groove_style styles[] = {
  /* rock, with hi-hats in eighths, sixteenths, quarters */
    {16, 4, 80,  150, 0.15, {{K, "9010002080300020", 1}, {S, "0000900000009001", 1}, {H, "9090909090909090", 0.8}}    },
    {16, 4, 70,  115, 0.2,  {{K, "9010002080300020", 1}, {S, "0000900000009001", 1}, {H, "9999999999999999", 0.7}}    },
    {16, 4, 100, 170, 0.05, {{K, "9000002090300020", 1}, {S, "0000900000009000", 1}, {O, "9000900090009000", 0.9}}    },
 /* punk: as fast as hands go, on a hi-hat half open, a crash or a ride */
    {8,  2, 150, 215, 0,    {{K, "90009050", 1}, {S, "00900090", 1}, {H, "99999999", 0.9}}                            },
    {8,  2, 150, 215, 0,    {{K, "90099009", 1}, {S, "00900090", 1}, {O, "90909090", 0.9}}                            },
    {8,  2, 150, 215, 0,    {{K, "90095900", 1}, {S, "09090909", 1}, {H, "99999999", 0.8}}                            },
    {8,  2, 140, 200, 0,    {{K, "90099009", 1}, {S, "00900090", 1}, {C, "90909090", 0.8}}                            },
 /* blast, and two kicks in sixteenths */
    {8,  2, 170, 230, 0,    {{K, "90909090", 0.9}, {S, "09090909", 0.9}, {H, "90909090", 0.8}}                        },
    {16, 4, 100, 150, 0,    {{K, "9999999999999999", 0.8}, {S, "0000900000009000", 1}, {T, "9000900090009000", 0.8}}  },
 /* jazz: the ride in triplets, the foot on two and four, snare and kick as comments */
    {12,
     3,     100,
     220,             0.12,
     {{T, "900907900907", 0.7}, {P, "000900000900", 0.6}, {S, "012001021002", 0.45}, {K, "300100200101", 0.4}}        },
    {12,
     3,     60,
     120,             0.25,
     {{T, "900907900907", 0.6}, {P, "000900000900", 0.6}, {S, "313313313313", 0.22}, {K, "600100500101", 0.5}}        },
 /* brushes: soft strokes all the time */
    {16, 4, 60,  130, 0,    {{K, "8000002050000020", 0.6}, {S, "5454854554548545", 0.3}, {P, "0000900000009000", 0.5}}},
    {16, 4, 90,  140, 0,    {{K, "9000000090000020", 0.8}, {S, "7777977777779777", 0.4}, {S, "0000900000009000", 0.9}}},
 /* bossa and other stick on the rim */
    {16, 4, 60,  85,  0,    {{K, "9000009090000090", 0.7}, {R, "9009009000900900", 0.7}, {H, "9090909090909090", 0.5}}},
    {16, 4, 60,  100, 0,    {{K, "9000002080000020", 0.8}, {R, "0000900000009000", 0.8}, {H, "9999999999999999", 0.5}}},
    {16, 4, 65,  90,  0,    {{K, "0000000090000000", 1}, {R, "0000000090000010", 0.9}, {H, "9091909090919090", 0.7}}  },
 /* disco, house */
    {16,
     4,     105,
     132,             0,
     {{K, "9000900090009000", 1},
      {S, "0000900000009000", 0.9},
      {O, "0090009000900090", 0.8},
      {H, "9506950695069506", 0.6}}                                                                                   },
    {16,
     4,     115,
     135,             0,
     {{K, "9000900090009000", 1},
      {LC_VOICE_CLAP, "0000900000009000", 0.9},
      {O, "0090009000900090", 0.8},
      {H, "3333333333333333", 0.5},
      {A, "9999999999999999", 0.5}}                                                                                   },
 /* half time, hip-hop, trap */
    {16, 4, 120, 160, 0.1,  {{K, "9020001200503010", 1}, {S, "0000000090000001", 1}, {H, "9090909090909090", 0.8}}    },
    {16, 4, 75,  100, 0.15, {{K, "9002003290200032", 1}, {S, "0000900100009001", 1}, {H, "9191919191919191", 0.7}}    },
    {16,
     4,     120,
     150,             0,
     {{K, "9002000300290020", 1},
      {S, "0000000090000000", 1},
      {H, "9191919191919199", 0.7},
      {O, "0000003000000030", 0.7}}                                                                                   },
 /* funk, with many ghost notes */
    {16,
     4,     85,
     118,             0.5,
     {{K, "9003001092100030", 1},
      {S, "0000900200029000", 1},
      {H, "9999999999999999", 0.65},
      {O, "0010000000000030", 0.7}}                                                                                   },
    {16, 4, 85,  118, 0.4,  {{K, "9030000302900300", 1}, {S, "0000900109009001", 1}, {H, "9090909090909090", 0.8}}    },
 /* soul: a tambourine or a shaker all along */
    {16, 4, 95,  140, 0,    {{K, "9000009090000090", 0.9}, {S, "9000900090009000", 0.9}, {B, "9090909090909090", 0.7}}},
    {16,
     4,     80,
     130,             0.05,
     {{K, "9010002080300020", 1},
      {S, "0000900000009001", 1},
      {B, "9595959595959595", 0.7},
      {H, "9090909090909090", 0.6}}                                                                                   },
    {16,
     4,     80,
     125,             0.05,
     {{K, "9000002080300020", 1},
      {S, "0000900000009001", 1},
      {A, "9999999999999999", 0.6},
      {H, "9000900090009000", 0.6}}                                                                                   },
    {16,
     4,     80,
     140,             0.05,
     {{K, "9010002080300020", 1},
      {S, "0000900000009001", 1},
      {B, "0000900000009000", 0.8},
      {T, "9090909090909090", 0.6}}                                                                                   },
 /* latin, toms, waltz, six eight, shuffle */
    {16,
     4,     85,
     115,             0.1,
     {{K, "0009000900090009", 0.8},
      {W, "9090900909009090", 0.7},
      {G, "0090005900900099", 0.7},
      {R, "0000900000009000", 0.6}}                                                                                   },
    {16, 4, 85,  150, 0.05, {{K, "9000900090009000", 0.9}, {L, "9929902990299909", 0.8}, {S, "0000900000009000", 0.9}}},
    {12,
     4,     80,
     180,             0.1,
     {{K, "900000000000", 0.9}, {S, "000050006000", 0.7}, {T, "900090009000", 0.6}, {P, "000090009000", 0.5}}         },
    {12, 6, 50,  75,  0.1,  {{K, "910001300200", 1}, {S, "000000900001", 1}, {H, "909090909090", 0.7}}                },
    {12, 3, 80,  150, 0.15, {{K, "900001800002", 1}, {S, "000900000900", 1}, {H, "909909909909", 0.7}}                },
    {12, 3, 80,  150, 0.15, {{K, "900001800002", 1}, {S, "000900000900", 1}, {T, "909909909909", 0.6}}                },
};

#undef K
#undef S
#undef R
#undef H
#undef O
#undef P
#undef T
#undef C
#undef B
#undef A
#undef W
#undef G
#undef L

typedef struct groove_player {
    lc_pattern *pattern;
    lc_rng *rng;
    const groove_style *style;
    double step;                      /* s */
    double error;                     /* s, standard deviation of a stroke's time */
    double push[LC_PARTS];            /* s, by which each part leads or lags */
    double swing;                     /* of a step, by which every second one is late */
    double ghosts;                    /* probability of a ghost note on a free step */
    double strokes[LINES + 1][STEPS]; /* velocities; the last line is ghost notes */
} groove_player;

/* A stroke as a person plays it: off the grid by the habit of the part and an error, and of varying force. */
static void play(groove_player *p, lc_voice_kind part, double time, double velocity)
{
    double error = p->error * fmin(2.5, fmax(-2.5, lc_rng_normal(p->rng)));
    double force = velocity * exp(0.08 * lc_rng_normal(p->rng));
    lc_pattern_push(p->pattern,
                    (lc_hit){.time = time + p->push[part] + error, .velocity = fmin(1, force), .voice = part});
}

/* Hardest on a beat, softest between the halves of one. */
static double accent(const groove_style *of, size_t step)
{
    return step % of->beat == 0 ? 1 : of->beat % 2 == 0 && step % (of->beat / 2) == 0 ? 0.85 : 0.7;
}

/* All lines of one step; ghost notes only where no snare is struck. */
static void draw_step(groove_player *p, size_t step)
{
    bool snare = false;
    for (size_t i = 0; i < LINES; i++) {
        const line *l = &p->style->lines[i];
        bool strikes = l->steps != NULL && 9 * lc_rng_uniform(p->rng) < l->steps[step] - '0';
        p->strokes[i][step] = strikes ? l->strength * accent(p->style, step) * lc_draw_even(p->rng, 0.8, 1) : 0;
        snare = snare || (strikes && lc_part_group_of(l->part) == LC_GROUP_SNARE);
    }
    bool ghost = !snare && lc_draw_chance(p->rng, p->ghosts);
    p->strokes[LINES][step] = ghost ? lc_draw_even(p->rng, 0.12, 0.4) : 0;
}

/* Seconds from the start of the bar; swing delays every second step. */
static double step_time(const groove_player *p, size_t step)
{
    return ((double)step + (step % 2 == 1 ? p->swing : 0)) * p->step;
}

static void play_steps(groove_player *p, double time, size_t from, size_t to)
{
    for (size_t step = from; step < to; step++)
        for (size_t i = 0; i <= LINES; i++) {
            lc_voice_kind part = i < LINES ? p->style->lines[i].part : LC_VOICE_SNARE;
            if (p->strokes[i][step] > 0)
                play(p, part, time + step_time(p, step), p->strokes[i][step]);
        }
}

/* Snare and toms, downwards, growing; then a crash with the kick on the next bar. */
static void play_fill(groove_player *p, double time, size_t from)
{
    static const lc_voice_kind drums[] = {LC_VOICE_SNARE, LC_VOICE_TOM_HIGH, LC_VOICE_TOM_MID, LC_VOICE_TOM_LOW};
    size_t drum = lc_draw_index(p->rng, 2), steps = p->style->steps;
    for (size_t step = from; step < steps; step++) {
        if (drum < 3 && lc_draw_chance(p->rng, 0.35))
            drum++;
        double growing = 0.55 + 0.4 * (double)(step - from) / (double)(steps - from);
        if (lc_draw_chance(p->rng, 0.85))
            play(p, drums[drum], time + step_time(p, step), growing);
        if (lc_draw_chance(p->rng, 0.2))
            play(p, LC_VOICE_KICK, time + step_time(p, step), growing);
    }
    if (lc_draw_chance(p->rng, 0.65))
        play(p, LC_VOICE_CRASH, time + step_time(p, steps), lc_draw_even(p->rng, 0.7, 1));
}

/* One bar, then a tenth of its steps are drawn again. */
static void play_bar(groove_player *p, double time)
{
    size_t steps = p->style->steps, beat = p->style->beat;
    bool fill = lc_draw_chance(p->rng, 0.12);
    size_t until = fill ? steps - beat * (1 + lc_draw_index(p->rng, 2)) : steps;
    play_steps(p, time, 0, until);
    if (fill)
        play_fill(p, time, until);
    for (size_t step = 0; step < steps; step++)
        if (lc_draw_chance(p->rng, 0.1))
            draw_step(p, step);
}

/* A style for this tempo: of ten drawn, the first that people play at it. */
static const groove_style *draw_style(lc_rng *rng, double beat)
{
    const groove_style *of = NULL;
    for (size_t i = 0; i < 10; i++) {
        of = &styles[lc_draw_index(rng, sizeof styles / sizeof *styles)];
        if (!(beat > 0) || (60 / beat > 0.9 * of->slowest && 60 / beat < 1.1 * of->fastest))
            break;
    }
    return of;
}

/* Draws the bar that the section repeats. */
static void begin_section(groove_player *p, const groove_style *of)
{
    p->style = of;
    p->swing = of->steps == 16 && lc_draw_chance(p->rng, 0.25) ? lc_draw_even(p->rng, 0, 0.33) : 0;
    p->ghosts = lc_draw_chance(p->rng, 0.7) ? of->ghosts * lc_rng_uniform(p->rng) : 0;
    for (size_t step = 0; step < of->steps; step++)
        draw_step(p, step);
}

/* Sections of 4 to 16 bars; in each the hi-hat may go to somebody else. */
void lc_groove_draw(lc_pattern *pattern, lc_rng *rng, double seconds, lc_metre metre)
{
    const groove_style *of = draw_style(rng, metre.beat);
    double beat = metre.beat > 0 ? metre.beat : 60 / lc_draw_even(rng, of->slowest, of->fastest);
    groove_player p = {.pattern = pattern, .rng = rng};
    bool machine = lc_draw_chance(rng, 0.2);
    p.error = machine ? 0 : lc_draw_even(rng, 0.003, 0.011);
    for (size_t i = 0; i < LC_PARTS; i++)
        p.push[i] = machine ? 0 : 0.003 * lc_rng_normal(rng);
    double time = metre.beat > 0 ? metre.first : -beat * lc_rng_uniform(rng);
    size_t bars = 0;
    while (time < seconds && !pattern->failed) {
        if (bars == 0) {
            begin_section(&p, p.style == NULL || lc_draw_chance(rng, 0.5) ? of : draw_style(rng, beat));
            p.step = beat / (double)p.style->beat;
            bars = 4 + lc_draw_index(rng, 13);
        }
        play_bar(&p, time);
        time += p.step * (double)p.style->steps;
        bars--;
    }
}

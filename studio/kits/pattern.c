/* SPDX-License-Identifier: MIT
 *
 * pattern.c - what all patterns for kits have in common: order, distances, chokes, and lines that change hands.
 *
 * On real tracks a network that was trained on kits takes rides and tambourines for hi-hats. So each line of hi-hats
 * may be played by them instead, in the same rhythm, and they may play along with it.
 *
 * And it has snares and hi-hats on lone kicks with a hard beater, snares on side sticks and toms: in grooves a kick mostly
 * sounds with a hi-hat, and stick and toms are rare. So sets of the whole kit have patterns where these are alone.
 */
#include "studio/kits/pattern.h"

#include "base/status.h"
#include "signal/filter.h"
#include "studio/kits/part.h"

#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const lc_hit *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return (x->voice > y->voice) - (x->voice < y->voice);
}

/* What must not be struck twice within LC_HIT_DISTANCE. */
static size_t row_of(lc_voice_kind part)
{
    size_t class = lc_part_class(part);
    return class < 3 ? class : 3 + (size_t)part;
}

/* Strokes that are too close become one, at the time of the first and with the velocity of the harder. */
static void join_close(lc_pattern *pattern, double seconds)
{
    size_t last[LC_PARTS + 3], kept = 0;
    for (size_t i = 0; i < LC_PARTS + 3; i++)
        last[i] = SIZE_MAX;
    for (size_t i = 0; i < pattern->length; i++) {
        lc_hit hit = pattern->hits[i];
        if (!(hit.time >= 0 && hit.time <= seconds - LC_HIT_MARGIN))
            continue;
        size_t row = row_of(hit.voice), before = last[row];
        if (before != SIZE_MAX && hit.time - pattern->hits[before].time < LC_HIT_DISTANCE) {
            pattern->hits[before].velocity = fmax(pattern->hits[before].velocity, hit.velocity);
            continue;
        }
        last[row] = kept;
        pattern->hits[kept++] = hit;
    }
    pattern->length = kept;
}

/* From the last hit back: `next` is when the hi-hat is struck again. */
static void choke_hats(lc_pattern *pattern, double never)
{
    double next = never;
    for (size_t i = pattern->length; i-- > 0;) {
        lc_hit *hit = &pattern->hits[i];
        hit->stop = never;
        if (lc_part_group_of(hit->voice) == LC_GROUP_HAT) {
            hit->stop = next;
            next = hit->time;
        }
    }
}

loco_status lc_kit_pattern_finish(lc_pattern *pattern, double seconds, loco_err *err)
{
    if (pattern->failed) {
        lc_pattern_free(pattern);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while drawing a drum pattern");
    }
    if (pattern->length > 0)
        qsort(pattern->hits, pattern->length, sizeof *pattern->hits, by_time);
    join_close(pattern, seconds);
    choke_hats(pattern, seconds + 60);
    return LOCO_OK;
}

/* ---- lines that change hands -------------------------------------------------------------------------------- */

static bool in_line(const lc_hit *hit)
{
    return hit->voice == LC_VOICE_HAT_CLOSED || hit->voice == LC_VOICE_HAT_OPEN;
}

/* Every stroke of the line by another part, at the same time and velocity. */
static void replace_line(lc_pattern *pattern, lc_voice_kind by)
{
    for (size_t i = 0; i < pattern->length; i++)
        if (in_line(&pattern->hits[i]))
            pattern->hits[i].voice = by;
}

/* Each stroke of the line also by another hand, some milliseconds off. */
static void double_line(lc_pattern *pattern, lc_rng *rng, lc_voice_kind with, double often)
{
    size_t length = pattern->length;
    double late = 0.006 * lc_rng_normal(rng);
    for (size_t i = 0; i < length && !pattern->failed; i++) {
        lc_hit hit = pattern->hits[i];
        if (!in_line(&hit) || !lc_draw_chance(rng, often))
            continue;
        hit.voice = with;
        hit.time += late + 0.005 * lc_rng_normal(rng);
        lc_pattern_push(pattern, hit);
    }
}

void lc_kit_pattern_orchestrate(lc_pattern *pattern, lc_rng *rng)
{
    static const lc_voice_kind others[] = {LC_VOICE_RIDE,       LC_VOICE_RIDE,   LC_VOICE_RIDE,  LC_VOICE_TAMBOURINE,
                                           LC_VOICE_TAMBOURINE, LC_VOICE_SHAKER, LC_VOICE_CRASH, LC_VOICE_RIDE_BELL};
    static const lc_voice_kind along[] = {LC_VOICE_TAMBOURINE, LC_VOICE_TAMBOURINE, LC_VOICE_SHAKER,
                                          LC_VOICE_RIDE,       LC_VOICE_COWBELL,    LC_VOICE_CLAP};
    double x = lc_rng_uniform(rng);
    if (x < 0.12)
        replace_line(pattern, others[lc_draw_index(rng, sizeof others / sizeof *others)]);
    else if (x < 0.26)
        double_line(pattern, rng, along[lc_draw_index(rng, sizeof along / sizeof *along)], lc_draw_even(rng, 0.4, 1));
}

/* ---- contrasts ---------------------------------------------------------------------------------------------- */

/* The strokes of a group by another part; softer ones stay with a probability. */
static void replace_group(lc_pattern *pattern, lc_part_group group, lc_voice_kind by, double harder_than)
{
    for (size_t i = 0; i < pattern->length; i++)
        if (lc_part_group_of(pattern->hits[i].voice) == group && pattern->hits[i].velocity >= harder_than)
            pattern->hits[i].voice = by;
}

/* Each stroke of a group by one of three toms, a few in a row by the same. */
static void give_to_toms(lc_pattern *pattern, lc_rng *rng, lc_part_group group)
{
    static const lc_voice_kind toms[] = {LC_VOICE_TOM_HIGH, LC_VOICE_TOM_MID, LC_VOICE_TOM_LOW};
    size_t tom = lc_draw_index(rng, 3);
    for (size_t i = 0; i < pattern->length; i++) {
        if (lc_part_group_of(pattern->hits[i].voice) != group)
            continue;
        if (lc_draw_chance(rng, 0.4))
            tom = lc_draw_index(rng, 3);
        pattern->hits[i].voice = toms[tom];
    }
}

/* Also by another part, with each stroke of a group, some milliseconds off. */
static void double_group(lc_pattern *pattern, lc_rng *rng, lc_part_group group, lc_voice_kind with)
{
    size_t length = pattern->length;
    double often = lc_draw_even(rng, 0.5, 1), late = 0.006 * lc_rng_normal(rng);
    for (size_t i = 0; i < length && !pattern->failed; i++) {
        lc_hit hit = pattern->hits[i];
        if (lc_part_group_of(hit.voice) != group || !lc_draw_chance(rng, often))
            continue;
        hit.voice = with;
        hit.time += late + 0.005 * lc_rng_normal(rng);
        lc_pattern_push(pattern, hit);
    }
}

/* Groups whose bit is not set rest. */
static void rest(lc_pattern *pattern, unsigned groups)
{
    size_t kept = 0;
    for (size_t i = 0; i < pattern->length; i++)
        if ((groups >> lc_part_group_of(pattern->hits[i].voice) & 1U) != 0)
            pattern->hits[kept++] = pattern->hits[i];
    pattern->length = kept;
}

/* Every stroke of the pattern may go to any of two or three parts: sounds without their usual company. */
static void scatter(lc_pattern *pattern, lc_rng *rng)
{
    lc_voice_kind parts[3];
    for (size_t i = 0; i < 3; i++)
        parts[i] = lc_draw_chance(rng, 0.25) ? LC_VOICE_KICK : (lc_voice_kind)lc_draw_index(rng, LC_PARTS);
    for (size_t i = 0; i < pattern->length; i++)
        pattern->hits[i].voice = parts[lc_draw_index(rng, 3)];
}

void lc_kit_pattern_contrast(lc_pattern *pattern, lc_rng *rng)
{
    static const lc_voice_kind along[] = {LC_VOICE_TAMBOURINE, LC_VOICE_TAMBOURINE, LC_VOICE_CLAP, LC_VOICE_RIM,
                                          LC_VOICE_COWBELL};
    static const lc_voice_kind metal[] = {LC_VOICE_RIDE,       LC_VOICE_RIDE,  LC_VOICE_RIDE_BELL,
                                          LC_VOICE_TAMBOURINE, LC_VOICE_CRASH, LC_VOICE_COWBELL};
    unsigned drums = 1U << LC_GROUP_KICK | 1U << LC_GROUP_SNARE, all = (1U << LC_GROUPS) - 1;
    double x = lc_rng_uniform(rng), harder_than = lc_draw_chance(rng, 0.5) ? 0.3 : 0;
    if (x < 0.09)
        replace_group(pattern, LC_GROUP_SNARE, LC_VOICE_RIM, harder_than);
    else if (x < 0.12)
        give_to_toms(pattern, rng, LC_GROUP_SNARE);
    else if (x < 0.16)
        give_to_toms(pattern, rng, LC_GROUP_HAT);
    else if (x < 0.23)
        replace_group(pattern, LC_GROUP_HAT, metal[lc_draw_index(rng, sizeof metal / sizeof *metal)], harder_than);
    else if (x < 0.29)
        double_group(pattern, rng, LC_GROUP_SNARE, along[lc_draw_index(rng, sizeof along / sizeof *along)]);
    else if (x < 0.4)
        scatter(pattern, rng);
    x = lc_rng_uniform(rng);
    if (x < 0.08)
        rest(pattern, drums);
    else if (x < 0.12)
        rest(pattern, all & ~(1U << LC_GROUP_HAT | 1U << LC_GROUP_CYMBAL));
    else if (x < 0.17)
        rest(pattern, 1U << LC_GROUP_KICK | 1U << lc_draw_index(rng, LC_GROUPS));
}

/* SPDX-License-Identifier: MIT
 *
 * render.c - renders one recording:
 *
 *   pattern -> strokes of each group -> its equaliser, attack, saturation -> sum -> room -> + music -> which strokes
 *   are audible -> codec, old machine, compressor, noise -> level.
 *
 * Each group lies in an array of its own: what masks it is the sum of all else. Random numbers: one generator each for the backing, pattern,
 * strokes and mix.
 */
#include "studio/kits/render.h"

#include "base/status.h"
#include "data/augment.h"
#include "signal/filter.h"
#include "studio/kits/audible.h"
#include "studio/kits/strip.h"
#include "studio/synth/room.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = LC_SYNTH_CLASSES };

typedef struct rendered {
    const lc_render_settings *settings;
    const lc_ranges *ranges;
    double rate;
    size_t n;
    lc_rng backing_rng, pattern_rng, stroke_rng, mix, music;
    lc_backing backing;
    lc_pattern pattern;
    bool *audible;                                            /* for each hit */
    float *buses[LC_GROUPS], *send, *background, *scratch[2]; /* n each */
    float *samples;                                           /* n: the sum */
} rendered;

/* The factors keep neighbours apart: lc_rng_seed steps through seeds by another constant. */
static void seed_recording(rendered *r, size_t index)
{
    const lc_synth_settings *s = &r->settings->synth;
    lc_rng set = lc_rng_seed(s->seed ^ (s->unseen ? 0x5bf03635d1f7a2c9u : 0) ^ 0x2545f4914f6cdd1du);
    lc_rng one = lc_rng_seed(lc_rng_next(&set) ^ (((uint64_t)index + 1) * 0xd6e8feb86659fd93u));
    r->backing_rng = lc_rng_seed(lc_rng_next(&one));
    r->pattern_rng = lc_rng_seed(lc_rng_next(&one));
    r->stroke_rng = lc_rng_seed(lc_rng_next(&one));
    r->mix = lc_rng_seed(lc_rng_next(&one));
    r->music = lc_rng_seed(lc_rng_next(&one));
    const lc_ranges *usual = r->settings->whole_kit ? &lc_ranges_whole_kit : &lc_ranges_ordinary;
    r->ranges = lc_draw_chance(&one, r->settings->ordinary) ? usual : &lc_ranges_varied;
}

static double draw(lc_rng *rng, lc_range range)
{
    return lc_draw_even(rng, range.from, range.to);
}

/* ---- pattern ------------------------------------------------------------------------------------------------ */

/* What the synthesiser's own patterns say of amplitudes, as velocities. */
static loco_status draw_free(rendered *r, loco_err *err)
{
    loco_status status = lc_pattern_draw(&r->pattern, &r->pattern_rng, r->settings->synth.seconds, true, err);
    for (size_t i = 0; status == LOCO_OK && i < r->pattern.length; i++)
        r->pattern.hits[i].velocity = pow(r->pattern.hits[i].velocity, 0.7);
    return status;
}

/* Drummers where there are any, grooves, and a rest without metre: see synth/pattern.h. */
static loco_status draw_pattern(rendered *r, lc_metre metre, loco_err *err)
{
    const lc_performances *list = r->settings->performances;
    double seconds = r->settings->synth.seconds, x = lc_rng_uniform(&r->pattern_rng);
    bool drummer = list != NULL && list->len > 0;
    loco_status status = LOCO_OK;
    if (x < r->ranges->free && !(metre.beat > 0))
        status = draw_free(r, err);
    else if (drummer && x < (r->settings->whole_kit ? 0.45 : 0.62))
        lc_performances_draw(list, &r->pattern, &r->pattern_rng, seconds, metre);
    else
        lc_groove_draw(&r->pattern, &r->pattern_rng, seconds, metre);
    if (status == LOCO_OK)
        lc_kit_pattern_orchestrate(&r->pattern, &r->pattern_rng);
    if (status == LOCO_OK && r->settings->whole_kit)
        lc_kit_pattern_contrast(&r->pattern, &r->pattern_rng);
    return status == LOCO_OK ? lc_kit_pattern_finish(&r->pattern, seconds, err) : status;
}

/* Percussion plays in some recordings only; toms and cymbals wherever distractors are asked for. */
static bool wanted(const rendered *r, lc_voice_kind part, bool percussion)
{
    lc_part_group group = lc_part_group_of(part);
    if (group == LC_GROUP_HAND || group == LC_GROUP_SHAKE)
        return r->settings->synth.distractors && percussion;
    return r->settings->synth.distractors || lc_part_class(part) < CLASSES;
}

/* Leaves out hits that nothing can play, inaudible ones, and unless asked for those that no class counts. */
static void leave_out(rendered *r)
{
    double level[LC_PARTS];
    size_t kept = 0;
    bool percussion = lc_draw_chance(&r->pattern_rng, r->ranges->percussion);
    for (size_t i = 0; i < r->pattern.length; i++) {
        lc_voice_kind part = r->pattern.hits[i].voice;
        if (lc_backing_has(&r->backing, part) && wanted(r, part, percussion))
            r->pattern.hits[kept++] = r->pattern.hits[i];
    }
    r->pattern.length = kept;
    for (size_t p = 0; p < LC_PARTS; p++)
        level[p] = r->backing.parts[p].level;
    lc_audible_keep(&r->pattern, level, r->backing.power);
}

/* ---- groups ------------------------------------------------------------------------------------------------- */

/* Renders one group by itself, treats it, adds it to its bus, and with a level of its own to the input of the room. */
static void add_group(rendered *r, lc_part_group group)
{
    float *own = r->scratch[0];
    size_t strokes = 0;
    for (size_t i = 0; i < r->pattern.length; i++) {
        if (lc_part_group_of(r->pattern.hits[i].voice) != group)
            continue;
        if (strokes++ == 0)
            memset(own, 0, r->n * sizeof *own);
        lc_backing_strike(&r->backing, &r->pattern.hits[i], r->rate, &r->stroke_rng, own, r->scratch[1], r->n);
    }
    if (strokes == 0)
        return;
    if (lc_draw_chance(&r->mix, 0.8))
        lc_strip_equalise(own, r->n, r->rate, draw(&r->mix, r->ranges->equalised), &r->mix);
    if (lc_draw_chance(&r->mix, r->ranges->shaped))
        lc_strip_attack(own, r->n, r->rate, &r->mix);
    if (lc_draw_chance(&r->mix, r->ranges->saturated))
        lc_strip_saturate(own, r->n, &r->mix);
    if (group == LC_GROUP_KICK && lc_draw_chance(&r->mix, r->ranges->clicky))
        lc_strip_click(own, r->n, r->rate, &r->mix);
    float send = (float)lc_gain_of(lc_draw_even(&r->mix, -12, 4));
    for (size_t i = 0; i < r->n; i++) {
        r->buses[group][i] += own[i];
        r->send[i] += send * own[i];
    }
}

/* Each group that counts against all else: the mix without its own bus. */
static void mark_audible(rendered *r)
{
    lc_part_group groups = r->settings->whole_kit ? LC_GROUPS : (lc_part_group)CLASSES;
    for (lc_part_group group = 0; group < groups; group++) {
        for (size_t i = 0; i < r->n; i++) {
            r->scratch[0][i] = r->buses[group][i];
            r->scratch[1][i] = r->samples[i] - r->buses[group][i];
        }
        lc_audible_mark(r->audible, &r->pattern, group, r->scratch[0], r->scratch[1], r->n, r->rate);
    }
}

/* The sum of all groups. The wires of the snare rattle with what is low: noise that is no stroke. */
static void sum_groups(rendered *r)
{
    float *const *b = r->buses;
    for (size_t i = 0; i < r->n; i++) {
        float others = b[LC_GROUP_TOM][i] + b[LC_GROUP_CYMBAL][i] + b[LC_GROUP_HAND][i] + b[LC_GROUP_SHAKE][i];
        r->samples[i] = b[LC_GROUP_KICK][i] + b[LC_GROUP_SNARE][i] + b[LC_GROUP_HAT][i] + others;
        r->scratch[0][i] = b[LC_GROUP_KICK][i] + b[LC_GROUP_TOM][i];
    }
    if (!lc_draw_chance(&r->mix, r->ranges->buzz))
        return;
    lc_strip_buzz(r->scratch[0], r->n, r->rate, &r->mix);
    for (size_t i = 0; i < r->n; i++)
        r->samples[i] += r->scratch[0][i];
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

static float peak_of(const float *samples, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    return peak;
}

/* The room adds its answer to what it is given; only the answer is wanted. */
static loco_status add_room(rendered *r, loco_err *err)
{
    loco_status status = LOCO_OK;
    double x = lc_rng_uniform(&r->mix);
    if (lc_draw_chance(&r->mix, r->ranges->ring))
        lc_room_ring(r->samples, r->n, r->rate, &r->mix);
    memcpy(r->scratch[0], r->send, r->n * sizeof(float));
    if (x < 0.6)
        status = lc_room_apply(r->send, r->n, r->rate, &r->mix, err);
    else if (x < 0.8)
        status = lc_room_hall(r->send, r->n, r->rate, &r->mix, err);
    if (status != LOCO_OK)
        return status;
    float wet = (float)lc_gain_of(draw(&r->mix, r->ranges->wet));
    for (size_t i = 0; x < 0.8 && i < r->n; i++)
        r->samples[i] += wet * (r->send[i] - r->scratch[0][i]);
    return lc_draw_chance(&r->mix, r->ranges->bleed) ? lc_room_bleed(r->samples, r->n, r->rate, &r->mix, err) : LOCO_OK;
}

/* Noise of any colour at a level below the whole, and sometimes hum. */
static void add_noise(rendered *r)
{
    double level = lc_augment_level(r->samples, r->n);
    double slope = lc_draw_even(&r->mix, -7, 2), down = draw(&r->mix, r->ranges->noise);
    double noise = (level > 0 ? level : 0.1) * lc_gain_of(-down);
    lc_augment_noise_fill(r->scratch[0], r->n, r->rate, slope, &r->mix);
    for (size_t i = 0; i < r->n; i++)
        r->samples[i] += (float)noise * r->scratch[0][i];
    if (lc_draw_chance(&r->mix, 0.08))
        lc_room_hum(r->samples, r->n, r->rate, noise * lc_draw_even(&r->mix, 0.5, 3), &r->mix);
}

/* From the mix to the recording. Each machine is drawn or left out, so that no single chain is learned. */
static void record(rendered *r)
{
    lc_strip_equalise(r->samples, r->n, r->rate, draw(&r->mix, r->ranges->mastered), &r->mix);
    double x = lc_rng_uniform(&r->mix), peak = (double)peak_of(r->samples, r->n);
    if (x < r->ranges->old)
        lc_strip_old(r->samples, r->n, r->rate, &r->mix);
    else if (x < r->ranges->old + r->ranges->coded)
        lc_strip_codec(r->samples, r->n, r->rate, &r->mix);
    if (lc_draw_chance(&r->mix, r->ranges->compressed) && peak > 0)
        lc_room_compress(r->samples, r->n, r->rate, peak, &r->mix);
    if (lc_draw_chance(&r->mix, r->ranges->saturated))
        lc_strip_saturate(r->samples, r->n, &r->mix);
    if (lc_draw_chance(&r->mix, r->ranges->noisy))
        add_noise(r);
    lc_augment_polarity(r->samples, r->n, &r->mix);
    double loudness = lc_draw_even(&r->mix, -14, -0.5);
    peak = (double)peak_of(r->samples, r->n);
    if (peak > 0)
        lc_augment_gain(r->samples, r->n, loudness - 20 * log10(peak));
}

/* Music of its own, in some recordings; the drums then take its beat. */
static lc_metre draw_music(rendered *r)
{
    const lc_songs *songs = r->settings->songs;
    if (!lc_draw_chance(&r->music, r->settings->background) || songs == NULL || songs->len == 0)
        return (lc_metre){0};
    lc_metre metre = lc_songs_draw(songs, &r->music, r->rate, r->background, r->n);
    lc_strip_equalise(r->background, r->n, r->rate, lc_draw_even(&r->music, 0, 5), &r->music);
    return metre;
}

/* 6 dB below the drums to 9 dB above, over the whole recording. */
static void add_music(rendered *r)
{
    double drums = lc_augment_level(r->samples, r->n), music = lc_augment_level(r->background, r->n);
    double wanted = (drums > 0 ? drums : 0.1) * lc_gain_of(lc_draw_even(&r->music, -6, 9));
    float gain = music > 0 ? (float)(wanted / music) : 0;
    for (size_t i = 0; i < r->n; i++)
        r->samples[i] += gain * r->background[i];
}

/* In the order of the signal. What is audible is judged on the dry drums with the music, before the room. */
static loco_status render(rendered *r, loco_err *err)
{
    lc_metre metre = draw_music(r);
    lc_backing_draw(&r->backing, r->settings->bank, r->ranges, &r->backing_rng, r->settings->synthesised,
                    r->settings->synth.unseen);
    loco_status status = draw_pattern(r, metre, err);
    if (status != LOCO_OK)
        return status;
    leave_out(r);
    r->audible = calloc(r->pattern.length + 1, sizeof *r->audible);
    if (r->audible == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of a recording");
    for (lc_part_group group = 0; group < LC_GROUPS; group++)
        add_group(r, group);
    sum_groups(r);
    if (metre.beat > 0)
        add_music(r);
    mark_audible(r);
    status = add_room(r, err);
    if (status == LOCO_OK)
        record(r);
    return status;
}

/* Whether a hit is an event, and of which kind. Masking does not matter for others: they teach that a sound is not one
 * of the classes, and that holds for a soft one as well. */
static bool is_event(const rendered *r, size_t hit, size_t *kind)
{
    lc_voice_kind part = r->pattern.hits[hit].voice;
    *kind = r->settings->whole_kit ? lc_part_drum(part) : (size_t)lc_part_group_of(part);
    if (r->settings->whole_kit)
        return r->audible[hit];
    return lc_part_class(part) < CLASSES ? r->audible[hit] : r->settings->others;
}

/* The hits that are events; NULL without memory. */
static loco_event *events_of(const rendered *r, size_t *length)
{
    loco_event *events = calloc(r->pattern.length + 1, sizeof *events);
    size_t n = 0;
    for (size_t i = 0; events != NULL && i < r->pattern.length; i++) {
        double time = floor(r->pattern.hits[i].time * r->rate) / r->rate;
        size_t kind;
        if (is_event(r, i, &kind))
            events[n++] = (loco_event){
                .time = time, .kind = kind, .probability = r->settings->whole_kit ? r->pattern.hits[i].velocity : 1};
    }
    *length = n;
    return events;
}

/* All but samples, which the caller gets; the block, or NULL without memory. */
static float *layout(rendered *r)
{
    float *block = calloc(r->n, (LC_GROUPS + 4) * sizeof *block);
    for (size_t i = 0; block != NULL && i < LC_GROUPS; i++)
        r->buses[i] = block + i * r->n;
    for (size_t i = 0; block != NULL && i < 2; i++)
        r->scratch[i] = block + (LC_GROUPS + i) * r->n;
    r->send = block != NULL ? block + (LC_GROUPS + 2) * r->n : NULL;
    r->background = block != NULL ? block + (LC_GROUPS + 3) * r->n : NULL;
    return block;
}

loco_status lc_render(const lc_render_settings *settings, size_t index, float **samples, size_t *n, loco_event **events,
                      size_t *events_len, loco_err *err)
{
    loco_status status = lc_synth_check(&settings->synth, err);
    if (status != LOCO_OK)
        return status;
    rendered r = {.settings = settings, .rate = settings->synth.rate};
    r.n = (size_t)(settings->synth.seconds * r.rate);
    seed_recording(&r, index);
    r.samples = calloc(r.n, sizeof *r.samples);
    float *block = layout(&r);
    loco_event *found = NULL;
    size_t found_len = 0;
    if (r.samples == NULL || block == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a recording of %zu samples", r.n);
    if (status == LOCO_OK)
        status = render(&r, err);
    if (status == LOCO_OK && (found = events_of(&r, &found_len)) == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of a recording");
    if (status == LOCO_OK) {
        *samples = r.samples;
        *n = r.n;
        *events = found;
        *events_len = found_len;
    } else {
        free(r.samples);
    }
    free(block);
    free(r.audible);
    lc_pattern_free(&r.pattern);
    return status;
}

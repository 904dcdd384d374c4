/* SPDX-License-Identifier: MIT
 *
 * drums.c - renders one recording:
 *   pattern -> strokes -> mix -> ringing kit -> room -> microphone -> compressor -> noise -> level.
 *
 * Random numbers: one generator is seeded by (seed, index, unseen) and seeds one each for kit, pattern and mix, so that
 * a change in one part leaves the others as they were. The numbers of a stroke come from the generator of the mix.
 *
 * Levels of the voices follow acoustic drum tracks (peaks below the track's peak, mean and standard deviation: kick 0.5
 * and 2 dB, snare 5 and 4, ghost note 17 and 6, hi-hat 19 and 6, ride 27 and 3), and are drawn more widely.
 */
#include "studio/synth/drums.h"

#include "base/status.h"
#include "data/augment.h"
#include "signal/filter.h"
#include "studio/synth/kit.h"
#include "studio/synth/pattern.h"
#include "studio/synth/room.h"

#include <stdlib.h>
#include <string.h>

#define AUDIBLE 0.015848931924611134 /* -36 dB */
#define CHOKE_TIME 0.03              /* s to -60 dB when a hi-hat is closed */
#define ATTACK_WINDOW 0.03           /* s over which the level of a stroke is taken */

typedef struct synthesised {
    lc_synth_settings settings;
    lc_rng mix;
    lc_kit kit;
    double level[LC_VOICES];
    lc_pattern pattern;
    float *samples, *scratch; /* n each */
    size_t n;
    double softest; /* level of the attack of the softest counted stroke */
} synthesised;

const char *lc_synth_class(size_t class)
{
    static const char *const names[LC_SYNTH_COLUMNS] = {"kick", "snare", "hihat", "tom", "cymbal", "hand", "shaker"};
    return names[class];
}

loco_status lc_synth_check(const lc_synth_settings *settings, loco_err *err)
{
    if (settings->rate < 8000 || settings->rate > 192000)
        return lc_err_set(err, LOCO_EARG, "the sample rate is %u; it must be from 8000 to 192000", settings->rate);
    if (!(settings->seconds >= 0.1 && settings->seconds <= 3600))
        return lc_err_set(err, LOCO_EARG, "a synthetic recording lasts 0.1 to 3600 seconds, not %g", settings->seconds);
    return LOCO_OK;
}

/* ---- strokes --------------------------------------------------------------------------------------------- */

/* How loud each voice is in this mix: a hi-hat anywhere from 4 to 25 dB below full scale. */
static void draw_levels(synthesised *r)
{
    static const struct {
        double lo, hi; /* dB */
    } spans[LC_VOICES] = {
        [LC_VOICE_KICK] = {-6,  0 },
          [LC_VOICE_SNARE] = {-10, 1 },
          [LC_VOICE_HAT_CLOSED] = {-25, -4},
        [LC_VOICE_TOM_HIGH] = {-12, 0 },
          [LC_VOICE_CLAP] = {-14, -1},
          [LC_VOICE_CRASH] = {-16, -3},
        [LC_VOICE_RIDE] = {-28, -9},
          [LC_VOICE_RIM] = {-16, -1},
          [LC_VOICE_TAMBOURINE] = {-25, -8},
        [LC_VOICE_HAT_PEDAL] = {-8,  0 },
          [LC_VOICE_HAT_OPEN] = {0,   4 }, /* over the closed one */
        [LC_VOICE_TOM_LOW] = {-2,  2 }, /* over the high one */
    };
    double level[LC_VOICES];
    for (size_t v = 0; v < LC_VOICES; v++)
        level[v] = lc_draw_even(&r->mix, spans[v].lo, spans[v].hi);
    level[LC_VOICE_HAT_OPEN] += level[LC_VOICE_HAT_CLOSED];
    level[LC_VOICE_HAT_PEDAL] += level[LC_VOICE_HAT_CLOSED];
    level[LC_VOICE_TOM_LOW] += level[LC_VOICE_TOM_HIGH];
    for (size_t v = 0; v < LC_VOICES; v++)
        r->level[v] = lc_gain_of(level[v]);
}

/* Leaves out inaudible hits: a voice peaks at about 1, so level * velocity is the peak of a hit. */
static void leave_out_inaudible(synthesised *r)
{
    double loudest = 0;
    size_t kept = 0;
    lc_pattern *pattern = &r->pattern;
    for (size_t i = 0; i < pattern->length; i++)
        loudest = fmax(loudest, r->level[pattern->hits[i].voice] * pattern->hits[i].velocity);
    for (size_t i = 0; i < pattern->length; i++) {
        lc_hit hit = pattern->hits[i];
        if (r->level[hit.voice] * hit.velocity >= AUDIBLE * loudest)
            pattern->hits[kept++] = hit;
    }
    pattern->length = kept;
}

/* Where a hit begins. Events carry this time, so that they are true to the sample. */
static size_t first_sample(const synthesised *r, const lc_hit *hit)
{
    return (size_t)(hit->time * r->settings.rate + 0.5);
}

/* Lets the sound die from sample `from` on; returns its new length. */
static size_t choke(float *samples, size_t n, size_t from, double rate)
{
    float gain = 1, by = (float)exp(-6.9 / (CHOKE_TIME * rate));
    size_t to = from + (size_t)(CHOKE_TIME * rate);
    for (size_t i = from; i < n && i < to; i++)
        samples[i] *= gain *= by;
    return n < to ? n : to;
}

/* Renders one stroke into scratch, ends it where its cymbal is struck again, and adds it to the mix. */
static void add_stroke(synthesised *r, const lc_hit *hit)
{
    double rate = r->settings.rate;
    size_t first = first_sample(r, hit), room = r->n - first;
    lc_voice voice = lc_voice_stroke(&r->kit.voices[hit->voice], hit->velocity, &r->mix);
    size_t length = lc_voice_length(&voice, rate), stop = (size_t)((hit->stop - hit->time) * rate);
    size_t ends = stop + (size_t)(CHOKE_TIME * rate);
    length = length < room ? length : room;
    length = length < ends ? length : ends;
    uint32_t noise = (uint32_t)(lc_rng_next(&r->mix) >> 32);
    lc_voice_render(&voice, hit->velocity, rate, noise, r->scratch, length);
    length = choke(r->scratch, length, stop, rate);
    float level = (float)r->level[hit->voice];
    for (size_t i = 0; i < length; i++)
        r->samples[first + i] += level * r->scratch[i];
    size_t window = (size_t)(ATTACK_WINDOW * rate);
    if (lc_voice_class(hit->voice) < LC_SYNTH_CLASSES)
        r->softest = fmin(r->softest, (double)level * lc_augment_level(r->scratch, length < window ? length : window));
}

/* ---- from strokes to a recording ---------------------------------------------------------------------------- */

static double peak_of(const float *samples, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    return (double)peak;
}

static bool silent(const synthesised *r)
{
    return r->pattern.length == 0;
}

/* Noise lies 15 to 60 dB below the whole, yet never so high that it buries the softest stroke. Without any stroke it is
 * as far below full scale. */
static void add_noise(synthesised *r)
{
    double rate = r->settings.rate, level = silent(r) ? 1 : lc_augment_level(r->samples, r->n);
    double slope = lc_draw_even(&r->mix, -7, 2), noise = level * lc_gain_of(-lc_draw_even(&r->mix, 15, 60));
    noise = fmin(noise, 0.4 * r->softest);
    lc_augment_noise_fill(r->scratch, r->n, rate, slope, &r->mix);
    for (size_t i = 0; i < r->n; i++)
        r->samples[i] += (float)noise * r->scratch[i];
    if (lc_draw_chance(&r->mix, 0.15))
        lc_room_hum(r->samples, r->n, rate, noise * lc_draw_even(&r->mix, 0.5, 3), &r->mix);
}

/* Wheezing loudspeakers and telephones: the ends of the spectrum are missing. */
static void narrow(synthesised *r)
{
    double rate = r->settings.rate;
    lc_two_pole low = lc_two_pole_at(lc_draw_even(&r->mix, 20, 70), 0.7, rate);
    lc_two_pole high = lc_two_pole_at(lc_draw_even(&r->mix, 5500, 11000), 0.7, rate);
    for (size_t i = 0; i < r->n; i++) {
        float passed, unused;
        lc_two_pole_run(&low, r->samples[i], &passed);
        r->samples[i] = lc_two_pole_run(&high, passed, &unused);
    }
}

/* From dry drums to a recording. Each part is drawn or left out, so that no single chain is learned. */
static loco_status record(synthesised *r, loco_err *err)
{
    double rate = r->settings.rate;
    loco_status status = LOCO_OK;
    if (lc_draw_chance(&r->mix, 0.6))
        lc_room_ring(r->samples, r->n, rate, &r->mix);
    if (lc_draw_chance(&r->mix, 0.75))
        status = lc_room_apply(r->samples, r->n, rate, &r->mix, err);
    if (status == LOCO_OK && lc_draw_chance(&r->mix, 0.3))
        status = lc_room_bleed(r->samples, r->n, rate, &r->mix, err);
    if (status != LOCO_OK)
        return status;
    lc_augment_colour(r->samples, r->n, rate, lc_draw_even(&r->mix, 0, 5), &r->mix);
    if (lc_draw_chance(&r->mix, 0.25))
        narrow(r);
    double peak = peak_of(r->samples, r->n);
    if (lc_draw_chance(&r->mix, 0.6) && peak > 0)
        lc_room_compress(r->samples, r->n, rate, peak, &r->mix);
    add_noise(r);
    lc_augment_polarity(r->samples, r->n, &r->mix);
    double loudness = lc_draw_even(&r->mix, -12, -1);
    if (!silent(r))
        lc_augment_gain(r->samples, r->n, loudness - 20 * log10(peak_of(r->samples, r->n)));
    return LOCO_OK;
}

/* ---- recordings -------------------------------------------------------------------------------------------- */

/* The factors keep neighbours apart: lc_rng_seed steps through seeds by another constant. */
static void seed_recording(synthesised *r, size_t index, lc_rng *kit, lc_rng *pattern)
{
    lc_rng set = lc_rng_seed(r->settings.seed ^ (r->settings.unseen ? 0x5bf03635d1f7a2c9u : 0));
    lc_rng one = lc_rng_seed(lc_rng_next(&set) ^ (((uint64_t)index + 1) * 0xd6e8feb86659fd93u));
    *kit = lc_rng_seed(lc_rng_next(&one));
    *pattern = lc_rng_seed(lc_rng_next(&one));
    r->mix = lc_rng_seed(lc_rng_next(&one));
}

/* Kit, levels, pattern, strokes, recording; the softest counted stroke limits the noise. */
static loco_status render(synthesised *r, size_t index, loco_err *err)
{
    lc_rng kit, pattern;
    seed_recording(r, index, &kit, &pattern);
    lc_kit_draw(&r->kit, &kit, r->settings.unseen);
    draw_levels(r);
    loco_status status = lc_pattern_draw(&r->pattern, &pattern, r->settings.seconds, r->settings.distractors, err);
    if (status != LOCO_OK)
        return status;
    leave_out_inaudible(r);
    r->softest = HUGE_VAL;
    for (size_t i = 0; i < r->pattern.length; i++)
        add_stroke(r, &r->pattern.hits[i]);
    return record(r, err);
}

/* The counted hits; NULL without memory. */
static loco_event *events_of(const synthesised *r, size_t *length)
{
    loco_event *events = calloc(r->pattern.length + 1, sizeof *events);
    size_t n = 0;
    for (size_t i = 0; events != NULL && i < r->pattern.length; i++) {
        const lc_hit *hit = &r->pattern.hits[i];
        size_t class = lc_voice_class(hit->voice);
        if (class < LC_SYNTH_CLASSES)
            events[n++] = (loco_event){
                .time = (double)first_sample(r, hit) / r->settings.rate, .kind = class, .probability = 1};
    }
    *length = n;
    return events;
}

loco_status lc_synth_drums(const lc_synth_settings *settings, size_t index, float **samples, size_t *n,
                           loco_event **events, size_t *events_len, loco_err *err)
{
    loco_status status = lc_synth_check(settings, err);
    if (status != LOCO_OK)
        return status;
    synthesised r = {.settings = *settings, .n = (size_t)(settings->seconds * settings->rate)};
    r.samples = calloc(r.n, sizeof *r.samples);
    r.scratch = malloc(r.n * sizeof *r.scratch);
    loco_event *found = NULL;
    size_t found_len = 0;
    if (r.samples == NULL || r.scratch == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a recording of %zu samples", r.n);
    if (status == LOCO_OK)
        status = render(&r, index, err);
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
    free(r.scratch);
    lc_pattern_free(&r.pattern);
    return status;
}

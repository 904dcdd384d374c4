/* SPDX-License-Identifier: MIT
 *
 * piano.c - zones and pianos: cutting, the table of zones, loudness of keys.
 *
 * Which layer sounds at a velocity is up to the instrument, how loud it is not: makers normalise samples in their own
 * ways. So every stroke is scaled to a level of ours, and of the recorded levels only the balance of the keys is kept: that
 * of their hardest layer, smoothed over an octave.
 */
#include "studio/piano/piano.h"

#include "base/status.h"
#include "studio/kits/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PITCHES = LC_PIANO_PITCHES, HARD = PITCHES - 1, AROUND = 6 };

#define GONE 0.0005f /* of the peak: where a tail is cut */
#define FADE 0.1     /* s, at the end of a sound that is cut */

/* ---- zones ---- */

static float level_of(const float *samples, size_t n, double rate)
{
    size_t window = (size_t)(LC_ZONE_ATTACK * rate), length = n < window ? n : window;
    double sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += (double)samples[i] * (double)samples[i];
    return length > 0 ? (float)sqrt(sum / (double)length) : 0;
}

static float peak_of(const float *samples, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    return peak;
}

bool lc_zone_cut(lc_zone *zone, const float *samples, size_t n, double rate)
{
    size_t onset = lc_sample_onset(samples, n, rate), length = n - onset, fade = (size_t)(FADE * rate) + 1;
    const float *stroke = samples + onset;
    float peak = peak_of(stroke, length);
    while (length > 0 && fabsf(stroke[length - 1]) <= GONE * peak)
        length--;
    zone->n = 0;
    if (length == 0)
        return true;
    zone->values = malloc(length * sizeof *zone->values);
    if (zone->values == NULL)
        return false;
    for (size_t i = 0; i < length; i++) {
        float left = (float)(length - i) / (float)fade;
        zone->values[i] = (int16_t)lrintf(32767 * stroke[i] / peak * (left < 1 ? left : 1));
    }
    zone->n = length;
    zone->loud = level_of(stroke, length, rate);
    zone->level = zone->loud / peak;
    return true;
}

void lc_zones_free(lc_zone *zones, size_t len)
{
    for (size_t i = 0; zones != NULL && i < len; i++)
        free(zones[i].values);
    free(zones);
}

/* ---- pianos ---- */

/* How far a zone is from a key and a velocity; keys weigh more, since a sound can be made louder without harm. */
static double distance(const lc_zone *zone, unsigned pitch, unsigned velocity)
{
    double key = fmax(0, fmax((double)zone->lokey - pitch, (double)pitch - zone->hikey));
    double layer = fmax(0, fmax((double)zone->lovel - velocity, (double)velocity - zone->hivel));
    return 1e6 * key + 1e3 * layer + fabs(zone->centre - pitch);
}

static void fill_index(lc_piano *piano)
{
    for (unsigned pitch = 0; pitch < PITCHES; pitch++)
        for (unsigned velocity = 0; velocity < PITCHES; velocity++) {
            double nearest = HUGE_VAL;
            for (size_t i = 0; i < piano->len; i++) {
                double away = distance(&piano->zones[i], pitch, velocity);
                if (away < nearest)
                    piano->index[pitch][velocity] = (uint16_t)i;
                nearest = fmin(away, nearest);
            }
        }
}

/* The mean, in the logarithm, of the hardest layers around a pitch. */
static void balance_keys(lc_piano *piano)
{
    double loudest = 0, mean[PITCHES];
    for (int pitch = 0; pitch < PITCHES; pitch++) {
        double sum = 0, n = 0;
        for (int near = pitch - AROUND; near <= pitch + AROUND; near++)
            if (near >= 0 && near < PITCHES) {
                sum += log((double)piano->zones[piano->index[near][HARD]].loud + 1e-9);
                n++;
            }
        mean[pitch] = exp(sum / n);
        loudest = fmax(loudest, mean[pitch]);
    }
    for (size_t pitch = 0; pitch < PITCHES; pitch++)
        piano->loudest[pitch] = (float)fmax(0.1, mean[pitch] / loudest);
}

loco_status lc_pianos_add(lc_pianos *pianos, const char *name, const char *about, lc_zone *zones, size_t len,
                          loco_err *err)
{
    lc_piano *items = lc_list_grow(pianos->items, &pianos->capacity, pianos->len + 1, sizeof *items);
    if (items != NULL)
        pianos->items = items;
    lc_piano piano = {.name = lc_store_string(&pianos->store, name, strlen(name)),
                      .about = lc_store_string(&pianos->store, about, strcspn(about, "\r\n")),
                      .zones = zones,
                      .len = len,
                      .index = lc_store_take(&pianos->store, PITCHES, sizeof *piano.index)};
    if (items == NULL || piano.name == NULL || piano.about == NULL || piano.index == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the piano %.150s", name);
    if (pianos->len == LC_PIANOS_MOST || len > UINT16_MAX)
        return lc_err_set(err, LOCO_EARG, "%.120s: more than %d pianos, or %d sounds in one", name, LC_PIANOS_MOST,
                          UINT16_MAX);
    fill_index(&piano);
    balance_keys(&piano);
    items[pianos->len++] = piano;
    return LOCO_OK;
}

void lc_pianos_free(lc_pianos *pianos)
{
    for (size_t i = 0; i < pianos->len; i++)
        lc_zones_free(pianos->items[i].zones, pianos->items[i].len);
    free(pianos->items);
    lc_store_free(&pianos->store);
    *pianos = (lc_pianos){0};
}

const lc_zone *lc_piano_zone(const lc_piano *piano, unsigned pitch, unsigned velocity)
{
    return &piano->zones[piano->index[pitch < PITCHES ? pitch : HARD][velocity < PITCHES ? velocity : HARD]];
}

void lc_pianos_list(const lc_pianos *pianos, lc_text *text)
{
    for (size_t i = 0; i < pianos->len; i++) {
        const lc_piano *piano = &pianos->items[i];
        lc_text_format(text, "piano\t%s\t%s\t%zu sounds\n", piano->name,
                       piano->about[0] != 0 ? piano->about : "author and licence not stated", piano->len);
    }
}

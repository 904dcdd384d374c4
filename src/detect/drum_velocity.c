/* SPDX-License-Identifier: MIT
 * drum_velocity.c - velocities of drums: one pass over the sound, in frames of 5 ms.
 *
 * Each band is a high-pass and a low-pass of two poles; a ring holds the energies of the last frames. */
#include "detect/drum_velocity.h"

#include "base/status.h"
#include "events/drum_notes.h"
#include "signal/filter.h"

#include <math.h>
#include <stdlib.h>

enum { HOP = 110, RING = 32, BEFORE = 5, CALM = 3, AFTER = 7, CHUNK = 4096 };
enum { LOW, SKIN, WIRES, METAL, HIGH, BANDS };

static const double corners[BANDS][2] = {
    {30,   200  },
    {60,   1000 },
    {200,  6000 },
    {3000, 10000},
    {5000, 10000},
};
static const double least_risen = 0.05, floor_energy = 1e-12, usual = 100, hop_seconds = (double)HOP / LC_DRUM_RATE;

typedef struct velocity_job {
    lc_note *notes;
    const loco_event *events;
    size_t n, next; /* events before next have a level */
    size_t *bands;  /* of each class */
    double *levels; /* (n), dB */
    double *sorted; /* (n) */
    lc_two_pole highs[BANDS], lows[BANDS];
    double energy[BANDS]; /* of the frame that is read */
    double ring[RING][BANDS];
    size_t frame, held; /* frames read, and samples of the next */
} velocity_job;

bool lc_drum_classes(const char *const *classes, size_t classes_len)
{
    for (size_t k = 0; k < classes_len; k++)
        if (lc_drum_find(classes[k]) == NULL)
            return false;
    return classes_len > 0;
}

/* By the note of General MIDI. */
static size_t band_of(const lc_drum *drum)
{
    switch (drum->written) {
    case 36: return LOW;
    case 41:
    case 43:
    case 45:
    case 47:
    case 50: return SKIN;
    case 49:
    case 51:
    case 53: return METAL;
    case 42:
    case 44:
    case 46:
    case 54:
    case 70: return HIGH;
    default: return WIRES;
    }
}

/* Mean energy of frames from..to-1, as far as they are there. */
static double mean_energy(const velocity_job *j, size_t band, double from, double to)
{
    double sum = 0, n = 0;
    for (double t = fmax(0, from); t < to && t < (double)j->frame; t++) {
        sum += j->ring[(size_t)t % RING][band];
        n++;
    }
    return n > 0 ? sum / n : 0;
}

static void judge(velocity_job *j, size_t i)
{
    double at = floor(j->events[i].time / hop_seconds);
    size_t band = j->bands[j->events[i].kind];
    double after = mean_energy(j, band, at - 1, at + AFTER), before = mean_energy(j, band, at - BEFORE, at - CALM + 1);
    j->levels[i] = 10 * log10(fmax(after - before, least_risen * after) + floor_energy);
}

static void end_frame(velocity_job *j)
{
    for (size_t b = 0; b < BANDS; b++) {
        j->ring[j->frame % RING][b] = j->energy[b];
        j->energy[b] = 0;
    }
    j->frame++;
    j->held = 0;
    while (j->next < j->n && j->events[j->next].time / hop_seconds + AFTER < (double)j->frame)
        judge(j, j->next++);
}

static void take(velocity_job *j, const float *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t b = 0; b < BANDS; b++) {
            float high, unused;
            (void)lc_two_pole_run(&j->highs[b], samples[i] + 1e-20f, &high);
            float x = lc_two_pole_run(&j->lows[b], high, &unused);
            j->energy[b] += (double)x * (double)x;
        }
        if (++j->held == HOP)
            end_frame(j);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The level that a quarter of the strokes of a class exceed. */
static double reference_of(velocity_job *j, size_t kind)
{
    size_t n = 0;
    for (size_t i = 0; i < j->n; i++)
        if (j->events[i].kind == kind)
            j->sorted[n++] = j->levels[i];
    if (n > 0)
        qsort(j->sorted, n, sizeof *j->sorted, compare);
    return n > 0 ? j->sorted[3 * n / 4] : 0;
}

static void set_velocities(velocity_job *j, size_t kind)
{
    double reference = reference_of(j, kind);
    for (size_t i = 0; i < j->n; i++)
        if (j->events[i].kind == kind) {
            double velocity = usual * pow(10, (j->levels[i] - reference) / 40);
            j->notes[i] = (lc_note){j->events[i].time + 0.05, fmin(fmax(round(velocity), 1), 127)};
        }
}

static loco_status run(velocity_job *j, lc_sound *sound, const char *const *classes, size_t K, loco_err *err)
{
    float samples[CHUNK];
    size_t got = 1;
    for (size_t k = 0; k < K; k++)
        j->bands[k] = band_of(lc_drum_find(classes[k]));
    for (size_t b = 0; b < BANDS; b++) {
        j->highs[b] = lc_two_pole_at(corners[b][0], 0.7, LC_DRUM_RATE);
        j->lows[b] = lc_two_pole_at(corners[b][1], 0.7, LC_DRUM_RATE);
    }
    while (got > 0) {
        loco_status status = lc_sound_read(sound, samples, CHUNK, &got, err);
        if (status != LOCO_OK)
            return status;
        take(j, samples, got);
    }
    while (j->next < j->n)
        judge(j, j->next++);
    for (size_t k = 0; k < K; k++)
        set_velocities(j, k);
    return LOCO_OK;
}

loco_status lc_drum_velocities(lc_note *notes, lc_sound *sound, const loco_event *events, size_t n,
                               const char *const *classes, size_t classes_len, loco_err *err)
{
    velocity_job j = {.notes = notes, .events = events, .n = n};
    if (!lc_drum_classes(classes, classes_len))
        return lc_err_set(err, LOCO_EARG, "velocities of drums need classes with names of drums, such as kick");
    for (size_t i = 0; i < n; i++)
        if (events[i].kind >= classes_len)
            return lc_err_set(err, LOCO_EARG, "event %zu is of class %zu; there are %zu", i, events[i].kind,
                              classes_len);
    j.bands = calloc(classes_len, sizeof *j.bands);
    j.levels = calloc(n + 1, sizeof *j.levels);
    j.sorted = calloc(n + 1, sizeof *j.sorted);
    loco_status status = j.bands == NULL || j.levels == NULL || j.sorted == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu strokes", n)
                             : run(&j, sound, classes, classes_len, err);
    free(j.bands);
    free(j.levels);
    free(j.sorted);
    return status;
}

/* SPDX-License-Identifier: MIT
 * notes.c - velocity and end of notes: one pass over the sound, frame by frame.
 *
 * A frame is 2048 samples around t * 10 ms. Spectra of the last frames are kept in a ring, for what was there before an
 * onset; of each pitch at most one note sounds, so that there are 128 places for notes that have no end yet. */
#include "detect/notes.h"

#include "base/status.h"
#include "events/pitches.h"
#include "signal/fft.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 2048,
    BINS = WINDOW / 2 + 1,
    HOP = 160,
    PARTIALS = 6, /* of the attack */
    HELD = 3,     /* of them, by which the end is found */
    AROUND = 4,   /* frames from before an onset to it, and from it to after it */
    RING = 2 * AROUND + 1,
    FALL = 6,     /* frames within which a damper is seen */
    SURE = 5,     /* frames that every note lasts */
    PEAK = 9,     /* frames after an onset in which a note is loudest */
    LOW = 192,    /* bins of the bands of the hammer: 1.5 to 4 kHz, */
    MIDDLE = 512, /* and to 8 */
    HIGH = 1024,
    KNOCK = 1, /* frames from an onset on, and before it, between which the hammer rises */
    CALM = 3
};

static const double longest = 8;                           /* seconds */
static const double dropped = 25, damped = 3.6;            /* dB: below the peak; within FALL frames */
static const double floor_power = 1e-12;                   /* of a sine of full scale */
static const double least_own = 0.05, least_hammer = 0.02; /* part of the power that counts as risen */
static const double own_weight = 0.52, hammer_weight = 0.24, octave_weight = 3.87, square_weight = 0.89;
static const double middle_velocity = 64;
static const double hop_seconds = (double)HOP / LC_NOTES_RATE;

/* A note whose end is not known yet. */
typedef struct sounding {
    bool on, struck; /* struck: its score is known */
    size_t event, frame;
    double peak, levels[FALL]; /* dB; level of frame t at t % FALL */
} sounding;

typedef struct notes_job {
    lc_note *notes;
    const loco_event *events;
    size_t n, next; /* events before next have begun */
    const unsigned *pitches;
    lc_sound *sound;
    lc_fft *fft;
    float *samples; /* what the next frames need */
    float *power;   /* of the frames of one transform */
    float *ring;    /* (RING, BINS), frame t in row t % RING */
    double *scores; /* (n) */
    size_t held;    /* samples in `samples` */
    size_t frame;   /* that is read */
    lc_band partials[LC_PITCHES][PARTIALS];
    sounding places[LC_PITCHES];
} notes_job;

/* ---- bands ---- */

/* length 0: above the highest frequency. */
static lc_band partial_of(unsigned pitch, unsigned h)
{
    double f0 = 440 * exp2((pitch - 69.0) / 12), stiff = fmax(1e-4, 3e-4 * exp2((pitch - 60.0) / 9));
    double bin = h * f0 * sqrt(1 + stiff * h * h) * WINDOW / LC_NOTES_RATE, reach = fmax(1, 0.012 * bin);
    double first = floor(bin - reach + 0.5), last = floor(bin + reach + 0.5);
    return last < BINS - 2 ? (lc_band){(size_t)fmax(1, first), (size_t)(last - fmax(1, first)) + 1} : (lc_band){0, 0};
}

static double power_in(const float *spectrum, lc_band band)
{
    double sum = 0;
    for (size_t k = band.first; k < band.first + band.length; k++)
        sum += (double)spectrum[k];
    return sum;
}

static const float *spectrum_at(const notes_job *j, size_t frame)
{
    return j->ring + frame % RING * BINS;
}

static double decibel(double power)
{
    return 10 * log10(power + floor_power);
}

/* ---- velocity ---- */

static double risen(double before, double after, double least)
{
    return fmax(after - before, least * after);
}

static double power_before(const notes_job *j, size_t onset, size_t frames, lc_band band)
{
    return onset >= frames ? power_in(spectrum_at(j, onset - frames), band) : 0;
}

/* Of a note that is cut short, `after` is the frame that is read. */
static double score_of(const notes_job *j, unsigned pitch, size_t onset)
{
    static const lc_band hammers[] = {
        {LOW,    MIDDLE - LOW },
        {MIDDLE, HIGH - MIDDLE}
    };
    const float *after = spectrum_at(j, j->frame), *knock = spectrum_at(j, j->frame > onset ? onset + KNOCK : j->frame);
    double own = 0, hammer = 0, octave = (pitch - 60.0) / 12;
    for (size_t h = 0; h < PARTIALS; h++) {
        lc_band band = j->partials[pitch][h];
        own += risen(power_before(j, onset, AROUND, band), power_in(after, band), least_own);
    }
    for (size_t b = 0; b < 2; b++)
        hammer += decibel(risen(power_before(j, onset, CALM, hammers[b]), power_in(knock, hammers[b]), least_hammer));
    return own_weight * decibel(own) + hammer_weight * hammer + octave_weight * octave +
           square_weight * octave * octave;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Scores become velocities; sorts the scores, of which velocities no longer need the order. */
static void set_velocities(notes_job *j)
{
    for (size_t i = 0; i < j->n; i++)
        j->notes[i].velocity = j->scores[i];
    if (j->n > 0)
        qsort(j->scores, j->n, sizeof *j->scores, compare);
    for (size_t i = 0; i < j->n; i++)
        j->notes[i].velocity = fmin(fmax(round(middle_velocity + j->notes[i].velocity - j->scores[j->n / 2]), 1), 127);
}

/* ---- ends ---- */

static void strike(notes_job *j, unsigned pitch)
{
    sounding *s = &j->places[pitch];
    j->scores[s->event] = score_of(j, pitch, s->frame);
    s->struck = true;
}

static void finish(notes_job *j, unsigned pitch, double end)
{
    sounding *s = &j->places[pitch];
    if (!s->struck)
        strike(j, pitch);
    j->notes[s->event].end = fmax(end, j->events[s->event].time);
    s->on = false;
}

/* The next frame of a note. Its level FALL frames ago is judged, when what follows is known. */
static void follow(notes_job *j, unsigned pitch)
{
    sounding *s = &j->places[pitch];
    double sum = 0, past = s->levels[j->frame % FALL], at = (double)j->frame * hop_seconds;
    for (size_t h = 0; h < HELD; h++)
        sum += power_in(spectrum_at(j, j->frame), j->partials[pitch][h]);
    double level = decibel(sum);
    size_t age = j->frame - s->frame;
    s->levels[j->frame % FALL] = level;
    if (age >= 1 && age <= PEAK)
        s->peak = fmax(s->peak, level);
    if (age == AROUND)
        strike(j, pitch);
    if (age >= SURE + FALL && past < s->peak - dropped)
        finish(j, pitch, at - FALL * hop_seconds);
    else if (age >= SURE + FALL && level - past < -damped)
        finish(j, pitch, at - FALL * hop_seconds / 2);
    else if (at - j->events[s->event].time >= longest)
        finish(j, pitch, at);
}

/* A new note ends the one of its pitch that still sounds. */
static void begin(notes_job *j, size_t event)
{
    unsigned pitch = j->pitches[j->events[event].kind];
    if (j->places[pitch].on)
        finish(j, pitch, j->events[event].time);
    j->places[pitch] = (sounding){.on = true, .event = event, .frame = j->frame, .peak = -INFINITY};
}

static void take(notes_job *j)
{
    while (j->next < j->n && round(j->events[j->next].time / hop_seconds) <= (double)j->frame)
        begin(j, j->next++);
    for (unsigned pitch = 0; pitch < LC_PITCHES; pitch++)
        if (j->places[pitch].on)
            follow(j, pitch);
}

/* ---- the sound ---- */

/* Samples for `lanes` frames, zeros behind the end of the sound. *whole: no sample came. */
static loco_status fill(notes_job *j, size_t wanted, bool *whole, loco_err *err)
{
    size_t got = 1, before = j->held;
    while (got > 0 && j->held < wanted) {
        loco_status status = lc_sound_read(j->sound, j->samples + j->held, wanted - j->held, &got, err);
        if (status != LOCO_OK)
            return status;
        j->held += got;
    }
    memset(j->samples + j->held, 0, (wanted - j->held) * sizeof *j->samples);
    *whole = j->held == before && j->held <= WINDOW / 2;
    return LOCO_OK;
}

/* Frames of one transform; the last ones of a sound reach behind its end. */
static void transform(notes_job *j, size_t lanes)
{
    size_t used = j->held < HOP * lanes ? j->held : HOP * lanes;
    lc_fft_power(j->fft, j->samples, HOP, lanes, j->power);
    for (size_t l = 0; l < lanes; l++, j->frame++) {
        float *row = j->ring + j->frame % RING * BINS;
        for (size_t k = 0; k < BINS; k++)
            row[k] = j->power[k * lanes + l];
        take(j);
    }
    j->held -= used;
    memmove(j->samples, j->samples + used, j->held * sizeof *j->samples);
}

/* Events that are behind the end, or sound there. */
static void close_all(notes_job *j)
{
    double end = (double)j->frame * hop_seconds;
    j->frame -= j->frame > 0;
    while (j->next < j->n)
        begin(j, j->next++);
    for (unsigned pitch = 0; pitch < LC_PITCHES; pitch++)
        if (j->places[pitch].on)
            finish(j, pitch, end);
}

static loco_status run(notes_job *j, loco_err *err)
{
    size_t lanes = lc_fft_lanes(j->fft), wanted = WINDOW + HOP * (lanes - 1);
    bool whole = false;
    j->held = WINDOW / 2; /* zeros: the first frame lies around the first sample */
    while (!whole) {
        loco_status status = fill(j, wanted, &whole, err);
        if (status != LOCO_OK)
            return status;
        if (!whole)
            transform(j, lanes);
    }
    close_all(j);
    set_velocities(j);
    return LOCO_OK;
}

static loco_status make(notes_job *j, loco_err *err)
{
    float window[WINDOW];
    for (size_t i = 0; i < WINDOW; i++)
        window[i] = (float)((0.5 - 0.5 * cos(2 * acos(-1) * ((double)i + 0.5) / WINDOW)) * 4 / WINDOW);
    for (unsigned pitch = 0; pitch < LC_PITCHES; pitch++)
        for (unsigned h = 0; h < PARTIALS; h++)
            j->partials[pitch][h] = partial_of(pitch, h + 1);
    j->samples = calloc(WINDOW + (size_t)HOP * LC_SPECTRUM_LANES, sizeof *j->samples);
    j->power = calloc((size_t)BINS * LC_SPECTRUM_LANES, sizeof *j->power);
    j->ring = calloc((size_t)RING * BINS, sizeof *j->ring);
    j->scores = calloc(j->n + 1, sizeof *j->scores);
    if (j->samples == NULL || j->power == NULL || j->ring == NULL || j->scores == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu notes", j->n);
    return lc_fft_new(&j->fft, WINDOW, window, WINDOW, BINS, err);
}

loco_status lc_notes_measure(lc_note *notes, lc_sound *sound, const loco_event *events, size_t n,
                             const unsigned *pitches, loco_err *err)
{
    notes_job *j = calloc(1, sizeof *j);
    if (j == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu notes", n);
    j->notes = notes;
    j->sound = sound;
    j->events = events;
    j->n = n;
    j->pitches = pitches;
    loco_status status = make(j, err);
    if (status == LOCO_OK)
        status = run(j, err);
    free(j->samples);
    free(j->power);
    free(j->ring);
    free(j->scores);
    lc_fft_free(j->fft);
    free(j);
    return status;
}

loco_status lc_notes_of(lc_note *notes, lc_sound *sound, const loco_event *events, size_t n, const char *const *classes,
                        size_t classes_len, loco_err *err)
{
    unsigned *pitches = calloc(classes_len + 1, sizeof *pitches);
    if (pitches == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu classes", classes_len);
    loco_status status = LOCO_OK;
    for (size_t k = 0; status == LOCO_OK && k < classes_len; k++)
        if (!lc_pitch_of(&pitches[k], classes[k]))
            status = lc_err_set(err, LOCO_EARG, "class \"%.60s\" is not a pitch, a number from 0 to 127", classes[k]);
    if (status == LOCO_OK)
        status = lc_notes_measure(notes, sound, events, n, pitches, err);
    free(pitches);
    return status;
}

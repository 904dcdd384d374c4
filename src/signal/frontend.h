/* SPDX-License-Identifier: MIT
 * frontend.h - samples into frames for a network, described by one line that begins with the front end's name:
 *
 *     mel rate=22050 window=1024 hop=220 fft=1024 ...      log-mel spectra of sound     front_mel.c
 *     pitch rate=16000 window=8192 hop=256 ...             spectra in log frequency     front_pitch.c
 *     series rate=120 channels=1 hop=2 low=0.7 ...         recordings of sensors        front_series.c
 *     image cell=4 width=256 channels=1 ...                rows of pixels               image/front_image.c
 *     windows size=32 ...                                  windows along a curve        image/front_windows.c
 *
 * A front end is one const table of functions, lc_front_ops, and one line in lc_fronts (frontend.c). Other folders ask
 * for facts (columns, limits, how to draw a frame) and never for the name: docs/map.md says how to add one.
 *
 *     lc_frontend_settings s;
 *     if (lc_frontend_parse(&s, "mel rate=22050 hop=220", err) != LOCO_OK) ...
 *     if (lc_frontend_new(&front, &s, err) != LOCO_OK) ...
 *     T = lc_frontend_push(front, samples, n, frames);          frames has room for lc_frontend_most(front, n)
 *     T += lc_frontend_finish(front, frames + T * F * C);
 *
 * Samples are (n, inputs), interleaved. A frame is (F, C), channels innermost; frame t belongs to sample t * hop, and N
 * samples have ceil(N / hop) frames. Frames do not depend on the sizes of the blocks in which samples arrive, not in
 * the last bit. */
#ifndef LC_SIGNAL_FRONTEND_H
#define LC_SIGNAL_FRONTEND_H

#include "base/settings.h"
#include "base/text.h"
#include "signal/sound.h"

#include <stdbool.h>

typedef struct lc_front_ops lc_front_ops;

typedef enum lc_shape { LC_SHAPE_HANN, LC_SHAPE_HAMMING } lc_shape;
typedef enum lc_delta { LC_DELTA_NONE, LC_DELTA_CHANNEL, LC_DELTA_STACKED } lc_delta;
typedef enum lc_norm { LC_NORM_FIXED, LC_NORM_RECORD, LC_NORM_RUNNING } lc_norm;

enum { LC_FRONT_LEAD = 60 }; /* seconds, at most */

/* What is measured of a whole recording: mean and standard deviation of each channel behind the filters; of pitched sound
 * mean[0], the semitones by which it is higher than a = 440 Hz. */
typedef struct lc_scale {
    double mean[LC_SOUND_CHANNELS], spread[LC_SOUND_CHANNELS];
} lc_scale;

/* The settings of all front ends; each uses rate, hop and what its keys name. */
typedef struct lc_frontend_settings {
    const lc_front_ops *ops;
    double rate;             /* Hz */
    size_t window, hop, fft; /* samples */
    size_t window2, window3; /* more windows beside the first one; 0: none */
    size_t ahead;            /* samples after its time that a frame reads at most; 0: no limit */
    size_t bands;
    size_t octave;    /* bands of an octave; 0: even in mel */
    double low, high; /* Hz */
    lc_shape shape;
    double emphasis; /* sample - emphasis * sample before */
    double gain;     /* dB */
    double floor, shift, scale;
    lc_delta delta;
    double delta_scale;
    double adapt;     /* seconds, 0: none */
    size_t channels;  /* of the input, where they stay separate; of an image: of a pixel */
    size_t width;     /* pixels of a row of an image */
    size_t views;     /* of an image, that are counted in, for their mean */
    size_t magnitude; /* 1: of all channels one value is made, the root of the sum of their squares */
    lc_norm norm;
    lc_scale usual; /* with measure: scale=fixed. Not in the line; a spread of 0, the initial value, is read as 1 */
    char columns[LC_COLUMNS_BYTES]; /* names of the channels, "ax,ay"; "": as they come. Not in the line */
} lc_frontend_settings;

/* ---- what a front end is ---- */

/* Where events are when their times are not known: at the steepest place, at the top of a pulse or the loudest moment of a
 * sound, or in their middle. The onset is the steepest place by another name. */
typedef enum lc_anchor {
    LC_ANCHOR_RISE,
    LC_ANCHOR_PEAK,
    LC_ANCHOR_CENTRE,
    LC_ANCHOR_ONSET,
    LC_ANCHOR_WORD,
    LC_ANCHORS
} lc_anchor;

/* How much happens at each moment: value i, >= 0, belongs to the time i * hop. Free the values. */
typedef struct lc_strength {
    float *values;
    size_t len;
    double hop; /* seconds */
} lc_strength;

/* What is known of the recordings when a training is planned. */
typedef struct lc_front_data {
    double lowest, highest; /* sample rates, Hz */
    size_t channels;
    double turn;        /* degrees, the largest angle between the gravity of two recordings; 0: there is none */
    const char *preset; /* of the training, or the line of a front end that the user set; NULL: neither */
} lc_front_data;

/* Seconds of recordings that are used at most: in a batch, by `loco calibrate`, by calibration at the end of training. */
typedef struct lc_front_limits {
    double batch, calibrate, trained;
} lc_front_limits;

/* How a page shades frames: values of the first `rows` rows, from low to low + range. */
typedef struct lc_front_shades {
    size_t rows; /* 0: not at all */
    double low, range;
} lc_front_shades;

typedef struct lc_front_preset {
    const char *name, *line;
} lc_front_preset;

/* s: the settings. state: `state` bytes of zeros, of one lc_frontend. What may be NULL says what then holds. */
struct lc_front_ops {
    lc_settings_kind line;          /* its name and keys; rate and hop are among them */
    const lc_front_preset *presets; /* ended by {NULL, NULL}; NULL: none */

    /* Settings. complete: what a line left open. check: keys that depend on each other, after the range of each. fit:
     * to the data of a training, before the user's own settings; notes gets a line for each thing that the user should
     * know. All may be NULL. */
    void (*complete)(lc_frontend_settings *s);
    loco_status (*check)(const lc_frontend_settings *s, loco_err *err);
    loco_status (*fit)(lc_frontend_settings *s, const lc_front_data *data, lc_text *notes, loco_err *err);

    /* Sizes. */
    size_t (*bins)(const lc_frontend_settings *s);        /* F; NULL: 1 */
    size_t (*channels)(const lc_frontend_settings *s);    /* C; NULL: 1 */
    size_t (*places)(const lc_frontend_settings *s);      /* of a frame, that have outputs of their own; NULL: 1 */
    size_t (*cell)(const lc_frontend_settings *s);        /* of an image: pixels from place to place; NULL: hop */
    lc_columns (*columns)(const lc_frontend_settings *s); /* as lc_frontend_columns; NULL: the input is mixed to mono */
    double (*lead)(const lc_frontend_settings *s);        /* as lc_frontend_lead; NULL: 0 */
    double (*tail)(const lc_frontend_settings *s);        /* as lc_frontend_tail; NULL: 0 */
    size_t (*delay)(const lc_frontend_settings *s);       /* as lc_frontend_delay; NULL: hop - 1 */
    bool (*wants_scale)(const lc_frontend_settings *s);   /* as lc_frontend_wants_scale; NULL: no */
    double (*top)(const lc_frontend_settings *s);         /* as lc_frontend_top; NULL: 0 */

    /* Frames. open: s has passed the checks; it may keep a copy of s; after a failure close is called as well. reset
     * follows. open and close may be NULL, measure, measured and rescale all three. */
    size_t state;
    loco_status (*open)(void *state, const lc_frontend_settings *s, loco_err *err);
    void (*close)(void *state);
    void (*reset)(void *state);
    size_t (*push)(void *state, const float *samples, size_t n, float *frames);
    size_t (*finish)(void *state, float *frames); /* and reset */
    void (*measure)(void *state, const float *samples, size_t n);
    void (*measured)(void *state, lc_scale *scale);
    void (*rescale)(void *state, const lc_scale *scale);

    /* Training. */
    bool sound;   /* the input is sound: it may be stretched, coloured and mixed, and events snap to onsets */
    bool picture; /* the input is an image: time is the row, in pixels */
    bool pitched; /* bins are pitches: what changes the pitch of the sound would change the class */
    void (*transpose)(const lc_frontend_settings *s, float *frame, long semitones); /* see lc_frontend_transpose */
    bool long_frames;       /* the default decoding is widened to whole frames */
    lc_front_limits limits; /* 0: as for sound */

    /* Calibration. strength, NULL: that of sound (sound_strength.h). anchors: what the offset is measured by, in words, by
     * lc_anchor; NULL: "sound", and so on. */
    loco_status (*strength)(lc_strength *strength, const lc_frontend_settings *s, lc_anchor anchor,
                            const float *samples, size_t n, loco_err *err);
    const char *anchors[LC_ANCHORS];
    double lag_step; /* seconds of a step when the offset is searched; 0: 1 ms */
    bool faint;      /* thresholds below 0.1 are tried */

    /* Pictures. A clip is drawn as `rows` rows of values, the lowest first; NULL: the F bins, their first channel. shades:
     * how a page draws frames; NULL: it does not. curve: what a page draws at sample i of a frame in place of the input;
     * NULL: the input itself, which it can play. */
    size_t (*rows)(const lc_frontend_settings *s);
    double (*value)(const lc_frontend_settings *s, const float *frame, size_t row);
    lc_front_shades (*shades)(const lc_frontend_settings *s);
    float (*curve)(const lc_frontend_settings *s, const float *frame, size_t i);
};

/* All front ends, ended by NULL. */
extern const lc_front_ops *const lc_fronts[];

extern const lc_front_ops lc_front_mel, lc_front_pitch, lc_front_series, lc_front_image, lc_front_windows;

/* ---- settings ---- */

/* Reads a line. Keys may come in any order; those that are missing have their default. */
LOCO_MUST_USE loco_status lc_frontend_parse(lc_frontend_settings *settings, const char *line, loco_err *err);

/* Changes one setting: "hop=441". Whether all fit together, lc_frontend_check and lc_frontend_new find out. */
LOCO_MUST_USE loco_status lc_frontend_set(lc_frontend_settings *settings, const char *pair, loco_err *err);
LOCO_MUST_USE loco_status lc_frontend_check(const lc_frontend_settings *settings, loco_err *err);

/* Adapts the settings to the data of a training; appends a line to notes for each thing that the user should know. */
LOCO_MUST_USE loco_status lc_frontend_fit(lc_frontend_settings *settings, const lc_front_data *data, lc_text *notes,
                                          loco_err *err);

/* Appends the line with all keys; reading it gives the same settings. */
void lc_frontend_format(const lc_frontend_settings *settings, lc_text *text);

/* The line of a preset, or NULL: "drums", "drums-paper", "piano-paper", "piano", "piano-live", "series", "ecg". */
const char *lc_frontend_preset(const char *name);

size_t lc_frontend_bins(const lc_frontend_settings *settings);     /* F */
size_t lc_frontend_channels(const lc_frontend_settings *settings); /* C */
size_t lc_frontend_cell(const lc_frontend_settings *settings);     /* of an image: pixels from place to place */
size_t lc_frontend_places(
    const lc_frontend_settings *settings); /* of a frame: the cells of a row of an image; else 1 */

/* The channels of the input that must stay separate, for lc_sound_open_channels; n is 0 where they are mixed to mono. The
 * names are a view into the settings. */
lc_columns lc_frontend_columns(const lc_frontend_settings *settings);

/* Channels of the samples that are pushed: those of lc_frontend_columns, or 1. */
size_t lc_frontend_inputs(const lc_frontend_settings *settings);

/* Refuses a recording of sensors (by its ending) that has less than an eighth of the rate of a front end of sound: an
 * accelerometer at 50 Hz has nothing that such a model knows. Sound of any rate passes, and is not opened for this. */
LOCO_MUST_USE loco_status lc_frontend_check_file(const lc_frontend_settings *settings, const char *path, loco_err *err);

/* Hz up to which classes depend on the sound: recordings that do not reach so far deserve a notice; 0: they do not. */
double lc_frontend_top(const lc_frontend_settings *settings);

/* Whether the scale of the training data belongs to the settings. */
bool lc_frontend_has_scale(const lc_frontend_settings *settings);

/* Whether the scale of a recording should be measured before its frames are made: scale=record, tuning=record. */
bool lc_frontend_wants_scale(const lc_frontend_settings *settings);

/* Seconds of input that must precede the context of a clip until filters and a running scale have settled. */
double lc_frontend_lead(const lc_frontend_settings *settings);

/* Seconds of input that must follow the context of a clip, since long windows read them. */
double lc_frontend_tail(const lc_frontend_settings *settings);

/* Seconds of frame t, without drift. */
double lc_frontend_time(const lc_frontend_settings *settings, size_t t);

/* How many samples after sample t * hop frame t needs. */
size_t lc_frontend_delay(const lc_frontend_settings *settings);

lc_front_limits lc_frontend_limits(const lc_frontend_settings *settings);

/* What the input is, for sentences: "recordings", or "images". */
const char *lc_frontend_things(const lc_frontend_settings *settings);

/* How much happens at each moment of n samples, without any training: calibration compares detections with it. */
LOCO_MUST_USE loco_status lc_frontend_strength(lc_strength *strength, const lc_frontend_settings *settings,
                                               lc_anchor anchor, const float *samples, size_t n, loco_err *err);

/* What lc_frontend_strength looked at, in words: "sound", "slope of the series". */
const char *lc_frontend_anchor(const lc_frontend_settings *settings, lc_anchor anchor);

/* Rows of a picture of frames, and the value of a row of a frame. */
size_t lc_frontend_rows(const lc_frontend_settings *settings);
double lc_frontend_value(const lc_frontend_settings *settings, const float *frame, size_t row);
lc_front_shades lc_frontend_shades(const lc_frontend_settings *settings);

/* Moves the bins of a frame by so many semitones, as if higher or lower notes had been played; bins that nothing moves to
 * become silent. lc_frontend_transposes: whether a front end can do so. */
void lc_frontend_transpose(const lc_frontend_settings *settings, float *frame, long semitones);
bool lc_frontend_transposes(const lc_frontend_settings *settings);

/* ---- frames ---- */

typedef struct lc_frontend lc_frontend;

LOCO_MUST_USE loco_status lc_frontend_new(lc_frontend **frontend, const lc_frontend_settings *settings, loco_err *err);
void lc_frontend_free(lc_frontend *frontend);

/* The most frames that a push of so many samples can give; lc_frontend_most(fe, 0) for the finish. */
size_t lc_frontend_most(const lc_frontend *frontend, size_t samples);

/* Takes n samples, and writes the frames that are complete with them; how many. Nothing is allocated. */
size_t lc_frontend_push(lc_frontend *frontend, const float *samples, size_t n, float *frames);

/* Writes the frames that are left, and resets. */
size_t lc_frontend_finish(lc_frontend *frontend, float *frames);

/* The scale of a recording: measure takes all of its samples, in blocks; measured gives the result and resets; rescale
 * sets the scale for what is pushed from now on, NULL: that of the settings. They do nothing where a front end has no such
 * functions. */
void lc_frontend_measure(lc_frontend *frontend, const float *samples, size_t n);
void lc_frontend_measured(lc_frontend *frontend, lc_scale *scale);
void lc_frontend_rescale(lc_frontend *frontend, const lc_scale *scale);

/* Forgets all samples: the next one is number 0. The scale stays. */
void lc_frontend_reset(lc_frontend *frontend);

#endif

/* SPDX-License-Identifier: MIT
 *
 * drums.h - synthetic drum recordings, with the exact time of every event.
 *
 * Recording `index` of a set is a function of the settings and the index alone; classes are 0 kick, 1 snare, 2 hi-hat.
 * Every recording has a kit, a player, a mix and a room of its own.
 */
#ifndef LC_STUDIO_SYNTH_DRUMS_H
#define LC_STUDIO_SYNTH_DRUMS_H

#include "base/pool.h"
#include "loco.h"
#include "studio/studio.h"

#include <stdbool.h>

typedef struct lc_synth_settings {
    unsigned rate;    /* 8000 .. 192000 samples a second */
    double seconds;   /* 0.1 .. 3600 */
    uint64_t seed;    /* of the set */
    bool unseen;      /* kits that no set without this flag has (kit.h) */
    bool distractors; /* also toms, claps, cymbals and others that no class counts */
} lc_synth_settings;

enum { LC_SYNTH_CLASSES = 3, LC_SYNTH_COLUMNS = 7 /* of drums */, LC_SYNTH_MOST = 128 /* of anything */ };

/* Shortest and longest clip of a set, in seconds: networks learn fastest from counts of about half a second. */
#define LC_SYNTH_SHORTEST 0.4
#define LC_SYNTH_LONGEST 0.8

/* Options as the caller's version of the struct has them, with defaults in the place of zeros. */
LOCO_MUST_USE loco_status lc_synth_options_read(studio_synth_options *own, const studio_synth_options *given,
                                                loco_err *err);

/* "kick", "snare", "hihat", and what is counted where others have columns of their own: "tom", "cymbal", "hand",
 * "shaker", in the order of lc_part_group. */
const char *lc_synth_class(size_t class);

LOCO_MUST_USE loco_status lc_synth_check(const lc_synth_settings *settings, loco_err *err);

/* samples (n of them, mono, peak -12 .. -1 dBFS unless there is no stroke) and events (by time) are freed by the
 * caller. The stroke of every event peaks within about 36 dB of the loudest, no other of its class sounds less than 30
 * ms before it, and none begins in the last 50 ms. Under a loud drum a soft one may still be masked, as in life. */
LOCO_MUST_USE loco_status lc_synth_drums(const lc_synth_settings *settings, size_t index, float **samples, size_t *n,
                                         loco_event **events, size_t *events_len, loco_err *err);

/* Writes a data set: folder/rec_000.wav .. (16 bit), events.csv, and last counts.csv, whose rows are consecutive clips
 * of clip_shortest .. clip_longest seconds. The folder is made if missing; one that holds a counts.csv is refused. */
LOCO_MUST_USE loco_status lc_synth_save(const char *folder, const lc_synth_settings *settings, size_t recordings,
                                        double clip_shortest, double clip_longest, loco_err *err);

/* What makes recording `index` of a set, as lc_synth_drums does; called by several threads at once. */
typedef loco_status lc_synth_maker(const void *context, size_t index, float **samples, size_t *n, loco_event **events,
                                   size_t *events_len, loco_err *err);

typedef struct lc_synth_job {
    lc_synth_settings settings;
    size_t recordings;
    size_t classes;                     /* columns, up to LC_SYNTH_MOST; 0: LC_SYNTH_CLASSES */
    const char *const *names;           /* of the classes; NULL: those of drums, lc_synth_class */
    bool velocities;                    /* events.csv has a column for them: 127 times the probability of an event */
    double clip_shortest, clip_longest; /* s */
    lc_synth_maker *make;
    const void *context; /* of make */
    lc_pool *pool;       /* NULL: the caller's thread alone; the set is the same for any number of threads */
    const char *sources; /* text for sources.txt; NULL: no such file */
    bool (*progress)(void *context, size_t done, size_t all); /* may be NULL; false: stop */
    void *progress_context;
} lc_synth_job;

/* The same from any maker. Stopped by progress: LOCO_EIO, and no counts.csv. */
LOCO_MUST_USE loco_status lc_synth_write(const char *folder, const lc_synth_job *job, loco_err *err);

#endif

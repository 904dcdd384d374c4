/* SPDX-License-Identifier: MIT
 *
 * dataset.h - a data set: recordings, clips of them with counts of each class, and, where known, the events.
 *
 * counts.csv, one row a clip:
 *     file,start,end,kick,snare
 *     take1.wav,0,2.5,3,2..5        a count is a label: 3, 2..5, >=1, <=4, ? or nothing for unknown
 *     take2.wav,,,4,>=1             the whole file
 * Of images, a rectangle in pixels may stand in place of start and end:
 *     file,x0,y0,x1,y1,cell
 *     field1.png,0,0,128,64,17      x0 <= x < x1, y0 <= y < y1
 *     field2.png,,,,,112            the whole image
 * A column `kick+snare` holds the count of both together. Its classes need no column of their own.
 * Files are relative to the folder of counts.csv. start and end, in seconds, may be missing. Every other column is a
 * class. Events come from events.csv in the same folder, or from label tracks and MIDI files beside the recordings
 * (events/event_list.h).
 */
#ifndef LC_DATA_DATASET_H
#define LC_DATA_DATASET_H

#include "base/store.h"
#include "base/text.h"
#include "count/sum.h"
#include "events/event_list.h"
#include "loco.h"
#include "model/fold.h"

#include <stdbool.h>

enum {
    LC_COUNT_MOST = 1000000,  /* a larger count of a clip is a mistake */
    LC_LABELS_MOST = 1 << 27, /* clips times classes and sums */
    LC_MEMBERS_MOST = 1 << 14 /* classes of all sums together */
};

typedef struct lc_recording {
    const char *name; /* as counts.csv has it */
    const char *path;
    bool timed;               /* its events are known, even if there are none */
    const loco_event *events; /* in order of time */
    size_t events_len;
    lc_event_origin origin; /* of the events; zero where it is not known */
} lc_recording;

typedef struct lc_clip {
    size_t recording;
    double start, end;        /* seconds, or rows of an image; end is INFINITY when it is that of the recording */
    const loco_label *labels; /* one for each class, and one for each sum behind them */
    size_t row;               /* its line in counts.csv, from 1; 0: not from there */
    double left, right;       /* of a rectangle in an image: left <= x < right; both 0: the whole width */
} lc_clip;

typedef struct lc_dataset {
    const char *where; /* counts.csv, or the folder of a set without it */
    const char *const *classes;
    size_t classes_len;
    const lc_sum *sums; /* columns of several classes together */
    size_t sums_len;
    const lc_recording *recordings;
    size_t recordings_len;
    const lc_clip *clips; /* none when the set has events alone */
    size_t clips_len;
    lc_store owns;       /* all of the above but the events; zero in a set that a caller puts together */
    lc_event_list *list; /* owns the events; may be NULL */
    bool places;         /* its events have places, or its clips are rectangles: the recordings are images */
} lc_dataset;

/* path is a folder or a counts.csv. A folder without counts.csv gives its recordings with events, and no clips. */
LOCO_MUST_USE loco_status lc_dataset_load(lc_dataset **set, const char *path, loco_err *err);

/* The same, where the classes are known: a set with events alone has no order of its own, and notes in MIDI files no
 * names. A counts.csv still says its own. */
LOCO_MUST_USE loco_status lc_dataset_load_for(lc_dataset **set, const char *path, const char *const *classes,
                                              size_t classes_len, loco_err *err);
void lc_dataset_free(lc_dataset *set);

/* Puts classes together: the set has those of fold, which must outlive it. Columns of several classes are dropped. After
 * an error the set can only be freed. */
LOCO_MUST_USE loco_status lc_dataset_fold(lc_dataset *set, const lc_fold *fold, loco_err *err);

/* Reads the bytes of a counts.csv alone: no file is looked for, no events. where is its path. */
LOCO_MUST_USE loco_status lc_counts_parse(lc_dataset **set, const char *where, const char *text, size_t length,
                                          loco_err *err);
/* The same from the file itself. */
LOCO_MUST_USE loco_status lc_counts_load(lc_dataset **set, const char *path, loco_err *err);

/* Seconds that an event may lie beyond the end of its recording: times are rounded, and sounds are cut. */
#define LC_EVENT_LATE 0.1

/* LOCO_EDATA when a clip or an event lies beyond the end of its recording; seconds of each recording. Ends of clips may
 * be up to 10 ms late, for people round, and events LC_EVENT_LATE. */
LOCO_MUST_USE loco_status lc_dataset_check_lengths(const lc_dataset *set, const double *seconds, loco_err *err);

/* The same for the events of one recording, which lasts so many seconds. */
LOCO_MUST_USE loco_status lc_dataset_check_events(const lc_dataset *set, size_t recording, double seconds,
                                                  loco_err *err);

/* Milliseconds, which are enough for a sentence: `12.500`, with a point in every locale. */
typedef struct lc_time_shown {
    char text[32];
} lc_time_shown;

lc_time_shown lc_time_show(double seconds);

/* How recordings are cut into clips. */
typedef struct lc_cut {
    const double *seconds;    /* of each recording */
    double shortest, longest; /* seconds of a clip; 0.001 <= shortest <= longest */
    double margin;            /* seconds left out at both ends of a recording; 0: none */
    uint64_t seed;
} lc_cut;

/* Makes a set with the same recordings, and clips side by side in those that are timed: of random lengths, with the
 * exact counts of the events in start <= time < end. At the end of a recording less than the shortest clip may be left
 * over. LOCO_EDATA when there is no clip at all. */
LOCO_MUST_USE loco_status lc_dataset_cut(lc_dataset **out, const lc_dataset *set, const lc_cut *cut, loco_err *err);

typedef enum lc_split {
    LC_SPLIT_BY_RECORDING,
    LC_SPLIT_ONE_RECORDING /* nothing is held: there is only one to choose from */
} lc_split;

/* Chooses about part (0 to 1) of the recordings that have clips, or of all in a set without clips: held[r] = 1. At
 * least one on each side, unless part is 0. The same seed chooses the same ones. */
lc_split lc_dataset_split(const lc_dataset *set, double part, uint64_t seed, uint8_t *held);

/* The name of a class or, from classes_len on, a sum. */
const char *lc_label_name(const lc_dataset *set, size_t number);

/* Whether a clip says anything about any count. */
bool lc_clip_says(const lc_dataset *set, const lc_clip *clip);

/* Appends sentences, each on its line, about counts that look like mistakes; nothing when all look well. */
void lc_dataset_advice(const lc_dataset *set, lc_text *text);

/* As counts.csv; times have 6 decimals. */
void lc_counts_format(lc_text *text, const lc_dataset *set);
LOCO_MUST_USE loco_status lc_dataset_save_counts(const char *path, const lc_dataset *set, loco_err *err);

#endif

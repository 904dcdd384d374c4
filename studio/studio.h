/* SPDX-License-Identifier: MIT
 *
 * studio.h - makes data sets: renders drums, pianos, digits and spots, and imports public data sets. A library of its own beside libloco;
 * programs that only train and detect do not need it. Statuses and errors are those of loco.h.
 *
 *     studio_synth_options options = {.size = sizeof options, .recordings = 8, .seed = 2};
 *     loco_err err;
 *     if (studio_synth_drums("drums-set", &options, &err) != LOCO_OK)
 *         fprintf(stderr, "%s\n", err.text);
 *
 * Functions take results first, then inputs, then options, then err, which may be NULL. Structs of options begin with
 * their size, so that they can grow; zero-initialise the rest for defaults, or pass NULL for all defaults. */
#ifndef STUDIO_STUDIO_H
#define STUDIO_STUDIO_H

#include <loco.h>

/* ---- synthetic drums ---- */

typedef struct studio_synth_options {
    size_t size;       /* sizeof this struct */
    size_t recordings; /* 1 to 100000; 0: 24 */
    double seconds;    /* of each recording; 0: 20 */
    uint64_t seed;     /* random seed */
    bool unseen;       /* a test set: timbres that no set without this option has */
    bool distractors;  /* also toms, claps, cymbals and others that no class counts */
} studio_synth_options;

/* Writes a data set of synthetic drums to a folder, which is made when missing: sound files, events.csv with all times,
 * and counts.csv with the counts of kick, snare and hihat in clips of 0.4 to 0.8 s. LOCO_EARG: the folder has a
 * counts.csv already, or an option is out of range. */
LOCO_MUST_USE loco_status studio_synth_drums(const char *folder, const studio_synth_options *options, loco_err *err);

/* Sources of sampled drums. Lists of paths are separated by colons; NULL: none. */
typedef struct studio_kit_options {
    size_t size;            /* sizeof this struct */
    const char *kits;       /* folders of Hydrogen drum kits, or kits */
    const char *soundfonts; /* .sf2 files, or folders of them: their drums, played by the command fluidsynth */
    const char *patterns;   /* a folder of MIDI files of drums; NULL: only grooves of our own */
    const char *held_out;   /* a file of rules about what is for unseen sets; NULL: a table of the kits in Debian */
    double synth;           /* part of the instruments that are synthesised, 0..1 */
    double background;      /* part of the recordings with other instruments, from the soundfonts, 0..1 */
    double ordinary;        /* part of the recordings as people record, 0..1; the others have more variety */
    unsigned rate;          /* sample rate, 8000 to 192000; 0: 22050 */
    unsigned threads;       /* 1 to 1024; 0: 2; the set is the same for any number */
    bool others;            /* columns for what no class counts: tom, cymbal, hand, shaker; needs distractors */
    bool (*progress)(void *context, size_t done, size_t all); /* after each recording; false: stop; NULL: none */
    void *context;                                            /* of progress */
    bool whole_kit; /* columns for all 16 drums of a kit, velocities in events.csv; needs distractors, not others */
} studio_kit_options;

/* The same with sampled drums; also sources.txt, which names kits and licences. Unseen sets use the kits, fonts and
 * patterns that are held out, all others never do. A rule of held_out is a line `test WORD` or `train WORD` about all
 * names with that word, in any case; the first match wins. Of names without a rule, a quarter is held out by a hash. */
LOCO_MUST_USE loco_status studio_synth_kits(const char *folder, const studio_synth_options *options,
                                            const studio_kit_options *kits, loco_err *err);

/* ---- synthetic pianos ---- */

/* Lists of paths are separated by colons; NULL: none. */
typedef struct studio_piano_options {
    size_t size;            /* sizeof this struct */
    const char *midi;       /* MIDI files, or folders of them; NULL: music of our own alone */
    const char *samples;    /* sampled pianos: .sfz files, or folders with some */
    const char *soundfonts; /* .sf2 files: their pianos, played by the command fluidsynth. Neither: those of Debian */
    const char *held_out;   /* a file of rules about MIDI files, as for kits; NULL: a quarter, by name */
    const char *classes;    /* pitches that are counted, "21-108" or "40,45,50-60"; others play; NULL: 21-108 */
    double tuning;          /* Hz of the a above middle c, 380 to 480; 0: 440 */
    unsigned rate;          /* sample rate, 8000 to 192000; 0: 22050 */
    unsigned threads;       /* 1 to 1024; 0: 2; the set is the same for any number */
    bool (*progress)(void *context, size_t done, size_t all); /* after each recording; false: stop; NULL: none */
    void *context;                                            /* of progress */
} studio_piano_options;

/* Writes a data set of a piano: sound files, events.csv with times, pitches and velocities, counts.csv with the count of
 * every pitch in clips of 0.4 to 0.8 s, and sources.txt, which names pianos, licences and MIDI files. Excerpts of the
 * MIDI files are transposed, faster or slower, louder or softer; pianos are detuned and recorded in many ways. Unseen
 * sets play the MIDI files that are held out, all others never do; pianos are those that are given. */
LOCO_MUST_USE loco_status studio_synth_piano(const char *folder, const studio_synth_options *options,
                                             const studio_piano_options *piano, loco_err *err);

/* ---- synthetic images ---- */

typedef struct studio_image_options {
    size_t size;          /* sizeof this struct */
    size_t images;        /* 1 to 1000000; 0: 24 */
    size_t width, height; /* pixels, 8 to 16384; 0: 128, and the width */
    size_t least, most;   /* objects of an image, each number as often; both 0: 1 to 4 digits, 1 to 20 spots */
    uint64_t seed;        /* random seed */
    bool unseen;          /* a test set: test digits, or spots of another random seed */
    unsigned threads;     /* 1 to 1024; 0: 2; the set is the same for any number */
    bool (*progress)(void *context, size_t done, size_t all); /* after some images; false: stop; NULL: none */
    void *context;                                            /* of progress */
} studio_image_options;

typedef struct studio_digits_options {
    size_t size;      /* sizeof this struct */
    const char *from; /* a folder with the files of MNIST, or one file of images, beside which its labels lie */
    double turn;      /* degrees, 0 to 180, by which digits are turned at most to either side */
    double scale;     /* share, 0 to 0.9, by which they are larger or smaller at most */
    double shear;     /* 0 to 2: by which they lean at most, to the side for each pixel upwards */
    bool each;        /* digits in the order of the file, each once before any twice; needs least = most */
} studio_digits_options;

/* Writes a data set of digits on black: images as PNG, events.csv with the middles of the digits' boxes, counts.csv with
 * a column for each of 0 to 9, and sources.txt. Boxes of digits do not overlap. Unseen sets have digits of the t10k files,
 * others of the train files. LOCO_EARG: the folder has a counts.csv already, or an option is out of range. */
LOCO_MUST_USE loco_status studio_synth_digits(const char *folder, const studio_image_options *options,
                                              const studio_digits_options *digits, loco_err *err);

typedef struct studio_spots_options {
    size_t size;                      /* sizeof this struct */
    double radius_least, radius_most; /* pixels, 0.5 to 1000; both 0: 3 to 7 */
} studio_spots_options;

/* The same with bright soft spots, as of cells under a fluorescence microscope: one class, spot. */
LOCO_MUST_USE loco_status studio_synth_spots(const char *folder, const studio_image_options *options,
                                             const studio_spots_options *spots, loco_err *err);

/* ---- import ---- */

typedef struct studio_import_options {
    size_t size;        /* sizeof this struct */
    const char *mix;    /* mdb: "drums", "full"; enst: "wet", "dry", "full" with accompaniment; NULL: the first */
    const char *labels; /* mdb: "class", "subclass"; NULL: the first */
    const char *map; /* "KD=kick,CY=cymbal": classes of labels, all others are left out; "all": the labels themselves;
                         * NULL: kick, snare and hihat; of ECG normal and pvc */
    double clip;     /* seconds of a clip of counts.csv, 0.01 to 3600; 0: 10 for ecg, 0.5 for maps and maestro */
    const char *classes; /* maps, maestro: pitches, "21-108" or "40,45,50-60", others are left out; NULL: 21-108 */
} studio_import_options;

typedef struct studio_import_result {
    size_t recordings, events;
    size_t left_out;        /* events of other classes */
    size_t skipped;         /* recordings without annotation */
    char first_skipped[48]; /* the name of the first of these */
} studio_import_result;

/* Makes a data set of a public one in its own layout: links to its sounds, and events.csv with strokes of drums; of
 * ECG and of pianos, events.csv and counts.csv with beats or notes, whose classes are pitches: "21" to "108". kind:
 * "mdb" MDB Drums, "enst" ENST-Drums, "idmt" IDMT-SMT-Drums, "ecg" records of WFDB, "maps" MAPS, "maestro" MAESTRO. from: the folder of the set; to: the new one, missing or empty. On failure nothing is written, and
 * result is untouched. */
LOCO_MUST_USE loco_status studio_import(studio_import_result *result, const char *kind, const char *from,
                                        const char *to, const studio_import_options *options, loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 *
 * loco.h - learn when events happen from how many happened.
 *
 * The whole public interface. A complete program:
 *
 *     #include <loco.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         double logits[] = {-4, 3, -4, -1, -4, 2, -4};   // log(p / (1 - p)) of an event in each frame
 *         double posterior[7], loss;
 *         loco_err err;
 *         loco_count *count;
 *         if (loco_count_new(&count, 1, &err) != LOCO_OK ||
 *             loco_count_loss(count, logits, 7, loco_label_exact(2), &loss, NULL, posterior, &err) != LOCO_OK) {
 *             fprintf(stderr, "%s\n", err.text);
 *             return 1;
 *         }
 *         printf("-log P(count = 2) = %.4f, event in frame 1 with probability %.3f\n", loss, posterior[1]);
 *         loco_count_free(count);
 *     }
 *
 * Model. Frame t holds an event with probability p_t = 1 / (1 + exp(-z_t)), z_t its logit, independently of the
 * other frames. The number of events Y is then Poisson-binomial, and everything here is exact for that
 * distribution: no sampling, no approximation, any length, any count.
 *
 * Ownership. The caller owns every array it passes; a handle owns what it made; nothing passed is kept after a call.
 * Errors. What can fail returns a loco_status, and writes one sentence to err when err is not NULL. On failure no
 * output has been touched. The library never prints, never exits, and has no global state.
 * Threads. A handle serves one caller at a time; different handles are independent. Results do not depend on
 * the number of threads, not in the last bit.
 */
#ifndef LOCO_H
#define LOCO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LOCO_API __attribute__((visibility("default")))
#define LOCO_MUST_USE __attribute__((warn_unused_result))
#else
#define LOCO_API
#define LOCO_MUST_USE
#endif

/* ---- status ---------------------------------------------------------------------------------------------- */

typedef enum loco_status {
    LOCO_OK = 0,
    LOCO_EARG,   /* an argument is wrong: a null pointer, a probability outside 0..1 */
    LOCO_EDATA,  /* the data are wrong: a NaN, a label that no count can meet, text that is no label */
    LOCO_ENOMEM, /* out of memory */
    LOCO_EIO     /* a file could not be read or written */
} loco_status;

/* One sentence about what went wrong: where, which value, and what would be right. */
typedef struct loco_err {
    char text[256];
} loco_err;

LOCO_API const char *loco_version(void);                   /* "0.1.0" */
LOCO_API const char *loco_status_name(loco_status status); /* "out of memory" */
/* The instruction set in use: "ref", "avx2" or "avx512". LOCO_KERNELS in the environment chooses one; a wrong choice
 * is refused by loco_count_new, and here gives the best set of this machine. */
LOCO_API const char *loco_kernels(void);

/* ---- labels: what is known about a count ---------------------------------------------------------------- */

#define LOCO_NO_LIMIT SIZE_MAX

/* The count lies in lo..hi, both included. hi = LOCO_NO_LIMIT: at least lo. */
typedef struct loco_label {
    size_t lo, hi;
} loco_label;

LOCO_API loco_label loco_label_exact(size_t n);
LOCO_API loco_label loco_label_range(size_t lo, size_t hi);
LOCO_API loco_label loco_label_at_least(size_t n);
LOCO_API loco_label loco_label_at_most(size_t n);
LOCO_API loco_label loco_label_unknown(void);

/* Reads `3`, `2..5`, `>=1`, `<=4` or `?` from length bytes of text; spaces around the parts are allowed. */
LOCO_API LOCO_MUST_USE loco_status loco_label_parse(loco_label *label, const char *text, size_t length, loco_err *err);

/* Writes a label as loco_label_parse reads it, cut at size bytes with a final 0; returns the full length. */
LOCO_API size_t loco_label_format(char *text, size_t size, loco_label label);

/* ---- the count of events: loss, gradient, posterior ------------------------------------------------------ */

/* Working memory and threads. It grows to what the largest call needs and keeps it: a second call of the same shape
 * allocates nothing. At most 72 bytes a frame of the longest sequence, 136 an item of the largest batch, and 17 MiB
 * for each thread. */
typedef struct loco_count loco_count;

/* threads: 1 to 1024, the caller's own included. They share out the short sequences of a batch, and one sequence from
 * 32768 frames on. After fork() the child must not use or free a handle with more than one. */
LOCO_API LOCO_MUST_USE loco_status loco_count_new(loco_count **count, unsigned threads, loco_err *err);
LOCO_API void loco_count_free(loco_count *count);
LOCO_API size_t loco_count_memory(const loco_count *count); /* bytes held now */

/* loss = -log P(Y in label); posterior[t] = P(event in frame t | Y in label); grad[t] = dloss / dz_t, which is
 * p_t - posterior[t]. grad and posterior may be NULL; grad may be equal to logits. Infinite logits are certain frames.
 * A label that certain frames contradict has loss +infinity, and then posterior = p and grad = 0. length 0 is
 * allowed. */
LOCO_API LOCO_MUST_USE loco_status loco_count_loss(loco_count *count, const double *logits, size_t length,
                                                   loco_label label, double *loss, double *grad, double *posterior,
                                                   loco_err *err);

/* One sequence of a batch, read and written in place: element t is at [t * stride]. */
typedef struct loco_count_item {
    const float *logits;
    size_t length;
    size_t stride; /* in floats; 1 for a plain array, K for class k of an array (T, K) */
    loco_label label;
    float *grad;      /* same stride; may be NULL, and may be equal to logits */
    float *posterior; /* same stride; may be NULL */
    double loss;      /* set by the call */
} loco_count_item;

/* The same for many sequences at once; several times faster than one by one. */
LOCO_API LOCO_MUST_USE loco_status loco_count_batch(loco_count *count, loco_count_item *items, size_t items_len,
                                                    loco_err *err);

/* ---- the count of events: distribution -------------------------------------------------------------------- */

/* pmf[k] = P(Y = k) for k < k_max, and pmf[k_max] = P(Y >= k_max); k_max + 1 values. k_max >= length gives the full
 * distribution. Above length * k_max = 1e8, values below 1e-18 of the largest may come out as 0. */
LOCO_API LOCO_MUST_USE loco_status loco_count_pmf(loco_count *count, const double *logits, size_t length, size_t k_max,
                                                  double *pmf, loco_err *err);

/* The distribution after 0, 1, ..., length frames: (length + 1) rows of k_max + 1 values as in loco_count_pmf. */
LOCO_API LOCO_MUST_USE loco_status loco_count_growth(const double *logits, size_t length, size_t k_max, double *growth,
                                                     loco_err *err);

LOCO_API LOCO_MUST_USE loco_status loco_count_moments(const double *logits, size_t length, double *mean,
                                                      double *variance, loco_err *err);

/* The smallest k with P(Y <= k) >= level, for 0 < level < 1; exact for levels of 1e-15 and more. */
LOCO_API LOCO_MUST_USE loco_status loco_count_quantile(loco_count *count, const double *logits, size_t length,
                                                       double level, size_t *k, loco_err *err);

/* ---- event sets ------------------------------------------------------------------------------------------- */

/* Draws sets of events from P(E | Y in label): samples rows of length bytes, 1 where an event is. The same seed gives
 * the same sets. LOCO_EDATA when certain frames contradict the label. */
LOCO_API LOCO_MUST_USE loco_status loco_count_sample(loco_count *count, const double *logits, size_t length,
                                                     loco_label label, uint64_t seed, size_t samples, uint8_t *events,
                                                     loco_err *err);

/* The most likely set of events given the label: events[t] = 1 where an event is. Of equal sets, the one with fewer
 * and earlier events. LOCO_EDATA when certain frames contradict the label. */
LOCO_API LOCO_MUST_USE loco_status loco_count_best(loco_count *count, const double *logits, size_t length,
                                                   loco_label label, uint8_t *events, loco_err *err);

/* ---- start and diagnosis of training ----------------------------------------------------------------------- */

/* The logit b that gives P(no event in length frames) = omega when every frame has it: the output bias to start
 * with. */
LOCO_API LOCO_MUST_USE loco_status loco_count_bias(double omega, size_t length, double *bias, loco_err *err);

/* What no count can exceed. max <= first and max <= le_cam; -log of each is a lower bound of the loss of any exact
 * count. */
typedef struct loco_count_limits {
    double max;    /* max_k P(Y = k) */
    double first;  /* 1/2 + min_t |1/2 - p_t| */
    double le_cam; /* min over l of max_k Poisson(k; sum of the l smallest p) + 2 * sum of their squares, at most 1 */
    size_t le_cam_frames; /* the l that attains it; 0 when none is below 1 */
} loco_count_limits;

LOCO_API LOCO_MUST_USE loco_status loco_count_bounds(loco_count *count, const double *logits, size_t length,
                                                     loco_count_limits *limits, loco_err *err);

/* A loss for an exact count rules out every p_t strictly between *above and *below (1 - exp(-loss) and exp(-loss)); a
 * loss >= log 2 rules out nothing, and both become 1/2. */
LOCO_API LOCO_MUST_USE loco_status loco_count_excluded(double loss, double *above, double *below, loco_err *err);

/* ---- events in time ---------------------------------------------------------------------------------------- */

/* One event of a recording. */
typedef struct loco_event {
    double time;        /* seconds from the start of the recording */
    size_t kind;        /* its class, counted from 0 */
    double probability; /* 1 where it is known, as in a reference */
} loco_event;

/* The events of one recording, in order of time. */
typedef struct loco_events {
    const char *file;
    loco_event *events;
    size_t events_len;
} loco_events;

/* Frees what a call gave out. */
LOCO_API void loco_free(void *memory);

/* ---- models: front end, network, classes, decoding ----------------------------------------------------------- */

typedef struct loco_model loco_model;

LOCO_API LOCO_MUST_USE loco_status loco_model_load(loco_model **model, const char *path, loco_err *err);
LOCO_API void loco_model_free(loco_model *model);
LOCO_API size_t loco_model_classes(const loco_model *model);
LOCO_API const char *loco_model_class(const loco_model *model, size_t kind); /* NULL: there is none */
LOCO_API double loco_model_rate(const loco_model *model);                    /* samples a second that it hears */
LOCO_API size_t loco_model_parameters(const loco_model *model);

/* Seconds of later sound that the network looks at; 0: causal. INFINITY: it reads both ways. */
LOCO_API double loco_model_look_ahead(const loco_model *model);

/* Seconds of sound behind an event that must be heard before the event is told, at the model's own rate. */
LOCO_API double loco_model_latency(const loco_model *model);

/* What the file says, a line a fact: classes, network, parameters, front end, decoding, offsets, training. The caller
 * frees it by loco_free. */
LOCO_API LOCO_MUST_USE loco_status loco_model_describe(const loco_model *model, char **text, loco_err *err);

/* What the file says under a key: "about", "trained_on", "licence", "version", "command", "scores", "recipe" and
 * others. NULL: nothing. It lives as long as the model. */
LOCO_API const char *loco_model_text(const loco_model *model, const char *key);

/* Models by name: `drums` is drums.loco in a folder of LOCO_MODELS in the environment, which has ':' between them, or
 * else among those that came with LoCo. Of two with one name the first counts. */
typedef struct loco_model_name {
    const char *name, *path;
} loco_model_name;

/* All of them, by name; the caller frees *models, one block, by loco_free. */
LOCO_API LOCO_MUST_USE loco_status loco_model_list(loco_model_name **models, size_t *models_len, loco_err *err);

/* The path that a user means: name itself where there is such a file, or else that of the model of this name. When
 * there is neither, LOCO_EDATA says which models there are. The caller frees *path by loco_free. */
LOCO_API LOCO_MUST_USE loco_status loco_model_find(char **path, const char *name, loco_err *err);

/* ---- detection ------------------------------------------------------------------------------------------------ */

/* All zeros: as the model says. */
typedef struct loco_detection {
    const char *decoding;     /* "mass window=0.01 threshold=0.4", or single settings: "threshold=0.4"; NULL */
    const char *raw;          /* samples without a header, such as "s16le,1,44100"; NULL: a sound file */
    unsigned ensemble;        /* versions of the sound, at different speeds, that vote; 1: none; 0: as the model says */
    const loco_label *counts; /* what is known about the counts of the whole recording, one a class; NULL: nothing */
} loco_detection;

/* Called with each event as soon as it is certain; in order of time within a class. Of a file that is heard more than
 * once, for versions that vote or for snap, all events come at the end. */
typedef void loco_event_take(void *context, const loco_event *event);

/* Reads the sound at path ("-": standard input) from beginning to end, in memory for its events at
 * most, unless counts are given. */
LOCO_API LOCO_MUST_USE loco_status loco_detect_each(loco_model *model, const char *path, const loco_detection *how,
                                                    loco_event_take *take, void *context, loco_err *err);

/* The same, all at once and in order of time. The caller frees *events by loco_free. */
LOCO_API LOCO_MUST_USE loco_status loco_detect(loco_model *model, const char *path, const loco_detection *how,
                                               loco_event **events, size_t *events_len, loco_err *err);

/* How many seconds of sound behind an event loco_detect_each must have read before it tells the event, at most. On top
 * of loco_model_latency: another decoding, and for raw samples the pieces of a read and the blocks of a resampler.
 * INFINITY: not before the end of the sound. As sound comes live: a file whose versions vote or whose events snap by
 * the decoding is heard to its end first. */
LOCO_API LOCO_MUST_USE loco_status loco_detect_latency(const loco_model *model, const loco_detection *how,
                                                       double *seconds, loco_err *err);

/* ---- counting -------------------------------------------------------------------------------------------------- */

/* All zeros: the count of a whole file, with its 90 % interval. */
typedef struct loco_tallying {
    double interval;         /* how often intervals are to hold the true count, 0.5 to 0.99; 0: 0.9 */
    double every;            /* seconds of windows side by side, 0.05 or more; 0: everything at once */
    const loco_label *label; /* whose probability is wanted; NULL: none */
    const char *raw;         /* as in loco_detection */
} loco_tallying;

/* How many events of a class a part of a sound holds. */
typedef struct loco_tallied {
    const char *file;
    double start, end; /* seconds */
    size_t kind;       /* the class, counted from 0 */
    double expected;   /* count */
    size_t low, high;  /* the interval, both ends included */
    double claimed;    /* the probability of the interval by the distribution of this count alone; the promise of
                          loco_tallying.interval is one about many of them */
    double label;      /* the probability of the label, or 0 */
} loco_tallied;

/* Called with each class of each part, in order of the parts' starts. */
typedef void loco_tally_take(void *context, const loco_tallied *tallied);

/* Counts without looking for times: in the sound at path ("-": standard input), in bounded memory. Intervals and
 * probabilities are calibrated where loco_calibrate has measured them, and else those of the network, which is mostly
 * too sure of itself; loco_model_text(model, "count_scales") tells: it is NULL then. */
LOCO_API LOCO_MUST_USE loco_status loco_tally(loco_model *model, const char *path, const loco_tallying *how,
                                              loco_tally_take *take, void *context, loco_err *err);

/* The same for every clip of a data set's counts.csv, whatever counts it holds; how->every does not matter. */
LOCO_API LOCO_MUST_USE loco_status loco_tally_clips(loco_model *model, const char *data, const loco_tallying *how,
                                                    loco_tally_take *take, void *context, loco_err *err);

/* One count as a line of "csv" or "jsonl", cut at size bytes with a final 0; returns the full length. tallied NULL: the
 * heading, which JSON lines do not have. label: its name for the last column; NULL: without. */
LOCO_API size_t loco_tally_format(char *text, size_t size, const char *format, const char *class_name,
                                  const char *label, const loco_tallied *tallied);

/* ---- files of events --------------------------------------------------------------------------------------------- */

/* Saves events: format "csv", "jsonl", "labels" or "midi", or NULL: by the ending of path. One recording alone for
 * labels and MIDI. The file is replaced whole or not at all. */
LOCO_API LOCO_MUST_USE loco_status loco_events_save(const char *path, const char *format, const loco_events *lists,
                                                    size_t lists_len, const char *const *classes, size_t classes_len,
                                                    loco_err *err);

/* One event as a line of "csv" or "jsonl", cut at size bytes with a final 0; returns the full length. event NULL: the
 * heading, which JSON lines do not have. */
LOCO_API size_t loco_event_format(char *text, size_t size, const char *format, const char *file, const char *class_name,
                                  const loco_event *event);

/* Saves the sound of `sound` with a click at each event, as a WAV file. */
LOCO_API LOCO_MUST_USE loco_status loco_click_save(const char *path, const char *sound, const loco_event *events,
                                                   size_t events_len, loco_err *err);

/* ---- enrichment: event times from known counts ------------------------------------------------------------------- */

/* All zeros: as the model says, and nothing is written. */
typedef struct loco_enrichment {
    double gap;         /* seconds, the least between two events of a class, kept before a count is; 0: the model's
                            * own or 4 frames, whichever is more, narrowed where a count asks for it */
    double tolerance;   /* seconds: a probability is that of an event so near; 0: 0.05 */
    const char *events; /* where events.csv goes; NULL: nowhere */
    const char *set;    /* a new folder for a data set with the same counts and sounds, and these times; NULL: none */
    const char *posterior; /* a table of P(event in frame | counts): file,time,class,...; NULL: none */
    /* Called with a sentence for each row that could not be met as it stands; NULL: nobody is told. */
    void (*notice)(void *context, const char *sentence);
    void *context;
} loco_enrichment;

/* The most likely events in the clips of a data set given its counts: for each class of a row as many as its label
 * says, of several counts the likeliest, and where nothing is known those that loco_detect tells. One list for each
 * recording, named as in counts.csv; the caller frees *lists, one block, by loco_free. how may be NULL. */
LOCO_API LOCO_MUST_USE loco_status loco_enrich(loco_model *model, const char *data, const loco_enrichment *how,
                                               loco_events **lists, size_t *lists_len, loco_err *err);

/* ---- training --------------------------------------------------------------------------------------------------- */

/* How far a run is. Scores are -1 while they are unknown. */
typedef struct loco_train_state {
    uint64_t step, steps;
    double loss, count_hit;         /* of the last steps: nats a clip, part of the counts that are met */
    double held_loss, held_hit;     /* of clips that are not trained on, at the last validation */
    double held_f1_50, held_f1_20;  /* and of their event times within 50 and 20 ms, where times are known */
    double clips_a_second, seconds; /* speed, and time since the start of this run */
    bool validated;                 /* this call follows a validation */
} loco_train_state;

/* All zeros but data and model: sensible defaults. */
typedef struct loco_training {
    const char *data;        /* a folder with counts.csv, or the path of one */
    const char *model;       /* where the best model goes; the last state goes to <model>.checkpoint */
    const char *preset;      /* "sound" when NULL */
    const char *const *sets; /* "key=value" */
    size_t sets_len;
    const char *log;     /* a JSON line for every validation; NULL: none */
    const char *curve;   /* an SVG picture of the run at its end; NULL: none */
    const char *about;   /* a line about the model, for its file; NULL: none */
    const char *licence; /* under which the model may be used, for its file; NULL: none */
    unsigned threads;    /* 0: 2 */
    bool resume;         /* go on from <model>.checkpoint */
    bool no_calibration;
    /* Called after every step; false: save and stop. */
    bool (*progress)(void *context, const loco_train_state *state);
    /* Called with a sentence that the user should read: what was chosen, what is odd about the data. */
    void (*notice)(void *context, const char *sentence);
    void *context;
} loco_training;

/* *finished: false when progress stopped the run. */
LOCO_API LOCO_MUST_USE loco_status loco_train(const loco_training *training, bool *finished, loco_err *err);

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

typedef struct loco_evaluation {
    const char *model, *data;         /* detect on the timed recordings of a data set; or */
    const char *reference, *estimate; /* compare two lists of events */
    const double *tolerances;         /* seconds; NULL: 0.05 and 0.02 */
    size_t tolerances_len;
    const char *require; /* "f1=0.9,f1@20=0.8"; NULL: nothing */
    loco_detection how;
    bool json;
} loco_evaluation;

/* The scores as a table or one JSON object; the caller frees it by loco_free. *met: all requirements hold. */
LOCO_API LOCO_MUST_USE loco_status loco_evaluate(const loco_evaluation *evaluation, char **text, bool *met,
                                                 loco_err *err);

/* One run of a method, by a file: of two runs with the same name the mean and spread are shown. */
typedef struct loco_run {
    const char *method, *path;
} loco_run;

/* The scores of runs side by side: tables with a row for each method, plain or in Markdown, from files that hold the
 * JSON of loco_evaluate, a line a run. The caller frees *text by loco_free. */
LOCO_API LOCO_MUST_USE loco_status loco_table(const loco_run *runs, size_t runs_len, bool markdown, char **text,
                                              loco_err *err);

/* Measures and stores in the model file the time offset of each class: from the event times of the data set, or with
 * `blind` from the sound alone, and from its counts the thresholds and what loco_tally needs. threads: 0 for 2. The
 * findings are the caller's to loco_free. */
LOCO_API LOCO_MUST_USE loco_status loco_calibrate(const char *model, const char *data, bool blind, unsigned threads,
                                                  char **findings, loco_err *err);

/* ---- synthesis and reports ------------------------------------------------------------------------------------ */

/* Writes a data set of made-up drum recordings: sound files, counts.csv and events.csv. */
typedef struct loco_synthesis {
    size_t recordings;
    double seconds; /* of each */
    uint64_t seed;
    bool unseen;      /* timbres that without it never occur */
    bool distractors; /* also toms, claps, cymbals and others that no class counts */
} loco_synthesis;

LOCO_API LOCO_MUST_USE loco_status loco_synth_drums(const char *folder, const loco_synthesis *synthesis, loco_err *err);

/* Where sampled drums come from. Lists of paths are separated by colons; NULL: none. */
typedef struct loco_kits {
    const char *kits;       /* folders of Hydrogen drum kits, or kits */
    const char *soundfonts; /* .sf2 files, or folders of them: their drums, played by the command fluidsynth */
    const char *patterns;   /* a folder of MIDI files of drums; NULL: grooves of our own alone */
    double synth;           /* part of the instruments that are synthesised, 0..1 */
    double background;      /* part of the recordings with other instruments, from the soundfonts, 0..1 */
    double ordinary;        /* part of the recordings as people record, 0..1; the others have more variety */
    unsigned rate;          /* samples a second; 0: 22050 */
    unsigned threads;       /* 0: 2; the set is the same for any number */
    bool (*progress)(void *context, size_t done, size_t all); /* recordings; NULL: none; false: stop */
    void *context;
    bool others; /* what no class counts has columns of its own: tom, cymbal, hand, shaker; with distractors alone */
} loco_kits;

/* The same with sampled drums; also sources.txt, which names kits and licences. A quarter of all kits, fonts and
 * patterns, by name, is for unseen sets alone. */
LOCO_API LOCO_MUST_USE loco_status loco_synth_kits(const char *folder, const loco_synthesis *synthesis,
                                                   const loco_kits *kits, loco_err *err);

/* Makes a data set of a public one in its own layout: links to its sounds, and events.csv with the strokes of kick,
 * snare and hi-hat; of ECG, events.csv and counts.csv with normal beats and PVCs. */
typedef struct loco_importing {
    const char *kind; /* "mdb" MDB Drums, "enst" ENST-Drums, "idmt" IDMT-SMT-Drums, "ecg" records of WFDB */
    const char *from; /* the folder of the set */
    const char *to;   /* the new one: missing, or empty */
    const char *mix; /* mdb: "drums", "full"; enst: "wet", "dry", "full" for drums and accompaniment; NULL: the first */
    const char *labels; /* mdb: "class", "subclass"; NULL: the first */
    double clip;        /* ecg: seconds of a clip of counts.csv; 0: 10 */
    const char *map;    /* "KD=kick,CY=cymbal": what labels become, all others are left out; "all": themselves; NULL */
} loco_importing;

typedef struct loco_imported {
    size_t recordings, events;
    size_t left_out;        /* events of other classes */
    size_t skipped;         /* recordings without annotation */
    char first_skipped[48]; /* its name */
} loco_imported;

/* On failure nothing is written. */
LOCO_API LOCO_MUST_USE loco_status loco_import(const loco_importing *importing, loco_imported *imported, loco_err *err);

/* How a data set is split, by recording: the test set is what fits a pattern of names, or a share of all that is drawn
 * by seed; of the rest a share may be drawn to choose models by. */
typedef struct loco_splitting {
    const char *pattern; /* as a shell has it: "RealDrum*"; NULL: by share */
    double test, valid;  /* shares, 0 to below 1 */
    uint64_t seed;
} loco_splitting;

enum { LOCO_SPLIT_TRAIN, LOCO_SPLIT_TEST, LOCO_SPLIT_VALID, LOCO_SPLIT_PARTS };

/* Makes the data sets to/train, to/test and, where asked for, to/valid, which must be missing: links to the sounds, and
 * what counts.csv and events.csv say about them. recordings: how many each holds. */
LOCO_API LOCO_MUST_USE loco_status loco_split(const char *data, const char *to, const loco_splitting *how,
                                              size_t recordings[LOCO_SPLIT_PARTS], loco_err *err);

/* One HTML page about recordings: sound, probabilities, events and, where data holds times, hits and misses. */
typedef struct loco_page {
    const char *title;        /* NULL: the model's file name */
    const char *model;        /* path */
    const char *data;         /* a data set, or NULL */
    const char *const *files; /* sounds, when data is NULL */
    size_t files_len;
    size_t most;              /* recordings shown; 0: 6 */
    const char *const *words; /* paragraphs for the top of the page */
    size_t words_len;
} loco_page;

LOCO_API LOCO_MUST_USE loco_status loco_report(const char *path, const loco_page *page, loco_err *err);

/* SVG pictures of an evaluation in an existing folder: errors.svg, how the signed time errors of matched events are
 * spread; reliability.svg, how often events are right over what their probabilities claim; and of a model on a data set
 * also precision-recall.svg, precision, recall and F1 of each class over the threshold. At the first tolerance of the
 * evaluation; not for ensembles. */
LOCO_API LOCO_MUST_USE loco_status loco_figures(const char *folder, const loco_evaluation *evaluation, loco_err *err);

/* An SVG picture of how several runs learned: scores on what was held out over steps, from their logs (a JSON line for
 * each validation, loco_training.log). Up to 6 methods; a band where there are several runs of one. title may be
 * NULL. */
LOCO_API LOCO_MUST_USE loco_status loco_curves(const char *path, const loco_run *runs, size_t runs_len,
                                               const char *title, loco_err *err);

/* An SVG picture of scores: a row for each method, a dot for the mean F1 of its runs at the first tolerance, from files
 * that hold the JSON of loco_evaluate. Methods "exact / seen" and "exact / unseen" share a row, and differ in colour:
 * up to 40 rows and 6 colours. kind: a class, or NULL for all events. title may be NULL. */
LOCO_API LOCO_MUST_USE loco_status loco_score_figure(const char *path, const loco_run *runs, size_t runs_len,
                                                     const char *kind, const char *title, loco_err *err);

/* ---- pictures ---------------------------------------------------------------------------------------------- */

/* Writes an SVG picture of one clip of 1 to 1,000,000 frames: event probabilities with the posterior given the label,
 * the count distribution filling up over time, and the loss. frames_per_second 0: the axis counts frames. title may be
 * NULL. The file is replaced whole or not at all. */
LOCO_API LOCO_MUST_USE loco_status loco_count_picture(loco_count *count, const double *logits, size_t length,
                                                      loco_label label, double frames_per_second, const char *title,
                                                      const char *path, loco_err *err);

/* Writes an SVG picture of how the loss of a part of a recording comes about: its sound, and for the first classes the
 * event probabilities, the count distribution over time, and the loss of every count. True events and counts come from
 * the data set in the sound's folder, where there is one. title may be NULL. */
LOCO_API LOCO_MUST_USE loco_status loco_clip_figure(const char *path, const char *model, const char *sound,
                                                    double start, double end, const char *title, loco_err *err);

#ifdef __cplusplus
}
#endif

#endif

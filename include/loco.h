/* SPDX-License-Identifier: MIT
 *
 * loco.h - learn when events happen from how many happened.
 *
 * The whole public interface. A complete program that detects events in samples that it already has:
 *
 *     #include <loco.h>
 *     #include <stdio.h>
 *
 *     static float samples[44100];                 // one second of sound, mono; yours
 *
 *     int main(void)
 *     {
 *         loco_err err;
 *         loco_model *model = NULL;
 *         loco_event *events = NULL;
 *         size_t n = 0;
 *         loco_samples sound = {.data = samples, .frames = 44100, .channels = 1, .rate = 44100};
 *         if (loco_model_open(&model, "drums", &err) != LOCO_OK ||
 *             loco_detect_samples(&events, &n, model, &sound, NULL, &err) != LOCO_OK)
 *             fprintf(stderr, "%s\n", err.text);
 *         for (size_t i = 0; i < n; i++)
 *             printf("%.3f s  %s\n", events[i].time, loco_model_class(model, events[i].kind));
 *         loco_free(events);
 *         loco_model_free(model);
 *     }
 *
 * examples/ has one program for each job: the count loss in your own program, detection in a buffer, live, and training.
 *
 * Order of arguments. Results first, then inputs, then options, then err.
 * Options. A struct loco_..._options begins with its size, so that later versions can add fields:
 *     loco_detect_options how = {.size = sizeof how, .decoding = "threshold=0.5"};
 * Fields that are 0 mean the default; a null pointer in place of the options means all defaults.
 * Ownership. The caller owns every array it passes; nothing passed is kept after a call, unless a comment says so. What
 * a call allocates for the caller is freed by loco_free, a handle by its own ..._free; both take null pointers.
 * Errors. What can fail returns a loco_status and writes one sentence to err when err is not NULL. On failure no result
 * has been touched. The library never prints, never exits, and has no global state.
 * Threads. A handle serves one caller at a time; different handles are independent. Several threads may use a model, as
 * long as none calibrates or frees it. Results do not depend on the number of threads, not in the last bit.
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
/* What most functions return: a status that must be used. */
#define LOCO_CALL LOCO_API LOCO_MUST_USE loco_status

/* ---- version and status ------------------------------------------------------------------------------------ */

/* Of this header. loco_version() is that of the library in use. */
#define LOCO_VERSION_MAJOR 0
#define LOCO_VERSION_MINOR 2
#define LOCO_VERSION_PATCH 0
#define LOCO_VERSION_NUMBER (LOCO_VERSION_MAJOR * 10000 + LOCO_VERSION_MINOR * 100 + LOCO_VERSION_PATCH)

typedef enum loco_status {
    LOCO_OK = 0,
    LOCO_EARG,   /* an argument is invalid: a null pointer, a probability outside 0..1 */
    LOCO_EDATA,  /* the data are invalid: a NaN, a label that no count can meet, text that is not a label */
    LOCO_ENOMEM, /* out of memory */
    LOCO_EIO     /* a file could not be read or written */
} loco_status;

/* One sentence about what went wrong: where, which value, and what to do. */
typedef struct loco_err {
    char text[256];
} loco_err;

LOCO_API const char *loco_version(void);                   /* "0.2.0" */
LOCO_API const char *loco_status_name(loco_status status); /* "out of memory" */
/* The instruction set in use: "ref", "avx2" or "avx512". LOCO_KERNELS in the environment chooses one; an unknown or
 * unsupported choice is refused by loco_count_new, and this function then returns the best set of this machine. */
LOCO_API const char *loco_kernels(void);
/* Frees what a call allocated for the caller. */
LOCO_API void loco_free(void *memory);
/* The word of a list that is nearest to a misspelt one; NULL when none is near. */
LOCO_API const char *loco_nearest(const char *word, const char *const *words, size_t words_len);
/* The bytes of the character that a text begins with; 0 at its end and where it is not UTF-8. *shown: whether it may be
 * printed, as it is no control character, ends no line and reorders none; print ? for others, as in names of files. */
LOCO_API size_t loco_character_length(bool *shown, const char *text);

/* ---- labels: what is known about a count ------------------------------------------------------------------- */

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
LOCO_CALL loco_label_parse(loco_label *label, const char *text, size_t length, loco_err *err);
/* Writes a label as loco_label_parse reads it, cut at size bytes with a final 0. Returns the full length. */
LOCO_API size_t loco_label_format(char *text, size_t size, loco_label label);

/* ---- the count loss ----------------------------------------------------------------------------------------- *
 * Frame t holds an event with probability p_t = 1 / (1 + exp(-z_t)), z_t its logit, independently of the other frames.
 * The number of events Y is then Poisson-binomial. All is exact: no sampling, no approximation, any length and count. */

/* Working memory and threads. It grows to what the largest call needs and keeps it: a second call of the same shape
 * allocates nothing. At most 72 bytes a frame of the longest sequence, 136 an item of the largest batch, 17 MiB a thread. */
typedef struct loco_count loco_count;

/* threads: 1 to 1024, the caller's own included. They share the short sequences of a batch, and one sequence from 32768
 * frames on. After fork() the child must not use or free a handle with more than one. */
LOCO_CALL loco_count_new(loco_count **count, unsigned threads, loco_err *err);
LOCO_API void loco_count_free(loco_count *count);
LOCO_API size_t loco_count_memory(const loco_count *count); /* bytes held now */

/* *loss = -log P(Y in label); posterior[t] = P(event in frame t | Y in label); grad[t] = dloss / dz_t, which is
 * p_t - posterior[t]. grad and posterior may be NULL; grad may be equal to logits. Infinite logits are certain frames.
 * A label that certain frames contradict has loss +infinity, and then posterior = p and grad = 0. length may be 0. */
LOCO_CALL loco_count_loss(double *loss, double *grad, double *posterior, loco_count *count, const double *logits,
                          size_t length, loco_label label, loco_err *err);

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

/* The same for many sequences in one call; several times faster than one by one. */
LOCO_CALL loco_count_batch(loco_count_item *items, size_t items_len, loco_count *count, loco_err *err);

/* pmf[k] = P(Y = k) for k < k_max, and pmf[k_max] = P(Y >= k_max); k_max + 1 values. k_max >= length gives the full
 * distribution. Above length * k_max = 1e8, values below 1e-18 of the largest may be 0. */
LOCO_CALL loco_count_pmf(double *pmf, size_t k_max, loco_count *count, const double *logits, size_t length,
                         loco_err *err);

/* The distribution after 0, 1, ..., length frames: (length + 1) rows of k_max + 1 values as in loco_count_pmf. */
LOCO_CALL loco_count_growth(double *growth, size_t k_max, const double *logits, size_t length, loco_err *err);

LOCO_CALL loco_count_moments(double *mean, double *variance, const double *logits, size_t length, loco_err *err);

/* The smallest k with P(Y <= k) >= level, for 0 < level < 1; exact for levels of 1e-15 and more. */
LOCO_CALL loco_count_quantile(size_t *k, loco_count *count, const double *logits, size_t length, double level,
                              loco_err *err);

/* Draws `samples` sets of events from P(E | Y in label), rows of length bytes, 1 where an event is. The same seed gives
 * the same sets. LOCO_EDATA when certain frames contradict the label. */
LOCO_CALL loco_count_sample(uint8_t *events, size_t samples, loco_count *count, const double *logits, size_t length,
                            loco_label label, uint64_t seed, loco_err *err);

/* The most likely set: events[t] = 1 where an event is; of equal ones, fewer and earlier events. LOCO_EDATA as above. */
LOCO_CALL loco_count_best(uint8_t *events, loco_count *count, const double *logits, size_t length, loco_label label,
                          loco_err *err);

/* The logit b that gives P(no event in length frames) = omega when every frame has it: the first output bias. */
LOCO_CALL loco_count_bias(double *bias, double omega, size_t length, loco_err *err);

/* No count is more probable; max <= first, max <= le_cam. -log of each bounds the loss of any exact count from below. */
typedef struct loco_count_limits {
    double max;    /* max_k P(Y = k) */
    double first;  /* 1/2 + min_t |1/2 - p_t| */
    double le_cam; /* min over l of max_k Poisson(k; sum of the l smallest p) + 2 * sum of their squares, at most 1 */
    size_t le_cam_frames; /* the l that attains it; 0 when none is below 1 */
} loco_count_limits;

LOCO_CALL loco_count_bounds(loco_count_limits *limits, loco_count *count, const double *logits, size_t length,
                            loco_err *err);

/* An exact count rules out p_t strictly between *above = 1 - exp(-loss) and *below = exp(-loss); 1/2 both from log 2. */
LOCO_CALL loco_count_excluded(double *above, double *below, double loss, loco_err *err);

/* ---- input and output of models ------------------------------------------------------------------------------ */

/* Samples in memory: sound, or rows of a table of sensors, one row a frame. They stay the caller's. */
typedef struct loco_samples {
    const float *data; /* (frames, channels), interleaved; sound in -1..1 */
    size_t frames;
    size_t channels; /* sound is mixed to one; a model of series needs its own number, loco_model_channels */
    double rate;     /* frames a second; any rate is converted to the model's */
} loco_samples;

typedef struct loco_event {
    double time;        /* seconds from the start of the recording; of an image the row, y, in pixels */
    size_t kind;        /* its class, counted from 0 */
    double probability; /* 1 where it is known, as in a reference */
    double x;           /* of an image: the column in pixels; else 0 */
} loco_event;

/* The events of one recording, in order of time. */
typedef struct loco_events {
    const char *file;
    loco_event *events;
    size_t events_len;
} loco_events;

/* Receives one event. It must not call the handle that reports it. */
typedef void loco_event_take(void *context, const loco_event *event);

/* ---- models --------------------------------------------------------------------------------------------------- */

typedef struct loco_model loco_model;

/* Loads a model file; loco_model_open also takes the name of a model (loco_model_find). */
LOCO_CALL loco_model_load(loco_model **model, const char *path, loco_err *err);
LOCO_CALL loco_model_open(loco_model **model, const char *name, loco_err *err);
/* Writes the model, as calibrated, to a file, which is replaced whole or not at all. */
LOCO_CALL loco_model_save(const char *path, const loco_model *model, loco_err *err);
LOCO_API void loco_model_free(loco_model *model);
/* Until loco_lock_free no other run that asks for it, such as a training, writes the file. LOCO_EIO: one is writing it. */
typedef struct loco_lock loco_lock;
LOCO_CALL loco_model_lock(loco_lock **lock, const char *path, loco_err *err);
LOCO_API void loco_lock_free(loco_lock *lock); /* may be NULL */
/* Puts classes together: "kick,snare=snare+side-stick,hihat"; or as a data set has them. Frees *model with the new one. */
LOCO_CALL loco_model_fold(loco_model **model, const char *classes, loco_err *err);
LOCO_CALL loco_model_fit(loco_model **model, const char *data, loco_err *err);
LOCO_API size_t loco_model_classes(const loco_model *model);
LOCO_API const char *loco_model_class(const loco_model *model, size_t kind); /* NULL: there is no such class */
LOCO_API double loco_model_rate(const loco_model *model);                    /* its sample rate, in Hz */
LOCO_API size_t loco_model_channels(const loco_model *model); /* that it reads: 1 of sound, or those of a series */
LOCO_API double loco_model_hop(const loco_model *model);      /* seconds from frame to frame of its output */
LOCO_API size_t loco_model_parameters(const loco_model *model);
LOCO_API bool loco_model_pitched(const loco_model *model); /* of sound, and all 12 or more classes numbers 12..127 */
LOCO_API bool loco_model_drums(const loco_model *model);   /* of sound, and all classes names of drums */
/* Seconds of later input that the network needs; 0: causal. INFINITY: it reads the input in both directions. */
LOCO_API double loco_model_look_ahead(const loco_model *model);
/* Latency in seconds: input after an event that must have been read before it is reported, at the model's rate, at most. */
LOCO_API double loco_model_latency(const loco_model *model);
/* What the file states, a line a fact: classes, network, front end, decoding, training. Free *text by loco_free. */
LOCO_CALL loco_model_describe(char **text, const loco_model *model, loco_err *err);
/* What the file states under a key: "about", "trained_on", "licence", "version", "command", "scores", "recipe" and
 * others; "input": "sound", "series" or "images". NULL: nothing. It lives as long as the model. */
LOCO_API const char *loco_model_text(const loco_model *model, const char *key);

/* Models by name: `drums` is drums.loco in a folder of LOCO_MODELS in the environment, which has ':' between folders, or
 * else among those that are installed with LoCo. The first match wins. */
typedef struct loco_model_name {
    const char *name, *path;
} loco_model_name;
/* All of them, by name; the caller frees *models, one block, by loco_free. */
LOCO_CALL loco_model_list(loco_model_name **models, size_t *models_len, loco_err *err);
/* The path that a user means: name itself where there is such a file, or else that of the model of this name. When
 * there is neither, LOCO_EDATA lists the models. The caller frees *path by loco_free. */
LOCO_CALL loco_model_find(char **path, const char *name, loco_err *err);

/* ---- listening: samples in, events out, as they come ---------------------------------------------------------- */

typedef struct loco_listener loco_listener;

typedef struct loco_listen_options {
    size_t size;           /* sizeof(loco_listen_options) */
    double rate;           /* of the samples, in Hz; 0: the model's own */
    size_t channels;       /* interleaved; 0: as many as the model reads */
    const char *decoding;  /* as in loco_detect_options */
    loco_event_take *take; /* receives each event as soon as it is certain; in order of time within a class */
    /* Receives the probability of an event in each frame, one value a class; frame 0 is at time 0. NULL: not wanted. */
    void (*frame)(void *context, uint64_t frame, const float *probabilities);
    void *context; /* of both */
} loco_listen_options;

/* A listener on a model, which must outlive it. All memory is allocated here: the calls below allocate nothing (at
 * sample rates that are not in a ratio of small whole numbers to the model's, soxr may). Several listeners may share a
 * model, each in its own thread. */
LOCO_CALL loco_listener_new(loco_listener **listener, const loco_model *model, const loco_listen_options *options,
                            loco_err *err);
LOCO_API void loco_listener_free(loco_listener *listener);
/* Reads the next block of frames of `channels` samples; any number of frames. The events do not depend on the sizes of
 * the blocks. A sample that is not finite is LOCO_EDATA; the block is then not read. */
LOCO_CALL loco_listener_push(loco_listener *listener, const float *samples, size_t frames, loco_err *err);
/* The input is over: reports what is left, and starts again at time 0. */
LOCO_CALL loco_listener_flush(loco_listener *listener, loco_err *err);
/* Starts again at time 0; what was not reported is dropped. */
LOCO_API void loco_listener_reset(loco_listener *listener);
/* Seconds of input after an event that must have been pushed before the event is reported, at most. */
LOCO_API double loco_listener_latency(const loco_listener *listener);

/* ---- detection: when ------------------------------------------------------------------------------------------- */

typedef struct loco_detect_options {
    size_t size;          /* sizeof(loco_detect_options) */
    const char *decoding; /* "mass window=0.01 threshold=0.4", or single settings: "threshold=0.4" */
    const char *raw;      /* of standard input, such as "s16le,1,44100"; NULL: WAV, or the table of a series */
    unsigned ensemble;    /* versions of the recording, at other speeds, or of an image, shifted, that vote; 1: none */
    const loco_label *counts; /* what is known about the counts of the whole recording, one a class */
    void (*notice)(void *context, const char *sentence); /* receives what the user should read; NULL: not wanted */
    void *context;                                       /* of notice */
    double *seconds; /* receives the length of the recording, 0 of an image; NULL: not wanted */
} loco_detect_options;

/* The events of a file ("-": standard input), in order, in bounded memory unless counts are given; free by loco_free. */
LOCO_CALL loco_detect(loco_event **events, size_t *events_len, const loco_model *model, const char *path,
                      const loco_detect_options *options, loco_err *err);
/* The same in samples in memory. */
LOCO_CALL loco_detect_samples(loco_event **events, size_t *events_len, const loco_model *model,
                              const loco_samples *samples, const loco_detect_options *options, loco_err *err);
/* The same, each event as soon as it is certain; all at the end of an image, and where an ensemble or snap reads twice. */
LOCO_CALL loco_detect_each(loco_event_take *take, void *context, const loco_model *model, const char *path,
                           const loco_detect_options *options, loco_err *err);

/* Latency of loco_detect_each on standard input, conversion of the rate included. INFINITY: until the input ends. */
LOCO_CALL loco_detect_latency(double *seconds, const loco_model *model, const loco_detect_options *options,
                              loco_err *err);

/* Reads the header of WAV or FLAC on standard input: the format of what follows, for `raw`; LOCO_EARG: it is neither. */
LOCO_CALL loco_stdin_format(char raw[64], loco_err *err);

/* ---- counting: how many ----------------------------------------------------------------------------------------- */

typedef struct loco_tally_options {
    size_t size;             /* sizeof(loco_tally_options) */
    double interval;         /* how often intervals must hold the true count, 0.5 to 0.99; 0: 0.9 */
    double every;            /* seconds of windows side by side, 0.05 or more; 0: the whole recording */
    const loco_label *label; /* whose probability is wanted */
    const char *raw;         /* as in loco_detect_options */
    void (*notice)(void *context, const char *sentence); /* as in loco_detect_options */
    void *notice_context;
} loco_tally_options;

/* How many events of a class a part of a recording holds. */
typedef struct loco_tally_row {
    const char *file;
    double start, end;  /* seconds, or rows of an image */
    size_t kind;        /* the class, counted from 0 */
    double expected;    /* count; the number of detections where calibration found that to be nearer to the truth */
    size_t low, high;   /* the interval, both ends included */
    double claimed;     /* probability of the interval by this count's own distribution; options.interval is of many */
    double label;       /* the probability of the label, or 0 */
    size_t recordings;  /* that calibration compared; 1: how recordings differ is a guess; 0: unknown */
    double left, right; /* columns of an image; else 0 */
} loco_tally_row;
/* Receives each class of each part, in order of the parts' starts. */
typedef void loco_tally_take(void *context, const loco_tally_row *row);

/* Counts the events of a file ("-": standard input), in bounded memory. Intervals and probabilities are calibrated where
 * loco_calibrate has measured them; else they are the network's own, which is mostly too sure of itself:
 * loco_model_text(model, "count_scales") is then NULL. */
LOCO_CALL loco_tally(loco_tally_take *take, void *context, const loco_model *model, const char *path,
                     const loco_tally_options *options, loco_err *err);
/* The same in samples in memory; file is NULL in each row. */
LOCO_CALL loco_tally_samples(loco_tally_take *take, void *context, const loco_model *model, const loco_samples *samples,
                             const loco_tally_options *options, loco_err *err);
/* The same for every clip of a data set's counts.csv, whatever counts it holds; options->every is ignored. */
LOCO_CALL loco_tally_clips(loco_tally_take *take, void *context, const loco_model *model, const char *data,
                           const loco_tally_options *options, loco_err *err);

/* One count as a line of "csv" or "jsonl" ("csv places": of images), cut at size bytes with a final 0. Returns the full
 * length. row NULL: the heading, which JSON lines do not have. label: its name for the last column; NULL: none. */
LOCO_API size_t loco_tally_format(char *text, size_t size, const char *format, const char *class_name,
                                  const char *label, const loco_tally_row *row);

/* ---- event files -------------------------------------------------------------------------------------------------- */

/* Saves events: format "csv", "jsonl", "labels", "midi" ("midi tempo=97") or "roi", NULL: by the ending of path. The last
 * three hold one recording. Events of images: "csv places", or "places" and the ending. The file is replaced whole. */
LOCO_CALL loco_events_save(const char *path, const char *format, const loco_events *lists, size_t lists_len,
                           const char *const *classes, size_t classes_len, loco_err *err);

/* The same for classes that are pitches, or all of them drums, with the velocity and the end of each note: estimates from
 * its sound, of which `file` is the path. Sorts each list by time. CSV and JSON lines have end and velocity besides. */
LOCO_CALL loco_notes_save(const char *path, const char *format, loco_events *lists, size_t lists_len,
                          const char *const *classes, size_t classes_len, loco_err *err);

/* An event as a line of "csv" or "jsonl"; NULL: the heading of csv. Cut as snprintf does; returns the full length. */
LOCO_API size_t loco_event_format(char *text, size_t size, const char *format, const char *file, const char *class_name,
                                  const loco_event *event);

/* Saves the sound of the file `sound` with a click at each event, as a WAV file; an image with a circle, as PNG. */
LOCO_CALL loco_click_save(const char *path, const char *sound, const loco_event *events, size_t events_len,
                          loco_err *err);
LOCO_CALL loco_marks_save(const char *path, const char *image, const loco_event *events, size_t events_len,
                          loco_err *err);

/* ---- enrichment: when, given how many ----------------------------------------------------------------------------- */

typedef struct loco_enrich_options {
    size_t size;           /* sizeof(loco_enrich_options) */
    double gap;            /* seconds or pixels, the least between events of a class, kept before a count is; 0: the
                            * model's own or 4 frames, whichever is more, narrowed where a count needs it */
    double tolerance;      /* seconds: a probability is that of an event so near; 0: 0.05 */
    const char *events;    /* where events.csv goes */
    const char *set;       /* a new folder for a data set with the same counts and sounds, and these times */
    const char *posterior; /* a table of P(event in frame | counts): file,time,class,... */
    /* Receives a sentence for each row whose count could not be met as it stands. */
    void (*notice)(void *context, const char *sentence);
    void *context;
} loco_enrich_options;

/* The most likely events in the clips of a data set given its counts: for each class of a row as many as its label
 * states, of several counts the likeliest, and where nothing is known those that loco_detect reports. One list for each
 * recording, named as in counts.csv; the caller frees *lists, one block, by loco_free. */
LOCO_CALL loco_enrich(loco_events **lists, size_t *lists_len, const loco_model *model, const char *data,
                      const loco_enrich_options *options, loco_err *err);

/* ---- training ------------------------------------------------------------------------------------------------------ */

/* How far a run is. Scores are -1 while they are unknown. */
typedef struct loco_train_state {
    uint64_t step, steps;
    double loss, count_hit;         /* of the last steps: nats a clip, share of the counts that are met */
    double held_loss, held_hit;     /* of clips that are not trained on, at the last validation */
    double held_f1[2];              /* and of their event times, where these are known, within held_tolerance */
    double held_tolerance[2];       /* seconds: 0.05, 0.02; of images pixels: 8, 4 */
    double clips_a_second, seconds; /* speed, and time since the start of this run */
    bool validated;                 /* this call follows a validation */
    double count_error, held_error; /* relative error of the expected counts; -1 while these are below 10 on average */
    double held_sharp;              /* share of the expected count in frames with a probability above 1/2 */
} loco_train_state;

typedef struct loco_train_options {
    size_t size;             /* sizeof(loco_train_options) */
    const char *preset;      /* NULL: "sound" */
    const char *const *sets; /* "key=value" */
    size_t sets_len;
    const char *log;             /* a JSON line for every validation; NULL: <model>.jsonl until the run is finished */
    const char *about;           /* a line about the model, for its file */
    const char *licence;         /* under which the model may be used, for its file */
    unsigned threads;            /* 0: 2 */
    bool resume, no_calibration; /* continue from <model>.checkpoint; leave offsets and thresholds */
    bool (*progress)(void *context, const loco_train_state *state); /* after every step; false: save and stop */
    void (*notice)(void *context, const char *sentence); /* receives what the user should read, such as odd data */
    void *context;                                       /* of both */
    const char *from;   /* a model to start from, by path or name, classes matched by name; NULL: random weights */
    const char *mpi;    /* share the work: "openmpi", "mpich" or the path of a plug-in; NULL: this process alone */
    unsigned processes; /* that the launcher of MPI has started; process 0 writes and reports */
    size_t memory;      /* bytes that recordings (half of it), batches and the network may take; 0: 8 GiB */
} loco_train_options;

/* Trains on a data set, a folder with counts.csv or the path of one. The best model goes to the file `model`, the last
 * state to <model>.checkpoint. *finished: false when progress stopped the run. */
LOCO_CALL loco_train(bool *finished, const char *model, const char *data, const loco_train_options *options,
                     loco_err *err);
typedef struct loco_calibrate_options {
    size_t size;      /* sizeof(loco_calibrate_options) */
    bool blind;       /* from the recordings alone, without their event times */
    unsigned threads; /* 0: 2 */
    const char *pool; /* "all" classes share an offset and a threshold, "none" do; NULL: all of pitches, or above 24 */
    bool counts;      /* of counts alone: offsets, thresholds and so events stay as they are */
} loco_calibrate_options;

/* Measures on a data set, and sets in the model: the time offset of each class, from event times or blind, and from
 * counts the thresholds and what loco_tally needs. loco_model_save keeps it. *findings: lines; free them by loco_free. */
LOCO_CALL loco_calibrate(char **findings, loco_model *model, const char *data, const loco_calibrate_options *options,
                         loco_err *err);

enum { LOCO_SPLIT_TRAIN, LOCO_SPLIT_TEST, LOCO_SPLIT_VALID, LOCO_SPLIT_PARTS };

/* How a data set is split, by recording: the test set is what matches a pattern of names, or a share of all that is drawn
 * by seed; of the rest a share may be drawn to choose models by. */
typedef struct loco_split_options {
    size_t size;         /* sizeof(loco_split_options) */
    const char *pattern; /* of names, with the wildcards of a shell: "RealDrum*"; NULL: by share */
    double test, valid;  /* shares, 0 to below 1 */
    uint64_t seed;
} loco_split_options;

/* Makes the data sets to/train, to/test and, where asked for, to/valid, which must not exist: links to the sounds, and
 * the rows of counts.csv and events.csv about them. recordings[part]: how many each holds. */
LOCO_CALL loco_split(size_t recordings[LOCO_SPLIT_PARTS], const char *to, const char *data,
                     const loco_split_options *options, loco_err *err);

/* ---- evaluation ----------------------------------------------------------------------------------------------------- */

/* How good detected events are. Matching is one to one, as mir_eval's: the most pairs within the tolerance. */
typedef struct loco_scores loco_scores;

typedef struct loco_evaluate_options {
    size_t size;              /* sizeof(loco_evaluate_options) */
    const double *tolerances; /* seconds, up to 8; NULL: 0.05 and 0.02, and of images 10 pixels */
    size_t tolerances_len;
    const loco_detect_options *detect; /* of a model; NULL: its defaults */
    bool pixels;                       /* tolerances are in pixels: of images, and needed there */
} loco_evaluate_options;

/* A model on the timed recordings of a data set, and on its clips with exact counts. */
LOCO_CALL loco_evaluate(loco_scores **scores, const loco_model *model, const char *data,
                        const loco_evaluate_options *options, loco_err *err);
/* Two event files: CSV, label tracks or MIDI. Events of classes that only the estimate has are false alarms. */
LOCO_CALL loco_evaluate_files(loco_scores **scores, const char *reference, const char *estimate,
                              const loco_evaluate_options *options, loco_err *err);

/* Lists in memory; a recording is the same in both by its `file`. */
LOCO_CALL loco_evaluate_events(loco_scores **scores, const loco_events *reference, size_t reference_len,
                               const loco_events *estimate, size_t estimate_len, const char *const *classes,
                               size_t classes_len, const loco_evaluate_options *options, loco_err *err);
LOCO_API void loco_scores_free(loco_scores *scores);

/* Rows besides those of single classes. */
#define LOCO_SCORE_POOLED (SIZE_MAX - 2)     /* all events of all classes and recordings */
#define LOCO_SCORE_RECORDINGS (SIZE_MAX - 1) /* the mean over recordings */
#define LOCO_SCORE_CLASSES SIZE_MAX          /* the mean over classes */

/* One row at one tolerance. */
typedef struct loco_score {
    size_t reference, estimated, matched; /* events */
    double precision, recall, f1;         /* 0 where a list is empty */
    double error_mean, error_sd;          /* seconds, estimate - reference, or pixels apart, of the matched events */
} loco_score;

/* kind: a class, or one of the rows above; tolerance: its index. LOCO_EARG when there is no such row. */
LOCO_CALL loco_scores_read(loco_score *score, const loco_scores *scores, size_t kind, size_t tolerance, loco_err *err);

/* How good the counts of clips are. clips 0: there were none with an exact count. */
typedef struct loco_count_quality {
    size_t clips;
    double exact;         /* share of the clips whose expected count, rounded, is the true one */
    double distance;      /* mean |expected count - true count| */
    double bias;          /* mean (expected count - true count) */
    double held, claimed; /* share of the 90 % intervals that hold the true count, and what their distributions claim */
} loco_count_quality;

/* kind: a class, or LOCO_SCORE_POOLED. */
LOCO_CALL loco_scores_counts(loco_count_quality *counts, const loco_scores *scores, size_t kind, loco_err *err);

/* Scores as "table", "all" (rows for more than 24 classes), "json" or "recordings"; *text is freed by loco_free. */
LOCO_CALL loco_scores_format(char **text, const loco_scores *scores, const char *format, loco_err *err);

/* Whether scores reach what is required, "f1=0.9,f1@20=0.8,count=0.95"; *why, to loco_free: a line for each that fails. */
LOCO_CALL loco_scores_require(bool *met, char **why, const loco_scores *scores, const char *required, loco_err *err);

/* One run of a method, by a file with its scores or its log. Runs with the same method are shown by mean and spread. */
typedef struct loco_run {
    const char *method, *path;
} loco_run;

/* The scores of runs side by side: tables with a row for each method, plain or in Markdown, from files of
 * loco_scores_format's JSON, a line a run. The caller frees *text by loco_free. */
LOCO_CALL loco_table(char **text, const loco_run *runs, size_t runs_len, bool markdown, loco_err *err);

/* ---- pages and pictures ----------------------------------------------------------------------------------------------- *
 * Files are replaced whole or not at all. title may be NULL everywhere. */

typedef struct loco_report_options {
    size_t size;              /* sizeof(loco_report_options) */
    const char *title;        /* NULL: "Events" */
    const char *data;         /* a data set; or */
    const char *const *files; /* recordings */
    size_t files_len;
    size_t most;              /* recordings shown; 0: 6 */
    const char *const *words; /* paragraphs for the top of the page */
    size_t words_len;
    void (*notice)(void *context, const char *sentence); /* as in loco_detect_options */
    void *notice_context;
    double tolerance; /* of images: pixels within which a detection is a hit; 0: 10 */
} loco_report_options;

/* One HTML page about recordings, or images: probabilities, events and, where these are known, hits and misses. */
LOCO_CALL loco_report(const char *path, const loco_model *model, const loco_report_options *options, loco_err *err);

/* One clip of 1 to 1,000,000 frames: event probabilities with the posterior given the label, the distribution of the
 * count as it grows over time, and the loss. frames_per_second 0: the axis counts frames. */
LOCO_CALL loco_plot_count(const char *path, loco_count *count, const double *logits, size_t length, loco_label label,
                          double frames_per_second, const char *title, loco_err *err);

/* A part of a recording, in seconds: the input, and of the first classes event probabilities, the distribution of the
 * count over time, and the loss of every count. What is true comes from the data set in the recording's folder. */
LOCO_CALL loco_plot_clip(const char *path, const loco_model *model, const char *recording, double start, double end,
                         const char *title, loco_err *err);

/* One training run from its log: loss and scores over steps. */
LOCO_CALL loco_plot_training(const char *path, const char *log, const char *title, loco_err *err);
/* How runs learned, from their logs: held-out scores over steps. Up to 6 methods; a band for several runs of one. */
LOCO_CALL loco_plot_runs(const char *path, const loco_run *runs, size_t runs_len, const char *title, loco_err *err);

/* Scores of methods: a row for each, a dot for the mean F1 of its runs at the first tolerance, from files of
 * loco_scores_format's JSON. Methods "exact / seen" and "exact / unseen" share a row, and differ in colour: up to 40 rows
 * and 6 colours. kind: the name of a class, or NULL for all events. */
LOCO_CALL loco_plot_scores(const char *path, const loco_run *runs, size_t runs_len, const char *kind, const char *title,
                           loco_err *err);

/* A model on a data set, pictures in an existing folder: errors.svg, how the signed time errors of matched events are
 * spread; reliability.svg, how often events are right over their probabilities; precision-recall.svg, precision, recall
 * and F1 of each class over the threshold. At the first tolerance; not for ensembles. */
LOCO_CALL loco_plot_evaluation(const char *folder, const loco_model *model, const char *data,
                               const loco_evaluate_options *options, const char *title, loco_err *err);

/* The first two of these for two event files. */
LOCO_CALL loco_plot_evaluation_files(const char *folder, const char *reference, const char *estimate,
                                     const loco_evaluate_options *options, const char *title, loco_err *err);

#ifdef __cplusplus
}
#endif
#endif

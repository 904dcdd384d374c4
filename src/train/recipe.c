/* SPDX-License-Identifier: MIT
 * recipe.c - the settings of training: a table of keys, and presets.
 *
 * One table drives setting, checking and writing. Presets are lists of the same pairs on top of the defaults.
 *
 * The defaults are those that learned fastest from counts on drums: short clips, per-frame normalisation, He weights, a
 * low output bias, Adam at 3e-3 with warm-up, cosine and a norm clip of 1, since the exact loss has large gradients
 * for clips with many events at the start. Averaged weights are what is saved.
 *
 * Series, measured on ECG with counts of 10 s: events stand out in the samples themselves, and normalisation keeps a
 * network on the plateau of a constant rate. So there is no normalisation of frames, no change of gain (the scale takes
 * care of it), and few layers: four of them, or a long warm-up, rise everywhere before they rise at the beats. What is
 * below 5 Hz hurts: any beat of records that were not trained on, three folds of experiments/ecg without record 108, 400
 * steps (10 s of one core), F1 within 150 / 50 ms: .988 / .982 from 5 Hz on, .778 / .698 from 1 Hz on;
 * the corner was chosen by these records. From start=0.8 one run in two stays on the plateau; from 0.999 none did. More
 * than 500 steps of 8 clips overfit the five records that are trained on: .989 / .983, and .979 / .971 after 1500. */
#include "train/recipe.h"

#include "base/number.h"
#include "base/status.h"
#include "model/decoding.h"
#include "model/fold.h"
#include "signal/track.h"
#include "train/trainer.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef enum form { WHOLE, REAL, NAME } form;

/* What a NAME is called, by its number: lc_loss, lc_anchor. NULL ends. */
static const char *const losses[] = {"exact", "squared", "poisson", NULL};
static const char *const anchors[] = {"rise", "peak", "centre", "onset", "word", NULL};

typedef struct key {
    const char *name;
    form form;
    size_t offset;
    double least, most;
    const char *what;
    const char *const *names; /* of a NAME */
} key;

#define KEY(name, member, form, least, most, what)                       \
    {                                                                    \
        name, form, offsetof(lc_recipe, member), least, most, what, NULL \
    }
#define NAMED(name, member, names, what)                           \
    {                                                              \
        name, NAME, offsetof(lc_recipe, member), 0, 0, what, names \
    }

/* clang-format off */
static const key keys[] = {
    KEY("steps",      schedule.steps,        WHOLE, 1, 1e9, "training steps"),
    KEY("batch",      batch,                 WHOLE, 1, 4096, "clips a step"),
    KEY("seed",       seed,                  WHOLE, 0, 9e15, "random seed"),
    KEY("check",      check,                 WHOLE, 1, 1e9, "steps from one validation to the next"),
    KEY("rate",       schedule.rate,         REAL, 1e-9, 1, "largest learning rate"),
    KEY("warm_up",    schedule.warm_up,      WHOLE, 0, 1e9, "steps from learning rate 0 to the largest"),
    KEY("clip",       schedule.clip,         REAL, 0, 1e9, "largest norm of the gradient, 0 for none"),
    KEY("decay",      schedule.weight_decay, REAL, 0, 1, "weight decay"),
    KEY("average",    schedule.average,      REAL, 0, 0.999999, "decay of the averaged weights"),
    KEY("start",      schedule.start,        REAL, 1e-300, 0.999999,
        "probability of no event in the longest clip that training begins with"),
    KEY("held",       clips.held,            REAL, 0, 0.9, "part of the recordings that validates"),
    KEY("context",    clips.context,         REAL, 0, 10, "seconds read on either side of a clip"),
    KEY("shortest",   clips.shortest,        REAL, 0, 3600, "shortest clip cut from timed recordings, in seconds"),
    KEY("longest",    clips.longest,         REAL, 0, 3600, "longest clip cut from timed recordings, in seconds"),
    KEY("gain",       augment.gain,          REAL, 0, 60, "augmentation: dB louder or softer, at most"),
    KEY("noise",      augment.noise,         REAL, -120, 0,
        "augmentation: noise in dB of the signal, at most; -120 for none"),
    KEY("tilt",       augment.tilt,          REAL, 0, 40, "augmentation: spectral slope in dB, at most"),
    KEY("speed",      augment.speed,         REAL, 0, 0.5,
        "augmentation: relative change of the sample rate, at most"),
    KEY("stretch",    augment.stretch,       REAL, 0, 0.5, "augmentation: relative change of the time alone, at most"),
    KEY("mix",        augment.mix,           REAL, 0, 1,
        "augmentation: part of the clips that a second one is mixed into"),
    KEY("transpose",  augment.transpose,     WHOLE, 0, 12,
        "augmentation of pitches: semitones that a clip and its counts are moved up or down, at most"),
    KEY("supervised", clips.supervised,      REAL, 0, 1,
        "part of the recordings learned from by event times, not counts"),
    KEY("flip",       augment.flip,          REAL, 0, 1,
        "augmentation of series: part of the clips whose channels are turned upside down at random"),
    KEY("shape",      augment.shape,         REAL, 0, 1,
        "augmentation of series: seconds that a random filter reaches to either side"),
    KEY("mirror",     augment.mirror,        WHOLE, 0, 2,
        "augmentation of images: 1: mirrored left-right and up-down, 2: along the diagonal, too; 0 for none"),
    KEY("warp",       augment.warp,          REAL, 0, 0.5,
        "augmentation of images: turned (radians), stretched and sheared by up to this"),
    NAMED("loss",     loss,                  losses, "loss of the counts: exact, squared or poisson"),
    KEY("sharpen",    sharpen,               REAL, 0, 0.9,
        "of clips with many events: 1 - the lowest temperature of the exact loss; 0 for none"),
    NAMED("anchor",   anchor,                anchors, "where events are: rise or onset, peak, centre, or word"),
    KEY("lanes",      lanes,                 WHOLE, 1, 4096, "the most processes that can share a step"),
};
/* clang-format on */
enum { KEYS = sizeof keys / sizeof keys[0] };

typedef struct preset {
    const char *name, *frontend;
    const char *pairs[14]; /* on top of defaults */
} preset;

#define BEATS "conv 3x5 16 stride 2 norm, conv 3x3 24 stride 2 norm, conv 3x3 32 stride 2 norm"
#define LIVE "conv 3x5 16 stride 2 causal norm, conv 3x3 24 stride 2 causal norm, conv 3x3 32 stride 2 causal norm"
#define HEAD ", dense 64 relu as d, dropout 0.1, gru 48, join d"
#define BOTH                                                                                                \
    "conv 3x5 24 stride 2 norm, conv 3x3 40 stride 2 norm, conv 3x3 48 stride 2 norm, dense 96 relu as d, " \
    "dropout 0.1, gru 80 both, join d"
#define PAPER                                                                                                  \
    "conv 3x4 8, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 3, " \
    "conv 3x4 16, pool 3, lstm 24, dense 16 sigmoid"

/* The five networks with which the paper compares itself, from their descriptions: Vogl, Dorfer and Knees 2016 (ReLUts) and
 * 2017 (GRUts: two layers of 50), Southall, Stables and Hockman 2016 (tanhB: three layers of 50) and 2017 (lstmpB, soft
 * attention over two frames to either side); RNN is what both groups began with. Frames are 10 ms, so that a shift of three is
 * one of 30 ms. Our choice where a number is not known to us: the units of rnn, reluts, lstmpb and of the attention, the shift.
 * Different on purpose: our front end and optimiser, one network for all classes, weights of the attention that all units of a
 * frame share, no dropout. */
#define RNN "rnn 100"
#define TANHB "rnn 50 both, rnn 50 both, rnn 50 both"
#define RELUTS "rnn 100 relu, shift 3"
#define LSTMPB "lstmp 50 both, lstmp 50 both, attend 2 50"
#define GRUTS "gru 50, gru 50, shift 3"

#define PULSES "conv 9x1 16, conv 13x1 32"
#define HEART "conv 9x1 24, conv 9x1 32, conv 9x1 32"

/* One kernel for all pitches: bands become semitones (stride 3), harmonics are gathered, outputs share their weights. */
#define HARMONICS "gather -24 -19 -12 0 12 19 24 28 31 34 36 38"
#define PIANO                                                                                                \
    "conv 3x9 24 stride 3 norm, " HARMONICS ", conv 1x1 48 norm, bias, conv 3x3 48 norm, conv 5x1 48 norm, " \
    "conv 5x1 48 dilate 2 norm, conv 1x1 1 linear, bias, crop 0 88"
#define PIANO_LIVE                                                                                \
    "conv 3x9 24 stride 3 causal norm, " HARMONICS ", conv 1x1 48 norm, bias, conv 3x3 48 norm, " \
    "conv 5x1 48 causal norm, conv 5x1 48 causal norm, conv 1x1 1 linear, bias, crop 0 88"
#define PIANO_PAPER                                                                                             \
    "conv 3x4 16, pool 3, conv 3x4 16, pool 2, conv 3x4 32, pool 2, conv 3x4 32, pool 2, conv 3x4 64, pool 2, " \
    "conv 3x4 64, pool 2, conv 3x4 64, pool 2, conv 3x4 64, pool 2, conv 3x4 64, pool 2, lstm 64, dense 32 sigmoid"

/* Of images, a cell is a bin of a frame; an output sees some 36 pixels of cells of 4, and 18 of cells of 2. */
#define CELLS "conv 3x3 48 local, conv 3x3 64 local, conv 3x3 64 local, conv 3x3 96 local, conv 1x1 96 local"
#define DIGITS                                                                                                  \
    "conv 3x3 64 local, conv 1x1 64 local, conv 3x3 96 local, conv 3x3 96 local, conv 3x3 128 local, conv 1x1 " \
    "128 local"
#define SPOTS "conv 3x3 32 local, conv 3x3 32 local, conv 3x3 32 local, conv 3x3 32 local"

#define WINDOWS                                                                                                \
    "image 32x32 64 64, pool 2x2, image 128 128, pool 2x2, image 256 256, pool 2x2, image 512 512, pool 2x2, " \
    "image 512 512, pool 2x2, lstm 48, dense 24 sigmoid"

static const char windows_network[] = "network=" WINDOWS;
static const char windows_decoding[] = "decoding=mass window=12 threshold=0.5 gap=16";
static const char digits_network[] = "network=" DIGITS;
static const char cells_network[] = "network=" CELLS;
static const char spots_network[] = "network=" SPOTS;
static const char piano_network[] = "network=" PIANO;
static const char piano_live_network[] = "network=" PIANO_LIVE;
static const char piano_paper_network[] = "network=" PIANO_PAPER;
static const char rnn_network[] = "network=" RNN;
static const char tanhb_network[] = "network=" TANHB;
static const char reluts_network[] = "network=" RELUTS;
static const char lstmpb_network[] = "network=" LSTMPB;
static const char gruts_network[] = "network=" GRUTS;
static const char pulse_network[] = "network=" PULSES;
static const char heart_network[] = "network=" HEART;
static const char default_network[] = "network=" BEATS HEAD;
static const char live_network[] = "network=" LIVE HEAD;
static const char both_network[] = "network=" BOTH;
static const char paper_network[] = "network=" PAPER;

/* For calibrated probabilities the best F1 comes from a threshold of half that F1, so about 0.4. One model had a mean F1 of
 * kick, snare and hi-hat of .777, .785, .785 and .783 on two sets of renders of unknown kits with 0.2, 0.3, 0.35 and 0.4.
 * Three versions that vote (versions=3, threshold=0.4) had .792, for three times the time.
 * Events move to where their sound begins: a spread of hi-hats of 4.2 ms becomes 3.6, of kicks 3.7 to 3.3, of snares 3.4
 * to 2.9. */
static const char even_decoding[] = "decoding=mass window=0.01 threshold=0.35 gap=0.04 snap=0.02";

/* Of voices that were not trained on, words are less probable: with thresholds of 0.2 to 0.6 one model found 1.00 to .95
 * of their words, with .96 to .975 right. */
static const char voice_decoding[] = "decoding=mass threshold=0.25";

/* Events are reported within 40 ms: a window half as long, frames a little closer, no wait for a centroid. Thresholds
 * come from counts, since the share of an event's mass that one frame holds differs from class to class: with 0.25 for
 * all, one model had F1 of .827 on renders of unknown kits and .884 on real drums, and .833 and .915 with 0.48, 0.38
 * and 0.43. */
static const char quick_decoding[] = "decoding=mass window=0 gap=0.01";

/* Frames of 16 ms: a window of three. 0.5 had an F1 of .800 where 0.3 had .787, and .828 where 0.3 had .816, on 42
 * Disklavier recordings. */
static const char firm_decoding[] = "decoding=mass window=0.016 threshold=0.5 gap=0.048";

/* In pixels. */
static const char cells_decoding[] = "decoding=mass window=6 threshold=0.5 gap=14";
static const char spots_decoding[] = "decoding=mass window=3 threshold=0.4 gap=4";

/* A frame of 16 ms holds most of the mass of a note. The counts chose 0.18, with which one model had F1 of .737 on 24 renders
 * that it was trained on; 0.4 had .755. */
static const char quick_firm_decoding[] = "decoding=mass window=0 threshold=0.4 gap=0.01";

static const char *const defaults[] = {
    "lanes=8",   "steps=1000",   "batch=32",  "seed=1",      "check=100",   "rate=0.003",   "warm_up=100",   "clip=1",
    "decay=0",   "average=0.99", "start=0.8", "held=0.15",   "context=0.1", "shortest=0",   "longest=0",     "gain=6",
    "noise=-25", "tilt=6",       "speed=0",   "stretch=0",   "mix=0",       "supervised=0", "loss=exact",    "flip=0",
    "shape=0",   "mirror=0",     "warp=0",    "anchor=rise", "sharpen=0.3", "transpose=0",  default_network,
};

static const preset presets[] = {
    {"sound",        "drums", {NULL}                                                                                                       },
    {"voice",
     "drums",                 {"speed=0.2", "stretch=0.2", "tilt=12", "noise=-15", "batch=16", "anchor=word", "frontend.window=512",
      "frontend.fft=1024", "frontend.bands=48", "frontend.low=80", "frontend.high=8000", voice_decoding, NULL}                },
    {"drums",        "drums", {"speed=0.08", "mix=0.15", NULL}                                                                             },
    {"drums-live",
     "drums",                 {"speed=0.08", "mix=0.15", live_network, "frontend.window=512", "frontend.fft=1024", "frontend.hop=200",
      quick_decoding, NULL}                                                                                                   },
    {"drums-hq",     "drums", {"speed=0.15", "mix=0.15", both_network, even_decoding, NULL}                                                },
    {"drums-paper",
     "drums-paper",           {"steps=150000", "check=1000", "rate=0.0001", "warm_up=0", "clip=10", "speed=0.125", paper_network, NULL}    },
    {"rnn",          "drums", {"speed=0.08", "mix=0.15", rnn_network, NULL}                                                                },
    {"tanhb",        "drums", {"speed=0.08", "mix=0.15", tanhb_network, NULL}                                                              },
    {"reluts",       "drums", {"speed=0.08", "mix=0.15", reluts_network, NULL}                                                             },
    {"lstmpb",       "drums", {"speed=0.08", "mix=0.15", lstmpb_network, NULL}                                                             },
    {"gruts",        "drums", {"speed=0.08", "mix=0.15", gruts_network, NULL}                                                              },
    {"piano",
     "piano",                 {"steps=8000", "check=500", "batch=8", "mix=0.1", "shortest=0.4", "longest=1", "context=0.16", "start=0.9",
      piano_network, firm_decoding, NULL}                                                                                     },
    {"piano-live",
     "piano-live",            {"steps=6000", "check=500", "batch=8", "shortest=0.4", "longest=1", "context=0.16", "start=0.9",
      piano_live_network, quick_firm_decoding, NULL}                                                                     },
    {"piano-paper",
     "piano-paper",           {"steps=150000", "check=1000", "batch=8", "shortest=1.5", "longest=1.5", "rate=0.0001", "warm_up=0", "clip=10",
      piano_paper_network, NULL}                                                                                        },
    {"image",
     "image",                 {"tilt=0", "gain=1", "noise=-30", "context=0", "mirror=1", "start=0.9", cells_network, cells_decoding, NULL} },
    {"digits",
     "image",                 {"steps=9000", "check=1000", "batch=64", "average=0.998", "held=0.02", "tilt=0", "gain=0", "noise=-120",
      "context=0", "start=0.9", "warp=0.15", digits_network, cells_decoding, NULL}                                            },
    {"digits-paper",
     "digits-paper",          {"steps=20000", "check=1000", "batch=8", "tilt=0", "gain=0", "noise=-120", "context=0", "start=0.9", "rate=0.0003",
      windows_network, windows_decoding, NULL}                                                                         },
    {"spots",
     "spots",                 {"steps=3000", "check=500", "batch=32", "tilt=0", "gain=0", "noise=-120", "context=0", "mirror=2", "start=0.9",
      "sharpen=0.3", spots_network, spots_decoding, NULL}                                                                     },
    {"series",
     "series",                {"tilt=0", "gain=0", "context=0.5", "speed=0.1", "batch=8", "warm_up=20", "sharpen=0.6", pulse_network, NULL}},
    {"ecg",
     "ecg",                   {"steps=500", "rate=0.004", "tilt=0", "gain=0", "context=0.5", "speed=0.22", "batch=8", "warm_up=20",
      "start=0.999", "anchor=peak", "sharpen=0.6", heart_network, NULL}                                                         },
};
enum { PRESETS = sizeof presets / sizeof presets[0] };

/* ---- presets ---- */

/* Sets pairs up to the first NULL or error. */
static loco_status set_all(lc_recipe *recipe, const char *const *pairs, size_t pairs_len, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < pairs_len && pairs[i] != NULL; i++)
        status = lc_recipe_set(recipe, pairs[i], err);
    return status;
}

/* Names the preset that may have been meant, or else all of them. */
static loco_status no_preset(const char *name, loco_err *err)
{
    const char *names[PRESETS];
    char list[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < PRESETS; i++) {
        size_t length = strlen(presets[i].name);
        names[i] = presets[i].name;
        if (used + length + 3 > sizeof list)
            continue;
        memcpy(list + used, i > 0 ? ", " : "", i > 0 ? 2 : 0);
        used += i > 0 ? 2 : 0;
        memcpy(list + used, presets[i].name, length + 1);
        used += length;
    }
    const char *near = loco_nearest(name, names, PRESETS);
    if (near != NULL)
        return lc_err_set(err, LOCO_EARG, "there is no preset \"%.40s\"; did you mean %s?", name, near);
    return lc_err_set(err, LOCO_EARG, "there is no preset \"%.40s\"; there are %s", name, list);
}

loco_status lc_recipe_preset(lc_recipe *recipe, const char *name, loco_err *err)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) != 0)
            continue;
        *recipe = (lc_recipe){0};
        loco_status status = lc_frontend_parse(&recipe->frontend, lc_frontend_preset(presets[i].frontend), err);
        if (status == LOCO_OK)
            status = set_all(recipe, defaults, sizeof defaults / sizeof defaults[0], err);
        if (status == LOCO_OK)
            status = set_all(recipe, presets[i].pairs, sizeof presets[i].pairs / sizeof presets[i].pairs[0], err);
        return status;
    }
    return no_preset(name, err);
}

/* ---- one pair ---- */

/* The line is only copied: lc_plan_network parses it when the inputs and classes are known. */
static loco_status set_network(lc_recipe *recipe, const char *value, loco_err *err)
{
    if (strlen(value) >= sizeof recipe->network)
        return lc_err_set(err, LOCO_EARG, "a network line has at most %zu characters", sizeof recipe->network - 1);
    memcpy(recipe->network, value, strlen(value) + 1);
    return LOCO_OK;
}

/* One of a list of words; its index is stored. */
static loco_status set_name(lc_recipe *recipe, const key *k, const char *value, loco_err *err)
{
    for (uint64_t i = 0; k->names[i] != NULL; i++)
        if (strcmp(k->names[i], value) == 0) {
            memcpy((char *)recipe + k->offset, &i, sizeof i);
            return LOCO_OK;
        }
    return lc_err_set(err, LOCO_EARG, "%s=%.40s: %s", k->name, value, k->what);
}

static loco_status set_decoding(lc_recipe *recipe, const char *value, loco_err *err)
{
    lc_decoding decoding;
    if (strlen(value) >= sizeof recipe->decoding)
        return lc_err_set(err, LOCO_EARG, "a decoding line has at most %zu characters", sizeof recipe->decoding - 1);
    if (*value != 0 && lc_decoding_parse(&decoding, value, strlen(value), err) != LOCO_OK)
        return LOCO_EARG;
    memcpy(recipe->decoding, value, strlen(value) + 1);
    return LOCO_OK;
}

/* The names are checked when the data are read. */
static loco_status set_auxiliary(lc_recipe *recipe, const char *value, loco_err *err)
{
    if (strlen(value) >= sizeof recipe->auxiliary || strchr(value, '\n') != NULL)
        return lc_err_set(err, LOCO_EARG,
                          "aside takes names of classes with commas between them, at most %zu characters",
                          sizeof recipe->auxiliary - 1);
    memcpy(recipe->auxiliary, value, strlen(value) + 1);
    return LOCO_OK;
}

/* Groups of classes that the model knows by name (model/fold.h). */
static loco_status set_fold(lc_recipe *recipe, const char *value, loco_err *err)
{
    lc_fold fold = {0};
    if (strlen(value) >= sizeof recipe->fold || strchr(value, '\n') != NULL)
        return lc_err_set(err, LOCO_EARG, "fold takes groups such as hihat=closed+open, at most %zu characters",
                          sizeof recipe->fold - 1);
    loco_status status = *value != 0 ? lc_fold_parse(&fold, value, NULL, err) : LOCO_OK;
    lc_fold_free(&fold);
    if (status == LOCO_OK)
        memcpy(recipe->fold, value, strlen(value) + 1);
    return status;
}

static loco_status set_columns(lc_recipe *recipe, const char *value, loco_err *err)
{
    size_t n;
    return lc_columns_parse(recipe->frontend.columns, &n, value, err) == LOCO_OK ? LOCO_OK : LOCO_EARG;
}

/* Both kinds of number are 8 bytes in the struct: a uint64_t or a double. */
static loco_status set_number(lc_recipe *recipe, const key *k, const char *value, loco_err *err)
{
    double number;
    bool good = lc_number_parse(value, strlen(value), &number) && number >= k->least && number <= k->most;
    if (!good || (k->form == WHOLE && floor(number) != number))
        return lc_err_set(err, LOCO_EARG, "%s=%.40s: %s takes a %snumber from %g to %g", k->name, value, k->what,
                          k->form == WHOLE ? "whole " : "", k->least, k->most);
    char *at = (char *)recipe + k->offset;
    uint64_t whole = (uint64_t)fabs(number);
    if (k->form == WHOLE)
        memcpy(at, &whole, sizeof whole);
    else
        memcpy(at, &number, sizeof number);
    return LOCO_OK;
}

/* A whole line; columns that were chosen before stay. */
static loco_status set_frontend(lc_recipe *recipe, const char *value, loco_err *err)
{
    lc_frontend_settings front;
    if (lc_frontend_parse(&front, value, err) != LOCO_OK)
        return LOCO_EARG;
    memcpy(front.columns, recipe->frontend.columns, sizeof front.columns);
    recipe->frontend = front;
    return LOCO_OK;
}

/* Settings that are lines of text. */
static const struct {
    const char *name;
    loco_status (*set)(lc_recipe *recipe, const char *value, loco_err *err);
} lines[] = {
    {"network",  set_network  },
    {"decoding", set_decoding },
    {"columns",  set_columns  },
    {"frontend", set_frontend },
    {"aside",    set_auxiliary},
    {"fold",     set_fold     },
};
enum { LINES = sizeof lines / sizeof lines[0] };

static loco_status unknown_key(const char *name, size_t length, loco_err *err)
{
    const char *names[KEYS + LINES];
    char typed[40];
    size_t kept = length < sizeof typed - 1 ? length : sizeof typed - 1;
    memcpy(typed, name, kept);
    typed[kept] = 0;
    for (size_t i = 0; i < KEYS; i++)
        names[i] = keys[i].name;
    for (size_t i = 0; i < LINES; i++)
        names[KEYS + i] = lines[i].name;
    const char *near = loco_nearest(typed, names, KEYS + LINES);
    if (near != NULL)
        return lc_err_set(err, LOCO_EARG, "there is no setting \"%s\"; did you mean %s?", typed, near);
    return lc_err_set(err, LOCO_EARG, "there is no setting \"%s\"; those of the front end begin with frontend.", typed);
}

static bool is_name(const char *name, const char *pair, size_t length)
{
    return strlen(name) == length && memcmp(name, pair, length) == 0;
}

loco_status lc_recipe_set(lc_recipe *recipe, const char *pair, loco_err *err)
{
    static const char front[] = "frontend.";
    const char *equals = strchr(pair, '=');
    if (equals == NULL)
        return lc_err_set(err, LOCO_EARG, "\"%.60s\" is not a setting; write key=value, such as steps=2000", pair);
    size_t length = (size_t)(equals - pair);
    if (strncmp(pair, front, sizeof front - 1) == 0)
        return lc_frontend_set(&recipe->frontend, pair + sizeof front - 1, err) == LOCO_OK ? LOCO_OK : LOCO_EARG;
    for (size_t i = 0; i < LINES; i++)
        if (is_name(lines[i].name, pair, length))
            return lines[i].set(recipe, equals + 1, err);
    for (size_t i = 0; i < KEYS; i++)
        if (is_name(keys[i].name, pair, length))
            return (keys[i].form == NAME ? set_name : set_number)(recipe, &keys[i], equals + 1, err);
    return unknown_key(pair, length, err);
}

/* ---- all of them ---- */

/* Checkpoints of before there was a choice of lanes can be resumed. */
static bool is_unsaid(const lc_recipe *recipe, const key *k)
{
    return k->offset == offsetof(lc_recipe, lanes) && recipe->lanes == LC_GRADIENT_LANES;
}

/* Settings of the front end are not here: lc_frontend_format writes them. */
void lc_recipe_format(const lc_recipe *recipe, lc_text *text)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (is_unsaid(recipe, &keys[i]))
            continue;
        const char *at = (const char *)recipe + keys[i].offset;
        double number = 0;
        uint64_t whole = 0;
        memcpy(keys[i].form == REAL ? (void *)&number : (void *)&whole, at, sizeof number);
        lc_text_format(text, "%s=", keys[i].name);
        if (keys[i].form == NAME)
            lc_text_string(text, keys[i].names[whole]);
        else if (keys[i].form == WHOLE)
            lc_text_format(text, "%llu", (unsigned long long)whole);
        else
            lc_text_number(text, number, 9);
        lc_text_string(text, "\n");
    }
    lc_text_format(text, "network=%s\n", recipe->network);
    if (recipe->decoding[0] != 0)
        lc_text_format(text, "decoding=%s\n", recipe->decoding);
    if (recipe->frontend.columns[0] != 0)
        lc_text_format(text, "columns=%s\n", recipe->frontend.columns);
    if (recipe->auxiliary[0] != 0)
        lc_text_format(text, "aside=%s\n", recipe->auxiliary);
    if (recipe->fold[0] != 0)
        lc_text_format(text, "fold=%s\n", recipe->fold);
}

/* SPDX-License-Identifier: MIT
 * decoding.h - how probabilities become events: settings in one readable line, as a model file keeps them.
 *
 *     mass window=0.01 threshold=0.3 gap=0.04     the mass of p within +-window, where it is largest
 *     peak threshold=0.3 gap=0.03                 p itself, where it is largest
 *     count reset=0.25 quiet=0.02                 where the running expected count passes k + 1/2
 *     mass threshold=0.4 versions=4               files only: where most of four versions have an event (ensemble.h)
 *     mass threshold=0.4 snap=0.02                files only: moved to where the sound begins, at most so far (snap.h)
 *
 * Measured on drums of real tracks, mean F1 within 50 / 20 ms: mass .895 / .860, peak .888 / .853, count
 * .867 / .818, and .828 / .788 without its reset: a count that is off by a half stays off. */
#ifndef LC_MODEL_DECODING_H
#define LC_MODEL_DECODING_H

#include "base/text.h"
#include "loco.h"

#include <stdbool.h>

typedef enum lc_decode_method { LC_DECODE_MASS, LC_DECODE_PEAK, LC_DECODE_COUNT } lc_decode_method;

typedef struct lc_decoding {
    lc_decode_method method;
    double threshold; /* mass, peak: the least mass or probability of an event, 0.000001 to 1 */
    double window;    /* mass: seconds, or pixels of an image, on each side, 0 to 100 */
    double gap;       /* mass, peak: an event suppresses weaker ones within so many seconds on each side, 0 to 1000 */
    double reset;     /* count: seconds of quiet after which the running count becomes a whole number, 0 to 3600 */
    double quiet;     /* count: a frame is quiet below this probability, 0 to 1; 0: never, so no reset */
    /* mass, peak, of a whole file; the decoder ignores them: */
    size_t versions; /* at different speeds, that vote: up to 64; 0 or 1: no vote */
    double snap;     /* seconds to either side that an event moves to where its sound begins, 0 to 0.1; 0: stays */
} lc_decoding;

lc_decoding lc_decoding_default(lc_decode_method method); /* the values in the lines above */

/* Reads a line; settings that it leaves out have their defaults. */
LOCO_MUST_USE loco_status lc_decoding_parse(lc_decoding *decoding, const char *line, size_t length, loco_err *err);

/* Changes one setting of the method: `gap=0.05`. */
LOCO_MUST_USE loco_status lc_decoding_set(lc_decoding *decoding, const char *setting, size_t length, loco_err *err);

/* LOCO_EARG for an unknown method and for numbers out of range, for settings that were not read from a line. */
LOCO_MUST_USE loco_status lc_decoding_check(const lc_decoding *decoding, loco_err *err);

/* Writes the line, with all settings of the method to 9 decimals. */
void lc_decoding_format(const lc_decoding *decoding, lc_text *text);

/* Whether the events of a file are those of one decoder, without votes and snaps. */
bool lc_decoding_plain(const lc_decoding *decoding);

/* 1 / (1 + exp(-logit)), and 0 for a NaN, so that one NaN affects its own frame alone. In double: float turns
 * all logits above 17 into the same probability, and peaks into plateaus. */
double lc_probability(float logit);

#endif

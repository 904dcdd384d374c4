/* SPDX-License-Identifier: MIT
 * ensemble.h - several versions of one recording vote: windows that overlap, sample-rate factors, networks.
 *
 *     vote select=0.2 sigma=0.0125 share=0.5 gap=0.045 speeds=0.06
 *
 * Events of all versions, in the time of the original, are ballots. With weights w_i at times t_i of one class,
 *   S(x) = sum_i w_i exp(-(x - t_i)^2 / (2 sigma^2)),   share(x) = S(x) / (weights of the versions that cover x)
 * so that versions which agree exactly have share 1. A ballot survives if its share is the largest within +-gap, of
 * equals the first; an event is at the peak of S above it, one for each peak, if the share there reaches `share`.
 * Only ballots are kept, 16 bytes each, no frames: ten hours with ten events a second in 16
 * versions, 5.8 million ballots, took 194 MB at the peak, sorting included.
 *
 * The authors of the paper take detections with p > 0.2 (piano) or 0.4 (drums), a kernel of 5 frames of 5 ms,
 * suppression over 20 or 9 frames, and a share of 0.35 or 0.5. */
#ifndef LC_DETECT_ENSEMBLE_H
#define LC_DETECT_ENSEMBLE_H

#include "base/text.h"
#include "events/event_array.h"

typedef struct lc_voting {
    double select; /* the least probability of an event that votes, 0 to 1 */
    double sigma;  /* seconds, 0.00001 to 10 */
    double share;  /* 0.001 to 1 */
    double gap;    /* seconds, 0 to 60 */
    /* Versions of a file are read at speeds 1 - speeds to 1 + speeds, 0 to 0.5. Measured with three versions at 6 %: 0
     * to 0.01 more in F1, and half a millisecond less spread. */
    double speeds;
} lc_voting;

lc_voting lc_voting_default(void); /* the values in the line above */

/* How a version lies in the original: a time t of the version is scale * t + shift there. */
typedef struct lc_version {
    double scale, shift;
    double weight;     /* of each of its ballots */
    double begin, end; /* what it covers, in seconds of the original; events outside do not count */
} lc_version;

/* A version of weight 1 that covers everything. */
lc_version lc_version_of(double scale, double shift);

/* LOCO_EARG for scales outside 0.001 to 1000, weights outside 0.000001 to 1000000, NaNs, and end <= begin. */
LOCO_MUST_USE loco_status lc_version_check(const lc_version *version, loco_err *err);

typedef struct lc_vote lc_vote;

LOCO_MUST_USE loco_status lc_vote_new(lc_vote **vote, const lc_voting *voting, size_t classes, loco_err *err);
void lc_vote_free(lc_vote *vote);

/* Takes the ballots of one version, in its own time. On failure none of them counts. */
LOCO_MUST_USE loco_status lc_vote_add(lc_vote *vote, const lc_version *version, const loco_event *events,
                                      size_t events_len, loco_err *err);

/* Adds the result to the list, sorted by time, with min(1, share) as probability. More versions may follow. */
LOCO_MUST_USE loco_status lc_vote_events(lc_vote *vote, lc_event_array *list, loco_err *err);

#endif

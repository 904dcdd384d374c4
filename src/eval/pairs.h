/* SPDX-License-Identifier: MIT
 * pairs.h - two lists of events, recording by recording. */
#ifndef LC_EVAL_PAIRS_H
#define LC_EVAL_PAIRS_H

#include "events/event_list.h"

/* Receives the true and the detected events of one recording; either list may be empty. */
typedef loco_status lc_pair_take(void *context, const loco_event *truth, size_t truth_len, const loco_event *detected,
                                 size_t detected_len, loco_err *err);

/* Calls take for each recording of the reference, and then for each that the estimate alone has. Recordings are the
 * same when their names are, or else when only their names without folder and ending are, one to one; and when each
 * list has only one. LOCO_EDATA when no recording is common, which is an error, not a score of 0; the two paths are
 * for that message. Stops at the first failure of take. */
LOCO_MUST_USE loco_status lc_pairs_each(const lc_event_list *reference, const char *reference_path,
                                        const lc_event_list *estimate, const char *estimate_path, lc_pair_take *take,
                                        void *context, loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 * pairs.h - two lists of events, recording by recording. */
#ifndef LC_EVAL_PAIRS_H
#define LC_EVAL_PAIRS_H

#include "events/event_list.h"

/* The two lists from their files; detected->classes begins with the classes of the reference, and those that only the
 * estimate has stand behind them: its events of these are false alarms. LOCO_EDATA where no class is common and one looks
 * like another spelling, or notes meet names. On failure neither is set. */
LOCO_MUST_USE loco_status lc_pairs_load(lc_event_list **reference, lc_event_list **estimate, const char *reference_path,
                                        const char *estimate_path, loco_err *err);

/* Receives the true and the detected events of one recording, named as in the reference where that has it; either list
 * may be empty. */
typedef loco_status lc_pair_take(void *context, const char *name, const loco_event *truth, size_t truth_len,
                                 const loco_event *detected, size_t detected_len, loco_err *err);

/* Calls take for each recording of the reference, and then for each that the estimate alone has. Recordings are the
 * same when their names are, or else when only their names without folder and ending are, one to one; and when each
 * list has only one. LOCO_EDATA when no recording is common, which is an error, not a score of 0; the two paths are
 * for that message. Stops at the first failure of take. */
LOCO_MUST_USE loco_status lc_pairs_each(const lc_event_list *reference, const char *reference_path,
                                        const lc_event_list *estimate, const char *estimate_path, lc_pair_take *take,
                                        void *context, loco_err *err);

#endif

/* SPDX-License-Identifier: MIT
 * oom_cases.h - lets each allocation of a function fail in turn, for tests whose name ends in _oom. */
#ifndef TESTS_OOM_CASES_H
#define TESTS_OOM_CASES_H

#include "check.h"
#include "loco.h"
#include "oom.h"

#include <string.h>

/* Each failure must be reported as one of memory, and the run without any must succeed. How many allocations there are. */
static inline size_t oom_fail_each(loco_status run(loco_err *err))
{
    for (size_t n = 1;; n++) {
        loco_err err = {""};
        oom_begin(n);
        loco_status status = run(&err);
        if (oom_end() < n) {
            CHECK_STATUS(status, LOCO_OK);
            return n - 1;
        }
        CHECK_STATUS(status, LOCO_ENOMEM);
        CHECK(strstr(err.text, "out of memory") != NULL);
    }
}

#endif

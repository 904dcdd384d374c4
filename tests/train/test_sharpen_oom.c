/* SPDX-License-Identifier: MIT
 * test_sharpen_oom.c - lets the n-th allocation of the loss at a temperature fail, for every n: the caller gets an error,
 *   nothing leaks, and the next try has the gradient of one that never failed. */
#include "check.h"
#include "oom.h"

#include "train/sharpen.h"

#include <string.h>

enum { T = 3000, EVENTS = 200 }; /* more than a workspace holds at first */

static float logits[T], wanted[T], grad[T];

static loco_status run(float *out, loco_count *count, loco_err *err)
{
    loco_count_item item = {
        .logits = logits, .length = T, .stride = 1, .label = loco_label_exact(EVENTS), .grad = out, .loss = 12.5};
    loco_status status = lc_sharpen(&item, 0.5, count, err);
    CHECK_NEAR(item.loss, 12.5, 0);
    return status;
}

static void every_allocation_may_fail(void)
{
    loco_count *count = NULL;
    size_t n = 1, allocations = 0;
    CHECK_STATUS(loco_count_new(&count, 1, NULL), LOCO_OK);
    CHECK_STATUS(run(wanted, count, NULL), LOCO_OK);
    loco_count_free(count);
    for (loco_status status = LOCO_ENOMEM; status != LOCO_OK && n < 100; n++) {
        loco_err err = {""};
        count = NULL;
        CHECK_STATUS(loco_count_new(&count, 1, NULL), LOCO_OK);
        oom_begin(n);
        status = run(grad, count, &err);
        allocations = oom_end();
        CHECK((status == LOCO_OK) == (allocations < n));
        CHECK(status == LOCO_OK || (status == LOCO_ENOMEM && strstr(err.text, "memory") != NULL));
        CHECK_STATUS(run(grad, count, NULL), LOCO_OK);
        CHECK(memcmp(grad, wanted, sizeof grad) == 0);
        loco_count_free(count);
    }
    CHECK(allocations > 0);
}

int main(void)
{
    for (size_t t = 0; t < T; t++)
        logits[t] = (float)sin((double)t) - 2;
    RUN(every_allocation_may_fail);
    return check_done();
}

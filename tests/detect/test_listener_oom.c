/* SPDX-License-Identifier: MIT
 * test_listener_oom.c - a listener allocates nothing after it was made, and every failing allocation before is
 * reported.
 */
#include "burst_model.h"

#include "oom.h"

enum { RATE = 44100, FRAMES = 3 * RATE };

static loco_model *model;
static float sound[2 * FRAMES];
static size_t reported;

static void take(void *context, const loco_event *event)
{
    (void)context;
    (void)event;
    reported++;
}

static loco_status make(loco_listener **listener, loco_err *err)
{
    loco_listen_options how = {.size = sizeof how, .rate = RATE, .channels = 2, .take = take};
    return loco_listener_new(listener, model, &how, err);
}

static void nothing_is_allocated_after_new(void)
{
    static const size_t blocks[] = {1, 64, 1000, 48000, FRAMES};
    loco_listener *listener = NULL;
    CHECK_STATUS(make(&listener, NULL), LOCO_OK);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        size_t failed = 0;
        reported = 0;
        oom_begin(0);
        for (size_t at = 0; at < FRAMES; at += blocks[i]) {
            size_t n = FRAMES - at < blocks[i] ? FRAMES - at : blocks[i];
            failed += loco_listener_push(listener, sound + 2 * at, n, NULL) != LOCO_OK;
        }
        failed += loco_listener_flush(listener, NULL) != LOCO_OK;
        loco_listener_reset(listener);
        CHECK_EQ(oom_end(), 0);
        CHECK_EQ(failed, 0);
        CHECK(reported > 3);
    }
    loco_listener_free(listener);
}

static void failing_allocations_are_reported(void)
{
    size_t n = 0;
    for (bool failed = true; failed;) {
        loco_err err = {""};
        loco_listener *listener = NULL;
        oom_begin(++n);
        loco_status status = make(&listener, &err);
        failed = oom_end() >= n;
        CHECK_STATUS(status, failed ? LOCO_ENOMEM : LOCO_OK);
        CHECK((listener == NULL) == failed);
        if (failed)
            CHECK_SAYS(err.text, "out of memory");
        loco_listener_free(listener);
    }
    CHECK(n > 8);
}

int main(void)
{
    static burst_case made;
    burst_begin(&made, 2);
    CHECK_STATUS(loco_model_load(&model, made.model, NULL), LOCO_OK);
    for (size_t i = 0; i < FRAMES; i++) /* bursts of noise, four a second */
        sound[2 * i] = sound[2 * i + 1] = i % (RATE / 4) < 800 ? (float)((i * 7919) % 2001) / 1000 - 1 : 0;
    RUN(nothing_is_allocated_after_new);
    RUN(failing_allocations_are_reported);
    loco_model_free(model);
    return run_done();
}

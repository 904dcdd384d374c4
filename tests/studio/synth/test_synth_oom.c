/* SPDX-License-Identifier: MIT
 * test_synth_oom.c - lets the n-th allocation fail, for every n, while a data set is made: the caller gets an error,
 *   nothing leaks, no result is touched, and no counts.csv appears. */
#include "cases.h"
#include "oom_cases.h"

#include "studio/synth/drums.h"

#include <unistd.h>

static const lc_synth_settings settings = {.rate = 8000, .seconds = 2, .seed = 5, .distractors = true};
static char folder[] = "/tmp/loco-synth-oom-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static loco_status render(loco_err *err)
{
    float *samples = NULL;
    loco_event *events = NULL;
    size_t n = 1, events_len = 2;
    loco_status status = lc_synth_drums(&settings, 1, &samples, &n, &events, &events_len, err);
    CHECK((samples != NULL && events != NULL) == (status == LOCO_OK));
    CHECK(status == LOCO_OK || (n == 1 && events_len == 2));
    free(samples);
    free(events);
    return status;
}

static loco_status save(loco_err *err)
{
    loco_status status = lc_synth_save(folder, &settings, 2, 0.4, 0.8, err);
    CHECK((access(in_folder("counts.csv"), F_OK) == 0) == (status == LOCO_OK));
    return status;
}

static void every_failing_allocation_is_reported(void)
{
    size_t rendered = oom_fail_each(render), saved = oom_fail_each(save);
    CHECK(rendered >= 4);
    CHECK(saved > 2 * rendered);
}

static void nothing_leaks(void)
{
    size_t before = oom_bytes();
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(render(NULL), LOCO_OK);
    for (size_t n = 1; n < 5; n++) {
        oom_begin(n);
        CHECK_STATUS(render(NULL), LOCO_ENOMEM);
        oom_end();
    }
    CHECK(oom_bytes() <= before);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    RUN(every_failing_allocation_is_reported);
    RUN(nothing_leaks);
    unlink(in_folder("counts.csv"));
    unlink(in_folder("events.csv"));
    unlink(in_folder("rec_000.wav"));
    unlink(in_folder("rec_001.wav"));
    rmdir(folder);
    return check_done();
}

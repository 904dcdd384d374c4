/* SPDX-License-Identifier: MIT
 * test_tensors_oom.c - lets the n-th allocation fail, for every n, while model files are saved and loaded: the call
 *   reports it, nothing leaks, no result is touched, and no file appears or changes. cJSON allocates by hooks that
 *   lead to the same counter. */
#include "model_cases.h"
#include "oom.h"

#include "model/checkpoint.h"

#include <cjson/cJSON.h>

static case_model m;
static lc_progress progress;
static char saved[256], loaded[256];

typedef loco_status work(loco_err *err);

static loco_status save_model(loco_err *err)
{
    return lc_model_file_save(saved, &m.net, m.params, &m.info, err);
}

static loco_status save_checkpoint(loco_err *err)
{
    return lc_checkpoint_save(saved, &m.net, m.params, &m.info, &progress, err);
}

static loco_status load_model(loco_err *err)
{
    lc_model_file *model = NULL;
    loco_status status = lc_model_file_load(loaded, &model, err);
    CHECK((model != NULL) == (status == LOCO_OK));
    lc_model_file_free(model);
    return status;
}

static loco_status load_checkpoint(loco_err *err)
{
    float *before = m.params;
    uint64_t step = progress.step;
    loco_status status = lc_checkpoint_load(loaded, &m.net, m.params, &progress, err);
    CHECK(before == m.params && progress.step == step);
    return status;
}

static loco_status parse(loco_err *err)
{
    lc_tensors *file = NULL;
    loco_status status = lc_tensors_parse(&file, "\x02\0\0\0\0\0\0\0{}", 10, err);
    lc_tensors_free(file);
    return status;
}

static work *const works[] = {save_model, save_checkpoint, load_model, load_checkpoint, parse};

/* Fails each allocation once, then none; returns how many there were. */
static size_t fail_each(work *run)
{
    for (size_t n = 1;; n++) {
        loco_err err = {""};
        oom_begin(n);
        loco_status status = run(&err);
        if (oom_end() < n) {
            CHECK_STATUS(status, LOCO_OK);
            unlink(saved);
            return n - 1;
        }
        CHECK_STATUS(status, LOCO_ENOMEM);
        CHECK_SAYS(err.text, "out of memory");
        CHECK(access(saved, F_OK) != 0);
    }
}

static void every_failing_allocation_is_reported(void)
{
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        size_t n = fail_each(works[i]);
        CHECK(n >= 4);
    }
}

/* The C library keeps what was freed for the next time, by size, and counts it as used; that comes to rest after some
 * rounds, a leak never does. */
static void nothing_leaks(void)
{
    enum { ROUNDS = 20, REST = 4 };
    size_t bytes[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        every_failing_allocation_is_reported();
        bytes[i] = oom_bytes();
    }
    for (int i = ROUNDS - REST; i < ROUNDS; i++)
        CHECK_EQ(bytes[i], bytes[i - 1]);
}

static void *hooked_malloc(size_t size)
{
    return malloc(size);
}

int main(void)
{
    cJSON_Hooks hooks = {.malloc_fn = hooked_malloc, .free_fn = free};
    cJSON_InitHooks(&hooks);
    case_begin();
    case_model_make(&m, &case_nets[2], 5);
    snprintf(saved, sizeof saved, "%s", case_path("saved"));
    snprintf(loaded, sizeof loaded, "%s", case_path("loaded"));
    size_t n = m.net.params;
    progress = (lc_progress){case_array(n, sizeof(float)), case_array(n, sizeof(float)), case_array(n, sizeof(float)),
                             12, lc_rng_seed(1)};
    CHECK_STATUS(lc_checkpoint_save(loaded, &m.net, m.params, &m.info, &progress, NULL), LOCO_OK);
    RUN(every_failing_allocation_is_reported);
    RUN(nothing_leaks);
    unlink(loaded);
    free(progress.m);
    free(progress.v);
    free(progress.average);
    free(m.params);
    CHECK(rmdir(case_folder) == 0);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_checkpoint.c - a model in training: what is refused, then a run that is stopped, saved and resumed at every
 *   step gives the same bits as one that is not. */
#include "model_cases.h"

#include "model/checkpoint.h"
#include "train/optimiser.h"

#include <stdint.h>

static case_model m;

/* ---- wrong files ---- */

static float *wide(void)
{
    return case_array(m.net.params, sizeof(float));
}

static lc_progress progress_new(uint64_t seed)
{
    lc_progress p = {wide(), wide(), wide(), UINT64_MAX - 5, lc_rng_seed(seed)};
    lc_rng rng = lc_rng_seed(seed + 1);
    case_floats(&rng, p.m, m.net.params);
    case_floats(&rng, p.v, m.net.params);
    case_floats(&rng, p.average, m.net.params);
    return p;
}

static void progress_free(lc_progress *p)
{
    free(p->m);
    free(p->v);
    free(p->average);
}

static void save(const char *path)
{
    lc_progress p = progress_new(1);
    loco_err err = {""};
    CHECK_STATUS(lc_checkpoint_save(path, &m.net, m.params, &m.info, &p, &err), LOCO_OK);
    progress_free(&p);
}

/* Must be refused, and leave all arrays as they are. */
static void check_refused(const char *path, const lc_net *net, loco_status want, const char *words, int line)
{
    lc_progress p = progress_new(2), before = progress_new(2);
    float *params = wide(), *zero = wide();
    size_t bytes = m.net.params * sizeof(float);
    loco_err err = {""};
    check_status(lc_checkpoint_load(path, net, params, &p, &err), want, __FILE__, line, words);
    check_says(err.text, words, __FILE__, line);
    check_true(case_same(params, zero, bytes) && case_same(p.m, before.m, bytes) && case_same(p.v, before.v, bytes) &&
                   case_same(p.average, before.average, bytes) && p.step == before.step &&
                   case_same(&p.rng, &before.rng, sizeof p.rng),
               __FILE__, line, "untouched");
    progress_free(&p);
    progress_free(&before);
    free(params);
    free(zero);
}

static void check_changed(void (*change)(case_parts *parts), const char *words, int line)
{
    const char *path = case_path("changed");
    save(path);
    case_rewrite(path, change);
    check_refused(path, &m.net, LOCO_EDATA, words, line);
    unlink(path);
}

#define CHANGED(change, words) check_changed((change), (words), __LINE__)

static lc_array *array_named(case_parts *p, const char *name)
{
    for (size_t i = 0; i < p->arrays_len; i++) {
        if (strcmp(p->arrays[i].name, name) == 0)
            return &p->arrays[i];
    }
    fprintf(stderr, "no array %s\n", name);
    exit(1);
}

static void no_moments(case_parts *p)
{
    *array_named(p, "adam.v") = p->arrays[--p->arrays_len];
}

static void short_average(case_parts *p)
{
    array_named(p, "average")->shape[0]--;
}

static void infinite_moment(case_parts *p)
{
    static float bad[100];
    bad[2] = INFINITY;
    array_named(p, "adam.m")->data = bad;
}

static void step_as_double(case_parts *p)
{
    array_named(p, "step")->dtype = LC_F64;
}

static void zero_random(case_parts *p)
{
    static const uint64_t zero[4];
    array_named(p, "random")->data = zero;
}

static void unknown_tensor(case_parts *p)
{
    p->arrays[p->arrays_len++] = (lc_array){"adam.x", LC_F32, 0, {0}, "abcd"};
}

static void wrong_state_is_refused(void)
{
    CHANGED(no_moments, "changed: tensor \"adam.v\" is missing");
    CHANGED(short_average, "tensor \"average\" has shape [31], and must have [32]");
    CHANGED(infinite_moment, "tensor \"adam.m\": number 2 is infinite");
    CHANGED(step_as_double, "tensor \"step\" holds F64, and must hold U64");
    CHANGED(zero_random, "tensor \"random\" is all 0");
    CHANGED(unknown_tensor, "tensor \"adam.x\" belongs to no layer");
}

static void other_networks_are_refused(void)
{
    lc_net other;
    const char *path = case_path("other");
    CHECK_STATUS(lc_net_parse(&other, "gru 2, dense 3", 14, 1, 1, NULL), LOCO_OK);
    save(path);
    check_refused(path, &other, LOCO_EDATA, "is for another network: \"gru 2, dense 2\", not \"gru 2, dense 3\"",
                  __LINE__);
    other = m.net;
    other.in_F = 5;
    check_refused(path, &other, LOCO_EDATA, "is for frames of 1 bins and 1 channels, not 5 and 1", __LINE__);
    CHECK_STATUS(lc_model_file_save(path, &m.net, m.params, &m.info, NULL), LOCO_OK);
    check_refused(path, &m.net, LOCO_EDATA, "is a model without the state of training; only a checkpoint", __LINE__);
    check_refused(case_path("missing"), &m.net, LOCO_EIO, "missing", __LINE__);
    unlink(path);
}

static void diverged_training_is_not_saved(void)
{
    lc_progress p = progress_new(1);
    loco_err err = {""};
    p.v[7] = NAN;
    CHECK_STATUS(lc_checkpoint_save(case_path("never"), &m.net, m.params, &m.info, &p, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "never: tensor \"adam.v\": number 7 is not a number");
    CHECK(access(case_path("never"), F_OK) != 0);
    progress_free(&p);
}

/* ---- round trip ---- */

static void a_checkpoint_is_a_model(void)
{
    lc_model_file *model = NULL;
    const char *path = case_path("checkpoint");
    save(path);
    CHECK_STATUS(lc_model_file_load(path, &model, NULL), LOCO_OK);
    CHECK(model != NULL && case_same(model->params, m.params, m.net.params * sizeof(float)));
    CHECK(model != NULL && model->info.pairs_len == 2);
    lc_model_file_free(model);
    unlink(path);
}

static void all_state_comes_back(void)
{
    lc_progress want = progress_new(1), got = progress_new(5);
    float *params = wide();
    size_t bytes = m.net.params * sizeof(float);
    const char *path = case_path("state");
    save(path);
    CHECK_STATUS(lc_checkpoint_load(path, &m.net, params, &got, NULL), LOCO_OK);
    CHECK(case_same(params, m.params, bytes) && case_same(got.m, want.m, bytes) && case_same(got.v, want.v, bytes));
    CHECK(case_same(got.average, want.average, bytes) && got.step == UINT64_MAX - 5);
    CHECK(case_same(&got.rng, &want.rng, sizeof got.rng));
    progress_free(&want);
    progress_free(&got);
    free(params);
    unlink(path);
}

/* A run whose gradients come from its random numbers. */
typedef struct run {
    lc_optimiser state;
    lc_rng rng;
    lc_block block;
} run;

static void run_begin(run *r)
{
    lc_arena arena = {0};
    *r = (run){.rng = lc_rng_seed(11)};
    lc_optimiser_layout(&r->state, m.net.params, &arena);
    if (!lc_block_reserve(&r->block, arena.used))
        exit(1);
    memset(r->block.data, 0, r->block.size);
    arena = lc_arena_over(&r->block);
    lc_optimiser_layout(&r->state, m.net.params, &arena);
    r->state.step = 0;
    lc_net_init(&m.net, r->state.params, 0.1, -1, &r->rng);
    memcpy(r->state.average, r->state.params, m.net.params * sizeof(float));
}

static void run_step(run *r)
{
    static const lc_schedule schedule = {
        .rate = 0.01, .warm_up = 3, .steps = 20, .clip = 2, .weight_decay = 0.01, .average = 0.9};
    for (size_t i = 0; i < r->state.n; i++)
        r->state.grads[i] = (float)lc_rng_normal(&r->rng);
    (void)lc_optimiser_step(&r->state, &schedule);
}

/* Saves a run and gives what comes back to a new one. */
static run run_resumed(run *old)
{
    run r;
    const char *path = case_path("run");
    lc_progress out = {old->state.m, old->state.v, old->state.average, old->state.step, old->rng};
    run_begin(&r);
    lc_progress in = {r.state.m, r.state.v, r.state.average, 0, {{0}}};
    CHECK_STATUS(lc_checkpoint_save(path, &m.net, old->state.params, &m.info, &out, NULL), LOCO_OK);
    CHECK_STATUS(lc_checkpoint_load(path, &m.net, r.state.params, &in, NULL), LOCO_OK);
    r.state.step = in.step;
    r.rng = in.rng;
    lc_block_free(&old->block);
    unlink(path);
    return r;
}

static void resumed_runs_are_the_same(void)
{
    run whole, parts;
    size_t bytes = m.net.params * sizeof(float);
    run_begin(&whole);
    run_begin(&parts);
    for (int step = 0; step < 15; step++) {
        run_step(&whole);
        run_step(&parts);
        parts = run_resumed(&parts);
        CHECK(case_same(whole.state.params, parts.state.params, bytes));
        CHECK(case_same(whole.state.average, parts.state.average, bytes));
        CHECK(whole.state.step == parts.state.step && case_same(&whole.rng, &parts.rng, sizeof whole.rng));
    }
    CHECK(whole.state.step == 15);
    lc_block_free(&whole.block);
    lc_block_free(&parts.block);
}

int main(void)
{
    const case_net net = {"gru 2, dense 2", 1, 1};
    case_begin();
    case_model_make(&m, &net, 4);
    RUN(wrong_state_is_refused);
    RUN(other_networks_are_refused);
    RUN(diverged_training_is_not_saved);
    RUN(a_checkpoint_is_a_model);
    RUN(all_state_comes_back);
    RUN(resumed_runs_are_the_same);
    free(m.params);
    CHECK(rmdir(case_folder) == 0);
    return check_done();
}

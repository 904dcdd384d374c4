/* SPDX-License-Identifier: MIT
 * test_pool.c - threads that wait for numbered tasks. The thread sanitizer sees what these checks cannot. */
#include "cases.h"

#include "base/pool.h"

#include <sys/resource.h>

enum { TASKS_MAX = 300, THREADS_MAX = 8 };

static loco_err err;

/* What tasks write: plain numbers, so that a race shows under the thread sanitizer. */
typedef struct board {
    unsigned threads;
    size_t runs[TASKS_MAX];         /* written by the task */
    size_t per_worker[THREADS_MAX]; /* written by the worker */
    unsigned generation;
} board;

static void mark(void *context, size_t task, unsigned worker)
{
    board *b = context;
    if (task >= TASKS_MAX || worker >= b->threads)
        abort();
    b->runs[task] += b->generation; /* set by the caller before the run */
    b->per_worker[worker]++;
}

static lc_pool *pool_of(unsigned threads)
{
    lc_pool *pool = NULL;
    CHECK_STATUS(lc_pool_new(&pool, threads, &err), LOCO_OK);
    if (pool == NULL)
        exit(1);
    CHECK_EQ(lc_pool_threads(pool), threads);
    return pool;
}

/* Runs the tasks; all of them must have run once, and no other. */
static void check_run_once(lc_pool *pool, size_t tasks, unsigned generation)
{
    board b = {.threads = lc_pool_threads(pool), .generation = generation};
    lc_pool_run(pool, tasks, mark, &b);
    size_t wrong = 0, total = 0;
    for (size_t i = 0; i < TASKS_MAX; i++)
        wrong += b.runs[i] != (i < tasks ? generation : 0);
    for (size_t i = 0; i < THREADS_MAX; i++)
        total += b.per_worker[i];
    CHECK_EQ(wrong, 0);
    CHECK_EQ(total, tasks);
}

/* Stacks of 1000 threads do not fit into 256 MiB of addresses. The sanitizers need more for themselves,
 * and qemu ignores the limit. */
static void too_many_threads_are_refused(void)
{
#if !defined(TEST_SANITIZED) && !defined(TEST_EMULATED)
    struct rlimit before, small;
    lc_pool *pool = NULL;
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    small = before;
#ifdef __GLIBC__
    small.rlim_cur = (rlim_t)256 << 20;
#else
    small.rlim_cur = (rlim_t)100 << 20; /* musl has stacks of 128 KiB */
#endif
    CHECK(setrlimit(RLIMIT_AS, &small) == 0);
    loco_status status = lc_pool_new(&pool, 1000, &err);
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK_STATUS(status, LOCO_ENOMEM);
    CHECK_SAYS(err.text, "could not start thread");
    CHECK(pool == NULL);
#endif
    lc_pool_free(pool_of(2)); /* and then they are not */
}

static void every_task_runs_once(void)
{
    static const unsigned threads[] = {1, 2, 3, THREADS_MAX};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        lc_pool *pool = pool_of(threads[i]);
        for (size_t tasks = 0; tasks <= TASKS_MAX; tasks += tasks < 12 ? 1 : 48)
            check_run_once(pool, tasks, 1);
        lc_pool_free(pool);
    }
}

static void many_generations_follow_each_other(void)
{
    lc_pool *pool = pool_of(3);
    lc_rng rng = lc_rng_seed(1);
    for (unsigned generation = 1; generation <= 3000; generation++)
        check_run_once(pool, case_below(&rng, 20), generation);
    lc_pool_free(pool);
}

static void results_are_there_after_the_run(void)
{
    lc_pool *pool = pool_of(2);
    board b = {.threads = 2};
    for (b.generation = 1; b.generation <= 100; b.generation++)
        lc_pool_run(pool, TASKS_MAX, mark, &b);
    size_t wrong = 0;
    for (size_t i = 0; i < TASKS_MAX; i++)
        wrong += b.runs[i] != 5050;
    CHECK_EQ(wrong, 0);
    lc_pool_free(pool);
}

static void a_pool_may_end_unused(void)
{
    for (unsigned i = 0; i < 200; i++)
        lc_pool_free(pool_of(1 + i % 4));
    lc_pool_free(NULL);
}

int main(void)
{
    RUN(too_many_threads_are_refused);
    RUN(every_task_runs_once);
    RUN(many_generations_follow_each_other);
    RUN(results_are_there_after_the_run);
    RUN(a_pool_may_end_unused);
    return check_done();
}

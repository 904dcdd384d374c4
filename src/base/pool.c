/* SPDX-License-Identifier: MIT
 * pool.c - threads that wait for numbered tasks.
 *   A run is one generation: the caller publishes it under the lock, everyone takes task numbers from one atomic
 *   counter, and the caller leaves when the last worker has reported. Tasks are taken one by one because static
 *   shares collapse when a core is busy with something else. */
#include "base/pool.h"

#include "base/status.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct pool_worker {
    lc_pool *pool;
    pthread_t thread;
    unsigned index;
} pool_worker;

struct lc_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    unsigned threads;    /* with the caller */
    unsigned started;    /* workers whose thread runs */
    unsigned busy;       /* workers that have not finished this generation */
    uint64_t generation; /* of the run that was published last */
    bool stop;
    lc_task *run;
    void *context;
    size_t tasks;
    atomic_size_t next;
    pool_worker workers[]; /* threads - 1 */
};

/* Relaxed order is enough: the counter hands out numbers and nothing else. What a task reads was published under the
 * lock, and what it wrote is seen by the caller through the lock under which `busy` reached 0. */
static void take_tasks(lc_pool *pool, unsigned index)
{
    for (;;) {
        size_t task = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (task >= pool->tasks)
            return;
        pool->run(pool->context, task, index);
    }
}

/* A worker's life: sleep until a generation it has not seen, take tasks, report, sleep. `seen` is its own, so that a
 * worker which slept through a wake-up still finds the work, and none does a generation twice. */
static void *work(void *argument)
{
    pool_worker *self = argument;
    lc_pool *pool = self->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && pool->generation == seen)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        take_tasks(pool, self->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Workers block all signals, so that the program's handlers run on its own threads. */
static bool start_workers(lc_pool *pool)
{
    sigset_t all, before;
    bool good = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 0; good && i < pool->threads - 1; i++) {
        pool_worker *w = &pool->workers[i];
        *w = (pool_worker){.pool = pool, .index = i + 1};
        good = pthread_create(&w->thread, NULL, work, w) == 0;
        pool->started += good;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* A mutex and two conditions with default attributes: on Linux their making cannot fail. */
loco_status lc_pool_new(lc_pool **out, unsigned threads, loco_err *err)
{
    lc_pool *pool = calloc(1, sizeof *pool + (threads - 1) * sizeof pool->workers[0]);
    if (pool == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a pool of %u threads", threads);
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    if (!start_workers(pool)) {
        unsigned missing = pool->started + 2;
        lc_pool_free(pool);
        return lc_err_set(err, LOCO_ENOMEM, "could not start thread %u of %u", missing, threads);
    }
    *out = pool;
    return LOCO_OK;
}

/* Also for a pool of which only some threads started. */
void lc_pool_free(lc_pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

unsigned lc_pool_threads(const lc_pool *pool)
{
    return pool->threads;
}

/* The caller works as number 0 and then waits for all workers, even those that came too late for a task: only then may
 * the next run overwrite `run`, `context` and `next`. */
void lc_pool_run(lc_pool *pool, size_t tasks, lc_task *run, void *context)
{
    if (pool->threads == 1 || tasks <= 1) {
        for (size_t task = 0; task < tasks; task++)
            run(context, task, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->run = run;
    pool->context = context;
    pool->tasks = tasks;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->threads - 1;
    pool->generation++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    take_tasks(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

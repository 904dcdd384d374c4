/* SPDX-License-Identifier: MIT
 *
 * parallel.c - many items on several threads, with results in order.
 */
#include "parallel.h"

#include "progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 100, INTERRUPTED = 130, FEW = 64, TOGETHER = 32 };

typedef struct pool {
    const lc_parallel *job;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool *done;            /* one an item */
    size_t next, all_done; /* the next item to work on; how many are done */
    bool stop;
    pthread_t *threads;
    size_t threads_len;
    lc_progress_line line;
    struct timespec began;
} pool;

static double elapsed(const pool *p)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - p->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - p->began.tv_nsec);
}

/* Of many items the caller's thread is woken for several at a time: on two cores it takes the place of a worker, and one
 * that is stopped while it holds the lock stops them all. It looks by itself ten times a second. */
static void *work(void *context)
{
    pool *p = context;
    pthread_mutex_lock(&p->lock);
    while (!p->stop && p->next < p->job->items) {
        size_t item = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->job->work(p->job->context, item);
        pthread_mutex_lock(&p->lock);
        p->done[item] = true;
        p->all_done++;
        if (p->job->items <= FEW || p->all_done % TOGETHER == 0 || p->all_done == p->job->items)
            pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static const char *what_of(const pool *p)
{
    return p->job->what != NULL ? p->job->what : "files";
}

/* The lock is not held. What is printed is whole, and this thread writes files whole: nothing is left half done. The workers may be busy for
 * long, so they are not waited for. */
static void end_if_interrupted(pool *p, size_t finished)
{
    if (!lc_progress_interrupted())
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->threads_len; i++)
        if (p->job->patient)
            pthread_join(p->threads[i], NULL);
        else
            pthread_detach(p->threads[i]);
    lc_progress_end(&p->line);
    lc_cli_complain("interrupted after %zu of %zu %s", finished, p->job->items, what_of(p));
    if (p->job->interrupted != NULL)
        p->job->interrupted(p->job->context);
    lc_cli_finish(INTERRUPTED);
    _exit(INTERRUPTED);
}

/* The lock is held. A signal does not wake a thread that waits, so the wait is short. */
static void wait_for(pool *p, size_t item)
{
    while (!p->done[item]) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_MILLISECONDS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        pthread_mutex_unlock(&p->lock);
        end_if_interrupted(p, item);
        pthread_mutex_lock(&p->lock);
        lc_progress_files(&p->line, what_of(p), p->all_done, p->job->items, elapsed(p));
    }
}

static void finish_all(pool *p)
{
    bool more = true;
    for (size_t i = 0; more && i < p->job->items; i++) {
        pthread_mutex_lock(&p->lock);
        wait_for(p, i);
        pthread_mutex_unlock(&p->lock);
        lc_progress_clear(&p->line);
        more = p->job->finish(p->job->context, i);
        end_if_interrupted(p, i + 1);
    }
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_mutex_unlock(&p->lock);
}

size_t lc_parallel_threads(const lc_parallel *job)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = job->threads > 0 ? (size_t)job->threads : cores > 0 ? (size_t)cores : 1;
    wanted = wanted > LC_MOST_THREADS ? LC_MOST_THREADS : wanted;
    return wanted > job->items ? job->items : wanted;
}

/* At least one thread works: the caller's own, when no other can be made. */
static void run_pool(pool *p)
{
    size_t wanted = lc_parallel_threads(p->job);
    clock_gettime(CLOCK_MONOTONIC, &p->began);
    lc_progress_begin(&p->line);
    while (p->threads_len < wanted && pthread_create(&p->threads[p->threads_len], NULL, work, p) == 0)
        p->threads_len++;
    if (p->threads_len == 0)
        work(p);
    finish_all(p);
    for (size_t i = 0; i < p->threads_len; i++)
        pthread_join(p->threads[i], NULL);
    lc_progress_end(&p->line);
}

loco_status lc_parallel_run(const lc_parallel *job, loco_err *err)
{
    pool p = {.job = job, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    loco_status status = LOCO_OK;
    p.done = calloc(job->items + 1, sizeof *p.done);
    p.threads = calloc(lc_parallel_threads(job) + 1, sizeof *p.threads);
    if (p.done == NULL || p.threads == NULL)
        status = lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu files", job->items);
    else
        run_pool(&p);
    free(p.done);
    free(p.threads);
    return status;
}

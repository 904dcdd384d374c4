/* SPDX-License-Identifier: MIT
 *
 * cage.h - a job on one file in a process of its own that has few rights: what the job does to its process ends there.
 *
 *     this process, any thread   a keeper, one for each thread       a caged process, one for each file
 *     lc_cage_run(path)    --->  forks, collects, waits         ---> limits, rights, job(path, out)
 *                          <---  result, and how it ended       <--- bytes
 *
 * Keepers are forked before there are threads, so that a caged process is the copy of one that has a single thread. It may
 * read files of the recording's folder, take memory, calculate, and write to the pipe that it was given; whatever else it
 * tries ends it (cage_rights.c). Its result comes from a stranger: check it as one would check a file.
 */
#ifndef LC_CLI_CAGE_H
#define LC_CLI_CAGE_H

#include "cli.h"

#include <stdint.h>

/* Sanitizers take all addresses there are, and ask the system for more than a filter allows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LC_SANITIZED 1
#endif
#endif
#ifndef LC_SANITIZED
#define LC_SANITIZED 0
#endif

typedef struct lc_cage lc_cage;

/* In the caged process; what it writes to out is the result. */
typedef void lc_cage_job(void *context, const char *path, FILE *out);

typedef struct lc_cage_plan {
    size_t together; /* jobs at a time */
    lc_cage_job *job;
    void *context;
    uint64_t seconds; /* of processor time for a file, and again for each MiB of it */
    uint64_t memory;  /* bytes that a job may take, and in addition 16 for each byte of its file */
} lc_cage_plan;

/* Before there are threads. The caller frees *cage by lc_cage_free. */
loco_status lc_cage_new(lc_cage **cage, const lc_cage_plan *plan, loco_err *err);
/* NULL is allowed. No job may be running. */
void lc_cage_free(lc_cage *cage);

/* The result of the job on a file; the caller frees it. LOCO_EDATA: the job crashed, tried what it may not, or passed a
 * limit; LOCO_ENOMEM: the system gave no process, or had no memory for it, so that it may work another time. The sentence
 * names the file. From any thread; waits while `together` others run. */
loco_status lc_cage_run(lc_cage *cage, const char *path, char **result, size_t *length, loco_err *err);

/* ---- cage_rights.c ---- */

/* Whether the system can filter what a process asks it for; else a cage has its limits alone. Not under sanitizers. */
bool lc_cage_filters(void);

/* Gives up all rights of this process but those above; false: the system refused. */
bool lc_cage_drop_rights(const char *path);

#endif

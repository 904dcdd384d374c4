/* SPDX-License-Identifier: MIT
 * oom.c - the functions behind malloc and the like in the program of the tests whose name ends in _oom. */
#include "oom.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

static size_t oom_allocations, oom_fail_at; /* how many there were; the number of the one that fails, from 1, or 0 */

static bool oom_now(void)
{
    return ++oom_allocations == oom_fail_at;
}

void *__wrap_malloc(size_t size)
{
    return oom_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return oom_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return oom_now() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return oom_now() ? NULL : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return oom_now() ? ENOMEM : __real_posix_memalign(block, alignment, size);
}

void oom_begin(size_t n)
{
    oom_allocations = 0;
    oom_fail_at = n;
}

size_t oom_end(void)
{
    oom_fail_at = 0;
    return oom_allocations;
}

size_t oom_bytes(void)
{
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

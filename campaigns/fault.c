/* SPDX-License-Identifier: MIT
 * fault.c - loaded into a program (LD_PRELOAD), makes one of its allocations fail: the FAULT_AT-th, counted from 1, and with
 *   FAULT_ON all that follow. At the end the number of allocations goes to the file FAULT_COUNT, when it is given. glibc only. */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fail_at;
static int fail_on;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAULT_AT");
    fail_at = at != NULL ? strtoul(at, NULL, 10) : 0;
    fail_on = getenv("FAULT_ON") != NULL;
    atomic_store(&calls, 0);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAULT_COUNT");
    unsigned long n = atomic_load(&calls);
    fail_at = 0;
    FILE *file = path != NULL ? fopen(path, "we") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%lu\n", n);
    fclose(file);
}

static int fails(void)
{
    unsigned long n = atomic_fetch_add(&calls, 1) + 1;
    if (fail_at == 0 || (fail_on ? n < fail_at : n != fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    void *block = fails() ? NULL : __libc_memalign(alignment, size);
    if (block == NULL)
        return ENOMEM;
    *made = block;
    return 0;
}

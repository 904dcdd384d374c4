/* SPDX-License-Identifier: MIT
 * fault.c - loaded into a program (LD_PRELOAD), makes one of its allocations fail: the FAULT_AT-th, counted from 1, and with
 *   FAULT_ON all that follow, but for those that a library asks for whose file's name holds FAULT_SPARE. With FAULT_FILE they are counted from where the program opens a file whose path ends so. At the
 *   end the number of allocations goes to the file FAULT_COUNT, when it is given. glibc only. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fail_at;
static int fail_on;
static const char *file_wanted; /* NULL: count */
static const char *spared;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAULT_AT");
    fail_at = at != NULL ? strtoul(at, NULL, 10) : 0;
    fail_on = getenv("FAULT_ON") != NULL;
    file_wanted = getenv("FAULT_FILE");
    spared = getenv("FAULT_SPARE");
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

static int is_spared(const void *caller)
{
    Dl_info from;
    return spared != NULL && dladdr(caller, &from) != 0 && from.dli_fname != NULL &&
           strstr(from.dli_fname, spared) != NULL;
}

static int fails(const void *caller)
{
    if (file_wanted != NULL)
        return 0;
    unsigned long n = atomic_fetch_add(&calls, 1) + 1;
    if (fail_at == 0 || (fail_on ? n < fail_at : n != fail_at) || is_spared(caller))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    void *block = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (block == NULL)
        return ENOMEM;
    *made = block;
    return 0;
}

/* The one call by which recordings are opened. */
int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    unsigned mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    size_t length = strlen(path), wanted = file_wanted != NULL ? strlen(file_wanted) : length + 1;
    if (wanted <= length && strcmp(path + length - wanted, file_wanted) == 0)
        file_wanted = NULL;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

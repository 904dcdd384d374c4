/* SPDX-License-Identifier: MIT
 * oom.h - lets the n-th allocation fail. For tests whose name ends in _oom: the linker leads malloc and the like of their
 * program to oom.c. */
#ifndef TESTS_OOM_H
#define TESTS_OOM_H

#include <stddef.h>

/* Begins to count, with allocation n failing; 0: none. */
void oom_begin(size_t n);

/* Ends it, and returns how many allocations there were. */
size_t oom_end(void);

/* Bytes that are allocated now or kept for the next time, where the C library reports it; 0 under the sanitizers, which
 * find leaks themselves. */
size_t oom_bytes(void);

#endif

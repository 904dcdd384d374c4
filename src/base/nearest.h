/* SPDX-License-Identifier: MIT
 * nearest.h - the nearest valid word to a mistyped one. */
#ifndef LC_BASE_NEAREST_H
#define LC_BASE_NEAREST_H

#include <stddef.h>

/* One of words[0 .. words_len-1], or NULL when none is near. A word that differs in case alone is the nearest. */
const char *lc_nearest(const char *typed, const char *const *words, size_t words_len);

#endif

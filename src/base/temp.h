/* SPDX-License-Identifier: MIT
 *
 * temp.h - names of temporary files: "take.mid.9f2c01d4-123-0.loco-tmp" beside "take.mid".
 *
 * The ending is ours alone, so that a file of the user is never taken for a leftover. Then come the machine (a hash of its
 * name), the process, and a number: in a folder that machines share, a process of another one may still be writing.
 * The command composes and reads the same names in cli/leftovers.c, since it sees the public interface alone. */
#ifndef LC_BASE_TEMP_H
#define LC_BASE_TEMP_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_TEMP_SUFFIX = 64 }; /* bytes that a name has more than its path, with the 0 at the end */

/* The name beside the first `length` bytes of path, cut to size. */
void lc_temp_name(char *name, size_t size, const char *path, size_t length, unsigned attempt);

/* Whether name is a temporary one of base, of any machine and process. Both without folders. */
bool lc_temp_is_of(const char *name, const char *base);

#endif

/* SPDX-License-Identifier: MIT
 * folder.h - names of files: their parts, and what a folder holds. */
#ifndef LC_BASE_FOLDER_H
#define LC_BASE_FOLDER_H

#include "base/store.h"
#include "loco.h"

enum { LC_FOLDER_ENTRIES = 1000000 };

/* `music/take.wav`: folder part 6 bytes (with its slash), stem part 10 bytes, ending `.wav`. A name that begins with
 * its only point has no ending. */
size_t lc_path_folder(const char *path);
size_t lc_path_stem(const char *path);
const char *lc_path_ending(const char *path);

/* The ending, in any case, is one of the list, which ends with NULL. */
bool lc_path_ends(const char *path, const char *const *endings);
bool lc_path_is_sound(const char *path);

bool lc_path_is_folder(const char *path);
bool lc_path_is_file(const char *path); /* anything readable except a folder */

/* The first folder_len bytes of folder and name, with a slash between them where one is missing; name alone when it
 * begins with a slash or folder_len is 0. NULL without memory. */
char *lc_path_join(lc_store *store, const char *folder, size_t folder_len, const char *name);

/* The names in a folder in the order of their bytes, without those that begin with a point. The strings lie in store,
 * the array too. */
LOCO_MUST_USE loco_status lc_folder_list(const char *const **names, size_t *names_len, lc_store *store,
                                         const char *path, loco_err *err);

#endif

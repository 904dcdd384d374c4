/* SPDX-License-Identifier: MIT
 *
 * files.h - the sound files that words of a command line mean.
 */
#ifndef LC_CLI_FILES_H
#define LC_CLI_FILES_H

#include "cli.h"

typedef struct lc_files {
    char **paths;
    size_t len, capacity;
} lc_files;

/* A folder stands for the sound files in it, by name and not deeper; any other word for itself. */
loco_status lc_files_find(lc_files *files, const char *const *words, size_t words_len, loco_err *err);
void lc_files_free(lc_files *files);

bool lc_files_is_folder(const char *path);

/* folder/NAME.ending for .../NAME.xyz; false when it does not fit. */
bool lc_files_rename(char *path, size_t size, const char *folder, const char *file, const char *ending);

#endif

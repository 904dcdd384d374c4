/* SPDX-License-Identifier: MIT
 *
 * files.h - the sound files that words of a command line mean.
 */
#ifndef LC_CLI_FILES_H
#define LC_CLI_FILES_H

#include "args.h"

typedef struct lc_files {
    char **paths;
    size_t len, capacity;
} lc_files;

/* A folder stands for the sound files in it or, where there is none, the series, by name and not deeper; any other word
 * for itself. */
loco_status lc_files_find(lc_files *files, const char *const *words, size_t words_len, loco_err *err);
void lc_files_free(lc_files *files);

bool lc_files_is_folder(const char *path);

/* Both names lead to one existing file. */
bool lc_files_same(const char *a, const char *b);

/* LOCO_EDATA when the path, or of a folder its counts.csv or events.csv, is not there or may not be read: calls that
 * also write cannot tell this from an output that failed. */
loco_status lc_files_check_input(const char *path, loco_err *err);

/* The path of a model that the user gave by path or by name; it can be read, and is no folder. The caller frees *path by
 * loco_free. */
loco_status lc_files_model(char **path, const char *name, loco_err *err);

/* Tells which model could be given where none is; gives the exit status. */
int lc_files_no_model(const lc_usage *usage);

/* The same for a data set: a folder, or a CSV file, but no sound. */
loco_status lc_files_check_data(const char *path, loco_err *err);

/* LOCO_EIO when a file cannot be put there, as far as can be told before it is tried. */
loco_status lc_files_check_output(const char *path, loco_err *err);

/* A folder with counts or event times, rather than one with sounds alone. */
bool lc_files_is_set(const char *folder);

/* folder/NAME.ending for .../NAME.xyz; false when it does not fit. */
bool lc_files_rename(char *path, size_t size, const char *folder, const char *file, const char *ending);

#endif

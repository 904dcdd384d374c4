/* SPDX-License-Identifier: MIT
 *
 * files.h - the files, folders and models that words of a command line mean.
 */
#ifndef LC_CLI_FILES_H
#define LC_CLI_FILES_H

#include "args.h"

typedef struct lc_files {
    char **paths;
    size_t len, capacity;
    size_t in_folders; /* how many of them were found in folders */
} lc_files;

/* A folder stands for the sound files in it and in the folders below or, where there is none, the series, sorted by
 * path; any other word for itself. Only known endings are taken, no hidden files and folders, no links to folders. */
loco_status lc_files_find(lc_files *files, const char *const *words, size_t words_len, loco_err *err);
void lc_files_free(lc_files *files);

/* States on stderr how many files were found in folders; nothing when no folder was given. */
void lc_files_state_found(const lc_files *files);

/* Lists on stderr which of several files failed, and why. errs: one a file, empty where it succeeded. */
void lc_files_summary(const loco_err *errs, size_t files_len);

bool lc_files_is_sound(const char *path); /* by its ending */

bool lc_files_is_folder(const char *path);
bool lc_files_is_regular(const char *path); /* neither a folder nor a device or pipe */

/* Makes a folder, and those above it, where they are missing. LOCO_EIO when that fails. */
loco_status lc_files_make_folder(const char *path, loco_err *err);

/* Both names lead to one existing file. */
bool lc_files_same(const char *a, const char *b);

/* LOCO_EDATA when the path, or of a folder its counts.csv or events.csv, is missing or may not be read. To be checked
 * before calls that also write: their status does not say whether an input or an output failed. */
loco_status lc_files_check_input(const char *path, loco_err *err);

/* The path of a model that the user gave by path or by name; it can be read, and is not a folder. The caller frees
 * *path by loco_free. */
loco_status lc_files_model(char **path, const char *name, loco_err *err);

/* The same, loaded. *path is set on failure, too, and the caller frees it by loco_free. */
loco_status lc_files_load_model(loco_model **model, char **path, const char *name, loco_err *err);

/* Whether events of a model have places, since it reads images. LOCO_EARG when files of that format hold times alone, or
 * places alone. */
loco_status lc_files_places(bool *places, const loco_model *model, const char *format, loco_err *err);

/* The name of a file without its folder: for titles. */
const char *lc_files_base(const char *path);

/* Sets *raw, where it is NULL, to the format of a WAV stream on standard input, kept in text; a model of
 * series reads tables there, and *raw stays NULL. */
loco_status lc_files_raw(const char **raw, char text[64], const loco_model *model, loco_err *err);

/* Says which model could be given where none is; returns the exit status. */
int lc_files_no_model(const lc_usage *usage);

/* The same for a data set: a folder, or a CSV file, but not a sound. */
loco_status lc_files_check_data(const char *path, loco_err *err);

/* LOCO_EIO when a file cannot be put there, as far as can be known before it is tried. */
loco_status lc_files_check_output(const char *path, loco_err *err);

/* The name of the temporary file of a process that is written beside path, cut to size; LC_FILES_TEMP bytes more than path. */
enum { LC_FILES_TEMP = 64 };
void lc_files_temp(char *name, size_t size, const char *path, long process);

/* Removes what runs that were killed left beside an output, or in it if it is a folder: temporary files (leftovers.c). */
void lc_files_clean(const char *path);

/* A folder with counts or event times, rather than one with recordings alone; or a CSV file with the column `file` or
 * `class`, rather than a series. */
bool lc_files_is_set(const char *path);

/* folder/NAME.ending for .../NAME.xyz; false when it does not fit. */
bool lc_files_rename(char *path, size_t size, const char *folder, const char *file, const char *ending);

#endif

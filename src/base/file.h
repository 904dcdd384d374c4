/* SPDX-License-Identifier: MIT
 *
 * file.h - whole files: save all or nothing, load up to a limit.
 */
#ifndef LC_BASE_FILE_H
#define LC_BASE_FILE_H

#include "loco.h"

/* Puts length bytes at path. A reader sees the old file or the new one, never a part: the bytes go to a new file in the
 * same folder, to the disk, and only then under the name. An existing file keeps its permission bits, a symbolic link
 * stays a link and its target is replaced, or made; a device or pipe is written to directly. LOCO_EIO names path
 * and cause. */
LOCO_MUST_USE loco_status lc_file_save(const char *path, const void *data, size_t length, loco_err *err);

/* The name at the end of the symbolic links that path may lead through, whether or not there is a file of that name: where
 * lc_file_save puts the bytes. The caller frees it. Returns 0 or an errno, such as ELOOP. */
LOCO_MUST_USE int lc_file_follow(char **target, const char *path);

/* For a file that another library writes: a name beside path where it goes first, to free(), NULL without memory; then its
 * end: moved to path where status is LOCO_OK, else removed. Frees temp, and returns status or what went wrong. It is not
 * flushed to the disk: lc_file_flush_set does that for a whole set. */
char *lc_file_temp(const char *path);
LOCO_MUST_USE loco_status lc_file_place(char *temp, const char *path, loco_status status, loco_err *err);

/* The files in a folder are on the disk. To be called before the table that names them is saved: a crash may leave a set without a
 * table, not a table whose sounds are empty. */
LOCO_MUST_USE loco_status lc_file_flush_set(const char *folder, loco_err *err);

/* The same for a new folder of files: *temp is made beside path, then it is moved there, or removed with all files in it. path
 * may be an empty folder, and is not there otherwise: else LOCO_EIO. The caller hands *temp to lc_file_place_folder. */
LOCO_MUST_USE loco_status lc_file_temp_folder(char **temp, const char *path, loco_err *err);
LOCO_MUST_USE loco_status lc_file_place_folder(char *temp, const char *path, loco_status status, loco_err *err);

/* Reads the whole file, at most limit bytes; LOCO_EDATA when it is larger. data, with a 0 after its last byte, is
 * freed by the caller. */
LOCO_MUST_USE loco_status lc_file_load(const char *path, size_t limit, char **data, size_t *length, loco_err *err);

/* Whether a file can be written: its folder is writable, and it is not a folder itself. */
LOCO_MUST_USE loco_status lc_file_check_place(const char *path, loco_err *err);

#endif

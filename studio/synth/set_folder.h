/* SPDX-License-Identifier: MIT
 * set_folder.h - the folder of a data set that is being made. Its counts.csv is saved last: a folder that has one is
 *   complete. */
#ifndef LC_STUDIO_SYNTH_SET_FOLDER_H
#define LC_STUDIO_SYNTH_SET_FOLDER_H

#include "base/text.h"
#include "loco.h"

enum { LC_SET_FOLDER_LONGEST = 3900 }; /* bytes of its name */

/* Makes the folder unless it is there. LOCO_EARG: its name is too long, or it has a counts.csv. */
LOCO_MUST_USE loco_status lc_set_folder_prepare(const char *folder, loco_err *err);

/* folder/name; to be freed. */
lc_text lc_set_folder_path(const char *folder, const char *name);

/* Saves a text as folder/name. */
LOCO_MUST_USE loco_status lc_set_folder_save(const char *folder, const char *name, const lc_text *text, loco_err *err);

#endif

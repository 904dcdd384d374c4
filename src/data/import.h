/* SPDX-License-Identifier: MIT
 * import.h - public data sets in their own layout, made into ours. */
#ifndef LC_DATA_IMPORT_H
#define LC_DATA_IMPORT_H

#include "base/text.h"
#include "data/store.h"
#include "loco.h"

/* A new data set while it is put together: links to sounds, and the text of events.csv. */
typedef struct lc_import {
    const char *from, *to; /* folders */
    lc_store store;
    lc_text events;
    size_t recordings, strokes;
} lc_import;

/* Links the sound at path into the new set under its own name. */
LOCO_MUST_USE loco_status lc_import_sound(lc_import *import, const char *path, loco_err *err);

/* One layout. */
typedef loco_status lc_importer(lc_import *import, loco_err *err);
lc_importer lc_import_mdb;

#endif

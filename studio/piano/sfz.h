/* SPDX-License-Identifier: MIT
 *
 * sfz.h - which sound an instrument in SFZ format plays for which key and velocity.
 *
 *     // a comment
 *     <group> lovel=1 hivel=40
 *     <region> sample=a0.flac pitch_keycenter=21 lokey=21 hikey=22
 *     #include "louder.sfz"
 *
 * A region has what its group, master, global and control state, unless it states it itself. Read: sample, default_path,
 * key, lokey, hikey, pitch_keycenter, lovel, hivel, tune, transpose, trigger, seq_position and on_locc; all else is passed
 * over. Regions that sound when a key is released or a pedal moves, and repetitions after the first, are left out.
 *
 *     lc_sfz sfz = {0};
 *     status = lc_sfz_load(&sfz, &store, "piano/piano.sfz", err);
 *     sfz.regions[i].sample: relative to the folder of the file that was loaded */
#ifndef LC_STUDIO_PIANO_SFZ_H
#define LC_STUDIO_PIANO_SFZ_H

#include "base/store.h"
#include "loco.h"

#include <stdbool.h>

enum {
    LC_SFZ_BYTES = 4 << 20, /* of one file, and about so many of those that are included */
    LC_SFZ_FILES = 256,     /* that are included, each as often as it is */
    LC_SFZ_DEPTH = 8,       /* of files that include files */
    LC_SFZ_REGIONS = 16384
};

typedef struct lc_sfz_region {
    const char *sample;
    unsigned lokey, hikey, lovel, hivel; /* 0..127, in order */
    double centre; /* the pitch of the sample, -24..151: pitch_keycenter less tune and transpose */
} lc_sfz_region;

typedef struct lc_sfz {
    const char *about; /* the first comment; "" where there is none */
    const lc_sfz_region *regions;
    size_t len;
} lc_sfz;

/* Reads a file that another includes; the caller frees the bytes. */
typedef loco_status lc_sfz_opener(void *context, const char *name, char **bytes, size_t *length, loco_err *err);

/* All lies in store. path is for messages; names that are included are asked from open, as they are written. No region
 * at all, limits and loops are LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_sfz_parse(lc_sfz *sfz, lc_store *store, const char *path, const char *bytes, size_t length,
                                       lc_sfz_opener *open, void *context, loco_err *err);
LOCO_MUST_USE loco_status lc_sfz_load(lc_sfz *sfz, lc_store *store, const char *path, loco_err *err);

#endif

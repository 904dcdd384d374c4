/* SPDX-License-Identifier: MIT
 *
 * drumkit.h - the description of a drum kit as Hydrogen writes it: drumkit.xml.
 *
 *     <drumkit_info> <name/> <author/> <license/>
 *       <instrumentList> <instrument> <name/> <layer> <filename/> <min/> <max/> </layer> ... </instrument> ...
 *
 * Layers may stand in an <instrumentComponent>; the oldest files have a <filename> without any layer. min and max are
 * the velocities, 0 to 1, that a layer is for. Volumes and gains are left out: the mix draws its own.
 */
#ifndef LC_STUDIO_KITS_DRUMKIT_H
#define LC_STUDIO_KITS_DRUMKIT_H

#include "base/store.h"
#include "loco.h"
#include "studio/synth/voice.h"

enum { LC_DRUMKIT_LAYERS = 8192, LC_DRUMKIT_INSTRUMENTS = 1024 };

/* One sound of an instrument; those of one instrument follow each other. */
typedef struct lc_drumkit_layer {
    const char *file; /* relative to the kit's folder, never outside of it */
    double min, max;
    size_t instrument; /* its number in the file */
    lc_voice_kind part;
} lc_drumkit_layer;

typedef struct lc_drumkit {
    const char *name, *author, *licence; /* "" where the file has none */
    const lc_drumkit_layer *layers;      /* of parts that have a name here (lc_part_of_name) */
    size_t layers_len;
    size_t instruments; /* in the file, with those of no part */
} lc_drumkit;

/* All of the kit lies in store. LOCO_EDATA names file and line. */
LOCO_MUST_USE loco_status lc_drumkit_parse(lc_drumkit *kit, lc_store *store, const char *file, const char *bytes,
                                           size_t length, loco_err *err);

#endif

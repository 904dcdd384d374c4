/* SPDX-License-Identifier: MIT
 *
 * enst.c - ENST-Drums (Gillet and Richard 2006).
 *
 *     drummer_1/audio/wet_mix/NAME.wav          as on a record; dry_mix: without effects
 *     drummer_1/audio/accompaniment/NAME.wav    what the drummer played to, for the minus-one pieces
 *     drummer_1/annotation/NAME.txt             lines `time label`
 *
 * Drummers played the same pieces, so that names get theirs in front: drummer_1_NAME.wav.
 */
#include "base/folder.h"
#include "base/status.h"
#include "studio/import/import.h"

#include <string.h>

/* A rim shot (rs) and a cross stick (cs) are strokes on the snare drum, sd- is one with its wires off. Left out are
 * toms (mt to ltr), cymbals (rc to c, often with a number), cow bell, sticks against each other and sweeps of brushes. */
static const char *const labels[][2] = {
    {"bd",     "kick" },
    {"sd",     "snare"},
    {"sd-",    "snare"},
    {"rs",     "snare"},
    {"cs",     "snare"},
    {"chh",    "hihat"},
    {"ohh",    "hihat"},
    {"mt",     NULL   },
    {"mtr",    NULL   },
    {"lmt",    NULL   },
    {"lt",     NULL   },
    {"ltr",    NULL   },
    {"lft",    NULL   },
    {"rc",     NULL   },
    {"cr",     NULL   },
    {"ch",     NULL   },
    {"spl",    NULL   },
    {"c",      NULL   },
    {"cb",     NULL   },
    {"sticks", NULL   },
    {"sweep",  NULL   },
    {"sw",     NULL   },
};

/* Every drum of the kit: classes of `loco synth drums --whole-kit`. */
static const char *const kit[][2] = {
    {"bd",     "kick"        },
    {"sd",     "snare"       },
    {"sd-",    "snare"       },
    {"rs",     "snare"       },
    {"cs",     "side-stick"  },
    {"chh",    "closed-hihat"},
    {"ohh",    "open-hihat"  },
    {"mt",     "high-tom"    },
    {"mtr",    "high-tom"    },
    {"lmt",    "mid-tom"     },
    {"lt",     "low-tom"     },
    {"ltr",    "low-tom"     },
    {"lft",    "low-tom"     },
    {"cr",     "crash"       },
    {"ch",     "crash"       },
    {"spl",    "crash"       },
    {"c",      "crash"       },
    {"rc",     "ride"        },
    {"cb",     "cowbell"     },
    {"sticks", NULL          },
    {"sweep",  NULL          },
    {"sw",     NULL          },
};

static const lc_vocabulary vocabularies[] = {
    {"ENST-Drums", labels, sizeof labels / sizeof labels[0], true},
    {"ENST-Drums", kit,    sizeof kit / sizeof kit[0],       true},
};

enum { WET, DRY, FULL };
static const char *const mixes[] = {"wet", "dry", "full", NULL};

/* drums: the folder of the mix below audio; in a full mix, what is in the folder accompaniment is added to it. */
static loco_status import_one(lc_import *import, const char *drummer, size_t mix, const char *name, loco_err *err)
{
    const char *from = import->from;
    lc_import_file file = {.name = lc_import_format(import, "%s_%s", drummer, name),
                           .sound = lc_import_format(import, "%s/%s/audio/%s/%s", from, drummer,
                                                     mix == DRY ? "dry_mix" : "wet_mix", name)};
    if (mix == FULL) {
        file.second = lc_import_format(import, "%s/%s/audio/accompaniment/%s", from, drummer, name);
        if (file.second == NULL)
            file.sound = NULL;
    }
    if (mix == FULL && file.sound != NULL && !lc_path_is_file(file.sound))
        return lc_err_set(err, LOCO_EDATA, "%s: no sound of the drums for this accompaniment",
                          lc_place_show((lc_place){file.sound, 0, NULL}).text);
    return lc_import_lines(
        import, file,
        lc_import_format(import, "%s/%s/annotation/%.*s.txt", from, drummer, (int)lc_path_stem(name), name), err);
}

/* All recordings of one drummer, in the order of their names. */
static loco_status import_drummer(lc_import *import, const char *drummer, size_t mix, loco_err *err)
{
    static const char *const folders[] = {"wet_mix", "dry_mix", "accompaniment"};
    const char *const *names;
    const char *path, *wanted[2] = {lc_import_format(import, "%s/audio/%s", drummer, folders[mix]), NULL};
    size_t names_len = 0;
    if (wanted[0] == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %.150s", drummer);
    loco_status status = lc_import_folder(&path, import, wanted, err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, path, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++)
        if (lc_path_is_sound(names[i]))
            status = import_one(import, drummer, mix, names[i], err);
    return status;
}

loco_status lc_import_enst(lc_import *import, loco_err *err)
{
    static const char *const kinds[] = {"class", "kit", NULL}, *const first[] = {"drummer_1", "drummer_2", NULL};
    const char *const *names;
    const char *path;
    size_t mix, kind, names_len = 0, drummers = 0;
    loco_status status = lc_import_choose(&mix, "mix", import->options.mix, mixes, err);
    if (status == LOCO_OK)
        status = lc_import_choose(&kind, "labels", import->options.labels, kinds, err);
    if (status == LOCO_OK)
        status = lc_import_use(import, &vocabularies[kind], err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, import->from, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++)
        if (strncmp(names[i], "drummer_", strlen("drummer_")) == 0) {
            drummers++;
            status = import_drummer(import, names[i], mix, err);
        }
    return status == LOCO_OK && drummers == 0 ? lc_import_folder(&path, import, first, err) : status;
}

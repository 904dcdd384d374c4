/* SPDX-License-Identifier: MIT
 *
 * mdb.c - MDB Drums (Southall et al. 2017).
 *
 *     audio/drum_only/NAME_Drum.wav, or audio/NAME_Drum.*         the drums alone
 *     audio/full_mix/NAME_MIX.wav, or full_mix/NAME_MIX.*         with all other instruments
 *     annotations/class/NAME_class.txt, or class/...              6 classes: lines `time TAB label`
 *     annotations/subclass/NAME_subclass.txt, or subclass/...     21 sub-classes
 *
 * The two annotations agree but for side sticks, which are OT among the classes, and here a snare among the
 * sub-classes, as in ENST-Drums.
 */
#include "base/folder.h"
#include "studio/import/import.h"

#include <string.h>

static const char *const classes[][2] = {
    {"KD", "kick" },
    {"SD", "snare"},
    {"HH", "hihat"},
    {"TT", NULL   },
    {"CY", NULL   },
    {"OT", NULL   },
};

/* Toms and cymbals, from HIT to SPC; a tambourine at the end. */
static const char *const subclasses[][2] = {
    {"KD",   "kick" },
    {"SD",   "snare"},
    {"SDB",  "snare"},
    {"SDD",  "snare"},
    {"SDF",  "snare"},
    {"SDG",  "snare"},
    {"SDNS", "snare"},
    {"SST",  "snare"},
    {"CHH",  "hihat"},
    {"OHH",  "hihat"},
    {"PHH",  "hihat"},
    {"HIT",  NULL   },
    {"MHT",  NULL   },
    {"HFT",  NULL   },
    {"LFT",  NULL   },
    {"RDC",  NULL   },
    {"RDB",  NULL   },
    {"CRC",  NULL   },
    {"CHC",  NULL   },
    {"SPC",  NULL   },
    {"TMB",  NULL   },
};

/* The same with every drum of the kit: classes of `loco synth drums --whole-kit`. */
static const char *const kit[][2] = {
    {"KD",   "kick"        },
    {"SD",   "snare"       },
    {"SDB",  "snare"       },
    {"SDD",  "snare"       },
    {"SDF",  "snare"       },
    {"SDG",  "snare"       },
    {"SDNS", "snare"       },
    {"SST",  "side-stick"  },
    {"CHH",  "closed-hihat"},
    {"OHH",  "open-hihat"  },
    {"PHH",  "pedal-hihat" },
    {"HIT",  "high-tom"    },
    {"MHT",  "mid-tom"     },
    {"HFT",  "low-tom"     },
    {"LFT",  "low-tom"     },
    {"CRC",  "crash"       },
    {"CHC",  "crash"       },
    {"SPC",  "crash"       },
    {"RDC",  "ride"        },
    {"RDB",  "ride-bell"   },
    {"TMB",  "tambourine"  },
};

/* The kinds of annotation, and the two of sound. */
static const struct {
    lc_vocabulary vocabulary;
    const char *folders[3], *ending;
} annotations[] = {
    {{"MDB Drums", classes, sizeof classes / sizeof classes[0], false},
     {"class", "annotations/class", NULL},
     "_class.txt"   },
    {{"MDB Drums", subclasses, sizeof subclasses / sizeof subclasses[0], false},
     {"subclass", "annotations/subclass", NULL},
     "_subclass.txt"},
    {{"MDB Drums", kit, sizeof kit / sizeof kit[0], false},
     {"subclass", "annotations/subclass", NULL},
     "_subclass.txt"},
};

static const struct {
    const char *folders[3], *ending;
} sounds[] = {
    {{"audio/drum_only", "audio", NULL},   "_Drum"},
    {{"full_mix", "audio/full_mix", NULL}, "_MIX" },
};

/* The part of NAME_Drum.flac that its annotation has, too. */
static int name_len(const char *sound, const char *ending)
{
    size_t stem = lc_path_stem(sound), length = strlen(ending);
    if (stem > length && memcmp(sound + stem - length, ending, length) == 0)
        stem -= length;
    return (int)stem;
}

loco_status lc_import_mdb(lc_import *import, loco_err *err)
{
    static const char *const mixes[] = {"drums", "full", NULL}, *const kinds[] = {"class", "subclass", "kit", NULL};
    const char *const *names;
    const char *audio = NULL, *labels = NULL;
    size_t mix, kind, names_len = 0;
    loco_status status = lc_import_choose(&mix, "mix", import->options.mix, mixes, err);
    if (status == LOCO_OK)
        status = lc_import_choose(&kind, "labels", import->options.labels, kinds, err);
    if (status == LOCO_OK)
        status = lc_import_use(import, &annotations[kind].vocabulary, err);
    if (status == LOCO_OK)
        status = lc_import_folder(&audio, import, sounds[mix].folders, err);
    if (status == LOCO_OK)
        status = lc_import_folder(&labels, import, annotations[kind].folders, err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, audio, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++)
        if (lc_path_is_sound(names[i]))
            status = lc_import_lines(
                import, (lc_import_file){names[i], lc_import_format(import, "%s/%s", audio, names[i]), NULL, NULL},
                lc_import_format(import, "%s/%.*s%s", labels, name_len(names[i], sounds[mix].ending), names[i],
                                 annotations[kind].ending),
                err);
    return status;
}

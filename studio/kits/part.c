/* SPDX-License-Identifier: MIT
 *
 * part.c - words in the names of instruments, and the notes of General MIDI drums.
 *
 * A name is made lower case, and what stands in brackets is left out. The first row of the table fits whose words all
 * occur; a word that begins with = must stand by itself, between characters that are not letters. So the order matters:
 * "Cowbell" before "Bell", "Tambourine Pedal" before the pedal of a hi-hat, "Phat Snare" before "hat". Rows of
 * LC_PARTS are sounds with several attacks, or ambiguous ones: a bass stroke on a djembe is not a kick, but sounds like
 * one.
 */
#include "studio/kits/part.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST_NAME = 128, WORDS = 2 };

typedef struct row {
    const char *words[WORDS];
    lc_voice_kind part;
} row;

static const row rows[] = {
    {{"roll"},            LC_PARTS           },
    {{"choke"},           LC_PARTS           },
    {{"sample:"},         LC_PARTS           },
    {{"loop"},            LC_PARTS           },
    {{"swish"},           LC_PARTS           },
    {{"swirl"},           LC_PARTS           },
    {{"flam"},            LC_PARTS           },
    {{"cajon"},           LC_PARTS           },
    {{"djembe", "bass"},  LC_PARTS           },
    {{"tamb"},            LC_VOICE_TAMBOURINE},
    {{"cowbell"},         LC_VOICE_COWBELL   },
    {{"agogo"},           LC_VOICE_COWBELL   },
    {{"waterglass"},      LC_VOICE_COWBELL   },
    {{"triangle"},        LC_VOICE_COWBELL   },
    {{"sangban", "bell"}, LC_VOICE_COWBELL   },
    {{"kenkeni", "bell"}, LC_VOICE_COWBELL   },
    {{"dununba", "bell"}, LC_VOICE_COWBELL   },
    {{"sangban"},         LC_VOICE_CONGA     },
    {{"kenkeni"},         LC_VOICE_CONGA     },
    {{"dununba"},         LC_VOICE_CONGA     },
    {{"djembe"},          LC_VOICE_CONGA     },
    {{"conga"},           LC_VOICE_CONGA     },
    {{"bongo"},           LC_VOICE_CONGA     },
    {{"timbal"},          LC_VOICE_CONGA     },
    {{"rimshot"},         LC_VOICE_SNARE     },
    {{"rim shot"},        LC_VOICE_SNARE     },
    {{"side", "stick"},   LC_VOICE_RIM       },
    {{"cross", "stick"},  LC_VOICE_RIM       },
    {{"x-stick"},         LC_VOICE_RIM       },
    {{"=rim"},            LC_VOICE_RIM       },
    {{"snare"},           LC_VOICE_SNARE     },
    {{"=sd"},             LC_VOICE_SNARE     },
    {{"kick"},            LC_VOICE_KICK      },
    {{"bassdrum"},        LC_VOICE_KICK      },
    {{"bass drum"},       LC_VOICE_KICK      },
    {{"=bd"},             LC_VOICE_KICK      },
    {{"=kd"},             LC_VOICE_KICK      },
    {{"hat", "open"},     LC_VOICE_HAT_OPEN  },
    {{"hat", "=op"},      LC_VOICE_HAT_OPEN  },
    {{"hat", "free"},     LC_VOICE_HAT_OPEN  },
    {{"hat", "half"},     LC_VOICE_HAT_OPEN  },
    {{"hat", "pedal"},    LC_VOICE_HAT_PEDAL },
    {{"hat", "=pd"},      LC_VOICE_HAT_PEDAL },
    {{"hat", "foot"},     LC_VOICE_HAT_PEDAL },
    {{"hat"},             LC_VOICE_HAT_CLOSED},
    {{"=hh", "open"},     LC_VOICE_HAT_OPEN  },
    {{"=hh", "pedal"},    LC_VOICE_HAT_PEDAL },
    {{"=hh", "foot"},     LC_VOICE_HAT_PEDAL },
    {{"=hh"},             LC_VOICE_HAT_CLOSED},
    {{"=chh"},            LC_VOICE_HAT_CLOSED},
    {{"=ohh"},            LC_VOICE_HAT_OPEN  },
    {{"=phh"},            LC_VOICE_HAT_PEDAL },
    {{"bell"},            LC_VOICE_RIDE_BELL },
    {{"ride", "cup"},     LC_VOICE_RIDE_BELL },
    {{"crash"},           LC_VOICE_CRASH     },
    {{"splash"},          LC_VOICE_CRASH     },
    {{"china"},           LC_VOICE_CRASH     },
    {{"ride"},            LC_VOICE_RIDE      },
    {{"cymbal"},          LC_VOICE_CRASH     },
    {{"tom", "floor"},    LC_VOICE_TOM_LOW   },
    {{"tom", "low"},      LC_VOICE_TOM_LOW   },
    {{"tom", "hi"},       LC_VOICE_TOM_HIGH  },
    {{"tom", "1"},        LC_VOICE_TOM_HIGH  },
    {{"tom"},             LC_VOICE_TOM_MID   },
    {{"clap"},            LC_VOICE_CLAP      },
    {{"snap"},            LC_VOICE_CLAP      },
    {{"shaker"},          LC_VOICE_SHAKER    },
    {{"maraca"},          LC_VOICE_SHAKER    },
    {{"cabasa"},          LC_VOICE_SHAKER    },
    {{"wood"},            LC_VOICE_WOOD      },
    {{"clave"},           LC_VOICE_WOOD      },
    {{"brush"},           LC_VOICE_SNARE     },
    {{"stick"},           LC_VOICE_RIM       },
};

static bool letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* The word occurs; with = in front, without letters around it. */
static bool has_word(const char *name, const char *word)
{
    bool alone = word[0] == '=';
    word += alone;
    size_t length = strlen(word);
    for (const char *at = strstr(name, word); at != NULL; at = strstr(at + 1, word))
        if (!alone || ((at == name || !letter(at[-1])) && !letter(at[length])))
            return true;
    return false;
}

static bool fits(const char *name, const row *r)
{
    return has_word(name, r->words[0]) && (r->words[1] == NULL || has_word(name, r->words[1]));
}

/* Lower case, without brackets. */
static void simplify(char plain[LONGEST_NAME], const char *name)
{
    size_t length = 0;
    bool inside = false;
    for (; *name != 0 && length + 1 < LONGEST_NAME; name++) {
        inside = *name == '(' || (inside && *name != ')');
        if (!inside && *name != ')')
            plain[length++] = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
    }
    plain[length] = 0;
}

lc_voice_kind lc_part_of_name(const char *name)
{
    char plain[LONGEST_NAME];
    simplify(plain, name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (fits(plain, &rows[i]))
            return rows[i].part;
    return LC_PARTS;
}

lc_voice_kind lc_part_of_note(unsigned note)
{
    switch (note) {
    case 35:
    case 36: return LC_VOICE_KICK;
    case 37: return LC_VOICE_RIM;
    case 38:
    case 40: return LC_VOICE_SNARE;
    case 22:
    case 42: return LC_VOICE_HAT_CLOSED;
    case 44: return LC_VOICE_HAT_PEDAL;
    case 26:
    case 46: return LC_VOICE_HAT_OPEN;
    case 41:
    case 43:
    case 58: return LC_VOICE_TOM_LOW;
    case 45:
    case 47: return LC_VOICE_TOM_MID;
    case 48:
    case 50: return LC_VOICE_TOM_HIGH;
    case 49:
    case 52:
    case 55:
    case 57: return LC_VOICE_CRASH;
    case 51:
    case 59: return LC_VOICE_RIDE;
    case 53: return LC_VOICE_RIDE_BELL;
    case 39: return LC_VOICE_CLAP;
    case 54: return LC_VOICE_TAMBOURINE;
    case 56:
    case 67:
    case 68: return LC_VOICE_COWBELL;
    case 60:
    case 61:
    case 62:
    case 63:
    case 64:
    case 65:
    case 66: return LC_VOICE_CONGA;
    case 69:
    case 70:
    case 82: return LC_VOICE_SHAKER;
    case 75:
    case 76:
    case 77: return LC_VOICE_WOOD;
    default: return LC_PARTS;
    }
}

size_t lc_part_class(lc_voice_kind part)
{
    lc_part_group group = lc_part_group_of(part);
    return group <= LC_GROUP_HAT ? (size_t)group : 3;
}

const char *const lc_part_drums[LC_DRUMS] = {
    "kick",    "snare", "side-stick", "closed-hihat", "open-hihat", "pedal-hihat", "high-tom", "mid-tom",
    "low-tom", "crash", "ride",       "ride-bell",    "tambourine", "clap",        "cowbell",  "percussion",
};

size_t lc_part_drum(lc_voice_kind part)
{
    static const size_t drums[LC_PARTS] = {
        [LC_VOICE_KICK] = 0,        [LC_VOICE_SNARE] = 1,     [LC_VOICE_RIM] = 2,      [LC_VOICE_HAT_CLOSED] = 3,
        [LC_VOICE_HAT_OPEN] = 4,    [LC_VOICE_HAT_PEDAL] = 5, [LC_VOICE_TOM_HIGH] = 6, [LC_VOICE_TOM_MID] = 7,
        [LC_VOICE_TOM_LOW] = 8,     [LC_VOICE_CRASH] = 9,     [LC_VOICE_RIDE] = 10,    [LC_VOICE_RIDE_BELL] = 11,
        [LC_VOICE_TAMBOURINE] = 12, [LC_VOICE_CLAP] = 13,     [LC_VOICE_COWBELL] = 14, [LC_VOICE_SHAKER] = 15,
        [LC_VOICE_CONGA] = 15,      [LC_VOICE_WOOD] = 15,
    };
    return drums[part];
}

const char *lc_part_name(lc_voice_kind part)
{
    static const char *const names[] = {
        [LC_VOICE_KICK] = "kick",
        [LC_VOICE_SNARE] = "snare",
        [LC_VOICE_HAT_CLOSED] = "hi-hat closed",
        [LC_VOICE_HAT_OPEN] = "hi-hat open",
        [LC_VOICE_HAT_PEDAL] = "hi-hat pedal",
        [LC_VOICE_TOM_HIGH] = "tom high",
        [LC_VOICE_TOM_LOW] = "tom low",
        [LC_VOICE_CLAP] = "clap",
        [LC_VOICE_CRASH] = "crash",
        [LC_VOICE_RIDE] = "ride",
        [LC_VOICE_TAMBOURINE] = "tambourine",
        [LC_VOICE_RIM] = "rim",
        [LC_VOICE_TOM_MID] = "tom mid",
        [LC_VOICE_RIDE_BELL] = "ride bell",
        [LC_VOICE_SHAKER] = "shaker",
        [LC_VOICE_COWBELL] = "cowbell",
        [LC_VOICE_CONGA] = "conga",
        [LC_VOICE_WOOD] = "wood",
        [LC_PARTS] = "none",
    };
    return names[part];
}

lc_part_group lc_part_group_of(lc_voice_kind part)
{
    switch (part) {
    case LC_VOICE_KICK: return LC_GROUP_KICK;
    case LC_VOICE_SNARE:
    case LC_VOICE_RIM: return LC_GROUP_SNARE;
    case LC_VOICE_HAT_CLOSED:
    case LC_VOICE_HAT_OPEN:
    case LC_VOICE_HAT_PEDAL: return LC_GROUP_HAT;
    case LC_VOICE_TOM_HIGH:
    case LC_VOICE_TOM_MID:
    case LC_VOICE_TOM_LOW: return LC_GROUP_TOM;
    case LC_VOICE_CRASH:
    case LC_VOICE_RIDE:
    case LC_VOICE_RIDE_BELL: return LC_GROUP_CYMBAL;
    case LC_VOICE_TAMBOURINE:
    case LC_VOICE_SHAKER: return LC_GROUP_SHAKE;
    default: return LC_GROUP_HAND;
    }
}

/* SPDX-License-Identifier: MIT
 *
 * drum_notes.c - names of drums and their notes, for reading MIDI files and for writing them.
 *
 * Notes are those of General MIDI. A class may hold several of them; of two classes that are both there, the one with
 * fewer notes gets those of both: with snare and side stick, 37 is a side stick. 22 and 26 are the edge of the hi-hat in
 * Roland's kits, 58 the rim of a low tom.
 */
#include "events/drum_notes.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 32 };

static const lc_drum drums[] = {
    {{"kick", "kickdrum", "bassdrum", "kd", "bd"}, 36, {35, 36}                    },
    {{"snare", "snaredrum", "sd"},                 38, {37, 38, 40}                },
    {{"hihat", "hh"},                              42, {22, 26, 42, 44, 46}        },
    {{"closedhihat", "hihatclosed", "chh"},        42, {22, 42}                    },
    {{"pedalhihat"},                               44, {44}                        },
    {{"openhihat", "hihatopen", "ohh"},            46, {26, 46}                    },
    {{"rim", "rimshot", "sidestick"},              37, {37}                        },
    {{"clap", "handclap"},                         39, {39}                        },
    {{"floortom"},                                 41, {41, 43}                    },
    {{"tom", "toms", "tt"},                        45, {41, 43, 45, 47, 48, 50, 58}},
    {{"lowtom"},                                   43, {41, 43, 58}                },
    {{"midtom"},                                   47, {45, 47}                    },
    {{"hightom"},                                  50, {48, 50}                    },
    {{"cymbal", "cymbals", "cy"},                  49, {49, 51, 52, 53, 55, 57, 59}},
    {{"crash"},                                    49, {49, 52, 55, 57}            },
    {{"ride", "rd"},                               51, {51, 59}                    },
    {{"ridebell", "bell"},                         53, {53}                        },
    {{"tambourine"},                               54, {54}                        },
    {{"cowbell", "cb"},                            56, {56}                        },
    {{"shaker", "maracas", "percussion"},          70, {69, 70, 82}                },
    {{"claves"},                                   75, {0}                         },
    {{"woodblock"},                                76, {0}                         },
    {{"triangle"},                                 81, {0}                         },
};

/* "Hi-Hat" and "hi_hat" become "hihat"; what is too long for the name of a drum becomes "". */
static void plain_name(char plain[LONGEST_NAME], const char *name)
{
    size_t used = 0;
    for (; *name != 0; name++) {
        if (*name == ' ' || *name == '-' || *name == '_')
            continue;
        if (used == LONGEST_NAME - 1) {
            used = 0;
            break;
        }
        plain[used++] = (char)tolower((unsigned char)*name);
    }
    plain[used] = 0;
}

const lc_drum *lc_drum_find(const char *name)
{
    char plain[LONGEST_NAME];
    plain_name(plain, name);
    for (size_t d = 0; d < sizeof drums / sizeof drums[0]; d++)
        for (size_t i = 0; i < LC_DRUM_NAMES && drums[d].names[i] != NULL; i++)
            if (strcmp(plain, drums[d].names[i]) == 0)
                return &drums[d];
    return NULL;
}

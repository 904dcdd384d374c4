/* SPDX-License-Identifier: MIT
 *
 * drum_notes.c - names of drums and their notes, for reading MIDI files and for writing them.
 *
 * Notes are those of General MIDI. Kick, snare and hi-hat are classes that hold several of them, so that all of these
 * are read as one class; 22 and 26 are the edge of the hi-hat in Roland's kits.
 */
#include "events/drum_notes.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 32 };

static const lc_drum drums[] = {
    {{"kick", "kickdrum", "bassdrum", "kd", "bd"}, 36, {35, 36}            },
    {{"snare", "snaredrum", "sd"},                 38, {37, 38, 40}        },
    {{"hihat", "hh"},                              42, {22, 26, 42, 44, 46}},
    {{"closedhihat", "hihatclosed", "chh"},        42, {0}                 },
    {{"pedalhihat"},                               44, {0}                 },
    {{"openhihat", "hihatopen", "ohh"},            46, {0}                 },
    {{"rim", "rimshot", "sidestick"},              37, {0}                 },
    {{"clap", "handclap"},                         39, {0}                 },
    {{"floortom"},                                 41, {0}                 },
    {{"tom", "toms", "lowtom", "tt"},              45, {0}                 },
    {{"midtom"},                                   47, {0}                 },
    {{"hightom"},                                  50, {0}                 },
    {{"crash", "cymbal", "cy"},                    49, {0}                 },
    {{"ride", "rd"},                               51, {0}                 },
    {{"bell"},                                     53, {0}                 },
    {{"tambourine"},                               54, {0}                 },
    {{"cowbell", "cb"},                            56, {0}                 },
    {{"shaker", "maracas"},                        70, {0}                 },
    {{"claves"},                                   75, {0}                 },
    {{"woodblock"},                                76, {0}                 },
    {{"triangle"},                                 81, {0}                 },
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

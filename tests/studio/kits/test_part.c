/* SPDX-License-Identifier: MIT
 * test_part.c - parts by the names in real kits, and by notes. */
#include "check.h"

#include "studio/kits/part.h"

static const struct {
    const char *name;
    lc_voice_kind part;
} names[] = {
    {"Kick",                                           LC_VOICE_KICK      },
    {"BassDrum",                                       LC_VOICE_KICK      },
    {"c3 - bass drum 1",                               LC_VOICE_KICK      },
    {"Kick Stomp",                                     LC_VOICE_KICK      }, /* has "tom" in it */
    {"Snare Rock",                                     LC_VOICE_SNARE     },
    {"PHAT SNARE",                                     LC_VOICE_SNARE     }, /* has "hat" in it */
    {"Pearl Snare Rimshot",                            LC_VOICE_SNARE     },
    {"Snare 2 (Pearl Free Floating Maple 14x3.5)",     LC_VOICE_SNARE     },
    {"Rim Click (Pearl Free Floating Maple 14x3.5)",   LC_VOICE_RIM       },
    {"Pearl Side Stick",                               LC_VOICE_RIM       },
    {"Stick",                                          LC_VOICE_RIM       },
    {"Closed HH 4",                                    LC_VOICE_HAT_CLOSED},
    {"VariBreaks Hat 1 Cl",                            LC_VOICE_HAT_CLOSED},
    {"VariBreaks Hat 1 Op",                            LC_VOICE_HAT_OPEN  },
    {"VariBreaks Hat 1 Pd",                            LC_VOICE_HAT_PEDAL },
    {"Side OHH",                                       LC_VOICE_HAT_OPEN  },
    {"Hi Hat Free",                                    LC_VOICE_HAT_OPEN  },
    {"Hi-Hat Semiopen (Paiste Alpha Metal edge 14\")", LC_VOICE_HAT_OPEN  },
    {"g#3 - hi-hat pedal",                             LC_VOICE_HAT_PEDAL },
    {"Tambourine Pedal (Pearl PTM-10GH)",              LC_VOICE_TAMBOURINE},
    {"Cowbell",                                        LC_VOICE_COWBELL   },
    {"Bell",                                           LC_VOICE_RIDE_BELL },
    {"ride-cup",                                       LC_VOICE_RIDE_BELL },
    {"Sangban1 Bell Hit",                              LC_VOICE_COWBELL   },
    {"Sangban1 Head Hit",                              LC_VOICE_CONGA     },
    {"Djembe1 Slap",                                   LC_VOICE_CONGA     },
    {"Djembe1 Bass",                                   LC_PARTS           },
    {"Crash/Ride Bow (Paiste Rude Crash/Ride 18\")",   LC_VOICE_CRASH     },
    {"Zildjian Splash",                                LC_VOICE_CRASH     },
    {"Zildjian Splash Choke",                          LC_PARTS           },
    {"Ride Jazz",                                      LC_VOICE_RIDE      },
    {"tomhi4",                                         LC_VOICE_TOM_HIGH  },
    {"c4 - middle tom",                                LC_VOICE_TOM_MID   },
    {"Floor Tom",                                      LC_VOICE_TOM_LOW   },
    {"Tom Mid (Tama Superstar 13\")",                  LC_VOICE_TOM_MID   },
    {"Finger Snaps",                                   LC_VOICE_CLAP      },
    {"Maraca",                                         LC_VOICE_SHAKER    },
    {"Woodblock Hi",                                   LC_VOICE_WOOD      },
    {"Snare Roll",                                     LC_PARTS           },
    {"Sample: beats_02-10.flac",                       LC_PARTS           },
    {"Whistle",                                        LC_PARTS           },
    {"17",                                             LC_PARTS           },
    {"",                                               LC_PARTS           },
    {"(Kick)",                                         LC_PARTS           },
    {"shadow",                                         LC_PARTS           }, /* "=sd" must stand alone */
};

static void names_of_real_kits(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_STR(lc_part_name(lc_part_of_name(names[i].name)), lc_part_name(names[i].part));
}

static void long_names_are_cut(void)
{
    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    CHECK_EQ(lc_part_of_name(name), LC_PARTS);
    memcpy(name, "snare", 5);
    CHECK_EQ(lc_part_of_name(name), LC_VOICE_SNARE);
    memcpy(name, "xxxxx", 5);
    memcpy(name + 500, "snare", 5);
    CHECK_EQ(lc_part_of_name(name), LC_PARTS);
}

static void notes_of_general_midi(void)
{
    CHECK_EQ(lc_part_of_note(36), LC_VOICE_KICK);
    CHECK_EQ(lc_part_of_note(37), LC_VOICE_RIM);
    CHECK_EQ(lc_part_of_note(40), LC_VOICE_SNARE);
    CHECK_EQ(lc_part_of_note(22), LC_VOICE_HAT_CLOSED);
    CHECK_EQ(lc_part_of_note(26), LC_VOICE_HAT_OPEN);
    CHECK_EQ(lc_part_of_note(44), LC_VOICE_HAT_PEDAL);
    CHECK_EQ(lc_part_of_note(58), LC_VOICE_TOM_LOW);
    CHECK_EQ(lc_part_of_note(59), LC_VOICE_RIDE);
    CHECK_EQ(lc_part_of_note(54), LC_VOICE_TAMBOURINE);
    CHECK_EQ(lc_part_of_note(0), LC_PARTS);
    CHECK_EQ(lc_part_of_note(127), LC_PARTS);
}

/* Every part has a group and a name of its own; three groups count. */
static void groups_and_classes(void)
{
    size_t counted = 0;
    for (lc_voice_kind a = 0; a < LC_PARTS; a++) {
        counted += lc_part_class(a) < 3;
        CHECK(lc_part_group_of(a) < LC_GROUPS);
        for (lc_voice_kind b = 0; b < a; b++)
            CHECK(strcmp(lc_part_name(a), lc_part_name(b)) != 0);
    }
    CHECK_EQ(counted, 6);
    CHECK_EQ(lc_part_class(LC_VOICE_RIM), 1);
    CHECK_EQ(lc_part_class(LC_VOICE_HAT_PEDAL), 2);
    CHECK_EQ(lc_part_class(LC_VOICE_RIDE), 3);
}

/* Each drum has a part, each part a drum, and names are different. */
static void drums_of_the_kit(void)
{
    bool seen[LC_DRUMS] = {false};
    for (lc_voice_kind part = 0; part < LC_PARTS; part++)
        seen[lc_part_drum(part)] = true;
    for (size_t d = 0; d < LC_DRUMS; d++) {
        CHECK(seen[d]);
        for (size_t e = 0; e < d; e++)
            CHECK(strcmp(lc_part_drums[d], lc_part_drums[e]) != 0);
    }
    CHECK_STR(lc_part_drums[lc_part_drum(LC_VOICE_RIM)], "side-stick");
    CHECK_STR(lc_part_drums[lc_part_drum(LC_VOICE_HAT_PEDAL)], "pedal-hihat");
    CHECK_STR(lc_part_drums[lc_part_drum(LC_VOICE_SHAKER)], "percussion");
}

int main(void)
{
    RUN(names_of_real_kits);
    RUN(long_names_are_cut);
    RUN(notes_of_general_midi);
    RUN(groups_and_classes);
    RUN(drums_of_the_kit);
    return check_done();
}

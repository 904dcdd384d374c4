/* SPDX-License-Identifier: MIT
 * test_pitches.c - which classes are pitches. */
#include "check.h"

#include "events/pitches.h"

static void names_of_pitches(void)
{
    static const char *const wrong[] = {"", "128", "-1", "6 0", "60 ", "C4", "0060", "6.0"};
    unsigned pitch = 0;
    CHECK(lc_pitch_of(&pitch, "0") && pitch == 0);
    CHECK(lc_pitch_of(&pitch, "127") && pitch == 127);
    CHECK(lc_pitch_of(&pitch, "060") && pitch == 60);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!lc_pitch_of(&pitch, wrong[i]));
}

static void sets_of_classes(void)
{
    static const char *const octave[] = {"60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"};
    static const char *const mixed[] = {"60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "noise"};
    CHECK(lc_pitched(octave, 12));
    CHECK(!lc_pitched(octave, 11)); /* drums of a kit may be numbers, too */
    CHECK(!lc_pitched(digits, 13));
    CHECK(!lc_pitched(mixed, 12));
    CHECK(!lc_pitched(NULL, 0));
}

int main(void)
{
    RUN(names_of_pitches);
    RUN(sets_of_classes);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_drum_notes.c - names of drums: how they may be written, and that a note that is written is also read. */
#include "check.h"

#include "events/drum_notes.h"

static void names_in_any_spelling(void)
{
    static const char *const kicks[] = {"kick", "KD", "Bass Drum", "kick-drum", "bd"};
    for (size_t i = 0; i < 5; i++)
        CHECK(lc_drum_find(kicks[i]) != NULL && lc_drum_find(kicks[i])->written == 36);
    CHECK(lc_drum_find("Hi_Hat") == lc_drum_find("HH"));
    CHECK(lc_drum_find("") == NULL && lc_drum_find("kicks") == NULL && lc_drum_find("36") == NULL);
    CHECK(lc_drum_find("kickkickkickkickkickkickkickkick") == NULL);
}

/* Of the classes that hold several notes. */
static void written_notes_are_read(void)
{
    static const char *const names[] = {"kick",     "snare",   "hihat",      "side-stick", "closed-hihat", "open-hihat",
                                        "high-tom", "mid-tom", "low-tom",    "crash",      "ride",         "ride-bell",
                                        "cowbell",  "clap",    "tambourine", "percussion", "pedal-hihat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const lc_drum *drum = lc_drum_find(names[i]);
        size_t found = 0;
        for (size_t k = 0; k < LC_DRUM_NOTES; k++)
            found += drum->read[k] == drum->written;
        CHECK_EQ(found, 1);
    }
    CHECK_EQ(lc_drum_find("claves")->read[0], 0);
}

int main(void)
{
    RUN(names_in_any_spelling);
    RUN(written_notes_are_read);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_midi_write.c - what is written is what the reader reads. */
#include "check.h"

#include "events/midi_read.h"
#include "events/midi_write.h"

#include <stdlib.h>

static void notes_come_back_in_order(void)
{
    lc_midi_out midi = {0};
    lc_text text = {0};
    lc_midi_note *notes = NULL;
    size_t len = 0;
    loco_err err = {""};
    lc_midi_program(&midi, 0, 3, 128, 25);
    for (int i = 99; i >= 0; i--)
        lc_midi_note_on(&midi, 0.37 * i, 0.2, (unsigned)(i % 16), (unsigned)(20 + i), (unsigned)(1 + i));
    lc_midi_control(&midi, 50, 0, 120, 0);
    lc_midi_format(&midi, 60, &text);
    CHECK(!text.failed);
    CHECK_STATUS(lc_midi_parse(&notes, &len, "m.mid", text.bytes, text.length, &err), LOCO_OK);
    CHECK_EQ(len, 100);
    for (size_t i = 0; i < len; i++) {
        CHECK_NEAR(notes[i].time, 0.37 * (double)i, 1e-4);
        CHECK(notes[i].channel == i % 16 && notes[i].note == 20 + i && notes[i].velocity == 1 + i);
    }
    free(notes);
    lc_text_free(&text);
    lc_midi_out_free(&midi);
}

/* Bank 128 is 1 and 0 in the two controls, before the program. */
static void bytes_of_a_small_file(void)
{
    static const uint8_t want[] = {'M',  'T',  'h', 'd', 0,   0,    0,  6,    0,    0,    0,    1, 0x13,
                                   0x88, 'M',  'T', 'r', 'k', 0,    0,  0,    16,   0,    0xb2, 0, 1,
                                   0,    0xb2, 32,  0,   0,   0xc2, 25, 0x81, 0x0d, 0xff, 0x2f, 0};
    lc_midi_out midi = {0};
    lc_text text = {0};
    lc_midi_program(&midi, -1, 2, 128, 25);
    lc_midi_format(&midi, 0.0141, &text);
    CHECK_EQ(text.length, sizeof want);
    CHECK(text.length == sizeof want && memcmp(text.bytes, want, sizeof want) == 0);
    lc_text_free(&text);
    lc_midi_out_free(&midi);
}

static void missing_memory_is_passed_on(void)
{
    lc_midi_out midi = {.failed = true};
    lc_text text = {0};
    lc_midi_note_on(&midi, 1, 1, 0, 60, 100);
    CHECK_EQ(midi.len, 0);
    lc_midi_format(&midi, 1, &text);
    CHECK(text.failed);
    lc_text_free(&text);
}

int main(void)
{
    RUN(notes_come_back_in_order);
    RUN(bytes_of_a_small_file);
    RUN(missing_memory_is_passed_on);
    return check_done();
}

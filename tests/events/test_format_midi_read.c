/* SPDX-License-Identifier: MIT
 * test_format_midi_read.c - notes become events: by number, or as drums. */
#include "data_cases.h"

#include "events/event_list.h"

enum { DRUMS = 9, BASS = 1 };

/* A file with one note a tenth of a second, each on its channel. */
static size_t file_of(char *out, const unsigned char (*notes)[2], size_t n)
{
    static const char head[] = "MThd\0\0\0\6\0\0\0\1\0\5MTrk\0\0\0"; /* 5 ticks a beat of 0.5 s */
    size_t length = sizeof head - 1;
    memcpy(out, head, length);
    out[length++] = (char)(4 * n);
    for (size_t i = 0; i < n; i++) {
        out[length++] = 1;
        out[length++] = (char)(0x90 | notes[i][0]);
        out[length++] = (char)notes[i][1];
        out[length++] = 64;
    }
    return length;
}

/* The kinds found, as digits in order of time, and the classes behind a colon; or the sentence. */
static const char *kinds(const unsigned char (*notes)[2], size_t n, const char *const *classes, size_t classes_len)
{
    static char said[600];
    char bytes[200];
    size_t length = file_of(bytes, notes, n), used = 0;
    lc_event_list *list = NULL;
    loco_err err = {""};
    if (lc_event_list_parse(&list, "x.mid", bytes, length, classes, classes_len, &err) != LOCO_OK) {
        snprintf(said, sizeof said, "%s", err.text);
        return said;
    }
    for (size_t i = 0; i < list->files[0].events_len; i++)
        said[used++] = (char)('0' + list->files[0].events[i].kind);
    said[used++] = ':';
    said[used] = '\0';
    for (size_t k = 0; k < list->classes_len; k++)
        used += (size_t)snprintf(said + used, sizeof said - used, " %s", list->classes[k]);
    lc_event_list_free(list);
    return said;
}

static const unsigned char kit[][2] = {
    {DRUMS, 36},
    {DRUMS, 42},
    {DRUMS, 38},
    {BASS,  36},
    {DRUMS, 49},
    {DRUMS, 46}
};

static void notes_are_numbers(void)
{
    CHECK_STR(kinds(kit, 6, NULL, 0), "012034: 36 42 38 49 46");
    CHECK_STR(kinds(kit, 3, (const char *const[]){"42", "38", "36"}, 3), "201: 42 38 36");
    CHECK_STR(kinds(kit, 5, (const char *const[]){"42", "38", "36"}, 3),
              "x.mid, byte 39: note 49 is not one of the 3 classes");
    CHECK_STR(kinds(kit, 0, NULL, 0), ":");
}

static void drums_have_names(void)
{
    CHECK_STR(kinds(kit, 6, (const char *const[]){"kick", "snare", "hihat"}, 3), "0212: kick snare hihat");
    CHECK_STR(kinds(kit, 6, (const char *const[]){"HH", "KD"}, 2), "100: HH KD");
    CHECK_STR(kinds(kit, 6, (const char *const[]){"Snare", "kd"}, 2), "10: Snare kd");
    CHECK_STR(kinds(kit, 6, (const char *const[]){"kick", "49"}, 2), "01: kick 49");
    CHECK_STR(kinds(kit, 6, (const char *const[]){"Hi-Hat", "bass drum"}, 2), "100: Hi-Hat bass drum");
    CHECK_STR(kinds(kit, 6, (const char *const[]){"kicks"}, 1), "x.mid, byte 23: note 36 is not one of the 1 classes");
}

/* Without anything on the channel of drums, all channels count. */
static void channels_matter_where_there_are_drums(void)
{
    static const unsigned char piano[][2] = {
        {BASS, 36},
        {0,    38},
        {BASS, 42}
    };
    CHECK_STR(kinds(piano, 3, (const char *const[]){"kick", "snare", "hihat"}, 3), "012: kick snare hihat");
}

static void every_drum_note_is_known(void)
{
    static const char *const classes[] = {"KD", "SD", "HH"};
    for (unsigned note = 0; note < 128; note++) {
        const unsigned char one[][2] = {
            {DRUMS, (unsigned char)note}
        };
        const char *expected = ": KD SD HH";
        if (note == 35 || note == 36)
            expected = "0: KD SD HH";
        if (note == 37 || note == 38 || note == 40)
            expected = "1: KD SD HH";
        if (note == 22 || note == 26 || note == 42 || note == 44 || note == 46)
            expected = "2: KD SD HH";
        CHECK_STR(kinds(one, 1, classes, 3), expected);
    }
}

int main(void)
{
    RUN(notes_are_numbers);
    RUN(drums_have_names);
    RUN(channels_matter_where_there_are_drums);
    RUN(every_drum_note_is_known);
    return check_done();
}

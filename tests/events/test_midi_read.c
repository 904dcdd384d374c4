/* SPDX-License-Identifier: MIT
 * test_midi_read.c - MIDI files made byte by byte: what is refused and where, running status, tempo, and limits. */
#include "data_cases.h"

#include "base/plain_text.h"
#include "base/rng.h"
#include "events/midi_read.h"

/* A file under construction. */
typedef struct bytes {
    unsigned char at[4096];
    size_t length, track; /* where the current track begins */
} bytes;

static void put(bytes *b, const char *more, size_t n)
{
    memcpy(b->at + b->length, more, n);
    b->length += n;
}

#define PUT(b, text) put((b), (text), sizeof(text) - 1)

static void put_number(bytes *b, uint32_t value, int n)
{
    while (n-- > 0)
        b->at[b->length++] = (unsigned char)(value >> 8 * n);
}

static void put_variable(bytes *b, uint32_t value)
{
    for (int shift = 21; shift > 0; shift -= 7)
        if (value >> shift != 0)
            b->at[b->length++] = (unsigned char)(0x80 | (value >> shift & 0x7f));
    b->at[b->length++] = value & 0x7f;
}

static void begin(bytes *b, unsigned format, unsigned tracks, unsigned division)
{
    *b = (bytes){.length = 0};
    PUT(b, "MThd\0\0\0\6");
    put_number(b, format, 2);
    put_number(b, tracks, 2);
    put_number(b, division, 2);
}

static void begin_track(bytes *b)
{
    b->track = b->length;
    PUT(b, "MTrk\0\0\0\0");
}

static void end_track(bytes *b)
{
    PUT(b, "\0\xff\x2f\0");
    size_t end = b->length;
    b->length = b->track + 4;
    put_number(b, (uint32_t)(end - b->track - 8), 4);
    b->length = end;
}

/* Parses a copy of exactly its length. */
static loco_status parse(lc_midi_note **notes, size_t *len, const unsigned char *data, size_t length, loco_err *err)
{
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, data, length);
    loco_status status = lc_midi_parse(notes, len, "x.mid", copy, length, err);
    free(copy);
    return status;
}

static void check_refused(const bytes *b, const char *says)
{
    lc_midi_note *notes = NULL;
    size_t len = 77;
    loco_err err = {""};
    CHECK_STATUS(parse(&notes, &len, b->at, b->length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK(notes == NULL && len == 77);
}

/* One track with these bytes in it. */
static bytes track_of(const char *content, size_t n)
{
    bytes b;
    begin(&b, 0, 1, 480);
    begin_track(&b);
    put(&b, content, n);
    end_track(&b);
    return b;
}

#define CHECK_TRACK_REFUSED(content, says)                    \
    do {                                                      \
        bytes track = track_of(content, sizeof(content) - 1); \
        check_refused(&track, says);                          \
    } while (0)

static void wrong_heads_are_refused(void)
{
    bytes b = {.length = 0};
    check_refused(&b, "x.mid, byte 0: this is not a MIDI file");
    PUT(&b, "RIFF0123456789");
    check_refused(&b, "x.mid, byte 0: this is not a MIDI file");
    begin(&b, 2, 0, 480);
    check_refused(&b, "byte 8: MIDI files of formats 0 and 1");
    begin(&b, 0, 0, 0);
    check_refused(&b, "byte 12: a quarter note of 0 ticks");
    begin(&b, 0, 0, 0xe700);
    check_refused(&b, "byte 12: a frame of 0 ticks");
    begin(&b, 0, 0, 0x8028);
    check_refused(&b, "byte 12: frames a second");
    begin(&b, 0, 0, 480);
    b.at[7] = 5;
    check_refused(&b, "byte 4: the header");
    b.at[7] = 7;
    check_refused(&b, "byte 4: the header");
    begin(&b, 1, 1, 480);
    check_refused(&b, "byte 14: the file ends before its last track");
    PUT(&b, "MTrk\0\0\0");
    check_refused(&b, "byte 14: the file ends within the head of a chunk");
    PUT(&b, "\1");
    check_refused(&b, "byte 14: a chunk reaches beyond the end of the file");
}

static void wrong_tracks_are_refused(void)
{
    CHECK_TRACK_REFUSED("\0\x24\x40", "byte 23: data before the first status byte");
    CHECK_TRACK_REFUSED("\0\x90\x24\x80", "byte 25: a status byte where data must come");
    CHECK_TRACK_REFUSED("\x80\x80\x80\x80\0", "byte 22: a number of more than 4 bytes");
    CHECK_TRACK_REFUSED("\0\xf1\x24", "byte 23: a status byte that MIDI files cannot have");
    CHECK_TRACK_REFUSED("\0\xfe", "byte 23: a status byte that MIDI files cannot have");
    CHECK_TRACK_REFUSED("\0\xff\x51\2\1\2", "byte 23: a tempo has 3 bytes");
    CHECK_TRACK_REFUSED("\0\xff\x51\3\0\0\0", "byte 23: a tempo of 0");
    CHECK_TRACK_REFUSED("\0\xff\x01\x7f", "byte 23: an event reaches beyond the end");
    CHECK_TRACK_REFUSED("\0\xf0\xff\xff\xff\x7f", "byte 23: an event reaches beyond the end");
}

/* Whatever the cut, the bytes that follow in the file are not taken for the track's. */
static void tracks_end_where_they_say(void)
{
    static const char content[] = "\0\x90\x24\x40\x10\xff\x01\x03xyz\x81\x00\x24\x40";
    for (size_t cut = 0; cut < sizeof content; cut++) {
        bytes b = track_of(content, sizeof content - 1);
        b.at[21] = (unsigned char)cut;
        lc_midi_note *notes = NULL;
        size_t len;
        loco_err err = {""};
        loco_status status = parse(&notes, &len, b.at, b.length, &err);
        bool whole = cut == 0 || cut == 4 || cut == 11 || cut == 15;
        CHECK_STATUS(status, whole ? LOCO_OK : LOCO_EDATA);
        free(notes);
    }
}

static void running_status_and_silent_notes(void)
{
    /* note on, note off by velocity 0, a note by running status behind a meta event, a program change, a wheel */
    static const char content[] =
        "\0\x99\x24\x40\x60\x24\0\x60\xff\x01\1x\0\x26\x50\0\xc1\7\0\xe0\1\2\x81\x40\x99\x2a\x7f";
    bytes b = track_of(content, sizeof content - 1);
    lc_midi_note *notes = NULL;
    size_t len = 0;
    CHECK_STATUS(parse(&notes, &len, b.at, b.length, NULL), LOCO_OK);
    CHECK_EQ(len, 3);
    if (len == 3) {
        CHECK(notes[0].note == 36 && notes[0].velocity == 64 && notes[0].channel == 9 && notes[0].byte == 23);
        CHECK(notes[1].note == 38 && notes[1].tick == 0xc0 && notes[2].note == 42 && notes[2].velocity == 127);
        CHECK_NEAR(notes[0].time, 0, 0);
        CHECK_NEAR(notes[1].time, 192 / 960.0, 1e-15); /* 120 beats a minute, 480 ticks a beat */
        CHECK_NEAR(notes[2].time, 384 / 960.0, 1e-15);
    }
    free(notes);
}

/* Tempos in the first track hold for the second; of two at one tick the later counts. */
/* Keys that go up, by either message, and the pedal; other controls are not read. */
static void keys_and_pedal_are_read(void)
{
    static const uint8_t want[][3] = {
        {2, 60,            80 },
        {2, LC_MIDI_PEDAL, 127},
        {2, 60,            0  },
        {2, 61,            0  },
        {2, LC_MIDI_PEDAL, 0  }
    };
    bytes b;
    lc_midi_note *notes = NULL;
    size_t len = 0;
    begin(&b, 0, 1, 1);
    begin_track(&b);
    PUT(&b, "\0\x92\x3c\x50\1\xb2\x40\x7f\0\x07\x64\1\x92\x3c\0\0\x82\x3d\x40\1\xb2\x40\0");
    end_track(&b);
    CHECK_STATUS(lc_midi_parse_keys(&notes, &len, "x.mid", (const char *)b.at, b.length, NULL), LOCO_OK);
    CHECK_EQ(len, 5);
    for (size_t i = 0; i < len && i < 5; i++)
        CHECK(notes[i].channel == want[i][0] && notes[i].note == want[i][1] && notes[i].velocity == want[i][2]);
    CHECK_NEAR(notes[4].time, 1.5, 0);
    free(notes);
    CHECK_STATUS(parse(&notes, &len, b.at, b.length, NULL), LOCO_OK);
    CHECK_EQ(len, 1); /* where only the beginnings are asked for */
    free(notes);
}

static void tempos_hold_for_all_tracks(void)
{
    bytes b;
    begin(&b, 1, 2, 100);
    PUT(&b, "junk\0\0\0\2ab"); /* an unknown chunk is skipped */
    begin_track(&b);
    PUT(&b, "\x64\xff\x51\3\x0f\x42\x40"); /* tick 100: 1 s a beat */
    PUT(&b, "\x64\xff\x51\3\x01\x00\x00"); /* tick 200: at once replaced by */
    PUT(&b, "\0\xff\x51\3\x1e\x84\x80");   /* 2 s a beat */
    end_track(&b);
    begin_track(&b);
    for (int i = 0; i < 6; i++)
        PUT(&b, "\x32\x90\x3c\x40"); /* ticks 50, 100, ... 300 */
    end_track(&b);
    static const double want[] = {0.25, 0.5, 1, 1.5, 2.5, 3.5};
    lc_midi_note *notes = NULL;
    size_t len = 0;
    CHECK_STATUS(parse(&notes, &len, b.at, b.length, NULL), LOCO_OK);
    CHECK_EQ(len, 6);
    for (size_t i = 0; i < len && i < 6; i++)
        CHECK_NEAR(notes[i].time, want[i], 1e-12);
    free(notes);
}

static void film_time_knows_no_tempo(void)
{
    static const struct {
        unsigned division;
        double ticks_per_second;
    } cases[] = {
        {0xe728, 1000             },
        {0xe804, 96               },
        {0xe250, 2400             },
        {0xe364, 2997.002997002997}
    };
    for (size_t i = 0; i < 4; i++) {
        bytes b;
        begin(&b, 0, 1, cases[i].division);
        begin_track(&b);
        PUT(&b, "\0\xff\x51\3\1\2\3\x87\x68\x90\x3c\x40"); /* tick 1000 */
        end_track(&b);
        lc_midi_note *notes = NULL;
        size_t len = 0;
        CHECK_STATUS(parse(&notes, &len, b.at, b.length, NULL), LOCO_OK);
        CHECK_EQ(len, 1);
        if (len == 1)
            CHECK_NEAR(notes[0].time, 1000 / cases[i].ticks_per_second, 1e-12);
        free(notes);
    }
}

/* The slowest tempo and the longest waits: the time passes the limit, and the byte of the note is named. */
static void late_notes_are_refused(void)
{
    bytes b;
    begin(&b, 0, 1, 1);
    begin_track(&b);
    PUT(&b, "\0\xff\x51\3\xff\xff\xff\xff\xff\xff\x7f\x90\x3c\x40");
    end_track(&b);
    check_refused(&b, "byte 33: a note later than");
}

/* Random tempo changes over random notes, against a walk tick by tick. */
static void times_agree_with_a_walk(void)
{
    lc_rng rng = lc_rng_seed(5);
    for (int round = 0; round < 100; round++) {
        bytes b;
        double want[64], time = 0, tick_length = 0.5 / 96;
        size_t n = 0;
        begin(&b, 0, 1, 96);
        begin_track(&b);
        for (int i = 0; i < 60; i++) {
            uint32_t wait = (uint32_t)(lc_rng_uniform(&rng) * 400),
                     micros = 1000 + (uint32_t)(lc_rng_next(&rng) % 999999);
            put_variable(&b, wait);
            for (uint32_t t = 0; t < wait; t++)
                time += tick_length;
            if (lc_rng_next(&rng) % 3 == 0) {
                PUT(&b, "\xff\x51\3");
                put_number(&b, micros, 3);
                tick_length = micros / 96e6;
            } else {
                PUT(&b, "\x90\x3c\x40");
                want[n++] = time;
            }
        }
        end_track(&b);
        lc_midi_note *notes = NULL;
        size_t len = 0;
        CHECK_STATUS(parse(&notes, &len, b.at, b.length, NULL), LOCO_OK);
        CHECK_EQ(len, n);
        for (size_t i = 0; i < len && i < n; i++)
            CHECK_NEAR(notes[i].time, want[i], 1e-9);
        free(notes);
    }
}

static void limits_hold(void)
{
    size_t length = LC_MIDI_BYTES + 1;
    unsigned char *large = calloc(length, 1);
    bytes b;
    loco_err err = {""};
    lc_midi_note *notes = NULL;
    size_t len = 0;
    begin(&b, 0, 1, 480);
    memcpy(large, b.at, b.length);
    CHECK_STATUS(parse(&notes, &len, large, length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "more than 16 MiB");
    begin_track(&b);
    PUT(&b, "\0\x90");
    memcpy(large, b.at, b.length);
    large[19] = 0x40; /* the track has 4 MiB, of 1 1 0: a note, and the time of the next */
    for (size_t i = b.length; i < length; i++)
        large[i] = (i - b.length) % 3 < 2;
    CHECK_STATUS(parse(&notes, &len, large, 22 + 0x400000, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "more than 1048576 notes");
    CHECK(notes == NULL);
    free(large);
}

int main(void)
{
    RUN(wrong_heads_are_refused);
    RUN(wrong_tracks_are_refused);
    RUN(tracks_end_where_they_say);
    RUN(running_status_and_silent_notes);
    RUN(keys_and_pedal_are_read);
    RUN(tempos_hold_for_all_tracks);
    RUN(film_time_knows_no_tempo);
    RUN(late_notes_are_refused);
    RUN(times_agree_with_a_walk);
    RUN(limits_hold);
    return check_done();
}

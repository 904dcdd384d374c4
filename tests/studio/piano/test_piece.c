/* SPDX-License-Identifier: MIT
 * test_piece.c - performances from MIDI: keys, pedal, tracks, folders, and what is refused. */
#include "piano_cases.h"

#include "studio/piano/piece.h"

/* Messages of one track, with ticks of 0.1 s before each; ends with the end of the track. */
static size_t make_file(char *bytes, const unsigned (*messages)[4], size_t len)
{
    static const char head[] = "MThd\0\0\0\6\0\0\0\1\0\5MTrk\0\0\0\0";
    size_t at = sizeof head - 1;
    memcpy(bytes, head, at);
    for (size_t i = 0; i < len; i++)
        for (size_t k = 0; k < 4; k++)
            bytes[at++] = (char)messages[i][k];
    memcpy(bytes + at, "\0\xff\x2f", 4);
    at += 4;
    bytes[21] = (char)(at - 22);
    return at;
}

/* `pitch velocity on-off;` of each note. */
static void plays(const unsigned (*messages)[4], size_t len, const char *want)
{
    lc_store store = {0};
    lc_piece piece;
    loco_err err = {""};
    char bytes[256], got[256] = "";
    size_t length = make_file(bytes, messages, len);
    CHECK_STATUS(lc_piece_parse(&piece, &store, "in/a.mid", bytes, length, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_STR(piece.folder, "in/");
    for (size_t i = 0; i < piece.len; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%u %u %.1f-%.1f;", piece.notes[i].pitch,
                 piece.notes[i].velocity, (double)piece.notes[i].on, (double)piece.notes[i].off);
    CHECK_STR(got, want);
    lc_store_free(&store);
}

#define PLAYS(messages, want) plays((messages), sizeof(messages) / sizeof *(messages), (want))

static void keys_are_released(void)
{
    static const unsigned plain[][4] = {
        {0, 0x90, 60, 80},
        {3, 0x80, 60, 0 },
        {1, 0x90, 61, 70},
        {2, 0x90, 61, 0 },
        {0, 0x90, 62, 60}
    };
    PLAYS(plain, "60 80 0.0-0.3;61 70 0.4-0.6;62 60 0.6-20.6;");
}

static void pedals_hold(void)
{
    static const unsigned held[][4] = {
        {0, 0xb0, 64, 127},
        {0, 0x90, 60, 80 },
        {1, 0x80, 60, 0  },
        {3, 0x90, 61, 80 }, /* still down when the pedal comes up */
        {1, 0xb0, 64, 63 },
        {2, 0x80, 61, 0  }
    };
    static const unsigned again[][4] = {
        {0, 0xb0, 64, 127},
        {0, 0x90, 60, 80 },
        {1, 0x80, 60, 0  },
        {3, 0x90, 60, 90 },
        {4, 0x80, 60, 0  },
        {2, 0xb0, 64, 0  }
    };
    PLAYS(held, "60 80 0.0-0.5;61 80 0.4-0.7;");
    PLAYS(again, "60 80 0.0-0.4;60 90 0.4-1.0;");
}

static void a_key_sounds_once(void)
{
    static const unsigned two[][4] = {
        {0, 0x90, 60, 80},
        {0, 0x91, 60, 90}, /* another hand at the same time */
        {1, 0x80, 60, 0 }, /* not the one that holds it */
        {2, 0x81, 60, 0 },
        {0, 0x99, 61, 90}, /* a drum */
        {0, 0x90, 20, 90}, /* no key */
        {0, 0x90, 65, 90},
        {2, 0x90, 65, 80}, /* struck again without release */
        {1, 0x80, 65, 0 }
    };
    PLAYS(two, "60 80 0.0-0.3;65 90 0.3-0.5;65 80 0.5-0.6;");
}

static void files_without_notes_are_refused(void)
{
    static const unsigned none[][4] = {
        {0, 0x99, 60, 80},
        {0, 0x80, 60, 80}
    };
    lc_store store = {0};
    lc_piece piece;
    loco_err err = {""};
    char bytes[64];
    size_t length = make_file(bytes, none, 2);
    CHECK_STATUS(lc_piece_parse(&piece, &store, "in/a.mid", bytes, length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "in/a.mid: a MIDI file without notes of a piano");
    CHECK_STATUS(lc_piece_parse(&piece, &store, "in/a.mid", bytes, 13, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "in/a.mid, byte 0");
    lc_store_free(&store);
}

/* Each file is on one side. */
static void folders_are_split(void)
{
    char name[32];
    lc_pieces seen = {0}, unseen = {0}, one = {0};
    loco_err err = {""};
    CHECK(mkdir(data_path("midi"), 0777) == 0);
    CHECK_STATUS(lc_pieces_load(&seen, data_path("midi"), (lc_kit_side){0}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "midi holds no MIDI file");
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "midi/%d.%s", i, i % 2 == 0 ? "mid" : "MIDI");
        piano_midi(name, 3);
    }
    data_write("midi/readme.txt", "not read");
    CHECK_STATUS(lc_pieces_load(&seen, data_path("midi"), (lc_kit_side){0}, &err), LOCO_OK);
    CHECK_STATUS(lc_pieces_load(&unseen, data_path("midi/"), (lc_kit_side){.held_out = true}, &err), LOCO_OK);
    CHECK_EQ(seen.len + unseen.len, 40);
    CHECK(seen.len == unseen.held_out && unseen.len >= 4 && unseen.len <= 16);
    CHECK_EQ(seen.notes, 3 * seen.len);
    CHECK_STATUS(lc_pieces_load(&one, data_path("nowhere.mid"), (lc_kit_side){0}, &err), LOCO_EIO);
    lc_pieces_free(&seen);
    lc_pieces_free(&unseen);
    lc_pieces_free(&one);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(keys_are_released);
    RUN(pedals_hold);
    RUN(a_key_sounds_once);
    RUN(files_without_notes_are_refused);
    RUN(folders_are_split);
    return data_done();
}

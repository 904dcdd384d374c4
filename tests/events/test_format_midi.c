/* SPDX-License-Identifier: MIT
 *
 * test_format_midi.c - MIDI files: exact bytes of a small one, then a reader of our own gets back time, note and
 * velocity of random events.
 */
#include "check.h"

#include "base/rng.h"
#include "events/formats.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static loco_err err;

static const lc_format *midi(void)
{
    const lc_format *format = NULL;
    CHECK_STATUS(lc_format_find(&format, "midi", NULL, &err), LOCO_OK);
    return format;
}

/* ---- a small reader ---- */

typedef struct reader {
    const unsigned char *at, *end;
    bool wrong;
} reader;

static uint32_t take(reader *r, size_t bytes)
{
    uint32_t value = 0;
    for (; bytes > 0; bytes--) {
        if (r->at == r->end) {
            r->wrong = true;
            return 0;
        }
        value = value << 8 | *r->at++;
    }
    return value;
}

static uint32_t take_variable(reader *r)
{
    uint32_t value = 0, byte;
    do {
        byte = take(r, 1);
        value = value << 7 | (byte & 0x7f);
    } while ((byte & 0x80) != 0 && !r->wrong);
    return value;
}

typedef struct read_note {
    uint32_t tick;
    unsigned channel, pitch, velocity, track;
} read_note;

/* All notes of a file; each must be switched off before the next of its pitch. Returns how many, or SIZE_MAX. */
static size_t read_notes(const lc_text *file, read_note *notes, size_t most, unsigned *tracks)
{
    reader r = {(const unsigned char *)file->bytes, (const unsigned char *)file->bytes + file->length, false};
    size_t n = 0;
    uint32_t name = take(&r, 4), size = take(&r, 4), format = take(&r, 2);
    *tracks = take(&r, 2);
    if (name != 0x4d546864 || size != 6 || format != 1 || take(&r, 2) != 960)
        return SIZE_MAX;
    for (unsigned t = 0; t < *tracks && !r.wrong; t++) {
        if (take(&r, 4) != 0x4d54726b)
            return SIZE_MAX;
        uint32_t length = take(&r, 4), now = 0;
        const unsigned char *end = r.at + length;
        bool open = true, sounding = false;
        while (open && !r.wrong) {
            now += take_variable(&r);
            unsigned status = take(&r, 1);
            if (status == 0xff) {
                open = take(&r, 1) != 0x2f;
                uint32_t skip = take_variable(&r);
                r.at += skip;
            } else {
                unsigned pitch = take(&r, 1), velocity = take(&r, 1);
                bool on = (status & 0xf0) == 0x90;
                if (on == sounding || (on && n == most))
                    return SIZE_MAX;
                sounding = on;
                if (on)
                    notes[n++] = (read_note){now, status & 15, pitch, velocity, t};
            }
        }
        if (r.at != end || sounding)
            return SIZE_MAX;
    }
    return r.wrong || r.at != r.end ? SIZE_MAX : n;
}

static size_t notes_of(const lc_events_view *view, read_note *notes, size_t most)
{
    lc_text out = {0};
    unsigned tracks = 0;
    CHECK_STATUS(lc_events_write(&out, midi(), view, 1, &err), LOCO_OK);
    size_t n = read_notes(&out, notes, most, &tracks);
    CHECK_EQ(tracks, view->classes_len + 1);
    lc_text_free(&out);
    return n;
}

/* ---- tests ---- */

static void exact_bytes(void)
{
    static const char want[] = "MThd\0\0\0\6\0\1\0\2\x03\xc0"
                               "MTrk\0\0\0\x10\0\xff\x03\1f\0\xff\x51\3\x07\xa1\x20\0\xff\x2f\0"
                               "MTrk\0\0\0\x16\0\xff\x03\5snare\x8f\0\x99\x26\x7f\x60\x89\x26\x40\0\xff\x2f\0";
    const char *const names[] = {"snare"};
    const loco_event one[] = {
        {1, 0, 1, 0}
    };
    const lc_events_view view = {"f", names, 1, one, 1, 0, NULL, false};
    lc_text out = {0};
    CHECK_STATUS(lc_events_write(&out, midi(), &view, 1, &err), LOCO_OK);
    CHECK_EQ(out.length, sizeof want - 1);
    CHECK(out.length == sizeof want - 1 && memcmp(out.bytes, want, sizeof want - 1) == 0);
    lc_text_free(&out);
}

static void names_become_notes(void)
{
    static const struct {
        const char *name;
        unsigned channel, pitch;
    } want[] = {
        {"kick",                             9, 36 },
        {"KD",                               9, 36 },
        {"Hi-Hat",                           9, 42 },
        {"open_hihat",                       9, 46 },
        {"Floor Tom",                        9, 41 },
        {"0",                                0, 0  },
        {"127",                              0, 127},
        {"128",                              0, 67 },
        {"-1",                               0, 68 },
        {"bird",                             0, 69 },
        {"",                                 0, 70 },
        {"kickkickkickkickkickkickkickkick", 0, 71 },
    };
    enum { N = sizeof want / sizeof want[0] };
    const char *names[N];
    loco_event events[N];
    read_note notes[N + 1] = {{0}};
    for (size_t i = 0; i < N; i++) {
        names[i] = want[i].name;
        events[i] = (loco_event){1, i, 1, 0};
    }
    const lc_events_view view = {"x", names, N, events, N, 0, NULL, false};
    CHECK_EQ(notes_of(&view, notes, N), N);
    for (size_t i = 0; i < N; i++) {
        CHECK_EQ(notes[i].channel, want[i].channel);
        CHECK_EQ(notes[i].pitch, want[i].pitch);
    }
}

/* Times come back within half a tick, 0.26 ms, in order, however close or late they are. */
static void random_events_come_back(void)
{
    enum { N = 500, K = 3 };
    static const char *const names[K] = {"a", "b", "c"};
    static loco_event events[N];
    static read_note notes[N];
    static bool used[N];
    lc_rng rng = lc_rng_seed(3);
    for (size_t i = 0; i < N; i++) {
        double span = i % 2 == 0 ? 1 : 100000;
        events[i] = (loco_event){span * lc_rng_uniform(&rng), (size_t)(K * lc_rng_uniform(&rng)), lc_rng_uniform(&rng),
                                 0};
    }
    const lc_events_view view = {"x", names, K, events, N, 0, NULL, false};
    CHECK_EQ(notes_of(&view, notes, N), N);
    for (size_t e = 0; e < N; e++) {
        bool found = false;
        for (size_t i = 0; i < N && !found; i++) {
            double time = (double)notes[i].tick / 1920;
            unsigned velocity = (unsigned)lround(20 + 107 * events[e].probability);
            found = !used[i] && notes[i].track == events[e].kind + 1 && fabs(time - events[e].time) < 0.000261 &&
                    notes[i].velocity == velocity;
            used[i] = used[i] || found;
        }
        CHECK(found);
    }
}

static void edges(void)
{
    static const char *const names[] = {"a"};
    read_note notes[4] = {{0}};
    const loco_event same[] = {
        {2,     0, 1,   0},
        {2,     0, 0,   0},
        {-0.01, 0, 0.5, 0}
    };
    const lc_events_view view = {"x", names, 1, same, 3, 0, NULL, false};
    CHECK_EQ(notes_of(&view, notes, 4), 3);
    CHECK(notes[0].tick == 0 && notes[1].tick == 3840 && notes[1].velocity == 127 && notes[2].velocity == 20);
    const lc_events_view none = {"x", names, 1, NULL, 0, 0, NULL, false};
    CHECK_EQ(notes_of(&none, notes, 4), 0);
    const loco_event late[] = {
        {139900, 0, 1, 0}
    };
    const lc_events_view too_late = {"x", names, 1, late, 1, 0, NULL, false};
    lc_text out = {0};
    CHECK_STATUS(lc_events_write(&out, midi(), &too_late, 1, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "139900") != NULL && out.length == 0);
    lc_text_free(&out);
}

/* The ticks of one event at 1.5 s: tempo, division and tick as a file has them. */
static void check_tempo(double tempo, uint32_t quarter, uint32_t division)
{
    static const char *const names[] = {"kick"};
    static const loco_event one[] = {
        {1.5, 0, 1, 0}
    };
    const lc_events_view view = {
        .file = "x", .classes = names, .classes_len = 1, .events = one, .events_len = 1, .tempo = tempo};
    lc_text out = {0};
    CHECK_STATUS(lc_events_write(&out, midi(), &view, 1, &err), LOCO_OK);
    reader r = {(const unsigned char *)out.bytes + 12, (const unsigned char *)out.bytes + out.length, false};
    CHECK_EQ(take(&r, 2), division);
    r.at += 8 + 5 + 4; /* the track, its name, the head of the tempo */
    CHECK_EQ(take(&r, 3), quarter);
    r.at += 4 + 8 + 8; /* the end, the next track, its name */
    CHECK_NEAR(take_variable(&r) * 1e-6 * quarter / division, 1.5, 0.00027);
    CHECK(!r.wrong);
    lc_text_free(&out);
}

static void events_keep_their_times_at_any_tempo(void)
{
    check_tempo(0, 500000, 960);
    check_tempo(120, 500000, 960);
    check_tempo(97, 618557, 1920);
    check_tempo(240, 250000, 960);
    check_tempo(10, 6000000, 15360);
    lc_text out = {0};
    const lc_events_view wrong = {.file = "x", .tempo = 9};
    CHECK_STATUS(lc_events_write(&out, midi(), &wrong, 1, &err), LOCO_EARG);
    CHECK(strstr(err.text, "a tempo of 9 quarters a minute") != NULL);
    lc_text_free(&out);
}

/* Pitches share a track; notes that are known have their own velocity and end, a tick at least. */
static void one_track_of_pitches(void)
{
    static const char want[] = "MThd\0\0\0\6\0\0\0\1\x03\xc0"
                               "MTrk\0\0\0\x23\0\xff\x03\1f\0\xff\x51\3\x07\xa1\x20"
                               "\x87\x40\x90\x3d\x1e\x87\x40\x90\x3c\x63\1\x80\x3c\x40\x87\x3f\x80\x3d\x40\0\xff\x2f\0";
    static const char *const names[] = {"60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71"};
    static const loco_event events[] = {
        {0.5, 1, 1, 0},
        {1,   0, 1, 0}
    };
    static const lc_note notes[] = {
        {1.5, 30},
        {1,   99}
    };
    const lc_events_view view = {"f", names, 12, events, 2, 0, notes, false};
    lc_text out = {0};
    CHECK_STATUS(lc_events_write(&out, midi(), &view, 1, &err), LOCO_OK);
    CHECK_EQ(out.length, sizeof want - 1);
    CHECK(out.length == sizeof want - 1 && memcmp(out.bytes, want, sizeof want - 1) == 0);
    lc_text_free(&out);
}

int main(void)
{
    RUN(one_track_of_pitches);
    RUN(exact_bytes);
    RUN(names_become_notes);
    RUN(random_events_come_back);
    RUN(edges);
    RUN(events_keep_their_times_at_any_tempo);
    return check_done();
}

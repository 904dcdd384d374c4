/* SPDX-License-Identifier: MIT
 *
 * event_midi.c - reads a MIDI file into a list of events.
 *
 * A note belongs to the class of its number, "36". Where classes are given and some are called after drums, notes go by
 * General MIDI and the further notes of Roland's kits:
 *     kick, KD    35 36
 *     snare, SD   37 38 40
 *     hihat, HH   22 26 42 44 46
 * Other notes are then left out, and so are other channels when there is anything on the channel of drums: a bass plays
 * note 36 as well.
 */
#include "base/status.h"
#include "data/gather.h"
#include "data/midi_read.h"

#include <stdio.h>
#include <stdlib.h>

enum { NOTES = 128 };

typedef struct drum {
    const char *names[2];
    uint8_t notes[6]; /* ends with 0 */
} drum;

static const drum drums[] = {
    {{"kick", "KD"},  {35, 36}            },
    {{"snare", "SD"}, {37, 38, 40}        },
    {{"hihat", "HH"}, {22, 26, 42, 44, 46}},
};

/* What each note means; none: not yet known, or left out. */
typedef struct meaning {
    size_t kind[NOTES];
    bool by_drums;
} meaning;

/* Letters of either case. */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        int apart = *a - *b;
        bool letter = (*a >= 'A' && *a <= 'Z') || (*a >= 'a' && *a <= 'z');
        if (apart != 0 && !(letter && (apart == 32 || apart == -32)))
            return false;
        if (*a == '\0')
            return apart == 0;
    }
}

/* All notes of the drum are of that class. */
static void set_drum(meaning *m, const drum *d, size_t kind)
{
    m->by_drums = true;
    for (const uint8_t *note = d->notes; *note != 0; note++)
        m->kind[*note] = kind;
}

/* Only classes that were given can be called after drums; classes that are found are numbers. */
static void find_drums(meaning *m, const lc_gather *gather)
{
    for (size_t n = 0; n < NOTES; n++)
        m->kind[n] = LC_NAMES_NONE;
    m->by_drums = false;
    for (size_t k = 0; gather->fixed && k < gather->classes.len; k++)
        for (size_t d = 0; d < sizeof drums / sizeof drums[0]; d++)
            if (same_name(gather->classes.items[k], drums[d].names[0]) ||
                same_name(gather->classes.items[k], drums[d].names[1]))
                set_drum(m, &drums[d], k);
}

/* The class of the note's number; LC_NAMES_NONE when the note is to be left out. */
static loco_status find_class(size_t *kind, meaning *m, lc_gather *gather, const char *path, const lc_midi_note *note,
                              loco_err *err)
{
    *kind = m->kind[note->note];
    if (*kind != LC_NAMES_NONE)
        return LOCO_OK;
    char number[8];
    size_t length = (size_t)snprintf(number, sizeof number, "%u", (unsigned)note->note);
    *kind = lc_names_find(&gather->classes, number, length);
    if (*kind == LC_NAMES_NONE && m->by_drums)
        return LOCO_OK;
    if (*kind == LC_NAMES_NONE && gather->fixed)
        return lc_err_set(err, LOCO_EDATA, "%s: note %s is not one of the %zu classes",
                          lc_place_byte(path, note->byte).text, number, gather->classes.len);
    loco_status status = lc_gather_class(kind, gather, (lc_place){path, 0, NULL}, number, length, err);
    m->kind[note->note] = status == LOCO_OK ? *kind : LC_NAMES_NONE;
    return status;
}

static bool any_on_drums(const lc_midi_note *notes, size_t notes_len)
{
    for (size_t i = 0; i < notes_len; i++)
        if (notes[i].channel == LC_MIDI_DRUMS)
            return true;
    return false;
}

static loco_status add_notes(lc_gather *gather, size_t file, const char *path, const lc_midi_note *notes, size_t len,
                             loco_err *err)
{
    meaning m;
    find_drums(&m, gather);
    bool drums_alone = m.by_drums && any_on_drums(notes, len);
    for (size_t i = 0; i < len; i++) {
        size_t kind;
        if (drums_alone && notes[i].channel != LC_MIDI_DRUMS)
            continue;
        loco_status status = find_class(&kind, &m, gather, path, &notes[i], err);
        loco_event event = {.time = notes[i].time, .kind = kind, .probability = 1};
        if (status == LOCO_OK && kind != LC_NAMES_NONE)
            status = lc_gather_event(gather, (lc_place){path, 0, NULL}, file, event, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

loco_status lc_gather_midi(lc_gather *gather, size_t file, const char *path, const char *bytes, size_t length,
                           loco_err *err)
{
    lc_midi_note *notes;
    size_t notes_len;
    loco_status status = lc_midi_parse(&notes, &notes_len, path, bytes, length, err);
    if (status != LOCO_OK)
        return status;
    status = add_notes(gather, file, path, notes, notes_len, err);
    free(notes);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * excerpt.c - what is played in a recording: excerpts of MIDI files, one behind the other, or music of our own.
 *
 * Of MIDI files a folder is drawn first, then a file: a small folder of dense pieces counts as much as a large one of
 * simple songs. An excerpt is moved by -5 to 5 semitones, played in 0.8 to 1.25 of its time, and louder or softer. One
 * recording in seven plays music of our own, which has every key.
 */
#include "base/status.h"
#include "signal/filter.h"
#include "studio/piano/recital.h"

#include <stdlib.h>
#include <string.h>

#define OWN (1.0 / 7) /* part of the recordings, but of unseen sets: these test on what people wrote */
#define LAST 0.05     /* s before the end: no note begins there */

typedef struct programme {
    lc_piece_note *notes;
    size_t len, capacity;
    bool failed;
} programme;

/* How an excerpt is changed. */
typedef struct change {
    double from, to; /* s of the piece, s of the recording: where it begins */
    double slower, louder;
    int higher;
} change;

static void push(programme *p, const lc_piece_note *note, const change *by)
{
    int pitch = note->pitch + by->higher;
    if (pitch < LC_PIANO_LOWEST || pitch > LC_PIANO_HIGHEST || p->failed)
        return;
    lc_piece_note *notes = lc_list_grow(p->notes, &p->capacity, p->len + 1, sizeof *notes);
    p->failed = notes == NULL;
    if (p->failed)
        return;
    p->notes = notes;
    double velocity = fmin(127, fmax(8, by->louder * note->velocity));
    notes[p->len++] = (lc_piece_note){.on = (float)(by->to + by->slower * ((double)note->on - by->from)),
                                      .off = (float)(by->to + by->slower * ((double)note->off - by->from)),
                                      .pitch = (uint8_t)pitch,
                                      .velocity = (uint8_t)velocity};
}

/* Puts an excerpt at time; returns where the next may begin. */
static double put_excerpt(programme *p, const lc_piece *of, double time, double seconds, lc_rng *rng)
{
    size_t first = lc_draw_index(rng, of->len - of->len / 8);
    change by = {.from = (double)of->notes[first].on, .to = time};
    by.slower = lc_draw_even(rng, 0.8, 1.25);
    by.louder = lc_draw_even(rng, 0.55, 1.35);
    by.higher = (int)lc_draw_index(rng, 11) - 5;
    double at = time;
    for (size_t i = first; i < of->len; i++) {
        at = time + by.slower * ((double)of->notes[i].on - by.from);
        if (at >= seconds - LAST)
            return seconds;
        push(p, &of->notes[i], &by);
    }
    return at + lc_draw_even(rng, 0.3, 2);
}

/* Folders are contiguous. The i-th of a folder replaces the choice with probability 1/i. */
static const lc_piece *draw_piece(const lc_pieces *pieces, lc_rng *rng)
{
    size_t folders = 0, folder = SIZE_MAX, same = 0;
    const lc_piece *chosen = NULL;
    for (size_t i = 0; i < pieces->len; i++)
        folders += i == 0 || strcmp(pieces->items[i].folder, pieces->items[i - 1].folder) != 0;
    size_t wanted = lc_draw_index(rng, folders);
    for (size_t i = 0; i < pieces->len; i++) {
        folder += i == 0 || strcmp(pieces->items[i].folder, pieces->items[i - 1].folder) != 0;
        if (folder == wanted && lc_draw_index(rng, ++same) == 0)
            chosen = &pieces->items[i];
    }
    return chosen;
}

/* A key that is struck again ends its note; within LC_PIECE_TOGETHER it is not struck again. */
static void tidy(programme *p)
{
    size_t last[LC_PIANO_PITCHES], kept = 0;
    for (size_t i = 0; i < LC_PIANO_PITCHES; i++)
        last[i] = SIZE_MAX;
    lc_piece_sort(p->notes, p->len);
    for (size_t i = 0; i < p->len; i++) {
        lc_piece_note note = p->notes[i];
        lc_piece_note *before = last[note.pitch] != SIZE_MAX ? &p->notes[last[note.pitch]] : NULL;
        if (before != NULL && (double)(note.on - before->on) < LC_PIECE_TOGETHER)
            continue;
        if (before != NULL && before->off > note.on)
            before->off = note.on;
        last[note.pitch] = kept;
        p->notes[kept++] = note;
    }
    p->len = kept;
}

/* Music of our own goes the same way, so that it is varied alike. */
static loco_status put_own(programme *p, double seconds, lc_rng *rng, loco_err *err)
{
    lc_store store = {0};
    lc_piece own;
    change by = {.slower = 1, .louder = 1};
    loco_status status = lc_piece_compose(&own, &store, rng, seconds - LAST, err);
    for (size_t i = 0; status == LOCO_OK && i < own.len; i++)
        push(p, &own.notes[i], &by);
    lc_store_free(&store);
    return status;
}

loco_status lc_recital_draw(lc_piece_note **notes, size_t *len, const lc_recital_settings *settings, lc_rng *rng,
                            loco_err *err)
{
    programme p = {0};
    double seconds = settings->synth.seconds, time = lc_draw_even(rng, 0, fmin(0.6, seconds / 4));
    loco_status status = LOCO_OK;
    if (lc_draw_chance(rng, settings->synth.unseen ? 0 : OWN) || settings->pieces->len == 0)
        status = put_own(&p, seconds, rng, err);
    else
        while (time < seconds - LAST && !p.failed)
            time = put_excerpt(&p, draw_piece(settings->pieces, rng), time, seconds, rng);
    if (p.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the notes of a recording");
    if (status != LOCO_OK) {
        free(p.notes);
        return status;
    }
    tidy(&p);
    *notes = p.notes;
    *len = p.len;
    return LOCO_OK;
}

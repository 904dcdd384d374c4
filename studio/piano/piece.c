/* SPDX-License-Identifier: MIT
 *
 * piece.c - reads performances on the piano from MIDI files.
 *
 * Keys and the pedal of all channels are gone through in order of time. A key that is released while the pedal is down
 * sounds until the pedal comes up, and a key that is struck again ends its own note. Several tracks of a file share one
 * piano: where two strike one key at the same time, it sounds once.
 */
#include "studio/piano/piece.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/plain_text.h"
#include "base/status.h"
#include "events/midi_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, CHANNELS = 16, KEYS = 128, HALF = 64 };

#define RINGS 20 /* s: how long a note lasts whose key is never released */

static loco_status no_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the performances in %.150s", path);
}

/* ---- one file ---- */

/* Of what happens at one time, releases come before strokes, so that a repeated note is two. */
static int by_time(const void *a, const void *b)
{
    const lc_midi_note *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    bool struck_x = x->note != LC_MIDI_PEDAL && x->velocity > 0, struck_y = y->note != LC_MIDI_PEDAL && y->velocity > 0;
    if (struck_x != struck_y)
        return struck_x ? 1 : -1;
    return x->byte < y->byte ? -1 : x->byte > y->byte;
}

/* A key: the note that it plays, and what holds it. */
typedef struct key_state {
    size_t note; /* its index; SIZE_MAX: silent */
    bool held, sustained;
    unsigned channel; /* that struck it */
} key_state;

typedef struct player {
    lc_piece_note *notes;
    size_t len;
    key_state keys[KEYS];
    bool pedal[CHANNELS];
} player;

static void damp(player *p, unsigned key, double time)
{
    key_state *k = &p->keys[key];
    if (k->note != SIZE_MAX)
        p->notes[k->note].off = (float)time;
    *k = (key_state){.note = SIZE_MAX};
}

static void strike(player *p, const lc_midi_note *event)
{
    key_state *k = &p->keys[event->note];
    if (k->note != SIZE_MAX && event->time - (double)p->notes[k->note].on < LC_PIECE_TOGETHER) {
        k->held = true;
        k->channel = event->channel;
        return;
    }
    damp(p, event->note, event->time);
    p->notes[p->len] = (lc_piece_note){.on = (float)event->time,
                                       .off = (float)(event->time + RINGS),
                                       .pitch = event->note,
                                       .velocity = event->velocity};
    *k = (key_state){.note = p->len++, .held = true, .channel = event->channel};
}

static void release(player *p, const lc_midi_note *event)
{
    key_state *k = &p->keys[event->note];
    if (!k->held || k->channel != event->channel)
        return;
    k->held = false;
    if (p->pedal[event->channel])
        k->sustained = true;
    else
        damp(p, event->note, event->time);
}

static void move_pedal(player *p, const lc_midi_note *event)
{
    p->pedal[event->channel] = event->velocity >= HALF;
    for (unsigned key = 0; !p->pedal[event->channel] && key < KEYS; key++)
        if (p->keys[key].sustained && p->keys[key].channel == event->channel)
            damp(p, key, event->time);
}

static void play(player *p, const lc_midi_note *events, size_t len)
{
    for (size_t key = 0; key < KEYS; key++)
        p->keys[key] = (key_state){.note = SIZE_MAX};
    for (size_t i = 0; i < len; i++) {
        const lc_midi_note *event = &events[i];
        if (event->channel == LC_MIDI_DRUMS)
            continue;
        if (event->note == LC_MIDI_PEDAL)
            move_pedal(p, event);
        else if (event->note < LC_PIANO_LOWEST || event->note > LC_PIANO_HIGHEST)
            continue;
        else if (event->velocity > 0)
            strike(p, event);
        else
            release(p, event);
    }
}

/* In a total order, so that every machine sorts alike. */
static int by_on(const void *a, const void *b)
{
    const lc_piece_note *x = a, *y = b;
    if (x->on < y->on || x->on > y->on)
        return x->on < y->on ? -1 : 1;
    if (x->pitch != y->pitch)
        return x->pitch < y->pitch ? -1 : 1;
    if (x->velocity != y->velocity)
        return x->velocity > y->velocity ? -1 : 1;
    return (x->off > y->off) - (x->off < y->off);
}

void lc_piece_sort(lc_piece_note *notes, size_t len)
{
    if (len > 0)
        qsort(notes, len, sizeof *notes, by_on);
}

loco_status lc_piece_parse(lc_piece *piece, lc_store *store, const char *path, const char *bytes, size_t length,
                           loco_err *err)
{
    lc_midi_note *events = NULL;
    size_t len = 0;
    loco_status status = lc_midi_parse_keys(&events, &len, path, bytes, length, err);
    if (status != LOCO_OK)
        return status;
    player p = {.notes = lc_store_take(store, len + 1, sizeof *p.notes)};
    if (p.notes != NULL && len > 0) {
        qsort(events, len, sizeof *events, by_time);
        play(&p, events, len);
    }
    free(events);
    if (p.notes == NULL)
        return no_memory(path, err);
    if (p.len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: a MIDI file without notes of a piano; remove it",
                          lc_place_show((lc_place){path, 0, NULL}).text);
    lc_piece_sort(p.notes, p.len);
    const char *folder = lc_store_string(store, path, lc_path_folder(path));
    if (folder == NULL)
        return no_memory(path, err);
    *piece = (lc_piece){.folder = folder, .notes = p.notes, .len = p.len};
    return LOCO_OK;
}

/* ---- folders ---- */

static loco_status load_file(lc_pieces *pieces, const char *path, loco_err *err)
{
    char *bytes = NULL;
    size_t length = 0;
    lc_piece *items = lc_list_grow(pieces->items, &pieces->capacity, pieces->len + 1, sizeof *items);
    if (items == NULL)
        return no_memory(path, err);
    pieces->items = items;
    if (pieces->len == LC_PIECES_MOST || pieces->notes > LC_PIECES_NOTES)
        return lc_err_set(err, LOCO_EDATA, "%.150s: more than %d MIDI files, or %d notes in them", path, LC_PIECES_MOST,
                          LC_PIECES_NOTES);
    loco_status status = lc_file_load(path, LC_MIDI_BYTES, &bytes, &length, err);
    if (status == LOCO_OK)
        status = lc_piece_parse(&items[pieces->len], &pieces->store, path, bytes, length, err);
    free(bytes);
    if (status == LOCO_OK)
        pieces->notes += items[pieces->len++].len;
    return status;
}

/* A file on the other side of the split is only counted. Its name alone decides, wherever the folder is. */
static loco_status visit(lc_pieces *pieces, const char *path, lc_kit_side side, size_t depth, loco_err *err)
{
    static const char *const endings[] = {".mid", ".midi", NULL};
    const char *const *names;
    size_t len = 0;
    if (!lc_path_is_folder(path)) {
        if (lc_path_is_file(path) && lc_path_ends(path, endings) && !lc_kit_side_has(side, path + lc_path_folder(path)))
            pieces->held_out++;
        else if (lc_path_ends(path, endings) || depth == 0)
            return load_file(pieces, path, err);
        return LOCO_OK;
    }
    loco_status status = depth < DEEPEST ? lc_folder_list(&names, &len, &pieces->store, path, err) : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < len; i++) {
        const char *below = lc_path_join(&pieces->store, path, strlen(path), names[i]);
        status = below != NULL ? visit(pieces, below, side, depth + 1, err) : no_memory(path, err);
    }
    return status;
}

loco_status lc_pieces_load(lc_pieces *pieces, const char *path, lc_kit_side side, loco_err *err)
{
    size_t before = pieces->len, held_out = pieces->held_out;
    const char *root = lc_store_string(&pieces->store, path, strlen(path));
    loco_status status = root != NULL ? visit(pieces, root, side, 0, err) : no_memory(path, err);
    if (status == LOCO_OK && pieces->len == before)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no MIDI file%s", path,
                            pieces->held_out > held_out ? " for this kind of set: all are held out for the other" : "");
    return status;
}

void lc_pieces_free(lc_pieces *pieces)
{
    free(pieces->items);
    lc_store_free(&pieces->store);
    *pieces = (lc_pieces){0};
}

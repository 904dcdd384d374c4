/* SPDX-License-Identifier: MIT
 *
 * performance.c - what drummers played: MIDI files of drums, and excerpts of them.
 *
 * The beat of a file is taken from its last note: seconds a tick, times the ticks of a quarter in its header; files with
 * changes of tempo get their mean. A bar is taken to have four beats.
 */
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "events/midi_read.h"
#include "signal/filter.h"
#include "studio/kits/bank.h"
#include "studio/kits/part.h"
#include "studio/kits/pattern.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, TRIES = 8 };

static const char *const endings[] = {".mid", ".midi", NULL};

static loco_status no_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the performances in %.150s", path);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
    const lc_hit *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Ticks of a quarter note; 480 where the header counts in frames of film. */
static double quarter_of(const char *bytes, size_t length)
{
    if (length < 14 || ((unsigned char)bytes[12] & 0x80) != 0)
        return 480;
    return 256.0 * (unsigned char)bytes[12] + (unsigned char)bytes[13];
}

/* The drums of a file: those on their channel, or all when no note is on it. */
static size_t take_hits(lc_hit *hits, const lc_midi_note *notes, size_t len)
{
    bool drums = false;
    size_t kept = 0;
    for (size_t i = 0; i < len; i++)
        drums = drums || notes[i].channel == LC_MIDI_DRUMS;
    for (size_t i = 0; i < len; i++) {
        lc_voice_kind part = lc_part_of_note(notes[i].note);
        if (part != LC_PARTS && (!drums || notes[i].channel == LC_MIDI_DRUMS))
            hits[kept++] = (lc_hit){.time = notes[i].time, .velocity = notes[i].velocity / 127.0, .voice = part};
    }
    return kept;
}

/* One performance: its drum notes by time, with their parts, and the length of a beat. Fewer than 4 strokes, or a
 * beat outside of 0.1 to 4 s, are not kept. */
static loco_status keep(lc_performances *list, const char *path, const lc_midi_note *notes, size_t len, double quarter,
                        loco_err *err)
{
    double beat = 0;
    for (size_t i = 0; i < len; i++)
        if (notes[i].tick > 0)
            beat = notes[i].time / (double)notes[i].tick * quarter;
    lc_hit *hits = lc_store_take(&list->store, len + 1, sizeof *hits);
    lc_performance *items = lc_list_grow(list->items, &list->capacity, list->len + 1, sizeof *items);
    if (items != NULL)
        list->items = items;
    if (hits == NULL || items == NULL)
        return no_memory(path, err);
    size_t kept = take_hits(hits, notes, len);
    if (kept < 4 || !(beat > 0.1 && beat < 4))
        return LOCO_OK;
    qsort(hits, kept, sizeof *hits, by_time);
    list->items[list->len++] = (lc_performance){.hits = hits, .len = kept, .beat = beat};
    list->notes += kept;
    return LOCO_OK;
}

static loco_status load_file(lc_performances *list, const char *path, loco_err *err)
{
    char *bytes = NULL;
    size_t length = 0, len = 0;
    lc_midi_note *notes = NULL;
    if (list->len == LC_PERFORMANCES_MOST || list->notes > LC_PERFORMANCE_NOTES)
        return lc_err_set(err, LOCO_EDATA, "%.150s: more than %d performances, or %d notes in them", path,
                          LC_PERFORMANCES_MOST, LC_PERFORMANCE_NOTES);
    loco_status status = lc_file_load(path, LC_MIDI_BYTES, &bytes, &length, err);
    if (status == LOCO_OK)
        status = lc_midi_parse(&notes, &len, path, bytes, length, err);
    if (status == LOCO_OK)
        status = keep(list, path, notes, len, quarter_of(bytes, length), err);
    free(notes);
    free(bytes);
    return status;
}

typedef struct performance_walk {
    lc_performances *list;
    const char *root;
    lc_kit_side side;
    size_t depth;
} performance_walk;

static loco_status visit(const performance_walk *w, const char *folder, loco_err *err);

/* A file on the other side of the split is only counted; folders are followed down to DEEPEST. */
static loco_status visit_entry(const performance_walk *w, const char *path, loco_err *err)
{
    if (lc_path_is_folder(path)) {
        performance_walk deeper = *w;
        deeper.depth++;
        return w->depth < DEEPEST ? visit(&deeper, path, err) : LOCO_OK;
    }
    if (!lc_path_ends(path, endings))
        return LOCO_OK;
    if (!lc_kit_side_has(w->side, path + strlen(w->root))) {
        w->list->held_out++;
        return LOCO_OK;
    }
    return load_file(w->list, path, err);
}

static loco_status visit(const performance_walk *w, const char *folder, loco_err *err)
{
    const char *const *names;
    size_t len;
    loco_status status = lc_folder_list(&names, &len, &w->list->store, folder, err);
    for (size_t i = 0; status == LOCO_OK && i < len; i++) {
        const char *path = lc_path_join(&w->list->store, folder, strlen(folder), names[i]);
        status = path != NULL ? visit_entry(w, path, err) : no_memory(folder, err);
    }
    return status;
}

loco_status lc_performances_load(lc_performances *list, const char *folder, lc_kit_side side, loco_err *err)
{
    lc_performances loaded = {0};
    lc_text root = {0};
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    lc_text_append(&root, folder, length);
    lc_text_string(&root, "/");
    performance_walk w = {.list = &loaded, .root = root.bytes, .side = side};
    loco_status status = root.failed ? no_memory(folder, err) : visit(&w, root.bytes, err);
    if (status == LOCO_OK && loaded.len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no MIDI file of drums%s", folder,
                            loaded.held_out > 0 ? " for this kind of set" : "");
    if (status == LOCO_OK)
        *list = loaded;
    else
        lc_performances_free(&loaded);
    lc_text_free(&root);
    return status;
}

void lc_performances_free(lc_performances *list)
{
    free(list->items);
    lc_store_free(&list->store);
    *list = (lc_performances){0};
}

/* ---- excerpts ----------------------------------------------------------------------------------------------- */

/* Seconds of the recording for each second of the performance; 0 when the paces do not go together. */
static double pace(const lc_performance *of, double beat, lc_rng *rng)
{
    if (!(beat > 0))
        return lc_draw_even(rng, 0.8, 1.2);
    double factor = beat / of->beat;
    if (factor > 1.6)
        factor /= 2;
    if (factor < 0.625)
        factor *= 2;
    return factor >= 0.75 && factor <= 1.3 ? factor : 0;
}

/* Where an excerpt begins: at a bar, and not among the last. */
static double draw_start(const lc_performance *of, lc_rng *rng)
{
    double bar = 4 * of->beat, bars = floor(of->hits[of->len - 1].time / bar);
    return bar * floor(lc_rng_uniform(rng) * fmax(1, bars - 1));
}

/* Puts the excerpt at time; returns where it ends. */
static double play(const lc_performance *of, lc_pattern *pattern, lc_rng *rng, double time, double until, double factor)
{
    double from = draw_start(of, rng), stronger = lc_draw_even(rng, 0.8, 1.25);
    for (size_t i = 0; i < of->len; i++) {
        lc_hit hit = of->hits[i];
        double at = time + factor * (hit.time - from);
        if (hit.time < from - 0.1 * of->beat || at < time - 0.05)
            continue;
        if (at >= until)
            break;
        hit.time = at;
        hit.velocity = fmin(1, stronger * hit.velocity);
        lc_pattern_push(pattern, hit);
    }
    double bar = 4 * of->beat, bars = ceil((of->hits[of->len - 1].time - from + 0.25 * of->beat) / bar);
    return time + factor * bar * fmax(1, bars);
}

void lc_performances_draw(const lc_performances *list, lc_pattern *pattern, lc_rng *rng, double seconds, lc_metre metre)
{
    double time = metre.beat > 0 ? metre.first : lc_draw_even(rng, -0.5, 0.5), beat = metre.beat;
    while (time < seconds && list->len > 0 && !pattern->failed) {
        const lc_performance *of = &list->items[lc_draw_index(rng, list->len)];
        double factor = pace(of, beat, rng);
        for (size_t i = 1; i < TRIES && !(factor > 0); i++) {
            of = &list->items[lc_draw_index(rng, list->len)];
            factor = pace(of, beat, rng);
        }
        if (!(factor > 0))
            factor = lc_draw_even(rng, 0.8, 1.2);
        time = play(of, pattern, rng, time, seconds, factor);
    }
}

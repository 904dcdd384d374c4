/* SPDX-License-Identifier: MIT
 * transposed.c - augmentation of pitched sound that keeps counts right: what is a semitone to the ear is a fixed number of
 *   bins of the front end and one class of the labels, so that both move without another look at the sound:
 *
 *     bins    . . a a a b b b c c c        2 semitones up:   . . . . . . . . a a a b b b c c c
 *     labels      1     0     2                              0     0     1     0     2
 *
 * Bins that nothing moves to are silent, and their classes have no events. The timbre moves along, as no piano's does;
 * a few semitones are close to the truth. */
#include "train/transposed.h"

#include <stdlib.h>
#include <string.h>

/* Whether something may have happened in the classes that would fall off: from..to. */
static bool falls_off(const lc_example_source *source, const lc_slot *slot, const lc_example *e, bool times,
                      size_t from, size_t to)
{
    bool any = false;
    for (size_t k = from; k < to; k++)
        any |= slot->labels[k].hi > 0;
    for (size_t t = 0; times && t < e->T; t++)
        for (size_t k = from; k < to; k++)
            any |= slot->events[t * source->K + k] != 0;
    return any;
}

static void move_labels(loco_label *labels, size_t K, size_t by, bool up)
{
    memmove(labels + (up ? by : 0), labels + (up ? 0 : by), (K - by) * sizeof *labels);
    for (size_t k = 0; k < by; k++)
        labels[up ? k : K - 1 - k] = loco_label_exact(0);
}

static void move_events(uint8_t *row, size_t K, size_t by, bool up)
{
    memmove(row + (up ? by : 0), row + (up ? 0 : by), K - by);
    memset(row + (up ? 0 : K - by), 0, by);
}

void lc_transpose_example(const lc_example_source *source, lc_rng *rng, const lc_slot *slot, const lc_example *e,
                          bool times)
{
    size_t most = (size_t)source->recipe->augment.transpose, K = source->K;
    long semitones = (long)lc_draw_below(rng, 2 * most + 1) - (long)most;
    size_t by = (size_t)labs(semitones);
    bool up = semitones > 0;
    if (by == 0 || by >= K || falls_off(source, slot, e, times, up ? K - by : 0, up ? K : by))
        return;
    move_labels(slot->labels, K, by, up);
    for (size_t t = 0; t < e->T; t++) {
        lc_frontend_transpose(&source->recipe->frontend, slot->frames + (source->lead + t) * source->size, semitones);
        if (times)
            move_events(slot->events + t * K, K, by, up);
    }
}

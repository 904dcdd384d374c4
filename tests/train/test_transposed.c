/* SPDX-License-Identifier: MIT
 * test_transposed.c - labels, events and frames move together, and nothing falls off. */
#include "cases.h"

#include "train/transposed.h"

#include <string.h>

enum { K = 12, T = 5, LEAD = 1 };

typedef struct example_case {
    lc_recipe recipe;
    lc_example_source source;
    loco_label labels[K];
    uint8_t events[T * K];
    lc_slot slot;
    lc_example example;
} example_case;

/* Two notes, of classes low and high, in frames 1 and 3; frames are numbered through. */
static void case_open(example_case *c, size_t low, size_t high, const char *transpose)
{
    memset(c, 0, sizeof *c);
    CHECK_STATUS(lc_recipe_preset(&c->recipe, "piano", NULL), LOCO_OK);
    CHECK_STATUS(lc_recipe_set(&c->recipe, transpose, NULL), LOCO_OK);
    size_t size = lc_frontend_bins(&c->recipe.frontend) * lc_frontend_channels(&c->recipe.frontend);
    c->source = (lc_example_source){.recipe = &c->recipe, .K = K, .size = size, .lead = LEAD};
    for (size_t k = 0; k < K; k++)
        c->labels[k] = loco_label_exact((k == low) + (k == high ? 2U : 0U));
    c->events[1 * K + low] = c->events[3 * K + high] = 1;
    c->slot = (lc_slot){
        .frames = case_array((LEAD + T) * size, sizeof(float)), .events = c->events, .labels = c->labels};
    for (size_t i = 0; i < (LEAD + T) * size; i++)
        c->slot.frames[i] = (float)i;
    c->example = (lc_example){.T = T, .end = T, .frames = c->slot.frames + LEAD * size, .labels = c->labels};
}

/* By how much the labels moved; that events and frames moved as far. */
static long moved(const example_case *c, size_t low, size_t high)
{
    size_t at = 0, per = c->source.size / lc_frontend_bins(&c->recipe.frontend), bin = 100, events = 0;
    while (at < K && c->labels[at].lo != 1)
        at++;
    long by = (long)at - (long)low;
    CHECK(c->labels[(size_t)((long)high + by)].lo == 2 && c->labels[(size_t)((long)high + by)].hi == 2);
    CHECK(c->events[1 * K + at] == 1 && c->events[3 * K + (size_t)((long)high + by)] == 1);
    for (size_t i = 0; i < T * K; i++)
        events += c->events[i];
    CHECK_EQ(events, 2);
    for (size_t t = 0; t < T; t++) {
        size_t was = (LEAD + t) * c->source.size + (size_t)((long)bin - 3 * by) * per;
        CHECK_NEAR(c->example.frames[t * c->source.size + bin * per], (float)was, 0);
    }
    CHECK_NEAR(c->slot.frames[7], 7, 0); /* what is in front of the example */
    return by;
}

/* All transpositions up to the largest occur, and no others. */
static void all_move_together(void)
{
    bool seen[5] = {false};
    lc_rng rng = lc_rng_seed(3);
    for (int i = 0; i < 40; i++) {
        example_case c;
        case_open(&c, 4, 7, "transpose=2");
        lc_transpose_example(&c.source, &rng, &c.slot, &c.example, true);
        long by = moved(&c, 4, 7);
        CHECK(by >= -2 && by <= 2);
        seen[(size_t)(by + 2)] = true;
        free(c.slot.frames);
    }
    CHECK(seen[0] && seen[1] && seen[2] && seen[3] && seen[4]);
}

/* The lowest and the highest class have a note: it stays. */
static void nothing_falls_off(void)
{
    lc_rng rng = lc_rng_seed(4);
    for (int i = 0; i < 20; i++) {
        example_case c;
        case_open(&c, 0, K - 1, "transpose=3");
        lc_transpose_example(&c.source, &rng, &c.slot, &c.example, true);
        CHECK(moved(&c, 0, K - 1) == 0);
        free(c.slot.frames);
    }
}

/* So does an unknown count at the edge, while the other direction is open. */
static void unknown_counts_stay(void)
{
    lc_rng rng = lc_rng_seed(5);
    for (int i = 0; i < 20; i++) {
        example_case c;
        case_open(&c, 4, 6, "transpose=1");
        c.labels[K - 1] = loco_label_unknown();
        lc_transpose_example(&c.source, &rng, &c.slot, &c.example, false);
        CHECK(c.labels[4].lo == 1 || c.labels[3].lo == 1);
        free(c.slot.frames);
    }
}

int main(void)
{
    RUN(all_move_together);
    RUN(nothing_falls_off);
    RUN(unknown_counts_stay);
    return check_done();
}

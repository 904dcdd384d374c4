/* SPDX-License-Identifier: MIT
 * test_compose.c - music of our own: notes in order, within their range, every key, the same for the same seed. */
#include "check.h"

#include "studio/piano/piece.h"

static void check_piece(uint64_t seed, size_t keys[128])
{
    lc_store store = {0};
    lc_piece piece, same;
    lc_rng rng = lc_rng_seed(seed), twin = rng;
    double last[128];
    for (size_t i = 0; i < 128; i++)
        last[i] = -1;
    CHECK_STATUS(lc_piece_compose(&piece, &store, &rng, 30, NULL), LOCO_OK);
    CHECK_STATUS(lc_piece_compose(&same, &store, &twin, 30, NULL), LOCO_OK);
    CHECK_EQ(piece.len, same.len);
    CHECK(piece.len > 10 && piece.len < 3000);
    for (size_t i = 0; i < piece.len; i++) {
        const lc_piece_note *note = &piece.notes[i];
        double on = (double)note->on;
        CHECK(note->pitch == same.notes[i].pitch && note->velocity == same.notes[i].velocity);
        CHECK_NEAR(on, (double)same.notes[i].on, 0);
        CHECK(note->pitch >= LC_PIANO_LOWEST && note->pitch <= LC_PIANO_HIGHEST);
        CHECK(note->velocity >= 1 && note->velocity <= 127);
        CHECK(on >= 0 && on < 30 && note->off > note->on && (double)note->off < on + 60);
        CHECK(i == 0 || note[-1].on <= note->on);
        CHECK(last[note->pitch] < 0 || on - last[note->pitch] >= LC_PIECE_TOGETHER);
        last[note->pitch] = on;
        keys[note->pitch]++;
    }
    lc_store_free(&store);
}

static void pieces_have_every_key(void)
{
    size_t keys[128] = {0};
    for (uint64_t seed = 1; seed <= 100; seed++)
        check_piece(seed, keys);
    for (size_t pitch = LC_PIANO_LOWEST; pitch <= LC_PIANO_HIGHEST; pitch++)
        CHECK(keys[pitch] >= 5);
}

int main(void)
{
    RUN(pieces_have_every_key);
    return check_done();
}

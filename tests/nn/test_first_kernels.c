/* SPDX-License-Identifier: MIT
 * test_first_kernels.c - the kernels of a first layer, by every set that this machine can run, against plain loops in
 *   double: all pools, channels that fill no vector, outputs that leave bins over. What lies around the outputs must
 *   stay. */
#include "cases.h"
#include "wide_kernels.h"

#include "nn/winograd.h"

enum { TAPS = 3 * LC_FIRST_WINDOW, FRAMES = LC_TILE + 2, MARK = 77, AROUND = 16 };

static const double tolerance = 2e-6; /* of the largest number */

static const lc_nn_kernels *set;
static lc_rng rng;

/* One tile of a layer of one channel: rows of in are reach floats, and some between them. */
typedef struct tile {
    lc_winograd w;
    size_t bins, n, pool, outputs, row;
    float *in, *weight, *bias, *packed, *y, *which;
} tile;

static float *noise(size_t n)
{
    float *x = case_array(n + AROUND, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(2 * lc_rng_uniform(&rng) - 1);
    for (size_t i = n; i < n + AROUND; i++)
        x[i] = MARK;
    return x;
}

static void check_marks(const float *behind)
{
    for (size_t i = 0; i < AROUND; i++)
        CHECK(behind[i] == MARK);
}

static tile tile_new(size_t bins, size_t n, size_t pool)
{
    tile t = {.w = lc_winograd_of(bins, n, 1, LC_FIRST_WINDOW, 1), .bins = bins, .n = n, .pool = pool};
    t.outputs = bins / pool;
    t.row = t.w.reach + 3;
    t.in = noise(FRAMES * t.row);
    t.weight = noise(TAPS * n);
    t.bias = noise(t.w.width);
    t.packed = case_array(t.w.weights, sizeof(float));
    t.y = noise(LC_TILE * t.outputs * n);
    t.which = noise(t.outputs * n);
    lc_winograd_pack(&t.w, t.weight, t.packed);
    return t;
}

static void tile_free(tile *t)
{
    free(t->in);
    free(t->weight);
    free(t->bias);
    free(t->packed);
    free(t->y);
    free(t->which);
}

static lc_first first_of(const tile *t)
{
    lc_first f = {
        .width = t->w.width,
        .pooled = {.bins = t->outputs, .c = t->n, .pool = t->pool, .which = t->which, .bias = t->bias}
    };
    for (size_t r = 0; r < LC_TILE; r++)
        f.pooled.y[r] = t->y + r * t->outputs * t->n;
    return f;
}

/* in[frame][bin], and the winner of frame r of value i of an output. */
static double input(const tile *t, size_t frame, size_t bin)
{
    return (double)t->in[frame * t->row + bin];
}

static size_t winner_of(const tile *t, size_t r, size_t i)
{
    uint32_t bits;
    memcpy(&bits, t->which + i, sizeof bits);
    return bits >> (LC_WINNER_BITS * r) & LC_NO_WINNER;
}

static double output(const tile *t, size_t r, size_t bin, size_t n)
{
    double z = (double)t->bias[n];
    for (size_t k = 0; k < TAPS; k++)
        z += input(t, r + k / LC_FIRST_WINDOW, bin + k % LC_FIRST_WINDOW) * (double)t->weight[k * t->n + n];
    return z;
}

/* ---- forward ---- */

static void check_pool(size_t bins, size_t n, size_t pool, double *worst)
{
    tile t = tile_new(bins, n, pool);
    lc_first f = first_of(&t);
    float *v = case_array(FRAMES * t.w.v_row, sizeof *v);
    CHECK_EQ(t.w.tile, LC_TILE);
    set->winograd_in(
        &(lc_rows){.to = v, .to_row = t.w.v_row, .from = t.in, .from_row = t.row, .n = t.w.reach, .tile = t.w.tile});
    f.in = v;
    f.in_row = t.w.v_row;
    f.weights = t.packed;
    set->first_pool(&f);
    for (size_t i = 0; i < LC_TILE * t.outputs * n; i++) {
        size_t r = i / n / t.outputs, q = i / n % t.outputs, winner = winner_of(&t, r, i % (t.outputs * n));
        double best = 0;
        for (size_t j = 0; j < pool; j++)
            best = fmax(best, output(&t, r, q * pool + j, i % n));
        worst_note(worst, (double)t.y[i], best, 1);
        CHECK((winner == LC_NO_WINNER) == !(t.y[i] > 0) && (winner == LC_NO_WINNER || winner < pool));
        if (winner < pool)
            worst_note(worst, (double)t.y[i], output(&t, r, q * pool + winner, i % n), 1);
    }
    check_marks(t.y + LC_TILE * t.outputs * n);
    check_marks(t.which + t.outputs * n);
    free(v);
    tile_free(&t);
}

/* ---- backward ---- */

/* which becomes random winners; what they should add to the gradients of weights, (TAPS, n), and bias. */
static void draw_winners(tile *t, double *want, double *want_bias)
{
    for (size_t i = 0; i < t->outputs * t->n; i++) {
        uint32_t bits = 0;
        for (size_t r = 0; r < LC_TILE; r++) {
            size_t winner = case_below(&rng, t->pool + 1), bin = i / t->n * t->pool + winner;
            double d = (double)t->y[r * t->outputs * t->n + i];
            bits |= (winner < t->pool ? (uint32_t)winner : LC_NO_WINNER) << (LC_WINNER_BITS * r);
            if (winner == t->pool)
                continue;
            want_bias[i % t->n] += d;
            for (size_t k = 0; k < TAPS; k++)
                want[k * t->n + i % t->n] += d * input(t, r + k / LC_FIRST_WINDOW, bin + k % LC_FIRST_WINDOW);
        }
        memcpy(t->which + i, &bits, sizeof bits);
    }
}

static void check_grads(size_t bins, size_t n, size_t pool, double *worst)
{
    tile t = tile_new(bins, n, pool);
    lc_first f = first_of(&t);
    double *want = case_array(TAPS * n, sizeof *want), *want_bias = case_array(n, sizeof *want_bias);
    float *grads = noise(TAPS * t.w.width), *d_bias = noise(n);
    for (size_t i = 0; i < TAPS * n; i++)
        want[i] = (double)grads[i / n * t.w.width + i % n];
    for (size_t i = 0; i < n; i++)
        want_bias[i] = (double)d_bias[i];
    draw_winners(&t, want, want_bias);
    f.pooled.d_bias = d_bias;
    f.in = t.in;
    f.in_row = t.row;
    f.grads = grads;
    set->first_grads(&f);
    for (size_t i = 0; i < TAPS * n; i++)
        worst_note(worst, (double)grads[i / n * t.w.width + i % n], want[i], (double)(4 * t.outputs));
    for (size_t i = 0; i < n; i++)
        worst_note(worst, (double)d_bias[i], want_bias[i], (double)(4 * t.outputs));
    check_marks(grads + TAPS * t.w.width);
    check_marks(d_bias + n);
    free(want);
    free(want_bias);
    free(grads);
    free(d_bias);
    tile_free(&t);
}

static void kernels_are_right(void)
{
    static const size_t channels[] = {1, 3, 8, 9, 15, 16, 17, 24, 33};
    double pool_error = 0, error = 0;
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        for (size_t pool = 1; pool <= LC_FIRST_POOL; pool++)
            for (size_t bins = pool; bins < 30; bins += 7) {
                check_pool(bins, channels[i], pool, &pool_error);
                check_grads(bins, channels[i], pool, &error);
            }
    CHECK_WORST(pool_error, tolerance);
    CHECK_WORST(error, tolerance);
}

int main(void)
{
    const char *name;
    for (size_t i = 0; (set = kernels_at(i, &name)) != NULL; i++) {
        printf("%s\n", name);
        rng = lc_rng_seed(1);
        RUN(kernels_are_right);
    }
    return check_done();
}

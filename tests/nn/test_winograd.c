/* SPDX-License-Identifier: MIT
 * test_winograd.c - convolutions by tiles, every set that this machine can run against plain loops in double: all
 *   widths of kernels and strides, maps of any number of bins, channels that fill no vector, groups of tiles that are
 *   not full; pooling in one pass and its backward pass. Scratch begins as NaNs, and so do the floats between rows. */
#include "cases.h"
#include "wide_kernels.h"

#include "nn/winograd.h"

enum { GAP = 3 }; /* floats between rows of the input */

static const double tolerance = 1e-5; /* of the largest number */

static const lc_nn_kernels *set;
static lc_rng rng;

typedef struct shape {
    size_t bins, n, c, kernel_f, stride, tiles, pool;
} shape;

static const shape shapes[] = {
    {9,  16, 16, 4, 1, 2, 2 }, /* full tiles */
    {36, 16, 8,  4, 1, 2, 3 }, /* tiles of five frames, too few channels for eight points */
    {72, 16, 8,  4, 1, 1, 2 },
    {35, 15, 9,  4, 1, 2, 1 }, /* no vector is full, and the last tile is not */
    {38, 16, 8,  4, 1, 1, 5 },
    {63, 16, 8,  4, 1, 1, 63}, /* the largest pool whose winners have numbers */
    {72, 16, 16, 4, 1, 2, 2 }, /* eight points */
    {36, 16, 16, 4, 1, 2, 2 }, /* 12 tiles of frequency, then 9, 6, two from 8 channels, and one of eight points */
    {27, 16, 16, 4, 1, 2, 3 },
    {18, 16, 16, 4, 1, 3, 3 },
    {6,  16, 8,  4, 1, 3, 2 },
    {5,  16, 16, 4, 1, 3, 1 },
    {23, 8,  16, 4, 1, 2, 2 },
    {18, 15, 9,  4, 1, 3, 2 },
    {3,  16, 16, 4, 1, 4, 3 }, /* several tiles of time to a group, which is not full */
    {1,  16, 16, 3, 1, 3, 1 },
    {7,  16, 8,  3, 1, 2, 2 }, /* last tiles that are not full, pools that leave bins over */
    {8,  24, 8,  4, 1, 1, 3 },
    {16, 64, 64, 4, 1, 1, 2 }, /* too many weights for eight points */
    {10, 13, 11, 5, 1, 2, 4 }, /* no vector is full */
    {11, 9,  19, 2, 1, 2, 5 },
    {26, 5,  33, 5, 1, 2, 2 },
    {13, 40, 17, 3, 1, 1, 13},
    {12, 8,  1,  4, 1, 1, 2 }, /* along time only */
    {6,  5,  2,  3, 1, 1, 2 },
    {5,  19, 3,  1, 1, 1, 1 },
    {7,  3,  9,  7, 1, 1, 2 },
    {36, 16, 2,  5, 2, 1, 2 }, /* with a stride */
    {18, 24, 16, 3, 2, 2, 3 },
    {9,  32, 24, 3, 2, 3, 2 },
    {5,  7,  3,  4, 3, 6, 1 },
    {1,  8,  5,  4, 4, 2, 1 }, /* windows side by side */
};

/* One convolution; the arrays are as winograd.h wants them. */
typedef struct conv {
    lc_winograd w;
    shape s;
    size_t row, frames, weights;
    float *in, *weight, *bias, *bias_row, *packed, *back, *scratch;
} conv;

static float *noise(size_t n)
{
    float *x = case_array(n + LC_OVERRUN, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(2 * lc_rng_uniform(&rng) - 1);
    return x;
}

static float *nans(size_t n)
{
    float *x = case_array(n, sizeof *x);
    memset(x, 0xff, n * sizeof *x);
    return x;
}

static conv conv_new(shape s)
{
    conv c = {.w = lc_winograd_of(s.bins, s.n, s.c, s.kernel_f, s.stride), .s = s};
    c.frames = c.w.tile * s.tiles;
    c.row = c.w.reach * s.c + GAP;
    c.weights = 3 * s.kernel_f * s.c * s.n;
    c.in = noise((c.frames + 2) * c.row);
    for (size_t t = 0; t < c.frames + 2; t++)
        memset(c.in + (t + 1) * c.row - GAP, 0xff, GAP * sizeof *c.in);
    c.weight = noise(c.weights);
    c.bias = noise(c.w.width);
    c.bias_row = case_array(s.bins * c.w.width, sizeof(float));
    for (size_t i = 0; i < s.bins * c.w.width; i++)
        c.bias_row[i] = c.bias[i % c.w.width];
    c.packed = nans(c.w.weights);
    c.back = nans(c.w.back);
    c.scratch = nans(c.w.scratch);
    lc_winograd_pack(&c.w, c.weight, c.packed);
    lc_winograd_pack_back(&c.w, c.packed, c.back);
    return c;
}

static lc_winograd_call call_of(const conv *c)
{
    return (lc_winograd_call){
        .w = &c->w, .kernels = set, .tiles = c->s.tiles, .in = c->in, .in_row = c->row, .scratch = c->scratch};
}

static void conv_free(conv *c)
{
    free(c->in);
    free(c->weight);
    free(c->bias);
    free(c->bias_row);
    free(c->packed);
    free(c->back);
    free(c->scratch);
}

/* All products of one output: its sum or, where dz is wanted instead, what each adds to both gradients. */
static double products(const conv *c, size_t t, size_t f, size_t n, double dz, double *d_in, double *d_weight)
{
    size_t window = c->s.kernel_f * c->s.c;
    double sum = 0;
    for (size_t j = 0; j < 3; j++)
        for (size_t k = 0; k < window; k++) {
            size_t at = (t + j) * c->row + f * c->s.stride * c->s.c + k, w = (j * window + k) * c->s.n + n;
            sum += (double)c->in[at] * (double)c->weight[w];
            if (d_in == NULL)
                continue;
            d_in[at] += dz * (double)c->weight[w];
            d_weight[w] += dz * (double)c->in[at];
        }
    return sum;
}

/* z (frames, bins, n), without the bias; with d_in, which is added to as d_weight is, z is read as its gradient. */
static void direct(const conv *c, double *z, double *d_in, double *d_weight)
{
    for (size_t i = 0; i < c->frames * c->s.bins * c->s.n; i++) {
        size_t n = i % c->s.n, f = i / c->s.n % c->s.bins, t = i / c->s.n / c->s.bins;
        double sum = products(c, t, f, n, z[i], d_in, d_weight);
        z[i] = d_in == NULL ? sum : z[i];
    }
}

/* The largest distance, as part of the largest number wanted. */
static double distance(const float *got, const double *want, size_t n)
{
    double worst = 0, largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(want[i]));
    for (size_t i = 0; i < n; i++)
        worst_note(&worst, (double)got[i], want[i], largest);
    return worst;
}

/* ---- forward ---- */

static float *outputs(conv *c)
{
    float *z = nans(c->frames * c->s.bins * c->w.width);
    lc_winograd_call call = call_of(c);
    lc_winograd_forward(&call, c->packed);
    lc_winograd_out(&call, c->bias_row, z);
    for (size_t i = 1; i < c->frames * c->s.bins; i++)
        memmove(z + i * c->s.n, z + i * c->w.width, c->s.n * sizeof *z);
    return z;
}

static void check_outputs(shape s, double *worst)
{
    conv c = conv_new(s);
    CHECK(s.tiles <= c.w.group);
    double *want = case_array(c.frames * s.bins * s.n, sizeof *want);
    direct(&c, want, NULL, NULL);
    for (size_t i = 0; i < c.frames * s.bins * s.n; i++)
        want[i] += (double)c.bias[i % s.n];
    float *z = outputs(&c);
    worst_note(worst, distance(z, want, c.frames * s.bins * s.n), 0, 1);
    free(z);
    free(want);
    conv_free(&c);
}

/* y and which have room for all frames. */
static lc_pooled pooled_of(const conv *c, size_t t, float *y, float *which)
{
    size_t bins = c->s.bins / c->s.pool, frame = bins * c->s.n;
    lc_pooled p = {.bins = bins, .c = c->s.n, .pool = c->s.pool, .which = which + t * frame};
    for (size_t r = 0; r < c->w.tile; r++)
        p.y[r] = y + (t * c->w.tile + r) * frame;
    return p;
}

/* The float with the winners of value i of the pooled output, `frame` values a frame, and the place of its frame's
 * bits. */
static float *winners_of(const conv *c, float *which, size_t frame, size_t i, unsigned *shift)
{
    *shift = LC_WINNER_BITS * (unsigned)(i / frame % c->w.tile);
    return which + i / frame / c->w.tile * frame + i % frame;
}

static size_t winner_of(const conv *c, float *which, size_t frame, size_t i)
{
    unsigned shift;
    uint32_t bits;
    memcpy(&bits, winners_of(c, which, frame, i, &shift), sizeof bits);
    return bits >> shift & LC_NO_WINNER;
}

static void set_winner(const conv *c, float *which, size_t frame, size_t i, size_t winner)
{
    unsigned shift;
    uint32_t bits;
    float *at = winners_of(c, which, frame, i, &shift);
    memcpy(&bits, at, sizeof bits);
    bits = (bits & ~((uint32_t)LC_NO_WINNER << shift)) | (uint32_t)winner << shift;
    memcpy(at, &bits, sizeof bits);
}

/* Against what outputs() gives, which the check above has verified: the same sums but for the bias. */
static void check_pool(shape s, double *worst)
{
    conv c = conv_new(s);
    size_t bins = s.bins / s.pool, size = c.frames * bins * s.n;
    float *z = outputs(&c), *y = nans(size + LC_OVERRUN);
    float *which = case_array(s.tiles * bins * s.n + 1, sizeof *which);
    lc_winograd_call call = call_of(&c);
    which[s.tiles * bins * s.n] = 77;
    for (size_t t = 0; t < s.tiles; t++) {
        lc_pooled p = pooled_of(&c, t, y, which);
        p.bias = c.bias;
        lc_winograd_pool(&call, t, &p);
    }
    for (size_t i = 0; i < size; i++) {
        size_t n = i % s.n, q = i / s.n % bins, t = i / s.n / bins;
        const float *group = z + (t * s.bins + q * s.pool) * s.n + n;
        float best = 0;
        for (size_t j = 0; j < s.pool; j++)
            best = fmaxf(best, group[j * s.n]);
        worst_note(worst, (double)y[i], (double)best, 1);
        size_t winner = winner_of(&c, which, bins * s.n, i);
        CHECK((winner == LC_NO_WINNER) == !(y[i] > 0) && (winner == LC_NO_WINNER || winner < s.pool));
        if (winner < s.pool)
            worst_note(worst, (double)y[i], (double)group[winner * s.n], 1);
    }
    CHECK(which[s.tiles * bins * s.n] == 77);
    free(z);
    free(y);
    free(which);
    conv_free(&c);
}

static void outputs_are_those_of_a_convolution(void)
{
    double error = 0, pool_error = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_outputs(shapes[i], &error);
        check_pool(shapes[i], &pool_error);
    }
    CHECK_WORST(error, tolerance);
    CHECK_WORST(pool_error, tolerance);
}

/* ---- backward ---- */

/* From what stands in scratch; dz (frames, bins, n) is what it should come from. Frames of d_in from `held` on are set.
 */
static void check_gradients(const conv *c, double *dz, size_t held, double *worst)
{
    size_t size = (c->frames + 2) * c->row;
    float *grads = case_array(c->w.weights, sizeof *grads), *d_in = noise(size), *d_weight = noise(c->weights);
    double *want_in = case_array(size, sizeof *want_in), *want_weight = case_array(c->weights, sizeof *want_weight);
    for (size_t i = 0; i < size; i++)
        want_in[i] = held == c->w.points || i < held * c->row || i % c->row >= c->row - GAP ? (double)d_in[i] : 0;
    for (size_t i = 0; i < c->weights; i++)
        want_weight[i] = (double)d_weight[i];
    direct(c, dz, want_in, want_weight);
    bool apart = held ==
                 2; /* what is not wanted changes nothing: d_in by a call of its own, from the same points of time */
    float *kept = case_array(c->w.scratch, sizeof *kept);
    memcpy(kept, c->scratch, c->w.scratch * sizeof *kept);
    lc_winograd_call call = call_of(c);
    lc_winograd_backward(&call, c->back, grads, apart ? NULL : d_in, held);
    memcpy(c->scratch, kept, c->w.scratch * sizeof *kept);
    if (apart)
        lc_winograd_backward(&call, c->back, NULL, d_in, held);
    free(kept);
    lc_winograd_unpack(&c->w, grads, d_weight);
    worst_note(worst, distance(d_in, want_in, size), 0, 1);
    worst_note(worst, distance(d_weight, want_weight, c->weights), 0, 1);
    free(grads);
    free(d_in);
    free(d_weight);
    free(want_in);
    free(want_weight);
}

static void check_backward(shape s, double *worst)
{
    conv c = conv_new(s);
    size_t bins = c.frames * s.bins;
    float *dz = case_array(bins * c.w.width, sizeof *dz);
    double *values = case_array(bins * s.n, sizeof *values);
    for (size_t i = 0; i < bins * s.n; i++) {
        float d = (float)(2 * lc_rng_uniform(&rng) - 1);
        values[i] = (double)d;
        dz[i / s.n * c.w.width + i % s.n] = d;
    }
    lc_winograd_call call = call_of(&c);
    lc_winograd_d_out(&call, dz);
    check_gradients(&c, values, c.w.points, worst);
    free(dz);
    free(values);
    conv_free(&c);
}

static void check_unpool(shape s, size_t held, double *worst)
{
    conv c = conv_new(s);
    size_t bins = s.bins / s.pool, size = c.frames * bins * s.n;
    float *d_y = noise(size), *d_bias = noise(s.n);
    float *which = case_array(s.tiles * bins * s.n, sizeof *which);
    double *dz = case_array(c.frames * s.bins * s.n, sizeof *dz), *want = case_array(s.n, sizeof *want);
    for (size_t n = 0; n < s.n; n++)
        want[n] = (double)d_bias[n];
    for (size_t i = 0; i < size; i++) {
        size_t n = i % s.n, q = i / s.n % bins, t = i / s.n / bins, winner = case_below(&rng, s.pool + 1);
        set_winner(&c, which, bins * s.n, i, winner < s.pool ? winner : LC_NO_WINNER);
        if (winner == s.pool)
            continue;
        dz[(t * s.bins + q * s.pool + winner) * s.n + n] = (double)d_y[i];
        want[n] += (double)d_y[i];
    }
    lc_winograd_call call = call_of(&c);
    for (size_t t = 0; t < s.tiles; t++) {
        lc_pooled p = pooled_of(&c, t, d_y, which);
        p.d_bias = d_bias;
        lc_winograd_unpool(&call, t, &p);
    }
    worst_note(worst, distance(d_bias, want, s.n), 0, 1);
    check_gradients(&c, dz, held, worst);
    free(d_y);
    free(d_bias);
    free(which);
    free(dz);
    free(want);
    conv_free(&c);
}

static void gradients_are_those_of_a_convolution(void)
{
    double error = 0, pool_error = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_backward(shapes[i], &error);
        check_unpool(shapes[i], 0, &pool_error);
        check_unpool(shapes[i], 2, &pool_error);
    }
    CHECK_WORST(error, tolerance);
    CHECK_WORST(pool_error, tolerance);
}

/* Both methods occur: a change of the rule that chooses could otherwise leave one untested. */
static void both_methods_are_tested(void)
{
    size_t square = 0, steps = 0, orders = 0, frames = 0, pools = 0, all = sizeof shapes / sizeof *shapes;
    size_t deep[9] = {0}; /* of each order, 16 channels from so many: products that are transformed in registers */
    for (size_t i = 0; i < all; i++) {
        lc_winograd w = lc_winograd_of(shapes[i].bins, shapes[i].n, shapes[i].c, shapes[i].kernel_f, shapes[i].stride);
        square += w.square;
        steps |= w.square ? (size_t)1 << w.step : 0;
        orders |= w.square ? (size_t)1 << w.order : 0;
        frames |= (size_t)1 << w.tile;
        pools |= w.tile == LC_TILE_MAX ? (size_t)1 << shapes[i].pool : 0;
        CHECK(w.tile == LC_TILE || (w.order == 6 && w.step == 3));
        deep[w.order] |= w.n == 16 ? w.c : 0;
        CHECK(w.order != 8 || (w.c >= 16 && w.c * w.n <= 64 * 32));
    }
    CHECK(square >= 8 && all - square >= 4);
    CHECK_EQ(steps, 4 + 8 + 16 + 32);
    CHECK_EQ(orders, (1 << 6) + (1 << 8));
    CHECK_EQ(frames, (1 << LC_TILE) + (1 << LC_TILE_MAX));
    CHECK_EQ(pools, ((size_t)1 << 63) + (1 << 5) + (1 << 3) + (1 << 2) + (1 << 1));
    CHECK_EQ(deep[6], 8 + 16);
    CHECK_EQ(deep[8], 16);
}

int main(void)
{
    RUN(both_methods_are_tested);
    const char *name;
    for (size_t i = 0; (set = kernels_at(i, &name)) != NULL; i++) {
        printf("%s\n", name);
        rng = lc_rng_seed(1);
        RUN(outputs_are_those_of_a_convolution);
        RUN(gradients_are_those_of_a_convolution);
    }
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_kernels.c - the inner loops of the layers: each set that this machine can run against plain loops in double,
 *   at odd sizes. Outputs stand between guards that must stay as they are. */
#include "cases.h"
#include "wide_kernels.h"

#include <float.h>

enum { ROOM = 1 << 16, GUARD = 32 };

static const lc_nn_kernels *set; /* the one that is being tested */
static lc_rng rng;

/* Numbers in [-1, 1); what lies behind n is LC_OVERRUN numbers more that a kernel may read but not use: NaNs. */
static float *numbers(size_t n)
{
    if (n > ROOM) /* never, but the compiler cannot know */
        exit(1);
    float *x = case_array(n + LC_OVERRUN, sizeof *x);
    for (size_t i = 0; i < n + LC_OVERRUN; i++)
        x[i] = i < n ? (float)(2 * lc_rng_uniform(&rng) - 1) : NAN;
    return x;
}

/* An output of n floats between guards; a kernel that adds finds numbers there. */
typedef struct guarded {
    float *memory, *data;
    double *want;
    size_t n;
} guarded;

static guarded guarded_new(size_t n)
{
    guarded g = {.memory = numbers(n + 2 * GUARD), .n = n, .want = case_array(n, sizeof(double))};
    g.data = g.memory + GUARD;
    for (size_t i = 0; i < GUARD; i++)
        g.memory[i] = g.data[n + i] = 12345;
    for (size_t i = 0; i < n; i++)
        g.want[i] = (double)g.data[i];
    return g;
}

/* The largest error in units of 2^-23; frees. */
static void guarded_check(guarded *g, double *worst, double scale)
{
    bool kept = true;
    for (size_t i = 0; i < GUARD; i++)
        kept = kept && g->memory[i] >= 12345 && g->memory[i] <= 12345 && g->data[g->n + i] >= 12345 &&
               g->data[g->n + i] <= 12345;
    CHECK(kept);
    for (size_t i = 0; i < g->n; i++)
        worst_note(worst, (double)g->data[i], g->want[i], scale * (double)FLT_EPSILON);
    free(g->memory);
    free(g->want);
}

/* ---- matrix products ---- */

static void check_product(size_t taps, size_t rows, size_t depth, size_t columns, size_t stride, bool with_bias,
                          double *worst)
{
    size_t tap_stride = (rows - 1) * stride + depth + 3, out_stride = columns + 8;
    float *a = numbers(taps * tap_stride), *b = numbers(taps * depth * columns), *bias = numbers(columns);
    guarded g = guarded_new(rows * out_stride);
    for (size_t m = 0; m < rows; m++)
        for (size_t n = 0; n < columns; n++) {
            double sum = with_bias ? (double)bias[n] : 0;
            for (size_t j = 0; j < taps; j++)
                for (size_t k = 0; k < depth; k++)
                    sum += (double)a[j * tap_stride + m * stride + k] * (double)b[(j * depth + k) * columns + n];
            g.want[m * out_stride + n] = sum;
        }
    set->product(&(lc_product){
        .out = g.data,
        .a = a,
        .b = b,
        .bias = with_bias ? bias : NULL,
        .out_stride = out_stride,
        .a_stride = stride,
        .tap_stride = tap_stride,
        .taps = taps,
        .rows = rows,
        .depth = depth,
        .columns = columns,
    });
    guarded_check(&g, worst, 1 + sqrt((double)(taps * depth)));
    free(a);
    free(b);
    free(bias);
}

static void products_agree(void)
{
    double worst = 0;
    for (size_t rows = 1; rows <= 27; rows++)
        for (size_t columns = 8; columns <= 72; columns += 8)
            check_product(1 + rows % 3, rows, 1 + (rows * 7 + columns) % 23, columns, 1 + rows % 9, columns % 16 == 8,
                          &worst);
    check_product(3, 13, 64, 64, 16, true, &worst);
    check_product(1, 1, 1, 8, 1, false, &worst);
    CHECK_WORST(worst, 6);
}

static void check_outer(size_t frames, size_t rows, size_t depth, size_t columns, size_t stride, double *worst)
{
    size_t a_frame = rows * stride + depth, d_stride = columns + 8, d_frame = rows * d_stride + 5;
    float *a = numbers(frames * a_frame + rows), *d = numbers(frames * d_frame + columns);
    guarded g = guarded_new(depth * columns);
    for (size_t k = 0; k < depth; k++)
        for (size_t n = 0; n < columns; n++)
            for (size_t t = 0; t < frames; t++)
                for (size_t m = 0; m < rows; m++)
                    g.want[k * columns + n] += (double)a[t * a_frame + m * stride + k] *
                                               (double)d[t * d_frame + m * d_stride + n];
    set->outer(&(lc_outer){
        .out = g.data,
        .a = a,
        .d = d,
        .a_stride = stride,
        .a_frame = a_frame,
        .d_stride = d_stride,
        .d_frame = d_frame,
        .frames = frames,
        .rows = rows,
        .depth = depth,
        .columns = columns,
    });
    guarded_check(&g, worst, 1 + sqrt((double)(frames * rows)));
    free(a);
    free(d);
}

static void outers_agree(void)
{
    double worst = 0;
    for (size_t depth = 1; depth <= 27; depth++)
        for (size_t columns = 8; columns <= 72; columns += 8)
            check_outer(1 + depth % 3, (depth + columns / 8) % 14, depth, columns, 1 + depth % 5, &worst);
    CHECK_WORST(worst, 4);
}

static void matvecs_agree(void)
{
    double worst = 0;
    for (size_t depth = 0; depth <= 33; depth++)
        for (size_t columns = 8; columns <= 120; columns += 8) {
            float *x = numbers(depth), *b = numbers(depth * columns);
            guarded g = guarded_new(columns);
            for (size_t n = 0; n < columns; n++)
                for (size_t k = 0; k < depth; k++)
                    g.want[n] += (double)x[k] * (double)b[k * columns + n];
            set->matvec(g.data, x, b, depth, columns);
            guarded_check(&g, &worst, 1 + sqrt((double)depth));
            free(x);
            free(b);
        }
    CHECK_WORST(worst, 4);
}

/* ---- one value at a time ---- */

static const float specials[] = {0,   -0.0f, 1e-30f, -1e-30f, 1,     -1,     10,       -10,
                                 17,  -17,   40,     -40,     80,    -80,    88,       -88,
                                 100, -100,  1e10f,  -1e10f,  3e38f, -3e38f, INFINITY, -INFINITY};

/* Absolute errors, in units of 2^-23: that is what sums of activations see. Sigmoids of large negative numbers may not
 * be 0. */
static void activations_are_accurate(void)
{
    double sigmoid_error = 0, tanh_error = 0;
    size_t many = sizeof specials / sizeof *specials;
    for (size_t i = 0; i < many + 40000; i++) {
        float x = i < many ? specials[i] : (float)((double)(i - many) - 20000) * 1e-3f, s, t;
        set->sigmoid(&s, &x, 1);
        set->tanh(&t, &x, 1);
        worst_note(&sigmoid_error, (double)s, 1 / (1 + exp(-(double)x)), (double)FLT_EPSILON);
        worst_note(&tanh_error, (double)t, tanh((double)x), (double)FLT_EPSILON);
    }
    CHECK_WORST(sigmoid_error, 2);
    CHECK_WORST(tanh_error, 4);
}

/* At every length, and in place. */
static void activations_agree(void)
{
    double sigmoid_error = 0, tanh_error = 0, place_error = 0;
    for (size_t n = 0; n <= 70; n++) {
        float *x = numbers(n);
        guarded s = guarded_new(n), t = guarded_new(n), in_place = guarded_new(n);
        for (size_t i = 0; i < n; i++) {
            x[i] *= 6;
            s.want[i] = 1 / (1 + exp(-(double)x[i]));
            t.want[i] = in_place.want[i] = tanh((double)x[i]);
            in_place.data[i] = x[i];
        }
        set->sigmoid(s.data, x, n);
        set->tanh(t.data, x, n);
        set->tanh(in_place.data, in_place.data, n);
        guarded_check(&s, &sigmoid_error, 1);
        guarded_check(&t, &tanh_error, 1);
        guarded_check(&in_place, &place_error, 1);
        free(x);
    }
    CHECK_WORST(sigmoid_error, 2);
    CHECK_WORST(tanh_error, 4);
    CHECK_WORST(place_error, 4);
}

/* ---- LSTM ---- */

static void check_lstm_back(size_t H, bool first, double *worst)
{
    guarded gates = guarded_new(4 * H), dc = guarded_new(H);
    float *c = numbers(H), *y = numbers(H), *dh = numbers(H);
    for (size_t i = 0; i < H; i++) {
        double in = gates.want[i], forget = gates.want[H + i], open = gates.want[2 * H + i], g = gates.want[3 * H + i];
        double t = (double)y[i], h = (double)dh[i], d = dc.want[i] + h * open * (1 - t * t);
        gates.want[i] = d * g * in * (1 - in);
        gates.want[H + i] = first ? 0 : d * (double)c[i] * forget * (1 - forget);
        gates.want[2 * H + i] = h * t * open * (1 - open);
        gates.want[3 * H + i] = d * in * (1 - g * g);
        dc.want[i] = d * forget;
    }
    set->lstm_back(
        &(lc_lstm_back){.gates = gates.data, .dc = dc.data, .c = first ? NULL : c, .tanh_c = y, .dh = dh, .H = H});
    guarded_check(&gates, worst, 8);
    guarded_check(&dc, worst, 8);
    free(c);
    free(y);
    free(dh);
}

static double sigmoid_of(double x)
{
    return 1 / (1 + exp(-x));
}

static void check_lstm_frame(size_t H, bool first, double *worst)
{
    guarded gates = guarded_new(4 * H), kept = guarded_new(2 * H), out = guarded_new(H);
    float *c = numbers(H);
    for (size_t i = 0; i < H; i++) {
        double in = sigmoid_of(gates.want[i]), forget = sigmoid_of(gates.want[H + i]);
        double open = sigmoid_of(gates.want[2 * H + i]), g = tanh(gates.want[3 * H + i]);
        gates.want[i] = in;
        gates.want[H + i] = forget;
        gates.want[2 * H + i] = open;
        gates.want[3 * H + i] = g;
        kept.want[i] = in * g + (first ? 0 : forget * (double)c[i]);
        kept.want[H + i] = tanh(kept.want[i]);
        out.want[i] = open * kept.want[H + i];
    }
    set->lstm_frame(
        &(lc_lstm_frame){.gates = gates.data, .kept = kept.data, .out = out.data, .c = first ? NULL : c, .H = H});
    guarded_check(&gates, worst, 1);
    guarded_check(&kept, worst, 1);
    guarded_check(&out, worst, 1);
    free(c);
}

static void lstm_frames_agree(void)
{
    double worst = 0, worst_back = 0;
    for (size_t H = 1; H <= 40; H++) {
        check_lstm_frame(H, H % 3 == 0, &worst);
        check_lstm_back(H, H % 3 == 0, &worst_back);
    }
    CHECK_WORST(worst, 4);
    CHECK_WORST(worst_back, 3);
}

/* ---- ReLU and maximum ---- */

/* Ties and zeros are common: values of eighths. The first of equal neighbours wins. */
static void check_pool(size_t bins, size_t c, size_t width, size_t pool)
{
    float *x = numbers(bins * pool * width), *d_y = numbers(bins * c);
    uint8_t which[ROOM / 16];
    guarded y = guarded_new(bins * c), d_x = guarded_new(bins * pool * width), d_bias = guarded_new(c);
    for (size_t i = 0; i < bins * pool * width; i++)
        x[i] = roundf(x[i] * 8) / 8;
    for (size_t q = 0; q < bins; q++)
        for (size_t i = 0; i < c; i++) {
            size_t winner = 0;
            for (size_t j = 0; j < pool; j++) {
                d_x.want[(q * pool + j) * width + i] = 0;
                winner = x[(q * pool + j) * width + i] > x[(q * pool + winner) * width + i] ? j : winner;
            }
            double best = (double)x[(q * pool + winner) * width + i], d = best > 0 ? (double)d_y[q * c + i] : 0;
            y.want[q * c + i] = fmax(best, 0);
            d_x.want[(q * pool + winner) * width + i] = d;
            d_bias.want[i] += d;
        }
    which[bins * c] = 77;
    double exact = 0, sums = 0;
    lc_frame_pool frame = {.which = which, .bins = bins, .c = c, .width = width, .pool = pool};
    set->relu_pool(&frame, y.data, x);
    set->relu_unpool(&frame, d_x.data, d_bias.data, d_y);
    CHECK_EQ(which[bins * c], 77);
    guarded_check(&y, &exact, 1);
    guarded_check(&d_x, &exact, 1);
    guarded_check(&d_bias, &sums, 1 + sqrt((double)bins));
    CHECK_NEAR(exact, 0, 0);
    CHECK_NEAR(sums, 0, 4);
    free(x);
    free(d_y);
}

static void pools_are_exact(void)
{
    for (size_t c = 1; c <= 37; c++)
        for (size_t pool = 1; pool <= 5; pool++)
            check_pool(1 + (c + pool) % 7, c, c % 2 == 0 ? c : LC_COLUMNS(c), pool);
    check_pool(2, 19, 24, 64);
}

/* ---- normalisation of a frame ---- */

/* Values around `centre`: a large one is where sums in float would fail. */
static void check_norm(size_t bins, size_t c, double centre, double *worst)
{
    size_t n = bins * c;
    float *gain = numbers(c), *shift = numbers(c), *dy = numbers(n);
    guarded x = guarded_new(n), kept = guarded_new(n + 1), d = guarded_new(n);
    guarded d_gain = guarded_new(c), d_shift = guarded_new(c);
    lc_frame_norm frame = {.gain = gain, .shift = shift, .kept = kept.data, .size = n, .channels = c};
    double mean = 0, variance = 0, sum = 0, along = 0;
    for (size_t i = 0; i < n; i++) {
        x.data[i] += (float)centre;
        mean += (double)x.data[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        variance += ((double)x.data[i] - mean) * ((double)x.data[i] - mean) / (double)n;
    kept.want[n] = 1 / sqrt(variance + 1e-5);
    for (size_t i = 0; i < n; i++) {
        double normal = kept.want[i] = ((double)x.data[i] - mean) * kept.want[n], g = (double)(gain[i % c] * dy[i]);
        x.want[i] = normal * (double)gain[i % c] + (double)shift[i % c];
        d_gain.want[i % c] += (double)dy[i] * normal;
        d_shift.want[i % c] += (double)dy[i];
        sum += g / (double)n;
        along += g * normal / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        d.data[i] = dy[i];
        d.want[i] = ((double)(gain[i % c] * dy[i]) - sum - kept.want[i] * along) * kept.want[n];
    }
    set->frame_norm_forward(&frame, x.data);
    set->frame_norm_backward(&frame, d.data, d_gain.data, d_shift.data);
    /* (x - mean) / sd: an error of half a unit in the mean, times 1 / sd */
    double scale = (4 + fabs(centre)) * kept.want[n] + 1;
    guarded_check(&x, worst, 4 * scale);
    guarded_check(&d, worst, 4 * scale * (1 + kept.want[n]));
    guarded_check(&d_gain, worst, 4 * scale * (1 + sqrt((double)bins)));
    guarded_check(&d_shift, worst, 1 + sqrt((double)bins));
    guarded_check(&kept, worst, 4 * scale * (1 + kept.want[n]));
    free(gain);
    free(shift);
    free(dy);
}

static void norms_agree(void)
{
    double worst = 0;
    for (size_t c = 1; c <= 37; c++)
        for (size_t bins = 1; bins <= 11; bins += 2)
            if (c * bins > 1) /* one value alone is its own mean: 0, whatever it was */
                check_norm(bins, c, c % 3 == 0 ? 40 : 0, &worst);
    check_norm(36, 16, 1000, &worst);
    check_norm(144, 1, -5, &worst);
    CHECK_WORST(worst, 2);
}

/* ---- Winograd's transforms ---- */

/* B^T and A^T of a tile, from its points; the last row or column is that of infinity. */
typedef struct matrices {
    size_t tile, points;
    double B[7][7], A[5][7];
} matrices;

static matrices matrices_of(size_t tile)
{
    static const double six[] = {0, 0.70710678118654752, -0.70710678118654752, 1.4142135623730951, -1.4142135623730951};
    static const double seven[] = {0.25, -0.25, 0.875, -0.875, 1.75, -1.75};
    const double *at = tile == LC_TILE ? six : seven;
    matrices m = {.tile = tile, .points = tile + 2};
    for (size_t p = 0; p < m.points; p++) {
        size_t degree = 0;
        m.B[p][0] = 1; /* the product of x - q over all other points q, in powers of x */
        for (size_t q = 0; q + 1 < m.points; q++) {
            if (q == p)
                continue;
            degree++;
            for (size_t j = degree; j > 0; j--)
                m.B[p][j] = m.B[p][j - 1] - at[q] * m.B[p][j];
            m.B[p][0] *= -at[q];
        }
        for (size_t r = 0; r < tile; r++)
            m.A[r][p] = p + 1 < m.points ? pow(at[p], (double)r) : (double)(r + 1 == tile);
    }
    return m;
}

/* held: the first rows of d_in that are added to. Rows of what is read, many or few of them, are longer than those of
 * what is written. */
static void check_transforms(const matrices *x, size_t n, size_t held, double *worst)
{
    size_t row = n + 3, from = n + 5, points = x->points, tile = x->tile;
    float *many = numbers(points * from), *few = numbers(tile * from), *bias = numbers(n);
    guarded v = guarded_new(points * row), out = guarded_new(tile * row), m = guarded_new(points * row),
            d_in = guarded_new(points * row);
    for (size_t i = 0; i < n; i++) {
        for (size_t p = 0; p < points; p++) {
            v.want[p * row + i] = m.want[p * row + i] = 0;
            d_in.want[p * row + i] *= p < held ? 1 : 0;
            for (size_t j = 0; j < points; j++) {
                v.want[p * row + i] += x->B[p][j] * (double)many[j * from + i];
                d_in.want[p * row + i] += x->B[j][p] * (double)many[j * from + i];
            }
            for (size_t r = 0; r < tile; r++)
                m.want[p * row + i] += x->A[r][p] * (double)few[r * from + i];
        }
        for (size_t r = 0; r < tile; r++) {
            out.want[r * row + i] = (double)bias[i];
            for (size_t p = 0; p < points; p++)
                out.want[r * row + i] += x->A[r][p] * (double)many[p * from + i];
        }
    }
    lc_rows rows = {.from = many, .bias = bias, .to_row = row, .from_row = from, .n = n, .tile = tile};
    rows.to = v.data;
    set->winograd_in(&rows);
    rows.to = out.data;
    set->winograd_out(&rows);
    rows.to = d_in.data;
    set->winograd_d_in(&rows, held);
    rows.from = few;
    rows.to = m.data;
    set->winograd_d_out(&rows);
    guarded_check(&v, worst, 8);
    guarded_check(&out, worst, 8);
    guarded_check(&m, worst, 8);
    guarded_check(&d_in, worst, 8);
    free(many);
    free(few);
    free(bias);
}

static void transforms_agree(void)
{
    double worst = 0;
    for (size_t tile = LC_TILE; tile <= LC_TILE_MAX; tile++) {
        matrices m = matrices_of(tile);
        for (size_t n = 1; n <= 70; n++)
            check_transforms(&m, n, n % 3 == 0 ? 0 : n % 3 == 1 ? 2 : m.points, &worst);
    }
    CHECK_WORST(worst, 3);
}

/* ---- tiles along frequency ---- */

/* Rows of tiles on both sides, and a product between: against the portable set, which test_winograd.c compares with
 * plain loops, and between guards. Points end in LC_OVERRUN floats that may be written. */
typedef struct tiles_case {
    lc_tiles_product p;
    guarded rows, points, in_points;
    float *b, *in_row;
} tiles_case;

static tiles_case tiles_new(size_t order, size_t step, size_t tiles, size_t depth, size_t channels)
{
    size_t rows = 3, reach = step * (tiles - 1) + order, planes = order * rows * tiles;
    tiles_case c = {.in_row = numbers(rows * reach * depth), .b = numbers(order * depth * channels)};
    c.rows = guarded_new(rows * reach * channels);
    c.points = guarded_new(planes * channels + order * LC_OVERRUN);
    c.in_points = guarded_new(planes * depth + order * LC_OVERRUN);
    c.p = (lc_tiles_product){
        .to = {c.rows.data, c.points.data, reach * channels, rows * tiles * channels + LC_OVERRUN, rows, tiles, order,
               step, channels},
        .a = c.in_points.data,
        .b = c.b,
        .a_plane = rows * tiles * depth + LC_OVERRUN,
        .depth = depth,
    };
    return c;
}

static void tiles_run(const lc_nn_kernels *kernels, const tiles_case *c, size_t pass)
{
    const lc_tiles *to = &c->p.to;
    size_t reach = to->row_size / to->channels;
    lc_tiles in = {c->in_row, c->in_points.data, reach * c->p.depth, c->p.a_plane, to->rows,
                   to->tiles, to->order,         to->step,           c->p.depth};
    if (pass < 3)
        kernels->tiles_in(&in);
    if (pass == 1)
        kernels->tiles_product_out(&c->p);
    else if (pass == 2)
        kernels->tiles_product_d_in(&c->p);
    else if (pass == 3)
        kernels->tiles_d_out(to);
}

/* What the points should be: those of the portable set, or whatever they are where they are room to work in, as the
 * floats behind each plane always are. */
static void tiles_want(guarded *got, const guarded *want, size_t plane, bool counts)
{
    for (size_t i = 0; i < got->n; i++) {
        if (!counts || i % plane >= plane - LC_OVERRUN)
            got->data[i] = 0;
        got->want[i] = counts && i % plane < plane - LC_OVERRUN ? (double)want->data[i] : 0;
    }
}

/* pass: 0 tiles_in, 1 and 2 the products, 3 tiles_d_out. */
static void check_tiles(size_t order, size_t step, size_t tiles, size_t depth, size_t channels, size_t pass,
                        double *worst)
{
    lc_rng start = rng;
    tiles_case want = tiles_new(order, step, tiles, depth, channels);
    rng = start;
    tiles_case got = tiles_new(order, step, tiles, depth, channels);
    tiles_run(&lc_nn_kernels_ref, &want, pass);
    tiles_run(set, &got, pass);
    for (size_t i = 0; i < got.rows.n; i++)
        got.rows.want[i] = (double)want.rows.data[i];
    tiles_want(&got.points, &want.points, got.p.to.plane, pass == 3);
    tiles_want(&got.in_points, &want.in_points, got.p.a_plane, true);
    double unused = 0;
    guarded_check(&got.rows, worst, 16 * (1 + sqrt((double)depth)));
    guarded_check(&got.points, worst, 16);
    guarded_check(&got.in_points, worst, 16);
    guarded_check(&want.rows, &unused, 1);
    guarded_check(&want.points, &unused, 1);
    guarded_check(&want.in_points, &unused, 1);
    free(got.in_row);
    free(got.b);
    free(want.in_row);
    free(want.b);
}

static void tiles_agree(void)
{
    static const size_t steps[][2] = {
        {6, 2},
        {6, 3},
        {6, 4},
        {6, 5},
        {8, 5}
    };
    double worst = 0;
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (size_t channels = 8; channels <= 40; channels += 8)
            for (size_t depth = 8; depth <= 24; depth += 4)
                for (size_t pass = 0; pass < 4; pass++)
                    check_tiles(steps[s][0], steps[s][1], 1 + (channels + depth + pass) / 4 % 8, depth, channels, pass,
                                &worst);
    CHECK_WORST(worst, 20);
}

int main(void)
{
    const char *name;
    for (size_t i = 0; (set = kernels_at(i, &name)) != NULL; i++) {
        printf("%s\n", name);
        rng = lc_rng_seed(1);
        RUN(products_agree);
        RUN(outers_agree);
        RUN(matvecs_agree);
        RUN(activations_are_accurate);
        RUN(activations_agree);
        RUN(pools_are_exact);
        RUN(norms_agree);
        RUN(lstm_frames_agree);
        RUN(transforms_agree);
        RUN(tiles_agree);
    }
    return check_done();
}

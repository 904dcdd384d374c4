/* SPDX-License-Identifier: MIT
 * pointwise_body.h - activations, and ReLU with max-pooling of one frame. */

static void sigmoid(float *y, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        store_part(y, vec_sigmoid(load_part(x, i, n)), i, n);
}

static void tanh_all(float *y, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        store_part(y, vec_tanh(load_part(x, i, n)), i, n);
}

/* All gates first, then all states: so far apart that the processor works on several at a time; cell by cell, each
 * would wait for its own state. Gates i, f, o stand together, then g:  c' = f c + i g,  h' = o tanh(c'). */
static void lstm_frame(const lc_lstm_frame *given)
{
    const lc_lstm_frame f = *given;
    const size_t H = f.H;
    float *const g = f.gates + 3 * H;
    for (size_t i = 0; i < 3 * H; i += LANES)
        store_part(f.gates, vec_sigmoid(load_part(f.gates, i, 3 * H)), i, 3 * H);
    for (size_t i = 0; i < H; i += LANES)
        store_part(g, vec_tanh(load_part(g, i, H)), i, H);
    for (size_t i = 0; i < H; i += LANES) {
        vec c = load_part(f.gates, i, H) * load_part(g, i, H);
        if (f.c != NULL)
            c += load_part(f.gates + H, i, H) * load_part(f.c, i, H);
        vec y = vec_tanh(c);
        store_part(f.kept, c, i, H);
        store_part(f.kept + H, y, i, H);
        store_part(f.out, load_part(f.gates + 2 * H, i, H) * y, i, H);
    }
}

/* The backward pass of one frame of an LSTM, see lstm.c: cells i..i + LANES of H. */
INLINE void lstm_back_at(const lc_lstm_back *b, size_t i)
{
    size_t H = b->H;
    vec in = load_part(b->gates, i, H), forget = load_part(b->gates + H, i, H),
        open = load_part(b->gates + 2 * H, i, H);
    vec g = load_part(b->gates + 3 * H, i, H), y = load_part(b->tanh_c, i, H), dh = load_part(b->dh, i, H);
    vec c = b->c != NULL ? load_part(b->c, i, H) : splat(0);
    vec d = load_part(b->dc, i, H) + dh * open * (1.0f - y * y);
    store_part(b->gates, d * g * in * (1.0f - in), i, H);
    store_part(b->gates + H, d * c * forget * (1.0f - forget), i, H);
    store_part(b->gates + 2 * H, dh * y * open * (1.0f - open), i, H);
    store_part(b->gates + 3 * H, d * in * (1.0f - g * g), i, H);
    store_part(b->dc, d * forget, i, H);
}

static void lstm_back(const lc_lstm_back *given)
{
    const lc_lstm_back b = *given;
    for (size_t i = 0; i < b.H; i += LANES)
        lstm_back_at(&b, i);
}

/* Between numbers in -1..127 and the first n <= LANES of signed bytes; those past n are -1 when read. gcc 12 converts 8
 * lanes one by one, which took more than half of the time of pooling both ways. */
typedef int8_t bytes __attribute__((vector_size(LANES)));

#if LANES == 8
typedef int8_t all_bytes __attribute__((vector_size(4 * LANES)));
typedef int64_t quads __attribute__((vector_size(4 * LANES)));

INLINE bytes narrow(ivec x)
{
    all_bytes b = (all_bytes)x;
    bytes low;
    b = __builtin_shufflevector(b, b, 0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24,
                                28, 0, 4, 8, 12, 16, 20, 24, 28);
    memcpy(&low, &b, sizeof low);
    return low;
}

INLINE ivec widen(bytes x)
{
    all_bytes b = (all_bytes)((int64_t)x - (quads){0});
    b = __builtin_shufflevector(b, b, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 16, 16, 16, 20, 16, 16, 16, 21,
                                16, 16, 16, 22, 16, 16, 16, 23);
    return (ivec)b >> 24;
}
#else
INLINE bytes narrow(ivec x)
{
    return __builtin_convertvector(x, bytes);
}

INLINE ivec widen(bytes x)
{
    return __builtin_convertvector(x, ivec);
}
#endif

/* The first n winners; loads give -1 for those past n, so that they match no neighbour. */
INLINE void store_bytes(uint8_t *to, ivec x, size_t n)
{
    bytes b = narrow(x);
    memcpy(to, &b, n);
}

INLINE ivec load_bytes(const uint8_t *from, size_t n)
{
    bytes b = {0};
    if (n < LANES)
        b = ~b;
    memcpy(&b, from, n);
    return widen(b);
}

/* Channels i..i + LANES of one output. */
INLINE void pool_vector(float *y, uint8_t *which, const float *group, size_t width, size_t pool)
{
    vec best = load(group);
    ivec winner = {0};
    for (size_t j = 1; j < pool; j++) {
        vec other = load(group + j * width);
        ivec more = other > best; /* of equals the first wins, and it alone has the gradient */
        best = choose(more, other, best);
        winner = (winner & ~more) | ((int32_t)j & more);
    }
    /* a lane without a positive value becomes -1, byte 255; neighbours are below 64 (line.c), so that a signed byte
     * holds both */
    ivec positive = best > splat(0);
    store(y, choose(positive, best, splat(0)));
    store_bytes(which, winner | ~positive, LANES);
}

/* The same for one channel, where less than a vector is left. */
static void pool_scalar(float *y, uint8_t *which, const float *group, size_t width, size_t pool)
{
    float best = group[0];
    uint8_t winner = 0;
    for (size_t j = 1; j < pool; j++) {
        winner = group[j * width] > best ? (uint8_t)j : winner;
        best = group[j * width] > best ? group[j * width] : best;
    }
    *y = best > 0 ? best : 0;
    *which = best > 0 ? winner : 255;
}

/* y[q][i] = max(0, max_j x[q * pool + j][i]) */
static void relu_pool(const lc_frame_pool *p, float *y, const float *x)
{
    size_t c = p->c, width = p->width, pool = p->pool;
    for (size_t q = 0; q < p->bins; q++) {
        const float *group = x + q * pool * width;
        uint8_t *which = p->which + q * c;
        size_t i = 0;
        for (; i + LANES <= c; i += LANES)
            pool_vector(y + q * c + i, which + i, group + i, width, pool);
        for (; i < c; i++)
            pool_scalar(y + q * c + i, which + i, group + i, width, pool);
    }
}

/* Channels i..i + LANES of all bins; their sum stays in a register. The pointers are those of channel i. */
INLINE void unpool_vector(const lc_frame_pool *p, float *d_x, float *d_bias, const float *d_y, const uint8_t *which)
{
    size_t bins = p->bins, c = p->c, width = p->width, pool = p->pool;
    vec sum = {0};
    for (size_t q = 0; q < bins; q++) {
        ivec winner = load_bytes(which + q * c, LANES);
        vec d = choose(winner >= 0, load(d_y + q * c), splat(0));
        sum += d;
        for (size_t j = 0; j < pool; j++)
            store(d_x + (q * pool + j) * width, choose(winner == (int32_t)j, d, splat(0)));
    }
    store(d_bias, load(d_bias) + sum);
}

static void unpool_scalar(const lc_frame_pool *p, float *d_x, float *d_bias, const float *d_y, const uint8_t *which)
{
    size_t bins = p->bins, c = p->c, width = p->width, pool = p->pool;
    float sum = 0;
    for (size_t q = 0; q < bins; q++) {
        for (size_t j = 0; j < pool; j++)
            d_x[(q * pool + j) * width] = which[q * c] == j ? d_y[q * c] : 0;
        sum += which[q * c] < pool ? d_y[q * c] : 0;
    }
    *d_bias += sum;
}

/* Every neighbour is written, winner or not: d_x need not be cleared before. */
static void relu_unpool(const lc_frame_pool *p, float *d_x, float *d_bias, const float *d_y)
{
    size_t i = 0;
    for (; i + LANES <= p->c; i += LANES)
        unpool_vector(p, d_x + i, d_bias + i, d_y + i, p->which + i);
    for (; i < p->c; i++)
        unpool_scalar(p, d_x + i, d_bias + i, d_y + i, p->which + i);
}

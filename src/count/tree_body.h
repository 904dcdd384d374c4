/* SPDX-License-Identifier: MIT
 * tree_body.h - inner loops of the product tree: leaves of LC_LEAF frames, LANES leaves side by side, and correlation.
 *
 * Leaves work on tilted p and q = 1 - p (both from the logit, so neither is a difference):
 *   up    a'[k] = q a[k] + p a[k-1]
 *   down  b[k] = q b'[k] + p b'[k+1],  posterior = p * sum_k a[k] b'[k+1]
 * Scratch: p and q (LC_LEAF, LANES) each, one row of sums, rows a (LC_LEAF, bins, LANES). */

static double sigmoid(double *p, const double *z, size_t n)
{
    vec sum = {0};
    for (size_t i = 0; i < n; i += LANES) {
        vec u = load_frames(z, i, n);
        sigma s = vec_sigma(u);
        sum += vec_softplus(u, s.e);
        store_frames(p, s.p, i, n);
    }
    return vec_sum(sum);
}

/* (z + base) first: exact where z is large and near -base. */
INLINE vec vec_tilt(vec z, lc_tilt tilt)
{
    return (z + tilt.base) + tilt.shift;
}

static lc_tilt_sums tilt_sums(const double *z, size_t n, lc_tilt tilt)
{
    vec mean = {0}, variance = {0};
    for (size_t i = 0; i < n; i += LANES) {
        sigma s = vec_sigma(vec_tilt(load_frames(z, i, n), tilt));
        mean += s.p;
        variance += s.p * s.q;
    }
    return (lc_tilt_sums){.mean = vec_sum(mean), .variance = vec_sum(variance)};
}

/* softplus(u) - softplus(v) = max(u, 0) - max(v, 0) + log1p(e^-|u|) - log1p(e^-|v|). A frame that counts as an event
 * adds the tilt v - u, which turns the first two terms into max(-u, 0) + min(v, 0): nothing large cancels, not beside
 * logits of 1e300. */
static lc_tilt_gap tilt_gap(const double *z, size_t n, lc_tilt tilt)
{
    vec events = {0}, rest = {0}, zero = {0};
    for (size_t i = 0; i < n; i += LANES) {
        vec u = load_frames(z, i, n), v = vec_tilt(u, tilt);
        ivec event = u + tilt.base >= 0.0;
        vec yes = choose(u < 0.0, -u, zero) + choose(v < 0.0, v, zero);
        vec no = choose(u > 0.0, u, zero) - choose(v > 0.0, v, zero);
        events += choose(event, splat(1), zero);
        rest += choose(event, yes, no) + (vec_log1p(vec_exp(negative_abs(u))) - vec_log1p(vec_exp(negative_abs(v))));
    }
    return (lc_tilt_gap){.events = vec_sum(events), .rest = vec_sum(rest)};
}

/* p and q of the frames of LANES leaves, turned so that frame i of all leaves is one vector; returns the largest
 * expected count of a leaf. */
INLINE double leaf_turn(vec *p, vec *q, const double *z, size_t n, lc_tilt tilt)
{
    double *pd = (double *)p, *qd = (double *)q, largest = 0;
    for (size_t l = 0; l < LANES; l++) {
        size_t begin = l * LC_LEAF, end = begin + LC_LEAF < n ? begin + LC_LEAF : n;
        vec sum = {0};
        for (size_t i = 0; i < LC_LEAF; i += LANES) {
            vec u = begin + i < end ? load_frames(z, begin + i, end) : splat(LC_PADDING);
            sigma s = vec_sigma(vec_tilt(u, tilt));
            sum += s.p;
            for (size_t m = 0; m < LANES; m++) {
                pd[(i + m) * LANES + l] = s.p[m];
                qd[(i + m) * LANES + l] = s.q[m];
            }
        }
        largest = fmax(largest, vec_sum(sum));
    }
    return largest;
}

/* The number of bins after which a count with this mean has less than 1e-25 left, by Chernoff's bound
 * exp(k - mean) (mean / k)^k. */
INLINE size_t leaf_bins(double mean)
{
    size_t k = (size_t)mean + 1;
    while (k < LC_LEAF && (double)k - mean - (double)k * log((double)k / mean) > -58) /* log 1e-25 */
        k++;
    return k < LC_LEAF ? k + 1 : LC_LEAF + 1;
}

/* In place, from the last bin to the first. */
static size_t leaf_up(double *coef, const double *z, size_t n, lc_tilt tilt, double *scratch)
{
    vec *p = (vec *)scratch, *q = p + LC_LEAF, *a = (vec *)coef;
    size_t bins = leaf_bins(leaf_turn(p, q, z, n, tilt));
    a[0] = splat(1);
    for (size_t k = 1; k < bins; k++)
        a[k] = (vec){0};
    for (size_t i = 0; i < LC_LEAF; i++) {
        vec pi = p[i], qi = q[i];
        for (size_t k = i + 1 < bins ? i + 1 : bins - 1; k > 0; k--)
            a[k] = qi * a[k] + pi * a[k - 1];
        a[0] *= qi;
    }
    return bins;
}

/* Row i: the count distribution of the first i frames of every leaf. */
INLINE void leaf_rows(vec *rows, const vec *p, const vec *q, size_t bins)
{
    memset(rows, 0, bins * sizeof *rows);
    rows[0] = splat(1);
    for (size_t i = 0; i + 1 < LC_LEAF; i++) {
        const vec *a = rows + i * bins;
        vec *next = rows + (i + 1) * bins, pi = p[i], qi = q[i], before = {0};
        for (size_t k = 0; k < bins; k++) {
            vec here = a[k];
            next[k] = qi * here + pi * before;
            before = here;
        }
    }
}

/* One frame of `down`, b[k] = q b'[k] + p b'[k+1] in place; returns its posterior. Two sums, so that one multiply-add
 * does not wait for the one before. */
INLINE vec leaf_back(const vec *a, vec *b, size_t bins, vec p, vec q)
{
    vec even = {0}, odd = {0}, here = b[0];
    size_t k = 0;
    for (; k + 1 < bins; k += 2) {
        vec next = b[k + 1], after = b[k + 2];
        even += a[k] * next;
        odd += a[k + 1] * after;
        b[k] = q * here + p * next;
        b[k + 1] = q * next + p * after;
        here = after;
    }
    if (k < bins) {
        even += a[k] * b[k + 1];
        b[k] = q * here + p * b[k + 1];
    }
    return p * (even + odd);
}

static void leaf_down(double *z, size_t n, lc_tilt tilt, double *adj, size_t bins, double *scratch)
{
    vec *p = (vec *)scratch, *q = p + LC_LEAF, *rows = q + LC_LEAF, *b = (vec *)adj;
    leaf_turn(p, q, z, n, tilt);
    leaf_rows(rows, p, q, bins);
    b[bins] = (vec){0};
    for (size_t i = LC_LEAF; i-- > 0;)
        p[i] = leaf_back(rows + i * bins, b, bins, p[i], q[i]);
    for (size_t t = 0; t < n; t++)
        z[t] = p[t % LC_LEAF][t / LC_LEAF];
}

/* One block of 8 or 2 vectors of outputs stays in registers for all weights; only weights that meet the
 * support of x are used. */
INLINE void correlate_block(double *out, size_t i, size_t n_out, const double *w, size_t n_w, const lc_padded *x,
                            size_t vectors)
{
    size_t last = i + vectors * LANES - 1;
    size_t begin = x->begin > last ? x->begin - last : 0, end = x->end > i ? x->end - i : 0;
    vec sum[8] = {{0}};
    for (size_t j = begin; j < end && j < n_w; j++) {
        vec weight = splat(w[j]);
        for (size_t v = 0; v < vectors; v++)
            sum[v] += weight * load(x->data + i + j + v * LANES);
    }
    for (size_t v = 0; v < vectors; v++)
        store_frames(out, sum[v], i + v * LANES, n_out);
}

static void correlate(double *out, size_t n_out, const double *w, size_t n_w, const lc_padded *x)
{
    size_t i = 0;
    for (; i + 5 * LANES < n_out; i += 8 * LANES) /* a block of 8 that is over half full */
        correlate_block(out, i, n_out, w, n_w, x, 8);
    for (; i < n_out; i += 2 * LANES)
        correlate_block(out, i, n_out, w, n_w, x, 2);
}

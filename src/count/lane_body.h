/* SPDX-License-Identifier: MIT
 * lane_body.h - loss, gradient and posterior of LANES sequences side by side, one in each lane of a vector.
 *
 * In odds o_t = exp(z_t) the count is a polynomial: P(Y = k) = e_k(o) * prod_t 1/(1 + o_t), with e_k the k-th elementary
 * symmetric polynomial. One multiply-add a cell instead of two, all terms positive, so relative accuracy is kept.
 * Scaling all odds by s multiplies e_k by s^k and nothing else (the tilt): s brings the expected count near
 * the label, and with it e_k into the range of a double.
 *
 * State j is the number of events still missing to the top of the label; it starts at top and moves down:
 *   forward   a'[j] = a[j] + s o a[j+1]          backward  b[j] = b'[j] + s o b'[j-1]
 *   posterior of frame t = s o_t * sum_j a[j] b'[j-1] / Z,  Z = b_0[top]
 * with b_T[j] = s^(ref - top + j) for the counts top - j of the label (ref: the count of weight 1). "At least lo" ends in state
 * 0 and stays there: later events count with their own odds, a'[0] = (1 + o) a[0] + s o a[1].
 * Counting down puts that state at 0 in every lane, whatever its label.
 *
 * Two frames make one step: rows are stored after every second frame, and the row between is made again on the way back in a
 * register. Half the memory traffic; a pass per frame was 1.6 times slower (docs/benchmarks.md). */

#define LOG_NORM_MAX 600.0 /* largest log of sum_k e_k: a double ends at 709 */

/* Splits the exponents off product, so that it can go on growing. */
INLINE void renormalise(vec *product, ivec *exponent)
{
    ivec bits = (ivec)*product;
    *exponent += (ivec)((uvec)bits >> 52) - 1023; /* products are positive: no sign to keep */
    *product = (vec)((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
}

typedef struct lane_sums {
    vec mean, variance; /* of the count */
    vec log_norm;       /* sum_t log(1 + s o_t) */
} lane_sums;

/* Collects the sums over frames; d = 1 + s o. log_norm is a running product, 4 factors (below e^640) at a time. */
typedef struct lane_totals {
    vec mean, variance, product;
    ivec exponent;
} lane_totals;

INLINE lane_sums totals_close(const lane_totals *totals)
{
    lane_sums sums = {.mean = totals->mean, .variance = totals->variance};
    for (int l = 0; l < LANES; l++)
        sums.log_norm[l] = log(totals->product[l]) + (double)totals->exponent[l] * 0.6931471805599453;
    return sums;
}

INLINE void totals_add(lane_totals *totals, vec d, vec p, vec q, size_t t)
{
    totals->mean += p;
    totals->variance += p * q;
    totals->product *= d;
    if (t % 4 == 3)
        renormalise(&totals->product, &totals->exponent);
}

/* Turns logits into odds, and stores p. */
static lane_sums lane_odds(lc_lane_job *job)
{
    lane_totals totals = {.product = splat(1)};
    for (size_t t = 0; t < 2 * job->pairs; t++) {
        vec o = vec_exp(load(job->odds + t * LANES)), d = 1.0 + o, q = 1.0 / d, p = o * q;
        store(job->odds + t * LANES, o);
        store(job->prob + t * LANES, p);
        totals_add(&totals, d, p, q, t);
    }
    renormalise(&totals.product, &totals.exponent);
    return totals_close(&totals);
}

static lane_sums lane_moments(const lc_lane_job *job, vec s)
{
    lane_totals totals = {.product = splat(1)};
    for (size_t t = 0; t < 2 * job->pairs; t++) {
        vec o = s * load(job->odds + t * LANES), d = 1.0 + o, q = 1.0 / d;
        totals_add(&totals, d, o * q, q, t);
    }
    renormalise(&totals.product, &totals.exponent);
    return totals_close(&totals);
}

/* Where the tilt should bring the expected count: into the label by the shortest way. */
INLINE double lane_target(const lc_lane_job *job, int l, double mean)
{
    if (mean < (double)job->lo[l])
        return (double)job->lo[l];
    return !job->at_least[l] && mean > (double)job->top[l] ? (double)job->top[l] : mean;
}

/* Newton's step for log s on log(mean / (T - mean)), which is linear in it when all frames are alike. */
INLINE double tilt_step(double mean, double variance, double target, double frames)
{
    double aim = fmin(fmax(target, 0.5), frames - 0.5);
    double slope = variance * frames / (mean * (frames - mean));
    double step = (log(aim / (frames - aim)) - log(mean / (frames - mean))) / slope;
    return fmin(fmax(step, -8), 8);
}

/* Finds log s for each lane: precise enough when the label is within four standard deviations. Clears done where
 * that was not reached, or the numbers would leave the range of a double. */
static void lane_tilt(lc_lane_job *job, lane_sums sums, vec *log_scale)
{
    for (int round = 0;; round++) {
        bool moved = false;
        for (int l = 0; l < LANES; l++) {
            double mean = sums.mean[l], target = lane_target(job, l, mean);
            job->done[l] = fabs(target - mean) <= 2 + 4 * sqrt(sums.variance[l]);
            if (job->done[l]) {
                job->done[l] = sums.log_norm[l] <= LOG_NORM_MAX;
            } else if (round < 8) {
                (*log_scale)[l] += tilt_step(mean, sums.variance[l], target, (double)job->length[l]);
                moved = true;
            }
        }
        if (!moved)
            return;
        sums = lane_moments(job, vec_exp(*log_scale));
    }
}

/* o_t becomes s o_t. */
INLINE void lane_scale(lc_lane_job *job, vec s)
{
    for (size_t t = 0; t < 2 * job->pairs; t++)
        store(job->odds + t * LANES, s * load(job->odds + t * LANES));
}

/* keep: 1/s in lanes that mean "at least", else 0; s o keep is what an event in state 0 weighs. */
INLINE void lane_forward(lc_lane_job *job, vec keep, bool at_least)
{
    size_t states = job->states, stride = states + 1;
    vec *row = (vec *)job->rows;
    const vec *odds = (const vec *)job->odds;
    memset(row, 0, stride * sizeof *row);
    for (int l = 0; l < LANES; l++)
        row[job->top[l]][l] = 1;
    for (size_t r = 0; r + 1 < job->pairs; r++, row += stride) {
        vec *next = row + stride;
        vec o1 = odds[2 * r], o2 = odds[2 * r + 1], a0, a1, above0 = {0}, above1 = {0};
        next[states] = (vec){0};
        for (size_t j = states - 1; j > 0; j--) {
            a0 = row[j];
            a1 = a0 + o1 * above0;
            next[j] = a1 + o2 * above1;
            above0 = a0;
            above1 = a1;
        }
        a0 = row[0];
        a1 = a0 + o1 * above0 + (at_least ? o1 * keep * a0 : (vec){0});
        next[0] = a1 + o2 * above1 + (at_least ? o2 * keep * a1 : (vec){0});
    }
}

/* b_T: the weight of each count of the label. */
static void lane_weights(lc_lane_job *job, vec log_scale)
{
    vec *beta = (vec *)job->beta;
    for (size_t j = 0; j < job->states; j++) {
        vec exponent = splat(LC_PADDING);
        for (int l = 0; l < LANES; l++) {
            size_t span = job->top[l] - job->lo[l], ref = log_scale[l] > 0 ? span : 0;
            if (j <= span)
                exponent[l] = log_scale[l] * ((double)j - (double)ref);
        }
        beta[j] = vec_exp(exponent);
    }
}

/* What a pair of frames carries from state j to state j + 1. */
typedef struct lane_carry {
    vec above;          /* a_t[j+1] */
    vec below1, below2; /* b_(t+1)[j], b_(t+2)[j] */
} lane_carry;

INLINE void lane_cell(lane_carry *c, const vec *row, vec *beta, size_t j, vec o1, vec o2, vec *sum1, vec *sum2)
{
    vec a = c->above, b2 = beta[j], b1 = b2 + o2 * c->below2;
    beta[j] = b1 + o1 * c->below1;
    c->above = row[j + 1];
    *sum2 += (a + o1 * c->above) * c->below2;
    *sum1 += a * c->below1;
    c->below1 = b1;
    c->below2 = b2;
}

/* One pair of frames on the way back; odds[0..1] become the posteriors times Z. Two sums for each frame hide the latency
 * of an addition. */
INLINE void lane_backward_pair(const vec *row, vec *beta, vec *odds, size_t states, vec keep, bool at_least)
{
    vec o1 = odds[0], o2 = odds[1], sum1 = {0}, sum2 = {0}, odd1 = {0}, odd2 = {0};
    lane_carry carry = {.above = row[1], .below1 = beta[0], .below2 = beta[0]};
    if (at_least) {
        vec a = row[0], u1 = o1 * keep, u2 = o2 * keep;
        odd2 = keep * (a + u1 * a + o1 * carry.above) * carry.below2;
        carry.below1 += u2 * carry.below2;
        odd1 = keep * a * carry.below1;
        beta[0] = carry.below1 + u1 * carry.below1;
    }
    size_t j = 1;
    for (; j + 1 < states; j += 2) {
        lane_cell(&carry, row, beta, j, o1, o2, &sum1, &sum2);
        lane_cell(&carry, row, beta, j + 1, o1, o2, &odd1, &odd2);
    }
    if (j < states)
        lane_cell(&carry, row, beta, j, o1, o2, &sum1, &sum2);
    odds[0] = o1 * (sum1 + odd1);
    odds[1] = o2 * (sum2 + odd2);
}

INLINE void lane_backward(lc_lane_job *job, vec keep, bool at_least)
{
    size_t stride = job->states + 1;
    vec *odds = (vec *)job->odds, *beta = (vec *)job->beta;
    const vec *rows = (const vec *)job->rows;
    for (size_t r = job->pairs; r-- > 0;)
        lane_backward_pair(rows + r * stride, beta, odds + 2 * r, job->states, keep, at_least);
}

/* loss = -log Z + ref log s + sum_t log(1 + o_t); posterior and gradient in place. */
static void lane_finish(lc_lane_job *job, vec log_scale, vec log_norm)
{
    vec inverse = {0};
    for (int l = 0; l < LANES; l++) {
        double total = ((const vec *)job->beta)[job->top[l]][l];
        double ref = (double)(log_scale[l] > 0 ? job->lo[l] : job->top[l]);
        job->loss[l] = fmax(0, ref * log_scale[l] + log_norm[l] - log(total));
        job->done[l] = job->done[l] && total >= DBL_MIN && total <= DBL_MAX;
        inverse[l] = 1 / total;
    }
    for (size_t t = 0; t < 2 * job->pairs; t++) {
        vec posterior = load(job->odds + t * LANES) * inverse;
        store(job->odds + t * LANES, posterior);
        store(job->prob + t * LANES, load(job->prob + t * LANES) - posterior);
    }
}

static void lanes_run(lc_lane_job *job)
{
    vec log_scale = {0}, keep = {0};
    bool at_least = false;
    lane_sums sums = lane_odds(job);
    lane_tilt(job, sums, &log_scale);
    vec s = vec_exp(log_scale);
    lane_scale(job, s);
    for (int l = 0; l < LANES; l++) {
        log_scale[l] = log(s[l]); /* of the number that was really used */
        keep[l] = job->at_least[l] ? 1 / s[l] : 0;
        at_least = at_least || job->at_least[l];
    }
    lane_weights(job, log_scale);
    if (at_least) {
        lane_forward(job, keep, true);
        lane_backward(job, keep, true);
    } else {
        lane_forward(job, keep, false);
        lane_backward(job, keep, false);
    }
    lane_finish(job, log_scale, sums.log_norm);
}

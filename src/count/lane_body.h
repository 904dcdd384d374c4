/* SPDX-License-Identifier: MIT
 * lane_body.h - loss, gradient and posterior of LANES sequences side by side, one in each lane of a vector.
 *
 * In odds o_t = exp(z_t) the count is a polynomial: P(Y = k) = e_k(o) * prod_t 1/(1 + o_t), with e_k the k-th
 * elementary symmetric polynomial. One multiply-add a cell instead of two, all terms positive, so relative accuracy is
 * kept. Scaling all odds by s multiplies e_k by s^k and nothing else (the tilt). It is not needed for accuracy, only
 * for the range of a double: s = 1 is tried first, and is enough nearly always.
 *
 * State j is the number of events still missing to the top of the label; it starts at top and moves down:
 *   forward   a'[j] = a[j] + s o a[j+1]          backward  b[j] = b'[j] + s o b'[j-1]
 *   posterior of frame t = s o_t * sum_j a[j] b'[j-1] / Z,  Z = sum_j a_T[j] b_T[j]
 * with b_T[j] = s^(ref - top + j) for the counts top - j of the label (ref: the count of weight 1). "At least lo" ends
 * in state 0 and stays there: later events count with their own odds, a'[0] = (1 + o) a[0] + s o a[1].
 * Counting down puts that state at 0 in every lane, whatever its label.
 *
 * Three frames make one step: rows are stored after every third frame, and the two between are computed again in
 * registers in the backward pass. 3.7 multiply-adds a cell instead of 3, for a third of the memory traffic; with four
 * frames the sums no longer fit the 16 registers of AVX2, which was 1.2 times slower. */

#define LOG_NORM_MAX 600.0 /* largest log of sum_k e_k: a double ends at 709 */
#define TOTAL_MIN 1e-30    /* smallest Z: terms that matter to it are then products of normal numbers */

/* ---- odds and tilt ---- */

/* The log of a running product, four factors (below e^640) at a time.
 * Logits up to 80 and a tilt of up to 8 steps of 8 give factors up to e^144: four of them, and the rest below 2 that
 * log_split leaves, stay far from the end of a double at e^709. */
typedef struct lane_log {
    vec product;
    ivec exponent;
} lane_log;

/* Splits the exponents off the product, so that it can go on growing. */
INLINE void log_split(lane_log *sum)
{
    ivec bits = (ivec)sum->product;
    sum->exponent += (ivec)((uvec)bits >> 52) - 1023; /* products are positive: no sign to keep */
    sum->product = (vec)((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
}

INLINE void log_add(lane_log *sum, vec factor, size_t t)
{
    sum->product *= factor;
    if (t % 4 == 3)
        log_split(sum);
}

INLINE vec log_close(lane_log *sum)
{
    vec result = {0};
    log_split(sum);
    for (int l = 0; l < LANES; l++)
        result[l] = log(sum->product[l]) + (double)sum->exponent[l] * 0.6931471805599453;
    return result;
}

/* Turns logits into odds, and returns the sum of log(1 + o). */
static vec lane_odds(lc_lane_job *job)
{
    lane_log sum = {.product = splat(1)};
    vec *odds = (vec *)job->odds;
    for (size_t t = 0; t < job->direct; t += LANES)
        gather(odds + t, job->from, t);
    for (size_t t = 0; t < 3 * job->steps; t++) {
        odds[t] = vec_exp_tame(odds[t]);
        log_add(&sum, 1.0 + odds[t], t);
    }
    return log_close(&sum);
}

typedef struct lane_sums {
    vec mean, variance; /* of the count */
    vec log_norm;       /* sum_t log(1 + s o_t) */
} lane_sums;

/* mean = sum p, variance = sum p q, with p = s o / (1 + s o) and q = 1 - p. */
static lane_sums lane_moments(const lc_lane_job *job, vec s)
{
    vec mean = {0}, variance = {0};
    lane_log log_norm = {.product = splat(1)};
    const vec *odds = (const vec *)job->odds;
    for (size_t t = 0; t < 3 * job->steps; t++) {
        vec o = s * odds[t], d = 1.0 + o, q = 1.0 / d, p = o * q;
        mean += p;
        variance += p * q;
        log_add(&log_norm, d, t);
    }
    return (lane_sums){mean, variance, log_close(&log_norm)};
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

/* The label within four standard deviations of the mean is as good as at it: P_tilted(label) > e^-10, far from the end
 * of a double; 2 is for sharp clips, whose deviation is near 0. Eight rounds of steps up to 8 reach any logit that the
 * lanes take; what they do not reach goes to the tree.
 * Finds log s for the lanes that are not done, near enough when the label is within four standard deviations; they are
 * done then unless their sums would leave the range of a double. */
static vec lane_tilt(lc_lane_job *job)
{
    vec log_scale = {0};
    bool found[LC_LANES_MAX], all = false;
    for (int l = 0; l < LANES; l++)
        found[l] = job->done[l];
    for (int round = 0; !all && round < 8; round++) {
        lane_sums sums = lane_moments(job, vec_exp(log_scale));
        all = true;
        for (int l = 0; l < LANES; l++) {
            double mean = sums.mean[l], target = lane_target(job, l, mean);
            if (found[l])
                continue;
            found[l] = fabs(target - mean) <= 2 + 4 * sqrt(sums.variance[l]);
            job->done[l] = found[l] && sums.log_norm[l] <= LOG_NORM_MAX;
            if (!found[l])
                log_scale[l] += tilt_step(mean, sums.variance[l], target, (double)job->length[l]);
            all = all && found[l];
        }
    }
    return log_scale;
}

/* ---- forward ---- */

/* The scale of the odds, and what follows from it. */
typedef struct lane_scale {
    vec log_scale; /* log s */
    vec keep;      /* 1/s in lanes that mean "at least", else 0: s o keep is what an event in state 0 weighs */
    vec inverse;   /* 1/s */
    bool at_least; /* in any lane */
} lane_scale;

/* o_t becomes s o_t. */
static lane_scale lane_scale_by(lc_lane_job *job, vec log_scale)
{
    lane_scale scale = {.keep = {0}};
    vec s = vec_exp(log_scale), *odds = (vec *)job->odds;
    bool moved = false;
    for (int l = 0; l < LANES; l++) {
        scale.log_scale[l] = log(s[l]); /* of the rounded s that is used */
        scale.keep[l] = job->at_least[l] ? 1 / s[l] : 0;
        scale.at_least = scale.at_least || job->at_least[l];
        moved = moved || s[l] != 1;
    }
    scale.inverse = 1.0 / s;
    for (size_t t = 0; moved && t < 3 * job->steps; t++)
        odds[t] *= s;
    return scale;
}

/* b_T: the weight of each count of the label. */
static void lane_weights(lc_lane_job *job, vec log_scale)
{
    vec *beta = (vec *)job->beta;
    for (size_t j = 0; j < job->states; j++) {
        vec exponent = splat(LC_PADDING);
        for (int l = 0; l < LANES; l++) {
            size_t span = job->top[l] - job->lo[l], heaviest = log_scale[l] > 0 ? span : 0;
            if (j <= span)
                exponent[l] = log_scale[l] * ((double)j - (double)heaviest);
        }
        beta[j] = vec_exp(exponent);
    }
}

/* a'[0]: "at least" keeps what has arrived. */
INLINE vec lane_bottom(vec a, vec above, vec o, vec keep, bool at_least)
{
    vec next = a + o * above;
    return at_least ? next + o * keep * a : next;
}

INLINE vec lane_bottom_step(vec a0, const vec *o, const vec above[3], vec keep, bool at_least)
{
    vec a1 = lane_bottom(a0, above[0], o[0], keep, at_least);
    vec a2 = lane_bottom(a1, above[1], o[1], keep, at_least);
    return lane_bottom(a2, above[2], o[2], keep, at_least);
}

/* One step in state j; above: state j + 1 before each of the three frames. */
INLINE vec lane_step(vec a0, const vec *o, vec above[3])
{
    vec a1 = a0 + o[0] * above[0], a2 = a1 + o[1] * above[1], a3 = a2 + o[2] * above[2];
    above[0] = a0;
    above[1] = a1;
    above[2] = a2;
    return a3;
}

/* Two steps from row to the next two rows, the row between taken from registers. 1 % faster than one step at a time
 * (medians 540 and 545 microseconds for 320 x 400 frames, 25 runs each in turns); a row waits for the first state of
 * the row before it, which may be why. */
INLINE void lane_two_steps(vec *row, size_t stride, const vec *odds, size_t states, vec keep, bool at_least)
{
    vec first[3] = {odds[0], odds[1], odds[2]}, second[3] = {odds[3], odds[4], odds[5]};
    vec above[3] = {{0}}, beyond[3] = {{0}}, *next = row + stride, *last = next + stride;
    for (size_t j = states; j < stride; j++)
        next[j] = last[j] = (vec){0};
    for (size_t j = states - 1; j > 0; j--) {
        next[j] = lane_step(row[j], first, above);
        last[j] = lane_step(next[j], second, beyond);
    }
    next[0] = lane_bottom_step(row[0], first, above, keep, at_least);
    last[0] = lane_bottom_step(next[0], second, beyond, keep, at_least);
}

/* All rows: row 0 has a 1 in state top of each lane, since no event is counted yet. */
INLINE void lane_rows(lc_lane_job *job, vec keep, bool at_least)
{
    size_t stride = job->states + LC_ROW_ZEROS;
    vec *rows = (vec *)job->rows;
    const vec *odds = (const vec *)job->odds;
    memset(rows, 0, stride * sizeof *rows);
    for (int l = 0; l < LANES; l++)
        rows[job->top[l]][l] = 1;
    for (size_t r = 0; r < job->steps; r += 2)
        lane_two_steps(rows + r * stride, stride, odds + 3 * r, job->states, keep, at_least);
}

/* All rows forward; returns Z. */
static vec lane_forward(lc_lane_job *job, const lane_scale *scale)
{
    const vec *last = (const vec *)job->rows + job->steps * (job->states + LC_ROW_ZEROS),
              *beta = (const vec *)job->beta;
    vec total = {0};
    lane_weights(job, scale->log_scale);
    if (scale->at_least)
        lane_rows(job, scale->keep, true);
    else
        lane_rows(job, scale->keep, false);
    for (size_t j = 0; j < job->states; j++)
        total += last[j] * beta[j];
    return total;
}

/* ---- backward ---- */

/* "At least", backward: what state 0 adds to the sums of three frames, and its b before each frame. */
INLINE void lane_bottom_back(const vec *row, const vec *o, vec keep, vec b[4], vec sum[3])
{
    vec a1 = lane_bottom(row[0], row[1], o[0], keep, true);
    vec a2 = lane_bottom(a1, row[1] + o[0] * row[2], o[1], keep, true);
    for (int f = 2; f >= 0; f--)
        b[f] = b[f + 1] + o[f] * keep * b[f + 1];
    sum[0] = keep * row[0] * b[1];
    sum[1] = keep * a1 * b[2];
    sum[2] = keep * a2 * b[3];
}

/* One step of the backward pass; posterior[0..2] become those of its frames, times Z, and odds[0..2] their p. a runs
 * ahead of b: a_f[j] needs a_0[j + f]. p is made here, where the divider is idle: a pass of its own took 6 % longer. */
INLINE void lane_back(const vec *row, vec *beta, vec *odds, vec *posterior, size_t states, const lane_scale *scale,
                      bool at_least)
{
    vec o1 = odds[0], o2 = odds[1], o3 = odds[2];
    vec sum[3] = {{0}}, b[4] = {beta[0], beta[0], beta[0], beta[0]}; /* b[f]: state j - 1 before frame f */
    if (at_least) {
        lane_bottom_back(row, odds, scale->keep, b, sum);
        beta[0] = b[0];
    }
    for (int f = 0; f < 3; f++) {
        vec o = odds[f] * scale->inverse;
        odds[f] = o / (1.0 + o);
    }
    vec below1 = b[1], below2 = b[2], below3 = b[3], sum1 = sum[0], sum2 = sum[1], sum3 = sum[2];
    vec ahead = row[2], a1 = row[1] + o1 * ahead;
    for (size_t j = 1; j < states; j++) {
        vec further = row[j + 2], a1next = ahead + o1 * further;
        vec b3 = beta[j], b2 = b3 + o3 * below3, b1 = b2 + o2 * below2;
        sum3 += (a1 + o2 * a1next) * below3;
        sum2 += a1 * below2;
        sum1 += row[j] * below1;
        beta[j] = b1 + o1 * below1;
        below1 = b1;
        below2 = b2;
        below3 = b3;
        a1 = a1next;
        ahead = further;
    }
    posterior[0] = o1 * sum1;
    posterior[1] = o2 * sum2;
    posterior[2] = o3 * sum3;
}

INLINE void lane_backward(lc_lane_job *job, const lane_scale *scale, bool at_least)
{
    size_t stride = job->states + LC_ROW_ZEROS;
    vec *beta = (vec *)job->beta, *odds = (vec *)job->odds, *posterior = (vec *)job->posterior;
    const vec *rows = (const vec *)job->rows;
    for (size_t r = job->steps; r-- > 0;)
        lane_back(rows + r * stride, beta, odds + 3 * r, posterior + 3 * r, job->states, scale, at_least);
}

/* ---- results ---- */

/* Divides the posteriors by Z, and takes them from p for the gradient, which frames before `direct` write straight to
 * their arrays of floats. */
static void lane_results(lc_lane_job *job, vec inverse_total)
{
    vec *odds = (vec *)job->odds, *posterior = (vec *)job->posterior;
    for (size_t t = 0; t < job->direct; t += LANES) {
        vec grad[LANES];
        for (size_t i = 0; i < LANES; i++) {
            posterior[t + i] *= inverse_total;
            grad[i] = odds[t + i] - posterior[t + i];
        }
        scatter(job->to, grad, t);
    }
    for (size_t t = job->direct; t < 3 * job->steps; t++) {
        posterior[t] *= inverse_total;
        odds[t] -= posterior[t];
    }
}

/* Which lanes are done: their Z is in the range of a double. */
static bool lane_check(lc_lane_job *job, vec total)
{
    bool all = true;
    for (int l = 0; l < LANES; l++) {
        job->done[l] = job->done[l] && total[l] >= TOTAL_MIN && total[l] <= DBL_MAX;
        all = all && job->done[l];
    }
    return all;
}

/* loss = -log Z + ref log s + sum_t log(1 + o_t) */
static void lanes_run(lc_lane_job *job)
{
    vec log_norm = lane_odds(job);
    lane_scale scale = lane_scale_by(job, splat(0));
    for (int l = 0; l < LANES; l++)
        job->done[l] = log_norm[l] <= LOG_NORM_MAX;
    vec total = lane_forward(job, &scale);
    if (!lane_check(job, total)) {
        scale = lane_scale_by(job, lane_tilt(job));
        total = lane_forward(job, &scale);
        if (!lane_check(job, total))
            job->direct =
                0; /* an undone lane's logits may stand where its gradient would be written, and are needed again */
    }
    if (scale.at_least)
        lane_backward(job, &scale, true);
    else
        lane_backward(job, &scale, false);
    for (int l = 0; l < LANES; l++) {
        double ref = (double)(scale.log_scale[l] > 0 ? job->lo[l] : job->top[l]);
        job->loss[l] = fmax(0, ref * scale.log_scale[l] + log_norm[l] - log(total[l]));
    }
    lane_results(job, 1.0 / total);
}

/* SPDX-License-Identifier: MIT
 * optimiser.c - Adam (Kingma and Ba, 2015), with decoupled weight decay (Loshchilov and Hutter, 2019).
 *   m = 0.9 m + 0.1 g,  v = 0.999 v + 0.001 g^2
 *   p -= rate * (m / (1 - 0.9^t) / (sqrt(v / (1 - 0.999^t)) + 1e-8) + decay p)
 * The average follows as a = p + d_t (a - p) with d_t = min(decay, (1 + t) / (10 + t)), so that it forgets the start
 * quickly. */
#include "train/optimiser.h"

#include <math.h>

void lc_optimiser_layout(lc_optimiser *optimiser, size_t n, lc_arena *arena)
{
    *optimiser = (lc_optimiser){.n = n};
    optimiser->params = lc_arena_take(arena, n, sizeof(float));
    optimiser->grads = lc_arena_take(arena, n, sizeof(float));
    optimiser->m = lc_arena_take(arena, n, sizeof(float));
    optimiser->v = lc_arena_take(arena, n, sizeof(float));
    optimiser->average = lc_arena_take(arena, n, sizeof(float));
}

/* Linear up to `rate` at step warm_up, then rate (1 + cos(pi x)) / 2, x from 0 to 1 at `steps`. */
double lc_schedule_rate(const lc_schedule *schedule, uint64_t step)
{
    double rate = schedule->rate;
    if (step < schedule->warm_up)
        return rate * (double)(step + 1) / (double)schedule->warm_up;
    if (schedule->steps == 0)
        return rate;
    if (step >= schedule->steps)
        return 0;
    /* steps > warm_up here: both returns above were passed */
    double done = (double)(step - schedule->warm_up) / (double)(schedule->steps - schedule->warm_up);
    return rate * 0.5 * (1 + cos(3.141592653589793 * done));
}

/* The norm is summed in double and in order: the same for any number of threads, which have summed grads before. */
double lc_optimiser_step(lc_optimiser *o, const lc_schedule *schedule)
{
    double squares = 0;
    for (size_t i = 0; i < o->n; i++)
        squares += (double)o->grads[i] * (double)o->grads[i];
    double norm = sqrt(squares);
    if (!isfinite(norm))
        return norm;
    double t = (double)o->step + 1, rate = lc_schedule_rate(schedule, o->step);
    /* one factor for all parameters: the direction of the step stays */
    float scale = schedule->clip > 0 && norm > schedule->clip ? (float)(schedule->clip / norm) : 1;
    float bias1 = (float)(1 / (1 - pow(0.9, t))), bias2 = (float)(1 / (1 - pow(0.999, t)));
    float decay = (float)(rate * schedule->weight_decay), step = (float)rate;
    float keep = (float)fmin(schedule->average, (1 + t) / (10 + t));
    for (size_t i = 0; i < o->n; i++) {
        float g = o->grads[i] * scale;
        o->m[i] += 0.1f * (g - o->m[i]);
        o->v[i] += 0.001f * (g * g - o->v[i]);
        o->params[i] -= decay * o->params[i] + step * (o->m[i] * bias1) / (sqrtf(o->v[i] * bias2) + 1e-8f);
        o->average[i] = o->params[i] + keep * (o->average[i] - o->params[i]);
    }
    o->step++;
    return norm;
}

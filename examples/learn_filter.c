/* SPDX-License-Identifier: MIT
 *
 * learn_filter.c - learns to find pulses in noise from nothing but their number.
 *
 * A clip is T samples of noise with 0 to 4 pulses of one shape that the learner does not know: all it ever sees is
 * the clip and the count. The model is the smallest there is, a linear filter w and a bias b:
 *
 *     z_t = b + sum_k w_k x_(t+k-HALF),   p_t = 1 / (1 + exp(-z_t))
 *
 * loco_count_batch gives the loss -log P(count) of each clip and its derivative by every z_t; the rest is the chain
 * rule and Adam. Then each frame of a long recording with p > 1/2 is an event. Counts leave a constant delay open;
 * the mean of |x| around the model's own events shows it, again without any true time.
 *
 *     cc -O2 learn_filter.c -lloco -lm && ./a.out
 */
#include <loco.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { T = 60, HALF = 6, W = 2 * HALF + 1, P = W + 1, B = 32, STEPS = 600, LONG = 30000, EVENTS = 1000, PULSE = 6 };
static const double pulse[PULSE] = {1.5, -1.2, 0.9, -0.6, 0.4, -0.2};

static double uniform(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static double normal(uint64_t *seed)
{
    double radius = sqrt(-2 * log(1 - uniform(seed)));
    return radius * cos(6.283185307179586 * uniform(seed));
}

/* x: length frames and HALF samples of context on each side; event: 1 where a pulse begins. */
static void record(float *x, unsigned char *event, int length, size_t events, uint64_t *seed)
{
    for (int i = 0; i < length + 2 * HALF; i++)
        x[i] = (float)(0.2 * normal(seed));
    memset(event, 0, (size_t)length);
    for (size_t n = 0; n < events; n++) {
        int t = (int)(uniform(seed) * length);
        while (event[t])
            t = (t + 1) % length;
        event[t] = 1;
        for (int i = 0; i < PULSE; i++)
            x[HALF + t + i] += (float)pulse[i];
    }
}

/* theta: W filter taps, then the bias. x begins HALF samples before the frame. */
static float logit(const double *theta, const float *x)
{
    double z = theta[W];
    for (int k = 0; k < W; k++)
        z += theta[k] * x[k];
    return (float)z;
}

static void adam(double *theta, const double *grad, double *m, double *v, int step)
{
    for (int i = 0; i < P; i++) {
        m[i] += 0.1 * (grad[i] - m[i]);
        v[i] += 0.01 * (grad[i] * grad[i] - v[i]);
        theta[i] -= 0.05 * m[i] / (1 - pow(0.9, step)) / (sqrt(v[i] / (1 - pow(0.99, step))) + 1e-8);
    }
}

/* Minimises the loss, with a fresh batch of clips in every step. */
static loco_status learn(loco_count *count, double *theta, uint64_t *seed, loco_err *err)
{
    float x[B][T + 2 * HALF], z[B][T];
    unsigned char event[T]; /* not looked at */
    loco_count_item items[B];
    double m[P] = {0}, v[P] = {0};
    for (int step = 1; step <= STEPS; step++) {
        for (int i = 0; i < B; i++) {
            size_t events = (size_t)(5 * uniform(seed));
            record(x[i], event, T, events, seed);
            for (int t = 0; t < T; t++)
                z[i][t] = logit(theta, x[i] + t);
            items[i] = (loco_count_item){z[i], T, 1, loco_label_exact(events), z[i], NULL, 0};
        }
        loco_status status = loco_count_batch(items, B, count, err); /* the gradient takes the place of the logits */
        if (status != LOCO_OK)
            return status;
        double grad[P] = {0}, loss = 0;
        for (int i = 0; i < B; i++) {
            loss += items[i].loss / B;
            for (int t = 0; t < T; t++)
                for (int k = 0; k < P; k++)
                    grad[k] += z[i][t] * (k < W ? x[i][t + k] : 1); /* the chain rule */
        }
        adam(theta, grad, m, v, step);
        if (step == 1 || step % 150 == 0)
            printf("step %3d   loss %.3f\n", step, loss);
    }
    return LOCO_OK;
}

/* Finds the events of a long recording, then their common delay, and compares with the true times. */
static void locate(const double *theta, uint64_t *seed)
{
    static float x[LONG + 2 * HALF];
    static unsigned char event[LONG];
    record(x, event, LONG, EVENTS, seed);
    size_t hits[W] = {0}, found = 0; /* hits[k]: with the delay that tap k stands for */
    double around[W] = {0};
    for (int t = HALF; t < LONG - HALF; t++) {
        if (logit(theta, x + t) <= 0)
            continue;
        found++;
        for (int k = 0; k < W; k++) {
            around[k] += fabs(x[t + k]);
            hits[k] += event[t + k - HALF];
        }
    }
    int peak = 0;
    for (int k = 1; k < W; k++)
        peak = around[k] > around[peak] ? k : peak;
    printf("%d events, %zu found, %zu of them in the very frame (delay %d removed): F1 %.3f\n", EVENTS, found,
           hits[peak], HALF - peak, 2.0 * (double)hits[peak] / (double)(found + EVENTS));
}

int main(void)
{
    uint64_t seed = 1;
    loco_err err;
    loco_count *count = NULL;
    double theta[P];
    for (int k = 0; k < W; k++)
        theta[k] = 0.01 * normal(&seed);
    loco_status status = loco_count_new(&count, 1, &err);
    if (status == LOCO_OK)
        status = loco_count_bias(&theta[W], 0.8, T, &err); /* start with hardly any events */
    if (status == LOCO_OK)
        status = learn(count, theta, &seed, &err);
    if (status == LOCO_OK)
        locate(theta, &seed);
    else
        fprintf(stderr, "%s\n", err.text);
    loco_count_free(count);
    return status != LOCO_OK;
}

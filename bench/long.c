/* SPDX-License-Identifier: MIT
 *
 * long.c - one hour-long clip with one count: the library against the plain recursion, in one process.
 *
 *   usage: long [seconds] [length] [count]     (at least two rounds; 720000 frames, 5000 events)
 *
 * The recursion, as it is written down: a[k] is the probability of k events so far, for bins 0..n,
 *     forward   a'[k] = (1 - p) a[k] + p a[k-1]
 *     backward  b'[k] = (1 - p) b[k] + p b[k+1],   posterior = p sum_k a[k] b[k+1] / P
 * with the usual steps for speed: vectors along the bins (AVX2 and FMA where the machine has them), scaling by
 * powers of two once per block, checkpoints every sqrt(T) frames so that only the rows of one block are kept:
 * 2 sqrt(T) n doubles. Each frame costs two steps forward and one backward over n + 1 bins.
 *
 * Rounds alternate between the two; the smallest time of each is reported, one JSON line per number of threads, and
 * loss and gradient of both must agree. Exit status 1 if they do not.
 */
#include <loco.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOLERANCE 1e-9 /* of the gradient, absolute; of the loss, relative */
#define LN2 0.69314718055994530942

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_AVX2 1
#define AVX2 __attribute__((target("avx2,fma")))
#endif

/* Rows have a zero before the first and four or more after the last bin, so that a row needs no special ends. */
enum { PAD = 4 };

typedef struct kernels {
    /* out[k] = q a[k] + p a[k-1] for k < width */
    void (*forward)(double *out, const double *a, double p, size_t width);
    /* returns sum_k a[k] b[k+1]; out[k] = q b[k] + p b[k+1] for k < width */
    double (*backward)(double *out, const double *a, const double *b, double p, size_t width);
} kernels;

static void forward_plain(double *restrict out, const double *restrict a, double p, size_t width)
{
    for (size_t k = 0; k < width; k++)
        out[k] = (1 - p) * a[k] + p * a[k - 1];
}

static double backward_plain(double *restrict out, const double *restrict a, const double *restrict b, double p,
                             size_t width)
{
    double sum[4] = {0};
    for (size_t k = 0; k < width; k += 4)
        for (size_t i = k; i < k + 4; i++) {
            sum[i - k] += a[i] * b[i + 1];
            out[i] = (1 - p) * b[i] + p * b[i + 1];
        }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

#ifdef HAVE_AVX2
AVX2 static void forward_avx2(double *out, const double *a, double p, size_t width)
{
    const __m256d P = _mm256_set1_pd(p), Q = _mm256_set1_pd(1 - p);
    for (size_t k = 0; k < width; k += 4) {
        __m256d moved = _mm256_mul_pd(P, _mm256_loadu_pd(a + k - 1));
        _mm256_storeu_pd(out + k, _mm256_fmadd_pd(Q, _mm256_loadu_pd(a + k), moved));
    }
}

AVX2 static double backward_avx2(double *out, const double *a, const double *b, double p, size_t width)
{
    const __m256d P = _mm256_set1_pd(p), Q = _mm256_set1_pd(1 - p);
    __m256d sum = _mm256_setzero_pd();
    for (size_t k = 0; k < width; k += 4) {
        __m256d next = _mm256_loadu_pd(b + k + 1);
        sum = _mm256_fmadd_pd(_mm256_loadu_pd(a + k), next, sum);
        _mm256_storeu_pd(out + k, _mm256_fmadd_pd(Q, _mm256_loadu_pd(b + k), _mm256_mul_pd(P, next)));
    }
    double part[4];
    _mm256_storeu_pd(part, sum);
    return part[0] + part[1] + part[2] + part[3];
}
#endif

static kernels choose_kernels(void)
{
#ifdef HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (kernels){forward_avx2, backward_avx2};
#endif
    return (kernels){forward_plain, backward_plain};
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void *zeros(size_t number, size_t size)
{
    void *block = calloc(number, size);
    if (!block) {
        fprintf(stderr, "long: out of memory\n");
        exit(4);
    }
    return block;
}

/* Multiplies a row by the power of two that brings its largest value to 1/2..1; returns the exponent taken out. */
static int rescale(double *row, size_t width)
{
    double max = 0;
    int exponent = 0;
    for (size_t k = 0; k < width; k++)
        max = row[k] > max ? row[k] : max;
    frexp(max, &exponent);
    double factor = ldexp(1, -exponent);
    for (size_t k = 0; k < width; k++)
        row[k] *= factor;
    return exponent;
}

typedef struct recursion {
    kernels kernels;
    size_t length, n;
    size_t width, stride; /* bins rounded up to whole vectors; doubles from row to row */
    size_t block;         /* frames between checkpoints */
    double *saved;        /* (blocks + 1, stride): a at the start of each block */
    int *exponents;       /* of each saved row */
    double *rows;         /* (block + 1, stride): a within one block */
    double *b, *spare;    /* (stride) */
} recursion;

static recursion recursion_new(size_t length, size_t n)
{
    recursion r = {.kernels = choose_kernels(), .length = length, .n = n};
    r.width = (n + 1 + 3) / 4 * 4;
    r.stride = r.width + 2 * PAD;
    r.block = (size_t)ceil(sqrt((double)length));
    size_t blocks = (length + r.block - 1) / r.block;
    r.saved = zeros((blocks + 1) * r.stride, sizeof(double));
    r.rows = zeros((r.block + 1) * r.stride, sizeof(double));
    r.b = zeros(r.stride, sizeof(double));
    r.spare = zeros(r.stride, sizeof(double));
    r.exponents = zeros(blocks + 1, sizeof(int));
    return r;
}

static void recursion_free(recursion *r)
{
    free(r->saved);
    free(r->rows);
    free(r->b);
    free(r->spare);
    free(r->exponents);
}

/* Runs frames start..end from the saved row; row i of r->rows is a after i frames. */
static void run_block(recursion *r, const double *p, size_t start, size_t end, bool keep)
{
    memcpy(r->rows, r->saved + start / r->block * r->stride, r->stride * sizeof(double));
    for (size_t t = start; t < end; t++) {
        size_t from = keep ? t - start : (t - start) % 2, to = keep ? from + 1 : 1 - from;
        r->kernels.forward(r->rows + to * r->stride + PAD, r->rows + from * r->stride + PAD, p[t], r->width);
    }
}

/* Returns log P(n), and leaves a checkpoint before each block. */
static double run_forward(recursion *r, const double *p)
{
    memset(r->saved, 0, r->stride * sizeof(double));
    r->saved[PAD] = 1;
    for (size_t start = 0, i = 0; start < r->length; start += r->block, i++) {
        size_t end = min_size(start + r->block, r->length);
        run_block(r, p, start, end, false);
        double *next = r->saved + (i + 1) * r->stride;
        memcpy(next, r->rows + (end - start) % 2 * r->stride, r->stride * sizeof(double));
        r->exponents[i + 1] = r->exponents[i] + rescale(next + PAD, r->n + 1);
    }
    size_t blocks = (r->length + r->block - 1) / r->block;
    return log(r->saved[blocks * r->stride + PAD + r->n]) + r->exponents[blocks] * LN2;
}

/* grad = p - posterior. */
static void run_backward(recursion *r, const double *p, double log_p, double *grad)
{
    int exponent = 0;
    memset(r->b, 0, r->stride * sizeof(double));
    memset(r->spare, 0, r->stride * sizeof(double));
    r->b[PAD + r->n] = 1;
    for (size_t i = (r->length + r->block - 1) / r->block; i-- > 0;) {
        size_t start = i * r->block, end = min_size(start + r->block, r->length);
        run_block(r, p, start, end, true);
        double scale = exp((r->exponents[i] + exponent) * LN2 - log_p);
        for (size_t t = end; t-- > start;) {
            const double *a = r->rows + (t - start) * r->stride + PAD;
            double sum = r->kernels.backward(r->spare + PAD, a, r->b + PAD, p[t], r->width);
            double *swap = r->b;
            r->b = r->spare;
            r->spare = swap;
            grad[t] = p[t] - p[t] * sum * scale;
        }
        exponent += rescale(r->b + PAD, r->n + 1);
    }
}

static double run_recursion(recursion *r, const double *logits, double *p, double *grad)
{
    for (size_t t = 0; t < r->length; t++)
        p[t] = 1 / (1 + exp(-logits[t]));
    double log_p = run_forward(r, p);
    run_backward(r, p, log_p, grad);
    return -log_p;
}

/* ---- measurement ------------------------------------------------------------------------------------------- */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Logits spread about normally around -5.2, as a sum of twelve uniform numbers: one event in 113 frames. */
static void fill(double *logits, size_t length)
{
    uint64_t state = 88172645463325252u;
    for (size_t t = 0; t < length; t++) {
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            sum += (double)(state >> 11) * 0x1p-53;
        }
        logits[t] = -5.2 + sum;
    }
}

enum { THREADS_MAX = 2 };

typedef struct bench {
    size_t length, n;
    double *logits, *p, *ours, *theirs;
    recursion recursion;
    loco_count *count[THREADS_MAX]; /* count[i] has i + 1 threads */
    double ours_ms[THREADS_MAX], theirs_ms;
    double ours_loss, theirs_loss;
} bench;

static void run_ours(bench *b, int i)
{
    loco_err err;
    double start = now_ms();
    if (loco_count_loss(&b->ours_loss, b->ours, NULL, b->count[i], b->logits, b->length, loco_label_exact(b->n),
                        &err) != LOCO_OK) {
        fprintf(stderr, "long: %s\n", err.text);
        exit(3);
    }
    b->ours_ms[i] = fmin(b->ours_ms[i], now_ms() - start);
}

static bool agree(const bench *b)
{
    double worst = 0;
    bool same = true;
    for (size_t t = 0; t < b->length; t++) {
        double difference = fabs(b->ours[t] - b->theirs[t]);
        worst = fmax(worst, difference);
        same = same && difference <= TOLERANCE; /* not so when it is NaN, which fmax passes over */
    }
    double loss = fabs(b->ours_loss - b->theirs_loss) / fmax(1, fabs(b->theirs_loss));
    fprintf(stderr,
            "count/%zu: loss %.6f, relative difference %.1e; gradient, largest difference %.1e (allowed %.0e)\n",
            b->length, b->ours_loss, loss, worst, TOLERANCE);
    return same && loss <= TOLERANCE;
}

static void run_round(bench *b)
{
    for (int repeat = 0; repeat < 5; repeat++)
        for (int i = 0; i < THREADS_MAX; i++)
            run_ours(b, i);
    double start = now_ms();
    b->theirs_loss = run_recursion(&b->recursion, b->logits, b->p, b->theirs);
    b->theirs_ms = fmin(b->theirs_ms, now_ms() - start);
}

static void report(const bench *b)
{
    for (int i = 0; i < THREADS_MAX; i++)
        printf("{\"name\":\"count/%zu\",\"threads\":%d,\"ours_ms\":%.4g,\"other\":\"recursion\",\"other_ms\":%.4g,"
               "\"ratio\":%.4g,\"ours_mb\":%.4g}\n",
               b->length, i + 1, b->ours_ms[i], b->theirs_ms, b->theirs_ms / b->ours_ms[i],
               (double)loco_count_memory(b->count[i]) / 1e6);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 10;
    bench b = {
        .length = argc > 2 ? strtoul(argv[2], NULL, 10) : 720000,
        .n = argc > 3 ? strtoul(argv[3], NULL, 10) : 5000,
        .ours_ms = {INFINITY, INFINITY},
        .theirs_ms = INFINITY
    };
    b.logits = zeros(4 * b.length, sizeof(double));
    b.p = b.logits + b.length;
    b.ours = b.p + b.length;
    b.theirs = b.ours + b.length;
    b.recursion = recursion_new(b.length, b.n);
    fill(b.logits, b.length);
    for (unsigned i = 0; i < THREADS_MAX; i++) {
        loco_err err;
        if (loco_count_new(&b.count[i], i + 1, &err) != LOCO_OK) {
            fprintf(stderr, "long: %s\n", err.text);
            return 4;
        }
    }
    double start = now_ms();
    for (int round = 0; round < 2 || now_ms() - start < 1e3 * seconds; round++)
        run_round(&b);
    bool same = agree(&b);
    report(&b);
    for (int i = 0; i < THREADS_MAX; i++)
        loco_count_free(b.count[i]);
    recursion_free(&b.recursion);
    free(b.logits);
    return same ? 0 : 1;
}

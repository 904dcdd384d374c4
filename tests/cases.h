/* SPDX-License-Identifier: MIT
 * cases.h - what tests of the count mathematics share: a handle, random logits and labels, sentences, largest
 * errors. */
#ifndef TESTS_CASES_H
#define TESTS_CASES_H

#include "check.h"

#include "base/rng.h"

#include <stdbool.h>
#include <stdlib.h>

/* The thread sanitizer is some ten times slower, and what it looks for shows in short cases. */
#if defined(__SANITIZE_THREAD__)
#define CASE_SLOW true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CASE_SLOW true
#endif
#endif
#ifndef CASE_SLOW
#define CASE_SLOW false
#endif

/* A handle, or the end of the test. */
static inline loco_count *case_handle(unsigned threads)
{
    loco_count *count;
    loco_err err;
    if (loco_count_new(&count, threads, &err) != LOCO_OK) {
        fprintf(stderr, "no handle: %s\n", err.text);
        exit(1);
    }
    return count;
}

/* n elements of size bytes, all 0, or the end of the test; the caller frees. */
static inline void *case_array(size_t n, size_t size)
{
    void *array = calloc(n > 0 ? n : 1, size);
    if (array == NULL) {
        fprintf(stderr, "no memory for the test itself\n");
        exit(1);
    }
    return array;
}

/* Whether two arrays of numbers agree in every bit. */
static inline bool case_same(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

/* 0..n-1 */
static inline size_t case_below(lc_rng *rng, size_t n)
{
    return (size_t)(lc_rng_next(rng) % n);
}

static inline void case_logits(lc_rng *rng, double *z, size_t T, double scale, double shift)
{
    for (size_t t = 0; t < T; t++)
        z[t] = shift + scale * lc_rng_normal(rng);
}

/* Quiet frames around -6, one of twenty loud. */
static inline void case_clip(lc_rng *rng, double *z, size_t T)
{
    for (size_t t = 0; t < T; t++)
        z[t] = (lc_rng_uniform(rng) < 0.05 ? 2 : -6) + lc_rng_normal(rng);
}

/* A label of any kind that T frames can meet, around n. */
static inline loco_label case_label_at(lc_rng *rng, size_t T, size_t n)
{
    switch (case_below(rng, 8)) {
    case 0: return loco_label_at_least(n);
    case 1: return loco_label_at_most(n);
    case 2: return loco_label_range(n, n + case_below(rng, T + 2));
    case 3: return loco_label_unknown();
    default: return loco_label_exact(n);
    }
}

static inline loco_label case_label(lc_rng *rng, size_t T)
{
    return case_label_at(rng, T, case_below(rng, T + 1));
}

/* Keeps the largest |got - want| / scale; a NaN stays. */
static inline void worst_note(double *worst, double got, double want, double scale)
{
    double error = (got >= want && got <= want) ? 0 : fabs(got - want) / scale;
    if (!isnan(*worst) && !(error <= *worst))
        *worst = error;
}

static inline void worst_check(double worst, double limit, const char *file, int line, const char *what)
{
    printf("    worst %s: %.2g\n", what, worst);
    check_near(worst, 0, limit, file, line, what);
}

static inline void check_says(const char *text, const char *words, const char *file, int line)
{
    if (!check_note(strstr(text, words) != NULL, file, line, "the sentence"))
        fprintf(stderr, " \"%s\" should say \"%s\"\n", text, words);
}

/* Prints the largest error, and demands that it is at most limit. */
#define CHECK_WORST(worst, limit) worst_check((worst), (limit), __FILE__, __LINE__, #worst)
#define CHECK_SAYS(text, words) check_says((text), (words), __FILE__, __LINE__)

#endif

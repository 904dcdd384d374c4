/* SPDX-License-Identifier: MIT
 *
 * check.h - the whole test framework.
 *
 *     #include "check.h"
 *
 *     static void adds(void)
 *     {
 *         CHECK(1 + 1 == 2);
 *         CHECK_NEAR(0.1 + 0.2, 0.3, 1e-15);
 *     }
 *
 *     int main(void)
 *     {
 *         RUN(adds);
 *         return check_done();
 *     }
 *
 * A failed check prints where it stands, what it says and what it found, and the test goes on. check_done gives the
 * exit status: 0 only if at least one check ran and none failed. One thread checks at a time. */
#ifndef CHECK_H
#define CHECK_H

#include <loco.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tests of a folder are one program, in which main has another name: see runner.c. */
#ifdef TEST_WITH_ARGUMENTS
int main(int argc, char **argv);
#else
int main(void);
#endif

static size_t check_ran, check_failed;

/* Counts a check; a failed one begins its line on stderr. Returns holds. The static analyser follows only the paths
 * on which checks hold. Otherwise each would double their number, and it gives up on a test after 3 s at its limit
 * of them; so most take a tenth of that, and are looked at to the end. */
static inline int check_note(int holds, const char *file, int line, const char *what)
{
#ifdef __clang_analyzer__
    if (!holds)
        exit(1);
#endif
    check_ran++;
    if (!holds) {
        check_failed++;
        fprintf(stderr, "%s:%d: failed: %s", file, line, what);
    }
    return holds;
}

static inline void check_true(int holds, const char *file, int line, const char *what)
{
    if (!check_note(holds, file, line, what))
        fprintf(stderr, "\n");
}

/* Equal values are near whatever the tolerance, so that two infinities are; a NaN is near nothing. */
static inline void check_near(double a, double b, double tolerance, const char *file, int line, const char *what)
{
    double distance = fabs(a - b);
    int holds = (a >= b && a <= b) || distance <= tolerance;
    if (!check_note(holds, file, line, what))
        fprintf(stderr, " (%.17g, %.17g, apart by %.3g)\n", a, b, distance);
}

static inline void check_eq(size_t a, size_t b, const char *file, int line, const char *what)
{
    if (!check_note(a == b, file, line, what))
        fprintf(stderr, " (%zu, %zu)\n", a, b);
}

static inline void check_str(const char *a, const char *b, const char *file, int line, const char *what)
{
    int holds = a != NULL && b != NULL && strcmp(a, b) == 0;
    if (!check_note(holds, file, line, what))
        fprintf(stderr, " (\"%s\", \"%s\")\n", a != NULL ? a : "null pointer", b != NULL ? b : "null pointer");
}

static inline void check_status(loco_status got, loco_status want, const char *file, int line, const char *what)
{
    if (!check_note(got == want, file, line, what))
        fprintf(stderr, " (%d, %d)\n", (int)got, (int)want);
}

static inline void check_run(void (*test)(void), const char *name)
{
    size_t ran = check_ran, failed = check_failed;
    printf("%s\n", name);
    fflush(stdout);
    test();
    printf("    %zu checks, %zu failed\n", check_ran - ran, check_failed - failed);
    fflush(stdout);
}

static inline int check_done(void)
{
    printf("%zu checks, %zu failed\n", check_ran, check_failed);
    if (check_ran == 0)
        fprintf(stderr, "no check ran\n");
    return check_ran > 0 && check_failed == 0 ? 0 : 1;
}

#define CHECK(cond) check_true((cond) != 0, __FILE__, __LINE__, #cond)
#define CHECK_NEAR(a, b, tolerance) check_near((a), (b), (tolerance), __FILE__, __LINE__, #a " near " #b)
#define CHECK_EQ(a, b) check_eq((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b) check_str((a), (b), __FILE__, __LINE__, #a " reads " #b)
#define CHECK_STATUS(expr, want) check_status((expr), (want), __FILE__, __LINE__, #expr " gives " #want)
#define RUN(function) check_run(function, #function)

#endif

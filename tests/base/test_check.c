/* SPDX-License-Identifier: MIT
 *
 * test_check.c - proves that a failing check makes a test program fail.
 *   The program runs itself once per case below, with the name of this test and of the case as its arguments, and looks
 *   at the exit status. */
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;

static void nothing(void)
{
}

static void good(void)
{
    CHECK(1);
    CHECK_NEAR(1.0, 1.25, 0.25);
    CHECK_NEAR(INFINITY, INFINITY, 0);
    CHECK_EQ((size_t)3, (size_t)3);
    CHECK_STR("a", "a");
    CHECK_STATUS(LOCO_EARG, LOCO_EARG);
}

static void bad_then_good(void)
{
    CHECK(0);
    good();
}

static void bad_near(void)
{
    CHECK_NEAR(1.0, 1.5, 0.25);
}

static void bad_nan(void)
{
    CHECK_NEAR((double)NAN, (double)NAN, INFINITY);
}

static void bad_nan_tolerance(void)
{
    CHECK_NEAR(1.0, 2.0, (double)NAN);
}

static void bad_eq(void)
{
    CHECK_EQ((size_t)3, (size_t)4);
}

static void bad_str(void)
{
    CHECK_STR("a", "b");
}

static void bad_null(void)
{
    CHECK_STR(NULL, NULL);
}

static void bad_status(void)
{
    CHECK_STATUS(LOCO_OK, LOCO_EARG);
}

static const struct {
    const char *name;
    void (*test)(void);
    int status; /* the exit status that the case must give */
} cases[] = {
    {"nothing",           nothing,           1},
    {"good",              good,              0},
    {"bad_then_good",     bad_then_good,     1},
    {"bad_near",          bad_near,          1},
    {"bad_nan",           bad_nan,           1},
    {"bad_nan_tolerance", bad_nan_tolerance, 1},
    {"bad_eq",            bad_eq,            1},
    {"bad_str",           bad_str,           1},
    {"bad_null",          bad_null,          1},
    {"bad_status",        bad_status,        1},
};

static int run_case(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            RUN(cases[i].test);
            return check_done();
        }
    }
    return 98;
}

/* The exit status of this program on one case, its output thrown away; -1 when it could not be had. */
static int status_of(const char *name)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int sink = open("/dev/null", O_WRONLY);
        dup2(sink, STDOUT_FILENO);
        dup2(sink, STDERR_FILENO);
#ifdef TEST_EMULATED /* the kernel cannot start a program of another processor */
        _exit(run_case(name));
#endif
        execl(self, self, "check", name, (char *)NULL);
        _exit(99);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_case(argv[1]);
    self = argv[0];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = status_of(cases[i].name);
        printf("%s: exit status %d\n", cases[i].name, status);
        if (status != cases[i].status) /* not a CHECK: the checks are what is in doubt here */
            return 1;
    }
    return 0;
}

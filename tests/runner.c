/* SPDX-License-Identifier: MIT
 *
 * runner.c - the C tests of one folder as one program: `run_nn net` runs tests/nn/test_net.c in a process of its own, and
 *   hands on what else it is given; without a name it lists the tests.
 *   Each test is compiled with `main` renamed to test_main_NAME. RUNNER_TESTS is a generated file with one line per
 *   test: TEST(name), or TEST_WITH_ARGUMENTS(name) where main takes them. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int test_main_##name(void);
#define TEST_WITH_ARGUMENTS(name) int test_main_##name(int argc, char **argv);
#include RUNNER_TESTS
#undef TEST
#undef TEST_WITH_ARGUMENTS

#define TEST(name) {#name, test_main_##name, NULL},
#define TEST_WITH_ARGUMENTS(name) {#name, NULL, test_main_##name},

static const struct {
    const char *name;
    int (*run)(void); /* one of the two */
    int (*run_with_arguments)(int argc, char **argv);
} tests[] = {
#include RUNNER_TESTS
};

/* The test finds the program's path in argv[0], as if it were alone. */
static int run(size_t i, int argc, char **argv)
{
    argv[1] = argv[0];
    return tests[i].run != NULL ? tests[i].run() : tests[i].run_with_arguments(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc < 2)
            printf("%s\n", tests[i].name);
        else if (strcmp(tests[i].name, argv[1]) == 0)
            return run(i, argc, argv);
    if (argc >= 2)
        fprintf(stderr, "%s: no test \"%s\"; without a name, it lists them\n", argv[0], argv[1]);
    return argc < 2 ? 0 : 2;
}

/* SPDX-License-Identifier: MIT
 * test_cpu.c - which set of kernels runs, and what LOCO_KERNELS may say. */
#include "cases.h"

#include "base/cpu.h"

static loco_err err;

static lc_isa best_here(void)
{
    lc_isa best = LC_ISA_REF;
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (lc_isa_runs(isa))
            best = isa;
    }
    return best;
}

static void check_choice(const char *name, lc_isa want)
{
    lc_isa isa = LC_ISA_COUNT;
    setenv("LOCO_KERNELS", name, 1);
    CHECK_STATUS(lc_isa_choose(&isa, &err), LOCO_OK);
    CHECK_EQ(isa, want);
    CHECK_STR(loco_kernels(), lc_isa_name(want));
}

static void check_refused(const char *name, const char *says)
{
    lc_isa isa = LC_ISA_COUNT;
    loco_count *count = NULL;
    setenv("LOCO_KERNELS", name, 1);
    CHECK_STATUS(lc_isa_choose(&isa, &err), LOCO_EARG);
    CHECK_EQ(isa, LC_ISA_COUNT);
    CHECK_SAYS(err.text, says);
    CHECK_STATUS(lc_isa_choose(&isa, NULL), LOCO_EARG);
    CHECK_STATUS(loco_count_new(&count, 1, &err), LOCO_EARG);
    CHECK(count == NULL);
    CHECK_SAYS(err.text, says);
    CHECK_STR(loco_kernels(), lc_isa_name(best_here())); /* it has no way to say no */
}

static void unknown_names_are_refused(void)
{
    char name[1000];
    check_refused("sse9", "LOCO_KERNELS=sse9: not a set of kernels; use ref, avx2 or avx512");
    check_refused("AVX2", "not a set");
    check_refused("ref ", "not a set");
    check_refused("re", "not a set");
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    check_refused(name, "xxxxxxxx: not a set");
}

static void what_cannot_run_is_refused(void)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (lc_isa_runs(isa))
            continue;
        check_refused(lc_isa_name(isa), "this machine cannot run it; the best here is");
        CHECK_SAYS(err.text, lc_isa_name(best_here()));
    }
}

static void names_choose(void)
{
    CHECK(lc_isa_runs(LC_ISA_REF));
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        printf("    %s %s here\n", lc_isa_name(isa), lc_isa_runs(isa) ? "runs" : "does not run");
        if (lc_isa_runs(isa))
            check_choice(lc_isa_name(isa), isa);
    }
    CHECK_STR(lc_isa_name(LC_ISA_REF), "ref");
    CHECK_STR(lc_isa_name(LC_ISA_AVX2), "avx2");
    CHECK_STR(lc_isa_name(LC_ISA_AVX512), "avx512");
}

static void without_a_name_the_best_runs(void)
{
    lc_isa isa = LC_ISA_COUNT;
    check_choice("", best_here());
    unsetenv("LOCO_KERNELS");
    CHECK_STATUS(lc_isa_choose(&isa, NULL), LOCO_OK);
    CHECK_EQ(isa, best_here());
    CHECK_STR(loco_kernels(), lc_isa_name(best_here()));
}

int main(void)
{
    RUN(unknown_names_are_refused);
    RUN(what_cannot_run_is_refused);
    RUN(names_choose);
    RUN(without_a_name_the_best_runs);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_kernels.c - every set of kernels that this machine can run, against plain sums in double. */
#include "sounds.h"

#include "signal/kernels.h"

static const lc_signal_kernels *kernels; /* under test */

/* Against sums in double. */
static void dot_products_and_filters(void)
{
    enum { TAPS = 96, OUT = 64 };
    float x[TAPS + OUT + LC_FILTER_STEP], h[TAPS], y[OUT];
    lc_rng rng = lc_rng_seed(5);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)lc_rng_normal(&rng);
    for (size_t i = 0; i < TAPS; i++)
        h[i] = (float)lc_rng_normal(&rng);
    for (size_t i = 0; i < OUT; i++)
        y[i] = (float)i;
    kernels->filter(x, h, TAPS - 1, y, OUT);
    double worst = 0;
    for (size_t i = 0; i < OUT; i++) {
        double sum = (double)i;
        for (size_t k = 0; k + 1 < TAPS; k++)
            sum += (double)h[k] * (double)x[i + k];
        worst = fmax(worst, fabs(sum - (double)y[i]));
    }
    for (size_t n = LC_DOT_STEP; n <= TAPS; n += LC_DOT_STEP) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += (double)h[k] * (double)x[k + 1];
        worst = fmax(worst, fabs(sum - (double)kernels->dot(x + 1, h, n)));
    }
    CHECK_WORST(worst, 5e-5); /* of sums up to 80 */
}

int main(void)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        printf("-- %s\n", lc_isa_name(isa));
        kernels = lc_signal_kernels_of(isa);
        RUN(dot_products_and_filters);
    }
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_flac_kernels.c - Rice code and prediction of every set of kernels against plain loops. */
#include "bits.h"
#include "cases.h"

#include "signal/flac_kernels.h"

enum { N = 1001 };

static const lc_flac_kernels *kernels; /* under test */
static written w;

/* Mostly short numbers, some long ones: both ways are gone. */
static void rice_code(void)
{
    lc_rng rng = lc_rng_seed(1);
    for (unsigned parameter = 0; parameter <= 30; parameter++) {
        int32_t numbers[N], r[N];
        write_clear(&w);
        write_bits(&w, 5, 3);
        for (size_t i = 0; i < N; i++) {
            unsigned more = case_below(&rng, 20) == 0 ? 6 : 1;
            unsigned bits = parameter + more < 31 ? parameter + more : 31;
            numbers[i] = (int32_t)case_below(&rng, (size_t)1 << bits) - (int32_t)(((size_t)1 << bits) / 2);
            write_rice(&w, numbers[i], parameter);
        }
        write_bits(&w, 77, 8);
        lc_bits bits = read_written(&w);
        lc_bits_take(&bits, 3);
        kernels->rice(&bits, parameter, r, N);
        CHECK(memcmp(numbers, r, sizeof r) == 0);
        CHECK_EQ(lc_bits_take(&bits, 8), 77);
        CHECK(!bits.lost);
    }
}

static void rice_code_ends_with_its_bytes(void)
{
    unsigned char *bytes = case_array(64 + LC_FLAC_MARGIN, 1);
    int32_t r[N];
    memset(bytes, 0xff, 64);
    for (unsigned parameter = 0; parameter <= 30; parameter += 5) {
        lc_bits bits = lc_bits_of(bytes, 64);
        kernels->rice(&bits, parameter, r, N);
        CHECK(bits.lost);
    }
    free(bytes);
}

/* Samples that the predictor makes of residuals, by the formula, in 64 bits. */
static void predict(const lc_predictor *p, int32_t *s)
{
    for (size_t t = p->order; t < N; t++) {
        int64_t sum = 0;
        for (unsigned j = 0; j < p->order; j++)
            sum += (int64_t)p->c[j] * s[t - 1 - j];
        s[t] += (int32_t)(sum >> p->shift);
    }
}

/* A predictor that does not grow: coefficients of sum 1 at most, after the shift. */
static void check_order(unsigned order, unsigned depth, unsigned precision, lc_rng *rng)
{
    lc_predictor p = {.order = order, .shift = precision - 1};
    int32_t want[N], got[N], most = (int32_t)((1u << (precision - 1)) / order);
    for (unsigned j = 0; j < order; j++)
        p.c[j] = (int32_t)case_below(rng, 2 * (uint64_t)most + 1) - most;
    for (size_t i = 0; i < N; i++)
        want[i] = (int32_t)((uint32_t)lc_rng_next(rng) << 8) >> (32 - depth + 3);
    memcpy(got, want, sizeof got);
    predict(&p, want);
    kernels->restore(&p, depth, got, N);
    CHECK(memcmp(want, got, sizeof got) == 0);
}

static void predictions(void)
{
    lc_rng rng = lc_rng_seed(2);
    for (unsigned order = 1; order <= LC_PREDICTOR_ORDER; order++) {
        check_order(order, 16, 9, &rng); /* in 32 bits */
        check_order(order, 16, 15, &rng);
        check_order(order, 25, 15, &rng); /* in 64 */
    }
}

int main(void)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        printf("-- %s\n", lc_isa_name(isa));
        kernels = lc_flac_kernels_of(isa);
        RUN(rice_code);
        RUN(rice_code_ends_with_its_bytes);
        RUN(predictions);
    }
    return check_done();
}

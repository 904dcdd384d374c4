/* SPDX-License-Identifier: MIT
 * test_count.c - the handle: what it refuses, how much memory it holds, and that it keeps no trace of earlier calls. */
#include "cases.h"

static loco_err err;

static void wrong_arguments_are_refused(void)
{
    loco_count *count = NULL;
    CHECK_STATUS(loco_count_new(NULL, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the place for the new handle must not be NULL");
    CHECK_STATUS(loco_count_new(&count, 0, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "0 threads are not possible; use 1 to");
    CHECK_STATUS(loco_count_new(&count, 1000000, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "1000000 threads are not possible");
    CHECK_STATUS(loco_count_new(&count, 0, NULL), LOCO_EARG);
    CHECK(count == NULL);
    loco_count_free(NULL);
    CHECK_EQ(loco_count_memory(NULL), 0);
}

static void a_new_handle_is_small(void)
{
    loco_count *count = case_handle(3);
    CHECK_EQ(loco_count_memory(count), 0);
    loco_count_free(count);
}

/* One call of every kind, of a shape that grows with T. */
static void call_all(loco_count *count, const double *z, size_t T)
{
    double loss, *out = case_array(T + 1, sizeof *out);
    uint8_t *events = case_array(T, 1);
    loco_count_limits limits;
    size_t k;
    CHECK_STATUS(loco_count_loss(&loss, NULL, out, count, z, T, loco_label_exact(T / 8), &err), LOCO_OK);
    CHECK_STATUS(loco_count_loss(&loss, out, NULL, count, z, T, loco_label_range(1, 3), &err), LOCO_OK);
    CHECK_STATUS(loco_count_pmf(out, T, count, z, T, &err), LOCO_OK);
    CHECK_STATUS(loco_count_quantile(&k, count, z, T, 0.5, &err), LOCO_OK);
    CHECK_STATUS(loco_count_sample(events, 1, count, z, T, loco_label_exact(5), 1, &err), LOCO_OK);
    CHECK_STATUS(loco_count_best(events, count, z, T, loco_label_exact(5), &err), LOCO_OK);
    CHECK_STATUS(loco_count_bounds(&limits, count, z, T, &err), LOCO_OK);
    free(out);
    free(events);
}

static void batch_of(loco_count *count, size_t n, size_t T)
{
    loco_count_item *items = case_array(n, sizeof *items);
    float *z = case_array(T, sizeof *z);
    for (size_t i = 0; i < n; i++)
        items[i] = (loco_count_item){.logits = z, .length = T, .stride = 1, .label = loco_label_exact(1 + i % 9)};
    CHECK_STATUS(loco_count_batch(items, n, count, &err), LOCO_OK);
    free(items);
    free(z);
}

/* A call of a shape that was seen, or of a smaller one, leaves the memory as it is. */
static void memory_stays_the_same(void)
{
    static double z[2000];
    lc_rng rng = lc_rng_seed(101);
    case_clip(&rng, z, 2000);
    for (unsigned threads = 1; threads <= 2; threads++) {
        loco_count *count = case_handle(threads);
        call_all(count, z, 2000);
        batch_of(count, 50, 500);
        size_t before = loco_count_memory(count);
        CHECK(before > 0);
        call_all(count, z, 2000);
        batch_of(count, 50, 500);
        call_all(count, z, 300);
        batch_of(count, 7, 100);
        CHECK_EQ(loco_count_memory(count), before);
        loco_count_free(count);
    }
}

/* Every block counts: of the items, of the tree, of each thread. */
static void memory_is_all_memory(void)
{
    loco_count *one = case_handle(1), *three = case_handle(3);
    batch_of(one, 1, 100);
    batch_of(three, 1, 100);
    size_t small = loco_count_memory(one);
    CHECK(loco_count_memory(three) > small);
    batch_of(one, 10000, 100);
    CHECK(loco_count_memory(one) > small + 10000 * 4 * sizeof(void *));
    loco_count_free(one);
    loco_count_free(three);
}

/* A long sequence with a small label beside a short one with a large label: rows for both at once would be 100 MiB. */
static void an_odd_pair_stays_within_the_promise(void)
{
    enum { LONG = 75000, SHORT = 300 };
    float *z = case_array(LONG, sizeof *z);
    loco_count *count = case_handle(1);
    loco_count_item items[2] = {
        {.logits = z, .length = LONG,  .stride = 1, .label = loco_label_exact(1)  },
        {.logits = z, .length = SHORT, .stride = 1, .label = loco_label_exact(128)},
    };
    CHECK_STATUS(loco_count_batch(items, 2, count, &err), LOCO_OK);
    CHECK(loco_count_memory(count) <= 72 * (size_t)LONG + ((size_t)17 << 20));
    double together[2] = {items[0].loss, items[1].loss};
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(loco_count_batch(&items[i], 1, count, &err), LOCO_OK);
        CHECK_NEAR(items[i].loss, together[i], 0);
    }
    loco_count_free(count);
    free(z);
}

/* Bins that no count can reach take no memory. */
static void empty_bins_cost_nothing(void)
{
    enum { BINS = 1000001 };
    double z[3] = {0}, *pmf = case_array(BINS, sizeof *pmf);
    loco_count *count = case_handle(1);
    CHECK_STATUS(loco_count_pmf(pmf, BINS - 1, count, z, 3, &err), LOCO_OK);
    CHECK(loco_count_memory(count) < 4096);
    CHECK_NEAR(pmf[3], 0.125, 1e-15);
    CHECK_NEAR(pmf[4], 0, 0);
    CHECK_NEAR(pmf[BINS - 1], 0, 0);
    loco_count_free(count);
    free(pmf);
}

/* Two hours at 100 frames a second in less than 64 MiB; loco.h promises 72 bytes a frame, and 17 MiB a thread. */
static void two_hours_fit_into_64_mib(void)
{
    size_t T = 720000;
    double *z = case_array(T, sizeof *z), *posterior = case_array(T, sizeof *posterior), loss;
    lc_rng rng = lc_rng_seed(102);
    loco_count *count = case_handle(1);
    case_clip(&rng, z, T);
    CHECK_STATUS(loco_count_loss(&loss, NULL, posterior, count, z, T, loco_label_exact(5000), &err), LOCO_OK);
    size_t bytes = loco_count_memory(count);
    printf("    %.1f MiB, %.1f bytes a frame\n", (double)bytes / 1048576, (double)bytes / (double)T);
    CHECK(bytes < 67108864 && bytes > 30 * T);
    CHECK(bytes <= 72 * T + ((size_t)17 << 20));
    CHECK_STATUS(loco_count_loss(&loss, NULL, posterior, count, z, T, loco_label_exact(5000), &err), LOCO_OK);
    CHECK_EQ(loco_count_memory(count), bytes);
    loco_count_free(count);
    free(z);
    free(posterior);
}

/* What a call leaves in the memory does not reach the next one. */
static void calls_leave_no_trace(void)
{
    static double z[2000], first[500], again[500];
    double loss[2];
    lc_rng rng = lc_rng_seed(103);
    loco_count *count = case_handle(1), *fresh = case_handle(1);
    for (int i = 0; i < 20; i++) {
        case_logits(&rng, z, 2000, 50, 0);
        call_all(count, z, 1000 + case_below(&rng, 1000));
        size_t T = 2 + case_below(&rng, 499);
        case_logits(&rng, z, T, i % 2 ? 3 : 60, -2);
        loco_label label = case_label(&rng, T);
        CHECK_STATUS(loco_count_loss(&loss[0], NULL, first, count, z, T, label, &err), LOCO_OK);
        CHECK_STATUS(loco_count_loss(&loss[1], NULL, again, fresh, z, T, label, &err), LOCO_OK);
        CHECK_NEAR(loss[0], loss[1], 0);
        CHECK(case_same(first, again, T * sizeof *first));
    }
    loco_count_free(count);
    loco_count_free(fresh);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(a_new_handle_is_small);
    RUN(memory_stays_the_same);
    RUN(memory_is_all_memory);
    RUN(an_odd_pair_stays_within_the_promise);
    RUN(empty_bins_cost_nothing);
    RUN(two_hours_fit_into_64_mib);
    RUN(calls_leave_no_trace);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_lanes.c - which sequences share a vector, and in which order. What the lanes compute is in test_kernels.c. */
#include "cases.h"

#include "count/lanes.h"

static lc_seq seq_of(size_t length, loco_label label, double reach)
{
    return (lc_seq){.length = length, .label = label, .reach = reach};
}

static bool fits(size_t length, loco_label label, double reach)
{
    lc_seq seq = seq_of(length, label, reach);
    return lc_lanes_fit(&seq);
}

static void huge_logits_do_not_fit(void)
{
    CHECK(fits(400, loco_label_exact(3), 80));
    CHECK(!fits(400, loco_label_exact(3), 80.001));
    CHECK(!fits(400, loco_label_exact(3), INFINITY));
}

static void large_labels_do_not_fit(void)
{
    CHECK(fits(400, loco_label_exact(50), 5));
    CHECK(!fits(100000, loco_label_exact(50000), 5));
    CHECK(!fits(100000000, loco_label_exact(1), 5));
    CHECK(!fits(SIZE_MAX / 2, loco_label_exact(1), 5));
    CHECK(!fits(SIZE_MAX / 2, loco_label_at_most(SIZE_MAX / 4), 5));
    /* The states are those below the top of the label, and "at least" has none above its count. */
    CHECK(!fits(100000, loco_label_range(2, 50000), 5));
    CHECK(fits(10000, loco_label_at_least(2), 5));
    CHECK(fits(400, loco_label_range(2, 400), 5));
    CHECK(fits(400, loco_label_range(2, 1000000), 5));
}

/* Memory of one group stays below the 17 MiB a thread that loco.h promises, for every sequence that fits. */
static void memory_is_bounded(void)
{
    size_t most = 0;
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        const lc_count_kernels *kernels = lc_count_kernels_of(isa);
        for (size_t n = 1; n < 600; n = n * 5 / 4 + 1) {
            lc_lane_slot slots[LC_LANES_MAX];
            size_t length = (size_t)1 << 30;
            while (length > 0 && !fits(length, loco_label_exact(n), 5))
                length -= length / 100 + 1;
            lc_seq seq = seq_of(length, loco_label_exact(n), 5);
            for (size_t l = 0; l < kernels->lanes; l++)
                slots[l] = lc_lanes_slot(&seq);
            if (length > 0) {
                size_t bytes = lc_lanes_local(kernels, slots, kernels->lanes);
                most = bytes > most ? bytes : most;
            }
        }
    }
    printf("    at most %zu bytes\n", most);
    CHECK(most > 1000000 && most <= (size_t)17 << 20);
}

/* Neighbours are of one octave of lengths, then of like labels, then of like lengths; nothing is lost. */
static void slots_are_sorted(void)
{
    enum { N = 5000 };
    static lc_seq seqs[N];
    static lc_lane_slot slots[N];
    lc_rng rng = lc_rng_seed(95);
    for (size_t n = 0; n < N; n = 3 * n + 1) {
        for (size_t i = 0; i < n; i++) {
            size_t T = 1 + case_below(&rng, 3000);
            seqs[i] = seq_of(T, case_label_at(&rng, T, case_below(&rng, 20) % (T + 1)), 5);
            slots[i] = lc_lanes_slot(&seqs[i]);
        }
        lc_lanes_sort(slots, n);
        size_t wrong = 0, seen = 0;
        for (size_t i = 0; i < n; i++) {
            wrong += i > 0 && slots[i].key < slots[i - 1].key;
            wrong += slots[i].key != lc_lanes_slot(slots[i].seq).key;
            seen += slots[i].seq->loss >= 1; /* a slot that came twice */
            slots[i].seq->loss = 1;
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(seen, 0);
    }
}

static void keys_keep_like_together(void)
{
    lc_seq a = seq_of(400, loco_label_exact(3), 5), b = seq_of(401, loco_label_exact(3), 5);
    lc_seq c = seq_of(400, loco_label_exact(4), 5), d = seq_of(600, loco_label_exact(0), 5);
    lc_seq e = seq_of(400, loco_label_at_least(3), 5);
    CHECK(lc_lanes_slot(&a).key < lc_lanes_slot(&b).key);
    CHECK(lc_lanes_slot(&b).key < lc_lanes_slot(&c).key);
    CHECK(lc_lanes_slot(&c).key < lc_lanes_slot(&d).key);
    CHECK(lc_lanes_slot(&e).key == lc_lanes_slot(&a).key);
}

int main(void)
{
    RUN(huge_logits_do_not_fit);
    RUN(large_labels_do_not_fit);
    RUN(memory_is_bounded);
    RUN(slots_are_sorted);
    RUN(keys_keep_like_together);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_decode_counts.c - events from known counts: against the most likely of all subsets, for every short sequence. */
#include "cases.h"

#include "detect/decode_counts.h"
#include "model/decoding.h"

enum { T = 9, K = 3 };

static loco_status run(loco_count *count, const float *z, const loco_label *labels, double gap, lc_event_array *list,
                       loco_err *err)
{
    return lc_decode_counts(list, count, &(lc_known_counts){z, T, K, labels, 0.01, gap, NULL}, err);
}

static void wrong_arguments_are_refused(void)
{
    loco_count *count = case_handle(1);
    float z[T * K] = {0};
    loco_label labels[K] = {loco_label_exact(1), loco_label_exact(1), loco_label_exact(T + 1)};
    lc_event_array list = {0};
    loco_err err = {""};
    double bad = (double)NAN, zeros[K] = {0, bad, 0};
    lc_event_array_add(&list, &(loco_event){.time = 7});
    CHECK_STATUS(run(NULL, z, labels, 0, &list, &err), LOCO_EARG);
    CHECK_STATUS(run(count, NULL, labels, 0, &list, &err), LOCO_EARG);
    CHECK_STATUS(run(count, z, NULL, 0, &list, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "must not be NULL");
    CHECK_STATUS(run(count, z, labels, -1, &list, &err), LOCO_EARG);
    CHECK_STATUS(run(count, z, labels, bad, &list, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "gap 0 or more");
    CHECK_STATUS(lc_decode_counts(&list, count, &(lc_known_counts){z, T, K, labels, 0, 0, NULL}, &err), LOCO_EARG);
    CHECK_STATUS(lc_decode_counts(&list, count, &(lc_known_counts){z, T, K, labels, bad, 0, NULL}, &err), LOCO_EARG);
    CHECK_STATUS(lc_decode_counts(&list, count, &(lc_known_counts){z, T, K, labels, 0.01, 0, zeros}, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the time offset of class 1");
    CHECK_STATUS(run(count, z, labels, 0, &list, &err), LOCO_EDATA); /* classes 0 and 1 are decoded first */
    CHECK_SAYS(err.text, "class 2: ");
    labels[2] = loco_label_exact(0);
    z[4 * K + 1] = NAN;
    CHECK_STATUS(run(count, z, labels, 0, &list, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "class 1: ");
    z[4 * K + 1] = 0;
    z[4 * K + 2] = INFINITY; /* certain, where the label is 0 */
    CHECK_STATUS(run(count, z, labels, 0, &list, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "class 2: ");
    CHECK_EQ(list.len, 1);
    for (size_t k = 0; k < K; k++)
        labels[k] = loco_label_exact(0);
    CHECK_STATUS(lc_decode_counts(&list, count, &(lc_known_counts){NULL, 0, K, labels, 0.01, 0, NULL}, &err), LOCO_OK);
    CHECK_EQ(list.len, 1);
    lc_event_array_free(&list);
    loco_count_free(count);
}

/* P of all subsets of class k: the best within the label, and how often each frame has an event given the label. */
static unsigned best_subset(const float *z, size_t k, loco_label label, double *posterior)
{
    unsigned best = 0;
    double largest = -1, total = 0;
    memset(posterior, 0, T * sizeof *posterior);
    for (unsigned set = 0; set < 1u << T; set++) {
        double p = 1;
        size_t n = 0;
        for (size_t t = 0; t < T; t++) {
            double q = lc_probability(z[t * K + k]);
            p *= set >> t & 1 ? q : 1 - q;
            n += set >> t & 1;
        }
        if (n < label.lo || n > label.hi)
            continue;
        total += p;
        for (size_t t = 0; t < T; t++)
            posterior[t] += set >> t & 1 ? p : 0;
        if (p > largest) {
            largest = p;
            best = set;
        }
    }
    for (size_t t = 0; t < T; t++)
        posterior[t] /= total;
    return best;
}

static const loco_event *find(const lc_event_array *list, size_t t, size_t k)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->events[i].kind == k && fabs(list->events[i].time - 0.01 * (double)t) < 1e-12)
            return &list->events[i];
    return NULL;
}

static void sets_are_the_most_likely(void)
{
    loco_count *count = case_handle(1);
    lc_rng rng = lc_rng_seed(1);
    double worst = 0;
    for (size_t n = 0; n < 60; n++) {
        float z[T * K];
        loco_label labels[K];
        lc_event_array list = {0};
        loco_err err = {""};
        size_t events = 0;
        for (size_t i = 0; i < T * K; i++)
            z[i] = (float)(2 * lc_rng_normal(&rng));
        for (size_t k = 0; k < K; k++)
            labels[k] = case_label(&rng, T);
        CHECK_STATUS(run(count, z, labels, 0, &list, &err), LOCO_OK);
        for (size_t k = 0; k < K; k++) {
            double posterior[T];
            unsigned best = best_subset(z, k, labels[k], posterior);
            for (size_t t = 0; t < T; t++) {
                const loco_event *e = find(&list, t, k);
                CHECK((e != NULL) == (best >> t & 1));
                events += e != NULL;
                if (e != NULL)
                    worst_note(&worst, e->probability, posterior[t], 1);
            }
        }
        CHECK_EQ(list.len, events);
        for (size_t i = 1; i < list.len; i++)
            CHECK(list.events[i].time >= list.events[i - 1].time);
        lc_event_array_free(&list);
    }
    CHECK_WORST(worst, 1e-12);
    loco_count_free(count);
}

/* Events at 1, 2, 4 and 7 of one class; the gap counts from the first of a group. */
static void groups_become_one(void)
{
    static const struct {
        double gap;
        size_t n;
        double times[4];
    } cases[] = {
        {0,     4, {1, 2, 4, 7}},
        {0.004, 4, {1, 2, 4, 7}},
        {0.01,  3, {1.5, 4, 7} },
        {0.02,  3, {1.5, 4, 7} },
        {0.03,  2, {7.0 / 3, 7}},
        {0.05,  2, {7.0 / 3, 7}},
        {0.06,  1, {3.5}       },
        {1000,  1, {3.5}       },
    };
    loco_count *count = case_handle(1);
    loco_label label = loco_label_exact(4);
    double offset = 0.004;
    float z[T];
    for (size_t t = 0; t < T; t++)
        z[t] = t == 1 || t == 2 || t == 4 || t == 7 ? 3 : -INFINITY;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_event_array list = {0};
        loco_err err = {""};
        CHECK_STATUS(
            lc_decode_counts(&list, count, &(lc_known_counts){z, T, 1, &label, 0.01, cases[i].gap, &offset}, &err),
            LOCO_OK);
        CHECK_EQ(list.len, cases[i].n);
        for (size_t e = 0; e < list.len && e < cases[i].n; e++) {
            CHECK_NEAR(list.events[e].time, 0.01 * cases[i].times[e] - offset, 1e-12);
            CHECK_NEAR(list.events[e].probability, 1, 1e-12);
        }
        lc_event_array_free(&list);
    }
    loco_count_free(count);
}

/* A blurred event and a sharp one, of which the label knows: the halves add up. */
static void halves_add_up(void)
{
    loco_count *count = case_handle(1);
    loco_label label = loco_label_exact(2);
    float z[T];
    lc_event_array list = {0};
    loco_err err = {""};
    for (size_t t = 0; t < T; t++)
        z[t] = -20;
    z[2] = 0.3f;
    z[3] = 0.3f;
    CHECK_STATUS(lc_decode_counts(&list, count, &(lc_known_counts){z, T, 1, &label, 0.01, 0.02, NULL}, &err), LOCO_OK);
    CHECK_EQ(list.len, 1);
    CHECK_NEAR(list.events[0].time, 0.025, 1e-9);
    label = loco_label_exact(1);
    CHECK_STATUS(lc_decode_counts(&list, count, &(lc_known_counts){z, T, 1, &label, 0.01, 0, (double[]){0.05}}, &err),
                 LOCO_OK);
    CHECK_EQ(list.len, 2);
    CHECK_NEAR(list.events[1].time, 0, 0); /* never before the begin; the earlier list is left alone */
    CHECK_NEAR(list.events[1].probability, 0.5, 1e-6);
    lc_event_array_free(&list);
    loco_count_free(count);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(sets_are_the_most_likely);
    RUN(groups_become_one);
    RUN(halves_add_up);
    return check_done();
}

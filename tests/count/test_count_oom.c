/* SPDX-License-Identifier: MIT
 * test_count_oom.c - lets the n-th allocation fail, for every n and every function of a handle: the caller
 *   gets LOCO_ENOMEM, no output is touched, nothing leaks, and the handle goes on working. Also: a second call of the
 *   same shape allocates nothing. */
#include "cases.h"
#include "oom.h"

enum { T = 700, ITEMS = 20, SAMPLES = 2 };

/* Everything that a call can write. */
typedef struct answers {
    double loss, grad[T], posterior[T], pmf[T + 1];
    size_t k;
    uint8_t events[SAMPLES * T];
    loco_count_limits limits;
    float item_grad[ITEMS][T], item_posterior[ITEMS][T];
    double item_loss[ITEMS];
} answers;

static double z[T];
static float item_logits[ITEMS][T];

typedef loco_status work(loco_count *count, answers *a, loco_err *err);

static loco_status loss_by_lanes(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_loss(&a->loss, a->grad, a->posterior, count, z, T, loco_label_exact(3), err);
}

static loco_status loss_by_tree(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_loss(&a->loss, a->grad, a->posterior, count, z, T, loco_label_exact(T / 2), err);
}

static loco_status batch(loco_count *count, answers *a, loco_err *err)
{
    loco_count_item items[ITEMS];
    for (size_t i = 0; i < ITEMS; i++)
        items[i] = (loco_count_item){
            item_logits[i],       T - i,          1, loco_label_exact(i % 3 == 0 ? T / 3 : i), a->item_grad[i],
            a->item_posterior[i], a->item_loss[i]};
    loco_status status = loco_count_batch(items, ITEMS, count, err);
    for (size_t i = 0; i < ITEMS; i++)
        a->item_loss[i] = items[i].loss;
    return status;
}

static loco_status pmf(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_pmf(a->pmf, T, count, z, T, err);
}

static loco_status quantile(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_quantile(&a->k, count, z, T, 0.75, err);
}

static loco_status sample(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_sample(a->events, SAMPLES, count, z, T, loco_label_exact(40), 1, err);
}

static loco_status best(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_best(a->events, count, z, T, loco_label_exact(40), err);
}

static loco_status bounds(loco_count *count, answers *a, loco_err *err)
{
    return loco_count_bounds(&a->limits, count, z, T, err);
}

static work *const works[] = {loss_by_lanes, loss_by_tree, batch, pmf, quantile, sample, best, bounds};

enum { WORKS = sizeof works / sizeof *works };

static answers blank, want, got;

/* A call whose allocation n fails; returns whether there was one. The same call must then succeed on the same
 * handle. */
static bool fail_once(loco_count *count, work *run, size_t n)
{
    loco_err err = {""};
    got = blank;
    oom_begin(n);
    loco_status status = run(count, &got, &err);
    if (oom_end() < n) {
        CHECK_STATUS(status, LOCO_OK);
        CHECK(case_same(&got, &want, sizeof got));
        return false;
    }
    CHECK_STATUS(status, LOCO_ENOMEM);
    CHECK_SAYS(err.text, "out of memory");
    CHECK(case_same(&got, &blank, sizeof got));
    CHECK_STATUS(run(count, &got, NULL), LOCO_OK);
    CHECK(case_same(&got, &want, sizeof got));
    return true;
}

/* What a call writes when all is well. */
static void expect(work *run)
{
    loco_count *count = case_handle(1);
    want = blank;
    CHECK_STATUS(run(count, &want, NULL), LOCO_OK);
    CHECK(!case_same(&want, &blank, sizeof want));
    loco_count_free(count);
}

static void every_failing_call_says_so(void)
{
    for (size_t i = 0; i < WORKS; i++) {
        expect(works[i]);
        size_t n = 0;
        bool failed = true;
        while (failed) {
            loco_count *count = case_handle(1);
            failed = fail_once(count, works[i], ++n);
            loco_count_free(count);
        }
        CHECK(n > 1);
    }
}

/* A handle that was used loses its block when it has to grow and cannot; smaller calls must then find a new one. */
static void used_handles_survive(void)
{
    for (size_t i = 0; i < WORKS; i++) {
        expect(works[i]);
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            loco_count *count = case_handle(2);
            double small[] = {0, 1, -1}, loss[2], posterior[3];
            CHECK_STATUS(loco_count_loss(&loss[0], NULL, posterior, count, small, 3, loco_label_exact(2), NULL),
                         LOCO_OK);
            failed = fail_once(count, works[i], n);
            CHECK_STATUS(loco_count_loss(&loss[1], NULL, posterior, count, small, 3, loco_label_exact(2), NULL),
                         LOCO_OK);
            CHECK_NEAR(loss[0], loss[1], 0);
            loco_count_free(count);
        }
    }
}

static void check_new(unsigned threads)
{
    size_t n = 0;
    for (bool failed = true; failed;) {
        loco_count *count = NULL;
        loco_err err = {""};
        oom_begin(++n);
        loco_status status = loco_count_new(&count, threads, &err);
        failed = oom_end() >= n;
        CHECK_STATUS(status, failed ? LOCO_ENOMEM : LOCO_OK);
        CHECK((count == NULL) == failed);
        if (failed)
            CHECK_SAYS(err.text, "out of memory");
        loco_count_free(count);
    }
    CHECK(n > 3);
}

static void a_handle_that_cannot_be_is_refused(void)
{
    check_new(1);
    check_new(3);
}

/* The C library keeps what was freed for the next time, and counts it as used: only from the second time on is every
 * byte more a leak. */
static void nothing_leaks(void)
{
    size_t bytes[5];
    for (int i = 0; i < 5; i++) {
        check_new(1); /* alone: the C library also keeps a part of each thread that has ended */
        every_failing_call_says_so();
        bytes[i] = oom_bytes();
    }
    CHECK_EQ(bytes[3], bytes[2]);
    CHECK_EQ(bytes[4], bytes[3]);
}

/* Training calls these a million times. */
static void second_calls_allocate_nothing(void)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        loco_count *count = case_handle(threads);
        for (int round = 0; round < 3; round++) {
            oom_begin(0);
            for (size_t i = 0; i < WORKS; i++)
                CHECK_STATUS(works[i](count, &got, NULL), LOCO_OK);
            size_t n = oom_end();
            CHECK(round == 0 ? n > 0 : n == 0);
        }
        loco_count_free(count);
    }
}

int main(void)
{
    lc_rng rng = lc_rng_seed(111);
    memset(&blank, 0x55, sizeof blank);
    case_clip(&rng, z, T);
    for (size_t i = 0; i < ITEMS; i++) {
        for (size_t t = 0; t < T; t++)
            item_logits[i][t] = (float)(z[t] + (double)i);
    }
    RUN(a_handle_that_cannot_be_is_refused);
    RUN(every_failing_call_says_so);
    RUN(nothing_leaks);
    RUN(used_handles_survive);
    RUN(second_calls_allocate_nothing);
    return check_done();
}

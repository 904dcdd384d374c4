/* SPDX-License-Identifier: MIT
 * test_loss_batch.c - many sequences at once: wrong items, brute force, and the same bits as one by one, with any
 *   number of threads. Other kernels may differ in the last digits: 1e-12. */
#include "cases.h"

#include "reference.h"

enum { MANY = 1200 };

static loco_count *count;
static loco_err err;

/* ---- wrong items ---- */

enum { FRAMES = 4 };
static float logits[3][FRAMES], grad[3][FRAMES], posterior[3][FRAMES];
static loco_count_item items[3];

static void reset(void)
{
    for (size_t i = 0; i < 3; i++) {
        for (size_t t = 0; t < FRAMES; t++) {
            logits[i][t] = (float)t - 2;
            grad[i][t] = posterior[i][t] = 77;
        }
        items[i] = (loco_count_item){logits[i], FRAMES, 1, loco_label_exact(2), grad[i], posterior[i], 77};
    }
    err.text[0] = 0;
}

/* Item 1 is wrong: nothing is written, not even to the others. */
static void check_refused(loco_status want, const char *says)
{
    CHECK_STATUS(loco_count_batch(items, 3, count, NULL), want);
    CHECK_STATUS(loco_count_batch(items, 3, count, &err), want);
    CHECK_SAYS(err.text, says);
    for (size_t i = 0; i < 3; i++) {
        CHECK_NEAR(items[i].loss, 77, 0);
        for (size_t t = 0; t < FRAMES; t++)
            CHECK(grad[i][t] == 77 && posterior[i][t] == 77);
    }
    reset();
}

static void wrong_items_are_refused(void)
{
    reset();
    items[1].logits = NULL;
    check_refused(LOCO_EARG, "item 1: logits must not be NULL when length is 4");
    items[1].stride = 0;
    check_refused(LOCO_EARG, "item 1: stride is 0; use 1 for a plain array");
    items[1].label = loco_label_range(2, 1);
    check_refused(LOCO_EDATA, "item 1: label 2..1 is an empty range");
    items[1].label = loco_label_at_least(5);
    check_refused(LOCO_EDATA, "item 1: label >=5 needs more events than the 4 frames can hold");
    logits[1][3] = NAN;
    check_refused(LOCO_EDATA, "item 1: logit 3 is NaN");
    logits[1][1] = logits[2][0] = -NAN; /* the first one is reported */
    check_refused(LOCO_EDATA, "item 1: logit 1 is NaN");
    logits[2][2] = NAN;
    check_refused(LOCO_EDATA, "item 2: logit 2 is NaN");
}

static void wrong_arguments_are_refused(void)
{
    reset();
    CHECK_STATUS(loco_count_batch(items, 3, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the handle must not be NULL");
    CHECK_STATUS(loco_count_batch(NULL, 3, count, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "items must not be NULL when there are 3");
    CHECK_NEAR(items[0].loss, 77, 0);
    CHECK_STATUS(loco_count_batch(NULL, 0, count, &err), LOCO_OK);
    CHECK_STATUS(loco_count_batch(items, 0, count, &err), LOCO_OK);
    CHECK_NEAR(items[0].loss, 77, 0);
    items[1].length = 1; /* one element needs no stride, none no array */
    items[1].stride = 0;
    items[1].label = loco_label_exact(1);
    items[2] = (loco_count_item){.label = loco_label_at_most(3)};
    CHECK_STATUS(loco_count_batch(items, 3, count, &err), LOCO_OK);
    CHECK_NEAR(items[2].loss, 0, 0);
    CHECK(posterior[1][0] == 1);
}

/* ---- random items ---- */

/* One sequence in arrays of its own, with its stride. */
typedef struct tune {
    size_t floats;
    float *logits, *grad, *posterior;
} tune;

typedef struct crowd {
    size_t n;
    tune tunes[MANY];
    loco_count_item items[MANY];
} crowd;

static float *floats_of(size_t n)
{
    return case_array(n, sizeof(float));
}

static void crowd_free(crowd *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->tunes[i].logits);
        free(c->tunes[i].grad);
        free(c->tunes[i].posterior);
    }
}

/* Everything between the elements holds 5, so that a stride that is ignored shows. plain: an array as a network hands
 * it over. */
static void tune_make(tune *u, loco_count_item *item, lc_rng *rng, size_t T, loco_label label, double scale, bool plain)
{
    size_t stride = plain || case_below(rng, 2) ? 1 : 3;
    u->floats = T * stride + 1;
    u->logits = floats_of(u->floats);
    u->grad = floats_of(u->floats);
    u->posterior = floats_of(u->floats);
    for (size_t i = 0; i < u->floats; i++)
        u->logits[i] = u->grad[i] = u->posterior[i] = 5;
    for (size_t t = 0; t < T; t++)
        u->logits[t * stride] = (float)(-1.5 + scale * lc_rng_normal(rng));
    *item = (loco_count_item){u->logits, T, stride, label, u->grad, u->posterior, 0};
    size_t kind = case_below(rng, 6);
    if (kind == 0 && !plain)
        item->grad = NULL;
    if (kind == 1)
        item->posterior = NULL;
    if (kind >= 4)
        item->grad = u->logits; /* in place */
}

/* A mixture of short and long, of labels near and far: closed forms, lanes and trees, and sequences that the lanes
 * give back. The same seed makes the same crowd; odd seeds make plain arrays alone. */
static void crowd_make(crowd *c, size_t n, size_t longest, uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        size_t T = 1 + case_below(&rng, i % 3 == 0 ? longest : longest / 8 + 1);
        size_t events = case_below(&rng, 8) == 0 ? case_below(&rng, T + 1) : case_below(&rng, (T < 30 ? T : 30) + 1);
        static const double scales[] = {2, 2, 2, 2, 2, 2, 8, 8, 20, 100};
        double scale = scales[case_below(&rng, 10)];
        tune_make(&c->tunes[i], &c->items[i], &rng, T, case_label_at(&rng, T, events), scale, seed % 2);
    }
}

static void check_batch(loco_count *handle, loco_count_item *first, size_t n)
{
    CHECK_STATUS(loco_count_batch(first, n, handle, &err), LOCO_OK);
}

/* Counts the sequences of two crowds that differ in any bit. */
static size_t differences(const crowd *a, const crowd *b)
{
    size_t different = 0;
    for (size_t i = 0; i < a->n; i++) {
        const tune *x = &a->tunes[i], *y = &b->tunes[i];
        size_t bytes = x->floats * sizeof(float);
        int same = case_same(&a->items[i].loss, &b->items[i].loss, sizeof(double)) &&
                   case_same(x->logits, y->logits, bytes) && case_same(x->grad, y->grad, bytes) &&
                   case_same(x->posterior, y->posterior, bytes);
        different += !same;
    }
    return different;
}

/* ---- against brute force ---- */

/* The results of one item against numbers; errors of floats are relative to 1. */
static void compare(const tune *u, const loco_count_item *item, const double *z, double loss, const double *post,
                    double worst[2])
{
    worst_note(&worst[0], item->loss, loss, fmax(1, loss));
    for (size_t t = 0; t < item->length; t++) {
        double g = (double)(ref_sigmoid(z[t]) - (wide)post[t]);
        if (item->grad != NULL)
            worst_note(&worst[1], (double)item->grad[t * item->stride], g, 1);
        if (item->posterior != NULL)
            worst_note(&worst[1], (double)item->posterior[t * item->stride], post[t], 1);
    }
    size_t touched = 0;
    for (size_t i = 0; i < u->floats; i++) {
        bool element = i % item->stride == 0 && i / item->stride < item->length;
        touched += !element && (u->logits[i] != 5 || u->grad[i] != 5 || u->posterior[i] != 5);
    }
    CHECK_EQ(touched, 0);
}

static void all_sets_agree(void)
{
    static crowd c;
    static double z[MANY][12];
    static const double scales[] = {1, 5, 20, 60};
    lc_rng rng = lc_rng_seed(41);
    double worst[2] = {0};
    for (int round = 0; round < 100; round++) {
        c.n = 1 + case_below(&rng, 40);
        for (size_t i = 0; i < c.n; i++) {
            size_t T = case_below(&rng, 13);
            tune_make(&c.tunes[i], &c.items[i], &rng, T, case_label(&rng, T), scales[case_below(&rng, 4)], round % 2);
            for (size_t t = 0; t < T; t++)
                z[i][t] = (double)c.items[i].logits[t * c.items[i].stride];
        }
        check_batch(count, c.items, c.n);
        for (size_t i = 0; i < c.n; i++) {
            double loss, post[REF_BRUTE_MAX];
            ref_brute(z[i], c.items[i].length, c.items[i].label, &loss, post);
            compare(&c.tunes[i], &c.items[i], z[i], loss, post, worst);
        }
        crowd_free(&c);
    }
    double loss_error = worst[0], float_error = worst[1];
    CHECK_WORST(loss_error, 1e-12);
    CHECK_WORST(float_error, 1e-7);
}

/* ---- bit for bit ---- */

static void other_items_change_nothing(void)
{
    static crowd together, alone;
    for (uint64_t seed = 0; seed < 8; seed++) {
        crowd_make(&together, 100, CASE_SLOW ? 800 : 3000, seed);
        crowd_make(&alone, 100, CASE_SLOW ? 800 : 3000, seed);
        check_batch(count, together.items, together.n);
        for (size_t i = 0; i < alone.n; i++)
            check_batch(count, &alone.items[i], 1);
        CHECK_EQ(differences(&together, &alone), 0);
        crowd_free(&together);
        crowd_free(&alone);
    }
}

/* The loss of doubles that are floats is the same number, and the gradient the one that was rounded. */
static void doubles_give_the_same(void)
{
    static crowd c;
    static double z[3000], g[3000], post[3000];
    crowd_make(&c, 60, 1000, 6);
    size_t different = 0;
    for (size_t i = 0; i < c.n; i++) {
        loco_count_item *item = &c.items[i];
        double loss;
        for (size_t t = 0; t < item->length; t++)
            z[t] = (double)item->logits[t * item->stride];
        check_batch(count, item, 1);
        CHECK_STATUS(loco_count_loss(&loss, g, post, count, z, item->length, item->label, &err), LOCO_OK);
        different += loss != item->loss;
        for (size_t t = 0; t < item->length; t++) {
            different += item->grad != NULL && item->grad[t * item->stride] != (float)g[t];
            different += item->posterior != NULL && item->posterior[t * item->stride] != (float)post[t];
        }
    }
    CHECK_EQ(different, 0);
    crowd_free(&c);
}

/* Plain arrays of equal length, as a network hands them over: full groups of lanes and a rest. */
static void plain_batches_agree_with_items(void)
{
    enum { B = 13, T = 101 };
    static float z[B][T], g[B][T], post[B][T], one_g[T], one_post[T];
    loco_count_item batch[B];
    lc_rng rng = lc_rng_seed(42);
    for (size_t i = 0; i < B; i++) {
        for (size_t t = 0; t < T; t++)
            z[i][t] = (float)(-4 + 2 * lc_rng_normal(&rng));
        batch[i] = (loco_count_item){z[i], T, 1, loco_label_exact(1 + i % 5), g[i], post[i], 0};
    }
    check_batch(count, batch, B);
    for (size_t i = 0; i < B; i++) {
        loco_count_item one = {z[i], T, 1, batch[i].label, one_g, one_post, 0};
        check_batch(count, &one, 1);
        CHECK_NEAR(one.loss, batch[i].loss, 0);
        CHECK(case_same(one_g, g[i], sizeof one_g) && case_same(one_post, post[i], sizeof one_post));
    }
}

/* More cells than waking threads costs, and one sequence that is long enough for them. */
static void threads_change_nothing(void)
{
    static crowd one, two, five;
    loco_count *second = case_handle(2), *fifth = case_handle(5);
    size_t n = CASE_SLOW ? 300 : MANY, T = CASE_SLOW ? 40000 : 150000;
    crowd_make(&one, n, 1000, 7);
    crowd_make(&two, n, 1000, 7);
    crowd_make(&five, n, 1000, 7);
    check_batch(count, one.items, n);
    check_batch(second, two.items, n);
    check_batch(fifth, five.items, n);
    CHECK_EQ(differences(&one, &two), 0);
    CHECK_EQ(differences(&one, &five), 0);
    crowd_free(&one);
    crowd_free(&two);
    crowd_free(&five);
    double *z = case_array(T, sizeof *z), *a = case_array(T, sizeof *a), *b = case_array(T, sizeof *b), loss[2];
    lc_rng rng = lc_rng_seed(43);
    case_clip(&rng, z, T);
    for (size_t labels = 100; labels < T; labels *= 10) {
        CHECK_STATUS(loco_count_loss(&loss[0], NULL, a, count, z, T, loco_label_exact(labels), &err), LOCO_OK);
        CHECK_STATUS(loco_count_loss(&loss[1], NULL, b, second, z, T, loco_label_exact(labels), &err), LOCO_OK);
        CHECK_NEAR(loss[0], loss[1], 0);
        CHECK(case_same(a, b, T * sizeof *a));
    }
    free(z);
    free(a);
    free(b);
    loco_count_free(second);
    loco_count_free(fifth);
}

/* ---- other kernels ---- */

static void reference_kernels_agree(void)
{
    static crowd fast, slow;
    setenv("LOCO_KERNELS", "ref", 1);
    loco_count *plain = case_handle(1);
    unsetenv("LOCO_KERNELS");
    double loss_error = 0, float_error = 0;
    crowd_make(&fast, 200, 3000, 8);
    crowd_make(&slow, 200, 3000, 8);
    check_batch(count, fast.items, fast.n);
    check_batch(plain, slow.items, slow.n);
    for (size_t i = 0; i < fast.n; i++) {
        const loco_count_item *a = &fast.items[i], *b = &slow.items[i];
        worst_note(&loss_error, a->loss, b->loss, fmax(1, b->loss));
        for (size_t t = 0; t < a->length; t++) {
            if (a->grad != NULL)
                worst_note(&float_error, (double)a->grad[t * a->stride], (double)b->grad[t * a->stride], 1);
            if (a->posterior != NULL)
                worst_note(&float_error, (double)a->posterior[t * a->stride], (double)b->posterior[t * a->stride], 1);
        }
    }
    CHECK_WORST(loss_error, 1e-12);
    CHECK_WORST(float_error, 1e-7);
    crowd_free(&fast);
    crowd_free(&slow);
    loco_count_free(plain);
}

int main(void)
{
    unsetenv("LOCO_KERNELS");
    count = case_handle(1);
    RUN(wrong_arguments_are_refused);
    RUN(wrong_items_are_refused);
    RUN(all_sets_agree);
    RUN(other_items_change_nothing);
    RUN(doubles_give_the_same);
    RUN(plain_batches_agree_with_items);
    RUN(threads_change_nothing);
    RUN(reference_kernels_agree);
    loco_count_free(count);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_plane.c - events of images: maps of Gaussian blobs of mass 1 whose centres are known. */
#include "cases.h"

#include "base/rng.h"
#include "detect/plane.h"

enum { ROWS = 40, COLUMNS = 32, K = 2 };

typedef struct blob {
    double x, y; /* pixels */
    size_t kind;
    double mass, spread; /* spread in pixels */
} blob;

static double p[ROWS * COLUMNS * K];
static float logits[ROWS * COLUMNS * K];

/* The part of a Gaussian that falls into a cell. */
static double part(double centre, double spread, double from, double to)
{
    return 0.5 * (erf((to - centre) / (spread * sqrt(2))) - erf((from - centre) / (spread * sqrt(2))));
}

/* A map of blobs on a background; its upper left pixel is (dx, dy) of the picture. */
static lc_plane map_of(const blob *blobs, size_t n, size_t rows, size_t columns, double cell, double dx, double dy)
{
    for (size_t i = 0; i < rows * columns * K; i++)
        p[i] = 1e-6;
    for (size_t b = 0; b < n; b++)
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c++) {
                double top = (double)r * cell - 0.5 + dy, left = (double)c * cell - 0.5 + dx;
                p[(r * columns + c) * K + blobs[b].kind] += blobs[b].mass *
                                                            part(blobs[b].y, blobs[b].spread, top, top + cell) *
                                                            part(blobs[b].x, blobs[b].spread, left, left + cell);
            }
    for (size_t i = 0; i < rows * columns * K; i++)
        logits[i] = (float)log(p[i] / (1 - p[i]));
    return (lc_plane){rows, columns, K, cell, logits};
}

static lc_decoding mass(double window, double threshold, double gap)
{
    return (lc_decoding){.method = LC_DECODE_MASS, .window = window, .threshold = threshold, .gap = gap};
}

static lc_event_array decoded(const lc_plane *plane, lc_decoding decoding)
{
    lc_event_array list = {0};
    CHECK_STATUS(lc_plane_decode(&list, plane, &decoding, NULL, NULL), LOCO_OK);
    return list;
}

static void check_refused(lc_plane plane, lc_decoding decoding, const double *thresholds, const char *says)
{
    lc_event_array list = {0};
    loco_err err = {""};
    lc_event_array_add(&list, &(loco_event){.time = 7});
    CHECK_STATUS(lc_plane_decode(&list, &plane, &decoding, thresholds, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    CHECK(list.len == 1);
    lc_event_array_free(&list);
}

static void wrong_arguments(void)
{
    lc_plane plane = {2, 2, 1, 4, logits}, bad = plane;
    check_refused(plane, lc_decoding_default(LC_DECODE_COUNT), NULL, "count follows time; for images use mass or peak");
    check_refused(plane, mass(-1, 0.3, 4), NULL, "out of range");
    check_refused(plane, mass(4, 0.3, 4), (double[]){0}, "threshold of class 0");
    bad.cell = 0;
    check_refused(bad, mass(4, 0.3, 4), NULL, "pixels from place to place");
    bad = plane;
    bad.rows = (size_t)1 << 33;
    bad.columns = (size_t)1 << 33;
    check_refused(bad, mass(4, 0.3, 4), NULL, "at most 2147483648");
    lc_plane_sum sum = {.passes = 3};
    CHECK_STATUS(lc_plane_sum_new(&sum, 0, 4, 1, 1, NULL), LOCO_EARG);
    CHECK_STATUS(lc_plane_sum_new(&sum, 4, 4, 1, 0, NULL), LOCO_EARG);
    CHECK(sum.passes == 3);
}

/* The centre of pixel (0, 0) is (0, 0), so that of the first cell of 8 x 8 is (3.5, 3.5). */
static void one_place(void)
{
    static const double cells[] = {1, 4, 8};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 9; k++)
            logits[k] = -30;
        logits[5] = 30; /* row 1, column 2 of 3 x 3 */
        lc_plane plane = {3, 3, 1, cells[i], logits};
        lc_decoding peak = lc_decoding_default(LC_DECODE_PEAK);
        for (int method = 0; method < 3; method++) {
            lc_event_array list = decoded(&plane, method == 0 ? peak : mass(method == 1 ? 0 : 3 * cells[i], 0.3, 0));
            CHECK(list.len == 1);
            CHECK_NEAR(list.events[0].x, 2.5 * cells[i] - 0.5, 1e-6);
            CHECK_NEAR(list.events[0].time, 1.5 * cells[i] - 0.5, 1e-6);
            CHECK_NEAR(list.events[0].probability, 1, 1e-6);
            lc_event_array_free(&list);
        }
    }
    for (size_t k = 0; k < 9; k++)
        logits[k] = NAN;
    lc_plane nothing = {3, 3, 1, 1, logits}, empty = {0, 0, 1, 1, logits};
    CHECK(decoded(&nothing, mass(2, 1e-6, 0)).len == 0);
    CHECK(decoded(&empty, mass(2, 1e-6, 0)).len == 0);
}

/* A blob anywhere in its cell, also at the edge of the image: found at its centre, with its mass. */
static void one_blob(void)
{
    lc_rng rng = lc_rng_seed(3);
    for (int i = 0; i < 100; i++) {
        blob b = {20 + 60 * lc_rng_uniform(&rng), 20 + 80 * lc_rng_uniform(&rng), 1, 0.4 + 0.55 * lc_rng_uniform(&rng),
                  2 + lc_rng_uniform(&rng)};
        lc_plane plane = map_of(&b, 1, 30, 25, 4, 0, 0);
        lc_event_array list = decoded(&plane, mass(10, 0.3, 10));
        CHECK(list.len == 1 && list.events[0].kind == 1);
        CHECK_NEAR(list.events[0].x, b.x, 0.05);
        CHECK_NEAR(list.events[0].time, b.y, 0.05);
        CHECK_NEAR(list.events[0].probability, b.mass, 0.01);
        lc_event_array_free(&list);
        CHECK(decoded(&plane, mass(10, b.mass + 0.02, 10)).len == 0);
    }
}

/* Windows overlap, and no mass counts twice: two blobs nearer than two windows have their own each, where they belong. */
static void near_blobs(void)
{
    const blob blobs[] = {
        {40, 50, 0, 0.95, 2  },
        {49, 51, 0, 0.95, 2  },
        {90, 20, 1, 0.95, 1.5},
        {60, 21, 1, 0.95, 1.5}
    };
    lc_plane plane = map_of(blobs, 4, ROWS, COLUMNS, 4, 0, 0);
    lc_event_array list = decoded(&plane, mass(8, 0.3, 6));
    CHECK(list.len == 4);
    static const size_t order[] = {2, 3, 0, 1}; /* by y */
    for (size_t i = 0; i < 4 && list.len == 4; i++) {
        const blob *b = &blobs[order[i]];
        CHECK(list.events[i].kind == b->kind);
        CHECK_NEAR(list.events[i].x, b->x, 0.5);
        CHECK_NEAR(list.events[i].time, b->y, 0.1);
        CHECK_NEAR(list.events[i].probability, 0.95, 0.05);
    }
    lc_event_array_free(&list);
    list = decoded(&plane, mass(8, 0.3, 12)); /* within the gap the weaker one goes; of the other class it stays */
    CHECK(list.len == 3);
    lc_event_array_free(&list);
    lc_decoding decoding = mass(8, 0.3, 6);
    CHECK_STATUS(lc_plane_decode(&list, &plane, &decoding, (double[]){0.3, 1}, NULL), LOCO_OK);
    CHECK(list.len == 2 && list.events[0].kind == 0);
    lc_event_array_free(&list);
}

/* A speck whose window holds much of a blob beside it, but to which little belongs: none of its own above 0.2. */
static void specks(void)
{
    const blob blobs[] = {
        {30, 30, 0, 0.8,  2  },
        {39, 30, 0, 0.15, 0.7}
    };
    lc_plane plane = map_of(blobs, 2, 30, 30, 2, 0, 0);
    lc_event_array list = decoded(&plane, mass(7, 0.2, 3)), both = decoded(&plane, mass(7, 0.08, 3));
    CHECK(list.len == 1 && both.len == 2);
    CHECK_NEAR(list.events[0].x, 30, 0.5);
    lc_event_array_free(&list);
    lc_event_array_free(&both);
}

/* A map of noise has the events of its mirror image, mirrored. */
static void mirrored(void)
{
    static float turned[ROWS * COLUMNS];
    lc_rng rng = lc_rng_seed(5);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < COLUMNS; c++) {
            logits[r * COLUMNS + c] = (float)(3 * lc_rng_normal(&rng) - 4);
            turned[c * ROWS + r] = logits[r * COLUMNS + c];
        }
    lc_plane plane = {ROWS, COLUMNS, 1, 2, logits}, other = {COLUMNS, ROWS, 1, 2, turned};
    lc_event_array list = decoded(&plane, mass(5, 0.5, 6)), back = decoded(&other, mass(5, 0.5, 6));
    CHECK(list.len > 20 && list.len == back.len);
    for (size_t i = 0; i < list.len; i++) {
        double nearest = 1e9;
        for (size_t k = 0; k < back.len; k++)
            nearest = fmin(nearest,
                           hypot(back.events[k].x - list.events[i].time, back.events[k].time - list.events[i].x));
        CHECK(nearest < 1e-4);
        CHECK(i == 0 || list.events[i].time >= list.events[i - 1].time);
        CHECK(list.events[i].probability >= 0.5 && list.events[i].probability <= 1);
    }
    lc_event_array_free(&list);
    lc_event_array_free(&back);
}

/* Four blobs at random places, at least 28 px apart, in an image of 128 x 128. */
static void draw(blob *blobs, lc_rng *rng)
{
    for (size_t i = 0; i < 4;) {
        blobs[i] = (blob){14 + 100 * lc_rng_uniform(rng), 14 + 100 * lc_rng_uniform(rng), 0, 1, 5.6};
        bool far = true;
        for (size_t k = 0; k < i; k++)
            far = far && hypot(blobs[k].x - blobs[i].x, blobs[k].y - blobs[i].y) > 28;
        i += far;
    }
}

/* The events are the blobs; adds the distances. */
static void check_found(const lc_event_array *list, const blob *blobs, double *distances)
{
    CHECK(list->len == 4);
    for (size_t i = 0; i < 4; i++) {
        double nearest = 1e9;
        for (size_t k = 0; k < list->len; k++)
            nearest = fmin(nearest, hypot(list->events[k].x - blobs[i].x, list->events[k].time - blobs[i].y));
        CHECK(nearest < 8);
        *distances += nearest;
    }
}

/* Logits as a network has them: each place off by a factor of its own. */
static void roughen(lc_rng *rng, size_t n)
{
    for (size_t i = 0; i < n; i++)
        logits[i] += (float)(0.7 * lc_rng_normal(rng));
}

static void votes(void)
{
    lc_rng rng = lc_rng_seed(11);
    double once = 0, voted = 0;
    enum { MAPS = 50 };
    for (int m = 0; m < MAPS; m++) {
        blob blobs[4];
        lc_plane_sum sum;
        draw(blobs, &rng);
        CHECK_STATUS(lc_plane_sum_new(&sum, 128, 128, K, 1, NULL), LOCO_OK);
        for (int shift = 0; shift < 16; shift++) {
            double dx = -2 * (shift % 4), dy = -2 * (shift / 4);
            lc_plane plane = map_of(blobs, 4, 17, 17, 8, dx, dy);
            roughen(&rng, (size_t)17 * 17 * K);
            lc_event_array list = decoded(&plane, mass(14, 0.3, 20));
            if (shift == 0)
                check_found(&list, blobs, &once);
            lc_event_array_free(&list);
            lc_plane_add(&sum, &plane, dx, dy);
        }
        lc_decoding decoding = mass(14, 0.3, 20);
        lc_event_array list = {0};
        CHECK_STATUS(lc_plane_vote(&list, &sum, &decoding, NULL, NULL), LOCO_OK);
        check_found(&list, blobs, &voted);
        lc_event_array_free(&list);
        lc_plane_sum_free(&sum);
    }
    printf("mean distance %.3f px, with 16 shifts %.3f px\n", once / (4 * MAPS), voted / (4 * MAPS));
    CHECK(once / (4 * MAPS) < 2 && voted < 0.5 * once);
}

/* What a pass holds beyond the image is left out; one that fits keeps its mass and its centroid. */
static void sums(void)
{
    blob b = {7.3, 6.2, 0, 1, 2};
    lc_plane plane = map_of(&b, 1, 5, 5, 4, -2, -1);
    lc_plane_sum sum;
    double total = 0, x = 0, y = 0;
    CHECK_STATUS(lc_plane_sum_new(&sum, 17, 18, K, 0.5, NULL), LOCO_OK);
    CHECK(sum.rows == 34 && sum.columns == 36);
    lc_plane_add(&sum, &plane, -2, -1);
    for (size_t i = 0; i < sum.rows * sum.columns; i++) {
        total += (double)sum.mass[i];
        x += (double)sum.mass[i] * (((double)(i % sum.columns) + 0.5) * 0.5 - 0.5);
        y += (double)sum.mass[i] * (((double)(i / sum.columns) + 0.5) * 0.5 - 0.5);
    }
    CHECK_NEAR(total, 1, 0.01);
    CHECK_NEAR(x / total, 7.3, 0.1);
    CHECK_NEAR(y / total, 6.2, 0.1);
    float before = sum.mass[0];
    lc_plane_add(&sum, &plane, -100, 0);
    CHECK(sum.mass[0] <= before && sum.mass[0] >= before && sum.passes == 2);
    lc_plane_sum_free(&sum);
}

int main(void)
{
    RUN(wrong_arguments);
    RUN(one_place);
    RUN(one_blob);
    RUN(near_blobs);
    RUN(specks);
    RUN(mirrored);
    RUN(votes);
    RUN(sums);
    return check_done();
}

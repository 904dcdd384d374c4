/* SPDX-License-Identifier: MIT
 * test_sounds.c - recordings in memory and on disk give the same samples, silence around them, and any speed. */
#include "train_cases.h"

#include "data/sounds.h"

enum { RATE = 22050, LEN = 30000, MOST = 40000 };

static lc_pool *pool;
static lc_dataset *set;

static float tone(double seconds)
{
    return (float)(0.5 * sin(2 * 3.14159265358979 * 440 * seconds) + 0.2 * sin(2 * 3.14159265358979 * 1250 * seconds));
}

static void make_set(void)
{
    float *x = case_array(MOST, sizeof *x);
    for (size_t i = 0; i < LEN; i++)
        x[i] = tone((double)i / RATE);
    run_wav("a.wav", RATE, x, LEN);
    for (size_t i = 0; i < MOST; i++)
        x[i] = tone((double)i / 44100);
    run_wav("b.wav", 44100, x, MOST);
    free(x);
    run_write("counts.csv", "file,start,end,tone\na.wav,0,0.5,1\nb.wav,0,0.5,1\n");
    loco_err err = {""};
    CHECK_STATUS(lc_dataset_load(&set, run_folder, &err), LOCO_OK);
    CHECK_STATUS(lc_pool_new(&pool, 2, &err), LOCO_OK);
}

static lc_sounds *open_sounds(size_t memory)
{
    lc_sounds *sounds = NULL;
    loco_err err = {""};
    if (lc_sounds_new_channels(&sounds, set, RATE, (lc_columns){0, NULL}, memory, pool, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return sounds;
}

static double largest_difference(const float *a, const float *b, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst_note(&worst, (double)a[i], (double)b[i], 1);
    return worst;
}

/* Anywhere, also partly or wholly outside, and on no sample's place. */
static void memory_and_disk_agree(void)
{
    lc_sounds *memory = open_sounds((size_t)1 << 30), *disk = open_sounds(0), *one = open_sounds(LEN * 4 + 100);
    static float x[MOST], y[MOST], z[MOST];
    lc_rng rng = lc_rng_seed(5);
    double same = 0, near = 0, third = 0;
    for (size_t i = 0; i < 60; i++) {
        double start = -0.4 + 2.2 * lc_rng_uniform(&rng);
        double speed = i % 2 == 0 ? 1 : 0.8 + 0.4 * lc_rng_uniform(&rng);
        size_t n = 1 + case_below(&rng, 9000);
        for (size_t r = 0; r < 2; r++) {
            CHECK_STATUS(lc_sounds_read(memory, r, start, speed, x, n, NULL), LOCO_OK);
            CHECK_STATUS(lc_sounds_read(disk, r, start, speed, y, n, NULL), LOCO_OK);
            CHECK_STATUS(lc_sounds_read(one, r, start, speed, z, n, NULL), LOCO_OK);
            worst_note(r == 0 ? &same : &near, largest_difference(x, y, n), 0, 1);
            worst_note(&third, largest_difference(r == 0 ? x : y, z, n), 0, 1);
        }
    }
    CHECK_WORST(same, 0);    /* a recording of the rate itself */
    CHECK_WORST(near, 1e-4); /* resampled from elsewhere */
    CHECK_WORST(third, 0);   /* the first fits, the second stays on disk */
    CHECK_NEAR(lc_sounds_seconds(memory, 0), (double)LEN / RATE, 1e-12);
    CHECK_NEAR(lc_sounds_seconds(disk, 0), (double)LEN / RATE, 1e-12);
    CHECK_NEAR(lc_sounds_seconds(memory, 1), lc_sounds_seconds(disk, 1), 1.0 / RATE);
    lc_sounds_free(memory);
    lc_sounds_free(disk);
    lc_sounds_free(one);
}

/* Sample i is what the recording has at start + i / RATE; silence before, after and far away. */
static void outside_is_silence(void)
{
    for (size_t memory = 0; memory < 2; memory++) {
        lc_sounds *sounds = open_sounds(memory << 30);
        static float x[MOST];
        double wrong = 0, loud = 0;
        CHECK_STATUS(lc_sounds_read(sounds, 0, -100.0 / RATE, 1, x, LEN + 200, NULL), LOCO_OK);
        for (size_t i = 0; i < LEN; i++)
            worst_note(&wrong, (double)x[100 + i], (double)tone((double)i / RATE), 1);
        for (size_t i = 0; i < 100; i++)
            loud += fabs((double)x[i]) + fabs((double)x[LEN + 100 + i]);
        CHECK_WORST(wrong, 1e-7);
        CHECK_NEAR(loud, 0, 0);
        static const double far[] = {-5, -1.0001, 1e6, (double)LEN / RATE};
        for (size_t i = 0; i < 4; i++) {
            memset(x, 0xff, sizeof x);
            CHECK_STATUS(lc_sounds_read(sounds, 0, far[i], 1, x, RATE, NULL), LOCO_OK);
            for (size_t j = 0; j < RATE; j++)
                if (x[j] < 0 || x[j] > 0 || isnan(x[j]))
                    CHECK_NEAR((double)x[j], 0, 0);
        }
        lc_sounds_free(sounds);
    }
}

/* A part of a sample at either end is nothing that could be read, and no error. */
static void edges_by_a_part_of_a_sample(void)
{
    for (size_t memory = 0; memory < 2; memory++) {
        lc_sounds *sounds = open_sounds(memory << 30);
        float x[10];
        loco_err err = {""};
        for (size_t i = 0; i < 10; i++) {
            double part = (double)i / 10 / RATE;
            CHECK_STATUS(lc_sounds_read(sounds, 0, -10.0 / RATE + part, 1, x, 10, &err), LOCO_OK);
            CHECK_STATUS(lc_sounds_read(sounds, 0, (double)LEN / RATE - part, 1, x, 10, &err), LOCO_OK);
            CHECK_STATUS(lc_sounds_read(sounds, 1, lc_sounds_seconds(sounds, 1) - part, 1, x, 10, &err), LOCO_OK);
            CHECK_STATUS(lc_sounds_read(sounds, 1, -10.0 / RATE + part, 1.1, x, 10, &err), LOCO_OK);
        }
        CHECK_STR(err.text, "");
        lc_sounds_free(sounds);
    }
}

/* Sample i is the sound at start + i * speed / RATE. */
static void speed_reads_faster(void)
{
    static const double speeds[] = {0.5, 0.92, 1.08, 1.5};
    lc_sounds *sounds = open_sounds((size_t)1 << 30);
    static float x[MOST];
    double inside = 0;
    for (size_t s = 0; s < 4; s++) {
        double start = 0.20003;
        CHECK_STATUS(lc_sounds_read(sounds, 0, start, speeds[s], x, 8000, NULL), LOCO_OK);
        for (size_t i = 0; i < 8000; i++)
            worst_note(&inside, (double)x[i], (double)tone(start + (double)i * speeds[s] / RATE), 1);
    }
    CHECK_WORST(inside, 2e-3);
    lc_sounds_free(sounds);
}

static void missing_files_are_reported(void)
{
    lc_sounds *sounds = NULL;
    loco_err err = {""};
    CHECK(rename(run_path("b.wav"), run_path("c.wav")) == 0);
    CHECK(lc_sounds_new_channels(&sounds, set, RATE, (lc_columns){0, NULL}, (size_t)1 << 30, pool, &err) != LOCO_OK);
    CHECK_SAYS(err.text, "b.wav");
    CHECK(sounds == NULL);
    CHECK(rename(run_path("c.wav"), run_path("b.wav")) == 0);
    lc_sounds_free(NULL);
}

/* Of series the ends are held, and the scale is that of the whole recording, in memory or not. */
static void series_hold_their_ends(void)
{
    lc_dataset *series = NULL;
    lc_sounds *sounds = NULL;
    lc_frontend *front = NULL;
    lc_frontend_settings settings;
    loco_err err = {""};
    run_write("s.csv", "# rate: 10\na,b\n1,-1\n2,-2\n3,-3\n4,-4\n");
    run_write("series.csv", "file,start,end,x\ns.csv,0,0.3,1\n");
    CHECK_STATUS(lc_dataset_load(&series, run_path("series.csv"), &err), LOCO_OK);
    CHECK_STATUS(lc_frontend_parse(&settings, "series rate=10 channels=2 low=0", &err), LOCO_OK);
    CHECK_STATUS(lc_frontend_new(&front, &settings, &err), LOCO_OK);
    for (size_t memory = 0; memory <= 4096; memory += 4096) {
        static const float want[] = {1, 1, 1, 2, 3, 4, 4, 4}, half[] = {1, 1.4375f, 2.5f};
        float x[16] = {0};
        lc_scale scale = {{0}, {0}};
        CHECK_STATUS(lc_sounds_new_channels(&sounds, series, 10, (lc_columns){2, NULL}, memory, pool, &err), LOCO_OK);
        CHECK_STR(err.text, "");
        CHECK_NEAR(lc_sounds_seconds(sounds, 0), 0.4, 1e-9);
        CHECK_STATUS(lc_sounds_read(sounds, 0, -0.2, 1, x, 8, &err), LOCO_OK);
        for (size_t i = 0; i < 8; i++)
            CHECK(x[2 * i] >= want[i] && x[2 * i] <= want[i] && x[2 * i + 1] <= -want[i] && x[2 * i + 1] >= -want[i]);
        CHECK_STATUS(lc_sounds_read(sounds, 0, -0.05, 1.0000001, x, 3, &err), LOCO_OK); /* between the samples */
        CHECK(x[0] <= half[0] && x[0] > 0.9f);
        CHECK_NEAR(x[2], half[1], 1e-4);
        CHECK_NEAR(x[4], half[2], 1e-4);
        CHECK_STATUS(lc_sounds_read(sounds, 0, 0.06, 1, x, 2, &err),
                     LOCO_OK); /* at its own speed: the nearest sample */
        CHECK(x[0] >= 2 && x[0] <= 2 && x[2] >= 3 && x[2] <= 3);
        lc_frontend_measure(front, x, 2); /* is forgotten */
        CHECK_STATUS(lc_sounds_scale(sounds, 0, front, &scale, &err), LOCO_OK);
        CHECK_NEAR(scale.mean[1], -2.5, 1e-9);
        CHECK_NEAR(scale.spread[0], sqrt(1.25), 1e-9);
        lc_sounds_free(sounds);
    }
    CHECK_STATUS(lc_sounds_new_channels(&sounds, series, 10, (lc_columns){3, NULL}, 4096, pool, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "s.csv: has 2 channels, and 3 are wanted");
    lc_frontend_free(front);
    lc_dataset_free(series);
}

int main(void)
{
    run_begin();
    make_set();
    RUN(memory_and_disk_agree);
    RUN(outside_is_silence);
    RUN(edges_by_a_part_of_a_sample);
    RUN(speed_reads_faster);
    RUN(missing_files_are_reported);
    RUN(series_hold_their_ends);
    lc_pool_free(pool);
    lc_dataset_free(set);
    return run_done();
}

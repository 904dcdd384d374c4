/* SPDX-License-Identifier: MIT
 * test_example.c - one clip as one example: where it lies, what of it is counted, and that it does not depend
 *   on those before. What batches of them hold is test_feed's. */
#include "train_cases.h"

#include "train/example.h"

enum { RATE = 22050, HOP = 220, MOST = 3 * RATE };

/* Three clips of one recording of 3 s; the last is open. */
typedef struct source {
    lc_dataset *set;
    lc_sounds *sounds;
    lc_pool *pool;
    lc_recipe recipe;
    lc_example_source source;
    size_t clips[3];
    uint8_t taught[1];
} source;

static void source_open(source *s)
{
    static const char *const pairs[] = {"frontend.bands=12", "gain=0", "noise=-120", "tilt=0", "context=0.1"};
    loco_err err = {""};
    *s = (source){
        .clips = {0, 1, 2}
    };
    CHECK_STATUS(lc_pool_new(&s->pool, 1, &err), LOCO_OK);
    CHECK_STATUS(lc_dataset_load(&s->set, run_path("set"), &err), LOCO_OK);
    CHECK_STATUS(lc_recipe_preset(&s->recipe, "sound", &err), LOCO_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_STATUS(lc_recipe_set(&s->recipe, pairs[i], &err), LOCO_OK);
    CHECK_STATUS(
        lc_sounds_new_channels(&s->sounds, s->set, RATE, (lc_columns){0, NULL}, (size_t)1 << 30, s->pool, &err),
        LOCO_OK);
    CHECK_STR(err.text, "");
    if (s->sounds == NULL)
        exit(1);
    s->source = (lc_example_source){.set = s->set,
                                    .sounds = s->sounds,
                                    .recipe = &s->recipe,
                                    .clips = s->clips,
                                    .clips_len = 3,
                                    .taught = s->taught,
                                    .size = lc_frontend_bins(&s->recipe.frontend) *
                                            lc_frontend_channels(&s->recipe.frontend),
                                    .K = 1,
                                    .places = 1,
                                    .inputs = 1,
                                    .most_samples = MOST};
}

static void source_close(source *s)
{
    lc_sounds_free(s->sounds);
    lc_dataset_free(s->set);
    lc_pool_free(s->pool);
}

static void draws_stay_in_range(void)
{
    lc_rng rng = lc_rng_seed(1);
    double low = 0, high = 0;
    bool seen[5] = {false};
    for (int i = 0; i < 1000; i++) {
        double x = lc_draw_swing(&rng, 0.3);
        low = fmin(low, x);
        high = fmax(high, x);
        size_t n = lc_draw_below(&rng, 5);
        CHECK(n < 5);
        seen[n % 5] = true;
    }
    CHECK(low >= -0.3 && low < -0.29 && high <= 0.3 && high > 0.29);
    CHECK(seen[0] && seen[1] && seen[2] && seen[3] && seen[4]);
}

static void clips_lie_where_they_say(void)
{
    source s;
    source_open(&s);
    lc_draw d = {.speed = 1};
    lc_draw_clip(&s.source, 1, &d);
    CHECK_NEAR(d.start, 1, 1e-9);
    CHECK_NEAR(d.end, 1.5, 1e-9);
    CHECK(d.labels == s.set->clips[1].labels);
    lc_draw_clip(&s.source, 2, &d);
    CHECK_NEAR(d.end, 3, 1e-3); /* open: to the end of the recording */
    CHECK_NEAR(lc_clip_seconds(&s.source, &s.set->clips[2]), 1.5, 1e-3);
    source_close(&s);
}

/* In buffers that hold something else: frames, labels and range are the same, at half the speed twice as many. */
static void examples_need_nothing_of_others(void)
{
    source s;
    source_open(&s);
    size_t most = MOST / HOP + 2;
    float *buffers = case_array(2 * MOST + 2 * most * s.source.size, sizeof *buffers);
    loco_label labels[2];
    lc_example_scratch w = {.samples = buffers, .second = buffers + MOST};
    lc_slot slots[2] = {
        {.frames = buffers + 2 * (size_t)MOST,                        .labels = &labels[0]},
        {.frames = buffers + 2 * (size_t)MOST + most * s.source.size, .labels = &labels[1]},
    };
    lc_example e[2];
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_new(&w.front, &s.recipe.frontend, &err), LOCO_OK);
    for (size_t i = 0; i < 2; i++) {
        lc_draw d = {.speed = 1, .stretch = 1};
        lc_draw_clip(&s.source, 1, &d);
        CHECK_STATUS(lc_example_make(&s.source, &d, &w, &slots[i], &e[i], &err), LOCO_OK);
        CHECK_EQ(e[i].T, (size_t)ceil(0.7 * RATE / HOP));
        CHECK_EQ(e[i].begin, (size_t)ceil(0.1 * RATE / HOP));
        CHECK_EQ(e[i].end, (size_t)ceil(0.6 * RATE / HOP));
        CHECK(e[i].events == NULL && e[i].labels[0].lo == 2 && e[i].labels[0].hi == 2);
        for (size_t j = 0; i == 0 && j < 2 * (size_t)MOST; j++)
            buffers[j] = 100;
    }
    CHECK(case_same(e[0].frames, e[1].frames, e[0].T * s.source.size * sizeof(float)));
    lc_draw slow = {.speed = 0.5, .stretch = 1};
    lc_draw_clip(&s.source, 1, &slow);
    CHECK_STATUS(lc_example_make(&s.source, &slow, &w, &slots[0], &e[0], &err), LOCO_OK);
    CHECK_EQ(e[0].end - e[0].begin, (size_t)ceil(1.1 * RATE / HOP) - e[0].begin);
    lc_frontend_free(w.front);
    free(buffers);
    source_close(&s);
}

int main(void)
{
    run_begin();
    CHECK(mkdir(run_path("set"), 0777) == 0);
    run_bursts("set/r.wav", RATE, 3, (const double[]){0.2, 1.1, 1.3, 2.1}, 4);
    run_write("set/counts.csv", "file,start,end,a\nr.wav,0,1,1\nr.wav,1,1.5,2\nr.wav,1.5,,1\n");
    RUN(draws_stay_in_range);
    RUN(clips_lie_where_they_say);
    RUN(examples_need_nothing_of_others);
    return run_done();
}

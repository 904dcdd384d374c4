/* SPDX-License-Identifier: MIT
 * test_feed.c - examples for training: the same for any number of threads, of the right frames, with the right labels.
 *
 * The recording is 6 s of bursts, "a" every 0.5 s and "b" every 0.25 s, so that every second of it holds 2 and 4. */
#include "train_cases.h"

#include "train/feed.h"

#include <stdint.h>

enum { RATE = 22050, HOP = 220, BANDS = 24, MOST = 64 };

static lc_pool *pools[3]; /* of 1 and 2 threads */

/* A feed over all of a data set. */
typedef struct source {
    lc_dataset *set;
    lc_sounds *sounds;
    lc_recipe recipe;
    uint8_t all[64];
} source;

static void source_open(source *s, const char *name, const char *const *sets, size_t sets_len)
{
    static const char *const still[] = {"frontend.bands=24", "batch=4", "gain=0", "noise=-120", "tilt=0"};
    loco_err err = {""};
    *s = (source){.set = NULL};
    memset(s->all, 1, sizeof s->all);
    CHECK_STATUS(lc_dataset_load(&s->set, run_path(name), &err), LOCO_OK);
    CHECK_STATUS(lc_recipe_preset(&s->recipe, "sound", &err), LOCO_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_STATUS(lc_recipe_set(&s->recipe, still[i], &err), LOCO_OK);
    for (size_t i = 0; i < sets_len; i++)
        CHECK_STATUS(lc_recipe_set(&s->recipe, sets[i], &err), LOCO_OK);
    CHECK_STATUS(
        lc_sounds_new_channels(&s->sounds, s->set, RATE, (lc_columns){0, NULL}, (size_t)1 << 30, pools[2], &err),
        LOCO_OK);
    CHECK_STR(err.text, "");
    if (s->sounds == NULL || s->set->clips_len > 64)
        exit(1);
}

static void source_close(source *s)
{
    lc_sounds_free(s->sounds);
    lc_dataset_free(s->set);
}

static loco_status feed_over(lc_feed **feed, const source *s, unsigned threads, loco_err *err)
{
    lc_feed_source from = {s->set, s->sounds, s->all, s->all, 0};
    return lc_feed_new(feed, &from, &s->recipe, pools[threads], err);
}

static lc_feed *feed_of(const source *s, unsigned threads)
{
    lc_feed *feed = NULL;
    loco_err err = {""};
    if (feed_over(&feed, s, threads, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return feed;
}

static const lc_example *batch_of(lc_feed *feed, uint64_t step)
{
    const lc_example *batch = NULL;
    loco_err err = {""};
    if (lc_feed_batch(feed, step, &batch, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return batch;
}

/* ---- data ---- */

static void make_bursts(void)
{
    double times[40];
    lc_text events = {0};
    CHECK(mkdir(run_path("bursts"), 0777) == 0);
    lc_text_string(&events, "file,time,class\n");
    for (size_t i = 0; i < 24; i++) {
        times[i] = 0.1 + 0.25 * (double)i;
        lc_text_format(&events, "r.wav,%zu.%03zu,b\n", (100 + 250 * i) / 1000, (100 + 250 * i) % 1000);
        if (i % 2 == 0)
            lc_text_format(&events, "r.wav,%zu.%03zu,a\n", (100 + 250 * i) / 1000, (100 + 250 * i) % 1000);
    }
    run_bursts("bursts/r.wav", RATE, 6, times, 24);
    run_write("bursts/events.csv", events.bytes);
    lc_text_free(&events);
    run_write("bursts/counts.csv", "file,start,end,a,b\n"
                                   "r.wav,0,1,2,4\nr.wav,1,1.75,1..2,3\nr.wav,2,2.5,?,?\nr.wav,5,,2,4\n");
}

/* Clips of 0.5 s of one file with these rows. */
static void make_rows(const char *folder, const char *rows)
{
    char name[64];
    lc_text text = {0};
    CHECK(mkdir(run_path(folder), 0777) == 0);
    snprintf(name, sizeof name, "%s/r.wav", folder);
    run_bursts(name, RATE, 6, (const double[]){1.1, 2.1}, 2);
    snprintf(name, sizeof name, "%s/counts.csv", folder);
    lc_text_format(&text, "file,start,end,a,b,c,d\n%s", rows);
    run_write(name, text.bytes);
    lc_text_free(&text);
}

/* ---- refused ---- */

static void refuse(const char *folder, const char *set, const char *says)
{
    source s;
    lc_feed *feed = NULL;
    loco_err err = {""};
    source_open(&s, folder, &set, set != NULL);
    CHECK_STATUS(feed_over(&feed, &s, 1, &err), LOCO_EDATA);
    CHECK(feed == NULL);
    CHECK_SAYS(err.text, says);
    source_close(&s);
}

static void impossible_data_are_refused(void)
{
    make_rows("many", "r.wav,0,0.5,1,1,1,1\nr.wav,0.5,1,1,51,1,1\n");
    refuse("many", NULL, "counts.csv:3: 51 events of b in 0.500 s are more than one in each of its 50 frames");
    make_rows("most", "r.wav,0,0.5,1,1,1,1\nr.wav,0.5,1,1,50,1,1\n");
    source s;
    source_open(&s, "most", NULL, 0);
    lc_feed_free(feed_of(&s, 1));
    source_close(&s);
    make_rows("short", "r.wav,0,0.5,1,1,1,1\nr.wav,0.5,0.505,1,1,1,1\n");
    refuse("short", NULL, "counts.csv:3: a clip of 0.0050 s is shorter than a frame");
    make_rows("silent", "r.wav,0,0.5,?,?,?,?\nr.wav,0.5,1,?,?,?,?\n");
    refuse("silent", NULL, "no clip with a count is left");
    refuse("silent", "longest=0.5", "no recording with event times is as long as 0.5 s");
    refuse("bursts", "longest=6.5", "no recording with event times is as long as 6.5 s");
    refuse("most", "supervised=1", "r.wav has no event times");
    refuse("bursts", "loss=squared", "counts.csv:3: 1..2 of a is not an exact count; only loss=exact");
    refuse("bursts", "loss=poisson", "1..2 of a");
}

/* Frames of a batch, and samples of threads, in 4 GiB: refused before anything is read. */
static void batches_have_a_limit(void)
{
    static const char *const sets[] = {"batch=4096", "context=9", "frontend.hop=22", "frontend.bands=24"};
    source s;
    lc_feed *feed = NULL;
    loco_err err = {""};
    source_open(&s, "bursts", sets, 4);
    CHECK_STATUS(feed_over(&feed, &s, 1, &err), LOCO_EDATA);
    CHECK(feed == NULL);
    CHECK_SAYS(err.text, "4096 clips of up to 1.0 s need ");
    CHECK_SAYS(err.text, "MiB as frames, more than the 4096 that a batch may take; set a smaller batch, cut the clips");
    CHECK_STATUS(lc_recipe_set(&s.recipe, "batch=64", &err), LOCO_OK);
    CHECK_STATUS(feed_over(&feed, &s, 1, &err), LOCO_OK);
    lc_feed_free(feed);
    source_close(&s);
}

/* ---- the same for any number of threads ---- */

static uint64_t hash_of(const void *bytes, size_t n, uint64_t hash)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* All that an example says. */
static uint64_t hash_batch(const source *s, const lc_example *batch)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t b = 0; b < s->recipe.batch; b++) {
        const lc_example *e = &batch[b];
        size_t K = s->set->classes_len;
        const size_t places[] = {e->T, e->begin, e->end};
        hash = hash_of(places, sizeof places, hash);
        hash = hash_of(e->frames, e->T * BANDS * 2 * sizeof(float), hash);
        if (e->labels != NULL)
            hash = hash_of(e->labels, K * sizeof *e->labels, hash);
        if (e->events != NULL)
            hash = hash_of(e->events, e->T * K, hash);
    }
    return hash;
}

static void compare_orders(const char *const *sets, size_t sets_len)
{
    enum { STEPS = 6 };
    static const uint64_t order[STEPS] = {5, 0, 3, 3, 1, 4};
    source s;
    source_open(&s, "bursts", sets, sets_len);
    lc_feed *one = feed_of(&s, 1), *two = feed_of(&s, 2);
    uint64_t want[STEPS];
    for (uint64_t i = 0; i < STEPS; i++)
        want[i] = hash_batch(&s, batch_of(one, i));
    for (size_t i = 0; i < STEPS; i++)
        CHECK(hash_batch(&s, batch_of(two, order[i])) == want[order[i]]);
    for (size_t i = 1; i < STEPS; i++)
        CHECK(want[i] != want[i - 1]);
    s.recipe.seed = 2;
    CHECK(hash_batch(&s, batch_of(one, 1000)) != want[0]);
    CHECK(hash_batch(&s, batch_of(one, 0)) != want[0]);
    lc_feed_free(one);
    lc_feed_free(two);
    source_close(&s);
}

static void threads_and_order_change_nothing(void)
{
    static const char *const given[] = {"speed=0.1", "mix=0.5", "gain=6", "noise=-25", "tilt=6"};
    static const char *const cut[] = {"shortest=0.2", "longest=0.6", "speed=0.1", "stretch=0.1", "noise=-25"};
    static const char *const taught[] = {"supervised=1", "speed=0.1", "mix=0.5"};
    compare_orders(given, 5);
    compare_orders(cut, 5);
    compare_orders(taught, 3);
}

/* ---- frames ---- */

/* Frame t lies at t * hop - context in the clip; those inside are begin..end, and no others. */
static void ranges_are_those_of_the_clips(void)
{
    static const char *const sets[] = {"context=0.0731"};
    static const double starts[] = {0, 1, 5}, ends[] = {1, 1.75, 6};
    source s;
    source_open(&s, "bursts", sets, 1);
    lc_feed *feed = feed_of(&s, 1);
    const lc_example *batch;
    size_t n = 0;
    CHECK_EQ(lc_feed_clips(feed), 3); /* one says nothing */
    CHECK_STATUS(lc_feed_plain(feed, 0, &batch, &n, NULL), LOCO_OK);
    CHECK_EQ(n, 3);
    for (size_t i = 0; i < n; i++) {
        size_t inside = 0, wrong = 0;
        CHECK(batch[i].T <= lc_feed_frames(feed));
        CHECK_EQ(batch[i].T, (size_t)ceil(ceil((ends[i] - starts[i] + 2 * 0.0731) * RATE) / HOP));
        for (size_t t = 0; t < batch[i].T; t++) {
            double at = starts[i] - 0.0731 + (double)(t * HOP) / RATE;
            bool in = at >= starts[i] && at < ends[i];
            inside += in;
            wrong += in != (t >= batch[i].begin && t < batch[i].end);
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(inside, batch[i].end - batch[i].begin);
    }
    CHECK(batch[0].labels[1].lo == 4 && batch[0].labels[1].hi == 4);
    CHECK(batch[1].labels[0].lo == 1 && batch[1].labels[0].hi == 2);
    CHECK_STATUS(lc_feed_plain(feed, 2, &batch, &n, NULL), LOCO_OK);
    CHECK_EQ(n, 1);
    CHECK_STATUS(lc_feed_plain(feed, 3, &batch, &n, NULL), LOCO_OK);
    CHECK_EQ(n, 0);
    lc_feed_free(feed);
    source_close(&s);
}

/* A clip that begins on a frame of the recording has that recording's frames, but for those at its ends whose window
 * reaches out. */
static void frames_are_those_of_the_recording(void)
{
    source s;
    char set[64];
    snprintf(set, sizeof set, "context=%.9f", 10.0 * HOP / RATE);
    const char *sets[] = {set};
    lc_text rows = {0};
    lc_text_string(&rows, "r.wav,");
    lc_text_number(&rows, 40.0 * HOP / RATE, 9);
    lc_text_string(&rows, ",");
    lc_text_number(&rows, 150.0 * HOP / RATE, 9);
    lc_text_string(&rows, ",1,1,1,1\nr.wav,0,,1,1,1,1\n");
    make_rows("aligned", rows.bytes);
    lc_text_free(&rows);
    source_open(&s, "aligned", sets, 1);
    lc_feed *feed = feed_of(&s, 1);
    const lc_example *batch;
    size_t n = 0;
    CHECK_STATUS(lc_feed_plain(feed, 0, &batch, &n, NULL), LOCO_OK);
    double worst = 0;
    for (size_t t = 4; t < 125; t++) /* frame 10 of a whole recording with context is its frame 0 */
        for (size_t j = 0; j < BANDS * 2; j++)
            worst_note(&worst, (double)batch[0].frames[t * BANDS * 2 + j],
                       (double)batch[1].frames[(t + 40) * BANDS * 2 + j], 1);
    CHECK_WORST(worst, 1e-6);
    lc_feed_free(feed);
    source_close(&s);
}

/* Where windows are longer than the context, a clip is read with what they need: even its first and last frames are
 * those of the recording. */
static void long_windows_read_past_the_context(void)
{
    static const char *const aheads[] = {"frontend.ahead=0", "frontend.ahead=300"};
    for (size_t a = 0; a < 2; a++) {
        source s;
        const char *sets[] = {
            "frontend=pitch rate=22050 hop=220 window=8192 window2=512 window3=0 bands=24 octave=4 low=99",
            "context=0.099773243", aheads[a]};
        const lc_example *batch;
        double worst = 0;
        source_open(&s, "aligned", sets, 3);
        size_t n = 0;
        lc_feed *feed = feed_of(&s, 1);
        CHECK_STATUS(lc_feed_plain(feed, 0, &batch, &n, NULL), LOCO_OK);
        CHECK_EQ(batch[0].T, 130);
        for (size_t i = 0; i < batch[0].T * 24 * 4; i++)
            worst_note(&worst, isfinite(batch[0].frames[i]) ? (double)batch[0].frames[i] : (double)INFINITY,
                       (double)batch[1].frames[40 * 24 * 4 + i], 1);
        CHECK_WORST(worst, 1e-4);
        lc_feed_free(feed);
        source_close(&s);
    }
}

/* ---- drawing ---- */

static void each_clip_once_an_epoch(void)
{
    enum { CLIPS = 10, EPOCHS = 4 };
    lc_text rows = {0};
    for (size_t i = 0; i < CLIPS; i++)
        lc_text_format(&rows, "r.wav,%zu.%zu,%zu.%zu,%zu,1,1,1\n", i / 2, i % 2 * 5, (i + 1) / 2, (i + 1) % 2 * 5, i);
    make_rows("epochs", rows.bytes);
    lc_text_free(&rows);
    source s;
    source_open(&s, "epochs", NULL, 0);
    lc_feed *feed = feed_of(&s, 2);
    size_t drawn[EPOCHS * CLIPS], same = 0;
    for (uint64_t step = 0; step < EPOCHS * CLIPS / 4; step++) {
        const lc_example *batch = batch_of(feed, step);
        for (size_t b = 0; b < 4; b++)
            drawn[step * 4 + b] = batch[b].labels[0].lo;
    }
    for (size_t e = 0; e < EPOCHS; e++) {
        size_t seen[CLIPS] = {0};
        for (size_t i = 0; i < CLIPS; i++)
            seen[drawn[e * CLIPS + i]]++;
        for (size_t i = 0; i < CLIPS; i++)
            CHECK_EQ(seen[i], 1);
        same += e > 0 && case_same(drawn, drawn + e * CLIPS, CLIPS * sizeof *drawn);
    }
    CHECK_EQ(same, 0);
    lc_feed_free(feed);
    source_close(&s);
}

/* Every cut of one second holds 2 and 4, wherever it was made, at any speed. */
static void cuts_count_their_events(void)
{
    static const char *const sets[] = {"shortest=1", "longest=1", "speed=0.2"};
    source s;
    source_open(&s, "bursts", sets, 3);
    lc_feed *feed = feed_of(&s, 2);
    size_t shortest = SIZE_MAX, longest = 0;
    CHECK_EQ(lc_feed_clips(feed), 0);
    for (uint64_t step = 0; step < 25; step++) {
        const lc_example *batch = batch_of(feed, step);
        for (size_t b = 0; b < 4; b++) {
            size_t frames = batch[b].end - batch[b].begin;
            CHECK(batch[b].labels[0].lo == 2 && batch[b].labels[0].hi == 2);
            CHECK(batch[b].labels[1].lo == 4 && batch[b].labels[1].hi == 4);
            CHECK(batch[b].T <= lc_feed_frames(feed));
            shortest = frames < shortest ? frames : shortest;
            longest = frames > longest ? frames : longest;
        }
    }
    printf("    %zu to %zu frames\n", shortest, longest);
    CHECK(shortest >= 83 && shortest < 90 && longest <= 126 && longest > 118);
    lc_feed_free(feed);
    source_close(&s);
}

static double loudness(const lc_example *e, size_t t)
{
    double sum = 0;
    for (size_t f = 0; f < BANDS; f++)
        sum += (double)e->frames[(t * BANDS + f) * 2];
    return sum / BANDS;
}

/* Where an event is marked the sound begins, whatever the speed. */
static void marks_lie_on_onsets(void)
{
    static const char *const sets[] = {"shortest=1", "longest=1", "speed=0.2", "supervised=1"};
    source s;
    source_open(&s, "bursts", sets, 4);
    lc_feed *feed = feed_of(&s, 1);
    size_t marks = 0, rises = 0;
    for (uint64_t step = 0; step < (CASE_SLOW ? 3 : 10); step++) {
        const lc_example *batch = batch_of(feed, step);
        for (size_t b = 0; b < 4; b++) {
            const lc_example *e = &batch[b];
            size_t here = 0;
            CHECK(e->labels == NULL && e->events != NULL);
            for (size_t t = 0; e->events != NULL && t < e->T; t++) {
                bool marked = e->events[t * 2 + 1] != 0;
                CHECK(!marked || (t >= e->begin && t < e->end));
                CHECK(e->events[t * 2] <= e->events[t * 2 + 1]); /* every a is a b */
                here += marked;
                marks += marked && t >= 4;
                rises += marked && t >= 4 && loudness(e, t) > loudness(e, t - 4) + 0.5;
            }
            CHECK(here >= 3 && here <= 5); /* an event at the very edge may round out of it */
        }
    }
    printf("    %zu marks, %zu where the sound rises\n", marks, rises);
    CHECK_EQ(marks, rises);
    lc_feed_free(feed);
    source_close(&s);
}

/* Examples with times and with counts have the same sound, mixed in or not, and as many events. */
static void twins_hear_the_same(void)
{
    static const char *const sets[] = {"mix=1", "speed=0.1", "noise=-25", "supervised=1"};
    source s, t;
    size_t more = 0;
    source_open(&s, "bursts", sets, 3);
    source_open(&t, "bursts", sets, 4);
    s.all[1] = s.all[2] = t.all[1] = t.all[2] = 0; /* leaves clips with exact counts */
    s.recipe.clips.context = t.recipe.clips.context = 0;
    lc_feed *counts = feed_of(&s, 1), *times = feed_of(&t, 1);
    for (uint64_t step = 0; step < 5; step++) {
        const lc_example *x = batch_of(counts, step), *y = batch_of(times, step);
        for (size_t b = 0; b < 4; b++) {
            size_t marks = 0;
            CHECK(x[b].events == NULL && x[b].labels != NULL && y[b].events != NULL && y[b].labels == NULL);
            CHECK(x[b].T == y[b].T && x[b].begin == y[b].begin && x[b].end == y[b].end);
            CHECK(case_same(x[b].frames, y[b].frames, x[b].T * BANDS * 2 * sizeof(float)));
            for (size_t i = 0; i < y[b].T; i++)
                marks += y[b].events[i * 2 + 1];
            CHECK(marks <= x[b].labels[1].lo && marks + 2 >= x[b].labels[1].lo); /* two may share a frame */
            more += marks > 5;
        }
    }
    CHECK(more > 0); /* of two clips */
    lc_feed_free(counts);
    lc_feed_free(times);
    source_close(&s);
    source_close(&t);
}

/* Of four recordings, three with times, two thirds of these teach by times: always the same two. */
static void both_kinds_in_one_batch(void)
{
    static const char *const sets[] = {"supervised=0.6", "batch=8", "loss=poisson"};
    source s;
    CHECK(mkdir(run_path("both"), 0777) == 0);
    for (size_t i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "both/%zu.wav", i);
        run_bursts(name, RATE, 2, (const double[]){0.7}, 1);
    }
    run_write("both/counts.csv", "file,start,end,a\n0.wav,0,1,10\n1.wav,0,1,11\n2.wav,0,1,12\n3.wav,0,1,13\n");
    run_write("both/events.csv", "file,time,class\n0.wav,0.7,a\n1.wav,0.7,a\n3.wav,0.7,a\n");
    source_open(&s, "both", sets, 3);
    lc_feed *feed = feed_of(&s, 1);
    for (uint64_t step = 0; step < 3; step++) {
        const lc_example *batch = batch_of(feed, step);
        size_t taught = 0, counted[4] = {0};
        for (size_t b = 0; b < 8; b++) {
            CHECK((batch[b].labels == NULL) == (batch[b].events != NULL));
            CHECK(batch[b].loss == LC_LOSS_POISSON);
            taught += batch[b].events != NULL;
            if (batch[b].labels != NULL)
                counted[batch[b].labels[0].lo - 10]++;
        }
        CHECK_EQ(taught, 4);
        CHECK_EQ(counted[2], 2); /* the one without times */
        CHECK((counted[0] == 2) + (counted[1] == 2) + (counted[3] == 2) == 1);
    }
    lc_feed_free(feed);
    source_close(&s);
}

static void mixing_adds_labels(void)
{
    static const char *const sets[] = {"mix=1"};
    source s;
    make_rows("mix", "r.wav,1,1.5,1,1..2,>=1,?\nr.wav,2,2.5,1,1..2,>=1,?\n");
    source_open(&s, "mix", sets, 1);
    lc_feed *feed = feed_of(&s, 1);
    for (uint64_t step = 0; step < 5; step++) {
        const lc_example *batch = batch_of(feed, step);
        for (size_t b = 0; b < 4; b++) {
            const loco_label *l = batch[b].labels;
            CHECK(l[0].lo == 2 && l[0].hi == 2);
            CHECK(l[1].lo == 2 && l[1].hi == 4);
            CHECK(l[2].lo == 2 && l[2].hi == LOCO_NO_LIMIT);
            CHECK(l[3].lo == 0 && l[3].hi == LOCO_NO_LIMIT);
        }
    }
    lc_feed_free(feed);
    source_close(&s);
    /* 30 and 30 would be more than 50 frames can hold */
    make_rows("full", "r.wav,1,1.5,30,1,1,1\n");
    source_open(&s, "full", sets, 1);
    feed = feed_of(&s, 1);
    CHECK_EQ(batch_of(feed, 0)[0].labels[0].lo, 30);
    lc_feed_free(feed);
    source_close(&s);
}

/* A clip with as many events as frames must never become shorter than its count. */
static void counts_always_fit(void)
{
    static const char *const sets[] = {"speed=0.3", "stretch=0.2"};
    source s;
    source_open(&s, "most", sets, 2);
    lc_feed *feed = feed_of(&s, 2);
    size_t failed = 0;
    for (uint64_t step = 0; step < (CASE_SLOW ? 8 : 40); step++) {
        const lc_example *batch = batch_of(feed, step);
        for (size_t b = 0; b < 4; b++)
            for (size_t k = 0; k < 4; k++)
                failed += batch[b].labels[k].lo > batch[b].end - batch[b].begin;
    }
    CHECK_EQ(failed, 0);
    lc_feed_free(feed);
    source_close(&s);
}

/* A clip of a series has the frames that the whole recording has there: filters have settled before it begins. */
static void clips_of_series_are_parts_of_the_whole(void)
{
    enum { SERIES_RATE = 120, SECONDS = 40, HOP_2 = 2 };
    static float whole[SERIES_RATE * SECONDS], x[SERIES_RATE * SECONDS];
    lc_text table = {0};
    lc_rng rng = lc_rng_seed(4);
    lc_text_string(&table, "# rate: 120\nx\n");
    for (size_t i = 0; i < SERIES_RATE * SECONDS; i++)
        lc_text_format(&table, "%d\n", 20000 + (int)(1000 * lc_rng_normal(&rng)));
    run_write("s.csv", table.bytes);
    run_write("series.csv", "file,start,end,a,b\ns.csv,20,30,1,1\n");
    lc_text_free(&table);
    for (size_t norm = 0; norm < 2; norm++) {
        source s = {.set = NULL};
        lc_feed *feed = NULL;
        lc_frontend *front = NULL;
        const lc_example *batch = NULL;
        size_t n = 0, T;
        double worst = 0;
        loco_err err = {""};
        memset(s.all, 1, sizeof s.all);
        CHECK_STATUS(lc_dataset_load(&s.set, run_path("series.csv"), &err), LOCO_OK);
        CHECK_STATUS(lc_recipe_preset(&s.recipe, "ecg", &err), LOCO_OK);
        CHECK_STATUS(lc_recipe_set(&s.recipe, norm == 0 ? "frontend.scale=record" : "frontend.scale=fixed", &err),
                     LOCO_OK);
        CHECK_STATUS(lc_sounds_new_channels(&s.sounds, s.set, SERIES_RATE, (lc_columns){1, NULL}, (size_t)1 << 20,
                                            pools[2], &err),
                     LOCO_OK);
        CHECK_STATUS(feed_over(&feed, &s, 1, &err), LOCO_OK);
        CHECK_STATUS(lc_feed_plain(feed, 0, &batch, &n, &err), LOCO_OK);
        CHECK_STATUS(lc_frontend_new(&front, &s.recipe.frontend, &err), LOCO_OK);
        CHECK_STATUS(lc_sounds_read(s.sounds, 0, 0, 1, x, SERIES_RATE * SECONDS, &err), LOCO_OK);
        lc_frontend_measure(front, x, SERIES_RATE * SECONDS);
        lc_scale scale;
        lc_frontend_measured(front, &scale);
        lc_frontend_rescale(front, norm == 0 ? &scale : NULL);
        T = lc_frontend_push(front, x, SERIES_RATE * SECONDS, whole);
        CHECK_EQ(T, SERIES_RATE * SECONDS / HOP_2);
        CHECK_EQ(batch[0].begin, 30); /* half a second of context */
        CHECK_EQ(batch[0].end, 630);
        for (size_t i = batch[0].begin * HOP_2; i < batch[0].end * HOP_2; i++)
            worst_note(&worst, batch[0].frames[i], whole[(20 * 60 - 30) * HOP_2 + i], norm == 0 ? 1 : scale.spread[0]);
        CHECK_WORST(worst, 1e-2);
        lc_frontend_free(front);
        lc_feed_free(feed);
        source_close(&s);
    }
}

int main(void)
{
    run_begin();
    make_bursts();
    CHECK_STATUS(lc_pool_new(&pools[1], 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_pool_new(&pools[2], 2, NULL), LOCO_OK);
    RUN(impossible_data_are_refused);
    RUN(batches_have_a_limit);
    RUN(threads_and_order_change_nothing);
    RUN(ranges_are_those_of_the_clips);
    RUN(frames_are_those_of_the_recording);
    RUN(long_windows_read_past_the_context);
    RUN(each_clip_once_an_epoch);
    RUN(cuts_count_their_events);
    RUN(marks_lie_on_onsets);
    RUN(twins_hear_the_same);
    RUN(both_kinds_in_one_batch);
    RUN(mixing_adds_labels);
    RUN(counts_always_fit);
    RUN(clips_of_series_are_parts_of_the_whole);
    lc_pool_free(pools[1]);
    lc_pool_free(pools[2]);
    return run_done();
}

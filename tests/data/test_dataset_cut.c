/* SPDX-License-Identifier: MIT
 * test_dataset_cut.c - clips cut from timed recordings, their counts against brute force, and the split. */
#include "data_cases.h"

#include "base/rng.h"
#include "data/dataset.h"

enum { RECORDINGS = 4, EVENTS = 300, K = 3 };

static const char *const classes[K] = {"kick", "snare", "hihat"};
static loco_event events[RECORDINGS][EVENTS];
static lc_recording recordings[RECORDINGS];
static const double seconds[RECORDINGS] = {61.7, 20.00001, 3, 100};
static lc_dataset set;

static void make_set(void)
{
    lc_rng rng = lc_rng_seed(9);
    for (size_t r = 0; r < RECORDINGS; r++) {
        double time = 0;
        for (size_t e = 0; e < EVENTS; e++) {
            time += 2 * lc_rng_uniform(&rng) * seconds[r] / EVENTS;
            events[r][e] = (loco_event){time, lc_rng_next(&rng) % K, 1, 0};
        }
        recordings[r] = (lc_recording){
            .name = "x.wav", .path = "d/x.wav", .timed = r != 3, .events = events[r], .events_len = EVENTS};
    }
    set = (lc_dataset){
        .where = "d", .classes = classes, .classes_len = K, .recordings = recordings, .recordings_len = RECORDINGS};
}

static void wrong_cuts_are_refused(void)
{
    static const struct {
        double shortest, longest, margin;
    } wrong[] = {
        {0,   5,        0  },
        {-1,  5,        0  },
        {5,   4,        0  },
        {NAN, 5,        0  },
        {5,   NAN,      0  },
        {5,   INFINITY, 0  },
        {1,   2,        -1 },
        {1,   2,        NAN}
    };
    loco_err err = {""};
    lc_dataset *out = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_cut cut = {seconds, wrong[i].shortest, wrong[i].longest, wrong[i].margin, 1};
        CHECK_STATUS(lc_dataset_cut(&out, &set, &cut, &err), LOCO_EARG);
    }
    lc_cut cut = {
        (const double[]){1, 2, NAN, 1},
         1, 2, 0, 1
    };
    CHECK_STATUS(lc_dataset_cut(&out, &set, &cut, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "recording 2");
    cut = (lc_cut){seconds, 200, 300, 0, 1};
    CHECK_STATUS(lc_dataset_cut(&out, &set, &cut, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "d: no recording is as long as the shortest clip");
    cut = (lc_cut){
        (const double[]){1, 2, 5000, 1},
         0.001, 0.001, 0, 1
    };
    CHECK_STATUS(lc_dataset_cut(&out, &set, &cut, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "more than 1000000 clips");
    lc_dataset untimed = set;
    untimed.classes_len = 0;
    CHECK_STATUS(lc_dataset_cut(&out, &untimed, &(lc_cut){seconds, 1, 2, 0, 1}, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "without classes");
    untimed = set;
    untimed.recordings = &recordings[3];
    untimed.recordings_len = 1;
    cut = (lc_cut){seconds, 1, 2, 0, 1};
    CHECK_STATUS(lc_dataset_cut(&out, &untimed, &cut, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "the events of no recording are known");
    CHECK(out == NULL);
}

static size_t count(size_t r, size_t k, double start, double end)
{
    size_t n = 0;
    for (size_t e = 0; e < EVENTS; e++)
        n += events[r][e].kind == k && events[r][e].time >= start && events[r][e].time < end;
    return n;
}

/* Clips of each recording follow each other from margin to margin; what is left over is shorter than the shortest. */
static void check_clips(const lc_dataset *out, const lc_cut *cut)
{
    size_t recording = SIZE_MAX;
    double at = 0;
    for (size_t i = 0; i < out->clips_len; i++) {
        const lc_clip *c = &out->clips[i];
        if (c->recording != recording) {
            CHECK(recording == SIZE_MAX || seconds[recording] - cut->margin - at < cut->shortest + 1e-5);
            at = cut->margin;
        }
        recording = c->recording;
        CHECK(recording < 3);
        if (recording >= 3)
            return;
        CHECK_NEAR(c->start, at, 1e-6);
        CHECK(c->end - c->start > cut->shortest - 3e-6 && c->end - c->start < cut->longest + 3e-6);
        CHECK(c->end <= seconds[recording] - cut->margin);
        CHECK_EQ(c->row, 0);
        for (size_t k = 0; k < K; k++) {
            CHECK_EQ(c->labels[k].lo, count(recording, k, c->start, c->end));
            CHECK_EQ(c->labels[k].hi, c->labels[k].lo);
        }
        at = c->end;
    }
}

static void clips_are_as_asked(void)
{
    static const struct {
        double shortest, longest, margin;
    } cases[] = {
        {5,   10,  0   },
        {3,   3,   0   },
        {3,   3.5, 0   },
        {0.5, 20,  0.25},
        {1,   2,   0.7 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lc_cut cut = {seconds, cases[i].shortest, cases[i].longest, cases[i].margin, 77 + i};
        lc_dataset *out = NULL, *again = NULL;
        CHECK_STATUS(lc_dataset_cut(&out, &set, &cut, NULL), LOCO_OK);
        check_clips(out, &cut);
        CHECK(out->clips_len >= 5);
        CHECK_EQ(out->recordings_len, RECORDINGS);
        CHECK_EQ(out->recordings[1].events_len, EVENTS);
        CHECK(out->recordings[1].events != events[1] && out->recordings[1].timed && !out->recordings[3].timed);
        CHECK_STATUS(lc_dataset_cut(&again, &set, &cut, NULL), LOCO_OK);
        CHECK_EQ(again->clips_len, out->clips_len);
        for (size_t c = 0; c < out->clips_len && c < again->clips_len; c++)
            CHECK_NEAR(out->clips[c].end, again->clips[c].end, 0);
        lc_dataset_free(again);
        lc_dataset_free(out);
    }
}

/* Another seed cuts elsewhere; and lengths fill the range. */
static void lengths_are_random(void)
{
    lc_cut cut = {seconds, 0.5, 1.5, 0, 1};
    lc_dataset *a = NULL, *b = NULL;
    double least = 9, most = 0;
    CHECK_STATUS(lc_dataset_cut(&a, &set, &cut, NULL), LOCO_OK);
    cut.seed = 2;
    CHECK_STATUS(lc_dataset_cut(&b, &set, &cut, NULL), LOCO_OK);
    CHECK(fabs(a->clips[0].end - b->clips[0].end) > 1e-6);
    for (size_t i = 0; i < a->clips_len; i++) {
        least = fmin(least, a->clips[i].end - a->clips[i].start);
        most = fmax(most, a->clips[i].end - a->clips[i].start);
    }
    CHECK(least < 0.6 && most > 1.4);
    lc_dataset_free(a);
    lc_dataset_free(b);
}

/* A set that is written and read again has the same clips and counts. */
static void cuts_can_be_written(void)
{
    lc_cut cut = {seconds, 1, 2, 0.123456789, 5};
    lc_dataset *out = NULL, *again = NULL;
    lc_text text = {0};
    CHECK_STATUS(lc_dataset_cut(&out, &set, &cut, NULL), LOCO_OK);
    lc_counts_format(&text, out);
    CHECK_STATUS(lc_counts_parse(&again, "counts.csv", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_EQ(again->clips_len, out->clips_len);
    for (size_t i = 0; i < out->clips_len; i++) {
        CHECK_NEAR(again->clips[i].start, out->clips[i].start, 0);
        CHECK_NEAR(again->clips[i].end, out->clips[i].end, 0);
    }
    lc_text_free(&text);
    lc_dataset_free(out);
    lc_dataset_free(again);
}

static size_t split(const lc_dataset *of, double part, uint64_t seed, uint8_t *held)
{
    size_t n = 0;
    CHECK(lc_dataset_split(of, part, seed, held) == LC_SPLIT_BY_RECORDING);
    for (size_t i = 0; i < of->recordings_len; i++)
        n += held[i];
    return n;
}

static void splits_leave_one_on_each_side(void)
{
    enum { MANY = 100 };
    static lc_recording many[MANY];
    uint8_t held[MANY], again[MANY];
    for (size_t n = 2; n <= MANY; n++) {
        lc_dataset of = {.recordings = many, .recordings_len = n};
        CHECK_EQ(split(&of, 0, 1, held), 0);
        CHECK_EQ(split(&of, NAN, 1, held), 0);
        CHECK_EQ(split(&of, 1e-9, 1, held), 1);
        CHECK_EQ(split(&of, 1, 1, held), n - 1);
        CHECK_EQ(split(&of, INFINITY, 1, held), n - 1);
        CHECK_EQ(split(&of, 0.5, n, held), (n + 1) / 2);
        split(&of, 0.5, n, again);
        CHECK(memcmp(held, again, n) == 0);
    }
    size_t chosen[5] = {0};
    lc_dataset five = {.recordings = many, .recordings_len = 5};
    for (uint64_t seed = 0; seed < 5000; seed++) {
        CHECK_EQ(split(&five, 0.4, seed, held), 2);
        for (size_t i = 0; i < 5; i++)
            chosen[i] += held[i];
    }
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR((double)chosen[i], 2000, 150); /* 4 standard deviations */
}

/* Only recordings with clips are chosen from; one alone cannot be split. */
static void splits_look_at_clips(void)
{
    static const lc_recording some[5];
    static const lc_clip clips[] = {{.recording = 1}, {.recording = 3}, {.recording = 3}};
    lc_dataset of = {.recordings = some, .recordings_len = 5, .clips = clips, .clips_len = 3};
    uint8_t held[5];
    for (uint64_t seed = 0; seed < 20; seed++) {
        CHECK_EQ(split(&of, 0.2, seed, held), 1);
        CHECK(held[1] + held[3] == 1);
    }
    of.clips_len = 1;
    memset(held, 9, sizeof held);
    CHECK(lc_dataset_split(&of, 0.5, 1, held) == LC_SPLIT_ONE_RECORDING);
    CHECK(held[0] + held[1] + held[2] + held[3] + held[4] == 0);
}

int main(void)
{
    make_set();
    RUN(wrong_cuts_are_refused);
    RUN(clips_are_as_asked);
    RUN(lengths_are_random);
    RUN(cuts_can_be_written);
    RUN(splits_leave_one_on_each_side);
    RUN(splits_look_at_clips);
    return check_done();
}

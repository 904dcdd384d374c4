/* SPDX-License-Identifier: MIT
 * test_detect_oom.c - lets the n-th allocation fail, for every n, in all of src/detect; and a decoder allocates
 * nothing after it was made. */
#include "sounds.h"

#include "oom.h"

#include "detect/decode_counts.h"
#include "detect/decoder.h"
#include "detect/ensemble.h"
#include "detect/notes.h"
#include "detect/plane.h"
#include "detect/snap.h"
#include "signal/onset.h"

enum { T = 50, K = 2 };

static float logits[T * K];
static loco_event before = {.time = 123};
static lc_sound *sound;

/* Runs an attempt with each allocation failing in turn until none does. */
static void check_all(loco_status (*attempt)(loco_err *err), size_t least)
{
    size_t n = 0;
    for (bool failed = true; failed;) {
        loco_err err = {""};
        oom_begin(++n);
        loco_status status = attempt(&err);
        failed = oom_end() >= n;
        CHECK_STATUS(status, failed ? LOCO_ENOMEM : LOCO_OK);
        if (failed)
            CHECK_SAYS(err.text, "out of memory");
    }
    CHECK(n > least);
}

/* On failure the list holds what it held; it is freed here. */
static loco_status done(loco_status status, lc_event_array *list, size_t len)
{
    if (status != LOCO_OK && list->len != len)
        status = LOCO_EDATA;
    lc_event_array_free(list);
    return status;
}

static loco_status decode(loco_err *err)
{
    lc_decoding d = {.method = LC_DECODE_PEAK, .threshold = 0.5};
    lc_decoder *decoder;
    lc_event_array list = {0};
    loco_status status = lc_decoder_new(&decoder, &d, K, 0.01, NULL, NULL, err);
    if (status != LOCO_OK)
        return status;
    status = lc_decoder_run(decoder, logits, T, &list, err);
    lc_decoder_free(decoder);
    return done(status, &list, 0);
}

static loco_status counts(loco_err *err)
{
    loco_count *count;
    loco_label labels[K] = {loco_label_exact(40), loco_label_exact(40)};
    lc_event_array list = {0};
    loco_status status = loco_count_new(&count, 1, err);
    if (status != LOCO_OK)
        return status;
    status = lc_decode_counts(&list, count, &(lc_known_counts){logits, T, K, labels, 0.01, 0, NULL}, err);
    loco_count_free(count);
    return done(status, &list, 0);
}

/* The sound is opened before allocations fail: see test_signal_oom.c. */
static loco_status snap(loco_err *err)
{
    static double bands[LC_ONSET_BANDS] = {1};
    const loco_model model = {.frontend = {.rate = 22050}, .bands = bands};
    loco_event event = {.time = 0.05};
    return lc_snap(&model, 0.02, sound, &event, 1, err);
}

static loco_status notes(loco_err *err)
{
    static const char *const names[] = {"60"};
    const loco_event event = {.time = 0.05, .probability = 1};
    lc_note note;
    return lc_notes_of(&note, sound, &event, 1, names, 1, err);
}

static loco_status vote(loco_err *err)
{
    lc_voting settings = lc_voting_default();
    lc_version version = lc_version_of(1, 0);
    lc_vote *votes;
    lc_event_array list = {0};
    loco_status status = lc_vote_new(&votes, &settings, 1, err);
    if (status != LOCO_OK)
        return status;
    for (size_t i = 0; status == LOCO_OK && i < 3; i++)
        status = lc_vote_add(votes, &version, &before, 1, err);
    if (status == LOCO_OK)
        status = lc_vote_events(votes, &list, err);
    lc_vote_free(votes);
    return done(status, &list, 0);
}

/* The logits as an image of 5 x 10 places. */
static const lc_plane plane = {5, T / 5, K, 4, logits};
static const lc_decoding in_pixels = {.method = LC_DECODE_MASS, .window = 4, .threshold = 0.3, .gap = 4};

static loco_status decode_plane(loco_err *err)
{
    lc_event_array list = {0};
    return done(lc_plane_decode(&list, &plane, &in_pixels, NULL, err), &list, 0);
}

static loco_status vote_plane(loco_err *err)
{
    lc_plane_sum sum;
    lc_event_array list = {0};
    loco_status status = lc_plane_sum_new(&sum, 20, 40, K, 1, err);
    if (status != LOCO_OK)
        return status;
    lc_plane_add(&sum, &plane, 0, 0);
    status = lc_plane_vote(&list, &sum, &in_pixels, NULL, err);
    lc_plane_sum_free(&sum);
    return done(status, &list, 0);
}

static loco_status know_plane(loco_err *err)
{
    loco_label labels[K] = {loco_label_exact(5), loco_label_unknown()};
    lc_event_array list = {0};
    return done(lc_plane_known(&list, &plane, NULL, &in_pixels, NULL, labels, err), &list, 0);
}

static void allocations_may_fail(void)
{
    lc_rng rng = lc_rng_seed(1);
    for (size_t i = 0; i < T * K; i++)
        logits[i] = (float)(3 * lc_rng_normal(&rng));
    before.probability = 1;
    check_all(decode, 1);
    check_all(counts, 4);
    check_all(vote, 4);
    check_all(snap, 5);
    check_all(notes, 6);
    check_all(decode_plane, 2);
    check_all(vote_plane, 3);
    check_all(know_plane, 6);
}

/* A version that does not fit does not count, neither its ballots nor its weight. */
static void a_failed_version_does_not_count(void)
{
    for (size_t n = 1; n <= 2; n++) {
        lc_voting settings = lc_voting_default();
        lc_version version = lc_version_of(1, 0);
        lc_vote *votes;
        lc_event_array list = {0};
        if (lc_vote_new(&votes, &settings, 1, NULL) != LOCO_OK)
            exit(1);
        oom_begin(n);
        loco_status status = lc_vote_add(votes, &version, &before, 1, NULL);
        oom_end();
        CHECK_STATUS(status, LOCO_ENOMEM);
        CHECK_STATUS(lc_vote_add(votes, &version, &before, 1, NULL), LOCO_OK);
        CHECK_STATUS(lc_vote_events(votes, &list, NULL), LOCO_OK);
        CHECK_EQ(list.len, 1);
        CHECK_NEAR(list.events[0].probability, 1, 0);
        lc_event_array_free(&list);
        lc_vote_free(votes);
    }
}

/* A message that cannot be built is a shorter one. */
static void messages_need_no_memory(void)
{
    static const char *const lines[] = {"mass gap=9999", "mass gp=1", "mess", "zzzzzzz"};
    for (size_t i = 0; i < 4; i++) {
        lc_decoding d;
        loco_err err = {""};
        oom_begin(1);
        loco_status status = lc_decoding_parse(&d, lines[i], strlen(lines[i]), &err);
        oom_end();
        CHECK_STATUS(status, LOCO_EDATA);
        CHECK(strlen(err.text) > 10);
    }
}

static void count_only(void *context, const loco_event *event)
{
    (void)event;
    ++*(size_t *)context;
}

static void running_allocates_nothing(void)
{
    for (lc_decode_method m = LC_DECODE_MASS; m <= LC_DECODE_COUNT; m++) {
        lc_decoding d = lc_decoding_default(m);
        lc_decoder *decoder;
        size_t events = 0;
        lc_rng rng = lc_rng_seed(2);
        if (lc_decoder_new(&decoder, &d, K, 0.01, NULL, NULL, NULL) != LOCO_OK)
            exit(1);
        oom_begin(0);
        for (size_t t = 0; t < 900; t++) {
            float frame[K];
            for (size_t k = 0; k < K; k++)
                frame[k] = (float)(4 * lc_rng_normal(&rng));
            lc_decoder_push(decoder, frame, count_only, &events);
        }
        lc_decoder_end(decoder, count_only, &events);
        CHECK_EQ(oom_end(), 0);
        CHECK(events > 20);
        lc_decoder_free(decoder);
    }
}

int main(void)
{
    float *x = sound_noise(5000, 0.1f, 1);
    sound_begin();
    sound_write(sound_path("s.wav"), SF_FORMAT_WAV | SF_FORMAT_FLOAT, 22050, 1, x, 5000);
    CHECK_STATUS(lc_sound_open(&sound, sound_path("s.wav"), 22050, NULL), LOCO_OK);
    free(x);
    RUN(allocations_may_fail);
    RUN(a_failed_version_does_not_count);
    RUN(messages_need_no_memory);
    RUN(running_allocates_nothing);
    lc_sound_close(sound);
    sound_end();
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_snap.c - events move to where the sound of their class begins, and to no other. */
#include "sounds.h"

#include "detect/snap.h"
#include "signal/onset.h"

enum { N = 22050 * 8, STROKES = 30 };

static const double rate = 22050;

/* Every quarter of a second a low thud, and 35 ms after it a bright hiss. */
static double thud_at(size_t i)
{
    return 0.2 + 0.25 * (double)i + 0.0007 * (double)(i % 7);
}

static const char *make_sound(void)
{
    float *x = sound_noise(N, 2e-4f, 2);
    lc_rng rng = lc_rng_seed(3);
    double before = 0;
    for (size_t s = 0; s < STROKES; s++)
        for (size_t i = 0; i < (size_t)(0.1 * rate); i++) {
            double t = (double)i / rate, now = lc_rng_normal(&rng);
            size_t at = (size_t)(thud_at(s) * rate) + i, later = at + (size_t)(0.035 * rate);
            x[at] += (float)(0.5 * exp(-t / 0.03) * sin(2 * acos(-1) * 90 * t));
            x[later] += (float)(0.05 * exp(-t / 0.02) * (now - before)); /* differences of noise: no low end */
            before = now;
        }
    sound_write(sound_path("s.wav"), SF_FORMAT_WAV | SF_FORMAT_FLOAT, (int)rate, 1, x, N);
    free(x);
    return sound_path("s.wav");
}

static double bands[2 * LC_ONSET_BANDS]; /* class 0: low, class 1: high */

static loco_status snap(const char *path, double reach, loco_event *events, size_t n)
{
    const loco_model model = {.frontend = {.rate = rate}, .bands = bands};
    lc_sound *sound;
    CHECK_STATUS(lc_sound_open(&sound, path, rate, NULL), LOCO_OK);
    loco_status status = lc_snap(&model, reach, sound, events, n, NULL);
    lc_sound_close(sound);
    return status;
}

static void each_class_finds_its_own(void)
{
    const char *path = make_sound();
    loco_event events[2 * STROKES];
    lc_rng rng = lc_rng_seed(5);
    double worst = 0;
    for (size_t s = 0; s < STROKES; s++)
        for (size_t k = 0; k < 2; k++) {
            double off = 0.024 * lc_rng_uniform(&rng) - 0.012;
            events[2 * s + k] = (loco_event){
                .kind = k, .time = thud_at(s) + (k == 1 ? 0.035 : 0) + off, .probability = 0.7};
        }
    CHECK_STATUS(snap(path, 0.02, events, 2 * STROKES), LOCO_OK);
    for (size_t s = 0; s < STROKES; s++)
        for (size_t k = 0; k < 2; k++) {
            const loco_event *e = &events[2 * s + k];
            worst = fmax(worst, fabs(e->time - thud_at(s) - (k == 1 ? 0.035 : 0)));
            CHECK(e->kind == k && fabs(e->probability - 0.7) < 1e-12);
        }
    printf("    worst %.2f ms, was up to 12\n", 1e3 * worst);
    CHECK(worst < 0.004);
}

/* In silence, beyond the end, and at time 0 there is nothing to go to, or little. */
static void where_nothing_rises_events_stay(void)
{
    float *x = case_array(N, sizeof *x);
    sound_write(sound_path("q.wav"), SF_FORMAT_WAV | SF_FORMAT_FLOAT, (int)rate, 1, x, N);
    free(x);
    loco_event events[] = {{.time = 0}, {.time = 1.2345}, {.time = 7.999}, {.time = 9}};
    CHECK_STATUS(snap(sound_path("q.wav"), 0.02, events, 4), LOCO_OK);
    CHECK_NEAR(events[0].time, 0, 0);
    CHECK_NEAR(events[1].time, 1.2345, 0);
    CHECK_NEAR(events[2].time, 7.999, 0);
    CHECK_NEAR(events[3].time, 9, 0);
    CHECK_STATUS(snap(sound_path("q.wav"), 0.02, NULL, 0), LOCO_OK);
}

/* Whatever is near, and whether or not others lie within reach. */
static void reach_is_kept_to(void)
{
    const char *path = make_sound();
    for (size_t r = 0; r < 9; r++) {
        double reach = 0.001 * pow(1.7, (double)r);
        loco_event events[3 * STROKES];
        for (size_t i = 0; i < 3 * STROKES; i++)
            events[i] = (loco_event){.kind = i % 2, .time = 0.085 * (double)i, .probability = 1};
        CHECK_STATUS(snap(path, reach, events, 3 * STROKES), LOCO_OK);
        for (size_t i = 0; i < 3 * STROKES; i++)
            CHECK(fabs(events[i].time - 0.085 * (double)i) <= reach + 1e-9);
    }
}

/* Samples in blocks, and events that are known up to `late` seconds behind theirs: moved to the same places. */
static void events_may_come_while_it_reads(void)
{
    enum { BLOCK = 3000, EVENTS = 3 * STROKES };
    const loco_model model = {.frontend = {.rate = rate}, .bands = bands};
    const double late = 1.5;
    loco_event whole[EVENTS];
    lc_event_array list = {0};
    lc_snapper *snapper = NULL;
    lc_sound *sound;
    float *x = case_array(N, sizeof *x);
    size_t got = 0;
    for (size_t i = 0; i < EVENTS; i++)
        whole[i] = (loco_event){.kind = i % 2, .time = 0.085 * (double)i, .probability = 1};
    CHECK_STATUS(lc_sound_open(&sound, make_sound(), rate, NULL), LOCO_OK);
    CHECK_STATUS(lc_sound_read(sound, x, N, &got, NULL), LOCO_OK);
    lc_sound_close(sound);
    CHECK_STATUS(lc_snapper_new(&snapper, &model, 0.02, late, &list, NULL), LOCO_OK);
    for (size_t at = 0, known = 0; at < got; at += BLOCK) {
        lc_snapper_push(snapper, x + at, got - at < BLOCK ? got - at : BLOCK);
        for (; known < EVENTS && (whole[known].time + late - 0.2) * rate < (double)(at + BLOCK); known++)
            lc_event_array_add(&list, &whole[known]);
    }
    while (list.len < EVENTS)
        lc_event_array_add(&list, &whole[list.len]);
    lc_snapper_end(snapper);
    CHECK_STATUS(snap(sound_path("s.wav"), 0.02, whole, EVENTS), LOCO_OK);
    for (size_t i = 0; i < EVENTS; i++)
        CHECK_NEAR(list.events[i].time, whole[i].time, 0);
    lc_snapper_free(snapper);
    lc_event_array_free(&list);
    free(x);
}

int main(void)
{
    sound_begin();
    for (size_t b = 0; b < LC_ONSET_BANDS; b++) {
        bands[b] = b < 2 ? 1 : 0;
        bands[LC_ONSET_BANDS + b] = b >= 14 ? 1 : 0;
    }
    RUN(each_class_finds_its_own);
    RUN(where_nothing_rises_events_stay);
    RUN(reach_is_kept_to);
    RUN(events_may_come_while_it_reads);
    sound_end();
    return check_done();
}

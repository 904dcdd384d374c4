/* SPDX-License-Identifier: MIT
 * test_drums.c - whole recordings: settings refused, the same for the same numbers, events true to the sample. */
#include "check.h"

#include "studio/synth/drums.h"

#include <stdlib.h>

typedef struct take {
    float *samples;
    size_t n;
    loco_event *events;
    size_t events_len;
} take;

static const lc_synth_settings plain = {.rate = 22050, .seconds = 6, .seed = 11, .distractors = true};

static take take_of(lc_synth_settings settings, size_t index)
{
    take t = {0};
    loco_err err = {""};
    if (lc_synth_drums(&settings, index, &t.samples, &t.n, &t.events, &t.events_len, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return t;
}

static void take_free(take *t)
{
    free(t->samples);
    free(t->events);
}

static double peak_between(const take *t, double from, double to)
{
    double peak = 0, rate = 22050;
    for (size_t i = (size_t)(fmax(0, from) * rate); i < t->n && (double)i < to * rate; i++)
        peak = fmax(peak, fabs((double)t->samples[i]));
    return peak;
}

static void refuse(lc_synth_settings settings, const char *says)
{
    take t = {.n = 5, .events_len = 6};
    loco_err err = {""};
    CHECK_STATUS(lc_synth_drums(&settings, 0, &t.samples, &t.n, &t.events, &t.events_len, &err), LOCO_EARG);
    CHECK(strstr(err.text, says) != NULL);
    CHECK(t.samples == NULL && t.events == NULL && t.n == 5 && t.events_len == 6);
}

static void wrong_settings_are_refused(void)
{
    lc_synth_settings s = plain;
    s.rate = 7999;
    refuse(s, "7999");
    s.rate = 192001;
    refuse(s, "192001");
    s = plain;
    s.seconds = 0.05;
    refuse(s, "0.05");
    s.seconds = 3601;
    refuse(s, "3601");
    s.seconds = NAN;
    refuse(s, "nan");
}

static void classes_have_names(void)
{
    CHECK_STR(lc_synth_class(0), "kick");
    CHECK_STR(lc_synth_class(1), "snare");
    CHECK_STR(lc_synth_class(2), "hihat");
}

static bool same(const take *a, const take *b)
{
    return a->n == b->n && a->events_len == b->events_len &&
           memcmp(a->samples, b->samples, a->n * sizeof *a->samples) == 0 &&
           memcmp(a->events, b->events, a->events_len * sizeof *a->events) == 0;
}

static void recordings_repeat_and_differ(void)
{
    lc_synth_settings unseen = plain, seed = plain, quiet = plain;
    unseen.unseen = true;
    seed.seed++;
    quiet.distractors = false;
    take a = take_of(plain, 3), again = take_of(plain, 3);
    take others[] = {take_of(plain, 4), take_of(unseen, 3), take_of(seed, 3), take_of(quiet, 3)};
    CHECK(same(&a, &again));
    for (size_t i = 0; i < 4; i++) {
        CHECK(!same(&a, &others[i]));
        take_free(&others[i]);
    }
    take_free(&a);
    take_free(&again);
}

static void levels_and_events_are_in_range(void)
{
    double least = 1, most = 0;
    size_t wrong = 0, hits[3] = {0};
    for (size_t i = 0; i < 40; i++) {
        lc_synth_settings s = plain;
        s.unseen = i % 2 == 1;
        take t = take_of(s, i);
        CHECK_EQ(t.n, 6 * 22050);
        double peak = peak_between(&t, 0, 6), last[3] = {-1, -1, -1};
        wrong += !(t.events_len == 0 || (peak >= 0.25 && peak <= 0.892));
        least = fmin(least, peak);
        most = fmax(most, peak);
        for (size_t e = 0; e < t.events_len; e++) {
            loco_event event = t.events[e];
            wrong += event.kind > 2 || fabs(event.probability - 1) > 0;
            wrong += !(event.time >= 0 && event.time < 6 - 0.049);
            wrong += event.time - last[event.kind] < 0.0299;
            wrong += e > 0 && event.time < t.events[e - 1].time;
            wrong += fabs(event.time * 22050 - round(event.time * 22050)) > 1e-6;
            last[event.kind] = event.time;
            hits[event.kind]++;
        }
        take_free(&t);
    }
    CHECK_EQ(wrong, 0);
    CHECK(least < 0.35 && most > 0.75);
    CHECK(hits[0] > 150 && hits[1] > 150 && hits[2] > 200);
}

/* Before the first stroke there is noise alone; the stroke rises out of it within 1.5 ms. Recordings whose first stroke
 * is late enough to know the noise, and well above it. */
static void first_stroke_is_where_the_event_is(void)
{
    size_t tried = 0, found = 0;
    for (size_t i = 0; i < 120; i++) {
        lc_synth_settings s = plain;
        s.distractors = false;
        s.seconds = 2;
        take t = take_of(s, i);
        double start = t.events_len > 0 ? t.events[0].time : 0;
        double floor_peak = peak_between(&t, 0, start), attack = peak_between(&t, start, start + 0.03);
        if (start > 0.05 && attack > 20 * floor_peak) {
            tried++;
            size_t first = (size_t)(start * 22050 + 0.5), at = first;
            while (fabs((double)t.samples[at]) < 1.5 * floor_peak)
                at++;
            if ((double)(at - first) > 0.0015 * 22050)
                fprintf(stderr, "recording %zu: class %zu rises %zu samples late\n", i, t.events[0].kind, at - first);
            found += (double)(at - first) <= 0.0015 * 22050;
        }
        take_free(&t);
    }
    CHECK(tried > 40);
    CHECK_EQ(found, tried);
}

/* Every event lifts the sound: in nearly all, even under other drums, the 10 ms after it hold half as much slope again
 * as the 10 ms before. */
static void events_are_audible(void)
{
    size_t all = 0, clear = 0;
    for (size_t i = 0; i < 20; i++) {
        take t = take_of(plain, i);
        for (size_t e = 0; e < t.events_len; e++) {
            size_t at = (size_t)(t.events[e].time * 22050 + 0.5);
            double before = 1e-12, after = 0;
            if (at < 221 || (e > 0 && t.events[e].time - t.events[e - 1].time < 0.02))
                continue;
            for (size_t k = 1; k < 220; k++) {
                before += pow((double)(t.samples[at - k] - t.samples[at - k - 1]), 2);
                after += pow((double)(t.samples[at + k] - t.samples[at + k - 1]), 2);
            }
            all++;
            clear += after > 1.5 * before;
        }
        take_free(&t);
    }
    CHECK(all > 250);
    CHECK(clear > all * 85 / 100);
}

static void rate_does_not_move_events(void)
{
    lc_synth_settings fast = plain;
    fast.rate = 44100;
    take a = take_of(plain, 7), b = take_of(fast, 7);
    CHECK_EQ(b.n, 2 * a.n);
    CHECK_EQ(a.events_len, b.events_len);
    for (size_t e = 0; e < a.events_len && e < b.events_len; e++) {
        CHECK_EQ(a.events[e].kind, b.events[e].kind);
        CHECK_NEAR(a.events[e].time, b.events[e].time, 4e-5);
    }
    take_free(&a);
    take_free(&b);
}

int main(void)
{
    RUN(wrong_settings_are_refused);
    RUN(classes_have_names);
    RUN(recordings_repeat_and_differ);
    RUN(levels_and_events_are_in_range);
    RUN(first_stroke_is_where_the_event_is);
    RUN(events_are_audible);
    RUN(rate_does_not_move_events);
    return check_done();
}

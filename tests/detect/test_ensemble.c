/* SPDX-License-Identifier: MIT
 * test_ensemble.c - votes of several versions: settings, small cases with known results, and the definition on a fine
 * grid. */
#include "cases.h"

#include "detect/ensemble.h"

/* "vote share=0.4 gap=0": what is not named has its default. */
static lc_voting voting_of(const char *line)
{
    lc_voting v = lc_voting_default();
    struct {
        const char *key;
        double *value;
    } keys[] = {
        {"select=", &v.select},
        {"sigma=",  &v.sigma },
        {"share=",  &v.share },
        {"gap=",    &v.gap   },
        {"speeds=", &v.speeds},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *at = strstr(line, keys[i].key);
        if (at != NULL)
            *keys[i].value = strtod(at + strlen(keys[i].key), NULL);
    }
    return v;
}

static lc_vote *vote_of(const char *line, size_t classes)
{
    lc_voting voting = voting_of(line);
    lc_vote *vote;
    if (lc_vote_new(&vote, &voting, classes, NULL) != LOCO_OK)
        exit(1);
    return vote;
}

static loco_event at(double time)
{
    return (loco_event){.time = time, .probability = 1};
}

static void add(lc_vote *vote, lc_version version, const loco_event *events, size_t n)
{
    loco_err err = {""};
    CHECK_STATUS(lc_vote_add(vote, &version, events, n, &err), LOCO_OK);
}

static lc_event_array result(lc_vote *vote)
{
    lc_event_array list = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_vote_events(vote, &list, &err), LOCO_OK);
    return list;
}

static void check_events(lc_vote *vote, const loco_event *want, size_t n, double tolerance)
{
    lc_event_array list = result(vote);
    CHECK_EQ(list.len, n);
    for (size_t i = 0; i < n && i < list.len; i++) {
        CHECK_EQ(list.events[i].kind, want[i].kind);
        CHECK_NEAR(list.events[i].time, want[i].time, tolerance);
        CHECK_NEAR(list.events[i].probability, want[i].probability, 1e-6);
    }
    lc_event_array_free(&list);
}

static void default_settings(void)
{
    lc_voting voting = lc_voting_default();
    CHECK_NEAR(voting.select, 0.2, 0);
    CHECK_NEAR(voting.sigma, 0.0125, 0);
    CHECK_NEAR(voting.share, 0.5, 0);
    CHECK_NEAR(voting.gap, 0.045, 0);
}

static void check_version(lc_version version, const char *says)
{
    lc_vote *vote = vote_of("vote", 2);
    loco_err err = {""};
    CHECK_STATUS(lc_vote_add(vote, &version, NULL, 0, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    lc_vote_free(vote);
}

static void wrong_arguments_are_refused(void)
{
    double nan = (double)NAN;
    lc_voting voting = lc_voting_default();
    lc_vote *vote = NULL;
    lc_version version = lc_version_of(1, 0), wrong = version;
    loco_err err = {""};
    CHECK_STATUS(lc_vote_new(&vote, &voting, 0, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "0 classes");
    voting.share = 0;
    CHECK_STATUS(lc_vote_new(&vote, &voting, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "from 0.001 to 1");
    voting = lc_voting_default();
    voting.sigma = 0;
    CHECK_STATUS(lc_vote_new(&vote, &voting, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "sigma=0 is out of range");
    CHECK(vote == NULL);
    check_version(lc_version_of(0, 0), "scale");
    check_version(lc_version_of(nan, 0), "scale");
    check_version(lc_version_of(1, nan), "shift");
    wrong.weight = 0;
    check_version(wrong, "weight");
    wrong = version;
    wrong.end = wrong.begin;
    check_version(wrong, "must end after it begins");
    vote = vote_of("vote", 2);
    loco_event events[] = {at(1), at(2)};
    events[1].kind = 2;
    CHECK_STATUS(lc_vote_add(vote, &version, events, 2, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "event 1 is of class 2");
    events[1] = at(nan);
    CHECK_STATUS(lc_vote_add(vote, &version, events, 2, &err), LOCO_EDATA);
    events[1] = (loco_event){.probability = nan};
    CHECK_STATUS(lc_vote_add(vote, &version, events, 2, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "event 1 has no time");
    check_events(vote, NULL, 0, 0); /* no ballot counts */
    lc_vote_free(vote);
    lc_vote_free(NULL);
}

/* Versions that are stretched and shifted differently, mapped back. */
static void agreement_is_certain(void)
{
    static const double scales[] = {1, 0.875, 1.125, 1};
    lc_vote *vote = vote_of("vote", 3);
    loco_event want[] = {
        {0.5, 2, 1, 0},
        {1.0, 0, 1, 0},
        {1.1, 0, 1, 0},
        {1.1, 1, 1, 0},
    };
    for (size_t v = 0; v < 4; v++) {
        loco_event events[4];
        double shift = 0.1 * (double)v - 0.2;
        for (size_t i = 0; i < 4; i++)
            events[i] = (loco_event){(want[3 - i].time - shift) / scales[v], want[3 - i].kind, 0.9, 0};
        add(vote, lc_version_of(scales[v], shift), events, 4);
        check_events(vote, want, 4, 1e-12); /* also after each version */
    }
    lc_vote_free(vote);
}

static void the_share_decides(void)
{
    for (size_t votes = 1; votes <= 10; votes++) {
        lc_vote *vote = vote_of("vote share=0.5", 1);
        loco_event e = at(2), want = {2, 0, 0.1 * (double)votes, 0};
        for (size_t v = 0; v < 10; v++)
            add(vote, lc_version_of(1, 0), &e, v < votes);
        check_events(vote, &want, votes >= 5, 1e-12);
        lc_vote_free(vote);
    }
    /* weights count as so many versions */
    lc_vote *vote = vote_of("vote share=0.5", 1);
    loco_event e = at(2), want = {2, 0, 0.7, 0};
    lc_version heavy = lc_version_of(1, 0), light = heavy;
    heavy.weight = 0.7;
    light.weight = 0.3;
    add(vote, heavy, &e, 1);
    add(vote, light, NULL, 0);
    check_events(vote, &want, 1, 1e-12);
    lc_vote_free(vote);
    /* improbable events do not vote */
    vote = vote_of("vote select=0.4", 1);
    e.probability = 0.39;
    add(vote, lc_version_of(1, 0), &e, 1);
    check_events(vote, NULL, 0, 0);
    lc_vote_free(vote);
}

/* Windows of 1 s every 0.5 s: two cover the middle, one the ends, and an event outside its window does not count. */
static void only_versions_that_cover_a_time_count(void)
{
    lc_vote *vote = vote_of("vote share=0.9", 1);
    for (size_t w = 0; w < 4; w++) {
        lc_version version = lc_version_of(1, 0.5 * (double)w);
        version.begin = 0.5 * (double)w;
        version.end = version.begin + 1;
        loco_event events[3];
        size_t n = 0;
        for (size_t i = 0; i < 5; i++) {
            double t = 0.25 + 0.5 * (double)i;
            if (t > version.begin && t < version.end)
                events[n++] = at(t - version.begin);
        }
        events[n++] = at(1); /* the end does not belong to the window */
        add(vote, version, events, n);
    }
    loco_event want[] = {
        {0.25, 0, 1, 0},
        {0.75, 0, 1, 0},
        {1.25, 0, 1, 0},
        {1.75, 0, 1, 0},
        {2.25, 0, 1, 0},
    };
    check_events(vote, want, 5, 1e-12);
    lc_vote_free(vote);
}

/* What begins at 1 covers 1, and what ends there does not. */
static void edges_belong_to_what_follows(void)
{
    lc_vote *vote = vote_of("vote share=0.9", 1);
    lc_version first = lc_version_of(1, 0), second = first;
    loco_event e = at(1);
    first.weight = 3;
    first.end = second.begin = 1;
    add(vote, first, &e, 1);
    add(vote, second, &e, 1);
    check_events(vote, &e, 1, 1e-12);
    lc_vote_free(vote);
}

/* Within the gap equals give one event, the first; ballots further apart may still stand on one peak, if they are
 * nearer than 2 sigma. */
static void equals_are_one_event(void)
{
    lc_vote *vote = vote_of("vote sigma=0.01 gap=0.045", 1);
    loco_event two[] = {at(1), at(1.03)}, close[] = {at(1), at(1.015)}, want = {1.0075, 0, 1, 0};
    add(vote, lc_version_of(1, 0), two, 2);
    check_events(vote, two, 1, 1e-3);
    lc_vote_free(vote);
    vote = vote_of("vote sigma=0.01 gap=0", 1);
    add(vote, lc_version_of(1, 0), close, 2);
    check_events(vote, &want, 1, 1e-6);
    lc_vote_free(vote);
}

/* Two ballots 1.8 sigma apart have one peak, in the middle. */
static void ballots_meet_in_the_middle(void)
{
    lc_vote *vote = vote_of("vote sigma=0.01 gap=0.045 share=0.5", 1);
    loco_event a = at(1), b = at(1.018), want = {1.009, 0, exp(-0.5 * 0.81), 0};
    add(vote, lc_version_of(1, 0), &a, 1);
    add(vote, lc_version_of(1, 0), &b, 1);
    check_events(vote, &want, 1, 1e-7);
    lc_vote_free(vote);
    /* beyond the gap they are two */
    vote = vote_of("vote sigma=0.01 gap=0.045 share=0.5", 1);
    b = at(1.06);
    add(vote, lc_version_of(1, 0), (loco_event[]){a, b}, 2);
    loco_event two[] = {
        {1.0,  0, 1, 0},
        {1.06, 0, 1, 0},
    };
    check_events(vote, two, 2, 1e-7);
    lc_vote_free(vote);
}

/* S on a fine grid: each event stands on a peak of it, with its height; each high peak has an event within the gap. */
static void check_grid(const double *times, size_t n, const lc_event_array *list, double versions)
{
    const double sigma = 0.01, step = 1e-4, gap = 0.04;
    size_t cells = 42000;
    double *s = case_array(cells, sizeof *s);
    for (size_t c = 0; c < cells; c++)
        for (size_t i = 0; i < n; i++)
            if (fabs((double)c * step - times[i]) < 8 * sigma)
                s[c] += exp(-0.5 * pow(((double)c * step - times[i]) / sigma, 2)) / versions;
    for (size_t i = 0; i < list->len; i++) {
        size_t c = (size_t)lround(list->events[i].time / step);
        CHECK_NEAR(list->events[i].probability, fmin(1, s[c]), 1e-3);
        CHECK(s[c] >= s[c > 3 ? c - 3 : 0] - 1e-9 && s[c] >= s[c + 3] - 1e-9);
        if (i > 0)
            CHECK(list->events[i].time - list->events[i - 1].time >= sigma);
    }
    for (size_t c = 1; c + 1 < cells; c++) {
        bool near = false;
        for (size_t i = 0; i < list->len; i++)
            near = near || (fabs(list->events[i].time - (double)c * step) <= 2 * gap &&
                            list->events[i].probability >= fmin(1, s[c]) - 1e-3);
        if (s[c] > s[c - 1] && s[c] >= s[c + 1] && s[c] > 0.52)
            CHECK(near);
    }
    free(s);
}

static void results_follow_the_definition(void)
{
    lc_rng rng = lc_rng_seed(1);
    size_t events = 0;
    for (size_t n = 0; n < 12; n++) {
        enum { VERSIONS = 6, TRUE = 20 };
        lc_vote *vote = vote_of("vote sigma=0.01 gap=0.04 share=0.5", 1);
        double truth[TRUE], times[VERSIONS * 2 * TRUE];
        size_t len = 0;
        for (size_t i = 0; i < TRUE; i++)
            truth[i] = 0.1 + 3.9 * lc_rng_uniform(&rng);
        for (size_t v = 0; v < VERSIONS; v++) {
            loco_event ballots[2 * TRUE];
            size_t m = 0;
            for (size_t i = 0; i < TRUE; i++) {
                if (lc_rng_uniform(&rng) < 0.8)
                    ballots[m++] = at(truth[i] + 0.005 * lc_rng_normal(&rng));
                if (lc_rng_uniform(&rng) < 0.2)
                    ballots[m++] = at(0.1 + 3.9 * lc_rng_uniform(&rng));
            }
            add(vote, lc_version_of(1, 0), ballots, m);
            for (size_t i = 0; i < m; i++)
                times[len++] = ballots[i].time;
        }
        lc_event_array list = result(vote);
        check_grid(times, len, &list, VERSIONS);
        events += list.len;
        lc_event_array_free(&list);
        lc_vote_free(vote);
    }
    CHECK(events > 100);
}

/* Ten hours, a second apart, in order and out of order. */
static void long_recordings_pass(void)
{
    enum { EVENTS = 36000, VERSIONS = 4 };
    lc_vote *vote = vote_of("vote", 1);
    loco_event *events = case_array(EVENTS, sizeof *events);
    for (size_t v = 0; v < VERSIONS; v++) {
        for (size_t i = 0; i < EVENTS; i++)
            events[v % 2 ? EVENTS - 1 - i : i] = at((double)i + 0.001 * (double)v);
        add(vote, lc_version_of(1, 0), events, EVENTS);
    }
    lc_event_array list = result(vote);
    CHECK_EQ(list.len, EVENTS);
    for (size_t i = 0; i < list.len; i += 1111)
        CHECK_NEAR(list.events[i].time, (double)i + 0.0015, 1e-7);
    lc_event_array_free(&list);
    lc_vote_free(vote);
    free(events);
}

int main(void)
{
    RUN(default_settings);
    RUN(wrong_arguments_are_refused);
    RUN(agreement_is_certain);
    RUN(the_share_decides);
    RUN(only_versions_that_cover_a_time_count);
    RUN(edges_belong_to_what_follows);
    RUN(equals_are_one_event);
    RUN(ballots_meet_in_the_middle);
    RUN(results_follow_the_definition);
    RUN(long_recordings_pass);
    return check_done();
}

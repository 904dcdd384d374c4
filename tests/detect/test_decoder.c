/* SPDX-License-Identifier: MIT
 * test_decoder.c - events one frame at a time: against the definition applied to the whole sequence, event for event
 *   and bit for bit; never later than the latency that is promised, and not earlier than that latency allows. */
#include "cases.h"

#include "detect/decoder.h"

enum { LONGEST = 400 };

static lc_decoding decoding_of(const char *line)
{
    lc_decoding decoding;
    loco_err err;
    if (lc_decoding_parse(&decoding, line, strlen(line), &err) != LOCO_OK) {
        fprintf(stderr, "%s: %s\n", line, err.text);
        exit(1);
    }
    return decoding;
}

static lc_decoder *decoder_of(const lc_decoding *decoding, size_t K, double hop, const double *thresholds,
                              const double *offsets)
{
    lc_decoder *decoder;
    loco_err err;
    if (lc_decoder_new(&decoder, decoding, K, hop, thresholds, offsets, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return decoder;
}

static float logit(double p)
{
    return (float)log(p / (1 - p));
}

/* ---- wrong arguments ---- */

static void check_refused(const lc_decoding *d, size_t K, double hop, const double *thresholds, const double *offsets,
                          const char *says)
{
    lc_decoder *decoder = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_decoder_new(&decoder, d, K, hop, thresholds, offsets, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    CHECK(decoder == NULL);
    CHECK_STATUS(lc_decoder_new(&decoder, d, K, hop, thresholds, offsets, NULL), LOCO_EARG);
}

static void wrong_arguments_are_refused(void)
{
    lc_decoding defaults = lc_decoding_default(LC_DECODE_MASS), wrong = defaults;
    double nan = (double)NAN;
    check_refused(&defaults, 0, 0.01, NULL, NULL, "0 classes; 1 to 1048576");
    check_refused(&defaults, SIZE_MAX / 8, 0.01, NULL, NULL, "1 to 1048576");
    check_refused(&defaults, 1, 0, NULL, NULL, "the seconds from frame to frame");
    check_refused(&defaults, 1, -1, NULL, NULL, "the seconds from frame to frame");
    check_refused(&defaults, 1, nan, NULL, NULL, "the seconds from frame to frame");
    check_refused(&defaults, 1, (double)INFINITY, NULL, NULL, "the seconds from frame to frame");
    check_refused(&defaults, 2, 0.01, (double[]){0.5, 0}, NULL, "the threshold of class 1");
    check_refused(&defaults, 2, 0.01, (double[]){nan, 1}, NULL, "the threshold of class 0");
    check_refused(&defaults, 2, 0.01, NULL, (double[]){0, 61}, "the time offset of class 1");
    check_refused(&defaults, 2, 0.01, NULL, (double[]){nan, 0}, "the time offset of class 0");
    wrong.window = nan;
    check_refused(&wrong, 1, 0.01, NULL, NULL, "mass: window=? is out of range");
    wrong.window = 10;
    check_refused(&wrong, 1, 1e-6, NULL, NULL, "window and gap are 10000000 and 20000000 frames; at most 1048576");
    wrong.method = (lc_decode_method)-1;
    check_refused(&wrong, 1, 0.01, NULL, NULL, "decoding method -1");
    lc_decoding count = lc_decoding_default(LC_DECODE_COUNT); /* has no thresholds, so none can be wrong */
    lc_decoder_free(decoder_of(&count, 1, 0.01, (double[]){nan}, NULL));
    lc_decoder_free(NULL);
}

/* ---- the definition, on whole sequences ---- */

typedef struct expected_event {
    loco_event event;
    size_t certain; /* the frame with which it is certain */
    size_t frame;
    double place; /* in frames */
} expected_event;

typedef struct whole {
    const lc_decoding *decoding;
    const float *logits; /* (T, K) */
    size_t T, K, k;
    double hop, threshold, offset;
} whole;

static double p_at(const whole *w, long t)
{
    return t < 0 || t >= (long)w->T ? 0 : lc_probability(w->logits[(size_t)t * w->K + w->k]);
}

/* In the decoder's order of summation: from the last frame to the first. */
static double value_at(const whole *w, long t, long half)
{
    double sum = 0;
    for (long i = half; i >= -half; i--)
        sum += p_at(w, t + i);
    return t < 0 || t >= (long)w->T ? -1 : sum;
}

static void note(expected_event *f, size_t *n, const whole *w, long t, double place, double probability, long wait)
{
    double time = place * w->hop - w->offset;
    f[(*n)++] = (expected_event){
        .event = {time > 0 ? time : 0, w->k, fmin(1, probability), 0},
        .certain = (size_t)(t + wait),
        .frame = (size_t)t,
        .place = place,
    };
}

static void local_events(const whole *w, expected_event *f, size_t *n)
{
    bool mass = w->decoding->method == LC_DECODE_MASS;
    long half = mass ? lround(w->decoding->window / w->hop) : 0, reach = mass ? half : 1;
    long gap = lround(w->decoding->gap / w->hop);
    gap = gap < 2 * half ? 2 * half : gap < 1 ? 1 : gap;
    for (long t = 0; t < (long)w->T; t++) {
        double v = value_at(w, t, half), sum = 0, moment = 0;
        bool largest = v >= w->threshold;
        for (long i = 1; i <= gap; i++)
            largest = largest && v > value_at(w, t - i, half) && v >= value_at(w, t + i, half);
        for (long i = reach; i >= -reach; i--) {
            sum += p_at(w, t + i);
            moment += p_at(w, t + i) * (double)i;
        }
        if (largest)
            note(f, n, w, t, (double)t + moment / sum, v, gap + half);
    }
}

/* The running count as a plain sum from the last reset on, and the number of its half-integers that it has passed. */
static void count_events(const whole *w, expected_event *f, size_t *n)
{
    long reset = lround(w->decoding->reset / w->hop), calm = 0;
    double sum = 0, passed = 0;
    for (long t = 0; t < (long)w->T; t++) {
        double p = p_at(w, t);
        if (sum + p >= passed + 0.5) {
            note(f, n, w, t, (double)t - 0.5 + (passed + 0.5 - sum) / p, p, 0);
            passed++;
        }
        sum += p;
        calm = p < w->decoding->quiet ? calm + 1 : 0;
        if (calm >= (reset < 1 ? 1 : reset))
            sum = passed = 0;
    }
}

/* By the frame with which they are certain, then by class: the order in which a decoder must give them out. */
static int compare_expected(const void *a, const void *b)
{
    const expected_event *x = a, *y = b;
    if (x->certain != y->certain)
        return x->certain < y->certain ? -1 : 1;
    return (x->event.kind > y->event.kind) - (x->event.kind < y->event.kind);
}

static size_t whole_events(whole *w, const double *thresholds, const double *offsets, expected_event *f)
{
    size_t n = 0;
    for (w->k = 0; w->k < w->K; w->k++) {
        w->threshold = thresholds != NULL ? thresholds[w->k] : w->decoding->threshold;
        w->offset = offsets != NULL ? offsets[w->k] : 0;
        if (w->decoding->method == LC_DECODE_COUNT)
            count_events(w, f, &n);
        else
            local_events(w, f, &n);
    }
    qsort(f, n, sizeof *f, compare_expected);
    return n;
}

/* ---- one frame at a time ---- */

typedef struct live_check {
    const expected_event *expected;
    size_t n, expected_len, now;
    const lc_decoder *decoder;
    double time_tolerance;
    bool ended;
} live_check;

static void check_event(void *context, const loco_event *event)
{
    live_check *h = context;
    CHECK(h->n < h->expected_len);
    if (h->n >= h->expected_len)
        return;
    const expected_event *want = &h->expected[h->n++];
    CHECK_EQ(event->kind, want->event.kind);
    CHECK_NEAR(event->time, want->event.time, h->time_tolerance);
    CHECK_NEAR(event->probability, want->event.probability, 0);
    CHECK(event->time >= 0);
    if (h->ended)
        return;
    CHECK_EQ(h->now, want->certain);
    CHECK_EQ(h->now - want->frame, lc_decoder_frames(h->decoder));
    CHECK(((double)h->now - want->place) * h->decoder->hop <= lc_decoder_latency(h->decoder) + 1e-12);
}

static void check_sequence(const whole *w, lc_decoder *decoder, const double *thresholds, const double *offsets,
                           size_t *events)
{
    expected_event *f = case_array(w->T * w->K, sizeof *f);
    whole copy = *w;
    live_check h = {.expected = f, .expected_len = whole_events(&copy, thresholds, offsets, f), .decoder = decoder};
    /* the plain sum of a whole sequence is rounded more coarsely than what a decoder keeps of it */
    h.time_tolerance = w->decoding->method == LC_DECODE_COUNT ? 1e-9 : 0;
    for (h.now = 0; h.now < w->T; h.now++)
        lc_decoder_push(decoder, w->logits + h.now * w->K, check_event, &h);
    h.ended = true;
    lc_decoder_end(decoder, check_event, &h);
    CHECK_EQ(h.n, h.expected_len);
    lc_event_array list = {0};
    loco_err err = {""};
    lc_event_array_add(&list, &(loco_event){.time = 1e9}); /* is left where it is */
    CHECK_STATUS(lc_decoder_run(decoder, w->logits, w->T, &list, &err), LOCO_OK);
    CHECK_EQ(list.len, h.n + 1);
    for (size_t i = 2; i < list.len; i++)
        CHECK(list.events[i].time >= list.events[i - 1].time);
    *events += h.n;
    free(f);
    lc_event_array_free(&list);
}

/* Noise of several kinds: dense, sparse, and of few levels so that there are ties and plateaus; some NaNs and infinite
 * logits. */
static void fill_logits(lc_rng *rng, float *z, size_t n)
{
    size_t style = case_below(rng, 4);
    for (size_t i = 0; i < n; i++) {
        double u = lc_rng_uniform(rng);
        if (style == 0)
            z[i] = (float)(2 * lc_rng_normal(rng));
        else if (style == 1)
            z[i] = (float)((u < 0.05 ? 2 : -6) + lc_rng_normal(rng));
        else if (style == 2)
            z[i] = 0.9f * (float)case_below(rng, 4) - 1.7f; /* of no two p is the sum 1/2: rounding would decide */
        else
            z[i] = u < 0.1 ? INFINITY : u < 0.2 ? 1 : u < 0.21 ? NAN : -INFINITY;
    }
}

static void streams_follow_the_definition(void)
{
    static const char *const lines[] = {
        "peak",
        "peak gap=0 threshold=0.6",
        "peak gap=0.07 threshold=0.000001",
        "mass",
        "mass window=0 gap=0",
        "mass window=0.03 gap=0.01 threshold=0.8",
        "mass window=0.02 gap=0.15 threshold=0.1",
        "count",
        "count reset=0 quiet=0.1",
        "count reset=0.05 quiet=0.3",
        "count quiet=0",
    };
    lc_rng rng = lc_rng_seed(1);
    float *z = case_array(LONGEST * 3, sizeof *z);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        lc_decoding d = decoding_of(lines[i]);
        size_t events = 0;
        for (size_t n = 0; n < 60; n++) {
            double hop = n % 3 == 0 ? 0.01 : n % 3 == 1 ? 220.0 / 22050 : 0.0116;
            double thresholds[] = {0.2, 0.5, 0.9}, offsets[] = {-0.02, 0, 0.035};
            bool own = n % 2 == 0;
            whole w = {.decoding = &d, .logits = z, .K = 1 + n % 3, .hop = hop};
            lc_decoder *decoder = decoder_of(&d, w.K, hop, own ? thresholds : NULL, own ? offsets : NULL);
            for (size_t j = 0; j < 4; j++) { /* one decoder for several sequences */
                w.T = j == 0 ? case_below(&rng, 12) : case_below(&rng, LONGEST + 1);
                fill_logits(&rng, z, w.T * w.K);
                check_sequence(&w, decoder, own ? thresholds : NULL, own ? offsets : NULL, &events);
            }
            lc_decoder_free(decoder);
        }
        printf("    %7zu events  %s\n", events, lines[i]);
        CHECK(events > 1000);
    }
    free(z);
}

/* ---- latency ---- */

typedef struct last {
    size_t n;
    loco_event event;
} last;

static void keep(void *context, const loco_event *event)
{
    last *l = context;
    l->n++;
    l->event = *event;
}

/* p of a few frames; pushes the first `frames`, and says what came out. */
static last push_few(lc_decoder *decoder, const double *p, size_t frames)
{
    last l = {0};
    lc_decoder_reset(decoder);
    for (size_t t = 0; t < frames; t++) {
        float z = logit(p[t]);
        lc_decoder_push(decoder, &z, keep, &l);
    }
    return l;
}

/* Up to the last frame of the promised look-ahead, that frame still decides. */
static void check_needed(const char *line, double *p, size_t peak, size_t frames, double latency)
{
    lc_decoding d = decoding_of(line);
    lc_decoder *decoder = decoder_of(&d, 1, 0.01, NULL, NULL);
    size_t end = peak + frames;
    CHECK_EQ(lc_decoder_frames(decoder), frames);
    CHECK_NEAR(lc_decoder_latency(decoder), latency, 1e-15);
    CHECK_EQ(push_few(decoder, p, end).n, 0);
    last l = push_few(decoder, p, end + 1);
    CHECK_EQ(l.n, 1);
    /* the bound is approached: the mass lies at the first frame of the window around the peak */
    CHECK(0.01 * (double)end - l.event.time <= latency);
    CHECK(0.01 * (double)end - l.event.time > latency - 2e-4);
    double kept = p[end];
    p[end] = 0.99;
    CHECK_EQ(push_few(decoder, p, end + 1).n, 0);
    p[end] = kept;
    lc_decoder_free(decoder);
}

static void latency_is_true_and_needed(void)
{
    double p[30];
    for (size_t i = 0; i < 30; i++)
        p[i] = 1e-6;
    p[5] = 0.8;
    p[9] = 1e-3; /* W = 2: only the window around 7 holds both */
    check_needed("mass window=0.02 gap=0.06", p, 7, 8, 0.10);
    check_needed("mass window=0.02 gap=0", p, 7, 6, 0.08); /* the gap is 2W then */
    p[9] = 1e-6;
    p[4] = 0.7999;
    check_needed("peak gap=0.04", p, 5, 4, 0.045);
    check_needed("peak gap=0", p, 5, 1, 0.015);
    lc_decoding d = decoding_of("count");
    lc_decoder *decoder = decoder_of(&d, 1, 0.01, NULL, NULL);
    CHECK_EQ(lc_decoder_frames(decoder), 0);
    CHECK_NEAR(lc_decoder_latency(decoder), 0.005, 1e-15);
    double q[] = {1e-6, 0.4999, 0.99};
    last l = push_few(decoder, q, 3); /* x is just below 1/2, and passes it at the begin of frame 2 */
    CHECK_EQ(l.n, 1);
    CHECK_NEAR(l.event.time, 0.015, 1e-5);
    lc_decoder_free(decoder);
}

/* ---- properties ---- */

/* An event of mass 1 that lies between two frames comes out there, once, and with probability 1. */
static void events_between_frames_are_placed_there(void)
{
    static const char *const lines[] = {"mass", "peak threshold=0.2", "count"};
    for (size_t i = 0; i < 3; i++) {
        lc_decoding d = decoding_of(lines[i]);
        lc_decoder *decoder = decoder_of(&d, 1, 0.01, NULL, NULL);
        for (size_t n = 0; n < 10; n++) {
            double p[40], part = 0.05 + 0.1 * (double)n;
            for (size_t t = 0; t < 40; t++)
                p[t] = 1e-9;
            p[20] = 1 - part;
            p[21] = part;
            last l = push_few(decoder, p, 40);
            CHECK_EQ(l.n, 1);
            CHECK_NEAR(l.event.time, 0.01 * (20 + part), i < 2 ? 1e-6 : 0.0051);
            if (i == 0)
                CHECK_NEAR(l.event.probability, 1, 1e-6);
        }
        lc_decoder_free(decoder);
    }
}

/* Frame 2^40 + 5, after months, has the time of the product and no other. */
static void time_does_not_drift(void)
{
    const double hop = 220.0 / 22050;
    const uint64_t far = (uint64_t)1 << 40;
    for (lc_decode_method m = LC_DECODE_MASS; m <= LC_DECODE_COUNT; m++) {
        lc_decoding d = lc_decoding_default(m);
        lc_decoder *decoder = decoder_of(&d, 1, hop, NULL, NULL);
        last l = {0};
        /* as if so many silent frames had gone by; frames count from a multiple of the ring, as rows are empty */
        uint64_t start = far / decoder->ring * decoder->ring;
        decoder->frames = start;
        for (size_t t = 0; t < 30; t++) {
            float z = t == 9 ? INFINITY : -INFINITY;
            lc_decoder_push(decoder, &z, keep, &l);
        }
        CHECK_EQ(l.n, 1);
        CHECK_NEAR(l.event.time, (double)(start + 9) * hop, 0);
        lc_decoder_free(decoder);
    }
}

/* Doubles: noise on a spike makes several windows around it nearly equal. */
static void one_spike_is_one_event(void)
{
    lc_decoding d = decoding_of("mass window=0.03 gap=0 threshold=0.3");
    lc_decoder *decoder = decoder_of(&d, 1, 0.01, NULL, NULL);
    lc_rng rng = lc_rng_seed(5);
    for (size_t i = 0; i < 200; i++) {
        double p[60];
        for (size_t t = 0; t < 60; t++)
            p[t] = 0.01 * lc_rng_uniform(&rng) + 1e-6;
        p[30] = 0.9;
        last l = push_few(decoder, p, 60);
        CHECK_EQ(l.n, 1);
        CHECK_NEAR(l.event.time, 0.30, 0.005);
    }
    lc_decoder_free(decoder);
}

/* Half events: two of mass 0.4 pass one half-integer; with silence between them they pass none. */
static void silence_resets_the_count(void)
{
    lc_decoding d = decoding_of("count reset=0.05 quiet=0.01");
    lc_decoder *decoder = decoder_of(&d, 1, 0.01, NULL, NULL);
    for (size_t silence = 0; silence < 10; silence++) {
        double p[12] = {0.4};
        for (size_t t = 1; t <= silence; t++)
            p[t] = 0.001;
        p[silence + 1] = 0.4;
        CHECK_EQ(push_few(decoder, p, silence + 2).n, silence < 5 ? 1 : 0);
    }
    lc_decoder_free(decoder);
}

static void a_reset_forgets(void)
{
    for (lc_decode_method m = LC_DECODE_MASS; m <= LC_DECODE_COUNT; m++) {
        lc_decoding d = lc_decoding_default(m);
        lc_decoder *decoder = decoder_of(&d, 1, 0.01, NULL, NULL);
        last l = {0};
        float loud = m == LC_DECODE_COUNT ? logit(0.45) : 5, quiet = -20;
        lc_decoder_push(decoder, &loud, keep, &l);
        lc_decoder_reset(decoder);
        for (size_t t = 0; t < 20; t++)
            lc_decoder_push(decoder, t == 3 && m == LC_DECODE_COUNT ? &loud : &quiet, keep, &l);
        lc_decoder_end(decoder, keep, &l);
        CHECK_EQ(l.n, 0);
        lc_decoder_free(decoder);
    }
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(streams_follow_the_definition);
    RUN(latency_is_true_and_needed);
    RUN(events_between_frames_are_placed_there);
    RUN(time_does_not_drift);
    RUN(one_spike_is_one_event);
    RUN(silence_resets_the_count);
    RUN(a_reset_forgets);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_listener.c - samples in, events out: wrong arguments, blocks of any size, other sample rates and channels,
 *   series, probabilities, flush and reset, several listeners of one model in several threads. */
#include "burst_model.h"

#include "base/pool.h"

enum { RATE = 22050, SECONDS = 6, FRAMES = RATE * SECONDS, MOST = 256 };

static burst_case made;
static loco_model *model;
static float sound[2 * FRAMES];

/* Events in the order in which they are reported. */
typedef struct list {
    loco_event events[MOST];
    size_t len, frames;
    double peak; /* largest probability of a frame */
} list;

static void take(void *context, const loco_event *event)
{
    list *l = context;
    if (l->len < MOST)
        l->events[l->len++] = *event;
}

static void take_frame(void *context, uint64_t frame, const float *probabilities)
{
    list *l = context;
    CHECK_EQ((size_t)frame, l->frames);
    l->frames++;
    l->peak = fmax(l->peak, (double)probabilities[0]);
}

static bool same(const list *a, const list *b)
{
    bool equal = a->len == b->len;
    for (size_t i = 0; equal && i < a->len; i++)
        equal = case_same(&a->events[i].time, &b->events[i].time, sizeof(double)) &&
                case_same(&a->events[i].probability, &b->events[i].probability, sizeof(double)) &&
                a->events[i].kind == b->events[i].kind;
    return equal;
}

static void push_all(loco_listener *listener, const float *samples, size_t frames, size_t channels, size_t block)
{
    loco_err err = {""};
    for (size_t at = 0; at < frames; at += block) {
        size_t n = frames - at < block ? frames - at : block;
        if (loco_listener_push(listener, samples + at * channels, n, &err) != LOCO_OK)
            CHECK_STR(err.text, "");
    }
}

/* What a new listener reports of the samples. */
static list listen(const loco_model *m, const loco_samples *s, size_t block)
{
    list l = {.len = 0};
    loco_listener *listener = NULL;
    loco_listen_options how = {
        .size = sizeof how, .rate = s->rate, .channels = s->channels, .take = take, .frame = take_frame, .context = &l};
    CHECK_STATUS(loco_listener_new(&listener, m, &how, NULL), LOCO_OK);
    push_all(listener, s->data, s->frames, s->channels, block);
    CHECK_STATUS(loco_listener_flush(listener, NULL), LOCO_OK);
    loco_listener_free(listener);
    return l;
}

/* ---- refused ---- */

static void refuse(const loco_listen_options *how, const char *why)
{
    loco_err err = {""};
    loco_listener *listener = NULL;
    CHECK_STATUS(loco_listener_new(&listener, model, how, &err), LOCO_EARG);
    CHECK_SAYS(err.text, why);
    CHECK(listener == NULL);
}

static void wrong_arguments_are_refused(void)
{
    loco_listen_options how = {.size = sizeof how, .rate = -1};
    refuse(&how, "the rate must be 1 to");
    how.rate = NAN;
    refuse(&how, "the rate must be 1 to");
    how = (loco_listen_options){.size = sizeof how, .channels = 65};
    refuse(&how, "channels; there must be 1 to");
    how = (loco_listen_options){.size = sizeof how, .decoding = "sharp"};
    refuse(&how, "sharp");
    how = (loco_listen_options){.size = 0};
    refuse(&how, "size is 0");
    loco_listener_free(NULL);
}

/* The block is not read: what follows gives the events that it would give without it. */
static void samples_that_are_not_finite_are_refused(void)
{
    float bad[3] = {0, INFINITY, 0};
    list l = {.len = 0}, want = listen(model, &(loco_samples){sound, FRAMES, 1, RATE}, 4096);
    loco_err err = {""};
    loco_listener *listener = NULL;
    loco_listen_options how = {.size = sizeof how, .take = take, .frame = take_frame, .context = &l};
    CHECK_STATUS(loco_listener_new(&listener, model, &how, NULL), LOCO_OK);
    push_all(listener, sound, 1000, 1, 1000);
    CHECK_STATUS(loco_listener_push(listener, bad, 3, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "sample 1 of the block is not a finite number");
    CHECK_STATUS(loco_listener_push(listener, NULL, 3, &err), LOCO_EARG);
    CHECK_STATUS(loco_listener_push(listener, NULL, 0, &err), LOCO_OK);
    push_all(listener, sound + 1000, FRAMES - 1000, 1, 5000);
    CHECK_STATUS(loco_listener_flush(listener, NULL), LOCO_OK);
    CHECK(same(&l, &want));
    loco_listener_free(listener);
}

/* ---- events ---- */

static void blocks_change_nothing(void)
{
    static const size_t blocks[] = {1, 64, 1000, 48000, FRAMES};
    loco_event *events = NULL;
    size_t n = 0;
    char path[512];
    snprintf(path, sizeof path, "%s", run_path("set/r.wav"));
    CHECK_STATUS(loco_detect(&events, &n, model, path, NULL, NULL), LOCO_OK);
    CHECK(n > 10 && n <= MOST);
    list want = {.len = n < MOST ? n : MOST};
    for (size_t i = 0; i < want.len; i++)
        want.events[i] = events[i];
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        list got = listen(model, &(loco_samples){sound, FRAMES, 1, RATE}, blocks[i]);
        CHECK(same(&got, &want));
        CHECK_EQ(got.frames, (FRAMES + 219) / 220);
        CHECK(got.peak > 0.5 && got.peak <= 1);
    }
    loco_free(events);
}

/* In memory, at other rates and as two channels: what a listener reports, all at once. */
static void samples_in_memory_give_the_same(void)
{
    static const double rates[] = {RATE, 44100, 48000, 17000};
    for (size_t i = 0; i < 4; i++)
        for (size_t channels = 1; channels <= 2; channels++) {
            loco_samples s = {sound, FRAMES / channels, channels, rates[i]};
            loco_event *events = NULL;
            size_t n = 0;
            list got = listen(model, &s, 777), all = {.len = 0};
            CHECK_STATUS(loco_detect_samples(&events, &n, model, &s, NULL, NULL), LOCO_OK);
            CHECK(n <= MOST);
            for (size_t e = 0; e < n && e < MOST; e++)
                take(&all, &events[e]);
            CHECK(same(&got, &all));
            loco_free(events);
        }
    loco_err err = {""};
    loco_event *events = NULL;
    size_t n = 0;
    CHECK_STATUS(loco_detect_samples(&events, &n, model, NULL, NULL, &err), LOCO_EARG);
    loco_detect_options how = {.size = sizeof how, .raw = "s16le,1,44100"};
    CHECK_STATUS(loco_detect_samples(&events, &n, model, &(loco_samples){sound, 1, 1, RATE}, &how, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "raw");
}

/* ---- counts ---- */

static void take_row(void *context, const loco_tally_row *row)
{
    *(loco_tally_row *)context = *row;
}

static void counts_in_memory_are_those_of_the_file(void)
{
    loco_tally_row file = {.file = NULL}, memory = {.file = "x"};
    loco_err err = {""};
    loco_samples s = {sound, FRAMES, 1, RATE};
    char path[512];
    snprintf(path, sizeof path, "%s", run_path("set/r.wav"));
    CHECK_STATUS(loco_tally(take_row, &file, model, path, NULL, &err), LOCO_OK);
    CHECK_STATUS(loco_tally_samples(take_row, &memory, model, &s, NULL, &err), LOCO_OK);
    CHECK(memory.file == NULL && file.file != NULL);
    CHECK_NEAR(memory.expected, file.expected, 0);
    CHECK_NEAR(memory.end, SECONDS, 1e-9);
    CHECK(memory.low == file.low && memory.high == file.high);
    CHECK_STATUS(loco_tally_samples(take_row, &memory, model, NULL, NULL, &err), LOCO_EARG);
    s.rate = 0;
    CHECK_STATUS(loco_tally_samples(take_row, &memory, model, &s, NULL, &err), LOCO_EARG);
}

/* ---- start and end ---- */

static void flush_and_reset_start_again(void)
{
    list l = {.len = 0}, want = listen(model, &(loco_samples){sound, FRAMES, 1, RATE}, 4096);
    loco_listener *listener = NULL;
    loco_listen_options how = {.size = sizeof how, .take = take, .frame = NULL, .context = &l};
    CHECK_STATUS(loco_listener_new(&listener, model, &how, NULL), LOCO_OK);
    for (size_t i = 0; i < 2; i++) {
        l.len = 0;
        push_all(listener, sound, FRAMES, 1, 4096);
        CHECK_STATUS(loco_listener_flush(listener, NULL), LOCO_OK);
        CHECK(same(&l, &want));
    }
    push_all(listener, sound, FRAMES / 2, 1, 4096);
    loco_listener_reset(listener);
    l.len = 0;
    push_all(listener, sound, FRAMES, 1, 4096);
    CHECK_STATUS(loco_listener_flush(listener, NULL), LOCO_OK);
    CHECK(same(&l, &want));
    loco_listener_free(listener);
}

/* An event is reported at most so many seconds of input after its time, at any sample rate. */
static void latency_is_kept(void)
{
    static const double rates[] = {RATE, 44100, 17000};
    for (size_t i = 0; i < 3; i++) {
        list l = {.len = 0};
        loco_listener *listener = NULL;
        loco_listen_options how = {.size = sizeof how, .rate = rates[i], .take = take, .context = &l};
        CHECK_STATUS(loco_listener_new(&listener, model, &how, NULL), LOCO_OK);
        double latency = loco_listener_latency(listener);
        CHECK(latency > 0 && latency < 0.5);
        size_t seen = 0;
        for (size_t at = 0; at < FRAMES; at += 10) {
            CHECK_STATUS(loco_listener_push(listener, sound + at, 10, NULL), LOCO_OK);
            for (; seen < l.len; seen++)
                CHECK((double)(at + 10) / rates[i] - l.events[seen].time <= latency + 10 / rates[i] + 1e-9);
        }
        CHECK(l.len > 3);
        loco_listener_free(listener);
    }
}

/* ---- threads ---- */

enum { THREADS = 4 };

typedef struct crowd {
    list lists[THREADS];
} crowd;

static void run_one(void *context, size_t task, unsigned worker)
{
    (void)worker;
    list *l = &((crowd *)context)->lists[task];
    loco_listener *listener = NULL;
    loco_listen_options how = {.size = sizeof how, .take = take, .context = l};
    if (loco_listener_new(&listener, model, &how, NULL) != LOCO_OK)
        return;
    for (size_t at = 0; at < FRAMES; at += 500)
        if (loco_listener_push(listener, sound + at, FRAMES - at < 500 ? FRAMES - at : 500, NULL) != LOCO_OK)
            l->len = MOST;
    if (loco_listener_flush(listener, NULL) != LOCO_OK)
        l->len = MOST;
    loco_listener_free(listener);
}

static void several_threads_share_a_model(void)
{
    static crowd all;
    lc_pool *pool = NULL;
    list want = listen(model, &(loco_samples){sound, FRAMES, 1, RATE}, 4096);
    CHECK_STATUS(lc_pool_new(&pool, THREADS, NULL), LOCO_OK);
    lc_pool_run(pool, THREADS, run_one, &all);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(same(&all.lists[i], &want));
    lc_pool_free(pool);
}

int main(void)
{
    float *samples = NULL;
    size_t n = 0;
    burst_begin(&made, SECONDS);
    CHECK_STATUS(loco_model_load(&model, made.model, NULL), LOCO_OK);
    CHECK_STATUS(lc_sound_load(run_path("set/r.wav"), 0, INFINITY, RATE, &samples, &n, NULL), LOCO_OK);
    CHECK_EQ(n, FRAMES);
    memcpy(sound, samples, (n < FRAMES ? n : FRAMES) * sizeof *sound);
    free(samples);
    RUN(wrong_arguments_are_refused);
    RUN(samples_that_are_not_finite_are_refused);
    RUN(blocks_change_nothing);
    RUN(samples_in_memory_give_the_same);
    RUN(counts_in_memory_are_those_of_the_file);
    RUN(flush_and_reset_start_again);
    RUN(latency_is_kept);
    RUN(several_threads_share_a_model);
    loco_model_free(model);
    return run_done();
}

/* SPDX-License-Identifier: MIT
 * test_listen.c - sound through a model: in pieces of any size, by stream or by windows, the same logits as in one
 *   go. */
#include "burst_model.h"
#include "nets.h"

#include "detect/listen.h"

enum { BANDS = 24, CLASSES = 2, HOP = 220 };

/* A model with random weights. */
typedef struct listening {
    lc_net net;
    float *params;
    loco_model *model;
    lc_listener *listener;
} listening;

static void open_listening(listening *l, const char *line)
{
    static const char *const names[] = {"a", "b"};
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_usual(LC_DECODE_MASS);
    lc_rng rng = lc_rng_seed(8);
    *l = (listening){.params = NULL};
    net_of(&l->net, line, BANDS, 2);
    l->params = case_array(l->net.params, sizeof(float));
    lc_net_init(&l->net, l->params, 1, 0.1, &rng);
    for (size_t i = 0; i < l->net.params; i++)
        l->params[i] += (float)(0.1 * lc_rng_normal(&rng));
    CHECK_STATUS(lc_frontend_parse(&front, "mel bands=24", NULL), LOCO_OK);
    CHECK_STATUS(lc_setup_view(&l->model, &l->net, l->params, names, &front, &decoding, NULL), LOCO_OK);
    if (lc_listener_new(&l->listener, l->model, NULL) != LOCO_OK)
        exit(1);
}

static void close_listening(listening *l)
{
    lc_listener_free(l->listener);
    loco_model_free(l->model);
    free(l->params);
}

/* Noise that swells and ebbs. */
static float *make_sound(size_t n)
{
    float *x = case_array(n, sizeof *x);
    lc_rng rng = lc_rng_seed(9);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(0.1 * lc_rng_normal(&rng) * (1 + sin((double)i / 3000)));
    return x;
}

/* The logits of a sound that comes in pieces of up to `most` samples. */
static lc_series hear(listening *l, const float *x, size_t n, size_t most)
{
    lc_series series = {.K = CLASSES};
    lc_rng rng = lc_rng_seed(most);
    for (size_t at = 0; at < n;) {
        size_t len = most > 1 ? 1 + case_below(&rng, most) : 1;
        len = len < n - at ? len : n - at;
        lc_listener_push(l->listener, x + at, len, lc_series_take, &series);
        at += len;
    }
    lc_listener_end(l->listener, lc_series_take, &series);
    CHECK(!series.failed);
    return series;
}

/* Front end and network over all at once. */
static float *in_one_go(const listening *l, const float *x, size_t n, size_t *T)
{
    lc_frontend *front = NULL;
    lc_tape tape;
    lc_block block = {0};
    if (lc_frontend_new(&front, &l->model->frontend, NULL) != LOCO_OK)
        exit(1);
    float *frames = case_array((lc_frontend_most(front, n) + lc_frontend_most(front, 0)) * BANDS * 2, sizeof *frames);
    *T = lc_frontend_push(front, x, n, frames);
    *T += lc_frontend_finish(front, frames + *T * BANDS * 2);
    net_tape(&tape, &block, &l->net, *T);
    lc_map in = lc_tape_input(&tape, &l->net, *T);
    for (size_t t = 0; t < *T; t++)
        memcpy(in.data + t * in.row, frames + t * BANDS * 2, BANDS * 2 * sizeof(float));
    lc_map out = lc_net_forward(&l->net, &tape, l->model->packed.data, NULL);
    float *logits = case_array(*T * CLASSES, sizeof *logits);
    for (size_t t = 0; t < *T; t++)
        memcpy(logits + t * CLASSES, out.data + t * out.row, CLASSES * sizeof(float));
    free(frames);
    lc_block_free(&block);
    lc_frontend_free(front);
    return logits;
}

static double compare(listening *l, const float *x, size_t n)
{
    size_t T = 0;
    double worst = 0;
    float *want = in_one_go(l, x, n, &T);
    lc_series got = hear(l, x, n, 5000);
    CHECK_EQ(got.T, T);
    CHECK_EQ(T, (n + HOP - 1) / HOP);
    for (size_t i = 0; i < T * CLASSES && got.T == T; i++)
        worst_note(&worst, (double)got.logits[i], (double)want[i], 1);
    free(got.logits);
    free(want);
    return worst;
}

static void pieces_change_nothing(void)
{
    static const char *const lines[] = {"conv 3x5 4 stride 4 norm, gru 8, dense 2",
                                        "conv 3x5 4 stride 4 norm, gru 8 both, dense 2"};
    static const size_t pieces[] = {1, 7, 219, 1000, 16384, 40000};
    enum { N = 30000 };
    float *x = make_sound(N);
    for (size_t i = 0; i < 2; i++) {
        listening l;
        open_listening(&l, lines[i]);
        CHECK(l.net.streams == (i == 0));
        lc_series want = hear(&l, x, N, N);
        CHECK_EQ(want.T, (N + HOP - 1) / HOP);
        for (size_t j = 0; j < 6; j++) {
            lc_series got = hear(&l, x, N, pieces[j]);
            CHECK_EQ(got.T, want.T);
            CHECK(case_same(got.logits, want.logits, want.T * CLASSES * sizeof(float)));
            free(got.logits);
        }
        free(want.logits);
        close_listening(&l);
    }
    free(x);
}

/* Shorter than a window there is one window: the whole. */
static void short_sounds_are_heard_whole(void)
{
    static const size_t lengths[] = {1, 219, 220, 221, 5000, 66000};
    double by_stream = 0, by_window = 0;
    float *x = make_sound(66000);
    listening stream, window;
    open_listening(&stream, "conv 3x5 4 stride 4 norm, conv 3x3 4 causal, lstm 6, gru 8, dense 2");
    open_listening(&window, "conv 3x5 4 stride 4 norm, gru 8 both, dense 2");
    for (size_t i = 0; i < 6; i++) {
        worst_note(&by_stream, compare(&stream, x, lengths[i]), 0, 1);
        worst_note(&by_window, compare(&window, x, lengths[i]), 0, 1);
    }
    CHECK_WORST(by_stream, 1e-5);
    CHECK_WORST(by_window, 1e-5);
    close_listening(&stream);
    close_listening(&window);
    free(x);
}

/* 37 s make several windows; a network whose memory is shorter than the margin does not notice. */
static void windows_join_without_a_seam(void)
{
    enum { N = 3700 * HOP + 17 };
    float *x = make_sound(N);
    listening l;
    open_listening(&l, "conv 3x5 4 stride 4 norm, gru 8 both, dense 2");
    double seam = compare(&l, x, N);
    CHECK_WORST(seam, 1e-4);
    close_listening(&l);
    free(x);
}

/* After an end the next sound begins as the first did. */
static void sounds_do_not_leak_into_each_other(void)
{
    float *x = make_sound(20000);
    listening l;
    open_listening(&l, "conv 3x5 4 stride 4 norm, gru 8, dense 2");
    lc_series first = hear(&l, x, 10000, 3000), other = hear(&l, x + 10000, 10000, 3000), again;
    again = hear(&l, x, 10000, 300);
    CHECK(case_same(first.logits, again.logits, first.T * CLASSES * sizeof(float)));
    CHECK(!case_same(first.logits, other.logits, first.T * CLASSES * sizeof(float)));
    lc_series nothing = {.K = CLASSES};
    lc_listener_end(l.listener, lc_series_take, &nothing);
    CHECK_EQ(nothing.T, 0);
    free(first.logits);
    free(other.logits);
    free(again.logits);
    close_listening(&l);
    free(x);
}

static void files_are_heard(void)
{
    enum { N = 30000 };
    float *x = make_sound(N);
    lc_sound *sound = NULL;
    loco_err err = {""};
    listening l;
    lc_series got = {.K = CLASSES};
    run_wav("x.wav", 22050, x, N);
    open_listening(&l, "conv 3x5 4 stride 4 norm, gru 8, dense 2");
    lc_series want = hear(&l, x, N, N);
    CHECK_STATUS(lc_sound_open(&sound, run_path("x.wav"), 22050, &err), LOCO_OK);
    CHECK_STATUS(lc_listen(l.listener, sound, lc_series_take, &got, &err), LOCO_OK);
    CHECK_EQ(got.T, want.T);
    CHECK(case_same(got.logits, want.logits, want.T * CLASSES * sizeof(float)));
    lc_sound_close(sound);
    free(got.logits);
    /* a file that breaks off is told, and the listener is as new */
    CHECK(truncate(run_path("x.wav"), 60000) == 0);
    if (lc_sound_open(&sound, run_path("x.wav"), 22050, &err) == LOCO_OK) {
        got = (lc_series){.K = CLASSES};
        loco_status status = lc_listen(l.listener, sound, lc_series_take, &got, &err);
        CHECK(status == LOCO_EDATA || status == LOCO_OK);
        lc_sound_close(sound);
        free(got.logits);
    }
    got = hear(&l, x, N, N);
    CHECK(case_same(got.logits, want.logits, want.T * CLASSES * sizeof(float)));
    free(got.logits);
    free(want.logits);
    close_listening(&l);
    free(x);
}

int main(void)
{
    run_begin();
    RUN(pieces_change_nothing);
    RUN(short_sounds_are_heard_whole);
    RUN(windows_join_without_a_seam);
    RUN(sounds_do_not_leak_into_each_other);
    RUN(files_are_heard);
    return run_done();
}

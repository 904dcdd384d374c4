/* SPDX-License-Identifier: MIT
 * test_infer.c - sound through a model: in blocks of any size, by stream or by windows, the same logits as all at once;
 *   files, samples in memory, other sample rates. */
#include "burst_model.h"
#include "nets.h"

#include "detect/infer.h"

enum { BANDS = 24, CLASSES = 2, HOP = 220 };

/* A model with random weights. */
typedef struct reading {
    lc_net net;
    float *params;
    loco_model *model;
    lc_infer *infer;
} reading;

static void open_scaled(reading *l, const char *line, float scale)
{
    static const char *const names[] = {"a", "b"};
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    lc_rng rng = lc_rng_seed(8);
    *l = (reading){.params = NULL};
    net_of(&l->net, line, BANDS, 2);
    l->params = case_array(l->net.params, sizeof(float));
    lc_net_init(&l->net, l->params, 1, 0.1, &rng);
    for (size_t i = 0; i < l->net.params; i++)
        l->params[i] = (l->params[i] + (float)(0.1 * lc_rng_normal(&rng))) * scale;
    CHECK_STATUS(lc_frontend_parse(&front, "mel bands=24", NULL), LOCO_OK);
    CHECK_STATUS(lc_model_view(&l->model, &l->net, l->params, names, &front, &decoding, NULL), LOCO_OK);
    if (lc_infer_new(&l->infer, l->model, 22050, 1, NULL) != LOCO_OK)
        exit(1);
}

static void open_reading(reading *l, const char *line)
{
    open_scaled(l, line, 1);
}

static void close_reading(reading *l)
{
    lc_infer_free(l->infer);
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
static lc_logits read_pieces(reading *l, const float *x, size_t n, size_t most)
{
    lc_logits logits = {.K = CLASSES};
    lc_rng rng = lc_rng_seed(most);
    for (size_t at = 0; at < n;) {
        size_t len = most > 1 ? 1 + case_below(&rng, most) : 1;
        len = len < n - at ? len : n - at;
        CHECK_STATUS(lc_infer_push(l->infer, x + at, len, lc_logits_append, &logits, NULL), LOCO_OK);
        at += len;
    }
    CHECK_STATUS(lc_infer_end(l->infer, lc_logits_append, &logits, NULL), LOCO_OK);
    CHECK(!logits.failed);
    return logits;
}

/* Front end and network over everything at once. */
static float *at_once(const reading *l, const float *x, size_t n, size_t *T)
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

static double compare(reading *l, const float *x, size_t n)
{
    size_t T = 0;
    double worst = 0;
    float *want = at_once(l, x, n, &T);
    lc_logits got = read_pieces(l, x, n, 5000);
    CHECK_EQ(got.T, T);
    CHECK_EQ(T, (n + HOP - 1) / HOP);
    for (size_t i = 0; i < T * CLASSES && got.T == T; i++)
        worst_note(&worst, (double)got.data[i], (double)want[i], 1);
    free(got.data);
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
        reading l;
        open_reading(&l, lines[i]);
        CHECK(l.net.streams == (i == 0));
        lc_logits want = read_pieces(&l, x, N, N);
        CHECK_EQ(want.T, (N + HOP - 1) / HOP);
        for (size_t j = 0; j < 6; j++) {
            lc_logits got = read_pieces(&l, x, N, pieces[j]);
            CHECK_EQ(got.T, want.T);
            CHECK(case_same(got.data, want.data, want.T * CLASSES * sizeof(float)));
            free(got.data);
        }
        free(want.data);
        close_reading(&l);
    }
    free(x);
}

/* Shorter than a window there is one window: the whole. Layers before those in both directions stream, unless a join behind
 * these appends them. */
static void short_sounds_are_read_whole(void)
{
    static const char *const lines[] = {
        "conv 3x5 4 stride 4 norm, conv 3x3 4 causal, lstm 6, gru 8, dense 2",
        "conv 3x5 4 stride 4 norm, gru 8 both, dense 2",
        "conv 3x5 4 stride 4, dense 6 relu as d, dense 5, gru 8 both, join d, dense 2",
        "conv 3x5 4 stride 4, dense 6 as d, dense 5, join d, conv 3x3 4, lstm 4 both, dense 2",
        "lstm 4 both, conv 3x1 4, gru 3, dense 2",
        "conv 3x5 4 as a, dense 6 relu as b, join a, gru 8 both, join b, dense 2"};
    enum { LINES = sizeof lines / sizeof lines[0] };
    static const size_t lengths[] = {1, 219, 220, 221, 5000, 66000}, streamed[LINES] = {5, 1, 2, 5, 0, 1};
    float *x = make_sound(66000);
    for (size_t i = 0; i < LINES; i++) {
        double worst = 0;
        reading l;
        open_reading(&l, lines[i]);
        CHECK_EQ(l.net.streamed, streamed[i]);
        for (size_t j = 0; j < 6; j++)
            worst_note(&worst, compare(&l, x, lengths[j]), 0, 1);
        CHECK_WORST(worst, 1e-5);
        close_reading(&l);
    }
    free(x);
}

/* 37 s make several windows; a network whose memory is shorter than the margin does not notice. */
static void windows_join_without_a_seam(void)
{
    enum { N = 3700 * HOP + 17 };
    float *x = make_sound(N);
    reading l;
    open_reading(&l, "conv 3x5 4 stride 4 norm, gru 8 both, dense 2");
    double seam = compare(&l, x, N);
    CHECK_WORST(seam, 1e-4);
    close_reading(&l);
    free(x);
}

/* After an end the next sound begins as the first did. */
static void sounds_do_not_leak_into_each_other(void)
{
    float *x = make_sound(20000);
    reading l;
    open_reading(&l, "conv 3x5 4 stride 4 norm, gru 8, dense 2");
    lc_logits first = read_pieces(&l, x, 10000, 3000), other = read_pieces(&l, x + 10000, 10000, 3000), again;
    again = read_pieces(&l, x, 10000, 300);
    CHECK(case_same(first.data, again.data, first.T * CLASSES * sizeof(float)));
    CHECK(!case_same(first.data, other.data, first.T * CLASSES * sizeof(float)));
    lc_logits nothing = {.K = CLASSES};
    CHECK_STATUS(lc_infer_end(l.infer, lc_logits_append, &nothing, NULL), LOCO_OK);
    CHECK_EQ(nothing.T, 0);
    free(first.data);
    free(other.data);
    free(again.data);
    close_reading(&l);
    free(x);
}

/* What lc_infer_logits gives, or a status other than LOCO_OK. */
static loco_status all_of(lc_logits *logits, const reading *l, const lc_input *input)
{
    loco_err err = {""};
    *logits = (lc_logits){0};
    return lc_infer_logits(logits, l->model, input, &err);
}

static bool same(const lc_logits *a, const lc_logits *b)
{
    return a->T == b->T && case_same(a->data, b->data, a->T * CLASSES * sizeof(float));
}

static void files_and_samples_are_read(void)
{
    enum { N = 30000 };
    float *x = make_sound(N);
    reading l;
    lc_logits got;
    char path[512];
    snprintf(path, sizeof path, "%s", run_path("x.wav"));
    run_wav("x.wav", 22050, x, N);
    open_reading(&l, "conv 3x5 4 stride 4 norm, gru 8, dense 2");
    lc_logits want = read_pieces(&l, x, N, N);
    CHECK_STATUS(all_of(&got, &l, &(lc_input){.path = path}), LOCO_OK);
    CHECK(same(&got, &want));
    free(got.data);
    loco_samples samples = {x, N, 1, 22050};
    CHECK_STATUS(all_of(&got, &l, &(lc_input){.samples = &samples}), LOCO_OK);
    CHECK(same(&got, &want));
    free(got.data);
    /* a file that ends early is refused, and an infer that was reading is as new */
    CHECK(truncate(path, 60000) == 0);
    loco_status status = all_of(&got, &l, &(lc_input){.path = path});
    CHECK(status == LOCO_EDATA || status == LOCO_OK);
    free(got.data);
    got = read_pieces(&l, x, N, N);
    CHECK(same(&got, &want));
    free(got.data);
    free(want.data);
    close_reading(&l);
    free(x);
}

/* Samples in memory are what a file with the same samples is: two channels, another sample rate, any block size. */
static void other_rates_and_channels_are_converted(void)
{
    enum { N = 40000 };
    static const double rates[] = {44100, 48000, 16000, 22050, 12345};
    float *x = make_sound(2 * N);
    reading l;
    open_reading(&l, "conv 3x5 4 stride 4 norm, gru 8, dense 2");
    for (size_t i = 0; i < 5; i++) {
        lc_logits want, got;
        loco_samples samples = {x, N, 2, rates[i]};
        lc_infer *infer = NULL;
        CHECK_STATUS(all_of(&want, &l, &(lc_input){.samples = &samples}), LOCO_OK);
        CHECK_EQ(want.T, (size_t)ceil(nearbyint(N * 22050.0 / rates[i]) / HOP));
        CHECK_STATUS(lc_infer_new(&infer, l.model, rates[i], 1, NULL), LOCO_OK);
        got = (lc_logits){.K = CLASSES};
        for (size_t at = 0; at < N; at += 777) {
            float mono[777];
            size_t n = N - at < 777 ? N - at : 777;
            for (size_t s = 0; s < n; s++)
                mono[s] = (x[2 * (at + s)] + x[2 * (at + s) + 1]) * 0.5f;
            CHECK_STATUS(lc_infer_push(infer, mono, n, lc_logits_append, &got, NULL), LOCO_OK);
        }
        CHECK_STATUS(lc_infer_end(infer, lc_logits_append, &got, NULL), LOCO_OK);
        CHECK(same(&got, &want));
        lc_infer_free(infer);
        free(got.data);
        free(want.data);
    }
    close_reading(&l);
    free(x);
}

static void wrong_samples_are_refused(void)
{
    float x[4] = {0, 0, NAN, 0};
    reading l;
    lc_logits got;
    open_reading(&l, "conv 3x5 4 stride 4 norm, gru 8, dense 2");
    const struct {
        loco_samples samples;
        loco_status status;
    } cases[] = {
        {{NULL, 4, 1, 22050}, LOCO_EARG },
        {{x, 4, 0, 22050},    LOCO_EARG },
        {{x, 1, 65, 22050},   LOCO_EARG },
        {{x, 4, 1, 0},        LOCO_EARG },
        {{x, 4, 1, NAN},      LOCO_EARG },
        {{x, 4, 1, 22050},    LOCO_EDATA},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_STATUS(all_of(&got, &l, &(lc_input){.samples = &cases[i].samples}), cases[i].status);
    close_reading(&l);
}

static void no_row(void *context, const loco_tally_row *row)
{
    (void)row;
    ++*(size_t *)context;
}

/* Finite weights whose sums are not: no event, no count, and the same sentence from all. */
static void logits_that_are_not_numbers_are_refused(void)
{
    static const char *const lines[] = {"conv 5x1 3, gru 4, dense 4, dense 2", "lstm 4 both, dense 4, dense 2"};
    float *x = make_sound(40000);
    loco_samples samples = {x, 40000, 1, 22050};
    for (size_t i = 0; i < 2; i++) {
        reading l;
        lc_logits got = {0};
        loco_event *events = NULL;
        loco_listener *listener = NULL;
        size_t n = 0, rows = 0;
        loco_err first = {""}, err = {""};
        open_scaled(&l, lines[i], 1e37f);
        CHECK_STATUS(lc_infer_logits(&got, l.model, &(lc_input){.samples = &samples}, &first), LOCO_EDATA);
        CHECK_SAYS(first.text, "probabilities that are not numbers");
        CHECK_STATUS(loco_detect_samples(&events, &n, l.model, &samples, NULL, &err), LOCO_EDATA);
        CHECK_STR(err.text, first.text);
        CHECK_STATUS(loco_tally_samples(no_row, &rows, l.model, &samples, NULL, &err), LOCO_EDATA);
        CHECK_STR(err.text, first.text);
        CHECK_STATUS(loco_listener_new(&listener, l.model, NULL, NULL), LOCO_OK);
        loco_status status = loco_listener_push(listener, x, 40000, &err);
        status = status == LOCO_OK ? loco_listener_flush(listener, &err) : status;
        CHECK_STATUS(status, LOCO_EDATA);
        CHECK_STR(err.text, first.text);
        CHECK(n == 0 && rows == 0 && events == NULL);
        loco_listener_free(listener);
        close_reading(&l);
    }
    free(x);
}

int main(void)
{
    run_begin();
    RUN(pieces_change_nothing);
    RUN(short_sounds_are_read_whole);
    RUN(windows_join_without_a_seam);
    RUN(sounds_do_not_leak_into_each_other);
    RUN(files_and_samples_are_read);
    RUN(other_rates_and_channels_are_converted);
    RUN(wrong_samples_are_refused);
    RUN(logits_that_are_not_numbers_are_refused);
    return run_done();
}

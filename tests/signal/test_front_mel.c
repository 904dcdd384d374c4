/* SPDX-License-Identifier: MIT
 * test_front_mel.c - frames against their definition in double, times, levels, and pieces of any size. */
#include "sounds.h"

#include "signal/frontend.h"

static lc_frontend *frontend_of(const char *line, lc_frontend_settings *s)
{
    lc_frontend *f = NULL;
    loco_err err = {""};
    if (lc_frontend_parse(s, line, &err) != LOCO_OK || lc_frontend_new(&f, s, &err) != LOCO_OK) {
        fprintf(stderr, "%s: %s\n", line, err.text);
        exit(1);
    }
    return f;
}

static size_t size_of(const lc_frontend_settings *s)
{
    return lc_frontend_bins(s) * lc_frontend_channels(s);
}

/* All frames of n samples; how many. */
static float *frames_of(lc_frontend *f, const lc_frontend_settings *s, const float *x, size_t n, size_t piece,
                        size_t *count)
{
    float *frames = case_array(lc_frontend_most(f, n) * size_of(s), sizeof *frames);
    size_t done = 0;
    for (size_t i = 0; i < n; i += piece) {
        size_t m = n - i < piece ? n - i : piece, got = lc_frontend_push(f, x + i, m, frames + done * size_of(s));
        CHECK(got <= lc_frontend_most(f, m));
        done += got;
    }
    size_t rest = lc_frontend_finish(f, frames + done * size_of(s));
    CHECK(rest <= lc_frontend_most(f, 0));
    *count = done + rest;
    return frames;
}

static void wrong_settings_are_refused(void)
{
    lc_frontend_settings s;
    lc_frontend *f = NULL;
    loco_err err;
    CHECK_STATUS(lc_frontend_parse(&s, "mel", NULL), LOCO_OK);
    s.fft = 1000;
    CHECK_STATUS(lc_frontend_new(&f, &s, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "fft=1000");
    CHECK(f == NULL);
    lc_frontend_free(NULL);
}

/* ---- against the definition ---- */

static double sample_at(const lc_frontend_settings *s, const float *x, size_t n, long i)
{
    double now = i >= 0 && i < (long)n ? x[i] : 0, before = i >= 1 && i <= (long)n ? x[i - 1] : 0;
    return now - (double)(float)s->emphasis * before;
}

static double hz_at(const lc_frontend_settings *s, double corner)
{
    double low = 2595 * log10(1 + s->low / 700), high = 2595 * log10(1 + s->high / 700);
    return 700 * (pow(10, (low + (high - low) * corner / (double)(s->bands + 1)) / 2595) - 1);
}

/* Levels x[f] of the frame around sample c: the sums as they stand in frontend.h. */
static void levels_at(const lc_frontend_settings *s, const float *x, size_t n, long c, double *level)
{
    double pi = acos(-1), squares = 0, *wave = case_array(s->window, sizeof *wave);
    double *power = case_array(s->fft / 2 + 1, sizeof *power), per_hz = (double)s->fft / s->rate;
    for (size_t i = 0; i < s->window; i++) {
        size_t middle = s->window / 2;
        double a = s->shape == LC_SHAPE_HANN ? 0.5 : 0.54, off = (double)i - (double)middle;
        double w = a + (1 - a) * cos(2 * pi * off / (double)s->window);
        wave[i] = w * sample_at(s, x, n, c + (long)i - (long)(s->window / 2));
        squares += w * w;
    }
    for (size_t k = 0; k <= s->fft / 2; k++) {
        double re = 0, im = 0;
        for (size_t i = 0; i < s->window; i++) {
            double angle = 2 * pi * (double)(i * k % s->fft) / (double)s->fft;
            re += wave[i] * cos(angle);
            im += wave[i] * sin(angle);
        }
        power[k] = (re * re + im * im) * 4 / ((double)s->fft * squares);
    }
    for (size_t b = 0; b < s->bands; b++) {
        double left = per_hz * hz_at(s, (double)b), peak = per_hz * hz_at(s, (double)b + 1), sum = 0;
        double right = per_hz * hz_at(s, (double)b + 2);
        left = fmin(left, peak - 1);
        right = fmax(right, peak + 1);
        for (size_t k = 0; k <= s->fft / 2; k++) {
            double bin = (double)k, up = (bin - left) / (peak - left), down = (right - bin) / (right - peak);
            sum += fmax(0, fmin(up, down)) * power[k];
        }
        level[b] = fmax(log10(sum) + s->gain / 10, s->floor);
    }
    free(wave);
    free(power);
}

static double worst_frame(const lc_frontend_settings *s, const float *frame, const double *level, const double *before,
                          const double *mean)
{
    double worst = 0;
    for (size_t b = 0; b < s->bands; b++) {
        size_t value = s->delta == LC_DELTA_CHANNEL ? 2 * b : b;
        worst_note(&worst, frame[value], (level[b] - mean[b] + s->shift) / s->scale, 1 / s->scale);
        size_t delta = s->delta == LC_DELTA_CHANNEL ? 2 * b + 1 : s->bands + b;
        if (s->delta != LC_DELTA_NONE)
            worst_note(&worst, frame[delta], (level[b] - before[b]) / s->delta_scale, 1 / s->delta_scale);
    }
    return worst;
}

static void frames_are_as_defined(void)
{
    static const char *const lines[] = {
        "mel rate=8000 window=128 hop=50 bands=20 delta=none",
        "mel rate=8000 window=101 hop=37 fft=202 bands=13 delta=channel shape=hamming floor=-1",
        "mel rate=8000 window=100 hop=130 fft=256 bands=30 delta=stacked emphasis=0.97 low=0 high=4000 adapt=0.1",
        "mel rate=8000 window=64 hop=64 fft=100 bands=7 delta=channel gain=-10 floor=-9 shift=-2 scale=3 adapt=1000",
        "mel rate=8000 window=2 hop=300 bands=2 delta=none",
        "mel rate=8000 window=100 hop=150 fft=100 bands=60 low=0 high=4000 delta=none", /* narrower than a bin */
    };
    enum { N = 1999 };
    float *x = sound_noise(N, 0.3f, 1);
    for (size_t l = 0; l < 6; l++) {
        lc_frontend_settings s;
        lc_frontend *f = frontend_of(lines[l], &s);
        size_t T;
        float *frames = frames_of(f, &s, x, N, N, &T);
        double level[2][64] = {{0}}, mean[64] = {0}, worst = 0;
        CHECK_EQ(T, (N + s.hop - 1) / s.hop);
        for (size_t t = 0; t < T; t++) {
            double *now = level[t % 2], *before = t == 0 ? now : level[(t + 1) % 2];
            levels_at(&s, x, N, (long)(t * s.hop), now);
            double rate = fmax(1.0 / (double)(t + 1), 1 - exp(-(double)s.hop / (s.rate * s.adapt)));
            for (size_t b = 0; b < s.bands && s.adapt > 0; b++)
                mean[b] += rate * (now[b] - mean[b]);
            worst_note(&worst, worst_frame(&s, frames + t * size_of(&s), now, before, mean), 0, 1);
        }
        CHECK_WORST(worst, 2e-5);
        lc_frontend_free(f);
        free(frames);
    }
    free(x);
}

/* ---- pieces ---- */

static void pieces_do_not_matter(void)
{
    static const char *const lines[] = {"mel", "mel window=333 hop=17 emphasis=0.9 adapt=0.2 delta=stacked",
                                        "mel window=64 hop=30000", "mel window=20000 hop=100"};
    static const size_t pieces[] = {1, 7, 219, 220, 221, 1024, 8191, 9216, 30000};
    enum { N = 40000 };
    float *x = sound_noise(N, 0.3f, 2);
    for (size_t l = 0; l < 4; l++) {
        lc_frontend_settings s;
        lc_frontend *f = frontend_of(lines[l], &s);
        size_t T, other;
        float *whole = frames_of(f, &s, x, N, N, &T);
        CHECK_EQ(T, (N + s.hop - 1) / s.hop);
        for (size_t p = 0; p < 9; p++) { /* the same front end: finish resets */
            float *frames = frames_of(f, &s, x, N, pieces[p], &other);
            CHECK_EQ(other, T);
            CHECK(other == T && case_same(frames, whole, T * size_of(&s) * sizeof *frames));
            free(frames);
        }
        lc_frontend_push(f, x, 3000, whole);
        lc_frontend_reset(f);
        float *frames = frames_of(f, &s, x, 5000, 5000, &other), *again = frames_of(f, &s, x, 5000, 900, &T);
        CHECK(other == T && case_same(frames, again, T * size_of(&s) * sizeof *frames));
        free(frames);
        free(again);
        free(whole);
        lc_frontend_free(f);
    }
    free(x);
}

static void every_length_has_its_frames(void)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("mel rate=8000 window=32 hop=10 bands=4", &s);
    float *x = sound_noise(200, 0.3f, 3);
    for (size_t n = 0; n <= 200; n++) {
        size_t T;
        float *frames = frames_of(f, &s, x, n, 23, &T);
        CHECK_EQ(T, (n + 9) / 10);
        free(frames);
    }
    lc_frontend_free(f);
    free(x);
}

/* A frame comes with the last sample that it needs, and not later. */
static void frames_are_never_late(void)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("mel", &s);
    float frame[144], zero = 0;
    for (size_t i = 0, t = 0; i < 3000; i++) {
        size_t got = lc_frontend_push(f, &zero, 1, frame);
        CHECK_EQ(got, i == t * s.hop + lc_frontend_delay(&s));
        t += got;
    }
    CHECK_EQ(lc_frontend_delay(&s), 511);
    lc_frontend_free(f);
}

/* ---- times and levels ---- */

/* The frame with the largest value of band 0, when sample `click` of a long silence is loud. */
static size_t loudest_frame(const char *line, uint64_t click, uint64_t n, lc_frontend_settings *s)
{
    enum { PIECE = 5000 };
    lc_frontend *f = frontend_of(line, s);
    float x[PIECE], *frames = case_array(lc_frontend_most(f, PIECE) * size_of(s), sizeof *frames), best = -1e9f;
    size_t t = 0, found = 0;
    for (uint64_t i = 0; i < n; i += PIECE) {
        memset(x, 0, sizeof x);
        if (click >= i && click < i + PIECE)
            x[click - i] = 1;
        size_t got = lc_frontend_push(f, x, PIECE, frames);
        for (size_t k = 0; k < got; k++, t++) {
            if (frames[k * size_of(s)] > best) {
                best = frames[k * size_of(s)];
                found = t;
            }
        }
    }
    free(frames);
    lc_frontend_free(f);
    return found;
}

static void clicks_are_found(void)
{
    static const uint64_t clicks[] = {220500, 220500 + 109, 220500 - 110, 111111, 5};
    lc_frontend_settings s;
    for (size_t i = 0; i < 5; i++) {
        size_t t = loudest_frame("mel", clicks[i], 230000, &s);
        CHECK_NEAR(lc_frontend_time(&s, t), (double)clicks[i] / s.rate, 0.5001 * (double)s.hop / s.rate);
    }
    /* ten hours, at a low rate so that they pass quickly */
    uint64_t late = CASE_SLOW ? 1000003 : 36000003;
    size_t t = loudest_frame("mel rate=1000 window=16 hop=7 bands=1 delta=none", late, late + 20000, &s);
    CHECK_NEAR(lc_frontend_time(&s, t), (double)late / 1000, 0.5001 * 7 / 1000);
}

static void times_do_not_drift(void)
{
    lc_frontend_settings s;
    CHECK_STATUS(lc_frontend_parse(&s, "mel", NULL), LOCO_OK);
    CHECK_NEAR(lc_frontend_time(&s, 0), 0, 0);
    CHECK_NEAR(lc_frontend_time(&s, 100), 22000.0 / 22050, 0);
    CHECK_NEAR(lc_frontend_time(&s, 2205 * 1800), 220.0 * 180, 0);
    CHECK_STATUS(lc_frontend_parse(&s, lc_frontend_preset("drums-paper"), NULL), LOCO_OK);
    CHECK_NEAR(lc_frontend_time(&s, 441 * 1000), 2200, 0);
}

/* The bands of a full-scale sine add up to 1, those of noise of variance v to 2v, for any window. */
static double loudness(const char *line, const float *x, size_t n)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of(line, &s);
    size_t T;
    float *frames = frames_of(f, &s, x, n, n, &T);
    double sum = 0, from = (double)T / 4, to = (double)T * 3 / 4;
    size_t used = 0;
    for (size_t t = (size_t)from; (double)t < to; t++, used++)
        for (size_t b = 0; b < s.bands; b++)
            sum += pow(10, frames[t * s.bands + b]);
    free(frames);
    lc_frontend_free(f);
    return sum / (double)used;
}

static void levels_do_not_depend_on_the_window(void)
{
    static const char *const lines[] = {
        "mel gain=0 floor=-30 shift=0 scale=1 delta=none low=0 high=11025",
        "mel gain=0 floor=-30 shift=0 scale=1 delta=none low=0 high=11025 window=2048 shape=hamming",
        "mel gain=0 floor=-30 shift=0 scale=1 delta=none low=0 high=11025 window=700 fft=4096 hop=441",
        "mel gain=20 floor=-30 shift=-2 scale=1 delta=none low=0 high=11025 window=4096",
    };
    enum { N = 44100 };
    float *sine = case_array(N, sizeof *sine), *noise = sound_noise(N, 0.9f, 4);
    for (size_t i = 0; i < N; i++)
        sine[i] = (float)sin(2 * acos(-1) * 1234.5 * (double)i / 22050);
    for (size_t l = 0; l < 4; l++) {
        CHECK_NEAR(loudness(lines[l], sine, N), 1, 0.02);
        /* of variance 0.9^2 / 3; the outer halves of the first and last band are missing */
        CHECK_NEAR(loudness(lines[l], noise, N), 0.963 * 2 * 0.81 / 3, 0.01);
    }
    free(sine);
    free(noise);
}

static void silence_and_nonsense_give_numbers(void)
{
    static const float values[] = {0, 1e9f, -1e9f, 1e38f, NAN, INFINITY};
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("mel adapt=1 emphasis=0.97", &s);
    for (size_t v = 0; v < 6; v++) {
        float *x = case_array(3000, sizeof *x);
        size_t T;
        x[1500] = values[v];
        float *frames = frames_of(f, &s, x, 3000, 1000, &T);
        for (size_t i = 0; i < T * size_of(&s); i++)
            CHECK(isfinite(frames[i]));
        if (v == 0)
            CHECK_NEAR(frames[0], (-3 + 3 + 1.5) / 1.35, 1e-6); /* the mean of the floor is the floor */
        free(frames);
        free(x);
    }
    lc_frontend_free(f);
}

int main(void)
{
    RUN(wrong_settings_are_refused);
    RUN(frames_are_as_defined);
    RUN(pieces_do_not_matter);
    RUN(every_length_has_its_frames);
    RUN(frames_are_never_late);
    RUN(clicks_are_found);
    RUN(times_do_not_drift);
    RUN(levels_do_not_depend_on_the_window);
    RUN(silence_and_nonsense_give_numbers);
    return check_done();
}

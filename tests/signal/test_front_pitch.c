/* SPDX-License-Identifier: MIT
 * test_front_pitch.c - frames against their definition in double, where notes lie, and what a frame waits for. */
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

/* All frames of n samples, in pieces; how many. */
static float *frames_of(lc_frontend *f, const lc_frontend_settings *s, const float *x, size_t n, size_t piece,
                        size_t *count)
{
    float *frames = case_array((lc_frontend_most(f, n) + 1) * size_of(s), sizeof *frames);
    *count = 0;
    for (size_t i = 0; i < n; i += piece)
        *count += lc_frontend_push(f, x + i, n - i < piece ? n - i : piece, frames + *count * size_of(s));
    *count += lc_frontend_finish(f, frames + *count * size_of(s));
    return frames;
}

/* ---- against the definition ---- */

/* Power of bin k of the window that ends `behind` samples after sample c; a full-scale sine has 1 over all bins. */
static double power_at(const float *x, size_t n, long c, size_t window, size_t behind, size_t fft, size_t k)
{
    double pi = acos(-1), re = 0, im = 0, squares = 0;
    for (size_t i = 0; i < window; i++) {
        double w = 0.5 + 0.5 * cos(2 * pi * ((double)i - (double)window / 2) / (double)window);
        long at = c + (long)behind + 1 - (long)window + (long)i;
        double angle = 2 * pi * (double)(i * k % fft) / (double)fft, value = at >= 0 && at < (long)n ? x[at] : 0;
        re += w * value * cos(angle);
        im += w * value * sin(angle);
        squares += w * w;
    }
    return (re * re + im * im) * 4 / ((double)fft * squares);
}

/* Band b of the same window, an even power of two, as its logarithm. */
static double level_at(const lc_frontend_settings *s, const float *x, size_t n, long c, size_t window, size_t b)
{
    size_t half = window - 1 - window / 2, behind = s->ahead > 0 && s->ahead < half ? s->ahead : half;
    double per_hz = (double)window / s->rate, sum = 0, step = pow(2, 1 / (double)s->octave);
    double peak = per_hz * s->low * pow(step, (double)b), left = fmin(peak / step, peak - 1);
    double right = fmax(peak * step, peak + 1);
    for (size_t k = 0; k <= window / 2; k++) {
        double up = ((double)k - left) / (peak - left), down = (right - (double)k) / (right - peak);
        if (fmin(up, down) > 0)
            sum += fmin(up, down) * power_at(x, n, c, window, behind, window, k);
    }
    return fmax(log10(sum) + s->gain / 10, s->floor);
}

static void frames_are_as_defined(void)
{
    static const char *const lines[] = {
        "pitch rate=4000 window=256 window2=64 window3=128 hop=150 bands=20 octave=12 low=300",
        "pitch rate=4000 window=256 window2=64 window3=0 hop=150 bands=36 octave=36 low=100 ahead=40 delta=none",
        "pitch rate=4000 window=128 window2=0 window3=0 hop=90 bands=15 octave=5 low=200 gain=30 floor=-9",
    };
    enum { N = 700 };
    float *x = sound_noise(N, 0.3f, 1);
    for (size_t l = 0; l < 3; l++) {
        lc_frontend_settings s;
        lc_frontend *f = frontend_of(lines[l], &s);
        size_t T, each = s.delta == LC_DELTA_NONE ? 1 : 2, C = lc_frontend_channels(&s);
        const size_t windows[] = {s.window, s.window2, s.window3};
        float *frames = frames_of(f, &s, x, N, N, &T);
        double worst = 0;
        CHECK_EQ(C, each * (3 - l));
        CHECK_EQ(T, (N + s.hop - 1) / s.hop);
        for (size_t i = 0; i < T * s.bands * (C / each); i++) {
            size_t t = i / (s.bands * (C / each)), b = i / (C / each) % s.bands, w = i % (C / each);
            const float *value = frames + t * size_of(&s) + b * C + w * each;
            double now = level_at(&s, x, N, (long)(t * s.hop), windows[w], b);
            double before = t > 0 ? level_at(&s, x, N, (long)((t - 1) * s.hop), windows[w], b) : now;
            worst_note(&worst, value[0], (now + s.shift) / s.scale, 1 / s.scale);
            if (each == 2)
                worst_note(&worst, value[1], (now - before) / s.delta_scale, 1 / s.delta_scale);
        }
        CHECK_WORST(worst, 2e-5);
        free(frames);
        lc_frontend_free(f);
    }
    free(x);
}

/* ---- pitches ---- */

/* The band with the largest value of a channel, in the middle of a second of a sine. */
static size_t loudest_band(const char *line, double hz, size_t channel)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of(line, &s);
    enum { N = 16000 };
    float *x = case_array(N, sizeof *x);
    size_t T, best = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = (float)(0.1 * sin(2 * acos(-1) * hz * (double)i / 16000));
    float *frames = frames_of(f, &s, x, N, N, &T), *middle = frames + T / 2 * size_of(&s) + channel;
    for (size_t b = 1; b < s.bands; b++)
        if (middle[b * lc_frontend_channels(&s)] > middle[best * lc_frontend_channels(&s)])
            best = b;
    free(frames);
    free(x);
    lc_frontend_free(f);
    return best;
}

/* Note 21 + k has band 1 + 3 k; short windows know high notes alone. */
static void notes_have_their_bands(void)
{
    static const struct {
        size_t note, channel, off;
    } cases[] = {
        {21,  0, 2},
        {40,  0, 0},
        {60,  0, 0},
        {108, 0, 0},
        {60,  2, 0},
        {108, 2, 0},
        {100, 4, 0},
        {108, 4, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double hz = 440 * pow(2, ((double)cases[i].note - 69) / 12);
        size_t band = loudest_band("pitch", hz, cases[i].channel), want = 1 + 3 * (cases[i].note - 21);
        CHECK_NEAR((double)band, (double)want, (double)cases[i].off);
    }
}

/* Bands that are narrower than a bin, in all windows: none is silent. */
static void low_bands_are_not_silent(void)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("pitch", &s);
    float *x = sound_noise(16000, 0.3f, 7);
    size_t T;
    float *frames = frames_of(f, &s, x, 16000, 16000, &T), *middle = frames + T / 2 * size_of(&s);
    for (size_t i = 0; i < size_of(&s); i += 2)
        CHECK((double)middle[i] > (s.floor + s.shift) / s.scale + 1);
    free(frames);
    free(x);
    lc_frontend_free(f);
}

/* ---- tuning ---- */

enum { SECONDS = 4, LONG = SECONDS * 16000 };

/* Chords of five partials a note, so many semitones above a = 440 Hz. */
static float *chords(double semitones)
{
    static const double notes[] = {45, 52, 57, 61, 69};
    float *x = case_array(LONG, sizeof *x);
    for (size_t i = 0; i < LONG; i++) {
        double t = (double)i / 16000, sum = 0;
        for (size_t n = 0; n < 5; n++)
            for (int h = 1; h <= 5; h++)
                sum += sin(2 * acos(-1) * h * t * 440 * pow(2, (notes[n] + semitones - 69) / 12)) / h;
        x[i] = (float)(0.05 * sum);
    }
    return x;
}

static double tuning_of(const float *x, size_t n, size_t piece)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("pitch tuning=record", &s);
    lc_scale scale = {.mean = {9}};
    for (size_t i = 0; i < n; i += piece)
        lc_frontend_measure(f, x + i, n - i < piece ? n - i : piece);
    lc_frontend_measured(f, &scale);
    lc_frontend_free(f);
    return scale.mean[0];
}

static void the_tuning_is_measured(void)
{
    static const double semitones[] = {0, 0.15, 0.3, -0.32, 0.45};
    for (size_t i = 0; i < 5; i++) {
        float *x = chords(semitones[i]);
        double whole = tuning_of(x, LONG, LONG);
        CHECK_NEAR(whole, semitones[i], 0.02);
        CHECK_NEAR(tuning_of(x, LONG, 1000), whole, 0);
        CHECK_NEAR(tuning_of(x, 5000, 5000), semitones[i], 0.1); /* less than a window */
        free(x);
    }
}

static void what_has_no_tuning_stays(void)
{
    float *x = sound_noise(LONG, 0.3f, 5);
    CHECK_NEAR(tuning_of(x, LONG, LONG), 0, 0);
    memset(x, 0, LONG * sizeof *x);
    CHECK_NEAR(tuning_of(x, LONG, LONG), 0, 0);
    CHECK_NEAR(tuning_of(x, 0, 1), 0, 0);
    free(x);
}

/* As if the bands had been put there at first; without tuning=record they stay; and back again. */
static void bands_are_moved(void)
{
    const lc_scale higher = {.mean = {0.37}};
    lc_frontend_settings s, moved, fixed;
    lc_frontend *f = frontend_of("pitch tuning=record", &s), *still = frontend_of("pitch", &fixed), *there = NULL;
    float *x = chords(0.37);
    size_t T;
    moved = fixed;
    moved.low *= exp2(0.37 / 12);
    CHECK_STATUS(lc_frontend_new(&there, &moved, NULL), LOCO_OK);
    lc_frontend_rescale(f, &higher);
    lc_frontend_rescale(still, &higher);
    float *a = frames_of(f, &s, x, LONG, LONG, &T), *b = frames_of(there, &moved, x, LONG, LONG, &T);
    CHECK(case_same(a, b, T * size_of(&s) * sizeof *a));
    free(a);
    lc_frontend_rescale(f, NULL);
    a = frames_of(f, &s, x, LONG, LONG, &T);
    CHECK(!case_same(a, b, T * size_of(&s) * sizeof *a));
    free(b);
    b = frames_of(still, &fixed, x, LONG, LONG, &T);
    CHECK(case_same(a, b, T * size_of(&s) * sizeof *a));
    free(a);
    free(b);
    free(x);
    lc_frontend_free(f);
    lc_frontend_free(still);
    lc_frontend_free(there);
}

/* A higher note has the frames of a lower one that were moved, where both are; silence comes in from below. */
static void notes_are_transposed(void)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("pitch", &s);
    float *frame = case_array(size_of(&s), sizeof *frame), *was = case_array(size_of(&s), sizeof *was);
    size_t C = lc_frontend_channels(&s), wrong = 0;
    float silent = (float)((s.floor + s.shift) / s.scale);
    CHECK(lc_frontend_transposes(&s));
    for (int up = -1; up <= 1; up += 2) {
        for (size_t i = 0; i < size_of(&s); i++)
            was[i] = frame[i] = (float)i;
        lc_frontend_transpose(&s, frame, up * 2);
        for (size_t b = 0; b < s.bands; b++)
            for (size_t c = 0; c < C; c++) {
                long from = (long)b - up * 6;
                float want = from < 0 || from >= (long)s.bands ? c % 2 == 0 ? silent : 0 : was[(size_t)from * C + c];
                wrong += frame[b * C + c] < want || frame[b * C + c] > want;
            }
    }
    CHECK_EQ(wrong, 0);
    lc_frontend_transpose(&s, frame, 1000);
    CHECK_NEAR(frame[size_of(&s) - 2], silent, 0);
    CHECK_STATUS(lc_frontend_set(&s, "octave=30", NULL), LOCO_OK);
    CHECK(!lc_frontend_transposes(&s));
    free(frame);
    free(was);
    lc_frontend_free(f);
}

/* ---- waiting ---- */

/* A frame comes with the last sample that it needs, and not later; the table of test_frontend.c has the blocks. */
static void frames_wait_as_stated(void)
{
    static const char *const lines[] = {"pitch", "pitch ahead=512", "pitch ahead=9000",
                                        "pitch window=1024 window2=0 window3=0"};
    static const size_t delays[] = {4095, 512, 4095, 511};
    for (size_t l = 0; l < 4; l++) {
        lc_frontend_settings s;
        lc_frontend *f = frontend_of(lines[l], &s);
        float *frame = case_array(2 * size_of(&s), sizeof *frame), zero = 0;
        CHECK_EQ(lc_frontend_delay(&s), delays[l]);
        CHECK_NEAR(lc_frontend_tail(&s), (double)delays[l] / 16000, 1e-12);
        for (size_t i = 0, t = 0; i < 6000; i++) {
            size_t got = lc_frontend_push(f, &zero, 1, frame);
            CHECK_EQ(got, i == t * s.hop + delays[l]);
            t += got;
        }
        free(frame);
        lc_frontend_free(f);
    }
    lc_frontend_settings s;
    CHECK_STATUS(lc_frontend_parse(&s, "pitch ahead=512", NULL), LOCO_OK);
    CHECK_NEAR(lc_frontend_lead(&s), (8191 - 512) / 16000.0, 1e-12);
}

static void blocks_do_not_matter(void)
{
    static const char *const lines[] = {"pitch ahead=512",
                                        "pitch window=500 window2=3000 window3=77 hop=100 delta=none"};
    static const size_t pieces[] = {1, 255, 257, 4096, 9000};
    float *x = sound_noise(12000, 0.3f, 2);
    for (size_t l = 0; l < 2; l++) {
        lc_frontend_settings s;
        lc_frontend *f = frontend_of(lines[l], &s);
        size_t T, other;
        float *whole = frames_of(f, &s, x, 12000, 12000, &T);
        for (size_t p = 0; p < 5; p++) {
            float *frames = frames_of(f, &s, x, 12000, pieces[p], &other);
            CHECK(other == T && case_same(frames, whole, T * size_of(&s) * sizeof *frames));
            free(frames);
        }
        free(whole);
        lc_frontend_free(f);
    }
    free(x);
}

/* What is behind the last sample that a frame may read does not change it. */
static void nothing_is_read_ahead(void)
{
    lc_frontend_settings s;
    lc_frontend *f = frontend_of("pitch ahead=300", &s);
    float *x = sound_noise(12000, 0.3f, 3);
    size_t T, t = 30, last = t * s.hop + 300;
    float *whole = frames_of(f, &s, x, 12000, 12000, &T);
    for (size_t i = last + 1; i < 12000; i++)
        x[i] = 0;
    float *cut = frames_of(f, &s, x, 12000, 12000, &T);
    CHECK(case_same(whole + t * size_of(&s), cut + t * size_of(&s), size_of(&s) * sizeof *cut));
    CHECK(!case_same(whole + (t + 1) * size_of(&s), cut + (t + 1) * size_of(&s), size_of(&s) * sizeof *cut));
    free(whole);
    free(cut);
    free(x);
    lc_frontend_free(f);
}

int main(void)
{
    RUN(frames_are_as_defined);
    RUN(notes_have_their_bands);
    RUN(low_bands_are_not_silent);
    RUN(the_tuning_is_measured);
    RUN(what_has_no_tuning_stays);
    RUN(bands_are_moved);
    RUN(notes_are_transposed);
    RUN(frames_wait_as_stated);
    RUN(blocks_do_not_matter);
    RUN(nothing_is_read_ahead);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * spectra.c - log spectra in bands: windows, bands, and the way from samples to frames.
 *
 * For frame t, with zeros before the first and after the last sample, and each window length side by side:
 *     P[k]      power spectrum of `window` samples times the window's shape, zero-padded to `fft`, scaled so that the
 *               bins of a full-scale sine add up to 1, whatever window and fft are
 *     x[f]      max(log10(sum_k triangle_f[k] P[k]) + gain / 10, floor)
 *     value[f]  (x[f] - mean[f] + shift) / scale; mean is 0, or with adapt=S the running mean of the last S seconds
 *     delta[f]  (x[f] - x[f] of the frame before) / delta_scale; 0 in the first frame
 * delta=none: C = 1 for each window. delta=channel: C = 2 for each window: value, delta. delta=stacked: F = 2 * bands:
 * all values, then all deltas.
 *
 * A window is centred on t * hop. It has its peak at sample c = window/2 (rounded down), exactly:
 * w[i] = a + (1-a) cos(2 pi (i-c) / window), a = 0.5 (Hann) or 0.54 (Hamming). With ahead=A, a window that would read
 * more than A samples behind t * hop ends there, and lies that much more in the past.
 *
 * Scale. The bins of a full-scale sine add up to fft * sum(w^2) / 4; divided by that, they add up to 1 for any window,
 * and the bins of noise of variance v to 2v. Gain and scale are part of the weights.
 *
 * Bands. Triangles of height 1, whose corners are the peaks of their neighbours: even in mel = 2595 log10(1 + Hz / 700)
 * between `low` and `high`, or with octave=N even in log frequency, the first peak at `low` Hz and N in an octave. A
 * side is at least one bin wide: else a narrow band between two bins would always be silent. Narrow bands then
 * interpolate between bins. Each band is a run of bins.
 *
 * Frames. Samples are kept in a line, with `before` zeros before the first one: frame t then begins at sample t * hop of
 * the line and ends `span` samples later. `at` is where the next frame begins, `have` how much is there. Frames go
 * through the transform in groups, as many as a vector has lanes (fft.h); a push ends with a group of what is left.
 * Since a frame's numbers do not depend on its group, it does not matter which samples came together. The last frames
 * need `delay` zeros behind the end: finishing is a push of zeros.
 *
 * A group of one frame, as a live stream makes them, takes as long as a full one: with 1024 points and 72 bands 8.5 us
 * with AVX-512 and 5.7 with AVX2 on a Xeon of 2023, where FFTW, a frame at a time, took 1.2; in full groups a frame
 * takes 0.77 and 0.9. At 100 frames a second the 8.5 are 0.09 % of a core. Vectors that run inside a frame would add
 * in another order, and live frames would no longer be those of the file.
 *
 * The running mean m of adapt=S: m += a (x - m) with a = max(1 / frames so far, 1 - exp(-hop / (rate S))), that is the
 * plain mean at first and then an exponential one; it needs no frame that is still to come.
 */
#include "signal/spectra.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum {
    ROOM = 8192,          /* samples beyond a group, so that few are moved back */
    GROUP_MOST = 1 << 16, /* samples of a group: with a longer hop it has fewer frames */
};

/* ---- bands ---- */

size_t lc_filters_centre(const lc_frontend_settings *settings)
{
    return settings->window / 2;
}

static double mel_of(double hz)
{
    return 2595 * log10(1 + hz / 700);
}

static double hz_of(double mel)
{
    return 700 * (pow(10, mel / 2595) - 1);
}

/* Corners of a triangle, in bins. */
typedef struct triangle {
    double left, peak, right;
} triangle;

/* Hz of the peak of band number `band`, from -1 to `bands`. */
static double peak_of(const lc_frontend_settings *s, double band)
{
    if (s->octave > 0)
        return s->low * exp2(band / (double)s->octave);
    double low = mel_of(s->low), step = (mel_of(s->high) - low) / (double)(s->bands + 1);
    return hz_of(low + step * (band + 1));
}

static triangle triangle_of(const lc_frontend_settings *s, size_t band)
{
    double bins = (double)s->fft / s->rate; /* of one Hz */
    triangle t;
    t.peak = bins * peak_of(s, (double)band);
    t.left = fmin(bins * peak_of(s, (double)band - 1), t.peak - 1);
    t.right = fmax(bins * peak_of(s, (double)band + 1), t.peak + 1);
    return t;
}

static double height_at(triangle t, double bin)
{
    double side = bin < t.peak ? (bin - t.left) / (t.peak - t.left) : (t.right - bin) / (t.right - t.peak);
    return fmax(side, 0);
}

static lc_band band_of(const lc_frontend_settings *s, triangle t)
{
    size_t last_bin = s->fft / 2;
    size_t first = (size_t)fmax(ceil(t.left), 0), last = (size_t)fmin(floor(t.right), (double)last_bin);
    return (lc_band){first, last - first + 1};
}

/* The same bands, so many semitones higher. */
static lc_frontend_settings tuned(const lc_frontend_settings *s, double semitones)
{
    lc_frontend_settings moved = *s;
    moved.low = s->low * exp2(semitones / 12);
    return moved;
}

static lc_frontend_settings highest(const lc_frontend_settings *s)
{
    return tuned(s, s->norm == LC_NORM_RECORD ? LC_SPECTRA_TUNING : 0);
}

double lc_spectra_top(const lc_frontend_settings *s)
{
    lc_frontend_settings high = highest(s);
    return peak_of(&high, (double)s->bands);
}

size_t lc_filters_bins(const lc_frontend_settings *s)
{
    lc_frontend_settings high = highest(s);
    lc_band last = band_of(&high, triangle_of(&high, s->bands - 1));
    return last.first + last.length;
}

void lc_filters_layout(lc_filters *filters, const lc_frontend_settings *s, lc_arena *arena)
{
    size_t weights = 0;
    lc_frontend_settings high = highest(s); /* its bands are the widest; lower ones may touch two bins more */
    for (size_t b = 0; b < s->bands; b++)
        weights += band_of(&high, triangle_of(&high, b)).length + (s->norm == LC_NORM_RECORD ? 2 : 0);
    filters->window = lc_arena_take(arena, s->window, sizeof *filters->window);
    filters->bands = lc_arena_take(arena, s->bands, sizeof *filters->bands);
    filters->weights = lc_arena_take(arena, weights, sizeof *filters->weights);
}

/* Fills the window; the sum of its squares. */
static double fill_window(float *window, const lc_frontend_settings *s)
{
    double even = s->shape == LC_SHAPE_HAMMING ? 0.54 : 0.5, sum = 0;
    double centre = (double)lc_filters_centre(s), turn = 2 * acos(-1) / (double)s->window;
    for (size_t i = 0; i < s->window; i++) {
        double w = even + (1 - even) * cos(turn * ((double)i - centre));
        window[i] = (float)w;
        sum += w * w;
    }
    return sum;
}

void lc_filters_fill(lc_filters *filters, const lc_frontend_settings *s)
{
    double squares = fill_window(filters->window, s);
    double scale = 4 / ((double)s->fft * squares) * pow(10, s->gain / 10);
    float *weight = filters->weights;
    for (size_t b = 0; b < s->bands; b++) {
        triangle t = triangle_of(s, b);
        lc_band band = filters->bands[b] = band_of(s, t);
        for (size_t i = 0; i < band.length; i++) {
            *weight++ = (float)(scale * height_at(t, (double)(band.first + i)));
        }
    }
}

/* ---- windows ---- */

size_t lc_spectra_fft(size_t window)
{
    size_t fft = 16;
    while (fft < window)
        fft *= 2;
    return fft;
}

bool lc_spectra_window(const lc_frontend_settings *s, size_t w, lc_frontend_settings *one)
{
    const size_t lengths[LC_SPECTRA_WINDOWS] = {s->window, s->window2, s->window3};
    if (w >= LC_SPECTRA_WINDOWS || lengths[w] == 0)
        return false;
    *one = *s;
    one->window = lengths[w];
    if (w > 0 || s->octave > 0)
        one->fft = lc_spectra_fft(one->window);
    return true;
}

static size_t count_windows(const lc_frontend_settings *s)
{
    return s->window2 == 0 ? 1 : s->window3 == 0 ? 2 : 3;
}

/* Samples behind the time of a frame that a window reads. */
static size_t behind(const lc_frontend_settings *one)
{
    size_t half = one->window - 1 - lc_filters_centre(one);
    return one->ahead > 0 && one->ahead < half ? one->ahead : half;
}

size_t lc_spectra_delay(const lc_frontend_settings *s)
{
    lc_frontend_settings one;
    size_t most = 0;
    for (size_t w = 0; lc_spectra_window(s, w, &one); w++)
        most = behind(&one) > most ? behind(&one) : most;
    return most;
}

size_t lc_spectra_before(const lc_frontend_settings *s)
{
    lc_frontend_settings one;
    size_t most = 0;
    for (size_t w = 0; lc_spectra_window(s, w, &one); w++) {
        size_t before = one.window - 1 - behind(&one);
        most = before > most ? before : most;
    }
    return most;
}

size_t lc_spectra_bins(const lc_frontend_settings *s)
{
    return s->delta == LC_DELTA_STACKED ? 2 * s->bands : s->bands;
}

/* Channels of one window. */
static size_t channels_each(const lc_frontend_settings *s)
{
    return s->delta == LC_DELTA_CHANNEL ? 2 : 1;
}

size_t lc_spectra_channels(const lc_frontend_settings *s)
{
    return count_windows(s) * channels_each(s);
}

/* ---- memory ---- */

/* Runs twice: measures, then hands out. */
static void layout(lc_spectra *f, lc_arena *arena)
{
    size_t lanes = f->kernels->lanes, bins = 0;
    for (size_t w = 0; w < f->parts_len; w++) {
        lc_spectra_part *part = &f->parts[w];
        size_t own = lc_filters_bins(&part->settings);
        bins = own > bins ? own : bins;
        lc_filters_layout(&part->filters, &part->settings, arena);
        part->levels = lc_arena_take(arena, (1 + lanes) * f->room, sizeof *part->levels);
        part->mean = lc_arena_take(arena, f->room, sizeof *part->mean);
    }
    f->line = lc_arena_take(arena, f->line_len, sizeof *f->line);
    f->power = lc_arena_take(arena, bins * lanes, sizeof *f->power);
    f->sums = lc_arena_take(arena, f->room * lanes, sizeof *f->sums);
}

/* The lengths, and where each window lies in the samples of a frame. */
static void place_windows(lc_spectra *f)
{
    const lc_frontend_settings *s = &f->settings;
    size_t lanes = f->kernels->lanes, most = GROUP_MOST / s->hop + 1;
    f->before = lc_spectra_before(s);
    f->span = f->before + 1 + lc_spectra_delay(s);
    for (lc_spectra_part *part = f->parts; lc_spectra_window(s, f->parts_len, &part->settings); part++) {
        part->at = f->before + 1 + behind(&part->settings) - part->settings.window;
        f->parts_len++;
    }
    f->room = (s->bands + lanes - 1) / lanes * lanes;
    f->group = lanes < most ? lanes : most;
    f->line_len = f->span + (f->group - 1) * s->hop + ROOM;
}

static loco_status reserve(lc_spectra *f, loco_err *err)
{
    lc_arena arena = {0};
    loco_status status = LOCO_OK;
    layout(f, &arena);
    if (!lc_block_zeros(&f->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    arena = lc_arena_over(&f->block);
    layout(f, &arena);
    for (size_t w = 0; status == LOCO_OK && w < f->parts_len; w++) {
        lc_spectra_part *part = &f->parts[w];
        const lc_frontend_settings *s = &part->settings;
        lc_filters_fill(&part->filters, s);
        status = lc_fft_new(&part->fft, s->fft, part->filters.window, s->window, lc_filters_bins(s), err);
    }
    return status;
}

void lc_spectra_close(void *state)
{
    lc_spectra *f = state;
    for (size_t w = 0; w < f->parts_len; w++)
        lc_fft_free(f->parts[w].fft);
    lc_block_free(&f->block);
}

loco_status lc_spectra_open(void *state, const lc_frontend_settings *settings, loco_err *err)
{
    lc_spectra *f = state;
    lc_isa isa;
    loco_status status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    f->settings = *settings;
    f->kernels = lc_spectrum_kernels_of(isa);
    if (settings->adapt > 0)
        f->slowest_rate = -expm1(-(double)settings->hop / (settings->rate * settings->adapt));
    place_windows(f);
    return reserve(f, err);
}

/* The levels need no clearing: the first frame has a delta of 0 whatever they hold. */
void lc_spectra_reset(void *state)
{
    lc_spectra *f = state;
    memset(f->line, 0, f->before * sizeof *f->line);
    for (size_t w = 0; w < f->parts_len; w++)
        memset(f->parts[w].mean, 0, f->settings.bands * sizeof *f->parts[w].mean);
    f->have = f->before;
    f->at = f->frames = 0;
    f->last = 0;
}

/* As long as the tuning stays, nothing is computed: each clip of a training sets it. */
void lc_spectra_tune(lc_spectra *f, double semitones)
{
    if (fabs(semitones - f->tuning) < 1e-9)
        return;
    f->tuning = semitones;
    for (size_t w = 0; w < f->parts_len; w++) {
        lc_frontend_settings moved = tuned(&f->parts[w].settings, semitones);
        lc_filters_fill(&f->parts[w].filters, &moved);
    }
}

/* ---- groups ---- */

/* levels[1..lanes] = max(log10(band power), floor) of the frames that begin at x, x + hop, ... */
static void measure(lc_spectra *f, lc_spectra_part *part, const float *x, size_t count)
{
    const lc_frontend_settings *s = &part->settings;
    const lc_spectrum_kernels *k = f->kernels;
    lc_fft_power(part->fft, x + part->at, s->hop, count, f->power);
    k->bands(f->power, part->filters.bands, part->filters.weights, f->sums, s->bands);
    k->log10(f->sums, f->sums, s->bands * k->lanes);
    k->scatter(f->sums, (float)s->floor, part->levels + f->room, s->bands, f->room);
}

/* The plain mean until its step has shrunk to that of the exponential one. */
static void update_mean(const lc_spectra *f, lc_spectra_part *part, size_t t, const float *level)
{
    double plain = 1.0 / ((double)t + 1);
    float rate = (float)(plain > f->slowest_rate ? plain : f->slowest_rate);
    for (size_t b = 0; b < f->settings.bands; b++)
        part->mean[b] += rate * (level[b] - part->mean[b]);
}

/* (F, C) as the header says: with delta=channel both values of a band are neighbours, with delta=stacked all deltas
 * follow all values. */
static void write_frame(const lc_spectra *f, const lc_spectra_part *part, size_t t, const float *level, float *frame)
{
    const lc_frontend_settings *s = &f->settings;
    const float *before = t == 0 ? level : level - f->room;
    const lc_frame_rule rule = {.shift = (float)s->shift,
                                .scale = (float)(1 / s->scale),
                                .delta_scale = (float)(1 / s->delta_scale),
                                .stride = lc_spectra_channels(s)};
    float *deltas[] = {[LC_DELTA_NONE] = NULL, [LC_DELTA_CHANNEL] = frame + 1, [LC_DELTA_STACKED] = frame + s->bands};
    f->kernels->frame(&rule, level, part->mean, before, frame, deltas[s->delta], s->bands);
}

/* One window of the frames of a group, one frame after the other; frames begins with the first channel of it. */
static void write_part(lc_spectra *f, lc_spectra_part *part, size_t count, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_spectra_bins(s) * lc_spectra_channels(s);
    measure(f, part, f->line + f->at, count);
    for (size_t i = 0; i < count; i++) {
        const float *level = part->levels + (1 + i) * f->room;
        if (f->slowest_rate > 0)
            update_mean(f, part, f->frames + i, level);
        write_frame(f, part, f->frames + i, level, frames + i * size);
    }
    memcpy(part->levels, part->levels + count * f->room, s->bands * sizeof *part->levels);
}

static void write_group(lc_spectra *f, size_t count, float *frames)
{
    for (size_t w = 0; w < f->parts_len; w++)
        write_part(f, &f->parts[w], count, frames + w * channels_each(&f->settings));
    f->frames += count;
    f->at += count * f->settings.hop;
}

/* ---- pieces ---- */

/* Appends as many samples as there is room for; how many. */
static size_t append(lc_spectra *f, const float *samples, size_t n)
{
    size_t room = f->line_len - f->have, count = n < room ? n : room;
    float *line = f->line + f->have, emphasis = (float)f->settings.emphasis;
    if (count == 0)
        return 0;
    memcpy(line, samples, count * sizeof *line);
    if (emphasis > 0) {
        line[0] -= emphasis * f->last;
        for (size_t i = 1; i < count; i++)
            line[i] -= emphasis * samples[i - 1];
    }
    f->last = samples[count - 1];
    f->have += count;
    return count;
}

/* Drops what no frame needs any more. With a hop beyond the window, `at` may lie behind all samples. */
static void move_back(lc_spectra *f)
{
    size_t drop = f->at < f->have ? f->at : f->have;
    memmove(f->line, f->line + drop, (f->have - drop) * sizeof *f->line);
    f->have -= drop;
    f->at -= drop;
}

/* Frames whose window is complete. */
static size_t complete_frames(const lc_spectra *f)
{
    const lc_frontend_settings *s = &f->settings;
    return f->at <= f->have && f->have - f->at >= f->span ? (f->have - f->at - f->span) / s->hop + 1 : 0;
}

/* Groups, as long as there are at least so many frames for one; how many frames. */
static size_t write_frames(lc_spectra *f, size_t least, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_spectra_bins(s) * lc_spectra_channels(s), lanes = f->kernels->lanes, written = 0;
    for (size_t ready; (ready = complete_frames(f)) >= least;) {
        size_t count = ready < lanes ? ready : lanes;
        write_group(f, count, frames + written * size);
        written += count;
    }
    return written;
}

/* A full line either has a full group, or begins with samples that no frame needs: there is always progress. */
size_t lc_spectra_push(void *state, const float *samples, size_t n, float *frames)
{
    lc_spectra *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_spectra_bins(s) * lc_spectra_channels(s), written = 0;
    while (n > 0) {
        size_t taken = append(f, samples, n);
        samples += taken;
        n -= taken;
        written += write_frames(f, n == 0 ? 1 : f->group, frames + written * size);
        if (f->have == f->line_len)
            move_back(f);
    }
    return written;
}

/* With zeros behind the last sample. */
size_t lc_spectra_finish(void *state, float *frames)
{
    static const float zeros[256];
    lc_spectra *f = state;
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_spectra_bins(s) * lc_spectra_channels(s), written = 0;
    for (size_t left = lc_spectra_delay(s), n; left > 0; left -= n) {
        n = left < 256 ? left : 256;
        written += lc_spectra_push(f, zeros, n, frames + written * size);
    }
    lc_spectra_reset(f);
    return written;
}

/* ---- pictures ---- */

/* Bands, from the floor up, 40 dB. */
lc_front_shades lc_spectra_shades(const lc_frontend_settings *s)
{
    return (lc_front_shades){.rows = s->bands, .low = (s->floor + s->shift) / s->scale, .range = 4 / s->scale};
}

/* SPDX-License-Identifier: MIT
 * stretch.c - slower or faster sound of the same pitch, by Rubber Band.
 *
 * Which engine: noise bursts at known times, stretched by 0.75 to 1.3, one core; times real time, and the error of the
 * bursts' times (mean, rms):
 *     R2, usual window     60 - 180    -8 ... 6 ms   2 - 8 ms
 *     R2, short window     90 - 200    -3.4 ... 2.4 ms, always 11.6 ms * (1 - factor) at 22.05 and 44.1 kHz
 *     R3, usual window     20 - 60     -1.2 ... 0 ms (at 16 kHz -3.5 ... 2), 0.3 - 1.3 ms
 *     R3, short window     70 - 190    -3.4 ... 2 ms, 0.3 - 3.4 ms
 * The error of the short R2 window is half a window at both ends: time runs about the middle of the first window, t ->
 * (t - c) * factor + c. With c zeros before the sound, and the first c samples of the result left out, it is t *
 * factor; what is left is below 0.8 ms on average, 2.7 ms at worst. Sound goes in by pieces, because the engine's
 * own buffer holds a second or so.
 */
#include "signal/stretch.h"

#include "base/status.h"

#include <math.h>
#include <rubberband/rubberband-c.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 2048 };

static const float silence[PIECE];

typedef struct job {
    RubberBandState state;
    const float *in;
    size_t in_n, lead; /* samples; zeros before them */
    float *out;
    size_t out_n, skip, done; /* skip: samples still to leave out */
} job;

/* Half of the engine's short window: a power of two from 1024 at 48 kHz. */
static size_t lead_of(double rate)
{
    size_t window = 1;
    while ((double)window < 1024 * rate / 48000)
        window *= 2;
    return window / 2;
}

/* Takes what is there. */
static void retrieve(job *j)
{
    float dropped[PIECE] = {0};
    for (int available; (available = rubberband_available(j->state)) > 0;) {
        size_t room = j->skip > 0 ? j->skip : j->out_n - j->done, n = (size_t)available;
        float *to = j->skip > 0 || room == 0 ? dropped : j->out + j->done;
        n = n < PIECE ? n : PIECE;
        if (room > 0 && n > room)
            n = room;
        unsigned got = rubberband_retrieve(j->state, &to, (unsigned)n);
        if (got == 0)
            return;
        if (j->skip > 0)
            j->skip -= got;
        else if (room > 0)
            j->done += got;
    }
}

typedef void feed(job *j, const float *piece, unsigned n, int last);

static void study(job *j, const float *piece, unsigned n, int last)
{
    rubberband_study(j->state, &piece, n, last);
}

static void process(job *j, const float *piece, unsigned n, int last)
{
    rubberband_process(j->state, &piece, n, last);
    retrieve(j);
}

static void feed_all(job *j, feed *each)
{
    for (size_t left = j->lead; left > 0;) {
        size_t n = left < PIECE ? left : PIECE;
        each(j, silence, (unsigned)n, 0);
        left -= n;
    }
    for (size_t i = 0; i < j->in_n; i += PIECE) {
        size_t n = j->in_n - i < PIECE ? j->in_n - i : PIECE;
        each(j, j->in + i, (unsigned)n, i + n == j->in_n);
    }
}

static loco_status check(size_t n, double rate, double factor, loco_err *err)
{
    if (!(factor >= 0.25 && factor <= 4))
        return lc_err_set(err, LOCO_EARG, "sound cannot be stretched by %.3f; use 0.25 to 4", factor);
    if (!(rate >= 1000 && rate <= 192000))
        return lc_err_set(err, LOCO_EARG, "sound at %.0f Hz cannot be stretched; it must be 1000 to 192000 Hz", rate);
    if (n < 1 || n > (size_t)1 << 31)
        return lc_err_set(err, LOCO_EARG, "%zu samples cannot be stretched; there must be 1 to 2^31", n);
    return LOCO_OK;
}

loco_status lc_stretch(const float *in, size_t n, double rate, double factor, float **out, size_t *out_n, loco_err *err)
{
    loco_status status = check(n, rate, factor, err);
    if (status != LOCO_OK)
        return status;
    job j = {.in = in, .in_n = n, .lead = lead_of(rate), .out_n = (size_t)llround((double)n * factor)};
    j.skip = j.lead;
    j.out_n = j.out_n > 0 ? j.out_n : 1;
    j.out = calloc(j.out_n, sizeof *j.out); /* zeros where the engine gives less */
    if (j.out == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu samples", j.out_n);
    const int options = RubberBandOptionProcessOffline | RubberBandOptionEngineFaster | RubberBandOptionWindowShort |
                        RubberBandOptionThreadingNever;
    j.state = rubberband_new((unsigned)lround(rate), 1, options, factor, 1);
    rubberband_set_debug_level(j.state, -1); /* it would print a warning for very short sounds */
    rubberband_set_expected_input_duration(j.state, (unsigned)(j.lead + n));
    rubberband_set_max_process_size(j.state, PIECE);
    feed_all(&j, study);
    feed_all(&j, process);
    rubberband_delete(j.state);
    *out = j.out;
    *out_n = j.out_n;
    return LOCO_OK;
}

/* SPDX-License-Identifier: MIT
 * calibrate_counts.c - calibration of counts.
 *
 * Scale a and shift b of the logits of a class minimise the exact loss of the counts of its clips,
 *
 *     L(a, b) = sum over clips of -log P(count in label; a z + b)  +  (log(a)^2 + b^2 / 50) / 2
 *     dL/db = sum over frames of g,   dL/dlog(a) = a sum of g z    with g the gradient of the count loss
 *
 * by Newton's method in log a and b with differences of that gradient; the last term, which weighs about as much as one
 * clip, keeps a class without events bounded. Then errors are measured (measure_count_errors.c), and the p-values of the
 * exact counts, of clips and of their sums over recordings, give the tails of the intervals, see detect/tally.h.
 *
 * Errors of the clips of a recording are alike: hundreds of clips of four hearts are four hearts. So the p-values of a
 * recording are those by scale, shift and errors of others, five folds of recordings, and they are ranked among those of
 * one more recording, which the distribution fits. calibrate_counts_set.c reads the clips of a data set. */
#include "calibrate/calibrate_counts.h"

#include "base/status.h"
#include "calibrate/measure.h"
#include "detect/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of the fit, and of one step: far from the minimum, the parabola is not a good model of the loss. */
static const double most_scale = 3, most_shift = 50, scale_step = 0.4, shift_step = 2; /* scales as logarithms */
enum { ROUNDS = 40, HALVINGS = 12, FOLDS = 5 };

/* ---- one class ---- */

typedef struct fit {
    const lc_counted_clip *clips;
    size_t n;
    loco_count *count;
    loco_count_item *items; /* n */
    float *logits, *grad;   /* one behind the other */
} fit;

typedef struct point {
    double s, b; /* log a, and b */
    double loss, ds, db;
} point;

static bool known(loco_label label)
{
    return label.lo > 0 || label.hi != LOCO_NO_LIMIT;
}

/* A clip with more events than frames cannot be used. */
static bool usable(const lc_counted_clip *clip)
{
    return clip->frames > 0 && clip->label.lo <= clip->frames && known(clip->label);
}

static loco_status measure(fit *f, point *at, loco_err *err)
{
    float *z = f->logits, *g = f->grad;
    double a = exp(at->s);
    size_t used = 0;
    for (size_t i = 0; i < f->n; i++) {
        const lc_counted_clip *clip = &f->clips[i];
        if (!usable(clip))
            continue;
        f->items[used++] = (loco_count_item){
            .logits = z, .length = clip->frames, .stride = 1, .label = clip->label, .grad = g};
        for (size_t t = 0; t < clip->frames; t++)
            z[t] = (float)(a * (double)clip->logits[t * clip->stride] + at->b);
        z += clip->frames;
        g += clip->frames;
    }
    loco_status status = loco_count_batch(f->items, used, f->count, err);
    at->loss = (at->s * at->s + at->b * at->b / most_shift) / 2;
    at->ds = at->s;
    at->db = at->b / most_shift;
    for (size_t i = 0; status == LOCO_OK && i < used; i++)
        at->loss += f->items[i].loss;
    g = f->grad;
    for (size_t i = 0; status == LOCO_OK && i < f->n; i++) {
        const lc_counted_clip *clip = &f->clips[i];
        for (size_t t = 0; usable(clip) && t < clip->frames; t++, g++) {
            at->db += (double)*g;
            at->ds += a * (double)*g * (double)clip->logits[t * clip->stride];
        }
    }
    return status;
}

/* The second derivatives, by differences to one side. */
static loco_status curve(fit *f, const point *at, double h[3], loco_err *err)
{
    const double step = 1e-3;
    point right = {.s = at->s + step, .b = at->b}, up = {.s = at->s, .b = at->b + step};
    loco_status status = measure(f, &right, err);
    if (status == LOCO_OK)
        status = measure(f, &up, err);
    h[0] = (right.ds - at->ds) / step;
    h[1] = (right.db - at->db + up.ds - at->ds) / (2 * step);
    h[2] = (up.db - at->db) / step;
    return status;
}

static double within(double value, double most)
{
    return fmin(fmax(value, -most), most);
}

/* Towards the minimum of the parabola; where it has no minimum, down the slope. both: false changes the shift alone. */
static point aim(const point *at, const double h[3], bool both)
{
    double det = h[0] * h[2] - h[1] * h[1], ds = 0, db = h[2] > 0 ? -at->db / h[2] : -copysign(shift_step, at->db);
    if (both && h[0] > 0 && h[2] > 0 && det > 1e-9 * h[0] * h[2]) {
        ds = -(h[2] * at->ds - h[1] * at->db) / det;
        db = -(h[0] * at->db - h[1] * at->ds) / det;
    } else if (both) {
        ds = -copysign(scale_step, at->ds);
    }
    double longest = fmax(1, fmax(fabs(ds) / scale_step, fabs(db) / shift_step));
    return (point){.s = within(at->s + ds / longest, most_scale), .b = within(at->b + db / longest, most_shift)};
}

/* One step, halved until the loss falls; *moved: false when it cannot. */
static loco_status improve(fit *f, point *at, bool both, bool *moved, loco_err *err)
{
    double h[3];
    loco_status status = curve(f, at, h, err);
    if (status != LOCO_OK)
        return status;
    point goal = aim(at, h, both);
    *moved = false;
    for (int i = 0; i < HALVINGS; i++) {
        double part = ldexp(1, -i);
        point next = {.s = at->s + part * (goal.s - at->s), .b = at->b + part * (goal.b - at->b)};
        status = measure(f, &next, err);
        if (status != LOCO_OK || next.loss < at->loss) {
            *moved = fabs(next.s - at->s) + fabs(next.b - at->b) > 1e-5;
            *at = next;
            return status;
        }
    }
    return LOCO_OK;
}

static bool is_exact(const lc_counted_clip *clip)
{
    return usable(clip) && clip->label.lo == clip->label.hi;
}

static double calibrated(const lc_count_calibration *c, const lc_counted_clip *clip, size_t t)
{
    return c->scale * (double)clip->logits[t * clip->stride] + c->shift;
}

/* Expected counts, and their variances when logits are sharp times as large. */
static size_t list_errors(lc_count_error *errors, const lc_count_calibration *calibration, const fit *f, double sharp)
{
    size_t used = 0;
    for (size_t i = 0; i < f->n; i++) {
        const lc_counted_clip *clip = &f->clips[i];
        if (!is_exact(clip))
            continue;
        lc_count_error *error = &errors[used++];
        *error = (lc_count_error){.truth = (double)clip->label.lo,
                                  .detected = (double)clip->detected,
                                  .frames = (double)clip->frames,
                                  .recording = clip->recording};
        for (size_t t = 0; t < clip->frames; t++) {
            double z = calibrated(calibration, clip, t), p = 1 / (1 + exp(-sharp * z));
            error->expected += 1 / (1 + exp(-z));
            error->variance += p * (1 - p);
        }
    }
    return used;
}

/* Detections can be far more exact than the probabilities claim: logits are then made larger until the distribution,
 * which is moved to the number of detections, is no longer too wide for their errors. */
static loco_status learn_errors(lc_count_calibration *calibration, const fit *f, loco_err *err)
{
    lc_count_error *errors = calloc(f->n + 1, sizeof *errors);
    double sharp = 1, most = 64;
    if (errors == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    lc_count_errors found = lc_count_errors_measure(errors, list_errors(errors, calibration, f, sharp));
    most = fmin(most, most_shift / fmax(calibration->scale, fabs(calibration->shift)));
    while (found.detections && !(found.excess > 0) && 2 * sharp <= most) {
        sharp *= 2;
        found = lc_count_errors_measure(errors, list_errors(errors, calibration, f, sharp));
    }
    calibration->scale *= sharp;
    calibration->shift *= sharp;
    calibration->detections = found.detections;
    calibration->excess = found.excess;
    calibration->rate = found.rate;
    calibration->spread = found.spread;
    calibration->recordings = found.recordings;
    calibration->frames = found.frames;
    calibration->sum_frames = found.sum_frames;
    free(errors);
    return LOCO_OK;
}

/* Scale and shift from *at on, which moves, and errors. */
static loco_status fit_errors(lc_count_calibration *calibration, fit *f, point *at, loco_err *err)
{
    bool moved = true;
    lc_count_calibration fitted = lc_count_calibration_default();
    loco_status status = measure(f, at, err);
    for (int i = 0; status == LOCO_OK && moved && i < ROUNDS; i++)
        status = improve(f, at, true, &moved, err);
    fitted.scale = exp(at->s);
    fitted.shift = at->b;
    if (status == LOCO_OK)
        status = learn_errors(&fitted, f, err);
    if (status == LOCO_OK)
        *calibration = fitted;
    return status;
}

/* The p-value of the sum of exact clips that are next to each other in the list. */
static double p_value(lc_tally *tally, const lc_count_calibration *calibration, const lc_counted_clip *clips, size_t n,
                      size_t kind)
{
    size_t truth = 0, detected = 0;
    lc_tally_clear(tally);
    for (size_t i = 0; i < n; i++) {
        for (size_t t = 0; is_exact(&clips[i]) && t < clips[i].frames; t++)
            lc_tally_add(tally, calibrated(calibration, &clips[i], t));
        truth += is_exact(&clips[i]) ? clips[i].label.lo : 0;
        detected += is_exact(&clips[i]) ? clips[i].detected : 0;
    }
    lc_tally_calibrate(tally, calibration, detected);
    return lc_tally_p_value(tally, truth, lc_tally_dice(tally, kind));
}

/* p-values of the exact counts of clips, and of their sums over recordings. */
typedef struct p_values {
    double *clips, *sums;
    size_t clips_len, sums_len;
    lc_tally tally;
} p_values;

/* The clips of a recording begin at `from`; returns where they end. */
static size_t recording_end(const fit *f, size_t from)
{
    size_t to = from + 1;
    while (to < f->n && f->clips[to].recording == f->clips[from].recording)
        to++;
    return to;
}

static void add_recording(p_values *p, const lc_count_calibration *c, const lc_counted_clip *clips, size_t n,
                          size_t kind)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        if (is_exact(&clips[i])) {
            p->clips[p->clips_len++] = p_value(&p->tally, c, &clips[i], 1, kind);
            any = true;
        }
    if (any)
        p->sums[p->sums_len++] = p_value(&p->tally, c, clips, n, kind);
}

/* Scale, shift and errors from the recordings outside of a fold; *calibration stays where these have too few counts. */
static loco_status fit_others(lc_count_calibration *calibration, const fit *f, const point *start, size_t fold,
                              loco_err *err)
{
    lc_counted_clip *clips = calloc(f->n, sizeof *clips);
    fit g = *f;
    point at = *start;
    size_t exact = 0, recording = 0;
    if (clips == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    g.clips = clips;
    g.n = 0;
    for (size_t from = 0, to; from < f->n; from = to, recording++) {
        to = recording_end(f, from);
        for (size_t i = from; recording % FOLDS != fold && i < to; i++) {
            exact += is_exact(&f->clips[i]);
            clips[g.n++] = f->clips[i];
        }
    }
    loco_status status = exact < LC_COUNTS_FEWEST ? LOCO_OK : fit_errors(calibration, &g, &at, err);
    free(clips);
    return status;
}

static loco_status list_p_values(p_values *p, const lc_count_calibration *calibration, const fit *f, const point *start,
                                 size_t kind, loco_err *err)
{
    size_t folds = calibration->recordings < FOLDS ? calibration->recordings : FOLDS;
    loco_status status = LOCO_OK;
    for (size_t fold = 0; status == LOCO_OK && fold < folds; fold++) {
        lc_count_calibration others = *calibration;
        size_t recording = 0;
        if (folds > 1)
            status = fit_others(&others, f, start, fold, err);
        for (size_t from = 0, to; status == LOCO_OK && from < f->n; from = to, recording++) {
            to = recording_end(f, from);
            if (recording % FOLDS == fold)
                add_recording(p, &others, f->clips + from, to - from, kind);
        }
    }
    return status;
}

/* Tails from recordings that the other numbers were not fitted to. Where recordings are hardly longer than clips, the
 * more exact tails of clips serve both. */
static loco_status learn_tails(lc_count_calibration *calibration, const fit *f, const point *start, size_t kind,
                               loco_err *err)
{
    enum { EVEN_SUMS = 20 };
    p_values p = {.clips = calloc(f->n + 1, sizeof *p.clips), .sums = calloc(f->n + 1, sizeof *p.sums)};
    bool failed = p.clips == NULL || p.sums == NULL;
    loco_status status = failed ? LOCO_OK : list_p_values(&p, calibration, f, start, kind, err);
    failed = failed || p.tally.failed;
    if (status == LOCO_OK && !failed && p.sums_len > 0) {
        lc_count_calibration_learn(calibration, p.clips, p.clips_len, (p.clips_len + p.sums_len - 1) / p.sums_len);
        memcpy(calibration->sum_tails, calibration->tails, sizeof calibration->tails);
        if (calibration->sum_frames > 1.5 * calibration->frames)
            lc_count_calibration_learn_sums(calibration, p.sums, p.sums_len, EVEN_SUMS);
    }
    lc_tally_free(&p.tally);
    free(p.clips);
    free(p.sums);
    return status == LOCO_OK && failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts") : status;
}

/* Logits and tails stay as they are: too few counts to fit them. */
static loco_status learn_few(lc_count_calibration *calibration, const fit *f, loco_err *err)
{
    lc_count_calibration fitted = lc_count_calibration_default();
    loco_status status = learn_errors(&fitted, f, err);
    if (status == LOCO_OK)
        *calibration = fitted;
    return status;
}

static loco_status run_fit(fit *f, lc_count_calibration *calibration, size_t kind, loco_err *err)
{
    point at = {.s = 0};
    bool moved = true;
    lc_count_calibration fitted = lc_count_calibration_default();
    loco_status status = measure(f, &at, err);
    /* first the shift alone: far from it, a scale of 0, a constant rate, would look best */
    for (int i = 0; status == LOCO_OK && moved && i < ROUNDS; i++)
        status = improve(f, &at, false, &moved, err);
    if (status == LOCO_OK)
        status = fit_errors(&fitted, f, &at, err);
    if (status == LOCO_OK)
        status = learn_tails(&fitted, f, &at, kind, err);
    if (status == LOCO_OK)
        *calibration = fitted;
    return status;
}

loco_status lc_count_calibration_fit(lc_count_calibration *calibration, size_t *exact, const lc_counted_clip *clips,
                                     size_t n, size_t kind, loco_err *err)
{
    fit f = {.clips = clips, .n = n};
    size_t frames = 0;
    *exact = 0;
    for (size_t i = 0; i < n; i++) {
        frames += usable(&clips[i]) ? clips[i].frames : 0;
        *exact += usable(&clips[i]) && clips[i].label.lo == clips[i].label.hi;
    }
    if (*exact < LC_COUNTS_FEWEST)
        return *exact >= LC_COUNTS_COMPARED ? learn_few(calibration, &f, err) : LOCO_OK;
    f.items = calloc(n, sizeof *f.items);
    f.logits = calloc(frames, sizeof *f.logits);
    f.grad = calloc(frames, sizeof *f.grad);
    loco_status status = f.items == NULL || f.logits == NULL || f.grad == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts")
                             : loco_count_new(&f.count, 1, err);
    if (status == LOCO_OK)
        status = run_fit(&f, calibration, kind, err);
    loco_count_free(f.count);
    free(f.items);
    free(f.logits);
    free(f.grad);
    return status;
}

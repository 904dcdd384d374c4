/* SPDX-License-Identifier: MIT
 * tune_counts.c - calibration of counts.
 *
 * Scale a and shift b of the logits of a class minimise the exact loss of the counts of its clips,
 *
 *     L(a, b) = sum over clips of -log P(count in label; a z + b)  +  (log(a)^2 + b^2 / 50) / 2
 *     dL/db = sum over frames of g,   dL/dlog(a) = a sum of g z    with g the gradient of the count loss
 *
 * by Newton's method in log a and b with differences of that gradient; the last term, the worth of a clip or so, keeps a class that never
 * occurs in place. Then the p-values of the exact counts give the tails of the intervals, see detect/tally.h. Both use
 * the same clips: two numbers fitted to hundreds of counts hardly flatter them. */
#include "train/tune_counts.h"

#include "base/status.h"
#include "train/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the fit stays within, and how far it goes in a step: far from the best, the parabola is none. */
static const double most_scale = 3, most_shift = 50, scale_step = 0.4, shift_step = 2; /* scales as logarithms */
enum { ROUNDS = 40, HALVINGS = 12, FEWEST_RECORDINGS = 8 };

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

/* A clip with more events than frames cannot be learned from. */
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
    loco_status status = loco_count_batch(f->count, f->items, used, err);
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

/* Towards where the parabola is lowest; where there is none, down the slope. both: else the shift alone. */
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

/* Counts N of whole recordings, of their clips together, against expected ones M with variance V: what is left over of
 * the squared errors grows as M^2. */
static double leftover(const lc_counting *counting, const fit *f)
{
    double over = 0, squares = 0, N = 0, M = 0, V = 0;
    size_t recordings = 0;
    for (size_t i = 0; i < f->n; i++) {
        const lc_counted_clip *clip = &f->clips[i];
        bool counts = usable(clip) && clip->label.lo == clip->label.hi;
        N += counts ? (double)clip->label.lo : 0;
        for (size_t t = 0; counts && t < clip->frames; t++) {
            double p = 1 / (1 + exp(-counting->scale * (double)clip->logits[t * clip->stride] - counting->shift));
            M += p;
            V += p * (1 - p);
        }
        if (i + 1 < f->n && f->clips[i + 1].recording == clip->recording)
            continue;
        over += (N - M) * (N - M) - V;
        squares += M * M;
        N = M = V = 0;
        recordings++;
    }
    return recordings >= FEWEST_RECORDINGS && squares > 0 ? fmin(1, sqrt(fmax(0, over / squares))) : 0;
}

/* p-values of the exact counts, with the logits as they were fitted. */
static loco_status learn_tails(lc_counting *counting, const fit *f, size_t kind, loco_err *err)
{
    double *p_values = calloc(f->n, sizeof *p_values);
    lc_tally tally = {0};
    size_t used = 0;
    for (size_t i = 0; p_values != NULL && i < f->n; i++) {
        const lc_counted_clip *clip = &f->clips[i];
        if (!usable(clip) || clip->label.lo != clip->label.hi)
            continue;
        lc_tally_clear(&tally);
        for (size_t t = 0; t < clip->frames; t++)
            lc_tally_add(&tally, counting->scale * (double)clip->logits[t * clip->stride] + counting->shift);
        lc_tally_end(&tally, counting->spread);
        p_values[used++] = lc_tally_p_value(&tally, clip->label.lo, lc_tally_dice(&tally, kind));
    }
    bool failed = p_values == NULL || tally.failed;
    if (!failed)
        lc_counting_learn(counting, p_values, used);
    lc_tally_free(&tally);
    free(p_values);
    return failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts") : LOCO_OK;
}

static loco_status run_fit(fit *f, lc_counting *counting, size_t kind, loco_err *err)
{
    point at = {.s = 0};
    bool moved = true;
    lc_counting found = lc_counting_usual();
    loco_status status = measure(f, &at, err);
    /* first the shift alone: far from it, a scale of 0, a constant rate, would look best */
    for (int i = 0; status == LOCO_OK && moved && i < ROUNDS; i++)
        status = improve(f, &at, false, &moved, err);
    moved = true;
    for (int i = 0; status == LOCO_OK && moved && i < ROUNDS; i++)
        status = improve(f, &at, true, &moved, err);
    found.scale = exp(at.s);
    found.shift = at.b;
    if (status == LOCO_OK)
        found.spread = leftover(&found, f);
    if (status == LOCO_OK)
        status = learn_tails(&found, f, kind, err);
    if (status == LOCO_OK)
        *counting = found;
    return status;
}

loco_status lc_counting_fit(lc_counting *counting, size_t *exact, const lc_counted_clip *clips, size_t n, size_t kind,
                            loco_err *err)
{
    fit f = {.clips = clips, .n = n};
    size_t frames = 0;
    *exact = 0;
    for (size_t i = 0; i < n; i++) {
        frames += usable(&clips[i]) ? clips[i].frames : 0;
        *exact += usable(&clips[i]) && clips[i].label.lo == clips[i].label.hi;
    }
    if (*exact < LC_COUNTS_FEWEST)
        return LOCO_OK;
    f.items = calloc(n, sizeof *f.items);
    f.logits = calloc(frames, sizeof *f.logits);
    f.grad = calloc(frames, sizeof *f.grad);
    loco_status status = f.items == NULL || f.logits == NULL || f.grad == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts")
                             : loco_count_new(&f.count, 1, err);
    if (status == LOCO_OK)
        status = run_fit(&f, counting, kind, err);
    loco_count_free(f.count);
    free(f.items);
    free(f.logits);
    free(f.grad);
    return status;
}

/* ---- a data set ---- */

typedef struct state {
    const lc_tuning *t;
    const lc_dataset *set; /* with clips */
    lc_series *series;     /* one a recording */
    double *heard;         /* seconds of each */
    lc_counted_clip *clips;
} state;

/* As much of each recording as the seconds that are left allow. */
static loco_status hear_all(state *s, loco_err *err)
{
    lc_listener *listener = NULL;
    double left = s->t->most_seconds;
    loco_status status = lc_listener_new(&listener, s->t->model, err);
    for (size_t i = 0; status == LOCO_OK && i < s->set->recordings_len && left > 1; i++) {
        double seconds = lc_sounds_seconds(s->t->sounds, i);
        if (s->t->recordings != NULL && !s->t->recordings[i])
            continue;
        s->series[i].K = s->t->model->net->classes;
        s->heard[i] = fmin(left, seconds);
        status = lc_hear(listener, s->t->sounds, i, s->t->model->frontend.rate, s->heard[i], lc_series_take,
                         &s->series[i], err);
        if (status == LOCO_OK && s->series[i].failed)
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
        left -= s->heard[i];
    }
    lc_listener_free(listener);
    return status;
}

/* Clips that were heard to their end. */
static size_t list_clips(const state *s, size_t k)
{
    size_t n = 0;
    for (size_t i = 0; i < s->set->clips_len; i++) {
        const lc_clip *clip = &s->set->clips[i];
        const lc_series *series = &s->series[clip->recording];
        double seconds = lc_sounds_seconds(s->t->sounds, clip->recording);
        if (series->T == 0 || fmin(clip->end, seconds) > s->heard[clip->recording] + 0.01)
            continue;
        lc_frames frames = lc_detect_frames(s->t->model, k, clip->start, clip->end, series->T);
        s->clips[n++] = (lc_counted_clip){.logits = series->logits + frames.first * series->K + k,
                                          .frames = frames.end - frames.first,
                                          .stride = series->K,
                                          .label = clip->labels[k],
                                          .recording = clip->recording};
    }
    return n;
}

static loco_status fit_all(state *s, lc_text *findings, loco_err *err)
{
    loco_model *model = s->t->model;
    loco_status status = LOCO_OK;
    for (size_t k = 0; status == LOCO_OK && k < model->net->classes; k++) {
        size_t n = list_clips(s, k), exact = 0;
        status = lc_counting_fit(&model->counting[k], &exact, s->clips, n, k, err);
        if (status != LOCO_OK)
            return status;
        lc_text_format(findings, "%s: ", model->classes[k]);
        if (exact < LC_COUNTS_FEWEST) {
            lc_text_format(findings, "counts not calibrated: %zu clips with an exact count, %d are needed\n", exact,
                           LC_COUNTS_FEWEST);
            continue;
        }
        model->counted = true;
        lc_text_format(findings, "counts calibrated by %zu clips: ", exact);
        lc_text_number(findings, model->counting[k].scale, 2);
        lc_text_string(findings, model->counting[k].shift < 0 ? " z - " : " z + ");
        lc_text_number(findings, fabs(model->counting[k].shift), 2);
        lc_text_string(findings, " of logits z, +- ");
        lc_text_number(findings, 100 * model->counting[k].spread, 1);
        lc_text_string(findings, " % in a recording, 90 % intervals to p-value ");
        lc_text_number(findings, lc_counting_tail(&model->counting[k], 0.9), 4);
        lc_text_string(findings, "\n");
    }
    return status;
}

/* Clips of 1 to 10 s from the events; *cut: NULL where there are none. */
static loco_status cut_clips(const lc_tuning *t, lc_dataset **cut, loco_err *err)
{
    size_t n = t->set->recordings_len;
    double *seconds = calloc(n + 1, sizeof *seconds);
    if (seconds == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    for (size_t i = 0; i < n; i++)
        seconds[i] = lc_sounds_seconds(t->sounds, i);
    lc_cut how = {.seconds = seconds, .shortest = 1, .longest = 10, .seed = 1};
    loco_status status = lc_dataset_cut(cut, t->set, &how, err);
    free(seconds);
    return status == LOCO_EDATA ? LOCO_OK : status; /* too short to cut: nothing is calibrated */
}

loco_status lc_tune_counts(const lc_tuning *tuning, lc_text *findings, loco_err *err)
{
    lc_dataset *cut = NULL;
    loco_status status = tuning->set->clips_len > 0 ? LOCO_OK : cut_clips(tuning, &cut, err);
    state s = {.t = tuning, .set = cut != NULL ? cut : tuning->set};
    size_t recordings = s.set->recordings_len;
    s.series = calloc(recordings + 1, sizeof *s.series);
    s.heard = calloc(recordings + 1, sizeof *s.heard);
    s.clips = calloc(s.set->clips_len + 1, sizeof *s.clips);
    if (status == LOCO_OK && (s.series == NULL || s.heard == NULL || s.clips == NULL))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    if (status == LOCO_OK)
        status = hear_all(&s, err);
    if (status == LOCO_OK)
        status = fit_all(&s, findings, err);
    if (status == LOCO_OK && findings->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    for (size_t i = 0; s.series != NULL && i < recordings; i++)
        free(s.series[i].logits);
    free(s.series);
    free(s.heard);
    free(s.clips);
    lc_dataset_free(cut);
    return status;
}

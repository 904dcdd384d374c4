/* SPDX-License-Identifier: MIT
 * localised.c - whether a trained model finds when events happen, or only how many.
 *
 * Counts can be met without finding a single event, by an even rate. Two numbers show it; neither needs event times:
 *   found / expected   share of the expected count that lies in detections with a probability of 1/2 and more: small for
 *                      an even rate, near 1 where every event stands out
 *   missed / counts    by how much the number of detections misses the counts of clips: large where other things than
 *                      the events are found
 * The bounds were chosen on 48 runs on synthetic walks, of 20 to 400 steps and three seeds, with short and with long clips.
 * On 50 others, of walks, heart beats, hits and drums, after 5 to 300 steps, they warn of all 14 with an F1 below .5, and
 * of 2 of the 30 above .9. */
#include "train/localised.h"

#include "base/status.h"
#include "detect/detect.h"
#include "detect/detect_image.h"
#include "detect/infer.h"
#include "train/sigmoid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double sure = 0.5;                          /* probability of a detection that stands out */
static const double least_found = 0.1, some_found = 0.3; /* shares of the expected count */
static const double hardly_missed = 0.02, some_missed = 0.15, most_missed = 0.6,
                    most_missed_many = 0.3;                /* shares of the counts: in long
                                                                                    * clips errors cancel */
static const double most_seconds = 600, most_rows = 20000; /* of recordings, of images that are read */
static const double many = 10;                             /* events a clip */
static const double enough_events = 20;                    /* in held-out recordings, to judge one of many classes */
static const size_t few_classes = 8;                       /* each of which is judged alone */
static const size_t most_named = 6;

/* Adds what the network expects, and what stands out of it. */
static void add_events(lc_localised *rows, size_t K, const lc_logits *logits, const lc_event_array *events)
{
    for (size_t i = 0; i < logits->T * K; i++)
        rows[i % K].expected += lc_sigmoid((double)logits->data[i]);
    for (size_t i = 0; i < events->len; i++)
        if (events->events[i].probability >= sure)
            rows[events->events[i].kind].found += fmin(1, events->events[i].probability);
}

/* Adds the known counts of the clips of a recording that end before `most` seconds. */
static void add_counts(lc_localised *rows, size_t K, const lc_plan *plan, size_t recording, double most,
                       const lc_event_array *events)
{
    for (size_t c = 0; c < plan->set->clips_len; c++) {
        const lc_clip *clip = &plan->set->clips[c];
        double seconds = lc_sounds_seconds(plan->sounds, clip->recording);
        lc_plane_box box = lc_clip_box(clip, seconds);
        for (size_t k = 0; clip->recording == recording && fmin(clip->end, seconds) <= most && k < K; k++) {
            if (clip->labels[k].lo != clip->labels[k].hi)
                continue;
            double n = (double)lc_box_count(&box, events, k);
            rows[k].counts += (double)clip->labels[k].lo;
            rows[k].missed += fabs(n - (double)clip->labels[k].lo);
        }
    }
}

static loco_status measure_recording(lc_localised *rows, lc_infer *infer, const loco_model *model, const lc_plan *plan,
                                     size_t recording, double most, loco_err *err)
{
    lc_logits logits = {0};
    lc_decoder *decoder = NULL;
    lc_event_array events = {0};
    loco_status status = lc_infer_recording(&logits, infer, plan->sounds, recording, most, err);
    if (status == LOCO_OK)
        status = lc_detect_decoder(&decoder, model, NULL, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(decoder, logits.data, logits.T, logits.columns, &events, err);
    if (status == LOCO_OK) {
        add_events(rows, logits.K, &logits, &events);
        add_counts(rows, logits.K, plan, recording, most, &events);
    }
    lc_decoder_free(decoder);
    lc_event_array_free(&events);
    free(logits.data);
    return status;
}

static bool any_held(const lc_plan *plan)
{
    bool any = false;
    for (size_t i = 0; i < plan->set->recordings_len; i++)
        any |= plan->held_recordings[i] != 0;
    return any;
}

loco_status lc_localised_measure(lc_localised *rows, const loco_model *model, const lc_plan *plan, loco_err *err)
{
    lc_infer *infer = NULL;
    double left = model->frontend.ops->picture ? most_rows : most_seconds;
    bool held = any_held(plan);
    loco_status status = lc_infer_new(&infer, model, model->frontend.rate, 1, err);
    for (size_t k = 0; k < model->net->classes; k++)
        rows[k] = (lc_localised){0};
    for (size_t i = 0; status == LOCO_OK && i < plan->set->recordings_len && left > 0; i++) {
        double seconds = lc_sounds_seconds(plan->sounds, i);
        if (held && !plan->held_recordings[i])
            continue;
        status = measure_recording(rows, infer, model, plan, i, fmin(seconds, left), err);
        left -= seconds;
    }
    lc_infer_free(infer);
    return status;
}

/* The mean of the exact counts that are trained on. */
static double mean_count(const lc_plan *plan)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < plan->set->clips_len; i++)
        for (size_t k = 0; k < plan->set->classes_len; k++) {
            const loco_label *label = &plan->set->clips[i].labels[k];
            sum += label->lo == label->hi ? (double)label->lo : 0;
            n += label->lo == label->hi;
        }
    return n > 0 ? sum / n : 0;
}

/* What to do about a class that is not found. */
static void put_remedy(lc_text *text, const lc_plan *plan)
{
    const lc_frontend_settings *front = &plan->recipe.frontend;
    bool parts = plan->recipe.clips.longest <= 0 && mean_count(plan) > many;
    if (parts)
        lc_text_format(text, "; give counts of %s parts of the %s, of 1 to 10 events each\n",
                       front->ops->picture ? "smaller" : "shorter", lc_frontend_things(front));
    else
        lc_text_format(text, "; train on more %s, or for more steps\n", lc_frontend_things(front));
}

/* How a class, or several together, fails. */
typedef enum verdict { FINE, FLAT, UNRELIABLE } verdict;

/* An even rate is flat: hardly anything stands out, or little, and the counts are missed as well. */
static verdict judge(const lc_localised *row, const lc_plan *plan)
{
    double stands = row->found / fmax(row->expected, 1e-9), missed = row->missed / fmax(row->counts, 1e-9);
    if (row->counts <= 0 && row->expected < 1)
        return FINE; /* nothing to find */
    if (row->counts >= enough_events && missed <= hardly_missed)
        return FINE; /* found one by one, if not surely: an even rate never meets counts so well */
    if (stands < least_found || (stands < some_found && row->counts > 0 && missed > some_missed) ||
        row->expected < some_found * row->counts)
        return FLAT;
    return row->counts > 0 && missed > (mean_count(plan) > many ? most_missed_many : most_missed) ? UNRELIABLE : FINE;
}

static void advise(lc_text *text, const lc_localised *row, const char *name, const lc_plan *plan)
{
    verdict v = judge(row, plan);
    if (v == FINE)
        return;
    lc_text_format(text, "warning: %s is not %s: %.0f %% of the expected events stand out", name,
                   v == FLAT ? "localised" : "found reliably", 100 * row->found / fmax(row->expected, 1e-9));
    if (row->counts > 0)
        lc_text_format(text, ", and detections miss the counts of %s %s by %.0f %%",
                       any_held(plan) ? "held-out" : "the", lc_frontend_things(&plan->recipe.frontend),
                       100 * row->missed / row->counts);
    put_remedy(text, plan);
}

/* One line with the classes that fail, of those with enough events to judge. */
static void list_failing(lc_text *text, const lc_localised *rows, const char *const *names, size_t K,
                         const lc_plan *plan)
{
    size_t failing = 0;
    lc_text list = {0};
    for (size_t k = 0; k < K; k++)
        if (rows[k].counts >= enough_events && judge(&rows[k], plan) != FINE && failing++ < most_named)
            lc_text_format(&list, "%s%s", failing > 1 ? ", " : "", names[k]);
    if (failing > 0) {
        lc_text_format(text, "warning: %zu of %zu classes are not found reliably: %s%s", failing, K, list.bytes,
                       failing > most_named ? " and others" : "");
        put_remedy(text, plan);
    }
    lc_text_free(&list);
}

void lc_localised_advice(lc_text *text, const lc_localised *rows, const char *const *names, size_t K,
                         const lc_plan *plan)
{
    char all[64];
    lc_localised sum = {0};
    for (size_t k = 0; K <= few_classes && k < K; k++)
        advise(text, &rows[k], names[k], plan);
    if (K <= few_classes)
        return;
    for (size_t k = 0; k < K; k++) {
        sum.expected += rows[k].expected;
        sum.found += rows[k].found;
        sum.counts += rows[k].counts;
        sum.missed += rows[k].missed;
    }
    snprintf(all, sizeof all, "the sum of the %zu classes", K);
    if (judge(&sum, plan) != FINE)
        advise(text, &sum, all, plan);
    else
        list_failing(text, rows, names, K, plan);
}

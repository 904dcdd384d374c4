/* SPDX-License-Identifier: MIT
 * plan.c - from what the user asked for, and the data, to a run that can begin.
 *
 * Defaults come from the data: the front end listens no higher than the recordings reach, long clips make a batch
 * smaller, recordings with times but without counts are cut into clips of 0.4 to 0.8 s. Validation is by recording; with
 * a single recording, by its last clips. */
#include "train/plan.h"

#include "base/status.h"
#include "signal/track.h"
#include "train/aside.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sound_bytes = (size_t)4 << 30; /* decoded sound kept in memory */
enum { MOST_BATCH_SECONDS = 240 };                 /* of sound in a batch: beyond, a batch holds fewer clips */
enum { MOST_SERIES_SECONDS = 1200 };               /* and of series, whose frames are small */
enum { FRAMES = 60 };                              /* a second, of series without a preset of their own */
enum { SLOWEST = 16 };                             /* frames of a period, of these: what is slower is taken away */

void lc_plan_notice(const loco_training *training, const char *format, ...)
{
    char sentence[512];
    va_list values;
    if (training->notice == NULL)
        return;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    training->notice(training->context, sentence);
}

/* ---- the recipe ---- */

/* Series have the rate and the channels of the data. What a preset asks of the rate stays, where the data reach it; a
 * preset without a rate of its own takes about FRAMES frames a second, and nothing slower than SLOWEST of them: what is
 * slow, such as gravity or a movement around an event, keeps a network on the plateau of a constant rate. Jumps of 12
 * people in an accelerometer at 50 Hz, one count of 27 to 39 for each file of one to two minutes; F1 within 50 ms on four
 * others: .44 with low=0.3 after 300 steps; with 3.1, .91, .90 and .46 (three seeds) after 200, 1.00 after 1000. Other
 * corners, with every count one too high, 300 steps: .40 with low=0.5, .86 with 1, .96 with 2, .98 with 3. */
static void fit_series(lc_plan *plan, const loco_training *training, double lowest, double highest, size_t channels)
{
    lc_frontend_settings *front = &plan->recipe.frontend;
    bool open = training->preset == NULL || strcmp(training->preset, "series") == 0;
    front->channels = channels;
    if (open || lowest < front->rate)
        front->rate = lowest;
    if (open) {
        front->hop = (size_t)fmax(1, floor(lowest / FRAMES));
        front->low = lowest / (double)front->hop / SLOWEST;
    }
    front->low = fmin(front->low, front->rate / 8);
    front->high = front->high < 0.45 * front->rate ? front->high : 0;
    lc_plan_notice(training, "series of %zu channel%s: the front end reads %.0f samples and gives %.0f frames a second",
                   channels, channels == 1 ? "" : "s", front->rate, front->rate / (double)front->hop);
    if (highest > lowest)
        lc_plan_notice(training, "the files have %.0f to %.0f samples a second; all are read at %.0f", lowest, highest,
                       front->rate);
}

/* A front end above what the recordings hold would only see silence there. */
static loco_status fit_front_end(lc_plan *plan, const loco_training *training, loco_err *err)
{
    lc_frontend_settings *front = &plan->recipe.frontend;
    double lowest = INFINITY, highest = 0;
    lc_sound_shape shape = {.channels = 1};
    bool chosen = front->columns[0] != '\0';
    size_t more = 0; /* recordings with columns that the first has not */
    char pair[64];
    for (size_t i = 0; i < plan->set->recordings_len; i++) {
        loco_status status = lc_sound_measure(&shape, plan->set->recordings[i].path,
                                              front->columns[0] != '\0' ? front->columns : NULL, err);
        if (status != LOCO_OK)
            return status;
        if (chosen && shape.names[0] == '\0' && i == 0)
            return lc_err_set(err, LOCO_EARG, "%.150s: has no names of columns to choose from; leave columns out",
                              plan->set->recordings[i].path);
        if (i == 0 && front->kind == LC_FRONT_SERIES)
            memcpy(front->columns, shape.names, sizeof front->columns);
        lowest = fmin(lowest, shape.rate);
        highest = fmax(highest, shape.rate);
        more += i > 0 && !chosen && shape.ignored > 0;
    }
    if (front->kind == LC_FRONT_SERIES) {
        fit_series(plan, training, lowest, highest, shape.channels);
        if (front->columns[0] != '\0')
            lc_plan_notice(training, "columns %s%s", front->columns,
                           more > 0 ? ", as in the first file; others have more, which are not read" : "");
        return LOCO_OK;
    }
    if (lowest >= front->rate || front->high <= lowest / 2)
        return LOCO_OK;
    lc_plan_notice(training, "the lowest sample rate of the recordings is %.0f Hz: the front end listens up to %.0f Hz",
                   lowest, floor(lowest / 2));
    snprintf(pair, sizeof pair, "high=%.0f", floor(lowest / 2));
    return lc_frontend_set(front, pair, err);
}

/* What is meant for sound alone. */
static loco_status check_series(const lc_recipe *r, loco_err *err)
{
    if (r->frontend.kind != LC_FRONT_SERIES && r->frontend.columns[0] != '\0')
        return lc_err_set(err, LOCO_EARG, "columns=%.60s: sound has no columns; they are of series",
                          r->frontend.columns);
    if (r->frontend.kind == LC_FRONT_SERIES && (r->stretch > 0 || r->tilt > 0 || r->mix > 0))
        return lc_err_set(err, LOCO_EARG, "stretch, tilt and mix change sound; for series use speed, gain and noise");
    return LOCO_OK;
}

/* Which columns are read must be known before anything is. */
static loco_status set_columns(lc_plan *plan, const loco_training *training, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < training->sets_len; i++)
        if (strncmp(training->sets[i], "columns=", 8) == 0)
            status = lc_recipe_set(&plan->recipe, training->sets[i], err);
    return status;
}

/* What the user sets comes last, and wins. */
static loco_status make_recipe(lc_plan *plan, const loco_training *training, loco_err *err)
{
    bool series = plan->set->recordings_len > 0 && lc_track_is(plan->set->recordings[0].path);
    const char *usual = series ? "series" : "sound";
    loco_status status = lc_recipe_preset(&plan->recipe, training->preset != NULL ? training->preset : usual, err);
    if (status == LOCO_OK)
        status = set_columns(plan, training, err);
    if (status == LOCO_OK)
        status = fit_front_end(plan, training, err);
    if (status == LOCO_OK && plan->set->clips_len == 0) {
        plan->recipe.shortest = 0.4;
        plan->recipe.longest = 0.8;
    }
    for (size_t i = 0; status == LOCO_OK && i < training->sets_len; i++) {
        status = lc_recipe_set(&plan->recipe, training->sets[i], err);
        status = status == LOCO_EDATA ? LOCO_EARG : status; /* what the user sets is an argument */
    }
    if (status == LOCO_OK && plan->recipe.shortest > plan->recipe.longest)
        status = lc_err_set(err, LOCO_EARG, "shortest=%g is more than longest=%g", plan->recipe.shortest,
                            plan->recipe.longest);
    return status == LOCO_OK ? check_series(&plan->recipe, err) : status;
}

loco_status lc_plan_network(lc_net *net, const lc_recipe *recipe, size_t classes, loco_err *err)
{
    char line[LC_NETWORK_BYTES + 32];
    size_t C = lc_frontend_channels(&recipe->frontend);
    snprintf(line, sizeof line, "%s%sdense %zu", recipe->network, recipe->network[0] != 0 ? ", " : "", classes);
    loco_status status = lc_net_parse(net, line, strlen(line), lc_frontend_bins(&recipe->frontend), C, err);
    return status == LOCO_EDATA ? LOCO_EARG : status;
}

static loco_status make_networks(lc_plan *plan, loco_err *err)
{
    const lc_dataset *set = plan->set;
    loco_status status = lc_aside_told(&plan->told, plan->recipe.aside, set->classes, set->classes_len, err);
    if (status == LOCO_OK)
        status = lc_plan_network(&plan->net, &plan->recipe, set->classes_len, err);
    return status == LOCO_OK ? lc_plan_network(&plan->told_net, &plan->recipe, plan->told, err) : status;
}

/* ---- the split ---- */

/* How many clips start at a time or later, and the first start among them. */
static size_t starts_from(const lc_dataset *set, double time, double *first)
{
    size_t n = 0;
    *first = INFINITY;
    for (size_t i = 0; i < set->clips_len; i++)
        if (set->clips[i].start >= time) {
            *first = fmin(*first, set->clips[i].start);
            n++;
        }
    return n;
}

/* The last clips of the only recording, by time, are held out; what reaches from one side to the other is neither.
 * Returns whether there is something on both sides. */
static bool hold_clips(lc_plan *plan)
{
    const lc_dataset *set = plan->set;
    size_t n = set->clips_len, wanted = (size_t)fmax(1, plan->recipe.held * (double)n), kept = 0;
    double low = 0, high = 0, cut;
    for (size_t i = 0; i < n; i++)
        high = fmax(high, set->clips[i].start);
    for (int i = 0; i < 64; i++) { /* the latest time that leaves as many as wanted behind it */
        double middle = (low + high) / 2;
        *(starts_from(set, middle, &cut) >= wanted ? &low : &high) = middle;
    }
    starts_from(set, low, &cut);
    for (size_t i = 0; i < n; i++)
        kept += set->clips[i].end <= cut;
    for (size_t i = 0; kept > 0 && i < n; i++) {
        plan->held_clips[i] = set->clips[i].start >= cut;
        plan->kept_clips[i] = set->clips[i].end <= cut;
    }
    return kept > 0;
}

static void split(lc_plan *plan, const loco_training *training)
{
    const lc_dataset *set = plan->set;
    bool by_recording = plan->recipe.held > 0 && lc_dataset_split(set, plan->recipe.held, plan->recipe.seed,
                                                                  plan->held_recordings) == LC_SPLIT_BY_RECORDING;
    size_t held = 0;
    for (size_t i = 0; i < set->recordings_len; i++) {
        plan->held_recordings[i] = by_recording && plan->held_recordings[i];
        plan->kept_recordings[i] = !plan->held_recordings[i];
        held += plan->held_recordings[i];
    }
    for (size_t i = 0; i < set->clips_len; i++) {
        plan->held_clips[i] = plan->held_recordings[set->clips[i].recording];
        plan->kept_clips[i] = !plan->held_clips[i];
    }
    if (held > 0)
        lc_plan_notice(training, "%zu of %zu recordings are held out for validation", held, set->recordings_len);
    else if (plan->recipe.held > 0 && plan->recipe.longest <= 0)
        lc_plan_notice(training, "there is one recording only: %s for validation",
                       hold_clips(plan) ? "its last clips are held out" : "nothing can be held out");
}

/* ---- the data ---- */

/* The mean of the scales of all recordings that are trained on, as float: so the model file keeps it. */
static loco_status fit_scale(lc_plan *plan, loco_err *err)
{
    lc_frontend_settings *front = &plan->recipe.frontend;
    lc_frontend *made = NULL;
    lc_scale sum = {{0}, {0}}, one;
    double n = 0;
    loco_status status = front->kind == LC_FRONT_SERIES ? lc_frontend_new(&made, front, err) : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && made != NULL && i < plan->set->recordings_len; i++) {
        if (!plan->kept_recordings[i])
            continue;
        status = lc_sounds_scale(plan->sounds, i, made, &one, err);
        for (size_t c = 0; status == LOCO_OK && c < front->channels; c++) {
            sum.mean[c] += one.mean[c];
            sum.spread[c] += one.spread[c] * one.spread[c];
        }
        n++;
    }
    for (size_t c = 0; made != NULL && n > 0 && c < front->channels; c++) {
        front->usual.mean[c] = (double)(float)(sum.mean[c] / n);
        front->usual.spread[c] = (double)(float)sqrt(sum.spread[c] / n);
    }
    lc_frontend_free(made);
    return status;
}

static double longest_clip(const lc_plan *plan)
{
    double longest = plan->recipe.longest;
    for (size_t i = 0; plan->recipe.longest <= 0 && i < plan->set->clips_len; i++) {
        const lc_clip *clip = &plan->set->clips[i];
        double end = isfinite(clip->end) ? clip->end : lc_sounds_seconds(plan->sounds, clip->recording);
        longest = fmax(longest, end - clip->start);
    }
    return longest;
}

/* A smaller batch for long clips, unless the user chose one. */
static void fit_batch(lc_plan *plan, const loco_training *training)
{
    double seconds = longest_clip(plan) + 2 * plan->recipe.context;
    bool series = plan->recipe.frontend.kind == LC_FRONT_SERIES;
    double most = fmax(4, floor((series ? MOST_SERIES_SECONDS : MOST_BATCH_SECONDS) / seconds));
    for (size_t i = 0; i < training->sets_len; i++)
        if (strncmp(training->sets[i], "batch=", 6) == 0)
            return;
    if ((double)plan->recipe.batch <= most)
        return;
    plan->recipe.batch = (uint64_t)most;
    lc_plan_notice(training, "clips of up to %.1f s: batches of %.0f; short clips%s learn much faster", seconds, most,
                   series ? "" : " of half a second");
}

static loco_status check_lengths(const lc_plan *plan, loco_err *err)
{
    double *seconds = calloc(plan->set->recordings_len, sizeof *seconds);
    if (seconds == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", plan->set->recordings_len);
    for (size_t i = 0; i < plan->set->recordings_len; i++)
        seconds[i] = lc_sounds_seconds(plan->sounds, i);
    loco_status status = lc_dataset_check_lengths(plan->set, seconds, err);
    free(seconds);
    return status;
}

/* What looks odd about the counts, a sentence a line. */
static loco_status advise(const lc_plan *plan, const loco_training *training, loco_err *err)
{
    lc_text advice = {0};
    lc_dataset_advice(plan->set, &advice);
    if (advice.failed) {
        lc_text_free(&advice);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory");
    }
    for (char *at = advice.bytes; at != NULL && *at != 0;) {
        size_t length = strcspn(at, "\n");
        lc_plan_notice(training, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    lc_text_free(&advice);
    return LOCO_OK;
}

/* Times that are asked for and not there would be missed in silence. */
static loco_status check_times(const lc_plan *plan, loco_err *err)
{
    for (size_t i = 0; i < plan->set->recordings_len; i++)
        if (plan->recipe.supervised <= 0 || (plan->kept_recordings[i] && plan->set->recordings[i].timed))
            return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%.150s: no recording to train on has event times, and supervised=%g needs some",
                      plan->set->where, plan->recipe.supervised);
}

static loco_status make_feeds(lc_plan *plan, loco_err *err)
{
    lc_feed_source kept = {plan->set, plan->sounds, plan->kept_clips, plan->kept_recordings};
    lc_feed_source held = {plan->set, plan->sounds, plan->held_clips, plan->held_recordings};
    loco_status status = check_times(plan, err);
    if (status == LOCO_OK)
        status = lc_feed_new(&plan->feed, &kept, &plan->recipe, plan->pool, err);
    bool any = false;
    /* a held-out part without any count is no reason to fail: then nothing is held */
    for (size_t i = 0; plan->recipe.longest <= 0 && i < plan->set->clips_len; i++)
        any |= plan->held_clips[i] != 0 && lc_clip_says(plan->set, &plan->set->clips[i]);
    if (status == LOCO_OK && any)
        status = lc_feed_new(&plan->held, &held, &plan->recipe, plan->pool, err);
    return status;
}

static loco_status read_data(lc_plan *plan, const loco_training *training, loco_err *err)
{
    const lc_dataset *set = plan->set;
    plan->held_recordings = calloc(set->recordings_len + 1, 1);
    plan->kept_recordings = calloc(set->recordings_len + 1, 1);
    plan->held_clips = calloc(set->clips_len + 1, 1);
    plan->kept_clips = calloc(set->clips_len + 1, 1);
    if (plan->held_recordings == NULL || plan->kept_recordings == NULL || plan->held_clips == NULL ||
        plan->kept_clips == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu clips", set->clips_len);
    loco_status status = lc_pool_new(&plan->pool, training->threads > 0 ? training->threads : 2, err);
    if (status == LOCO_OK)
        status = lc_sounds_new_channels(&plan->sounds, set, plan->recipe.frontend.rate,
                                        lc_frontend_apart(&plan->recipe.frontend), sound_bytes, plan->pool, err);
    if (status == LOCO_OK)
        status = check_lengths(plan, err);
    return status;
}

loco_status lc_plan_new(lc_plan **out, const loco_training *training, loco_err *err)
{
    lc_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a training run");
    loco_status status = lc_dataset_load(&plan->set, training->data, err);
    if (status == LOCO_OK)
        status = make_recipe(plan, training, err);
    if (status == LOCO_OK)
        status = make_networks(plan, err);
    if (status == LOCO_OK)
        status = read_data(plan, training, err);
    if (status == LOCO_OK)
        status = advise(plan, training, err);
    if (status == LOCO_OK) {
        split(plan, training);
        fit_batch(plan, training);
        status = fit_scale(plan, err);
    }
    if (status == LOCO_OK)
        status = make_feeds(plan, err);
    if (status != LOCO_OK) {
        lc_plan_free(plan);
        return status;
    }
    *out = plan;
    return LOCO_OK;
}

void lc_plan_free(lc_plan *plan)
{
    if (plan == NULL)
        return;
    lc_feed_free(plan->feed);
    lc_feed_free(plan->held);
    lc_sounds_free(plan->sounds);
    lc_pool_free(plan->pool);
    lc_dataset_free(plan->set);
    free(plan->held_recordings);
    free(plan->kept_recordings);
    free(plan->held_clips);
    free(plan->kept_clips);
    free(plan);
}

/* SPDX-License-Identifier: MIT
 * plan.c - from what the user asked for, and the data, to a run that can begin.
 *
 * Defaults come from the data: the front end reads no frequency above those of the recordings, long clips make a batch
 * smaller, recordings with times but without counts are cut into clips of 0.4 to 0.8 s. Validation is by recording; with
 * a single recording, by its last clips. */
#include "train/plan.h"

#include "base/status.h"
#include "data/gravity.h"
#include "signal/source.h"
#include "train/auxiliary.h"
#include "train/plan_image.h"
#include "train/start.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t usual_memory = (size_t)8 << 30; /* half of it for decoded sound, a quarter for a batch */

void lc_plan_notice(const loco_train_options *training, const char *format, ...)
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

/* A sentence a line. */
static loco_status notice_lines(const loco_train_options *training, lc_text *lines, loco_err *err)
{
    lc_text_fold(lines);
    loco_status status = lines->failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory") : LOCO_OK;
    for (char *at = lines->bytes; status == LOCO_OK && at != NULL && *at != 0;) {
        size_t length = strcspn(at, "\n");
        lc_plan_notice(training, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    lc_text_free(lines);
    return status;
}

/* What is odd about recordings: of several, the first. */
typedef struct oddities {
    char first[LC_NOTICE_BYTES];
    size_t len;
} oddities;

static void add_oddity(oddities *odd, const char *notice)
{
    if (notice[0] != '\0' && odd->len++ == 0)
        snprintf(odd->first, sizeof odd->first, "%s", notice);
}

static void note_oddities(lc_text *notes, const oddities *odd)
{
    if (odd->len == 1)
        lc_text_format(notes, "%s\n", odd->first);
    else if (odd->len > 1)
        lc_text_format(notes, "%s; %zu more %s\n", odd->first, odd->len - 1,
                       odd->len == 2 ? "recording is alike" : "recordings are alike");
}

/* Rates, channels and columns of the data; more: recordings with columns that the first does not have. */
static loco_status measure_data(lc_plan *plan, lc_front_data *data, size_t *more, oddities *odd, loco_err *err)
{
    lc_frontend_settings *front = &plan->recipe.frontend;
    lc_sound_shape shape = {.channels = 1};
    lc_gravity gravity = {.len = 0};
    bool chosen = front->columns[0] != '\0';
    for (size_t i = 0; i < plan->set->recordings_len; i++) {
        loco_status status = lc_sound_measure(&shape, plan->set->recordings[i].path,
                                              front->columns[0] != '\0' ? front->columns : NULL, err);
        if (status != LOCO_OK)
            return status;
        if (chosen && shape.names[0] == '\0' && i == 0)
            return lc_err_set(err, LOCO_EARG, "%.150s: has no names of columns to choose from; leave columns out",
                              plan->set->recordings[i].path);
        if (i == 0 && lc_frontend_columns(front).n > 0)
            memcpy(front->columns, shape.names, sizeof front->columns);
        data->channels = front->ops->picture && data->channels > shape.channels ? data->channels : shape.channels;
        data->lowest = fmin(data->lowest, shape.rate);
        data->highest = fmax(data->highest, shape.rate);
        *more += i > 0 && !chosen && shape.ignored > 0;
        add_oddity(odd, shape.notice);
        lc_gravity_add(&gravity, &shape);
    }
    data->turn = gravity.turn;
    return LOCO_OK;
}

/* The line of the front end that the user sets, the last one if there are several; NULL: none. */
static const char *own_front_end(const loco_train_options *training)
{
    const char *line = NULL;
    for (size_t i = 0; i < training->sets_len; i++)
        if (strncmp(training->sets[i], "frontend=", 9) == 0)
            line = training->sets[i] + 9;
    return line;
}

/* Then it is not chosen by the data. */
static bool sets_magnitude(const loco_train_options *training)
{
    static const char key[] = "frontend.magnitude=";
    for (size_t i = 0; i < training->sets_len; i++)
        if (strncmp(training->sets[i], key, sizeof key - 1) == 0)
            return true;
    return false;
}

static loco_status fit_front_end(lc_plan *plan, const loco_train_options *training, loco_err *err)
{
    lc_front_data data = {.lowest = (double)INFINITY, .preset = training->preset};
    if (own_front_end(training) != NULL)
        data.preset = own_front_end(training);
    lc_text notes = {0};
    size_t more = 0;
    oddities odd = {.len = 0};
    loco_status status = measure_data(plan, &data, &more, &odd, err);
    note_oddities(&notes, &odd);
    if (sets_magnitude(training))
        data.turn = 0;
    if (status == LOCO_OK)
        status = lc_frontend_fit(&plan->recipe.frontend, &data, &notes, err);
    lc_columns columns = lc_frontend_columns(&plan->recipe.frontend);
    if (status == LOCO_OK && columns.names != NULL && !plan->recipe.frontend.ops->picture)
        lc_text_format(&notes, "columns %s%s\n", columns.names,
                       more > 0 ? ", as in the first file; others have more, which are not read" : "");
    if (status == LOCO_OK)
        return notice_lines(training, &notes, err);
    lc_text_free(&notes);
    return status;
}

/* Settings for sound only, or for separate channels only. */
static loco_status check_inputs(const lc_recipe *r, loco_err *err)
{
    if (lc_frontend_columns(&r->frontend).n == 0 && r->frontend.columns[0] != '\0')
        return lc_err_set(err, LOCO_EARG, "columns=%.60s: sound has no columns; only series have", r->frontend.columns);
    if (r->frontend.ops->picture && (r->augment.stretch > 0 || r->augment.speed > 0 || r->augment.tilt > 0))
        return lc_err_set(err, LOCO_EARG,
                          "stretch, speed and tilt change sound or series; for images use mirror, gain and noise");
    if (!r->frontend.ops->sound && (r->augment.stretch > 0 || r->augment.tilt > 0 || r->augment.mix > 0))
        return lc_err_set(err, LOCO_EARG, "stretch, tilt and mix change sound; for series use speed, gain and noise");
    if (r->augment.transpose > 0 && !lc_frontend_transposes(&r->frontend))
        return lc_err_set(
            err, LOCO_EARG,
            "transpose=%llu moves pitches by semitones; it needs the front end pitch, with octave=12, 24, 36 or "
            "another multiple of 12",
            (unsigned long long)r->augment.transpose);
    if (r->frontend.ops->pitched && r->augment.speed > 0)
        return lc_err_set(
            err, LOCO_EARG,
            "speed=%g would change the pitch of the sound, and the classes of this front end are pitches; "
            "use stretch, which changes the time alone",
            r->augment.speed);
    return LOCO_OK;
}

/* The front end and the columns must be known before anything is read. */
static loco_status set_inputs(lc_plan *plan, const loco_train_options *training, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < training->sets_len; i++)
        if (strncmp(training->sets[i], "columns=", 8) == 0 || strncmp(training->sets[i], "frontend=", 9) == 0)
            status = lc_recipe_set(&plan->recipe, training->sets[i], err);
    return status;
}

/* A model brings its front end and its network along; settings that would change them are refused. */
static loco_status start_from(lc_plan *plan, const loco_train_options *training, loco_err *err)
{
    static const char *const fixed[] = {"network=", "columns=", "frontend=", "frontend."};
    lc_front_data data = {.lowest = (double)INFINITY};
    lc_text notes = {0};
    oddities odd = {.len = 0};
    size_t more = 0;
    for (size_t i = 0; i < training->sets_len; i++)
        for (size_t j = 0; j < sizeof fixed / sizeof fixed[0]; j++)
            if (strncmp(training->sets[i], fixed[j], strlen(fixed[j])) == 0)
                return lc_err_set(err, LOCO_EARG, "%.60s: front end and network are those of %.100s; leave it out",
                                  training->sets[i], training->from);
    loco_status status = loco_model_open(&plan->from, training->from, err);
    if (status == LOCO_OK)
        status = lc_start_recipe(&plan->recipe, plan->from, training->preset == NULL, err);
    if (status == LOCO_OK)
        status = lc_start_check(plan->from, plan->set->classes, plan->set->classes_len, err);
    if (status == LOCO_OK && plan->set->recordings_len > 0)
        status = lc_frontend_check_file(&plan->recipe.frontend, plan->set->recordings[0].path, err);
    if (status == LOCO_OK)
        status = measure_data(plan, &data, &more, &odd, err);
    note_oddities(&notes, &odd);
    size_t channels = lc_frontend_inputs(&plan->recipe.frontend);
    if (plan->recipe.frontend.ops->picture && data.channels > 0) /* weights are shared by all columns */
        plan->recipe.frontend.width = data.channels;
    else if (status == LOCO_OK && !plan->recipe.frontend.ops->sound && data.channels != channels)
        status = lc_err_set(err, LOCO_EDATA, "%.100s reads series of %zu channels, and the recordings have %zu",
                            training->from, channels, data.channels);
    if (status == LOCO_OK)
        return notice_lines(training, &notes, err);
    lc_text_free(&notes);
    return status;
}

static bool any_timed(const lc_dataset *set)
{
    for (size_t i = 0; i < set->recordings_len; i++)
        if (set->recordings[i].timed)
            return true;
    return false;
}

/* Whether all given clips are at most twice as long as those that are cut. */
static bool clips_are_short(const lc_plan *plan)
{
    bool all = true;
    for (size_t i = 0; i < plan->set->clips_len; i++)
        all &= plan->set->clips[i].end - plan->set->clips[i].start <= 2 * plan->recipe.clips.longest;
    return all;
}

/* Without clips, they are cut from what has times; a preset that cuts takes given clips where there are no times. As long as
 * those of the model that training starts from, given clips are as good as others: ten recordings of a drum kit had F1 of
 * .886 and .911 with them (two seeds), and .873 cut anew. */
static void choose_cuts(lc_plan *plan, const loco_train_options *training)
{
    lc_recipe_clips *clips = &plan->recipe.clips;
    bool given = plan->set->clips_len > 0, as_model = plan->from != NULL && training->preset == NULL;
    if (!given && clips->longest <= 0) {
        clips->shortest = 0.4;
        clips->longest = 0.8;
    } else if (given && (!any_timed(plan->set) || (as_model && clips_are_short(plan)))) {
        clips->shortest = clips->longest = 0;
    }
}

/* What the user sets comes last, and wins. */
static loco_status make_recipe(lc_plan *plan, const loco_train_options *training, loco_err *err)
{
    const char *preset = lc_source_recipe(plan->set->recordings_len > 0 ? plan->set->recordings[0].path : "");
    loco_status status = lc_recipe_preset(&plan->recipe, training->preset != NULL ? training->preset : preset, err);
    if (status == LOCO_OK && training->from != NULL)
        status = start_from(plan, training, err);
    if (status == LOCO_OK && training->from == NULL)
        status = set_inputs(plan, training, err);
    if (status == LOCO_OK && training->from == NULL)
        status = fit_front_end(plan, training, err);
    if (status == LOCO_OK && plan->set->clips_len == 0 && plan->recipe.frontend.ops->picture)
        status = lc_plan_count_images(plan, err);
    if (status == LOCO_OK)
        choose_cuts(plan, training);
    for (size_t i = 0; status == LOCO_OK && i < training->sets_len; i++) {
        if (strncmp(training->sets[i], "frontend=", 9) == 0)
            continue; /* set before, and fitted to the data since */
        status = lc_recipe_set(&plan->recipe, training->sets[i], err);
        status = status == LOCO_EDATA ? LOCO_EARG : status; /* what the user sets is an argument */
    }
    if (status == LOCO_OK && plan->recipe.clips.shortest > plan->recipe.clips.longest)
        status = lc_err_set(err, LOCO_EARG, "shortest=%g is more than longest=%g", plan->recipe.clips.shortest,
                            plan->recipe.clips.longest);
    return status == LOCO_OK ? check_inputs(&plan->recipe, err) : status;
}

/* A line that ends in crop has its outputs. */
static loco_status check_outputs(const lc_net *net, size_t classes, loco_err *err)
{
    if (net->classes == classes)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EARG,
                      "the network ends in crop and has %zu outputs, one a pitch, and there are %zu classes; give each "
                      "pitch a column in the counts, in order, or end the network before crop",
                      net->classes, classes);
}

loco_status lc_plan_network(lc_net *net, const lc_recipe *recipe, size_t classes, loco_err *err)
{
    char line[LC_NETWORK_BYTES + 32];
    size_t F = lc_frontend_bins(&recipe->frontend), C = lc_frontend_channels(&recipe->frontend);
    if (recipe->network[0] != 0 && lc_net_parse(net, recipe->network, strlen(recipe->network), F, C, NULL) == LOCO_OK &&
        lc_net_has_outputs(net))
        return check_outputs(net, classes, err);
    snprintf(line, sizeof line,
             lc_frontend_places(&recipe->frontend) > 1 ? "%s%sconv 1x1 %zu linear, places" : "%s%sdense %zu",
             recipe->network, recipe->network[0] != 0 ? ", " : "", classes);
    loco_status status = lc_net_parse(net, line, strlen(line), F, C, err);
    if (status == LOCO_OK && net->places != lc_frontend_places(&recipe->frontend))
        return lc_err_set(err, LOCO_EARG,
                          "the network gives %zu places for a row of %zu cells of the image; use layers that keep the "
                          "number of bins: conv without stride and pool",
                          net->places, lc_frontend_places(&recipe->frontend));
    return status == LOCO_EDATA ? LOCO_EARG : status;
}

/* The outputs of crop are neighbouring pitches: so must the classes be, where they are numbers. */
static loco_status check_order(const lc_dataset *set, loco_err *err)
{
    for (size_t k = 1; k < set->classes_len; k++) {
        char *end, *end_before;
        long number = strtol(set->classes[k], &end, 10), before = strtol(set->classes[k - 1], &end_before, 10);
        if (*end == 0 && *end_before == 0 && number != before + 1)
            return lc_err_set(err, LOCO_EDATA,
                              "%.150s: class %s follows %s, and the network's outputs are neighbouring pitches; write "
                              "counts.csv with a column for each pitch, in order, as loco import and loco synth do",
                              set->where, set->classes[k], set->classes[k - 1]);
    }
    return LOCO_OK;
}

/* What is transposed must have a class for each semitone, and no counts of several classes together. */
static loco_status check_transposition(const lc_plan *plan, loco_err *err)
{
    const lc_dataset *set = plan->set;
    if (plan->recipe.augment.transpose == 0)
        return LOCO_OK;
    for (size_t k = 0; k < set->classes_len; k++)
        if (set->classes[k][strspn(set->classes[k], "0123456789")] != 0 || set->sums_len > 0)
            return lc_err_set(
                err, LOCO_EARG,
                "transpose=%llu: classes must be numbers of notes, and none counted together with others; "
                "leave transpose out",
                (unsigned long long)plan->recipe.augment.transpose);
    return check_order(set, err);
}

/* The network that is trained, with an output for each class, and the one that is saved. */
static loco_status make_networks(lc_plan *plan, loco_err *err)
{
    const lc_dataset *set = plan->set;
    loco_status status = lc_auxiliary_reported(&plan->reported, plan->recipe.auxiliary, set->classes, set->classes_len,
                                               err);
    if (status == LOCO_OK)
        status = lc_plan_network(&plan->net, &plan->recipe, set->classes_len, err);
    if (status == LOCO_OK && lc_net_has_outputs(&plan->net) && plan->recipe.frontend.ops->pitched)
        status = check_order(set, err);
    if (status == LOCO_OK)
        status = check_transposition(plan, err);
    if (status == LOCO_OK && lc_net_has_outputs(&plan->net) && plan->reported < set->classes_len)
        return lc_err_set(err, LOCO_EARG, "aside=%.60s: the network ends in crop, and all its outputs are reported",
                          plan->recipe.auxiliary);
    return status == LOCO_OK ? lc_plan_network(&plan->reported_net, &plan->recipe, plan->reported, err) : status;
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

/* The last clips of the only recording, by time, are held out; a clip across the border is on neither side.
 * Returns whether there is something on both sides. */
static bool hold_clips(lc_plan *plan)
{
    const lc_dataset *set = plan->set;
    size_t n = set->clips_len, wanted = (size_t)fmax(1, plan->recipe.clips.held * (double)n), kept = 0;
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

static void split(lc_plan *plan, const loco_train_options *training)
{
    const lc_dataset *set = plan->set;
    bool by_recording = plan->recipe.clips.held > 0 && lc_dataset_split(set, plan->recipe.clips.held, plan->recipe.seed,
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
        lc_plan_notice(training, "%zu of %zu %s are held out for validation", held, set->recordings_len,
                       lc_frontend_things(&plan->recipe.frontend));
    else if (plan->recipe.clips.held > 0 && plan->recipe.clips.longest <= 0)
        lc_plan_notice(training, "there is one %s only: %s for validation",
                       plan->recipe.frontend.ops->picture ? "image" : "recording",
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
    loco_status status = lc_frontend_has_scale(front) ? lc_frontend_new(&made, front, err) : LOCO_OK;
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

/* Seconds of the longest clip: of those given, or the longest that is cut. */
static double longest_clip(const lc_plan *plan)
{
    double longest = plan->recipe.clips.longest;
    for (size_t i = 0; plan->recipe.clips.longest <= 0 && i < plan->set->clips_len; i++) {
        const lc_clip *clip = &plan->set->clips[i];
        double end = isfinite(clip->end) ? clip->end : lc_sounds_seconds(plan->sounds, clip->recording);
        longest = fmax(longest, end - clip->start);
    }
    return longest;
}

/* A smaller batch for long clips, unless the user chose one. */
static void fit_batch(lc_plan *plan, const loco_train_options *training)
{
    double seconds = longest_clip(plan) + 2 * plan->recipe.clips.context;
    double most = fmax(1, floor(lc_frontend_limits(&plan->recipe.frontend).batch / seconds));
    for (size_t i = 0; i < training->sets_len; i++)
        if (strncmp(training->sets[i], "batch=", 6) == 0)
            return;
    if ((double)plan->recipe.batch <= most)
        return;
    plan->recipe.batch = (uint64_t)most;
    if (plan->recipe.frontend.ops->picture)
        lc_plan_notice(training, "images of up to %.0f rows: batches of %.0f", seconds, most);
    else
        lc_plan_notice(training, "clips of up to %.1f s: batches of %.0f; short clips%s learn much faster", seconds,
                       most, plan->recipe.frontend.ops->sound ? " of half a second" : "");
}

/* Clips and events beyond the end of their recording are refused before anything is trained. */
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
static loco_status advise(const lc_plan *plan, const loco_train_options *training, loco_err *err)
{
    lc_text advice = {0};
    lc_dataset_advice(plan->set, &advice);
    return notice_lines(training, &advice, err);
}

/* Without this check, missing times would go unnoticed. */
static loco_status check_times(const lc_plan *plan, loco_err *err)
{
    for (size_t i = 0; i < plan->set->recordings_len; i++)
        if (plan->recipe.clips.supervised <= 0 || (plan->kept_recordings[i] && plan->set->recordings[i].timed))
            return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%.150s: no recording to train on has event times, and supervised=%g needs some",
                      plan->set->where, plan->recipe.clips.supervised);
}

/* Whether something is held out whose counts are known: a clip, or a timed recording that is long enough to be cut. */
static bool any_held(const lc_plan *plan)
{
    double longest = plan->recipe.clips.longest;
    bool any = false;
    for (size_t i = 0; longest <= 0 && i < plan->set->clips_len; i++)
        any |= plan->held_clips[i] != 0 && lc_clip_says(plan->set, &plan->set->clips[i]);
    for (size_t i = 0; longest > 0 && i < plan->set->recordings_len; i++)
        any |= plan->held_recordings[i] != 0 && plan->set->recordings[i].timed &&
               lc_sounds_seconds(plan->sounds, i) >= longest;
    return any;
}

/* One feed of what is trained on, and one of what is held out: if there is nothing, that is not an error. */
static loco_status make_feeds(lc_plan *plan, loco_err *err)
{
    lc_feed_source kept = {plan->set, plan->sounds, plan->kept_clips, plan->kept_recordings, plan->memory / 4};
    lc_feed_source held = {plan->set, plan->sounds, plan->held_clips, plan->held_recordings, plan->memory / 4};
    loco_status status = check_times(plan, err);
    if (status == LOCO_OK)
        status = lc_feed_new(&plan->feed, &kept, &plan->recipe, plan->pool, err);
    if (status == LOCO_OK && any_held(plan))
        status = lc_feed_new(&plan->held, &held, &plan->recipe, plan->pool, err);
    return status;
}

static loco_status read_data(lc_plan *plan, const loco_train_options *training, loco_err *err)
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
                                        lc_frontend_columns(&plan->recipe.frontend), plan->memory / 2, plan->pool, err);
    if (status == LOCO_OK)
        status = check_lengths(plan, err);
    return status;
}

loco_status lc_plan_new(lc_plan **out, const char *data, const loco_train_options *training, loco_err *err)
{
    lc_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a training run");
    plan->memory = training->memory > 0 ? training->memory : usual_memory;
    loco_status status = lc_dataset_load(&plan->set, data, err);
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
        lc_plan_fit_start(plan, training);
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
    loco_model_free(plan->from);
    lc_sounds_free(plan->sounds);
    lc_pool_free(plan->pool);
    lc_dataset_free(plan->set);
    free(plan->held_recordings);
    free(plan->kept_recordings);
    free(plan->held_clips);
    free(plan->kept_clips);
    free(plan);
}

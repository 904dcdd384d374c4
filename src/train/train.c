/* SPDX-License-Identifier: MIT
 * train.c - the training loop: from a data set with counts to a model file.
 *
 *   load data, split by recording, decode the sound (plan.c)
 *   each step: a batch (feed.c), a gradient step (train/trainer.h), now and then a validation (validate.c)
 *   the best model so far, by the loss of the held-out counts, goes to the model file; the last state to its checkpoint
 *
 * Everything random follows from the seed of the recipe and the number of the step, and the checkpoint holds the rest:
 * a run that is stopped and resumed ends with the same bits as one that was not.
 *
 * Several processes (base/team.h) read the same data and keep the same weights. Each works on its own part of a batch and
 * of a validation; what they add up, they add in the same order as one process (train/trainer.h). */
#include "base/file.h"
#include "base/lock.h"
#include "base/number.h"
#include "base/options.h"
#include "base/status.h"
#include "model/checkpoint.h"
#include "train/calibrate_trained.h"
#include "train/identity.h"
#include "train/journal.h"
#include "train/origin.h"
#include "train/sharpen.h"
#include "train/start.h"
#include "train/together.h"
#include "train/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double smoothing = 0.05;   /* weight of a step in the loss that is shown */
static const double large_counts = 10;  /* mean count from which on an error in per cent says more than counts met */
static const double nearly_equal = 1.1; /* ratio of two errors of counts */
enum { SHOWN_VALUES = 3 };

typedef struct train_run {
    const loco_train_options *asked;
    const char *model; /* where it goes */
    lc_team *team;     /* of processes; the first of them alone writes files. NULL: there is one */
    lc_plan *plan;
    lc_trainer *trainer;
    lc_validation *validation;
    lc_origin origin;
    lc_identity identity;
    lc_lock *lock;
    lc_journal journal;
    loco_train_state state;
    double best, best_step; /* held-out loss or error of counts, or NaN */
    double before;          /* seconds of earlier runs that this one goes on from */
    struct timespec began;
    double shown[SHOWN_VALUES]; /* loss, part of the counts met, error of the counts, as smoothed by these */
    uint64_t first;             /* step with which this run began */
    char *checkpoint, *log;
} train_run;

/* ---- texts of the model file ---- */

/* Those from FRONTEND on are in the checkpoint alone. */
enum { RECIPE, PROGRESS, DATA, SCORES, FRONTEND, SET, SHOWN, CONTENT, KERNELS, PAIRS };

/* The last validation, on recordings that were not trained on: by counts only, since nothing in the file may depend on
 * event times. */
static void write_scores(const loco_train_state *s, lc_text *text)
{
    if (s->held_loss < 0) {
        lc_text_string(text, "nothing was held out");
        return;
    }
    lc_text_string(text, "held-out clips: loss ");
    lc_text_fixed(text, s->held_loss, 3);
    lc_text_string(text, ", counts met ");
    lc_text_fixed(text, s->held_hit, 3);
}

/* For the model file: what the model was trained on. */
static const char *learned_from(const lc_recipe *recipe)
{
    static const char *const losses[] = {"counts", "counts by squared error", "counts by Poisson regression"};
    return recipe->clips.supervised >= 1  ? "event times"
           : recipe->clips.supervised > 0 ? "counts and event times"
                                          : losses[recipe->loss % 3];
}

/* The smoothed values that are shown, to the last bit, so that they go on as if there had been no break. */
static void format_shown(const loco_train_state *state, lc_text *out)
{
    const double values[SHOWN_VALUES] = {state->loss, state->count_hit, state->count_error};
    for (size_t i = 0; i < SHOWN_VALUES; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        lc_text_format(out, "%016llx ", (unsigned long long)bits);
    }
}

/* Unknown when the text is not as it was written. */
static void parse_shown(const char *text, double values[SHOWN_VALUES])
{
    for (size_t i = 0; i < SHOWN_VALUES; i++) {
        char *end;
        uint64_t bits = strtoull(text, &end, 16);
        memcpy(&values[i], &bits, sizeof bits);
        if (end != text + 16 || !(values[i] >= 0 && values[i] < 1e9))
            values[i] = -1;
        text = *end == ' ' ? end + 1 : end;
    }
}

static void write_data(const lc_plan *plan, lc_text *text)
{
    size_t clips = lc_feed_clips(plan->feed);
    lc_text_format(text, "%zu %s, ", plan->set->recordings_len, lc_frontend_things(&plan->recipe.frontend));
    if (clips > 0) {
        lc_text_format(text, "%zu clips", clips);
    } else {
        lc_text_string(text, "clips of ");
        lc_text_number(text, plan->recipe.clips.shortest, 3);
        lc_text_string(text, " to ");
        lc_text_number(text, plan->recipe.clips.longest, 3);
        lc_text_string(text, " s cut at random");
    }
    lc_text_format(text, ", learned from %s", learned_from(&plan->recipe));
}

/* The texts beside the network: recipe, front end, progress, scores, data. */
static loco_status make_pairs(const train_run *r, lc_text texts[PAIRS], lc_pair pairs[PAIRS], loco_err *err)
{
    static const char *const keys[PAIRS] = {"recipe", "progress", "data",    "scores", "trained_with",
                                            "set",    "shown",    "content", "kernels"};
    bool failed = false;
    lc_recipe_format(&r->plan->recipe, &texts[RECIPE]);
    lc_frontend_format(&r->plan->recipe.frontend, &texts[FRONTEND]);
    lc_text_string(&texts[PROGRESS], "best=");
    lc_text_number(&texts[PROGRESS], isnan(r->best) ? 1e9 : r->best, 9);
    lc_text_string(&texts[PROGRESS], " best_step=");
    lc_text_number(&texts[PROGRESS], r->best_step, 0);
    write_data(r->plan, &texts[DATA]);
    write_scores(&r->state, &texts[SCORES]);
    lc_identity_set(r->plan, &texts[SET]);
    format_shown(&r->state, &texts[SHOWN]);
    lc_text_string(&texts[CONTENT], r->identity.content);
    lc_text_string(&texts[KERNELS], r->identity.kernels);
    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i] = (lc_pair){keys[i], texts[i].bytes};
        failed |= texts[i].failed;
    }
    return failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the texts of a model") : LOCO_OK;
}

static void free_texts(lc_text texts[PAIRS])
{
    for (size_t i = 0; i < PAIRS; i++)
        lc_text_free(&texts[i]);
}

/* The averaged weights, with the texts that a user of the model may read. */
static loco_status save_model(train_run *r, loco_err *err)
{
    lc_text texts[PAIRS] = {{0}};
    lc_pair pairs[PAIRS + LC_ORIGIN_PAIRS];
    loco_status status = make_pairs(r, texts, pairs, err);
    for (size_t i = 0; i < r->origin.len; i++) /* in the place of what only a checkpoint needs */
        pairs[FRONTEND + i] = r->origin.pairs[i];
    if (status == LOCO_OK)
        status = lc_model_save(r->model, lc_validation_model(r->validation), pairs, FRONTEND + r->origin.len, err);
    free_texts(texts);
    return status;
}

/* The whole state: weights, moments, average, step, random state, and what must not change until the run is resumed. */
static loco_status save_checkpoint(train_run *r, loco_err *err)
{
    lc_optimiser *o = lc_trainer_state(r->trainer);
    lc_text texts[PAIRS] = {{0}};
    lc_pair pairs[PAIRS];
    lc_progress progress = {o->m, o->v, o->average, o->step, *lc_trainer_rng(r->trainer)};
    loco_status status = make_pairs(r, texts, pairs, err);
    lc_model_info info = {r->plan->set->classes, r->plan->set->classes_len, pairs, PAIRS};
    if (status == LOCO_OK)
        status = lc_checkpoint_save(r->checkpoint, &r->plan->net, o->params, &info, &progress, err);
    free_texts(texts);
    return status;
}

/* ---- beginning ---- */

static char *with_ending(const char *path, const char *ending)
{
    size_t length = strlen(path) + strlen(ending) + 1;
    char *text = malloc(length);
    if (text != NULL)
        snprintf(text, length, "%s%s", path, ending);
    return text;
}

/* The number behind key= in a text; NaN when there is none. */
static double number_of(const char *text, const char *key)
{
    double number;
    const char *at = strstr(text, key);
    if (at == NULL)
        return (double)NAN;
    at += strlen(key);
    return lc_number_parse(at, strcspn(at, " "), &number) ? number : (double)NAN;
}

static void read_progress(train_run *r, const lc_model_file *model)
{
    const char *progress = lc_identity_text(model, "progress");
    r->best = number_of(progress, "best=");
    r->best_step = number_of(progress, "best_step=");
    r->best = r->best < 1e9 ? r->best : (double)NAN;
    parse_shown(lc_identity_text(model, "shown"), r->shown);
}

/* Weights and random state come from the checkpoint, and the log is cut back to its step: entries behind it belong
 * to steps that will be repeated. */
static loco_status resume(train_run *r, loco_err *err)
{
    lc_model_file *model = NULL;
    lc_optimiser *o = lc_trainer_state(r->trainer);
    lc_progress progress = {.m = o->m, .v = o->v, .average = o->average};
    loco_status status = lc_model_file_load(r->checkpoint, &model, err);
    if (status == LOCO_OK)
        status = lc_identity_check(&r->identity, r->checkpoint, model, r->plan, r->asked, err);
    if (status == LOCO_OK)
        status = lc_checkpoint_load(r->checkpoint, &r->plan->net, o->params, &progress, err);
    if (status == LOCO_OK) {
        o->step = progress.step;
        *lc_trainer_rng(r->trainer) = progress.rng;
        read_progress(r, model);
        status = lc_journal_load(&r->journal, r->log, (double)o->step, err);
        r->before = r->journal.len > 0 ? r->journal.entries[r->journal.len - 1].seconds : 0;
        lc_plan_notice(r->asked, "resumed at step %llu of %llu", (unsigned long long)o->step,
                       (unsigned long long)r->plan->recipe.schedule.steps);
    }
    lc_model_file_free(model);
    return status;
}

/* The weights of the model that training starts from; a checkpoint replaces them. */
static void start_from(train_run *r)
{
    lc_optimiser *o = lc_trainer_state(r->trainer);
    const lc_dataset *set = r->plan->set;
    size_t known = lc_start_params(o->params, &r->plan->net, set->classes, r->plan->from);
    memcpy(o->average, o->params, r->plan->net.params * sizeof *o->params);
    lc_plan_notice(r->asked, "starts from %s, which knows %zu of %zu classes", r->asked->from, known, set->classes_len);
}

/* The trainer must hold the longest clip of both feeds: validation runs on its tapes. */
static loco_status begin(train_run *r, loco_err *err)
{
    const lc_recipe *recipe = &r->plan->recipe;
    size_t frames = lc_feed_frames(r->plan->feed);
    if (r->plan->held != NULL && lc_feed_frames(r->plan->held) > frames)
        frames = lc_feed_frames(r->plan->held);
    lc_trainer_options options = {.frames = frames,
                                  .batch = (size_t)recipe->batch,
                                  .threads = lc_pool_threads(r->plan->pool),
                                  .seed = recipe->seed,
                                  .memory = r->plan->memory / 4,
                                  .lanes = (size_t)recipe->lanes,
                                  .team = r->team};
    loco_status status = lc_trainer_new(&r->trainer, &r->plan->net, &recipe->schedule, &options, err);
    if (status == LOCO_OK && r->plan->from != NULL)
        start_from(r);
    if (status == LOCO_OK)
        status = lc_validation_new(&r->validation, r->plan, lc_trainer_state(r->trainer)->average, err);
    if (status == LOCO_OK) {
        lc_feed_share(r->plan->feed, r->team, (size_t)recipe->lanes);
        lc_validation_share(r->validation, r->team, (size_t)recipe->lanes);
    }
    if (status == LOCO_OK && r->asked->resume)
        status = resume(r, err);
    r->first = status == LOCO_OK ? lc_trainer_state(r->trainer)->step : 0;
    const double *tolerances = lc_validation_tolerances(recipe->frontend.ops->picture);
    r->state = (loco_train_state){
        .steps = recipe->schedule.steps,
        .held_loss = -1,
        .held_hit = -1,
        .held_f1 = {-1,            -1           },
        .held_tolerance = {tolerances[0], tolerances[1]},
        .held_error = -1,
        .held_sharp = -1,
        .loss = r->shown[0],
        .count_hit = r->shown[1],
        .count_error = r->shown[2]
    };
    clock_gettime(CLOCK_MONOTONIC, &r->began);
    return status;
}

/* ---- the loop ---- */

/* The public struct has -1 for unknown values, ours NaN. */
static double known(double value)
{
    return isnan(value) ? -1 : value;
}

/* Whether a model is saved. The loss of held-out counts decides, but for clips of many events: a sharp network that
 * misses two events of sixty is sure of a wrong count, and has a larger loss than one that is sure of nothing. There the
 * error of the expected counts decides, among models that are fully sharpened, and of nearly equal ones the later wins.
 * Without held-out counts it is always the last. */
static bool is_better(const train_run *r, const lc_validation_result *v, double *merit)
{
    const lc_recipe *recipe = &r->plan->recipe;
    bool sharpened = recipe->loss == LC_LOSS_EXACT && recipe->sharpen > 0 && v->mean_count > LC_SHARPEN_FEW;
    double full = ceil(LC_SHARPEN_FULL * (double)r->state.steps);
    *merit = sharpened ? v->error : v->loss;
    if (isnan(*merit) || isnan(r->best))
        return true;
    if (sharpened && r->best_step < full && (double)r->state.step >= full)
        return true;
    return *merit < (sharpened ? nearly_equal * r->best : r->best);
}

static void add_entry(train_run *r, const lc_validation_result *v, bool better)
{
    const loco_train_state *s = &r->state;
    bool images = r->plan->recipe.frontend.ops->picture;
    double none = (double)NAN;
    lc_journal_entry entry = {.step = (double)s->step,
                              .loss = s->loss,
                              .count_hit = s->count_hit,
                              .held_loss = v->loss,
                              .held_hit = v->hit,
                              .held_error = v->error,
                              .sharp = v->sharp,
                              .f1_50 = images ? none : v->f1[0],
                              .f1_20 = images ? none : v->f1[1],
                              .seconds = r->before + s->seconds,
                              .kept = better ? 1 : none,
                              .f1_8px = images ? v->f1[0] : none,
                              .f1_4px = images ? v->f1[1] : none};
    lc_journal_add(&r->journal, &entry);
}

static bool is_first(const train_run *r)
{
    return lc_team_rank(r->team) == 0;
}

/* The model if it is the best so far, the log and the checkpoint: whichever process fails, all do. */
static loco_status save(train_run *r, bool better, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (is_first(r) && better)
        status = save_model(r, err);
    if (is_first(r) && status == LOCO_OK)
        status = lc_journal_save(&r->journal, r->log, err);
    if (is_first(r) && status == LOCO_OK)
        status = save_checkpoint(r, err);
    return lc_team_settle(r->team, status, err);
}

/* Validates and saves. */
static loco_status validate(train_run *r, loco_err *err)
{
    lc_validation_result v;
    loco_train_state *s = &r->state;
    loco_status status = lc_together_check(r->team, lc_trainer_state(r->trainer), err);
    if (status == LOCO_OK)
        status = lc_validation_run(r->validation, r->trainer, &v, err);
    if (status != LOCO_OK)
        return status;
    s->held_loss = known(v.loss);
    s->held_hit = known(v.hit);
    s->held_error = v.mean_count >= large_counts ? known(v.error) : -1;
    s->held_sharp = known(v.sharp);
    for (size_t i = 0; i < LC_VALIDATION_TOLERANCES; i++)
        s->held_f1[i] = known(v.f1[i]);
    s->validated = true;
    double merit;
    bool better = is_better(r, &v, &merit);
    add_entry(r, &v, better);
    if (better) {
        r->best = merit;
        r->best_step = (double)s->step;
    }
    return save(r, better, err);
}

/* An exponential average; the first value is taken as it is. */
static void smooth(double *shown, double value)
{
    *shown = *shown < 0 ? value : *shown + smoothing * (value - *shown);
}

/* One batch, one step of the optimiser; every recipe->check steps, and at the end, a validation. */
static loco_status step(train_run *r, loco_err *err)
{
    const lc_example *batch;
    lc_step_report report;
    struct timespec now;
    loco_train_state *s = &r->state;
    uint64_t number = lc_trainer_state(r->trainer)->step;
    loco_status status = lc_team_settle(r->team, lc_feed_batch(r->plan->feed, number, &batch, err), err);
    if (status == LOCO_OK)
        status = lc_trainer_step(r->trainer, batch, (size_t)r->plan->recipe.batch, &report, err);
    if (status != LOCO_OK)
        return status;
    clock_gettime(CLOCK_MONOTONIC, &now);
    smooth(&s->loss, report.loss);
    smooth(&s->count_hit, report.count_hit);
    if (report.mean_count >= large_counts)
        smooth(&s->count_error, report.count_error);
    s->step = number + 1;
    s->validated = false;
    s->seconds = (double)(now.tv_sec - r->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - r->began.tv_nsec);
    s->clips_a_second = (double)((s->step - r->first) * r->plan->recipe.batch) / fmax(s->seconds, 1e-9);
    if (s->step % r->plan->recipe.check == 0 || s->step == s->steps)
        status = validate(r, err);
    return status;
}

/* Until the last step, or until progress returns false; a run that was stopped leaves a checkpoint. */
static loco_status loop(train_run *r, bool *finished, loco_err *err)
{
    loco_status status = LOCO_OK;
    bool go = true;
    r->state.step = r->first;
    while (status == LOCO_OK && go && r->state.step < r->state.steps) {
        status = step(r, err);
        if (status == LOCO_OK && r->asked->progress != NULL)
            go = r->asked->progress(r->asked->context, &r->state);
        if (status == LOCO_OK)
            lc_team_spread(r->team, &go, sizeof go);
    }
    *finished = r->state.step >= r->state.steps;
    if (status == LOCO_OK && !*finished)
        status = lc_together_check(r->team, lc_trainer_state(r->trainer), err);
    if (status == LOCO_OK && !*finished)
        status = lc_team_settle(r->team, is_first(r) ? save_checkpoint(r, err) : LOCO_OK, err);
    return status;
}

/* ---- the end ---- */

/* The best model, calibrated on what it was trained with; nothing here looks at event times. */
static loco_status finish(train_run *r, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (!r->asked->no_calibration)
        status = lc_calibrate_trained(r->model, r->plan, r->asked, r->team, err);
    return lc_team_settle(r->team, status, err);
}

static void end(train_run *r)
{
    lc_validation_free(r->validation);
    lc_trainer_free(r->trainer);
    lc_plan_free(r->plan);
    lc_journal_free(&r->journal);
    lc_origin_free(&r->origin);
    lc_team_leave(r->team);
    free(r->checkpoint);
    free(r->log);
    lc_lock_drop(r->lock);
}

/* Checked before the training, not after it: that the files can be written. */
static loco_status check_targets(const train_run *r, loco_err *err)
{
    if (r->checkpoint == NULL || r->log == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory");
    if (!is_first(r))
        return LOCO_OK;
    const char *paths[] = {r->model, r->checkpoint, r->log};
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < sizeof paths / sizeof paths[0]; i++)
        if (paths[i] != NULL)
            status = lc_file_check_place(paths[i], err);
    return status;
}

/* Another run with the same files would replace them in turn. What a killed one left is removed. Of several
 * processes the first one does. */
static loco_status take_place(train_run *r, loco_err *err)
{
    if (!is_first(r))
        return LOCO_OK;
    loco_status status = lc_lock_take(&r->lock, r->model, err);
    if (status != LOCO_OK)
        return status;
    lc_lock_clean(r->model);
    lc_lock_clean(r->checkpoint);
    lc_lock_clean(r->log);
    return LOCO_OK;
}

/* All before the first step: what fails in one process has failed in all. */
static loco_status prepare(train_run *r, const char *data, loco_err *err)
{
    loco_status status = check_targets(r, err);
    if (status == LOCO_OK)
        status = take_place(r, err);
    if (status == LOCO_OK)
        status = lc_origin_check(r->asked, err);
    if (status == LOCO_OK)
        status = lc_plan_new(&r->plan, data, r->asked, err);
    if (status == LOCO_OK)
        status = lc_origin_gather(&r->origin, data, r->asked, r->plan, err);
    if (status == LOCO_OK)
        status = lc_identity_find(&r->identity, r->plan, err);
    if (status == LOCO_OK)
        status = begin(r, err);
    status = lc_team_settle(r->team, status, err);
    return status == LOCO_OK ? lc_together_begin(r->team, r->plan, lc_trainer_state(r->trainer), err) : status;
}

static loco_status run_all(train_run *r, const char *data, bool *whole, loco_err *err)
{
    loco_status status = prepare(r, data, err);
    if (status == LOCO_OK)
        status = loop(r, whole, err);
    if (status == LOCO_OK && *whole)
        status = finish(r, err);
    return status;
}

loco_status loco_train(bool *finished, const char *model, const char *data, const loco_train_options *options,
                       loco_err *err)
{
    loco_train_options asked;
    train_run r = {
        .asked = &asked, .model = model, .best = NAN, .shown = {-1, -1, -1}
    };
    bool whole = false;
    if (finished == NULL || model == NULL || data == NULL)
        return lc_err_set(err, LOCO_EARG, "training needs a data set and a path for the model");
    loco_status status = lc_options_read(&asked, sizeof asked, options, "loco_train_options", err);
    if (status != LOCO_OK)
        return status;
    r.checkpoint = with_ending(model, ".checkpoint");
    r.log = asked.log != NULL ? with_ending(asked.log, "") : with_ending(model, ".jsonl");
    if (asked.mpi != NULL)
        status = lc_team_join(&r.team, asked.mpi, asked.processes, err);
    if (!is_first(&r)) {
        asked.notice = NULL;
        asked.progress = NULL;
    }
    if (status == LOCO_OK)
        status = run_all(&r, data, &whole, err);
    if (status != LOCO_OK && !is_first(&r) && err != NULL)
        err->text[0] = 0; /* process 0 has the same sentence */
    end(&r);
    if (status == LOCO_OK)
        *finished = whole;
    return status;
}

/* SPDX-License-Identifier: MIT
 * test_start.c - training that starts from a model: settings, columns of the last layer by name, and whole runs. */
#include "burst_model.h"

#include "train/plan.h"
#include "train/start.h"

static loco_model *burst; /* classes burst, ghost */

static lc_net net_of(size_t classes)
{
    char line[64];
    lc_net net;
    snprintf(line, sizeof line, "%s, dense %zu", burst_network, classes);
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), BURST_BANDS, 2, NULL), LOCO_OK);
    return net;
}

static void settings_are_taken(void)
{
    lc_recipe recipe;
    CHECK_STATUS(lc_recipe_preset(&recipe, "sound", NULL), LOCO_OK);
    CHECK_STATUS(lc_start_recipe(&recipe, burst, true, NULL), LOCO_OK);
    CHECK_STR(recipe.network, burst_network);
    CHECK_EQ(lc_frontend_bins(&recipe.frontend), BURST_BANDS);
    CHECK(recipe.schedule.rate < 0.002 && recipe.schedule.steps == 300);
}

/* Three classes in another order, the second of which is new: it keeps what was there. */
static void classes_are_matched_by_name(void)
{
    static const char *const classes[] = {"ghost", "tom", "burst"};
    lc_net net = net_of(3);
    float params[BURST_PARAMS(3)];
    size_t before = BURST_PARAMS(3) - (BURST_BANDS + 1) * 3, wrong = 0;
    for (size_t i = 0; i < BURST_PARAMS(3); i++)
        params[i] = 77;
    CHECK_EQ(lc_start_params(params, &net, classes, burst), 2);
    for (size_t i = 0; i < before; i++)
        wrong += params[i] != burst->params[i];
    for (size_t f = 0; f <= BURST_BANDS; f++) {
        const float *old = burst->params + before + f * 2, *row = params + before + f * 3;
        wrong += row[0] != old[1] || row[1] != 77 || row[2] != old[0];
    }
    CHECK_EQ(wrong, 0);
}

/* A run of one step at next to no learning rate leaves the weights where they were: it does start there. */
static void a_run_starts_there(void)
{
    static double times[64];
    static const char *const sets[] = {"steps=1", "rate=1e-9", "batch=2", "held=0"};
    loco_train_options how = {.size = sizeof how,
                              .sets = sets,
                              .sets_len = 4,
                              .threads = 1,
                              .no_calibration = true,
                              .from = run_path("b.loco")};
    char from[256], model[256], data[256];
    bool finished = false;
    loco_err err = {""};
    loco_model *made = NULL;
    snprintf(from, sizeof from, "%s", run_path("b.loco"));
    snprintf(model, sizeof model, "%s", run_path("made.loco"));
    snprintf(data, sizeof data, "%s", run_path("set"));
    how.from = from;
    burst_set("set", 6, 1, times, 64);
    CHECK_STATUS(loco_train(&finished, model, data, &how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_STATUS(loco_model_load(&made, model, &err), LOCO_OK);
    if (made == NULL)
        return;
    CHECK_EQ(made->net->classes, 1);
    CHECK_STR(made->classes[0], "burst");
    CHECK_NEAR((double)made->params[2 * 2 + 1], 1, 1e-6); /* the tap that passes */
    CHECK_NEAR((double)made->params[made->net->params - 1], -6, 1e-5);
    CHECK_SAYS(lc_model_text(made, "from"), "b.loco; no licence stated");
    loco_model_free(made);
}

/* A model whose file holds a recipe, and the plan of a run that starts from it; NULL: refused. */
static lc_plan *plan_from(const char *recipe, const char *data, const char *preset, const char *set, loco_err *err)
{
    const lc_pair pair = {"recipe", recipe};
    char from[256];
    lc_plan *plan = NULL;
    snprintf(from, sizeof from, "%s", run_path("recipe.loco"));
    CHECK_STATUS(lc_model_save(from, burst, &pair, 1, NULL), LOCO_OK);
    loco_train_options how = {
        .size = sizeof how, .sets = &set, .sets_len = set != NULL, .preset = preset, .from = from};
    loco_status status = lc_plan_new(&plan, run_path(data), &how, err);
    CHECK_EQ(status == LOCO_OK, plan != NULL);
    return plan;
}

static const char own_recipe[] = "steps=9\nrate=0.1\nbatch=3\nshortest=0.25\nlongest=0.4\nmix=0.25\nsupervised=1\n"
                                 "of_later_versions=5\nnetwork=gru 3\ndecoding=mass threshold=0.5\n";

/* Clips are cut and changed as for the model, but the run is a short one from counts. */
static void the_recipe_of_the_model_is_taken_over(void)
{
    lc_plan *plan = plan_from(own_recipe, "set", NULL, NULL, NULL);
    if (plan == NULL)
        exit(1);
    const lc_recipe *r = &plan->recipe;
    CHECK(r->batch == 3 && r->clips.shortest == 0.25 && r->clips.longest == 0.4 && r->augment.mix == 0.25);
    CHECK_STR(r->decoding, "mass threshold=0.5");
    CHECK(r->schedule.steps == 300 && r->schedule.rate == 0.001 && r->clips.supervised == 0);
    CHECK_STR(r->network, burst_network);
    lc_plan_free(plan);
}

static void what_the_user_chooses_wins(void)
{
    lc_plan *plan = plan_from(own_recipe, "set", NULL, "mix=0.5", NULL);
    CHECK(plan != NULL && plan->recipe.augment.mix == 0.5 && plan->recipe.batch == 3);
    lc_plan_free(plan);
    plan = plan_from(own_recipe, "set", "drums", NULL, NULL);
    CHECK(plan != NULL && plan->recipe.augment.mix == 0.15 && plan->recipe.clips.longest == 0);
    lc_plan_free(plan);
}

/* Clips of 1 s, and a model of clips of up to 0.6 s. */
static void short_clips_are_used_as_given(void)
{
    lc_plan *plan = plan_from("shortest=0.4\nlongest=0.6\nmix=0.25\n", "set", NULL, NULL, NULL);
    CHECK(plan != NULL && plan->recipe.clips.longest == 0 && plan->recipe.augment.mix == 0.25);
    lc_plan_free(plan);
}

/* Counts without times cannot be cut. */
static void given_clips_are_used_where_no_times_are(void)
{
    static double times[64];
    burst_set("counts", 6, 1, times, 64);
    CHECK(remove(run_path("counts/events.csv")) == 0);
    lc_plan *plan = plan_from(own_recipe, "counts", NULL, NULL, NULL);
    CHECK(plan != NULL && plan->recipe.clips.longest == 0 && plan->recipe.batch == 3);
    lc_plan_free(plan);
}

static void a_damaged_recipe_is_refused(void)
{
    loco_err err = {""};
    CHECK(plan_from("steps=9\nmix=often\n", "set", NULL, NULL, &err) == NULL);
    CHECK_SAYS(err.text, "the recipe in the model's file: mix=often");
    lc_plan *plan = plan_from("mix=often", "set", "drums", NULL, &err);
    CHECK(plan != NULL);
    lc_plan_free(plan);
}

static void mistakes_are_reported(void)
{
    static const char *const sets[] = {"network=dense 3"};
    char from[256], data[256], none[256];
    bool finished = true;
    loco_err err = {""};
    snprintf(from, sizeof from, "%s", run_path("b.loco"));
    snprintf(data, sizeof data, "%s", run_path("set"));
    snprintf(none, sizeof none, "%s", run_path("none.loco"));
    loco_train_options how = {.size = sizeof how, .sets = sets, .sets_len = 1, .threads = 1, .from = from};
    CHECK_STATUS(loco_train(&finished, run_path("x.loco"), data, &how, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "network=dense 3: front end and network are those of");
    how = (loco_train_options){.size = sizeof how, .threads = 1, .from = none};
    CHECK_STATUS(loco_train(&finished, run_path("x.loco"), data, &how, &err), LOCO_EDATA);
    CHECK(finished && access(run_path("x.loco"), F_OK) != 0);
}

int main(void)
{
    run_begin();
    burst_model("b.loco", 2, 2);
    CHECK_STATUS(loco_model_load(&burst, run_path("b.loco"), NULL), LOCO_OK);
    RUN(settings_are_taken);
    RUN(classes_are_matched_by_name);
    RUN(a_run_starts_there);
    RUN(the_recipe_of_the_model_is_taken_over);
    RUN(what_the_user_chooses_wins);
    RUN(short_clips_are_used_as_given);
    RUN(given_clips_are_used_where_no_times_are);
    RUN(a_damaged_recipe_is_refused);
    RUN(mistakes_are_reported);
    loco_model_free(burst);
    return run_done();
}

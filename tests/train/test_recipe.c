/* SPDX-License-Identifier: MIT
 * test_recipe.c - settings of training: presets that build a network, every key there and back, sentences about
 *   mistakes. */
#include "cases.h"

#include "train/plan.h"
#include "train/recipe.h"

static const char *const presets[] = {"sound",       "voice",  "drums",      "drums-live",  "drums-hq",
                                      "drums-paper", "piano",  "piano-live", "piano-paper", "rnn",
                                      "tanhb",       "reluts", "lstmpb",     "gruts"};
enum { PRESETS = sizeof presets / sizeof *presets };

static lc_recipe preset(const char *name)
{
    lc_recipe recipe;
    loco_err err = {""};
    CHECK_STATUS(lc_recipe_preset(&recipe, name, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return recipe;
}

/* Refused with these words, and nothing has changed. */
static void refuse(const char *pair, const char *says)
{
    loco_err err = {""};
    lc_recipe recipe = preset("sound"), before = recipe;
    CHECK_STATUS(lc_recipe_set(&recipe, pair, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    CHECK(case_same(&recipe, &before, sizeof recipe));
}

static void mistakes_are_reported(void)
{
    lc_recipe recipe = preset("sound");
    loco_err err = {""};
    char network[LC_NETWORK_BYTES + 16] = "network=";
    CHECK_STATUS(lc_recipe_preset(&recipe, "durms", &err), LOCO_EARG);
    CHECK_SAYS(err.text, "\"durms\"; did you mean drums?");
    CHECK_STATUS(lc_recipe_preset(&recipe, "qqqqqqqqqq", &err), LOCO_EARG);
    for (size_t i = 0; i < PRESETS; i++)
        CHECK_SAYS(err.text, presets[i]);
    refuse("steps", "key=value");
    refuse("", "key=value");
    refuse("stpes=5", "did you mean steps?");
    refuse("netwrok=gru 8", "did you mean network?");
    refuse("qqqqqqqqqqqqqq=5", "no setting \"qqqqqqqqqqqqqq\"");
    refuse("=5", "no setting \"\"");
    refuse("lanes=0", "the most processes that can share a step takes a whole number from 1 to 4096");
    refuse("steps=0", "training steps takes a whole number from 1 to 1e+09");
    refuse("steps=2.5", "steps=2.5");
    refuse("steps=", "steps=");
    refuse("steps=many", "steps=many");
    refuse("rate=-1", "largest learning rate");
    refuse("rate=nan", "rate=nan");
    refuse("rate=inf", "rate=inf");
    refuse("held=0.95", "0.9");
    refuse("noise=1", "from -120 to 0");
    refuse("supervised=2", "supervised=2");
    refuse("loss=square", "loss=square: loss of the counts: exact, squared or poisson");
    refuse("loss=", "loss=");
    refuse("anchor=top", "anchor=top: where events are: rise or onset, peak, centre, or word");
    refuse("anchor=exact", "anchor=exact");
    refuse("flip=2", "from 0 to 1");
    refuse("transpose=13", "from 0 to 12");
    refuse("transpose=0.5", "a whole number");
    refuse("shape=-1", "from 0 to 1");
    refuse("frontend.bnads=5", "bands");
    refuse("frontend.bands=x", "bands");
    refuse("decoding=mas", "mas");
    refuse("decoding=mass threshold=2", "threshold");
    memset(network + 8, 'x', LC_NETWORK_BYTES);
    refuse(network, "1023 characters");
    network[8 + LC_NETWORK_BYTES - 1] = 0;
    CHECK_STATUS(lc_recipe_set(&recipe, network, NULL), LOCO_OK); /* just fits; whether it is a network shows later */
}

static bool reads_both_ways(const char *name)
{
    return strcmp(name, "drums-hq") == 0 || strcmp(name, "tanhb") == 0 || strcmp(name, "lstmpb") == 0;
}

static void presets_build_networks(void)
{
    for (size_t i = 0; i < PRESETS; i++) {
        lc_recipe recipe = preset(presets[i]);
        lc_net net;
        loco_err err = {""};
        CHECK_STATUS(lc_frontend_check(&recipe.frontend, &err), LOCO_OK);
        size_t K = strcmp(presets[i], "piano") == 0 || strcmp(presets[i], "piano-live") == 0 ? 88 : 3;
        CHECK_STATUS(lc_plan_network(&net, &recipe, K, &err), LOCO_OK);
        CHECK_STR(err.text, "");
        CHECK_EQ(net.classes, K);
        CHECK(net.streams == !reads_both_ways(presets[i]));
        CHECK(recipe.schedule.steps > 0 && recipe.batch > 0 && recipe.check > 0 && recipe.schedule.rate > 0);
        CHECK(recipe.clips.supervised == 0 && recipe.loss == LC_LOSS_EXACT); /* counts teach, unless someone asks */
        printf("    %s: %zu parameters, %zu frames ahead\n", presets[i], net.params, net.look_ahead);
    }
    lc_recipe live = preset("drums-live"), drums = preset("drums");
    lc_net a, b;
    CHECK_STATUS(lc_plan_network(&a, &live, 3, NULL), LOCO_OK);
    CHECK_STATUS(lc_plan_network(&b, &drums, 3, NULL), LOCO_OK);
    CHECK(a.look_ahead < b.look_ahead);
}

/* A line that ends in crop has its outputs: nothing is added, and their number must fit. Output bias: that of start. */
static void crop_is_the_end(void)
{
    lc_recipe recipe = preset("piano");
    lc_net net;
    loco_err err = {""};
    CHECK_STATUS(lc_plan_network(&net, &recipe, 88, NULL), LOCO_OK);
    CHECK(lc_net_has_outputs(&net));
    CHECK_STATUS(lc_plan_network(&net, &recipe, 87, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the network ends in crop and has 88 outputs, one a pitch, and there are 87 classes");
    CHECK_STATUS(lc_recipe_set(&recipe, "network=conv 1x1 1 linear, crop 0 295", NULL), LOCO_OK);
    CHECK_STATUS(lc_plan_network(&net, &recipe, 295, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "crop 0 295 of 294 bins");
    CHECK_STATUS(lc_recipe_set(&recipe, "network=crop 0 5", NULL), LOCO_OK);
    CHECK_STATUS(lc_plan_network(&net, &recipe, 30, NULL), LOCO_OK); /* five bins of six channels */
    CHECK_STATUS(lc_recipe_set(&recipe, "network=bias, conv 1x1 1 linear, bias, crop 0 5", NULL), LOCO_OK);
    CHECK_STATUS(lc_plan_network(&net, &recipe, 5, NULL), LOCO_OK);
    float params[4096];
    lc_rng rng = lc_rng_seed(1);
    CHECK(net.params < 4096);
    lc_net_init(&net, params, 0.1, -4.5, &rng);
    const lc_layer *conv = &net.layers[1];
    CHECK_NEAR(params[conv->params.at + conv->params.size - 1], -4.5, 1e-6);
}

static void network_may_be_empty(void)
{
    lc_recipe recipe = preset("sound");
    lc_net net;
    loco_err err = {""};
    CHECK_STATUS(lc_recipe_set(&recipe, "network=", NULL), LOCO_OK);
    CHECK_STATUS(lc_plan_network(&net, &recipe, 2, NULL), LOCO_OK);
    CHECK_EQ(net.layers_len, 1);
    CHECK_STATUS(lc_recipe_set(&recipe, "network=gru eight", NULL), LOCO_OK);
    CHECK(lc_plan_network(&net, &recipe, 2, &err) != LOCO_OK);
    CHECK_SAYS(err.text, "eight");
}

/* Every key, with a value that no preset has. */
static const char *const pairs[] = {
    "steps=7",          "batch=5",       "seed=9000000000000000",
    "check=3",          "rate=0.0625",   "warm_up=11",
    "clip=2.5",         "decay=0.01",    "average=0.75",
    "start=0.625",      "held=0.3",      "context=0.35",
    "shortest=0.45",    "longest=0.55",  "gain=3.5",
    "noise=-33",        "tilt=4.5",      "speed=0.07",
    "stretch=0.011",    "mix=0.6",       "supervised=0.5",
    "loss=squared",     "network=gru 7", "decoding=peak threshold=0.25 gap=0.02",
    "aside=tom,cymbal", "flip=0.8",      "shape=0.03",
    "anchor=peak",      "sharpen=0.35",  "mirror=2",
    "warp=0.15",        "transpose=3",   "fold=hihat=closed+open,tom",
    "lanes=64",
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Sets one pair a line, and changes the text. */
static void set_lines(lc_recipe *recipe, char *text)
{
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        CHECK_STATUS(lc_recipe_set(recipe, line, NULL), LOCO_OK);
}

static void every_key_goes_there_and_back(void)
{
    lc_recipe recipe = preset("drums"), back = preset("drums");
    lc_text text = {0}, line = {0};
    size_t lines = 0;
    for (size_t i = 0; i < PAIRS; i++)
        CHECK_STATUS(lc_recipe_set(&recipe, pairs[i], NULL), LOCO_OK);
    lc_recipe_format(&recipe, &text);
    CHECK(!text.failed);
    for (size_t i = 0; i < PAIRS; i++) {
        lc_text_format(&line, "%s\n", pairs[i]);
        CHECK_SAYS(text.bytes, line.bytes);
        lc_text_free(&line);
    }
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    CHECK_EQ(lines, PAIRS); /* none that the list above lacks */
    set_lines(&back, text.bytes);
    CHECK(case_same(&recipe, &back, offsetof(lc_recipe, network)));
    CHECK_STR(back.network, recipe.network);
    CHECK_STR(back.decoding, recipe.decoding);
    lc_text_free(&text);
    CHECK_STATUS(lc_recipe_set(&recipe, "frontend.bands=24", NULL), LOCO_OK);
    CHECK_EQ(recipe.frontend.bands, 24);
}

static void wrong_pairs_are_refused(void)
{
    lc_recipe recipe = preset("sound"), before = recipe;
    loco_err err = {""};
    char text[LC_NETWORK_BYTES + 200] = "network=";
    memset(text + 8, 'x', sizeof text - 9);
    text[sizeof text - 1] = 0;
    CHECK(lc_recipe_set(&recipe, text, &err) != LOCO_OK);
    CHECK_SAYS(err.text, "characters");
    CHECK_STATUS(lc_recipe_set(&recipe, "batch=none", &err), LOCO_EARG);
    CHECK_SAYS(err.text, "batch=none");
    CHECK(case_same(&recipe, &before, offsetof(lc_recipe, network)));
    CHECK_STATUS(lc_recipe_set(&recipe, "steps=9", NULL), LOCO_OK);
    CHECK_EQ((size_t)recipe.schedule.steps, 9);
}

int main(void)
{
    RUN(mistakes_are_reported);
    RUN(presets_build_networks);
    RUN(crop_is_the_end);
    RUN(network_may_be_empty);
    RUN(every_key_goes_there_and_back);
    RUN(wrong_pairs_are_refused);
    return check_done();
}

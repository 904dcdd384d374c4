/* SPDX-License-Identifier: MIT
 * test_fold.c - lists of groups, and models that report them. */
#include "nets.h"

#include "model/model.h"

#include <stdlib.h>

static void refuse(const char *text, const char *says)
{
    lc_fold fold = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_fold_parse(&fold, text, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    lc_fold_free(&fold);
}

static void wrong_lists_are_refused(void)
{
    refuse("", "is not a class");
    refuse("kick,,snare", "is not a class");
    refuse("kick,=a", "is not a class");
    refuse("kick,snare=", "is not a class");
    refuse("kick,snare,kick", "\"kick\" is there twice");
    char many[8 * (LC_FOLD_GROUPS + 1)] = "c0";
    for (size_t i = 1; i <= LC_FOLD_GROUPS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",c%zu", i);
    refuse(many, "more than 32 classes in a list");
}

/* What the list says; what the recipe says, up to the end of its line; the table; the name itself. */
static void names_stand_for_groups(void)
{
    lc_fold fold = {0};
    CHECK_STATUS(lc_fold_parse(&fold, "kick,snare=snare+side-stick,hihat,bells", "bells=b1+b2\nhihat=x", NULL),
                 LOCO_OK);
    CHECK_EQ(fold.len, 4);
    CHECK_EQ(lc_fold_of(&fold, "kick"), 0);
    CHECK_EQ(lc_fold_of(&fold, "side-stick"), 1);
    CHECK_EQ(lc_fold_of(&fold, "pedal-hihat"), 2);
    CHECK_EQ(lc_fold_of(&fold, "hihat"), 2);
    CHECK_EQ(lc_fold_of(&fold, "b2"), 3);
    CHECK_EQ(lc_fold_of(&fold, "b"), SIZE_MAX);
    CHECK_EQ(lc_fold_of(&fold, "tambourine"), SIZE_MAX);
    CHECK(lc_fold_knows(NULL, "tom") && !lc_fold_knows(NULL, "kick") && lc_fold_knows("a=b", "a"));
    lc_fold_free(&fold);
}

/* A network of one dense layer for 5 classes, as a model over memory that the test keeps. */
static const char *const drums[] = {"kick", "snare", "side-stick", "closed-hihat", "open-hihat"};

static loco_model *make_model(lc_net *net, float *params)
{
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    loco_model *model = NULL;
    CHECK_STATUS(lc_frontend_parse(&front, "mel bands=4", NULL), LOCO_OK);
    net_of(net, "dense 5", 4, 2);
    for (size_t i = 0; i < net->params; i++)
        params[i] = 0.1f * (float)i;
    CHECK_STATUS(lc_model_view(&model, net, params, drums, &front, &decoding, NULL), LOCO_OK);
    for (size_t k = 0; k < 5; k++) {
        model->thresholds[k] = 0.1 * (double)(k + 1);
        model->offsets[k] = 0.01 * (double)k;
    }
    return model;
}

static void a_model_reports_groups(void)
{
    lc_net net;
    float params[64];
    loco_model *model = make_model(&net, params);
    loco_err err = {""};
    CHECK_STATUS(loco_model_fold(&model, "kick,cymbal", &err), LOCO_EARG);
    CHECK_SAYS(err.text, "no class \"cymbal\"");
    CHECK_EQ(loco_model_classes(model), 5);
    CHECK_STATUS(loco_model_fold(&model, "hihat=open-hihat+closed-hihat,kick", NULL), LOCO_OK);
    CHECK_EQ(loco_model_classes(model), 2);
    CHECK_STR(loco_model_class(model, 0), "hihat");
    CHECK_NEAR(model->thresholds[0], 0.5, 1e-12); /* those of the first in the list */
    CHECK_NEAR(model->offsets[0], 0.04, 1e-12);
    CHECK_NEAR(model->thresholds[1], 0.1, 1e-12);
    CHECK(lc_model_fold(model) != NULL && lc_fold_of(lc_model_fold(model), "snare") == SIZE_MAX);
    loco_model_free(model);
}

int main(void)
{
    RUN(wrong_lists_are_refused);
    RUN(names_stand_for_groups);
    RUN(a_model_reports_groups);
    return check_done();
}

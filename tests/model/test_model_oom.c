/* SPDX-License-Identifier: MIT
 * test_model_oom.c - lets the n-th allocation fail, for every n, while models are listed, opened by name and folded. The models
 *   are the golden ones of tests/golden, which have all calibrations and names of columns. */
#include "oom_cases.h"

#include <stdlib.h>

static loco_status list_models(loco_err *err)
{
    loco_model_name *models = NULL;
    size_t len = 0;
    loco_status status = loco_model_list(&models, &len, err);
    CHECK((models != NULL) == (status == LOCO_OK) && (len >= 5 || models == NULL));
    loco_free(models);
    return status;
}

static loco_status open_named(const char *name, loco_err *err)
{
    loco_model *model = NULL;
    loco_status status = loco_model_open(&model, name, err);
    CHECK((model != NULL) == (status == LOCO_OK));
    loco_model_free(model);
    return status;
}

static loco_status open_sound(loco_err *err)
{
    return open_named("sound", err);
}

static loco_status open_series(loco_err *err)
{
    return open_named("series", err);
}

static loco_model *whole;

/* On failure the model stays what it was. */
static loco_status fold(loco_err *err)
{
    loco_model *before = whole;
    loco_status status = loco_model_fold(&whole, "low=kick,high=snare+hihat", err);
    CHECK((whole == before) == (status != LOCO_OK));
    return status;
}

static void every_failing_allocation_is_reported(void)
{
    CHECK(oom_fail_each(list_models) > 5);
    CHECK(oom_fail_each(open_sound) > 20);
    CHECK(oom_fail_each(open_series) > 20);
    CHECK_STATUS(loco_model_open(&whole, "sound", NULL), LOCO_OK);
    CHECK(oom_fail_each(fold) > 3);
    loco_model_free(whole);
}

int main(void)
{
    char folder[1024];
    const char *source = getenv("LOCO_SOURCE");
    snprintf(folder, sizeof folder, "%s/tests/golden/0.2", source != NULL ? source : ".");
    CHECK(setenv("LOCO_MODELS", folder, 1) == 0);
    RUN(every_failing_allocation_is_reported);
    return check_done();
}

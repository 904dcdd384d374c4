/* SPDX-License-Identifier: MIT
 * calibrate_trained.c - the last step of training: the best model is calibrated without event times, saved again,
 * and judged: does it localise? */
#include "train/calibrate_trained.h"

#include "base/status.h"
#include "calibrate/calibrate.h"
#include "calibrate/calibrate_counts.h"
#include "model/model.h"
#include "train/localised.h"

#include <stdlib.h>
#include <string.h>

/* Appends warnings about classes whose events are not localised. */
static loco_status judge(const loco_model *model, const lc_plan *plan, lc_text *findings, loco_err *err)
{
    size_t K = model->net->classes;
    lc_localised *rows = calloc(K, sizeof *rows);
    loco_status status = rows == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to judge the model")
                                      : lc_localised_measure(rows, model, plan, err);
    if (status == LOCO_OK)
        lc_localised_advice(findings, rows, model->classes, K, plan);
    free(rows);
    return status;
}

loco_status lc_calibrate_trained(const char *path, const lc_plan *plan, const loco_train_options *training,
                                 loco_err *err)
{
    lc_text findings = {0};
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, path, err);
    lc_calibration tuning = {.model = model,
                             .set = plan->set,
                             .sounds = plan->sounds,
                             .most_seconds = lc_frontend_limits(&plan->recipe.frontend).trained,
                             .anchor = (lc_anchor)plan->recipe.anchor,
                             .blind = true,
                             .keep_thresholds = strstr(plan->recipe.decoding, "threshold=") != NULL};
    if (status == LOCO_OK)
        status = lc_calibrate(&tuning, &findings, err);
    tuning.recordings =
        plan->held_recordings; /* not on training data, where counts would look more certain than they are */
    if (status == LOCO_OK && plan->set->clips_len > 0)
        status = lc_calibrate_counts(&tuning, &findings, err);
    if (status == LOCO_OK)
        status = lc_model_save(path, model, NULL, 0, err);
    if (status == LOCO_OK)
        status = judge(model, plan, &findings, err);
    lc_text_fold(&findings);
    if (status == LOCO_OK && findings.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to judge the model");
    for (char *line = findings.bytes; status == LOCO_OK && line != NULL && *line != 0;) {
        size_t length = strcspn(line, "\n");
        lc_plan_notice(training, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    lc_text_free(&findings);
    loco_model_free(model);
    return status;
}

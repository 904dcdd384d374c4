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

/* What process 0 does alone: counts of clips, the file, warnings. */
static loco_status complete(lc_calibration *tuning, const char *path, const lc_plan *plan, lc_text *findings,
                            loco_err *err)
{
    loco_status status = LOCO_OK;
    tuning->recordings =
        plan->held_recordings; /* not on training data, where counts would look more certain than they are */
    if (plan->set->clips_len > 0)
        status = lc_calibrate_counts(tuning, findings, err);
    if (status == LOCO_OK)
        status = lc_model_save(path, tuning->model, NULL, 0, err);
    return status == LOCO_OK ? judge(tuning->model, plan, findings, err) : status;
}

loco_status lc_calibrate_trained(const char *path, const lc_plan *plan, const loco_train_options *training,
                                 lc_team *team, loco_err *err)
{
    lc_text findings = {0};
    loco_model *model = NULL;
    bool first = lc_team_rank(team) == 0, images = plan->recipe.frontend.ops->picture;
    loco_status status = lc_team_settle(team, loco_model_load(&model, path, err), err);
    lc_calibration tuning = {.model = model,
                             .set = plan->set,
                             .sounds = plan->sounds,
                             .most_seconds = lc_frontend_limits(&plan->recipe.frontend).trained,
                             .anchor = (lc_anchor)plan->recipe.anchor,
                             .blind = true,
                             .keep_thresholds = strstr(plan->recipe.decoding, "threshold=") != NULL,
                             .team = images ? NULL : team};
    if (status == LOCO_OK)
        status = lc_team_settle(team, first || !images ? lc_calibrate(&tuning, &findings, err) : LOCO_OK, err);
    if (status == LOCO_OK)
        status = lc_team_settle(team, first ? complete(&tuning, path, plan, &findings, err) : LOCO_OK, err);
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

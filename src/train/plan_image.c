/* SPDX-License-Identifier: MIT
 * plan_image.c - what a training run on images decides besides. */
#include "train/plan_image.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

loco_status lc_plan_count_images(lc_plan *plan, loco_err *err)
{
    lc_dataset *cut = NULL;
    double *rows = calloc(plan->set->recordings_len + 1, sizeof *rows), rate;
    loco_status status = rows == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a training run") : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < plan->set->recordings_len; i++)
        status = lc_sound_length(plan->set->recordings[i].path, &rows[i], &rate, err);
    lc_cut whole = {.seconds = rows, .shortest = 1, .longest = 1e6, .seed = 1};
    if (status == LOCO_OK)
        status = lc_dataset_cut(&cut, plan->set, &whole, err);
    free(rows);
    if (status != LOCO_OK)
        return status;
    lc_dataset_free(plan->set);
    plan->set = cut;
    return LOCO_OK;
}

void lc_plan_fit_start(lc_plan *plan, const loco_train_options *training)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < training->sets_len; i++)
        if (strncmp(training->sets[i], "start=", 6) == 0)
            return;
    for (size_t i = 0; i < plan->set->clips_len; i++)
        for (size_t k = 0; k < plan->set->classes_len; k++) {
            const loco_label *label = &plan->set->clips[i].labels[k];
            sum += label->lo == label->hi ? (double)label->lo : 0;
            n += label->lo == label->hi;
        }
    if (plan->recipe.frontend.ops->picture && n > 0 && sum > n)
        plan->recipe.schedule.start = exp(-fmin(sum / n, 600));
}

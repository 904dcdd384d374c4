/* SPDX-License-Identifier: MIT
 * pitched.c - whether a model detects notes. */
#include "events/pitches.h"
#include "model/model.h"

bool loco_model_pitched(const loco_model *model)
{
    return model->frontend.ops->sound && lc_pitched(model->classes, model->net->classes);
}

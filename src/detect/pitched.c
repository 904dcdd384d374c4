/* SPDX-License-Identifier: MIT
 * pitched.c - whether a model detects notes, or strokes of drums. */
#include "detect/drum_velocity.h"
#include "events/pitches.h"
#include "model/model.h"

bool loco_model_pitched(const loco_model *model)
{
    return model->frontend.ops->sound && lc_pitched(model->classes, model->net->classes);
}

bool loco_model_drums(const loco_model *model)
{
    return model->frontend.ops->sound && lc_drum_classes(model->classes, model->net->classes);
}

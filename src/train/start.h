/* SPDX-License-Identifier: MIT
 * start.h - training that starts from a model: its front end, its network, and its weights.
 *
 * Classes are matched by name: those that the model has keep their outputs, new ones begin at random, others are
 * dropped. */
#ifndef LC_TRAIN_START_H
#define LC_TRAIN_START_H

#include "model/model.h"
#include "train/recipe.h"

/* Takes front end and network from the model, and settings for a short run at a low learning rate; own: also how the model's
 * own recipe cuts and changes clips. */
LOCO_MUST_USE loco_status lc_start_recipe(lc_recipe *recipe, const loco_model *from, bool own, loco_err *err);

/* Refuses classes that the outputs of the model cannot become. */
LOCO_MUST_USE loco_status lc_start_check(const loco_model *from, const char *const *classes, size_t K, loco_err *err);

/* Copies the weights of the model into params, those of net, whose outputs are called classes. Returns how many of the
 * classes the model has. */
size_t lc_start_params(float *params, const lc_net *net, const char *const *classes, const loco_model *from);

#endif

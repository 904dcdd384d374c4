/* SPDX-License-Identifier: MIT
 * checkpoint.c - a model in training to and from a file. The layout is in checkpoint.h. */
#include "model/checkpoint.h"

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"

#include <string.h>

enum { M, V, AVERAGE, STEP, RANDOM }; /* as in lc_state_names */

/* The five tensors; data NULL when progress is. */
static void list_state(lc_array state[LC_STATE_ARRAYS], size_t params, const lc_progress *progress)
{
    const float *flat[] = {NULL, NULL, NULL};
    if (progress != NULL) {
        flat[M] = progress->m;
        flat[V] = progress->v;
        flat[AVERAGE] = progress->average;
    }
    for (size_t i = M; i <= AVERAGE; i++)
        state[i] = (lc_array){.dtype = LC_F32, .rank = 1, .shape = {params}, .data = flat[i]};
    state[STEP] = (lc_array){.dtype = LC_U64, .data = progress != NULL ? &progress->step : NULL};
    state[RANDOM] = (lc_array){
        .dtype = LC_U64, .rank = 1, .shape = {4}, .data = progress != NULL ? progress->rng.s : NULL};
    for (size_t i = 0; i < LC_STATE_ARRAYS; i++)
        state[i].name = lc_state_names[i];
}

loco_status lc_checkpoint_save(const char *path, const lc_net *net, const float *params, const lc_model_info *info,
                               const lc_progress *progress, loco_err *err)
{
    lc_array state[LC_STATE_ARRAYS];
    list_state(state, net->params, progress);
    return lc_model_file_save_with(path, net, params, info, state, LC_STATE_ARRAYS, err);
}

/* ---- loading ---- */

/* lc_net_format writes one form for all spellings of a network, so equal lines mean equal layers. Line and input
 * together fix every shape, and with them the number of parameters: the copies in read_state rely on that. */
static loco_status check_network(const lc_tensors *file, const lc_net *has, const lc_net *wanted, loco_err *err)
{
    lc_text a = {0}, b = {0};
    loco_status status = LOCO_OK;
    lc_net_format(has, &a);
    lc_net_format(wanted, &b);
    if (a.failed || b.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", file->where);
    else if (strcmp(a.bytes, b.bytes) != 0)
        status = lc_err_set(err, LOCO_EDATA, "%s is for another network: \"%s\", not \"%s\"", file->where,
                            lc_show(a.bytes).text, lc_show(b.bytes).text);
    else if (has->in_F != wanted->in_F || has->in_C != wanted->in_C)
        status = lc_err_set(err, LOCO_EDATA, "%s is for frames of %zu bins and %zu channels, not %zu and %zu",
                            file->where, has->in_F, has->in_C, wanted->in_F, wanted->in_C);
    lc_text_free(&a);
    lc_text_free(&b);
    return status;
}

/* Each of the five is there and could have been written; state then leads to the numbers. */
static loco_status check_state(const lc_tensors *file, size_t params, lc_array state[LC_STATE_ARRAYS], loco_err *err)
{
    loco_status status = LOCO_OK;
    list_state(state, params, NULL);
    for (size_t i = 0; i < LC_STATE_ARRAYS && status == LOCO_OK; i++) {
        status = lc_tensors_expect(file, &state[i], err);
        if (status == LOCO_OK) {
            state[i] = *lc_tensors_find(file, state[i].name);
            status = lc_array_finite(&state[i], file->where, err);
        }
    }
    if (status != LOCO_OK)
        return status;
    lc_rng rng = {{0}};
    lc_array_copy(&state[RANDOM], rng.s);
    /* xoshiro256++ never leaves the state 0: every draw would be the same, and training would continue without any
     * message. */
    if ((rng.s[0] | rng.s[1] | rng.s[2] | rng.s[3]) == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: tensor \"random\" is all 0, which is not a state of the random numbers",
                          file->where);
    return LOCO_OK;
}

/* All that can fail comes before the first copy: params and progress are the caller's live arrays, and half of a
 * checkpoint in them could not be recognised as half. lc_model_file_read has already checked the file against its own
 * network. */
static loco_status read_state(const lc_tensors *file, const lc_net *net, const lc_model_file *model, float *params,
                              lc_progress *progress, loco_err *err)
{
    lc_array state[LC_STATE_ARRAYS];
    loco_status status = check_network(file, &model->net, net, err);
    if (status == LOCO_OK)
        status = check_state(file, net->params, state, err);
    if (status != LOCO_OK)
        return status;
    memcpy(params, model->params, net->params * sizeof *params);
    lc_array_copy(&state[M], progress->m);
    lc_array_copy(&state[V], progress->v);
    lc_array_copy(&state[AVERAGE], progress->average);
    lc_array_copy(&state[STEP], &progress->step);
    lc_array_copy(&state[RANDOM], progress->rng.s);
    return LOCO_OK;
}

loco_status lc_checkpoint_load(const char *path, const lc_net *net, float *params, lc_progress *progress, loco_err *err)
{
    lc_tensors *file;
    lc_model_file *model = NULL;
    loco_status status = lc_tensors_load(path, &file, err);
    if (status != LOCO_OK)
        return status;
    status = lc_model_file_read(file, &model, err);
    if (status == LOCO_OK && !lc_model_file_is_checkpoint(file))
        status = lc_err_set(err, LOCO_EDATA,
                            "%s is a model without the state of training; only a checkpoint can be resumed",
                            file->where);
    if (status == LOCO_OK)
        status = read_state(file, net, model, params, progress, err);
    lc_model_file_free(model);
    lc_tensors_free(file);
    return status;
}

/* SPDX-License-Identifier: MIT
 * identity.c - what must not change until a training run is resumed. */
#include "train/identity.h"

#include "base/cpu.h"
#include "base/show.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

loco_status lc_identity_find(lc_identity *identity, const lc_plan *plan, loco_err *err)
{
    uint64_t sum = 0;
    lc_isa isa = LC_ISA_REF;
    loco_status status = lc_sounds_checksum(&sum, plan->sounds, plan->pool, err);
    if (status == LOCO_OK)
        status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    snprintf(identity->content, sizeof identity->content, "%016llx", (unsigned long long)sum);
    identity->kernels = lc_isa_name(isa);
    return LOCO_OK;
}

/* What identifies a data set, without its sounds: a run must not be resumed with another one. Times count only where
 * they are learned from. */
void lc_identity_set(const lc_plan *plan, lc_text *out)
{
    const lc_dataset *set = plan->set;
    bool taught = plan->recipe.clips.supervised > 0 || plan->recipe.clips.longest > 0;
    size_t events = 0;
    for (size_t i = 0; taught && i < set->recordings_len; i++)
        events += set->recordings[i].events_len;
    for (size_t k = 0; k < set->classes_len; k++)
        lc_text_format(out, "%s%s", k > 0 ? "," : "classes ", set->classes[k]);
    lc_text_format(out, "\n%zu recordings\n%zu clips\n%zu events\n", set->recordings_len, set->clips_len, events);
    for (size_t k = 0; k < set->classes_len + set->sums_len; k++) {
        size_t least = 0;
        for (size_t i = 0; i < set->clips_len; i++)
            least += set->clips[i].labels[k].lo;
        lc_text_format(out, "%zu of %s in clips\n", least, lc_label_name(set, k));
    }
}

/* "" for a key that is missing. */
const char *lc_identity_text(const lc_model_file *model, const char *key)
{
    for (size_t i = 0; i < model->info.pairs_len; i++)
        if (strcmp(model->info.pairs[i].key, key) == 0)
            return model->info.pairs[i].value;
    return "";
}

/* Refuses a checkpoint whose text differs from now; the sentence shows its first part that does. */
static loco_status check_text(const char *checkpoint, const char *then, const lc_text *now, char between,
                              const char *what, loco_err *err)
{
    size_t at = 0, setting = 0;
    if (now->failed || now->bytes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the texts of a model");
    if (strcmp(then, now->bytes) == 0)
        return LOCO_OK;
    for (; then[at] != 0 && then[at] == now->bytes[at]; at++)
        setting = then[at] == between ? at + 1 : setting;
    size_t length = strcspn(then + setting, (const char[]){between, 0});
    return lc_err_set(err, LOCO_EARG,
                      "%.80s was made with other %s (%.*s); resume with the same, or start again without --resume",
                      checkpoint, what, (int)(length < 60 ? length : 60), then + setting);
}

/* The sum says nothing about what differs. */
static loco_status check_content(const lc_identity *identity, const char *checkpoint, const char *then, loco_err *err)
{
    if (then[0] == 0 || strcmp(then, identity->content) == 0)
        return LOCO_OK;
    return lc_err_set(
        err, LOCO_EARG,
        "%.80s was made with recordings of other content: a file has changed since; resume with the same, "
        "or start again without --resume",
        checkpoint);
}

loco_status lc_identity_check(const lc_identity *identity, const char *checkpoint, const lc_model_file *model,
                              const lc_plan *plan, const loco_train_options *asked, loco_err *err)
{
    lc_text recipe = {0}, frontend = {0}, set = {0};
    const char *kernels = lc_identity_text(model, "kernels");
    lc_recipe_format(&plan->recipe, &recipe);
    lc_frontend_format(&plan->recipe.frontend, &frontend);
    lc_identity_set(plan, &set);
    loco_status status = check_text(checkpoint, lc_identity_text(model, "recipe"), &recipe, '\n', "settings", err);
    if (status == LOCO_OK)
        status = check_text(checkpoint, lc_identity_text(model, "trained_with"), &frontend, ' ', "settings", err);
    if (status == LOCO_OK)
        status = check_text(checkpoint, lc_identity_text(model, "set"), &set, '\n', "data", err);
    if (status == LOCO_OK)
        status = check_content(identity, checkpoint, lc_identity_text(model, "content"), err);
    if (status == LOCO_OK && kernels[0] != 0 && strcmp(kernels, identity->kernels) != 0)
        lc_plan_notice(
            asked,
            "the run began with the kernels %s and goes on with %s: the last bits differ from a run without a "
            "break; LOCO_KERNELS=%s keeps them where the machine has it",
            lc_show(kernels).text, identity->kernels, lc_show(kernels).text);
    lc_text_free(&set);
    lc_text_free(&recipe);
    lc_text_free(&frontend);
    return status;
}

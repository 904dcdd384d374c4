/* SPDX-License-Identifier: MIT
 * together.c - compares hashes of what all processes must have in common. Samples are not compared: each process reads
 * the files by itself, from a folder that all share. */
#include "train/together.h"

#include "base/status.h"

#include <string.h>

static loco_status compare(lc_team *team, const char *what, const char *advice, uint64_t hash, loco_err *err)
{
    unsigned other;
    if (lc_team_agree(team, hash, &other))
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "process %u has other %s than process 0; %s", other, what, advice);
}

/* Of other instruction sets, too, which round otherwise. */
static uint64_t hash_program(void)
{
    uint64_t hash = lc_team_hash(0, loco_version(), strlen(loco_version()));
    return lc_team_hash(hash, loco_kernels(), strlen(loco_kernels()));
}

static uint64_t hash_settings(const lc_plan *plan)
{
    lc_text text = {0};
    lc_recipe_format(&plan->recipe, &text);
    lc_frontend_format(&plan->recipe.frontend, &text);
    uint64_t hash = text.failed ? 0 : lc_team_hash(0, text.bytes, text.length);
    lc_text_free(&text);
    return hash;
}

static uint64_t hash_data(const lc_plan *plan)
{
    const lc_dataset *set = plan->set;
    uint64_t hash = 0;
    for (size_t i = 0; i < set->recordings_len; i++) {
        double seconds = lc_sounds_seconds(plan->sounds, i);
        hash = lc_team_hash(hash, set->recordings[i].name, strlen(set->recordings[i].name));
        hash = lc_team_hash(hash, &set->recordings[i].events_len, sizeof set->recordings[i].events_len);
        hash = lc_team_hash(hash, &seconds, sizeof seconds);
    }
    for (size_t i = 0; i < set->clips_len; i++) {
        const lc_clip *clip = &set->clips[i];
        const double place[] = {(double)clip->recording, clip->start, clip->end, clip->left, clip->right};
        hash = lc_team_hash(hash, place, sizeof place);
        for (size_t k = 0; k < set->classes_len + set->sums_len; k++) {
            const size_t label[] = {clip->labels[k].lo, clip->labels[k].hi};
            hash = lc_team_hash(hash, label, sizeof label);
        }
    }
    return hash;
}

loco_status lc_together_begin(lc_team *team, const lc_plan *plan, const lc_optimiser *state, loco_err *err)
{
    if (team == NULL)
        return LOCO_OK;
    loco_status status = compare(team, "kernels or another version",
                                 "use machines of one kind, or set LOCO_KERNELS=avx2 (or ref) for all", hash_program(),
                                 err);
    if (status == LOCO_OK)
        status = compare(team, "settings", "start all with the same command", hash_settings(plan), err);
    if (status == LOCO_OK)
        status = compare(team, "data", "let all read the same folder", hash_data(plan), err);
    return status == LOCO_OK ? lc_together_check(team, state, err) : status;
}

loco_status lc_together_check(lc_team *team, const lc_optimiser *state, loco_err *err)
{
    if (team == NULL)
        return LOCO_OK;
    return compare(team, "weights", "use machines of one kind, with the same checkpoint",
                   lc_team_hash(0, state->params, state->n * sizeof *state->params), err);
}

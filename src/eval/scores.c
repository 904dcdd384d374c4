/* SPDX-License-Identifier: MIT
 * scores.c - the scores of an evaluation: as numbers, as a table or JSON, and against what is required.
 *
 * lc_score and lc_count_score hold sums over recordings and clips; ratios are formed when they are read, so that
 * reading never changes a score. Counts of all classes are the sums of those of each class; sums of classes
 * (kick+snare) count the same clips a second time, and stay out. */
#include "eval/scores.h"

#include "base/status.h"
#include "eval/require.h"
#include "eval/score_text.h"

#include <stdlib.h>
#include <string.h>

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the scores");
}

/* ---- making ---- */

static const char *copy_name(loco_scores *scores, const char *name)
{
    return lc_store_string(&scores->owns, name, strlen(name));
}

static loco_status copy_classes(loco_scores *scores, const char *const *classes, size_t n, loco_err *err)
{
    scores->classes = lc_store_take(&scores->owns, n, sizeof *scores->classes);
    if (scores->classes == NULL)
        return out_of_memory(err);
    scores->classes_len = n;
    for (size_t k = 0; k < n; k++)
        if ((scores->classes[k] = copy_name(scores, classes[k])) == NULL)
            return out_of_memory(err);
    return LOCO_OK;
}

loco_status lc_scores_new(loco_scores **out, const char *const *classes, size_t classes_len, const double *tolerances,
                          size_t tolerances_len, loco_err *err)
{
    loco_scores *scores = calloc(1, sizeof *scores);
    if (scores == NULL)
        return out_of_memory(err);
    loco_status status = lc_score_new(&scores->score, classes_len, tolerances, tolerances_len, err);
    if (status == LOCO_OK)
        status = copy_classes(scores, classes, classes_len, err);
    if (status != LOCO_OK) {
        loco_scores_free(scores);
        return status;
    }
    *out = scores;
    return LOCO_OK;
}

loco_status lc_scores_images(loco_scores *scores, loco_err *err)
{
    size_t len;
    lc_score_images(scores->score);
    return lc_plane_score_new(&scores->plane, scores->classes_len, lc_score_tolerances(scores->score, &len)[0], err);
}

loco_status lc_scores_add(loco_scores *scores, const char *name, const loco_event *reference, size_t n,
                          const loco_event *estimate, size_t m, loco_err *err)
{
    size_t len = scores->recordings_len;
    lc_recording_score *grown = lc_list_grow(scores->recordings, &scores->recordings_capacity, len + 1, sizeof *grown);
    if (grown == NULL)
        return out_of_memory(err);
    scores->recordings = grown;
    const char *copy = copy_name(scores, name);
    if (copy == NULL)
        return out_of_memory(err);
    loco_status status = lc_score_add(scores->score, reference, n, estimate, m, err);
    if (status == LOCO_OK && scores->plane != NULL)
        status = lc_plane_score_add(scores->plane, reference, n, estimate, m, err);
    if (status != LOCO_OK)
        return status;
    grown[len] = lc_score_last(scores->score, LC_EMPTY_ZERO);
    grown[len].name = copy;
    scores->recordings_len++;
    return LOCO_OK;
}

/* Names alone are kept of a sum: its members matter only while clips are scored. */
loco_status lc_scores_add_counts(loco_scores *scores, const lc_sum *sums, size_t sums_len, loco_err *err)
{
    scores->counts = calloc(scores->classes_len + sums_len, sizeof *scores->counts);
    scores->sums = lc_store_take(&scores->owns, sums_len, sizeof *scores->sums);
    if (scores->counts == NULL || scores->sums == NULL)
        return out_of_memory(err);
    for (size_t s = 0; s < sums_len; s++) {
        scores->sums[s] = (lc_sum){.name = copy_name(scores, sums[s].name)};
        if (scores->sums[s].name == NULL)
            return out_of_memory(err);
    }
    scores->sums_len = sums_len;
    return LOCO_OK;
}

void loco_scores_free(loco_scores *scores)
{
    if (scores == NULL)
        return;
    lc_score_free(scores->score);
    lc_plane_score_free(scores->plane);
    lc_store_free(&scores->owns);
    free(scores->counts);
    free(scores->recordings);
    free(scores);
}

/* ---- numbers ---- */

loco_status loco_scores_read(loco_score *score, const loco_scores *scores, size_t kind, size_t tolerance, loco_err *err)
{
    size_t len;
    bool all = kind == LOCO_SCORE_POOLED || kind == LOCO_SCORE_RECORDINGS || kind == LOCO_SCORE_CLASSES;
    if (score == NULL || scores == NULL)
        return lc_err_set(err, LOCO_EARG, "score and scores must not be NULL");
    lc_score_tolerances(scores->score, &len);
    if (tolerance >= len)
        return lc_err_set(err, LOCO_EARG, "there is no tolerance %zu; there are %zu, counted from 0", tolerance, len);
    if (!all && kind >= scores->classes_len)
        return lc_err_set(err, LOCO_EARG, "there is no class %zu; there are %zu, counted from 0", kind,
                          scores->classes_len);
    /* Beside classes there are three ways to average over all of them: see lc_average in score.h. */
    lc_average average = kind == LOCO_SCORE_RECORDINGS ? LC_PER_RECORDING
                         : kind == LOCO_SCORE_CLASSES  ? LC_PER_CLASS
                                                       : LC_POOLED;
    lc_score_row row = lc_score_read(scores->score, all ? LC_ALL_KINDS : kind, tolerance, average, LC_EMPTY_ZERO);
    *score = (loco_score){.reference = row.reference,
                          .estimated = row.estimated,
                          .matched = row.matched,
                          .precision = row.precision,
                          .recall = row.recall,
                          .f1 = row.f1,
                          .error_mean = row.error_mean,
                          .error_sd = row.error_sd};
    return LOCO_OK;
}

/* The counts of all classes together, without the sums of classes. */
static lc_count_score all_counts(const loco_scores *scores)
{
    lc_count_score all = {0};
    for (size_t k = 0; scores->counts != NULL && k < scores->classes_len; k++)
        lc_count_score_join(&all, &scores->counts[k]);
    return all;
}

loco_status loco_scores_counts(loco_count_quality *counts, const loco_scores *scores, size_t kind, loco_err *err)
{
    if (counts == NULL || scores == NULL)
        return lc_err_set(err, LOCO_EARG, "counts and scores must not be NULL");
    if (kind != LOCO_SCORE_POOLED && kind >= scores->classes_len)
        return lc_err_set(err, LOCO_EARG, "there is no class %zu; there are %zu, counted from 0", kind,
                          scores->classes_len);
    lc_count_score all = all_counts(scores);
    lc_count_row row = lc_count_score_read(kind == LOCO_SCORE_POOLED || scores->counts == NULL ? &all
                                                                                               : &scores->counts[kind]);
    *counts = (loco_count_quality){.clips = row.clips,
                                   .exact = row.exact,
                                   .distance = row.distance,
                                   .bias = row.bias,
                                   .held = row.held,
                                   .claimed = row.held_claimed};
    return LOCO_OK;
}

/* ---- text ---- */

/* What stands below the tables of classes. */
static void write_rest(lc_text *out, const loco_scores *scores)
{
    if (scores->sums_len > 0)
        lc_sums_table(out, scores->sums, scores->counts + scores->classes_len, scores->sums_len);
    if (scores->plane != NULL && scores->recordings_len > 0)
        lc_plane_score_table(out, scores->plane, scores->classes);
}

static void write_all(lc_text *out, const loco_scores *scores)
{
    lc_score_table(out, scores->score, scores->classes, scores->counts, LC_EMPTY_ZERO);
    write_rest(out, scores);
}

static void write_table(lc_text *out, const loco_scores *scores)
{
    if (scores->classes_len <= LC_SCORE_MANY) {
        write_all(out, scores);
        return;
    }
    lc_score_brief(out, scores->score, scores->classes, scores->counts, LC_EMPTY_ZERO);
    write_rest(out, scores);
}

static void write_recordings(lc_text *out, const loco_scores *scores)
{
    lc_recordings_table(out, scores->score, scores->recordings, scores->recordings_len);
}

static void write_json(lc_text *out, const loco_scores *scores)
{
    lc_score_json(out, scores->score, scores->classes, scores->counts, LC_EMPTY_ZERO);
    if (scores->sums_len > 0)
        lc_sums_json(out, scores->sums, scores->counts + scores->classes_len, scores->sums_len);
    lc_recordings_json(out, scores->score, scores->recordings, scores->recordings_len);
    if (scores->plane != NULL)
        lc_plane_score_json(out, scores->plane);
    lc_text_string(out, "\n");
}

typedef struct scores_format {
    const char *name;
    void (*write)(lc_text *out, const loco_scores *scores);
} scores_format;

static const scores_format formats[] = {
    {"table",      write_table     },
    {"all",        write_all       },
    {"recordings", write_recordings},
    {"json",       write_json      },
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

loco_status loco_scores_format(char **text, const loco_scores *scores, const char *format, loco_err *err)
{
    lc_text out = {0};
    if (text == NULL || scores == NULL || format == NULL)
        return lc_err_set(err, LOCO_EARG, "text, scores and format must not be NULL");
    size_t i = 0;
    while (i < FORMATS && strcmp(format, formats[i].name) != 0)
        i++;
    if (i == FORMATS)
        return lc_err_set(err, LOCO_EARG,
                          "the format of scores is \"table\", \"all\", \"recordings\" or \"json\", not \"%.40s\"",
                          format);
    formats[i].write(&out, scores);
    if (out.failed) {
        lc_text_free(&out);
        return out_of_memory(err);
    }
    *text = out.bytes;
    return LOCO_OK;
}

loco_status loco_scores_require(bool *met, char **why, const loco_scores *scores, const char *required, loco_err *err)
{
    lc_require require;
    lc_text lines = {0};
    bool all = true;
    if (met == NULL || why == NULL || scores == NULL || required == NULL)
        return lc_err_set(err, LOCO_EARG, "met, why, scores and required must not be NULL");
    lc_count_score counts = all_counts(scores);
    loco_status status = lc_require_parse(&require, required, strlen(required), err);
    lc_text_string(&lines, "");
    if (status == LOCO_OK)
        status = lc_require_check(&all, &require, scores->score, scores->counts != NULL ? &counts : NULL, LC_EMPTY_ZERO,
                                  &lines, err);
    if (status == LOCO_OK && lines.failed)
        status = out_of_memory(err);
    if (status != LOCO_OK) {
        lc_text_free(&lines);
        return status;
    }
    *met = all;
    *why = lines.bytes;
    return LOCO_OK;
}

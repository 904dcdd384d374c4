/* SPDX-License-Identifier: MIT
 * origin.c - where a model comes from, as pairs of texts for its file. */
#include "train/origin.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* The text of the next pair, to be filled. */
static lc_text *next(lc_origin *origin, const char *key)
{
    origin->pairs[origin->len].key = key;
    return &origin->texts[origin->len++];
}

/* NULL is allowed: the line was not given. */
static loco_status check_line(const char *key, const char *line, loco_err *err)
{
    size_t length = line != NULL ? strlen(line) : 0;
    if (line == NULL)
        return LOCO_OK;
    if (length == 0 || length > LC_ORIGIN_LINE || strcspn(line, "\n\r") < length || !lc_utf8_valid(line, length))
        return lc_err_set(err, LOCO_EARG, "%s must be one line of 1 to %d bytes of UTF-8, not \"%s\"", key,
                          LC_ORIGIN_LINE, lc_show(line).text);
    return LOCO_OK;
}

loco_status lc_origin_check(const loco_train_options *training, loco_err *err)
{
    loco_status status = check_line("about", training->about, err);
    return status == LOCO_OK ? check_line("licence", training->licence, err) : status;
}

static void add_line(lc_origin *origin, const char *key, const char *line)
{
    if (line != NULL)
        lc_text_string(next(origin, key), line);
}

/* A word as a shell reads it: in quotes when it holds more than letters, digits and the like. */
static void add_word(lc_text *text, const char *option, const char *word)
{
    static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=,:@%";
    lc_text_string(text, option);
    if (word[0] != 0 && word[strspn(word, plain)] == 0) {
        lc_text_string(text, word);
        return;
    }
    lc_text_string(text, "'");
    for (; *word != 0; word++)
        lc_text_string(text, *word == '\'' ? "'\\''" : (char[]){*word, 0});
    lc_text_string(text, "'");
}

/* What a person would type to train it again. The data set is named without the folders above it: those may
 * be private. */
static void add_command(lc_origin *origin, const char *data, const loco_train_options *training)
{
    lc_text *text = next(origin, "command");
    const char *name = data + lc_path_folder(data);
    add_word(text, "loco train ", name[0] != 0 ? name : data);
    if (training->preset != NULL)
        add_word(text, " --preset ", training->preset);
    if (training->from != NULL)
        add_word(text, " --from ", training->from + lc_path_folder(training->from));
    for (size_t i = 0; i < training->sets_len; i++)
        add_word(text, " --set ", training->sets[i]);
}

/* The model that training started from: its name without the folders above it, and its licence. */
static void add_from(lc_origin *origin, const loco_train_options *training, const lc_plan *plan)
{
    if (plan->from == NULL)
        return;
    const char *licence = lc_model_text(plan->from, "licence");
    lc_text_format(next(origin, "from"), "%s; %s", training->from + lc_path_folder(training->from),
                   licence != NULL ? licence : "no licence stated");
}

/* sources.txt lies in the folder of the data set, and says who recorded it, and under which licence. */
static loco_status add_sources(lc_origin *origin, const lc_plan *plan, loco_err *err)
{
    const char *where = plan->set->where;
    size_t folder = lc_path_is_folder(where) ? strlen(where) : lc_path_folder(where), length = 0;
    lc_store store = {0};
    char *sources = NULL;
    loco_status status = LOCO_OK;
    const char *path = lc_path_join(&store, where, folder, "sources.txt");
    lc_text *text = next(origin, "trained_on");
    if (path == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the texts of a model");
    else if (lc_path_is_file(path))
        status = lc_file_load(path, LC_ORIGIN_SOURCES, &sources, &length, err);
    if (status == LOCO_OK && sources != NULL && (strlen(sources) != length || !lc_utf8_valid(sources, length)))
        status = lc_err_set(err, LOCO_EDATA, "%.150s is not a text in UTF-8", path);
    if (status == LOCO_OK && length > 0)
        lc_text_append(text, sources, length);
    else
        lc_text_format(text, "%zu %s, %zu clips", plan->set->recordings_len, lc_frontend_things(&plan->recipe.frontend),
                       lc_feed_clips(plan->feed));
    free(sources);
    lc_store_free(&store);
    return status;
}

loco_status lc_origin_gather(lc_origin *origin, const char *data, const loco_train_options *training,
                             const lc_plan *plan, loco_err *err)
{
    add_line(origin, "about", training->about);
    add_line(origin, "licence", training->licence);
    loco_status status = add_sources(origin, plan, err);
    if (status != LOCO_OK)
        return status;
    lc_text_format(next(origin, "version"), "loco %s", loco_version());
    add_from(origin, training, plan);
    add_command(origin, data, training);
    for (size_t i = 0; i < origin->len; i++) {
        if (origin->texts[i].failed)
            return lc_err_set(err, LOCO_ENOMEM, "out of memory for the texts of a model");
        origin->pairs[i].value = origin->texts[i].bytes;
    }
    return LOCO_OK;
}

void lc_origin_free(lc_origin *origin)
{
    for (size_t i = 0; i < origin->len; i++)
        lc_text_free(&origin->texts[i]);
    *origin = (lc_origin){.len = 0};
}

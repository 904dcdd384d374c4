/* SPDX-License-Identifier: MIT
 * fold.c - groups of classes, and a model that reports them.
 *
 * A folded model has the network of the model that it is made of with a layer `fold` behind it (nn/moves.c), so that all
 * that follows, from decoding to votes and live input, works on the groups. Threshold, offset and bands of a group are
 * those of its first class; counts are not calibrated. */
#include "model/fold.h"

#include "base/status.h"
#include "base/text.h"
#include "model/model.h"
#include "signal/onset.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists of groups ---- */

/* A part of a text. */
typedef struct name_part {
    const char *at;
    size_t length;
} name_part;

static bool is(name_part a, const char *name, size_t length)
{
    return a.length == length && memcmp(a.at, name, length) == 0;
}

/* The next part up to one of `ends`; *rest behind it. */
static name_part next(const char **rest, const char *ends)
{
    name_part s = {*rest, strcspn(*rest, ends)};
    *rest += s.length + ((*rest)[s.length] != 0);
    return s;
}

/* What stands behind "name=" in a list, which ends with the line. */
static bool find_known(name_part *members, const char *known, name_part name)
{
    const char *rest = known;
    for (bool more = known != NULL && *known != 0; more;) {
        name_part item = next(&rest, ",\n");
        const char *equals = memchr(item.at, '=', item.length);
        if (equals != NULL && is(name, item.at, (size_t)(equals - item.at))) {
            *members = (name_part){equals + 1, item.length - (size_t)(equals + 1 - item.at)};
            return true;
        }
        more = item.at[item.length] == ',';
    }
    return false;
}

static bool has_member(const char *members, const char *name)
{
    for (const char *rest = members; *rest != 0;)
        if (is(next(&rest, "+"), name, strlen(name)))
            return true;
    return false;
}

static loco_status add_group(lc_fold *fold, name_part name, name_part members, loco_err *err)
{
    if (fold->len == LC_FOLD_GROUPS)
        return lc_err_set(err, LOCO_EARG, "more than %d classes in a list", LC_FOLD_GROUPS);
    fold->names[fold->len] = lc_store_string(&fold->store, name.at, name.length);
    fold->members[fold->len] = lc_store_string(&fold->store, members.at, members.length);
    if (fold->names[fold->len] == NULL || fold->members[fold->len] == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a list of classes");
    fold->len++;
    return LOCO_OK;
}

/* One of "kick", "snare=snare+side-stick". */
static loco_status parse_group(lc_fold *fold, name_part item, const char *known, loco_err *err)
{
    const char *equals = memchr(item.at, '=', item.length);
    name_part name = {item.at, equals != NULL ? (size_t)(equals - item.at) : item.length}, members = name;
    if (equals != NULL)
        members = (name_part){equals + 1, item.length - name.length - 1};
    else if (!find_known(&members, known, name))
        find_known(&members, LC_FOLD_DRUMS, name);
    if (name.length == 0 || members.length == 0)
        return lc_err_set(err, LOCO_EARG,
                          "\"%.*s\" is not a class; write names between commas, such as kick,snare=snare+side-stick",
                          (int)(item.length < 60 ? item.length : 60), item.at);
    for (size_t g = 0; g < fold->len; g++)
        if (is(name, fold->names[g], strlen(fold->names[g])))
            return lc_err_set(err, LOCO_EARG, "the class \"%.60s\" is there twice", fold->names[g]);
    return add_group(fold, name, members, err);
}

loco_status lc_fold_parse(lc_fold *fold, const char *text, const char *known, loco_err *err)
{
    loco_status status = LOCO_OK;
    bool more = true;
    for (const char *at = text; status == LOCO_OK && more;) {
        size_t length = strcspn(at, ",");
        more = at[length] == ',';
        status = parse_group(fold, (name_part){at, length}, known, err);
        at += length + more;
    }
    return status;
}

bool lc_fold_knows(const char *known, const char *name)
{
    name_part members, of = {name, strlen(name)};
    return find_known(&members, known, of) || find_known(&members, LC_FOLD_DRUMS, of);
}

void lc_fold_free(lc_fold *fold)
{
    lc_store_free(&fold->store);
    *fold = (lc_fold){0};
}

size_t lc_fold_of(const lc_fold *fold, const char *name)
{
    for (size_t g = 0; g < fold->len; g++)
        if (has_member(fold->members[g], name))
            return g;
    for (size_t g = 0; g < fold->len; g++)
        if (strcmp(fold->names[g], name) == 0)
            return g;
    return SIZE_MAX;
}

/* ---- models ---- */

const char *lc_model_groups(const loco_model *model)
{
    static const char key[] = "\nfold=";
    const char *recipe = lc_model_text(model, "recipe"), *line = recipe != NULL ? strstr(recipe, key) : NULL;
    return line != NULL ? line + sizeof key - 1 : NULL;
}

/* Of each class of the model its group, and of each group the first class in its list. */
typedef struct folding {
    lc_fold fold;
    size_t firsts[LC_FOLD_GROUPS];
    lc_net net;
} folding;

/* The class of the model that comes first in the list of a group; SIZE_MAX: the model has none of them. */
static size_t first_of(const loco_model *model, const lc_fold *fold, size_t g)
{
    for (const char *rest = fold->members[g]; *rest != 0;) {
        name_part member = next(&rest, "+");
        for (size_t k = 0; k < model->net->classes; k++)
            if (is(member, model->classes[k], strlen(model->classes[k])))
                return k;
    }
    for (size_t k = 0; k < model->net->classes; k++)
        if (strcmp(model->classes[k], fold->names[g]) == 0)
            return k;
    return SIZE_MAX;
}

static loco_status find_firsts(folding *f, const loco_model *model, loco_err *err)
{
    for (size_t g = 0; g < f->fold.len; g++) {
        f->firsts[g] = first_of(model, &f->fold, g);
        if (f->firsts[g] != SIZE_MAX)
            continue;
        const char *near = loco_nearest(f->fold.names[g], model->classes, model->net->classes);
        return lc_err_set(err, LOCO_EARG, "the model has no class \"%.60s\"%s%.60s%s", f->fold.names[g],
                          near != NULL ? "; did you mean \"" : ": `loco inspect MODEL` lists them",
                          near != NULL ? near : "", near != NULL ? "\"?" : "");
    }
    return LOCO_OK;
}

/* The line of the network with `fold 0 1 -1 2 ...` behind it. */
static loco_status extend(folding *f, const loco_model *model, loco_err *err)
{
    lc_text line = {0};
    lc_net_format(model->net, &line);
    lc_text_string(&line, ", fold");
    for (size_t k = 0; k < model->net->classes; k++) {
        size_t g = lc_fold_of(&f->fold, model->classes[k]);
        lc_text_format(&line, " %d", g == SIZE_MAX ? -1 : (int)g);
    }
    loco_status status = line.failed
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a network line")
                             : lc_net_parse(&f->net, line.bytes, line.length, model->net->in_F, model->net->in_C, err);
    lc_text_free(&line);
    return status;
}

static loco_status copy_calibration(loco_model *to, const loco_model *from, const size_t *firsts, loco_err *err)
{
    size_t bands = LC_ONSET_BANDS;
    to->bands = from->bands != NULL ? calloc(to->net->classes * bands + 1, sizeof *to->bands) : NULL;
    if (from->bands != NULL && to->bands == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model of %zu classes", to->net->classes);
    for (size_t g = 0; g < to->net->classes; g++) {
        to->thresholds[g] = from->thresholds[firsts[g]];
        to->offsets[g] = from->offsets[firsts[g]];
        if (to->bands != NULL)
            memcpy(to->bands + g * bands, from->bands + firsts[g] * bands, bands * sizeof *to->bands);
    }
    return LOCO_OK;
}

void lc_model_unfold(loco_model *model)
{
    if (model->folding != NULL)
        lc_fold_free(&model->folding->fold);
    free(model->folding);
    loco_model_free(model->whole);
}

const lc_fold *lc_model_fold(const loco_model *model)
{
    return model->folding != NULL ? &model->folding->fold : NULL;
}

static loco_status fold_model(loco_model **out, loco_model *model, folding *f, const char *classes, loco_err *err)
{
    loco_status status = lc_fold_parse(&f->fold, classes, lc_model_groups(model), err);
    if (status == LOCO_OK)
        status = find_firsts(f, model, err);
    if (status == LOCO_OK)
        status = extend(f, model, err);
    if (status == LOCO_OK)
        status = lc_model_view(out, &f->net, model->params, f->fold.names, &model->frontend, &model->decoding, err);
    return status == LOCO_OK ? copy_calibration(*out, model, f->firsts, err) : status;
}

loco_status loco_model_fold(loco_model **model, const char *classes, loco_err *err)
{
    if (model == NULL || *model == NULL || classes == NULL)
        return lc_err_set(err, LOCO_EARG, "model and classes must not be NULL");
    if ((*model)->frontend.ops->picture || (*model)->net->places > 1)
        return lc_err_set(err, LOCO_EARG, "classes of images cannot be put together");
    folding *f = calloc(1, sizeof *f);
    loco_model *folded = NULL;
    if (f == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model");
    loco_status status = fold_model(&folded, *model, f, classes, err);
    if (status != LOCO_OK) {
        loco_model_free(folded);
        lc_fold_free(&f->fold);
        free(f);
        return status;
    }
    folded->folding = f;
    folded->whole = *model;
    *model = folded;
    return LOCO_OK;
}

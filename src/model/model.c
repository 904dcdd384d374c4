/* SPDX-License-Identifier: MIT
 * model.c - models that are ready to use: from a file, over a network in training, and back into a file.
 *
 * Loading reads the file (model_file.h), then its pairs in the order of dependence: front end and decoding, which the
 * network is checked against; then the arrays of K classes; then what only some models have. A pair that is missing
 * leaves its default, so that older files still load; one that is there must be complete and in range, or the file is
 * refused. Saving writes our pairs, then those of the caller, then what else the file held. */
#include "model/model.h"

#include "base/lock.h"
#include "base/number.h"
#include "base/status.h"
#include "base/text.h"
#include "signal/onset.h"
#include "signal/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys that this file reads and writes, in the order of writing. */
enum {
    FRONTEND,
    DECODING,
    OFFSETS,
    OFFSETS_X,
    THRESHOLDS,
    BANDS,
    MEANS,
    SPREADS,
    COLUMNS,
    COUNT_SCALES,
    COUNT_SHIFTS,
    COUNT_SPREADS,
    COUNT_TAILS,
    COUNT_ERRORS,
    COUNT_SUM_TAILS,
    OURS
};
static const char *const our_keys[OURS] = {
    "frontend",     "decoding",      "offsets",     "offsets_x",    "thresholds",
    "onset_bands",  "means",         "spreads",     "columns",      "count_scales",
    "count_shifts", "count_spreads", "count_tails", "count_errors", "count_sum_tails",
};

enum { ERRORS = 6 }; /* numbers of a class in count_errors */

/* ---- making ---- */

bool lc_model_owns(const char *key)
{
    bool ours = false;
    for (size_t i = 0; i < OURS; i++)
        ours |= strcmp(key, our_keys[i]) == 0;
    return ours;
}

/* Arrays of K classes with their defaults, and the packed weights. */
static loco_status prepare(loco_model *model, loco_err *err)
{
    size_t K = model->net->classes;
    model->thresholds = calloc(K, sizeof *model->thresholds);
    model->offsets = calloc(K, sizeof *model->offsets);
    model->offsets_x = calloc(K, sizeof *model->offsets_x);
    model->count_calibration = calloc(K, sizeof *model->count_calibration);
    if (model->thresholds == NULL || model->offsets == NULL || model->offsets_x == NULL ||
        model->count_calibration == NULL || !lc_block_reserve(&model->packed, model->net->packed * sizeof(float)))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model of %zu parameters", model->net->params);
    for (size_t k = 0; k < K; k++) {
        model->thresholds[k] = model->decoding.threshold;
        model->count_calibration[k] = lc_count_calibration_default();
    }
    lc_model_renew(model);
    return LOCO_OK;
}

void lc_model_renew(loco_model *model)
{
    lc_net_pack(model->net, model->params, model->packed.data);
}

loco_status lc_model_view(loco_model **out, const lc_net *net, const float *params, const char *const *classes,
                          const lc_frontend_settings *frontend, const lc_decoding *decoding, loco_err *err)
{
    loco_model *model = calloc(1, sizeof *model);
    if (model == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model");
    model->net = net;
    model->params = params;
    model->classes = classes;
    model->frontend = *frontend;
    model->decoding = *decoding;
    loco_status status = prepare(model, err);
    if (status != LOCO_OK) {
        loco_model_free(model);
        return status;
    }
    *out = model;
    return LOCO_OK;
}

void loco_model_free(loco_model *model)
{
    if (model == NULL)
        return;
    lc_model_file_free(model->file);
    free(model->thresholds);
    free(model->offsets);
    free(model->offsets_x);
    free(model->bands);
    free(model->count_calibration);
    lc_block_free(&model->packed);
    lc_model_unfold(model);
    free(model);
}

/* ---- reading ---- */

const char *lc_model_text(const loco_model *model, const char *key)
{
    for (size_t i = 0; model->file != NULL && i < model->file->info.pairs_len; i++)
        if (strcmp(model->file->info.pairs[i].key, key) == 0)
            return model->file->info.pairs[i].value;
    return NULL;
}

/* The numbers of one key, and what they must be: exactly n of least..most. */
typedef struct number_list {
    const char *key;
    double *numbers; /* (n) */
    size_t n;
    double least, most;
} number_list;

/* Numbers with spaces between; a file without the key leaves what is there. */
static loco_status read_numbers(const loco_model *model, const char *where, const number_list *list, loco_err *err)
{
    const char *text = lc_model_text(model, list->key);
    for (size_t i = 0; text != NULL && i <= list->n; i++) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        bool good = i == list->n ? length == 0
                                 : lc_number_parse(text, length, &list->numbers[i]) &&
                                       list->numbers[i] >= list->least && list->numbers[i] <= list->most;
        if (!good)
            return lc_err_set(err, LOCO_EDATA, "%.100s: %s needs %zu numbers from %g to %g, not \"%.*s\"", where,
                              list->key, list->n, list->least, list->most, (int)(length < 20 ? length : 20), text);
        text += length;
    }
    return LOCO_OK;
}

/* Several lists, up to the first that is wrong. */
static loco_status read_lists(const loco_model *model, const char *where, const number_list *lists, size_t n,
                              loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < n; i++)
        status = read_numbers(model, where, &lists[i], err);
    return status;
}

static loco_status read_pairs(loco_model *model, const char *where, loco_err *err)
{
    const char *frontend = lc_model_text(model, "frontend"), *decoding = lc_model_text(model, "decoding");
    loco_err cause;
    decoding = decoding != NULL ? decoding : "mass";
    if (frontend == NULL)
        return lc_err_set(err, LOCO_EDATA,
                          "%.120s holds a network, but no front end for its input; a .checkpoint is not a model",
                          where);
    loco_status status = lc_frontend_parse(&model->frontend, frontend, &cause);
    if (status == LOCO_OK)
        status = lc_decoding_parse(&model->decoding, decoding, strlen(decoding), &cause);
    if (status != LOCO_OK)
        return lc_err_set(err, LOCO_EDATA, "%.90s: %.150s", where, cause.text);
    if (lc_frontend_bins(&model->frontend) * lc_frontend_channels(&model->frontend) !=
        model->net->in_F * model->net->in_C)
        return lc_err_set(err, LOCO_EDATA,
                          "%.90s: the front end gives %zu values a frame, but the network reads %zu x %zu", where,
                          lc_frontend_bins(&model->frontend) * lc_frontend_channels(&model->frontend), model->net->in_F,
                          model->net->in_C);
    if (lc_frontend_places(&model->frontend) != model->net->places)
        return lc_err_set(err, LOCO_EDATA, "%.90s: the network has %zu places a frame, but the front end has %zu",
                          where, model->net->places, lc_frontend_places(&model->frontend));
    return LOCO_OK;
}

/* As many names as channels; without names, channels are read in the order of the input. */
static loco_status read_columns(loco_model *model, const char *where, loco_err *err)
{
    const char *text = lc_model_text(model, "columns");
    size_t n = 0;
    loco_err cause;
    if (text == NULL)
        return LOCO_OK;
    if (lc_columns_parse(model->frontend.columns, &n, text, &cause) != LOCO_OK)
        return lc_err_set(err, LOCO_EDATA, "%.90s: %.150s", where, cause.text);
    if (n != model->frontend.channels)
        return lc_err_set(err, LOCO_EDATA, "%.90s: %zu columns have a name, and the front end reads %zu", where, n,
                          model->frontend.channels);
    return LOCO_OK;
}

/* Rounded to float, which training used: ten digits restore a float exactly. */
static loco_status read_scale(loco_model *model, const char *where, loco_err *err)
{
    lc_scale *scale = &model->frontend.usual;
    size_t C = model->frontend.channels;
    const number_list lists[] = {
        {our_keys[MEANS],   scale->mean,   C, -1e9,  1e9},
        {our_keys[SPREADS], scale->spread, C, 1e-30, 1e9},
    };
    loco_status status = read_lists(model, where, lists, 2, err);
    for (size_t c = 0; c < C; c++) {
        scale->mean[c] = (double)(float)scale->mean[c];
        scale->spread[c] = (double)(float)scale->spread[c];
    }
    return status;
}

/* Older files have no bands. */
static loco_status read_bands(loco_model *model, const char *where, loco_err *err)
{
    if (lc_model_text(model, our_keys[BANDS]) == NULL)
        return LOCO_OK;
    size_t n = model->net->classes * LC_ONSET_BANDS;
    model->bands = calloc(n + 1, sizeof *model->bands);
    if (model->bands == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model of %zu classes", model->net->classes);
    return read_numbers(model, where, &(number_list){our_keys[BANDS], model->bands, n, 0, 1}, err);
}

/* All four keys or no key at all: some of them alone cannot be used. */
static loco_status read_count_calibration(loco_model *model, const char *where, loco_err *err)
{
    size_t K = model->net->classes;
    int given = 0;
    for (size_t i = COUNT_SCALES; i <= COUNT_TAILS; i++)
        given += lc_model_text(model, our_keys[i]) != NULL;
    if (given == 0)
        return LOCO_OK;
    if (given < 4)
        return lc_err_set(err, LOCO_EDATA,
                          "%.120s: count_scales, count_shifts, count_spreads and count_tails belong together", where);
    double *numbers = calloc(K, (3 + LC_TAILS) * sizeof *numbers);
    if (numbers == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model of %zu classes", K);
    const number_list lists[] = {
        {our_keys[COUNT_SCALES],  numbers,         K,            0,    100},
        {our_keys[COUNT_SHIFTS],  numbers + K,     K,            -100, 100},
        {our_keys[COUNT_SPREADS], numbers + 2 * K, K,            0,    10 },
        {our_keys[COUNT_TAILS],   numbers + 3 * K, K * LC_TAILS, 0,    1  },
    };
    loco_status status = read_lists(model, where, lists, 4, err);
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        model->count_calibration[k].scale = numbers[k];
        model->count_calibration[k].shift = numbers[K + k];
        model->count_calibration[k].spread = numbers[2 * K + k];
        memcpy(model->count_calibration[k].tails, numbers + 3 * K + k * LC_TAILS,
               sizeof model->count_calibration[k].tails);
    }
    model->count_calibrated = status == LOCO_OK;
    free(numbers);
    return status;
}

/* How errors grow with the count: files from before it was measured do without. */
static loco_status read_count_errors(loco_model *model, const char *where, loco_err *err)
{
    size_t K = model->net->classes;
    bool errors_given = lc_model_text(model, our_keys[COUNT_ERRORS]) != NULL;
    if (errors_given != (lc_model_text(model, our_keys[COUNT_SUM_TAILS]) != NULL))
        return lc_err_set(err, LOCO_EDATA, "%.120s: count_errors and count_sum_tails belong together", where);
    if (!model->count_calibrated || !errors_given)
        return LOCO_OK;
    double *numbers = calloc(K, (ERRORS + LC_TAILS) * sizeof *numbers);
    if (numbers == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model of %zu classes", K);
    const number_list lists[] = {
        {our_keys[COUNT_ERRORS],    numbers,              K * ERRORS,   0, 1e12},
        {our_keys[COUNT_SUM_TAILS], numbers + K * ERRORS, K * LC_TAILS, 0, 1   },
    };
    loco_status status = read_lists(model, where, lists, 2, err);
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        lc_count_calibration *c = &model->count_calibration[k];
        const double *errors = numbers + k * ERRORS;
        if (errors[1] > 100 || errors[5] > 100)
            status = lc_err_set(err, LOCO_EDATA, "%.120s: count_errors: an excess of %g, a rate of %g; at most 100",
                                where, errors[1], errors[5]);
        c->detections = errors[0] > 0;
        c->excess = errors[1];
        c->recordings = (size_t)errors[2];
        c->frames = errors[3];
        c->sum_frames = errors[4];
        c->rate = errors[5];
        memcpy(c->sum_tails, numbers + K * ERRORS + k * LC_TAILS, sizeof c->sum_tails);
    }
    free(numbers);
    return status;
}

static loco_status read_classes(loco_model *model, const char *where, loco_err *err)
{
    bool image = model->frontend.ops->picture;
    double late = image ? 60 : 10; /* pixels or seconds */
    const number_list lists[] = {
        {our_keys[OFFSETS],    model->offsets,    model->net->classes, -late, late},
        {our_keys[THRESHOLDS], model->thresholds, model->net->classes, 0,     1   },
        {our_keys[OFFSETS_X],  model->offsets_x,  model->net->classes, -late, late},
    };
    return read_lists(model, where, lists, image ? 3 : 2, err);
}

loco_status loco_model_load(loco_model **out, const char *path, loco_err *err)
{
    loco_model *model = calloc(1, sizeof *model);
    if (model == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a model");
    loco_status status = lc_model_file_load(path, &model->file, err);
    if (status == LOCO_OK) {
        model->net = &model->file->net;
        model->params = model->file->params;
        model->classes = model->file->info.classes;
        status = read_pairs(model, path, err);
    }
    if (status == LOCO_OK)
        status = prepare(model, err);
    if (status == LOCO_OK)
        status = read_classes(model, path, err);
    if (status == LOCO_OK)
        status = read_bands(model, path, err);
    if (status == LOCO_OK)
        status = read_count_calibration(model, path, err);
    if (status == LOCO_OK)
        status = read_count_errors(model, path, err);
    if (status == LOCO_OK && lc_frontend_has_scale(&model->frontend))
        status = read_scale(model, path, err);
    if (status == LOCO_OK && lc_frontend_columns(&model->frontend).n > 0 && !model->frontend.ops->picture)
        status = read_columns(model, path, err);
    if (status != LOCO_OK) {
        loco_model_free(model);
        return status;
    }
    *out = model;
    return LOCO_OK;
}

/* ---- writing ---- */

/* Six decimals: offsets to a microsecond, far below a frame. */
static void write_numbers(lc_text *text, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lc_text_string(text, i > 0 ? " " : "");
        lc_text_number(text, numbers[i], 6);
    }
}

/* With ten digits, whatever the size. */
static void write_digits(lc_text *text, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double size = fabs(numbers[i]) > 0 ? floor(log10(fabs(numbers[i]))) : 0;
        lc_text_string(text, text->length > 0 ? " " : "");
        lc_text_number(text, numbers[i] / pow(10, size), 9);
        lc_text_format(text, "e%d", (int)size);
    }
}

static void write_count_errors(lc_text *texts, const lc_count_calibration *c)
{
    const double errors[ERRORS] = {c->detections, c->excess, (double)c->recordings, c->frames, c->sum_frames, c->rate};
    write_digits(&texts[COUNT_ERRORS], errors, ERRORS);
    write_digits(&texts[COUNT_SUM_TAILS], c->sum_tails, LC_TAILS);
}

static void write_count_calibration(lc_text *texts, const loco_model *model)
{
    for (size_t k = 0; model->count_calibrated && k < model->net->classes; k++) {
        write_digits(&texts[COUNT_SCALES], &model->count_calibration[k].scale, 1);
        write_digits(&texts[COUNT_SHIFTS], &model->count_calibration[k].shift, 1);
        write_digits(&texts[COUNT_SPREADS], &model->count_calibration[k].spread, 1);
        write_digits(&texts[COUNT_TAILS], model->count_calibration[k].tails, LC_TAILS);
        write_count_errors(texts, &model->count_calibration[k]);
    }
}

static bool has_key(const lc_pair *pairs, size_t pairs_len, const char *key)
{
    for (size_t i = 0; i < pairs_len; i++)
        if (strcmp(pairs[i].key, key) == 0)
            return true;
    return false;
}

/* Ours, then `more`, then the other pairs of the file. */
static loco_status save_pairs(const char *path, const loco_model *model, const lc_text *texts, const lc_pair *more,
                              size_t more_len, loco_err *err)
{
    size_t kept_len = model->file != NULL ? model->file->info.pairs_len : 0, n = 0;
    lc_pair *pairs = calloc(OURS + more_len + kept_len, sizeof *pairs);
    if (pairs == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the texts of a model");
    for (size_t i = 0; i < OURS; i++)
        if (texts[i].bytes != NULL && !has_key(more, more_len, our_keys[i]))
            pairs[n++] = (lc_pair){our_keys[i], texts[i].bytes};
    for (size_t i = 0; i < more_len; i++)
        pairs[n++] = more[i];
    for (size_t i = 0; i < kept_len; i++)
        if (!has_key(pairs, n, model->file->info.pairs[i].key))
            pairs[n++] = model->file->info.pairs[i];
    lc_model_info info = {model->classes, model->net->classes, pairs, n};
    loco_status status = lc_model_file_save(path, model->net, model->params, &info, err);
    free(pairs);
    return status;
}

loco_status lc_model_save(const char *path, const loco_model *model, const lc_pair *more, size_t more_len,
                          loco_err *err)
{
    lc_text texts[OURS] = {{0}};
    bool failed = false;
    lc_frontend_format(&model->frontend, &texts[FRONTEND]);
    lc_decoding_format(&model->decoding, &texts[DECODING]);
    write_numbers(&texts[OFFSETS], model->offsets, model->net->classes);
    if (model->frontend.ops->picture)
        write_numbers(&texts[OFFSETS_X], model->offsets_x, model->net->classes);
    write_numbers(&texts[THRESHOLDS], model->thresholds, model->net->classes);
    if (model->bands != NULL)
        write_numbers(&texts[BANDS], model->bands, model->net->classes * LC_ONSET_BANDS);
    if (lc_frontend_has_scale(&model->frontend)) {
        write_digits(&texts[MEANS], model->frontend.usual.mean, model->frontend.channels);
        write_digits(&texts[SPREADS], model->frontend.usual.spread, model->frontend.channels);
    }
    if (model->frontend.columns[0] != '\0')
        lc_text_string(&texts[COLUMNS], model->frontend.columns);
    write_count_calibration(texts, model);
    for (size_t i = 0; i < OURS; i++)
        failed |= texts[i].failed;
    loco_status status = failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the texts of a model")
                                : save_pairs(path, model, texts, more, more_len, err);
    for (size_t i = 0; i < OURS; i++)
        lc_text_free(&texts[i]);
    return status;
}

loco_status loco_model_save(const char *path, const loco_model *model, loco_err *err)
{
    if (path == NULL || model == NULL)
        return lc_err_set(err, LOCO_EARG, "path and model must not be NULL");
    return lc_model_save(path, model, NULL, 0, err);
}

loco_status loco_model_lock(loco_lock **lock, const char *path, loco_err *err)
{
    if (lock == NULL || path == NULL)
        return lc_err_set(err, LOCO_EARG, "lock and path must not be NULL");
    return lc_lock_take(lock, path, err);
}

void loco_lock_free(loco_lock *lock)
{
    lc_lock_drop(lock);
}

/* ---- properties ---- */

size_t loco_model_classes(const loco_model *model)
{
    return model->net->classes;
}

const char *loco_model_class(const loco_model *model, size_t kind)
{
    return kind < model->net->classes ? model->classes[kind] : NULL;
}

double loco_model_rate(const loco_model *model)
{
    return model->frontend.rate;
}

size_t loco_model_channels(const loco_model *model)
{
    return lc_frontend_inputs(&model->frontend);
}

double loco_model_hop(const loco_model *model)
{
    return (double)model->frontend.hop / model->frontend.rate;
}

size_t loco_model_parameters(const loco_model *model)
{
    return model->net->params;
}

double loco_model_look_ahead(const loco_model *model)
{
    if (!model->net->streams)
        return INFINITY;
    return (double)model->net->look_ahead * (double)model->frontend.hop / model->frontend.rate;
}

const char *loco_model_text(const loco_model *model, const char *key)
{
    const lc_front_ops *ops = model->frontend.ops;
    if (strcmp(key, "input") == 0)
        return ops->picture ? "images" : ops->sound ? "sound" : "series";
    return lc_model_text(model, key);
}

/* ---- comparing ---- */

/* "kick,snare,hihat", cut where it is long. */
static void list_classes(const char *const *classes, size_t n, char *list, size_t size)
{
    size_t used = 0, k = 0;
    list[0] = 0;
    for (; k < n && used + 5 < size; k++) {
        int length = snprintf(list + used, size - used, "%s%s", k > 0 ? "," : "", classes[k]);
        used += length > 0 ? (size_t)length : 0;
    }
    if (k < n || used + 1 > size)
        memcpy(list + (used + 4 < size ? used : size - 4), "...", 4);
}

static bool has_class(const char *const *classes, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(classes[k], name) == 0)
            return true;
    return false;
}

loco_status lc_model_check_classes(const loco_model *model, const char *where, const char *const *classes, size_t n,
                                   loco_err *err)
{
    char list[80];
    size_t K = model->net->classes;
    bool same = n == K;
    for (size_t k = 0; same && k < n; k++)
        same = strcmp(classes[k], model->classes[k]) == 0;
    if (same)
        return LOCO_OK;
    list_classes(model->classes, K, list, sizeof list);
    for (size_t k = 0; k < n; k++) {
        if (has_class(model->classes, K, classes[k]))
            continue;
        const char *near = loco_nearest(classes[k], model->classes, K);
        return lc_err_set(err, LOCO_EDATA, "%.60s: \"%.30s\" is not a class of the model, which has %s%s%.30s%s", where,
                          classes[k], list, near != NULL ? "; is it \"" : "", near != NULL ? near : "",
                          near != NULL ? "\"?" : "");
    }
    for (size_t k = 0; k < K; k++)
        if (!has_class(classes, n, model->classes[k]))
            return lc_err_set(err, LOCO_EDATA,
                              "%.60s: no class \"%.30s\"; the model has %s: give counts.csv these columns", where,
                              model->classes[k], list);
    return lc_err_set(err, LOCO_EDATA, "%.60s: the classes must be in the order of the model: %s", where, list);
}

/* SPDX-License-Identifier: MIT
 * runs.c - reads the scores of runs from the JSON of `loco eval --json` (its form is in score_text.c).
 *
 * A file holds one object a line, each a run. The first run decides which classes and tolerances there are, and all
 * later ones must have the same: a mean over different classes would compare nothing. Every value of a run is a double
 * in one array, NaN where the object does not have it:
 *
 *     (classes + 1, tolerances, LC_RUN_FIELDS) scores, the last class being all; then LC_RUN_COUNTS values of counts */
#include "eval/runs.h"

#include "base/file.h"
#include "base/json.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 1 << 26 };

/* ---- values ---- */

static double *cell(const lc_runs *runs, double *values, size_t kind, size_t tolerance)
{
    size_t row = kind == LC_ALL_KINDS ? runs->classes_len : kind;
    return values + (row * runs->tolerances_len + tolerance) * LC_RUN_FIELDS;
}

static double *counts_of(const lc_runs *runs, double *values)
{
    return values + (runs->classes_len + 1) * runs->tolerances_len * LC_RUN_FIELDS;
}

double lc_runs_value(const lc_runs *runs, size_t run, size_t kind, size_t tolerance, lc_run_field field)
{
    return cell(runs, runs->values[run], kind, tolerance)[field];
}

double lc_runs_count(const lc_runs *runs, size_t run, lc_run_count field)
{
    return counts_of(runs, runs->values[run])[field];
}

void lc_runs_free(lc_runs *runs)
{
    for (size_t i = 0; i < runs->classes_len; i++)
        free(runs->classes[i]);
    for (size_t i = 0; i < runs->methods_len; i++)
        free(runs->methods[i]);
    for (size_t i = 0; i < runs->len; i++)
        free(runs->values[i]);
    free(runs->classes);
    free(runs->methods);
    free(runs->values);
    free(runs->method);
    *runs = (lc_runs){0};
}

/* ---- one object ---- */

/* The place of a run, for messages. */
typedef struct run_place {
    const char *where;
    size_t line;
} run_place;

static loco_status wrong(run_place p, const char *what, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA, "%.120s:%zu: %s; a line of loco eval --json is needed", p.where, p.line, what);
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static const cJSON *part(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static void read_rates(const cJSON *from, double *to)
{
    to[0] = number(from, "precision");
    to[1] = number(from, "recall");
    to[2] = number(from, "f1");
}

/* All scores of a class at one tolerance; only the object of all classes has "class_mean". */
static void read_at(const cJSON *at, double *to)
{
    read_rates(at, to + LC_RUN_PRECISION);
    read_rates(part(at, "recording_mean"), to + LC_RUN_RECORDING_PRECISION);
    read_rates(part(at, "class_mean"), to + LC_RUN_CLASS_PRECISION);
    to[LC_RUN_ERROR_MEAN] = number(at, "error_mean");
    to[LC_RUN_ERROR_SD] = number(at, "error_sd");
}

/* One class, or all, at every tolerance, which must be those of the first run. */
static loco_status read_kind(const lc_runs *runs, const cJSON *object, size_t kind, double *values, run_place p,
                             loco_err *err)
{
    const cJSON *list = part(object, "at");
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != runs->tolerances_len)
        return wrong(p, "other tolerances than in the first run", err);
    for (size_t t = 0; t < runs->tolerances_len; t++) {
        const cJSON *at = cJSON_GetArrayItem(list, (int)t);
        if (!(fabs(number(at, "tolerance") - runs->tolerances[t]) < 1e-9))
            return wrong(p, "other tolerances than in the first run", err);
        read_at(at, cell(runs, values, kind, t));
    }
    return LOCO_OK;
}

/* By name, since sets of events alone have their classes in the order of first appearance. */
static const cJSON *find_class(const cJSON *classes, const char *wanted)
{
    for (const cJSON *object = classes->child; object != NULL; object = object->next) {
        const cJSON *name = part(object, "name");
        if (cJSON_IsString(name) && strcmp(name->valuestring, wanted) == 0)
            return object;
    }
    return NULL;
}

static loco_status read_values(const lc_runs *runs, const cJSON *root, double *values, run_place p, loco_err *err)
{
    const cJSON *classes = part(root, "classes"), *all = part(root, "all"), *counts = part(all, "counts");
    if (!cJSON_IsArray(classes) || (size_t)cJSON_GetArraySize(classes) != runs->classes_len)
        return wrong(p, "other classes than in the first run", err);
    loco_status status = read_kind(runs, all, LC_ALL_KINDS, values, p, err);
    for (size_t k = 0; status == LOCO_OK && k < runs->classes_len; k++) {
        const cJSON *object = find_class(classes, runs->classes[k]);
        if (object == NULL)
            return wrong(p, "other classes than in the first run", err);
        status = read_kind(runs, object, k, values, p, err);
    }
    double *to = counts_of(runs, values);
    to[LC_RUN_COUNT_EXACT] = number(counts, "exact");
    to[LC_RUN_COUNT_ERROR] = number(counts, "absolute_error");
    to[LC_RUN_COUNT_BIAS] = number(counts, "bias");
    to[LC_RUN_COUNT_LOSS] = number(counts, "log_loss");
    return status;
}

/* ---- classes and tolerances of the first run ---- */

static bool is_of_images(const cJSON *root)
{
    const cJSON *unit = part(root, "unit");
    return cJSON_IsString(unit) && strcmp(unit->valuestring, "px") == 0;
}

static loco_status read_tolerances(lc_runs *runs, const cJSON *root, run_place p, loco_err *err)
{
    const cJSON *list = part(part(root, "all"), "at");
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    if (n < 0 || n > LC_TOLERANCES_MAX)
        return wrong(p, "no scores", err);
    for (int t = 0; t < n; t++) {
        runs->tolerances[t] = number(cJSON_GetArrayItem(list, t), "tolerance");
        if (!(runs->tolerances[t] > 0))
            return wrong(p, "a tolerance that is not a number above 0", err);
    }
    runs->tolerances_len = (size_t)n;
    runs->images = is_of_images(root);
    return LOCO_OK;
}

/* On failure the names so far are freed with the runs: add_line. */
static loco_status read_shape(lc_runs *runs, const cJSON *root, run_place p, loco_err *err)
{
    const cJSON *classes = part(root, "classes");
    int n = cJSON_IsArray(classes) ? cJSON_GetArraySize(classes) : 0;
    if (n < 1 || n > LC_RUNS_CLASSES_MAX)
        return wrong(p, "no classes, or more than a table can hold", err);
    loco_status status = read_tolerances(runs, root, p, err);
    if (status != LOCO_OK)
        return status;
    runs->classes = calloc((size_t)n, sizeof(char *));
    if (runs->classes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %d classes", n);
    for (int k = 0; k < n; k++) {
        const cJSON *name = part(cJSON_GetArrayItem(classes, k), "name");
        if (!cJSON_IsString(name))
            return wrong(p, "a class without a name", err);
        runs->classes[k] = strdup(name->valuestring);
        if (runs->classes[k] == NULL)
            return lc_err_set(err, LOCO_ENOMEM, "out of memory for %d classes", n);
        runs->classes_len++;
    }
    return LOCO_OK;
}

/* ---- adding ---- */

/* The number of a method, which is a new one when the name is. Room for every run's was made before. */
static loco_status find_method(lc_runs *runs, const char *name, size_t *method, loco_err *err)
{
    for (size_t i = 0; i < runs->methods_len; i++)
        if (strcmp(runs->methods[i], name) == 0) {
            *method = i;
            return LOCO_OK;
        }
    char *copy = strdup(name);
    if (copy == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for runs");
    *method = runs->methods_len;
    runs->methods[runs->methods_len++] = copy;
    return LOCO_OK;
}

/* Arrays of LC_RUNS_MAX pointers, once: a run can then be added without another failure than its own memory. */
static loco_status make_room(lc_runs *runs, loco_err *err)
{
    if (runs->len == LC_RUNS_MAX)
        return lc_err_set(err, LOCO_EDATA, "more than %d runs", LC_RUNS_MAX);
    if (runs->values != NULL)
        return LOCO_OK;
    runs->values = calloc(LC_RUNS_MAX, sizeof(double *));
    runs->methods = calloc(LC_RUNS_MAX, sizeof(char *));
    runs->method = calloc(LC_RUNS_MAX, sizeof *runs->method);
    return runs->values != NULL && runs->methods != NULL && runs->method != NULL
               ? LOCO_OK
               : lc_err_set(err, LOCO_ENOMEM, "out of memory for runs");
}

/* One run; on failure the runs before it stay. */
static loco_status add_object(lc_runs *runs, const char *method, const cJSON *root, run_place p, loco_err *err)
{
    loco_status status = make_room(runs, err);
    if (status == LOCO_OK && runs->classes == NULL)
        status = read_shape(runs, root, p, err);
    if (status != LOCO_OK)
        return status;
    size_t cells = (runs->classes_len + 1) * runs->tolerances_len * LC_RUN_FIELDS + LC_RUN_COUNTS;
    double *values = calloc(cells, sizeof *values);
    status = values == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for runs")
                            : read_values(runs, root, values, p, err);
    if (status == LOCO_OK)
        status = find_method(runs, method, &runs->method[runs->len], err);
    if (status == LOCO_OK)
        runs->values[runs->len++] = values;
    else
        free(values);
    return status;
}

static loco_status add_line(lc_runs *runs, const char *method, const char *line, size_t length, run_place p,
                            loco_err *err)
{
    cJSON *root;
    loco_status status = lc_json_parse(&root, p.where, line, length, err);
    if (status != LOCO_OK)
        return status;
    status = add_object(runs, method, root, p, err);
    cJSON_Delete(root);
    if (status != LOCO_OK && runs->len == 0) /* a shape that no run has */
        lc_runs_free(runs);
    return status;
}

loco_status lc_runs_add(lc_runs *runs, const char *method, const char *where, const char *text, size_t length,
                        loco_err *err)
{
    size_t before = runs->len;
    run_place p = {where, 1};
    for (size_t at = 0; at < length; p.line++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t bytes = end != NULL ? (size_t)(end - text) - at : length - at, blank = 0;
        while (blank < bytes && strchr(" \t\r", text[at + blank]) != NULL)
            blank++;
        loco_status status = blank < bytes ? add_line(runs, method, text + at, bytes, p, err) : LOCO_OK;
        if (status != LOCO_OK)
            return status;
        at += bytes + 1;
    }
    return runs->len > before ? LOCO_OK : lc_err_set(err, LOCO_EDATA, "%.150s holds no scores", where);
}

loco_status lc_runs_load(lc_runs *runs, const loco_run *run, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(run->path, FILE_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_runs_add(runs, run->method, run->path, bytes, length, err);
    free(bytes);
    return status;
}

/* SPDX-License-Identifier: MIT
 * model_cases.h - what tests of models share: a scratch folder, networks with random weights, edited files. */
#ifndef TESTS_MODEL_CASES_H
#define TESTS_MODEL_CASES_H

#include "cases.h"

#include "base/file.h"
#include "model/model_file.h"

#include <unistd.h>

static char case_folder[] = "/tmp/loco-model-XXXXXX";

/* The path of a file in the scratch folder; good until the call after the next. */
static inline const char *case_path(const char *name)
{
    static char paths[2][512];
    static int turn;
    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", case_folder, name);
    return paths[turn];
}

/* Networks that use all layers with parameters, and some without. */
typedef struct case_net {
    const char *line;
    size_t F, C;
} case_net;

static const case_net case_nets[] = {
    {"dense 3",                                                                     1,  1},
    {"conv 3x4 8, pool 2, conv 3x4 16, pool 2, lstm 24, dense 16 sigmoid, dense 3", 32, 2},
    {"norm, dense 8 relu as wide, gru 5, join wide, dense 2",                       7,  1},
    {"bias, lstm 4 both, gru 3 both, dense 1",                                      6,  1},
};

enum { CASE_NETS = sizeof case_nets / sizeof *case_nets };

/* A network with weights and names; params are to be freed. */
typedef struct case_model {
    lc_net net;
    float *params;
    const char *names[32];
    lc_pair pairs[2];
    lc_model_info info;
} case_model;

/* Floats over the whole range, with 0, -0 and denormals among them. */
static inline void case_floats(lc_rng *rng, float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (float)ldexp(lc_rng_normal(rng), (int)case_below(rng, 280) - 160);
        if (!isfinite(x[i]))
            x[i] = -0.0f;
    }
}

static inline void case_model_make(case_model *m, const case_net *from, uint64_t seed)
{
    static const char *const names[] = {"kick", "sn\xc3\xa4re", "\"hat\"", "d", "e", "f", "g", "h"};
    lc_rng rng = lc_rng_seed(seed);
    loco_err err = {""};
    *m = (case_model){.params = NULL};
    if (lc_net_parse(&m->net, from->line, strlen(from->line), from->F, from->C, &err) != LOCO_OK ||
        m->net.classes > 8) {
        fprintf(stderr, "%s: %s\n", from->line, err.text);
        exit(1);
    }
    m->params = case_array(m->net.params, sizeof *m->params);
    case_floats(&rng, m->params, m->net.params);
    memcpy(m->names, names, sizeof names);
    m->pairs[0] = (lc_pair){"licence", "CC0 \xe2\x80\x93 free"};
    m->pairs[1] = (lc_pair){"trained on", "{\"clips\": 12}\n"};
    m->info = (lc_model_info){m->names, m->net.classes, m->pairs, 2};
}

/* Writes a model file again with arrays and pairs changed by `change`. */
typedef struct case_parts {
    lc_array arrays[64];
    size_t arrays_len;
    lc_pair pairs[16];
    size_t pairs_len;
} case_parts;

static inline void case_rewrite(const char *path, void (*change)(case_parts *parts))
{
    lc_tensors *file = NULL;
    case_parts parts = {.arrays_len = 0};
    CHECK_STATUS(lc_tensors_load(path, &file, NULL), LOCO_OK);
    if (file == NULL || file->arrays_len > 60 || file->pairs_len > 14)
        exit(1);
    memcpy(parts.arrays, file->arrays, file->arrays_len * sizeof *file->arrays);
    memcpy(parts.pairs, file->pairs, file->pairs_len * sizeof *file->pairs);
    parts.arrays_len = file->arrays_len;
    parts.pairs_len = file->pairs_len;
    change(&parts);
    CHECK_STATUS(lc_tensors_save(path, parts.arrays, parts.arrays_len, parts.pairs, parts.pairs_len, NULL), LOCO_OK);
    lc_tensors_free(file);
}

static inline void case_begin(void)
{
    if (mkdtemp(case_folder) == NULL) {
        perror(case_folder);
        exit(1);
    }
}

#endif

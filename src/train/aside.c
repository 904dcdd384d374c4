/* SPDX-License-Identifier: MIT
 * aside.c - which classes a model tells, and its last layer without the others.
 *
 * Counts of toms, cymbals and percussion teach what is no kick, snare or hi-hat. While the network learns they are classes
 * as others are; the model that is saved has the outputs of the first classes alone. The weights of a dense layer are one
 * matrix (inputs + 1, units), the bias its last row, so that an output is a column:
 *
 *     wide    | kick snare hihat tom cymbal |      narrow   | kick snare hihat |
 */
#include "train/aside.h"

#include "base/status.h"

#include <string.h>

/* The class that a word is; K for none. */
static size_t find(const char *word, size_t length, const char *const *classes, size_t K)
{
    size_t k = 0;
    while (k < K && (strlen(classes[k]) != length || memcmp(classes[k], word, length) != 0))
        k++;
    return k;
}

loco_status lc_aside_told(size_t *told, const char *names, const char *const *classes, size_t K, loco_err *err)
{
    size_t n = 0, first = K;
    bool more = *names != 0;
    for (const char *at = names; more;) { /* also what is behind a last comma: an empty name, which no class has */
        size_t length = strcspn(at, ","), k = find(at, length, classes, K);
        if (k == K)
            return lc_err_set(err, LOCO_EARG, "aside=%.60s: there is no class \"%.*s\" in the data", names,
                              (int)(length < 40 ? length : 40), at);
        first = k < first ? k : first;
        n++;
        more = at[length] == ',';
        at += length + more;
    }
    if (n >= K)
        return lc_err_set(err, LOCO_EARG, "aside=%.60s leaves no class that the model could tell", names);
    if (first != K - n) /* a name twice, or another class behind */
        return lc_err_set(err, LOCO_EARG, "aside=%.60s: these must be the last %zu columns of counts.csv, each once",
                          names, n);
    *told = K - n;
    return LOCO_OK;
}

void lc_aside_narrow(const lc_net *wide, const float *params, const lc_net *narrow, float *out)
{
    const lc_layer *last = &wide->layers[wide->layers_len - 1];
    size_t K = wide->classes, told = narrow->classes, rows = last->params / K, before = last->params_at;
    memcpy(out, params, before * sizeof *out);
    for (size_t i = 0; i < rows; i++)
        memcpy(out + before + i * told, params + before + i * K, told * sizeof *out);
}

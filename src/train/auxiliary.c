/* SPDX-License-Identifier: MIT
 * auxiliary.c - which classes a model reports, and its last layer without the others.
 *
 * Counts of toms, cymbals and percussion teach what is not a kick, snare or hi-hat. In training these are classes like
 * all others; the model that is saved has the outputs of the first classes alone. The weights of a dense layer are one
 * matrix (inputs + 1, units), the bias its last row, so that an output is a column:
 *
 *     wide    | kick snare hihat tom cymbal |      narrow   | kick snare hihat |
 */
#include "train/auxiliary.h"

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

loco_status lc_auxiliary_reported(size_t *reported, const char *names, const char *const *classes, size_t K,
                                  loco_err *err)
{
    size_t n = 0, first = K;
    bool more = *names != 0;
    for (const char *at = names; more;) { /* also the name behind a last comma: empty, which no class has */
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
        return lc_err_set(err, LOCO_EARG, "aside=%.60s leaves no class for the model to report", names);
    if (first != K - n) /* a name twice, or another class behind */
        return lc_err_set(err, LOCO_EARG, "aside=%.60s: these must be the last %zu columns of counts.csv, each once",
                          names, n);
    *reported = K - n;
    return LOCO_OK;
}

/* All layers before the last are the same, and their parameters come first: one copy. Of the last layer each row
 * keeps its first columns. */
void lc_auxiliary_narrow(const lc_net *wide, const float *params, const lc_net *narrow, float *out)
{
    const lc_layer *last = &wide->layers[wide->layers_len - 1];
    size_t K = wide->classes, reported = narrow->classes, rows = last->params.size / K, before = last->params.at;
    memcpy(out, params, before * sizeof *out);
    for (size_t i = 0; i < rows; i++)
        memcpy(out + before + i * reported, params + before + i * K, reported * sizeof *out);
}

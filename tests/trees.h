/* SPDX-License-Identifier: MIT
 * trees.h - a product tree for tests that look inside it. */
#ifndef TESTS_TREES_H
#define TESTS_TREES_H

#include "cases.h"

#include "count/tree.h"

/* Reserves and loads a tree; returns the number of certain events. It lives in the handle until the next call. */
static inline size_t tree_of(lc_tree *tree, loco_count *count, const double *z, size_t T)
{
    size_t shared, local;
    loco_err err;
    lc_strided series = lc_strided_double(z);
    lc_tree_measure(count, T, &shared, &local);
    if (lc_count_reserve(count, shared, local, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return lc_tree_load(tree, count, &series, T);
}

static inline double tree_reach(const double *z, size_t T)
{
    double reach = 0;
    for (size_t t = 0; t < T; t++)
        reach = fmax(reach, fabs(z[t]));
    return reach;
}

#endif

/* SPDX-License-Identifier: MIT
 * octaves.c - scores of pitches by octave: sums of the rows of its classes. */
#include "eval/octaves.h"

#include "events/pitches.h"

#include <math.h>
#include <stdio.h>

lc_octave_name lc_octave_show(size_t octave)
{
    lc_octave_name name;
    int number = (int)octave - 1;
    snprintf(name.text, sizeof name.text, "C%d to B%d", number, number);
    return name;
}

static double ratio(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* Adds a class. Until the end error_mean and error_sd hold sums: of errors, and of their squares. */
static void add(lc_score_row *sum, const lc_score_row *row)
{
    double n = (double)row->matched;
    sum->reference += row->reference;
    sum->estimated += row->estimated;
    sum->matched += row->matched;
    sum->error_mean += n * row->error_mean;
    sum->error_sd += n * (row->error_sd * row->error_sd + row->error_mean * row->error_mean);
}

lc_score_row lc_octave_read(const lc_score *score, const char *const *names, size_t octave, size_t tolerance)
{
    lc_score_row sum = {0};
    for (size_t k = 0; k < lc_score_classes(score); k++) {
        unsigned pitch = 0;
        lc_score_row row = lc_score_read(score, k, tolerance, LC_POOLED, LC_EMPTY_ZERO);
        if (lc_pitch_of(&pitch, names[k]) && pitch / 12 == octave)
            add(&sum, &row);
    }
    sum.precision = ratio(sum.matched, sum.estimated);
    sum.recall = ratio(sum.matched, sum.reference);
    sum.f1 = ratio(2 * sum.matched, sum.reference + sum.estimated);
    if (sum.matched > 0) {
        double n = (double)sum.matched;
        sum.error_mean /= n;
        sum.error_sd = sqrt(fmax(0, sum.error_sd / n - sum.error_mean * sum.error_mean));
    }
    return sum;
}

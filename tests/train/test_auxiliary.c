/* SPDX-License-Identifier: MIT
 * test_auxiliary.c - which classes are reported, and a last layer with the columns of these alone. */
#include "check.h"

#include "train/auxiliary.h"

#include <stdlib.h>
#include <string.h>

static const char *const classes[] = {"kick", "snare", "tom", "cymbal"};

static void refuse(const char *names, const char *says)
{
    size_t reported = 77;
    loco_err err = {""};
    CHECK_STATUS(lc_auxiliary_reported(&reported, names, classes, 4, &err), LOCO_EARG);
    CHECK(reported == 77 && strstr(err.text, says) != NULL);
}

static void wrong_names_are_refused(void)
{
    refuse("bell", "no class \"bell\"");
    refuse("cymba", "no class \"cymba\"");
    refuse("cymbal,", "no class \"\"");
    refuse(",", "no class \"\"");
    refuse("tom", "last 1 columns");
    refuse("snare,cymbal", "last 2 columns");
    refuse("cymbal,cymbal", "last 2 columns");
    refuse("tom,cymbal,kick,snare", "no class for the model to report");
}

static void last_classes_are_auxiliary(void)
{
    static const char *const names[] = {"", "cymbal", "tom,cymbal", "cymbal,tom", "tom,snare,cymbal"};
    static const size_t want[] = {4, 3, 2, 2, 1};
    for (size_t i = 0; i < 5; i++) {
        size_t reported = 77;
        CHECK_STATUS(lc_auxiliary_reported(&reported, names[i], classes, 4, NULL), LOCO_OK);
        CHECK_EQ(reported, want[i]);
    }
}

static lc_net net_of(const char *line)
{
    lc_net net;
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), 6, 1, NULL), LOCO_OK);
    return net;
}

/* All layers but the last as they are; of the last, row by row, the first columns. */
static void columns_are_left_out(void)
{
    lc_net wide = net_of("dense 5 relu, gru 3, dense 4"), narrow = net_of("dense 5 relu, gru 3, dense 2");
    float *params = calloc(wide.params, sizeof *params), *out = calloc(narrow.params, sizeof *out);
    size_t rows = 3 + 1, before = wide.params - rows * 4, wrong = 0;
    CHECK_EQ(narrow.params, before + rows * 2);
    for (size_t i = 0; i < wide.params; i++)
        params[i] = (float)i;
    lc_auxiliary_narrow(&wide, params, &narrow, out);
    for (size_t i = 0; i < before; i++)
        wrong += (size_t)out[i] != i;
    for (size_t row = 0; row < rows; row++)
        for (size_t k = 0; k < 2; k++)
            wrong += (size_t)out[before + row * 2 + k] != before + row * 4 + k;
    CHECK_EQ(wrong, 0);
    free(params);
    free(out);
}

int main(void)
{
    RUN(wrong_names_are_refused);
    RUN(last_classes_are_auxiliary);
    RUN(columns_are_left_out);
    return check_done();
}

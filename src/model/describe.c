/* SPDX-License-Identifier: MIT
 * describe.c - a model in words, for loco inspect: classes, calibration, front end, network, decoding, latency, and what the
 * file says of itself. */
#include "base/number.h"
#include "base/show.h"
#include "base/status.h"
#include "base/text.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { MANY = 12, LISTED = 24 }; /* classes whose numbers are not listed one by one, and whose names are */

/* How many of the values are shown: one, where many classes have the same. */
static size_t shown(const double *values, size_t K)
{
    for (size_t k = 1; k < K; k++)
        if (values[k] < values[0] || values[k] > values[0])
            return K;
    return K > MANY ? 1 : K;
}

/* How the logit of a count follows from its expectation. */
static void describe_counts(const loco_model *model, lc_text *text)
{
    size_t K = model->net->classes;
    lc_text_string(text, "  counts      ");
    for (size_t k = 0; K <= MANY && k < K; k++) {
        lc_text_format(text, "%s", k > 0 ? ", " : "");
        lc_text_number(text, model->count_calibration[k].scale, 2);
        lc_text_string(text, model->count_calibration[k].shift < 0 ? " z - " : " z + ");
        lc_text_number(text, fabs(model->count_calibration[k].shift), 2);
        lc_text_string(text, " +- ");
        lc_text_number(text, 100 * model->count_calibration[k].spread, 1);
        lc_text_string(text, " %");
    }
    lc_text_string(text, K > MANY ? "calibrated\n" : " of logits z\n");
}

static void put_signed(lc_text *text, double value)
{
    lc_text_string(text, value >= 0 ? "+" : "");
    lc_text_fixed(text, value, 1);
}

static void describe_offsets(const loco_model *model, lc_text *text)
{
    bool image = model->frontend.ops->picture;
    size_t K = model->net->classes, right = shown(model->offsets_x, K), n = shown(model->offsets, K);
    lc_text_string(text, "\n  offsets     ");
    for (size_t k = 0; k < (n > right ? n : right); k++) {
        lc_text_string(text, k > 0 ? ", " : "");
        if (image)
            put_signed(text, model->offsets_x[k]);
        lc_text_string(text, image ? " " : "");
        put_signed(text, image ? model->offsets[k] : 1000 * model->offsets[k]);
    }
    lc_text_string(text, image ? " pixels to the right and down, subtracted" : " ms late, subtracted");
}

static void describe_classes(const loco_model *model, lc_text *text)
{
    size_t K = model->net->classes;
    lc_text_string(text, "  classes     ");
    if (K > LISTED)
        lc_text_format(text, "%s to %s: %zu", model->classes[0], model->classes[K - 1], K);
    for (size_t k = 0; K <= LISTED && k < K; k++)
        lc_text_format(text, "%s%s", k > 0 ? ", " : "", model->classes[k]);
    describe_offsets(model, text);
    lc_text_string(text, "\n  thresholds  ");
    for (size_t k = 0; k < shown(model->thresholds, model->net->classes); k++) {
        lc_text_string(text, k > 0 ? ", " : "");
        lc_text_fixed(text, model->thresholds[k], 2);
    }
    lc_text_string(text, "\n");
    if (model->count_calibrated)
        describe_counts(model, text);
}

/* Several lines of a text stand below each other. */
static void describe_pairs(const loco_model *model, lc_text *text)
{
    for (size_t i = 0; model->file != NULL && i < model->file->info.pairs_len; i++) {
        const lc_pair *pair = &model->file->info.pairs[i];
        if (lc_model_owns(pair->key))
            continue;
        lc_shown name = lc_show(pair->key);
        for (const char *line = pair->value; *line != 0; name.text[0] = '\0') {
            size_t length = strcspn(line, "\n");
            lc_text_format(text, "  %-11s %.*s\n", name.text, (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
}

loco_status loco_model_describe(char **out, const loco_model *model, loco_err *err)
{
    lc_text text = {0};
    describe_classes(model, &text);
    lc_text_string(&text, "  front end   ");
    lc_frontend_format(&model->frontend, &text);
    if (model->frontend.columns[0] != '\0')
        lc_text_format(&text, "\n  columns     %s", model->frontend.columns);
    lc_text_string(&text, "\n  network     ");
    lc_net_format(model->net, &text);
    lc_text_format(&text, "\n  parameters  %zu\n  decoding    ", model->net->params);
    lc_decoding_format(&model->decoding, &text);
    lc_text_string(&text, "\n");
    if (!model->frontend.ops->picture) {
        lc_text_string(&text, "  latency     ");
        lc_text_fixed(&text, 1000 * loco_model_latency(model), 1);
        lc_text_string(&text, " ms from an event to its report\n");
    }
    describe_pairs(model, &text);
    if (text.failed) {
        lc_text_free(&text);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to describe a model");
    }
    *out = text.bytes;
    return LOCO_OK;
}

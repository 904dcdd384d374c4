/* SPDX-License-Identifier: MIT
 * test_localised.c - whether a model localises: what is measured of a model that finds bursts, and of one that expects
 *   the same number everywhere; when there is a warning, and what it advises. */
#include "burst_model.h"

#include "train/localised.h"

enum { MOST = 256 };

static lc_plan *plan;

/* Trains nothing: reads the set as a run would. */
static void make_plan(void)
{
    static double times[MOST];
    static const char *const sets[] = {"held=0", "frontend.bands=24"};
    loco_train_options how = {.size = sizeof how, .sets = sets, .sets_len = 2, .threads = 1};
    loco_err err = {""};
    burst_set("set", 20, 1, times, MOST);
    if (lc_plan_new(&plan, run_path("set"), &how, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

/* Measures a model with these parameters. */
static lc_localised measure(const float *params)
{
    static const char *const names[] = {"burst"};
    char line[64];
    lc_net net;
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    loco_model *model = NULL;
    lc_localised row = {0};
    snprintf(line, sizeof line, "%s, dense 1", burst_network);
    CHECK_STATUS(lc_frontend_parse(&front, "mel bands=24", NULL), LOCO_OK);
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), BURST_BANDS, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_model_view(&model, &net, params, names, &front, &decoding, NULL), LOCO_OK);
    CHECK_STATUS(lc_localised_measure(&row, model, plan, NULL), LOCO_OK);
    loco_model_free(model);
    return row;
}

static bool warns(const lc_localised *row)
{
    lc_text text = {0};
    lc_localised_advice(&text, row, (const char *const[]){"burst"}, 1, plan);
    bool any = text.bytes != NULL && strstr(text.bytes, "warning: burst is not") != NULL;
    CHECK(any == (text.length > 0) && (!any || strstr(text.bytes, "stand out") != NULL));
    lc_text_free(&text);
    return any;
}

static void bursts_are_localised(void)
{
    float params[BURST_PARAMS(1)];
    burst_params(params, 2, 1);
    lc_localised row = measure(params);
    CHECK(row.found > 0.4 * row.expected && row.counts > 20 && row.missed < 0.2 * row.counts);
    CHECK(!warns(&row));
}

/* Every frame has the same probability, and their sum is about the count. */
static void an_even_rate_is_not(void)
{
    float params[BURST_PARAMS(1)] = {0};
    params[BURST_PARAMS(1) - 1] = -3.4f;
    lc_localised row = measure(params);
    CHECK_NEAR(row.found, 0, 0);
    CHECK(row.expected > 0.5 * row.counts && row.expected < 2 * row.counts);
    CHECK(warns(&row));
}

static void bounds_are_kept(void)
{
    CHECK(!warns(&(lc_localised){.expected = 100, .found = 90, .counts = 100, .missed = 10}));
    CHECK(!warns(&(lc_localised){.expected = 100, .found = 20, .counts = 100, .missed = 4}));
    CHECK(warns(&(lc_localised){.expected = 100, .found = 5, .counts = 100, .missed = 4}));
    CHECK(!warns(&(lc_localised){.expected = 100, .found = 5, .counts = 100, .missed = 1}));
    CHECK(warns(&(lc_localised){.expected = 100, .found = 20, .counts = 100, .missed = 40}));
    CHECK(warns(&(lc_localised){.expected = 100, .found = 90, .counts = 100, .missed = 80}));
    CHECK(warns(&(lc_localised){.expected = 10, .found = 9, .counts = 100, .missed = 90}));
    CHECK(!warns(&(lc_localised){.expected = 50, .found = 40}));
    lc_text text = {0};
    lc_localised_advice(&text, &(lc_localised){.expected = 0.1}, (const char *const[]){"burst"}, 1, plan);
    CHECK(text.length == 0);
    lc_text_free(&text);
}

/* What is said of ten classes of which this many are flat; a few events more in each. */
static void ten_classes(lc_text *text, size_t flat, double counts)
{
    static const char *const names[10] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    lc_localised rows[10];
    for (size_t k = 0; k < 10; k++)
        rows[k] = (lc_localised){counts, k < flat ? 0 : counts, counts, k < flat ? counts : 0};
    lc_localised_advice(text, rows, names, 10, plan);
}

static size_t lines_of(const lc_text *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++)
        n += text->bytes[i] == '\n';
    return n;
}

static void many_classes_share_a_line(void)
{
    lc_text none = {0}, few = {0}, rare = {0}, all = {0};
    ten_classes(&none, 0, 50);
    CHECK(none.length == 0);
    ten_classes(&few, 2, 50);
    CHECK(lines_of(&few) == 1 && strstr(few.bytes, "2 of 10 classes are not found reliably: a, b;") != NULL);
    ten_classes(&rare, 2, 5);
    CHECK(rare.length == 0);
    ten_classes(&all, 10, 5);
    CHECK(lines_of(&all) == 1 && strstr(all.bytes, "the sum of the 10 classes is not localised") != NULL);
    lc_text_free(&few);
    lc_text_free(&all);
}

int main(void)
{
    run_begin();
    make_plan();
    RUN(bursts_are_localised);
    RUN(an_even_rate_is_not);
    RUN(bounds_are_kept);
    RUN(many_classes_share_a_line);
    lc_plan_free(plan);
    return run_done();
}

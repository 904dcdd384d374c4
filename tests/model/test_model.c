/* SPDX-License-Identifier: MIT
 * test_model.c - models that are ready to use: the texts of their files, written and read back, and messages for
 *   files in which they are missing or invalid. */
#include "burst_model.h"

#include "signal/onset.h"

/* Saves m.loco again with one pair changed, or with NULL left out. */
static void save_with(const char *key, const char *value)
{
    lc_model_file *file = NULL;
    lc_pair pairs[16];
    size_t n = 0;
    burst_model("m.loco", 2, 2);
    CHECK_STATUS(lc_model_file_load(run_path("m.loco"), &file, NULL), LOCO_OK);
    for (size_t i = 0; i < file->info.pairs_len && n < 15; i++)
        if (strcmp(file->info.pairs[i].key, key) != 0)
            pairs[n++] = file->info.pairs[i];
    if (value != NULL)
        pairs[n++] = (lc_pair){key, value};
    lc_model_info info = {file->info.classes, file->info.classes_len, pairs, n};
    CHECK_STATUS(lc_model_file_save(run_path("m.loco"), &file->net, file->params, &info, NULL), LOCO_OK);
    lc_model_file_free(file);
}

static void refuse(const char *key, const char *value, const char *says)
{
    loco_model *model = NULL;
    loco_err err = {""};
    save_with(key, value);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), &err), LOCO_EDATA);
    CHECK(model == NULL);
    CHECK_SAYS(err.text, "m.loco");
    CHECK_SAYS(err.text, says);
}

static void garbled_files_are_refused(void)
{
    loco_model *model = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_model_load(&model, run_path("none.loco"), &err), LOCO_EIO);
    CHECK_SAYS(err.text, "none.loco");
    run_write("text.loco", "this is not a model");
    CHECK_STATUS(loco_model_load(&model, run_path("text.loco"), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "text.loco");
    refuse("frontend", NULL, "but no front end for its input");
    refuse("frontend", "mel bnads=24", "bands");
    refuse("frontend", "mel bands=25", "gives 50 values a frame, but the network reads 24 x 2");
    refuse("decoding", "maas", "mass");
    refuse("decoding", "mass threshold=2", "threshold");
    refuse("offsets", "0.1", "offsets needs 2 numbers from -10 to 10, not \"\"");
    refuse("offsets", "0.1 x", "not \"x\"");
    refuse("offsets", "0.1 nan", "not \"nan\"");
    refuse("offsets", "0.1 11", "not \"11\"");
    refuse("offsets", "0.1 0.2 0.3", "not \"0.3\"");
    refuse("offsets", "0.1,0.2", "not \"0.1,0.2\"");
    refuse("onset_bands", "0.1 1", "onset_bands needs 40 numbers from 0 to 1, not \"\"");
    refuse("thresholds", "0.1 1.5", "thresholds needs 2 numbers from 0 to 1");
    refuse("thresholds", "", "not \"\"");
    refuse("count_scales", "1 1", "count_");
    refuse("count_errors", "1 1 1 1 1 1 1 1 1 1 1 1", "count_errors and count_sum_tails belong together");
}

static void null_arguments_are_refused(void)
{
    loco_model *model = NULL;
    loco_err err = {""};
    burst_model("m.loco", 2, 2);
    CHECK_STATUS(loco_model_open(NULL, run_path("m.loco"), &err), LOCO_EARG);
    CHECK_SAYS(err.text, "must not be NULL");
    CHECK_STATUS(loco_model_open(&model, NULL, &err), LOCO_EARG);
    CHECK_STATUS(loco_model_open(&model, run_path("m.loco"), &err), LOCO_OK);
    CHECK_STATUS(loco_model_save(NULL, model, &err), LOCO_EARG);
    CHECK_STATUS(loco_model_save(run_path("n.loco"), NULL, &err), LOCO_EARG);
    loco_lock *lock = NULL;
    CHECK_STATUS(loco_model_lock(NULL, run_path("m.loco"), &err), LOCO_EARG);
    CHECK_STATUS(loco_model_lock(&lock, NULL, &err), LOCO_EARG);
    CHECK(lock == NULL);
    loco_lock_free(NULL);
    CHECK_STATUS(loco_model_fold(NULL, "a", &err), LOCO_EARG);
    CHECK_STATUS(loco_model_fold(&model, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "model and classes must not be NULL");
    CHECK_EQ(loco_model_channels(model), 1);
    CHECK_NEAR(loco_model_hop(model), (double)model->frontend.hop / model->frontend.rate, 0);
    loco_model_free(model);
    model = NULL;
    CHECK_STATUS(loco_model_fold(&model, "a", &err), LOCO_EARG);
}

/* 88 pitches: the description and messages name the first and the last, or as many as there is room for. */
static void many_classes_are_listed_in_short(void)
{
    enum { K = 88 };
    static char names[K][8];
    const char *classes[K];
    float params[2 * K] = {0};
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    lc_net net;
    loco_model *model = NULL;
    loco_err err = {""};
    char *text = NULL;
    for (int k = 0; k < K; k++) {
        snprintf(names[k], sizeof names[k], "%d", 21 + k);
        classes[k] = names[k];
    }
    CHECK_STATUS(lc_frontend_parse(&front, "series rate=50 channels=1 scale=running", &err), LOCO_OK);
    CHECK_STATUS(lc_net_parse(&net, "dense 88", 8, 1, 1, &err), LOCO_OK);
    CHECK_STATUS(lc_model_view(&model, &net, params, classes, &front, &decoding, &err), LOCO_OK);
    model->count_calibrated = true;
    CHECK_STATUS(loco_model_describe(&text, model, &err), LOCO_OK);
    CHECK_SAYS(text, "21 to 108: 88");
    CHECK_SAYS(text, "counts      calibrated");
    loco_free(text);
    CHECK_STATUS(lc_model_check_classes(model, "here", classes, 87, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "here: no class \"108\"; the model has 21,22,23");
    CHECK_SAYS(err.text, "...: give counts.csv these columns");
    loco_model_free(model);
}

/* A model of series names its columns, as many as it reads. */
static void invalid_columns_are_refused(void)
{
    static const char *const columns[] = {"x", "x,,z", "x,y,z,w"};
    static const char *const says[] = {"1 columns have a name", "column",
                                       "4 columns have a name, and the front end reads 3"};
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    lc_net net;
    loco_model *made = NULL, *model = NULL;
    float params[64] = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_parse(&front, "series rate=50 channels=3 scale=fixed", &err), LOCO_OK);
    for (size_t c = 0; c < 3; c++)
        front.usual.spread[c] = 1;
    CHECK_STATUS(lc_net_parse(&net, "dense 1", 7, 1, 3, &err), LOCO_OK);
    CHECK_STATUS(lc_model_view(&made, &net, params, (const char *const[]){"step"}, &front, &decoding, &err), LOCO_OK);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        snprintf(made->frontend.columns, sizeof made->frontend.columns, "%s", columns[i]);
        CHECK_STATUS(lc_model_save(run_path("c.loco"), made, NULL, 0, &err), LOCO_OK);
        CHECK_STATUS(loco_model_load(&model, run_path("c.loco"), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "c.loco");
        CHECK_SAYS(err.text, says[i]);
    }
    loco_model_free(made);
}

/* A model of series keeps the scale of its channels to the last bit of a float. */
static void scales_of_series_are_kept(void)
{
    static const double means[] = {-1.2345678e-7, 0, 98765.4321}, spreads[] = {3.3e-9, 1, 7.0 / 3};
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    lc_net net;
    loco_model *made = NULL, *model = NULL;
    float params[64] = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_parse(&front, "series rate=50 channels=3 scale=fixed", &err), LOCO_OK);
    for (size_t c = 0; c < 3; c++) {
        front.usual.mean[c] = (double)(float)means[c];
        front.usual.spread[c] = (double)(float)spreads[c];
    }
    CHECK_STATUS(lc_net_parse(&net, "dense 1", 7, 1, 3, &err), LOCO_OK);
    CHECK_STATUS(lc_model_view(&made, &net, params, (const char *const[]){"step"}, &front, &decoding, &err), LOCO_OK);
    CHECK_STATUS(lc_model_save(run_path("s.loco"), made, NULL, 0, &err), LOCO_OK);
    CHECK_STATUS(loco_model_load(&model, run_path("s.loco"), &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(model->frontend.ops == &lc_front_series && model->frontend.norm == LC_NORM_FIXED);
    for (size_t c = 0; c < 3; c++) {
        CHECK_NEAR(model->frontend.usual.mean[c], front.usual.mean[c], 0);
        CHECK_NEAR(model->frontend.usual.spread[c], front.usual.spread[c], 0);
    }
    loco_model_free(model);
    loco_model_free(made);
}

/* Files of others, without decoding and calibration, are usable. */
static void missing_texts_have_default_values(void)
{
    loco_model *model = NULL;
    save_with("decoding", NULL);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK(model->decoding.method == LC_DECODE_MASS);
    loco_model_free(model);
    save_with("offsets", NULL);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK(model->offsets[0] >= 0 && model->offsets[0] <= 0 && model->offsets[1] <= 0);
    loco_model_free(model);
    save_with("thresholds", NULL);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK_NEAR(model->thresholds[1], model->decoding.threshold, 0);
    loco_model_free(model);
    loco_model_free(NULL);
}

static void all_goes_there_and_back(void)
{
    loco_model *model = NULL, *back = NULL;
    loco_err err = {""};
    lc_pair more[] = {
        {"licence", "mine"            },
        {"data",    "one\ntwo lines\n"}
    };
    burst_model("m.loco", 1, 2);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), &err), LOCO_OK);
    model->offsets[0] = -0.013212;
    model->offsets[1] = 0.0049;
    model->thresholds[0] = 0.28;
    model->thresholds[1] = 1;
    model->bands = calloc(2 * LC_ONSET_BANDS, sizeof *model->bands);
    CHECK(model->bands != NULL);
    for (size_t b = 0; model->bands != NULL && b < 2 * LC_ONSET_BANDS; b++)
        model->bands[b] = (double)b / 64;
    model->decoding.gap = 0.055;
    model->frontend.gain = 33;
    CHECK_STATUS(lc_model_save(run_path("n.loco"), model, more, 2, &err), LOCO_OK);
    CHECK_STATUS(loco_model_load(&back, run_path("n.loco"), &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(case_same(back->offsets, model->offsets, 2 * sizeof(double)));
    CHECK(case_same(back->thresholds, model->thresholds, 2 * sizeof(double)));
    CHECK(case_same(back->bands, model->bands, 2 * LC_ONSET_BANDS * sizeof(double)));
    CHECK(case_same(back->params, model->params, model->net->params * sizeof(float)));
    CHECK(case_same(&back->frontend, &model->frontend, sizeof back->frontend));
    CHECK(back->decoding.method == LC_DECODE_PEAK);
    CHECK_NEAR(back->decoding.gap, 0.055, 0);
    CHECK_STR(lc_model_text(back, "licence"), "mine");
    CHECK_STR(lc_model_text(back, "data"), "one\ntwo lines\n");
    CHECK(lc_model_text(back, "recipe") == NULL);
    CHECK_EQ(loco_model_classes(back), 2);
    CHECK_STR(loco_model_class(back, 1), "ghost");
    CHECK(loco_model_class(back, 2) == NULL);
    CHECK_NEAR(loco_model_rate(back), 22050, 0);
    /* saved again, other pairs of the file are kept, and a new value of a pair wins */
    CHECK_STATUS(lc_model_save(run_path("o.loco"), back, &(lc_pair){"licence", "yours"}, 1, &err), LOCO_OK);
    loco_model_free(model);
    CHECK_STATUS(loco_model_load(&model, run_path("o.loco"), &err), LOCO_OK);
    CHECK_STR(lc_model_text(model, "licence"), "yours");
    CHECK_STR(lc_model_text(model, "data"), "one\ntwo lines\n");
    CHECK_NEAR(model->offsets[0], -0.013212, 0);
    CHECK_STATUS(lc_model_save(run_path("no/o.loco"), back, NULL, 0, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "no/o.loco");
    loco_model_free(model);
    loco_model_free(back);
}

static void models_describe_themselves(void)
{
    loco_model *model = NULL;
    char *text = NULL;
    CHECK_STATUS(loco_model_load(&model, run_path("o.loco"), NULL), LOCO_OK);
    CHECK_STATUS(loco_model_describe(&text, model, NULL), LOCO_OK);
    CHECK_SAYS(text, "classes     burst, ghost\n");
    CHECK_SAYS(text, "offsets     -13.2, +4.9 ms late, subtracted\n");
    CHECK_SAYS(text, "thresholds  0.28, 1.00\n");
    CHECK_SAYS(text, "front end   mel rate=22050");
    CHECK_SAYS(text, "network     conv 5x1 1 linear, dense 2\n");
    CHECK_SAYS(text, "parameters  61\n");
    CHECK_SAYS(text, "licence     yours\n");
    CHECK_SAYS(text, "  data        one\n              two lines\n");
    loco_free(text);
    loco_model_free(model);
}

/* A view uses changed parameters after lc_model_renew. */
static void views_follow_their_parameters(void)
{
    static const char *const names[] = {"a"};
    static float params[BURST_BANDS * 2 + 1];
    lc_net net;
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    loco_model *model = NULL;
    CHECK_STATUS(lc_frontend_parse(&front, "mel bands=24", NULL), LOCO_OK);
    CHECK_STATUS(lc_net_parse(&net, "dense 1", 7, BURST_BANDS, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_model_view(&model, &net, params, names, &front, &decoding, NULL), LOCO_OK);
    size_t bytes = net.packed * sizeof(float);
    float *before = case_array(net.packed, sizeof *before);
    memcpy(before, model->packed.data, bytes);
    params[3] = 7;
    CHECK(case_same(before, model->packed.data, bytes));
    lc_model_renew(model);
    CHECK(!case_same(before, model->packed.data, bytes));
    CHECK(lc_model_text(model, "frontend") == NULL);
    CHECK_NEAR(model->thresholds[0], decoding.threshold, 0);
    free(before);
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    RUN(garbled_files_are_refused);
    RUN(null_arguments_are_refused);
    RUN(invalid_columns_are_refused);
    RUN(many_classes_are_listed_in_short);
    RUN(scales_of_series_are_kept);
    RUN(missing_texts_have_default_values);
    RUN(all_goes_there_and_back);
    RUN(models_describe_themselves);
    RUN(views_follow_their_parameters);
    return run_done();
}

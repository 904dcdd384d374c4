/* SPDX-License-Identifier: MIT
 *
 * cmd_calibrate.c - `loco calibrate`: a model's time offsets, thresholds and intervals of counts, measured and stored.
 */
#include "args.h"
#include "files.h"

#include <stdio.h>
#include <string.h>

static loco_status calibrate_file(char **findings, const char *path, const char *data,
                                  const loco_calibrate_options *how, loco_err *err)
{
    loco_model *model = NULL;
    char *text = NULL;
    loco_status status = loco_model_load(&model, path, err);
    if (status == LOCO_OK)
        status = loco_calibrate(&text, model, data, how, err);
    if (status == LOCO_OK)
        status = loco_model_save(path, model, err);
    if (status == LOCO_OK)
        *findings = text;
    else
        loco_free(text);
    loco_model_free(model);
    return status;
}

static int calibrate(const char *model, const char *data, const loco_calibrate_options *how)
{
    loco_err err = {""};
    char *findings = NULL, *path = NULL;
    loco_lock *lock = NULL;
    loco_status status = lc_files_model(&path, model, &err);
    if (status == LOCO_OK && strcmp(path, model) != 0)
        status = lc_cli_error(&err, LOCO_EARG,
                              "%.60s is shared by all who use its name; calibrate a copy of your own: cp %.120s .",
                              model, path);
    if (status == LOCO_OK)
        status = lc_files_check_data(data, &err);
    if (status == LOCO_OK) /* before the model is read: a training would replace it meanwhile, or be undone */
        status = loco_model_lock(&lock, path, &err);
    if (status == LOCO_OK)
        lc_files_clean(path);
    if (status == LOCO_OK)
        status = calibrate_file(&findings, path, data, how, &err);
    loco_lock_free(lock);
    loco_free(path);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fputs(findings, stdout);
    loco_free(findings);
    return LC_EXIT_OK;
}

int lc_command_calibrate(int argc, char **argv)
{
    const char *model = NULL, *pool = NULL;
    bool blind = false, counts = false;
    uint64_t threads = 2;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &model, "the model, which is changed; required"),
        lc_option_flag("blind", 'b', &blind, "use no event times, only sound and counts"),
        lc_option_flag("counts", 0, &counts, "measure the intervals of counts alone: events stay as they are"),
        lc_option_text("pool", 0, "WORD", &pool, "all classes share an offset and a threshold, or none do (see below)"),
        lc_option_amount("threads", 't', "N", &threads, "threads; same result for any number (2)"),
    };
    const lc_usage usage = {
        .command = "calibrate",
        .line = "-m MODEL DATA [--blind] [--counts]",
        .about =
            "Measures the time offset and the threshold of each class, and how wide the intervals of its counts must be\n"
            "(loco count), and stores all of it in the model. With event times: from those. Without, or with --blind: the\n"
            "offset from the onsets in the sound around the model's own detections, the threshold from the counts. The\n"
            "intervals come from clips with exact counts. Of images, offsets are pixels to the right and down, from known\n"
            "positions or else from what is seen around detections. Never use test data for this.",
        .notes =
            "--pool: where there are many classes, most have too few events to be measured alone. So all share one offset\n"
            "and one threshold where classes are pitches (numbers of notes, 21 to 108), or more than 24; --pool none\n"
            "measures each, --pool all none, however few there are.\n",
        .example = "loco calibrate -m drums.loco drums-set --blind",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (model == NULL)
        return lc_args_wrong(&usage, "give a model: -m MODEL");
    if (files_len != 1)
        return lc_args_wrong(&usage, "name one data set: a folder with sounds, and counts.csv or events.csv");
    if (threads > 1024)
        return lc_args_wrong(&usage, "--threads takes 1 to 1024");
    if (pool != NULL && strcmp(pool, "all") != 0 && strcmp(pool, "none") != 0)
        return lc_args_wrong(&usage, "--pool takes all or none, not %s", pool);
    const loco_calibrate_options how = {
        .size = sizeof how, .blind = blind, .counts = counts, .threads = (unsigned)threads, .pool = pool};
    return calibrate(model, argv[0], &how);
}

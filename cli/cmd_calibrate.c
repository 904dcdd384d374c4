/* SPDX-License-Identifier: MIT
 *
 * cmd_calibrate.c - `loco calibrate`: a model's time offsets, thresholds and trust in counts, measured and stored.
 */
#include "args.h"
#include "files.h"

#include <stdio.h>
#include <string.h>

int lc_command_calibrate(int argc, char **argv)
{
    const char *model = NULL;
    bool blind = false;
    uint64_t threads = 2;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &model, "the model, which is changed; needed"),
        lc_option_flag("blind", 'b', &blind, "use no event times, only sound and counts"),
        lc_option_amount("threads", 't', "N", &threads, "threads; the result is the same for any number (2)"),
    };
    const lc_usage usage = {
        .command = "calibrate",
        .line = "-m MODEL DATA [--blind]",
        .about =
            "Measures how late each class is told, from which probability on events count, and how far its counts can be\n"
            "trusted (loco detect --count), and stores all of it in the model. With event times: from those. Without, or\n"
            "with --blind: the offset from the onsets in the sound around the model's own detections, the threshold from\n"
            "the counts. The trust in counts is from clips with exact counts. Never use test data for this.",
        .example = "loco calibrate -m drums.loco drums-set --blind",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (model == NULL)
        return lc_args_wrong(&usage, "say which model: -m MODEL");
    if (files_len != 1)
        return lc_args_wrong(&usage, "name one data set: a folder with sounds, and counts.csv or events.csv");
    if (threads > 1024)
        return lc_args_wrong(&usage, "--threads takes 1 to 1024");
    loco_err err = {""};
    char *findings = NULL, *path = NULL;
    loco_status status = lc_files_model(&path, model, &err);
    if (status == LOCO_OK && strcmp(path, model) != 0)
        status = lc_cli_error(&err, LOCO_EARG,
                              "%.60s is shared by all who use its name; calibrate a copy of your own: cp %.120s .",
                              model, path);
    loco_free(path);
    if (status == LOCO_OK)
        status = lc_files_check_data(argv[0], &err);
    if (status == LOCO_OK)
        status = loco_calibrate(model, argv[0], blind, (unsigned)threads, &findings, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fputs(findings, stdout);
    loco_free(findings);
    return LC_EXIT_OK;
}

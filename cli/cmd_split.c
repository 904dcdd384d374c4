/* SPDX-License-Identifier: MIT
 *
 * cmd_split.c - `loco split`: one data set into several, by recording.
 */
#include "args.h"
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A word of digits and a point is a share, anything else a pattern. */
static bool read_test(const char *word, loco_split_options *how)
{
    if (word[strspn(word, "0123456789.")] != 0) {
        how->pattern = word;
        return true;
    }
    char *end;
    how->test = strtod(word, &end);
    return end != word && *end == 0 && how->test > 0 && how->test < 1;
}

static int run_split(const char *data, const char *folder, const loco_split_options *how)
{
    loco_err err = {""};
    size_t recordings[LOCO_SPLIT_PARTS];
    loco_status status = lc_files_check_data(data, &err);
    if (status == LOCO_OK)
        status = loco_split(recordings, folder, data, how, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    lc_cli_print(stderr, folder);
    fprintf(stderr, ": %zu recordings in train, %zu in test", recordings[LOCO_SPLIT_TRAIN],
            recordings[LOCO_SPLIT_TEST]);
    if (recordings[LOCO_SPLIT_VALID] > 0)
        fprintf(stderr, ", %zu in valid", recordings[LOCO_SPLIT_VALID]);
    fputs("\n", stderr);
    return LC_EXIT_OK;
}

int lc_command_split(int argc, char **argv)
{
    const char *folder = NULL, *test = NULL;
    loco_split_options how = {.size = sizeof how, .seed = 1};
    const lc_option options[] = {
        lc_option_text("test", 0, "WHAT", &test, "the test set: a share such as 0.2, or a pattern of names; required"),
        lc_option_real("valid", 0, "SHARE", &how.valid, "a share of the rest, to choose models by (0: none)"),
        lc_option_integer("seed", 's', "N", &how.seed, "random seed (1)"),
        lc_option_text("output", 'o', "FOLDER", &folder, "where train, test and valid go; required"),
    };
    const lc_usage usage = {
        .command = "split",
        .line = "DATA --test SHARE|PATTERN -o FOLDER [options]",
        .about =
            "Makes data sets for training and testing of one, by recording: FOLDER/train and FOLDER/test, with links to\n"
            "the sounds and the rows of counts.csv and events.csv that belong to them. The test set is a share of the\n"
            "recordings, drawn at random, or those whose name fits a pattern, such as 'RealDrum*'.",
        .example = "loco split drums-set --test 0.25 -o parts",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 1)
        return lc_args_wrong(&usage, "name one data set: a folder with counts.csv or events.csv");
    if (folder == NULL)
        return lc_args_wrong(&usage, "say where the parts go: -o FOLDER");
    if (test == NULL || test[0] == 0)
        return lc_args_wrong(&usage, "say what the test set is: --test 0.2, or --test 'RealDrum*'");
    if (!(how.valid >= 0 && how.valid < 1))
        return lc_args_wrong(&usage, "--valid takes a share from 0 to below 1, not %g", how.valid);
    if (!read_test(test, &how))
        return lc_args_wrong(&usage, "--test takes a share between 0 and 1, or a pattern of names, not \"%s\"", test);
    return run_split(argv[0], folder, &how);
}

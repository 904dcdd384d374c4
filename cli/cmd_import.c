/* SPDX-License-Identifier: MIT
 *
 * cmd_import.c - `loco import`: public data sets in their own layout, made into ours.
 */
#include "args.h"

#include <stdio.h>

int lc_command_import(int argc, char **argv)
{
    const char *folder = NULL;
    const lc_option options[] = {
        lc_option_text("output", 'o', "SET", &folder, "where the data set goes: a new folder; needed"),
    };
    const lc_usage usage = {
        .command = "import",
        .line = "KIND FOLDER -o SET",
        .about = "Makes a data set of a public one that you have: links to its sounds, and events.csv.",
        .notes = "kinds:\n  mdb    MDB Drums, FOLDER holds audio/ and class/: kick, snare and hi-hat\n",
        .example = "loco import mdb mdb-drums -o mdb-set",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len, recordings = 0, events = 0;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 2 || folder == NULL)
        return lc_args_wrong(&usage, "name the kind, its folder and -o SET: loco import mdb mdb-drums -o mdb-set");
    loco_err err = {""};
    loco_status status = loco_import(argv[0], argv[1], folder, &recordings, &events, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fprintf(stderr, "%s: %zu recordings, %zu events\n", folder, recordings, events);
    return LC_EXIT_OK;
}

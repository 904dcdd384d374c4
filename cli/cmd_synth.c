/* SPDX-License-Identifier: MIT
 *
 * cmd_synth.c - `loco synth drums`: a data set of made-up recordings, to try things out and to learn from.
 */
#include "args.h"

#include <stdio.h>
#include <string.h>

int lc_command_synth(int argc, char **argv)
{
    const char *folder = NULL;
    uint64_t recordings = 24, seed = 1;
    double seconds = 20;
    bool unseen = false, distractors = false;
    const lc_option options[] = {
        lc_option_text("output", 'o', "FOLDER", &folder, "where the data set goes; made when missing; needed"),
        lc_option_amount("recordings", 'n', "N", &recordings, "how many (24)"),
        lc_option_real("seconds", 0, "S", &seconds, "length of each (20)"),
        lc_option_integer("seed", 's', "N", &seed, "where chance starts (1)"),
        lc_option_flag("unseen", 0, &unseen, "timbres that never occur without this option: a test set"),
        lc_option_flag("distractors", 0, &distractors, "also toms, claps, cymbals and others that no column counts"),
    };
    const lc_usage usage = {
        .command = "synth",
        .line = "drums -o FOLDER [options]",
        .about =
            "Writes a data set of made-up drum recordings: sound files, counts.csv with the counts of kick, snare and\n"
            "hi-hat in clips of 0.4 to 0.8 s, and events.csv with all times, to score with.",
        .example = "loco synth drums -o more-drums --recordings 4 --seed 2",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len == 0)
        return lc_args_wrong(&usage, "say what to make: loco synth drums");
    if (files_len > 1 || strcmp(argv[0], "drums") != 0)
        return lc_args_wrong(&usage, "\"%s\" cannot be made; drums can", argv[files_len > 1 ? 1 : 0]);
    if (folder == NULL)
        return lc_args_wrong(&usage, "say where the data set goes: -o FOLDER");
    loco_err err = {""};
    loco_synthesis synthesis = {(size_t)recordings, seconds, seed, unseen, distractors};
    loco_status status = loco_synth_drums(folder, &synthesis, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fprintf(stderr, "%llu recordings of %g s are in %s, with counts.csv and events.csv\n",
            (unsigned long long)recordings, seconds, folder);
    return LC_EXIT_OK;
}

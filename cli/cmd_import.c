/* SPDX-License-Identifier: MIT
 *
 * cmd_import.c - `loco import`: public data sets in their own layout, made into ours.
 */
#include "args.h"

#include <stdio.h>

static void tell(const char *folder, const loco_imported *done)
{
    fprintf(stderr, "%s: %zu recordings, %zu events\n", folder, done->recordings, done->events);
    if (done->left_out > 0)
        fprintf(stderr, "%s: %zu events of other classes are left out\n", folder, done->left_out);
    if (done->skipped > 0)
        fprintf(stderr, "%s: %zu recordings without annotation are left out, the first is %s\n", folder, done->skipped,
                done->first_skipped);
}

int lc_command_import(int argc, char **argv)
{
    loco_importing how = {.kind = NULL};
    const lc_option options[] = {
        lc_option_text("output", 'o', "SET", &how.to, "where the data set goes: a new folder; needed"),
        lc_option_text("mix", 0, "MIX", &how.mix, "mdb: drums, full; enst: wet, dry, full"),
        lc_option_text("labels", 0, "KIND", &how.labels, "mdb: class, subclass"),
        lc_option_real("clip", 0, "SECONDS", &how.clip, "ecg: how long the clips of counts.csv are (10)"),
        lc_option_text("map", 0, "LIST", &how.map, "what labels become: KD=kick,CY=cymbal; or all, as they are"),
    };
    const lc_usage usage = {
        .command = "import",
        .line = "KIND FOLDER -o SET",
        .about =
            "Makes a data set of a public one that you have: links to its sounds, and events.csv with kick, snare\n"
            "and hi-hat; of ECG, events.csv and counts.csv with normal beats and PVCs.",
        .notes =
            "kinds:\n"
            "  mdb    MDB Drums, FOLDER holds audio/ and class/ or annotations/\n"
            "  enst   ENST-Drums, FOLDER holds drummer_1/ and others\n"
            "  idmt   IDMT-SMT-Drums, FOLDER holds audio/ and annotation_xml/\n"
            "  ecg    records of WFDB such as MIT-BIH, FOLDER holds *.hea, *.dat and *.atr; or *.i16 and *.beats.csv\n",
        .example = "loco import mdb mdb-drums -o mdb-set",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 2 || how.to == NULL)
        return lc_args_wrong(&usage, "name the kind, its folder and -o SET: loco import mdb mdb-drums -o mdb-set");
    how.kind = argv[0];
    how.from = argv[1];
    loco_err err = {""};
    loco_imported imported;
    loco_status status = loco_import(&how, &imported, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    tell(how.to, &imported);
    return LC_EXIT_OK;
}

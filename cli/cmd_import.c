/* SPDX-License-Identifier: MIT
 *
 * cmd_import.c - `loco import`: converts public data sets into ours.
 */
#include "args.h"
#include "files.h"
#include "studio/studio.h"

#include <stdio.h>

static void print_sum(const char *folder, const studio_import_result *done)
{
    lc_cli_say("%s: %zu recordings, %zu events", folder, done->recordings, done->events);
    if (done->left_out > 0)
        lc_cli_say("%s: %zu events of other classes are left out", folder, done->left_out);
    if (done->skipped > 0)
        lc_cli_say("%s: %zu recordings without annotation are left out, the first is %s", folder, done->skipped,
                   done->first_skipped);
}

int lc_command_import(int argc, char **argv)
{
    studio_import_options how = {.size = sizeof how};
    const char *to = NULL;
    const lc_option options[] = {
        lc_option_text("output", 'o', "SET", &to, "where the data set goes: a new folder; required"),
        lc_option_text("mix", 0, "MIX", &how.mix, "mdb: drums, full; enst: wet, dry, full"),
        lc_option_text("labels", 0, "KIND", &how.labels, "mdb: class, subclass, kit; enst: class, kit (every drum)"),
        lc_option_time("clip", 0, &how.clip, "length of the clips of counts.csv (ecg: 10s, pianos: 0.5s)"),
        lc_option_text("classes", 0, "LIST", &how.classes, "maps, maestro: pitches, such as 36-84 (21-108)"),
        lc_option_text("map", 0, "LIST", &how.map, "what labels become: KD=kick,CY=cymbal; or all, as they are"),
    };
    const lc_usage usage = {
        .command = "import",
        .line = "KIND FOLDER -o SET",
        .about =
            "Converts a public data set that you have into ours: links to its sounds, and events.csv with kick, snare\n"
            "and hi-hat; of ECG and pianos, events.csv and counts.csv with normal beats and PVCs, or notes by pitch.",
        .notes =
            "kinds:\n"
            "  mdb    MDB Drums, FOLDER holds audio/ and class/ or annotations/\n"
            "  enst   ENST-Drums, FOLDER holds drummer_1/ and others\n"
            "  idmt   IDMT-SMT-Drums, FOLDER holds audio/ and annotation_xml/\n"
            "  ecg    records of WFDB such as MIT-BIH, FOLDER holds *.hea, *.dat and *.atr; or *.i16 and *.beats.csv\n"
            "  maps   MAPS, FOLDER holds flac/ and tsv/, or NAME.wav beside NAME.txt in any folders\n"
            "  maestro   MAESTRO, FOLDER holds maestro-*.csv or .json; splits become names: test_NAME.wav\n",
        .example = "loco import mdb mdb-drums -o mdb-set",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 2 || to == NULL)
        return lc_args_wrong(&usage, "name the kind, its folder and -o SET: loco import mdb mdb-drums -o mdb-set");
    loco_err err = {""};
    studio_import_result imported;
    lc_files_clean(to);
    loco_status status = studio_import(&imported, argv[0], argv[1], to, &how, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    print_sum(to, &imported);
    return LC_EXIT_OK;
}

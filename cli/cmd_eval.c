/* SPDX-License-Identifier: MIT
 *
 * cmd_eval.c - `loco eval`: how good detections are, against event times.
 *
 *     loco eval -m MODEL DATA                                 detect in all timed recordings of a data set, and score
 *     loco eval --reference events.csv --estimate found.csv   score two lists, without any model
 */
#include "args.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_TOLERANCES = 8, MOST_VERSIONS = 64 };

/* "50,20" in milliseconds into seconds. */
static bool read_tolerances(const char *text, double *tolerances, size_t *len)
{
    *len = 0;
    while (*len < MOST_TOLERANCES) {
        char *end;
        double milliseconds = strtod(text, &end);
        if (end == text || !(milliseconds > 0) || milliseconds > 60000)
            return false;
        tolerances[(*len)++] = milliseconds / 1000;
        if (*end == 0)
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
    return false;
}

/* What eval prints, and with a folder for figures the pictures that belong to it. */
static int write_all(const loco_evaluation *evaluation, const char *figures, bool *met)
{
    loco_err err = {""};
    char *text = NULL;
    loco_status status = loco_evaluate(evaluation, &text, met, &err);
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    fputs(text, stdout);
    loco_free(text);
    if (figures == NULL)
        return LC_EXIT_OK;
    status = loco_figures(figures, evaluation, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    if (evaluation->data != NULL)
        fprintf(stderr, "%s/precision-recall.svg, ", figures);
    fprintf(stderr, "%s/reliability.svg and %s/errors.svg are ready\n", figures, figures);
    return LC_EXIT_OK;
}

static int run_evaluation(loco_evaluation *evaluation, const char *figures)
{
    loco_err err = {""};
    char *model = NULL;
    bool met = true;
    if (figures != NULL && mkdir(figures, 0777) != 0 && errno != EEXIST) {
        lc_cli_complain("cannot make %s: %s", figures, strerror(errno));
        return LC_EXIT_SYSTEM;
    }
    loco_status status = evaluation->data != NULL ? lc_files_model(&model, evaluation->model, &err) : LOCO_OK;
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    evaluation->model = model;
    int written = write_all(evaluation, figures, &met);
    loco_free(model);
    if (written != LC_EXIT_OK)
        return written;
    if (!met && evaluation->json)
        lc_cli_complain("not all requirements are met: %s", evaluation->require);
    return met ? LC_EXIT_OK : LC_EXIT_NO;
}

int lc_command_eval(int argc, char **argv)
{
    loco_evaluation evaluation = {.model = NULL};
    const char *list = "50,20", *figures = NULL;
    double tolerances[MOST_TOLERANCES];
    uint64_t ensemble = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &evaluation.model, "the model that detects: path or name"),
        lc_option_text("reference", 0, "FILE", &evaluation.reference, "true events: CSV, label track or MIDI"),
        lc_option_text("estimate", 0, "FILE", &evaluation.estimate, "events to judge, in the same formats"),
        lc_option_text("tolerance", 't', "MS,...", &list, "milliseconds either way that still match (50,20)"),
        lc_option_text("decoding", 'd', "LINE", &evaluation.how.decoding, "as in loco detect"),
        lc_option_integer("ensemble", 'e', "N", &ensemble, "as in loco detect"),
        lc_option_text("require", 0, "LIST", &evaluation.require, "exit 1 unless met: f1=0.9,f1@20=0.8,count=0.7"),
        lc_option_flag("json", 'j', &evaluation.json, "one JSON object instead of a table"),
        lc_option_text("figures", 0, "DIR", &figures,
                       "also pictures, at the first tolerance: errors, reliability, precision-recall"),
    };
    const lc_usage usage = {
        .command = "eval",
        .line = "-m MODEL DATA | --reference FILE --estimate FILE",
        .about =
            "Compares detected events with true ones: precision, recall, F1 and signed time error for each class, pooled\n"
            "over events and as means over recordings and classes; and predicted with true counts of clips.\n"
            "An event is right within the tolerance of a true one of its class, one to one, as in mir_eval.",
        .notes =
            "DATA is a folder with sounds and event times (events.csv, or a label track or MIDI file beside each sound), or\n"
            "with counts.csv alone: then only counts are compared. Use recordings that were not trained on.\n"
            "requirements: f1, precision, recall (of all events, at the first tolerance, or f1@20 at 20 ms) and count\n"
            "  (part of the counts of clips that are exact), each with its least value\n",
        .example = "loco eval -m drums.loco drums-set",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (!read_tolerances(list, tolerances, &evaluation.tolerances_len))
        return lc_args_wrong(&usage, "--tolerance takes milliseconds above 0, up to %d with commas, not \"%s\"",
                             MOST_TOLERANCES, list);
    bool lists = evaluation.reference != NULL && evaluation.estimate != NULL && files_len == 0;
    bool model = evaluation.model != NULL && files_len == 1 && evaluation.reference == NULL &&
                 evaluation.estimate == NULL;
    if (!lists && !model)
        return lc_args_wrong(&usage, "give a model and one data set, or --reference and --estimate");
    if (figures != NULL && ensemble > 1)
        return lc_args_wrong(&usage, "--figures can show no --ensemble");
    if (ensemble > MOST_VERSIONS)
        return lc_args_wrong(&usage, "--ensemble takes up to %d versions", MOST_VERSIONS);
    loco_err err = {""};
    if (model && lc_files_check_data(argv[0], &err) != LOCO_OK)
        return lc_cli_failure(LOCO_EDATA, &err);
    evaluation.data = model ? argv[0] : NULL;
    evaluation.tolerances = tolerances;
    evaluation.how.ensemble = (unsigned)ensemble;
    return run_evaluation(&evaluation, figures);
}

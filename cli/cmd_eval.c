/* SPDX-License-Identifier: MIT
 *
 * cmd_eval.c - `loco eval`: how good detections are, against event times.
 *
 *     loco eval -m MODEL DATA                                 detect in all timed recordings of a data set, and score
 *     loco eval --reference events.csv --estimate found.csv   score two lists, without any model
 */
#include "args.h"
#include "files.h"
#include "times.h"

#include <stdio.h>

enum { MOST_TOLERANCES = 8, MOST_VERSIONS = 64 };

typedef struct eval_request {
    const char *model, *data, *reference, *estimate, *require, *classes;
    loco_evaluate_options how;
    loco_detect_options detect;
    bool json, recordings, all;
} eval_request;

/* A table also says which requirements are not met, JSON does not. */
static loco_status print_scores(const eval_request *asked, const loco_scores *scores, bool *met, loco_err *err)
{
    char *text = NULL, *rows = NULL, *why = NULL;
    loco_status status = loco_scores_format(&text, scores, asked->json ? "json" : asked->all ? "all" : "table", err);
    if (status == LOCO_OK && asked->recordings && !asked->json)
        status = loco_scores_format(&rows, scores, "recordings", err);
    if (status == LOCO_OK && asked->require != NULL)
        status = loco_scores_require(met, &why, scores, asked->require, err);
    if (status == LOCO_OK) {
        if (rows != NULL)
            printf("%s\n", rows);
        fputs(text, stdout);
        fputs(why != NULL && !asked->json ? why : "", stdout);
    }
    loco_free(text);
    loco_free(rows);
    loco_free(why);
    return status;
}

static loco_status evaluate(const eval_request *asked, const loco_model *model, bool *met, loco_err *err)
{
    loco_scores *scores = NULL;
    loco_status status = model != NULL
                             ? loco_evaluate(&scores, model, asked->data, &asked->how, err)
                             : loco_evaluate_files(&scores, asked->reference, asked->estimate, &asked->how, err);
    if (status == LOCO_OK)
        status = print_scores(asked, scores, met, err);
    loco_scores_free(scores);
    return status;
}

static int run_evaluation(eval_request *asked)
{
    loco_err err = {""};
    loco_model *model = NULL;
    char *path = NULL;
    bool met = true;
    asked->detect.notice = lc_cli_notice;
    loco_status status = asked->data != NULL ? lc_files_load_model(&model, &path, asked->model, &err) : LOCO_OK;
    if (status == LOCO_OK && model != NULL)
        status = asked->classes != NULL ? loco_model_fold(&model, asked->classes, &err)
                                        : loco_model_fit(&model, asked->data, &err);
    if (status == LOCO_OK)
        status = evaluate(asked, model, &met, &err);
    int code = status == LOCO_OK ? LC_EXIT_OK : lc_cli_unread(status, &err);
    loco_model_free(model);
    loco_free(path);
    if (code != LC_EXIT_OK)
        return code;
    if (!met && asked->json)
        lc_cli_complain("not all requirements are met: %s", asked->require);
    return met ? LC_EXIT_OK : LC_EXIT_NO;
}

static const lc_moved moved[] = {
    {"figures", "loco plot evaluation -m MODEL DATA -o FOLDER"          },
    {"t",       "-t is --threads; for tolerances write --tolerance 50ms"},
};

int lc_command_eval(int argc, char **argv)
{
    eval_request asked = {.how = {.size = sizeof asked.how}, .detect = {.size = sizeof asked.detect}};
    const char *list = NULL;
    double tolerances[MOST_TOLERANCES];
    uint64_t ensemble = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &asked.model, "the model that detects: path or name"),
        lc_option_text("reference", 0, "FILE", &asked.reference, "true events: CSV, label track or MIDI"),
        lc_option_text("estimate", 0, "FILE", &asked.estimate, "events to judge, in the same formats"),
        lc_option_text("tolerance", 0, "TIME,...", &list, "largest error of a match (50ms,20ms; of images 10px)"),
        lc_option_text("classes", 0, "LIST", &asked.classes, "as in loco detect; true events are put together, too"),
        lc_option_text("decoding", 'd', "LINE", &asked.detect.decoding, "as in loco detect"),
        lc_option_integer("ensemble", 'e', "N", &ensemble, "as in loco detect"),
        lc_option_text("require", 0, "LIST", &asked.require, "exit 1 unless met: f1=0.9,f1@20=0.8,count=0.7"),
        lc_option_flag("per-recording", 0, &asked.recordings, "first a row for each recording"),
        lc_option_flag("all", 0, &asked.all, "a row for each of more than 24 classes, not each octave"),
        lc_option_flag("json", 'j', &asked.json, "one JSON object instead of tables"),
    };
    const lc_usage usage = {
        .command = "eval",
        .line = "-m MODEL DATA | --reference FILE --estimate FILE",
        .about =
            "Compares detected events with true ones: precision, recall, F1 and signed time error for each class, pooled\n"
            "over events and as means over recordings and classes; and predicted counts of clips with true ones.\n"
            "An event is right within the tolerance of a true one of its class, one to one, as in mir_eval. Of images,\n"
            "within a distance in pixels, with the mean distance, confused classes, and images with one event.",
        .notes =
            "DATA is a folder with sounds and event times (events.csv, or a label track or MIDI file beside each sound), or\n"
            "with counts.csv alone: then only counts are compared. Use recordings that were not trained on.\n"
            "requirements: f1, precision, recall (of all events, at the first tolerance, or f1@20 at 20 ms) and count\n"
            "  (share of the counts of clips that are exact), each with its least value\n"
            "drums: loco eval -m drums my-set --classes kick,snare,hihat\n"
            "images: loco eval -m digits.loco digits-test --tolerance 14px\n"
            "pictures: loco plot evaluation -m MODEL DATA -o FOLDER\n",
        .example = "loco eval -m drums.loco drums-set",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    loco_err err = {""};
    if (list != NULL && lc_tolerances_parse(tolerances, &asked.how.tolerances_len, &asked.how.pixels, MOST_TOLERANCES,
                                            list, &err) != LOCO_OK)
        return lc_args_wrong(&usage, "--tolerance %s: %s", list, err.text);
    bool lists = asked.reference != NULL && asked.estimate != NULL && files_len == 0;
    bool model = asked.model != NULL && files_len == 1 && asked.reference == NULL && asked.estimate == NULL;
    if (!lists && !model)
        return lc_args_wrong(&usage, "give a model and one data set, or --reference and --estimate");
    if (asked.classes != NULL && !model)
        return lc_args_wrong(&usage, "--classes needs a model: loco eval -m MODEL DATA --classes LIST");
    if (ensemble > MOST_VERSIONS)
        return lc_args_wrong(&usage, "--ensemble takes up to %d versions", MOST_VERSIONS);
    if (model && lc_files_check_data(argv[0], &err) != LOCO_OK)
        return lc_cli_failure(LOCO_EDATA, &err);
    asked.data = model ? argv[0] : NULL;
    asked.how.tolerances = list != NULL ? tolerances : NULL;
    asked.how.detect = &asked.detect;
    asked.detect.ensemble = (unsigned)ensemble;
    return run_evaluation(&asked);
}

/* SPDX-License-Identifier: MIT
 *
 * cmd_plot.c - `loco plot`: all pictures, as SVG files.
 *
 * A kind of picture is a function in a table, with the options that it takes; a new one is a function and a line there.
 */
#include "args.h"
#include "files.h"
#include "numbers.h"
#include "runs.h"
#include "times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TOLERANCES = 8 };

/* As typed; files are those after the kind. */
typedef struct plot_request {
    const char *model, *output, *title, *label, *class_name, *reference, *estimate, *tolerance, *decoding;
    double from, to, rate; /* from, to: -1 when not given */
    char **files;
    size_t files_len;
} plot_request;

typedef struct plot_kind {
    const char *name, *output; /* output: where it goes without -o */
    const char *options;       /* that it takes besides --output and --title, each with a space before and after */
    int (*draw)(const lc_usage *usage, const plot_request *asked);
} plot_kind;

/* The exit status of a picture; says where it is. */
static int finish(const plot_request *asked, loco_status status, const loco_err *err)
{
    if (status != LOCO_OK)
        return lc_cli_failure(status, err);
    lc_cli_say("%s is ready", asked->output);
    return LC_EXIT_OK;
}

/* ---- a part of a recording ---- */

/* To the classes of the data set that the recording lies in, if it does. */
static loco_status fit_to_folder(loco_model **model, const char *recording, loco_err *err)
{
    char folder[4096];
    size_t length = (size_t)(lc_files_base(recording) - recording);
    if (length >= sizeof folder)
        return LOCO_OK;
    snprintf(folder, sizeof folder, "%.*s", (int)length, length > 0 ? recording : "");
    if (length == 0)
        snprintf(folder, sizeof folder, ".");
    return lc_files_is_set(folder) ? loco_model_fit(model, folder, err) : LOCO_OK;
}

static int draw_clip(const lc_usage *usage, const plot_request *asked)
{
    loco_err err = {""};
    loco_model *model = NULL;
    char *path = NULL;
    double from = asked->from > 0 ? asked->from : 0;
    if (asked->model == NULL)
        return lc_files_no_model(usage);
    if (asked->files_len != 1 || lc_files_is_folder(asked->files[0]))
        return lc_args_wrong(usage, "loco plot clip takes one recording");
    if (!(asked->to > from))
        return lc_args_wrong(usage, "give the part to draw, such as --from 1s --to 2.5s: --to must be after --from");
    const char *recording = asked->files[0];
    loco_status status = lc_files_load_model(&model, &path, asked->model, &err);
    if (status == LOCO_OK)
        status = lc_files_check_input(recording, &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(asked->output, &err);
    if (status == LOCO_OK)
        status = fit_to_folder(&model, recording, &err);
    if (status == LOCO_OK)
        status = loco_plot_clip(asked->output, model, recording, from, asked->to, asked->title, &err);
    loco_model_free(model);
    loco_free(path);
    return finish(asked, status, &err);
}

/* ---- logits ---- */

static loco_status draw_logits(const plot_request *asked, loco_label label, loco_err *err)
{
    loco_count *count = NULL;
    lc_numbers logits = {0};
    const char *path = asked->files[0], *name = strcmp(path, "-") == 0 ? "standard input" : path;
    loco_status status = lc_numbers_load(&logits, path, err);
    if (status == LOCO_EIO) /* an input that cannot be read is not an output that cannot be written */
        return LOCO_EDATA;
    if (status == LOCO_OK)
        status = loco_count_new(&count, 1, err);
    if (status == LOCO_OK)
        status = loco_plot_count(asked->output, count, logits.values, logits.len, label, asked->rate,
                                 asked->title != NULL ? asked->title : name, err);
    loco_count_free(count);
    lc_numbers_free(&logits);
    return status;
}

static int draw_count(const lc_usage *usage, const plot_request *asked)
{
    loco_err err = {""};
    loco_label label = loco_label_unknown();
    if (asked->files_len != 1)
        return lc_args_wrong(usage, "loco plot count draws one file of logits, not %zu", asked->files_len);
    if (asked->rate < 0)
        return lc_args_wrong(usage, "--rate takes frames per second, not %g", asked->rate);
    if (asked->label != NULL && loco_label_parse(&label, asked->label, strlen(asked->label), &err) != LOCO_OK)
        return lc_args_wrong(usage, "--label: %s", err.text);
    return finish(asked, draw_logits(asked, label, &err), &err);
}

/* ---- training ---- */

static int draw_training(const lc_usage *usage, const plot_request *asked)
{
    loco_err err = {""};
    if (asked->files_len != 1)
        return lc_args_wrong(usage, "loco plot training takes one log, such as drums.loco.jsonl");
    loco_status status = lc_files_check_input(asked->files[0], &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(asked->output, &err);
    if (status == LOCO_OK)
        status = loco_plot_training(asked->output, asked->files[0], asked->title, &err);
    return finish(asked, status, &err);
}

static int draw_runs(const lc_usage *usage, const plot_request *asked)
{
    loco_err err = {""};
    loco_run *runs = NULL;
    if (asked->files_len == 0)
        return lc_args_wrong(usage, "name runs: NAME=LOG, such as exact=first.loco.jsonl");
    loco_status status = lc_runs_split(&runs, asked->files, asked->files_len, &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(asked->output, &err);
    if (status == LOCO_OK)
        status = loco_plot_runs(asked->output, runs, asked->files_len, asked->title, &err);
    free(runs);
    return finish(asked, status, &err);
}

/* ---- scores ---- */

static int draw_scores(const lc_usage *usage, const plot_request *asked)
{
    loco_err err = {""};
    loco_run *runs = NULL;
    if (asked->files_len == 0)
        return lc_args_wrong(usage, "name runs: NAME=FILE.json, such as exact=first.json");
    loco_status status = lc_runs_split(&runs, asked->files, asked->files_len, &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(asked->output, &err);
    if (status == LOCO_OK)
        status = loco_plot_scores(asked->output, runs, asked->files_len, asked->class_name, asked->title, &err);
    free(runs);
    return finish(asked, status, &err);
}

/* ---- an evaluation ---- */

static loco_status evaluate_model(const plot_request *asked, const loco_evaluate_options *how, loco_err *err)
{
    loco_model *model = NULL;
    char *path = NULL;
    const char *title = asked->title;
    loco_status status = lc_files_load_model(&model, &path, asked->model, err);
    if (status == LOCO_OK && title == NULL)
        title = lc_files_base(path);
    if (status == LOCO_OK)
        status = lc_files_check_data(asked->files[0], err);
    if (status == LOCO_OK)
        status = loco_model_fit(&model, asked->files[0], err);
    if (status == LOCO_OK)
        status = loco_plot_evaluation(asked->output, model, asked->files[0], how, title, err);
    loco_model_free(model);
    loco_free(path);
    return status;
}

static int draw_evaluation(const lc_usage *usage, const plot_request *asked)
{
    loco_err err = {""};
    double tolerances[MOST_TOLERANCES];
    loco_detect_options detect = {.size = sizeof detect, .decoding = asked->decoding};
    loco_evaluate_options how = {.size = sizeof how, .tolerances = tolerances, .detect = &detect};
    bool lists = asked->reference != NULL && asked->estimate != NULL && asked->files_len == 0;
    bool model = asked->model != NULL && asked->files_len == 1 && asked->reference == NULL && asked->estimate == NULL;
    const char *folder = asked->output;
    if (!lists && !model)
        return lc_args_wrong(usage, "give a model and one data set, or --reference and --estimate");
    if (lc_times_parse(tolerances, &how.tolerances_len, MOST_TOLERANCES, 60, asked->tolerance, &err) != LOCO_OK)
        return lc_args_wrong(usage, "--tolerance %s: %s", asked->tolerance, err.text);
    bool made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST) {
        lc_cli_complain("cannot make %s: %s", folder, strerror(errno));
        return LC_EXIT_SYSTEM;
    }
    loco_status status = model ? evaluate_model(asked, &how, &err)
                               : loco_plot_evaluation_files(folder, asked->reference, asked->estimate, &how,
                                                            asked->title, &err);
    if (status != LOCO_OK && made)
        rmdir(folder); /* if it is empty */
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    if (model)
        lc_cli_say("%s/precision-recall.svg, %s/reliability.svg and %s/errors.svg are ready", folder, folder, folder);
    else
        lc_cli_say("%s/reliability.svg and %s/errors.svg are ready", folder, folder);
    return LC_EXIT_OK;
}

/* ---- the command ---- */

static const plot_kind kinds[] = {
    {"clip",       "clip.svg",     " model from to ",                               draw_clip      },
    {"count",      "count.svg",    " label rate ",                                  draw_count     },
    {"training",   "training.svg", " ",                                             draw_training  },
    {"runs",       "curves.svg",   " ",                                             draw_runs      },
    {"scores",     "scores.svg",   " class ",                                       draw_scores    },
    {"evaluation", "evaluation",   " model tolerance decoding reference estimate ", draw_evaluation},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const plot_kind *find_kind(const lc_usage *usage, const char *name)
{
    const char *names[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, names[i]) == 0)
            return &kinds[i];
    }
    const char *near = loco_nearest(name, names, KINDS);
    if (near != NULL)
        lc_args_wrong(usage, "there is no picture \"%s\"; did you mean loco plot %s?", name, near);
    else
        lc_args_wrong(usage, "there is no picture \"%s\"; there are clip, count, training, runs, scores and evaluation",
                      name);
    return NULL;
}

/* An option that was given and that this picture does not take; NULL: none. */
static const char *misplaced(const plot_kind *kind, const plot_request *asked)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"model",     asked->model != NULL              },
        {"from",      asked->from >= 0                  },
        {"to",        asked->to >= 0                    },
        {"label",     asked->label != NULL              },
        {"rate",      asked->rate > 0 || asked->rate < 0},
        {"class",     asked->class_name != NULL         },
        {"tolerance", asked->tolerance != NULL          },
        {"decoding",  asked->decoding != NULL           },
        {"reference", asked->reference != NULL          },
        {"estimate",  asked->estimate != NULL           },
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char word[24];
        snprintf(word, sizeof word, " %s ", options[i].name);
        if (options[i].given && strstr(kind->options, word) == NULL)
            return options[i].name;
    }
    return NULL;
}

static int draw(const lc_usage *usage, plot_request *asked)
{
    if (asked->files_len == 0)
        return lc_args_wrong(usage, "say which picture: clip, count, training, runs, scores or evaluation");
    const plot_kind *kind = find_kind(usage, asked->files[0]);
    if (kind == NULL)
        return LC_EXIT_USAGE;
    asked->files++;
    asked->files_len--;
    const char *odd = misplaced(kind, asked);
    if (odd != NULL)
        return lc_args_wrong(usage, "loco plot %s does not take --%s", kind->name, odd);
    if (asked->output == NULL)
        asked->output = kind->output;
    if (strcmp(asked->output, "-") == 0)
        return lc_args_wrong(usage, "a picture goes to a file, such as -o %s, not to standard output", kind->output);
    if (asked->tolerance == NULL)
        asked->tolerance = "50ms,20ms";
    return kind->draw(usage, asked);
}

static const char *const notes =
    "pictures:\n"
    "  clip -m MODEL FILE --from 1s --to 2.5s     a part of a recording: input, event probabilities, the count as it grows,\n"
    "                                             and the loss of each count\n"
    "  count FILE --label 2 --rate 100            the same of logits, as loco loss reads them; up to 1,000,000 frames\n"
    "  training LOG                               loss and scores over the steps of one run, from MODEL.jsonl\n"
    "  runs NAME=LOG...                           scores of several runs over steps; runs of one NAME are a line with a band\n"
    "  scores NAME=FILE.json...                   F1 at the first tolerance, from loco eval --json, a row for each NAME;\n"
    "                                             \"exact / seen\" and \"exact / unseen\" are a row of two colours\n"
    "  evaluation -m MODEL DATA -o FOLDER         time errors, reliability and precision-recall, at the first tolerance\n"
    "  evaluation --reference FILE --estimate FILE -o FOLDER     the first two, for two event files\n"
    "clip and evaluation are of times; of images there are loco eval and loco report\n"
    "without -o: clip.svg, count.svg, training.svg, curves.svg, scores.svg, and the folder evaluation\n";

int lc_command_plot(int argc, char **argv)
{
    plot_request asked = {.from = -1, .to = -1, .files = argv};
    const lc_option options[] = {
        lc_option_text("output", 'o', "FILE", &asked.output, "the SVG file, or the folder of an evaluation"),
        lc_option_text("title", 0, "TEXT", &asked.title, "its heading"),
        lc_option_text("model", 'm', "MODEL", &asked.model, "clip, evaluation: the model that detects"),
        lc_option_time("from", 0, &asked.from, "clip: where it starts (0s)"),
        lc_option_time("to", 0, &asked.to, "clip: where it ends"),
        lc_option_text("label", 'l', "LABEL", &asked.label, "count: what is known about the count: 3, 2..5, '>=1'"),
        lc_option_real("rate", 'r', "N", &asked.rate, "count: frames per second: times in seconds"),
        lc_option_text("class", 0, "NAME", &asked.class_name, "scores: of this class (all events)"),
        lc_option_text("tolerance", 0, "TIME,...", &asked.tolerance,
                       "evaluation: largest time error of a match (50ms,20ms)"),
        lc_option_text("decoding", 'd', "LINE", &asked.decoding, "evaluation: as in loco detect"),
        lc_option_text("reference", 0, "FILE", &asked.reference, "evaluation: true events: CSV, label track or MIDI"),
        lc_option_text("estimate", 0, "FILE", &asked.estimate, "evaluation: events to judge, in the same formats"),
    };
    const lc_usage usage = {
        .command = "plot",
        .line = "PICTURE FILE... [-o FILE.svg] [options]",
        .about = "Draws pictures, as SVG files: of a clip, of logits, of training, of scores and of an evaluation.",
        .notes = notes,
        .example = "loco plot clip -m drums.loco drums-set/rec_000.wav --from 1s --to 2.5s -o clip.svg",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    int done = lc_args_parse(&usage, argc, argv, &asked.files_len);
    return done == LC_ARGS_GO ? draw(&usage, &asked) : done;
}

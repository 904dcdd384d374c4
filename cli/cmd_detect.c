/* SPDX-License-Identifier: MIT
 *
 * cmd_detect.c - `loco detect`: the time of every event in sounds.
 *
 *     loco detect -m MODEL take.wav                    CSV on stdout: file,time,class,probability
 *     loco detect -m MODEL take.wav -o take.mid        by the ending: .mid .csv .jsonl .txt (label track) .wav (clicks)
 *     loco detect -m MODEL folder/ -o out/ --format midi    a file for each sound
 *     loco detect -m MODEL take.wav --count            how many instead of when (tally.c)
 *     arecord ... | loco detect -m MODEL - --raw s16le,1,44100    events as they become certain
 *     tail -f walk.csv | loco detect -m MODEL -        the same of a model of series: rows of a table
 *
 * Files are done one after another; one that fails is told and the others still run, and then the exit status is that
 * of the failure. Of standard input every event is printed at once, with what latency is said first. What is wrong with
 * the request is said before anything is heard: detection may take long.
 */
#include "args.h"
#include "files.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_BYTES = 8192, PATH_BYTES = 4096, MOST_VERSIONS = 64 };

/* alone: a file holds one recording. */
typedef struct format {
    const char *name, *ending, *other;
    bool alone;
} format;

static const format formats[] = {
    {"csv",    ".csv",   ".csv",    false},
    {"jsonl",  ".jsonl", ".ndjson", false},
    {"labels", ".txt",   ".labels", true },
    {"midi",   ".mid",   ".midi",   true },
    {"click",  ".wav",   ".wav",    true },
};
enum { FORMATS = sizeof formats / sizeof formats[0], CLICK = FORMATS - 1 };

typedef struct request {
    const char *model, *output, *name, *counts;
    const format *format; /* by name, or by the ending of output; csv when neither says */
    bool folder;          /* output is one */
    bool headed;          /* the heading is printed */
    loco_detection how;
    loco_model *loaded;
    const char **classes;
    size_t classes_len;
} request;

/* ---- printing ---- */

static void print_line(const request *asked, const char *file, const loco_event *event)
{
    char line[LINE_BYTES];
    const char *class_name = event != NULL ? asked->classes[event->kind] : NULL;
    if (loco_event_format(line, sizeof line, asked->format->name, file, class_name, event) > 0)
        fputs(line, stdout);
}

/* Not before there is something below it: a failure leaves stdout empty. */
static void print_heading(request *asked)
{
    if (!asked->headed)
        print_line(asked, NULL, NULL);
    asked->headed = true;
}

/* A reader that went away ends a stream that might never end. */
static void print_live(void *context, const loco_event *event)
{
    request *asked = context;
    print_heading(asked);
    print_line(asked, "-", event);
    if (fflush(stdout) != 0)
        exit(lc_cli_finish(LC_EXIT_SYSTEM));
}

static loco_status listen_live(request *asked, double latency, loco_err *err)
{
    if (isfinite(latency) && asked->how.raw == NULL) /* of rows at another rate, resampling is not in it */
        fprintf(stderr, "listening; an event is told within %.0f ms of its row, at %.0f rows a second\n",
                ceil(1000 * latency), loco_model_rate(asked->loaded));
    else if (isfinite(latency)) /* rounded up: it is a promise */
        fprintf(stderr, "listening; an event is told within %.0f ms of its sound\n", ceil(1000 * latency));
    else
        fprintf(stderr, "listening; events are told at the end\n");
    loco_status status = loco_detect_each(asked->loaded, "-", &asked->how, print_live, asked, err);
    if (status == LOCO_OK)
        print_heading(asked);
    return status;
}

/* ---- saving ---- */

static loco_status save(const request *asked, const char *path, const loco_events *lists, size_t n, loco_err *err)
{
    if (asked->format != &formats[CLICK])
        return loco_events_save(path, asked->format->name, lists, n, asked->classes, asked->classes_len, err);
    return loco_click_save(path, lists[0].file, lists[0].events, lists[0].events_len, err);
}

/* out/take.mid for sounds/take.wav */
static bool path_beside(const request *asked, const char *file, char *path)
{
    return lc_files_rename(path, PATH_BYTES, asked->output, file, asked->format->ending + 1);
}

/* ---- files ---- */

/* Prints or saves each file's events as soon as they are known; those for a common file are kept. A sound that cannot be
 * read is a wrong input, an output that cannot be written the system's doing. */
static int detect_file(request *asked, loco_events *list)
{
    char path[PATH_BYTES];
    loco_err err = {""};
    loco_status status = loco_detect(asked->loaded, list->file, &asked->how, &list->events, &list->events_len, &err);
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    if (asked->output == NULL) {
        print_heading(asked);
        for (size_t i = 0; i < list->events_len; i++)
            print_line(asked, list->file, &list->events[i]);
    } else if (asked->folder && path_beside(asked, list->file, path)) {
        status = save(asked, path, list, 1, &err);
    }
    return status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
}

static int detect_files(request *asked, const lc_files *files)
{
    loco_err err = {""};
    int worst = LC_EXIT_OK;
    loco_events *lists = calloc(files->len, sizeof *lists);
    if (lists == NULL)
        return lc_cli_failure(lc_cli_error(&err, LOCO_ENOMEM, "out of memory for %zu files", files->len), &err);
    for (size_t i = 0; i < files->len && !ferror(stdout); i++) {
        lists[i].file = files->paths[i];
        int code = detect_file(asked, &lists[i]);
        worst = code > worst ? code : worst;
    }
    if (asked->output != NULL && !asked->folder && worst == LC_EXIT_OK) {
        loco_status status = save(asked, asked->output, lists, files->len, &err);
        if (status != LOCO_OK)
            worst = lc_cli_failure(status, &err);
    }
    for (size_t i = 0; i < files->len; i++)
        loco_free(lists[i].events);
    free(lists);
    return worst;
}

/* ---- checking ---- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static int no_format(const lc_usage *usage, const char *what, const char *typed)
{
    const char *names[2 * FORMATS];
    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = typed[0] == '.' ? formats[i].ending : formats[i].name;
        names[FORMATS + i] = typed[0] == '.' ? formats[i].other : formats[i].ending + 1;
    }
    const char *near = lc_cli_suggest(typed, names, 2 * FORMATS);
    if (near != NULL)
        return lc_args_wrong(usage, "there is no %s \"%s\"; did you mean %s?", what, typed, near);
    return lc_args_wrong(usage,
                         "there is no %s \"%s\"; there are csv (.csv), jsonl (.jsonl), labels (.txt), midi (.mid) "
                         "and click (.wav)",
                         what, typed);
}

/* By --format, or the ending of -o. */
static int choose_format(const lc_usage *usage, request *asked)
{
    asked->format = &formats[0];
    asked->folder = asked->output != NULL && lc_files_is_folder(asked->output);
    bool by_ending = asked->output != NULL && !asked->folder;
    if (asked->name == NULL && !by_ending)
        return LC_ARGS_GO;
    for (size_t i = 0; i < FORMATS; i++) {
        asked->format = &formats[i];
        if (asked->name != NULL
                ? strcmp(asked->name, formats[i].name) == 0
                : ends_with(asked->output, formats[i].ending) || ends_with(asked->output, formats[i].other))
            return LC_ARGS_GO;
    }
    if (asked->name != NULL)
        return no_format(usage, "format", asked->name);
    const char *slash = strrchr(asked->output, '/'), *dot = strrchr(asked->output, '.');
    if (slash != NULL && slash[1] == 0)
        return lc_args_wrong(usage, "there is no folder %s; make it first", asked->output);
    if (dot == NULL || (slash != NULL && dot < slash))
        return lc_args_wrong(usage,
                             "the name %s has no ending; give it .csv, .jsonl, .txt, .mid or .wav, or say --format",
                             asked->output);
    return no_format(usage, "format for", dot);
}

/* What can be said before anything is loaded. */
static int check_request(const lc_usage *usage, request *asked, char **files, size_t files_len)
{
    bool standard = false;
    for (size_t i = 0; i < files_len; i++)
        standard |= strcmp(files[i], "-") == 0;
    if (asked->output != NULL && strcmp(asked->output, "-") == 0)
        asked->output = NULL;
    if (asked->model == NULL)
        return lc_files_no_model(usage);
    if (files_len == 0)
        return lc_args_wrong(usage, "name sound files or folders, or - for standard input");
    int done = choose_format(usage, asked);
    if (done != LC_ARGS_GO)
        return done;
    if (asked->output == NULL && asked->format->alone)
        return lc_args_wrong(usage, "--format %s needs a file: -o FILE%s", asked->format->name, asked->format->ending);
    if (standard && (files_len > 1 || asked->how.ensemble > 1 || asked->format == &formats[CLICK]))
        return lc_args_wrong(usage, "- is heard once and alone: not with other files, --ensemble or clicks");
    if (!standard && asked->how.raw != NULL)
        return lc_args_wrong(usage, "--raw is for standard input: loco detect -m MODEL - --raw %s <%s", asked->how.raw,
                             files[0]);
    return LC_ARGS_GO;
}

/* What the files found say about -o: nothing is written over a sound or over another output. */
static int check_outputs(const lc_usage *usage, const request *asked, const lc_files *files)
{
    char path[PATH_BYTES], earlier[PATH_BYTES];
    if (asked->output == NULL)
        return LC_ARGS_GO;
    if (!asked->folder && files->len > 1 && asked->format->alone)
        return lc_args_wrong(usage, "%s would hold one recording, not %zu; give -o a folder", asked->output,
                             files->len);
    for (size_t i = 0; i < files->len; i++) {
        if (asked->folder && !path_beside(asked, files->paths[i], path))
            return lc_args_wrong(usage, "the path of %s is too long", files->paths[i]);
        const char *target = asked->folder ? path : asked->output;
        if (lc_files_same(target, files->paths[i]))
            return lc_args_wrong(usage, "%s is the sound itself; choose another name", target);
        for (size_t k = 0; asked->folder && k < i; k++)
            if (path_beside(asked, files->paths[k], earlier) && strcmp(path, earlier) == 0)
                return lc_args_wrong(usage, "%s and %s would both become %s", files->paths[k], files->paths[i], path);
    }
    return LC_ARGS_GO;
}

/* ---- the command ---- */

/* "3,2..4,?" in the order of the classes. */
static loco_status read_counts(const request *asked, loco_label *labels, loco_err *err)
{
    const char *text = asked->counts;
    loco_err cause;
    for (size_t k = 0; k < asked->classes_len; k++) {
        size_t length = strcspn(text, ",");
        if (loco_label_parse(&labels[k], text, length, &cause) != LOCO_OK)
            return lc_cli_error(err, LOCO_EARG, "--counts, %.60s: %.170s", asked->classes[k], cause.text);
        text += length;
        if ((*text == ',') != (k + 1 < asked->classes_len))
            return lc_cli_error(err, LOCO_EARG, "--counts needs %zu labels with commas, one for each class%s%.60s%s",
                                asked->classes_len, asked->classes_len > 1 ? ", from " : " ", asked->classes[0],
                                asked->classes_len > 1 ? " on" : "");
        text += *text == ',';
    }
    return LOCO_OK;
}

static loco_status prepare(request *asked, loco_label **labels, double *latency, loco_err *err)
{
    loco_status status = LOCO_OK;
    asked->classes_len = loco_model_classes(asked->loaded);
    asked->classes = calloc(asked->classes_len, sizeof *asked->classes);
    *labels = calloc(asked->classes_len, sizeof **labels);
    if (asked->classes == NULL || *labels == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu classes", asked->classes_len);
    for (size_t k = 0; k < asked->classes_len; k++)
        asked->classes[k] = loco_model_class(asked->loaded, k);
    if (asked->counts != NULL)
        status = read_counts(asked, *labels, err);
    asked->how.counts = asked->counts != NULL ? *labels : NULL;
    /* also finds what is wrong with --decoding and --raw */
    return status == LOCO_OK ? loco_detect_latency(asked->loaded, &asked->how, latency, err) : status;
}

static int run_request(request *asked, const lc_files *files)
{
    loco_err err = {""};
    loco_label *labels = NULL;
    double latency = 0;
    int code = LC_EXIT_OK;
    loco_status status = prepare(asked, &labels, &latency, &err);
    if (status == LOCO_OK && strcmp(files->paths[0], "-") == 0 && asked->output == NULL)
        status = listen_live(asked, latency, &err);
    else if (status == LOCO_OK)
        code = detect_files(asked, files);
    if (status != LOCO_OK)
        code = lc_cli_unread(status, &err);
    free(asked->classes);
    free(labels);
    return code;
}

/* Then standard input may be a table: its rows say what they are. */
static bool hears_series(const loco_model *model)
{
    const char *front = loco_model_text(model, "frontend");
    return front != NULL && strncmp(front, "series ", 7) == 0;
}

static int find_and_run(const lc_usage *usage, request *asked, char **words, size_t words_len)
{
    loco_err err = {""};
    lc_files files = {0};
    char *model = NULL;
    int code = LC_ARGS_GO;
    loco_status status = lc_files_find(&files, (const char *const *)words, words_len, &err);
    if (status == LOCO_OK)
        code = check_outputs(usage, asked, &files);
    if (status == LOCO_OK && code == LC_ARGS_GO)
        status = lc_files_model(&model, asked->model, &err);
    if (status == LOCO_OK && code == LC_ARGS_GO)
        status = loco_model_load(&asked->loaded, model, &err);
    loco_free(model);
    if (status != LOCO_OK)
        code = lc_cli_unread(status, &err);
    if (code == LC_ARGS_GO && strcmp(files.paths[0], "-") == 0 && asked->how.raw == NULL &&
        !hears_series(asked->loaded))
        code = lc_args_wrong(usage, "standard input needs its format: --raw s16le,1,44100 (type, channels, rate)");
    if (code == LC_ARGS_GO && asked->output != NULL && !asked->folder) {
        status = lc_files_check_output(asked->output, &err);
        code = status == LOCO_OK ? LC_ARGS_GO : lc_cli_failure(status, &err);
    }
    if (code == LC_ARGS_GO)
        code = run_request(asked, &files);
    loco_model_free(asked->loaded);
    lc_files_free(&files);
    return code;
}

/* With --count, the options about events make no sense. */
static int count_instead(const lc_usage *usage, const request *asked, lc_tally_request *tally, char **files,
                         size_t files_len)
{
    const char *odd = asked->output != NULL         ? "-o: counts go to standard output"
                      : asked->how.decoding != NULL ? "--decoding: no event is looked for"
                      : asked->how.ensemble > 1     ? "--ensemble: no event is looked for"
                      : asked->counts != NULL       ? "--counts, which says what is to be found out"
                                                    : NULL;
    if (odd != NULL)
        return lc_args_wrong(usage, "--count does not go with %s", odd);
    tally->model = asked->model;
    tally->format = asked->name;
    tally->raw = asked->how.raw;
    int done = lc_tally_check(usage, tally, files, files_len);
    return done == LC_ARGS_GO ? lc_tally_run(tally, files, files_len) : done;
}

static const char *const notes =
    "With --count, how many events there are is told, and not when: the expected count of each class and an interval that\n"
    "holds the true one in 90 % of all cases once the model was calibrated on like ones (loco calibrate), as CSV or JSON\n"
    "lines: of each file, of windows (--every 10), or of the clips of data sets (--clips).\n"
    "With counts known, such as --counts 12,8,? for three classes, the most likely events with these counts are told.\n"
    "\n"
    "formats (--format, or the ending of -o): csv (.csv), jsonl (.jsonl: one JSON object a line), labels (.txt: a label\n"
    "  track, as Audacity reads it), midi (.mid), click (.wav: the sound with a click at each event)\n"
    "decoding: mass window=0.01 threshold=0.3 gap=0.04 | peak threshold=0.3 gap=0.03 | count reset=0.25 quiet=0.02\n"
    "  the model has one of its own; threshold=0.4 changes that alone, a line that begins with a method all\n"
    "raw types: u8 s16le s24le s32le f32le; live from a microphone; resampling from 44100 or 48000 Hz takes 3 ms more:\n"
    "  arecord -t raw -f S16_LE -c 1 -r 22050 | loco detect -m drums - --raw s16le,1,22050\n"
    "series: a table as it grows, with names and either a column of times or a line # rate: 50 above them:\n"
    "  tail -n +1 -f sensor.csv | loco detect -m steps.loco -\n";

int lc_command_detect(int argc, char **argv)
{
    request asked = {.model = NULL};
    lc_tally_request tally = {.count = false};
    uint64_t ensemble = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &asked.model, "its path or name; needed"),
        lc_option_text("output", 'o', "FILE", &asked.output,
                       "where events go; a folder: a file for each sound (stdout)"),
        lc_option_text("format", 'f', "NAME", &asked.name, "csv, jsonl, labels, midi or click (by the ending, or csv)"),
        lc_option_text("decoding", 'd', "LINE", &asked.how.decoding, "how probabilities become events, see below"),
        lc_option_integer("ensemble", 'e', "N", &ensemble,
                          "hear the sound at N speeds and let them vote: slower, surer"),
        lc_option_text("counts", 'c', "N,N,...", &asked.counts, "known counts of a whole file, one a class; ? if not"),
        lc_option_text("raw", 0, "T,C,R", &asked.how.raw, "what comes on standard input: type, channels, rate"),
        lc_option_flag("count", 'n', &tally.count, "tell how many events there are, with an interval, not when"),
        lc_option_real("interval", 'i', "P", &tally.interval, "with --count: how often it holds the true count (0.9)"),
        lc_option_text("label", 'l', "LABEL", &tally.label, "with --count: also the probability of, say, \">=3\""),
        lc_option_real("every", 0, "S", &tally.every, "with --count: for each S seconds"),
        lc_option_flag("clips", 0, &tally.clips, "with --count: files are data sets, whose clips are counted"),
    };
    const lc_usage usage = {
        .command = "detect",
        .line = "-m MODEL FILE|FOLDER|-... [options]",
        .about = "Tells the time of every event in sound files, in the sounds of folders, or live on standard input.",
        .notes = notes,
        .example = "loco detect -m drums.loco drums-set/rec_000.wav",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    asked.how.ensemble = ensemble > MOST_VERSIONS ? MOST_VERSIONS : (unsigned)ensemble;
    if (done == LC_ARGS_GO && ensemble > MOST_VERSIONS)
        done = lc_args_wrong(&usage, "--ensemble takes up to %d versions", MOST_VERSIONS);
    if (done == LC_ARGS_GO && tally.count)
        return count_instead(&usage, &asked, &tally, argv, files_len);
    if (done == LC_ARGS_GO && (tally.clips || tally.label != NULL || tally.every > 0 || tally.interval > 0))
        done = lc_args_wrong(&usage, "--interval, --label, --every and --clips need --count");
    if (done == LC_ARGS_GO)
        done = check_request(&usage, &asked, argv, files_len);
    return done == LC_ARGS_GO ? find_and_run(&usage, &asked, argv, files_len) : done;
}

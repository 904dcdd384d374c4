/* SPDX-License-Identifier: MIT
 *
 * cmd_enrich.c - `loco enrich`: event times for recordings whose counts are known.
 *
 *     loco enrich -m MODEL set                      CSV on stdout: file,time,class,probability
 *     loco enrich -m MODEL set -o set/events.csv    beside counts.csv: now the set has times
 *     loco enrich -m MODEL set -o timed             a data set of its own: the same sounds and counts, and the times
 *     loco enrich -m MODEL set -o out/ -f midi      a file for each recording, in a folder that is made if missing
 */
#include "args.h"
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_BYTES = 8192, PATH_BYTES = 4096 };

typedef struct enrich_format {
    const char *name, *ending, *other;
    bool alone; /* a file holds one recording */
} enrich_format;

static const enrich_format formats[] = {
    {"csv",    ".csv",   ".csv",    false},
    {"jsonl",  ".jsonl", ".ndjson", false},
    {"labels", ".txt",   ".labels", true },
    {"midi",   ".mid",   ".midi",   true },
    {"roi",    ".roi",   ".roi",    true },
    {"set",    NULL,     NULL,      false},
};
enum { FORMATS = sizeof formats / sizeof formats[0], CSV = 0, SET = FORMATS - 1 };

typedef struct enrich_request {
    const char *model, *data, *output, *name;
    const enrich_format *format;
    bool folder;  /* output is one that exists, or becomes one: files go into it */
    bool places;  /* of images: x and y */
    double tempo; /* of MIDI files; 0: the default */
    loco_enrich_options how;
    size_t remarks; /* rows whose count could not be met */
    loco_model *loaded;
    const char **classes;
    size_t classes_len;
} enrich_request;

/* ---- what was found ---- */

static void print_events(const enrich_request *asked, const loco_events *lists, size_t lists_len)
{
    char line[LINE_BYTES], format[32];
    snprintf(format, sizeof format, asked->places ? "%s places" : "%s", asked->format->name);
    if (loco_event_format(line, sizeof line, format, NULL, NULL, NULL) > 0)
        lc_cli_row(line);
    for (size_t i = 0; i < lists_len; i++)
        for (size_t e = 0; e < lists[i].events_len; e++) {
            const loco_event *event = &lists[i].events[e];
            if (loco_event_format(line, sizeof line, format, lists[i].file, asked->classes[event->kind], event) > 0)
                lc_cli_row(line);
        }
}

static loco_status save_lists(const enrich_request *asked, const char *path, const loco_events *lists, size_t n,
                              loco_err *err)
{
    char format[48];
    if (asked->places)
        snprintf(format, sizeof format, "%s places", asked->format->name);
    else
        snprintf(format, sizeof format, asked->tempo > 0 ? "%s tempo=%.9g" : "%s", asked->format->name, asked->tempo);
    return loco_events_save(path, format, lists, n, asked->classes, asked->classes_len, err);
}

/* out/take.mid for takes/take.wav; two of one name would be one file. */
static loco_status save_each(const enrich_request *asked, const loco_events *lists, size_t lists_len, loco_err *err)
{
    char path[PATH_BYTES], earlier[PATH_BYTES];
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < lists_len; i++) {
        const char *ending = asked->format->ending + 1;
        if (!lc_files_rename(path, sizeof path, asked->output, lists[i].file, ending))
            return lc_cli_error(err, LOCO_EDATA, "the path of %.150s is too long", lists[i].file);
        for (size_t k = 0; k < i; k++)
            if (lc_files_rename(earlier, sizeof earlier, asked->output, lists[k].file, ending) &&
                strcmp(path, earlier) == 0)
                return lc_cli_error(err, LOCO_EDATA, "%.80s and %.80s would both become %.80s", lists[k].file,
                                    lists[i].file, path);
        status = save_lists(asked, path, &lists[i], 1, err);
    }
    return status;
}

/* The library writes events.csv and data sets: there a recording without events has a row, too. */
static loco_status save(const enrich_request *asked, const loco_events *lists, size_t lists_len, loco_err *err)
{
    if (asked->how.events != NULL || asked->how.set != NULL)
        return LOCO_OK;
    if (asked->folder)
        return save_each(asked, lists, lists_len, err);
    if (asked->format->alone && lists_len != 1)
        return lc_cli_error(err, LOCO_EARG, "%.120s would hold one recording, not %zu; give -o a folder, as in -o out/",
                            asked->output, lists_len);
    return save_lists(asked, asked->output, lists, lists_len, err);
}

static void print_sum(const enrich_request *asked, const loco_events *lists, size_t lists_len)
{
    size_t events = 0;
    double expected = 0;
    for (size_t i = 0; i < lists_len; i++)
        for (size_t e = 0; e < lists[i].events_len; e++, events++)
            expected += lists[i].events[e].probability;
    fprintf(stderr, "%zu events in %zu %s%s", events, lists_len, asked->places ? "image" : "recording",
            lists_len == 1 ? "" : "s");
    if (events > 0)
        fprintf(stderr, ", of which %.0f should be right", expected);
    if (asked->remarks > 0)
        fprintf(stderr, "; %zu %s above", asked->remarks, asked->remarks == 1 ? "remark" : "remarks");
    fputs("\n", stderr);
    if (asked->how.set == NULL)
        return;
    lc_cli_say("%s is a data set with %s; to learn from them:", asked->how.set, asked->places ? "positions" : "times");
    fputs("  loco train ", stderr);
    lc_cli_word(stderr, asked->how.set);
    fputs(" --set supervised=1 -o MODEL\n", stderr);
}

/* ---- the request ---- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = ending != NULL ? strlen(ending) : SIZE_MAX;
    return ending != NULL && length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static int no_format(const lc_usage *usage, const char *typed)
{
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++)
        names[i] = formats[i].name;
    const char *near = loco_nearest(typed, names, FORMATS);
    if (near != NULL)
        return lc_args_wrong(usage, "there is no format \"%s\"; did you mean %s?", typed, near);
    return lc_args_wrong(usage, "there is no format \"%s\"; there are csv, jsonl, labels, midi, roi and set", typed);
}

/* By --format, or by the ending of -o; without an ending it is a data set. */
static int choose_format(const lc_usage *usage, enrich_request *asked)
{
    asked->format = &formats[asked->output != NULL && asked->name == NULL ? SET : CSV];
    for (size_t i = 0; i < FORMATS; i++)
        if (asked->name != NULL
                ? strcmp(asked->name, formats[i].name) == 0
                : asked->output != NULL && !asked->folder &&
                      (ends_with(asked->output, formats[i].ending) || ends_with(asked->output, formats[i].other)))
            asked->format = &formats[i];
    if (asked->name != NULL && strcmp(asked->name, asked->format->name) != 0)
        return no_format(usage, asked->name);
    const char *slash = asked->output != NULL ? strrchr(asked->output, '/') : NULL;
    const char *base = slash != NULL ? slash + 1 : asked->output;
    if (asked->format == &formats[SET] && asked->name == NULL && base != NULL && strrchr(base, '.') > base)
        return lc_args_wrong(usage, "the ending of %s is not .csv, .jsonl, .txt, .mid or .roi; give --format", base);
    return LC_ARGS_GO;
}

/* The known times of the set, and its counts, are not written over. */
static bool is_part_of_set(const enrich_request *asked)
{
    static const char *const parts[] = {"events.csv", "counts.csv"};
    char path[PATH_BYTES];
    const char *slash = strrchr(asked->data, '/');
    bool folder = lc_files_is_folder(asked->data), same = lc_files_same(asked->output, asked->data);
    int length = folder ? (int)strlen(asked->data) : slash != NULL ? (int)(slash - asked->data) : 0;
    for (size_t i = 0; !same && i < sizeof parts / sizeof parts[0]; i++) {
        int written = snprintf(path, sizeof path, "%.*s%s%s", length, asked->data, length > 0 ? "/" : "", parts[i]);
        same = written > 0 && written < PATH_BYTES && lc_files_same(asked->output, path);
    }
    return same;
}

static int check_request(const lc_usage *usage, enrich_request *asked)
{
    if (asked->output != NULL && strcmp(asked->output, "-") == 0)
        asked->output = NULL;
    /* with --format a name that ends with a slash is a folder for files, without a new data set */
    asked->folder = asked->output != NULL &&
                    (lc_files_is_folder(asked->output) ||
                     (asked->name != NULL && strcmp(asked->name, "set") != 0 && *lc_files_base(asked->output) == 0));
    if (asked->model == NULL)
        return lc_files_no_model(usage);
    int done = choose_format(usage, asked);
    if (done != LC_ARGS_GO)
        return done;
    bool set = asked->format == &formats[SET];
    if (asked->tempo > 0 && strcmp(asked->format->name, "midi") != 0)
        return lc_args_wrong(usage, "--tempo is for MIDI files: -o FILE.mid, or --format midi -o FOLDER/");
    if (asked->tempo < 0 || asked->tempo > 1000 || (asked->tempo > 0 && asked->tempo < 10))
        return lc_args_wrong(usage, "--tempo takes 10 to 1000 beats a minute");
    if (asked->output == NULL && (set || asked->format->alone))
        return lc_args_wrong(usage, "--format %s needs a place: -o %s", asked->format->name, set ? "FOLDER" : "FILE");
    if (set && asked->folder)
        return lc_args_wrong(usage, "%s is there already; a data set needs a new folder, files in this one a --format",
                             asked->output);
    if (asked->output != NULL && !asked->folder && is_part_of_set(asked))
        return lc_args_wrong(usage, "%s holds what is known of %s; choose another name", asked->output, asked->data);
    asked->how.set = set ? asked->output : NULL;
    asked->how.events = asked->format == &formats[CSV] && !asked->folder ? asked->output : NULL;
    return LC_ARGS_GO;
}

/* ---- the command ---- */

static void print_remark(void *context, const char *sentence)
{
    ((enrich_request *)context)->remarks++;
    lc_cli_say("%s", sentence);
}

static loco_status load(enrich_request *asked, loco_err *err)
{
    char *path = NULL;
    loco_status status = lc_files_check_data(asked->data, err);
    if (status == LOCO_OK)
        status = lc_files_model(&path, asked->model, err);
    if (status == LOCO_OK)
        status = loco_model_load(&asked->loaded, path, err);
    if (status == LOCO_OK)
        status = loco_model_fit(&asked->loaded, asked->data, err);
    loco_free(path);
    if (status == LOCO_OK)
        status = lc_files_places(&asked->places, asked->loaded, asked->format->name, err);
    if (status == LOCO_OK && asked->places && (asked->how.gap > 0 || asked->how.tolerance > 0))
        status = lc_cli_error(err, LOCO_EARG,
                              "--gap and --tolerance are times, and %.100s reads images; leave them out", asked->model);
    if (status != LOCO_OK)
        return status;
    asked->classes_len = loco_model_classes(asked->loaded);
    asked->classes = calloc(asked->classes_len, sizeof *asked->classes);
    if (asked->classes == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu classes", asked->classes_len);
    for (size_t k = 0; k < asked->classes_len; k++)
        asked->classes[k] = loco_model_class(asked->loaded, k);
    return LOCO_OK;
}

/* Before any sound is read, as far as can be known. */
static loco_status check_outputs(const enrich_request *asked, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (asked->output != NULL)
        status = asked->folder ? lc_files_make_folder(asked->output, err) : lc_files_check_output(asked->output, err);
    if (status == LOCO_OK && asked->how.posterior != NULL)
        status = lc_files_check_output(asked->how.posterior, err);
    return status;
}

static int find_events(enrich_request *asked)
{
    loco_err err = {""};
    loco_events *lists = NULL;
    size_t lists_len = 0;
    loco_status status = check_outputs(asked, &err);
    if (status == LOCO_OK)
        status = loco_enrich(&lists, &lists_len, asked->loaded, asked->data, &asked->how, &err);
    if (status == LOCO_OK && asked->output != NULL)
        status = save(asked, lists, lists_len, &err);
    if (status == LOCO_OK && asked->output == NULL)
        print_events(asked, lists, lists_len);
    if (status == LOCO_OK)
        print_sum(asked, lists, lists_len);
    loco_free(lists);
    return status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
}

static int run_request(enrich_request *asked)
{
    loco_err err = {""};
    loco_status status = load(asked, &err);
    int code = status == LOCO_OK ? find_events(asked) : lc_cli_unread(status, &err);
    loco_model_free(asked->loaded);
    free(asked->classes);
    return code;
}

static const char *const notes =
    "DATA is a folder with counts.csv, or its path: a count as 3, 2..5, >=1, <=4 or ?. Of several counts the likeliest is\n"
    "chosen; where nothing is known, events are those of loco detect. Rows whose count cannot be met are reported.\n"
    "The probability of an event is that of a true one within the tolerance.\n"
    "\n"
    "formats (--format, or the ending of -o): csv (.csv), jsonl (.jsonl), labels (.txt), midi (.mid), roi\n"
    "  (.roi: points in an image, for ImageJ and Fiji); set, or no ending: a\n"
    "  new data set with the sounds and counts of DATA, and the times; -f FORMAT -o out/: a file for each recording\n"
    "to learn from the times, and to see how good they are where true ones are known:\n"
    "  loco enrich -m MODEL DATA -o timed && loco train timed --set supervised=1 -o taught.loco\n"
    "  loco plot evaluation --reference DATA/events.csv --estimate timed/events.csv -o pictures\n";

static const lc_moved moved[] = {
    {"t", "-t is --threads; for tolerances write --tolerance 50ms"},
    {"p", "-p is --preset; write --posterior FILE"                },
};

int lc_command_enrich(int argc, char **argv)
{
    enrich_request asked = {.how = {.size = sizeof asked.how}};
    double tolerance = -1, gap = -1;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &asked.model, "its path or name; required"),
        lc_option_text("output", 'o', "OUT", &asked.output, "a file, a new data set, or a folder (stdout)"),
        lc_option_text("format", 'f', "NAME", &asked.name,
                       "csv, jsonl, labels, midi, roi or set (by the ending, or set)"),
        lc_option_real("tempo", 0, "BPM", &asked.tempo, "of MIDI files, whose events keep their times (120)"),
        lc_option_time("gap", 'g', &gap, "least time between events of a class, kept before counts (the model's)"),
        lc_option_time("tolerance", 0, &tolerance, "time error within which probabilities hold (50ms)"),
        lc_option_text("posterior", 0, "FILE", &asked.how.posterior, "also a CSV of P(event in frame | counts)"),
    };
    const lc_usage usage = {
        .command = "enrich",
        .line = "-m MODEL DATA [-o OUT] [options]",
        .about =
            "Finds when the events of a data set happened of which only the counts are known: the most likely times given\n"
            "these counts, each with its probability.",
        .notes = notes,
        .example = "loco enrich -m drums drums-set",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 1)
        return lc_args_wrong(&usage, "name one data set: a folder with counts.csv, or its path");
    if (!(gap > 0 && gap <= 3600) && !(gap <= -1 && gap >= -1))
        return lc_args_wrong(&usage, "--gap takes times above 0, up to 3600s, not %gs", gap);
    if (!(tolerance > 0 && tolerance <= 60) && !(tolerance <= -1 && tolerance >= -1))
        return lc_args_wrong(&usage, "--tolerance takes times above 0, up to 60s, not %gs", tolerance);
    asked.data = argv[0];
    asked.how.gap = gap > 0 ? gap : 0;
    asked.how.tolerance = tolerance > 0 ? tolerance : 0;
    asked.how.notice = print_remark;
    asked.how.context = &asked;
    done = check_request(&usage, &asked);
    return done == LC_ARGS_GO ? run_request(&asked) : done;
}

/* SPDX-License-Identifier: MIT
 *
 * cmd_detect.c - `loco detect`: the time of every event in sounds.
 *
 *     loco detect -m MODEL take.wav                    CSV on stdout: file,time,class,probability
 *     loco detect -m MODEL take.wav -o take.mid        by the ending: .mid .csv .jsonl .txt (label track) .wav (clicks)
 *     loco detect -m MODEL folder/ -o out/ --format midi    a file for each sound
 *     arecord ... | loco detect -m MODEL - --raw s16le,1,44100    events as they become certain
 *
 * Files are done one after another; one that fails is told and the others still run, and then the exit status is that
 * of the failure. Of standard input every event is printed at once, with what latency is said first.
 */
#include "args.h"
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 8192, MOST_CLASSES = 4096 };

typedef struct request {
    const char *model, *output, *format, *counts;
    loco_detection how;
    loco_model *loaded;
    const char **classes;
    size_t classes_len;
} request;

/* ---- printing ---- */

static void print_line(const char *format, const char *file, const char *class_name, const loco_event *event)
{
    char line[LINE_BYTES];
    if (loco_event_format(line, sizeof line, format, file, class_name, event) > 0)
        fputs(line, stdout);
}

typedef struct live {
    const request *asked;
    const char *file, *format;
} live;

static void print_live(void *context, const loco_event *event)
{
    const live *l = context;
    print_line(l->format, l->file, l->asked->classes[event->kind], event);
    fflush(stdout);
}

static const char *line_format(const request *asked)
{
    return asked->format != NULL ? asked->format : "csv";
}

static loco_status listen_live(const request *asked, loco_err *err)
{
    live l = {asked, "-", line_format(asked)};
    double latency = 0;
    loco_status status = loco_detect_latency(asked->loaded, &asked->how, &latency, err);
    if (status != LOCO_OK)
        return status;
    if (isfinite(latency)) /* rounded up: it is a promise */
        fprintf(stderr, "listening; an event is told within %.0f ms of its sound\n", ceil(1000 * latency));
    else
        fprintf(stderr, "listening; events are told at the end\n");
    print_line(l.format, NULL, NULL, NULL);
    fflush(stdout);
    return loco_detect_each(asked->loaded, "-", &asked->how, print_live, &l, err);
}

/* ---- saving ---- */

static bool is_click(const request *asked, const char *path)
{
    size_t length = strlen(path);
    if (asked->format != NULL)
        return strcmp(asked->format, "click") == 0;
    return length > 4 && strcmp(path + length - 4, ".wav") == 0;
}

static loco_status save(const request *asked, const char *path, const loco_events *lists, size_t n, loco_err *err)
{
    if (!is_click(asked, path))
        return loco_events_save(path, asked->format, lists, n, asked->classes, asked->classes_len, err);
    if (n != 1)
        return lc_cli_error(err, LOCO_EARG, "%.150s: clicks are mixed into one sound at a time; give -o a folder",
                            path);
    return loco_click_save(path, lists[0].file, lists[0].events, lists[0].events_len, err);
}

/* out/take.mid for sounds/take.wav */
static loco_status save_beside(const request *asked, const loco_events *list, loco_err *err)
{
    static const char *const endings[][2] = {
        {"csv",    "csv"  },
        {"jsonl",  "jsonl"},
        {"labels", "txt"  },
        {"midi",   "mid"  },
        {"click",  "wav"  }
    };
    char path[4096];
    const char *ending = asked->format != NULL ? asked->format : "csv";
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        ending = strcmp(ending, endings[i][0]) == 0 ? endings[i][1] : ending;
    if (!lc_files_rename(path, sizeof path, asked->output, list->file, ending))
        return lc_cli_error(err, LOCO_EARG, "%.150s: the path is too long", list->file);
    request one = *asked;
    one.format = asked->format != NULL ? asked->format : "csv";
    return save(&one, path, list, 1, err);
}

/* ---- files ---- */

/* Prints or saves each file's events as soon as they are known; those for a common file are kept. */
static loco_status detect_file(const request *asked, loco_events *list, loco_err *err)
{
    loco_status status = loco_detect(asked->loaded, list->file, &asked->how, &list->events, &list->events_len, err);
    if (status != LOCO_OK)
        return status;
    if (asked->output == NULL)
        for (size_t i = 0; i < list->events_len; i++)
            print_line(line_format(asked), list->file, asked->classes[list->events[i].kind], &list->events[i]);
    else if (lc_files_is_folder(asked->output))
        status = save_beside(asked, list, err);
    return status;
}

static int detect_files(const request *asked, const lc_files *files)
{
    loco_err err = {""};
    int exit = LC_EXIT_OK;
    loco_events *lists = calloc(files->len, sizeof *lists);
    if (lists == NULL)
        return lc_cli_failure(lc_cli_error(&err, LOCO_ENOMEM, "out of memory for %zu files", files->len), &err);
    if (asked->output == NULL)
        print_line(line_format(asked), NULL, NULL, NULL);
    for (size_t i = 0; i < files->len; i++) {
        lists[i].file = files->paths[i];
        loco_status status = detect_file(asked, &lists[i], &err);
        if (status != LOCO_OK)
            exit = lc_cli_failure(status, &err);
    }
    bool common = asked->output != NULL && !lc_files_is_folder(asked->output);
    if (common && exit == LC_EXIT_OK) {
        loco_status status = save(asked, asked->output, lists, files->len, &err);
        if (status != LOCO_OK)
            exit = lc_cli_failure(status, &err);
    }
    for (size_t i = 0; i < files->len; i++)
        loco_free(lists[i].events);
    free(lists);
    return exit;
}

/* ---- the command ---- */

/* "3,2..4,?" in the order of the classes. */
static loco_status read_counts(const request *asked, loco_label *labels, loco_err *err)
{
    const char *text = asked->counts;
    for (size_t k = 0; k < asked->classes_len; k++) {
        size_t length = strcspn(text, ",");
        loco_status status = loco_label_parse(&labels[k], text, length, err);
        if (status != LOCO_OK)
            return status;
        text += length;
        if ((*text == ',') != (k + 1 < asked->classes_len))
            return lc_cli_error(err, LOCO_EARG, "--counts needs %zu labels with commas, one for each class",
                                asked->classes_len);
        text += *text == ',';
    }
    return LOCO_OK;
}

static int run_request(request *asked, const lc_files *files)
{
    loco_err err = {""};
    loco_label *labels = NULL;
    loco_status status = LOCO_OK;
    asked->classes_len = loco_model_classes(asked->loaded);
    asked->classes = calloc(asked->classes_len, sizeof *asked->classes);
    labels = calloc(asked->classes_len, sizeof *labels);
    if (asked->classes == NULL || labels == NULL)
        status = lc_cli_error(&err, LOCO_ENOMEM, "out of memory for %zu classes", asked->classes_len);
    for (size_t k = 0; status == LOCO_OK && k < asked->classes_len; k++)
        asked->classes[k] = loco_model_class(asked->loaded, k);
    if (status == LOCO_OK && asked->counts != NULL)
        status = read_counts(asked, labels, &err);
    asked->how.counts = asked->counts != NULL ? labels : NULL;
    int exit = LC_EXIT_OK;
    bool as_they_come = files->len == 1 && strcmp(files->paths[0], "-") == 0 && asked->output == NULL;
    if (status == LOCO_OK && as_they_come)
        status = listen_live(asked, &err);
    else if (status == LOCO_OK)
        exit = detect_files(asked, files);
    if (status != LOCO_OK)
        exit = lc_cli_failure(status, &err);
    free(asked->classes);
    free(labels);
    return exit;
}

/* What can be said before anything is loaded. */
static int check_request(const lc_usage *usage, const request *asked, size_t files_len)
{
    static const char *const formats[] = {"csv", "jsonl", "labels", "midi", "click"};
    if (asked->model == NULL)
        return lc_args_wrong(usage, "say which model: -m MODEL");
    if (files_len == 0)
        return lc_args_wrong(usage, "name sound files or folders, or - for standard input");
    size_t known = 0;
    for (size_t i = 0; i < 5; i++)
        known += asked->format != NULL && strcmp(asked->format, formats[i]) == 0;
    if (asked->format != NULL && known == 0) {
        const char *near = lc_cli_suggest(asked->format, formats, 5);
        return lc_args_wrong(usage, "there is no format \"%s\"; %s%s", asked->format,
                             near != NULL ? "did you mean " : "there are csv, jsonl, labels, midi, click",
                             near != NULL ? near : "");
    }
    bool lines = asked->format == NULL || strcmp(asked->format, "csv") == 0 || strcmp(asked->format, "jsonl") == 0;
    if (asked->output == NULL && !lines)
        return lc_args_wrong(usage, "--format %s needs a file: -o FILE", asked->format);
    return LC_ARGS_GO;
}

int lc_command_detect(int argc, char **argv)
{
    request asked = {.model = NULL};
    uint64_t ensemble = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &asked.model, "the model; needed"),
        lc_option_text("output", 'o', "FILE", &asked.output, "where events go, by its ending; a folder: a file each"),
        lc_option_text("format", 'f', "NAME", &asked.format, "csv, jsonl, labels, midi or click"),
        lc_option_text("decoding", 'd', "LINE", &asked.how.decoding, "such as threshold=0.4, or \"peak gap=0.05\""),
        lc_option_integer("ensemble", 'e', "N", &ensemble, "versions of the sound that vote (none)"),
        lc_option_text("counts", 'c', "N,N,...", &asked.counts, "known counts of a whole file, one a class; ? if not"),
        lc_option_text("raw", 0, "T,C,R", &asked.how.raw, "samples without header: type, channels, rate"),
    };
    const lc_usage usage = {
        .command = "detect",
        .line = "-m MODEL FILE|FOLDER|-... [options]",
        .about = "Tells the time of every event in sound files, in the sounds of folders, or live on standard input.",
        .notes =
            "decoding: mass window=0.01 threshold=0.3 gap=0.04 | peak threshold=0.3 gap=0.03 | count reset=0.25 quiet=0.02\n"
            "raw types: u8 s16le s24le s32le f32le, as in --raw s16le,1,44100\n",
        .example = "loco detect -m drums.loco drums-set/rec_000.wav",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done == LC_ARGS_GO)
        done = check_request(&usage, &asked, files_len);
    if (done != LC_ARGS_GO)
        return done;
    asked.how.ensemble = ensemble > 1000 ? 1000 : (unsigned)ensemble;
    loco_err err = {""};
    lc_files files = {0};
    loco_status status = lc_files_find(&files, (const char *const *)argv, files_len, &err);
    if (status == LOCO_OK)
        status = loco_model_load(&asked.loaded, asked.model, &err);
    int exit = status == LOCO_OK ? run_request(&asked, &files) : lc_cli_failure(status, &err);
    loco_model_free(asked.loaded);
    lc_files_free(&files);
    return exit;
}

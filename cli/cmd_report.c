/* SPDX-License-Identifier: MIT
 *
 * cmd_report.c - `loco report`: a page to look at and listen to.
 */
#include "args.h"
#include "files.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder with more than sounds, or a counts.csv. */
static bool is_data_set(const char *path)
{
    size_t length = strlen(path);
    return lc_files_is_folder(path) ? lc_files_is_set(path) : length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

static int write_page(const char *path, loco_page *page, char **words, size_t words_len)
{
    loco_err err = {""};
    lc_files files = {0};
    char *model = NULL;
    loco_status status = lc_files_model(&model, page->model, &err);
    page->model = model;
    page->data = words_len == 1 && is_data_set(words[0]) ? words[0] : NULL;
    if (status == LOCO_OK && page->data != NULL)
        status = lc_files_check_data(page->data, &err);
    else if (status == LOCO_OK)
        status = lc_files_find(&files, (const char *const *)words, words_len, &err);
    page->files = (const char *const *)files.paths;
    page->files_len = files.len;
    for (size_t i = 0; status == LOCO_OK && i < files.len; i++)
        status = lc_files_check_input(files.paths[i], &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(path, &err);
    if (status == LOCO_OK)
        status = loco_report(path, page, &err);
    lc_files_free(&files);
    loco_free(model);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fprintf(stderr, "%s is ready; open it in a browser\n", path);
    return LC_EXIT_OK;
}

static int write_curves(const char *path, const char *title, char **words, size_t words_len)
{
    loco_err err = {""};
    loco_run *runs = NULL;
    loco_status status = lc_runs_split(&runs, words, words_len, &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(path, &err);
    if (status == LOCO_OK)
        status = loco_curves(path, runs, words_len, title, &err);
    free(runs);
    return status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && *end == 0 && *seconds >= 0 && *seconds < 1e9;
}

/* "3.2..4.7" */
static bool read_clip(const char *text, double *start, double *end)
{
    const char *dots = strstr(text, "..");
    char first[64];
    size_t length = dots != NULL ? (size_t)(dots - text) : sizeof first;
    if (length >= sizeof first)
        return false;
    memcpy(first, text, length);
    first[length] = 0;
    return read_seconds(first, start) && read_seconds(dots + 2, end) && *end > *start;
}

static int write_clip(const char *path, const loco_page *page, const char *sound, double start, double end)
{
    loco_err err = {""};
    char *model = NULL;
    loco_status status = lc_files_model(&model, page->model, &err);
    if (status == LOCO_OK)
        status = lc_files_check_input(sound, &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(path, &err);
    if (status == LOCO_OK)
        status = loco_clip_figure(path, model, sound, start, end, page->title, &err);
    loco_free(model);
    return status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
}

int lc_command_report(int argc, char **argv)
{
    const char *path = NULL;
    const char *clip = NULL;
    bool logs = false;
    double start = 0, end = 0;
    loco_page page = {.title = NULL};
    uint64_t most = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &page.model, "the model that detects; needed"),
        lc_option_text("output", 'o', "FILE", &path, "the page (loco-report.html) or picture (clip.svg, curves.svg)"),
        lc_option_text("title", 0, "TEXT", &page.title, "its heading"),
        lc_option_integer("most", 'n', "N", &most, "recordings shown (6)"),
        lc_option_flag("logs", 0, &logs, "instead: an SVG picture of how runs learned, from NAME=LOG words"),
        lc_option_text("clip", 0, "START..END", &clip, "instead: an SVG picture of these seconds of one sound file"),
    };
    const lc_usage usage = {
        .command = "report",
        .line = "-m MODEL DATA|FILE|FOLDER... [-o FILE.html] | -m MODEL FILE --clip START..END [-o FILE.svg]\n"
                "       loco report --logs NAME=LOG... [-o FILE.svg]",
        .about =
            "Writes one page that needs no network: spectrogram, probabilities, events, the count filling up over time,\n"
            "and the sound with and without clicks. With a data set that has event times: hits, misses, false alarms\n"
            "and scores. Or, with --clip, one picture of how the loss of a clip comes about: event probabilities, the count\n"
            "filling up, and the loss of each count. Or, with --logs, one picture of scores over steps of several runs: LOG is what loco train wrote\n"
            "to MODEL.jsonl, and runs of one NAME are a line with a band.",
        .example = "loco report -m drums.loco drums-set -o drums.html",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (path == NULL)
        path = logs ? "curves.svg" : clip != NULL ? "clip.svg" : "loco-report.html";
    if (strcmp(path, "-") == 0)
        return lc_args_wrong(&usage, "the page goes to a file, such as -o drums.html");
    if (logs && files_len == 0)
        return lc_args_wrong(&usage, "name runs: NAME=LOG, such as exact=first.loco.jsonl");
    if (logs)
        return write_curves(path, page.title, argv, files_len);
    if (page.model == NULL)
        return lc_files_no_model(&usage);
    if (files_len == 0)
        return lc_args_wrong(&usage, "name a data set, or sound files");
    if (clip != NULL && (!read_clip(clip, &start, &end) || files_len != 1 || lc_files_is_folder(argv[0])))
        return lc_args_wrong(&usage, "--clip takes seconds, such as 3.2..4.7, and one sound file");
    if (clip != NULL)
        return write_clip(path, &page, argv[0], start, end);
    page.most = (size_t)most;
    return write_page(path, &page, argv, files_len);
}

/* SPDX-License-Identifier: MIT
 *
 * cmd_report.c - `loco report`: a page to look at and listen to.
 */
#include "args.h"
#include "files.h"

#include <stdio.h>
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

int lc_command_report(int argc, char **argv)
{
    const char *path = "loco-report.html";
    loco_page page = {.title = NULL};
    uint64_t most = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &page.model, "the model that detects; needed"),
        lc_option_text("output", 'o', "FILE.html", &path, "the page (loco-report.html)"),
        lc_option_text("title", 0, "TEXT", &page.title, "its heading"),
        lc_option_integer("most", 'n', "N", &most, "recordings shown (6)"),
    };
    const lc_usage usage = {
        .command = "report",
        .line = "-m MODEL DATA|FILE|FOLDER... [-o FILE.html]",
        .about =
            "Writes one page that needs no network: spectrogram, probabilities, events, the count filling up over time,\n"
            "and the sound with and without clicks. With a data set that has event times: hits, misses, false alarms\n"
            "and scores.",
        .example = "loco report -m drums.loco drums-set -o drums.html",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (page.model == NULL)
        return lc_files_no_model(&usage);
    if (files_len == 0)
        return lc_args_wrong(&usage, "name a data set, or sound files");
    if (strcmp(path, "-") == 0)
        return lc_args_wrong(&usage, "the page goes to a file, such as -o drums.html");
    page.most = (size_t)most;
    return write_page(path, &page, argv, files_len);
}

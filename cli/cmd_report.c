/* SPDX-License-Identifier: MIT
 *
 * cmd_report.c - `loco report`: a page to look at and listen to.
 */
#include "args.h"
#include "files.h"
#include "times.h"

#include <stdio.h>
#include <string.h>

static int write_page(const char *path, const char *name, loco_report_options *page, char **words, size_t words_len)
{
    loco_err err = {""};
    lc_files files = {0};
    loco_model *model = NULL;
    char *found = NULL;
    loco_status status = lc_files_load_model(&model, &found, name, &err);
    if (status == LOCO_OK && page->title == NULL)
        page->title = lc_files_base(found);
    page->data = words_len == 1 && lc_files_is_set(words[0]) ? words[0] : NULL;
    if (status == LOCO_OK && page->data != NULL)
        status = lc_files_check_data(page->data, &err);
    if (status == LOCO_OK && page->data != NULL)
        status = loco_model_fit(&model, page->data, &err);
    else if (status == LOCO_OK)
        status = lc_files_find(&files, (const char *const *)words, words_len, &err);
    page->files = (const char *const *)files.paths;
    page->files_len = files.len;
    for (size_t i = 0; status == LOCO_OK && i < files.len; i++)
        status = lc_files_check_input(files.paths[i], &err);
    if (status == LOCO_OK)
        status = lc_files_check_output(path, &err);
    if (status == LOCO_OK)
        status = loco_report(path, model, page, &err);
    lc_files_free(&files);
    loco_model_free(model);
    loco_free(found);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    lc_cli_say("%s is ready; open it in a browser", path);
    return LC_EXIT_OK;
}

static const lc_moved moved[] = {
    {"clip", "loco plot clip -m MODEL FILE --from 1s --to 2.5s -o FILE.svg"},
    {"logs", "loco plot runs NAME=LOG... -o FILE.svg"                      },
    {"n",    "-n is --recordings; write --most N"                          },
};

/* "14px" */
static int read_tolerance(const lc_usage *usage, const char *text, double *pixels)
{
    loco_err err = {""};
    size_t len = 0;
    bool distance = false;
    if (text == NULL)
        return LC_ARGS_GO;
    if (lc_tolerances_parse(pixels, &len, &distance, 1, text, &err) != LOCO_OK)
        return lc_args_wrong(usage, "--tolerance %s: %s", text, err.text);
    if (!distance)
        return lc_args_wrong(usage, "--tolerance %s: it is for images, in pixels, such as 14px", text);
    return LC_ARGS_GO;
}

int lc_command_report(int argc, char **argv)
{
    const char *path = "loco-report.html", *model = NULL, *tolerance = NULL;
    loco_report_options page = {.size = sizeof page};
    uint64_t most = 0;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &model, "the model that detects; required"),
        lc_option_text("output", 'o', "FILE", &path, "the page (loco-report.html)"),
        lc_option_text("title", 0, "TEXT", &page.title, "its heading"),
        lc_option_integer("most", 0, "N", &most, "recordings or images shown (6)"),
        lc_option_text("tolerance", 0, "N", &tolerance, "of images: largest distance of a hit (10px)"),
    };
    const lc_usage usage = {
        .command = "report",
        .line = "-m MODEL DATA|FILE|FOLDER... [-o FILE.html]",
        .about =
            "Writes one page that needs no network: spectrogram, probabilities, events, the count as it grows over time,\n"
            "and the sound with and without clicks. With a data set that has event times: hits, misses, false alarms\n"
            "and scores. Of images: marks on each, the probability map and counts; those with the lowest F1 come first.\n"
            "Single pictures come from loco plot.",
        .example = "loco report -m drums.loco drums-set -o drums.html",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (strcmp(path, "-") == 0)
        return lc_args_wrong(&usage, "the page goes to a file, such as -o drums.html");
    if (model == NULL)
        return lc_files_no_model(&usage);
    if (files_len == 0)
        return lc_args_wrong(&usage, "name a data set, sound files or images");
    done = read_tolerance(&usage, tolerance, &page.tolerance);
    if (done != LC_ARGS_GO)
        return done;
    page.most = (size_t)most;
    page.notice = lc_cli_notice;
    return write_page(path, model, &page, argv, files_len);
}

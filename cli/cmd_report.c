/* SPDX-License-Identifier: MIT
 *
 * cmd_report.c - `loco report`: a page to look at and listen to.
 */
#include "args.h"
#include "files.h"

#include <stdio.h>
#include <string.h>

/* A folder, or a counts.csv. */
static bool is_data_set(const char *path)
{
    size_t length = strlen(path);
    return lc_files_is_folder(path) || (length > 4 && strcmp(path + length - 4, ".csv") == 0);
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
        .line = "-m MODEL DATA|FILE... [-o FILE.html]",
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
        return lc_args_wrong(&usage, "say which model: -m MODEL");
    if (files_len == 0)
        return lc_args_wrong(&usage, "name a data set, or sound files");
    bool data = files_len == 1 && is_data_set(argv[0]);
    page.data = data ? argv[0] : NULL;
    page.files = data ? NULL : (const char *const *)argv;
    page.files_len = data ? 0 : files_len;
    page.most = (size_t)most;
    loco_err err = {""};
    loco_status status = loco_report(path, &page, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fprintf(stderr, "%s: open it in a browser\n", path);
    return LC_EXIT_OK;
}

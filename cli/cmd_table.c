/* SPDX-License-Identifier: MIT
 *
 * cmd_table.c - `loco table`: the scores of several runs side by side.
 *
 *     loco eval -m first.loco test --json >first.json
 *     loco eval -m second.loco test --json >second.json
 *     loco table exact=first.json exact=second.json times=third.json
 *     loco table 'exact / seen'=first.json 'exact / unseen'=second.json --figure scores.svg
 */
#include "args.h"
#include "files.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>

static int print_table(const loco_run *runs, size_t runs_len, bool markdown)
{
    loco_err err = {""};
    char *text = NULL;
    loco_status status = loco_table(runs, runs_len, markdown, &text, &err);
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    fputs(text, stdout);
    loco_free(text);
    return LC_EXIT_OK;
}

static int draw_scores(const char *path, const loco_run *runs, size_t runs_len, const char *kind, const char *title)
{
    loco_err err = {""};
    loco_status status = lc_files_check_output(path, &err);
    if (status == LOCO_OK)
        status = loco_score_figure(path, runs, runs_len, kind, title, &err);
    return status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
}

int lc_command_table(int argc, char **argv)
{
    bool markdown = false;
    const char *figure = NULL, *kind = NULL, *title = NULL;
    const lc_option options[] = {
        lc_option_flag("markdown", 0, &markdown, "tables in Markdown instead of plain text"),
        lc_option_text("figure", 0, "FILE.svg", &figure, "instead: a picture, F1 at the first tolerance"),
        lc_option_text("class", 0, "NAME", &kind, "with --figure: of this class (all events)"),
        lc_option_text("title", 0, "TEXT", &title, "with --figure: its heading"),
    };
    const lc_usage usage = {
        .command = "table",
        .line = "NAME=FILE.json... [--markdown | --figure FILE.svg]",
        .about =
            "Puts the scores of several runs side by side: a row for each NAME, with the mean over its runs and their\n"
            "standard deviation. FILE.json is what loco eval --json printed, or several of its lines, a run each.",
        .notes =
            "At each tolerance: F1 of each class, then precision, recall and F1 as means over classes and of all events;\n"
            "the same as means over recordings; the signed time error and its spread. Then the counts of clips, where\n"
            "there are any. All runs need the same classes and tolerances.\n"
            "In a picture, names such as \"exact / seen\" and \"exact / unseen\" are a row of two colours.\n",
        .example = "loco table exact=first.json exact=second.json times=third.json --markdown",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len == 0)
        return lc_args_wrong(&usage, "name runs: NAME=FILE.json, such as exact=first.json");
    loco_err err = {""};
    loco_run *runs = NULL;
    loco_status status = lc_runs_split(&runs, argv, files_len, &err);
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    done = figure != NULL ? draw_scores(figure, runs, files_len, kind, title) : print_table(runs, files_len, markdown);
    free(runs);
    return done;
}

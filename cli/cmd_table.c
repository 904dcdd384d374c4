/* SPDX-License-Identifier: MIT
 *
 * cmd_table.c - `loco table`: the scores of several runs side by side.
 *
 *     loco eval -m first.loco test --json >first.json
 *     loco eval -m second.loco test --json >second.json
 *     loco table exact=first.json exact=second.json times=third.json
 */
#include "args.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>

static int print_table(const loco_run *runs, size_t runs_len, bool markdown)
{
    loco_err err = {""};
    char *text = NULL;
    loco_status status = loco_table(&text, runs, runs_len, markdown, &err);
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    fputs(text, stdout);
    loco_free(text);
    return LC_EXIT_OK;
}

static const lc_moved moved[] = {
    {"figure", "loco plot scores NAME=FILE.json... -o FILE.svg"             },
    {"class",  "loco plot scores NAME=FILE.json... --class NAME -o FILE.svg"},
    {"title",  "loco plot scores NAME=FILE.json... --title TEXT -o FILE.svg"},
};

int lc_command_table(int argc, char **argv)
{
    bool markdown = false;
    const lc_option options[] = {
        lc_option_flag("markdown", 0, &markdown, "tables in Markdown instead of plain text"),
    };
    const lc_usage usage = {
        .command = "table",
        .line = "NAME=FILE.json... [--markdown]",
        .about =
            "Puts the scores of several runs side by side: a row for each NAME, with the mean over its runs and their\n"
            "standard deviation. FILE.json is what loco eval --json printed, or several of its lines, a run each.",
        .notes =
            "At each tolerance: F1 of each class, then precision, recall and F1 as means over classes and of all events;\n"
            "the same as means over recordings; the signed time error and its spread. Then the counts of clips, where\n"
            "there are any. All runs need the same classes and tolerances. A picture: loco plot scores.\n",
        .example = "loco table exact=first.json exact=second.json times=third.json --markdown",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
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
    done = print_table(runs, files_len, markdown);
    free(runs);
    return done;
}

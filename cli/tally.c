/* SPDX-License-Identifier: MIT
 *
 * tally.c - `loco detect --count`: how many events, instead of when.
 *
 *     loco detect -m MODEL --count take.wav                  a line for each class of the file
 *     loco detect -m MODEL --count --every 10 take.wav       and of every 10 seconds
 *     loco detect -m MODEL --count --clips set               and of every clip of set/counts.csv
 *
 * Lines come as soon as their part has been heard, so that ten hours can be watched while they are counted.
 */
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 8192 };

typedef struct printer {
    const lc_tally_request *asked;
    const loco_model *model;
    const char *format;
    bool headed;
} printer;

/* ---- printing ---- */

static void print_line(printer *p, const loco_tallied *row)
{
    char line[LINE_BYTES];
    const char *class_name = row != NULL ? loco_model_class(p->model, row->kind) : NULL;
    if (loco_tally_format(line, sizeof line, p->format, class_name, p->asked->label, row) > 0)
        fputs(line, stdout);
}

/* A reader that went away ends a stream that might never end. */
static void print_row(void *context, const loco_tallied *row)
{
    printer *p = context;
    if (!p->headed && loco_model_text(p->model, "count_scales") == NULL)
        fprintf(stderr, "the counts of this model are not calibrated, and their intervals what the network claims; "
                        "loco calibrate -m MODEL DATA mends that\n");
    if (!p->headed)
        print_line(p, NULL);
    p->headed = true;
    print_line(p, row);
    if (strcmp(row->file, "-") == 0 && fflush(stdout) != 0)
        exit(lc_cli_finish(LC_EXIT_SYSTEM));
}

/* ---- checking ---- */

int lc_tally_check(const lc_usage *usage, const lc_tally_request *asked, char **files, size_t files_len)
{
    bool standard = false;
    loco_label label;
    for (size_t i = 0; i < files_len; i++)
        standard |= strcmp(files[i], "-") == 0;
    if (asked->model == NULL)
        return lc_files_no_model(usage);
    if (files_len == 0)
        return lc_args_wrong(usage, asked->clips ? "name data sets: folders with counts.csv"
                                                 : "name sound files or folders, or - for standard input");
    if (asked->format != NULL && strcmp(asked->format, "csv") != 0 && strcmp(asked->format, "jsonl") != 0)
        return lc_args_wrong(usage, "counts are told as csv or jsonl, not as %s", asked->format);
    if (asked->interval < 0 || asked->interval > 0.99 || (asked->interval > 0 && asked->interval < 0.5))
        return lc_args_wrong(usage, "--interval takes 0.5 to 0.99, such as 0.9 for 90 %%");
    if (asked->every < 0 || (asked->every > 0 && asked->every < 0.05))
        return lc_args_wrong(usage, "--every takes seconds, 0.05 or more");
    if (asked->every > 0 && asked->clips)
        return lc_args_wrong(usage, "either --every or --clips says which parts are counted");
    if (asked->label != NULL && loco_label_parse(&label, asked->label, strlen(asked->label), NULL) != LOCO_OK)
        return lc_args_wrong(usage, "--label \"%s\" is no label; write 3, 2..5, \">=1\" or \"<=4\"", asked->label);
    if (standard && (files_len > 1 || asked->clips))
        return lc_args_wrong(usage, "- is heard once and alone: not with other files or --clips");
    if (standard && asked->raw == NULL)
        return lc_args_wrong(usage, "standard input needs its format: --raw s16le,1,44100 (type, channels, rate)");
    if (!standard && asked->raw != NULL)
        return lc_args_wrong(usage, "--raw is for standard input: loco detect -m MODEL --count - --raw %s <%s",
                             asked->raw, files[0]);
    return LC_ARGS_GO;
}

/* ---- counting ---- */

/* One file that fails is told, and the others still run. */
static int count_all(printer *p, loco_model *model, const loco_tallying *how, const lc_files *files)
{
    int worst = LC_EXIT_OK;
    for (size_t i = 0; i < files->len && !ferror(stdout); i++) {
        loco_err err = {""};
        loco_status status = p->asked->clips ? loco_tally_clips(model, files->paths[i], how, print_row, p, &err)
                                             : loco_tally(model, files->paths[i], how, print_row, p, &err);
        int code = status == LOCO_OK ? LC_EXIT_OK : lc_cli_unread(status, &err);
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int load_and_count(const lc_tally_request *asked, const lc_files *files)
{
    loco_err err = {""};
    loco_label label = loco_label_unknown();
    loco_tallying how = {.interval = asked->interval, .every = asked->every, .raw = asked->raw};
    char *path = NULL;
    loco_model *model = NULL;
    loco_status status = lc_files_model(&path, asked->model, &err);
    if (status == LOCO_OK)
        status = loco_model_load(&model, path, &err);
    loco_free(path);
    if (status == LOCO_OK && asked->label != NULL)
        status = loco_label_parse(&label, asked->label, strlen(asked->label), &err);
    if (status != LOCO_OK) {
        loco_model_free(model);
        return lc_cli_unread(status, &err);
    }
    how.label = asked->label != NULL ? &label : NULL;
    printer p = {.asked = asked, .model = model, .format = asked->format != NULL ? asked->format : "csv"};
    int code = count_all(&p, model, &how, files);
    loco_model_free(model);
    return code;
}

int lc_tally_run(const lc_tally_request *asked, char **words, size_t words_len)
{
    loco_err err = {""};
    lc_files files = {0};
    if (asked->clips) {
        lc_files sets = {.paths = words, .len = words_len};
        return load_and_count(asked, &sets);
    }
    loco_status status = lc_files_find(&files, (const char *const *)words, words_len, &err);
    int code = status == LOCO_OK ? load_and_count(asked, &files) : lc_cli_unread(status, &err);
    lc_files_free(&files);
    return code;
}

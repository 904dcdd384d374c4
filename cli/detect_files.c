/* SPDX-License-Identifier: MIT
 *
 * detect_files.c - `loco detect`: printing, saving, and the files one by one.
 */
#include "detect.h"

#include "parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 8192, NOTICE_BYTES = 512 };

const lc_detect_format lc_detect_formats[LC_DETECT_FORMATS] = {
    {"csv",    ".csv",   ".csv",    false},
    {"jsonl",  ".jsonl", ".ndjson", false},
    {"labels", ".txt",   ".labels", true },
    {"midi",   ".mid",   ".midi",   true },
    {"roi",    ".roi",   ".roi",    true },
    {"marks",  ".png",   ".png",    true },
    {"click",  ".wav",   ".wav",    true },
};
/* ---- printing ---- */

void lc_detect_line(const lc_detect_request *asked, const char *file, const loco_event *event)
{
    char line[LINE_BYTES], format[32];
    const char *class_name = event != NULL ? asked->classes[event->kind] : NULL;
    snprintf(format, sizeof format, asked->places ? "%s places" : "%s", asked->format->name);
    if (loco_event_format(line, sizeof line, format, file, class_name, event) > 0)
        lc_cli_row(line);
}

void lc_detect_heading(lc_detect_request *asked)
{
    if (!asked->headed)
        lc_detect_line(asked, NULL, NULL);
    asked->headed = true;
}

/* ---- saving ---- */

loco_status lc_detect_save(const lc_detect_request *asked, const char *path, loco_events *lists, size_t n,
                           loco_err *err)
{
    char format[48];
    if (asked->places)
        snprintf(format, sizeof format, "%s places", asked->format->name);
    else
        snprintf(format, sizeof format, asked->tempo > 0 ? "%s tempo=%.9g" : "%s", asked->format->name, asked->tempo);
    if (asked->notes)
        return loco_notes_save(path, format, lists, n, asked->classes, asked->classes_len, err);
    if (asked->format == &lc_detect_formats[LC_DETECT_CLICK])
        return loco_click_save(path, lists[0].file, lists[0].events, lists[0].events_len, err);
    if (asked->format == &lc_detect_formats[LC_DETECT_MARKS])
        return loco_marks_save(path, lists[0].file, lists[0].events, lists[0].events_len, err);
    return loco_events_save(path, format, lists, n, asked->classes, asked->classes_len, err);
}

bool lc_detect_path(const lc_detect_request *asked, const char *file, char path[LC_DETECT_PATH])
{
    return lc_files_rename(path, LC_DETECT_PATH, asked->output, file, asked->format->ending + 1);
}

/* ---- files ---- */

typedef struct detector {
    lc_detect_request *asked;
    const lc_files *files;
    loco_events *lists; /* one a file */
    char (*notices)[NOTICE_BYTES];
    loco_status *statuses;
    loco_err *errs;
    int worst; /* exit status */
} detector;

/* Kept until its file is printed. */
static void keep_notice(void *context, const char *sentence)
{
    snprintf(context, NOTICE_BYTES, "%s", sentence);
}

static void detect_in_worker(void *context, size_t item)
{
    detector *d = context;
    loco_events *list = &d->lists[item];
    loco_detect_options how = d->asked->how;
    how.notice = keep_notice;
    how.context = d->notices[item];
    list->file = d->files->paths[item];
    d->statuses[item] = lc_detect_one(d->asked, list, &how, &d->errs[item]);
}

/* Prints or saves the events of one file; those for a common file are kept. */
static loco_status put_out(lc_detect_request *asked, loco_events *list, loco_err *err)
{
    char path[LC_DETECT_PATH];
    loco_status status = LOCO_OK;
    if (asked->output != NULL && !asked->folder)
        return LOCO_OK;
    if (asked->output == NULL) {
        lc_detect_heading(asked);
        for (size_t i = 0; i < list->events_len; i++)
            lc_detect_line(asked, list->file, &list->events[i]);
    } else if (lc_detect_path(asked, list->file, path)) {
        status = lc_detect_save(asked, path, list, 1, err);
    }
    loco_free(list->events);
    *list = (loco_events){.file = list->file};
    return status;
}

/* A sound that cannot be read is a wrong input; an output that cannot be written is a failure of the system. */
static bool finish_in_order(void *context, size_t item)
{
    detector *d = context;
    int code = LC_EXIT_OK;
    if (d->notices[item][0] != '\0')
        lc_cli_notice(NULL, d->notices[item]);
    if (d->statuses[item] != LOCO_OK)
        code = lc_cli_unread(d->statuses[item], &d->errs[item]);
    else if ((d->statuses[item] = put_out(d->asked, &d->lists[item], &d->errs[item])) != LOCO_OK)
        code = lc_cli_failure(d->statuses[item], &d->errs[item]);
    d->worst = code > d->worst ? code : d->worst;
    return !ferror(stdout);
}

/* The events of all files that could be read. */
static void save_common(detector *d)
{
    loco_err err = {""};
    size_t good = 0;
    for (size_t i = 0; i < d->files->len; i++)
        if (d->statuses[i] == LOCO_OK) {
            loco_events list = d->lists[i];
            d->lists[i] = d->lists[good];
            d->lists[good++] = list;
        }
    if (good == 0)
        return;
    loco_status status = lc_detect_save(d->asked, d->asked->output, d->lists, good, &err);
    if (status != LOCO_OK)
        d->worst = lc_cli_failure(status, &err);
}

static void detect_all(detector *d)
{
    loco_err err = {""};
    lc_parallel job = {.items = d->files->len,
                       .threads = d->asked->threads,
                       .work = detect_in_worker,
                       .finish = finish_in_order,
                       .context = d};
    loco_status status = lc_detect_open_cage(d->asked, lc_parallel_threads(&job), &err);
    if (status == LOCO_OK)
        status = lc_parallel_run(&job, &err);
    lc_detect_close_cage(d->asked);
    if (status != LOCO_OK)
        d->worst = lc_cli_failure(status, &err);
    else if (d->asked->output != NULL && !d->asked->folder)
        save_common(d);
    for (size_t i = 0; i < d->files->len; i++)
        loco_free(d->lists[i].events);
    lc_files_summary(d->errs, d->files->len);
}

int lc_detect_files(lc_detect_request *asked, const lc_files *files)
{
    loco_err err = {""};
    detector d = {.asked = asked, .files = files, .worst = LC_EXIT_OK};
    d.lists = calloc(files->len, sizeof *d.lists);
    d.statuses = calloc(files->len, sizeof *d.statuses);
    d.errs = calloc(files->len, sizeof *d.errs);
    d.notices = calloc(files->len, sizeof *d.notices);
    if (d.lists == NULL || d.statuses == NULL || d.errs == NULL || d.notices == NULL)
        d.worst = lc_cli_failure(lc_cli_error(&err, LOCO_ENOMEM, "out of memory for %zu files", files->len), &err);
    else
        detect_all(&d);
    free(d.lists);
    free(d.statuses);
    free(d.errs);
    free(d.notices);
    return d.worst;
}

/* SPDX-License-Identifier: MIT
 *
 * detect_caged.c - `loco detect --sandbox`: a file is decoded and its events are found in a caged process (cage.h), which
 *   sends them here:
 *
 *     report   status, sentence, notice, seconds, number of events
 *     events   loco_event, one after the other
 *
 * Nothing of it is believed before it is checked: a decoder that was taken over can write what it likes.
 */
#include "detect.h"

#include "cage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { CAGE_SECONDS = 300 };

static const uint64_t CAGE_MEMORY = (uint64_t)4 << 30;

/* ---- in the cage ---- */

/* The last one, as all who detect in files keep it. */
static void keep_notice(void *context, const char *sentence)
{
    snprintf(context, LC_DETECT_NOTICE, "%s", sentence);
}

static void detect_here(void *context, const char *path, FILE *out)
{
    const lc_detect_request *asked = context;
    loco_detect_options how = asked->how;
    loco_event *events = NULL;
    size_t events_len = 0;
    lc_detect_report r = {.status = LOCO_OK};
    how.notice = keep_notice;
    how.context = r.notice;
    how.seconds = &r.seconds;
    r.status = (int32_t)loco_detect(&events, &events_len, asked->loaded, path, &how, &r.err);
    r.events_len = r.status == LOCO_OK ? events_len : 0;
    fwrite(&r, sizeof r, 1, out);
    if (r.events_len > 0)
        fwrite(events, sizeof *events, events_len, out);
}

/* ---- outside ---- */

static loco_status strange(const char *path, loco_err *err)
{
    return lc_cli_error(err, LOCO_EDATA, "%.150s: its decoder sends nonsense out of the sandbox; leave the file out",
                        path);
}

static bool is_event(const loco_event *event, size_t classes)
{
    return event->kind < classes && isfinite(event->time) && isfinite(event->x) && event->probability >= 0 &&
           event->probability <= 1;
}

/* Of the user: `ulimit -v`. */
static bool memory_is_limited(void)
{
    struct rlimit own;
    return getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY;
}

/* Memory that the cage does not give is the file's fault; that which the user does not give is not. */
static loco_status read_failure(const lc_detect_report *r, const char *path, loco_err *err)
{
    if (r->status == LOCO_ENOMEM && memory_is_limited())
        return lc_cli_error(err, LOCO_ENOMEM, "%.150s: out of memory in the sandbox, which ulimit -v limits", path);
    if (r->status == LOCO_ENOMEM)
        return lc_cli_error(err, LOCO_EDATA, "%.150s: needs more memory than the sandbox gives, 4 GiB", path);
    if ((r->status != LOCO_EARG && r->status != LOCO_EDATA && r->status != LOCO_EIO) || r->err.text[0] == 0)
        return strange(path, err);
    *err = r->err;
    return (loco_status)r->status;
}

static loco_status read_events(loco_events *list, const lc_detect_report *r, const char *bytes, size_t length,
                               size_t classes, loco_err *err)
{
    if (r->events_len > length / sizeof(loco_event) || r->events_len * sizeof(loco_event) != length)
        return strange(list->file, err);
    loco_event *events = malloc(length + 1);
    if (events == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the events of %.150s", list->file);
    memcpy(events, bytes, length);
    for (size_t i = 0; i < r->events_len; i++)
        if (!is_event(&events[i], classes)) {
            free(events);
            return strange(list->file, err);
        }
    list->events = events; /* malloc's, as those of the library, which is linked into this program */
    list->events_len = r->events_len;
    return LOCO_OK;
}

/* Texts end within their arrays, and a terminal can print them. */
static void clean_texts(lc_detect_report *r)
{
    r->err.text[sizeof r->err.text - 1] = 0;
    r->notice[sizeof r->notice - 1] = 0;
    lc_cli_clean(r->err.text);
    lc_cli_clean(r->notice);
}

static loco_status read_report(loco_events *list, const loco_detect_options *how, size_t classes, const char *bytes,
                               size_t length, loco_err *err)
{
    lc_detect_report r;
    if (length < sizeof r)
        return strange(list->file, err);
    memcpy(&r, bytes, sizeof r);
    clean_texts(&r);
    if (r.notice[0] != 0 && how->notice != NULL)
        how->notice(how->context, r.notice);
    if (r.status != LOCO_OK)
        return read_failure(&r, list->file, err);
    if (!(r.seconds >= 0 && isfinite(r.seconds)))
        return strange(list->file, err);
    if (how->seconds != NULL)
        *how->seconds = r.seconds;
    return read_events(list, &r, bytes + sizeof r, length - sizeof r, classes, err);
}

static loco_status detect_caged(const lc_detect_request *asked, loco_events *list, const loco_detect_options *how,
                                loco_err *err)
{
    struct stat info;
    char *bytes = NULL;
    size_t length = 0;
    if (stat(list->file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return lc_cli_error(err, LOCO_EDATA, "%.150s: is a pipe or device; --sandbox reads files: save it first",
                            list->file);
    loco_status status = lc_cage_run(asked->cage, list->file, &bytes, &length, err);
    if (status == LOCO_OK)
        status = read_report(list, how, asked->classes_len, bytes, length, err);
    free(bytes);
    return status;
}

loco_status lc_detect_one(const lc_detect_request *asked, loco_events *list, const loco_detect_options *how,
                          loco_err *err)
{
    if (asked->cage != NULL)
        return detect_caged(asked, list, how, err);
    return loco_detect(&list->events, &list->events_len, asked->loaded, list->file, how, err);
}

loco_status lc_detect_open_cage(lc_detect_request *asked, size_t together, loco_err *err)
{
    unsigned versions = asked->how.ensemble > 1 ? asked->how.ensemble : 1;
    lc_cage_plan plan = {.together = together,
                         .job = detect_here,
                         .context = asked,
                         .seconds = (uint64_t)CAGE_SECONDS * versions,
                         .memory = CAGE_MEMORY};
    if (!asked->sandbox)
        return LOCO_OK;
    if (!lc_cage_filters())
        lc_cli_notice(NULL,
                      "--sandbox: this system has no seccomp, or this program no use for it; a decoder gets a process "
                      "of its own and limits alone");
    fflush(NULL);
    return lc_cage_new(&asked->cage, &plan, err);
}

void lc_detect_close_cage(lc_detect_request *asked)
{
    lc_cage_free(asked->cage);
    asked->cage = NULL;
}

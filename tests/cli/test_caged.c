/* SPDX-License-Identifier: MIT
 *
 * test_caged.c - what `loco detect --sandbox` makes of the answer of a caged process, whoever wrote it: texts without
 *   control characters, nonsense refused. The name of a file says what its job answers.
 */
#define _DEFAULT_SOURCE
#include "check.h"

#include <sys/resource.h>
#include <unistd.h>

#include "../cli/cage.h"
#include "../cli/detect.h"

static char folder[] = "caged-XXXXXX";
static const char *const names[] = {"good",  "failure", "notice", "unended", "status",
                                    "short", "events",  "kind",   "time",    "memory"};

enum { NAMES = sizeof names / sizeof *names };

static void answer(void *context, const char *path, FILE *out)
{
    const char *what = strrchr(path, '/') + 1;
    loco_event event = {.kind = 1, .time = 0.5, .probability = 0.75};
    lc_detect_report r = {.status = LOCO_OK, .seconds = 2, .events_len = 1};
    (void)context;
    if (strcmp(what, "failure") == 0 || strcmp(what, "unended") == 0 || strcmp(what, "status") == 0)
        r.status = strcmp(what, "status") == 0 ? 77 : LOCO_EDATA;
    snprintf(r.err.text, sizeof r.err.text,
             "a\x1b[2Jb\xc2\x9b"
             "31mc\r\n\x7f\xc3\xa4");
    if (strcmp(what, "memory") == 0)
        r.status = LOCO_ENOMEM;
    if (strcmp(what, "unended") == 0)
        memset(&r.err, 'x', sizeof r.err);
    if (strcmp(what, "notice") == 0)
        snprintf(r.notice, sizeof r.notice, "n\x1b]0;title\a");
    if (strcmp(what, "events") == 0)
        r.events_len = UINT64_MAX / sizeof event + 2;
    if (strcmp(what, "kind") == 0)
        event.kind = 2;
    if (strcmp(what, "time") == 0)
        event.time = NAN;
    fwrite(&r, strcmp(what, "short") == 0 ? sizeof r - 1 : sizeof r, 1, out);
    if (r.status == LOCO_OK)
        fwrite(&event, sizeof event, 1, out);
}

static void keep_notice(void *context, const char *sentence)
{
    snprintf(context, LC_DETECT_NOTICE, "%s", sentence);
}

/* The sentence, and what was noticed. */
static loco_status detect(lc_cage *cage, const char *name, char *notice, loco_err *err)
{
    char path[128];
    double seconds = 0;
    lc_detect_request asked = {.cage = cage, .classes_len = 2};
    loco_detect_options how = {.size = sizeof how, .notice = keep_notice, .context = notice, .seconds = &seconds};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    loco_events list = {.file = path};
    notice[0] = err->text[0] = 0;
    loco_status status = lc_detect_one(&asked, &list, &how, err);
    CHECK(status != LOCO_OK || (list.events_len == 1 && list.events[0].kind == 1 && seconds == 2));
    loco_free(list.events);
    return status;
}

/* Below the limit of a user, it may not be the file that takes too much. */
static void check_limited(lc_cage *cage)
{
    char notice[LC_DETECT_NOTICE];
    loco_err err = {""};
    struct rlimit before, low;
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    low = before;
    low.rlim_cur = (rlim_t)1 << 47; /* all addresses of a process: nothing fails */
    CHECK(setrlimit(RLIMIT_AS, &low) == 0);
    CHECK_STATUS(detect(cage, "memory", notice, &err), LOCO_ENOMEM);
    CHECK(strstr(err.text, "memory: out of memory in the sandbox") != NULL);
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
}

static void answers(void)
{
    lc_cage *cage = NULL;
    char notice[LC_DETECT_NOTICE];
    loco_err err = {""};
    lc_cage_plan plan = {.together = 1, .job = answer, .seconds = 10, .memory = 64 << 20};
    CHECK_STATUS(lc_cage_new(&cage, &plan, &err), LOCO_OK);
    CHECK_STATUS(detect(cage, "good", notice, &err), LOCO_OK);
    CHECK_STR(notice, "");
    CHECK_STATUS(detect(cage, "failure", notice, &err), LOCO_EDATA);
    CHECK_STR(err.text, "a?[2Jb?31mc???\xc3\xa4");
    CHECK_STATUS(detect(cage, "notice", notice, &err), LOCO_OK);
    CHECK_STR(notice, "n?]0;title?");
    CHECK_STATUS(detect(cage, "unended", notice, &err), LOCO_EDATA);
    CHECK_EQ(strlen(err.text), sizeof err.text - 1);
    for (size_t i = 4; i < NAMES - 1; i++) {
        CHECK_STATUS(detect(cage, names[i], notice, &err), LOCO_EDATA);
        CHECK(strstr(err.text, "sends nonsense out of the sandbox") != NULL);
    }
    CHECK_STATUS(detect(cage, "memory", notice, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "needs more memory than the sandbox gives, 4 GiB") != NULL);
    check_limited(cage);
    lc_cage_free(cage);
}

int main(void)
{
    char path[128];
    if (mkdtemp(folder) == NULL)
        return 1;
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "w");
        CHECK(file != NULL && fclose(file) == 0);
    }
    RUN(answers);
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    CHECK(rmdir(folder) == 0);
    return check_done();
}

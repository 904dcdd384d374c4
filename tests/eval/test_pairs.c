/* SPDX-License-Identifier: MIT
 * test_pairs.c - two lists of events: which recordings are the same, and who is left over. */
#include "cases.h"

#include "eval/pairs.h"

static loco_event events[9];
static char seen[200];

/* "2:1 " for two true and one found event. */
static loco_status note(void *context, const char *name, const loco_event *truth, size_t n, const loco_event *found,
                        size_t m, loco_err *err)
{
    size_t used = strlen(seen);
    (void)context;
    (void)err;
    CHECK(name != NULL);
    CHECK((truth != NULL || n == 0) && (found != NULL || m == 0));
    snprintf(seen + used, sizeof seen - used, "%zu:%zu ", n, m);
    return LOCO_OK;
}

static loco_status stop(void *context, const char *name, const loco_event *truth, size_t n, const loco_event *found,
                        size_t m, loco_err *err)
{
    (void)note(context, name, truth, n, found, m, err);
    return LOCO_ENOMEM;
}

/* Files a list has, file i with i + 1 events. */
static lc_event_list list_of(lc_event_file *files, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        files[i] = (lc_event_file){names[i], events, i + 1};
    return (lc_event_list){.files = files, .files_len = n};
}

static const char *walk(const char *const *truth, size_t n, const char *const *found, size_t m, loco_status want)
{
    lc_event_file a[4], b[4];
    lc_event_list reference = list_of(a, truth, n), estimate = list_of(b, found, m);
    static loco_err err;
    err.text[0] = seen[0] = 0;
    CHECK_STATUS(lc_pairs_each(&reference, "ref.csv", &estimate, "est.csv", note, NULL, &err), want);
    return want == LOCO_OK ? seen : err.text;
}

static void names_are_paired(void)
{
    static const char *const truth[] = {"a.wav", "b.wav", "c.wav"}, *const same[] = {"b.wav", "a.wav", "d.wav"};
    static const char *const paths[] = {"../x/a.flac", "y/b.wav"}, *const twice[] = {"x/a.wav", "y/a.wav"};
    static const char *const other[] = {"p.wav", "q.wav"};
    CHECK_STR(walk(truth, 3, same, 3, LOCO_OK), "1:2 2:1 3:0 0:3 ");
    CHECK_STR(walk(truth, 2, paths, 2, LOCO_OK), "1:1 2:2 ");
    CHECK_STR(walk(truth, 1, other, 1, LOCO_OK), "1:1 "); /* one and one */
    CHECK_STR(walk(truth, 2, other, 0, LOCO_OK), "1:0 2:0 ");
    CHECK_STR(walk(truth, 0, other, 2, LOCO_OK), "0:1 0:2 ");
    CHECK_SAYS(walk(truth, 2, other, 2, LOCO_EDATA), "est.csv has no recording of ref.csv: the first is \"p.wav\"");
    CHECK_SAYS(walk(truth, 2, twice, 2, LOCO_EDATA), "no recording"); /* which of the two is not known */
}

static void failures_stop(void)
{
    static const char *const names[] = {"a.wav", "b.wav"};
    lc_event_file a[2];
    lc_event_list list = list_of(a, names, 2);
    seen[0] = 0;
    CHECK_STATUS(lc_pairs_each(&list, "a", &list, "b", stop, NULL, NULL), LOCO_ENOMEM);
    CHECK_STR(seen, "1:1 ");
}

int main(void)
{
    RUN(names_are_paired);
    RUN(failures_stop);
    return check_done();
}

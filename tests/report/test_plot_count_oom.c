/* SPDX-License-Identifier: MIT
 *
 * test_plot_count_oom.c - lets the n-th allocation fail, for every n: a picture is drawn whole or not at all,
 * nothing leaks, and the call reports it. The same for loading a file.
 */
#include "check.h"
#include "oom.h"

#include "base/file.h"

#include <unistd.h>

static char folder[] = "/tmp/loco-oom-XXXXXX";
static char path[64];

static loco_status draw(loco_err *err)
{
    double z[300];
    for (int t = 0; t < 300; t++)
        z[t] = t % 40 == 20 ? 2 : -6 - t % 3;
    loco_count *count = NULL;
    loco_status status = loco_count_new(&count, 1, err);
    if (status == LOCO_OK)
        status = loco_plot_count(path, count, z, 300, loco_label_exact(7), 100, "title", err);
    loco_count_free(count);
    return status;
}

static loco_status load(loco_err *err)
{
    char *data = NULL;
    size_t length = 0;
    loco_status status = lc_file_load(path, 1000000, &data, &length, err);
    CHECK((data != NULL) == (status == LOCO_OK));
    free(data);
    return status;
}

/* Runs work once for each allocation it makes, with that one failing; then it must succeed. Returns how many there
 * were. */
static size_t fail_each(loco_status (*work)(loco_err *err), bool draws)
{
    for (size_t n = 1; n < 10000; n++) {
        loco_err err = {""};
        oom_begin(n);
        loco_status status = work(&err);
        if (oom_end() < n) {
            CHECK_STATUS(status, LOCO_OK);
            return n - 1;
        }
        CHECK_STATUS(status, LOCO_ENOMEM);
        CHECK(strlen(err.text) > 10);
        CHECK(!draws || access(path, F_OK) != 0);
    }
    return 0;
}

static void pictures_are_whole_or_absent(void)
{
    CHECK(fail_each(draw, true) >= 5);
}

static void loading_says_no(void)
{
    CHECK(fail_each(load, false) >= 1);
    unlink(path);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/x.svg", folder);
    RUN(pictures_are_whole_or_absent);
    RUN(loading_says_no);
    CHECK(rmdir(folder) == 0);
    return check_done();
}

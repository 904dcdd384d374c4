/* SPDX-License-Identifier: MIT
 * test_lock.c - one writer at a time; what a killed program left is removed, and nothing else. */
#include "data_cases.h"

#include "base/lock.h"

#include <sys/wait.h>
#include <unistd.h>

static bool exists(const char *name)
{
    return access(data_path(name), F_OK) == 0;
}

static void one_writer_at_a_time(void)
{
    lc_lock *first = NULL, *second = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_lock_take(&first, data_path("m"), &err), LOCO_OK);
    CHECK(exists("m.lock"));
    CHECK_STATUS(lc_lock_take(&second, data_path("m"), &err), LOCO_EIO);
    CHECK_SAYS(err.text, "m is being written by another run");
    CHECK(second == NULL);
    CHECK_STATUS(lc_lock_take(&second, data_path("n"), &err), LOCO_OK);
    lc_lock_drop(second);
    lc_lock_drop(first);
    CHECK(!exists("m.lock") && !exists("n.lock"));
    CHECK_STATUS(lc_lock_take(&first, data_path("m"), &err), LOCO_OK);
    lc_lock_drop(first);
    lc_lock_drop(NULL);
}

/* Two names of one file, which need not be there yet, have one lock; a circle of links is the writer's to refuse. */
static void links_are_followed(void)
{
    lc_lock *first = NULL, *second = NULL;
    loco_err err = {""};
    CHECK(symlink("real", data_path("near")) == 0 && symlink("near", data_path("far")) == 0);
    CHECK(symlink("circle", data_path("circle")) == 0);
    CHECK_STATUS(lc_lock_take(&first, data_path("far"), &err), LOCO_OK);
    CHECK(exists("real.lock") && !exists("far.lock") && !exists("near.lock"));
    CHECK_STATUS(lc_lock_take(&second, data_path("real"), &err), LOCO_EIO);
    CHECK_STATUS(lc_lock_take(&second, data_path("near"), &err), LOCO_EIO);
    CHECK_SAYS(err.text, "near is being written by another run");
    lc_lock_drop(first);
    CHECK(!exists("real.lock"));
    data_write("real.0123abcd-12-0.loco-tmp", "x");
    lc_lock_clean(data_path("far"));
    CHECK(!exists("real.0123abcd-12-0.loco-tmp"));
    CHECK_STATUS(lc_lock_take(&first, data_path("circle"), &err), LOCO_OK);
    lc_lock_drop(first);
    lc_lock_clean(data_path("circle"));
}

/* A lock of a process that was killed is free, although its file is there. */
static void killed_programs_hold_nothing(void)
{
    lc_lock *lock = NULL;
    pid_t child = fork();
    if (child == 0) {
        _exit(lc_lock_take(&lock, data_path("k"), NULL) == LOCO_OK ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(exists("k.lock"));
    CHECK_STATUS(lc_lock_take(&lock, data_path("k"), NULL), LOCO_OK);
    lc_lock_drop(lock);
}

static void left_overs_are_removed(void)
{
    static const char *const gone[] = {"m.0123abcd-12-0.loco-tmp", "m.fedc9876-99999-17.loco-tmp"};
    static const char *const kept[] = {"m",
                                       "m.loco-tmp",
                                       "m.12-0.tmp",
                                       "m.0123abcd-12-.loco-tmp",
                                       "m.0123abcd-12-0.loco-tmp2",
                                       "mm.0123abcd-12-0.loco-tmp",
                                       "m.0123abcx-12-0.loco-tmp",
                                       "m.0123abcd-1.loco-tmp"};
    for (size_t i = 0; i < 2; i++)
        data_write(gone[i], "x");
    for (size_t i = 0; i < 8; i++)
        data_write(kept[i], "x");
    lc_lock_clean(data_path("m"));
    for (size_t i = 0; i < 2; i++)
        CHECK(!exists(gone[i]));
    for (size_t i = 0; i < 8; i++)
        CHECK(exists(kept[i]));
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(one_writer_at_a_time);
    RUN(links_are_followed);
    RUN(killed_programs_hold_nothing);
    RUN(left_overs_are_removed);
    return data_done();
}

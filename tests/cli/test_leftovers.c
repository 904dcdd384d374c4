/* SPDX-License-Identifier: MIT
 *
 * test_leftovers.c - the command and the library have the same names for temporary files, and none of a user's is one.
 */
#include "base/temp.h"

#include "check.h"

#include <string.h>
#include <unistd.h>

#include "../cli/files.h"

static void both_compose_the_same_name(void)
{
    static const char path[] = "folder/take.1-2.mid";
    char ours[sizeof path + LC_FILES_TEMP], theirs[sizeof path + LC_TEMP_SUFFIX];
    lc_files_temp(ours, sizeof ours, path, (long)getpid());
    lc_temp_name(theirs, sizeof theirs, path, strlen(path), 0);
    CHECK(strcmp(ours, theirs) == 0);
    CHECK(lc_temp_is_of(ours + strlen("folder/"), "take.1-2.mid"));
}

static void names_of_users_are_none(void)
{
    static const char *const names[] = {"take.mid",
                                        "take.mid.tmp",
                                        "take.mid.2024-05.tmp",
                                        "take.mid.loco-tmp",
                                        "take.mid.1-2.loco-tmp",
                                        "take.mid.0123ABCD-1-2.loco-tmp",
                                        "take.mid.0123abcd-1-2.loco-tmp.wav"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(!lc_temp_is_of(names[i], "take.mid"));
    CHECK(lc_temp_is_of("take.mid.0123abcd-1-2.loco-tmp", "take.mid"));
    CHECK(!lc_temp_is_of("take.mid.0123abcd-1-2.loco-tmp", "take"));
}

int main(void)
{
    RUN(both_compose_the_same_name);
    RUN(names_of_users_are_none);
    return check_done();
}

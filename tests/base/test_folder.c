/* SPDX-License-Identifier: MIT
 * test_folder.c - parts of names, and what a folder holds. */
#include "data_cases.h"

#include "base/folder.h"

static void names_have_parts(void)
{
    CHECK_EQ(lc_path_folder("music/take.wav"), 6);
    CHECK_EQ(lc_path_stem("music/take.wav"), 10);
    CHECK_STR(lc_path_ending("music/take.wav"), ".wav");
    CHECK_EQ(lc_path_folder("take"), 0);
    CHECK_EQ(lc_path_stem("take"), 4);
    CHECK_STR(lc_path_ending("v1.2/take"), "");
    CHECK_STR(lc_path_ending("a.b.wav"), ".wav");
    CHECK_STR(lc_path_ending(".hidden"), "");
    CHECK_STR(lc_path_ending("x/.hidden"), "");
    CHECK_EQ(lc_path_folder("/"), 1);
    CHECK_EQ(lc_path_stem(""), 0);
}

static void endings_give_the_kind(void)
{
    CHECK(lc_path_is_sound("a.wav") && lc_path_is_sound("a.WAV") && lc_path_is_sound("x/a.b.FlAc"));
    CHECK(!lc_path_is_sound("a.wave") && !lc_path_is_sound("wav") && !lc_path_is_sound("a.txt"));
}

static void paths_are_joined(void)
{
    lc_store store = {0};
    CHECK_STR(lc_path_join(&store, "a/b", 3, "c"), "a/b/c");
    CHECK_STR(lc_path_join(&store, "a/b/", 4, "c"), "a/b/c");
    CHECK_STR(lc_path_join(&store, "a/b", 2, "c"), "a/c");
    CHECK_STR(lc_path_join(&store, "", 0, "c"), "c");
    CHECK_STR(lc_path_join(&store, "a", 1, "/c"), "/c");
    lc_store_free(&store);
}

static void folders_are_listed_in_order(void)
{
    const char *const *names = NULL;
    size_t len = 77;
    lc_store store = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_folder_list(&names, &len, &store, data_path("missing"), &err), LOCO_EIO);
    CHECK_SAYS(err.text, "missing: the folder cannot be read");
    CHECK(names == NULL && len == 77);
    CHECK_STATUS(lc_folder_list(&names, &len, &store, data_folder, &err), LOCO_OK);
    CHECK_EQ(len, 0);
    data_write("b", "");
    data_write("a.wav", "");
    data_write(".hidden", "");
    data_write("B", "");
    CHECK_STATUS(lc_folder_list(&names, &len, &store, data_folder, &err), LOCO_OK);
    CHECK_EQ(len, 3);
    CHECK_STR(names[0], "B");
    CHECK_STR(names[1], "a.wav");
    CHECK_STR(names[2], "b");
    lc_store_free(&store);
    CHECK(lc_path_is_folder(data_folder) && !lc_path_is_folder(data_path("b")) && !lc_path_is_folder(data_path("c")));
    CHECK(!lc_path_is_file(data_folder) && lc_path_is_file(data_path("b")) && !lc_path_is_file(data_path("c")));
    data_clear();
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(names_have_parts);
    RUN(endings_give_the_kind);
    RUN(paths_are_joined);
    RUN(folders_are_listed_in_order);
    return data_done();
}

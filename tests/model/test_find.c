/* SPDX-License-Identifier: MIT
 * test_find.c - models by name: which folders, which of two, and the message when there is no such model. */
#include "data_cases.h"

static void look_in(const char *one, const char *other)
{
    char folders[1024];
    snprintf(folders, sizeof folders, "%s:%s::%s", data_path("missing"), data_path(one), data_path(other));
    CHECK(setenv("LOCO_MODELS", folders, 1) == 0);
}

static void make_folders(void)
{
    rmdir(data_path("b/zz-folder.loco"));
    data_clear();
    CHECK(mkdir(data_path("a"), 0700) == 0 && mkdir(data_path("b"), 0700) == 0);
    data_write("a/zz-first.loco", "1");
    data_write("a/zz-both.loco", "2");
    data_write("b/zz-both.loco", "3");
    data_write("b/zz-last.loco", "4");
    data_write("b/zz-other.txt", "5");
    data_write("b/.loco", "6");
    CHECK(mkdir(data_path("b/zz-folder.loco"), 0700) == 0);
}

/* Whatever else is installed on this machine. */
static const char *path_in_list(const loco_model_name *models, size_t len, const char *name)
{
    const char *path = NULL;
    for (size_t i = 0; i < len; i++) {
        CHECK(i == 0 || strcmp(models[i - 1].name, models[i].name) < 0);
        if (strcmp(models[i].name, name) == 0)
            path = models[i].path;
    }
    return path;
}

static void the_list_has_each_name_once(void)
{
    loco_model_name *models = NULL;
    size_t len = 0;
    make_folders();
    look_in("a", "b");
    CHECK_STATUS(loco_model_list(&models, &len, NULL), LOCO_OK);
    CHECK_STR(path_in_list(models, len, "zz-first"), data_path("a/zz-first.loco"));
    CHECK_STR(path_in_list(models, len, "zz-both"), data_path("a/zz-both.loco"));
    CHECK_STR(path_in_list(models, len, "zz-last"), data_path("b/zz-last.loco"));
    CHECK(path_in_list(models, len, "zz-other") == NULL && path_in_list(models, len, "zz-folder") == NULL);
    CHECK(path_in_list(models, len, "") == NULL);
    loco_free(models);
    look_in("b", "a");
    CHECK_STATUS(loco_model_list(&models, &len, NULL), LOCO_OK);
    CHECK_STR(path_in_list(models, len, "zz-both"), data_path("b/zz-both.loco"));
    loco_free(models);
}

static void finds(const char *name, const char *path)
{
    char *found = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_model_find(&found, name, &err), LOCO_OK);
    CHECK_STR(found, path);
    loco_free(found);
}

static void refuses(const char *name, const char *words)
{
    char *found = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_model_find(&found, name, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, words);
    CHECK(found == NULL);
}

static void names_are_found(void)
{
    make_folders();
    look_in("a", "b");
    finds("zz-first", data_path("a/zz-first.loco"));
    finds("zz-last", data_path("b/zz-last.loco"));
    finds(data_path("b/zz-other.txt"), data_path("b/zz-other.txt"));
}

/* A file beats a name; a folder, such as that of the data set that a model was trained on, does not. */
static void a_path_that_exists_wins(void)
{
    make_folders();
    look_in("a", "b");
    CHECK(chdir(data_folder) == 0);
    data_write("zz-first", "7");
    finds("zz-first", "zz-first");
    CHECK(mkdir("zz-last", 0700) == 0);
    finds("zz-last", data_path("b/zz-last.loco"));
    CHECK(chdir("/") == 0);
}

static void what_is_missing_is_reported(void)
{
    make_folders();
    look_in("a", "b");
    refuses("zz-frist", "no model \"zz-frist\"; the nearest name is zz-first; there are: ");
    refuses("nothing-like-it", "no model \"nothing-like-it\"; there are: ");
    refuses("zz-first.loco", "No such file here; the model that LoCo finds by name is \"zz-first\"");
    refuses("qq.loco", "cannot read qq.loco: No such file");
    refuses("some/where", "cannot read some/where: No such file");
    refuses(data_folder, "Is a directory");
    refuses("", "there is no model \"\"");
}

int main(void)
{
    CHECK(mkdtemp(data_folder) != NULL);
    RUN(the_list_has_each_name_once);
    RUN(names_are_found);
    RUN(a_path_that_exists_wins);
    RUN(what_is_missing_is_reported);
    rmdir(data_path("b/zz-folder.loco"));
    data_clear();
    rmdir(data_folder);
    return check_done();
}

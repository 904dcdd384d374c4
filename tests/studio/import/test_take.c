/* SPDX-License-Identifier: MIT
 * test_take.c - what labels become, the message about a wrong folder, and times beyond the end of a sound. */
#include "import_cases.h"

#include "studio/import/import.h"

static const char *const labels[][2] = {
    {"bd", "kick"},
    {"sd", NULL  },
    {"cr", NULL  },
};
static const lc_vocabulary vocabulary = {"a set", labels, 3, true};

static void check_map(const char *map, const char *bd, const char *sd, const char *cr)
{
    lc_import import = {.options = {.map = map}};
    const char *want[] = {bd, sd, cr};
    CHECK_STATUS(lc_import_use(&import, &vocabulary, NULL), LOCO_OK);
    for (size_t i = 0; i < 3; i++)
        CHECK(want[i] == NULL ? import.ours[i] == NULL
                              : import.ours[i] != NULL && strcmp(import.ours[i], want[i]) == 0);
    lc_store_free(&import.store);
}

static void check_wrong_map(const char *map, const char *says)
{
    lc_import import = {.options = {.map = map}};
    loco_err err = {""};
    CHECK_STATUS(lc_import_use(&import, &vocabulary, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    lc_store_free(&import.store);
}

static void labels_become_classes(void)
{
    check_map(NULL, "kick", NULL, NULL);
    check_map("all", "bd", "sd", "cr");
    check_map("sd=snare", NULL, "snare", NULL);
    check_map("sd=a,bd=a b,cr2=c=d", "a b", "a", "c=d");
    check_wrong_map("", "bd=kick");
    check_wrong_map("sd", "\"sd\" has no class; write it as in bd=kick");
    check_wrong_map("sd=", "\"sd=\"");
    check_wrong_map("=x", "\"=x\"");
    check_wrong_map("sd=a,", "\"\"");
    check_wrong_map("sd=a,sd=b", "sd is there twice");
    check_wrong_map("hh=hihat", "\"hh\" is not a label of a set: bd, sd, cr");
    check_wrong_map("sd=\xff", "UTF-8");
}

static void choices_are_checked(void)
{
    static const char *const words[] = {"first", "second", NULL}, *const none[] = {NULL};
    size_t chosen = 7;
    loco_err err = {""};
    CHECK_STATUS(lc_import_choose(&chosen, "mix", "secund", words, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "is it \"second\"?");
    CHECK_STATUS(lc_import_choose(&chosen, "mix", "x", none, &err), LOCO_EARG);
    CHECK_EQ(chosen, 7);
    CHECK_STATUS(lc_import_choose(&chosen, "mix", "second", words, &err), LOCO_OK);
    CHECK_EQ(chosen, 1);
    CHECK_STATUS(lc_import_choose(&chosen, "mix", NULL, words, &err), LOCO_OK);
    CHECK_EQ(chosen, 0);
}

static void wrong_folders_show_what_is_there(void)
{
    char from[512];
    snprintf(from, sizeof from, "%s", run_path("wrong"));
    lc_import import = {.from = from, .vocabulary = &vocabulary};
    const char *path = NULL;
    loco_err err = {""};
    import_folder("wrong");
    CHECK_STATUS(lc_import_folder(&path, &import, (const char *const[]){"one", NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "no folder one, as a set has; this folder holds nothing");
    run_write("wrong/a file with a name that is much too long to be shown whole", "");
    CHECK_STATUS(lc_import_folder(&path, &import, (const char *const[]){"one", "two", NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "no folder one or two");
    CHECK_SAYS(err.text, "a file with a name");
    for (int i = 0; i < 26; i++) {
        char c = (char)('a' + i);
        run_write((char[]){'w', 'r', 'o', 'n', 'g', '/', c, c, c, c, '\0'}, "");
    }
    CHECK_STATUS(lc_import_folder(&path, &import, (const char *const[]){"one", "two", NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, ", ...");
    CHECK(path == NULL);
    import_folder("wrong/two");
    CHECK_STATUS(lc_import_folder(&path, &import, (const char *const[]){"one", "two", NULL}, &err), LOCO_OK);
    CHECK(path != NULL && strcmp(path + strlen(from), "/two") == 0);
    lc_store_free(&import.store);
}

/* Up to 0.1 s beyond the end, for times are rounded. */
static void late_strokes_are_refused(void)
{
    lc_stroke strokes[] = {
        {1,     0, 1},
        {2.099, 0, 2},
    };
    lc_import_take take = {
        .file = {.name = "a.wav", .sound = "d/a.wav"},
          .seconds = 2, .strokes = { strokes,              2,                  2},
          .path = "a.txt"
    };
    loco_err err = {""};
    CHECK_STATUS(lc_import_check(&take, &err), LOCO_OK);
    strokes[1].time = 2.101;
    CHECK_STATUS(lc_import_check(&take, &err), LOCO_EDATA);
    CHECK_STR(err.text, "a.txt:2: a stroke at 2.101 s, but \"a.wav\" lasts 2.000 s");
}

int main(void)
{
    run_begin();
    RUN(labels_become_classes);
    RUN(choices_are_checked);
    RUN(wrong_folders_show_what_is_there);
    RUN(late_strokes_are_refused);
    return run_done();
}

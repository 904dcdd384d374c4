/* SPDX-License-Identifier: MIT
 * test_origin.c - where a model comes from: what is taken from the user, from the data, and by itself. */
#include "train_cases.h"

#include "train/origin.h"

static const char *value_of(const lc_origin *origin, const char *key)
{
    for (size_t i = 0; i < origin->len; i++)
        if (strcmp(origin->pairs[i].key, key) == 0)
            return origin->pairs[i].value;
    return NULL;
}

static void lines_are_checked(void)
{
    char longest[LC_ORIGIN_LINE + 2];
    loco_err err = {""};
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    static const char *const bad[] = {"", "a\nb", "a\r", "\xc3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_STATUS(lc_origin_check(&(loco_train_options){.size = sizeof(loco_train_options), .about = bad[i]}, &err),
                     LOCO_EARG);
        CHECK_SAYS(err.text, "about must be one line");
        CHECK_STATUS(
            lc_origin_check(&(loco_train_options){.size = sizeof(loco_train_options), .licence = bad[i]}, &err),
            LOCO_EARG);
        CHECK_SAYS(err.text, "licence must be one line");
    }
    CHECK_STATUS(lc_origin_check(&(loco_train_options){.size = sizeof(loco_train_options), .about = longest}, &err),
                 LOCO_EARG);
    longest[LC_ORIGIN_LINE] = 0;
    CHECK_STATUS(
        lc_origin_check(&(loco_train_options){.size = sizeof(loco_train_options), .about = longest, .licence = "MIT"},
                        &err),
        LOCO_OK);
    CHECK_STATUS(lc_origin_check(&(loco_train_options){.size = sizeof(loco_train_options)}, &err), LOCO_OK);
}

static void all_is_gathered(void)
{
    static const char *const sets[] = {"network=gru 4", "frontend.bands=24", "batch=2"};
    loco_train_options training = {
        .size = sizeof training, .preset = "sound", .sets = sets, .sets_len = 3, .about = "about it", .licence = "MIT"};
    lc_plan *plan = NULL;
    lc_origin origin = {.len = 0};
    loco_err err = {""};
    CHECK_STATUS(lc_plan_new(&plan, run_path("drums"), &training, &err), LOCO_OK);
    CHECK_STATUS(lc_origin_gather(&origin, run_path("drums"), &training, plan, &err), LOCO_OK);
    CHECK_EQ(origin.len, 5);
    CHECK_STR(value_of(&origin, "about"), "about it");
    CHECK_STR(value_of(&origin, "licence"), "MIT");
    CHECK_STR(value_of(&origin, "command"),
              "loco train drums --preset sound --set 'network=gru 4' --set frontend.bands=24 --set batch=2");
    CHECK_SAYS(value_of(&origin, "version"), loco_version());
    CHECK_SAYS(value_of(&origin, "trained_on"), "4 recordings, ");
    lc_origin_free(&origin);

    run_write("drums/sources.txt", "mine\nand yours\n");
    training.about = training.licence = NULL;
    CHECK_STATUS(lc_origin_gather(&origin, run_path("drums"), &training, plan, &err), LOCO_OK);
    CHECK_EQ(origin.len, 3);
    CHECK_STR(value_of(&origin, "trained_on"), "mine\nand yours\n");
    CHECK(value_of(&origin, "about") == NULL && value_of(&origin, "licence") == NULL);
    lc_origin_free(&origin);

    run_write("drums/sources.txt", "\xff");
    CHECK_STATUS(lc_origin_gather(&origin, run_path("drums"), &training, plan, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "sources.txt is not a text");
    lc_origin_free(&origin);
    lc_plan_free(plan);
}

int main(void)
{
    run_begin();
    run_drums("drums", 4, 3, 1);
    RUN(lines_are_checked);
    RUN(all_is_gathered);
    return run_done();
}

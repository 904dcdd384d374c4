/* SPDX-License-Identifier: MIT
 * test_held_out.c - which names are for test sets: the default table, the hash, and files of rules. */
#include "kit_cases.h"

#include "studio/kits/held_out.h"

/* What the manual says is held out. */
static void known_names(void)
{
    CHECK(lc_held_out_has(NULL, "ColomboAcousticDrumkit"));
    CHECK(lc_held_out_has(NULL, "ElectricEmpireKit"));
    CHECK(lc_held_out_has(NULL, "Gimme A Hand 1.0"));
    CHECK(!lc_held_out_has(NULL, "TR808EmulationKit"));
    CHECK(!lc_held_out_has(NULL, "Audiophob"));
    CHECK(!lc_held_out_has(NULL, "VariBreaks"));
    CHECK(!lc_held_out_has(NULL, "circAfrique v4"));
    CHECK(!lc_held_out_has(NULL, "LMMS-beats"));
    CHECK(!lc_held_out_has(NULL, "LMMS-machines"));
    CHECK(!lc_held_out_has(NULL, "SonicPi-drums"));
    CHECK(!lc_held_out_has(NULL, "SonicPi-machines"));
    CHECK(!lc_held_out_has(NULL, "BJA_Pacific"));
    CHECK(lc_held_out_has(NULL, "TimGM6mb"));
    CHECK(lc_held_out_has(NULL, "timgm6MB"));
    CHECK(lc_held_out_has(NULL, "sf_GMbank"));
    CHECK(!lc_held_out_has(NULL, "FluidR3_GM"));
    CHECK(!lc_held_out_has(NULL, "ForzeeStereo"));
    CHECK(lc_held_out_has(NULL, "GMRockKit") == lc_held_out_has(NULL, "The Black Pearl 1.0"));
    CHECK(lc_held_out_has(NULL, "GMRockKit") == lc_held_out_has(NULL, "Red_Zeppelin_4_LV2"));
    CHECK(lc_held_out_has(NULL, "MuseScore_General_Full") == lc_held_out_has(NULL, "FluidR3_GM"));
}

static void a_quarter_is_held_out(void)
{
    size_t out = 0;
    for (size_t i = 0; i < 4000; i++) {
        char name[32];
        snprintf(name, sizeof name, "take_%zu.mid", i);
        out += lc_held_out_has(NULL, name);
    }
    CHECK(out > 900 && out < 1100);
}

static void refuse(const char *text, const char *says)
{
    lc_held_out rules = {.len = 77};
    loco_err err = {""};
    data_write("rules.txt", text);
    CHECK_STATUS(lc_held_out_load(&rules, data_path("rules.txt"), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(rules.len, 77);
}

static void wrong_rules_are_refused(void)
{
    lc_held_out rules;
    loco_err err = {""};
    CHECK_STATUS(lc_held_out_load(&rules, data_path("none.txt"), &err), LOCO_EIO);
    refuse("test a\nboth b\n", "rules.txt:2: \"both b\" is not a rule");
    refuse("test\n", "rules.txt:1");
    refuse("# only a comment\n\ntrain \t \n", "rules.txt:3");
    refuse("testa", "write test or train");
}

/* The first match wins; without one, the hash decides as it does without rules. */
static void rules_come_from_a_file(void)
{
    lc_held_out rules;
    loco_err err = {""};
    data_write("rules.txt", "# ours\n  test\tGimme a Hand \r\ntrain colombo\n\ntrain a\ntest ab");
    CHECK_STATUS(lc_held_out_load(&rules, data_path("rules.txt"), &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_EQ(rules.len, 4);
    CHECK(lc_held_out_has(&rules, "gimme A hand 1.0") && !lc_held_out_has(&rules, "ColomboAcousticDrumkit"));
    CHECK(!lc_held_out_has(&rules, "cab"));
    for (int i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "kit %d", i);
        CHECK(lc_held_out_has(&rules, name) == lc_held_out_has(NULL, name));
    }
    lc_kit_side test = {&rules, true}, train = {&rules, false};
    CHECK(lc_kit_side_has(test, "GIMME A HAND") && !lc_kit_side_has(train, "GIMME A HAND"));
    lc_held_out_free(&rules);
    lc_held_out_free(&rules);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(known_names);
    RUN(a_quarter_is_held_out);
    RUN(wrong_rules_are_refused);
    RUN(rules_come_from_a_file);
    return data_done();
}

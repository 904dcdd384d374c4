/* SPDX-License-Identifier: MIT
 * test_presets.c - every preset is a network, of the published number of parameters, by its name and by its alias. */
#include "nets.h"

#include "model/presets.h"

static void unknown_names_give_nothing(void)
{
    CHECK(lc_preset_find("") == NULL);
    CHECK(lc_preset_find("drum") == NULL);
    CHECK(lc_preset_find("drums-") == NULL);
    CHECK(lc_preset_find("Drums") == NULL);
}

static void names_and_aliases_are_found(void)
{
    size_t n = 0;
    for (; lc_presets[n].name != NULL; n++) {
        CHECK(lc_preset_find(lc_presets[n].name) == &lc_presets[n]);
        if (lc_presets[n].alias != NULL)
            CHECK(lc_preset_find(lc_presets[n].alias) == &lc_presets[n]);
    }
    CHECK(n >= 3);
}

static void check_size(const char *name, size_t params, size_t classes)
{
    const lc_preset *preset = lc_preset_find(name);
    lc_net net;
    CHECK(preset != NULL);
    if (preset == NULL)
        return;
    net_of(&net, preset->line, preset->F, preset->C);
    CHECK_EQ(net.params, params);
    CHECK_EQ(net.classes, classes);
    CHECK(net.streams);
}

static void networks_are_as_published(void)
{
    check_size("drums", 18395, 3);
    check_size("drums-paper", 18395, 3);
    check_size("piano-paper", 278730, 10);
    check_size("piano", 278730, 10);
    check_size("piano-shared", 66987, 88);
    check_size("digits-dense", 281546, 10);
    check_size("digits", 9512978, 10);
    check_size("digits-paper", 9512978, 10);
}

int main(void)
{
    RUN(unknown_names_give_nothing);
    RUN(names_and_aliases_are_found);
    RUN(networks_are_as_published);
    return check_done();
}

/* SPDX-License-Identifier: MIT
 * test_drumkit.c - the layouts of drumkit.xml, and what is wrong with one. */
#include "cases.h"

#include "studio/kits/drumkit.h"

static lc_store store;

static loco_status parse(lc_drumkit *kit, const char *text, loco_err *err)
{
    return lc_drumkit_parse(kit, &store, "kit/drumkit.xml", text, strlen(text), err);
}

static void refuse(const char *text, const char *says)
{
    lc_drumkit kit = {.instruments = 77};
    loco_err err = {""};
    CHECK_STATUS(parse(&kit, text, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK_SAYS(err.text, "kit/drumkit.xml");
    CHECK_EQ(kit.instruments, 77);
    CHECK_STATUS(parse(&kit, text, NULL), LOCO_EDATA);
}

#define INSTRUMENT(name, layers) "<instrument><name>" name "</name>" layers "</instrument>"

static void wrong_kits_are_refused(void)
{
    refuse("", "drumkit.xml");
    refuse("<drumkit_info>", "drumkit.xml");
    refuse("<drumkit_info/>", "no <instrument>");
    refuse("<d>" INSTRUMENT("Kick", "<filename>/etc/passwd</filename>") "</d>", "outside");
    refuse("<d>" INSTRUMENT("Kick", "<filename>a/../../b.wav</filename>") "</d>", "outside");
    refuse("<d>" INSTRUMENT("Kick", "<filename>..</filename>") "</d>", "outside");
    refuse("<d>\n" INSTRUMENT("Kick", "<layer><min>loud</min></layer>") "</d>", ":2: \"loud\" is not a velocity");
}

static void limits_hold(void)
{
    static char text[600000];
    char *at = text + sprintf(text, "<d><instrument><name>Kick</name>");
    for (size_t i = 0; i <= LC_DRUMKIT_LAYERS; i++)
        at += sprintf(at, "<filename>a.wav</filename>");
    sprintf(at, "</instrument></d>");
    refuse(text, "more than 8192 layers");
    at = text + sprintf(text, "<d>");
    for (size_t i = 0; i <= LC_DRUMKIT_INSTRUMENTS; i++)
        at += sprintf(at, "<instrument></instrument>");
    sprintf(at, "</d>");
    refuse(text, "more than 1024 instruments");
}

static void check_two_layers(const char *text)
{
    lc_drumkit kit;
    loco_err err = {""};
    CHECK_STATUS(parse(&kit, text, &err), LOCO_OK);
    CHECK_STR(kit.name, "K");
    CHECK_STR(kit.author, "A");
    CHECK_STR(kit.licence, "GPL");
    CHECK_EQ(kit.instruments, 3);
    CHECK_EQ(kit.layers_len, 3);
    CHECK_STR(kit.layers[0].file, "a.wav");
    CHECK_NEAR(kit.layers[0].min, 0, 0);
    CHECK_NEAR(kit.layers[0].max, 0.5, 0);
    CHECK_STR(kit.layers[1].file, "sub/b..c.wav");
    CHECK_NEAR(kit.layers[1].max, 1, 0);
    CHECK_EQ(kit.layers[0].part, LC_VOICE_SNARE);
    CHECK_EQ(kit.layers[0].instrument, kit.layers[1].instrument);
    CHECK_EQ(kit.layers[2].part, LC_VOICE_CLAP);
    CHECK_EQ(kit.layers[2].instrument, 2);
}

#define LAYERS                                                                             \
    "<layer><filename>a.wav</filename><min>-0.1</min><max>0.5</max><gain>1</gain></layer>" \
    "<layer><filename></filename></layer>"                                                 \
    "<layer><filename>sub/b..c.wav</filename><min>0.5</min><max>1.5</max></layer>"
#define REST INSTRUMENT("Whistle", "<filename>w.wav</filename>") INSTRUMENT("Clap", "<filename>c.wav</filename>")

/* Layers within the instrument, within a component, and with the name behind them. */
static void layouts_of_all_versions(void)
{
    check_two_layers(
        "<drumkit_info xmlns=\"x\"><name>K</name><author>A</author><license>GPL</license><instrumentList>" INSTRUMENT(
            "Snare", LAYERS) REST "</instrumentList></drumkit_info>");
    check_two_layers("<drumkit_info><name>K</name><author>A</author><licence>GPL</licence>"
                     "<componentList><drumkitComponent><name>Main</name></drumkitComponent></componentList>"
                     "<instrumentList>" INSTRUMENT("Snare", "<instrumentComponent>" LAYERS "</instrumentComponent>")
                         REST "</instrumentList></drumkit_info>");
    check_two_layers("<drumkit_info><name>K</name><author>A</author><license>GPL</license><instrumentList>"
                     "<instrument>" LAYERS "<name>Snare</name></instrument>" REST "</instrumentList></drumkit_info>");
}

static void missing_texts_are_empty(void)
{
    lc_drumkit kit;
    CHECK_STATUS(parse(&kit, "<d><instrument><filename>x.wav</filename></instrument></d>", NULL), LOCO_OK);
    CHECK_STR(kit.name, "");
    CHECK_STR(kit.licence, "");
    CHECK_EQ(kit.layers_len, 0); /* an instrument without a name is of no part */
}

int main(void)
{
    RUN(wrong_kits_are_refused);
    RUN(limits_hold);
    RUN(layouts_of_all_versions);
    RUN(missing_texts_are_empty);
    lc_store_free(&store);
    return check_done();
}

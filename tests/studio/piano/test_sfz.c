/* SPDX-License-Identifier: MIT
 * test_sfz.c - SFZ: what regions inherit, names with spaces, includes and their loops, limits, and what is refused. */
#include "data_cases.h"

#include "base/text.h"
#include "studio/piano/sfz.h"

/* Files that are included, a name and its text in turn. */
static loco_status open_one(void *context, const char *name, char **bytes, size_t *length, loco_err *err)
{
    const char *const *files = context;
    (void)err;
    for (; files != NULL && *files != NULL; files += 2)
        if (strcmp(files[0], name) == 0) {
            *length = strlen(files[1]);
            *bytes = malloc(*length + 1);
            memcpy(*bytes, files[1], *length + 1);
            return LOCO_OK;
        }
    snprintf(err->text, sizeof err->text, "no %s", name);
    return LOCO_EIO;
}

/* `sample lokey-hikey lovel-hivel centre;` of each region. */
static void reads(const char *text, const char *const *files, const char *want)
{
    lc_store store = {0};
    lc_sfz sfz;
    loco_err err = {""};
    char got[512] = "";
    char *copy = malloc(strlen(text) + 1); /* of exactly its length */
    memcpy(copy, text, strlen(text));
    loco_status status = lc_sfz_parse(&sfz, &store, "in/a.sfz", copy, strlen(text), open_one, (void *)files, &err);
    CHECK_STATUS(status, LOCO_OK);
    CHECK_STR(err.text, "");
    for (size_t i = 0; status == LOCO_OK && i < sfz.len; i++) {
        const lc_sfz_region *r = &sfz.regions[i];
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s %u-%u %u-%u %g;", r->sample, r->lokey, r->hikey,
                 r->lovel, r->hivel, r->centre);
    }
    CHECK_STR(got, want);
    free(copy);
    lc_store_free(&store);
}

static void refuses(const char *text, const char *const *files, loco_status want, const char *says)
{
    lc_store store = {0};
    lc_sfz sfz = {.len = 77};
    loco_err err = {""};
    CHECK_STATUS(lc_sfz_parse(&sfz, &store, "in/a.sfz", text, strlen(text), open_one, (void *)files, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(sfz.len, 77);
    lc_store_free(&store);
}

static void wrong_text_is_refused(void)
{
    static const char *const loop[] = {"b.sfz", "<group>\n#include \"c.sfz\"", "c.sfz", "#include \"b.sfz\"", NULL};
    static const char *const self[] = {"b.sfz", "<group>\n#include \"a.sfz\"", NULL};
    static const char *const deep[] = {"1", "#include \"2\"", "2", "#include \"3\"", "3", "#include \"4\"",
                                       "4", "#include \"5\"", "5", "#include \"6\"", "6", "#include \"7\"",
                                       "7", "#include \"8\"", "8", "#include \"9\"", "9", "<region> sample=a",
                                       NULL};
    static const char *const odd[] = {"b.sfz", "<region> sample=x\n\nlokey=q", NULL};
    refuses("", NULL, LOCO_EDATA, "a.sfz: no <region>");
    refuses("<group> sample=a.wav", NULL, LOCO_EDATA, "no <region>");
    refuses("RIFF", NULL, LOCO_EDATA, "a.sfz:1: \"RIFF\" is neither a header");
    refuses("<region", NULL, LOCO_EDATA, "< without >");
    refuses("\n<region> sample=/a.wav", NULL, LOCO_EDATA, "a.sfz:2: sample \"/a.wav\" is not a file beside");
    refuses("<region> sample=", NULL, LOCO_EDATA, "is not a file beside");
    refuses("<region> sample=a lokey=128", NULL, LOCO_EDATA, "lokey=128; expected a number from -1 to 127");
    refuses("<region> sample=a pitch_keycenter=h4", NULL, LOCO_EDATA, "pitch_keycenter=h4");
    refuses("<region> sample=a lokey=60 hikey=50", NULL, LOCO_EDATA, "keys go from 60 to 50");
    refuses("#include \"b.sfz\"", loop, LOCO_EDATA, "c.sfz:1: includes \"b.sfz\", which includes it again");
    refuses("#include \"b.sfz\"", self, LOCO_EDATA, "includes \"a.sfz\", which includes it again");
    refuses("#include \"1\"", deep, LOCO_EDATA, "more than 8 files include each other");
    refuses("#include \"b.sfz\"", odd, LOCO_EDATA, "b.sfz:3: lokey=q");
    refuses("#include b.sfz", NULL, LOCO_EDATA, "#include without a name in quotes");
    refuses("#include \"b.sfz\"", NULL, LOCO_EIO, "no b.sfz");
    refuses("a\x01", NULL, LOCO_EDATA, "a.sfz");
}

static void regions_inherit(void)
{
    static const char *const files[] = {"b.sfz", "lovel=5\n<region> sample=b.wav", NULL};
    reads("<region> sample=a.wav", NULL, "a.wav 0-127 0-127 60;");
    reads(
        "<control> default_path=S\\ \n<global> lovel=10 <master> hivel=90\n<group> key=21 <region> sample=x y.wav "
        "tune=-20 volume=3\n<region> sample=b.wav key=c4 // c\n<group><region> sample=c.wav lokey=-1 hikey=C#-1 lovel=0",
        NULL, "S/x y.wav 21-21 10-90 21.2;S/b.wav 60-60 10-90 60;S/c.wav 0-1 0-90 60;");
    reads("<group> lovel=9 <global> <region> sample=a", NULL, "a 0-127 0-127 60;");
    reads("<curve> v000=0 <region> sample=a=b.wav/* no comment */\n/* one */ lokey=2", NULL,
          "a=b.wav/* no comment */ 2-127 0-127 60;");
    reads("#define $A 1\n<group>\n#include \"b.sfz\" <region> sample=c", files,
          "b.wav 0-127 5-127 60;c 0-127 5-127 60;");
}

static void other_sounds_are_left_out(void)
{
    reads(
        "<region> sample=a trigger=release <region> sample=b trigger=attack <region> sample=c seq_position=2 "
        "<region> sample=d seq_position=1 <region> sample=e on_locc64=126 <region> sample=f hikey=-1 <region> lokey=3",
        NULL, "b 0-127 0-127 60;d 0-127 0-127 60;");
}

static void limits_hold(void)
{
    lc_text text = {0};
    for (size_t i = 0; i <= LC_SFZ_REGIONS; i++)
        lc_text_string(&text, "<region> sample=a\n");
    refuses(text.bytes, NULL, LOCO_EDATA, "more than 16384 regions");
    while (text.length <= LC_SFZ_BYTES)
        lc_text_string(&text, "// and so on, and so on, and so on, and so on, and so on, and so on, and so on\n");
    refuses(text.bytes, NULL, LOCO_EDATA, "more than 4 MiB");
    lc_text_free(&text);
}

static void files_are_loaded(void)
{
    lc_store store = {0};
    lc_sfz sfz;
    data_write("a.sfz", "// by nobody\r\n#include \"b.sfz\"\r\n");
    data_write("b.sfz", "<region>\r\nsample=a.wav\r\n");
    CHECK_STATUS(lc_sfz_load(&sfz, &store, data_path("a.sfz"), NULL), LOCO_OK);
    CHECK_EQ(sfz.len, 1);
    CHECK_STR(sfz.regions[0].sample, "a.wav");
    CHECK(strncmp(sfz.about, "by nobody", 9) == 0);
    lc_store_free(&store);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_text_is_refused);
    RUN(regions_inherit);
    RUN(other_sounds_are_left_out);
    RUN(limits_hold);
    RUN(files_are_loaded);
    return data_done();
}

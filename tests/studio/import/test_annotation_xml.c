/* SPDX-License-Identifier: MIT
 * test_annotation_xml.c - events of IDMT-SMT-Drums and layers of Sonic Visualiser: what is read and refused. */
#include "data_cases.h"

#include "studio/import/strokes.h"

static const char *const labels[][2] = {
    {"KD", "kick" },
    {"SD", "snare"},
    {"HH", "hihat"},
};
static const lc_vocabulary vocabulary = {"a set", labels, 3, false};

static loco_status parse_events(lc_strokes *strokes, const char *xml, loco_err *err)
{
    return lc_strokes_parse_events(strokes, &vocabulary, "x.xml", xml, strlen(xml), err);
}

static loco_status parse_layer(lc_strokes *strokes, const char *xml, loco_err *err)
{
    return lc_strokes_parse_layer(strokes, 2, 100, "x.svl", xml, strlen(xml), err);
}

static void check_refused(loco_status (*parse)(lc_strokes *, const char *, loco_err *), const char *xml,
                          const char *says)
{
    lc_strokes strokes = {0};
    loco_err err = {""};
    CHECK_STATUS(parse(&strokes, xml, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    lc_strokes_free(&strokes);
}

/* Events between <transcription> and its end. */
#define EVENTS(inner) "<instrumentRecording>\n<transcription>" inner "</transcription></instrumentRecording>"

static void wrong_events_are_refused(void)
{
    check_refused(parse_events, "0.5\tKD\n", "x.xml:1: this is not XML");
    check_refused(parse_events, "<instrumentRecording>\n<transcription>", "x.xml:2: this is not XML: no element found");
    check_refused(parse_events, "<sv><data/></sv>", "x.xml:1: <sv> is found where <instrumentRecording> is expected");
    check_refused(parse_events, "<instrumentRecording/>", "x.xml:1: no <transcription>");
    check_refused(parse_events, EVENTS("\n<event><instrument>KD</instrument></event>"),
                  "x.xml:3: an <event> without <onsetSec>");
    check_refused(parse_events, EVENTS("\n<event><onsetSec>1</onsetSec></event>"),
                  "x.xml:3: an <event> without <instrument>");
    check_refused(parse_events, EVENTS("<event><event/></event>"), "x.xml:2: an <event> within");
    check_refused(parse_events, EVENTS("<event><onsetSec/><instrument>KD</instrument></event>"),
                  "x.xml:2: \"\" is not a time");
    check_refused(parse_events, EVENTS("<event><onsetSec>nan</onsetSec><instrument>KD</instrument></event>"),
                  "x.xml:2: \"nan\" is not a time");
    check_refused(parse_events, EVENTS("<event><onsetSec>-1</onsetSec><instrument>KD</instrument></event>"),
                  "x.xml:2: times go from 0");
    check_refused(parse_events, EVENTS("<event><onsetSec>1</onsetSec><instrument>CY</instrument></event>"),
                  "x.xml:2: \"CY\" is not a label of a set: KD, SD, HH");
    check_refused(parse_events, EVENTS("<event><onsetSec>1</onsetSec><instrument/></event>"), "x.xml:2: no label");
    check_refused(parse_events,
                  EVENTS("<event><onsetSec>1.00000000000000000000000000000000000000000000000000000000000000000000x"
                         "</onsetSec><instrument>KD</instrument></event>"),
                  "x.xml:2: \"1.0000");
}

static void events_are_read(void)
{
    lc_strokes strokes = {0};
    const char *xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<instrumentRecording><globalParameter><instrument>drums</instrument></globalParameter>\n"
                      "<transcription>\n"
                      "<event>\n<pitch>36</pitch><onsetSec> 1.5 </onsetSec><offsetSec>9</offsetSec>\n"
                      "<instrument>SD</instrument></event>\n"
                      "<event><instrument>KD</instrument><onsetSec>0.25</onsetSec></event>\n"
                      "</transcription></instrumentRecording>";
    CHECK_STATUS(parse_events(&strokes, xml, NULL), LOCO_OK);
    CHECK_EQ(strokes.len, 2);
    if (strokes.len == 2) {
        CHECK_NEAR(strokes.items[0].time, 1.5, 0);
        CHECK_EQ(strokes.items[0].label, 1);
        CHECK_EQ(strokes.items[0].line, 4);
        CHECK_NEAR(strokes.items[1].time, 0.25, 0);
        CHECK_EQ(strokes.items[1].label, 0);
        CHECK_EQ(strokes.items[1].line, 7);
    }
    strokes.len = 0;
    CHECK_STATUS(parse_events(&strokes, EVENTS(""), NULL), LOCO_OK);
    CHECK_EQ(strokes.len, 0);
    lc_strokes_free(&strokes);
}

#define LAYER(inner) "<!DOCTYPE sonic-visualiser>\n<sv><data>\n<model sampleRate=\"100\"/>" inner "</data></sv>"

static void wrong_layers_are_refused(void)
{
    lc_strokes strokes = {0};
    check_refused(parse_layer, "\x1f\x8b\x08", "x.svl:1: the file is compressed (gzip)");
    check_refused(parse_layer, "BZh91AY", "x.svl:1: the file is compressed (bzip2)");
    check_refused(parse_layer, "<instrumentRecording/>", "x.svl:1: <instrumentRecording> is found where <sv>");
    check_refused(parse_layer, "<sv/>", "x.svl:1: no <model>");
    check_refused(parse_layer, "<sv>\n<model/></sv>", "x.svl:2: a <model> without sampleRate");
    check_refused(parse_layer, "<sv>\n<model sampleRate='x'/></sv>", "x.svl:2: sampleRate \"x\" is not a number");
    check_refused(parse_layer, "<sv>\n<model sampleRate='441'/></sv>", "\"441\" is not that of the sound, 100 Hz");
    check_refused(parse_layer, "<sv>\n<point frame='1'/></sv>", "x.svl:2: a <point> before any <model>");
    check_refused(parse_layer, LAYER("<point label='x'/>"), "x.svl:3: a <point> without frame");
    check_refused(parse_layer, LAYER("\n<point frame='nan'/>"), "x.svl:4: frame \"nan\" is not a number");
    check_refused(parse_layer, LAYER("\n<point frame='-1'/>"), "x.svl:4: times go from 0");
    check_refused(parse_layer, LAYER("\n<point frame='1e10'/>"), "x.svl:4: times go from 0");
    CHECK_STATUS(lc_strokes_parse_layer(&strokes, 0, 0, "x.svl", "<sv/>", 5, NULL), LOCO_EARG);
    CHECK_STATUS(lc_strokes_parse_layer(&strokes, 0, NAN, "x.svl", "<sv/>", 5, NULL), LOCO_EARG);
}

static void layers_are_read(void)
{
    lc_strokes strokes = {0};
    const char *xml = LAYER("<dataset>\n<point frame='250' label='a'/><point frame='0' value='1'/>\n</dataset>") "\n";
    CHECK_STATUS(parse_layer(&strokes, xml, NULL), LOCO_OK);
    CHECK_EQ(strokes.len, 2);
    if (strokes.len == 2) {
        CHECK_NEAR(strokes.items[0].time, 2.5, 0);
        CHECK_EQ(strokes.items[0].label, 2);
        CHECK_EQ(strokes.items[0].line, 4);
        CHECK_NEAR(strokes.items[1].time, 0, 0);
    }
    lc_strokes_free(&strokes);
}

int main(void)
{
    RUN(wrong_events_are_refused);
    RUN(events_are_read);
    RUN(wrong_layers_are_refused);
    RUN(layers_are_read);
    return check_done();
}

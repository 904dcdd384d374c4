/* SPDX-License-Identifier: MIT
 * test_xml.c - elements, attributes and text as they come; what is not XML, and too much of it, is refused. */
#include "data_cases.h"

#include "base/text.h"
#include "studio/import/xml.h"

/* Writes all calls down: `<name a=b>@line` and `</name:text>@line`. */
static loco_status note_start(void *user, const char *name, const char *const *attributes, unsigned long line,
                              loco_err *err)
{
    lc_text *log = user;
    (void)err;
    lc_text_format(log, "<%s", name);
    for (; *attributes != NULL; attributes += 2)
        lc_text_format(log, " %s=%s", attributes[0], attributes[1]);
    lc_text_format(log, ">@%lu", line);
    return LOCO_OK;
}

static loco_status note_end(void *user, const char *name, const char *text, unsigned long line, loco_err *err)
{
    (void)err;
    lc_text_format(user, "</%s:%s>@%lu", name, text, line);
    return LOCO_OK;
}

/* From a copy of exactly its length. */
static loco_status parse(const char *xml, size_t length, const lc_xml_handler *handler, loco_err *err)
{
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, xml, length);
    loco_status status = lc_xml_parse(copy, length, "x.xml", handler, err);
    free(copy);
    return status;
}

static void check_refused(const char *xml, size_t length, const char *place, const char *says)
{
    lc_text log = {0};
    lc_xml_handler handler = {&log, note_start, note_end};
    loco_err err = {""};
    CHECK_STATUS(parse(xml, length, &handler, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, place);
    CHECK_SAYS(err.text, says);
    CHECK_STATUS(parse(xml, length, &(lc_xml_handler){NULL, NULL, NULL}, NULL), LOCO_EDATA);
    lc_text_free(&log);
}

#define REFUSED(xml, place, says) check_refused((xml), sizeof(xml) - 1, (place), (says))

static void what_is_not_xml_is_refused(void)
{
    REFUSED("", "x.xml:1", "no element found");
    REFUSED("0.5\tbd\n", "x.xml:1", "not XML");
    REFUSED("<a>\n<b>\n", "x.xml:3", "no element");
    REFUSED("<a>\n</b>", "x.xml:2", "mismatched tag");
    REFUSED("<a>\n\xe9</a>", "x.xml:2", "not well-formed");
    REFUSED("<a>&lol;</a>", "x.xml:1", "undefined entity");
    REFUSED("\x1f\x8b\x08 and more", "x.xml:1", "gzip");
    REFUSED("BZh91AY", "x.xml:1", "bzip2");
    REFUSED("<?xml version='1.0'?>\n<!DOCTYPE a [\n<!ENTITY b 'c'>]>\n<a>&b;</a>", "x.xml:2", "DOCTYPE");
    REFUSED("<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", "x.xml:1", "DOCTYPE");
}

static void check_log(const char *xml, size_t length, const char *want)
{
    lc_text log = {0};
    lc_xml_handler handler = {&log, note_start, note_end};
    loco_err err = {""};
    CHECK_STATUS(parse(xml, length, &handler, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_STR(log.bytes, want);
    lc_text_free(&log);
}

#define LOG(xml, want) check_log((xml), sizeof(xml) - 1, (want))

static void elements_come_in_order(void)
{
    LOG("<a/>", "<a>@1</a:>@1");
    LOG("<a x='1' y='&lt;'>\n <b>two</b>\n</a>", "<a x=1 y=<>@1<b>@2</b:two>@2</a:>@3");
    LOG("<a> one <b>\ttwo\n</b>three </a>", "<a>@1<b>@1</b:two>@2</a:one three>@2");
    LOG("<a><b>x</b><b/></a>", "<a>@1<b>@1</b:x>@1<b>@1</b:>@1</a:>@1");
    LOG("<a><![CDATA[<&]]>&amp;&#65;</a>", "<a>@1</a:<&&A>@1");
    LOG("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE sonic-visualiser>\n<sv/>", "<sv>@3</sv:>@3");
}

/* Expat turns what a file declares, or marks, into UTF-8. */
static void encodings_become_one(void)
{
    LOG("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "<a>@1</a:\xc3\xa9>@1");
    LOG("\xff\xfe<\0a\0>\0\xe9\0<\0/\0a\0>\0", "<a>@1</a:\xc3\xa9>@1");
    LOG("\xef\xbb\xbf<a/>", "<a>@1</a:>@1");
}

static loco_status refuse_b(void *user, const char *name, const char *const *attributes, unsigned long line,
                            loco_err *err)
{
    (void)attributes;
    ++*(size_t *)user;
    snprintf(err->text, sizeof err->text, "%s in line %lu", name, line);
    return strcmp(name, "b") == 0 ? LOCO_EIO : LOCO_OK;
}

static loco_status count_end(void *user, const char *name, const char *text, unsigned long line, loco_err *err)
{
    (void)name, (void)text, (void)line, (void)err;
    ++*(size_t *)user;
    return LOCO_OK;
}

static void a_handler_ends_the_reading(void)
{
    size_t calls = 0;
    loco_err err = {""};
    const char xml[] = "<a>\n<b/><c/></a>";
    lc_xml_handler handler = {&calls, refuse_b, count_end};
    CHECK_STATUS(parse(xml, strlen(xml), &handler, &err), LOCO_EIO);
    CHECK_STR(err.text, "b in line 2");
    CHECK_EQ(calls, 2);
    calls = 0;
    CHECK_STATUS(parse(xml, strlen(xml), &(lc_xml_handler){&calls, NULL, count_end}, &err), LOCO_OK);
    CHECK_EQ(calls, 3);
}

/* depth elements within each other, the innermost with bytes of text after as many spaces. */
static loco_status parse_deep(size_t depth, size_t bytes, loco_err *err)
{
    lc_text xml = {0};
    for (size_t i = 0; i < depth; i++)
        lc_text_string(&xml, "<d>");
    for (size_t i = 0; i < 2 * bytes; i++)
        lc_text_string(&xml, i < bytes ? "\n" : "x");
    for (size_t i = 0; i < depth; i++)
        lc_text_string(&xml, "</d>");
    lc_text_string(&xml, "\n");
    loco_status status = parse(xml.bytes, xml.length, &(lc_xml_handler){NULL, NULL, NULL}, err);
    lc_text_free(&xml);
    return status;
}

static void limits_hold(void)
{
    loco_err err = {""};
    CHECK_STATUS(parse_deep(LC_XML_DEPTH, 5, &err), LOCO_OK);
    CHECK_STATUS(parse_deep(LC_XML_DEPTH + 1, 5, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "x.xml:1: more than 64 elements");
    CHECK_STATUS(parse_deep(2, LC_XML_TEXT, &err), LOCO_OK);
    CHECK_STATUS(parse_deep(2, LC_XML_TEXT + 1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "64 KiB");
    size_t length = LC_XML_BYTES + 1;
    char *bytes = malloc(length);
    memset(bytes, ' ', length);
    for (size_t i = 0; i < 4; i++)
        bytes[i] = "<a/>"[i];
    CHECK_STATUS(lc_xml_parse(bytes, length - 1, "x.xml", &(lc_xml_handler){NULL, NULL, NULL}, &err), LOCO_OK);
    CHECK_STATUS(lc_xml_parse(bytes, length, "x.xml", &(lc_xml_handler){NULL, NULL, NULL}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "16 MiB");
    free(bytes);
}

int main(void)
{
    RUN(what_is_not_xml_is_refused);
    RUN(elements_come_in_order);
    RUN(encodings_become_one);
    RUN(a_handler_ends_the_reading);
    RUN(limits_hold);
    return check_done();
}

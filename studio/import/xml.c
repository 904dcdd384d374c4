/* SPDX-License-Identifier: MIT
 *
 * xml.c - libexpat with limits.
 *
 * Text is kept for each open element apart, since `<a>one<b>two</b>three</a>` gives "two" to b and "onethree" to a: at
 * most LC_XML_DEPTH * LC_XML_TEXT bytes, 4 MiB. Spaces in front of an element's text are dropped as they come, so that
 * the line ends between ten thousand children count for nothing.
 */
#include "studio/import/xml.h"

#include "base/plain_text.h"
#include "base/status.h"
#include "base/text.h"

#include <expat.h>
#include <string.h>

typedef struct xml_reader {
    XML_Parser parser;
    const lc_xml_handler *handler;
    const char *file;
    loco_err *err;
    loco_status status;
    size_t depth;
    lc_text text[LC_XML_DEPTH]; /* of each open element */
} xml_reader;

static unsigned long line_of(const xml_reader *r)
{
    return (unsigned long)XML_GetCurrentLineNumber(r->parser);
}

static lc_where where(const xml_reader *r)
{
    return lc_place_show((lc_place){r->file, line_of(r), NULL});
}

/* Expat may still call for what it has begun, so that every function below looks at status first. */
static void stop(xml_reader *r, loco_status status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_reader *r = user;
    if (r->status != LOCO_OK)
        return;
    if (r->depth == LC_XML_DEPTH) {
        stop(r, lc_err_set(r->err, LOCO_EDATA, "%s: more than %d elements within each other", where(r).text,
                           LC_XML_DEPTH));
        return;
    }
    r->text[r->depth++].length = 0;
    if (r->handler->start == NULL)
        return;
    loco_status status = r->handler->start(r->handler->user, name, (const char *const *)attributes, line_of(r), r->err);
    if (status != LOCO_OK)
        stop(r, status);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Expat hands text over in pieces of any size. */
static void XMLCALL on_text(void *user, const XML_Char *bytes, int length)
{
    xml_reader *r = user;
    if (r->status != LOCO_OK || r->depth == 0)
        return;
    lc_text *text = &r->text[r->depth - 1];
    size_t from = 0, end = (size_t)length;
    while (text->length == 0 && from < end && is_space(bytes[from]))
        from++;
    if (end - from > LC_XML_TEXT - text->length) {
        stop(r, lc_err_set(r->err, LOCO_EDATA, "%s: an element with more than %d KiB of text", where(r).text,
                           LC_XML_TEXT >> 10));
        return;
    }
    lc_text_append(text, bytes + from, end - from);
    if (text->failed)
        stop(r, lc_err_set(r->err, LOCO_ENOMEM, "out of memory for the text of %.150s", r->file));
}

/* Spaces behind the text are cut off here, when it is complete. */
static void XMLCALL on_end(void *user, const XML_Char *name)
{
    xml_reader *r = user;
    if (r->status != LOCO_OK)
        return;
    lc_text *text = &r->text[--r->depth];
    while (text->length > 0 && is_space(text->bytes[text->length - 1]))
        text->bytes[--text->length] = '\0';
    if (r->handler->end == NULL)
        return;
    const char *trimmed = text->length > 0 ? text->bytes : "";
    loco_status status = r->handler->end(r->handler->user, name, trimmed, line_of(r), r->err);
    if (status != LOCO_OK)
        stop(r, status);
}

/* Declarations in a DOCTYPE could make entities that grow without end. */
static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system_id, const XML_Char *public_id,
                               int has_declarations)
{
    xml_reader *r = user;
    (void)name, (void)system_id, (void)public_id;
    if (r->status == LOCO_OK && has_declarations)
        stop(r, lc_err_set(r->err, LOCO_EDATA, "%s: a DOCTYPE with declarations in [ ], such as entities, is not read",
                           where(r).text));
}

/* Before expat sees them: binary files get a clearer message than "not well-formed". */
static loco_status check_bytes(const char *bytes, size_t length, const char *file, loco_err *err)
{
    lc_where place = lc_place_show((lc_place){file, 1, NULL});
    if (length > LC_XML_BYTES)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d MiB of XML", place.text, LC_XML_BYTES >> 20);
    if (length >= 3 && (memcmp(bytes, "\x1f\x8b", 2) == 0 || memcmp(bytes, "BZh", 3) == 0))
        return lc_err_set(err, LOCO_EDATA, "%s: the file is compressed (%s); unpack it first", place.text,
                          bytes[0] == 'B' ? "bzip2" : "gzip");
    return LOCO_OK;
}

static loco_status parse(xml_reader *r, const char *bytes, size_t length)
{
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    if (XML_Parse(r->parser, bytes, (int)length, XML_TRUE) == XML_STATUS_OK || r->status != LOCO_OK)
        return r->status;
    enum XML_Error error = XML_GetErrorCode(r->parser);
    if (error == XML_ERROR_NO_MEMORY)
        return lc_err_set(r->err, LOCO_ENOMEM, "out of memory for the XML of %.150s", r->file);
    return lc_err_set(r->err, LOCO_EDATA, "%s: this is not XML: %s", where(r).text, XML_ErrorString(error));
}

loco_status lc_xml_parse(const char *bytes, size_t length, const char *file, const lc_xml_handler *handler,
                         loco_err *err)
{
    loco_status status = check_bytes(bytes, length, file, err);
    if (status != LOCO_OK)
        return status;
    xml_reader r = {.parser = XML_ParserCreate(NULL), .handler = handler, .file = file, .err = err, .status = LOCO_OK};
    if (r.parser == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the XML of %.150s", file);
    status = parse(&r, bytes, length);
    XML_ParserFree(r.parser);
    for (size_t i = 0; i < LC_XML_DEPTH; i++)
        lc_text_free(&r.text[i]);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * xml.h - XML from outside, element by element, within limits: libexpat reads it, with limits on size and depth.
 *
 *     static loco_status end(void *user, const char *name, const char *text, unsigned long line, loco_err *err) {...}
 *
 *     lc_xml_handler handler = {.user = &events, .end = end};
 *     status = lc_xml_parse(bytes, length, "take.xml", &handler, err);
 *
 * Names, values and text are UTF-8, whatever the encoding that the file declares. A DOCTYPE may stand there, but may
 * declare nothing of its own: entities that hold entities are how a short file becomes a long one.
 */
#ifndef LC_STUDIO_IMPORT_XML_H
#define LC_STUDIO_IMPORT_XML_H

#include "loco.h"

enum {
    LC_XML_BYTES = 16 << 20,
    LC_XML_DEPTH = 64,      /* elements within each other */
    LC_XML_TEXT = 64 << 10, /* bytes of text of an element, without the spaces in front */
};

/* Either function may be NULL. What is not LOCO_OK ends the reading and is its result. Pointers hold during the call. */
typedef struct lc_xml_handler {
    void *user;
    loco_status (*start)(void *user, const char *name, const char *const *attributes /* name, value, ..., NULL */,
                         unsigned long line, loco_err *err);
    loco_status (*end)(void *user, const char *name, const char *text /* the element's direct text, trimmed */,
                       unsigned long line, loco_err *err);
} lc_xml_handler;

/* Reads length bytes; file is used in messages only. What is not XML, or beyond the limits, is LOCO_EDATA, and the
 * message names file and line; the handler has got all that came before. */
LOCO_MUST_USE loco_status lc_xml_parse(const char *bytes, size_t length, const char *file,
                                       const lc_xml_handler *handler, loco_err *err);

#endif

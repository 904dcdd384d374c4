/* SPDX-License-Identifier: MIT
 *
 * fuzz_xml.c - any bytes at all as XML.
 *   Starts and ends pair up within the limit of depth, text is trimmed and within its limit; whatever is refused names
 *   file and line. */
#include "studio/import/xml.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

typedef struct state {
    size_t depth;
    unsigned long line;
} state;

static loco_status on_start(void *user, const char *name, const char *const *attributes, unsigned long line,
                            loco_err *err)
{
    state *s = user;
    (void)err;
    require(name[0] != '\0' && line >= s->line && ++s->depth <= LC_XML_DEPTH);
    for (; *attributes != NULL; attributes += 2)
        require(attributes[0][0] != '\0' && attributes[1] != NULL);
    s->line = line;
    return LOCO_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static loco_status on_end(void *user, const char *name, const char *text, unsigned long line, loco_err *err)
{
    state *s = user;
    size_t length = strlen(text);
    (void)err;
    require(name[0] != '\0' && line >= s->line && s->depth-- > 0);
    require(length <= LC_XML_TEXT && (length == 0 || (!is_space(text[0]) && !is_space(text[length - 1]))));
    s->line = line;
    return LOCO_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    state s = {0, 1};
    loco_err err = {""};
    lc_xml_handler handler = {&s, on_start, on_end};
    loco_status status = lc_xml_parse(bytes, size, "input.xml", &handler, &err);
    if (status == LOCO_OK)
        require(s.depth == 0);
    else
        require(status == LOCO_EDATA && strncmp(err.text, "input.xml:", 10) == 0);
    free(bytes);
    return 0;
}

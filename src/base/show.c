/* SPDX-License-Identifier: MIT
 * show.c - text from outside made safe for messages: which bytes are UTF-8, and which characters pass.
 *
 * The author of a file chooses its bytes, and messages end up in terminals and logs: an escape sequence could rewrite
 * the screen, a new line forge a log entry. So control characters never pass, nor c2 80 to c2 9f, the C1 controls, some
 * of which terminals obey as well, nor what ends a line or reorders it (e2 80 a8 to ae, e2 81 a6 to a9: U+2028 to 202e,
 * U+2066 to 2069): with these, a name can read as another one. */
#include "base/show.h"

#include "loco.h"

#include <stdint.h>
#include <string.h>

/* An overlong form such as c0 80 would smuggle a character, here 0, past a search for its usual byte: hence the least
 * code of each length. No character begins with c0, c1 or f5 to ff. */
size_t lc_utf8_length(const unsigned char *at, const unsigned char *end)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (*at < 0x80)
        return 1;
    size_t n = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
    if (*at < 0xc2 || *at > 0xf4 || (size_t)(end - at) < n)
        return 0;
    uint32_t code = *at & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : n;
}

bool lc_utf8_valid(const char *string, size_t length)
{
    const unsigned char *at = (const unsigned char *)string, *end = length > 0 ? at + length : at;
    while (at < end) {
        size_t step = lc_utf8_length(at, end);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}

size_t lc_shown_length(const unsigned char *at, const unsigned char *end, bool *plain)
{
    size_t n = lc_utf8_length(at, end);
    bool control = *at < 0x20 || *at == 0x7f || (n == 2 && at[0] == 0xc2 && at[1] < 0xa0);
    bool reorders = n == 3 && at[0] == 0xe2 &&
                    ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) ||
                     (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
    *plain = n > 0 && !control && !reorders;
    return n;
}

/* strnlen: a character is never read beyond its own bytes. */
size_t loco_character_length(bool *shown, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t n = lc_shown_length(at, at + strnlen(text, 4), shown);
    return *at != 0 ? n : 0;
}

/* The same, and 1 for a stray byte. */
static size_t piece(const unsigned char *at, const unsigned char *end, bool *plain)
{
    size_t n = lc_shown_length(at, end, plain);
    return n > 0 ? n : 1;
}

/* used never passes size - 4, so that the dots and their 0 always fit behind it. */
void lc_show_into(char *out, size_t size, const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = length > 0 ? at + length : at;
    size_t used = 0;
    while (at < end) {
        bool plain;
        size_t n = piece(at, end, &plain), taken = plain ? n : 1;
        if (used + taken > size - 4) {
            memcpy(out + used, "...", 4);
            return;
        }
        memcpy(out + used, plain ? (const char *)at : "?", taken);
        used += taken;
        at += n;
    }
    out[used] = '\0';
}

lc_shown lc_show_bytes(const char *text, size_t length)
{
    lc_shown shown = {""};
    lc_show_into(shown.text, sizeof shown.text, text, length);
    return shown;
}

lc_shown lc_show(const char *string)
{
    return lc_show_bytes(string, strlen(string));
}

lc_shown lc_show_word(const char *text, size_t length)
{
    lc_shown shown = {""};
    for (size_t i = 0; i < length && i < LC_SHOWN_WORD; i++)
        shown.text[i] = text[i] > ' ' && text[i] <= '~' ? text[i] : '?';
    return shown;
}

/* kept: control characters that stay. */
static void clean(char *string, const char *kept)
{
    const unsigned char *at = (const unsigned char *)string, *end = at + strlen(string);
    char *out = string;
    while (at < end) {
        bool plain;
        size_t n = piece(at, end, &plain), taken = plain ? n : 1;
        plain |= strchr(kept, *at) != NULL;
        if (*at == '\r' && at[1] == '\n' && *kept != '\0') /* a line end of Windows */
            taken = 0;
        memmove(out, plain ? (const char *)at : "?", taken);
        out += taken;
        at += n;
    }
    *out = '\0';
}

void lc_show_clean(char *string)
{
    clean(string, "");
}

void lc_show_clean_lines(char *string)
{
    clean(string, "\n\t");
}

bool lc_show_passes(const char *name)
{
    const unsigned char *at = (const unsigned char *)name, *end = at + strlen(name);
    bool plain = true;
    while (at < end && plain)
        at += piece(at, end, &plain);
    return plain;
}

/* A backslash in front takes the meaning from `, *, _, [ and itself; < needs an entity, and a bar has no form that all
 * programs accept. */
void lc_show_markdown(char *out, size_t size, const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    size_t used = 0;
    while (at < end && used + 8 <= size) {
        bool plain;
        size_t n = piece(at, end, &plain), taken = plain ? n : 1;
        if (*at == '<' || *at == '>' || *at == '&') {
            const char *entity = *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;";
            taken = strlen(entity);
            memcpy(out + used, entity, taken);
        } else {
            if (strchr("`*_[\\", *at) != NULL)
                out[used++] = '\\';
            memcpy(out + used, !plain ? "?" : *at == '|' ? "/" : (const char *)at, taken);
        }
        used += taken;
        at += n;
    }
    out[used] = '\0';
}

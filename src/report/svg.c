/* SPDX-License-Identifier: MIT
 *
 * svg.c - the few SVG shapes that our pictures need, appended to a text.
 *
 * Plain presentation attributes, no style sheet and no script: every viewer draws the same. Coordinates have two
 * decimals, a hundredth of a unit, which is far below a pixel and keeps files small.
 *
 *     <rect x='72' y='316' width='618' height='220' fill='#f4f7fa'/>      one shape, its style at the end
 *     <path d='M72 252V251.95H690' fill='none' stroke='#d1570f'/>         H and V save the coordinate that stays
 *
 * Nothing here fails: lc_text remembers that memory ran out, and the code that saves the text checks that once.
 */
#include "report/svg.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DECIMALS = 2, LONGEST_TITLE = 200 }; /* characters: a title may be a file name of any length */

/* Single quotes throughout: they need no escape in a C string. */
static void attribute(lc_text *out, const char *name, double value)
{
    lc_text_format(out, " %s='", name);
    lc_text_number(out, value, DECIMALS);
    lc_text_string(out, "'");
}

static void finish(lc_text *out, const char *style)
{
    lc_text_format(out, " %s/>\n", style);
}

/* width and height as well as viewBox: a page shows the picture at its size, and can still scale it. The <title> is
 * what a screen reader says. The fonts are those that systems bring along; none is embedded. */
void lc_svg_open(lc_text *out, double width, double height, const char *title)
{
    lc_text_string(out, "<?xml version='1.0' encoding='UTF-8'?>\n"
                        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ");
    lc_text_number(out, width, DECIMALS);
    lc_text_string(out, " ");
    lc_text_number(out, height, DECIMALS);
    lc_text_string(out, "'");
    attribute(out, "width", width);
    attribute(out, "height", height);
    lc_text_string(out, " role='img' font-family='system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", "
                        "\"DejaVu Sans\", sans-serif'>\n<title>");
    lc_svg_escape(out, title != NULL ? title : "", LONGEST_TITLE);
    lc_text_string(out, "</title>\n");
}

void lc_svg_close(lc_text *out)
{
    lc_text_string(out, "</svg>\n");
}

void lc_svg_group_open(lc_text *out, const char *style)
{
    lc_text_format(out, "<g %s>\n", style);
}

void lc_svg_group_close(lc_text *out)
{
    lc_text_string(out, "</g>\n");
}

void lc_svg_rect(lc_text *out, double x, double y, double width, double height, const char *style)
{
    lc_text_string(out, "<rect");
    attribute(out, "x", x);
    attribute(out, "y", y);
    attribute(out, "width", width);
    attribute(out, "height", height);
    finish(out, style);
}

void lc_svg_line(lc_text *out, double x1, double y1, double x2, double y2, const char *style)
{
    lc_text_string(out, "<line");
    attribute(out, "x1", x1);
    attribute(out, "y1", y1);
    attribute(out, "x2", x2);
    attribute(out, "y2", y2);
    finish(out, style);
}

void lc_svg_circle(lc_text *out, double x, double y, double radius, const char *style)
{
    lc_text_string(out, "<circle");
    attribute(out, "cx", x);
    attribute(out, "cy", y);
    attribute(out, "r", radius);
    finish(out, style);
}

void lc_svg_path_open(lc_text *out)
{
    lc_text_string(out, "<path d='");
}

void lc_svg_path_point(lc_text *out, char move, double x, double y)
{
    lc_text_append(out, &move, 1);
    lc_text_number(out, x, DECIMALS);
    lc_text_string(out, " ");
    lc_text_number(out, y, DECIMALS);
}

void lc_svg_path_along(lc_text *out, char move, double coordinate)
{
    lc_text_append(out, &move, 1);
    lc_text_number(out, coordinate, DECIMALS);
}

/* Clockwise, closed by z. Many in one path are one element of the file, with one style. */
void lc_svg_path_box(lc_text *out, double x, double y, double width, double height)
{
    lc_svg_path_point(out, 'M', x, y);
    lc_svg_path_along(out, 'H', x + width);
    lc_svg_path_along(out, 'V', y + height);
    lc_svg_path_along(out, 'H', x);
    lc_text_string(out, "z");
}

void lc_svg_path_close(lc_text *out, const char *style)
{
    lc_text_string(out, "'");
    finish(out, style);
}

void lc_svg_text_open(lc_text *out, double x, double y, const char *style)
{
    lc_text_string(out, "<text");
    attribute(out, "x", x);
    attribute(out, "y", y);
    lc_text_format(out, " %s>", style);
}

void lc_svg_text_close(lc_text *out)
{
    lc_text_string(out, "</text>\n");
}

void lc_svg_text(lc_text *out, double x, double y, const char *style, const char *content)
{
    lc_svg_text_open(out, x, y, style);
    lc_svg_escape(out, content, SIZE_MAX);
    lc_svg_text_close(out);
}

/* The number of bytes of the UTF-8 character at s (which ends with 0), or 0 when XML does not allow it: not
 * overlong, no surrogate, at most U+10FFFF, not U+FFFE or U+FFFF, no control character but tab and line ends. */
static size_t character_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r' ? 1 : 0;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    uint32_t code = s[0] & (0x7fu >> length);
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) /* the final 0 stops here */
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    static const uint32_t least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
    bool surrogate = code >= 0xd800 && code <= 0xdfff, forbidden = code == 0xfffe || code == 0xffff;
    if (code < least[length] || code > 0x10ffff || surrogate || forbidden)
        return 0;
    return length;
}

/* Both quotes, so that a text is also safe within an attribute. A viewer shows tabs and line ends as spaces anyway. */
static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t':
    case '\n':
    case '\r': return " ";
    default: return NULL;
    }
}

/* A wrong byte is replaced alone, and the next one tried as a beginning: the rest of the string survives. */
void lc_svg_escape(lc_text *out, const char *string, size_t most)
{
    for (; *string != 0; most--) {
        if (most == 0) {
            lc_text_string(out, "\xe2\x80\xa6");
            return;
        }
        size_t length = character_length((const unsigned char *)string);
        const char *known = length > 0 ? entity(*string) : "\xef\xbf\xbd";
        if (known != NULL)
            lc_text_string(out, known);
        else
            lc_text_append(out, string, length);
        string += length > 0 ? length : 1;
    }
}

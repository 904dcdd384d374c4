/* SPDX-License-Identifier: MIT
 *
 * page.c - the report: one HTML page that needs nothing but itself.
 *
 *     head     title, style sheet, and a policy that forbids the browser to load anything from anywhere
 *     header   summary in plain words, score cards
 *     main     recordings (page_recording.c) or images (page_image.c), tables, how training went
 *     end      the script that draws and plays
 *
 * The script reads numbers from <script type='application/json'> and names from the elements around it, so that no
 * text from outside ever stands inside a script. Without the script the page still has its words, tables and sound.
 */
#include "report/page.h"

#include "base/status.h"
#include "events/pitches.h"
#include "report/page_image.h"
#include "report/page_parts.h"
#include "report/svg.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void lc_page_escape(lc_text *out, const char *string)
{
    lc_svg_escape(out, string, SIZE_MAX);
}

/* before, the escaped text, after: most of a page is made of these. */
static void wrap(lc_text *out, const char *before, const char *string, const char *after)
{
    lc_text_string(out, before);
    lc_page_escape(out, string);
    lc_text_string(out, after);
}

static void write_head(lc_text *out, const lc_page *page)
{
    lc_text_string(out, "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
                        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
                        "<meta name='color-scheme' content='light dark'>\n"
                        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
                        "'unsafe-inline'; script-src 'unsafe-inline'; media-src data: blob:; img-src data:\">\n");
    wrap(out, "<title>", page->title, "</title>\n<style>\n");
    lc_text_append(out, (const char *)lc_page_css, lc_page_css_len);
    if (page->images_len > 0)
        lc_text_append(out, (const char *)lc_picture_css, lc_picture_css_len);
    lc_text_string(out, "</style>\n</head>\n<body>\n");
}

/* ---- header ---------------------------------------------------------------------------------------------- */

static void write_card(lc_text *out, const lc_page_card *card)
{
    wrap(out, "<div class='card'><dt>", card->label, "</dt>");
    wrap(out, "<dd><span class='value'>", card->value, "</span>");
    if (card->share >= 0 && card->share <= 1) {
        lc_text_string(out, "<span class='meter' aria-hidden='true'><i style='width:");
        lc_text_number(out, 100 * card->share, 1);
        lc_text_string(out, "%'></i></span>");
    }
    if (card->note != NULL)
        wrap(out, "<span class='small'>", card->note, "</span>");
    lc_text_string(out, "</dd></div>\n");
}

/* The mark: probabilities over time, of which one is certain. */
static void write_brand(lc_text *out)
{
    lc_text_string(out, "<p class='brand'><svg viewBox='0 0 28 20' width='28' height='20' aria-hidden='true'>"
                        "<path d='M2 18v-4M7 18v-7M17 18v-5M22 18v-3M27 18v-1' class='faint'/>"
                        "<path d='M12 18V2' class='sure'/></svg>LoCo report</p>\n");
}

static void write_header(lc_text *out, const lc_page *page)
{
    lc_text_string(out, "<header class='top'>\n");
    write_brand(out);
    wrap(out, "<h1>", page->title, "</h1>\n");
    for (size_t i = 0; i < page->summary_len; i++)
        wrap(out, i == 0 ? "<p class='lead'>" : "<p class='more'>", page->summary[i], "</p>\n");
    if (page->cards_len > 0) {
        lc_text_string(out, "<dl class='cards'>\n");
        for (size_t i = 0; i < page->cards_len; i++)
            write_card(out, &page->cards[i]);
        lc_text_string(out, "</dl>\n");
        if (page->scope != NULL)
            wrap(out, "<p class='small scope'>", page->scope, "</p>\n");
    }
    lc_text_string(out, "</header>\n");
}

/* ---- recordings ------------------------------------------------------------------------------------------ */

static bool has_reference(const lc_page *page)
{
    for (size_t i = 0; i < page->recordings_len; i++)
        for (size_t k = 0; k < page->recordings[i].marks_len; k++)
            if (page->recordings[i].marks[k].verdict != LC_PAGE_FOUND)
                return true;
    return false;
}

static void write_guide(lc_text *out, const lc_page *page)
{
    bool together = page->classes_len > LC_PAGE_MOST_LANES, pitched = lc_pitched(page->classes, page->classes_len);
    lc_text_string(out, "<details class='guide'><summary>How to read the pictures</summary>\n<ul>\n");
    if (pitched)
        lc_text_string(
            out, "<li><b>Notes.</b> Each key of the piano has a row, low notes at the bottom. A bar begins "
                 "where a note was found; the stronger its colour, the louder. Where it ends is an estimate.</li>\n");
    lc_text_string(out, pitched ? ""
                        : together
                            ? "<li><b>Probability.</b> Each class has a row. The darker it is, the more probable is "
                              "an event at that moment. Point at a row to see which class it is.</li>\n"
                            : "<li><b>Probability.</b> Each class has a lane. The blue curve is the probability "
                              "that an event happens at that moment: 0 at the bottom line, 1 at the top line.</li>\n");
    if (pitched && has_reference(page))
        lc_text_string(out, "<li><b>Mistakes.</b> A dashed frame is a note of the reference that was missed. A frame "
                            "with a cross was found, but is not in the reference.</li>\n");
    else if (!pitched && has_reference(page))
        lc_text_string(out,
                       "<li><b>Events.</b> A dot is an event that was found and is in the reference. A ring is one "
                       "that was missed. A cross was found, but is not in the reference.</li>\n");
    else if (!pitched)
        lc_text_string(out, "<li><b>Events.</b> A triangle points at each event that was found.</li>\n");
    if (!together)
        lc_text_string(out,
                       "<li><b>Count so far.</b> Below each curve, the distribution of the number of events up to that "
                       "moment. A sharp staircase means that the model is sure; a broad cloud, that it is not. An "
                       "orange frame, where there is one, is the true count at the end.</li>\n");
    lc_text_string(out,
                   "<li><b>Sound.</b> Press play, or click anywhere in the picture to play from there. With clicks "
                   "switched on, each event that was found sounds as a short click. In a picture, the space bar plays "
                   "and the arrow keys move.</li>\n</ul></details>\n");
}

static loco_status write_recordings(lc_text *out, const lc_page *page, loco_err *err)
{
    if (page->recordings_len == 0)
        return LOCO_OK;
    lc_text_string(out, "<section aria-labelledby='recordings'>\n<h2 id='recordings'>Recordings</h2>\n");
    write_guide(out, page);
    lc_text_string(out, "<noscript><p class='more'>The pictures need JavaScript; words, tables and sound do not."
                        "</p></noscript>\n");
    for (size_t i = 0; i < page->recordings_len; i++) {
        loco_status status = lc_page_recording_write(out, page, i, err);
        if (status != LOCO_OK)
            return status;
    }
    lc_text_string(out, "</section>\n");
    return LOCO_OK;
}

/* ---- tables and training --------------------------------------------------------------------------------- */

static void write_row(lc_text *out, const char *const *cells, size_t columns)
{
    wrap(out, "<tr><th scope='row'>", cells[0], "</th>");
    for (size_t i = 1; i < columns; i++)
        wrap(out, "<td>", cells[i], "</td>");
    lc_text_string(out, "</tr>\n");
}

static void write_table(lc_text *out, const lc_page_table *table)
{
    const char *title = table->title != NULL ? table->title : "Scores";
    wrap(out, "<section>\n<h2>", title, "</h2>\n<div class='panel scroll' tabindex='0' role='region' aria-label='");
    wrap(out, "", title, "'><table>\n<thead><tr>");
    for (size_t i = 0; i < table->columns; i++)
        wrap(out, "<th scope='col'>", table->heads[i], "</th>");
    lc_text_string(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < table->rows; row++)
        write_row(out, table->cells + row * table->columns, table->columns);
    lc_text_string(out, "</tbody></table></div>\n</section>\n");
}

/* The picture without its first line, the declaration of XML, which has no place inside a page. */
static loco_status write_curve(lc_text *out, const lc_curve *curve, loco_err *err)
{
    if (curve == NULL)
        return LOCO_OK;
    lc_text svg = {0};
    loco_status status = lc_curve_write(&svg, curve, err);
    const char *root = status == LOCO_OK ? strstr(svg.bytes, "<svg") : NULL;
    if (root != NULL) {
        lc_text_string(out, "<section>\n<h2>Training</h2>\n<div class='panel scroll curve' tabindex='0' role='region' "
                            "aria-label='Training curve'>\n");
        lc_text_string(out, root);
        lc_text_string(out, "</div>\n</section>\n");
    }
    lc_text_free(&svg);
    return status;
}

static loco_status write_page(lc_text *out, const lc_page *page, loco_err *err)
{
    write_head(out, page);
    write_header(out, page);
    lc_text_string(out, "<main>\n");
    loco_status status = page->images_len > 0 ? lc_page_images_write(out, page, err) : write_recordings(out, page, err);
    if (status != LOCO_OK)
        return status;
    for (size_t i = 0; i < page->tables_len; i++)
        write_table(out, &page->tables[i]);
    status = write_curve(out, page->curve, err);
    if (status != LOCO_OK)
        return status;
    lc_text_format(out,
                   "</main>\n<footer>Made by loco %s. This page loads nothing from the network.</footer>\n<script>\n",
                   loco_version());
    if (page->images_len > 0)
        lc_text_append(out, (const char *)lc_picture_js, lc_picture_js_len);
    else
        lc_text_append(out, (const char *)lc_page_js, lc_page_js_len);
    lc_text_string(out, "</script>\n</body>\n</html>\n");
    return out->failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a report") : LOCO_OK;
}

loco_status lc_page_write(lc_text *out, const lc_page *page, loco_err *err)
{
    loco_status status = lc_page_check(page, err);
    if (status != LOCO_OK)
        return status;
    size_t start = out->length;
    status = write_page(out, page, err);
    if (status != LOCO_OK && out->bytes != NULL) {
        out->length = start;
        out->bytes[start] = 0;
    }
    return status;
}

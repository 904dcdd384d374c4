/* SPDX-License-Identifier: MIT
 *
 * page_recording.c - one recording in the report.
 *
 *     name                                    12 hits  1 missed  2 false alarms
 *     [>] 0:03.2 / 0:12.0   ( ) clicks   next mistake        - zoom +
 *     picture, drawn by the script
 *     legend
 *     > all events as a table
 *
 * Beside what is seen, a list of the lanes in words: a screen reader reads it, and the script takes its headings from
 * it.
 */
#include "report/page_parts.h"

#include "base/status.h"
#include "events/pitches.h"
#include "report/page_data.h"

#include <math.h>

enum { MOST_LISTED = 1000, VERDICTS = 4 };

static const char *const verdict_names[VERDICTS] = {"found", "hit", "missed", "false alarm"};

typedef struct page_tally {
    size_t of[VERDICTS];
} page_tally;

/* Marks in the piece of one class, or of all when kind is SIZE_MAX. */
static page_tally tally_of(const lc_page_piece *piece, size_t kind)
{
    page_tally t = {{0}};
    const lc_page_recording *r = piece->recording;
    for (size_t i = 0; i < r->marks_len; i++)
        if ((kind == SIZE_MAX || r->marks[i].kind == kind) && lc_page_piece_holds(piece, &r->marks[i]))
            t.of[r->marks[i].verdict]++;
    return t;
}

static bool compared(const page_tally *t)
{
    return t->of[LC_PAGE_HIT] + t->of[LC_PAGE_MISS] + t->of[LC_PAGE_FALSE_ALARM] > 0;
}

/* ---- heading --------------------------------------------------------------------------------------------- */

/* 75.25 s as 1:15.3 */
static void clock_text(lc_text *out, double seconds)
{
    long tenths = lround(10 * seconds);
    lc_text_format(out, "%ld:%02ld.%ld", tenths / 600, tenths / 10 % 60, tenths % 10);
}

static void write_chip(lc_text *out, const char *style, size_t count, const char *one, const char *many)
{
    lc_text_format(out, "<li class='%s'><b>%zu</b> %s</li>", style, count, count == 1 ? one : many);
}

static void write_chips(lc_text *out, const page_tally *t)
{
    lc_text_string(out, "<ul class='chips'>");
    if (compared(t)) {
        write_chip(out, "hit", t->of[LC_PAGE_HIT], "hit", "hits");
        write_chip(out, "miss", t->of[LC_PAGE_MISS], "missed", "missed");
        write_chip(out, "false", t->of[LC_PAGE_FALSE_ALARM], "false alarm", "false alarms");
    }
    if (t->of[LC_PAGE_FOUND] > 0 || !compared(t))
        write_chip(out, "found", t->of[LC_PAGE_FOUND], "event found", "events found");
    lc_text_string(out, "</ul>");
}

/* Which part is shown, unless all is. */
static void write_note(lc_text *out, const lc_page_piece *piece)
{
    bool part = piece->start > 0 || piece->seconds < piece->whole - 0.05;
    if (piece->recording->note == NULL && !part)
        return;
    lc_text_string(out, "<p class='small'>");
    if (piece->recording->note != NULL)
        lc_page_escape(out, piece->recording->note);
    if (part) {
        lc_text_string(out, piece->recording->note != NULL ? " &#183; shown: " : "Shown: ");
        clock_text(out, piece->start);
        lc_text_string(out, " to ");
        clock_text(out, piece->start + piece->seconds);
        lc_text_string(out, " of ");
        clock_text(out, piece->whole);
    }
    lc_text_string(out, "</p>");
}

static void write_bar(lc_text *out, const lc_page_piece *piece, const page_tally *t)
{
    lc_text_string(out, "<div class='bar'>");
    if (piece->recording->samples != NULL && !piece->recording->silent) {
        lc_text_string(out, "<button type='button' class='play' aria-label='Play'><svg viewBox='0 0 24 24' width='22' "
                            "height='22' aria-hidden='true'><path class='on' d='M8 5.2v13.6L19 12z'/><path class='off' "
                            "d='M7 5h3.6v14H7zM13.4 5H17v14h-3.6z'/></svg></button>"
                            "<span class='clock'><span class='now'>0:00.0</span> / ");
        clock_text(out, piece->seconds);
        lc_text_string(out, "</span><label class='switch'><input type='checkbox' role='switch' class='clicks'>"
                            "<span class='knob' aria-hidden='true'></span>Clicks on events</label>");
    }
    if (t->of[LC_PAGE_MISS] + t->of[LC_PAGE_FALSE_ALARM] > 0)
        lc_text_string(out, "<button type='button' class='plain next'>Next mistake</button>");
    lc_text_string(out, "<span class='zoom' role='group' aria-label='Zoom'>"
                        "<button type='button' class='plain out' aria-label='Zoom out'>&#8722;</button>"
                        "<button type='button' class='plain in' aria-label='Zoom in'>+</button></span></div>\n");
}

/* ---- picture --------------------------------------------------------------------------------------------- */

static void write_picture(lc_text *out, const lc_page_piece *piece)
{
    lc_text_string(out, "<div class='stage'><div class='view'><div class='track'><canvas tabindex='0' role='slider' "
                        "aria-label='Position in ");
    lc_page_escape(out, piece->recording->name);
    lc_text_string(out, "' aria-valuemin='0' aria-valuenow='0' aria-valuemax='");
    lc_text_number(out, piece->seconds, 2);
    lc_text_string(out, "'></canvas><div class='head' aria-hidden='true'></div></div></div>"
                        "<div class='tip' aria-hidden='true' hidden></div></div>\n");
}

static void write_key(lc_text *out, const char *style, const char *shape, const char *words)
{
    lc_text_format(out,
                   "<li><svg viewBox='0 0 16 16' width='16' height='16' class='%s' aria-hidden='true'>%s</svg>%s</li>",
                   style, shape, words);
}

/* Of a piano roll, where every note is a bar. */
static void write_note_keys(lc_text *out, const page_tally *t)
{
    const char *words = "note, soft to loud";
    if (compared(t))
        words = "hit, soft to loud";
    write_key(out, "notes", "<path d='M0 5h5v6H0z'/><path d='M5.5 5h5v6h-5z'/><path d='M11 5h5v6h-5z'/>", words);
    if (compared(t)) {
        write_key(out, "miss dashed", "<path d='M1 5h14v6H1z'/>", "missed");
        write_key(out, "false bar", "<path d='M1 5h14v6H1z'/><path d='M2 5l6 6M8 5l-6 6'/>", "false alarm");
    }
    lc_text_string(out, "<li>Ends of notes are estimates.</li>");
}

static void write_legend(lc_text *out, const lc_page_piece *piece, const page_tally *t)
{
    lc_text_string(out, "<ul class='legend'>");
    if (lc_pitched(piece->page->classes, piece->page->classes_len)) {
        write_note_keys(out, t);
        lc_text_string(out, "</ul>\n");
        return;
    }
    if (compared(t)) {
        write_key(out, "hit", "<circle cx='8' cy='8' r='4.5'/>", "hit");
        write_key(out, "miss", "<circle cx='8' cy='8' r='4.5'/>", "missed");
        write_key(out, "false", "<path d='M4 4l8 8M12 4l-8 8'/>", "false alarm");
    }
    if (t->of[LC_PAGE_FOUND] > 0)
        write_key(out, "found", "<path d='M3 4h10l-5 8z'/>", "found");
    write_key(out, "belief", "<path d='M0 14C6 14 5 3 8 3s2 11 8 11z'/>", "probability");
    if (piece->lanes > 0)
        write_key(out, "count", "<path d='M1 11h5v4H1z'/><path d='M6 6h5v5H6z'/><path d='M11 1h5v5h-5z'/>",
                  "count so far");
    if (piece->lanes > 0 && piece->recording->counts != NULL)
        write_key(out, "known", "<path d='M1.5 5.5h13v5h-13z'/>", "true count");
    lc_text_string(out, "</ul>\n");
}

/* "11 of 12 found, 1 false alarm; expected count 11.8 ± 0.9, true count 12" */
static void write_lane(lc_text *out, const lc_page_piece *piece, size_t kind)
{
    page_tally t = tally_of(piece, kind);
    lc_page_count count = lc_page_piece_count(piece, kind);
    size_t hits = t.of[LC_PAGE_HIT], alarms = t.of[LC_PAGE_FALSE_ALARM];
    lc_text_string(out, "<li><b>");
    lc_page_escape(out, piece->page->classes[kind]);
    lc_text_string(out, "</b> <span>");
    if (compared(&t))
        lc_text_format(out, "%zu of %zu found, %zu false alarm%s", hits, hits + t.of[LC_PAGE_MISS], alarms,
                       alarms == 1 ? "" : "s");
    else
        lc_text_format(out, "%zu found", t.of[LC_PAGE_FOUND]);
    lc_text_string(out, "; expected count ");
    lc_text_fixed(out, count.mean, 1);
    lc_text_string(out, " &#177; ");
    lc_text_fixed(out, count.sd, 1);
    if (piece->recording->counts != NULL)
        lc_text_format(out, ", true count %zu", piece->recording->counts[kind]);
    lc_text_string(out, "</span></li>\n");
}

/* ---- events in a table ----------------------------------------------------------------------------------- */

static void write_event(lc_text *out, const lc_page_piece *piece, const lc_page_mark *mark)
{
    lc_text_string(out, "<tr><th scope='row'>");
    lc_text_fixed(out, mark->time, 3);
    lc_text_string(out, "</th><td>");
    lc_page_escape(out, piece->page->classes[mark->kind]);
    lc_text_format(out, "</td><td>%s</td><td>", verdict_names[mark->verdict]);
    if (mark->verdict != LC_PAGE_MISS)
        lc_text_fixed(out, mark->probability, 2);
    lc_text_string(out, "</td><td>");
    if (mark->verdict == LC_PAGE_HIT)
        lc_text_fixed(out, 1000 * (mark->time - mark->reference), 0);
    lc_text_string(out, "</td></tr>\n");
}

static void write_events(lc_text *out, const lc_page_piece *piece)
{
    const lc_page_recording *r = piece->recording;
    size_t listed = 0;
    lc_text_string(out, "<details><summary>Events as a table</summary><div class='scroll events' tabindex='0' "
                        "role='region' aria-label='Events'><table>\n<thead><tr><th scope='col'>Time (s)</th><th "
                        "scope='col'>Class</th><th scope='col'>Verdict</th><th scope='col'>Probability</th><th "
                        "scope='col'>Late by (ms)</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < r->marks_len && listed < MOST_LISTED; i++) {
        if (lc_page_piece_holds(piece, &r->marks[i])) {
            write_event(out, piece, &r->marks[i]);
            listed++;
        }
    }
    lc_text_string(out, "</tbody></table></div></details>\n");
}

static loco_status write_sound(lc_text *out, const lc_page_piece *piece, loco_err *err)
{
    if (piece->recording->samples == NULL || piece->recording->silent)
        return LOCO_OK;
    lc_text_string(out, "<audio controls preload='metadata' src='data:audio/wav;base64,");
    loco_status status = lc_page_sound_write(out, piece, err);
    lc_text_string(out, "'></audio>\n");
    return status;
}

loco_status lc_page_recording_write(lc_text *out, const lc_page *page, size_t place, loco_err *err)
{
    lc_page_piece piece = lc_page_piece_of(page, &page->recordings[place]);
    page_tally all = tally_of(&piece, SIZE_MAX);
    lc_text_format(out,
                   "<article class='panel recording' aria-labelledby='name%zu'>\n<div class='title'><div><h3 "
                   "id='name%zu'>",
                   place, place);
    lc_page_escape(out, piece.recording->name);
    lc_text_string(out, "</h3>");
    write_note(out, &piece);
    lc_text_string(out, "</div>");
    write_chips(out, &all);
    lc_text_string(out, "</div>\n");
    write_bar(out, &piece, &all);
    write_picture(out, &piece);
    write_legend(out, &piece, &all);
    loco_status status = write_sound(out, &piece, err);
    if (status != LOCO_OK)
        return status;
    lc_text_string(out, "<ul class='lanes'>\n");
    for (size_t k = 0; k < page->classes_len; k++)
        write_lane(out, &piece, k);
    lc_text_string(out, "</ul>\n");
    write_events(out, &piece);
    lc_text_string(out, "<script type='application/json'>");
    status = lc_page_data_write(out, &piece, err);
    lc_text_string(out, "</script>\n</article>\n");
    return status;
}

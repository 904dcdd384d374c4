/* SPDX-License-Identifier: MIT
 *
 * format_labels.c - label tracks, as Audacity reads and writes them.
 *
 *     1.250000<TAB>1.250000<TAB>kick      a point
 *     1.500000<TAB>2.000000<TAB>snare     a range: its start counts
 *     \<TAB>100.0<TAB>2000.0              the frequencies of the label before: skipped
 *     0.040000 <TAB> CY                   time and class, with stray spaces
 *     0.04 CY
 *
 * A line with tabs is cut at tabs, one without at spaces. A second field that is a number is the end of a range when
 * something stands behind it, or when it has a point: `1.5<TAB>36` is an event of class 36, and `1.5<TAB>1.5` a label
 * without text whose last tab an editor has removed. Labels without text are of the only class, where there is one:
 * people who tap along do not type.
 *
 * Written are points, 12.345678<TAB>12.345678<TAB>snare. A label track has no quotes: control characters in a name
 * become spaces.
 */
#include "events/formats.h"

#include "base/number.h"
#include "base/status.h"

#include <string.h>
/* ---- reading ---- */

/* A line, or what is left of it. */
typedef struct track_piece {
    const char *at, *end;
} track_piece;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static track_piece trim(track_piece p)
{
    while (p.at < p.end && is_space(*p.at))
        p.at++;
    while (p.end > p.at && is_space(p.end[-1]))
        p.end--;
    return p;
}

/* Takes what stands before the next separator off the line; more says whether there was one. */
static track_piece take_field(track_piece *line, char separator, bool *more)
{
    track_piece field = *line;
    const char *cut = memchr(line->at, separator, (size_t)(line->end - line->at));
    *more = cut != NULL;
    field.end = cut != NULL ? cut : line->end;
    line->at = cut != NULL ? cut + 1 : line->end;
    field = trim(field);
    if (separator == ' ')
        *line = trim(*line);
    return field;
}

static bool read_number(track_piece field, double *number)
{
    return lc_number_parse(field.at, (size_t)(field.end - field.at), number);
}

static bool has_point(track_piece field)
{
    return memchr(field.at, '.', (size_t)(field.end - field.at)) != NULL;
}

/* A range is looked for first; all else is a time and a class. */
static loco_status read_line(lc_gather *gather, size_t file, lc_place place, track_piece line, loco_err *err)
{
    char separator = memchr(line.at, '\t', (size_t)(line.end - line.at)) != NULL ? '\t' : ' ';
    bool more;
    double start, end;
    track_piece first = take_field(&line, separator, &more), class = trim(line);
    size_t kind;
    if (!read_number(first, &start))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: \"%s\" is not a time; a line has start, end and class, or time and class",
                          lc_place_show(place).text, lc_show_bytes(first.at, (size_t)(first.end - first.at)).text);
    track_piece second = take_field(&line, separator, &more);
    if (read_number(second, &end) && (more || has_point(second))) {
        class = trim(line);
        if (end < start)
            return lc_err_set(err, LOCO_EDATA, "%s: the label ends at %s, before it starts", lc_place_show(place).text,
                              lc_show_bytes(second.at, (size_t)(second.end - second.at)).text);
    }
    loco_status status = lc_gather_class(&kind, gather, place, class.at, (size_t)(class.end - class.at), err);
    if (status != LOCO_OK)
        return status;
    return lc_gather_event(gather, place, file, (loco_event){.time = start, .kind = kind, .probability = 1}, err);
}

/* An empty file is a label track without labels, as a program writes it. */
static bool begins(const char *bytes, size_t length)
{
    for (size_t i = lc_plain_text_mark(bytes, length); i < length; i++) {
        if (bytes[i] == '#')
            while (i + 1 < length && bytes[i] != '\n')
                i++;
        if (strchr(" \t\r\n#", bytes[i]) == NULL)
            return strchr("0123456789+-.\\", bytes[i]) != NULL;
    }
    return true;
}

/* Line by line; messages name the line. */
static loco_status read_track(lc_gather *gather, const lc_event_bytes *from, loco_err *err)
{
    const char *path = from->path, *text = from->bytes;
    size_t length = from->length, file;
    loco_status status = lc_gather_file(&file, gather, from->name, err);
    if (status == LOCO_OK && length > LC_EVENTS_LABELS)
        return lc_err_set(err, LOCO_EDATA, "%s: a label track of more than %d MiB",
                          lc_place_show((lc_place){path, 0, NULL}).text, LC_EVENTS_LABELS >> 20);
    if (status == LOCO_OK)
        status = lc_plain_text_check(path, text, length, err);
    if (status != LOCO_OK || length == 0)
        return status;
    track_piece rest = {text + lc_plain_text_mark(text, length), text + length};
    for (size_t number = 1; rest.at < rest.end && status == LOCO_OK; number++) {
        const char *newline = memchr(rest.at, '\n', (size_t)(rest.end - rest.at));
        track_piece line = {rest.at, newline != NULL ? newline : rest.end};
        rest.at = newline != NULL ? newline + 1 : rest.end;
        /* The end of the line keeps its tabs, which may mark an empty label. */
        while (line.at < line.end && is_space(*line.at))
            line.at++;
        if (line.at < line.end && *line.at != '\\' && *line.at != '#')
            status = read_line(gather, file, (lc_place){path, number, NULL}, line, err);
    }
    return status;
}

/* ---- writing ---- */

static void label_field(lc_text *out, const char *field)
{
    for (; *field != 0; field++)
        lc_text_append(out, (unsigned char)*field < 0x20 ? " " : field, 1);
}

/* A label that begins and ends at the same time is a point; that of a note is a range. */
static void label_line(lc_text *out, const lc_events_view *view, const loco_event *event)
{
    const lc_note *note = lc_events_note(view, event);
    lc_text_fixed(out, event->time, LC_TIME_DECIMALS);
    lc_text_string(out, "\t");
    lc_text_fixed(out, note != NULL ? note->end : event->time, LC_TIME_DECIMALS);
    lc_text_string(out, "\t");
    label_field(out, view->classes[event->kind]);
    lc_text_string(out, "\n");
}

const lc_format lc_format_labels = {
    .name = "labels",
    .endings = {{".txt", LC_ENDING_WRITES | LC_ENDING_BESIDE},
                {".labels", LC_ENDING_WRITES},
                {".lab", LC_ENDING_BESIDE}},
    .one_file = true,
    .begins = begins,
    .read = read_track,
    .line = label_line,
};

/* SPDX-License-Identifier: MIT
 *
 * formats.c - the table of formats; finds one by name, ending or content; writes whole files and single lines.
 *
 * Times have six decimals, a microsecond: finer than a sample at any usual rate, so that a time that is read back and
 * multiplied by the rate gives the same sample. Points and commas do not depend on the locale.
 */
#include "events/formats.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/status.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define LATEST 1e9 /* seconds: what lc_text_fixed can write; 31 years */

/* ---- formats ---- */

/* The sound with clicks, and the report: known by name alone, see formats.h. */
static const lc_format click = {.name = "click", .endings = {{".wav", LC_ENDING_WRITES}}, .one_file = true};
static const lc_format html = {
    .name = "html", .endings = {{".html", LC_ENDING_WRITES}, {".htm", LC_ENDING_WRITES}}
};

static const lc_format *const formats[] = {
    &lc_format_csv, &lc_format_jsonl, &lc_format_labels, &lc_format_midi, &lc_format_roi, &click, &html,
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* "csv (.csv), jsonl (.jsonl), ..." */
static void list_formats(char *list, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < FORMATS && used < size; i++) {
        const char *parts[] = {i > 0 ? ", " : "", formats[i]->name, " (", formats[i]->endings[0].text, ")"};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0] && used < size; k++) {
            size_t length = strlen(parts[k]) < size - 1 - used ? strlen(parts[k]) : size - 1 - used;
            memcpy(list + used, parts[k], length);
            used += length;
        }
    }
    list[used] = 0;
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static const lc_format *by_name(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcasecmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

/* The first format with an ending of that use that path has. */
static const lc_format *by_ending(const char *path, unsigned use)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (const lc_ending *e = formats[i]->endings; e->text != NULL; e++)
            if ((e->use & use) != 0 && ends_with(path, e->text))
                return formats[i];
    return NULL;
}

const char *lc_format_beside(size_t index)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (const lc_ending *e = formats[i]->endings; e->text != NULL; e++)
            if ((e->use & LC_ENDING_BESIDE) != 0 && index-- == 0)
                return e->text;
    return NULL;
}

bool lc_format_is_beside(const char *path)
{
    return by_ending(path + lc_path_folder(path), LC_ENDING_BESIDE) != NULL;
}

static bool begins_with(const lc_event_bytes *from, const char *magic)
{
    return from->length >= strlen(magic) && memcmp(from->bytes, magic, strlen(magic)) == 0;
}

const lc_format *lc_format_detect(const lc_event_bytes *from)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->magic != NULL && begins_with(from, formats[i]->magic))
            return formats[i];
    const lc_format *format = by_ending(from->path + lc_path_folder(from->path), LC_ENDING_READS);
    for (size_t i = 0; i < FORMATS && format == NULL; i++)
        if (formats[i]->begins != NULL && formats[i]->begins(from->bytes, from->length))
            format = formats[i];
    return format != NULL ? format : &lc_format_csv;
}

loco_status lc_format_find(const lc_format **format, const char *name, const char *path, loco_err *err)
{
    bool named = name != NULL && name[0] != 0;
    const lc_format *found = named ? by_name(name) : path != NULL ? by_ending(path, LC_ENDING_WRITES) : NULL;
    if (found == NULL) {
        char list[160];
        list_formats(list, sizeof list);
        const char *shown = named ? name : path != NULL ? path : "";
        return lc_err_set(err, LOCO_EARG, "%s \"%s\" is not a format of events; use one of %s",
                          named ? "format" : "the ending of", lc_show(shown).text, list);
    }
    *format = found;
    return LOCO_OK;
}

/* ---- one event as a line ---- */

/* !(a && b) instead of its opposite: so that NaN is refused too. */
static loco_status check_event(const lc_events_view *view, const loco_event *event, loco_err *err)
{
    if (view->places && !(fabs(event->time) < LATEST && fabs(event->x) < LATEST))
        return lc_err_set(err, LOCO_EDATA, "%s: an event at x = %g, y = %g; pixels must be within +-1e9",
                          lc_show(view->file).text, event->x, event->time);
    if (!(fabs(event->time) < LATEST))
        return lc_err_set(err, LOCO_EDATA, "%s: an event at %g s; times must be within +-1e9 s",
                          lc_show(view->file).text, event->time);
    if (event->kind >= view->classes_len)
        return lc_err_set(err, LOCO_EDATA, "%s: an event of class %zu; there are classes 0 to %zu",
                          lc_show(view->file).text, event->kind, view->classes_len - 1);
    if (!(event->probability >= 0 && event->probability <= 1))
        return lc_err_set(err, LOCO_EDATA, "%s: an event of probability %g; it must be from 0 to 1",
                          lc_show(view->file).text, event->probability);
    return LOCO_OK;
}

const lc_note *lc_events_note(const lc_events_view *view, const loco_event *event)
{
    return view->notes != NULL ? &view->notes[event - view->events] : NULL;
}

void lc_events_head(lc_text *out, const lc_format *format, bool places)
{
    const char *heading = places ? format->places_heading : format->heading;
    if (heading != NULL)
        lc_text_string(out, heading);
}

/* An image has places, all else has times. */
static loco_status check_places(const lc_format *format, bool places, loco_err *err)
{
    if (places && format->places == LC_PLACES_NEVER)
        return lc_err_set(err, LOCO_EARG,
                          "%s holds times, and the events of an image have x and y; use csv, jsonl or roi",
                          format->name);
    if (!places && format->places == LC_PLACES_ONLY)
        return lc_err_set(err, LOCO_EARG, "%s holds places in an image, and these events have times; use csv or jsonl",
                          format->name);
    return LOCO_OK;
}

loco_status lc_events_line(lc_text *out, const lc_format *format, const lc_events_view *view, const loco_event *event,
                           loco_err *err)
{
    loco_status status = check_event(view, event, err);
    if (status == LOCO_OK)
        status = check_places(format, view->places, err);
    if (status != LOCO_OK)
        return status;
    size_t start = out->length;
    if (format->line == NULL)
        return lc_err_set(err, LOCO_EARG, "%s cannot be written event by event; csv, jsonl and labels can",
                          format->name);
    format->line(out, view, event);
    if (!out->failed)
        return LOCO_OK;
    out->length = start; /* no half line */
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a line about an event");
}

/* ---- whole files ---- */

/* All events are checked before the first byte is written, so that a file is never half right. */
static loco_status check_views(const lc_format *format, const lc_events_view *views, size_t views_len, loco_err *err)
{
    if (format == NULL || (views == NULL && views_len > 0))
        return lc_err_set(err, LOCO_EARG, "lc_events_write: %s is NULL", format == NULL ? "format" : "views");
    if (format->line == NULL && format->write == NULL)
        return lc_err_set(err, LOCO_EARG, "%s needs the sound, and cannot be made of events alone", format->name);
    if (format->one_file && views_len != 1)
        return lc_err_set(err, LOCO_EARG, "a %s file holds one recording, not %zu; write one for each, or csv",
                          format->name, views_len);
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < views_len; i++) {
        status = check_places(format, views[i].places, err);
        for (size_t e = 0; status == LOCO_OK && e < views[i].events_len; e++)
            status = check_event(&views[i], &views[i].events[e], err);
    }
    return status;
}

static loco_status write_lines(lc_text *out, const lc_format *format, const lc_events_view *views, size_t views_len,
                               loco_err *err)
{
    if (views_len > 0 && views[0].notes != NULL && format->notes_heading != NULL)
        lc_text_string(out, format->notes_heading);
    else
        lc_events_head(out, format, views_len > 0 && views[0].places);
    for (size_t i = 0; i < views_len; i++) {
        for (size_t e = 0; e < views[i].events_len; e++) {
            loco_status status = lc_events_line(out, format, &views[i], &views[i].events[e], err);
            if (status != LOCO_OK)
                return status;
        }
    }
    return out->failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the heading of a file") : LOCO_OK;
}

loco_status lc_events_write(lc_text *out, const lc_format *format, const lc_events_view *views, size_t views_len,
                            loco_err *err)
{
    loco_status status = check_views(format, views, views_len, err);
    if (status != LOCO_OK)
        return status;
    size_t start = out->length;
    if (format->write != NULL)
        status = format->write(out, views, err);
    else
        status = write_lines(out, format, views, views_len, err);
    if (status != LOCO_OK && out->bytes != NULL) {
        out->length = start;
        out->bytes[start] = 0;
    }
    return status;
}

loco_status lc_events_save(const char *path, const lc_format *format, const lc_events_view *views, size_t views_len,
                           loco_err *err)
{
    if (path == NULL || path[0] == 0)
        return lc_err_set(err, LOCO_EARG, "lc_events_save: path is empty; give the name of a file to write");
    lc_text whole = {0};
    lc_text_string(&whole, "");
    loco_status status = lc_events_write(&whole, format, views, views_len, err);
    if (status == LOCO_OK)
        status = lc_file_save(path, whole.bytes, whole.length, err);
    lc_text_free(&whole);
    return status;
}

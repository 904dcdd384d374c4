/* SPDX-License-Identifier: MIT
 *
 * events_write.c - finds a format by name or ending, and writes events as text.
 *
 *     csv      take 1.wav,12.345678,snare,0.9731
 *     jsonl    {"file":"take 1.wav","time":12.345678,"class":"snare","probability":0.9731}
 *     labels   12.345678<tab>12.345678<tab>snare
 *
 * Times have six decimals, a microsecond: finer than a sample at any usual rate, so that a time that is read back and
 * multiplied by the rate meets the same sample. Points and commas do not depend on the locale.
 *
 * Names come from outside and may hold any byte. CSV quotes them by RFC 4180; JSON must be UTF-8, so a wrong byte
 * becomes U+FFFD; a label track knows no quotes, so tabs and line ends become spaces.
 */
#include "report/events_write.h"

#include "base/file.h"
#include "base/status.h"
#include "model/json.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { TIME_DECIMALS = 6, PROBABILITY_DECIMALS = 4 };

#define LATEST 1e9 /* seconds: what lc_text_fixed can write; 31 years */

/* ---- formats --------------------------------------------------------------------------------------------- */

static const lc_format formats[] = {
    {"csv",    {".csv"},              LC_FORMAT_CSV,    false, true },
    {"jsonl",  {".jsonl", ".ndjson"}, LC_FORMAT_JSONL,  false, true },
    {"labels", {".txt", ".labels"},   LC_FORMAT_LABELS, true,  true },
    {"midi",   {".mid", ".midi"},     LC_FORMAT_MIDI,   true,  true },
    {"click",  {".wav"},              LC_FORMAT_CLICK,  true,  false},
    {"html",   {".html", ".htm"},     LC_FORMAT_HTML,   false, false},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* "csv (.csv), jsonl (.jsonl), ..." */
static void list_formats(char *list, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < FORMATS && used < size; i++) {
        const char *parts[] = {i > 0 ? ", " : "", formats[i].name, " (", formats[i].endings[0], ")"};
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
        if (strcasecmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static const lc_format *by_ending(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t k = 0; k < 3 && formats[i].endings[k] != NULL; k++)
            if (ends_with(path, formats[i].endings[k]))
                return &formats[i];
    return NULL;
}

loco_status lc_format_find(const lc_format **format, const char *name, const char *path, loco_err *err)
{
    bool named = name != NULL && name[0] != 0;
    const lc_format *found = named ? by_name(name) : path != NULL ? by_ending(path) : NULL;
    if (found == NULL) {
        char list[160];
        list_formats(list, sizeof list);
        const char *shown = named ? name : path != NULL ? path : "";
        return lc_err_set(err, LOCO_EARG, "%s \"%s\" is no format of events; there are %s",
                          named ? "format" : "the ending of", lc_show(shown).text, list);
    }
    *format = found;
    return LOCO_OK;
}

/* ---- one event as a line --------------------------------------------------------------------------------- */

/* !(a && b) instead of its opposite: so that NaN is refused too. */
static loco_status check_event(const lc_events_view *view, const loco_event *event, loco_err *err)
{
    if (!(fabs(event->time) < LATEST))
        return lc_err_set(err, LOCO_EDATA, "%s: an event at %g s; times lie within +-1e9 s", lc_show(view->file).text,
                          event->time);
    if (event->kind >= view->classes_len)
        return lc_err_set(err, LOCO_EDATA, "%s: an event of class %zu; there are classes 0 to %zu",
                          lc_show(view->file).text, event->kind, view->classes_len - 1);
    if (!(event->probability >= 0 && event->probability <= 1))
        return lc_err_set(err, LOCO_EDATA, "%s: an event of probability %g; it lies in 0..1", lc_show(view->file).text,
                          event->probability);
    return LOCO_OK;
}

static void csv_field(lc_text *out, const char *field)
{
    size_t length = strlen(field);
    bool spaced = length > 0 && (field[0] == ' ' || field[length - 1] == ' ');
    if (!spaced && field[strcspn(field, ",\"\r\n")] == 0) {
        lc_text_string(out, field);
        return;
    }
    lc_text_string(out, "\"");
    for (; *field != 0; field++)
        lc_text_append(out, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
    lc_text_string(out, "\"");
}

/* The length of the UTF-8 character at s, which ends with 0; 0 when there is none. */
static size_t character(const char *s)
{
    for (size_t length = 1; length <= 4 && s[length - 1] != 0; length++)
        if (lc_utf8_valid(s, length))
            return length;
    return 0;
}

static void json_field(lc_text *out, const char *field)
{
    lc_text clean = {0};
    lc_text_string(&clean, "");
    while (*field != 0) {
        size_t length = character(field);
        lc_text_append(&clean, length > 0 ? field : "\xef\xbf\xbd", length > 0 ? length : 3);
        field += length > 0 ? length : 1;
    }
    if (clean.failed)
        out->failed = true;
    else
        lc_json_append(out, clean.bytes);
    lc_text_free(&clean);
}

static void label_field(lc_text *out, const char *field)
{
    for (; *field != 0; field++)
        lc_text_append(out, (unsigned char)*field < 0x20 ? " " : field, 1);
}

static void csv_line(lc_text *out, const lc_events_view *view, const loco_event *event)
{
    csv_field(out, view->file);
    lc_text_string(out, ",");
    lc_text_fixed(out, event->time, TIME_DECIMALS);
    lc_text_string(out, ",");
    csv_field(out, view->classes[event->kind]);
    lc_text_string(out, ",");
    lc_text_fixed(out, event->probability, PROBABILITY_DECIMALS);
    lc_text_string(out, "\n");
}

static void json_line(lc_text *out, const lc_events_view *view, const loco_event *event)
{
    lc_text_string(out, "{\"file\":");
    json_field(out, view->file);
    lc_text_string(out, ",\"time\":");
    lc_text_fixed(out, event->time, TIME_DECIMALS);
    lc_text_string(out, ",\"class\":");
    json_field(out, view->classes[event->kind]);
    lc_text_string(out, ",\"probability\":");
    lc_text_fixed(out, event->probability, PROBABILITY_DECIMALS);
    lc_text_string(out, "}\n");
}

/* A label that begins and ends at the same time is a point. */
static void label_line(lc_text *out, const lc_events_view *view, const loco_event *event)
{
    for (int i = 0; i < 2; i++) {
        lc_text_fixed(out, event->time, TIME_DECIMALS);
        lc_text_string(out, "\t");
    }
    label_field(out, view->classes[event->kind]);
    lc_text_string(out, "\n");
}

void lc_events_head(lc_text *out, const lc_format *format)
{
    if (format->kind == LC_FORMAT_CSV)
        lc_text_string(out, "file,time,class,probability\n");
}

loco_status lc_events_line(lc_text *out, const lc_format *format, const lc_events_view *view, const loco_event *event,
                           loco_err *err)
{
    loco_status status = check_event(view, event, err);
    if (status != LOCO_OK)
        return status;
    size_t start = out->length;
    switch (format->kind) {
    case LC_FORMAT_CSV: csv_line(out, view, event); break;
    case LC_FORMAT_JSONL: json_line(out, view, event); break;
    case LC_FORMAT_LABELS: label_line(out, view, event); break;
    default:
        return lc_err_set(err, LOCO_EARG, "%s cannot be written event by event; csv, jsonl and labels can",
                          format->name);
    }
    if (!out->failed)
        return LOCO_OK;
    out->length = start; /* no half line */
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a line about an event");
}

/* ---- whole files ----------------------------------------------------------------------------------------- */

static loco_status check_views(const lc_format *format, const lc_events_view *views, size_t views_len, loco_err *err)
{
    if (format == NULL || (views == NULL && views_len > 0))
        return lc_err_set(err, LOCO_EARG, "lc_events_write: %s is NULL", format == NULL ? "format" : "views");
    if (!format->writes)
        return lc_err_set(err, LOCO_EARG, "%s needs the sound, and cannot be made of events alone", format->name);
    if (format->one_file && views_len != 1)
        return lc_err_set(err, LOCO_EARG, "a %s file holds one recording, not %zu; write one for each, or csv",
                          format->name, views_len);
    for (size_t i = 0; i < views_len; i++) {
        for (size_t e = 0; e < views[i].events_len; e++) {
            loco_status status = check_event(&views[i], &views[i].events[e], err);
            if (status != LOCO_OK)
                return status;
        }
    }
    return LOCO_OK;
}

static loco_status write_lines(lc_text *out, const lc_format *format, const lc_events_view *views, size_t views_len,
                               loco_err *err)
{
    lc_events_head(out, format);
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
    if (format->kind == LC_FORMAT_MIDI)
        status = lc_events_midi(out, views, err);
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

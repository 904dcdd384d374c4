/* SPDX-License-Identifier: MIT
 *
 * format_jsonl.c - detected events as JSON, one object a line.
 *
 *     {"file":"take 1.wav","time":12.345678,"class":"snare","probability":0.9731}
 *
 *     {"file":"field 1.png","x":101.250,"y":37.667,"class":"cell","probability":0.9731}       of images
 *
 * Where notes are known, "end" and "velocity" follow. Names may hold any byte, and JSON must be UTF-8: an invalid byte becomes U+FFFD.
 */
#include "events/formats.h"

#include "base/json.h"

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

static void json_line(lc_text *out, const lc_events_view *view, const loco_event *event)
{
    lc_text_string(out, "{\"file\":");
    json_field(out, view->file);
    if (view->places) {
        lc_text_string(out, ",\"x\":");
        lc_text_fixed(out, event->x, LC_PLACE_DECIMALS);
        lc_text_string(out, ",\"y\":");
        lc_text_fixed(out, event->time, LC_PLACE_DECIMALS);
    } else {
        lc_text_string(out, ",\"time\":");
        lc_text_fixed(out, event->time, LC_TIME_DECIMALS);
    }
    lc_text_string(out, ",\"class\":");
    json_field(out, view->classes[event->kind]);
    lc_text_string(out, ",\"probability\":");
    lc_text_fixed(out, event->probability, LC_PROBABILITY_DECIMALS);
    const lc_note *note = lc_events_note(view, event);
    if (note != NULL) {
        lc_text_string(out, ",\"end\":");
        lc_text_fixed(out, note->end, LC_TIME_DECIMALS);
        lc_text_string(out, ",\"velocity\":");
        lc_text_fixed(out, note->velocity, 0);
    }
    lc_text_string(out, "}\n");
}

const lc_format lc_format_jsonl = {
    .name = "jsonl",
    .endings = {{".jsonl", LC_ENDING_WRITES}, {".ndjson", LC_ENDING_WRITES}},
    .places = LC_PLACES_TOO,
    .line = json_line,
};

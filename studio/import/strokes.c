/* SPDX-License-Identifier: MIT
 *
 * strokes.c - lists of strokes, the labels of a set, and annotations that are lines of text.
 *
 *     0.010000 <TAB> KD <SPACE>       MDB Drums
 *     1.2501 chh                      ENST-Drums
 *
 * This is stricter than a label track (events/format_labels.c): every label must be known, since a misread one would be
 * a stroke that is silently missing from the counts.
 */
#include "studio/import/strokes.h"

#include "base/number.h"
#include "base/status.h"
#include "base/store.h"
#include "events/event_list.h"

#include <stdlib.h>
#include <string.h>

/* SIZE_MAX when no label is the same. */
static size_t find_exact(const lc_vocabulary *vocabulary, const char *label, size_t length)
{
    for (size_t i = 0; i < vocabulary->len; i++)
        if (strlen(vocabulary->labels[i][0]) == length && memcmp(vocabulary->labels[i][0], label, length) == 0)
            return i;
    return SIZE_MAX;
}

size_t lc_vocabulary_find(const lc_vocabulary *vocabulary, const char *label, size_t length)
{
    size_t found = find_exact(vocabulary, label, length);
    if (found != SIZE_MAX || !vocabulary->numbered)
        return found;
    while (length > 0 && label[length - 1] >= '0' && label[length - 1] <= '9')
        length--;
    return find_exact(vocabulary, label, length);
}

lc_vocabulary_shown lc_vocabulary_show(const lc_vocabulary *vocabulary)
{
    lc_vocabulary_shown shown = {""};
    size_t used = 0;
    for (size_t i = 0; i < vocabulary->len; i++) {
        const char *label = vocabulary->labels[i][0];
        size_t comma = i > 0 ? 2 : 0, length = strlen(label);
        if (used + comma + length >= sizeof shown.text)
            break;
        memcpy(shown.text + used, ", ", comma);
        memcpy(shown.text + used + comma, label, length + 1);
        used += comma + length;
    }
    return shown;
}

void lc_strokes_free(lc_strokes *strokes)
{
    free(strokes->items);
    *strokes = (lc_strokes){0};
}

loco_status lc_strokes_add(lc_strokes *strokes, lc_place place, double time, size_t label, loco_err *err)
{
    if (!(time >= 0 && time < LC_TIME_END))
        return lc_err_set(err, LOCO_EDATA, "%s: times go from 0 to below %.0f seconds", lc_place_show(place).text,
                          LC_TIME_END);
    if (strokes->len == LC_EVENTS_MOST)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d strokes", lc_place_show(place).text, LC_EVENTS_MOST);
    lc_stroke *items = lc_list_grow(strokes->items, &strokes->capacity, strokes->len + 1, sizeof *items);
    if (items == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the strokes of %.150s", place.path);
    strokes->items = items;
    items[strokes->len++] = (lc_stroke){time + 0.0, (uint32_t)label, (uint32_t)place.line}; /* -0 becomes 0 */
    return LOCO_OK;
}

loco_status lc_strokes_add_text(lc_strokes *strokes, const lc_vocabulary *vocabulary, lc_place place,
                                lc_stroke_text text, loco_err *err)
{
    double seconds;
    if (!lc_number_parse(text.time, text.time_len, &seconds))
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a time in seconds; 12.5 is one",
                          lc_place_show(place).text, lc_show_bytes(text.time, text.time_len).text);
    if (text.label_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no label behind the time; is the file cut short?",
                          lc_place_show(place).text);
    size_t found = lc_vocabulary_find(vocabulary, text.label, text.label_len);
    if (found == SIZE_MAX)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a label of %s: %s", lc_place_show(place).text,
                          lc_show_bytes(text.label, text.label_len).text, vocabulary->set,
                          lc_vocabulary_show(vocabulary).text);
    return lc_strokes_add(strokes, place, seconds, found, err);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* One line without its end: the first word is the time, all behind it the label. */
static loco_status read_line(lc_strokes *strokes, const lc_vocabulary *vocabulary, lc_place place, const char *at,
                             const char *end, loco_err *err)
{
    while (at < end && is_space(*at))
        at++;
    while (end > at && is_space(end[-1]))
        end--;
    if (at == end)
        return LOCO_OK;
    const char *time = at;
    while (at < end && !is_space(*at))
        at++;
    size_t time_len = (size_t)(at - time);
    while (at < end && is_space(*at))
        at++;
    return lc_strokes_add_text(strokes, vocabulary, place, (lc_stroke_text){time, at, time_len, (size_t)(end - at)},
                               err);
}

loco_status lc_strokes_parse_lines(lc_strokes *strokes, const lc_vocabulary *vocabulary, const char *path,
                                   const char *text, size_t length, loco_err *err)
{
    lc_place whole = {path, 1, NULL};
    if (length > LC_EVENTS_LABELS)
        return lc_err_set(err, LOCO_EDATA, "%s: an annotation of more than %d MiB", lc_place_show(whole).text,
                          LC_EVENTS_LABELS >> 20);
    loco_status status = lc_plain_text_check(path, text, length, err);
    if (status != LOCO_OK)
        return status;
    size_t before = strokes->len, at = lc_plain_text_mark(text, length);
    for (size_t line = 1; at < length && status == LOCO_OK; line++) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t end = newline != NULL ? (size_t)(newline - text) : length;
        status = read_line(strokes, vocabulary, (lc_place){path, line, NULL}, text + at, text + end, err);
        at = end + 1;
    }
    if (status == LOCO_OK && strokes->len == before)
        return lc_err_set(err, LOCO_EDATA, "%s: no stroke in the whole file; a line has a time and a label",
                          lc_place_show(whole).text);
    return status;
}

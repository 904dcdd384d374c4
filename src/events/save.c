/* SPDX-License-Identifier: MIT
 *
 * save.c - the public functions that write events: files of all formats, and single lines.
 */
#include "base/file.h"
#include "base/number.h"
#include "base/show.h"
#include "base/status.h"
#include "events/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char tempo_words[] = "midi tempo=", places_word[] = "places";

/* What the words of a format ask for. */
typedef struct format_words {
    const lc_format *format;
    double tempo; /* 0: none is asked for */
    bool places;  /* events of images */
    char copy[32];
} format_words;

/* "midi tempo=97" becomes "midi" and 97; other formats stay. */
static loco_status read_tempo(const char **format, double *tempo, loco_err *err)
{
    size_t length = sizeof tempo_words - 1;
    const char *name = *format;
    if (name == NULL || strncmp(name, tempo_words, length) != 0)
        return LOCO_OK;
    if (!lc_number_parse(name + length, strlen(name + length), tempo) || !(*tempo > 0))
        return lc_err_set(err, LOCO_EARG, "format \"%s\": the tempo is not a number of quarters a minute, such as 97",
                          lc_show(name).text);
    *format = "midi";
    return LOCO_OK;
}

/* "csv places" becomes "csv", and "places" an empty name: by the ending. */
static void read_places(const char **format, format_words *words)
{
    size_t length = *format != NULL ? strlen(*format) : 0, word = sizeof places_word - 1;
    if (length < word || length >= sizeof words->copy || strcmp(*format + length - word, places_word) != 0 ||
        (length > word && (*format)[length - word - 1] != ' '))
        return;
    words->places = true;
    memcpy(words->copy, *format, length - word);
    words->copy[length > word ? length - word - 1 : 0] = 0;
    *format = words->copy;
}

static loco_status read_words(format_words *words, const char *format, const char *path, loco_err *err)
{
    *words = (format_words){0};
    loco_status status = read_tempo(&format, &words->tempo, err);
    if (status != LOCO_OK)
        return status;
    read_places(&format, words);
    return lc_format_find(&words->format, format, path, err);
}

loco_status lc_events_save_lists(const char *path, const char *format_name, const loco_events *lists, size_t lists_len,
                                 const char *const *classes, size_t classes_len, lc_note *const *notes, loco_err *err)
{
    format_words words;
    loco_status status = read_words(&words, format_name, path, err);
    if (status != LOCO_OK)
        return status;
    lc_events_view *views = calloc(lists_len + 1, sizeof *views);
    if (views == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", lists_len);
    for (size_t i = 0; i < lists_len; i++)
        views[i] = (lc_events_view){.file = lists[i].file,
                                    .classes = classes,
                                    .classes_len = classes_len,
                                    .events = lists[i].events,
                                    .events_len = lists[i].events_len,
                                    .tempo = words.tempo,
                                    .notes = notes != NULL ? notes[i] : NULL,
                                    .places = words.places};
    status = lc_events_save(path, words.format, views, lists_len, err);
    free(views);
    return status;
}

loco_status loco_events_save(const char *path, const char *format, const loco_events *lists, size_t lists_len,
                             const char *const *classes, size_t classes_len, loco_err *err)
{
    return lc_events_save_lists(path, format, lists, lists_len, classes, classes_len, NULL, err);
}

/* One line, for events that are written as they come; event NULL: the heading. Returns the whole length, like snprintf;
 * 0: the format is unknown, has no lines, or the event cannot be written. */
size_t loco_event_format(char *text, size_t size, const char *format_name, const char *file, const char *class_name,
                         const loco_event *event)
{
    format_words words;
    lc_text line = {0};
    loco_event alone;
    lc_events_view view = {.file = file, .classes = &class_name, .classes_len = 1};
    if (size > 0)
        text[0] = 0;
    if (read_words(&words, format_name, NULL, NULL) != LOCO_OK)
        return 0;
    view.places = words.places;
    if (event == NULL) {
        lc_events_head(&line, words.format, words.places);
    } else {
        alone = (loco_event){event->time, 0, event->probability, event->x};
        if (lc_events_line(&line, words.format, &view, &alone, NULL) != LOCO_OK)
            lc_text_free(&line);
    }
    size_t length = line.failed || line.bytes == NULL ? 0 : line.length;
    if (size > 0 && length > 0) {
        size_t kept = length < size - 1 ? length : size - 1;
        memcpy(text, line.bytes, kept);
        text[kept] = 0;
    }
    lc_text_free(&line);
    return length;
}

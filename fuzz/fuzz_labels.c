/* SPDX-License-Identifier: MIT
 *
 * fuzz_labels.c - any bytes at all as a list of events: label tracks, tables by their content, and MIDI as well.
 *   With an even first byte the classes are free, else they are given. What is accepted is in order of time, of classes
 *   that are there, and comes back when it is written as events.csv and read again, but for times in whole
 *   microseconds, and for control characters in names, which become ? in a table; whatever is refused must leave the result
 *   untouched and say where. */
#include "base/show.h"
#include "events/event_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const classes[] = {"kick", "snare", "36"};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_file(const lc_event_list *list, const lc_event_file *file)
{
    for (size_t i = 0; i < file->events_len; i++) {
        const loco_event *e = &file->events[i];
        require(e->time >= 0 && e->time < 1e7 && e->kind < list->classes_len);
        require(e->probability >= 0 && e->probability <= 1);
        require(i == 0 || file->events[i - 1].time <= e->time);
        require(list->places ? e->x >= 0 && e->x < 1e7 : !(e->x > 0 || e->x < 0));
    }
}

static bool near_end(const lc_event_list *list)
{
    for (size_t f = 0; f < list->files_len; f++) {
        const lc_event_file *file = &list->files[f];
        if (file->events_len > 0 && file->events[file->events_len - 1].time > 9999999)
            return true; /* may be rounded up beyond the largest time */
        for (size_t i = 0; i < file->events_len; i++)
            if (file->events[i].x > 9999999)
                return true;
    }
    return false;
}

static bool names_pass(const lc_event_list *list)
{
    bool pass = true;
    for (size_t k = 0; k < list->classes_len; k++)
        pass = pass && lc_show_passes(list->classes[k]);
    for (size_t f = 0; f < list->files_len; f++)
        pass = pass && lc_show_passes(list->files[f].name);
    return pass;
}

static void check_again(const lc_event_list *list)
{
    lc_text text = {0};
    lc_event_list *again = NULL;
    lc_events_format(&text, list);
    require(!text.failed);
    require(lc_event_list_parse(&again, "again.csv", text.bytes, text.length, list->classes, list->classes_len, NULL) ==
            LOCO_OK);
    require(again->files_len == list->files_len && again->places == list->places);
    for (size_t f = 0; f < list->files_len; f++) {
        const lc_event_file *a = &list->files[f], *b = &again->files[f];
        require(strcmp(a->name, b->name) == 0 && a->events_len == b->events_len);
        for (size_t i = 0; i < a->events_len; i++)
            require(fabs(a->events[i].time - b->events[i].time) < 1e-6);
    }
    lc_event_list_free(again);
    lc_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    bool given = data[0] % 2 == 1;
    size_t length = size - 1;
    char *text = malloc(length > 0 ? length : 1);
    if (text == NULL)
        return 0;
    memcpy(text, data + 1, length);
    lc_event_list *list = NULL;
    loco_err err = {""};
    loco_status status = lc_event_list_parse(&list, "input.txt", text, length, given ? classes : NULL, 3, &err);
    free(text);
    if (status == LOCO_OK) {
        for (size_t f = 0; f < list->files_len; f++)
            check_file(list, &list->files[f]);
        if (!near_end(list) && names_pass(list))
            check_again(list);
    } else {
        require(status == LOCO_EDATA && list == NULL && strncmp(err.text, "input.txt", 9) == 0);
    }
    lc_event_list_free(list);
    return 0;
}

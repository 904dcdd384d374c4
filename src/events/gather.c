/* SPDX-License-Identifier: MIT
 *
 * gather.c - gathers events from readers, one by one and in any order, into a sorted list.
 *   40 bytes an event while gathering, and 36 in the list. Events of one file at one time are in order of x, then of
 *   class, then of probability: so the list does not depend on the order in which they came. */
#include "events/gather.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lc_gathered {
    uint32_t file, kind;
    uint32_t path, line; /* where it was read */
    double time, x, probability;
} gathered;

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a list of events");
}

loco_status lc_gather_begin(lc_gather *gather, const char *const *classes, size_t classes_len, loco_err *err)
{
    gather->fixed = classes != NULL;
    gather->given = classes != NULL ? classes_len : 0;
    for (size_t i = 0; classes != NULL && i < classes_len; i++) {
        if (i == LC_EVENTS_CLASSES)
            return lc_err_set(err, LOCO_EARG, "more than %d classes", LC_EVENTS_CLASSES);
        size_t index = lc_names_add(&gather->classes, &gather->store, classes[i], strlen(classes[i]));
        if (index == LC_NAMES_NONE)
            return out_of_memory(err);
        if (index != i)
            return lc_err_set(err, LOCO_EARG, "the class \"%s\" is there twice", lc_show(classes[i]).text);
    }
    return LOCO_OK;
}

void lc_gather_free(lc_gather *gather)
{
    lc_store_free(&gather->store);
    lc_names_free(&gather->classes);
    lc_names_free(&gather->files);
    lc_names_free(&gather->paths);
    free(gather->items);
    *gather = (lc_gather){0};
}

loco_status lc_gather_file(size_t *file, lc_gather *gather, const char *name, loco_err *err)
{
    size_t index = lc_names_add(&gather->files, &gather->store, name, strlen(name));
    if (index == LC_NAMES_NONE)
        return out_of_memory(err);
    *file = index;
    return LOCO_OK;
}

/* Names the class that may have been meant. */
static loco_status refuse_class(const lc_gather *gather, lc_place place, const char *name, loco_err *err)
{
    lc_where where = lc_place_show(place);
    lc_shown shown = lc_show(name);
    const char *near = loco_nearest(name, gather->classes.items, gather->classes.len);
    if (near != NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a class here; is it \"%s\"?", where.text, shown.text,
                          lc_show(near).text);
    return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not one of the %zu classes", where.text, shown.text,
                      gather->classes.len);
}

/* Where only one class is given, an event need not name it. */
loco_status lc_gather_class(size_t *kind, lc_gather *gather, lc_place place, const char *name, size_t length,
                            loco_err *err)
{
    bool fixed = gather->fixed;
    if (length == 0 && gather->given == 1) {
        *kind = 0;
        return LOCO_OK;
    }
    if (length == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no class; write what the event is", lc_place_show(place).text);
    if (length > LC_EVENTS_LABEL)
        return lc_err_set(err, LOCO_EDATA, "%s: a class of more than %d bytes", lc_place_show(place).text,
                          LC_EVENTS_LABEL);
    size_t index = lc_names_find(&gather->classes, name, length);
    if (index == LC_NAMES_NONE && fixed) { /* the name may not end with 0, and the search for a near one needs it */
        char copy[LC_EVENTS_LABEL + 1];
        memcpy(copy, name, length);
        copy[length] = '\0';
        return refuse_class(gather, place, copy, err);
    }
    if (index == LC_NAMES_NONE && gather->classes.len == LC_EVENTS_CLASSES)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d classes", lc_place_show(place).text, LC_EVENTS_CLASSES);
    if (index == LC_NAMES_NONE)
        index = lc_names_add(&gather->classes, &gather->store, name, length);
    if (index == LC_NAMES_NONE)
        return out_of_memory(err);
    *kind = index;
    return LOCO_OK;
}

/* The index of a path, most often the last one. LC_NAMES_NONE without memory. */
static size_t find_path(lc_gather *gather, const char *path)
{
    size_t last = gather->paths.len - 1;
    if (gather->paths.len > 0 && strcmp(gather->paths.items[last], path) == 0)
        return last;
    return lc_names_add(&gather->paths, &gather->store, path, strlen(path));
}

loco_status lc_gather_event(lc_gather *gather, lc_place place, size_t file, loco_event event, loco_err *err)
{
    if (!(event.time >= 0 && event.time < LC_TIME_END))
        return lc_err_set(err, LOCO_EDATA, "%s: times go from 0 to below %.0f seconds", lc_place_show(place).text,
                          LC_TIME_END);
    if (gather->len == LC_EVENTS_MOST)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d events", lc_place_show(place).text, LC_EVENTS_MOST);
    gathered *items = lc_list_grow(gather->items, &gather->capacity, gather->len + 1, sizeof *items);
    if (items == NULL)
        return out_of_memory(err);
    gather->items = items;
    size_t path = find_path(gather, place.path);
    if (path == LC_NAMES_NONE)
        return out_of_memory(err);
    items[gather->len++] = (gathered){.file = (uint32_t)file,
                                      .kind = (uint32_t)event.kind,
                                      .path = (uint32_t)path,
                                      .line = (uint32_t)place.line,
                                      .time = event.time + 0.0, /* -0 becomes 0 */
                                      .x = event.x + 0.0,
                                      .probability = event.probability};
    return LOCO_OK;
}

/* A total order: what compares equal is equal, so that it does not matter that qsort is not stable. */
static int in_order(const void *a, const void *b)
{
    const gathered *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    if (x->x < y->x || x->x > y->x)
        return x->x < y->x ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->probability < y->probability || x->probability > y->probability)
        return x->probability < y->probability ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Lays the sorted items out as files with their events. */
static void fill(const lc_gather *gather, lc_event_file *files, loco_event *events, lc_event_origin *origins,
                 uint32_t *lines)
{
    size_t next = 0;
    for (size_t f = 0; f < gather->files.len; f++) {
        files[f] = (lc_event_file){.name = gather->files.items[f], .events = events + next};
        origins[f] = (lc_event_origin){.lines = lines + next};
        if (next < gather->len && gather->items[next].file == f)
            origins[f].path = gather->paths.items[gather->items[next].path];
        for (; next < gather->len && gather->items[next].file == f; next++) {
            const gathered *item = &gather->items[next];
            events[next] = (loco_event){
                .time = item->time, .kind = item->kind, .probability = item->probability, .x = item->x};
            lines[next] = item->line;
            files[f].events_len++;
        }
    }
}

/* One block each for classes, files, events and lines; the list takes the store over. */
loco_status lc_gather_end(lc_event_list **list, lc_gather *gather, loco_err *err)
{
    size_t classes_len = gather->classes.len;
    lc_store *store = &gather->store;
    const char **classes = lc_store_take(store, classes_len, sizeof *classes);
    lc_event_file *files = lc_store_take(store, gather->files.len, sizeof *files);
    loco_event *events = lc_store_take(store, gather->len, sizeof *events);
    lc_event_origin *origins = lc_store_take(store, gather->files.len, sizeof *origins);
    uint32_t *lines = lc_store_take(store, gather->len, sizeof *lines);
    lc_event_list *made = malloc(sizeof *made);
    if (classes == NULL || files == NULL || events == NULL || origins == NULL || lines == NULL || made == NULL) {
        free(made);
        return out_of_memory(err);
    }
    if (classes_len > 0)
        memcpy((void *)classes, (const void *)gather->classes.items, classes_len * sizeof *classes);
    if (gather->len > 0)
        qsort(gather->items, gather->len, sizeof *gather->items, in_order);
    fill(gather, files, events, origins, lines);
    *made = (lc_event_list){.classes = classes,
                            .classes_len = classes_len,
                            .files = files,
                            .files_len = gather->files.len,
                            .owns = *store,
                            .origins = origins,
                            .places = gather->places};
    *store = (lc_store){0}; /* handed over */
    *list = made;
    return LOCO_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * image_set.c - writes drawn images as a data set.
 *
 * A thread draws an image, packs it as PNG and writes the file; rows of the tables are added in order after each batch.
 * Files are not forced to the disk one by one, which would take ten times as long as all the rest, but all together before
 * counts.csv is saved: a folder without it is known to be incomplete.
 */
#include "studio/images/image_set.h"

#include "base/file.h"
#include "base/pool.h"
#include "base/status.h"
#include "image/image.h"
#include "studio/synth/set_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256, MOST_CLASSES = 16 };

typedef struct image_set {
    const char *folder;
    const lc_image_job *job;
    lc_text counts, events;
} image_set;

/* One image, as it is made. */
typedef struct sheet {
    char name[32];
    loco_event *events;
    size_t events_len;
    loco_status status;
    loco_err err;
} sheet;

/* Images that are made at the same time, in order of their index. */
typedef struct sheets {
    const image_set *set;
    size_t first;
    sheet items[BATCH];
} sheets;

static loco_status no_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a data set of images");
}

/* ---- an image ---- */

static loco_status write_file(const char *path, const lc_text *bytes, loco_err *err)
{
    char *temp = lc_file_temp(path);
    if (temp == NULL)
        return no_memory(err);
    FILE *file = fopen(temp, "wb");
    bool written = file != NULL && fwrite(bytes->bytes, 1, bytes->length, file) == bytes->length;
    bool closed = file != NULL && fclose(file) == 0;
    return lc_file_place(temp, path,
                         written && closed ? LOCO_OK : lc_err_set(err, LOCO_EIO, "cannot write %.150s", path), err);
}

static loco_status save(const image_set *set, const sheet *s, const lc_drawn *drawn, loco_err *err)
{
    lc_image image = {
        .height = drawn->height, .width = drawn->width, .channels = 1, .bytes = 1, .values = drawn->pixels};
    lc_text path = lc_set_folder_path(set->folder, s->name), png = {0};
    loco_status status = path.failed ? no_memory(err) : lc_image_format(&png, &image, err);
    if (status == LOCO_OK)
        status = write_file(path.bytes, &png, err);
    lc_text_free(&png);
    lc_text_free(&path);
    return status;
}

static loco_status make_sheet(const image_set *set, sheet *s, size_t index, loco_err *err)
{
    const studio_image_options *options = set->job->options;
    lc_text name = {0};
    lc_text_format(&name, "%06zu.png", index);
    lc_drawn drawn = {.pixels = calloc(options->height, options->width),
                      .height = options->height,
                      .width = options->width,
                      .events = calloc(options->most + 1, sizeof *drawn.events)};
    s->events = drawn.events;
    loco_status status = LOCO_OK;
    if (drawn.pixels == NULL || drawn.events == NULL || name.failed || name.length >= sizeof s->name)
        status = no_memory(err);
    else
        memcpy(s->name, name.bytes, name.length + 1);
    if (status == LOCO_OK)
        status = set->job->make(set->job->context, index, &drawn, err);
    if (status == LOCO_OK)
        status = save(set, s, &drawn, err);
    s->events_len = drawn.events_len;
    free(drawn.pixels);
    lc_text_free(&name);
    return status;
}

/* One task of the pool. */
static void make_one(void *context, size_t task, unsigned worker)
{
    sheets *b = context;
    sheet *s = &b->items[task];
    (void)worker;
    s->status = make_sheet(b->set, s, b->first + task, &s->err);
}

/* ---- tables ---- */

static void format_headers(image_set *set)
{
    lc_text_string(&set->events, "file,x,y,class\n");
    lc_text_string(&set->counts, "file");
    for (size_t k = 0; k < set->job->classes; k++)
        lc_text_format(&set->counts, ",%s", set->job->names[k]);
    lc_text_string(&set->counts, "\n");
}

static void format_rows(image_set *set, const sheet *s)
{
    size_t counts[MOST_CLASSES] = {0};
    for (size_t i = 0; i < s->events_len; i++) {
        const loco_event *event = &s->events[i];
        counts[event->kind]++;
        lc_text_format(&set->events, "%s,", s->name);
        lc_text_number(&set->events, event->x, 2);
        lc_text_string(&set->events, ",");
        lc_text_number(&set->events, event->time, 2);
        lc_text_format(&set->events, ",%s\n", set->job->names[event->kind]);
    }
    lc_text_string(&set->counts, s->name);
    for (size_t k = 0; k < set->job->classes; k++)
        lc_text_format(&set->counts, ",%zu", counts[k]);
    lc_text_string(&set->counts, "\n");
}

/* ---- the set ---- */

/* The first error, if there is one. */
static loco_status make_batch(image_set *set, sheets *b, size_t n, lc_pool *pool, loco_err *err)
{
    loco_status status = LOCO_OK;
    memset(b->items, 0, sizeof b->items);
    lc_pool_run(pool, n, make_one, b);
    for (size_t i = 0; i < n; i++) {
        sheet *s = &b->items[i];
        if (status == LOCO_OK && s->status != LOCO_OK) {
            status = s->status;
            if (err != NULL)
                *err = s->err;
        }
        if (status == LOCO_OK)
            format_rows(set, s);
        free(s->events);
    }
    return status;
}

static loco_status make_all(image_set *set, lc_pool *pool, loco_err *err)
{
    const studio_image_options *options = set->job->options;
    sheets *b = calloc(1, sizeof *b);
    loco_status status = b != NULL ? LOCO_OK : no_memory(err);
    size_t done = 0;
    while (status == LOCO_OK && done < options->images) {
        size_t n = options->images - done < BATCH ? options->images - done : BATCH;
        b->set = set;
        b->first = done;
        status = make_batch(set, b, n, pool, err);
        done += n;
        if (status == LOCO_OK && options->progress != NULL &&
            !options->progress(options->context, done, options->images))
            status = lc_err_set(err, LOCO_EIO, "stopped after %zu of %zu images; %.120s has no counts.csv", done,
                                options->images, set->folder);
    }
    free(b);
    return status;
}

/* counts.csv comes last. */
static loco_status save_tables(const image_set *set, loco_err *err)
{
    lc_text sources = {0};
    lc_text_string(&sources, set->job->sources);
    loco_status status = lc_file_flush_set(set->folder, err);
    if (status == LOCO_OK)
        status = lc_set_folder_save(set->folder, "sources.txt", &sources, err);
    lc_text_free(&sources);
    if (status == LOCO_OK)
        status = lc_set_folder_save(set->folder, "events.csv", &set->events, err);
    return status == LOCO_OK ? lc_set_folder_save(set->folder, "counts.csv", &set->counts, err) : status;
}

loco_status lc_image_set_write(const char *folder, const lc_image_job *job, loco_err *err)
{
    image_set set = {.folder = folder, .job = job};
    lc_pool *pool = NULL;
    loco_status status = lc_set_folder_prepare(folder, err);
    if (status == LOCO_OK)
        status = lc_pool_new(&pool, job->options->threads, err);
    if (status == LOCO_OK) {
        format_headers(&set);
        status = make_all(&set, pool, err);
        lc_pool_free(pool);
    }
    if (status == LOCO_OK)
        status = save_tables(&set, err);
    lc_text_free(&set.counts);
    lc_text_free(&set.events);
    return status;
}

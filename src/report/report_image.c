/* SPDX-License-Identifier: MIT
 *
 * report_image.c - the page about a model and images: detects, compares, and hands all to page.c.
 *
 * All images of a data set are scored, some are shown: where the places of events are known, those with the lowest F1,
 * the worst one first; else the first ones. Images are read one after another, and what is not shown is freed at once.
 * What is shown of an image is made in the end, when it is known which are shown.
 */
#include "report/report_image.h"

#include "base/file.h"
#include "base/status.h"
#include "data/dataset.h"
#include "detect/detect.h"
#include "detect/infer.h"
#include "detect/tally_image.h"
#include "eval/by_class.h"
#include "eval/plane_match.h"
#include "report/page_image.h"
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SHOWN = 6, MOST_SCORED = 1000, CARDS = 5, COLUMNS = 7, CELL = 40 };

static const double default_radius = 10; /* pixels, as in loco_evaluate */

/* One image as it is shown. */
typedef struct image_exhibit {
    const char *path, *name;
    size_t order; /* in the data set */
    bool placed;  /* places of its events are known */
    double f1;    /* where they are */
    const loco_event *truth;
    size_t truth_len;
    size_t width, height;
    lc_text png;
    lc_logits logits;
    lc_event_array detected;
    lc_page_point *points;
    size_t points_len;
    lc_page_number *numbers; /* (K) */
} image_exhibit;

/* What was found of one class, or of all. */
typedef struct class_score {
    size_t truth, found, matched;
    double distance; /* sum over matched pairs */
} class_score;

typedef struct image_job {
    const loco_report_options *asked;
    const loco_model *model;
    size_t K;
    double radius;
    lc_dataset *set;
    size_t len, most;     /* images in all, and the most that are shown */
    image_exhibit *shown; /* (most + 1) */
    size_t shown_len;     /* in the order of the page */
    class_score *score;   /* (K + 1), the last of all */
    size_t placed;        /* images with known places */
    size_t counted;       /* images with known counts */
    double errors;        /* of these: of expected counts, summed over classes and images */
} image_job;

/* ---- reading ---- */

/* As `loco detect` finds them. */
static loco_status find_events(const image_job *j, image_exhibit *e, loco_err *err)
{
    lc_decoder *decoder = NULL;
    if (!lc_decoding_plain(&j->model->decoding))
        return loco_detect(&e->detected.events, &e->detected.len, j->model, e->path, NULL, err);
    loco_status status = lc_detect_decoder(&decoder, j->model, NULL, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(decoder, e->logits.data, e->logits.T, e->logits.columns, &e->detected, err);
    lc_decoder_free(decoder);
    return status;
}

static loco_status read_exhibit(const image_job *j, image_exhibit *e, loco_err *err)
{
    lc_image image = {0};
    loco_status status = lc_frontend_check_file(&j->model->frontend, e->path, err);
    if (status == LOCO_OK)
        status = lc_image_measure(&image, e->path, err);
    if (status == LOCO_OK)
        status = lc_infer_logits(&e->logits, j->model, &(lc_input){.path = e->path}, err);
    if (status == LOCO_OK)
        status = find_events(j, e, err);
    e->width = image.width;
    e->height = image.height;
    return status;
}

/* ---- counts ---- */

static size_t count_kind(const loco_event *events, size_t n, size_t kind)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += events[i].kind == kind;
    return count;
}

/* The clip that is the whole of a recording, if it is its only one. */
static const lc_clip *whole_clip(const lc_dataset *set, size_t recording)
{
    const lc_clip *found = NULL;
    for (size_t i = 0; i < set->clips_len; i++)
        if (set->clips[i].recording == recording) {
            if (found != NULL)
                return NULL;
            found = &set->clips[i];
        }
    bool whole = found != NULL && found->start <= 0 && isinf(found->end) && found->left <= 0 && found->right <= 0;
    return whole ? found : NULL;
}

static loco_label known_count(const image_job *j, const image_exhibit *e, size_t kind)
{
    const lc_clip *clip = j->set != NULL ? whole_clip(j->set, e->order) : NULL;
    if (e->placed)
        return loco_label_exact(count_kind(e->truth, e->truth_len, kind));
    if (clip != NULL)
        for (size_t k = 0; k < j->set->classes_len; k++)
            if (strcmp(j->set->classes[k], j->model->classes[kind]) == 0)
                return clip->labels[k];
    return loco_label_unknown();
}

/* As `loco count` counts. */
static void take_count(void *context, const loco_tally_row *row)
{
    image_exhibit *e = context;
    e->numbers[row->kind] = (lc_page_number){.expected = row->expected, .low = row->low, .high = row->high};
}

static loco_status count_all(image_job *j, image_exhibit *e, loco_err *err)
{
    const loco_tally_options how = {.size = sizeof how, .interval = 0.9};
    const lc_tally_image tally = {j->model, &how, take_count, e};
    double errors = 0;
    bool known = true;
    e->numbers = calloc(j->K, sizeof *e->numbers);
    if (e->numbers == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the counts of an image");
    loco_status status = lc_tally_image_whole(&tally, &(lc_input){.path = e->path}, err);
    if (status != LOCO_OK)
        return status;
    for (size_t k = 0; k < j->K; k++) {
        e->numbers[k].known = known_count(j, e, k);
        errors += fabs(e->numbers[k].expected - (double)e->numbers[k].known.lo);
        known = known && e->numbers[k].known.hi == e->numbers[k].known.lo;
    }
    j->counted += known;
    j->errors += known ? errors : 0;
    return LOCO_OK;
}

/* ---- comparing ---- */

/* The true events and the detections of an image, and the pairs of a class. */
typedef struct comparison {
    lc_by_class truth, found;
    size_t *pairs;
    lc_block scratch;
} comparison;

static lc_points points_of(const lc_by_class *events, size_t kind)
{
    size_t start = events->start[kind];
    return (lc_points){events->x + start, events->time + start, lc_by_class_len(events, kind)};
}

/* A point for each detection, a false alarm until a true event claims it, then one for each miss. Without known places
 * there is no verdict: detections are LC_PAGE_FOUND. */
static loco_status match_class(const image_job *j, image_exhibit *e, size_t kind, comparison *c, loco_err *err)
{
    lc_points truth = points_of(&c->truth, kind), found = points_of(&c->found, kind);
    lc_page_point *points = e->points + e->points_len;
    size_t matched;
    for (size_t i = 0; i < found.n; i++)
        points[i] = (lc_page_point){.x = found.x[i],
                                    .y = found.y[i],
                                    .kind = kind,
                                    .probability = c->found.probability[c->found.start[kind] + i],
                                    .verdict = e->placed ? LC_PAGE_FALSE_ALARM : LC_PAGE_FOUND};
    e->points_len += found.n;
    loco_status status = lc_plane_match(c->pairs, &matched, truth, found, j->radius, &c->scratch, err);
    for (size_t i = 0; status == LOCO_OK && i < truth.n; i++) {
        size_t pair = c->pairs[i];
        if (pair != LC_UNMATCHED) {
            points[pair].verdict = LC_PAGE_HIT;
            points[pair].off = hypot(truth.x[i] - found.x[pair], truth.y[i] - found.y[pair]);
        } else {
            e->points[e->points_len++] = (lc_page_point){
                .x = truth.x[i], .y = truth.y[i], .kind = kind, .verdict = LC_PAGE_MISS};
        }
    }
    return status;
}

static loco_status compare(const image_job *j, image_exhibit *e, loco_err *err)
{
    size_t n = e->truth_len, m = e->detected.len;
    comparison c = {.pairs = calloc(n + 1, sizeof *c.pairs)};
    e->points = calloc(n + m + 1, sizeof *e->points);
    loco_status status = LOCO_OK;
    if (c.pairs == NULL || e->points == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n + m);
    if (status == LOCO_OK)
        status = lc_by_class_set(&c.truth, j->K, e->truth, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_by_class_set(&c.found, j->K, e->detected.events, m, "estimated", err);
    for (size_t k = 0; status == LOCO_OK && k < j->K; k++)
        status = match_class(j, e, k, &c, err);
    lc_by_class_free(&c.truth);
    lc_by_class_free(&c.found);
    lc_block_free(&c.scratch);
    free(c.pairs);
    return status;
}

static double f1_of(const class_score *s)
{
    return s->truth + s->found > 0 ? 2 * (double)s->matched / (double)(s->truth + s->found) : 1;
}

static void add_point(class_score *s, const lc_page_point *p)
{
    s->truth += p->verdict != LC_PAGE_FALSE_ALARM;
    s->found += p->verdict != LC_PAGE_MISS;
    s->matched += p->verdict == LC_PAGE_HIT;
    s->distance += p->off;
}

static void add_score(image_job *j, image_exhibit *e)
{
    class_score own = {0};
    if (!e->placed)
        return;
    for (size_t i = 0; i < e->points_len; i++) {
        add_point(&own, &e->points[i]);
        add_point(&j->score[e->points[i].kind], &e->points[i]);
        add_point(&j->score[j->K], &e->points[i]);
    }
    e->f1 = f1_of(&own);
    j->placed++;
}

/* ---- what is shown ---- */

static void free_exhibit(image_exhibit *e)
{
    lc_text_free(&e->png);
    free(e->logits.data);
    lc_event_array_free(&e->detected);
    free(e->points);
    free(e->numbers);
    *e = (image_exhibit){.path = NULL};
}

/* Images with known places come first, the worst of them before the others. */
static bool comes_before(const image_exhibit *a, const image_exhibit *b)
{
    if (a->placed != b->placed)
        return a->placed;
    if (a->placed && (a->f1 < b->f1 || a->f1 > b->f1))
        return a->f1 < b->f1;
    return a->order < b->order;
}

/* Takes what belongs to e. */
static void keep(image_job *j, image_exhibit *e)
{
    size_t at = j->shown_len++;
    for (; at > 0 && comes_before(e, &j->shown[at - 1]); at--)
        j->shown[at] = j->shown[at - 1];
    j->shown[at] = *e;
    if (j->shown_len > j->most)
        free_exhibit(&j->shown[--j->shown_len]);
}

static loco_status make_pictures(image_job *j, loco_err *err)
{
    size_t bytes = LC_PAGE_IMAGE_BYTES / (j->shown_len + 1);
    loco_status status = LOCO_OK;
    bytes = bytes > LC_PAGE_LEAST_BYTES ? bytes : LC_PAGE_LEAST_BYTES;
    for (size_t i = 0; status == LOCO_OK && i < j->shown_len; i++) {
        lc_image image = {0};
        status = lc_image_load(&image, j->shown[i].path, err);
        if (status == LOCO_OK)
            status = lc_picture_format(&j->shown[i].png, &image, LC_PAGE_MOST_SIDE, bytes, err);
        lc_image_free(&image);
    }
    return status;
}

/* Views into the exhibit, nothing is copied. */
static lc_page_image show(const image_job *j, const image_exhibit *e)
{
    size_t columns = e->logits.columns > 0 ? e->logits.columns : j->model->net->places;
    return (lc_page_image){
        .name = e->name,
        .width = e->width,
        .height = e->height,
        .png = e->png.bytes,
        .png_len = e->png.length,
        .logits = e->logits.data,
        .rows = e->logits.T / columns,
        .columns = columns,
        .cell = (double)lc_frontend_cell(&j->model->frontend),
        .radius = j->radius,
        .points = e->points,
        .points_len = e->points_len,
        .numbers = e->numbers,
    };
}

/* ---- numbers ---- */

/* Numbers as text that live as long as the page is written. */
typedef struct image_cells {
    lc_page_card cards[CARDS];
    size_t cards_len;
    char text[CARDS * 2][CELL], radius[CELL], scope[200];
    const char *heads[COLUMNS];
    const char **table; /* (K + 1, COLUMNS) */
    char (*strings)[CELL];
} image_cells;

/* 0 to 1e6 with 0 to 3 decimals, and a point in every locale. */
static void put(char *cell, double value, unsigned decimals)
{
    static const long units[] = {1, 10, 100, 1000};
    long n = lround(value * (double)units[decimals]);
    if (decimals == 0)
        snprintf(cell, CELL, "%ld", n);
    else
        snprintf(cell, CELL, "%ld.%0*ld", n / units[decimals], (int)decimals, n % units[decimals]);
}

static double part_of(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void add_card(image_cells *c, const char *label, double value, unsigned decimals, double share)
{
    put(c->text[c->cards_len], value, decimals);
    c->cards[c->cards_len] = (lc_page_card){.label = label, .value = c->text[c->cards_len], .share = share};
    c->cards_len++;
}

static void fill_cards(const image_job *j, image_cells *c)
{
    const class_score *all = &j->score[j->K];
    double precision = part_of(all->matched, all->found), recall = part_of(all->matched, all->truth);
    if (j->placed > 0) {
        add_card(c, c->radius, f1_of(all), 3, f1_of(all));
        add_card(c, "Precision", precision, 3, precision);
        add_card(c, "Recall", recall, 3, recall);
        add_card(c, "Mean distance", all->matched > 0 ? all->distance / (double)all->matched : 0, 2, -1);
        snprintf(c->text[CARDS], CELL, "%zu of %zu right", all->matched, all->found);
        snprintf(c->text[CARDS + 1], CELL, "%zu of %zu found", all->matched, all->truth);
        c->cards[1].note = c->text[CARDS];
        c->cards[2].note = c->text[CARDS + 1];
        c->cards[3].note = "pixels, of hits";
    }
    if (j->counted > 0) {
        add_card(c, "Count error", j->errors / (double)j->counted, 2, -1);
        c->cards[c->cards_len - 1].note = j->K > 1 ? "expected count, mean per image, summed over classes"
                                                   : "expected count, mean per image";
    }
}

static void fill_row(image_cells *c, size_t row, const char *name, const class_score *s)
{
    char(*to)[CELL] = c->strings + row * COLUMNS;
    snprintf(to[1], CELL, "%zu", s->truth);
    snprintf(to[2], CELL, "%zu", s->found);
    put(to[3], part_of(s->matched, s->found), 3);
    put(to[4], part_of(s->matched, s->truth), 3);
    put(to[5], f1_of(s), 3);
    put(to[6], s->matched > 0 ? s->distance / (double)s->matched : 0, 2);
    c->table[row * COLUMNS] = name;
    for (size_t i = 1; i < COLUMNS; i++)
        c->table[row * COLUMNS + i] = to[i];
}

static loco_status fill_table(const image_job *j, image_cells *c, loco_err *err)
{
    static const char *const heads[COLUMNS] = {"class", "true", "found", "precision", "recall", "F1", "distance (px)"};
    memcpy(c->heads, heads, sizeof heads);
    c->table = calloc((j->K + 1) * COLUMNS, sizeof *c->table);
    c->strings = calloc((j->K + 1) * COLUMNS, sizeof *c->strings);
    if (c->table == NULL || c->strings == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a table");
    for (size_t k = 0; k < j->K; k++)
        fill_row(c, k, j->model->classes[k], &j->score[k]);
    fill_row(c, j->K, "all", &j->score[j->K]);
    return LOCO_OK;
}

/* "Scores of 500 images; below are the 6 with the lowest F1" */
static void fill_scope(const image_job *j, image_cells *c)
{
    size_t known = j->placed > 0 ? j->placed : j->counted, size = sizeof c->scope;
    int used = snprintf(c->scope, size, "%s of %zu image%s", j->placed > 0 ? "Scores" : "Counts", known,
                        known == 1 ? "" : "s");
    size_t all = j->set != NULL ? j->set->recordings_len : 0;
    if (all > j->len)
        used += snprintf(c->scope + used, size - (size_t)used, ", the first of %zu", all);
    if (j->placed > j->shown_len)
        snprintf(c->scope + used, size - (size_t)used, "; below %s with the lowest F1",
                 j->shown_len == 1 ? "is the one" : "are those");
    put(c->text[CARDS + 2], j->radius, fmod(j->radius, 1) > 0 ? 1 : 0);
    snprintf(c->radius, CELL, "F1 within %.8s px", c->text[CARDS + 2]);
}

static loco_status write_page(const image_job *j, const char *path, loco_err *err)
{
    image_cells c = {.table = NULL};
    lc_text html = {0};
    lc_page_image *images = calloc(j->shown_len + 1, sizeof *images);
    loco_status status = images == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the page")
                                        : fill_table(j, &c, err);
    if (status == LOCO_OK) {
        fill_scope(j, &c);
        fill_cards(j, &c);
        for (size_t i = 0; i < j->shown_len; i++)
            images[i] = show(j, &j->shown[i]);
        lc_page_table table = {"Scores by class", c.heads, COLUMNS, c.table, j->K > 1 ? j->K + 1 : 1};
        lc_page page = {
            .title = j->asked->title != NULL ? j->asked->title : "Events",
            .summary = j->asked->words,
            .summary_len = j->asked->words_len,
            .cards = c.cards,
            .cards_len = c.cards_len,
            .scope = c.scope,
            .classes = j->model->classes,
            .classes_len = j->K,
            .images = images,
            .images_len = j->shown_len,
            .tables = &table,
            .tables_len = j->placed > 0,
        };
        status = lc_page_write(&html, &page, err);
    }
    if (status == LOCO_OK)
        status = lc_file_save(path, html.bytes, html.length, err);
    lc_text_free(&html);
    free(images);
    free(c.table);
    free(c.strings);
    return status;
}

/* ---- the report ---- */

static image_exhibit exhibit_of(const image_job *j, size_t i)
{
    if (j->set != NULL) {
        const lc_recording *r = &j->set->recordings[i];
        bool placed = r->timed && j->set->places;
        return (image_exhibit){.path = r->path,
                               .name = r->name,
                               .order = i,
                               .placed = placed,
                               .truth = r->events,
                               .truth_len = placed ? r->events_len : 0};
    }
    const char *file = j->asked->files[i], *slash = strrchr(file, '/');
    return (image_exhibit){.path = file, .name = slash != NULL ? slash + 1 : file, .order = i};
}

static loco_status load(image_job *j, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (j->asked->data != NULL)
        status = lc_dataset_load_for(&j->set, j->asked->data, j->model->classes, j->K, err);
    if (status == LOCO_OK && j->set != NULL)
        status = lc_model_check_classes(j->model, j->set->where, j->set->classes, j->set->classes_len, err);
    if (status != LOCO_OK)
        return status;
    size_t most = j->asked->most > 0 ? j->asked->most : DEFAULT_SHOWN;
    j->most = most < LC_PAGE_MOST_RECORDINGS ? most : LC_PAGE_MOST_RECORDINGS;
    j->len = j->set != NULL ? j->set->recordings_len : j->asked->files_len;
    size_t limit = j->set != NULL ? MOST_SCORED : j->most; /* of files only what is shown is read */
    j->len = j->len < limit ? j->len : limit;
    j->radius = j->asked->tolerance > 0 ? j->asked->tolerance : default_radius;
    j->shown = calloc(j->most + 1, sizeof *j->shown);
    j->score = calloc(j->K + 1, sizeof *j->score);
    if (j->shown == NULL || j->score == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu images", j->most);
    return LOCO_OK;
}

static loco_status run_exhibit(image_job *j, size_t i, loco_err *err)
{
    image_exhibit e = exhibit_of(j, i);
    loco_status status = read_exhibit(j, &e, err);
    if (status == LOCO_OK)
        status = compare(j, &e, err);
    if (status == LOCO_OK)
        status = count_all(j, &e, err);
    if (status == LOCO_OK) {
        add_score(j, &e);
        keep(j, &e);
    } else {
        free_exhibit(&e);
    }
    return status;
}

loco_status lc_report_images(const char *path, const loco_model *model, const loco_report_options *asked, loco_err *err)
{
    image_job j = {.asked = asked, .model = model, .K = model->net->classes};
    loco_status status = load(&j, err);
    for (size_t i = 0; status == LOCO_OK && i < j.len; i++)
        status = run_exhibit(&j, i, err);
    if (status == LOCO_OK)
        status = make_pictures(&j, err);
    if (status == LOCO_OK)
        status = write_page(&j, path, err);
    for (size_t i = 0; i < j.shown_len; i++)
        free_exhibit(&j.shown[i]);
    free(j.shown);
    free(j.score);
    lc_dataset_free(j.set);
    return status;
}

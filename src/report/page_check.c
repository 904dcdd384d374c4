/* SPDX-License-Identifier: MIT
 *
 * page_check.c - refuses a page that cannot be drawn, with the recording and the value at fault.
 *
 * Numbers come from a model and may be NaN; sizes come from files. Whatever passes here is safe for page.c and
 * page_data.c, which check nothing but memory.
 */
#include "report/page_parts.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/status.h"
#include "report/page_image.h"

#include <math.h>

enum { MOST_TEXTS = 64, MOST_ROWS = 2000, MOST_COLUMNS = 24 };

static loco_status check_texts(const char *const *texts, size_t n, const char *what, loco_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (texts == NULL || texts[i] == NULL)
            return lc_err_set(err, LOCO_EARG, "a report's %s %zu is NULL", what, i);
    return LOCO_OK;
}

/* The first of n values outside lo..hi, or n; a NaN is outside. */
static size_t first_outside(const float *values, size_t n, float lo, float hi)
{
    size_t i = 0;
    while (i < n && values[i] >= lo && values[i] <= hi)
        i++;
    return i;
}

/* (n, width) values that must lie within lo..hi. */
typedef struct page_array {
    const char *what;
    const float *values;
    size_t n, width;
    float lo, hi;
} page_array;

static loco_status check_array(const char *name, const page_array *array, loco_err *err)
{
    size_t total;
    if (!lc_size_mul(array->n, array->width, &total))
        return lc_err_set(err, LOCO_EARG, "%s: %zu times %zu values of the %s", name, array->n, array->width,
                          array->what);
    size_t at = first_outside(array->values, total, array->lo, array->hi);
    if (at < total)
        return lc_err_set(err, LOCO_EDATA, "%s: value %zu of the %s is %g", name, at, array->what,
                          (double)array->values[at]);
    return LOCO_OK;
}

/* silent: samples of a series, which are drawn but not played, may have any rate from 1 Hz on. */
static loco_status check_sound(const char *name, const lc_page_recording *r, loco_err *err)
{
    if (r->samples == NULL)
        return LOCO_OK;
    double least = r->silent ? 1 : 1000;
    if (!(r->rate >= least && r->rate <= 400000) || r->samples_len == 0)
        return lc_err_set(err, LOCO_EARG, "%s: %zu samples at %g a second; a report takes %g to 400000 a second", name,
                          r->samples_len, r->rate, least);
    size_t bad = first_outside(r->samples, r->samples_len, -1e6F, 1e6F);
    if (bad < r->samples_len)
        return lc_err_set(err, LOCO_EDATA, "%s: sample %zu is %g", name, bad, (double)r->samples[bad]);
    return LOCO_OK;
}

static loco_status check_spectrogram(const char *name, const lc_page_recording *r, loco_err *err)
{
    if (r->spectrogram == NULL)
        return LOCO_OK;
    if (r->bands == 0 || r->bands > LC_PAGE_MOST_BANDS)
        return lc_err_set(err, LOCO_EARG, "%s: a spectrogram of %zu bands; a report takes 1 to %d", name, r->bands,
                          LC_PAGE_MOST_BANDS);
    if (!(r->spectrogram_rate > 0 && r->spectrogram_rate <= 10000) || !(fabs(r->spectrogram_start) < 1e6))
        return lc_err_set(err, LOCO_EARG, "%s: a spectrogram of %g frames a second from %g s; at most 10000 a second",
                          name, r->spectrogram_rate, r->spectrogram_start);
    return check_array(name, &(page_array){"spectrogram", r->spectrogram, r->spectrogram_len, r->bands, 0, 1}, err);
}

/* Infinite logits are certain frames; a NaN is refused. */
static loco_status check_logits(const char *name, const lc_page_recording *r, size_t K, loco_err *err)
{
    if (r->logits == NULL || r->frames == 0)
        return lc_err_set(err, LOCO_EARG, "%s: there are no logits to show", name);
    if (!(r->frame_rate > 0 && r->frame_rate <= 10000) || !(fabs(r->frame_start) < 1e6))
        return lc_err_set(err, LOCO_EARG, "%s: %g frames a second from %g s; a report takes at most 10000 a second",
                          name, r->frame_rate, r->frame_start);
    return check_array(name, &(page_array){"logits", r->logits, r->frames, K, -INFINITY, INFINITY}, err);
}

static loco_status check_marks(const char *name, const lc_page_recording *r, size_t K, loco_err *err)
{
    if (r->marks == NULL && r->marks_len > 0)
        return lc_err_set(err, LOCO_EARG, "%s: marks is NULL", name);
    for (size_t i = 0; i < r->marks_len; i++) {
        const lc_page_mark *m = &r->marks[i];
        if (!(fabs(m->time) < 1e9) || (m->verdict == LC_PAGE_HIT && !(fabs(m->reference) < 1e9)))
            return lc_err_set(err, LOCO_EDATA, "%s: mark %zu is at %g s, its reference at %g s", name, i, m->time,
                              m->reference);
        if (!(fabs(m->end) < 1e9) || !(m->velocity >= 0 && m->velocity <= 127))
            return lc_err_set(err, LOCO_EDATA, "%s: mark %zu ends at %g s, and has velocity %g", name, i, m->end,
                              m->velocity);
        if (m->kind >= K)
            return lc_err_set(err, LOCO_EDATA, "%s: mark %zu is of class %zu; there are %zu", name, i, m->kind, K);
        if (!(m->probability >= 0 && m->probability <= 1))
            return lc_err_set(err, LOCO_EDATA, "%s: mark %zu has probability %g", name, i, m->probability);
        if ((unsigned)m->verdict > LC_PAGE_FALSE_ALARM)
            return lc_err_set(err, LOCO_EARG, "%s: mark %zu has verdict %d; there are 0 to %d", name, i,
                              (int)m->verdict, LC_PAGE_FALSE_ALARM);
    }
    return LOCO_OK;
}

static loco_status check_recording(const lc_page_recording *r, size_t K, loco_err *err)
{
    if (r->name == NULL)
        return lc_err_set(err, LOCO_EARG, "a recording of the report has no name");
    lc_shown name = lc_show(r->name);
    if (!(r->start >= 0 && r->start < 1e6))
        return lc_err_set(err, LOCO_EARG, "%s: shown from %g s on; give 0 or more", name.text, r->start);
    loco_status status = check_sound(name.text, r, err);
    if (status == LOCO_OK)
        status = check_spectrogram(name.text, r, err);
    if (status == LOCO_OK)
        status = check_logits(name.text, r, K, err);
    if (status == LOCO_OK)
        status = check_marks(name.text, r, K, err);
    if (status != LOCO_OK)
        return status;
    double whole = r->samples != NULL ? (double)r->samples_len / r->rate
                                      : r->frame_start + (double)r->frames / r->frame_rate;
    if (!(r->start < whole))
        return lc_err_set(err, LOCO_EARG, "%s: shown from %g s on, but it ends at %g s", name.text, r->start, whole);
    return LOCO_OK;
}

static loco_status check_tables(const lc_page *page, loco_err *err)
{
    if (page->tables == NULL && page->tables_len > 0)
        return lc_err_set(err, LOCO_EARG, "lc_page_write: tables is NULL");
    for (size_t i = 0; i < page->tables_len; i++) {
        const lc_page_table *t = &page->tables[i];
        if (t->columns == 0 || t->columns > MOST_COLUMNS || t->rows > MOST_ROWS)
            return lc_err_set(err, LOCO_EARG, "table %zu of the report: %zu rows of %zu columns; at most %d of 1 to %d",
                              i, t->rows, t->columns, MOST_ROWS, MOST_COLUMNS);
        loco_status status = check_texts(t->heads, t->columns, "heading", err);
        if (status == LOCO_OK)
            status = check_texts(t->cells, t->rows * t->columns, "cell", err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

static loco_status check_cards(const lc_page *page, loco_err *err)
{
    if (page->cards_len > MOST_TEXTS || (page->cards == NULL && page->cards_len > 0))
        return lc_err_set(err, LOCO_EARG, "%zu score cards; a report has at most %d", page->cards_len, MOST_TEXTS);
    for (size_t i = 0; i < page->cards_len; i++)
        if (page->cards[i].label == NULL || page->cards[i].value == NULL)
            return lc_err_set(err, LOCO_EARG, "score card %zu of the report has no label or no value", i);
    return LOCO_OK;
}

static loco_status check_recordings(const lc_page *page, loco_err *err)
{
    if (page->recordings_len > LC_PAGE_MOST_RECORDINGS || (page->recordings == NULL && page->recordings_len > 0))
        return lc_err_set(err, LOCO_EARG, "%zu recordings; a report shows at most %d", page->recordings_len,
                          LC_PAGE_MOST_RECORDINGS);
    for (size_t i = 0; i < page->recordings_len; i++) {
        loco_status status = check_recording(&page->recordings[i], page->classes_len, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

loco_status lc_page_check(const lc_page *page, loco_err *err)
{
    if (page == NULL || page->title == NULL)
        return lc_err_set(err, LOCO_EARG, "lc_page_write: %s is NULL", page == NULL ? "page" : "title");
    if (page->summary_len > MOST_TEXTS)
        return lc_err_set(err, LOCO_EARG, "%zu paragraphs of summary; a report has at most %d", page->summary_len,
                          MOST_TEXTS);
    if ((page->recordings_len + page->images_len > 0 && page->classes_len == 0) ||
        page->classes_len > LC_PAGE_MOST_CLASSES)
        return lc_err_set(err, LOCO_EARG, "%zu classes; a report with recordings has 1 to %d", page->classes_len,
                          LC_PAGE_MOST_CLASSES);
    loco_status status = check_texts(page->summary, page->summary_len, "paragraph", err);
    if (status == LOCO_OK)
        status = check_texts(page->classes, page->classes_len, "class", err);
    if (status == LOCO_OK)
        status = check_cards(page, err);
    if (status == LOCO_OK)
        status = check_tables(page, err);
    if (status == LOCO_OK)
        status = lc_page_images_check(page, err);
    return status == LOCO_OK ? check_recordings(page, err) : status;
}

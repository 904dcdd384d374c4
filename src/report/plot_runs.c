/* SPDX-License-Identifier: MIT
 * plot_runs.c - the logs of several runs in one picture.
 *
 * Runs of one name are one method. At each step at which any of them was validated: the mean of those that were, and
 * the least and the largest of them. Losses come last: those of two methods may be different things. */
#include "base/file.h"
#include "base/status.h"
#include "report/compare.h"
#include "train/journal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *heading;
    size_t offset;
} scores[] = {
    {"F1 within 50 ms, held-out recordings",       offsetof(lc_journal_entry, f1_50)    },
    {"F1 within 20 ms",                            offsetof(lc_journal_entry, f1_20)    },
    {"F1 within 8 pixels, held-out images",        offsetof(lc_journal_entry, f1_8px)   },
    {"F1 within 4 pixels",                         offsetof(lc_journal_entry, f1_4px)   },
    {"part of the held-out counts met",            offsetof(lc_journal_entry, held_hit) },
    {"part of the expected events that stand out", offsetof(lc_journal_entry, sharp)    },
    {"loss of the held-out counts",                offsetof(lc_journal_entry, held_loss)},
};
enum { SCORES = sizeof scores / sizeof scores[0] };

/* One method: the logs of its runs, their steps together, and values (SCORES, 3: mean, least, largest; len). */
typedef struct method {
    const char *name;
    lc_journal *logs;
    size_t logs_len, len;
    double *steps, *values;
} method;

/* ---- reading ---- */

static loco_status add_log(method *m, const char *path, loco_err *err)
{
    lc_journal *grown = realloc(m->logs, (m->logs_len + 1) * sizeof *grown);
    if (grown == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu logs", m->logs_len + 1);
    m->logs = grown;
    m->logs[m->logs_len] = (lc_journal){0};
    loco_status status = lc_journal_load(&m->logs[m->logs_len++], path, INFINITY, err);
    if (status == LOCO_OK && m->logs[m->logs_len - 1].len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no validation", path);
    for (size_t i = 0; status == LOCO_OK && i < m->logs[m->logs_len - 1].len; i++)
        if (!(m->logs[m->logs_len - 1].entries[i].step >= 0))
            status = lc_err_set(err, LOCO_EDATA, "%.150s:%zu: no step", path, i + 1);
    return status;
}

static loco_status read_logs(method *methods, size_t *n, const loco_run *runs, size_t runs_len, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < runs_len; i++) {
        size_t k = 0;
        while (k < *n && strcmp(methods[k].name, runs[i].method) != 0)
            k++;
        if (k == LC_COMPARE_METHODS)
            return lc_err_set(err, LOCO_EARG, "more than %d names; a picture has no more colours", LC_COMPARE_METHODS);
        if (k == *n)
            methods[(*n)++].name = runs[i].method;
        status = add_log(&methods[k], runs[i].path, err);
    }
    return status;
}

/* ---- joining ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean, least and largest of one score at one step. */
static void join_step(method *m, size_t score, size_t at)
{
    double *mean = m->values + 3 * score * m->len + at, n = 0, sum = 0, lo = INFINITY, hi = -INFINITY;
    for (size_t l = 0; l < m->logs_len; l++)
        for (size_t i = 0; i < m->logs[l].len; i++) {
            double value;
            const lc_journal_entry *entry = &m->logs[l].entries[i];
            memcpy(&value, (const char *)entry + scores[score].offset, sizeof value);
            if (entry->step < m->steps[at] || entry->step > m->steps[at] || !isfinite(value))
                continue;
            n++;
            sum += value;
            lo = fmin(lo, value);
            hi = fmax(hi, value);
        }
    mean[0] = n > 0 ? sum / n : (double)NAN;
    mean[m->len] = n > 0 ? lo : (double)NAN;
    mean[2 * m->len] = n > 0 ? hi : (double)NAN;
}

static loco_status join(method *m, loco_err *err)
{
    size_t all = 0, used = 0;
    for (size_t l = 0; l < m->logs_len; l++)
        all += m->logs[l].len;
    m->steps = calloc(all + 1, sizeof *m->steps);
    m->values = calloc(3 * SCORES * all + 1, sizeof *m->values);
    if (m->steps == NULL || m->values == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu steps", all);
    for (size_t l = 0; l < m->logs_len; l++)
        for (size_t i = 0; i < m->logs[l].len; i++)
            m->steps[used++] = m->logs[l].entries[i].step;
    qsort(m->steps, all, sizeof *m->steps, by_value);
    for (size_t i = 0; i < all; i++)
        if (m->len == 0 || m->steps[i] > m->steps[m->len - 1])
            m->steps[m->len++] = m->steps[i];
    for (size_t s = 0; s < SCORES; s++)
        for (size_t i = 0; i < m->len; i++)
            join_step(m, s, i);
    return LOCO_OK;
}

/* ---- drawing ---- */

static loco_status draw(const method *methods, size_t n, const char *title, const char *path, loco_err *err)
{
    lc_compare_line lines[SCORES][LC_COMPARE_METHODS];
    lc_compare_panel panels[SCORES];
    lc_text text = {0};
    bool band = false;
    for (size_t s = 0; s < SCORES; s++) {
        for (size_t k = 0; k < n; k++) {
            const method *m = &methods[k];
            const double *mean = m->values + 3 * s * m->len;
            bool several = m->logs_len > 1;
            band |= several;
            lines[s][k] = (lc_compare_line){
                m->name, m->steps, mean, several ? mean + m->len : NULL, several ? mean + 2 * m->len : NULL, m->len};
        }
        panels[s] = (lc_compare_panel){scores[s].heading, lines[s], n};
    }
    loco_status status = lc_compare_write(
        &text, title != NULL ? title : "Learning curves",
        band ? "lines: mean over runs; bands: from the least to the largest of them" : NULL, panels, SCORES, err);
    if (status == LOCO_OK)
        status = lc_file_save(path, text.bytes, text.length, err);
    lc_text_free(&text);
    return status;
}

loco_status loco_plot_runs(const char *path, const loco_run *runs, size_t runs_len, const char *title, loco_err *err)
{
    method methods[LC_COMPARE_METHODS] = {{.name = NULL}};
    size_t n = 0;
    loco_status status = runs_len == 0 ? lc_err_set(err, LOCO_EARG, "curves need at least one log")
                                       : read_logs(methods, &n, runs, runs_len, err);
    for (size_t k = 0; status == LOCO_OK && k < n; k++)
        status = join(&methods[k], err);
    if (status == LOCO_OK)
        status = draw(methods, n, title, path, err);
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < methods[k].logs_len; l++)
            lc_journal_free(&methods[k].logs[l]);
        free(methods[k].logs);
        free(methods[k].steps);
        free(methods[k].values);
    }
    return status;
}

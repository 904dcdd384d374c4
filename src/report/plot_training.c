/* SPDX-License-Identifier: MIT
 * plot_training.c - how one training run went: loss and scores over steps, from its log.
 *
 * values (7, entries): the steps, then one row for each line below. Two lines are losses, upper panel, and four are
 * scores, lower panel; a line without any finite value is left out, as F1 is where no times are known. "stands out" is
 * the share of the expected count in frames with a probability above 1/2: counts can be met by an even rate. */
#include "base/file.h"
#include "base/mem.h"
#include "base/status.h"
#include "report/curve.h"
#include "train/journal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 8 };

/* Values of one field; whether any is known. */
static bool column(const lc_journal *journal, size_t offset, double *values)
{
    bool any = false;
    for (size_t i = 0; i < journal->len; i++) {
        memcpy(&values[i], (const char *)&journal->entries[i] + offset, sizeof *values);
        any |= isfinite(values[i]) != 0;
    }
    return any;
}

static loco_status draw(const lc_journal *journal, const char *title, double best_step, double *values, lc_text *text,
                        loco_err *err)
{
    static const struct {
        const char *name;
        size_t offset;
        bool validation;
    } lines[LINES] = {
        {"training",    offsetof(lc_journal_entry, loss),      false},
        {"held out",    offsetof(lc_journal_entry, held_loss), true },
        {"counts met",  offsetof(lc_journal_entry, held_hit),  true },
        {"stands out",  offsetof(lc_journal_entry, sharp),     true },
        {"F1 at 50 ms", offsetof(lc_journal_entry, f1_50),     true },
        {"F1 at 20 ms", offsetof(lc_journal_entry, f1_20),     true },
        {"F1 at 8 px",  offsetof(lc_journal_entry, f1_8px),    true },
        {"F1 at 4 px",  offsetof(lc_journal_entry, f1_4px),    true },
    };
    lc_curve_series series[LINES];
    size_t n = journal->len, loss = 0, scores = 0;
    column(journal, offsetof(lc_journal_entry, step), values);
    for (size_t i = 0; i < LINES; i++) {
        double *at = values + (i + 1) * n;
        size_t *count = i < 2 ? &loss : &scores;
        if (column(journal, lines[i].offset, at))
            series[(i < 2 ? 0 : 2) + (*count)++] = (lc_curve_series){lines[i].name, values, at, n, lines[i].validation};
    }
    lc_curve curve = {.title = title,
                      .loss = series,
                      .loss_len = loss,
                      .scores = series + 2,
                      .scores_len = scores,
                      .score_name = "score on held-out recordings",
                      .best_step = best_step};
    return lc_curve_write(text, &curve, err);
}

/* The step whose model was kept, the last one that was saved. Older logs do not say: the least held-out loss or, where
 * nothing was held out, the last. */
static double best_step(const lc_journal *journal)
{
    const lc_journal_entry *best = &journal->entries[0];
    for (size_t i = journal->len; i > 0; i--)
        if (journal->entries[i - 1].kept > 0)
            return journal->entries[i - 1].step;
    for (size_t i = 1; i < journal->len; i++) {
        const lc_journal_entry *entry = &journal->entries[i];
        if (isnan(entry->held_loss) || isnan(best->held_loss) || entry->held_loss < best->held_loss)
            best = entry;
    }
    return best->step;
}

static loco_status save(const char *path, const lc_journal *journal, const char *title, loco_err *err)
{
    lc_text text = {0};
    double *values = calloc((1 + LINES) * journal->len, sizeof *values);
    loco_status status = values == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture")
                                        : draw(journal, title, best_step(journal), values, &text, err);
    if (status == LOCO_OK)
        status = lc_file_save(path, text.bytes, text.length, err);
    lc_text_free(&text);
    free(values);
    return status;
}

loco_status loco_plot_training(const char *path, const char *log, const char *title, loco_err *err)
{
    lc_journal journal = {0};
    loco_status status = lc_journal_load(&journal, log, INFINITY, err);
    if (status == LOCO_OK && journal.len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no validation: nothing to draw", log);
    if (status == LOCO_OK)
        status = save(path, &journal, title, err);
    lc_journal_free(&journal);
    return status;
}

/* SPDX-License-Identifier: MIT
 * journal.c - what happened in a training run.
 *
 *   {"step":100,"loss":1.832,"count_hit":0.41,"held_loss":1.9,"held_hit":0.4,"held_error":0.31,"sharp":0.7,"f1_50":0.62,"f1_20":0.5,"seconds":4.1,"kept":1}
 *
 * The whole file is written again for each entry: there are a few hundred at most, and so it is never half a line. */
#include "train/journal.h"

#include "base/file.h"
#include "base/json.h"
#include "base/status.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_BYTES = 1 << 24 };

typedef struct journal_field {
    const char *name;
    size_t offset;
} journal_field;

static const journal_field fields[] = {
    {"step",       offsetof(lc_journal_entry, step)      },
    {"loss",       offsetof(lc_journal_entry, loss)      },
    {"count_hit",  offsetof(lc_journal_entry, count_hit) },
    {"held_loss",  offsetof(lc_journal_entry, held_loss) },
    {"held_hit",   offsetof(lc_journal_entry, held_hit)  },
    {"held_error", offsetof(lc_journal_entry, held_error)},
    {"sharp",      offsetof(lc_journal_entry, sharp)     },
    {"f1_50",      offsetof(lc_journal_entry, f1_50)     },
    {"f1_20",      offsetof(lc_journal_entry, f1_20)     },
    {"seconds",    offsetof(lc_journal_entry, seconds)   },
    {"kept",       offsetof(lc_journal_entry, kept)      },
    {"f1_8px",     offsetof(lc_journal_entry, f1_8px)    },
    {"f1_4px",     offsetof(lc_journal_entry, f1_4px)    },
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* The i-th field of the table, as all of them are doubles. */
static double *member(lc_journal_entry *entry, size_t i)
{
    return (double *)(void *)((char *)entry + fields[i].offset);
}

void lc_journal_add(lc_journal *journal, const lc_journal_entry *entry)
{
    if (journal->len == journal->capacity) {
        size_t wanted = journal->capacity > 0 ? 2 * journal->capacity : 64;
        lc_journal_entry *grown = realloc(journal->entries, wanted * sizeof *grown);
        if (grown == NULL)
            return;
        journal->entries = grown;
        journal->capacity = wanted;
    }
    journal->entries[journal->len++] = *entry;
}

void lc_journal_free(lc_journal *journal)
{
    free(journal->entries);
    *journal = (lc_journal){0};
}

/* ---- as a file ---- */

/* Unknown values are left out of the line. */
static void write_entry(lc_text *text, lc_journal_entry entry)
{
    const char *mark = "{";
    for (size_t i = 0; i < FIELDS; i++) {
        double value = *member(&entry, i);
        if (isnan(value))
            continue;
        lc_text_format(text, "%s\"%s\":", mark, fields[i].name);
        lc_text_number(text, value, 6);
        mark = ",";
    }
    lc_text_string(text, "}\n");
}

loco_status lc_journal_save(const lc_journal *journal, const char *path, loco_err *err)
{
    lc_text text = {0};
    for (size_t i = 0; i < journal->len; i++)
        write_entry(&text, journal->entries[i]);
    loco_status status = text.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the log")
                                     : lc_file_save(path, text.bytes != NULL ? text.bytes : "", text.length, err);
    lc_text_free(&text);
    return status;
}

/* A field that is missing, or not a number, is unknown. */
static loco_status read_entry(lc_journal_entry *entry, const char *path, const char *line, size_t length, loco_err *err)
{
    cJSON *root;
    loco_status status = lc_json_parse(&root, path, line, length, err);
    if (status != LOCO_OK)
        return status;
    for (size_t i = 0; i < FIELDS; i++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(root, fields[i].name);
        *member(entry, i) = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
    }
    cJSON_Delete(root);
    return LOCO_OK;
}

loco_status lc_journal_load(lc_journal *journal, const char *path, double step, loco_err *err)
{
    char *bytes;
    size_t length;
    journal->len = 0;
    if (access(path, F_OK) != 0)
        return LOCO_OK;
    loco_status status = lc_file_load(path, LOG_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    for (const char *line = bytes; status == LOCO_OK && *line != 0;) {
        size_t end = strcspn(line, "\n");
        lc_journal_entry entry;
        status = read_entry(&entry, path, line, end, err);
        if (status == LOCO_OK && entry.step <= step)
            lc_journal_add(journal, &entry);
        line += end + (line[end] == '\n');
    }
    free(bytes);
    return status;
}

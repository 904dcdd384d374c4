/* SPDX-License-Identifier: MIT
 *
 * fuzz_table.c - any bytes at all as a table, and as a counts.csv.
 *   A table that is accepted has its cells within its bytes. A data set that is accepted has labels that are possible
 *   and clips of recordings that are there, and comes back unchanged when it is written and read again; whatever is
 *   refused must leave the result untouched and say where. */
#include "base/csv.h"
#include "data/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_table(const char *text, size_t size)
{
    lc_csv *table = NULL;
    loco_err err = {""};
    if (lc_csv_parse(&table, "input.csv", text, size, &err) != LOCO_OK) {
        require(table == NULL && strncmp(err.text, "input.csv", 9) == 0);
        return;
    }
    size_t total = 0;
    for (size_t row = 0; row < table->rows; row++)
        for (size_t column = 0; column < table->columns; column++)
            total += strlen(lc_csv_cell(table, row, column)) + 1;
    require(total <= size + 1);
    lc_csv_free(table);
}

static void check_clip(const lc_dataset *set, const lc_clip *clip)
{
    require(clip->recording < set->recordings_len && clip->start >= 0 && clip->start < clip->end);
    require(clip->left >= 0 && (clip->right > clip->left || (clip->left <= 0 && clip->right <= 0)));
    require(set->places || clip->right <= 0);
    for (size_t k = 0; k < set->classes_len + set->sums_len; k++)
        require(clip->labels[k].lo <= clip->labels[k].hi && clip->labels[k].lo <= LC_COUNT_MOST);
}

static bool same_time(double a, double b)
{
    return (isinf(a) && isinf(b)) || fabs(a - b) < 1e-6;
}

/* Times are rounded to microseconds, by which a shorter clip may vanish. */
static bool is_writable(const lc_dataset *set)
{
    for (size_t i = 0; i < set->clips_len; i++)
        if (!(set->clips[i].end - set->clips[i].start > 2e-6) ||
            (set->clips[i].right > 0 && !(set->clips[i].right - set->clips[i].left > 2e-6)) ||
            set->clips[i].right > 9999999)
            return false;
    return true;
}

static void check_set(const lc_dataset *set)
{
    lc_text text = {0};
    lc_dataset *again = NULL;
    for (size_t i = 0; i < set->clips_len; i++)
        check_clip(set, &set->clips[i]);
    lc_dataset_advice(set, &text);
    require(!text.failed);
    lc_text_free(&text);
    if (!is_writable(set))
        return;
    lc_counts_format(&text, set);
    require(!text.failed && lc_counts_parse(&again, "again.csv", text.bytes, text.length, NULL) == LOCO_OK);
    require(again->clips_len == set->clips_len && again->recordings_len == set->recordings_len);
    require(again->classes_len == set->classes_len && again->sums_len == set->sums_len);
    for (size_t k = 0; k < set->classes_len; k++)
        require(strcmp(again->classes[k], set->classes[k]) == 0);
    for (size_t i = 0; i < set->clips_len; i++) {
        const lc_clip *a = &set->clips[i], *b = &again->clips[i];
        require(a->recording == b->recording && same_time(a->start, b->start) && same_time(a->end, b->end));
        require(same_time(a->left, b->left) && same_time(a->right, b->right));
        require(memcmp(a->labels, b->labels, (set->classes_len + set->sums_len) * sizeof *a->labels) == 0);
    }
    lc_dataset_free(again);
    lc_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size > 0 ? size : 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    lc_dataset *set = NULL;
    loco_err err = {""};
    check_table(text, size);
    loco_status status = lc_counts_parse(&set, "input.csv", text, size, &err);
    free(text);
    if (status == LOCO_OK)
        check_set(set);
    else
        require(status == LOCO_EDATA && set == NULL && strncmp(err.text, "input.csv", 9) == 0);
    lc_dataset_free(set);
    return 0;
}

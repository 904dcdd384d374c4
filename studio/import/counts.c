/* SPDX-License-Identifier: MIT
 *
 * counts.c - counts.csv of an imported set: the annotated recordings cut into clips of one length.
 *
 *     file,start,end,normal,pvc      100.hea,0,10,11,1
 *
 * A stroke at the start of a clip belongs to it, one at its end to the next. Borders do not avoid strokes; training cuts
 * such sets anew where it is given lengths.
 */
#include "base/csv.h"
#include "base/status.h"
#include "studio/import/import.h"

#include <math.h>
#include <string.h>

static const double shortest_clip = 0.01, longest_clip = 3600;

loco_status lc_import_clip(double *clip, const lc_import *import, double usual, loco_err *err)
{
    double wanted = import->options.clip > 0 || import->options.clip < 0 ? import->options.clip : usual;
    if (!(wanted >= shortest_clip && wanted <= longest_clip))
        return lc_err_set(err, LOCO_EARG, "clips of %g s; they may have %g to %g s", wanted, shortest_clip,
                          longest_clip);
    *clip = wanted;
    return LOCO_OK;
}

/* Several labels may be one class: the column is that of the first. */
static size_t column_of(lc_import *import, size_t label)
{
    for (size_t i = 0; i < label; i++)
        if (import->ours[i] != NULL && strcmp(import->ours[i], import->ours[label]) == 0)
            return import->columns[i];
    return import->columns_len++;
}

void lc_import_counts_begin(lc_import *import)
{
    lc_text_string(&import->counts, "file,start,end");
    for (size_t i = 0; i < import->vocabulary->len; i++) {
        size_t before = import->columns_len;
        if (import->ours[i] != NULL)
            import->columns[i] = column_of(import, i);
        if (import->columns_len == before)
            continue;
        lc_text_string(&import->counts, ",");
        lc_csv_quote(&import->counts, import->ours[i]);
    }
    lc_text_string(&import->counts, "\n");
}

/* Strokes are in order of time; *at is the first that is not before the clip. */
static void write_clip(lc_import *import, const lc_import_take *take, double start, double end, size_t *at)
{
    size_t counts[LC_VOCABULARY_MOST] = {0};
    for (; *at < take->strokes.len && take->strokes.items[*at].time < end; ++*at) {
        size_t label = take->strokes.items[*at].label;
        if (import->ours[label] != NULL)
            counts[import->columns[label]]++;
    }
    lc_csv_quote(&import->counts, take->file.name);
    lc_text_string(&import->counts, ",");
    lc_text_number(&import->counts, start, 6);
    lc_text_string(&import->counts, ",");
    lc_text_number(&import->counts, end, 6);
    for (size_t k = 0; k < import->columns_len; k++)
        lc_text_format(&import->counts, ",%zu", counts[k]);
    lc_text_string(&import->counts, "\n");
}

loco_status lc_import_add_counted(lc_import *import, lc_import_take *take, double clip, bool rest, loco_err *err)
{
    size_t at = 0, clips = (size_t)floor(take->seconds / clip + 1e-9);
    double covered = clip * (double)clips, end = floor(take->seconds * 1e6) / 1e6;
    loco_status status = lc_import_add(import, take, err);
    for (size_t i = 0; status == LOCO_OK && i < clips; i++)
        write_clip(import, take, clip * (double)i, clip * (double)(i + 1), &at);
    if (status == LOCO_OK && rest && end - covered >= shortest_clip)
        write_clip(import, take, covered, end, &at);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * pitches.c - what data sets of pianos share: pitches as classes.
 *
 * Classes are pitch numbers of MIDI, always all of those that were chosen and in rising order, whether they occur or
 * not: so sets of different pieces have the same columns, and one model fits them all. "21-108" are the 88 keys.
 */
#include "studio/import/pitches.h"
#include "base/status.h"
#include "studio/import/import.h"

#include <stdlib.h>
#include <string.h>

enum { PITCHES = LC_PITCHES, LOWEST = 21, HIGHEST = 108 };

static const double default_clip = 0.5;

/* A pitch at *at, which moves behind it; PITCHES where there is none. */
static size_t take_pitch(const char **at)
{
    size_t digits = strspn(*at, "0123456789");
    unsigned long pitch = digits > 0 && digits <= 3 ? strtoul(*at, NULL, 10) : PITCHES;
    *at += digits;
    return pitch < PITCHES ? (size_t)pitch : PITCHES;
}

loco_status lc_pitches_parse(bool chosen[PITCHES], const char *list, loco_err *err)
{
    memset(chosen, 0, PITCHES * sizeof *chosen);
    for (size_t pitch = LOWEST; list == NULL && pitch <= HIGHEST; pitch++)
        chosen[pitch] = true;
    for (const char *at = list; at != NULL; at = *at == ',' ? at + 1 : NULL) {
        const char *item = at;
        size_t from = take_pitch(&at), to = from;
        if (*at == '-') {
            at++;
            to = take_pitch(&at);
        }
        if (from == PITCHES || to == PITCHES || from > to || (*at != ',' && *at != '\0'))
            return lc_err_set(err, LOCO_EARG, "classes: \"%s\" is not a range of pitches from 0 to 127, such as 21-108",
                              lc_show_bytes(item, strcspn(item, ",")).text);
        for (size_t pitch = from; pitch <= to; pitch++)
            chosen[pitch] = true;
    }
    return LOCO_OK;
}

/* Labels "0" to "127"; those that were chosen are classes. */
static bool name_labels(lc_import *import, const char *labels[PITCHES][2], const bool chosen[PITCHES])
{
    for (size_t pitch = 0; pitch < PITCHES; pitch++) {
        const char *name = lc_import_format(import, "%zu", pitch);
        if (name == NULL)
            return false;
        labels[pitch][0] = name;
        labels[pitch][1] = chosen[pitch] ? name : NULL;
    }
    return true;
}

loco_status lc_import_use_pitches(lc_import *import, const char *set, loco_err *err)
{
    bool chosen[PITCHES];
    double clip;
    loco_status status = lc_import_clip(&clip, import, default_clip, err);
    if (status == LOCO_OK)
        status = lc_import_choose_none(import, err);
    if (status == LOCO_OK && import->options.classes != NULL && import->options.map != NULL)
        status = lc_err_set(err, LOCO_EARG, "classes and a map; give one of them");
    if (status == LOCO_OK)
        status = lc_pitches_parse(chosen, import->options.classes, err);
    if (status != LOCO_OK)
        return status;
    const char *(*labels)[2] = lc_store_take(&import->store, PITCHES, sizeof *labels);
    lc_vocabulary *vocabulary = lc_store_take(&import->store, 1, sizeof *vocabulary);
    if (labels == NULL || vocabulary == NULL || !name_labels(import, labels, chosen))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while importing");
    *vocabulary = (lc_vocabulary){set, (const char *const(*)[2])labels, PITCHES, false};
    status = lc_import_use(import, vocabulary, err);
    if (status == LOCO_OK)
        lc_import_counts_begin(import);
    return status;
}

loco_status lc_import_add_notes(lc_import *import, lc_import_take *take, loco_err *err)
{
    double clip;
    loco_status status = lc_import_clip(&clip, import, default_clip, err);
    return status == LOCO_OK ? lc_import_add_counted(import, take, clip, true, err) : status;
}

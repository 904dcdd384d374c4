/* SPDX-License-Identifier: MIT
 * wfdb_marks.c - annotations of WFDB in MIT format.
 *
 * Words of two bytes, little-endian: the upper 6 bits are a code, the lower 10 the samples since the annotation before.
 *     0 0     the end
 *     1..49   an annotation
 *     59      the next 4 bytes are the samples to skip, the upper half first; what follows counts from there
 *     60..62  a field of the annotation before, without a time of its own
 *     63      a text of so many bytes, and one of padding where that is odd
 */
#include "studio/import/wfdb_marks.h"

#include "base/status.h"
#include "signal/track.h"

#include <stdlib.h>

enum { SKIP = 59, FIELD_FIRST = 60, FIELD_LAST = 62, TEXT = 63, LAST_CODE = 49 };
static const int64_t LAST_SAMPLE = (int64_t)1 << 40;

bool lc_wfdb_is_beat(unsigned code)
{
    /* N L R a V F J A S E j / Q, then B ? e n f r */
    return (code >= 1 && code <= 13) || code == 25 || code == 30 || code == 34 || code == 35 || code == 38 ||
           code == 41;
}

bool lc_wfdb_is_pvc(unsigned code)
{
    return code == 5 || code == 41; /* V, and r: the same on the wave before */
}

typedef struct mark_reader {
    const char *name;
    const unsigned char *bytes;
    size_t at, length;
    int64_t sample;
    lc_wfdb_mark *marks;
    size_t len, capacity;
} mark_reader;

static loco_status refuse(const mark_reader *r, size_t at, const char *what, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA, "%s, byte %zu: %s", lc_track_show(r->name).text, at, what);
}

static unsigned word_at(const mark_reader *r, size_t at)
{
    return (unsigned)r->bytes[at] | (unsigned)r->bytes[at + 1] << 8;
}

static loco_status move(mark_reader *r, int64_t samples, size_t at, loco_err *err)
{
    r->sample += samples;
    if (r->sample < 0 || r->sample > LAST_SAMPLE)
        return refuse(r, at, "a time before the start or far beyond any record; the file is damaged", err);
    return LOCO_OK;
}

static loco_status skip(mark_reader *r, size_t at, loco_err *err)
{
    if (r->length - r->at < 4)
        return refuse(r, at, "the file ends within a skip", err);
    uint32_t bits = (uint32_t)word_at(r, r->at) << 16 | word_at(r, r->at + 2);
    r->at += 4;
    return move(r, (int64_t)(bits ^ 0x80000000u) - 0x80000000ll, at, err);
}

static loco_status add(mark_reader *r, unsigned code, unsigned samples, size_t at, loco_err *err)
{
    loco_status status = move(r, samples, at, err);
    if (status != LOCO_OK)
        return status;
    if (code > LAST_CODE)
        return refuse(r, at, "a code that no annotation has; is this an annotation file in MIT format?", err);
    if (r->len > 0 && (uint64_t)r->sample < r->marks[r->len - 1].sample)
        return refuse(r, at, "an annotation before the one in front of it", err);
    if (r->len == LC_WFDB_MARKS)
        return refuse(r, at, "more annotations than are read", err);
    if (r->len == r->capacity) {
        size_t room = r->capacity > 0 ? 2 * r->capacity : 1024;
        lc_wfdb_mark *marks = realloc(r->marks, room * sizeof *marks);
        if (marks == NULL)
            return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(r->name).text);
        r->marks = marks;
        r->capacity = room;
    }
    r->marks[r->len++] = (lc_wfdb_mark){(uint64_t)r->sample, code};
    return LOCO_OK;
}

/* One word and what belongs to it; *over at the end mark. */
static loco_status read_one(mark_reader *r, bool *over, loco_err *err)
{
    size_t at = r->at;
    unsigned word = word_at(r, at), code = word >> 10, samples = word & 0x3ff;
    r->at += 2;
    if (word == 0) {
        *over = true;
        return LOCO_OK;
    }
    if (code == SKIP)
        return skip(r, at, err);
    if (code >= FIELD_FIRST && code <= FIELD_LAST)
        return LOCO_OK;
    if (code == TEXT) {
        size_t bytes = samples + samples % 2;
        if (r->length - r->at < bytes)
            return refuse(r, at, "the file ends within a text", err);
        r->at += bytes;
        return LOCO_OK;
    }
    return code > 0 ? add(r, code, samples, at, err) : move(r, samples, at, err);
}

loco_status lc_wfdb_marks_parse(lc_wfdb_mark **marks, size_t *marks_len, const char *name, const void *bytes,
                                size_t length, loco_err *err)
{
    mark_reader r = {.name = name, .bytes = bytes, .length = length};
    bool over = false;
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && !over) {
        if (r.length - r.at < 2)
            status = refuse(&r, r.at, "the file ends without its end mark; it is cut short", err);
        else
            status = read_one(&r, &over, err);
    }
    if (status != LOCO_OK) {
        free(r.marks);
        return status;
    }
    *marks = r.marks;
    *marks_len = r.len;
    return LOCO_OK;
}

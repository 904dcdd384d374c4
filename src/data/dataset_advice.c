/* SPDX-License-Identifier: MIT
 *
 * dataset_advice.c - what looks wrong in the counts of a data set. Nothing here is an error: each sentence is a
 *   hint for the person who counted.
 *
 * Two clips of a recording contradict each other when one lies within the other and yet must have more events:
 * least(inner) > most(outer). Clips are sorted by recording and start, outer before inner, and each is compared with
 * those that begin before it ends; at most COMPARED of them, so that a million nested clips take half a second and not
 * days.
 */
#include "base/plain_text.h"
#include "data/dataset.h"
#include "data/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SENTENCES = 5,    /* of one kind; then how many more */
    FEWEST_EQUAL = 3, /* fewer equal counts may be a coincidence */
    COMPARED = 100,
    LARGE = 100,      /* a count below is never called large */
    LARGE_TIMES = 20, /* and this many times the median it must be */
    FAST = 50         /* events a second of one class that nobody can count */
};

/* What the labels of one class are like. */
typedef struct summary {
    size_t known, exact;   /* labels that say something; that are one number */
    size_t least, most;    /* of the exact ones */
    size_t possible;       /* known ones that allow an event */
    size_t largest, where; /* the largest exact count and its clip */
    size_t median;
} summary;

static int by_size(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* counts is room for one number a clip. */
static summary summarise(const lc_dataset *set, size_t k, size_t *counts)
{
    summary s = {.least = SIZE_MAX};
    for (size_t i = 0; i < set->clips_len; i++) {
        loco_label label = set->clips[i].labels[k];
        bool known = label.lo > 0 || label.hi != LOCO_NO_LIMIT;
        s.known += known;
        s.possible += known && label.hi > 0;
        if (label.lo != label.hi)
            continue;
        counts[s.exact++] = label.lo;
        s.least = label.lo < s.least ? label.lo : s.least;
        s.most = label.lo > s.most ? label.lo : s.most;
        if (label.lo > s.largest) {
            s.largest = label.lo;
            s.where = i;
        }
    }
    if (s.exact > 0) {
        qsort(counts, s.exact, sizeof *counts, by_size);
        s.median = counts[s.exact / 2];
    }
    return s;
}

/* The start of a sentence about a class. */
static void begin_class(const lc_dataset *set, size_t k, lc_text *text)
{
    lc_text_format(text, "class \"%s\": ", lc_show(set->classes[k]).text);
}

/* `line 7` of counts.csv, or `clip 7` of a set that was made. */
static void say_clip(const lc_dataset *set, size_t clip, lc_text *text)
{
    const lc_clip *c = &set->clips[clip];
    lc_text_format(text, "%s %zu", c->row > 0 ? "line" : "clip", c->row > 0 ? c->row : clip + 1);
}

/* A class that has counts in sums only counts as known. */
static bool is_counted(const lc_dataset *set, size_t k)
{
    for (size_t s = 0; s < set->sums_len; s++)
        for (size_t i = 0; i < set->sums[s].members_len; i++)
            if (set->sums[s].members[i] == k && lc_sums_known(set, set->classes_len + s))
                return true;
    return false;
}

/* At most one sentence a class: the first that fits says most. */
static void advise_class(const lc_dataset *set, size_t k, size_t *counts, lc_text *text)
{
    summary s = summarise(set, k, counts);
    if (s.possible == 0 && is_counted(set, k))
        return;
    if (s.known == 0) {
        begin_class(set, k, text);
        lc_text_string(text, "every count is unknown, so nothing can be learnt about it\n");
    } else if (s.possible == 0) {
        begin_class(set, k, text);
        lc_text_string(text, "it is never present: every known count is 0\n");
    } else if (s.exact == set->clips_len && s.exact >= FEWEST_EQUAL && s.least == s.most) {
        begin_class(set, k, text);
        lc_text_format(text, "all %zu counts are %zu; counts that never differ teach little\n", s.exact, s.most);
    } else if (s.largest >= LARGE && s.largest > LARGE_TIMES * (s.median > 0 ? s.median : 1)) {
        begin_class(set, k, text);
        lc_text_format(text, "the count %zu in ", s.largest);
        say_clip(set, s.where, text);
        lc_text_format(text, " is very large; half of the clips have at most %zu\n", s.median);
    }
}

/* Clips with more events a second than anyone counts. */
static void advise_speed(const lc_dataset *set, lc_text *text)
{
    size_t found = 0;
    for (size_t i = 0; i < set->clips_len; i++)
        for (size_t k = 0; k < set->classes_len; k++) {
            const lc_clip *c = &set->clips[i];
            if (!isfinite(c->end) || (double)c->labels[k].lo <= FAST * (c->end - c->start) || found++ >= SENTENCES)
                continue;
            begin_class(set, k, text);
            lc_text_format(text, "%zu events within ", c->labels[k].lo);
            lc_text_number(text, c->end - c->start, 3);
            lc_text_string(text, " s in ");
            say_clip(set, i, text);
            lc_text_format(text, " are more than %d a second\n", FAST);
        }
    if (found > SENTENCES)
        lc_text_format(text, "and %zu more counts of more than %d a second\n", found - SENTENCES, FAST);
}

/* ---- clips that meet ---- */

typedef struct clip_span {
    size_t recording, clip;
    double start, end;
} clip_span;

/* By recording and start; of those that start together the longest first, so that no clip holds an earlier one. */
static int outer_first(const void *a, const void *b)
{
    const clip_span *x = a, *y = b;
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    if (x->start < y->start || x->start > y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end < y->end || x->end > y->end)
        return x->end > y->end ? -1 : 1;
    return x->clip < y->clip ? -1 : x->clip > y->clip;
}

/* b is behind a in the order of spans: then these three conditions mean the same start and end. */
static bool same_span(const clip_span *a, const clip_span *b)
{
    return a->recording == b->recording && !(a->start < b->start) && !(a->end > b->end); /* as they are sorted */
}

/* A class or sum in which inner must have more events than outer may, or, of two equal clips, the other way round;
 * their number when there is none. */
static size_t contradiction(const lc_dataset *set, const clip_span *outer, const clip_span *inner)
{
    const loco_label *a = set->clips[outer->clip].labels, *b = set->clips[inner->clip].labels;
    bool same = same_span(outer, inner);
    size_t n = set->classes_len + set->sums_len;
    for (size_t k = 0; k < n; k++)
        if (b[k].lo > a[k].hi || (same && a[k].lo > b[k].hi))
            return k;
    return n;
}

/* `"a.wav": line 3 and line 7`, and what is wrong about them. */
static void say_pair(const lc_dataset *set, size_t first, size_t second, const char *what, lc_text *text)
{
    const char *name = set->recordings[set->clips[first].recording].name;
    lc_text_format(text, "\"%s\": ", lc_show(name).text);
    say_clip(set, first, text);
    lc_text_string(text, " and ");
    say_clip(set, second, text);
    lc_text_string(text, what);
}

/* What both clips say about the class. */
static void say_contradiction(const lc_dataset *set, const clip_span *outer, const clip_span *inner, size_t k,
                              lc_text *text)
{
    char a[64], b[64];
    loco_label_format(a, sizeof a, set->clips[outer->clip].labels[k]);
    loco_label_format(b, sizeof b, set->clips[inner->clip].labels[k]);
    say_pair(set, outer->clip, inner->clip, "", text);
    lc_text_format(text, " contradict each other: \"%s\" is %s in the one and %s in the other, ",
                   lc_show(lc_label_name(set, k)).text, a, b);
    lc_text_string(text, same_span(outer, inner) ? "which is the same clip\n" : "which lies within it\n");
}

/* How often each thing was found; only the first ones are reported. */
typedef struct findings {
    size_t twice, against;
} findings;

/* outer comes first in the order above. */
static void compare(const lc_dataset *set, const clip_span *outer, const clip_span *inner, findings *found,
                    lc_text *text)
{
    if (inner->end > outer->end)
        return;
    size_t k = contradiction(set, outer, inner);
    if (k < set->classes_len + set->sums_len) {
        if (found->against++ < SENTENCES)
            say_contradiction(set, outer, inner, k, text);
    } else if (same_span(outer, inner)) {
        if (found->twice++ < SENTENCES)
            say_pair(set, outer->clip, inner->clip, " are the same clip\n", text);
    }
}

/* spans is room for all clips. */
static void advise_pairs(const lc_dataset *set, clip_span *spans, lc_text *text)
{
    findings found = {0};
    size_t n = set->clips_len;
    for (size_t i = 0; i < n; i++) {
        const lc_clip *c = &set->clips[i];
        spans[i] = (clip_span){c->recording, i, c->start, c->end};
    }
    qsort(spans, n, sizeof *spans, outer_first);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && j - i <= COMPARED; j++) {
            if (spans[j].recording != spans[i].recording || spans[j].start >= spans[i].end)
                break;
            compare(set, &spans[i], &spans[j], &found, text);
        }
    if (found.twice > SENTENCES)
        lc_text_format(text, "and %zu more pairs of the same clip\n", found.twice - SENTENCES);
    if (found.against > SENTENCES)
        lc_text_format(text, "and %zu more pairs that contradict each other\n", found.against - SENTENCES);
}

void lc_dataset_advice(const lc_dataset *set, lc_text *text)
{
    if (set->clips_len == 0)
        return;
    size_t *counts = calloc(set->clips_len, sizeof *counts);
    clip_span *spans = calloc(set->clips_len, sizeof *spans);
    if (counts == NULL || spans == NULL) {
        text->failed = true;
    } else {
        for (size_t k = 0; k < set->classes_len; k++)
            advise_class(set, k, counts, text);
        lc_sums_advice(set, text);
        advise_speed(set, text);
        advise_pairs(set, spans, text);
    }
    free(counts);
    free(spans);
}

/* SPDX-License-Identifier: MIT
 * sums.c - labels of sums against those of their classes.
 *
 * Bounds are passed on until nothing changes: with lo and hi of each class k of a sum,
 *
 *     sum.lo >= sum of lo,   sum.hi <= sum of hi                      from the classes to the sum
 *     lo_k >= sum.lo - hi of the others,   hi_k <= sum.hi - lo of the others     and back
 *
 * Empty bounds are a contradiction. Bounds alone do not see that a+b, b+c and a+c cannot all be 1: so the bounds of a class
 * that is in two sums or more are then cut in half, and each half settled, until one has counts or none is left. A class in
 * one sum needs no such search, nor one without an upper bound: what is missing can be put there. A row whose search
 * takes more than TRIES halves is taken as good; tables that people write need a few dozen. Bounds that have met are a count, and become the label; all other labels stay
 * as written, since narrower bounds of a class add nothing to what the sum says. */
#include "data/sums.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 64, TRIES = 2000, DEEPEST = 64 }; /* far more than any table needs */

typedef struct total {
    size_t lo, hi; /* hi: of those that have one */
    size_t open;   /* classes without */
} total;

/* Bounds of the sum of all members; those without an upper bound are counted. */
static total total_of(const lc_sum *sum, const loco_label *bounds)
{
    total all = {0, 0, 0};
    for (size_t i = 0; i < sum->members_len; i++) {
        loco_label own = bounds[sum->members[i]];
        all.lo += own.lo;
        all.hi += own.hi != LOCO_NO_LIMIT ? own.hi : 0;
        all.open += own.hi == LOCO_NO_LIMIT;
    }
    return all;
}

/* Whether it became narrower. */
static bool narrow(loco_label *label, size_t lo, size_t hi)
{
    loco_label old = *label;
    label->lo = lo > label->lo ? lo : label->lo;
    label->hi = hi < label->hi ? hi : label->hi;
    return label->lo != old.lo || label->hi != old.hi;
}

/* "kick+snare is 4, but kick 3, snare 2 make at least 5" */
static loco_status contradiction(const lc_dataset *set, const lc_sum *sum, loco_label label, const loco_label *bounds,
                                 lc_place place, loco_err *err)
{
    char values[100] = "", own[64];
    size_t used = 0;
    total all = total_of(sum, bounds);
    loco_label_format(own, sizeof own, label);
    for (size_t i = 0; i < sum->members_len && used + 40 < sizeof values; i++) {
        char value[64];
        loco_label_format(value, sizeof value, bounds[sum->members[i]]);
        lc_text one = {0};
        lc_text_format(&one, "%s%.20s %.12s", i > 0 ? ", " : "", set->classes[sum->members[i]], value);
        if (!one.failed && used + one.length < sizeof values) {
            memcpy(values + used, one.bytes, one.length + 1);
            used += one.length;
        }
        lc_text_free(&one);
    }
    bool many = all.lo > label.hi;
    place.column = NULL;
    return lc_err_set(err, LOCO_EDATA, "%s: %.40s is %.16s, but %s make at %s %zu", lc_place_show(place).text,
                      sum->name, own, values, many ? "least" : "most", many ? all.lo : all.hi);
}

/* Whether the sum alone shows that it cannot be met. */
static bool shows(const lc_sum *sum, loco_label label, const loco_label *bounds)
{
    total all = total_of(sum, bounds);
    return all.lo > label.hi || (all.open == 0 && all.hi < label.lo);
}

/* One sum and its classes; *changed: something became narrower. */
static bool settle_sum(const lc_sum *sum, loco_label *own, loco_label *bounds, bool *changed)
{
    total all = total_of(sum, bounds);
    *changed |= narrow(own, all.lo, all.open > 0 ? LOCO_NO_LIMIT : all.hi);
    if (own->lo > own->hi)
        return false;
    for (size_t i = 0; i < sum->members_len; i++) {
        size_t k = sum->members[i];
        bool open = bounds[k].hi == LOCO_NO_LIMIT;
        size_t others_lo = all.lo - bounds[k].lo, others_hi = all.hi - (open ? 0 : bounds[k].hi), lo = 0;
        if (all.open == open && others_hi < own->lo)
            lo = own->lo - others_hi;
        /* others_lo is no more than own->hi, or it would have been refused before */
        loco_label old = bounds[k];
        *changed |= narrow(&bounds[k], lo, own->hi == LOCO_NO_LIMIT ? LOCO_NO_LIMIT : own->hi - others_lo);
        all.lo += bounds[k].lo - old.lo;
        all.hi += (bounds[k].hi == LOCO_NO_LIMIT ? 0 : bounds[k].hi) - (open ? 0 : old.hi);
        all.open -= open && bounds[k].hi != LOCO_NO_LIMIT;
        if (bounds[k].lo > bounds[k].hi || all.lo > own->hi)
            return false;
    }
    return true;
}

/* Passes bounds on until nothing changes; returns the sum that cannot be met, with *before as its label was, or NULL. */
static const lc_sum *settle(const lc_dataset *set, loco_label *bounds, loco_label *before)
{
    size_t K = set->classes_len;
    bool changed = set->sums_len > 0;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (size_t s = 0; s < set->sums_len; s++) {
            *before = bounds[K + s];
            if (!settle_sum(&set->sums[s], &bounds[K + s], bounds, &changed))
                return &set->sums[s];
        }
    }
    return NULL;
}

/* ---- the search ---- */

typedef struct sum_search {
    const lc_dataset *set;
    loco_label *levels; /* (DEEPEST, n) */
    size_t n, tries;
} sum_search;

static bool has_member(const lc_sum *sum, size_t k);

/* A class whose count is open, in two sums or more; K when there is none. */
static size_t find_open(const sum_search *s, const loco_label *bounds)
{
    for (size_t k = 0; k < s->set->classes_len; k++) {
        size_t sums = 0;
        for (size_t i = 0; i < s->set->sums_len; i++)
            sums += has_member(&s->set->sums[i], k);
        if (sums >= 2 && bounds[k].lo < bounds[k].hi && bounds[k].hi != LOCO_NO_LIMIT)
            return k;
    }
    return s->set->classes_len;
}

/* Whether counts within settled bounds meet all sums; true where that is not found out. It calls itself at most DEEPEST
 * times deep. */
static bool has_counts(sum_search *s, const loco_label *bounds, size_t depth) /* NOLINT(misc-no-recursion) */
{
    size_t k = find_open(s, bounds);
    if (k == s->set->classes_len || depth == DEEPEST || s->tries >= TRIES)
        return true;
    loco_label before, *half = s->levels + depth * s->n;
    size_t middle = bounds[k].lo + (bounds[k].hi - bounds[k].lo) / 2;
    for (int upper = 0; upper <= 1; upper++) {
        s->tries++;
        memcpy(half, bounds, s->n * sizeof *half);
        half[k] = upper ? (loco_label){middle + 1, bounds[k].hi} : (loco_label){bounds[k].lo, middle};
        if (settle(s->set, half, &before) == NULL && has_counts(s, half, depth + 1))
            return true;
    }
    return false;
}

/* "a+b 1, b+c 1, a+c 1 cannot all be met" */
static loco_status refuse_all(const lc_dataset *set, const loco_label *labels, lc_place place, loco_err *err)
{
    char own[64];
    lc_text text = {0};
    for (size_t s = 0; s < set->sums_len && text.length < 90; s++) {
        loco_label_format(own, sizeof own, labels[set->classes_len + s]);
        lc_text_format(&text, "%s%.30s %.12s", s > 0 ? ", " : "", set->sums[s].name, own);
    }
    place.column = NULL;
    loco_status status = lc_err_set(err, LOCO_EDATA, "%s: %s cannot all be met at once; correct one of them",
                                    lc_place_show(place).text, text.bytes != NULL ? text.bytes : "the sums");
    lc_text_free(&text);
    return status;
}

static loco_status check_all(const lc_dataset *set, const loco_label *labels, const loco_label *bounds, lc_place place,
                             loco_err *err)
{
    sum_search s = {.set = set, .n = set->classes_len + set->sums_len};
    if (find_open(&s, bounds) == set->classes_len)
        return LOCO_OK;
    s.levels = calloc(DEEPEST * s.n, sizeof *s.levels);
    if (s.levels == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the counts of a row");
    bool good = has_counts(&s, bounds, 0);
    free(s.levels);
    return good ? LOCO_OK : refuse_all(set, labels, place, err);
}

loco_status lc_sums_settle(const lc_dataset *set, loco_label *labels, loco_label *bounds, lc_place place, loco_err *err)
{
    size_t n = set->classes_len + set->sums_len;
    loco_label before = {0, 0};
    memcpy(bounds, labels, n * sizeof *bounds);
    const lc_sum *wrong = settle(set, bounds, &before);
    if (wrong != NULL && shows(wrong, before, bounds))
        return contradiction(set, wrong, before, bounds, place, err);
    if (wrong != NULL)
        return refuse_all(set, labels, place, err);
    loco_status status = check_all(set, labels, bounds, place, err);
    for (size_t i = 0; status == LOCO_OK && i < n; i++)
        if (bounds[i].lo == bounds[i].hi && bounds[i].lo <= LC_COUNT_MOST) /* what counts.csv may say */
            labels[i] = bounds[i];
    return status;
}

/* ---- classes that no label distinguishes ---- */

const char *lc_label_name(const lc_dataset *set, size_t number)
{
    return number < set->classes_len ? set->classes[number] : set->sums[number - set->classes_len].name;
}

bool lc_sums_known(const lc_dataset *set, size_t number)
{
    for (size_t i = 0; i < set->clips_len; i++) {
        loco_label label = set->clips[i].labels[number];
        if (label.lo > 0 || label.hi != LOCO_NO_LIMIT)
            return true;
    }
    return false;
}

/* Whether the class belongs to the sum. */
static bool has_member(const lc_sum *sum, size_t k)
{
    for (size_t i = 0; i < sum->members_len; i++)
        if (sum->members[i] == k)
            return true;
    return false;
}

/* In any clip. Two labels of 0, which follow from a sum of 0, do not differ. */
static bool labels_differ(const lc_dataset *set, size_t a, size_t b)
{
    for (size_t i = 0; i < set->clips_len; i++) {
        const loco_label *labels = set->clips[i].labels;
        if (labels[a].lo != labels[b].lo || labels[a].hi != labels[b].hi)
            return true;
    }
    return false;
}

/* The same sums, of those that are known at all, and at least one; and labels that never differ. */
static bool alike(const lc_dataset *set, const uint8_t *known, size_t a, size_t b)
{
    bool any = false;
    for (size_t s = 0; s < set->sums_len; s++) {
        if (!known[set->classes_len + s])
            continue;
        if (has_member(&set->sums[s], a) != has_member(&set->sums[s], b))
            return false;
        any |= has_member(&set->sums[s], a);
    }
    return any && !labels_differ(set, a, b);
}

/* Class a and all behind it that are like it; said: the classes that were named. */
static void say_alike(const lc_dataset *set, const uint8_t *known, size_t a, uint8_t *said, lc_text *text)
{
    size_t found = 0;
    for (size_t b = a + 1; b < set->classes_len; b++) {
        if (said[b] || !alike(set, known, a, b))
            continue;
        if (found++ == 0)
            lc_text_format(text, "classes \"%s\"", lc_show(set->classes[a]).text);
        lc_text_format(text, " and \"%s\"", lc_show(set->classes[b]).text);
        said[b] = 1;
    }
    if (found == 0)
        return;
    lc_text_string(text, " are only ever counted together, in");
    for (size_t s = 0; s < set->sums_len; s++)
        if (known[set->classes_len + s] && has_member(&set->sums[s], a))
            lc_text_format(text, " %s", lc_show(set->sums[s].name).text);
    lc_text_format(text,
                   ": no label distinguishes them, and the network may swap their names; add a column \"%s\" "
                   "with its own count in some clips\n",
                   lc_show(set->classes[a]).text);
}

void lc_sums_advice(const lc_dataset *set, lc_text *text)
{
    size_t K = set->classes_len;
    if (set->sums_len == 0)
        return;
    uint8_t *known = calloc(2 * K + set->sums_len, 1), *said = known != NULL ? known + K + set->sums_len : NULL;
    if (known == NULL) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < K + set->sums_len; i++)
        known[i] = lc_sums_known(set, i);
    for (size_t k = 0; k < K; k++)
        if (!said[k])
            say_alike(set, known, k, said, text);
    free(known);
}

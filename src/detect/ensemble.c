/* SPDX-License-Identifier: MIT
 * ensemble.c - several versions of one recording vote. Definitions are in ensemble.h.
 *   Ballots are sorted by class and time; each looks at its neighbours within 5 sigma, where the kernel has fallen to
 *   4e-6. n ballots cost O(n log n), plus n times the neighbours, which are as many as there are versions.
 *   The peak above a surviving ballot is climbed by mean shift, x <- sum w g t / sum w g, which never goes down. */
#include "detect/ensemble.h"

#include "base/mem.h"
#include "base/settings.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { CLASSES_MAX = 1 << 20, CLIMB_STEPS = 100 };

static const double kernel_reach = 5; /* sigma */

typedef struct ballot {
    double time;
    float weight;
    uint32_t kind;
} ballot;

/* Where a version begins or ends to cover the original. */
typedef struct edge {
    double time;
    double weight; /* the weights of all versions that cover what follows, once sorted; before, this one's, + or - */
} edge;

struct lc_vote {
    lc_voting settings;
    size_t classes;
    ballot *ballots;
    size_t ballots_len, ballots_capacity;
    edge *edges; /* two for each version, in the order of adding */
    size_t edges_len, edges_capacity;
};

/* ---- settings ---- */

static const lc_setting keys[] = {
    {.key = "select", .at = offsetof(lc_voting, select), .usual = 0.2,    .low = 0,    .high = 1  },
    {.key = "sigma",  .at = offsetof(lc_voting, sigma),  .usual = 0.0125, .low = 1e-5, .high = 10 },
    {.key = "share",  .at = offsetof(lc_voting, share),  .usual = 0.5,    .low = 1e-3, .high = 1  },
    {.key = "gap",    .at = offsetof(lc_voting, gap),    .usual = 0.045,  .low = 0,    .high = 60 },
    {.key = "speeds", .at = offsetof(lc_voting, speeds), .usual = 0.06,   .low = 0,    .high = 0.5},
};

static const lc_settings_kind kind = {.name = "vote", .keys = keys, .keys_len = sizeof keys / sizeof *keys};

lc_voting lc_voting_default(void)
{
    lc_voting voting;
    lc_settings_usual(&voting, &kind);
    return voting;
}

/* ---- versions ---- */

lc_version lc_version_of(double scale, double shift)
{
    return (lc_version){.scale = scale, .shift = shift, .weight = 1, .begin = -INFINITY, .end = INFINITY};
}

loco_status lc_version_check(const lc_version *version, loco_err *err)
{
    if (!(version->scale >= 1e-3 && version->scale <= 1e3) || !(fabs(version->shift) <= 1e9))
        return lc_err_set(err, LOCO_EARG, "a version's scale must lie in 0.001 to 1000, its shift within 1e9 seconds");
    if (!(version->weight >= 1e-6 && version->weight <= 1e6))
        return lc_err_set(err, LOCO_EARG, "a version's weight must lie in 0.000001 to 1000000");
    if (!(version->begin < version->end))
        return lc_err_set(err, LOCO_EARG, "a version must end after it begins");
    return LOCO_OK;
}

/* ---- ballots ---- */

loco_status lc_vote_new(lc_vote **vote, const lc_voting *voting, size_t classes, loco_err *err)
{
    loco_status status = lc_settings_check(voting, &kind, err);
    if (status != LOCO_OK)
        return status;
    if (classes < 1 || classes > CLASSES_MAX)
        return lc_err_set(err, LOCO_EARG, "a vote on %zu classes; 1 to %d are possible", classes, CLASSES_MAX);
    lc_vote *result = calloc(1, sizeof *result);
    if (result == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a vote");
    result->settings = *voting;
    result->classes = classes;
    *vote = result;
    return LOCO_OK;
}

void lc_vote_free(lc_vote *vote)
{
    if (vote == NULL)
        return;
    free(vote->ballots);
    free(vote->edges);
    free(vote);
}

/* Room for `more` elements behind len; doubles. */
static bool reserve(void **array, size_t *capacity, size_t len, size_t more, size_t size)
{
    size_t bytes;
    if (more <= *capacity - len)
        return true;
    if (more > SIZE_MAX - len)
        return false;
    size_t wanted = *capacity > SIZE_MAX / 2 ? len + more : 2 * *capacity;
    wanted = wanted < len + more ? len + more : wanted;
    void *larger = lc_size_mul(wanted, size, &bytes) ? realloc(*array, bytes) : NULL;
    if (larger == NULL)
        return false;
    *array = larger;
    *capacity = wanted;
    return true;
}

/* All events are checked before the first is added, so that a version votes as a whole or not at all. */
static loco_status check_events(const lc_vote *vote, const loco_event *events, size_t events_len, loco_err *err)
{
    for (size_t i = 0; i < events_len; i++) {
        if (events[i].kind >= vote->classes)
            return lc_err_set(err, LOCO_EDATA, "event %zu is of class %zu, counted from 0; there are %zu", i,
                              events[i].kind, vote->classes);
        if (!(fabs(events[i].time) <= 1e9) || isnan(events[i].probability))
            return lc_err_set(err, LOCO_EDATA, "event %zu has no time, or no probability", i);
    }
    return LOCO_OK;
}

loco_status lc_vote_add(lc_vote *vote, const lc_version *version, const loco_event *events, size_t events_len,
                        loco_err *err)
{
    loco_status status = lc_version_check(version, err);
    if (status == LOCO_OK)
        status = check_events(vote, events, events_len, err);
    if (status != LOCO_OK)
        return status;
    void *ballots = vote->ballots, *edges = vote->edges;
    bool fits = reserve(&ballots, &vote->ballots_capacity, vote->ballots_len, events_len, sizeof(ballot));
    vote->ballots = ballots;
    fits = reserve(&edges, &vote->edges_capacity, vote->edges_len, 2, sizeof(edge)) && fits;
    vote->edges = edges;
    if (!fits)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu votes", vote->ballots_len + events_len);
    float weight = (float)version->weight; /* rounded on both sides, so that full agreement is a share of 1 */
    vote->edges[vote->edges_len++] = (edge){version->begin, (double)weight};
    vote->edges[vote->edges_len++] = (edge){version->end, -(double)weight};
    for (size_t i = 0; i < events_len; i++) {
        double time = version->scale * events[i].time + version->shift;
        if (events[i].probability >= vote->settings.select && time >= version->begin && time < version->end)
            vote->ballots[vote->ballots_len++] = (ballot){time, weight, (uint32_t)events[i].kind};
    }
    return LOCO_OK;
}

/* ---- the vote ---- */

/* Both orders are total, so that the result does not depend on how qsort treats equals. */
static int compare_ballots(const void *a, const void *b)
{
    const ballot *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* The weights of all versions that cover a time; edges are sorted and summed up. */
static double cover(const edge *edges, size_t edges_len, double time)
{
    size_t low = 0, high = edges_len; /* edges below low are at or before time */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (edges[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? 0 : edges[low - 1].weight;
}

/* One class. */
typedef struct poll {
    const lc_voting *settings;
    const ballot *ballots;
    const double *covers; /* of each ballot's time */
    double *shares;       /* at each ballot's time */
    size_t len;
} poll;

/* S at x, and the mean of the ballots under the kernel there; from is a ballot near x. */
static double sum_at(const poll *p, size_t from, double x, double *mean)
{
    double sigma = p->settings->sigma, sum = 0, moment = 0;
    size_t i = from;
    while (i > 0 && x - p->ballots[i - 1].time <= kernel_reach * sigma)
        i--;
    for (; i < p->len && p->ballots[i].time - x <= kernel_reach * sigma; i++) { /* in sigmas, from x */
        double d = (p->ballots[i].time - x) / sigma, g = (double)p->ballots[i].weight * exp(-0.5 * d * d);
        sum += g;
        moment += g * d;
    }
    *mean = x + sigma * moment / sum;
    return sum;
}

/* The largest share within +-gap; of equals the first. */
static bool survives(const poll *p, size_t i)
{
    for (size_t j = i; j-- > 0 && p->ballots[i].time - p->ballots[j].time <= p->settings->gap;)
        if (p->shares[j] >= p->shares[i])
            return false;
    for (size_t j = i + 1; j < p->len && p->ballots[j].time - p->ballots[i].time <= p->settings->gap; j++)
        if (p->shares[j] > p->shares[i])
            return false;
    return true;
}

/* Follows S up from ballot i; returns its height at the peak. */
static double climb(const poll *p, size_t i, double *x)
{
    double sum = 0, next = p->ballots[i].time;
    for (int step = 0; step < CLIMB_STEPS; step++) {
        *x = next;
        sum = sum_at(p, i, *x, &next);
        if (fabs(next - *x) <= 1e-6 * p->settings->sigma)
            break;
    }
    return sum;
}

/* Shares of all ballots first, since survival compares them; then the survivors climb, in order of time. */
static void run_poll(const poll *p, lc_event_array *list)
{
    double last = -INFINITY;
    for (size_t i = 0; i < p->len; i++) {
        double mean;
        p->shares[i] = sum_at(p, i, p->ballots[i].time, &mean) / p->covers[i];
    }
    for (size_t i = 0; i < p->len; i++) {
        double x;
        if (!survives(p, i))
            continue;
        double share = climb(p, i, &x) / p->covers[i];
        /* two ballots further apart than the gap may still climb the same peak */
        if (share < p->settings->share || x - last < p->settings->sigma)
            continue;
        last = x;
        loco_event event = {.time = x > 0 ? x : 0, .kind = p->ballots[i].kind, .probability = share < 1 ? share : 1};
        lc_event_array_add(list, &event);
    }
}

/* scratch: two numbers a ballot, then a copy of the edges.
 * Sorted, and summed up from left to right, an edge holds the weight of what covers the time behind it: cover is then a
 * binary search. The edges are copied, since the sums replace the weights, and more versions may follow. */
static void count_votes(const lc_vote *vote, double *scratch, edge *edges, lc_event_array *list)
{
    double *covers = scratch, *shares = scratch + vote->ballots_len, weight = 0;
    for (size_t i = 0; i < vote->edges_len; i++)
        edges[i] = vote->edges[i];
    qsort(edges, vote->edges_len, sizeof *edges, compare_edges);
    for (size_t i = 0; i < vote->edges_len; i++)
        weight = edges[i].weight += weight;
    qsort(vote->ballots, vote->ballots_len, sizeof *vote->ballots, compare_ballots);
    for (size_t i = 0; i < vote->ballots_len; i++)
        covers[i] = cover(edges, vote->edges_len, vote->ballots[i].time);
    for (size_t i = 0, end; i < vote->ballots_len; i = end) {
        for (end = i; end < vote->ballots_len && vote->ballots[end].kind == vote->ballots[i].kind;)
            end++;
        run_poll(&(poll){&vote->settings, vote->ballots + i, covers + i, shares + i, end - i}, list);
    }
}

loco_status lc_vote_events(lc_vote *vote, lc_event_array *list, loco_err *err)
{
    size_t before = list->len;
    lc_block block = {0};
    lc_arena arena = {0};
    if (vote->ballots_len == 0)
        return LOCO_OK;
    lc_arena_take(&arena, vote->ballots_len, 2 * sizeof(double));
    lc_arena_take(&arena, vote->edges_len, sizeof(edge));
    if (!lc_block_reserve(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu votes", vote->ballots_len);
    arena = lc_arena_over(&block);
    double *scratch = lc_arena_take(&arena, vote->ballots_len, 2 * sizeof(double));
    count_votes(vote, scratch, lc_arena_take(&arena, vote->edges_len, sizeof(edge)), list);
    lc_block_free(&block);
    if (list->failed) {
        list->len = before;
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %zu votes", vote->ballots_len);
    }
    lc_event_array_sort(list, before);
    return LOCO_OK;
}

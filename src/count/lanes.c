/* SPDX-License-Identifier: MIT
 * lanes.c - fills the lanes of a vector with sequences, runs them (lane_body.h) and writes the results back.
 *
 * A group costs as much as its longest sequence and its largest label, so slots are sorted: by the octave of the
 * length, then by the label, then by the length.
 * Limits. Logits up to 80 in size, so that four odds can be multiplied; labels up to 512 events and length * events up to 2
 * million, where the tree becomes faster (docs/benchmarks.md), which bounds the rows to 2e6 / 2 * 8 bytes a lane. */
#include "count/lanes.h"

#include <math.h>

static const double reach_max = 80;

enum { TOP_MAX = 512, CELLS_MAX = 2000000 };

/* A label without upper limit, or with one that the length makes void. */
static bool at_least(const lc_seq *seq)
{
    return seq->label.hi >= seq->length;
}

static size_t top_of(const lc_seq *seq)
{
    return at_least(seq) ? seq->label.lo : seq->label.hi;
}

bool lc_lanes_fit(const lc_seq *seq)
{
    size_t top = top_of(seq);
    return seq->reach <= reach_max && top <= TOP_MAX && seq->length <= CELLS_MAX / (top + 1);
}

lc_lane_slot lc_lanes_slot(lc_seq *seq)
{
    uint64_t length = seq->length, octave = 0;
    while (length >> octave > 1)
        octave++;
    return (lc_lane_slot){.key = octave << 48 | (uint64_t)top_of(seq) << 32 | length, .seq = seq};
}

/* Shell's sort: short, in place, no allocation. */
void lc_lanes_sort(lc_lane_slot *slots, size_t n)
{
    static const size_t gaps[] = {3548, 1577, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
        for (size_t i = gaps[g]; i < n; i++) {
            lc_lane_slot slot = slots[i];
            size_t j = i;
            for (; j >= gaps[g] && slots[j - gaps[g]].key > slot.key; j -= gaps[g])
                slots[j] = slots[j - gaps[g]];
            slots[j] = slot;
        }
    }
}

static void job_measure(lc_lane_job *job, const lc_lane_slot *slots, size_t n)
{
    size_t frames = 0, top = 0;
    for (size_t l = 0; l < n; l++) {
        const lc_seq *seq = slots[l].seq;
        frames = seq->length > frames ? seq->length : frames;
        top = top_of(seq) > top ? top_of(seq) : top;
    }
    job->pairs = (frames + 1) / 2;
    job->states = top + 1;
}

static void job_layout(lc_lane_job *job, size_t lanes, lc_arena *arena)
{
    job->odds = lc_arena_take(arena, 2 * job->pairs * lanes, sizeof(double));
    job->prob = lc_arena_take(arena, 2 * job->pairs * lanes, sizeof(double));
    job->rows = lc_arena_take(arena, job->pairs * (job->states + 1) * lanes, sizeof(double));
    job->beta = lc_arena_take(arena, job->states * lanes, sizeof(double));
}

size_t lc_lanes_local(const lc_count_kernels *kernels, const lc_lane_slot *slots, size_t n)
{
    lc_lane_job job;
    lc_arena arena = {0};
    job_measure(&job, slots, n);
    job_layout(&job, kernels->lanes, &arena);
    return arena.used;
}

/* A lane without a sequence holds the label 0 on no frames. */
static void job_fill(lc_lane_job *job, size_t lanes, const lc_lane_slot *slots, size_t n)
{
    for (size_t l = 0; l < lanes; l++) {
        const lc_seq *seq = l < n ? slots[l].seq : NULL;
        size_t length = seq != NULL ? seq->length : 0;
        job->length[l] = length;
        job->lo[l] = seq != NULL ? seq->label.lo : 0;
        job->top[l] = seq != NULL ? top_of(seq) : 0;
        job->at_least[l] = seq != NULL && at_least(seq);
        if (seq != NULL)
            lc_series_read(&seq->logits, 0, length, job->odds + l, lanes);
        for (size_t t = length; t < 2 * job->pairs; t++)
            job->odds[t * lanes + l] = LC_PADDING;
    }
}

void lc_lanes_run(const lc_count_kernels *kernels, lc_lane_slot *slots, size_t n, const lc_block *memory)
{
    lc_lane_job job;
    size_t lanes = kernels->lanes;
    lc_arena arena = lc_arena_over(memory);
    job_measure(&job, slots, n);
    job_layout(&job, lanes, &arena);
    job_fill(&job, lanes, slots, n);
    kernels->lanes_run(&job);
    for (size_t l = 0; l < n; l++) {
        lc_seq *seq = slots[l].seq;
        slots[l].done = job.done[l];
        if (!job.done[l])
            continue;
        seq->loss = job.loss[l];
        lc_series_write(&seq->grad, 0, seq->length, job.prob + l, lanes);
        lc_series_write(&seq->posterior, 0, seq->length, job.odds + l, lanes);
    }
}

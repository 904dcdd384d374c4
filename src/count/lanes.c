/* SPDX-License-Identifier: MIT
 * lanes.c - fills the lanes of a vector with sequences, runs them (lane_body.h) and writes the results back.
 *
 * A group costs as much as its longest sequence and its largest label, so slots are sorted: by the octave of the
 * length, then by the label, then by the length.
 * Limits. Logits up to 80 in size, so that four odds can be multiplied. Labels up to 128 events, and 2 MiB of rows a
 * lane: there the tree takes over. Nanoseconds a frame and sequence (AVX2, four full lanes, one core of an EPYC):
 *               n = 10       n = 60      n = 100     n = 150     n = 200
 *   T =  400    3.8 | 41     12 | 60     19 | 69     28 | 76     36 | 80     lanes | tree
 *   T = 2000    3.8 | 30     13 | 38     20 | 43     29 | 49     37 | 54
 *   T = 8000    3.9 | 27     14 | 31     82 | 35     123 | 39    170 | 41
 * Whether a sequence goes to lanes or tree depends on nothing but itself, so that its result does not depend on the
 * other sequences of the batch. */
#include "count/lanes.h"

#include <math.h>

static const double reach_max = 80;

enum { TOP_MAX = 128, LANE_BYTES_MAX = 2 << 20 };

/* A label without upper limit, or with one that the length makes void. */
static bool at_least(const lc_seq *seq)
{
    return seq->label.hi >= seq->length;
}

static size_t top_of(const lc_seq *seq)
{
    return at_least(seq) ? seq->label.lo : seq->label.hi;
}

/* Sequences of fewer than three times as many frames fit, when this is the largest count of their label. */
static size_t steps_max(size_t top)
{
    size_t step_bytes = (3 * 2 + top + 1 + LC_ROW_ZEROS) * sizeof(double); /* odds, p and a row */
    return LANE_BYTES_MAX / step_bytes;
}

bool lc_lanes_fit(const lc_seq *seq)
{
    size_t top = top_of(seq);
    return seq->reach <= reach_max && top <= TOP_MAX && seq->length / 3 < steps_max(top);
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

static void job_size(lc_lane_job *job, size_t frames, size_t top)
{
    job->steps = (frames + 5) / 6 * 2; /* of three frames, taken two at a time */
    job->states = top + 1;
}

static void job_measure(lc_lane_job *job, const lc_lane_slot *slots, size_t n)
{
    size_t frames = 0, top = 0;
    for (size_t l = 0; l < n; l++) {
        const lc_seq *seq = slots[l].seq;
        frames = seq->length > frames ? seq->length : frames;
        top = top_of(seq) > top ? top_of(seq) : top;
    }
    job_size(job, frames, top);
}

static void job_layout(lc_lane_job *job, size_t lanes, lc_arena *arena)
{
    job->odds = lc_arena_take(arena, 3 * job->steps * lanes, sizeof(double));
    job->posterior = lc_arena_take(arena, 3 * job->steps * lanes, sizeof(double));
    job->rows = lc_arena_take(arena, (job->steps + 1) * (job->states + LC_ROW_ZEROS) * lanes, sizeof(double));
    job->beta = lc_arena_take(arena, job->states * lanes, sizeof(double));
}

/* A long sequence beside a large label would need rows for both at once (T = 75000 with 1 event and T = 300 with 128:
 * 109 MiB and 37 times the time of each alone). Such a group runs in halves. */
static bool too_large(const lc_lane_job *job, size_t n)
{
    return n > 1 && job->steps > steps_max(job->states - 1);
}

size_t lc_lanes_local(const lc_count_kernels *kernels, const lc_lane_slot *slots, size_t n)
{
    lc_lane_job job;
    lc_arena arena = {0};
    job_measure(&job, slots, n);
    if (too_large(&job, n)) {
        size_t first = lc_lanes_local(kernels, slots, n / 2),
               second = lc_lanes_local(kernels, slots + n / 2, n - n / 2);
        return first > second ? first : second;
    }
    job_layout(&job, kernels->lanes, &arena);
    return arena.used;
}

size_t lc_lanes_local_most(const lc_count_kernels *kernels, size_t frames)
{
    size_t most = 0;
    for (size_t top = 0; top <= TOP_MAX; top++) {
        size_t longest = 3 * steps_max(top) - 1;
        lc_lane_job job;
        lc_arena arena = {0};
        job_size(&job, frames < longest ? frames : longest, top);
        job_layout(&job, kernels->lanes, &arena);
        most = arena.used > most ? arena.used : most;
    }
    return most;
}

static bool plain_floats(const lc_strided *s)
{
    return s->single && s->stride == 1 && s->data != NULL;
}

/* The frames that all lanes have, when there is a sequence in each, and logits and gradient are plain arrays of
 * floats: the kernel then reads and writes them itself, `lanes` frames at a time, which saves two passes. */
static size_t direct_frames(const lc_lane_slot *slots, size_t lanes, size_t n)
{
    size_t common = SIZE_MAX;
    for (size_t l = 0; l < n; l++) {
        const lc_seq *seq = slots[l].seq;
        if (n < lanes || !plain_floats(&seq->logits) || !plain_floats(&seq->grad))
            return 0;
        common = seq->length < common ? seq->length : common;
    }
    return common - common % n;
}

/* Lane l takes a sequence, whose frames before job->direct the kernel will read. */
static void lane_fill(lc_lane_job *job, size_t lanes, size_t l, const lc_seq *seq)
{
    job->length[l] = seq->length;
    job->lo[l] = seq->label.lo;
    job->top[l] = top_of(seq);
    job->at_least[l] = at_least(seq);
    job->from[l] = seq->logits.data;
    job->to[l] = seq->grad.data;
    lc_strided_read(&seq->logits, job->direct, seq->length - job->direct, job->odds + job->direct * lanes + l, lanes);
}

/* A lane without a sequence holds the label 0 on no frames. */
static void job_fill(lc_lane_job *job, size_t lanes, const lc_lane_slot *slots, size_t n)
{
    job->direct = direct_frames(slots, lanes, n);
    for (size_t l = 0; l < lanes; l++) {
        job->length[l] = job->lo[l] = job->top[l] = 0;
        job->at_least[l] = false;
        if (l < n)
            lane_fill(job, lanes, l, slots[l].seq);
        for (size_t t = job->length[l]; t < 3 * job->steps; t++)
            job->odds[t * lanes + l] = LC_LANE_PADDING;
    }
}

void lc_lanes_run(const lc_count_kernels *kernels, lc_lane_slot *slots, size_t n, const lc_block *memory)
{
    lc_lane_job job;
    size_t lanes = kernels->lanes;
    lc_arena arena = lc_arena_over(memory);
    job_measure(&job, slots, n);
    if (too_large(&job, n)) {
        lc_lanes_run(kernels, slots, n / 2, memory);
        lc_lanes_run(kernels, slots + n / 2, n - n / 2, memory);
        return;
    }
    job_layout(&job, lanes, &arena);
    job_fill(&job, lanes, slots, n);
    kernels->lanes_run(&job);
    for (size_t l = 0; l < n; l++) {
        lc_seq *seq = slots[l].seq;
        slots[l].done = job.done[l];
        if (!job.done[l])
            continue;
        seq->loss = job.loss[l];
        lc_strided_write(&seq->grad, job.direct, seq->length - job.direct, job.odds + job.direct * lanes + l, lanes);
        lc_strided_write(&seq->posterior, 0, seq->length, job.posterior + l, lanes);
    }
}

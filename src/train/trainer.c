/* SPDX-License-Identifier: MIT
 * trainer.c - one training step on a batch of sequences. The loss of each, from counts or from times, is in
 * objective.c. */
#include "train/trainer.h"

#include "base/status.h"
#include "count/count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One thread's memory. */
typedef struct train_worker {
    lc_tape tape;
    loco_count *count;
    loco_count_item *items; /* classes */
} train_worker;

/* What became of one sequence, beside its cost. */
typedef struct outcome {
    loco_status status;
    loco_err err;
} outcome;

/* What several processes exchange. Borders are in bytes, team size + 1 of each. */
typedef struct train_exchange {
    float *out;      /* (own lanes, grads), in the order in which it is sent: a part for each process */
    float *in;       /* (lanes, own part of grads) */
    lc_cost *packed; /* batch */
    size_t *out_borders, *in_borders, *sum_borders;
} train_exchange;

struct lc_trainer {
    const lc_net *net;
    lc_schedule schedule;
    lc_pool *pool;
    lc_block block; /* optimiser, packed, lanes, outcomes, and what workers own */
    lc_optimiser optimiser;
    lc_rng rng;
    lc_team *team;         /* NULL: one process */
    size_t lanes_len;      /* of all processes */
    size_t first, own;     /* lanes of this one */
    float *packed, *lanes; /* lanes: (own, grads) */
    train_exchange exchange;
    train_worker *workers;
    outcome *outcomes; /* batch */
    lc_cost *costs;    /* batch, of all processes after a step */
    size_t frames, batch_max, threads;
    size_t whole, chunk;      /* sequences of more than `whole` frames run in chunks; all others on a worker's tape */
    lc_chunked *cut;          /* NULL where there are none of them, as are these: */
    loco_count *count;        /* of all threads */
    float *chunk_lanes;       /* (LC_CHUNK_LANES, grads) of one of them */
    float *logits, *d_logits; /* (frames, classes) */
    const lc_example *batch;  /* of the step that is running */
    size_t batch_len;
    uint64_t seed; /* of this step's dropout */
};

/* ---- construction ---- */

/* Whether any sequence may be too long for a tape, so that memory for chunks is needed. */
static bool has_long(const lc_trainer *t)
{
    return t->frames > t->whole;
}

/* Frames of the longest sequence on a tape. */
static size_t tape_frames(const lc_trainer *t)
{
    return has_long(t) ? t->whole : t->frames;
}

static size_t grads_border(const lc_trainer *t, unsigned rank)
{
    return lc_team_border(t->team, t->net->grads, rank);
}

/* Only for several processes. */
static void layout_exchange(lc_trainer *t, lc_arena *arena)
{
    unsigned size = lc_team_size(t->team), rank = lc_team_rank(t->team);
    size_t part = grads_border(t, rank + 1) - grads_border(t, rank);
    train_exchange *x = &t->exchange;
    x->out = lc_arena_take(arena, t->own * t->net->grads, sizeof(float));
    x->in = lc_arena_take(arena, t->lanes_len * part, sizeof(float));
    x->packed = lc_arena_take(arena, t->batch_max, sizeof(lc_cost));
    x->out_borders = lc_arena_take(arena, size + 1, sizeof(size_t));
    x->in_borders = lc_arena_take(arena, size + 1, sizeof(size_t));
    x->sum_borders = lc_arena_take(arena, size + 1, sizeof(size_t));
    for (unsigned r = 0; arena->base != NULL && r <= size; r++) {
        x->out_borders[r] = t->own * grads_border(t, r) * sizeof(float);
        x->in_borders[r] = part * lc_team_border(t->team, t->lanes_len, r) * sizeof(float);
        x->sum_borders[r] = grads_border(t, r) * sizeof(float);
    }
}

/* Runs twice: once to measure, once to hand out. */
static void layout(lc_trainer *t, lc_arena *arena)
{
    const lc_net *net = t->net;
    size_t longs = has_long(t) ? t->frames : 0;
    t->logits = lc_arena_take(arena, longs, lc_net_outputs(net) * sizeof(float));
    t->d_logits = lc_arena_take(arena, longs, lc_net_outputs(net) * sizeof(float));
    lc_optimiser_layout(&t->optimiser, net->params, arena);
    t->packed = lc_arena_take(arena, net->packed, sizeof(float));
    t->lanes = lc_arena_take(arena, t->own * net->grads, sizeof(float));
    t->chunk_lanes = lc_arena_take(arena, has_long(t) ? LC_CHUNK_LANES * net->grads : 0, sizeof(float));
    t->outcomes = lc_arena_take(arena, t->batch_max, sizeof(outcome));
    t->costs = lc_arena_take(arena, t->batch_max, sizeof(lc_cost));
    if (t->team != NULL)
        layout_exchange(t, arena);
    for (size_t i = 0; i < t->threads; i++) {
        lc_tape_layout(&t->workers[i].tape, net, tape_frames(t), arena);
        t->workers[i].items = lc_arena_take(arena, net->classes, sizeof(loco_count_item));
    }
}

/* What sequences that run in chunks need besides. */
static loco_status allocate_long(lc_trainer *t, loco_err *err)
{
    loco_status status = lc_chunked_new(&t->cut, t->net, t->frames, t->chunk, t->pool, err);
    if (status == LOCO_OK)
        status = loco_count_new(&t->count, (unsigned)t->threads, err);
    return status == LOCO_OK ? lc_count_prepare(t->count, t->frames * t->net->places, t->net->classes, err) : status;
}

/* All memory of a step; the count loss prepares its own, too. */
static loco_status allocate(lc_trainer *t, unsigned threads, size_t memory, loco_err *err)
{
    lc_arena arena = {0};
    t->workers = calloc(threads, sizeof *t->workers);
    if (t->workers == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %u threads", threads);
    t->threads = threads;
    layout(t, &arena);
    if (memory > 0 && arena.used > memory)
        return lc_err_set(
            err, LOCO_EDATA,
            "training on %zu frames at a time needs %zu MiB for the network, more than the %zu that it may "
            "take; cut the clips, use fewer threads, or allow more memory",
            t->frames, arena.used >> 20, memory >> 20);
    /* the margins of the maps are never written and must be zeros */
    if (!lc_block_zeros(&t->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory: training on %zu frames at a time needs %zu bytes",
                          t->frames, arena.used);
    arena = lc_arena_over(&t->block);
    layout(t, &arena);
    loco_status status = lc_pool_new(&t->pool, threads, err);
    for (size_t i = 0; status == LOCO_OK && i < threads; i++) {
        status = loco_count_new(&t->workers[i].count, 1, err);
        if (status == LOCO_OK)
            status = lc_count_prepare(t->workers[i].count, tape_frames(t) * t->net->places, t->net->classes, err);
    }
    return status == LOCO_OK && has_long(t) ? allocate_long(t, err) : status;
}

/* Where sequences run in chunks there is memory for these: then clips of a group of chunks run as fast there, and tapes
 * can be small. */
static void choose_limits(lc_trainer *t)
{
    size_t group;
    t->whole = lc_chunked_whole(t->net);
    t->chunk = lc_chunked_chunk(t->net);
    group = LC_CHUNK_LANES * t->chunk;
    if (t->frames > t->whole && group < t->whole)
        t->whole = group;
}

/* This process's part of the lanes. */
static loco_status choose_lanes(lc_trainer *t, const lc_trainer_options *options, loco_err *err)
{
    unsigned rank = lc_team_rank(options->team), size = lc_team_size(options->team);
    t->team = options->team;
    t->lanes_len = options->lanes > 0 ? options->lanes : LC_GRADIENT_LANES;
    t->first = lc_team_border(t->team, t->lanes_len, rank);
    t->own = lc_team_border(t->team, t->lanes_len, rank + 1) - t->first;
    if (size <= t->lanes_len)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EARG,
                      "%u processes share %zu lanes of a step; start at most %zu, or set lanes=%u, which gives a model "
                      "of its own",
                      size, t->lanes_len, t->lanes_len, size);
}

loco_status lc_trainer_new(lc_trainer **out, const lc_net *net, const lc_schedule *schedule,
                           const lc_trainer_options *options, loco_err *err)
{
    lc_trainer *t = calloc(1, sizeof *t);
    if (t == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a trainer");
    *t = (lc_trainer){.net = net,
                      .schedule = *schedule,
                      .frames = options->frames,
                      .whole = options->whole,
                      .chunk = options->chunk,
                      .batch_max = options->batch,
                      .rng = lc_rng_seed(options->seed)};
    if (options->whole == 0)
        choose_limits(t);
    double bias = 0;
    loco_status status = choose_lanes(t, options, err);
    if (status == LOCO_OK)
        status = loco_count_bias(&bias, schedule->start > 0 ? schedule->start : 0.8, t->frames * net->places, err);
    if (status == LOCO_OK && has_long(t))
        status = lc_chunked_check(net, t->frames, err);
    if (status == LOCO_OK)
        status = allocate(t, options->threads, options->memory, err);
    if (status != LOCO_OK) {
        lc_trainer_free(t);
        return status;
    }
    lc_net_init(net, t->optimiser.params, 0.1, bias, &t->rng);
    memcpy(t->optimiser.average, t->optimiser.params, net->params * sizeof(float));
    *out = t;
    return LOCO_OK;
}

void lc_trainer_free(lc_trainer *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->threads; i++)
        loco_count_free(t->workers[i].count);
    loco_count_free(t->count);
    lc_chunked_free(t->cut);
    lc_pool_free(t->pool);
    lc_block_free(&t->block);
    free(t->workers);
    free(t);
}

lc_optimiser *lc_trainer_state(lc_trainer *t)
{
    return &t->optimiser;
}

lc_rng *lc_trainer_rng(lc_trainer *t)
{
    return &t->rng;
}

/* ---- one sequence ---- */

/* Forward pass, loss and backward pass of sequence b; adds its gradient to grads. The gradient of the logits is
 * divided by the batch, so that the sum over sequences is the mean. */
static void run_example(lc_trainer *t, train_worker *w, size_t b, float *grads)
{
    const lc_example *e = &t->batch[b];
    outcome *o = &t->outcomes[b];
    size_t size = t->net->in_F * t->net->in_C;
    /* by place in the batch, not by thread: the same dropout on any number of threads */
    lc_rng rng = lc_rng_seed(t->seed + b);
    lc_map in = lc_tape_input(&w->tape, t->net, e->T);
    for (size_t i = 0; i < e->T; i++)
        memcpy(in.data + i * in.row, e->frames + i * size, size * sizeof(float));
    lc_map out = lc_net_forward(t->net, &w->tape, t->packed, &rng);
    lc_map d_out = lc_tape_d_output(&w->tape, t->net);
    lc_objective objective = {
        w->count,      w->items, t->net->classes, lc_net_sequence(t->net, out), lc_net_sequence(t->net, d_out),
        t->net->places};
    o->status = lc_objective_run(&t->costs[b], &objective, e, &o->err);
    float scale = 1 / (float)t->batch_len;
    for (size_t i = e->begin; i < e->end; i++)
        for (size_t k = 0; k < lc_net_outputs(t->net); k++)
            d_out.data[i * d_out.row + k] *= scale;
    if (o->status == LOCO_OK)
        lc_net_backward(t->net, &w->tape, t->packed, grads);
}

/* The gradient of a sequence in chunks, added to that of its lane. */
static void add_chunks(lc_trainer *t, size_t b)
{
    size_t grads = t->net->grads;
    float *sum = t->chunk_lanes, *lane = t->lanes + (b % t->lanes_len - t->first) * grads;
    memset(sum, 0, LC_CHUNK_LANES * grads * sizeof *sum);
    lc_chunked_backward(t->cut, t->d_logits, sum);
    for (size_t i = 1; i < LC_CHUNK_LANES; i++)
        for (size_t k = 0; k < grads; k++)
            sum[k] += sum[i * grads + k];
    for (size_t k = 0; k < grads; k++)
        lane[k] += sum[k];
}

/* The same in chunks, by all threads: the loss sees all frames at once. */
static void run_long(lc_trainer *t, size_t b)
{
    const lc_example *e = &t->batch[b];
    outcome *o = &t->outcomes[b];
    size_t K = lc_net_outputs(t->net);
    lc_rng rng = lc_rng_seed(t->seed + b);
    uint64_t seed = lc_rng_next(&rng);
    lc_map out = lc_net_sequence(t->net, (lc_map){.data = t->logits, .T = e->T, .C = t->net->classes, .row = K});
    lc_map d_out = out;
    d_out.data = t->d_logits;
    lc_chunked_forward(t->cut, t->packed, e->frames, e->T, &seed, t->logits);
    memset(t->d_logits, 0, e->T * K * sizeof(float));
    lc_objective objective = {t->count, t->workers[0].items, t->net->classes, out, d_out, t->net->places};
    o->status = lc_objective_run(&t->costs[b], &objective, e, &o->err);
    for (size_t i = e->begin * K; i < e->end * K; i++)
        t->d_logits[i] *= 1 / (float)t->batch_len;
    if (o->status == LOCO_OK)
        add_chunks(t, b);
}

/* Sequences lane, lane + lanes_len, ... in this order, whichever thread runs the lane; `own` is its number here. */
static void run_lane(void *context, size_t own, unsigned thread)
{
    lc_trainer *t = context;
    float *grads = t->lanes + own * t->net->grads;
    memset(grads, 0, t->net->grads * sizeof *grads);
    for (size_t b = t->first + own; b < t->batch_len; b += t->lanes_len)
        if (t->batch[b].T <= t->whole)
            run_example(t, &t->workers[thread], b, grads);
}

/* ---- one step ---- */

/* Impossible labels would have a loss of infinity. */
static loco_status check_labels(const lc_trainer *t, const lc_example *e, size_t b, loco_err *err)
{
    char label[64];
    size_t most = (e->end - e->begin) * t->net->places;
    for (size_t k = 0; e->labels != NULL && k < t->net->classes; k++) {
        loco_label_format(label, sizeof label, e->labels[k]);
        if (e->labels[k].lo > e->labels[k].hi || e->labels[k].lo > most)
            return lc_err_set(
                err, LOCO_EDATA,
                "sequence %zu, class %zu: label %s is impossible for %zu frames; use more frames a second, or correct "
                "the label",
                b, k, label, most);
        if (!lc_objective_takes(e->loss, e->labels[k]))
            return lc_err_set(err, LOCO_EDATA,
                              "sequence %zu, class %zu: label %s; regression learns from exact counts alone", b, k,
                              label);
    }
    for (size_t s = 0; e->labels != NULL && s < e->sums_len; s++)
        if (e->labels[t->net->classes + s].lo > most * e->sums[s].members_len || e->room == NULL)
            return lc_err_set(err, LOCO_EDATA, "sequence %zu: %.60s has more events than its classes have frames", b,
                              e->sums[s].name);
    return LOCO_OK;
}

/* All that could make a step read or write out of bounds, or leave it without a loss. */
static loco_status check_example(const lc_trainer *t, const lc_example *e, size_t b, loco_err *err)
{
    if (e->frames == NULL || e->T == 0)
        return lc_err_set(err, LOCO_EARG, "sequence %zu has no frames; leave empty clips out of the batch", b);
    if (e->T > t->frames)
        return lc_err_set(err, LOCO_EARG,
                          "sequence %zu has %zu frames, more than the %zu that the trainer was made for", b, e->T,
                          t->frames);
    if (e->begin >= e->end || e->end > t->frames || e->end > e->T)
        return lc_err_set(err, LOCO_EARG, "sequence %zu: frames %zu to %zu are not a part of its %zu frames", b,
                          e->begin, e->end, e->T);
    if (e->labels == NULL && e->events == NULL)
        return lc_err_set(err, LOCO_EARG, "sequence %zu has neither counts nor event times to learn from", b);
    return check_labels(t, e, b, err);
}

/* Weights in the order in which the kernels read them. */
static void pack_layer(void *context, size_t i, unsigned thread)
{
    lc_trainer *t = context;
    (void)thread;
    lc_net_pack_layer(t->net, i, t->optimiser.params, t->packed);
}

/* Of layer i: adds the lanes in order, where one process has them all, and the result to the gradient of the
 * parameters. */
static void collect_layer(void *context, size_t i, unsigned thread)
{
    lc_trainer *t = context;
    const lc_layer *layer = &t->net->layers[i];
    float *sum = t->lanes + layer->grads.at;
    (void)thread;
    for (size_t lane = 1; t->team == NULL && lane < t->lanes_len; lane++)
        for (size_t k = 0; k < layer->grads.size; k++)
            sum[k] += sum[lane * t->net->grads + k];
    memset(t->optimiser.grads + layer->params.at, 0, layer->params.size * sizeof(float));
    lc_net_unpack_layer(t->net, i, t->lanes, t->optimiser.grads);
}

/* The sum of the lanes of all processes, in place of the first lane: this process adds its part of all lanes, in the
 * same order as one process would, and gets the other parts. */
static void exchange_lanes(lc_trainer *t)
{
    const train_exchange *x = &t->exchange;
    unsigned rank = lc_team_rank(t->team);
    size_t begin = grads_border(t, rank), part = grads_border(t, rank + 1) - begin;
    float *to = x->out;
    for (unsigned r = 0; r < lc_team_size(t->team); r++)
        for (size_t lane = 0; lane < t->own; lane++) {
            size_t from = grads_border(t, r), n = grads_border(t, r + 1) - from;
            memcpy(to, t->lanes + lane * t->net->grads + from, n * sizeof *to);
            to += n;
        }
    lc_team_deal(t->team, x->out, x->out_borders, x->in, x->in_borders);
    for (size_t lane = 1; lane < t->lanes_len; lane++)
        for (size_t k = 0; k < part; k++)
            x->in[k] += x->in[lane * part + k];
    memcpy(t->lanes + begin, x->in, part * sizeof(float));
    lc_team_gather(t->team, t->lanes, x->sum_borders);
}

/* In the order of the batch: which failure is reported does not depend on the threads either. */
static loco_status first_failure(const lc_trainer *t, loco_err *err)
{
    for (size_t b = 0; b < t->batch_len; b++) {
        const outcome *o = &t->outcomes[b];
        if (lc_team_has(t->team, t->lanes_len, b) && o->status != LOCO_OK)
            return lc_err_set(err, o->status,
                              "sequence %zu: %.150s (if the network has diverged, lower the learning rate)", b,
                              o->err.text);
    }
    return LOCO_OK;
}

/* Added in the order of the batch, whoever has run what. */
static lc_step_report summarise(const lc_trainer *t)
{
    lc_cost sum = {0};
    for (size_t b = 0; b < t->batch_len; b++)
        lc_cost_add(&sum, &t->costs[b]);
    return (lc_step_report){.loss = sum.loss / (double)t->batch_len,
                            .count_hit = sum.exact > 0 ? (double)sum.hit / (double)sum.exact : 0,
                            .mean_count = sum.exact > 0 ? sum.counts / (double)sum.exact : 0,
                            .count_error = sum.counts > 0 ? sum.off / sum.counts : 0};
}

/* The sequences of this process, checked before any is run. */
static loco_status run_own(lc_trainer *t, const lc_example *batch, size_t n, loco_err *err)
{
    for (size_t b = 0; b < n; b++) {
        loco_status status = lc_team_has(t->team, t->lanes_len, b) ? check_example(t, &batch[b], b, err) : LOCO_OK;
        if (status != LOCO_OK)
            return status;
    }
    /* threads only read the trainer from here to where they collect, but for their own worker, their lanes and outcomes */
    t->batch = batch;
    t->batch_len = n;
    lc_pool_run(t->pool, t->net->layers_len, pack_layer, t);
    lc_pool_run(t->pool, t->own, run_lane, t);
    for (size_t b = 0; b < n; b++)
        if (lc_team_has(t->team, t->lanes_len, b) && batch[b].T > t->whole)
            run_long(t, b);
    return first_failure(t, err);
}

loco_status lc_trainer_step(lc_trainer *t, const lc_example *batch, size_t n, lc_step_report *report, loco_err *err)
{
    if (n == 0 || batch == NULL)
        return lc_err_set(err, LOCO_EARG, "the batch is empty; a step needs at least one sequence");
    if (n > t->batch_max)
        return lc_err_set(err, LOCO_EARG, "%zu sequences are more than the %zu that the trainer was made for", n,
                          t->batch_max);
    lc_rng rng = t->rng;
    t->seed = lc_rng_next(&rng);
    loco_status status = lc_team_settle(t->team, run_own(t, batch, n, err), err);
    if (status != LOCO_OK)
        return status;
    lc_team_gather_items(t->team, t->lanes_len, t->costs, n, sizeof *t->costs, t->exchange.packed);
    lc_step_report result = summarise(t);
    if (t->team != NULL)
        exchange_lanes(t);
    lc_pool_run(t->pool, t->net->layers_len, collect_layer, t);
    result.norm = lc_optimiser_step(&t->optimiser, &t->schedule);
    if (!isfinite(result.norm))
        return lc_err_set(
            err, LOCO_EDATA,
            "the gradient of step %llu is not finite; lower the learning rate, or check the frames for NaN",
            (unsigned long long)t->optimiser.step);
    t->rng = rng; /* not before: a step that fails changes nothing */
    *report = result;
    return LOCO_OK;
}

loco_status lc_trainer_logits(lc_trainer *t, const float *frames, size_t T, float *logits, loco_err *err)
{
    size_t size = t->net->in_F * t->net->in_C, K = lc_net_outputs(t->net);
    if (T == 0 || T > t->frames)
        return lc_err_set(err, LOCO_EARG, "%zu frames; the trainer was made for 1 to %zu", T, t->frames);
    lc_tape *tape = &t->workers[0].tape;
    /* overwrites the packed weights of the last step; the next one packs its own */
    lc_net_pack(t->net, t->optimiser.average, t->packed);
    if (T > t->whole) {
        lc_chunked_forward(t->cut, t->packed, frames, T, NULL, logits);
        return LOCO_OK;
    }
    lc_map in = lc_tape_input(tape, t->net, T);
    for (size_t i = 0; i < T; i++)
        memcpy(in.data + i * in.row, frames + i * size, size * sizeof(float));
    lc_map out = lc_net_forward(t->net, tape, t->packed, NULL);
    for (size_t i = 0; i < T; i++)
        memcpy(logits + i * K, out.data + i * out.row, K * sizeof(float));
    return LOCO_OK;
}

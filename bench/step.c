/* SPDX-License-Identifier: MIT
 * step.c - times whole training steps of the published networks: `step PRESET THREADS BATCH FRAMES SECONDS [PLUGIN
 *   PROCESSES]`, the last two where MPI has started several of it, such as loco_mpi_openmpi.so and 2 (bench/scale).
 *   Prints one JSON object: the smallest time of a step, the memory of the trainer, the loss of the first step, the median
 *   of a step and of its processor time (of the first process); of several processes also the times of the exchange of
 *   gradients and of a word, when all begin together, and what a process sends for it.
 *   bench/run sets it beside PyTorch. Sequences of frames of noise with counts 0..11 in every class: the work does
 *   not depend on the data. */
#include "clock.h"

#include "model/presets.h"
#include "train/trainer.h"

enum { FRAMES_MAX = 4096, BATCH_MAX = 256 };

static int fail(const char *text)
{
    fprintf(stderr, "bench/step: %s\n", text);
    return 2;
}

/* Noise, and random counts; the examples point into both, which live as long as the program. */
static bool fill(lc_example *batch, size_t n, size_t T, const lc_net *net)
{
    static float *frames;
    static loco_label *labels;
    size_t size = T * net->in_F * net->in_C;
    lc_rng rng = lc_rng_seed(1);
    frames = malloc(n * size * sizeof *frames);
    labels = malloc(n * net->classes * sizeof *labels);
    if (frames == NULL || labels == NULL)
        return false;
    for (size_t i = 0; i < n * size; i++)
        frames[i] = (float)lc_rng_normal(&rng);
    for (size_t i = 0; i < n * net->classes; i++)
        labels[i] = loco_label_exact(lc_rng_next(&rng) % 12);
    for (size_t b = 0; b < n; b++)
        batch[b] = (lc_example){.frames = frames + b * size, .T = T, .end = T, .labels = labels + b * net->classes};
    return true;
}

enum { MOST_TIMES = 4096, MOST_PROCESSES = 64 };

/* Times of the same thing, in seconds. */
typedef struct times {
    double all[MOST_TIMES];
    size_t len;
} times;

static int by_time(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static double median(times *t)
{
    qsort(t->all, t->len, sizeof *t->all, by_time);
    return t->all[t->len / 2];
}

static void add_time(times *t, double seconds)
{
    t->all[t->len++ % MOST_TIMES] = seconds;
    t->len = t->len > MOST_TIMES ? MOST_TIMES : t->len;
}

/* Whether there is time for more; of several processes the first one's clock counts. */
static bool goes_on(lc_team *team, const times *t, double end)
{
    bool go = t->len < 2 || (now() < end && t->len < MOST_TIMES);
    lc_team_spread(team, &go, sizeof go);
    return go;
}

/* At least two steps, and their processor time; false after an error. */
static bool time_steps(times *t, times *cpu, lc_team *team, lc_trainer *trainer, const lc_example *batch, size_t n,
                       double seconds, double *loss, loco_err *err)
{
    double end = now() + seconds;
    lc_step_report report;
    while (goes_on(team, t, end)) {
        double start = now(), used = processor_time();
        if (lc_trainer_step(trainer, batch, n, &report, err) != LOCO_OK)
            return false;
        add_time(t, now() - start);
        add_time(cpu, processor_time() - used);
        *loss = t->len == 1 ? report.loss : *loss;
    }
    return true;
}

/* The exchange of a step, as in trainer.c: lanes to where their part is added up, and the sums to all. */
static size_t time_exchange(times *exchange, times *word, lc_team *team, size_t grads, double seconds)
{
    unsigned rank = lc_team_rank(team), size = lc_team_size(team);
    size_t own = lc_team_border(team, LC_GRADIENT_LANES, rank + 1) - lc_team_border(team, LC_GRADIENT_LANES, rank);
    size_t part = lc_team_border(team, grads, rank + 1) - lc_team_border(team, grads, rank);
    size_t out[MOST_PROCESSES + 1], in[MOST_PROCESSES + 1], sum[MOST_PROCESSES + 1];
    float *from = calloc(own * grads, sizeof *from), *to = calloc(LC_GRADIENT_LANES * part, sizeof *to);
    double end = now() + seconds;
    for (unsigned r = 0; r <= size; r++) {
        sum[r] = lc_team_border(team, grads, r) * sizeof *from;
        out[r] = own * sum[r];
        in[r] = lc_team_border(team, LC_GRADIENT_LANES, r) * part * sizeof *from;
    }
    while (from != NULL && to != NULL && goes_on(team, word, end)) {
        double start = now();
        if (lc_team_settle(team, LOCO_OK, NULL) != LOCO_OK)
            break;
        add_time(word, now() - start);
        start = now();
        lc_team_deal(team, from, out, to, in);
        for (size_t lane = 1; lane < LC_GRADIENT_LANES; lane++)
            for (size_t k = 0; k < part; k++)
                to[k] += to[lane * part + k];
        lc_team_gather(team, from, sum);
        add_time(exchange, now() - start);
    }
    free(from);
    free(to);
    return (own * (grads - part) + part * (size - 1)) * sizeof *from;
}

static void print_team(lc_team *team, size_t grads, double seconds)
{
    static times exchange, word;
    size_t bytes = time_exchange(&exchange, &word, team, grads, seconds / 4);
    if (lc_team_rank(team) > 0)
        return;
    double exchanged = median(&exchange), one = median(&word);
    printf(",\"processes\":%u,\"exchange_ms\":%.4f,\"exchange_best_ms\":%.4f,\"word_ms\":%.4f,"
           "\"word_best_ms\":%.4f,\"bytes\":%zu,\"grads\":%zu",
           lc_team_size(team), 1e3 * exchanged, 1e3 * exchange.all[0], 1e3 * one, 1e3 * word.all[0], bytes, grads);
}

static int run(const lc_preset *chosen, unsigned threads, size_t n, size_t T, double seconds, lc_team *team)
{
    static lc_net net;
    static lc_example batch[BATCH_MAX];
    loco_err err;
    lc_trainer *trainer;
    lc_schedule schedule = {.rate = 1e-4, .clip = 10};
    lc_trainer_options options = {.frames = T, .batch = n, .threads = threads, .seed = 1, .team = team};
    static times steps, cpu;
    double loss = 0;
    if (lc_net_parse(&net, chosen->line, strlen(chosen->line), chosen->F, chosen->C, &err) != LOCO_OK ||
        lc_trainer_new(&trainer, &net, &schedule, &options, &err) != LOCO_OK)
        return fail(err.text);
    if (!fill(batch, n, T, &net))
        return fail("out of memory");
    bool good = time_steps(&steps, &cpu, team, trainer, batch, n, seconds, &loss, &err);
    lc_trainer_free(trainer);
    if (!good)
        return fail(err.text);
    median(&steps);
    if (lc_team_rank(team) == 0)
        printf("{\"ms\":%.3f,\"mb\":%.1f,\"loss\":%.5f,\"median_ms\":%.3f,\"cpu_ms\":%.3f", 1e3 * steps.all[0],
               peak_mb(), loss, 1e3 * steps.all[steps.len / 2], 1e3 * median(&cpu));
    if (team != NULL)
        print_team(team, net.grads, seconds);
    if (lc_team_rank(team) == 0)
        puts("}");
    return 0;
}

int main(int argc, char **argv)
{
    lc_team *team = NULL;
    loco_err err;
    if (argc != 6 && argc != 8)
        return fail("usage: step PRESET THREADS BATCH FRAMES SECONDS [PLUGIN PROCESSES]");
    const lc_preset *preset = lc_preset_find(argv[1]);
    if (preset == NULL)
        return fail("no preset has this name; see src/nn/presets.c");
    long threads = strtol(argv[2], NULL, 10), batch = strtol(argv[3], NULL, 10), frames = strtol(argv[4], NULL, 10);
    if (threads < 1 || threads > 64 || batch < 1 || batch > BATCH_MAX || frames < 12 || frames > FRAMES_MAX)
        return fail("1 to 64 threads, 1 to 256 sequences and 12 to 4096 frames");
    if (argc == 8 && lc_team_join(&team, argv[6], (unsigned)strtoul(argv[7], NULL, 10), &err) != LOCO_OK)
        return fail(err.text);
    if (lc_team_size(team) > MOST_PROCESSES)
        return fail("at most 64 processes");
    int status = run(preset, (unsigned)threads, (size_t)batch, (size_t)frames, strtod(argv[5], NULL), team);
    lc_team_leave(team);
    return status;
}

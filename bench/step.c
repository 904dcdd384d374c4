/* SPDX-License-Identifier: MIT
 * step.c - times whole training steps of the published networks: `step PRESET THREADS BATCH FRAMES SECONDS`.
 *   Prints one JSON object: the smallest time of a step, the memory of the trainer, the loss of the first step.
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

/* The smallest time of a step, for at least two steps; negative after an error. */
static double best_step(lc_trainer *trainer, const lc_example *batch, size_t n, double seconds, double *loss,
                        loco_err *err)
{
    double best = 1e9, end = now() + seconds;
    lc_step_report report;
    for (size_t i = 0; i < 2 || now() < end; i++) {
        double start = now();
        if (lc_trainer_step(trainer, batch, n, &report, err) != LOCO_OK)
            return -1;
        double took = now() - start;
        best = took < best ? took : best;
        *loss = i == 0 ? report.loss : *loss;
    }
    return best;
}

static int run(const lc_preset *chosen, unsigned threads, size_t n, size_t T, double seconds)
{
    static lc_net net;
    static lc_example batch[BATCH_MAX];
    loco_err err;
    lc_trainer *trainer;
    lc_schedule schedule = {.rate = 1e-4, .clip = 10};
    lc_trainer_options options = {.frames = T, .batch = n, .threads = threads, .seed = 1};
    double loss = 0;
    if (lc_net_parse(&net, chosen->line, strlen(chosen->line), chosen->F, chosen->C, &err) != LOCO_OK ||
        lc_trainer_new(&trainer, &net, &schedule, &options, &err) != LOCO_OK)
        return fail(err.text);
    if (!fill(batch, n, T, &net))
        return fail("out of memory");
    double best = best_step(trainer, batch, n, seconds, &loss, &err);
    lc_trainer_free(trainer);
    if (best < 0)
        return fail(err.text);
    printf("{\"ms\":%.3f,\"mb\":%.1f,\"loss\":%.5f}\n", 1e3 * best, peak_mb(), loss);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return fail("usage: step PRESET THREADS BATCH FRAMES SECONDS");
    const lc_preset *preset = lc_preset_find(argv[1]);
    if (preset == NULL)
        return fail("no preset has this name; see src/nn/presets.c");
    long threads = strtol(argv[2], NULL, 10), batch = strtol(argv[3], NULL, 10), frames = strtol(argv[4], NULL, 10);
    if (threads < 1 || threads > 64 || batch < 1 || batch > BATCH_MAX || frames < 12 || frames > FRAMES_MAX)
        return fail("1 to 64 threads, 1 to 256 sequences and 12 to 4096 frames");
    return run(preset, (unsigned)threads, (size_t)batch, (size_t)frames, strtod(argv[5], NULL));
}

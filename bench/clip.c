/* SPDX-License-Identifier: MIT
 * clip.c - times training steps on one long clip with one count: `clip NETWORK FRAMES THREADS SECONDS [CHUNK]`.
 *   NETWORK: conv (that of the preset ecg), gru or lstm (two convolutions, then 24 units), all on three channels. Prints one
 *   JSON object: the smallest time of a step, the most memory that the process has held, with the clip itself, and the
 *   length of its chunks. CHUNK: another length than the default; 0: the whole clip at once, as long as that fits.
 *   One event in 150 frames; a step of at least one. */
#include "clock.h"

#include "train/trainer.h"

enum { F = 1, C = 3, FRAMES_MAX = 100000000 };

typedef struct kind {
    const char *name, *line;
} kind;

static const kind kinds[] = {
    {"conv", "conv 9x1 24, conv 9x1 32, conv 9x1 32, dense 1"},
    {"gru",  "conv 9x1 16, conv 9x1 32, gru 24, dense 1"     },
    {"lstm", "conv 9x1 16, conv 9x1 32, lstm 24, dense 1"    },
    {NULL,   NULL                                            },
};

static int fail(const char *text)
{
    fprintf(stderr, "bench/clip: %s\n", text);
    return 2;
}

static const char *line_of(const char *name)
{
    for (const kind *k = kinds; k->name != NULL; k++)
        if (strcmp(k->name, name) == 0)
            return k->line;
    return NULL;
}

/* chunk: NULL for the default. */
static int run(const lc_net *net, size_t T, unsigned threads, double seconds, const char *chunk)
{
    loco_err err;
    lc_trainer *trainer;
    lc_step_report report;
    lc_schedule schedule = {.rate = 1e-4, .clip = 10};
    lc_rng rng = lc_rng_seed(1);
    loco_label label = loco_label_exact(T / 150);
    static float *frames; /* lives as long as the program */
    frames = malloc(T * F * C * sizeof *frames);
    if (frames == NULL)
        return fail("out of memory");
    for (size_t i = 0; i < T * F * C; i++)
        frames[i] = (float)lc_rng_normal(&rng);
    size_t length = chunk != NULL ? strtoul(chunk, NULL, 10) : lc_chunked_chunk(net);
    lc_trainer_options options = {.frames = T, .batch = 1, .threads = threads, .seed = 1};
    if (chunk != NULL) {
        options.whole = length > 0 ? length : T;
        options.chunk = length;
    }
    if (lc_trainer_new(&trainer, net, &schedule, &options, &err) != LOCO_OK)
        return fail(err.text);
    lc_example clip = {.frames = frames, .T = T, .end = T, .labels = &label};
    double best = 1e9, end = now() + seconds;
    do {
        double start = now();
        if (lc_trainer_step(trainer, &clip, 1, &report, &err) != LOCO_OK)
            return fail(err.text);
        best = now() - start < best ? now() - start : best;
    } while (now() < end);
    lc_trainer_free(trainer);
    printf("{\"ms\":%.3f,\"mb\":%.1f,\"frames\":%zu,\"chunk\":%zu,\"norm\":%.6g}\n", 1e3 * best, peak_mb(), T, length,
           report.norm);
    return 0;
}

int main(int argc, char **argv)
{
    static lc_net net;
    loco_err err;
    if (argc != 5 && argc != 6)
        return fail("usage: clip conv|gru|lstm FRAMES THREADS SECONDS [CHUNK]");
    const char *line = line_of(argv[1]);
    if (line == NULL)
        return fail("the network is conv, gru or lstm");
    long T = strtol(argv[2], NULL, 10), threads = strtol(argv[3], NULL, 10);
    if (T < 150 || T > FRAMES_MAX || threads < 1 || threads > 64)
        return fail("150 to 100000000 frames, 1 to 64 threads");
    if (lc_net_parse(&net, line, strlen(line), F, C, &err) != LOCO_OK)
        return fail(err.text);
    return run(&net, (size_t)T, (unsigned)threads, strtod(argv[4], NULL), argc == 6 ? argv[5] : NULL);
}

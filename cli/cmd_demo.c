/* SPDX-License-Identifier: MIT
 *
 * cmd_demo.c - `loco demo`: one clip from beginning to end, with nothing to download.
 *
 * The clip: 2 s at 200 frames/s with 7 events, and the logits that a half-trained detector might give: 5 clear hits,
 * 2 doubtful ones (p around 0.4, and some of it smeared over the neighbouring frames), a faint false alarm, noise
 * below p = 0.001. The detector's times are off by up to a frame. All of it follows from the seed. The true times are
 * only used to score.
 *
 *     beat       0     1     2     3     4     5     6            7      every 50 frames, events up to 8 frames off
 *     peak     hit   hit   hit   hit   hit   hit   false alarm  hit      two of the hits among 0..5 are doubtful
 *     logit    2 .. 4.5 for a clear hit, -0.5 .. -0.1 for a doubtful one, -2.6 .. -2 for the false alarm
 *
 * A threshold of 1/2 misses the doubtful hits, and a lower one would soon take the false alarm as well; the count tells
 * them apart. That is the whole point of the library, so the numbers are chosen to show it with every seed.
 */
#include "args.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 400, RATE = 200, EVENTS = 7, TOLERANCE = 2 }; /* frames: 10 ms */
static const double threshold = 0.5;                          /* what a detector without the count would use */

typedef struct clip {
    double logits[FRAMES];
    size_t truth[EVENTS]; /* ascending */
} clip;

/* What the library says about the clip. */
typedef struct findings {
    double mean, sd, loss, bias, above, below;
    size_t low, high;
    double posterior[FRAMES];
    uint8_t loud[FRAMES]; /* p > threshold */
    uint8_t best[FRAMES]; /* the most likely set given the count */
    loco_count_limits limits;
} findings;

/* ---- the clip --------------------------------------------------------------------------------------------------- */

/* splitmix64: a counter, mixed; the upper 53 bits as a number in [0, 1). The library's own generator is not public, and
 * the command uses nothing that its users could not use. */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * uniform(state);
}

/* A peak at frame, and some belief left and right of it. */
static void add_hit(clip *c, uint64_t *chance, size_t frame, double peak)
{
    c->logits[frame] = peak;
    c->logits[frame - 1] = between(chance, -5, -3.5);
    c->logits[frame + 1] = between(chance, -5, -3.5);
}

/* Events near a beat of 50 frames, each off by up to 8; on one of the eight beats is only a false alarm. */
static void make_clip(clip *c, uint64_t seed)
{
    enum { FALSE_ALARM = 6 };
    uint64_t chance = seed;
    for (size_t t = 0; t < FRAMES; t++)
        c->logits[t] = between(&chance, -9.5, -7);
    size_t first = (size_t)between(&chance, 0, 3), second = (size_t)between(&chance, 3, 6), event = 0;
    for (size_t beat = 0; beat <= EVENTS; beat++) { /* hits at 16 .. 384, and so with neighbours inside the clip */
        size_t at = 17 + 50 * beat + (size_t)between(&chance, 0, 17);
        size_t seen = at + (size_t)between(&chance, 0, 3) - 1;
        bool doubtful = beat == first || beat == second;
        if (beat == FALSE_ALARM)
            add_hit(c, &chance, seen, between(&chance, -2.6, -2));
        else {
            add_hit(c, &chance, seen, doubtful ? between(&chance, -0.5, -0.1) : between(&chance, 2, 4.5));
            c->truth[event++] = at;
        }
    }
}

/* ---- what the library says --------------------------------------------------------------------------------------- */

static double probability(double logit)
{
    return 1 / (1 + exp(-logit));
}

/* The calls that a reader would make for a clip of his own, one after the other; the first failure ends them. */
static loco_status find(findings *f, loco_count *count, const clip *c, loco_err *err)
{
    const double *z = c->logits;
    loco_label label = loco_label_exact(EVENTS);
    double variance = 0;
    loco_status status = loco_count_moments(z, FRAMES, &f->mean, &variance, err);
    if (status == LOCO_OK)
        status = loco_count_quantile(count, z, FRAMES, 0.05, &f->low, err);
    if (status == LOCO_OK)
        status = loco_count_quantile(count, z, FRAMES, 0.95, &f->high, err);
    if (status == LOCO_OK)
        status = loco_count_loss(count, z, FRAMES, label, &f->loss, NULL, f->posterior, err);
    if (status == LOCO_OK)
        status = loco_count_best(count, z, FRAMES, label, f->best, err);
    if (status == LOCO_OK)
        status = loco_count_bounds(count, z, FRAMES, &f->limits, err);
    if (status == LOCO_OK)
        status = loco_count_excluded(f->loss, &f->above, &f->below, err);
    if (status == LOCO_OK)
        status = loco_count_bias(0.8, FRAMES, &f->bias, err);
    f->sd = sqrt(variance);
    for (size_t t = 0; t < FRAMES; t++)
        f->loud[t] = probability(z[t]) > threshold;
    return status;
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static void print_given(const findings *f)
{
    printf("LoCo finds out when events happen from how many happened.\n\n"
           "Given    a clip of %d frames (%d s at %d frames/s), the probability of an event in each frame as a\n"
           "         half-trained detector might see it, and one number from outside: %d events.\n\n",
           FRAMES, FRAMES / RATE, RATE, EVENTS);
    printf("Alone    the probabilities expect %.2f events, sd %.2f, 90 %% of the time %zu to %zu.\n"
           "         P(count = %d) is %.3f, so the loss to learn from is -log P = %.3f.\n\n",
           f->mean, f->sd, f->low, f->high, EVENTS, exp(-f->loss), f->loss);
}

static void print_events(const clip *c, const findings *f)
{
    printf("Events   time      p alone   p given %d events    p > %.1f   given the count\n", EVENTS, threshold);
    for (size_t t = 0; t < FRAMES; t++)
        if (f->loud[t] || f->best[t])
            printf("         %.3f s   %.3f     %.3f               %-7s   %s\n", (double)t / RATE,
                   probability(c->logits[t]), f->posterior[t], f->loud[t] ? "event" : "-", f->best[t] ? "event" : "-");
    printf("\n");
}

/* The number of true events that can be paired with a found one within TOLERANCE; both are in order of time, so that
 * pairing each with the first that fits is best. */
static size_t count_hits(const clip *c, const uint8_t *events, size_t *found)
{
    size_t hits = 0, next = 0;
    *found = 0;
    for (size_t t = 0; t < FRAMES; t++) {
        if (!events[t])
            continue;
        ++*found;
        while (next < EVENTS && c->truth[next] + TOLERANCE < t)
            next++;
        if (next < EVENTS && t + TOLERANCE >= c->truth[next]) {
            hits++;
            next++;
        }
    }
    return hits;
}

/* F1 = 2 precision recall / (precision + recall) = 2 hits / (found + true), which is defined without any hit. */
static void print_score(const clip *c, const uint8_t *events, const char *name)
{
    size_t found, hits = count_hits(c, events, &found);
    double precision = found > 0 ? (double)hits / (double)found : 0, recall = (double)hits / EVENTS;
    double f1 = 2.0 * (double)hits / (double)(found + EVENTS);
    printf("         %-17s precision %.2f   recall %.2f   F1 %.2f\n", name, precision, recall, f1);
}

static void print_scores(const clip *c, const findings *f)
{
    printf("Truth    The true times, unknown until now, within %d ms:\n", 1000 * TOLERANCE / RATE);
    print_score(c, f->loud, "p > 0.5");
    print_score(c, f->best, "given the count");
    printf("\n");
}

/* An exact count of loss L < log 2 leaves no p_t between 1 - exp(-L) and exp(-L): a low loss means that
 * the frames are decided. */
static void print_limits(const findings *f)
{
    printf("Limits   No count of this clip is likelier than %.3f. Bounds from p alone: %.3f (its most doubtful\n"
           "         frame), %.3f (its %zu smallest p).\n         ",
           f->limits.max, f->limits.first, f->limits.le_cam, f->limits.le_cam_frames);
    if (f->above < f->below)
        printf("A loss of %.3f rules out every p between %.3f and %.3f.\n", f->loss, f->above, f->below);
    else
        printf("A loss of %.3f rules out no p yet; below log 2 = 0.693 it starts to.\n", f->loss);
    printf("Start    Training begins best at P(no event) = 0.8: output bias %.3f for %d frames.\n\n", f->bias, FRAMES);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Draws before it prints: when the picture cannot be written, only the complaint is seen. */
static loco_status run_demo(loco_count *count, uint64_t seed, const char *path, loco_err *err)
{
    clip c;
    findings f = {0};
    make_clip(&c, seed);
    loco_status status = find(&f, count, &c, err);
    if (status == LOCO_OK)
        status = loco_count_picture(count, c.logits, FRAMES, loco_label_exact(EVENTS), RATE,
                                    "Seven events, found through their number", path, err);
    if (status != LOCO_OK)
        return status;
    print_given(&f);
    print_events(&c, &f);
    print_scores(&c, &f);
    print_limits(&f);
    printf("Picture  %s\n", path);
    return LOCO_OK;
}

int lc_command_demo(int argc, char **argv)
{
    const char *path = "loco-demo.svg";
    uint64_t seed = 1;
    const lc_option options[] = {
        lc_option_text("output", 'o', "FILE.svg", &path, "the picture (loco-demo.svg)"),
        lc_option_integer("seed", 's', "N", &seed, "which clip (1)"),
    };
    const lc_usage usage = {
        .command = "demo",
        .line = "[-o FILE.svg] [--seed N]",
        .about = "Shows on one made-up clip what a known count says about its events, and draws it.",
        .example = "loco demo -o first.svg",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (strcmp(path, "-") == 0)
        return lc_args_wrong(&usage, "--output does not draw to standard output; name a file such as first.svg");
    if (files_len > 0)
        return lc_args_wrong(&usage, "the demo takes no files; the picture goes to -o FILE.svg");
    loco_err err = {""};
    loco_count *count = NULL;
    loco_status status = loco_count_new(&count, 1, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    status = run_demo(count, seed, path, &err);
    loco_count_free(count);
    return status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
}

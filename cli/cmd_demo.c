/* SPDX-License-Identifier: MIT
 *
 * cmd_demo.c - `loco demo`: the whole job on sounds that it makes itself, in about a minute.
 *
 *     1  makes drum recordings and counts the strokes in half-second clips
 *     2  trains a network on these counts: it never sees a time
 *     3  finds the strokes in recordings whose drums sound like none of those, and compares with the truth
 *     4  writes a page with all of it
 *
 * Everything goes to one folder and follows from the seed. Data sets that are there already are used again; they are
 * complete when their counts.csv is there, which is written last.
 */
#include "args.h"
#include "files.h"
#include "progress.h"
#include "studio/studio.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Many short recordings rather than few long ones: each has a kit of its own, and it is variety that carries over to
 * other timbres. */
enum { TEST = 16, PATH_BYTES = 4096 };
static const double seconds = 10;

typedef struct demo {
    const char *folder;
    uint64_t seed, threads, recordings, steps;
    char train[PATH_BYTES], test[PATH_BYTES], model[PATH_BYTES], page[PATH_BYTES], log[PATH_BYTES];
    struct timespec began;
} demo;

static double elapsed(const demo *d)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - d->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - d->began.tv_nsec);
}

static bool name_paths(demo *d)
{
    const struct {
        char *path;
        const char *name;
    } parts[] = {
        {d->train, "train"         },
        {d->test,  "test"          },
        {d->model, "drums.loco"    },
        {d->page,  "report.html"   },
        {d->log,   "training.jsonl"}
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int length = i < 2 ? snprintf(parts[i].path, PATH_BYTES, "%s/%s-%llu-%llu", d->folder, parts[i].name,
                                      (unsigned long long)d->seed, (unsigned long long)d->recordings)
                           : snprintf(parts[i].path, PATH_BYTES, "%s/%s", d->folder, parts[i].name);
        if (length < 0 || length >= PATH_BYTES - 32)
            return false;
    }
    return true;
}

/* ---- 1: sounds ---- */

/* A short demo is scored on few recordings, too. */
static size_t test_recordings(const demo *d)
{
    return d->recordings < TEST ? (size_t)d->recordings : TEST;
}

static loco_status make_set(const char *folder, size_t recordings, uint64_t seed, bool unseen, loco_err *err)
{
    char counts[PATH_BYTES + 16];
    struct stat what;
    snprintf(counts, sizeof counts, "%s/counts.csv", folder);
    if (stat(counts, &what) == 0)
        return LOCO_OK;
    studio_synth_options options = {
        .size = sizeof options, .recordings = recordings, .seconds = seconds, .seed = seed, .unseen = unseen};
    lc_files_clean(folder);
    return studio_synth_drums(folder, &options, err);
}

static loco_status make_sounds(demo *d, loco_err *err)
{
    printf("1  Making %llu drum recordings of %.0f s. All that the network learns from is how many kicks,\n"
           "   snares and hi-hats are in each clip of about half a second:\n\n"
           "       file,start,end,kick,snare,hihat\n",
           (unsigned long long)d->recordings, seconds);
    fflush(stdout);
    mkdir(d->folder, 0777); /* when it cannot be made, the next call reports it */
    loco_status status = make_set(d->train, (size_t)d->recordings, d->seed, false, err);
    if (status == LOCO_OK)
        status = make_set(d->test, test_recordings(d), d->seed + 1000, true, err);
    return status;
}

/* The first rows of the counts, so that the reader sees what they are. */
static void print_rows(const demo *d)
{
    char path[PATH_BYTES + 16], line[200];
    snprintf(path, sizeof path, "%s/counts.csv", d->train);
    FILE *file = fopen(path, "r");
    for (int row = 0; file != NULL && row < 4 && fgets(line, sizeof line, file) != NULL; row++)
        if (row > 0)
            printf("       %s", line);
    if (file != NULL)
        fclose(file);
    printf("       ...\n\n");
}

/* ---- 2: training ---- */

static loco_status learn(demo *d, bool *finished, loco_err *err)
{
    lc_progress_line line;
    printf("2  Training on these counts alone, %.0f s so far ...\n", elapsed(d));
    fflush(stdout);
    lc_progress_begin(&line);
    char seed[40], steps[40], check[40];
    snprintf(seed, sizeof seed, "seed=%llu", (unsigned long long)d->seed);
    snprintf(steps, sizeof steps, "steps=%llu", (unsigned long long)d->steps);
    snprintf(check, sizeof check, "check=%llu", (unsigned long long)(d->steps + 3) / 4);
    const char *all[] = {steps, check, seed};
    loco_train_options training = {.size = sizeof training,
                                   .preset = "drums",
                                   .sets = all,
                                   .sets_len = 3,
                                   .log = d->log,
                                   .threads = (unsigned)d->threads,
                                   .progress = lc_progress_step,
                                   .notice = lc_progress_notice,
                                   .context = &line};
    loco_status status = loco_train(finished, d->model, d->train, &training, err);
    lc_progress_end(&line);
    return status;
}

/* ---- 3 and 4: the test ---- */

static loco_status examine(const demo *d, const loco_model *model, loco_err *err)
{
    char *table = NULL;
    loco_scores *scores = NULL;
    printf("\n3  Detecting in %zu recordings with drums that sound like none of those, and comparing each detection\n"
           "   with the true time of the stroke:\n\n",
           test_recordings(d));
    loco_status status = loco_evaluate(&scores, model, d->test, NULL, err);
    if (status == LOCO_OK)
        status = loco_scores_format(&table, scores, "table", err);
    loco_scores_free(scores);
    if (status != LOCO_OK)
        return status;
    for (char *line = strtok(table, "\n"); line != NULL; line = strtok(NULL, "\n"))
        printf("   %s\n", line);
    loco_free(table);
    return LOCO_OK;
}

static loco_status show(const demo *d, const loco_model *model, loco_err *err)
{
    static const char how[] =
        "It was trained on synthetic drum recordings, cut into clips of 0.4 to 0.8 seconds, each with three numbers: how "
        "many kicks, snares and hi-hats. No time of any stroke was used. The recordings below have timbres that never "
        "occurred in training; their true times serve only to judge.";
    static const char calibration[] =
        "Time offsets and thresholds were calibrated without times, too: from the sound around the detections, and from "
        "the counts.";
    const char *const words[] = {
        "A network learned when drums are hit from nothing but how many hits there were.",
        how,
        calibration,
    };
    loco_report_options page = {.size = sizeof page,
                                .title = "When, from how many",
                                .data = d->test,
                                .words = words,
                                .words_len = sizeof words / sizeof words[0]};
    return loco_report(d->page, model, &page, err);
}

static void print_end(const demo *d)
{
    fputs("\n4  Look and listen: ", stdout);
    lc_cli_print(stdout, d->page);
    printf("  (%.0f s in all)\n   Use the model on your own drums: loco detect -m ", elapsed(d));
    lc_cli_word(stdout, d->model);
    fputs(" FILE.wav -o FILE.mid\n", stdout);
}

static loco_status run_demo(demo *d, bool *finished, loco_err *err)
{
    clock_gettime(CLOCK_MONOTONIC, &d->began);
    printf("LoCo finds out when events happen from how many happened.\n\n");
    loco_status status = make_sounds(d, err);
    if (status == LOCO_OK) {
        print_rows(d);
        status = learn(d, finished, err);
    }
    if (status != LOCO_OK || !*finished)
        return status;
    loco_model *model = NULL;
    status = loco_model_load(&model, d->model, err);
    if (status == LOCO_OK)
        status = examine(d, model, err);
    if (status == LOCO_OK)
        status = show(d, model, err);
    loco_model_free(model);
    if (status == LOCO_OK)
        print_end(d);
    return status;
}

int lc_command_demo(int argc, char **argv)
{
    demo d = {.folder = "loco-demo", .seed = 1, .threads = 2, .recordings = 320, .steps = 1200};
    const lc_option options[] = {
        lc_option_text("output", 'o', "FOLDER", &d.folder, "where sounds, model and page go (loco-demo)"),
        lc_option_integer("seed", 's', "N", &d.seed, "random seed (1)"),
        lc_option_amount("threads", 't', "N", &d.threads, "threads (2)"),
        lc_option_amount("recordings", 'n', "N", &d.recordings, "recordings to learn from (320)"),
        lc_option_amount("steps", 0, "N", &d.steps, "training steps (1200)"),
    };
    const lc_usage usage = {
        .command = "demo",
        .line = "[-o FOLDER] [--seed N]",
        .about =
            "Makes drum recordings, trains a network on nothing but the number of strokes in each clip, finds the time\n"
            "of every stroke in recordings with other drums, scores it, and writes a page to look at and listen to.",
        .example = "loco demo -o loco-demo",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (strcmp(d.folder, "-") == 0)
        return lc_args_wrong(&usage,
                             "--output names a folder, such as loco-demo; the demo does not write to standard output");
    if (files_len > 0)
        return lc_args_wrong(&usage, "the demo takes no files; its own go to -o FOLDER");
    if (d.threads > 1024 || d.seed > 1000000000000000u)
        return lc_args_wrong(&usage, "--threads takes 1 to 1024, --seed 0 to 1000000000000000");
    if (!name_paths(&d))
        return lc_args_wrong(&usage, "the path of the folder is too long");
    loco_err err = {""};
    bool finished = false;
    loco_status status = run_demo(&d, &finished, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    if (!finished)
        lc_cli_complain("the demo was stopped; the sounds stay in %s and are used again", d.folder);
    return finished ? LC_EXIT_OK : LC_EXIT_NO;
}

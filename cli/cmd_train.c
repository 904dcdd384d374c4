/* SPDX-License-Identifier: MIT
 *
 * cmd_train.c - `loco train`: a model from recordings and a column of counts.
 *
 * On a terminal one progress line that renews itself; in a log a line for every validation:
 *
 *     step 300/1000   loss 1.204   counts met 71 %   held out: loss 1.310, counts 69 %, F1 0.85/0.80   610 clips/s   0:38 left
 *
 * Ctrl-C (or SIGTERM) ends the run after the current step: the state is saved, and the command to go on is printed.
 */
#include "args.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>

static const char *const notes =
    "DATA is a folder with sound files and counts.csv, or the path of such a CSV file:\n"
    "\n"
    "  file,start,end,kick,snare        one row a clip; start and end in seconds, empty for the whole file;\n"
    "  take1.wav,0,0.6,1,0              then a column for each class: its count in the clip,\n"
    "  take1.wav,0.6,1.2,0,>=1          or what is known of it: 3  2..5  >=1  <=4  ?\n"
    "\n"
    "events.csv (file,time,class) beside it is used to score, never to train, unless supervised=1 is set. Short\n"
    "clips, half a second to a second, learn fastest.\n"
    "\n"
    "settings (--set): steps batch seed check rate warm_up clip decay average held context shortest longest gain noise\n"
    "  tilt speed stretch mix supervised network, and those of the front end as frontend.bands=64\n"
    "presets: sound (default), drums, drums-live (no look-ahead), drums-paper (as published)\n";

/* Says how to go on after an interruption: the same words, and --resume. */
static void print_resume(const loco_training *training, const lc_list *sets)
{
    fprintf(stderr, "stopped; the state is in %s.checkpoint. To go on:\n  loco train %s -o %s --resume",
            training->model, training->data, training->model);
    if (training->preset != NULL)
        fprintf(stderr, " --preset %s", training->preset);
    for (size_t i = 0; i < sets->len; i++)
        fprintf(stderr, " --set '%s'", sets->items[i]);
    fputc('\n', stderr);
}

static int run_training(loco_training *training, const lc_list *sets)
{
    lc_progress_line line;
    loco_err err = {""};
    bool finished = false;
    lc_progress_begin(&line);
    training->progress = lc_progress_step;
    training->notice = lc_progress_notice;
    training->context = &line;
    loco_status status = loco_train(training, &finished, &err);
    lc_progress_end(&line);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    if (!finished) {
        print_resume(training, sets);
        return LC_EXIT_NO;
    }
    fprintf(stderr, "%s is ready. To use it:\n  loco detect -m %s FILE\n", training->model, training->model);
    return LC_EXIT_OK;
}

int lc_command_train(int argc, char **argv)
{
    loco_training training = {.model = NULL};
    lc_list sets = {.len = 0};
    uint64_t threads = 2, seed = UINT64_MAX;
    char seed_pair[40];
    const lc_option options[] = {
        lc_option_text("output", 'o', "MODEL", &training.model, "where the model goes; needed"),
        lc_option_text("preset", 'p', "NAME", &training.preset, "settings to start from (sound)"),
        lc_option_list("set", 0, "KEY=VALUE", &sets, "one setting; may be given several times"),
        lc_option_flag("resume", 'r', &training.resume, "go on from MODEL.checkpoint"),
        lc_option_text("curve", 0, "FILE.svg", &training.curve, "a picture of loss and scores at the end"),
        lc_option_text("log", 0, "FILE", &training.log, "a JSON line for each validation (MODEL.jsonl)"),
        lc_option_flag("no-calibration", 0, &training.no_calibration, "leave offsets 0 and thresholds as usual"),
        lc_option_amount("threads", 't', "N", &threads, "threads; the result is the same for any number (2)"),
        lc_option_integer("seed", 's', "N", &seed, "where chance starts (1)"),
    };
    const lc_usage usage = {
        .command = "train",
        .line = "DATA -o MODEL [options]",
        .about = "Trains a network on counts alone, so that it tells when events happen.",
        .notes = notes,
        .example = "loco synth drums -o drums-set --recordings 8 && loco train drums-set -o drums.loco --set steps=60",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 1)
        return lc_args_wrong(&usage, "name one data set: a folder with counts.csv, or the path of one");
    if (training.model == NULL)
        return lc_args_wrong(&usage, "say where the model goes: -o MODEL");
    if (threads > 1024)
        return lc_args_wrong(&usage, "--threads takes 1 to 1024");
    if (seed != UINT64_MAX && sets.len < LC_LIST_MOST) {
        snprintf(seed_pair, sizeof seed_pair, "seed=%llu", (unsigned long long)seed);
        sets.items[sets.len++] = seed_pair;
    }
    training.data = argv[0];
    training.sets = sets.items;
    training.sets_len = sets.len;
    training.threads = (unsigned)threads;
    return run_training(&training, &sets);
}

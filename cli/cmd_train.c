/* SPDX-License-Identifier: MIT
 *
 * cmd_train.c - `loco train`: a model from recordings and a column of counts.
 *
 * On a terminal one progress line that renews itself; in a log a line for every validation:
 *
 *     step 300/1000  0:38 left  loss 1.204, counts met 71 %  held out 1.310, 69 %  F1 0.850 at 50 ms, 0.800 at 20 ms  ...
 *
 * Ctrl-C (or SIGTERM, or SIGHUP) ends the run after the current step, saves the state, and prints the command that continues.
 */
#include "args.h"
#include "files.h"
#include "launcher.h"
#include "progress.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_THREADS = 2 };

static const char *const notes =
    "DATA is a folder with sound files and counts.csv, or the path of such a CSV file:\n"
    "\n"
    "  file,start,end,kick,snare        one row a clip; start and end in seconds, empty for the whole file;\n"
    "  take1.wav,0,0.6,1,0              then a column for each class: its count in the clip,\n"
    "  take1.wav,0.6,1.2,0,>=1          or what is known about it: 3  2..5  >=1  <=4  ?\n"
    "                                   a column kick+snare has the count of both together\n"
    "\n"
    "events.csv (file,time,class) beside it is used to score, never to train, unless supervised is set. Short\n"
    "clips, half a second to a second, learn fastest. Part of the recordings is held out, to choose the best model.\n"
    "Ctrl-C stops the run, saves its state, and prints the command that continues.\n"
    "`mpirun -n 4 loco train ...` (or srun) shares each step: the same model for 1 to `lanes` processes, of a thread each.\n"
    "--from MODEL starts from a model instead of random weights, with its front end and network: 300 steps at a third of\n"
    "the learning rate, with clips as for the model. Classes are matched by name; new ones are added, others dropped.\n"
    "\n"
    "presets (--preset): sound (the default), voice (words and calls, of other speakers, too), drums (also varies speed and\n"
    "  mixes clips), drums-live (no look-ahead, latency 40 ms), drums-hq (reads both ways, for files), drums-paper (as\n"
    "  published; takes days), rnn tanhb reluts lstmpb gruts (others' drum networks), piano (MIDI notes 21 to 108),\n"
    "  piano-live (latency below 100 ms), piano-paper (ten pitches a model), series (for files in .csv .npy .raw\n"
    "  or .hea), ecg (heart beats)\n"
    "settings (--set), those of the preset otherwise:\n"
    "  steps=1000 batch=32 check=100      training steps, clips in each, steps between validations\n"
    "  rate=0.003 warm_up=100 decay=0     learning rate, steps up to it, weight decay\n"
    "  clip=1 average=0.99 seed=1         largest gradient, weight averaging, random seed\n"
    "  start=0.8                          P(no event in a clip) at first; 0.999 where counts are large and nothing is learned\n"
    "  lanes=8                            gradients that are added: the most processes; changes the result\n"
    "  held=0.15 context=0.1              part held out, seconds read on either side of a clip\n"
    "  shortest=0 longest=0               seconds of clips cut anew from timed recordings; 0: those of counts.csv\n"
    "  gain=6 noise=-25 tilt=6            variation in dB: louder or softer, noise, spectral slope\n"
    "  speed=0 stretch=0 mix=0 transpose=0  variation: speed, time alone, part of clips with another mixed in, semitones\n"
    "  flip=0 shape=0                     variation of series: part of clips with channels upside down, s of a random filter\n"
    "  anchor=rise                        where events are: rise, steepest slope (of sound: onset); peak, top or loudest\n"
    "                                     moment; centre, middle; word, where sound begins after silence\n"
    "  supervised=0                       1: learn from the times of events.csv; 0.5: half of the timed recordings by\n"
    "                                     times, everything else by counts\n"
    "  loss=exact                         squared, poisson: regression on the sum of probabilities, to compare with\n"
    "  sharpen=0.3                        clips of more than 10 events: turns an even rate into single events; 0: not\n"
    "  network='conv 3x5 16, gru 48'      layers, before a last one with an output for each class\n"
    "  decoding='mass threshold=0.4'      how the model turns probabilities into events; without a threshold\n"
    "                                     those that the counts choose\n"
    "  aside=tom,cymbal                   auxiliary classes, the last columns of counts.csv: trained, not reported\n"
    "  fold=hihat=closed+open             groups of classes by name, for loco detect --classes hihat\n"
    "  columns=ax,ay,az                   of series: which columns of the tables are read, by name (those of the first file)\n"
    "  frontend.magnitude=1               of series: reads sqrt(x^2 + y^2 + ...) of the columns; 0: each (by the data)\n"
    "  frontend.bands=72 and others: how sound becomes frames; loco inspect prints them\n";

/* Of each process; several are started for as many cores. */
static unsigned usual_threads(unsigned processes)
{
    return processes > 1 ? 1 : USUAL_THREADS;
}

static void print_option(const char *option, const char *value)
{
    if (value == NULL)
        return;
    fprintf(stderr, " %s ", option);
    lc_cli_word(stderr, value);
}

/* Prints the command that continues after an interruption: the same words, and --resume. */
static void print_resume(const char *model, const char *data, const loco_train_options *training)
{
    char threads[24];
    snprintf(threads, sizeof threads, "%u", training->threads);
    lc_cli_say("stopped; the state is in %s.checkpoint. To continue:", model);
    fputs("  ", stderr);
    if (training->processes > 1)
        fprintf(stderr, "mpirun -n %u ", training->processes);
    fputs("loco train ", stderr);
    lc_cli_word(stderr, data);
    print_option("-o", model);
    print_option("--preset", training->preset);
    print_option("--from", training->from);
    for (size_t i = 0; i < training->sets_len; i++)
        print_option("--set", training->sets[i]);
    print_option("--log", training->log);
    print_option("--about", training->about);
    print_option("--licence", training->licence);
    print_option("--threads", training->threads != usual_threads(training->processes) ? threads : NULL);
    fprintf(stderr, "%s --resume\n", training->no_calibration ? " --no-calibration" : "");
}

/* Of several processes the first alone prints; they all end with the same status. */
static int run_training(const char *model, const char *data, const loco_train_options *training, unsigned rank)
{
    lc_progress_line line;
    loco_train_options run = *training;
    loco_err err = {""};
    bool finished = false;
    loco_status status = run.processes > 1 ? LOCO_OK : lc_files_check_data(data, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    lc_progress_begin(&line);
    run.progress = lc_progress_step;
    run.notice = lc_progress_notice;
    run.context = &line;
    status = loco_train(&finished, model, data, &run, &err);
    lc_progress_end(&line);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    if (!finished && rank == 0)
        print_resume(model, data, training);
    if (!finished || rank > 0)
        return finished ? LC_EXIT_OK : LC_EXIT_NO;
    lc_cli_say(line.warnings > 0 ? "%s is written, with a warning above. To try it:" : "%s is ready. To use it:",
               model);
    fputs("  loco detect -m ", stderr);
    lc_cli_word(stderr, model);
    fputs(" FILE\n", stderr);
    return LC_EXIT_OK;
}

/* Processes of a launcher share the runs. */
static int run_sweep(const lc_usage *usage, lc_train_sweep *sweep, const char *shard)
{
    sweep->shard = lc_shard_launched();
    if (shard != NULL && !lc_shard_parse(&sweep->shard, shard))
        return lc_args_wrong(usage, "--shard takes I/N with I from 1 to N, such as 2/8, not \"%s\"", shard);
    if (sweep->training.log != NULL)
        return lc_args_wrong(usage, "each run of a sweep has its own log, beside its model; leave --log out");
    return lc_sweep_run(sweep, usage);
}

/* "200M": K, M or G of 1024, at least 16 MiB. */
static bool read_size(size_t *bytes, const char *text)
{
    static const char units[] = "KMG";
    char *end;
    double number = strtod(text, &end);
    const char *unit = *end != 0 ? strchr(units, *end) : NULL;
    if (unit == NULL || end[1] != 0 || end == text)
        return false;
    for (const char *at = units; at <= unit; at++)
        number *= 1024;
    if (!(number >= (double)(16 << 20) && number < 0x1p60))
        return false;
    *bytes = (size_t)number;
    return true;
}

static const lc_moved moved[] = {
    {"curve", "loco plot training LOG -o FILE.svg"},
    {"r",     "-r is --rate; write --resume"      },
};

int lc_command_train(int argc, char **argv)
{
    loco_train_options training = {.size = sizeof training};
    const char *model = NULL, *memory = NULL;
    lc_list sets = {.len = 0};
    lc_launcher launcher = lc_launcher_find();
    uint64_t threads = 0, seed = UINT64_MAX;
    lc_train_sweep sweep = {.folder = NULL};
    const char *shard = NULL;
    char seed_pair[40];
    const lc_option options[] = {
        lc_option_text("output", 'o', "MODEL", &model, "where the model goes; required"),
        lc_option_text("preset", 'p', "NAME", &training.preset, "settings to start from (sound)"),
        lc_option_text("from", 0, "MODEL", &training.from, "start from a model: a file, or a name of `loco models`"),
        lc_option_list("set", 0, "KEY=VALUE", &sets, "one setting; may be given several times"),
        lc_option_flag("resume", 0, &training.resume, "continue from MODEL.checkpoint"),
        lc_option_text("log", 0, "FILE", &training.log, "a JSON line for each validation (MODEL.jsonl)"),
        lc_option_text("about", 0, "TEXT", &training.about, "a line about the model, kept in its file"),
        lc_option_text("licence", 0, "TEXT", &training.licence, "under which it may be used, kept in its file"),
        lc_option_flag("no-calibration", 0, &training.no_calibration,
                       "leave offsets 0 and thresholds at their defaults"),
        lc_option_text("memory", 0, "SIZE", &memory,
                       "most for recordings and batches: 200M, 4G (8G); others are read again"),
        lc_option_amount("threads", 't', "N", &threads, "threads; same result for any number (2)"),
        lc_option_integer("seed", 's', "N", &seed, "random seed (1)"),
        lc_option_list("sweep", 0, "KEY=V,V,...", &sweep.values,
                       "a run for each value; -o is a folder; may be repeated"),
        lc_option_text("seeds", 0, "A..B", &sweep.seeds, "a run for each seed; also 1,2,5"),
        lc_option_text("test", 0, "DATA", &sweep.test, "of a sweep: what the models are scored on"),
        lc_option_text("shard", 0, "I/N", &shard, "of a sweep: of N processes this is number I, from 1 on"),
    };
    const lc_usage usage = {
        .command = "train",
        .line = "DATA -o MODEL [options]",
        .about =
            "Trains a network on counts alone, so that it finds when events happen. A sweep trains every value with every\n"
            "seed, on all cores, into the folder -o, scores the models on a fifth of the recordings, set aside, or on --test,\n"
            "and prints their table: loco train DATA -o rates/ --sweep rate=0.001,0.003 --seeds 1..6",
        .notes = notes,
        .example = "loco synth drums -o drums-set --recordings 8 && loco train drums-set -o drums.loco --set steps=60",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len != 1)
        return lc_args_wrong(&usage, "name one data set: a folder with counts.csv, or the path of one");
    if (model == NULL || strcmp(model, "-") == 0)
        return lc_args_wrong(&usage, "say where the model goes: -o MODEL, such as drums.loco");
    if (memory != NULL && !read_size(&training.memory, memory))
        return lc_args_wrong(&usage, "--memory %s: give a size from 16M on, such as 200M or 4G", memory);
    if (threads > 1024)
        return lc_args_wrong(&usage, "--threads takes 1 to 1024");
    if (seed != UINT64_MAX && sets.len < LC_LIST_MOST) {
        snprintf(seed_pair, sizeof seed_pair, "seed=%llu", (unsigned long long)seed);
        sets.items[sets.len++] = seed_pair;
    }
    training.sets = sets.items;
    training.sets_len = sets.len;
    bool one = sweep.values.len == 0 && sweep.seeds == NULL;
    training.threads = threads > 0 ? (unsigned)threads : one ? usual_threads(launcher.size) : USUAL_THREADS;
    if (one && (sweep.test != NULL || shard != NULL))
        return lc_args_wrong(&usage, "--test and --shard are for --sweep and --seeds");
    if (one) {
        training.mpi = launcher.plugin;
        training.processes = launcher.size;
        return run_training(model, argv[0], &training, launcher.rank);
    }
    sweep.folder = model;
    sweep.data = argv[0];
    sweep.training = training;
    sweep.threads = threads;
    return run_sweep(&usage, &sweep, shard);
}

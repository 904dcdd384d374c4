/* SPDX-License-Identifier: MIT
 *
 * cmd_detect.c - `loco detect`: the time of every event in sounds.
 *
 *     loco detect -m MODEL take.wav                    CSV on stdout: file,time,class,probability
 *     loco detect -m MODEL take.wav -o take.mid        by the ending: .mid .csv .jsonl .txt (label track) .roi (points)
 *                                                      .png (an image with marks) .wav (clicks)
 *     loco detect -m piano song.flac -o song.mid       notes with velocity and end, where classes are pitches
 *     loco detect -m MODEL folder/ -o out/ --format midi    a file for each sound, in a folder that is made if missing
 *     arecord -t wav ... | loco detect -m MODEL -      events as they become certain
 *     tail -f walk.csv | loco detect -m MODEL -        the same with a model of series: rows of a table
 *
 * Files are read on all cores, and their events printed in the order of the files. One that fails is reported, the
 * others still run, and the exit status is that of the failure. Events of standard input are printed at once; the
 * latency is stated first. What is wrong with the request is reported before any sound is read: detection may take long.
 */
#include "args.h"
#include "detect.h"
#include "parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_VERSIONS = 64 };

/* ---- live ---- */

/* A reader that went away ends a stream that might never end. */
static void print_live(void *context, const loco_event *event)
{
    lc_detect_request *asked = context;
    lc_detect_heading(asked);
    lc_detect_line(asked, "-", event);
    if (fflush(stdout) != 0)
        exit(lc_cli_finish(LC_EXIT_SYSTEM));
}

static loco_status listen_live(lc_detect_request *asked, double latency, loco_err *err)
{
    if (isfinite(latency) && asked->how.raw == NULL) /* without the resampling of rows at another rate */
        fprintf(stderr, "listening; events are reported within %.0f ms of their row, at %.0f rows a second\n",
                ceil(1000 * latency), loco_model_rate(asked->loaded));
    else if (isfinite(latency)) /* rounded up: it is a promise */
        fprintf(stderr, "listening; events are reported within %.0f ms of their sound\n", ceil(1000 * latency));
    else
        fprintf(stderr, "listening; events are reported at the end\n");
    asked->how.notice = lc_cli_notice;
    loco_status status = loco_detect_each(print_live, asked, asked->loaded, "-", &asked->how, err);
    if (status == LOCO_OK)
        lc_detect_heading(asked);
    return status;
}

/* ---- checking ---- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static int no_format(const lc_usage *usage, const char *what, const char *typed)
{
    const char *names[2 * LC_DETECT_FORMATS];
    for (size_t i = 0; i < LC_DETECT_FORMATS; i++) {
        names[i] = typed[0] == '.' ? lc_detect_formats[i].ending : lc_detect_formats[i].name;
        names[LC_DETECT_FORMATS + i] = typed[0] == '.' ? lc_detect_formats[i].other : lc_detect_formats[i].ending + 1;
    }
    const char *near = loco_nearest(typed, names, 2 * LC_DETECT_FORMATS);
    if (near != NULL)
        return lc_args_wrong(usage, "there is no %s \"%s\"; did you mean %s?", what, typed, near);
    return lc_args_wrong(usage,
                         "there is no %s \"%s\"; there are csv (.csv), jsonl (.jsonl), labels (.txt), midi (.mid), "
                         "roi (.roi), marks (.png) and click (.wav)",
                         what, typed);
}

/* A name that can only be meant as a folder: it ends with a slash, or has no ending while there are several files and no
 * format that could hold them all in one. */
static bool means_folder(const lc_detect_request *asked, char **files, size_t files_len)
{
    const char *base = lc_files_base(asked->output);
    bool common = asked->name != NULL && (strcmp(asked->name, "csv") == 0 || strcmp(asked->name, "jsonl") == 0);
    bool several = files_len > 1 || (files_len == 1 && lc_files_is_folder(files[0]));
    return *base == 0 || (several && !common && strchr(base, '.') == NULL && access(asked->output, F_OK) != 0);
}

/* By --format, or the ending of -o. */
static int choose_format(const lc_usage *usage, lc_detect_request *asked, char **files, size_t files_len)
{
    asked->format = &lc_detect_formats[0];
    asked->folder = asked->output != NULL &&
                    (lc_files_is_folder(asked->output) || means_folder(asked, files, files_len));
    bool by_ending = asked->output != NULL && !asked->folder;
    if (asked->name == NULL && !by_ending)
        return LC_ARGS_GO;
    for (size_t i = 0; i < LC_DETECT_FORMATS; i++) {
        asked->format = &lc_detect_formats[i];
        if (asked->name != NULL ? strcmp(asked->name, lc_detect_formats[i].name) == 0
                                : ends_with(asked->output, lc_detect_formats[i].ending) ||
                                      ends_with(asked->output, lc_detect_formats[i].other))
            return LC_ARGS_GO;
    }
    if (asked->name != NULL)
        return no_format(usage, "format", asked->name);
    const char *slash = strrchr(asked->output, '/'), *dot = strrchr(asked->output, '.');
    if (dot == NULL || (slash != NULL && dot < slash))
        return lc_args_wrong(
            usage, "the name %s has no ending; give it .csv, .jsonl, .txt, .mid, .roi, .png or .wav, or say --format",
            asked->output);
    return no_format(usage, "format for", dot);
}

/* What can be said before anything is loaded. */
static int check_request(const lc_usage *usage, lc_detect_request *asked, char **files, size_t files_len)
{
    bool standard = false;
    for (size_t i = 0; i < files_len; i++)
        standard |= strcmp(files[i], "-") == 0;
    if (asked->output != NULL && strcmp(asked->output, "-") == 0)
        asked->output = NULL;
    if (asked->model == NULL)
        return lc_files_no_model(usage);
    if (files_len == 0)
        return lc_args_wrong(usage, "name sound files or folders, or - for standard input");
    int done = choose_format(usage, asked, files, files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (asked->tempo > 0 && strcmp(asked->format->name, "midi") != 0)
        return lc_args_wrong(usage, "--tempo is for MIDI files: -o FILE.mid, or --format midi -o FOLDER/");
    if (asked->tempo < 0 || asked->tempo > 1000 || (asked->tempo > 0 && asked->tempo < 10))
        return lc_args_wrong(usage, "--tempo takes 10 to 1000 beats a minute");
    if (asked->output == NULL && asked->format->alone)
        return lc_args_wrong(usage, "--format %s needs a file: -o FILE%s", asked->format->name, asked->format->ending);
    if (asked->notes && (asked->output == NULL || asked->format == &lc_detect_formats[LC_DETECT_CLICK]))
        return lc_args_wrong(usage, "--notes needs a file for them: -o FILE.mid, .csv, .jsonl or .txt");
    if (standard && (files_len > 1 || asked->how.ensemble > 1 || asked->format == &lc_detect_formats[LC_DETECT_CLICK] ||
                     asked->format == &lc_detect_formats[LC_DETECT_MARKS]))
        return lc_args_wrong(usage, "- is read once and alone: not with other files, --ensemble, clicks or marks");
    if (standard && asked->sandbox)
        return lc_args_wrong(usage, "--sandbox reads files, not standard input; save the stream to a file first");
    if (!standard && asked->how.raw != NULL)
        return lc_args_wrong(usage, "--raw is for standard input: loco detect -m MODEL - --raw %s <%s", asked->how.raw,
                             files[0]);
    return LC_ARGS_GO;
}

/* By --shard, or by the launcher's rank: its processes share files, and one thread each by default. */
static int choose_shard(const lc_usage *usage, lc_detect_request *asked, const char *shard, char **files)
{
    if (shard != NULL && !lc_shard_parse(&asked->shard, shard))
        return lc_args_wrong(usage, "--shard takes I/N with I from 1 to N, such as 2/8, not \"%s\"", shard);
    if (shard == NULL && strcmp(files[0], "-") != 0)
        asked->shard = lc_shard_launched();
    if (asked->shard.launched && asked->threads == 0)
        asked->threads = 1;
    asked->resume = asked->resume || asked->shard.of > 0;
    if (asked->retry && !asked->resume)
        return lc_args_wrong(usage, "--retry is for --resume and --shard; without them all files are tried");
    if (asked->resume && asked->output == NULL)
        return lc_args_wrong(usage, "%s: give an output that the events are collected in, such as -o events.csv",
                             asked->shard.launched ? "several processes"
                             : shard != NULL       ? "--shard"
                                                   : "--resume");
    return LC_ARGS_GO;
}

/* A file and what it becomes. */
typedef struct target {
    const char *file;
    char *path;
    size_t number; /* of the file */
} target;

static int by_path(const void *a, const void *b)
{
    const target *one = a, *other = b;
    int order = strcmp(one->path, other->path);
    return order != 0 ? order : (one->number > other->number) - (one->number < other->number);
}

/* No two recordings become one file. */
static int check_twice(const lc_usage *usage, target *targets, size_t n)
{
    if (n > 0)
        qsort(targets, n, sizeof *targets, by_path);
    for (size_t i = 1; i < n; i++)
        if (strcmp(targets[i - 1].path, targets[i].path) == 0)
            return lc_args_wrong(usage, "%s and %s would both become %s", targets[i - 1].file, targets[i].file,
                                 targets[i].path);
    return LC_ARGS_GO;
}

/* Nothing is written over a recording. */
static int check_same(const lc_usage *usage, const lc_detect_request *asked, const char *file, const char *path)
{
    if (lc_files_same(path, file))
        return lc_args_wrong(usage, "%s is the %s itself; choose another name", path,
                             asked->format == &lc_detect_formats[LC_DETECT_MARKS] ? "image" : "sound");
    return LC_ARGS_GO;
}

static int check_targets(const lc_usage *usage, const lc_detect_request *asked, const lc_files *files, target *targets)
{
    char path[LC_DETECT_PATH];
    int done = LC_ARGS_GO;
    for (size_t i = 0; done == LC_ARGS_GO && i < files->len; i++) {
        if (!lc_detect_path(asked, files->paths[i], path))
            return lc_args_wrong(usage, "the path of %s is too long", files->paths[i]);
        targets[i] = (target){files->paths[i], strdup(path), i};
        if (targets[i].path == NULL)
            return lc_args_wrong(usage, "out of memory for the names of %zu files", files->len);
        done = check_same(usage, asked, files->paths[i], path);
    }
    return done == LC_ARGS_GO ? check_twice(usage, targets, files->len) : done;
}

/* What is wrong with -o, given the files: nothing is written over a sound or over another output. */
static int check_outputs(const lc_usage *usage, const lc_detect_request *asked, const lc_files *files)
{
    int done = LC_ARGS_GO;
    if (asked->output == NULL)
        return LC_ARGS_GO;
    if (!asked->folder && files->len > 1 && asked->format->alone)
        return lc_args_wrong(usage, "%s would hold one recording, not %zu; give -o a folder", asked->output,
                             files->len);
    for (size_t i = 0; !asked->folder && done == LC_ARGS_GO && i < files->len; i++)
        done = check_same(usage, asked, files->paths[i], asked->output);
    if (!asked->folder)
        return done;
    target *targets = calloc(files->len + 1, sizeof *targets);
    done = targets == NULL ? lc_args_wrong(usage, "out of memory for the names of %zu files", files->len)
                           : check_targets(usage, asked, files, targets);
    for (size_t i = 0; targets != NULL && i < files->len; i++)
        free(targets[i].path);
    free(targets);
    return done;
}

/* ---- the command ---- */

/* "3,2..4,?" in the order of the classes. */
static loco_status read_counts(const lc_detect_request *asked, loco_label *labels, loco_err *err)
{
    const char *text = asked->counts;
    loco_err cause;
    for (size_t k = 0; k < asked->classes_len; k++) {
        size_t length = strcspn(text, ",");
        if (loco_label_parse(&labels[k], text, length, &cause) != LOCO_OK)
            return lc_cli_error(err, LOCO_EARG, "--counts, %.60s: %.170s", asked->classes[k], cause.text);
        text += length;
        if ((*text == ',') != (k + 1 < asked->classes_len))
            return lc_cli_error(err, LOCO_EARG, "--counts needs %zu labels with commas, one for each class%s%.60s%s",
                                asked->classes_len, asked->classes_len > 1 ? ", from " : " ", asked->classes[0],
                                asked->classes_len > 1 ? " on" : "");
        text += *text == ',';
    }
    return LOCO_OK;
}

static loco_status prepare(lc_detect_request *asked, loco_label **labels, double *latency, loco_err *err)
{
    loco_status status = LOCO_OK;
    asked->classes_len = loco_model_classes(asked->loaded);
    asked->classes = calloc(asked->classes_len, sizeof *asked->classes);
    *labels = calloc(asked->classes_len, sizeof **labels);
    if (asked->classes == NULL || *labels == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu classes", asked->classes_len);
    for (size_t k = 0; k < asked->classes_len; k++)
        asked->classes[k] = loco_model_class(asked->loaded, k);
    if (asked->counts != NULL)
        status = read_counts(asked, *labels, err);
    asked->how.counts = asked->counts != NULL ? *labels : NULL;
    /* also checks --decoding and --raw */
    return status == LOCO_OK ? loco_detect_latency(latency, asked->loaded, &asked->how, err) : status;
}

/* MIDI of a model of pitches or drums has notes without asking; standard input cannot be read again for them. */
static loco_status plan_notes(lc_detect_request *asked, const lc_files *files, loco_err *err)
{
    bool pitched = loco_model_pitched(asked->loaded) || loco_model_drums(asked->loaded);
    bool standard = strcmp(files->paths[0], "-") == 0;
    if (asked->notes && !pitched)
        return lc_cli_error(err, LOCO_EARG,
                            "--notes is for drums and for models of pitches, whose classes are numbers, 21 to 108; "
                            "those of %.100s are not: leave --notes out",
                            asked->model);
    if (asked->notes && standard)
        return lc_cli_error(err, LOCO_EARG,
                            "--notes reads a sound twice, and standard input is read once; give a file");
    if (asked->resume && asked->output != NULL && !asked->folder && (asked->notes || asked->format->alone))
        return lc_cli_error(err, LOCO_EARG, "--resume and --shard: %s need a folder, such as -o out/",
                            asked->notes ? "notes" : "files of one recording");
    asked->notes = asked->notes || (pitched && !standard && strcmp(asked->format->name, "midi") == 0);
    bool again = asked->notes || asked->format == &lc_detect_formats[LC_DETECT_CLICK] ||
                 asked->format == &lc_detect_formats[LC_DETECT_MARKS];
    if (asked->sandbox && again)
        return lc_cli_error(
            err, LOCO_EARG,
            "--sandbox: notes, clicks and marks read the recording a second time, outside of it; write .csv, "
            ".jsonl, .txt or .roi, or leave --sandbox out");
    return LOCO_OK;
}

/* Files of a folder into files, or what was asked for as such; not into a pipe or a device, which is written at once. */
static bool is_archive(const lc_detect_request *asked, const lc_files *files)
{
    bool common = asked->output != NULL && !asked->folder;
    bool special = common && access(asked->output, F_OK) == 0 && !lc_files_is_regular(asked->output);
    return asked->output != NULL && !special && !(common && (asked->notes || asked->format->alone)) &&
           (asked->resume || files->in_folders > 0);
}

static int run_request(lc_detect_request *asked, const lc_files *files)
{
    loco_err err = {""};
    loco_label *labels = NULL;
    double latency = 0;
    int code = LC_EXIT_OK;
    loco_status status = plan_notes(asked, files, &err);
    if (status == LOCO_OK)
        status = lc_files_places(&asked->places, asked->loaded, asked->format->name, &err);
    if (status == LOCO_OK)
        status = prepare(asked, &labels, &latency, &err);
    if (status == LOCO_OK && strcmp(files->paths[0], "-") == 0 && asked->output == NULL)
        status = listen_live(asked, latency, &err);
    else if (status == LOCO_OK && is_archive(asked, files))
        code = lc_detect_archive(asked, files);
    else if (status == LOCO_OK)
        code = lc_detect_files(asked, files);
    if (status != LOCO_OK)
        code = lc_cli_unread(status, &err);
    free(asked->classes);
    free(labels);
    return code;
}

static int find_and_run(const lc_usage *usage, lc_detect_request *asked, char **words, size_t words_len)
{
    loco_err err = {""};
    lc_files files = {0};
    char raw[64];
    int code = LC_ARGS_GO;
    loco_status status = lc_files_find(&files, (const char *const *)words, words_len, &err);
    if (status == LOCO_OK)
        code = check_outputs(usage, asked, &files);
    if (status == LOCO_OK && code == LC_ARGS_GO)
        status = lc_files_model(&asked->path, asked->model, &err);
    if (status == LOCO_OK && code == LC_ARGS_GO)
        status = loco_model_load(&asked->loaded, asked->path, &err);
    if (status == LOCO_OK && code == LC_ARGS_GO && asked->fold != NULL)
        status = loco_model_fold(&asked->loaded, asked->fold, &err);
    if (status == LOCO_OK && code == LC_ARGS_GO && strcmp(files.paths[0], "-") == 0)
        status = lc_files_raw(&asked->how.raw, raw, asked->loaded, &err);
    if (status != LOCO_OK)
        code = lc_cli_unread(status, &err);
    if (code == LC_ARGS_GO && asked->output != NULL) {
        status = asked->folder ? lc_files_make_folder(asked->output, &err) : lc_files_check_output(asked->output, &err);
        code = status == LOCO_OK ? LC_ARGS_GO : lc_cli_failure(status, &err);
    }
    if (code == LC_ARGS_GO) {
        lc_files_state_found(&files);
        code = run_request(asked, &files);
    }
    loco_model_free(asked->loaded);
    loco_free(asked->path);
    lc_files_free(&files);
    return code;
}

static const lc_moved moved[] = {
    {"count",    "loco count -m MODEL FILES"                                                },
    {"interval", "loco count -m MODEL FILES --interval 0.9"                                 },
    {"label",    "loco count -m MODEL FILES --label LABEL"                                  },
    {"every",    "loco count -m MODEL FILES --every 10s"                                    },
    {"clips",    "loco count -m MODEL DATA --clips"                                         },
    {"n",        "-n is --recordings; loco detect --count is now: loco count -m MODEL FILES"},
    {"i",        "loco detect --interval is now: loco count -m MODEL FILES --interval 0.9"  },
    {"l",        "loco detect --label is now: loco count -m MODEL FILES --label LABEL"      },
};

static const char *const notes =
    "With known counts, such as --counts 12,8,? for three classes, the most likely events with these counts are reported.\n"
    "A folder stands for the sound files in it and below it, or else for its series. A file that cannot be read is\n"
    "reported, the others still run, and the exit status is 3. loco count prints how many events there are.\n"
    "Of a folder with -o, what is done is kept in OUTPUT.done until all is well: the same command goes on after a stop.\n"
    "  loco detect -m drums archive/ -o night.csv --resume       later, the same again does the files that were added\n"
    "  loco detect -m drums downloads/ --sandbox -o events.csv   decoders in a process with few rights\n"
    "  loco detect -m drums archive/ -o night.csv --shard 2/8    in a job array; mpirun and srun share files by themselves\n"
    "\n"
    "formats (--format, or the ending of -o): csv (.csv), jsonl (.jsonl: one JSON object a line), labels (.txt: a label\n"
    "  track, as Audacity reads it), midi (.mid), click (.wav: the sound with a click at each event); of images csv and\n"
    "  jsonl have x and y, in pixels, in place of the time, roi (.roi) holds the points for ImageJ and Fiji, and\n"
    "  marks (.png) is the image with a circle at each event, small images enlarged\n"
    "pitches: a model whose classes are numbers of notes (21 to 108) writes MIDI in one track, each note with a velocity\n"
    "  and an end; both are estimates. --notes adds columns end and velocity to CSV and JSON: -o song.csv --notes\n"
    "classes: a name alone is a class of the model or a group that it knows, of drums hihat, tom and cymbal; snare=\n"
    "  snare+side-stick says what belongs together; all other classes are left out. In kick,snare,hihat a side stick is\n"
    "  none of them, as in MDB Drums: loco detect -m drums song.wav --classes kick,snare,hihat\n"
    "decoding: mass window=0.01 threshold=0.3 gap=0.04 | peak threshold=0.3 gap=0.03 | count reset=0.25 quiet=0.02\n"
    "  in seconds; the model has its own; threshold=0.4 changes that setting alone, a line that begins with a method all\n"
    "live: WAV or FLAC, or with --raw samples without a header, of type u8, s16le, s24le, s32le or f32le; resampling\n"
    "  from 44100 or 48000 Hz adds 3 ms:\n"
    "  arecord -f S16_LE -c 1 -r 22050 | loco detect -m drums -\n"
    "series: a table as it grows, with names and either a column of times or a line # rate: 50 above them:\n"
    "  tail -n +1 -f sensor.csv | loco detect -m steps.loco -\n";

int lc_command_detect(int argc, char **argv)
{
    lc_detect_request asked = {.how = {.size = sizeof asked.how}};
    uint64_t ensemble = 0;
    const char *shard = NULL;
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &asked.model, "its path or name; required"),
        lc_option_text("output", 'o', "FILE", &asked.output,
                       "where events go; FOLDER/: a file for each sound (stdout)"),
        lc_option_text("format", 'f', "NAME", &asked.name,
                       "csv, jsonl, labels, midi, roi, marks or click (by the ending, or csv)"),
        lc_option_real("tempo", 0, "BPM", &asked.tempo, "of MIDI files, whose events keep their times (120)"),
        lc_option_flag("notes", 0, &asked.notes,
                       "of pitches and drums: velocity and end of each note, estimated (MIDI has them)"),
        lc_option_text("classes", 0, "LIST", &asked.fold, "put classes together: kick,snare,hihat; see below"),
        lc_option_text("decoding", 'd', "LINE", &asked.how.decoding, "how probabilities become events, see below"),
        lc_option_integer("ensemble", 'e', "N", &ensemble,
                          "let N versions vote, the sound at other speeds or the image shifted: slower"),
        lc_option_text("counts", 'c', "N,N,...", &asked.counts,
                       "known counts of a whole file, one a class; ? if unknown"),
        lc_option_text("raw", 0, "T,C,R", &asked.how.raw, "standard input without a header: type, channels, rate"),
        lc_option_amount("threads", 't', "N", &asked.threads, "threads; same output for any number (all cores)"),
        lc_option_flag("resume", 0, &asked.resume, "of folders: keep the journal OUTPUT.done, and do what is new"),
        lc_option_flag("retry", 0, &asked.retry, "with --resume: also files that could not be read before"),
        lc_option_flag("sandbox", 0, &asked.sandbox, "files of strangers: each in a process that may do nothing else"),
        lc_option_text("shard", 0, "I/N", &shard, "of N processes this is number I, from 1 on; the last one joins"),
    };
    const lc_usage usage = {
        .command = "detect",
        .line = "-m MODEL FILE|FOLDER|-... [options]",
        .about = "Prints the time of every event in sound files, in the sounds of folders, or live on standard input.",
        .notes = notes,
        .example = "loco detect -m drums.loco drums-set/rec_000.wav",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    asked.how.ensemble = ensemble > MOST_VERSIONS ? MOST_VERSIONS : (unsigned)ensemble;
    if (done == LC_ARGS_GO && ensemble > MOST_VERSIONS)
        done = lc_args_wrong(&usage, "--ensemble takes up to %d versions", MOST_VERSIONS);
    if (done == LC_ARGS_GO && asked.threads > LC_MOST_THREADS)
        done = lc_args_wrong(&usage, "--threads takes 1 to %d", LC_MOST_THREADS);
    if (done == LC_ARGS_GO)
        done = check_request(&usage, &asked, argv, files_len);
    if (done == LC_ARGS_GO)
        done = choose_shard(&usage, &asked, shard, argv);
    return done == LC_ARGS_GO ? find_and_run(&usage, &asked, argv, files_len) : done;
}

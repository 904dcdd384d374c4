/* SPDX-License-Identifier: MIT
 *
 * cmd_count.c - `loco count`: how many events, with an interval, instead of when.
 *
 *     loco count -m MODEL take.wav                  a line for each class of the file
 *     loco count -m MODEL --every 10s take.wav      and of every 10 seconds
 *     loco count -m MODEL --clips set               and of every clip of set/counts.csv
 *
 * The lines of a single file are printed as soon as their part has been read, so that ten hours can be watched while
 * they are counted. Several files are counted on all cores; each is printed when it and all before it are done.
 */
#include "args.h"
#include "files.h"
#include "parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 8192 };

/* As typed. */
typedef struct count_request {
    bool clips;
    const char *model, *label, *format, *raw;
    double interval, every; /* 0: the defaults */
    uint64_t threads;
} count_request;

typedef struct count_job count_job;

typedef struct kept_text {
    char *bytes;
    size_t len, capacity;
} kept_text;

/* The lines and notices of one file, kept until it is its turn. */
typedef struct file_count {
    count_job *owner;
    kept_text lines, notices;
    bool single; /* as of count_job, of a row */
    loco_status status;
} file_count;

struct count_job {
    const count_request *asked;
    loco_model *model;
    loco_tally_options how;
    const lc_files *files;
    file_count *counts;
    loco_err *errs; /* one a file; empty: it succeeded */
    bool headed;    /* the heading is printed */
    bool single;    /* it is stated that calibration saw a single recording */
    int worst;      /* exit status */
};

/* ---- printing ---- */

static const char *format_of(const count_job *c)
{
    bool json = c->asked->format != NULL && strcmp(c->asked->format, "jsonl") == 0;
    if (strcmp(loco_model_text(c->model, "input"), "images") == 0)
        return json ? "jsonl places" : "csv places";
    return json ? "jsonl" : "csv";
}

static size_t format_row(const count_job *c, char line[LINE_BYTES], const loco_tally_row *row)
{
    const char *class_name = row != NULL ? loco_model_class(c->model, row->kind) : NULL;
    return loco_tally_format(line, LINE_BYTES, format_of(c), class_name, c->asked->label, row);
}

/* Not before there is something below it: a failure leaves stdout empty. */
static void print_heading(count_job *c)
{
    char line[LINE_BYTES];
    if (c->headed)
        return;
    c->headed = true;
    if (loco_model_text(c->model, "count_scales") == NULL)
        fprintf(stderr, "the counts of this model are not calibrated: their intervals are what the network claims; "
                        "loco calibrate -m MODEL DATA measures better ones\n");
    if (format_row(c, line, NULL) > 0)
        lc_cli_row(line);
}

/* Once: a single recording cannot show how recordings differ. */
static void state_single(count_job *c, bool single)
{
    if (c->single || !single)
        return;
    c->single = true;
    fprintf(stderr, "the counts of this model were calibrated on a single recording: intervals of other recordings are "
                    "a guess; loco calibrate -m MODEL DATA with several recordings measures them\n");
}

/* A reader that went away ends a stream that might never end. */
static void print_row(void *context, const loco_tally_row *row)
{
    count_job *c = context;
    char line[LINE_BYTES];
    print_heading(c);
    state_single(c, row->recordings == 1);
    if (format_row(c, line, row) > 0)
        lc_cli_row(line);
    if (strcmp(row->file, "-") == 0 && fflush(stdout) != 0)
        exit(lc_cli_finish(LC_EXIT_SYSTEM));
}

/* ---- one file ---- */

static loco_status count_file(count_job *c, size_t item, loco_tally_take *take,
                              void (*notice)(void *context, const char *sentence), void *context)
{
    const char *path = c->files->paths[item];
    loco_tally_options how = c->how;
    how.notice = notice;
    how.notice_context = context;
    return c->asked->clips ? loco_tally_clips(take, context, c->model, path, &how, &c->errs[item])
                           : loco_tally(take, context, c->model, path, &how, &c->errs[item]);
}

static void fail(count_job *c, size_t item, loco_status status)
{
    int code = lc_cli_unread(status, &c->errs[item]);
    c->worst = code > c->worst ? code : c->worst;
}

static void count_alone(count_job *c)
{
    loco_status status = count_file(c, 0, print_row, lc_cli_notice, c);
    if (status != LOCO_OK)
        fail(c, 0, status);
}

/* ---- several files ---- */

/* A line of at most LINE_BYTES with the 0 behind it: a cell in quotes may hold line ends, so that these do not part lines. */
static void keep(file_count *count, kept_text *text, const char *line)
{
    size_t length = strlen(line);
    if (count->status != LOCO_OK)
        return;
    if (text->len + length + 1 > text->capacity) {
        size_t wanted = 2 * text->capacity + LINE_BYTES;
        char *grown = realloc(text->bytes, wanted);
        count->status = grown == NULL ? LOCO_ENOMEM : LOCO_OK;
        if (grown == NULL)
            return;
        text->bytes = grown;
        text->capacity = wanted;
    }
    memcpy(text->bytes + text->len, line, length + 1);
    text->len += length + 1;
}

static void free_kept(file_count *count)
{
    free(count->lines.bytes);
    free(count->notices.bytes);
    *count = (file_count){.owner = count->owner};
}

static void keep_row(void *context, const loco_tally_row *row)
{
    file_count *count = context;
    char line[LINE_BYTES];
    format_row(count->owner, line, row);
    keep(count, &count->lines, line);
    count->single = count->single || row->recordings == 1;
}

static void keep_notice(void *context, const char *sentence)
{
    file_count *count = context;
    keep(count, &count->notices, sentence);
}

static void count_in_worker(void *context, size_t item)
{
    count_job *c = context;
    file_count *count = &c->counts[item];
    count->owner = c;
    loco_status status = count_file(c, item, keep_row, keep_notice, count);
    if (status == LOCO_OK && count->status == LOCO_ENOMEM)
        lc_cli_error_write(&c->errs[item], "out of memory for the counts of %.150s", c->files->paths[item]);
    count->status = status != LOCO_OK ? status : count->status;
}

static bool print_in_order(void *context, size_t item)
{
    count_job *c = context;
    file_count *count = &c->counts[item];
    for (size_t at = 0; at < count->notices.len; at += strlen(count->notices.bytes + at) + 1)
        lc_cli_say("%s", count->notices.bytes + at);
    if (count->lines.len > 0) {
        print_heading(c);
        state_single(c, count->single);
        for (size_t at = 0; at < count->lines.len; at += strlen(count->lines.bytes + at) + 1)
            lc_cli_row(count->lines.bytes + at);
    }
    if (count->status != LOCO_OK)
        fail(c, item, count->status);
    free_kept(count);
    return !ferror(stdout);
}

static void count_several(count_job *c)
{
    loco_err err = {""};
    lc_parallel job = {.items = c->files->len,
                       .threads = c->asked->threads,
                       .work = count_in_worker,
                       .finish = print_in_order,
                       .context = c};
    loco_status status = lc_parallel_run(&job, &err);
    if (status != LOCO_OK)
        c->worst = lc_cli_failure(status, &err);
    for (size_t i = 0; i < c->files->len; i++)
        free_kept(&c->counts[i]);
    lc_files_summary(c->errs, c->files->len);
}

/* ---- the command ---- */

static int count_all(count_job *c)
{
    loco_err err = {""};
    c->counts = calloc(c->files->len, sizeof *c->counts);
    c->errs = calloc(c->files->len, sizeof *c->errs);
    if (c->counts == NULL || c->errs == NULL)
        c->worst = lc_cli_failure(lc_cli_error(&err, LOCO_ENOMEM, "out of memory for %zu files", c->files->len), &err);
    else if (c->files->len == 1)
        count_alone(c);
    else
        count_several(c);
    free(c->counts);
    free(c->errs);
    return c->worst;
}

static int load_and_count(const count_request *asked, const lc_files *files)
{
    loco_err err = {""};
    loco_label label = loco_label_unknown();
    char *path = NULL, raw[64];
    count_job c = {.asked = asked, .files = files, .worst = LC_EXIT_OK};
    c.how = (loco_tally_options){
        .size = sizeof c.how, .interval = asked->interval, .every = asked->every, .raw = asked->raw};
    loco_status status = lc_files_load_model(&c.model, &path, asked->model, &err);
    if (status == LOCO_OK && asked->clips && files->len == 1)
        status = loco_model_fit(&c.model, files->paths[0], &err);
    if (status == LOCO_OK && strcmp(files->paths[0], "-") == 0)
        status = lc_files_raw(&c.how.raw, raw, c.model, &err);
    if (status == LOCO_OK && asked->label != NULL)
        status = loco_label_parse(&label, asked->label, strlen(asked->label), &err);
    c.how.label = asked->label != NULL ? &label : NULL;
    int code = status == LOCO_OK ? count_all(&c) : lc_cli_unread(status, &err);
    loco_model_free(c.model);
    loco_free(path);
    return code;
}

static int find_and_count(const count_request *asked, char **words, size_t words_len)
{
    loco_err err = {""};
    lc_files files = {0};
    if (asked->clips) {
        lc_files sets = {.paths = words, .len = words_len};
        return load_and_count(asked, &sets);
    }
    loco_status status = lc_files_find(&files, (const char *const *)words, words_len, &err);
    if (status == LOCO_OK)
        lc_files_state_found(&files);
    int code = status == LOCO_OK ? load_and_count(asked, &files) : lc_cli_unread(status, &err);
    lc_files_free(&files);
    return code;
}

/* Until the last release, `loco count` read logits. */
static int no_model(const lc_usage *usage, const count_request *asked, char **files, size_t files_len)
{
    bool recordings = asked->label == NULL;
    for (size_t i = 0; i < files_len; i++)
        recordings = recordings && (lc_files_is_folder(files[i]) || lc_files_is_sound(files[i]));
    if (recordings)
        return lc_files_no_model(usage);
    return lc_args_wrong(usage,
                         "loco count of logits is now: loco loss FILES; to count events in recordings, add -m MODEL");
}

/* What can be said before anything is loaded. */
static int check_request(const lc_usage *usage, const count_request *asked, char **files, size_t files_len)
{
    bool standard = false;
    loco_label label;
    for (size_t i = 0; i < files_len; i++)
        standard |= strcmp(files[i], "-") == 0;
    if (asked->model == NULL)
        return no_model(usage, asked, files, files_len);
    if (files_len == 0)
        return lc_args_wrong(usage, asked->clips ? "name data sets: folders with counts.csv"
                                                 : "name sound files or folders, or - for standard input");
    if (asked->format != NULL && strcmp(asked->format, "csv") != 0 && strcmp(asked->format, "jsonl") != 0)
        return lc_args_wrong(usage, "counts are printed as csv or jsonl, not as %s", asked->format);
    if (asked->interval < 0 || asked->interval > 0.99 || (asked->interval > 0 && asked->interval < 0.5))
        return lc_args_wrong(usage, "--interval takes 0.5 to 0.99, such as 0.9 for 90 %%");
    if (asked->every > 0 && asked->every < 0.05)
        return lc_args_wrong(usage, "--every takes 50ms or more, not %gs", asked->every);
    if (asked->every > 0 && asked->clips)
        return lc_args_wrong(usage, "use either --every or --clips: both say which parts are counted");
    if (asked->label != NULL && loco_label_parse(&label, asked->label, strlen(asked->label), NULL) != LOCO_OK)
        return lc_args_wrong(usage, "--label \"%s\" is not a label; write 3, 2..5, \">=1\" or \"<=4\"", asked->label);
    if (standard && (files_len > 1 || asked->clips))
        return lc_args_wrong(usage, "- is read once and alone: not with other files or --clips");
    if (!standard && asked->raw != NULL)
        return lc_args_wrong(usage, "--raw is for standard input: loco count -m MODEL - --raw %s <%s", asked->raw,
                             files[0]);
    if (asked->threads > LC_MOST_THREADS)
        return lc_args_wrong(usage, "--threads takes 1 to %d", LC_MOST_THREADS);
    return LC_ARGS_GO;
}

static const lc_moved moved[] = {
    {"rate",      "loco loss FILES --rate FPS"                },
    {"events",    "loco loss FILES --events"                  },
    {"posterior", "loco loss FILES --posterior"               },
    {"sample",    "loco loss FILES --sample N"                },
    {"seed",      "loco loss FILES --sample N --seed N"       },
    {"json",      "loco loss FILES --json"                    },
    {"svg",       "loco plot count FILE --label L -o FILE.svg"},
};

static const char *const notes =
    "The interval holds the true count in 90 % of all cases (--interval 0.8: 80 %) once the model is calibrated on similar\n"
    "recordings (loco calibrate). Counts are printed for each file, for windows (--every 10s), or for the clips of data\n"
    "sets (--clips); of images for each, or for the rectangles of data sets. A file that cannot be read is reported, the\n"
    "others are still counted, and the exit status is 3.\n"
    "live: - is WAV or FLAC, or with --raw samples without a header, of type u8, s16le, s24le, s32le or f32le\n";

int lc_command_count(int argc, char **argv)
{
    count_request asked = {.clips = false};
    const lc_option options[] = {
        lc_option_text("model", 'm', "MODEL", &asked.model, "its path or name; required"),
        lc_option_text("format", 'f', "NAME", &asked.format, "csv or jsonl (csv)"),
        lc_option_real("interval", 'i', "P", &asked.interval,
                       "share of the cases in which it holds the true count (0.9)"),
        lc_option_text("label", 'l', "LABEL", &asked.label, "also print the probability of, say, \">=3\""),
        lc_option_time("every", 0, &asked.every, "count windows of this length, such as 10s"),
        lc_option_flag("clips", 0, &asked.clips, "the files are data sets, whose clips are counted"),
        lc_option_text("raw", 0, "T,C,R", &asked.raw, "standard input without a header: type, channels, rate"),
        lc_option_amount("threads", 't', "N", &asked.threads, "threads; same output for any number (all cores)"),
    };
    const lc_usage usage = {
        .command = "count",
        .line = "-m MODEL FILE|FOLDER|-... [options]",
        .about = "Prints how many events of each class recordings hold: the expected count, and an interval.",
        .notes = notes,
        .example = "loco count -m drums.loco drums-set/rec_000.wav",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done == LC_ARGS_GO)
        done = check_request(&usage, &asked, argv, files_len);
    return done == LC_ARGS_GO ? find_and_count(&asked, argv, files_len) : done;
}

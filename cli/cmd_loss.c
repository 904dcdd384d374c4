/* SPDX-License-Identifier: MIT
 *
 * cmd_loss.c - `loco loss`: what the logits of a clip say about its count, and what a known count says about its
 * events.
 *
 * Per file a few lines for people; or, for programs, only the events, the posterior or drawn event sets, one item a
 * line; or everything as one JSON object a line. A label that certain frames contradict has P = 0: the answer is no,
 * exit 1. So does a label whose loss, with large finite logits, is beyond a double.
 *
 *     $ printf '%s\n' -4 3 -4 -1 -4 2 -4 >clip.txt
 *     $ loco loss clip.txt --label 2
 *     clip.txt: 7 frames
 *       count   2.174 expected, sd 0.646, 90 % within 1..3
 *       label   2: P 0.617118, loss 0.482695
 *       events      frame         p  posterior
 *                       1   0.95257    0.97952
 *                       5   0.88080    0.94463
 *     $ loco loss clip.txt --label 2 --events      frame, or time with --rate; tab; posterior
 *     $ loco loss clip.txt --label 2 --posterior   one frame a line
 *     $ loco loss clip.txt --label 2 --sample 3    one set a line: frames or times between spaces
 *
 * Digits: people get a fixed number; lists %.9g, enough to distinguish frames at any rate; JSON all 17 of its
 * probabilities, so that sums and differences can be formed later without a loss.
 */
#include "args.h"
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLED 1000000000u /* bytes: samples * frames; stated in --help and in loco.1 */

/* What the command line asks for. */
typedef struct loss_request {
    const char *label_text;
    loco_label label;
    bool events, posterior, json;
    uint64_t samples, seed;
    double rate; /* frames per second; 0: unknown */
} loss_request;

/* What is known about one file. */
typedef struct answer {
    const char *name;
    lc_numbers logits;
    double mean, sd, loss;
    size_t low, high;  /* 90 % of the counts */
    double *posterior; /* (T) */
    uint8_t *events;   /* (T) the most likely set; all 0 when the label is impossible */
    uint8_t *samples;  /* (samples, T) or NULL */
} answer;

/* Correct at both ends: exp overflows to infinity, and 1/inf is 0. */
static double probability(double logit)
{
    return 1 / (1 + exp(-logit));
}

/* ---- calls of the library ----------------------------------------------------------------------------------- */

/* The range low..high leaves out at most 5 % on either side; with whole counts it usually holds more than 90 %. */
static loco_status ask_distribution(loco_count *count, answer *a, loco_err *err)
{
    double variance;
    const double *z = a->logits.values;
    size_t T = a->logits.len;
    loco_status status = loco_count_moments(&a->mean, &variance, z, T, err);
    if (status == LOCO_OK)
        status = loco_count_quantile(&a->low, count, z, T, 0.05, err);
    if (status == LOCO_OK)
        status = loco_count_quantile(&a->high, count, z, T, 0.95, err);
    if (status == LOCO_OK)
        a->sd = sqrt(variance);
    return status;
}

/* The limit is on memory: a sample is drawn as one byte a frame, and all are drawn before the first is printed. */
static loco_status ask_samples(loco_count *count, const loss_request *asked, answer *a, loco_err *err)
{
    size_t T = a->logits.len;
    if (asked->samples > MOST_SAMPLED / T)
        return lc_cli_error(err, LOCO_EARG, "%s: --sample takes at most %zu for %zu frames", a->name,
                            (size_t)(MOST_SAMPLED / T), T);
    size_t samples = (size_t)asked->samples;
    a->samples = malloc(samples * T);
    if (a->samples == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu event sets", samples);
    return loco_count_sample(a->samples, samples, count, a->logits.values, T, asked->label, asked->seed, err);
}

/* Without a label it is "?": the posterior is then p, the most likely set all frames with p > 1/2. */
static loco_status ask_label(loco_count *count, const loss_request *asked, answer *a, loco_err *err)
{
    const double *z = a->logits.values;
    size_t T = a->logits.len;
    a->posterior = calloc(T, sizeof *a->posterior);
    a->events = calloc(T, sizeof *a->events);
    if (a->posterior == NULL || a->events == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu frames", T);
    loco_status status = loco_count_loss(&a->loss, NULL, a->posterior, count, z, T, asked->label, err);
    if (status != LOCO_OK || isinf(a->loss))
        return status;
    status = loco_count_best(a->events, count, z, T, asked->label, err);
    if (status == LOCO_OK && asked->samples > 0)
        status = ask_samples(count, asked, a, err);
    return status;
}

/* ---- for people ---------------------------------------------------------------------------------------------- */

static size_t count_events(const uint8_t *events, size_t T)
{
    size_t n = 0;
    for (size_t t = 0; t < T; t++)
        n += events[t];
    return n;
}

/* p and posterior side by side: what the label changed. Without events not even the heading is printed. */
static void print_events_table(const loss_request *asked, const answer *a)
{
    size_t T = a->logits.len;
    if (count_events(a->events, T) == 0)
        return;
    printf("  events  %9s%s  %8s  %9s\n", "frame", asked->rate > 0 ? "      time" : "", "p", "posterior");
    for (size_t t = 0; t < T; t++) {
        if (!a->events[t])
            continue;
        printf("          %9zu", t);
        if (asked->rate > 0)
            printf("  %7.3f s", (double)t / asked->rate);
        printf("  %8.5f  %9.5f\n", probability(a->logits.values[t]), a->posterior[t]);
    }
}

/* Without a label there is nothing to say about events: the most likely set given nothing is only p > 1/2. */
static void print_summary(const loss_request *asked, const answer *a)
{
    lc_cli_print(stdout, a->name);
    printf(": %zu %s", a->logits.len, a->logits.len == 1 ? "frame" : "frames");
    if (asked->rate > 0)
        printf(", %.3f s", (double)a->logits.len / asked->rate);
    printf("\n  count   %.3f expected, sd %.3f, 90 %% within %zu..%zu\n", a->mean, a->sd, a->low, a->high);
    if (asked->label_text == NULL)
        return;
    char label[64];
    loco_label_format(label, sizeof label, asked->label);
    /* + 0.0 makes a loss of -0 a plain 0. */
    printf("  label   %s: P %.6g, loss %.6g\n", label, exp(-a->loss), a->loss + 0.0);
    print_events_table(asked, a);
}

/* ---- for programs --------------------------------------------------------------------------------------------- */

/* The frames of one event set, or their times. */
static void print_set(const loss_request *asked, const uint8_t *events, size_t T, const char *separator)
{
    const char *before = "";
    for (size_t t = 0; t < T; t++) {
        if (!events[t])
            continue;
        if (asked->rate > 0)
            printf("%s%.9g", before, (double)t / asked->rate);
        else
            printf("%s%zu", before, t);
        before = separator;
    }
}

/* The name comes first only if there are several files: a single list is what other programs read. */
static void print_lists(const loss_request *asked, const answer *a, bool many)
{
    size_t T = a->logits.len;
    if (many) {
        fputs("# ", stdout);
        lc_cli_print(stdout, a->name);
        putchar('\n');
    }
    for (size_t t = 0; t < T && asked->events; t++) {
        if (!a->events[t])
            continue;
        if (asked->rate > 0)
            printf("%.9g\t%.9g\n", (double)t / asked->rate, a->posterior[t]);
        else
            printf("%zu\t%.9g\n", t, a->posterior[t]);
    }
    for (size_t t = 0; t < T && asked->posterior; t++)
        printf("%.9g\n", a->posterior[t]);
    for (size_t i = 0; i < asked->samples && a->samples != NULL; i++) {
        print_set(asked, a->samples + i * T, T, " ");
        putchar('\n');
    }
}

/* Objects rather than columns, so that keys can be added without breaking programs that read "frame". */
static void print_json_events(const loss_request *asked, const answer *a)
{
    const char *before = "";
    fputs(",\"events\":[", stdout);
    for (size_t t = 0; t < a->logits.len; t++) {
        if (!a->events[t])
            continue;
        printf("%s{\"frame\":%zu", before, t);
        if (asked->rate > 0)
            printf(",\"time\":%.9g", (double)t / asked->rate);
        fputs(",\"p\":", stdout);
        lc_cli_json_number(probability(a->logits.values[t]));
        fputs(",\"posterior\":", stdout);
        lc_cli_json_number(a->posterior[t]);
        putchar('}');
        before = ",";
    }
    putchar(']');
}

/* "key": with the comma before it. */
static void print_json_key(const char *key)
{
    printf(",\"%s\":", key);
}

/* p_label is there for readers; loss for programs, since exp(-loss) is 0 from a loss of 746 on. */
static void print_json_label(const loss_request *asked, const answer *a)
{
    char label[64];
    loco_label_format(label, sizeof label, asked->label);
    print_json_key("label");
    lc_cli_json_string(label);
    print_json_key("loss");
    lc_cli_json_number(a->loss + 0.0);
    print_json_key("p_label");
    lc_cli_json_number(exp(-a->loss));
    print_json_events(asked, a);
}

/* Keys appear only if they were asked for, always in this order; what is not finite becomes null. */
static void print_json(const loss_request *asked, const answer *a)
{
    size_t T = a->logits.len;
    fputs("{\"file\":", stdout);
    lc_cli_json_string(a->name);
    printf(",\"frames\":%zu,\"interval\":[%zu,%zu]", T, a->low, a->high);
    print_json_key("mean");
    lc_cli_json_number(a->mean);
    print_json_key("sd");
    lc_cli_json_number(a->sd);
    if (asked->rate > 0) {
        print_json_key("rate");
        lc_cli_json_number(asked->rate);
    }
    if (asked->label_text != NULL || asked->events)
        print_json_label(asked, a);
    if (asked->posterior) {
        print_json_key("posterior");
        for (size_t t = 0; t < T; t++) {
            putchar(t == 0 ? '[' : ',');
            lc_cli_json_number(a->posterior[t]);
        }
        putchar(']');
    }
    if (a->samples != NULL) {
        print_json_key("samples");
        for (size_t i = 0; i < asked->samples; i++) {
            fputs(i == 0 ? "[[" : ",[", stdout);
            print_set(asked, a->samples + i * T, T, ",");
            putchar(']');
        }
        putchar(']');
    }
    fputs("}\n", stdout);
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

static void print_answer(const loss_request *asked, const answer *a, bool many)
{
    if (asked->json)
        print_json(asked, a);
    else if (asked->events || asked->posterior || asked->samples > 0)
        print_lists(asked, a, many);
    else
        print_summary(asked, a);
}

/* All of it before anything is printed, so that a file that fails prints nothing. */
static loco_status ask_all(loco_count *count, const loss_request *asked, answer *a, loco_err *err)
{
    loco_status status = ask_distribution(count, a, err);
    return status == LOCO_OK ? ask_label(count, asked, a, err) : status;
}

/* One file; returns its exit status. An impossible label is an answer, so the results are printed as well, with an
 * infinite loss and no events. */
static int run_file(loco_count *count, const loss_request *asked, const char *path, bool many)
{
    answer a = {.name = strcmp(path, "-") == 0 ? "standard input" : path};
    loco_err err = {""};
    loco_status status = lc_numbers_load(&a.logits, path, &err);
    if (status == LOCO_EIO)
        return lc_cli_unread(status, &err);
    if (status == LOCO_OK) {
        status = ask_all(count, asked, &a, &err);
        if (status == LOCO_OK)
            print_answer(asked, &a, many);
        else if (status == LOCO_EDATA) { /* the library does not know the name of the file */
            loco_err where = err;
            lc_cli_error_write(&err, "%.80s: %.170s", a.name, where.text);
        }
    }
    bool impossible = status == LOCO_OK && isinf(a.loss);
    lc_numbers_free(&a.logits);
    free(a.posterior);
    free(a.events);
    free(a.samples);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    if (impossible)
        lc_cli_complain("%s: P(label) is 0: the logits contradict the label", a.name);
    return impossible ? LC_EXIT_NO : LC_EXIT_OK;
}

/* All files, even when some fail; returns the largest exit status. */
static int run_files(const loss_request *asked, char **files, size_t files_len)
{
    loco_err err = {""};
    loco_count *count = NULL;
    loco_status status = loco_count_new(&count, 1, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    int worst = LC_EXIT_OK;
    for (size_t i = 0; i < files_len && !ferror(stdout); i++) {
        int code = run_file(count, asked, files[i], files_len > 1);
        worst = code > worst ? code : worst;
    }
    loco_count_free(count);
    return worst;
}

/* Checks what the table of options cannot say: which of them go together. Before any file is read, since a wrong
 * command line is wrong for all of them. */
static int check_request(const lc_usage *usage, loss_request *asked, size_t files_len)
{
    loco_err err = {""};
    if (files_len == 0)
        return lc_args_wrong(usage, "give a file of logits, or - for standard input");
    if (asked->rate < 0)
        return lc_args_wrong(usage, "--rate takes frames per second, not %g", asked->rate);
    if (!asked->json && asked->events + asked->posterior + (asked->samples > 0) > 1)
        return lc_args_wrong(usage, "choose one of --events, --posterior and --sample, or add --json");
    if (asked->label_text != NULL &&
        loco_label_parse(&asked->label, asked->label_text, strlen(asked->label_text), &err) != LOCO_OK)
        return lc_args_wrong(usage, "--label: %s", err.text);
    return LC_ARGS_GO;
}

static const lc_moved moved[] = {
    {"svg", "loco plot count FILE --label L -o FILE.svg"                                          },
    {"o",   "loco loss writes to standard output; for a picture: loco plot count FILE -o FILE.svg"},
    {"e",   "-e is --ensemble; write --events"                                                    },
    {"p",   "-p is --preset; write --posterior"                                                   },
};

int lc_command_loss(int argc, char **argv)
{
    loss_request asked = {.label = loco_label_unknown(), .seed = 1};
    const lc_option options[] = {
        lc_option_text("label", 'l', "LABEL", &asked.label_text,
                       "what is known about the count: 3, 2..5, '>=1', '<=4', '?'"),
        lc_option_real("rate", 'r', "N", &asked.rate, "frames per second: times in seconds"),
        lc_option_flag("events", 0, &asked.events, "print only the most likely events: frame or time, posterior"),
        lc_option_flag("posterior", 0, &asked.posterior, "print only the posterior of each frame, one a line"),
        lc_option_amount("sample", 0, "N", &asked.samples, "print only N event sets drawn given the label, one a line"),
        lc_option_integer("seed", 's', "N", &asked.seed, "random seed (1)"),
        lc_option_flag("json", 'j', &asked.json, "one JSON object a file, one a line"),
    };
    const lc_usage usage = {
        .command = "loss",
        .line = "FILE... [options]",
        .about = "Reads logits, log(p / (1 - p)) of an event in each frame, as numbers between spaces, commas or line\n"
                 "ends; - is standard input, # starts a comment. Prints what they say about the number of events and,\n"
                 "given a label, its loss and the events it points to.",
        .notes =
            "JSON keys: file, frames, interval, mean, sd; rate with --rate; label, loss, p_label and events with\n"
            "--label or --events; posterior with --posterior; samples with --sample. Each of the events has frame,\n"
            "time (with --rate), p and posterior; samples are lists of frames, or of times with --rate.\n\n"
            "limits: a file has at most 10 million numbers in 256 MB; --sample N times frames is at most 1e9.\n\n"
            "exit status: 0 success, 1 P(label) is 0, 2 wrong command line, 3 wrong input, 4 no memory or an output\n"
            "that could not be written; with several files the largest.\n",
        .example = "printf '%s\\n' -4 3 -4 -1 -4 2 -4 | loco loss - --label 2",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done == LC_ARGS_GO)
        done = check_request(&usage, &asked, files_len);
    return done == LC_ARGS_GO ? run_files(&asked, argv, files_len) : done;
}

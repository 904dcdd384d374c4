/* SPDX-License-Identifier: MIT
 *
 * main.c - `loco <command> [options] files`: finds the command, runs it, and makes sure that its output arrived.
 *
 * A command is a function in a table, with its own options and its own --help; a new one is a file cmd_NAME.c, a line
 * in cli.h and a line here. Nothing sets a locale: numbers are read and written with a point everywhere.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} command;

static const command commands[] = {
    {"demo",      lc_command_demo,      "everything in two minutes: make sounds, learn from counts, find the events" },
    {"train",     lc_command_train,     "a model from recordings and a column of counts"                             },
    {"detect",    lc_command_detect,    "the time of every event in recordings, as CSV, MIDI, labels, JSON or clicks"},
    {"count",     lc_command_count,     "the number of events in recordings, with an interval"                       },
    {"enrich",    lc_command_enrich,    "event times for recordings whose counts are known"                          },
    {"eval",      lc_command_eval,      "precision, recall, F1 and time errors"                                      },
    {"table",     lc_command_table,     "the scores of several runs side by side"                                    },
    {"calibrate", lc_command_calibrate, "a model's time offsets, thresholds and intervals, measured and stored"      },
    {"report",    lc_command_report,    "a page to look at and listen to"                                            },
    {"plot",      lc_command_plot,      "pictures of clips, training, scores and evaluations"                        },
    {"models",    lc_command_models,    "the models that can be given by name"                                       },
    {"inspect",   lc_command_inspect,   "what a model file holds"                                                    },
    {"import",    lc_command_import,    "public data sets, converted into ours"                                      },
    {"split",     lc_command_split,     "a data set into one to train on and one to test with"                       },
    {"synth",     lc_command_synth,     "data sets of made-up recordings"                                            },
    {"loss",      lc_command_loss,      "what event probabilities say about a count, and a count about the events"   },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *stream)
{
    fputs("usage: loco <command> [options] files\n\nLearn when events happen from how many happened.\n\ncommands:\n",
          stream);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs("\n'loco <command> --help' explains one; 'loco --version' prints the version. Start with: loco demo\n",
          stream);
}

/* `loco --count` is taken for a mistyped command too. */
static int unknown_command(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = loco_nearest(name[0] == '-' ? name + strspn(name, "-") : name, names, COMMANDS);
    if (near != NULL)
        lc_cli_complain("there is no command '%s'; did you mean 'loco %s'?", name, near);
    else
        lc_cli_complain("there is no command '%s'; 'loco --help' lists them", name);
    return LC_EXIT_USAGE;
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return unknown_command(argv[0]);
}

/* `loco help count` is `loco count --help`. */
static int run_help(int argc, char **argv)
{
    static char help[] = "--help";
    if (argc == 0) {
        print_usage(stdout);
        return LC_EXIT_OK;
    }
    char *words[] = {argv[0], help};
    return run_command(2, words);
}

static int run(int argc, char **argv)
{
    if (argc < 2) { /* a script that forgot the command should notice: stderr and a failure */
        print_usage(stderr);
        return LC_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("loco %s (kernels: %s)\n", loco_version(), loco_kernels());
        return LC_EXIT_OK;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return run_help(0, argv + 2);
    if (strcmp(argv[1], "help") == 0)
        return run_help(argc - 2, argv + 2);
    return run_command(argc - 1, argv + 1);
}

/* If one of stdin, stdout, stderr is closed, the next file opened would take its place, and results might be written
 * into a picture. Opened the wrong way round, each stays taken and still fails as a closed one would. */
static void occupy_closed(void)
{
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF && open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY) != file)
            return;
}

int main(int argc, char **argv)
{
    static char lines[BUFSIZ]; /* musl makes none of its own */
    occupy_closed();
    setvbuf(stderr, lines, _IOLBF, sizeof lines); /* processes that share a terminal mix lines, not letters */
    signal(SIGPIPE, SIG_IGN); /* so that a closed pipe is a failed write, with an exit status of ours */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that grows beyond a limit */
    return lc_cli_finish(run(argc, argv));
}

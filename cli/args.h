/* SPDX-License-Identifier: MIT
 *
 * args.h - the options of a command: one table says what is accepted, where values go and what --help prints.
 *
 *     uint64_t seed = 1;
 *     const lc_option options[] = {
 *         lc_option_integer("seed", 's', "N", &seed, "random seed (1)"),
 *     };
 *     const lc_usage usage = {"demo", "[-o FILE.svg]", "Shows it.", NULL, "loco demo -o first.svg", options, 1};
 *     int done = lc_args_parse(&usage, argc, argv, &files_len);
 *     if (done != LC_ARGS_GO)
 *         return done;
 *
 * Accepted: --name value, --name=value, -n value, -nvalue, options before, between and after files, -- before files
 * that begin with a dash, and - alone as a file. The last value of an option wins, unless it takes a list.
 * A letter stands for one long option in all commands.
 */
#ifndef LC_CLI_ARGS_H
#define LC_CLI_ARGS_H

#include "cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of an option that may be given several times. */
enum { LC_LIST_MOST = 64 };
typedef struct lc_list {
    const char *items[LC_LIST_MOST];
    size_t len;
} lc_list;

/* One of flag, text, list, integer, real and time is set: it says what the option takes, and receives it. */
typedef struct lc_option {
    const char *name;  /* without dashes */
    char letter;       /* 0: none */
    bool bare;         /* of a time: a number without a unit means seconds, since the option's name says so */
    const char *value; /* what --help calls the value */
    bool *flag;
    const char **text;
    lc_list *list;
    uint64_t *integer; /* decimal, least or above */
    uint64_t least;
    double *real; /* finite */
    double *time; /* seconds; typed with a unit, see times.h */
    const char *help;
} lc_option;

lc_option lc_option_flag(const char *name, char letter, bool *flag, const char *help);
lc_option lc_option_text(const char *name, char letter, const char *value, const char **text, const char *help);
lc_option lc_option_list(const char *name, char letter, const char *value, lc_list *list, const char *help);
lc_option lc_option_integer(const char *name, char letter, const char *value, uint64_t *integer, const char *help);
/* An integer from 1 on. */
lc_option lc_option_amount(const char *name, char letter, const char *value, uint64_t *integer, const char *help);
lc_option lc_option_real(const char *name, char letter, const char *value, double *real, const char *help);
lc_option lc_option_time(const char *name, char letter, double *seconds, const char *help);

/* An option that this command had in an earlier release, and what to write instead. */
typedef struct lc_moved {
    const char *name; /* without dashes; one character is a letter */
    const char *now;  /* of a name the whole command, of a letter a sentence */
} lc_moved;

typedef struct lc_usage {
    const char *command;
    const char *line;  /* what follows the command: "FILE... [options]" */
    const char *about; /* a sentence or two */
    const char *notes; /* below the options, with a line end; NULL: none */
    const char *example;
    const lc_option *options;
    size_t options_len;
    const lc_moved *moved;
    size_t moved_len;
} lc_usage;

enum { LC_ARGS_GO = -1 };

/* Reads the words after the command. The files among them are moved to argv[0 .. *files_len - 1], in their order.
 * LC_ARGS_GO: go on; else the exit status to return: after --help, which goes to stdout, or after an error message. */
int lc_args_parse(const lc_usage *usage, int argc, char **argv, size_t *files_len);

/* "loco COMMAND: <sentence>" with a hint to --help; returns the exit status of a wrong command line. */
int lc_args_wrong(const lc_usage *usage, const char *format, ...) LC_PRINTF(2, 3);

#endif

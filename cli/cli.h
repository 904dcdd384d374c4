/* SPDX-License-Identifier: MIT
 *
 * cli.h - what all commands of `loco` share: exit status, messages, and the commands themselves.
 *
 * Data go to stdout, everything else to stderr. A command prints freely to stdout; main looks once at the end whether
 * all of it arrived.
 */
#ifndef LC_CLI_CLI_H
#define LC_CLI_CLI_H

#include <loco.h>

#include <stddef.h>

/* The exit status of every command. */
enum {
    LC_EXIT_OK = 0,
    LC_EXIT_NO = 1,     /* the answer is no */
    LC_EXIT_USAGE = 2,  /* the command line is wrong */
    LC_EXIT_INPUT = 3,  /* an input is missing, unreadable or wrong */
    LC_EXIT_SYSTEM = 4, /* no memory, or an output could not be written */
};

/* Each takes the words after its name and gives the exit status. */
int lc_command_count(int argc, char **argv);
int lc_command_demo(int argc, char **argv);

/* "loco: ..." on stderr. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void lc_cli_complain(const char *format, ...);

/* Says what the library said, and gives the exit status that its status stands for. */
int lc_cli_failure(loco_status status, const loco_err *err);

/* The sentence of a failure that the command itself finds; returns status. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
loco_status lc_cli_error(loco_err *err, loco_status status, const char *format, ...);

/* Writes string as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
void lc_cli_json_string(const char *string);

/* A number as JSON: null when it is not finite, else with all its digits. */
void lc_cli_json_number(double value);

/* The nearest of the words to a mistyped one, or NULL when none is near. */
const char *lc_cli_suggest(const char *typed, const char *const *words, size_t words_len);

#endif

/* SPDX-License-Identifier: MIT
 *
 * cli.h - what all commands of `loco` share: exit status, messages, and the commands themselves.
 *
 * Data go to stdout, everything else to stderr. A command prints freely to stdout; main checks once at the end whether
 * all of it arrived.
 */
#ifndef LC_CLI_CLI_H
#define LC_CLI_CLI_H

#include <loco.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Lets the compiler compare a format, argument number `text`, with the values from number `values` on. */
#if defined(__GNUC__)
#define LC_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define LC_PRINTF(text, values)
#endif

/* The exit status of every command. */
enum {
    LC_EXIT_OK = 0,
    LC_EXIT_NO = 1,     /* the answer is no */
    LC_EXIT_USAGE = 2,  /* the command line is wrong */
    LC_EXIT_INPUT = 3,  /* an input is missing, unreadable or wrong */
    LC_EXIT_SYSTEM = 4, /* no memory, or an output could not be written */
};

/* Each takes the words after its name and returns the exit status. */
int lc_command_calibrate(int argc, char **argv);
int lc_command_count(int argc, char **argv);
int lc_command_demo(int argc, char **argv);
int lc_command_detect(int argc, char **argv);
int lc_command_enrich(int argc, char **argv);
int lc_command_eval(int argc, char **argv);
int lc_command_import(int argc, char **argv);
int lc_command_inspect(int argc, char **argv);
int lc_command_loss(int argc, char **argv);
int lc_command_models(int argc, char **argv);
int lc_command_plot(int argc, char **argv);
int lc_command_report(int argc, char **argv);
int lc_command_split(int argc, char **argv);
int lc_command_synth(int argc, char **argv);
int lc_command_table(int argc, char **argv);
int lc_command_train(int argc, char **argv);

/* Prints a text with ? in place of what loco_character_length does not show: the names of files and classes may come from a stranger, and a
 * terminal would obey an escape sequence. */
void lc_cli_print(FILE *out, const char *text);

/* The same in the text itself, which does not become longer. */
void lc_cli_clean(char *text);

/* A word as a shell reads it: in quotes when it holds more than letters, digits and the like, and with \ooo for the bytes
 * of a word that lc_cli_print would change. */
void lc_cli_word(FILE *out, const char *word);

/* A line with its line end to stdout; on a terminal as lc_cli_print would print it. */
void lc_cli_row(const char *line);

/* A sentence on stderr, by lc_cli_print. */
void lc_cli_say(const char *format, ...) LC_PRINTF(1, 2);

/* "loco: ..." on stderr. */
void lc_cli_complain(const char *format, ...) LC_PRINTF(1, 2);

/* A sentence of the library that the user should read, on stderr; context is not used. */
void lc_cli_notice(void *context, const char *sentence);

/* Prints the library's sentence, and returns the exit status that its status stands for. */
int lc_cli_failure(loco_status status, const loco_err *err);

/* The same for calls that write nothing: a file that cannot be read is a wrong input, not a failure of the system. */
int lc_cli_unread(loco_status status, const loco_err *err);

/* The exit status, unless standard output did not arrive: then that is reported, with its own exit status. */
int lc_cli_finish(int status);

/* The sentence of a failure that the command itself finds. */
void lc_cli_error_write(loco_err *err, const char *format, ...) LC_PRINTF(2, 3);

/* The same, and returns status. A macro, so that compiler and analyser see which status. */
#define lc_cli_error(err, status, ...) (lc_cli_error_write((err), __VA_ARGS__), (status))

/* Writes string as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void lc_cli_json_string(const char *string);

/* A number as JSON: null when it is not finite, else with all its digits. */
void lc_cli_json_number(double value);

#endif

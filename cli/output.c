/* SPDX-License-Identifier: MIT
 *
 * output.c - messages, exit status, and JSON pieces.
 *
 * The sentences come from the library or the command, complete with file, line and value; here they only get "loco: "
 * in front. JSON is written piece by piece to stdout instead of being built: the posterior of a long clip is large.
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Length bytes, which end with a whole character. */
static void print_part(FILE *out, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        bool shown;
        size_t n = loco_character_length(&shown, text);
        fwrite(shown ? text : "?", 1, shown ? n : 1, out);
        text += n > 0 ? n : 1;
    }
}

void lc_cli_print(FILE *out, const char *text)
{
    print_part(out, text, strlen(text));
}

void lc_cli_clean(char *text)
{
    char *to = text;
    while (*text != 0) {
        bool shown;
        size_t n = loco_character_length(&shown, text), length = shown ? n : 1;
        memmove(to, shown ? text : "?", length);
        to += length;
        text += n > 0 ? n : 1;
    }
    *to = 0;
}

static bool all_shown(const char *text)
{
    bool shown = true;
    for (size_t n; *text != 0 && shown; text += n)
        n = loco_character_length(&shown, text);
    return shown;
}

/* $'...' of bash, ksh and zsh is the only form that can hold a control character and shows none. */
void lc_cli_word(FILE *out, const char *word)
{
    static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=,:@%";
    bool escaped = !all_shown(word), quoted = word[0] == 0 || word[strspn(word, plain)] != 0;
    fputs(escaped ? "$'" : quoted ? "'" : "", out);
    for (; *word != 0; word++) {
        unsigned char c = (unsigned char)*word;
        if (escaped && (c < 0x20 || c >= 0x7f))
            fprintf(out, "\\%03o", c);
        else if (c == '\'')
            fputs(escaped ? "\\'" : "'\\''", out);
        else
            fprintf(out, escaped && c == '\\' ? "\\%c" : "%c", c);
    }
    fputs(quoted ? "'" : "", out);
}

void lc_cli_row(const char *line)
{
    size_t length = strlen(line), end = length > 0 && line[length - 1] == '\n';
    bool terminal = isatty(STDOUT_FILENO) == 1;
    if (terminal)
        print_part(stdout, line, length - end);
    fputs(terminal ? line + length - end : line, stdout);
}

enum { SENTENCE_BYTES = 16384 }; /* three paths fit */

void lc_cli_say(const char *format, ...)
{
    char sentence[SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    lc_cli_print(stderr, sentence);
    fputc('\n', stderr);
}

void lc_cli_complain(const char *format, ...)
{
    char sentence[SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    lc_cli_say("loco: %s", sentence);
}

void lc_cli_notice(void *context, const char *sentence)
{
    (void)context;
    lc_cli_say("%s", sentence);
}

/* No default: so the compiler warns when the library has a new status. */
int lc_cli_failure(loco_status status, const loco_err *err)
{
    if (err->text[0] != 0) /* empty: another process prints it */
        lc_cli_complain("%s", err->text);
    switch (status) {
    case LOCO_OK: return LC_EXIT_OK;
    case LOCO_EARG: return LC_EXIT_USAGE;
    case LOCO_EDATA: return LC_EXIT_INPUT;
    case LOCO_ENOMEM:
    case LOCO_EIO: break;
    }
    return LC_EXIT_SYSTEM;
}

int lc_cli_unread(loco_status status, const loco_err *err)
{
    return lc_cli_failure(status == LOCO_EIO ? LOCO_EDATA : status, err);
}

/* A reader that went away (`loco ... | head`) needs no message; any other failure to write does. */
int lc_cli_finish(int status)
{
    int failed = ferror(stdout); /* of any write since the start; the last bytes only fail in fflush */
    if (fflush(stdout) == 0 && !failed)
        return status;
    if (errno != EPIPE)
        lc_cli_complain("cannot write to standard output: %s", strerror(errno));
    return LC_EXIT_SYSTEM;
}

/* A sentence that is too long is cut by vsnprintf; callers limit file names (%.100s), so that the cause stays. */
void lc_cli_error_write(loco_err *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
}

/* A character of one to three bytes; those that are not shown have no more. */
static void print_escape(const char *at, size_t n)
{
    static const unsigned first[] = {0, 0x7f, 0x1f, 0x0f}; /* the bits of the first byte; the others hold six */
    unsigned code = (unsigned char)at[0] & first[n];
    for (size_t i = 1; i < n; i++)
        code = code << 6 | ((unsigned char)at[i] & 0x3f);
    printf("\\u%04x", code);
}

/* A file name may be any bytes, but JSON is UTF-8: invalid bytes become U+FFFD, so no reader fails on them. What a
 * terminal should not print is escaped. */
void lc_cli_json_string(const char *string)
{
    putchar('"');
    while (*string != 0) {
        bool shown;
        size_t length = loco_character_length(&shown, string);
        if (length == 0)
            fputs("\\ufffd", stdout);
        else if (!shown)
            print_escape(string, length);
        else if (*string == '"' || *string == '\\')
            printf("\\%c", *string);
        else
            fwrite(string, 1, length, stdout);
        string += length > 0 ? length : 1;
    }
    putchar('"');
}

/* JSON has no infinity; 17 digits restore every double exactly. */
void lc_cli_json_number(double value)
{
    if (isfinite(value))
        printf("%.17g", value);
    else
        fputs("null", stdout);
}

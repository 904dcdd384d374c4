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
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether a terminal might obey what stands here: a control character of ASCII, or of Latin-1 as UTF-8. */
static bool is_control(const char *at)
{
    unsigned char c = (unsigned char)at[0], next = c != 0 ? (unsigned char)at[1] : 0;
    return c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

void lc_cli_print(FILE *out, const char *text)
{
    for (; *text != 0; text++)
        fputc(is_control(text) ? '?' : *text, out);
}

void lc_cli_row(const char *line)
{
    size_t length = strlen(line), end = length > 0 && line[length - 1] == '\n';
    bool terminal = isatty(STDOUT_FILENO) == 1;
    for (size_t i = 0; terminal && i < length - end; i++)
        putchar(is_control(line + i) ? '?' : line[i]);
    fputs(terminal ? line + length - end : line, stdout);
}

void lc_cli_say(const char *format, ...)
{
    char sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    lc_cli_print(stderr, sentence);
    fputc('\n', stderr);
}

void lc_cli_complain(const char *format, ...)
{
    char sentence[2048];
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

/* The bytes of the UTF-8 character that s, which ends with 0, begins with; 0 when there is none. */
static size_t character_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    bool beyond = s[0] == 0xf4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

/* A file name may be any bytes, but JSON is UTF-8: invalid bytes become U+FFFD, so no reader fails on them. */
void lc_cli_json_string(const char *string)
{
    putchar('"');
    while (*string != 0) {
        size_t length = character_length((const unsigned char *)string);
        unsigned char c = (unsigned char)*string;
        if (length == 0)
            fputs("\\ufffd", stdout);
        else if (is_control(string))
            printf("\\u%04x", c == 0xc2 ? (unsigned char)string[1] : c);
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
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

/* SPDX-License-Identifier: MIT
 *
 * args.c - the options of a command.
 *
 * Not getopt: it permutes differently from system to system, prints messages of its own, and has no long options in
 * POSIX. Every message here names the option, the value, and what is expected.
 *
 *     --label 2      the next word is the value; it may begin with one dash (--rate -1), not with two
 *     --label=2      the value may be empty
 *     -l 2   -l2     the same by letter
 *     -bj            two flags in a word
 *     --             all that follows are files
 *     -              a file: standard input
 *
 * Options are not abbreviated: --lab would become ambiguous with the next option that begins with it.
 */
#include "args.h"

#include "times.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A command has far fewer options than MOST_NAMES; one beyond that would work, but would not be suggested. */
enum { MOST_NAMES = 64, HELP_COLUMN = 24 };

/* The words still to read, and the files found so far. */
typedef struct arg_cursor {
    const lc_usage *usage;
    char **argv;
    size_t argc, next, files;
    bool only_files; /* after -- */
} arg_cursor;

lc_option lc_option_flag(const char *name, char letter, bool *flag, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .flag = flag, .help = help};
}

lc_option lc_option_text(const char *name, char letter, const char *value, const char **text, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .value = value, .text = text, .help = help};
}

lc_option lc_option_list(const char *name, char letter, const char *value, lc_list *list, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .value = value, .list = list, .help = help};
}

lc_option lc_option_integer(const char *name, char letter, const char *value, uint64_t *integer, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .value = value, .integer = integer, .help = help};
}

lc_option lc_option_amount(const char *name, char letter, const char *value, uint64_t *integer, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .value = value, .integer = integer, .least = 1, .help = help};
}

lc_option lc_option_real(const char *name, char letter, const char *value, double *real, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .value = value, .real = real, .help = help};
}

lc_option lc_option_time(const char *name, char letter, double *seconds, const char *help)
{
    return (lc_option){.name = name, .letter = letter, .value = "TIME", .time = seconds, .help = help};
}

int lc_args_wrong(const lc_usage *usage, const char *format, ...)
{
    char sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    lc_cli_say("loco %s: %s", usage->command, sentence);
    fprintf(stderr, "Try 'loco %s --help'.\n", usage->command);
    return LC_EXIT_USAGE;
}

/* "  -l, --label L" padded to HELP_COLUMN; options without a letter line up with the others. */
static void print_option(const lc_option *option)
{
    char left[80];
    int length = 0;
    if (option->letter != 0)
        length = snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name);
    else
        length = snprintf(left, sizeof left, "      --%s", option->name);
    if (option->value != NULL)
        snprintf(left + length, sizeof left - (size_t)length, " %s", option->value);
    printf("%-*s %s\n", HELP_COLUMN, left, option->help);
}

/* The example stands last and alone on its line: a test cuts it out there and runs it. */
static void print_help(const lc_usage *usage)
{
    printf("usage: loco %s %s\n\n%s\n\noptions:\n", usage->command, usage->line, usage->about);
    for (size_t i = 0; i < usage->options_len; i++)
        print_option(&usage->options[i]);
    printf("%-*s %s\n\n", HELP_COLUMN, "  -h, --help", "print this");
    if (usage->notes != NULL)
        printf("%s\n", usage->notes);
    printf("example:\n  %s\n", usage->example);
}

static const lc_option *find_name(const lc_usage *usage, const char *name, size_t length)
{
    for (size_t i = 0; i < usage->options_len; i++)
        if (strlen(usage->options[i].name) == length && memcmp(usage->options[i].name, name, length) == 0)
            return &usage->options[i];
    return NULL;
}

static const lc_option *find_letter(const lc_usage *usage, char letter)
{
    for (size_t i = 0; i < usage->options_len; i++)
        if (usage->options[i].letter == letter)
            return &usage->options[i];
    return NULL;
}

/* Reports the unknown option `word`, and suggests the nearest known one. */
static int unknown_option(const lc_usage *usage, const char *word, size_t length)
{
    const char *names[MOST_NAMES] = {"help"}; /* in no table, since every command has it */
    size_t names_len = 1;
    for (size_t i = 0; i < usage->options_len && names_len < MOST_NAMES; i++)
        names[names_len++] = usage->options[i].name;
    char typed[40];
    size_t dashes = word[1] == '-' ? 2 : 1;
    snprintf(typed, sizeof typed, "%.*s", (int)(length - dashes < 39 ? length - dashes : 39), word + dashes);
    const char *near = loco_nearest(typed, names, names_len);
    if (near != NULL)
        return lc_args_wrong(usage, "there is no option %.*s; did you mean --%s?", (int)length, word, near);
    return lc_args_wrong(usage, "there is no option %.*s", (int)length, word);
}

/* Says what to write instead of an option of an earlier release; LC_ARGS_GO: it is not one. */
static int moved_option(const lc_usage *usage, const char *name, size_t length)
{
    for (size_t i = 0; i < usage->moved_len; i++) {
        const lc_moved *moved = &usage->moved[i];
        if (strlen(moved->name) != length || memcmp(moved->name, name, length) != 0)
            continue;
        if (length == 1)
            return lc_args_wrong(usage, "%s", moved->now);
        fprintf(stderr, "loco %s --%s is now: %s\n", usage->command, moved->name, moved->now);
        return LC_EXIT_USAGE;
    }
    return LC_ARGS_GO;
}

static bool store_real(double *real, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    bool good = end != value && *end == 0 && isfinite(number);
    *real = good ? number : *real;
    return good;
}

/* Stores the value; false when it is not what the option takes. */
static bool store(const lc_option *option, const char *value)
{
    char *end;
    errno = 0;
    if (option->text != NULL) {
        *option->text = value;
        return true;
    }
    if (option->list != NULL) {
        option->list->items[option->list->len++] = value;
        return true;
    }
    if (option->integer != NULL) {
        uint64_t number = strtoull(value, &end, 10); /* would also take " 1" and, as 2^64 - 1, "-1": hence the digit */
        bool good = value[0] >= '0' && value[0] <= '9' && *end == 0 && errno == 0 && number >= option->least;
        *option->integer = good ? number : *option->integer;
        return good;
    }
    return store_real(option->real, value);
}

static int take_time(const lc_usage *usage, const lc_option *option, const char *value)
{
    loco_err err = {""};
    if (option->bare && store_real(option->time, value))
        return LC_ARGS_GO;
    if (lc_time_parse(option->time, value, strlen(value), &err) == LOCO_OK)
        return LC_ARGS_GO;
    return lc_args_wrong(usage, "--%s %s: %s", option->name, value, err.text);
}

/* The value of an option: what follows in the same word, or the next word. A next word that begins with two dashes is
 * an option, not a value. */
static int take_value(arg_cursor *words, const lc_option *option, const char *attached)
{
    const char *value = attached;
    if (value == NULL) {
        bool any = words->next < words->argc && strncmp(words->argv[words->next], "--", 2) != 0;
        if (!any)
            return lc_args_wrong(words->usage, "--%s needs a value: --%s %s", option->name, option->name,
                                 option->value);
        value = words->argv[words->next++];
    }
    if (option->list != NULL && option->list->len == LC_LIST_MOST)
        return lc_args_wrong(words->usage, "--%s may be given %d times at most", option->name, LC_LIST_MOST);
    if (option->time != NULL)
        return take_time(words->usage, option, value);
    if (store(option, value))
        return LC_ARGS_GO;
    if (option->integer == NULL)
        return lc_args_wrong(words->usage, "--%s takes a number, not \"%s\"", option->name, value);
    return lc_args_wrong(words->usage, "--%s takes a whole number, %" PRIu64 " or above, not \"%s\"", option->name,
                         option->least, value);
}

static int take_long(arg_cursor *words, const char *word)
{
    const char *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const lc_option *option = find_name(words->usage, word + 2, length - 2);
    if (option == NULL) {
        int done = moved_option(words->usage, word + 2, length - 2);
        return done != LC_ARGS_GO ? done : unknown_option(words->usage, word, length);
    }
    if (option->flag == NULL)
        return take_value(words, option, equals != NULL ? equals + 1 : NULL);
    if (equals != NULL)
        return lc_args_wrong(words->usage, "--%s takes no value", option->name);
    *option->flag = true;
    return LC_ARGS_GO;
}

/* One word may hold several flags, and at its end an option with its value: -jl2. */
static int take_short(arg_cursor *words, const char *word)
{
    for (const char *letter = word + 1; *letter != 0; letter++) {
        const lc_option *option = find_letter(words->usage, *letter);
        if (option == NULL) {
            int done = moved_option(words->usage, letter, 1);
            return done != LC_ARGS_GO ? done : unknown_option(words->usage, word, strlen(word));
        }
        if (option->flag == NULL)
            return take_value(words, option, letter[1] != 0 ? letter + 1 : NULL);
        *option->flag = true;
    }
    return LC_ARGS_GO;
}

/* --help takes effect as soon as it is read; the words after it are ignored. */
static int take_word(arg_cursor *words)
{
    char *word = words->argv[words->next++];
    if (words->only_files || word[0] != '-' || word[1] == 0)
        words->argv[words->files++] = word; /* files <= next: only words that were already read are written over */
    else if (strcmp(word, "--") == 0)
        words->only_files = true;
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help(words->usage);
        return LC_EXIT_OK;
    } else
        return word[1] == '-' ? take_long(words, word) : take_short(words, word);
    return LC_ARGS_GO;
}

int lc_args_parse(const lc_usage *usage, int argc, char **argv, size_t *files_len)
{
    arg_cursor words = {.usage = usage, .argv = argv, .argc = argc > 0 ? (size_t)argc : 0};
    while (words.next < words.argc) {
        int done = take_word(&words);
        if (done != LC_ARGS_GO)
            return done;
    }
    *files_len = words.files;
    return LC_ARGS_GO;
}

/* SPDX-License-Identifier: MIT
 * series_clock.c - names of columns of times, units of time, dates.
 *
 * A name is split into words at everything but letters and digits, and where a capital follows a small letter. A
 * column holds times when each word is a unit, a word for time or a filler, and one is a word for time or a unit that
 * is spelled out: seconds_elapsed, Time since start in ms, timestamp (+0700), loggingTime(txt).
 *
 * Days since 1970 of a date, with the year beginning in March, so that February is its last month:
 *     days = 365 y + y/4 - y/100 + y/400 + (153 m + 2)/5 + day - 1 - 719468, m = 0 for March */
#include "signal/series_clock.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WORD = 16 };

static const struct {
    double seconds;
    const char *name; /* the long form */
    const char *words[7];
} units[] = {
    {1,    "seconds",      {"s", "sec", "secs", "second", "seconds"}                                        },
    {1e-3, "milliseconds", {"ms", "msec", "millis", "millisecond", "milliseconds"}                          },
    {1e-6, "microseconds", {"us", "\xc2\xb5s", "\xce\xbcs", "usec", "micros", "microsecond", "microseconds"}},
    {1e-9, "nanoseconds",  {"ns", "nsec", "nanos", "nanosecond", "nanoseconds"}                             },
};
enum { UNITS = sizeof units / sizeof *units };

/* ---- names ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next word in small letters, "" at the end; *name and *length go behind it. One that is too long is cut. */
static void next_word(const char **name, size_t *length, char word[WORD + 1])
{
    const char *at = *name, *end = at + *length;
    size_t n = 0;
    while (at < end && !is_letter(*at) && !is_digit(*at))
        at++;
    for (const char *first = at; at < end && (is_letter(*at) || is_digit(*at)); at++) {
        bool capital = *at >= 'A' && *at <= 'Z';
        if (at > first && capital && at[-1] >= 'a' && at[-1] <= 'z')
            break;
        if (n < WORD)
            word[n++] = (char)(capital ? *at + 'a' - 'A' : *at);
    }
    word[n] = '\0';
    *name = at;
    *length = (size_t)(end - at);
}

static bool is_among(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static bool is_filler(const char *word)
{
    static const char *const fillers[] = {"elapsed", "since",  "start",   "in",    "of",     "unix", "epoch",   "epoc",
                                          "utc",     "gmt",    "local",   "stamp", "date",   "txt",  "boot",    "rel",
                                          "app",     "sensor", "logging", "event", "system", "log",  "relative"};
    return is_digit(*word) || is_among(word, fillers, sizeof fillers / sizeof *fillers);
}

bool lc_clock_name(const char *name, size_t length, double *unit)
{
    static const char *const times[] = {"time", "t", "timestamp", "timestamps", "ts", "datetime"};
    char word[WORD + 1];
    bool named = false;
    *unit = 0;
    for (next_word(&name, &length, word); *word != '\0'; next_word(&name, &length, word)) {
        size_t u = 0;
        while (u < UNITS && !is_among(word, units[u].words, sizeof units[u].words / sizeof *units[u].words))
            u++;
        bool time = is_among(word, times, sizeof times / sizeof *times);
        if (u == UNITS && !time && !is_filler(word))
            return false;
        *unit = u < UNITS ? units[u].seconds : *unit;
        named |= time || (u < UNITS && word[1] != '\0');
    }
    return named;
}

/* ---- dates ---- */

typedef struct clock_text {
    const char *at, *end;
} clock_text;

/* Exactly so many digits. */
static bool take_digits(clock_text *t, size_t digits, int *number)
{
    *number = 0;
    for (size_t i = 0; i < digits; i++, t->at++) {
        if (t->at == t->end || !is_digit(*t->at))
            return false;
        *number = 10 * *number + (*t->at - '0');
    }
    return true;
}

static bool take_one(clock_text *t, const char *characters)
{
    bool there = t->at < t->end && *t->at != '\0' && strchr(characters, *t->at) != NULL;
    t->at += there;
    return there;
}

static int64_t days_of(int year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* 2026-11-18T, or with slashes, or with spaces behind it. */
static bool take_date(clock_text *t, int64_t *days)
{
    int year, month, day;
    if (!take_digits(t, 4, &year) || !take_one(t, "-/") || !take_digits(t, 2, &month) || !take_one(t, "-/") ||
        !take_digits(t, 2, &day) || !take_one(t, "T "))
        return false;
    *days = days_of(year, month, day);
    return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* 03:31, 03:31:46, 03:31:46.123 */
static bool take_time(clock_text *t, double *seconds)
{
    int hour, minute, second = 0, digit;
    double part = 0, place = 1;
    if (!take_digits(t, 2, &hour) || !take_one(t, ":") || !take_digits(t, 2, &minute))
        return false;
    if (take_one(t, ":") && !take_digits(t, 2, &second))
        return false;
    for (bool point = take_one(t, ".,"); point && t->at < t->end && is_digit(*t->at);) {
        place /= 10;
        (void)take_digits(t, 1, &digit);
        part += digit * place;
    }
    *seconds = 3600.0 * hour + 60.0 * minute + second + part;
    return hour < 24 && minute < 60 && second <= 60;
}

/* Nothing, Z, UTC, +01, +0100, +01:00. */
static bool take_offset(clock_text *t, double *seconds)
{
    int hour = 0, minute = 0;
    *seconds = 0;
    take_one(t, " ");
    if (t->end - t->at == 3 && memcmp(t->at, "UTC", 3) == 0)
        t->at = t->end;
    if (t->at == t->end || take_one(t, "Zz"))
        return t->at == t->end;
    double sign = *t->at == '-' ? -1 : 1;
    if (!take_one(t, "+-") || !take_digits(t, 2, &hour))
        return false;
    take_one(t, ":");
    if (t->at < t->end && !take_digits(t, 2, &minute))
        return false;
    *seconds = sign * (3600.0 * hour + 60.0 * minute);
    return t->at == t->end;
}

bool lc_clock_date(const char *text, size_t length, double *seconds)
{
    clock_text t = {text, text + length};
    int64_t days = 0;
    double time, offset;
    bool dated = length > 4 && (text[4] == '-' || text[4] == '/');
    if ((dated && !take_date(&t, &days)) || !take_time(&t, &time) || !take_offset(&t, &offset))
        return false;
    *seconds = 86400.0 * (double)days + time - offset;
    return true;
}

/* ---- units ---- */

/* A comma is a point: a date may have one, and a number where it does not separate. */
double lc_clock_quantum(const char *text, size_t length)
{
    size_t at = 0, decimals = 0;
    while (at < length && text[at] != '.' && text[at] != ',')
        at++;
    for (size_t i = at + 1; i < length && is_digit(text[i]); i++)
        decimals++;
    if (memchr(text, 'e', length) != NULL || memchr(text, 'E', length) != NULL)
        return 0;
    return pow(10, -(double)decimals);
}

/* Of this century: 2001 to 2100. */
static const double OLDEST = 978307200, NEWEST = 4102444800, AGREE = 3;

double lc_clock_unit(double first, double step, double stated)
{
    size_t best = 0;
    for (size_t u = 0; stated > 0 && u < UNITS; u++)
        if (step * units[u].seconds * stated > 1 / AGREE && step * units[u].seconds * stated < AGREE)
            return units[u].seconds;
    if (stated > 0)
        return 1;
    for (size_t u = 0; u < UNITS; u++) { /* a counter since the start of a phone may be as large, but not its steps */
        double date = first * units[u].seconds;
        if (date >= OLDEST && date < NEWEST && step * units[u].seconds <= 1)
            return units[u].seconds;
    }
    while (best + 1 < UNITS && step * units[best].seconds > 1)
        best++;
    return units[best].seconds;
}

const char *lc_clock_unit_name(double unit)
{
    size_t u = 0;
    while (u + 1 < UNITS && units[u].seconds > unit * 1.5)
        u++;
    return units[u].name;
}

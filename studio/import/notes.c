/* SPDX-License-Identifier: MIT
 *
 * notes.c - notes of a piano as rows of text, tabs or spaces between columns.
 *
 *     OnsetTime  OffsetTime  MidiPitch               # onset,offset,note,velocity
 *     0.500004   1.918478    38                      0.500004  1.918478  38.000000  53.000000
 *
 * Names above the rows say which column is which; without names they are onset, offset, pitch and perhaps velocity. Other
 * lines that begin with # and blank lines are skipped. Of a note its onset and its pitch are kept; offset and velocity
 * are checked, so that columns in another order do not pass unnoticed.
 */
#include "base/number.h"
#include "base/status.h"
#include "events/event_list.h"
#include "studio/import/strokes.h"

#include <math.h>
#include <string.h>

enum { ONSET, OFFSET, PITCH, VELOCITY, ROLES, OTHER = ROLES, COLUMNS = 16, PITCHES = 128 };

static const struct {
    const char *name;
    int role;
} names[] = {
    {"onset",      ONSET   },
    {"onsettime",  ONSET   },
    {"offset",     OFFSET  },
    {"offsettime", OFFSET  },
    {"pitch",      PITCH   },
    {"note",       PITCH   },
    {"midipitch",  PITCH   },
    {"velocity",   VELOCITY},
};

static const char expected[] = "expected onset, offset, pitch and perhaps velocity";

/* A word of a line. */
typedef struct note_word {
    const char *text;
    size_t length;
} note_word;

typedef struct note_reader {
    lc_strokes *strokes;
    const char *path;
    size_t line;
    int roles[COLUMNS]; /* of each column */
    size_t columns;     /* 0: no names were read */
    size_t rows;
} note_reader;

static lc_place here(const note_reader *r)
{
    return (lc_place){r->path, r->line, NULL};
}

/* Words between tabs, spaces and, in names, commas; more than COLUMNS are only counted. */
static size_t split(note_word words[COLUMNS], const char *at, const char *end, const char *between)
{
    size_t n = 0;
    while (at < end) {
        while (at < end && strchr(between, *at) != NULL)
            at++;
        const char *begin = at;
        while (at < end && strchr(between, *at) == NULL)
            at++;
        if (at > begin && n < COLUMNS)
            words[n] = (note_word){begin, (size_t)(at - begin)};
        n += at > begin;
    }
    return n;
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int role_of(note_word word)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t same = 0;
        while (same < word.length && names[i].name[same] == to_lower(word.text[same]))
            same++;
        if (same == word.length && names[i].name[same] == '\0')
            return names[i].role;
    }
    return OTHER;
}

/* The line of names. One that begins with # and has no name is a comment. */
static loco_status read_names(note_reader *r, const char *at, const char *end, bool comment, loco_err *err)
{
    note_word words[COLUMNS];
    size_t n = split(words, at, end, " \t\r,#"), found[ROLES + 1] = {0}, known = 0;
    for (size_t i = 0; i < n && i < COLUMNS; i++) {
        r->roles[i] = role_of(words[i]);
        found[r->roles[i]]++;
        known += r->roles[i] != OTHER;
    }
    if (comment && known == 0)
        return LOCO_OK;
    if (n > COLUMNS || found[ONSET] != 1 || found[OFFSET] != 1 || found[PITCH] != 1 || found[VELOCITY] > 1)
        return lc_err_set(err, LOCO_EDATA, "%s: columns \"%s\"; %s", lc_place_show(here(r)).text,
                          lc_show_bytes(at, (size_t)(end - at)).text, expected);
    r->columns = n;
    return LOCO_OK;
}

/* A whole number of 0..127. */
static loco_status check_whole(const note_reader *r, note_word word, double value, const char *what, loco_err *err)
{
    if (value >= 0 && value < PITCHES && !(floor(value) < value))
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%s: %s \"%s\"; expected a whole number from 0 to 127",
                      lc_place_show(here(r)).text, what, lc_show_bytes(word.text, word.length).text);
}

static loco_status add_note(note_reader *r, const note_word words[ROLES], const double values[ROLES], loco_err *err)
{
    loco_status status = check_whole(r, words[PITCH], values[PITCH], "pitch", err);
    if (status == LOCO_OK && words[VELOCITY].length > 0)
        status = check_whole(r, words[VELOCITY], values[VELOCITY], "velocity", err);
    if (status == LOCO_OK && !(values[OFFSET] >= values[ONSET]))
        status = lc_err_set(err, LOCO_EDATA, "%s: a note that begins at \"%s\" and ends before, at \"%s\"",
                            lc_place_show(here(r)).text, lc_show_bytes(words[ONSET].text, words[ONSET].length).text,
                            lc_show_bytes(words[OFFSET].text, words[OFFSET].length).text);
    r->rows++;
    return status == LOCO_OK ? lc_strokes_add(r->strokes, here(r), values[ONSET], (size_t)values[PITCH], err) : status;
}

static loco_status read_row(note_reader *r, const note_word *words, size_t n, loco_err *err)
{
    note_word chosen[ROLES] = {{0}};
    double values[ROLES] = {0};
    if (r->columns > 0 ? n != r->columns : n < VELOCITY || n > ROLES)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu columns; %s", lc_place_show(here(r)).text, n, expected);
    for (size_t i = 0; i < n; i++) {
        int role = r->columns > 0 ? r->roles[i] : (int)i;
        if (role == OTHER)
            continue;
        chosen[role] = words[i];
        if (!lc_number_parse(words[i].text, words[i].length, &values[role]))
            return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a number; %s", lc_place_show(here(r)).text,
                              lc_show_bytes(words[i].text, words[i].length).text, expected);
    }
    return add_note(r, chosen, values, err);
}

/* One line without its end. */
static loco_status read_line(note_reader *r, const char *at, const char *end, loco_err *err)
{
    note_word words[COLUMNS];
    size_t n = split(words, at, end, " \t\r");
    bool comment = n > 0 && words[0].text[0] == '#', above = r->rows == 0 && r->columns == 0;
    if (n == 0 || (comment && !above))
        return LOCO_OK;
    double unused;
    if (comment || (above && !lc_number_parse(words[0].text, words[0].length, &unused)))
        return read_names(r, at, end, comment, err);
    return read_row(r, words, n, err);
}

loco_status lc_strokes_parse_notes(lc_strokes *strokes, const char *path, const char *text, size_t length,
                                   loco_err *err)
{
    note_reader r = {.strokes = strokes, .path = path};
    if (length > LC_EVENTS_LABELS)
        return lc_err_set(err, LOCO_EDATA, "%s: notes of more than %d MiB", lc_place_show(here(&r)).text,
                          LC_EVENTS_LABELS >> 20);
    loco_status status = lc_plain_text_check(path, text, length, err);
    for (size_t at = lc_plain_text_mark(text, length); at < length && status == LOCO_OK;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t end = newline != NULL ? (size_t)(newline - text) : length;
        r.line++;
        status = read_line(&r, text + at, text + end, err);
        at = end + 1;
    }
    if (status == LOCO_OK && r.rows == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no note in the whole file; %s", lc_place_show(here(&r)).text, expected);
    return status;
}

/* SPDX-License-Identifier: MIT
 * frontend_line.c - the line that describes a front end: "mel rate=22050 window=1024 ...".
 *   One table of keys drives reading, writing and the sentences about what is wrong. Numbers have at most 9 decimals
 *   and 15 digits, so that what is written is read as the same double, and a point in every locale.
 *
 * Presets. "drums" is the default; its gain was measured so that drum tracks have a mean of -1.5 and a spread of 1.27
 * before the shift (docs/frontend.md). "drums-paper" and "piano-paper" are as published:
 * 25 ms Hamming windows, 220 samples apart, 20 log10 of the power, the mean of a clip of 1.5 s removed (here the mean
 * of the last 1.5 s), the difference beside it. The piano has the lowest 384 of 550 bands up to 22050 Hz. */
#include "base/status.h"
#include "signal/fft.h"
#include "signal/frontend.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef enum kind { REAL, WHOLE, SHAPE, DELTA } kind;

typedef struct key {
    const char *name;
    kind kind;
    size_t offset;
    double low, high;
} key;

#define AT(field) offsetof(lc_frontend_settings, field)

static const key keys[] = {
    {"rate",        REAL,  AT(rate),        1,    1e6        },
    {"window",      WHOLE, AT(window),      2,    LC_FFT_MOST},
    {"hop",         WHOLE, AT(hop),         1,    LC_FFT_MOST},
    {"fft",         WHOLE, AT(fft),         16,   LC_FFT_MOST},
    {"bands",       WHOLE, AT(bands),       1,    4096       },
    {"low",         REAL,  AT(low),         0,    5e5        },
    {"high",        REAL,  AT(high),        0,    5e5        },
    {"shape",       SHAPE, AT(shape),       0,    0          },
    {"emphasis",    REAL,  AT(emphasis),    0,    1          },
    {"gain",        REAL,  AT(gain),        -200, 200        },
    {"floor",       REAL,  AT(floor),       -30,  10         },
    {"shift",       REAL,  AT(shift),       -100, 100        },
    {"scale",       REAL,  AT(scale),       1e-3, 1e3        },
    {"delta",       DELTA, AT(delta),       0,    0          },
    {"delta_scale", REAL,  AT(delta_scale), 1e-3, 1e3        },
    {"adapt",       REAL,  AT(adapt),       0,    1e5        },
};
enum { KEYS = sizeof keys / sizeof *keys, LINE_MOST = 1024, WORD_MOST = 40, DECIMALS = 9 };

static const char *const shapes[] = {"hann", "hamming", NULL};
static const char *const deltas[] = {"none", "channel", "stacked", NULL};

static const lc_frontend_settings drums = {
    .rate = 22050,
    .window = 1024,
    .hop = 220,
    .fft = 1024,
    .bands = 72,
    .low = 27,
    .high = 11000,
    .shape = LC_SHAPE_HANN,
    .gain = 44,
    .floor = -3,
    .shift = 1.5,
    .scale = 1.35,
    .delta = LC_DELTA_CHANNEL,
    .delta_scale = 0.35,
};

#define PAPER \
    "shape=hamming emphasis=0.97 gain=0 floor=-15.65 shift=0 scale=0.05 delta=stacked delta_scale=0.05 adapt=1.5"

static const char *const presets[][2] = {
    {"drums",       "mel"                                                                            },
    {"drums-paper", "mel rate=44100 window=1102 hop=220 fft=4096 bands=72 low=0 high=22050 " PAPER   },
    {"piano-paper", "mel rate=44100 window=1102 hop=220 fft=8192 bands=384 low=0 high=7270.69 " PAPER},
};

const char *lc_frontend_preset(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strcmp(presets[i][0], name) == 0)
            return presets[i][1];
    return NULL;
}

/* ---- words ---- */

/* A word of the line: key=value. */
typedef struct entry {
    const char *key, *value;
    size_t key_len, value_len;
} entry;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be put in, taken away or replaced. */
static size_t distance(const char *a, size_t a_len, const char *b)
{
    size_t row[WORD_MOST + 1], b_len = strlen(b);
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_len];
}

static const char *nearest_key(const entry *word)
{
    size_t best = word->key_len / 4 + 2; /* one change, and one more for every four letters */
    const char *found = NULL;
    for (size_t i = 0; word->key_len <= WORD_MOST && i < KEYS; i++) {
        size_t apart = distance(word->key, word->key_len, keys[i].name);
        if (apart < best && apart < strlen(keys[i].name)) {
            best = apart;
            found = keys[i].name;
        }
    }
    return found;
}

/* Copies what can be shown of a word. */
static void show(char shown[WORD_MOST + 1], const char *word, size_t length)
{
    size_t n = least(length, WORD_MOST);
    for (size_t i = 0; i < n; i++)
        shown[i] = word[i] > ' ' && word[i] <= '~' ? word[i] : '?';
    shown[n] = '\0';
}

static loco_status refuse_key(const entry *word, loco_err *err)
{
    char shown[WORD_MOST + 1];
    show(shown, word->key, word->key_len);
    const char *nearest = nearest_key(word);
    if (nearest != NULL)
        return lc_err_set(err, LOCO_EDATA, "front end: there is no key \"%s\"; did you mean %s?", shown, nearest);
    return lc_err_set(err, LOCO_EDATA,
                      "front end: there is no key \"%s\"; there are rate window hop fft bands low high shape emphasis "
                      "gain floor shift scale delta delta_scale adapt",
                      shown);
}

static loco_status refuse_value(const key *k, const entry *word, loco_err *err)
{
    char shown[WORD_MOST + 1];
    lc_text range = {0};
    show(shown, word->value, word->value_len);
    if (k->kind == SHAPE || k->kind == DELTA) {
        lc_text_string(&range, k->kind == SHAPE ? "hann or hamming" : "none, channel or stacked");
    } else {
        lc_text_string(&range, k->kind == WHOLE ? "a whole number, " : "");
        lc_text_number(&range, k->low, 3);
        lc_text_string(&range, " to ");
        lc_text_number(&range, k->high, 3);
    }
    loco_status status = lc_err_set(err, LOCO_EDATA, "front end: %s=%s is wrong; it must be %s", k->name, shown,
                                    range.failed ? "in range" : range.bytes);
    lc_text_free(&range);
    return status;
}

/* ---- values ---- */

/* Digits with at most one point and perhaps a minus. At most 9 decimals and 15 digits, see above. */
static bool read_number(const char *text, size_t length, double *number)
{
    double digits = 0, scale = 1;
    size_t count = 0, decimals = 0;
    bool minus = length > 0 && *text == '-', point = false;
    for (size_t i = minus; i < length; i++) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            digits = 10 * digits + (text[i] - '0');
            scale *= point ? 10 : 1;
            decimals += point;
            count++;
        } else {
            return false;
        }
    }
    *number = minus && digits > 0 ? -digits / scale : digits / scale;
    return count > 0 && count <= 15 && decimals <= DECIMALS;
}

static bool read_word(const char *const *words, const entry *word, int *index)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (word->value_len == strlen(words[i]) && memcmp(word->value, words[i], word->value_len) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool assign(lc_frontend_settings *settings, const key *k, const entry *word)
{
    void *field = (char *)settings + k->offset;
    double number = 0;
    int index = 0;
    if (k->kind == SHAPE && read_word(shapes, word, &index)) {
        settings->shape = (lc_shape)index;
        return true;
    }
    if (k->kind == DELTA && read_word(deltas, word, &index)) {
        settings->delta = (lc_delta)index;
        return true;
    }
    if (k->kind == SHAPE || k->kind == DELTA || !read_number(word->value, word->value_len, &number))
        return false;
    if (!(number >= k->low && number <= k->high) || (k->kind == WHOLE && number > floor(number)))
        return false;
    if (k->kind == WHOLE)
        *(size_t *)field = (size_t)number;
    else
        *(double *)field = number;
    return true;
}

/* Takes one pair; its place in the table goes to index. */
static loco_status take(lc_frontend_settings *settings, const char *text, size_t length, size_t *index, loco_err *err)
{
    const char *equals = memchr(text, '=', length);
    entry word = {.key = text, .key_len = equals != NULL ? (size_t)(equals - text) : length};
    if (equals != NULL) {
        word.value = equals + 1;
        word.value_len = length - word.key_len - 1;
    }
    for (size_t i = 0; i < KEYS; i++) {
        if (word.key_len != strlen(keys[i].name) || memcmp(word.key, keys[i].name, word.key_len) != 0)
            continue;
        *index = i;
        if (equals == NULL)
            return lc_err_set(err, LOCO_EDATA, "front end: %s has no value; write %s=...", keys[i].name, keys[i].name);
        return assign(settings, &keys[i], &word) ? LOCO_OK : refuse_value(&keys[i], &word, err);
    }
    return refuse_key(&word, err);
}

loco_status lc_frontend_set(lc_frontend_settings *settings, const char *pair, loco_err *err)
{
    lc_frontend_settings changed = *settings;
    size_t index;
    loco_status status = take(&changed, pair, strlen(pair), &index, err);
    if (status == LOCO_OK)
        *settings = changed;
    return status;
}

/* ---- lines ---- */

loco_status lc_frontend_check(const lc_frontend_settings *s, loco_err *err)
{
    if (s->fft < s->window || s->fft % 2 != 0 || s->fft < 16 || s->fft > LC_FFT_MOST)
        return lc_err_set(err, LOCO_EDATA, "front end: fft=%zu must be an even number, %zu (window) to %d", s->fft,
                          s->window, LC_FFT_MOST);
    if (!(s->rate >= 1 && s->rate <= 1e6) || s->window < 2 || s->hop < 1 || s->hop > LC_FFT_MOST || s->bands < 1 ||
        s->bands > 4096)
        return lc_err_set(err, LOCO_EDATA, "front end: rate=%.0f window=%zu hop=%zu bands=%zu: one is out of range",
                          s->rate, s->window, s->hop, s->bands);
    if (!(s->low >= 0 && s->low < s->high && s->high <= s->rate / 2))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: low=%.0f must be below high=%.0f, and that at most %.0f (rate/2)", s->low,
                          s->high, s->rate / 2);
    if (!(s->scale > 0 && s->delta_scale > 0 && s->adapt >= 0) || !isfinite(s->adapt + s->scale + s->delta_scale) ||
        !isfinite(s->emphasis + s->gain + s->floor + s->shift))
        return lc_err_set(err, LOCO_EDATA,
                          "front end: scale and delta_scale must be above 0, adapt 0 or more, and "
                          "emphasis, gain, floor and shift numbers");
    if (s->shape > LC_SHAPE_HAMMING || s->delta > LC_DELTA_STACKED)
        return lc_err_set(err, LOCO_EDATA, "front end: unknown shape or delta");
    return LOCO_OK;
}

/* What the line left open, where the preset's value may not fit. */
static void complete(lc_frontend_settings *s, const bool said[KEYS])
{
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].offset == AT(fft) && !said[i])
            for (s->fft = 16; s->fft < s->window; s->fft *= 2)
                continue;
        if (keys[i].offset == AT(high) && !said[i])
            s->high = fmin(s->high, s->rate / 2);
    }
}

loco_status lc_frontend_parse(lc_frontend_settings *settings, const char *line, loco_err *err)
{
    lc_frontend_settings parsed = drums;
    bool said[KEYS] = {false};
    const char *space = " \t\r\n", *at = line + strspn(line, space);
    if (strlen(line) > LINE_MOST)
        return lc_err_set(err, LOCO_EDATA, "front end: a line of more than %d bytes", LINE_MOST);
    size_t length = strcspn(at, space), index = 0;
    if (length != 3 || memcmp(at, "mel", 3) != 0)
        return lc_err_set(err, LOCO_EDATA, "front end: \"%.40s\" must begin with the word mel, as in mel rate=22050",
                          at);
    for (at += length; *(at += strspn(at, space)) != '\0'; at += length) {
        length = strcspn(at, space);
        loco_status status = take(&parsed, at, length, &index, err);
        if (status != LOCO_OK)
            return status;
        if (said[index])
            return lc_err_set(err, LOCO_EDATA, "front end: %s stands there twice", keys[index].name);
        said[index] = true;
    }
    complete(&parsed, said);
    loco_status status = lc_frontend_check(&parsed, err);
    if (status == LOCO_OK)
        *settings = parsed;
    return status;
}

void lc_frontend_format(const lc_frontend_settings *settings, lc_text *text)
{
    lc_text_string(text, "mel");
    for (size_t i = 0; i < KEYS; i++) {
        const void *field = (const char *)settings + keys[i].offset;
        lc_text_format(text, " %s=", keys[i].name);
        switch (keys[i].kind) {
        case REAL: lc_text_number(text, *(const double *)field, DECIMALS); break;
        case WHOLE: lc_text_format(text, "%zu", *(const size_t *)field); break;
        case SHAPE: lc_text_string(text, shapes[settings->shape]); break;
        case DELTA: lc_text_string(text, deltas[settings->delta]); break;
        }
    }
}

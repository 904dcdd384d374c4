/* SPDX-License-Identifier: MIT
 *
 * sfz_values.c - from opcodes, which a region has itself or inherits, to keys, velocities and the name of a sound.
 */
#include "studio/piano/sfz_values.h"

#include "base/number.h"
#include "base/status.h"

#include <string.h>

enum { KEYS = 128 };

/* What is read, in the order of the table below. */
enum { SAMPLE, PATH, KEY, LOKEY, HIKEY, CENTRE, LOVEL, HIVEL, TUNE, TRANSPOSE, TRIGGER, SEQUENCE, PEDAL };
static const char *const opcodes[LC_SFZ_OPCODES] = {
    "sample", "default_path", "key",       "lokey",   "hikey",        "pitch_keycenter", "lovel",
    "hivel",  "tune",         "transpose", "trigger", "seq_position", "on_locc",
};

/* Of controllers any number is meant: on_locc64. */
void lc_sfz_values_set(lc_sfz_values *values, int level, const char *name, size_t length, lc_sfz_value value)
{
    for (int i = 0; i < LC_SFZ_OPCODES; i++) {
        size_t own = strlen(opcodes[i]);
        if ((own == length || (i == PEDAL && own < length)) && memcmp(opcodes[i], name, own) == 0)
            values->of[level][i] = value;
    }
}

/* What a region has: its own value, or that of the nearest level that states one. */
static const lc_sfz_value *value_of(const lc_sfz_values *v, int opcode)
{
    for (int level = LC_SFZ_REGION; level >= LC_SFZ_CONTROL; level--)
        if (v->of[level][opcode].text != NULL)
            return &v->of[level][opcode];
    return NULL;
}

/* c4 is 60, c#4 and db4 are 61. False unless it is such a name. */
static bool read_name(const char *text, size_t length, double *key)
{
    static const int steps[] = {9, 11, 0, 2, 4, 5, 7};
    char letter = length > 0 ? (char)(text[0] | 0x20) : '\0';
    size_t at = 1;
    double octave;
    if (letter < 'a' || letter > 'g')
        return false;
    int step = steps[letter - 'a'];
    if (at < length && (text[at] == '#' || text[at] == 'b'))
        step += text[at++] == '#' ? 1 : -1;
    if (!lc_number_parse(text + at, length - at, &octave) || !(octave >= -1 && octave <= 9))
        return false;
    *key = 12 * (octave + 1) + step;
    return true;
}

/* A number from least to most; usual where none is stated. */
static loco_status read_number(const lc_sfz_values *v, int opcode, double least, double most, double *number,
                               loco_err *err)
{
    const lc_sfz_value *value = value_of(v, opcode);
    if (value == NULL)
        return LOCO_OK;
    double read;
    bool good = lc_number_parse(value->text, value->length, &read) ||
                (opcode >= KEY && opcode <= CENTRE && read_name(value->text, value->length, &read));
    if (!good || !(read >= least && read <= most))
        return lc_err_set(err, LOCO_EDATA, "%s: %s=%s; expected a number from %g to %g",
                          lc_place_show(value->place).text, opcodes[opcode],
                          lc_show_bytes(value->text, value->length).text, least, most);
    *number = read;
    return LOCO_OK;
}

/* The keys and velocities of a region, in whole numbers. */
static loco_status read_ranges(const lc_sfz_values *v, lc_place place, lc_sfz_region *region, loco_err *err)
{
    double key = -1, low = 0, high = KEYS - 1, soft = 0, hard = KEYS - 1, centre = 60, tune = 0, transpose = 0;
    loco_status status = read_number(v, KEY, 0, KEYS - 1, &key, err);
    if (key >= 0)
        low = high = centre = key;
    const struct {
        int opcode;
        double least, most, *number;
    } all[] = {
        {LOKEY,     -1,   KEYS - 1, &low      },
        {HIKEY,     -1,   KEYS - 1, &high     },
        {CENTRE,    0,    KEYS - 1, &centre   },
        {LOVEL,     0,    KEYS - 1, &soft     },
        {HIVEL,     0,    KEYS - 1, &hard     },
        {TUNE,      -100, 100,      &tune     },
        {TRANSPOSE, -12,  12,       &transpose},
    };
    for (size_t i = 0; status == LOCO_OK && i < sizeof all / sizeof all[0]; i++)
        status = read_number(v, all[i].opcode, all[i].least, all[i].most, all[i].number, err);
    if (status != LOCO_OK)
        return status;
    region->lokey = low > 0 ? (unsigned)low : 0;
    region->hikey = high > 0 ? (unsigned)high : 0;
    region->lovel = (unsigned)soft;
    region->hivel = (unsigned)hard;
    region->centre = centre - tune / 100 - transpose;
    if (region->lokey > region->hikey || region->lovel > region->hivel)
        return lc_err_set(err, LOCO_EDATA, "%s: a region whose keys go from %u to %u, and velocities from %u to %u",
                          lc_place_show(place).text, region->lokey, region->hikey, region->lovel, region->hivel);
    return LOCO_OK;
}

static bool is(const lc_sfz_value *value, const char *word)
{
    return value != NULL && value->length == strlen(word) && memcmp(value->text, word, value->length) == 0;
}

/* Sounds when a key is struck, the first of its repetitions, at some key. */
bool lc_sfz_values_wanted(const lc_sfz_values *v)
{
    const lc_sfz_value *trigger = value_of(v, TRIGGER), *turn = value_of(v, SEQUENCE);
    return value_of(v, SAMPLE) != NULL && (trigger == NULL || is(trigger, "attack")) &&
           (turn == NULL || is(turn, "1")) && value_of(v, PEDAL) == NULL && !is(value_of(v, HIKEY), "-1");
}

/* default_path and sample, with slashes; NULL without memory. */
static char *path_of(const lc_sfz_values *v, lc_store *store)
{
    const lc_sfz_value *path = value_of(v, PATH), *sample = value_of(v, SAMPLE);
    size_t before = path != NULL ? path->length : 0;
    char *text = lc_store_take(store, before + sample->length + 1, 1);
    if (text == NULL)
        return NULL;
    if (before > 0)
        memcpy(text, path->text, before);
    memcpy(text + before, sample->text, sample->length);
    text[before + sample->length] = '\0';
    for (char *at = text; *at != '\0'; at++)
        *at = *at == '\\' ? '/' : *at;
    return text;
}

loco_status lc_sfz_values_region(lc_sfz_region *region, const lc_sfz_values *values, lc_store *store, loco_err *err)
{
    const lc_sfz_value *sample = value_of(values, SAMPLE);
    region->sample = path_of(values, store);
    if (region->sample == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show(sample->place).text);
    if (region->sample[0] == '/' || region->sample[0] == '\0' || sample->length == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: sample \"%s\" is not a file beside the instrument",
                          lc_place_show(sample->place).text, lc_show(region->sample).text);
    return read_ranges(values, sample->place, region, err);
}

/* SPDX-License-Identifier: MIT
 *
 * held_out.c - which kits, fonts and patterns are for test sets only: the default table, and files of rules.
 *
 * The table has the kits and fonts in Debian by kind. Several packages may hold the same drums, and fonts may be made
 * of each other: such a family has one verdict. Of each kind the second family by name is held out: so tests have an
 * acoustic kit, an electronic one, a font with kits of many kinds, and hand drums that training never has.
 */
#include "studio/kits/held_out.h"

#include "base/file.h"
#include "base/plain_text.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const lc_held_out_rule default_rules[] = {
  /* acoustic kits */
    {false, "bja_pacific"      },
    {true,  "colombo"          },
    {false, "forzee"           },
    {false, "millo"            },
    {false, "pearl"            }, /* one drum set in three packages; the fourth has its hi-hats */
    {false, "gmrock"           },
    {false, "zeppelin"         },
 /* real kits by close and by room microphones: $LOCO_DATA/drums_kits */
    {false, "drskit"           },
    {true,  "muldjordkit"      },
    {false, "virtuosity"       },
 /* electronic kits */
    {false, "audiophob"        },
    {true,  "electricempire"   },
    {false, "hardelectro"      },
    {false, "lmms"             }, /* and SonicPi: kits that experiments/drums/kits.sh makes */
    {false, "rumpf"            },
    {false, "sonicpi"          },
    {false, "tr808emulation"   },
    {false, "varibreaks"       },
 /* fonts of General MIDI */
    {false, "fluidr3"          },
    {false, "musescore_general"}, /* began as FluidR3 */
    {true,  "timgm6mb"         },
    {true,  "sf_gmbank"        }, /* its drums are the samples of TimGM6mb */
  /* hand drums */
    {false, "circafrique"      },
    {true,  "gimme a hand"     },
};

/* ---- names ---- */

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* FNV-1a of 64 bits, folded: its lowest bits alone depend on the lowest bits of the letters only. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

/* The hash is that of the name in lower case, as are the words. */
bool lc_held_out_has(const lc_held_out *held, const char *name)
{
    const lc_held_out_rule *rules = held != NULL ? held->rules : default_rules;
    size_t len = held != NULL ? held->len : sizeof default_rules / sizeof default_rules[0], length = 0;
    char lower[256];
    for (; name[length] != 0 && length + 1 < sizeof lower; length++)
        lower[length] = to_lower(name[length]);
    lower[length] = 0;
    for (size_t i = 0; i < len; i++)
        if (strstr(lower, rules[i].word) != NULL)
            return rules[i].test;
    return hash_of(lower) % 4 == 0;
}

bool lc_kit_side_has(lc_kit_side side, const char *name)
{
    return lc_held_out_has(side.rules, name) == side.held_out;
}

/* ---- files of rules ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* A word may hold spaces, as names do. False without memory. */
static bool add_rule(lc_held_out *held, lc_held_out_rule *rules, bool test, const char *word, size_t length)
{
    char *copy = lc_store_string(&held->store, word, length);
    for (char *c = copy; c != NULL && *c != 0; c++)
        *c = to_lower(*c);
    rules[held->len++] = (lc_held_out_rule){test, copy};
    return copy != NULL;
}

/* One line: a verdict, then a word up to the end of the line. */
static loco_status read_rule(lc_held_out *held, lc_held_out_rule *rules, lc_place place, const char *at,
                             const char *end, loco_err *err)
{
    while (at < end && is_space(*at))
        at++;
    while (end > at && is_space(end[-1]))
        end--;
    if (at == end || *at == '#')
        return LOCO_OK;
    const char *verdict = at;
    while (at < end && !is_space(*at))
        at++;
    size_t length = (size_t)(at - verdict);
    while (at < end && is_space(*at))
        at++;
    bool test = length == 4 && memcmp(verdict, "test", 4) == 0;
    if ((!test && (length != 5 || memcmp(verdict, "train", 5) != 0)) || at == end)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: \"%s\" is not a rule; write test or train, and a word of the names it is about",
                          lc_place_show(place).text, lc_show_bytes(verdict, (size_t)(end - verdict)).text);
    if (held->len == LC_HELD_OUT_RULES)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d rules", lc_place_show(place).text, LC_HELD_OUT_RULES);
    return add_rule(held, rules, test, at, (size_t)(end - at))
               ? LOCO_OK
               : lc_err_set(err, LOCO_ENOMEM, "out of memory for the rules of %.150s", place.path);
}

static loco_status parse(lc_held_out *held, const char *path, const char *text, size_t length, loco_err *err)
{
    lc_held_out_rule *rules = lc_store_take(&held->store, LC_HELD_OUT_RULES, sizeof *rules);
    loco_status status = lc_plain_text_check(path, text, length, err);
    if (rules == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the rules of %.150s", path);
    size_t at = status == LOCO_OK ? lc_plain_text_mark(text, length) : 0;
    for (size_t line = 1; status == LOCO_OK && at < length; line++) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t end = newline != NULL ? (size_t)(newline - text) : length;
        status = read_rule(held, rules, (lc_place){path, line, NULL}, text + at, text + end, err);
        at = end + 1;
    }
    held->rules = rules;
    return status;
}

loco_status lc_held_out_load(lc_held_out *held, const char *path, loco_err *err)
{
    lc_held_out loaded = {0};
    char *text = NULL;
    size_t length = 0;
    loco_status status = lc_file_load(path, LC_HELD_OUT_BYTES, &text, &length, err);
    if (status == LOCO_OK)
        status = parse(&loaded, path, text, length, err);
    free(text);
    if (status == LOCO_OK)
        *held = loaded;
    else
        lc_held_out_free(&loaded);
    return status;
}

void lc_held_out_free(lc_held_out *held)
{
    lc_store_free(&held->store);
    *held = (lc_held_out){0};
}

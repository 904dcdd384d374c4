/* SPDX-License-Identifier: MIT
 *
 * sfz.c - reads SFZ: headers <...>, opcodes name=value, comments, #include.
 *
 * A value goes up to the next opcode or the end of its line, so that names of files may have spaces. Each header has its
 * own set of opcodes, and a new <group> empties that of the regions: five levels, of which a region sees all.
 */
#include "studio/piano/sfz.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/plain_text.h"
#include "base/status.h"
#include "studio/piano/sfz_values.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 64, NOWHERE = LC_SFZ_LEVELS };

static const char *const headers[LC_SFZ_LEVELS] = {"control", "global", "master", "group", "region"};

typedef struct sfz_reader {
    lc_store *store;
    lc_sfz_opener *open;
    void *context;
    const char *stack[LC_SFZ_DEPTH + 1]; /* the files that are open */
    size_t depth, files, bytes;          /* of included files: how many, and how large together */
    int level;                           /* the header that opcodes belong to */
    lc_sfz_values values;
    const char *about;
    lc_sfz_region *regions;
    size_t len, capacity;
} sfz_reader;

/* The text that is read now. */
typedef struct sfz_text {
    const char *at, *end;
    lc_place place;
} sfz_text;

static loco_status no_memory(lc_place place, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show(place).text);
}

/* ---- regions ---- */

/* At the next header, or the end. */
static loco_status end_region(sfz_reader *r, lc_place place, loco_err *err)
{
    if (r->level != LC_SFZ_REGION || !lc_sfz_values_wanted(&r->values))
        return LOCO_OK;
    if (r->len == LC_SFZ_REGIONS)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d regions", lc_place_show(place).text, LC_SFZ_REGIONS);
    lc_sfz_region *regions = lc_list_grow(r->regions, &r->capacity, r->len + 1, sizeof *regions);
    if (regions == NULL)
        return no_memory(place, err);
    r->regions = regions;
    loco_status status = lc_sfz_values_region(&regions[r->len], &r->values, r->store, err);
    r->len += status == LOCO_OK;
    return status;
}

/* ---- text ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool begins(const sfz_text *t, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(t->end - t->at) >= length && memcmp(t->at, word, length) == 0;
}

/* One character further; lines are counted. */
static void step(sfz_text *t)
{
    t->place.line += *t->at == '\n';
    t->at++;
}

/* The first comment is kept: it says who made the instrument. */
static loco_status take_comment(sfz_reader *r, sfz_text *t, loco_err *err)
{
    bool block = begins(t, "/*");
    const char *begin = t->at + 2;
    t->at = begin;
    while (t->at < t->end && (block ? !begins(t, "*/") : *t->at != '\n'))
        step(t);
    const char *end = t->at;
    t->at += block && t->at < t->end ? 2 : 0;
    while (begin < end && is_space(*begin))
        begin++;
    if (r->about != NULL || begin == end)
        return LOCO_OK;
    r->about = lc_store_string(r->store, begin, (size_t)(end - begin));
    return r->about != NULL ? LOCO_OK : no_memory(t->place, err);
}

/* <region> and others; opcodes of headers that are not read go nowhere. */
static loco_status take_header(sfz_reader *r, sfz_text *t, loco_err *err)
{
    const char *name = t->at + 1, *close = memchr(t->at, '>', (size_t)(t->end - t->at));
    size_t length = close != NULL ? (size_t)(close - name) : NAME;
    loco_status status = end_region(r, t->place, err);
    if (status != LOCO_OK)
        return status;
    if (length >= NAME)
        return lc_err_set(err, LOCO_EDATA, "%s: < without >; a header is such as <region>",
                          lc_place_show(t->place).text);
    r->level = NOWHERE;
    for (int level = LC_SFZ_CONTROL; level < LC_SFZ_LEVELS; level++)
        if (strlen(headers[level]) == length && memcmp(headers[level], name, length) == 0)
            r->level = level;
    for (int level = r->level; level < LC_SFZ_LEVELS; level++)
        if (level > LC_SFZ_CONTROL)
            memset(r->values.of[level], 0, sizeof r->values.of[level]);
    t->at = close + 1;
    return LOCO_OK;
}

/* Where the value at t->at ends: at the line's end, a header, a comment, or the word before the next =. */
static const char *value_end(const sfz_text *t)
{
    const char *at = t->at, *word = t->at;
    for (; at < t->end && *at != '\n' && *at != '\r' && *at != '<'; at++) {
        if (*at == '/' && at + 1 < t->end && at[1] == '/')
            break;
        if (*at == '=' && word > t->at)
            return word;
        if (!is_word(*at))
            word = t->at; /* not a name: = belongs to the value */
        if (is_space(*at))
            word = at + 1;
    }
    return at;
}

/* name=value. Anything else is an error, for it is not SFZ. */
static loco_status take_opcode(sfz_reader *r, sfz_text *t, loco_err *err)
{
    const char *name = t->at;
    while (t->at < t->end && is_word(*t->at))
        t->at++;
    size_t length = (size_t)(t->at - name);
    if (t->at == t->end || *t->at != '=' || length == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is neither a header such as <region> nor name=value",
                          lc_place_show(t->place).text, lc_show_bytes(name, length > 0 ? length : 1).text);
    t->at++;
    const char *value = t->at, *end = value_end(t);
    t->at = end;
    while (end > value && is_space(end[-1]))
        end--;
    if (r->level != NOWHERE)
        lc_sfz_values_set(&r->values, r->level, name, length, (lc_sfz_value){value, (size_t)(end - value), t->place});
    return LOCO_OK;
}

static loco_status read_text(sfz_reader *r, sfz_text *t, loco_err *err);

/* A file within another; the values in it live as long as the store. */
static loco_status include(sfz_reader *r, lc_place place, const char *name, loco_err *err)
{
    char *bytes = NULL;
    size_t length = 0;
    for (size_t i = 0; i <= r->depth; i++)
        if (strcmp(r->stack[i], name) == 0)
            return lc_err_set(err, LOCO_EDATA, "%s: includes \"%s\", which includes it again",
                              lc_place_show(place).text, lc_show(name).text);
    if (r->depth == LC_SFZ_DEPTH || r->files == LC_SFZ_FILES || r->bytes > LC_SFZ_BYTES)
        return lc_err_set(err, LOCO_EDATA, "%s: more than %d files include each other, or %d or %d MiB in all",
                          lc_place_show(place).text, LC_SFZ_DEPTH, LC_SFZ_FILES, LC_SFZ_BYTES >> 20);
    loco_status status = r->open(r->context, name, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    r->files++;
    r->bytes += length;
    char *copy = lc_store_string(r->store, bytes, length);
    free(bytes);
    if (copy == NULL)
        return no_memory(place, err);
    r->stack[++r->depth] = name;
    sfz_text inner = {
        copy, copy + length, {name, 1, NULL}
    };
    status = lc_plain_text_check(name, copy, length, err);
    if (status == LOCO_OK)
        status = read_text(r, &inner, err);
    r->depth--;
    return status;
}

/* #include "name"; other lines with # are passed over. */
static loco_status take_directive(sfz_reader *r, sfz_text *t, loco_err *err)
{
    bool wants = begins(t, "#include");
    const char *line = t->at;
    while (t->at < t->end && *t->at != '\n')
        t->at++;
    if (!wants)
        return LOCO_OK;
    const char *open = memchr(line, '"', (size_t)(t->at - line));
    const char *close = open != NULL ? memchr(open + 1, '"', (size_t)(t->at - open - 1)) : NULL;
    if (close == NULL || close == open + 1)
        return lc_err_set(err, LOCO_EDATA, "%s: #include without a name in quotes", lc_place_show(t->place).text);
    char *name = lc_store_string(r->store, open + 1, (size_t)(close - open - 1));
    if (name == NULL)
        return no_memory(t->place, err);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '\\' ? '/' : *at;
    t->at = close + 1;
    return include(r, t->place, name, err);
}

static loco_status read_text(sfz_reader *r, sfz_text *t, loco_err *err)
{
    loco_status status = LOCO_OK;
    while (t->at < t->end && status == LOCO_OK) {
        if (is_space(*t->at))
            step(t);
        else if (begins(t, "//") || begins(t, "/*"))
            status = take_comment(r, t, err);
        else if (*t->at == '<')
            status = take_header(r, t, err);
        else if (*t->at == '#')
            status = take_directive(r, t, err);
        else
            status = take_opcode(r, t, err);
    }
    return status;
}

/* ---- the whole ---- */

/* The regions into the store. */
static loco_status keep(lc_sfz *sfz, const sfz_reader *r, lc_place place, loco_err *err)
{
    if (r->len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no <region> with a sample that a key plays",
                          lc_place_show((lc_place){place.path, 0, NULL}).text);
    lc_sfz_region *regions = lc_store_take(r->store, r->len, sizeof *regions);
    if (regions == NULL)
        return no_memory(place, err);
    memcpy(regions, r->regions, r->len * sizeof *regions);
    *sfz = (lc_sfz){.about = r->about != NULL ? r->about : "", .regions = regions, .len = r->len};
    return LOCO_OK;
}

loco_status lc_sfz_parse(lc_sfz *sfz, lc_store *store, const char *path, const char *bytes, size_t length,
                         lc_sfz_opener *open, void *context, loco_err *err)
{
    sfz_reader r = {.store = store, .open = open, .context = context, .level = NOWHERE};
    r.stack[0] = path + lc_path_folder(path);
    lc_place place = {path, 1, NULL};
    if (length > LC_SFZ_BYTES)
        return lc_err_set(err, LOCO_EDATA, "%s: an instrument of more than %d MiB", lc_place_show(place).text,
                          LC_SFZ_BYTES >> 20);
    sfz_text text = {bytes + lc_plain_text_mark(bytes, length), bytes + length, place};
    loco_status status = lc_plain_text_check(path, bytes, length, err);
    if (status == LOCO_OK)
        status = read_text(&r, &text, err);
    if (status == LOCO_OK)
        status = end_region(&r, text.place, err);
    if (status == LOCO_OK)
        status = keep(sfz, &r, place, err);
    free(r.regions);
    return status;
}

typedef struct sfz_folder {
    lc_store *store;
    const char *path; /* of the first file: names are relative to its folder */
} sfz_folder;

static loco_status open_beside(void *context, const char *name, char **bytes, size_t *length, loco_err *err)
{
    const sfz_folder *f = context;
    const char *path = lc_path_join(f->store, f->path, lc_path_folder(f->path), name);
    return path != NULL ? lc_file_load(path, LC_SFZ_BYTES, bytes, length, err)
                        : lc_err_set(err, LOCO_ENOMEM, "out of memory for an instrument");
}

loco_status lc_sfz_load(lc_sfz *sfz, lc_store *store, const char *path, loco_err *err)
{
    char *bytes;
    size_t length;
    sfz_folder folder = {store, path};
    loco_status status = lc_file_load(path, LC_SFZ_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_sfz_parse(sfz, store, path, bytes, length, open_beside, &folder, err);
    free(bytes);
    return status;
}

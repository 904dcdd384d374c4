/* SPDX-License-Identifier: MIT
 *
 * drumkit.c - reads drumkit.xml.
 *
 * Only the elements above matter, wherever they stand within an instrument; all others, of which there are many, and
 * more in every version, are passed over. An instrument's name may follow its layers, so that its part is set when the
 * instrument ends.
 */
#include "studio/kits/drumkit.h"

#include "base/number.h"
#include "base/status.h"
#include "studio/import/xml.h"
#include "studio/kits/part.h"

#include <stdlib.h>
#include <string.h>

typedef struct drumkit_reader {
    lc_store *store;
    const char *file;
    lc_drumkit kit;
    lc_drumkit_layer *layers;
    size_t len, capacity;
    size_t depth;      /* of the element that is open */
    size_t first;      /* layer of this instrument */
    const char *title; /* of this instrument, or NULL */
    bool in_instrument, in_layer;
    lc_drumkit_layer layer;
} drumkit_reader;

static loco_status no_memory(const drumkit_reader *r, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the drum kit %.150s", r->file);
}

static loco_status keep_text(drumkit_reader *r, const char **place, const char *text, loco_err *err)
{
    char *copy = lc_store_string(r->store, text, strlen(text));
    if (copy == NULL)
        return no_memory(r, err);
    *place = copy;
    return LOCO_OK;
}

/* A sound must lie in the kit's folder: a kit from elsewhere must not read other files. */
static bool inside(const char *file)
{
    if (file[0] == '/')
        return false;
    for (const char *at = file; (at = strstr(at, "..")) != NULL; at += 2)
        if ((at == file || at[-1] == '/') && (at[2] == '/' || at[2] == 0))
            return false;
    return true;
}

static loco_status set_file(drumkit_reader *r, const char *text, unsigned long line, loco_err *err)
{
    if (!inside(text))
        return lc_err_set(err, LOCO_EDATA, "%.100s:%lu: the sound \"%.60s\" lies outside of the kit's folder", r->file,
                          line, text);
    return keep_text(r, &r->layer.file, text, err);
}

/* A velocity; values beyond 0..1 become the nearer end. */
static loco_status set_bound(const drumkit_reader *r, double *bound, const char *text, unsigned long line,
                             loco_err *err)
{
    double value;
    if (!lc_number_parse(text, strlen(text), &value))
        return lc_err_set(err, LOCO_EDATA, "%.120s:%lu: \"%.40s\" is not a velocity; write a number from 0 to 1",
                          r->file, line, text);
    *bound = value < 0 ? 0 : value > 1 ? 1 : value;
    return LOCO_OK;
}

static void begin_layer(drumkit_reader *r)
{
    r->layer = (lc_drumkit_layer){.file = "", .min = 0, .max = 1, .instrument = r->kit.instruments};
}

/* Layers without a file are leftovers of an editor. */
static loco_status end_layer(drumkit_reader *r, unsigned long line, loco_err *err)
{
    if (r->layer.file[0] == 0)
        return LOCO_OK;
    if (r->len == LC_DRUMKIT_LAYERS)
        return lc_err_set(err, LOCO_EDATA, "%.120s:%lu: more than %d layers", r->file, line, LC_DRUMKIT_LAYERS);
    lc_drumkit_layer *layers = lc_list_grow(r->layers, &r->capacity, r->len + 1, sizeof *layers);
    if (layers == NULL)
        return no_memory(r, err);
    r->layers = layers;
    r->layers[r->len++] = r->layer;
    return LOCO_OK;
}

static loco_status start(void *user, const char *name, const char *const *attributes, unsigned long line, loco_err *err)
{
    drumkit_reader *r = user;
    (void)attributes;
    r->depth++;
    if (strcmp(name, "instrument") == 0) {
        if (r->kit.instruments == LC_DRUMKIT_INSTRUMENTS)
            return lc_err_set(err, LOCO_EDATA, "%.120s:%lu: more than %d instruments", r->file, line,
                              LC_DRUMKIT_INSTRUMENTS);
        r->in_instrument = true;
        r->title = NULL;
        r->first = r->len;
        begin_layer(r);
    } else if (strcmp(name, "layer") == 0 && r->in_instrument) {
        r->in_layer = true;
        begin_layer(r);
    }
    return LOCO_OK;
}

/* Names give the part; the layers of those without one are forgotten. */
static void end_instrument(drumkit_reader *r)
{
    lc_voice_kind part = r->title != NULL ? lc_part_of_name(r->title) : LC_PARTS;
    for (size_t i = r->first; i < r->len; i++)
        r->layers[i].part = part;
    if (part == LC_PARTS)
        r->len = r->first;
    r->in_instrument = r->in_layer = false;
    r->kit.instruments++;
}

/* Elements within an instrument. */
static loco_status end_inside(drumkit_reader *r, const char *name, const char *text, unsigned long line, loco_err *err)
{
    if (strcmp(name, "name") == 0 && !r->in_layer && r->title == NULL)
        return keep_text(r, &r->title, text, err);
    if (strcmp(name, "filename") == 0) {
        loco_status status = set_file(r, text, line, err);
        return status == LOCO_OK && !r->in_layer ? end_layer(r, line, err) : status;
    }
    if (strcmp(name, "layer") == 0 && r->in_layer) {
        r->in_layer = false;
        return end_layer(r, line, err);
    }
    if (strcmp(name, "min") == 0 && r->in_layer)
        return set_bound(r, &r->layer.min, text, line, err);
    if (strcmp(name, "max") == 0 && r->in_layer)
        return set_bound(r, &r->layer.max, text, line, err);
    if (strcmp(name, "instrument") == 0)
        end_instrument(r);
    return LOCO_OK;
}

static loco_status end(void *user, const char *name, const char *text, unsigned long line, loco_err *err)
{
    drumkit_reader *r = user;
    size_t depth = r->depth--;
    if (r->in_instrument)
        return end_inside(r, name, text, line, err);
    if (depth != 2)
        return LOCO_OK;
    if (strcmp(name, "name") == 0)
        return keep_text(r, &r->kit.name, text, err);
    if (strcmp(name, "author") == 0)
        return keep_text(r, &r->kit.author, text, err);
    if (strcmp(name, "license") == 0 || strcmp(name, "licence") == 0)
        return keep_text(r, &r->kit.licence, text, err);
    return LOCO_OK;
}

loco_status lc_drumkit_parse(lc_drumkit *kit, lc_store *store, const char *file, const char *bytes, size_t length,
                             loco_err *err)
{
    drumkit_reader r = {
        .store = store, .file = file, .kit = {.name = "", .author = "", .licence = ""}
    };
    lc_xml_handler handler = {.user = &r, .start = start, .end = end};
    loco_status status = lc_xml_parse(bytes, length, file, &handler, err);
    if (status == LOCO_OK && r.kit.instruments == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s has no <instrument>; it is not a drum kit of Hydrogen", file);
    lc_drumkit_layer *kept = status == LOCO_OK ? lc_store_take(store, r.len + 1, sizeof *kept) : NULL;
    if (status == LOCO_OK && kept == NULL)
        status = no_memory(&r, err);
    if (status == LOCO_OK) {
        if (r.len > 0)
            memcpy(kept, r.layers, r.len * sizeof *kept);
        *kit = r.kit;
        kit->layers = kept;
        kit->layers_len = r.len;
    }
    free(r.layers);
    return status;
}
